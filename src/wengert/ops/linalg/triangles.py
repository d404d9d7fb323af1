"""Solving with matrices and their triangles, as decompositions and their rules need it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..declare import general
from ..namespace import arrays
from . import lapack

_BLOCK = 64


def triangle(a: Any, upper: bool) -> Any:
    """The triangle of matrices that is read, with zeros in the other."""
    return arrays.triu(a, 0) if upper else arrays.tril(a, 0)  # np.triu makes a mask each time


def substitute(a: Any, b: Any, upper: bool) -> Any:
    """X where A X = B for triangles A with zeros elsewhere: by halves, so that most of the work is matrix products."""
    n = a.shape[-1]
    if n <= _BLOCK:
        return lapack.solve(a, b)
    k = n // 2
    if upper:
        below = substitute(a[..., k:, k:], b[..., k:, :], True)
        above = substitute(a[..., :k, :k], b[..., :k, :] - np.matmul(a[..., :k, k:], below), True)
    else:
        above = substitute(a[..., :k, :k], b[..., :k, :], False)
        below = substitute(a[..., k:, k:], b[..., k:, :] - np.matmul(a[..., k:, :k], above), False)
    return np.concatenate((above, below), -2)


def solve_triangle(a: Any, b: Any, upper: bool) -> Any:
    """X where A X = B, of A only one triangle being read."""
    return substitute(triangle(a, upper), b, upper)


def _solve_unit(a: Any, b: Any, upper: bool) -> Any:
    inner = np.array(triangle(a, upper))
    np.einsum("...ii->...i", inner)[...] = 1
    return substitute(inner, b, upper)


def _rules(name: str, diagonal: int) -> dict[str, Any]:
    """The rules of solving with a triangle, with its diagonal or, with diagonal=1, with ones in its place."""

    def pull_matrix(F: Any, t: Any, self: Any, out: Any, upper: bool) -> Any:
        moved = -F.matmul(getattr(F, name)(self.mT, t, not upper), out.mT)
        return F.triu(moved, diagonal) if upper else F.tril(moved, -diagonal)

    return {"self": pull_matrix, "other": lambda F, t, self, upper: getattr(F, name)(self.mT, t, not upper)}


general(
    "solve_triangle", solve_triangle, _rules("solve_triangle", 0), ("upper",), node="LinalgSolveTriangularBackward0"
)
general(
    "solve_unit_triangle",
    _solve_unit,
    _rules("solve_unit_triangle", 1),
    ("upper",),
    node="LinalgSolveTriangularBackward0",
)
general(
    "solve_square", lapack.solve,
    {
        "self": lambda F, t, self, out: -F.matmul(F.solve_square(self.mT, t), out.mT),
        "other": lambda F, t, self: F.solve_square(self.mT, t),
    },
    node="LinalgSolveExBackward0",
)  # fmt: skip
