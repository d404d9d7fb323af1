"""Solving with matrices and their triangles, as decompositions and their rules need it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..declare import general
from . import lapack


def triangle(a: Any, upper: bool) -> Any:
    """The triangle of matrices that is read, with zeros in the other."""
    return np.triu(a) if upper else np.tril(a)


def solve_triangle(a: Any, b: Any, upper: bool) -> Any:
    """X where A X = B, of A only one triangle being read."""
    return lapack.solve(triangle(a, upper), b)


def _pull_matrix(F: Any, t: Any, self: Any, out: Any, upper: bool) -> Any:
    moved = -F.matmul(F.solve_triangle(self.mT, t, not upper), out.mT)
    return F.triu(moved, 0) if upper else F.tril(moved, 0)


general(
    "solve_triangle", solve_triangle,
    {
        "self": _pull_matrix,
        "other": lambda F, t, self, upper: F.solve_triangle(self.mT, t, not upper),
    },
    ("upper",), node="LinalgSolveTriangularBackward0",
)  # fmt: skip

general(
    "solve_square", lapack.solve,
    {
        "self": lambda F, t, self, out: -F.matmul(F.solve_square(self.mT, t), out.mT),
        "other": lambda F, t, self: F.solve_square(self.mT, t),
    },
    node="LinalgSolveExBackward0",
)  # fmt: skip
