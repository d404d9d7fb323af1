"""Gaussian elimination of batches of matrices with NumPy alone, which does not hand out LAPACK's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .triangles import substitute

_NARROW = 8  # columns at a time that are eliminated one by one


def size(a: Any) -> Any:
    """What LAPACK chooses pivots by: the absolute value, of complex numbers the sum of those of the parts."""
    return np.absolute(a.real) + np.absolute(a.imag) if a.dtype.kind == "c" else np.absolute(a)


def eliminate(a: Any) -> tuple[Any, Any, Any]:
    """L and U in one array, LAPACK's pivots (rows counted from 1), and the number of the first zero on U's diagonal, or 0.

    By halves of the columns, so that most of the work is matrix products: S. Toledo, "Locality of reference in LU
    decomposition with partial pivoting" (1997).
    """
    *batch, m, n = a.shape
    work = np.array(a, order="C").reshape(math.prod(batch), m, n)
    k = min(m, n)
    pivots = np.empty((work.shape[0], k), np.int32)
    info = np.zeros(work.shape[0], np.int32)
    if work.size:
        _eliminate(work, pivots, info, 0, k)
        if n > k:
            work[:, :, k:] = substitute(_unit(work, 0, k), work[:, :, k:], False)
    return work.reshape(a.shape), pivots.reshape(*batch, k), info.reshape(batch)


def _unit(work: Any, start: int, stop: int) -> Any:
    """The unit lower triangle of a part of the diagonal."""
    made = np.tril(work[:, start:stop, start:stop], -1)
    np.einsum("bii->bi", made)[...] = 1
    return made


def _eliminate(work: Any, pivots: Any, info: Any, start: int, stop: int) -> None:
    """Eliminate the columns from start up to stop, in place; rows are exchanged as a whole."""
    if stop - start <= _NARROW:
        for j in range(start, stop):
            _eliminate_column(work, pivots, info, j, stop)
        return
    middle = (start + stop) // 2
    _eliminate(work, pivots, info, start, middle)
    right = work[:, start:middle, middle:stop]
    right[...] = substitute(_unit(work, start, middle), right, False)
    work[:, middle:, middle:stop] -= np.matmul(work[:, middle:, start:middle], right)
    _eliminate(work, pivots, info, middle, stop)


def _eliminate_column(work: Any, pivots: Any, info: Any, j: int, stop: int) -> None:
    row = size(work[:, j:, j]).argmax(1) + j
    pivots[:, j] = row + 1
    moved = np.flatnonzero(row != j)
    if moved.size:
        row = row[moved]
        kept = work[moved, j]
        work[moved, j] = work[moved, row]
        work[moved, row] = kept
    pivot = work[:, j, j]
    zero = pivot == 0
    if zero.any():
        info[zero & (info == 0)] = j + 1
        pivot = np.where(zero, pivot.dtype.type(1), pivot)
    below = work[:, j + 1 :, j]
    below /= pivot[:, None]
    work[:, j + 1 :, j + 1 : stop] -= below[:, :, None] * work[:, j, None, j + 1 : stop]


def order_of(pivots: Any, m: int) -> Any:
    """The rows of A in the order in which L U has them, by LAPACK's pivots."""
    order = np.empty((*pivots.shape[:-1], m), np.intp)
    order[...] = np.arange(m)
    count = math.prod(pivots.shape[:-1])
    flat, exchanged = order.reshape(count, m), pivots.reshape(count, pivots.shape[-1])
    every = np.arange(flat.shape[0])
    for j in range(exchanged.shape[1]):
        row = exchanged[:, j] - 1
        kept = flat[:, j].copy()
        flat[:, j] = flat[every, row]
        flat[every, row] = kept
    return order


def inverse_order(order: Any) -> Any:
    """The order that undoes an order."""
    made = np.empty_like(order)
    np.put_along_axis(made, order, np.broadcast_to(np.arange(order.shape[-1]), order.shape), -1)
    return made


def permutation(order: Any, d: Any) -> Any:
    """The matrix P of A = P L U."""
    made = np.zeros((*order.shape, order.shape[-1]), d)
    np.put_along_axis(made, order[..., None, :], d.type(1), -2)
    return made
