"""Symmetric elimination with Bunch and Kaufman's pivoting, of batches of matrices with NumPy alone.

L D L^T (or L D L^H) = A, with blocks of one or two rows on the diagonal D, as LAPACK chooses them: J. R. Bunch and L. Kaufman,
"Some stable methods for calculating inertia and solving symmetric linear systems" (1977). The matrices of a batch go in step; one
that has begun a block of two rows rests for a step.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .elimination import inverse_order, size
from .triangles import substitute

_ALPHA = (1 + 17**0.5) / 8
_PANEL = 48  # columns of changes that are gathered before they are made to the matrix, as one product


class _Elimination:
    """The state of the elimination: `rest` is A less the changes left @ right^T that are still to be made."""

    def __init__(self, a: Any, hermitian: bool) -> None:
        b, n = a.shape[:2]
        lower = np.tril(a, -1)
        diagonal = np.einsum("bii->bi", a)
        self.hermitian = hermitian and a.dtype.kind == "c"
        self.rest = lower + (lower.mT.conj() if self.hermitian else lower.mT)
        np.einsum("bii->bi", self.rest)[...] = diagonal.real if self.hermitian else diagonal
        self.left = np.zeros((b, n, _PANEL + 2), a.dtype)
        self.right = np.zeros_like(self.left)
        self.used = 0
        self.made = np.zeros_like(a)
        self.pivots = np.zeros((b, n), np.int32)
        self.info = np.zeros(b, np.int32)

    def column(self, matrices: Any, j: Any, start: int) -> Any:
        """Column j of some of the matrices as it is now, from row `start` on."""
        p = self.used
        changes = np.matmul(self.left[matrices, start:, :p], self.right[matrices, j, :p, None])[..., 0]
        return self.rest[matrices, start:, j] - changes

    def exchange(self, matrices: Any, i: Any, j: Any) -> None:
        """Exchange rows, and columns, i and j of some of the matrices."""
        for array in (self.rest, self.rest.mT, self.left, self.right):
            kept = array[matrices, i]
            array[matrices, i] = array[matrices, j]
            array[matrices, j] = kept

    def change(self, k: int, left: Any, right: Any) -> None:
        """Note changes of the rows and columns behind k."""
        p = self.used
        count = left.shape[-1]
        self.left[:, k + 1 :, p : p + count] = left
        self.right[:, k + 1 :, p : p + count] = right.conj() if self.hermitian else right
        self.used = p + count
        if self.used >= _PANEL:
            behind = slice(k + 1, None)
            p = self.used
            self.rest[:, behind, behind] -= np.matmul(self.left[:, behind, :p], self.right[:, behind, :p].mT)
            self.left[...] = self.right[...] = 0
            self.used = 0


def factor(a: Any, hermitian: bool) -> tuple[Any, Any, Any]:
    """L and D in one array, LAPACK's pivots, and the number of the first zero block, or 0, of matrices (b, n, n).

    Of the matrices the lower triangles are read. A pivot is the row (from 1) that a row was exchanged with, that of a block of
    two rows negative and there twice.
    """
    state = _Elimination(a, hermitian)
    b, n = a.shape[:2]
    resting = np.zeros(b, bool)
    with np.errstate(all="ignore"):
        for k in range(n):
            resting = _step(state, k, resting)
    return state.made, state.pivots, state.info


def _magnitude(state: _Elimination, a: Any) -> Any:
    """The size of diagonal elements, of which a Hermitian matrix has real ones."""
    return np.absolute(a.real) if state.hermitian else size(a)


def _step(state: _Elimination, k: int, resting: Any) -> Any:
    """Eliminate row k, and with it row k + 1 where both are one block; gives which matrices rest in the next step."""
    b = state.pivots.shape[0]
    first = state.column(slice(None), k, k)
    first[resting] = 0
    sizes = size(first)
    sizes[:, 0] = 0
    largest = sizes.argmax(1)
    off = sizes[np.arange(b), largest]
    diagonal = _magnitude(state, first[:, 0])
    nothing = ~resting & ((np.maximum(diagonal, off) == 0) | np.isnan(diagonal))
    state.info[nothing & (state.info == 0)] = k + 1
    row = np.zeros(b, np.intp)  # with which row k (or k + 1) is exchanged, counted from k
    two = np.zeros(b, bool)
    second = np.zeros_like(first)
    small = np.flatnonzero(~resting & ~nothing & (diagonal < _ALPHA * off))
    if small.size:
        r = largest[small]
        other = state.column(small, k + r, k)
        sizes = size(other)
        here = np.arange(small.size)
        own = _magnitude(state, other[here, r])
        sizes[here, r] = 0
        across = sizes.max(1)
        keep = diagonal[small] >= _ALPHA * off[small] * (off[small] / across)
        alone = ~keep & (own >= _ALPHA * across)
        row[small] = np.where(keep, 0, r)
        two[small] = ~keep & ~alone
        second[small] = other
        # where another row is the pivot alone, its column comes first
        first[small[alone]] = other[alone]
    place = two.astype(np.intp)
    moved = np.flatnonzero(row != place)
    if moved.size:
        i, j = place[moved], row[moved]
        state.exchange(moved, k + i, k + j)
        for column in (first, second):
            kept = column[moved, i]
            column[moved, i] = column[moved, j]
            column[moved, j] = kept
    awake = ~resting
    state.pivots[awake, k] = np.where(two, -(k + row + 1), k + row + 1)[awake]
    if two.any():
        state.pivots[two, k + 1] = state.pivots[two, k]
    _eliminate(state, k, first, second, two, awake)
    return two


def _eliminate(state: _Elimination, k: int, first: Any, second: Any, two: Any, awake: Any) -> None:
    """Write the columns of L and the block of D, and note how they change the rest."""
    d = first[:, 0].real if state.hermitian else first[:, 0]
    single = awake & ~two
    below = first[:, 1:] / np.where(d == 0, 1, d)[:, None]
    state.made[single, k, k] = d[single]
    state.made[single, k + 1 :, k] = below[single]
    below[~single] = 0
    columns, scaled = [np.where(single[:, None], first[:, 1:], 0)], [below]
    if two.any():
        corner = first[two, 1, None]
        across = corner.conj() if state.hermitian else corner
        scale = np.absolute(corner)
        upper, lower = first[two, 0, None] / scale, second[two, 1, None] / scale
        if state.hermitian:
            upper, lower = upper.real, lower.real
        determinant = (upper * lower - (corner / scale) * (across / scale)) * scale
        one, other = first[two, 2:], second[two, 2:]
        parts = (
            (one * lower - other * (corner / scale)) / determinant,
            (other * upper - one * (across / scale)) / determinant,
        )
        state.made[two, k, k] = first[two, 0].real if state.hermitian else first[two, 0]
        state.made[two, k + 1, k] = first[two, 1]
        state.made[two, k + 1, k + 1] = second[two, 1].real if state.hermitian else second[two, 1]
        for i, part in enumerate(parts):
            state.made[two, k + 2 :, k + i] = part
        pair = np.zeros_like(below)
        pair_scaled = np.zeros_like(below)
        columns[0][two, 1:], pair[two, 1:] = one, other
        scaled[0][two, 1:], pair_scaled[two, 1:] = parts
        columns.append(pair)
        scaled.append(pair_scaled)
    state.change(k, np.stack(scaled, -1), np.stack(columns, -1))


def solve(factors: Any, pivots: Any, b: Any, hermitian: bool) -> Any:
    """X with A X = B from what `factor` gives for A, of any batch."""
    n = factors.shape[-1]
    hermitian = hermitian and factors.dtype.kind == "c"
    count = math.prod(factors.shape[:-2])
    flat, exchanged = factors.reshape(count, n, n), pivots.reshape(count, n)
    every = np.arange(flat.shape[0])
    negative = exchanged < 0
    opens = negative & (np.cumsum(negative, 1) % 2 == 1)  # the first of the two rows of a block
    diagonal = np.einsum("bii->bi", flat)
    corner = np.zeros_like(diagonal)
    corner[:, : n - 1] = np.where(opens[:, : n - 1], np.einsum("bii->bi", flat[:, 1:, : n - 1]), 0)
    lower = np.tril(flat, -1)
    np.einsum("bii->bi", lower[:, 1:, : n - 1])[...] -= corner[:, : n - 1]
    np.einsum("bii->bi", lower)[...] = 1
    order = np.empty(exchanged.shape, np.intp)
    order[...] = np.arange(n)
    for k in range(n):
        # LAPACK leaves the columns before an exchange as they were
        moves = ~negative[:, k] | opens[:, k]
        i = np.where(moves, k + opens[:, k], k)
        j = np.where(moves, np.absolute(exchanged[:, k]) - 1, k)
        for array in (lower[:, :, :k], order):
            kept = array[every, i].copy()
            array[every, i] = array[every, j]
            array[every, j] = kept
    order = order.reshape(pivots.shape)
    lower = lower.reshape(factors.shape)
    raised = lower.mT.conj() if hermitian else lower.mT
    made = substitute(lower, np.take_along_axis(b, order[..., None], -2), False)
    made = _divide(
        made, diagonal.reshape(pivots.shape), corner.reshape(pivots.shape), opens.reshape(pivots.shape), hermitian
    )
    return np.take_along_axis(substitute(raised, made, True), inverse_order(order)[..., None], -2)


def _divide(b: Any, diagonal: Any, corner: Any, opens: Any, hermitian: bool) -> Any:
    """D^-1 B for blocks of one and two rows: the blocks' second rows follow those that open them."""
    made = b / diagonal[..., None]
    if not opens.any():
        return made
    at = np.nonzero(opens)
    after = (*at[:-1], at[-1] + 1)
    d, e, c = diagonal[at][:, None], diagonal[after][:, None], corner[at][:, None]
    across = c.conj() if hermitian else c
    one, other = b[at], b[after]
    determinant = d * e - c * across
    made[at] = (one * e - other * across) / determinant
    made[after] = (other * d - one * c) / determinant
    return made
