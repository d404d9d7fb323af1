"""Distances between the rows of two tensors, or of one.

With u = x - y and d its p-norm, the gradient of d is phi = sign(u) |u|^(p-1) / d^(p-1), zero where d is; it changes with u by
(p - 1) (|u|^(p-2) / d^(p-1) du - phi (phi . du) / d).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap
from .declare import F32, general
from .dims import check_tensor
from .expose import expose
from .operation import check_broadcast

_BLOCK = 1 << 18  # differences that are held at a time

# ------------------------------------------------------------------------------------------------ blocks of differences


def _blocks(x: Any, y: Any) -> Any:
    """Slices of the rows of `x`, with their differences from all rows of `y`."""
    each = math.prod(x.shape[:-2]) * y.shape[-2] * y.shape[-1]
    step = max(1, _BLOCK // max(1, each))
    for start in range(0, x.shape[-2], step):
        rows = slice(start, start + step)
        yield rows, x[..., rows, None, :] - y[..., None, :, :]


def _norm(u: Any, p: float) -> Any:
    if p == 2:
        return np.sqrt(np.einsum("...i,...i->...", u, u))
    if p == 0:
        return (u != 0).sum(-1).astype(u.dtype)
    sizes = abs(u)
    if p == 1:
        return sizes.sum(-1)
    if p == math.inf:
        return sizes.max(-1, initial=0)
    return (sizes**p).sum(-1) ** (1 / p)


def _distances(x: Any, y: Any, p: float) -> Any:
    d = x.dtype
    if d.itemsize == 2:
        return _distances(x.astype(F32), y.astype(F32), p).astype(d)
    made = np.empty((*x.shape[:-1], y.shape[-2]), d)
    for rows, u in _blocks(x, y):
        made[..., rows, :] = _norm(u, p)
    return made


def _slopes(u: Any, d: Any, p: float) -> Any:
    """phi, of differences and their norms."""
    d = d[..., None]
    if p == 2:
        return u / np.where(d == 0, 1, d)
    if p == 1:
        return np.sign(u)
    if p == math.inf:
        return np.sign(u) * (abs(u) == d)
    return np.sign(u) * (abs(u) / np.where(d == 0, 1, d)) ** (p - 1) * (u != 0)


def _pull_rows(t: Any, x: Any, y: Any, d: Any, p: float) -> Any:
    """The gradient for the rows of `x`."""
    kind = x.dtype
    if kind.itemsize == 2:
        t, x, y, d = (a.astype(F32) for a in (t, x, y, d))
        return _pull_rows(t, x, y, d, p).astype(kind)
    made = np.zeros(x.shape, kind)
    if p:
        for rows, u in _blocks(x, y):
            made[..., rows, :] = np.einsum("...ij,...ijk->...ik", t[..., rows, :], _slopes(u, d[..., rows, :], p))
    return made


# ------------------------------------------------------------------------------------------------ declarations


def _apart(F: Any, x: Any, y: Any) -> Any:
    (*b, m, k), n = x.shape, y.shape[-2]
    return F.reshape(x, (*b, m, 1, k)) - F.reshape(y, (*b, 1, n, k))


def _phi(F: Any, u: Any, d: Any, p: float) -> Any:
    if p == 2:
        return u / d
    if p == 1:
        return F.sign(u)
    sizes = F.abs(u)
    if p == math.inf:
        return F.sign(u) * (sizes == d)
    return F.sign(u) * F.pow((sizes + (u == 0)) / d, p - 1) * (u != 0)


def _parts(F: Any, x: Any, y: Any, p: float) -> tuple[Any, Any, Any]:
    """Differences, their norms with 1 in place of 0, and phi."""
    u, d = _apart(F, x, y), F.cdist(x, y, p)
    d = F.reshape(d, (*d.shape, 1))
    d = d + (d == 0)
    return u, d, _phi(F, u, d, p)


def _over(F: Any, a: Any, dim: int) -> Any:
    return F.sum(a, (a.ndim + dim,), False)


def _change(F: Any, t: Any, self: Any, x: Any, y: Any, p: float) -> Any:
    """For each pair of rows, what t sends through the change of `self` times phi."""
    u, d, phi = _parts(F, x, y, p)
    moved = F.reshape(t, (*t.shape[:-1], 1, t.shape[-1])) * F.reshape(self, (*self.shape, 1))
    along = F.reshape(_over(F, phi * moved, -1), d.shape) * phi / d
    if p == 2:
        return moved / d - along
    if p in (0, 1, math.inf):
        return moved * 0
    return (p - 1) * (F.pow((F.abs(u) + (u == 0)) / d, p - 2) * (u != 0) * moved / d - along)


general(
    "pull_distances", _pull_rows,
    {
        "self": lambda F, t, x, y, p: _over(
            F, F.reshape(t, (*t.shape[:-1], 1, t.shape[-1])) * _parts(F, x, y, p)[2], -1
        ) if p else None,
        "x": lambda F, t, self, x, y, p: _over(F, _change(F, t, self, x, y, p), -2),
        "y": lambda F, t, self, x, y, p: -_over(F, _change(F, t, self, x, y, p), -3),
        "d": None,
    },
    ("p",), node="CdistBackwardBackward0",
)  # fmt: skip
_cdist = general(
    "cdist", _distances,
    {
        "x": lambda F, t, x, y, out, p: F.pull_distances(t, x, y, out, p),
        "y": lambda F, t, x, y, out, p: F.pull_distances(t.mT, y, x, out.mT, p),
    },
    ("p",),
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ functions

_MODES = ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist")


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = _MODES[0]) -> Tensor:
    """The distances between all rows of two tensors: (..., m, k) and (..., n, k) give (..., m, n).

    p             of the norm of their differences: from 0 (how many elements differ) to inf
    compute_mode  one of PyTorch's three; differences are taken exactly in any case

    The gradient of a distance that is zero is zero. Raises RuntimeError for shapes, dtypes and norms that do not fit.

    >>> import wengert
    >>> wengert.cdist(wengert.tensor([[0.0, 0.0]]), wengert.tensor([[3.0, 4.0], [0.0, 1.0]]))
    tensor([[5., 1.]])
    """
    for position, (name, x) in enumerate((("x1", x1), ("x2", x2)), 1):
        check_tensor("cdist", x, name, position)
    if compute_mode not in _MODES:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    for number, x in (("1", x1), ("2", x2)):
        if x.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, X{number} got: {x.ndim}D")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}")
    for number, x in (("1", x1), ("2", x2)):
        if not x.dtype.is_floating_point:
            raise RuntimeError(f"cdist only supports floating-point dtypes, X{number} got: {scalar_name(x.dtype)}")
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    if x1.dtype is not x2.dtype:
        raise RuntimeError(f"expected scalar type {scalar_name(x1.dtype)} but found {scalar_name(x2.dtype)}")
    shapes = x1.shape[:-2], x2.shape[:-2]
    if shapes[0] != shapes[1]:
        check_broadcast(shapes)
        batch = np.broadcast_shapes(*shapes)
        x1, x2 = (x.expand(*batch, *x.shape[-2:]) for x in (x1, x2))
    made: Tensor = _cdist(x1, x2, float(p))
    return made


def pdist(input: Tensor, p: float = 2) -> Tensor:
    """The distances between all pairs of rows of a matrix, row by row of the upper triangle of `cdist`.

    p  of the norm of their differences

    Raises RuntimeError for other than two dimensions, for integers and for a negative p.

    >>> import wengert
    >>> wengert.pdist(wengert.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]))
    tensor([5.0000, 1.0000, 4.2426])
    """
    check_tensor("pdist", input)
    if input.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.ndim}D")
    if not input.dtype.is_floating_point:
        raise RuntimeError(f"pdist only supports floating-point dtypes: found {input.dtype}")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    n = input.shape[0]
    rows, columns = np.triu_indices(n, 1)
    made: Tensor = cdist(input, input, p)[wrap(rows), wrap(columns)]
    return made


__all__ = expose(__name__, functions="cdist pdist")
