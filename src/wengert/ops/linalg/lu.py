"""The LU decomposition with pivoting: P L U = A; solutions by it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import return_types
from ...tensor import Tensor
from ..declare import general, multilinear
from ..dims import into_same
from ..expose import expose
from ..extremum import named
from ..namespace import arrays
from .adjoints import adjoint, constant, raw
from .checks import (
    column_major,
    common_batch,
    floating,
    implemented,
    matrices,
    matrix_argument,
    raise_for,
    same_dtype,
    square,
)
from .elimination import eliminate, inverse_order, order_of, permutation
from .triangles import substitute

_ZERO_PIVOT = (
    "U[{0},{0}] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the "
    "factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
)

# ------------------------------------------------------------------------------------------------ parts and orders


def _parts(F: Any, a: Any) -> tuple[Any, Any]:
    """L and U of the array or tensor that holds both."""
    m, n = a.shape[-2:]
    k = min(m, n)
    return F.tril(a[..., :k], -1) + constant(a, np.eye(m, k, dtype=raw(a).dtype)), F.triu(a[..., :k, :], 0)


def _in_order(a: Any, order: Any) -> Any:
    return np.take_along_axis(a, order[..., None], -2)


#: the rows of matrices in another order
multilinear(
    "rows_in_order", _in_order, {"self": lambda F, t, order: F.rows_in_order(t, inverted(order)), "order": None},
    holomorphic=False, node="GatherBackward0",
)  # fmt: skip


def inverted(order: Any) -> Any:
    return constant(order, inverse_order(raw(order)))


# ------------------------------------------------------------------------------------------------ declarations


def _pull_decomposition(F: Any, of_l: Any, of_u: Any, lower: Any, upper: Any, order: Any) -> Any:
    """The gradient for A from those for L and U, of which one may be None; `order` is that of A's rows in L U.

    Of the square part, L^-1 P^T dA U^-1 is the sum of L^-1 dL, below the diagonal, and of dU U^-1. What is beside the square
    part follows from it by L or U.
    """
    m, k, n = lower.shape[-2], upper.shape[-2], upper.shape[-1]
    square_l, square_u = lower[..., :k, :], upper[..., :k]
    below = right = None
    inner = None if of_l is None else F.matmul(square_l.mT, of_l[..., :k, :])
    outer = None if of_u is None else F.matmul(of_u[..., :k], square_u.mT)
    if m > k and of_l is not None:
        below = F.solve_triangle(square_u, of_l[..., k:, :].mT, True).mT
        part = F.matmul(F.matmul(lower[..., k:, :].mT, below), square_u.mT)
        outer = -part if outer is None else outer - part
    if n > k and of_u is not None:
        right = F.solve_unit_triangle(square_l.mT, of_u[..., k:], True)
        part = F.matmul(square_l.mT, F.matmul(right, upper[..., k:].mT))
        inner = -part if inner is None else inner - part
    middle = (
        F.tril(inner, -1)
        if outer is None
        else F.triu(outer, 0)
        if inner is None
        else F.tril(inner, -1) + F.triu(outer, 0)
    )
    made = F.solve_unit_triangle(square_l.mT, F.solve_triangle(square_u, middle.mT, True).mT, True)
    if m > k:
        made = F.cat((made, F.null(lower[..., k:, :]) if below is None else below), -2)
    if n > k:
        made = F.cat((made, F.null(upper[..., k:]) if right is None else right), -1)
    return F.rows_in_order(made, inverted(order))


def _factor(a: Any) -> tuple[Any, Any, Any]:
    made, pivots, info = eliminate(a)
    return column_major(made), pivots, info


def _pull_factor(F: Any, t: Any, LU: Any, pivots: Any) -> Any:
    m, n = LU.shape[-2:]
    k = min(m, n)
    order = constant(LU, order_of(raw(pivots), m))
    return _pull_decomposition(F, F.tril(t[..., :k], -1), F.triu(t[..., :k, :], 0), *_parts(F, LU), order)


_lu_factor = general(
    "linalg_lu_factor_ex", _factor, {"self": _pull_factor}, outputs=("LU", "pivots", "info"),
    node="LinalgLuFactorExBackward0",
)  # fmt: skip


def _decompose(a: Any) -> tuple[Any, Any, Any]:
    made, pivots, _ = eliminate(a)
    return permutation(order_of(pivots, a.shape[-2]), a.dtype), *_parts(arrays, made)


def _pull_lu(F: Any, t: Any, P: Any, L: Any, U: Any) -> Any:
    rows = raw(P).real
    order = np.matmul(np.arange(rows.shape[-1]), rows).astype(np.intp)
    return _pull_decomposition(F, t[0], t[1], L, U, constant(L, order))


_lu = general(
    "linalg_lu", _decompose, {"self": _pull_lu}, outputs=("P", "L", "U"), pulled=(1, 2), node="LinalgLuBackward0"
)


def _unpack(a: Any, pivots: Any, data: bool, order: bool) -> tuple[Any, Any, Any]:
    none = np.empty(0, a.dtype)
    lower, upper = _parts(arrays, a) if data else (none, none)
    return permutation(order_of(pivots, a.shape[-2]), a.dtype) if order else none, lower, upper


def _pull_unpack(F: Any, t: Any, self_shape: Any, data: bool) -> Any:
    m, n = self_shape[-2:]
    k, ndim = min(m, n), len(self_shape)
    of_l, of_u = t
    if not data:
        return F.expand(F.sum(of_l if of_u is None else of_u, 0, False), self_shape)
    of_l = None if of_l is None else F.slice_backward(F.tril(of_l, -1), self_shape, ndim - 1, 0, k, 1)
    of_u = None if of_u is None else F.slice_backward(F.triu(of_u, 0), self_shape, ndim - 2, 0, k, 1)
    return of_u if of_l is None else of_l if of_u is None else of_l + of_u


_lu_unpack = general(
    "lu_unpack", _unpack, {"self": _pull_unpack, "pivots": None}, ("data", "order"), outputs=("P", "L", "U"),
    pulled=(1, 2), node="LuUnpackBackward0", holomorphic=False,
)  # fmt: skip


def _solve(a: Any, pivots: Any, b: Any, left: bool, adjoint: bool) -> Any:
    if not left:
        return _solve(a, pivots, b.mT.conj(), True, not adjoint).mT.conj()
    lower, upper = _parts(arrays, a)
    order = order_of(pivots, a.shape[-1])
    if adjoint:
        made = substitute(lower.mT.conj(), substitute(upper.mT.conj(), b, False), True)
        return column_major(_in_order(made, inverse_order(order)))
    return column_major(substitute(upper, substitute(lower, _in_order(b, order), False), True))


def _pull_solve(F: Any, t: Any, self: Any, pivots: Any, B: Any, out: Any, left: bool, hermitian: bool) -> Any:
    # A X = B with A = P L U: X moves by -A^-1 dA X
    of_b = F.lu_solve(self, pivots, t, left, not hermitian)
    if not left:
        of_b, out, hermitian = adjoint(F, of_b), adjoint(F, out), not hermitian
    moved = F.matmul(out, adjoint(F, of_b)) if hermitian else F.matmul(of_b, adjoint(F, out))
    moved = F.rows_in_order(moved, constant(self, order_of(raw(pivots), self.shape[-1])))
    lower, upper = _parts(F, self)
    return -(F.tril(F.matmul(moved, adjoint(F, upper)), -1) + F.triu(F.matmul(adjoint(F, lower), moved), 0))


_lu_solve = general(
    "lu_solve", _solve,
    {
        "self": _pull_solve, "pivots": None,
        "B": lambda F, t, self, pivots, left, hermitian: F.lu_solve(self, pivots, t, left, not hermitian),
    },
    ("left", "hermitian"), node="LinalgLuSolveBackward0", holomorphic=False,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ functions


def _check(name: str, function: str, x: Any, pivot: bool, called: str = "A") -> None:
    matrix_argument(function, x, called)
    if x._array.ndim < 2:
        raise RuntimeError(
            f"{name}: Expected tensor with 2 or more dimensions. Got size: {list(x._array.shape)} instead"
        )
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU; leave pivot=False out")
    implemented("lu_cpu", x)


def lu(A: Tensor, *, pivot: bool = True, out: Any = None) -> Any:
    """P L U = A, a permutation, a unit lower triangle and an upper triangle, of matrices (..., m, n), with k = min(m, n).

    The result is a named tuple (P, L, U) of (m, m), (m, k) and (k, n) matrices. The pivots are LAPACK's. The derivative needs
    the first k columns of A to be independent.
    Raises RuntimeError for pivot=False.

    >>> import wengert
    >>> wengert.linalg.lu(wengert.tensor([[1.0, 2.0], [4.0, 4.0]])).U
    tensor([[4., 4.],
            [0., 1.]])
    """
    _check("linalg.lu", "linalg_lu", A, pivot)
    return named(return_types.linalg_lu, _lu(A), out)


def lu_factor_ex(A: Tensor, *, pivot: bool = True, check_errors: bool = False, out: Any = None) -> Any:
    """The LU decomposition in compact form: a named tuple (LU, pivots, info).

    LU      U in and above the diagonal, L below it
    pivots  for each row, with which row (counted from 1) it was exchanged, in order
    info    0, or the number of the first zero on the diagonal of U

    >>> import wengert
    >>> wengert.linalg.lu_factor_ex(wengert.tensor([[1.0, 2.0], [4.0, 4.0]])).pivots
    tensor([2, 2], dtype=torch.int32)
    """
    _check("torch.lu_factor", "linalg_lu_factor_ex", A, pivot)
    results = _lu_factor(A)
    if check_errors:
        raise_for("torch.linalg.lu_factor_ex", results[2]._array, _ZERO_PIVOT, RuntimeError)
    return named(return_types.linalg_lu_factor_ex, results, out)


def lu_factor(A: Tensor, *, pivot: bool = True, out: Any = None) -> Any:
    """The LU decomposition in compact form, for `lu_solve`: a named tuple (LU, pivots), as by `lu_factor_ex`.

    Raises RuntimeError if there is a zero on the diagonal of U.

    >>> import wengert
    >>> wengert.linalg.lu_factor(wengert.tensor([[1.0, 2.0], [4.0, 4.0]])).LU
    tensor([[4.0000, 4.0000],
            [0.2500, 1.0000]])
    """
    _check("torch.lu_factor", "linalg_lu_factor", A, pivot)
    factor, pivots, info = _lu_factor(A)
    raise_for("torch.linalg.lu_factor", info._array, _ZERO_PIVOT, RuntimeError)
    return named(return_types.linalg_lu_factor, (factor, pivots), out)


def lu_unpack(
    LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True, *, out: Any = None
) -> Any:
    """The factors that `lu_factor`'s results stand for: a named tuple (P, L, U), as `lu` gives them.

    unpack_data    give L and U, otherwise empty tensors
    unpack_pivots  give P, otherwise an empty tensor
    Raises RuntimeError for pivots that are not int32 or out of range.

    >>> import wengert
    >>> LU, pivots = wengert.linalg.lu_factor(wengert.tensor([[1.0, 2.0], [4.0, 4.0]]))
    >>> wengert.lu_unpack(LU, pivots).P
    tensor([[0., 1.],
            [1., 0.]])
    """
    matrix_argument("lu_unpack", LU_data, "LU_data")
    matrix_argument("lu_unpack", LU_pivots, "LU_pivots", 2)
    shape, p = LU_data._array.shape, LU_pivots._array
    if len(shape) < 2:
        raise RuntimeError(
            f"torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: {list(shape)} instead"
        )
    if unpack_pivots:
        if p.dtype != np.int32:
            raise RuntimeError(
                "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n"
                "Note: this function is intended to be used with the output produced by torch.linalg.lu_factor"
            )
        if p.shape != (*shape[:-2], min(shape[-2:])) or (p.size and not 1 <= p.min() <= p.max() <= shape[-2]):
            raise RuntimeError(
                "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly pass the result of "
                f"lu_factor? There must be {min(shape[-2:])} for each matrix"
            )
    return named(return_types.lu_unpack, _lu_unpack(LU_data, LU_pivots, bool(unpack_data), bool(unpack_pivots)), out)


def lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False, out: Tensor | None = None
) -> Tensor:
    """X with A X = B from `lu_factor`'s result for A; batches of matrices broadcast.

    left     solve A X = B, otherwise X A = B
    adjoint  take the adjoint of A in its place
    Raises RuntimeError if shapes or dtypes do not fit.

    >>> import wengert
    >>> LU, pivots = wengert.linalg.lu_factor(wengert.tensor([[1.0, 2.0], [4.0, 4.0]]))
    >>> wengert.linalg.lu_solve(LU, pivots, wengert.tensor([[3.0], [8.0]]))
    tensor([[1.],
            [1.]])
    """
    for i, (called, x) in enumerate((("LU", LU), ("pivots", pivots), ("B", B)), 1):
        matrix_argument("linalg_lu_solve", x, called, i)
    return into_same(out, solve_factored(LU, pivots, B, left, adjoint))


def solve_factored(LU: Tensor, pivots: Tensor, B: Tensor, left: bool = True, adjoint: bool = False) -> Tensor:
    """`lu_solve` of tensors that are still to be looked at."""
    name = "linalg.lu_solve"
    a, p, b = LU._array.shape, pivots._array, B._array.shape
    floating(f"torch.{name}", LU)
    if p.dtype != np.int32:
        raise RuntimeError(
            f"{name}: pivots should be a Tensor of scalar type torch.int32; convert them with .to(torch.int32)"
        )
    square(f"torch.{name}", LU)
    matrices(name, B, "B")
    same_dtype(
        name + ": Expected LU and B to have the same dtype, but found LU of type {0} and B of type {1} instead", LU, B
    )
    if b[-2 if left else -1] != a[-1]:
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {'AX' if left else 'XA'} = B "
            f"({a[-2]}x{a[-1]} and {b[-2]}x{b[-1]})"
        )
    if not p.ndim or p.shape[-1] != a[-1]:
        raise RuntimeError(f"{name}: Number of pivots per batch should be same as the dimension of the matrix")
    if p.shape != a[:-1]:
        raise RuntimeError(
            f"{name}: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots with shape {list(p.shape)} instead"
        )
    implemented("linalg.lu_solve_cpu", LU)
    if p.size and not 1 <= p.min() <= p.max() <= a[-1]:
        raise RuntimeError(
            "Pivots given to lu_solve must all be greater or equal to 1. Did you properly pass the result of lu_factor?"
        )
    batch = common_batch(B, LU)
    return _lu_solve(
        LU.expand(*batch, *a[-2:]), pivots.expand(*batch, a[-1]), B.expand(*batch, *b[-2:]), bool(left), bool(adjoint)
    )


__all__ = expose(__name__, functions="lu_unpack")
