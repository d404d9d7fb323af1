"""Views at one index, or between two, of one dimension: what indexing with brackets is made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import Tensor, wrap_dim
from .declare import linear
from .dims import check_tensor, dim_number
from .expose import expose
from .namespace import provide

# ------------------------------------------------------------------------------------------------ declarations

#: whole dimensions before the one that is indexed, by their number
BEFORE: Any = tuple([(slice(None),) * n for n in range(65)])


def _select_array(a: Any, dim: int, index: int) -> Any:
    return a[index, ...] if dim == 0 else a[(*BEFORE[dim], index, ...)]


def _select_put(a: Any, shape: tuple[int, ...], dim: int, index: int) -> Any:
    made = np.zeros(shape, a.dtype)
    made[(*BEFORE[dim], index)] = a
    return made


_select = linear(
    "select", _select_array, lambda F, t, self_shape, dim, index: F.select_backward(t, self_shape, dim, index),
    ("dim", "index"), view=True, holomorphic=False,
)  # fmt: skip
_select_backward = linear(
    "select_backward", _select_put, lambda F, t, dim, index: F.select(t, dim, index), ("shape", "dim", "index"),
    holomorphic=False, node="SelectBackwardBackward0",
)  # fmt: skip


def _slice_array(a: Any, dim: int, start: Any, end: Any, step: Any) -> Any:
    return a[start:end:step] if dim == 0 else a[(*BEFORE[dim], slice(start, end, step))]


def _slice_put(a: Any, shape: tuple[int, ...], dim: int, start: Any, end: Any, step: Any) -> Any:
    made = np.zeros(shape, a.dtype)
    made[(*BEFORE[dim], slice(start, end, step))] = a
    return made


_slice = linear(
    "slice", _slice_array,
    lambda F, t, self_shape, dim, start, end, step: F.slice_backward(t, self_shape, dim, start, end, step),
    ("dim", "start", "end", "step"), view=True, holomorphic=False,
)  # fmt: skip
_slice_backward = linear(
    "slice_backward", _slice_put, lambda F, t, dim, start, end, step: F.slice(t, dim, start, end, step),
    ("shape", "dim", "start", "end", "step"), holomorphic=False, node="SliceBackwardBackward0",
)  # fmt: skip
_alias = linear("alias", lambda a: a[...], lambda F, t: t, view=True, holomorphic=False)

view_at, view_between, view_of_all = _select, _slice, _alias

# ------------------------------------------------------------------------------------------------ functions


def select(input: Tensor, dim: Any, index: Any) -> Any:
    """A view at one index of a dimension.

    >>> import wengert
    >>> wengert.select(wengert.tensor([[1, 2], [3, 4]]), 1, 0)
    tensor([1, 3])
    """
    shape = check_tensor("select", input)._array.shape
    d = dim_number("select", dim, position=2)
    i = dim_number("select", index, "index", 3)
    if not shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(d, len(shape))
    if not -shape[d] <= i < shape[d]:
        raise IndexError(f"select(): index {i} out of range for tensor of size {list(shape)} at dimension {dim}")
    return _select(input, d, i)


def narrow(input: Tensor, dim: Any, start: Any, length: Any) -> Any:
    """A view of `length` indices of a dimension, from `start` on.

    >>> import wengert
    >>> wengert.narrow(wengert.arange(5), 0, 1, 2)
    tensor([1, 2])
    """
    d, first, n = narrow_bounds("narrow", input, dim, start, length)
    return _slice(input, d, first, first + n, 1)


def narrow_bounds(function: str, input: Tensor, dim: Any, start: Any, length: Any) -> tuple[int, int, int]:
    """The arguments of `narrow`, checked: the dimension and the start from the front, and the length."""
    shape = check_tensor(function, input)._array.shape
    if isinstance(start, Tensor):
        if start._array.ndim or start._array.dtype.kind not in "iu":
            raise RuntimeError("start must be an 0-dim integral Tensor.")
        start = int(start)
    d = dim_number(function, dim, position=2)
    start = dim_number(function, start, "start", 3)
    length = dim_number(function, length, "length", 4)
    if not shape:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError(f"narrow(): length must be non-negative. It is {length}")
    d = wrap_dim(d, len(shape))
    if not -shape[d] <= start <= shape[d]:
        raise IndexError(f"start out of range (expected to be in range of [{-shape[d]}, {shape[d]}], but got {start})")
    first = start + shape[d] if start < 0 else start
    if first + length > shape[d]:
        raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({shape[d]}).")
    return d, first, length


provide("narrow", lambda a, dim, start, n: a[(*BEFORE[dim], slice(start, start + n))], narrow)

__all__ = expose(__name__, functions="select narrow", methods="select narrow")
