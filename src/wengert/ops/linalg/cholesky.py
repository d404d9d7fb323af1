"""The Cholesky decomposition of Hermitian positive-definite matrices; inverses and solutions by it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import return_types
from ...tensor import Tensor
from ..declare import general
from ..dims import into_same
from ..expose import expose
from ..extremum import named
from . import lapack
from .adjoints import adjoint, lower_half
from .checks import (
    SINGULAR,
    column_major,
    common_batch,
    floating,
    implemented,
    matrix_argument,
    raise_for,
    same_dtype,
    square,
)
from .triangles import solve_triangle, triangle

_FAILED = (
    "The factorization could not be completed because the input is not positive-definite "
    "(the leading minor of order {0} is not positive-definite)."
)

# ------------------------------------------------------------------------------------------------ declarations


def _factor(a: Any, upper: bool) -> tuple[Any, Any]:
    """The factor of each matrix, and 0 or the order of its first leading minor that is not positive-definite."""
    made = (lapack.cholesky_upper if upper else lapack.cholesky_lower)(a)
    info = np.zeros(a.shape[:-2], np.int32)
    if made.size:
        failed = np.isnan(made[..., 0, 0])
        if failed.any():
            there = a[failed]
            part, info[failed] = _partial(there.mT.conj() if upper else there)
            made[failed] = part.mT.conj() if upper else part
    return column_major(made), info


def _partial(a: Any) -> tuple[Any, Any]:
    """How far the decomposition of matrices that have none gets: the factor's columns up to there, `a` behind, and where."""
    made = np.tril(a)
    info = np.zeros(a.shape[0], np.int32)
    for j in range(a.shape[-1]):
        done = made[:, j:, :j]
        column = made[:, j:, j] - np.matmul(done, made[:, j, :j, None].conj())[..., 0]
        stop = ~(column[:, 0].real > 0) & (info == 0)
        made[stop, j, j] = column[stop, 0].real
        info[stop] = j + 1
        going = info == 0
        if not going.any():
            break
        column = column[going]
        root = np.sqrt(column[:, :1].real)
        made[going, j:, j] = np.concatenate((root, column[:, 1:] / root), 1)
    return made, info


def _pull_factor(F: Any, t: Any, out: Any, upper: bool) -> Any:
    # A = L L^H: L^-1 dA L^-H is the sum of L^-1 dL, a lower triangle, and its adjoint
    factor, t = (adjoint(F, out), adjoint(F, t)) if upper else (out, t)
    half = lower_half(F, F.matmul(adjoint(F, factor), t))
    raised = adjoint(F, factor)
    left = F.solve_triangle(raised, (half + adjoint(F, half)) * 0.5, True)
    return adjoint(F, F.solve_triangle(raised, adjoint(F, left), True))


def _push_factor(F: Any, t: Any, out: Any, upper: bool) -> Any:
    factor = adjoint(F, out) if upper else out
    left = F.solve_triangle(factor, (t + adjoint(F, t)) * 0.5, False)
    pushed = F.matmul(factor, lower_half(F, F.solve_triangle(factor, adjoint(F, left), False)))
    return adjoint(F, pushed) if upper else pushed


_cholesky_ex = general(
    "linalg_cholesky_ex", _factor, {"self": _pull_factor}, ("upper",),
    outputs=("out", "info"), push=_push_factor, node="LinalgCholeskyExBackward0",
    holomorphic=False,
)  # fmt: skip


def _factor_or_raise(a: Any, upper: bool) -> Any:
    made, info = _factor(a.mT.conj() if upper else a, False)
    raise_for("cholesky", info, _FAILED)
    return column_major(made.mT.conj()) if upper else made


#: of which only the lower triangle is read, the upper factor being its adjoint
cholesky_of_lower = general(
    "cholesky", _factor_or_raise, {"self": _pull_factor}, ("upper",), push=_push_factor, holomorphic=False
)


def _inverse(a: Any, upper: bool) -> Any:
    factor = triangle(a, upper)
    diagonal = np.diagonal(factor, 0, -2, -1)
    zero = diagonal == 0
    raise_for("cholesky_inverse", np.where(zero.any(-1), zero.argmax(-1) + 1, 0) if zero.size else 0, SINGULAR)
    if not upper:
        factor = factor.mT.conj()
    root = lapack.inverse(factor)  # of the upper factor
    return column_major(np.matmul(root, root.mT.conj()))


def _pull_inverse(F: Any, t: Any, self: Any, out: Any, upper: bool) -> Any:
    moved = F.matmul(F.matmul(out, t + adjoint(F, t)), out)
    return -F.triu(F.matmul(F.triu(self, 0), moved), 0) if upper else -F.tril(F.matmul(moved, F.tril(self, 0)), 0)


_cholesky_inverse = general("cholesky_inverse", _inverse, {"self": _pull_inverse}, ("upper",), holomorphic=False)


