"""Elements picked along one dimension by their indices, and put back: the derivative of whatever chooses elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from .declare import multilinear
from .dims import kept_shape


def places(index: Any, dim: int, ndim: int) -> tuple[Any, ...]:
    """NumPy's index for the elements that `index`, of all dimensions, names along `dim`."""
    found: list[Any] = []
    for i in range(ndim):
        found.append(index if i == dim else np.arange(index.shape[i]).reshape((1,) * i + (-1,) + (1,) * (ndim - i - 1)))
    return tuple(found)


def take_along(a: Any, index: Any, dim: int, keepdim: bool = True, once: bool = True) -> Any:
    """The elements of `a` that `index` names along `dim`; without `keepdim` the index has not got that dimension."""
    if not a.ndim:
        return np.array(a)
    if not keepdim:
        if a.ndim == 1:
            return np.asarray(a[index])
        if dim == a.ndim - 1:  # one of each row
            rows = np.arange(0, a.size, a.shape[dim]) if a.size else index.reshape(-1)
            return a.take(rows + index.reshape(-1)).reshape(index.shape)
        index = np.expand_dims(index, dim)
    taken = a[places(index, dim, a.ndim)]
    return taken if keepdim else taken.reshape(taken.shape[:dim] + taken.shape[dim + 1 :])


def put_along(t: Any, index: Any, shape: tuple[int, ...], dim: int, keepdim: bool = True, once: bool = True) -> Any:
    """Zeros of a shape with the elements of `t` added where `index` names them along `dim`; `once`: no place twice."""
    made = np.zeros(shape, t.dtype)
    if not shape:
        made[...] = t
        return made
    if not keepdim:
        if dim == len(shape) - 1 and len(shape) > 1 and made.size:
            made.put(np.arange(0, made.size, shape[dim]) + index.reshape(-1), t)
            return made
        t, index = np.expand_dims(t, dim), np.expand_dims(index, dim)
    where = places(index, dim, len(shape))
    if once:
        made[where] = t
    else:
        np.add.at(made, where, t)
    return made


def chosen_by(find: Any) -> Any:
    """The forward that gives the element along a dimension whose index `find` gives, and the index."""

    def forward(a: Any, dim: int, keepdim: bool, *more: Any) -> Any:
        if not a.ndim:
            return np.array(a), np.zeros((), np.int64)
        index = np.asarray(find(a, dim, *more), np.int64)
        values = take_along(a, index, dim, False)
        if keepdim:
            kept = kept_shape(a.shape, (dim,))
            return values.reshape(kept), index.reshape(kept)
        return values, index

    return forward


pick = multilinear(
    "take_along",
    take_along,
    {
        "self": lambda F, t, index, self_shape, dim, keepdim, once: F.put_along(
            t, index, self_shape, dim, keepdim, once
        ),
        "index": None,
    },
    ("dim", "keepdim", "once"),
    node="GatherBackward0",
)
put = multilinear(
    "put_along", put_along,
    {"self": lambda F, t, index, dim, keepdim, once: F.take_along(t, index, dim, keepdim, once), "index": None},
    ("shape", "dim", "keepdim", "once"), node="ValueSelectingReductionBackward0",
)  # fmt: skip
