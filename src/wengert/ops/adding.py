"""The passes over memory that reductions are made of: sums that stay exact for many numbers, and the largest of each row.

NumPy adds in pairs along the axis that is contiguous in memory, and one after the other along all others, where the error grows
with the number of additions. And it sets out anew for each row, which takes longer than a short row does.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .dims import kept_shape

F32 = np.dtype(np.float32)
F64 = np.dtype(np.float64)
SMALL = 4096  # below this many elements the order of additions is left to NumPy
_BLOCK = 16  # additions in a row, where they are not in pairs
_ROW = 512  # elements of a row that `einsum` and BLAS add in their 16 or more lanes
_WIDE = 512  # elements side by side that make up for setting out
_NARROW = 32  # up to this many columns, the largest of each row is found quicker with the rows laid side by side

# A few numbers are added quicker by BLAS, as a product with ones, than `np.add.reduce` takes to set out.
ONES = {d: {n: ones[:n] for n in range(1, 65)} for d, ones in ((F32, np.ones(64, F32)), (F64, np.ones(64)))}
_reduce_add: Any = np.add.reduce


def add_up(a: Any, axes: tuple[int, ...] | None = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """The sum over some axes, or all, with an error that grows with the logarithm of how many elements are added.

    Half precision is added in single.
    """
    d = a.dtype if dtype is None else dtype
    if d.itemsize == 2 and d.kind not in "iu":
        return add_up(a, axes, keepdim, F32).astype(d)
    if a.size <= SMALL or d.kind in "iu":
        return _reduce_add(a, axes, dtype, None, keepdim)
    if a.dtype is not d:
        a = a.astype(d)
    if axes is not None and len(axes) < a.ndim and not a.flags.c_contiguous:
        return _add_scattered(a, axes, keepdim)
    return _add_grouped(a if a.flags.c_contiguous else a.ravel("K"), a.shape, axes, keepdim)


def _add_grouped(a: Any, shape: tuple[int, ...], axes: tuple[int, ...] | None, keepdim: bool) -> Any:
    """The sum of an array that is contiguous: neighbouring axes that are both summed over, or both not, are as one."""
    sizes: list[int] = []
    summed: list[bool] = []
    for i, n in enumerate(shape):
        over = axes is None or i in axes
        if summed and summed[-1] == over:
            sizes[-1] *= n
        elif n != 1:
            sizes.append(n)
            summed.append(over)
    if summed[-1]:
        n = sizes.pop()
        a = row_sums(a.reshape(-1, n))
    for k in reversed(range(len(sizes))):
        if summed[k]:
            a = _add_columns(a.reshape(math.prod(sizes[:k]), sizes[k], math.prod(sizes[k + 1 :])))
            del sizes[k]
    return a.reshape(kept_shape(shape, axes) if keepdim else [n for i, n in enumerate(shape) if axes and i not in axes])


def _add_scattered(a: Any, axes: tuple[int, ...], keepdim: bool) -> Any:
    """The sum of an array that is not contiguous: axis by axis, first that by which NumPy goes through the memory."""
    shape = a.shape
    rest = sorted(i for i in axes if shape[i] != 1)
    inner = min((i for i in range(a.ndim) if shape[i] != 1), key=lambda i: abs(a.strides[i]))
    if inner in rest:
        a = _reduce_add(a, inner, None, None, True)
        rest.remove(inner)
    for i in rest:
        a = _add_blocks(a, i)
    return a.reshape(kept_shape(shape, axes) if keepdim else [n for i, n in enumerate(shape) if i not in axes])


def _add_blocks(a: Any, axis: int) -> Any:
    """The sum over one axis, kept, in blocks of blocks."""
    while a.shape[axis] > _BLOCK:
        n = a.shape[axis]
        blocks = n // _BLOCK
        before, after = (slice(None),) * axis, a.shape[axis + 1 :]
        head = a[(*before, slice(0, blocks * _BLOCK))].reshape(*a.shape[:axis], blocks, _BLOCK, *after)
        part = _reduce_add(head, axis + 1)
        if blocks * _BLOCK < n:
            part[(*before, 0)] += _reduce_add(a[(*before, slice(blocks * _BLOCK, n))], axis)
        a = part
    return _reduce_add(a, axis, None, None, True)


def _add_columns(a: Any) -> Any:
    """The sum over the middle axis of a contiguous array of three."""
    before, n, after = a.shape
    fold = _WIDE // after if after else 0
    if before != 1 or fold < 2 or n < 4 * fold:
        return _add_blocks(a, 1).reshape(before, after)
    lines = n // fold  # rows are too short: as many as make a long one are added side by side
    head = _add_blocks(a[0, : lines * fold].reshape(lines, fold * after), 0)
    total = _add_blocks(head.reshape(1, fold, after), 1).reshape(1, after)
    if lines * fold < n:
        total += _add_blocks(a[:, lines * fold :], 1).reshape(1, after)
    return total


def row_sums(a: Any) -> Any:
    """The sum of each row of a contiguous matrix."""
    rows, n = a.shape
    ones = ONES.get(a.dtype)
    if ones is None:
        return _reduce_add(a, 1)
    if a.size <= SMALL:
        line = ones.get(n)
        return _reduce_add(a, 1) if line is None else a.dot(line)
    if n <= _ROW:
        return np.einsum("ij->i", a)
    if rows > 1:
        least = -(-n // _ROW)
        for parts in range(least, 2 * least + 2):
            if n % parts == 0:
                return _reduce_add(np.einsum("ij->i", a.reshape(rows * parts, -1)).reshape(rows, parts), 1)
        return _reduce_add(a, 1)
    whole = n - n % _ROW
    total = _reduce_add(np.einsum("ij->i", a[0, :whole].reshape(-1, _ROW)))
    return np.array([total + _reduce_add(a[0, whole:])])


def column_sums(a: Any) -> Any:
    """The sum of each column of a matrix of few rows."""
    by_length = ONES.get(a.dtype)
    ones = None if by_length is None else by_length.get(a.shape[0])
    return _reduce_add(a, 0) if ones is None or a.size > SMALL else ones.dot(a)


def row_extremes(a: Any, ufunc: Any = np.maximum) -> Any:
    """The largest element of each row of a contiguous matrix, or by np.minimum the smallest; nan where there is one."""
    rows, n = a.shape
    if n <= _NARROW:
        return ufunc.reduce(a.T.copy(), 0)
    places = a.argmax(1) if ufunc is np.maximum else a.argmin(1)
    places += np.arange(0, rows * n, n)
    return a.take(places)


def add_squares(a: Any, axes: tuple[int, ...] | None = None, keepdim: bool = False) -> Any:
    """The sum of the squares over some axes, or all; of real numbers."""
    if a.size <= SMALL:
        if axes is None and not keepdim:
            row = a.reshape(-1)
            return row.dot(row)
        return add_up(np.square(a), axes, keepdim)
    shape = a.shape
    first = 0 if axes is None else min(axes, default=0)
    behind = axes is None or sorted(axes) == list(range(first, len(shape)))
    n = math.prod(shape[first:])
    if not behind or a.dtype not in ONES or not a.flags.c_contiguous or not n or (n > _ROW and n < a.size):
        return add_up(np.square(a), axes, keepdim)
    if n <= _ROW:
        total = np.vecdot(lines := a.reshape(-1, n), lines)
    else:
        row = a.reshape(-1)
        whole = n - n % _ROW
        total = _reduce_add(np.vecdot(lines := row[:whole].reshape(-1, _ROW), lines)) + row[whole:].dot(row[whole:])
    return np.asarray(total).reshape(kept_shape(shape, axes) if keepdim else shape[:first])