def _solve(b: Any, a: Any, upper: bool) -> Any:
    lower = triangle(a, upper)
    lower, raised = (lower.mT.conj(), lower) if upper else (lower, lower.mT.conj())
    return column_major(solve_triangle(raised, solve_triangle(lower, b, False), True))


def _pull_solve_factor(F: Any, t: Any, input2: Any, out: Any, upper: bool) -> Any:
    moved = F.matmul(F.cholesky_solve(t, input2, upper), adjoint(F, out))
    moved = moved + adjoint(F, moved)
    return -F.triu(F.matmul(F.triu(input2, 0), moved), 0) if upper else -F.tril(F.matmul(moved, F.tril(input2, 0)), 0)


_cholesky_solve = general(
    "cholesky_solve", _solve,
    {"self": lambda F, t, input2, upper: F.cholesky_solve(t, input2, upper), "input2": _pull_solve_factor},
    ("upper",), holomorphic=False,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ functions


def cholesky_ex(input: Tensor, *, upper: bool = False, check_errors: bool = False, out: Any = None) -> Any:
    """The Cholesky decomposition without an error for matrices that have none: a named tuple (L, info).

    info          0, or for a matrix that is not positive-definite the order of the first leading minor that is not; the
                  factor's columns from there on are then not defined
    upper         give the upper factor U, A = U^H U, of which only the upper triangle of the input is read
    check_errors  raise for such a matrix after all, as `cholesky` does

    >>> import wengert
    >>> wengert.linalg.cholesky_ex(wengert.tensor([[4.0, 2.0], [2.0, 0.0]])).info
    tensor(2, dtype=torch.int32)
    """
    matrix_argument("linalg_cholesky_ex", input, "input")
    results = _decompose(input, upper)
    if check_errors:
        raise_for("linalg.cholesky_ex", results[1]._array, _FAILED)
    return named(return_types.linalg_cholesky_ex, results, out)


def cholesky(input: Tensor, *, upper: bool = False, out: Tensor | None = None) -> Tensor:
    """The lower triangle L with A = L L^H, of Hermitian positive-definite matrices: (..., n, n), batched.

    upper  give the upper factor U, A = U^H U. Only the triangle of the input that is asked for is read
    The gradient is Hermitian, as the matrix is.
    Raises LinAlgError for a matrix that is not positive-definite, RuntimeError for one that is not square.

    >>> import wengert
    >>> wengert.linalg.cholesky(wengert.tensor([[4.0, 2.0], [2.0, 5.0]]))
    tensor([[2., 0.],
            [1., 2.]])
    """
    matrix_argument("linalg_cholesky", input, "input")
    factor, info = _decompose(input, upper)
    raise_for("linalg.cholesky", info._array, _FAILED)
    return into_same(out, factor)


def _decompose(x: Tensor, upper: bool) -> Any:
    implemented("cholesky_cpu", floating("linalg.cholesky", square("linalg.cholesky", x)))
    return _cholesky_ex(x, bool(upper))


def cholesky_inverse(input: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:
    """The inverse of A = L L^H from its Cholesky factor L, or with `upper` of A = U^H U from U.

    Raises LinAlgError if there is a zero on the factor's diagonal.

    >>> import wengert
    >>> wengert.cholesky_inverse(wengert.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.2500, 0.0000],
            [0.0000, 0.0625]])
    """
    matrix_argument("cholesky_inverse", input, "input")
    implemented("cholesky_inverse_out_cpu", square("cholesky_inverse", input))
    return into_same(out, _cholesky_inverse(input, bool(upper)))


def cholesky_solve(input: Tensor, L: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:
    """X with A X = B, from the Cholesky factor L of A = L L^H (with `upper`, U of A = U^H U): (..., n, k), batched.

    input  the right sides B; its batch and that of L broadcast
    Raises RuntimeError if the shapes do not fit or the dtypes differ.

    >>> import wengert
    >>> wengert.cholesky_solve(wengert.tensor([[8.0], [16.0]]), wengert.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[2.],
            [1.]])
    """
    matrix_argument("cholesky_solve", input, "input")
    matrix_argument("cholesky_solve", L, "input2", 2)
    for name, x in (("b", input), ("u", L)):
        if x._array.ndim < 2:
            raise RuntimeError(f"{name} should have at least 2 dimensions, but has {x._array.ndim} dimensions instead")
    same_dtype("Expected b and A to have the same dtype, but found b of type {0} and A of type {1} instead.", input, L)
    m, n = square("", L)._array.shape[-2:]
    rows, columns = input._array.shape[-2:]
    if rows != n:
        raise RuntimeError(
            f"Incompatible matrix sizes for cholesky_solve: each A matrix is {m} by {n} but each b matrix is {rows} by {columns}"
        )
    implemented("cholesky_solve_cpu", input)
    batch = common_batch(input, L)
    b, a = input.expand(*batch, rows, columns), L.expand(*batch, n, n)
    return into_same(out, _cholesky_solve(b, a, bool(upper)))


__all__ = expose(__name__, functions="cholesky_inverse cholesky_solve", methods="cholesky_inverse cholesky_solve")
