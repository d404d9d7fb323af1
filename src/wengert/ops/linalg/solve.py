"""Systems of equations with square and triangular matrices, and inverses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import return_types
from ...tensor import Tensor, wrap
from ..declare import general
from ..dims import into_same
from ..expose import expose
from ..extremum import named
from . import lapack
from .checks import (
    SINGULAR,
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
from .lu import lu_factor_ex
from .triangles import solve_triangle, triangle

# ------------------------------------------------------------------------------------------------ declarations


def _laid_out(x: Any, left: bool) -> Any:
    """A solution in the layout that PyTorch gives it."""
    return column_major(x) if left else column_major(x.swapaxes(-1, -2)).swapaxes(-1, -2)


def _solve(a: Any, b: Any, left: bool, vector: bool) -> Any:
    if vector:
        return np.array(lapack.solve(a, b[..., None])[..., 0], order="F")
    if left:
        return column_major(lapack.solve(a, b))
    return _laid_out(lapack.solve(a.swapaxes(-1, -2), b.swapaxes(-1, -2)).swapaxes(-1, -2), False)


def _batched(F: Any, a: Any, like: Any) -> Any:
    """Matrices, as many as there are in `like`."""
    shape = (*like.shape[:-2], *a.shape[-2:])
    return a if a.shape == shape else F.expand(a, shape)


def _column(F: Any, x: Any, vector: bool) -> Any:
    return F.reshape(x, (*x.shape, 1)) if vector else x


def _pull_b(F: Any, t: Any, a: Any, left: bool, vector: bool) -> Any:
    """The gradient for the right sides, broadcast: A^-T t, or t A^-T."""
    t = _column(F, t, vector)
    if left:
        return F.solve_square(_batched(F, a, t).mT, t)
    return F.solve_square(_batched(F, a, t), t.mT).mT


def _pull_a(F: Any, of_b: Any, out: Any, left: bool) -> Any:
    return -F.matmul(of_b, out.mT) if left else -F.matmul(out.mT, of_b)


_solve_op = general(
    "linalg_solve", _solve,
    {
        "self": lambda F, t, self, out, left, vector: F.sum_to(
            _pull_a(F, _pull_b(F, t, self, left, vector), _column(F, out, vector), left), self.shape
        ),
        "other": lambda F, t, self, other_shape, left, vector: F.sum_to(
            F.reshape(_pull_b(F, t, self, left, vector), t.shape), other_shape
        ),
    },
    ("left", "vector"), node="LinalgSolveExBackward0",
)  # fmt: skip


def _transposed_triangle(F: Any, t: Any, a: Any, left: bool, upper: bool, unit: bool) -> Any:
    solve = F.solve_unit_triangle if unit else F.solve_triangle
    if left:
        return solve(_batched(F, a, t).mT, t, not upper)
    return solve(_batched(F, a, t), t.mT, upper).mT


def _pull_triangle(F: Any, t: Any, self: Any, out: Any, left: bool, upper: bool, unit: bool) -> Any:
    moved = _pull_a(F, _transposed_triangle(F, t, self, left, upper, unit), out, left)
    moved = F.triu(moved, int(unit)) if upper else F.tril(moved, -int(unit))
    return F.sum_to(moved, self.shape)


def _substituted(a: Any, b: Any, left: bool, upper: bool, unit: bool) -> Any:
    if unit:
        a = np.array(triangle(a, upper))
        np.einsum("...ii->...i", a)[...] = 1
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    b = np.broadcast_to(b, (*batch, *b.shape[-2:]))
    if left:
        return column_major(solve_triangle(a, b, upper))
    x = solve_triangle(a.swapaxes(-1, -2), b.swapaxes(-1, -2), not upper)
    return column_major(x.swapaxes(-1, -2))


_triangular = general(
    "linalg_solve_triangular", _substituted,
    {
        "self": _pull_triangle,
        "other": lambda F, t, self, other_shape, left, upper, unit: F.sum_to(
            _transposed_triangle(F, t, self, left, upper, unit), other_shape
        ),
    },
    ("left", "upper", "unit"), node="LinalgSolveTriangularBackward0",
)  # fmt: skip

inverse_op = general(
    "linalg_inv", lambda a: column_major(lapack.inverse(a)),
    {"self": lambda F, t, out: -F.matmul(F.matmul(out.mT, t), out.mT)}, node="LinalgInvExBackward0",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ singular matrices


def _info(a: Any, failed: Any) -> Any:
    """LAPACK's number of the first zero pivot of each matrix, 0 where there is none; `failed`: which may have one."""
    info = np.zeros(a.shape[:-2], np.int32)
    if failed.any():
        info[...] = np.where(failed, lu_factor_ex(wrap(np.ascontiguousarray(a))).info._array, 0)
    return info


def _lost(x: Any) -> Any:
    """Which matrices have nothing but nan, as NumPy gives them where it fails."""
    return np.isnan(x).all((-1, -2)) if x.size else np.zeros(x.shape[:-2], bool)


# ------------------------------------------------------------------------------------------------ functions


def _is_vector(a: Tensor, b: Tensor) -> bool:
    """Whether the right sides are vectors and not matrices: one vector, or one for each matrix."""
    return b.ndim == 1 or (a.ndim - 1 == b.ndim and b.shape == a.shape[:-1])


def _solved(name: str, A: Tensor, B: Tensor, left: bool) -> tuple[Tensor, Any]:
    matrix_argument(name.replace(".", "_"), A)
    matrix_argument(name.replace(".", "_"), B, "B", 2)
    square("linalg.solve", matrices("linalg.solve", floating("linalg.solve", A)))
    same_dtype(
        "linalg.solve: Expected A and B to have the same dtype, but found A of type {} and B of type {} instead", A, B
    )
    vector = _is_vector(A, B)
    if vector and not left:
        raise RuntimeError(
            "linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. In this case "
            "linalg.solve is equivalent to B / A.squeeze(-1)"
        )
    shown = B.unsqueeze(-1) if vector else B
    _check_fit("linalg.solve", A, matrices("linalg.solve", shown, "B"), left)
    common_batch(A, shown)
    implemented("lu_cpu", A)
    made: Tensor = _solve_op(A, B, left, vector)
    x, a = made._array, A._array
    lost = _lost(x[..., None] if vector else x)
    if not lost.any():
        return made, np.zeros(a.shape[:-2], np.int32)
    info = _info(a, np.ones(a.shape[:-2], bool) if lost.shape != a.shape[:-2] else lost)
    return made, info


def _check_fit(name: str, A: Tensor, B: Tensor, left: bool) -> None:
    n, (m, k) = A.shape[-1], B.shape[-2:]
    if n != (m if left else k):
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} ({n}x{n} and {m}x{k})"
        )


_NO_SOLUTION = "The solver failed because the input matrix is singular."


def solve(A: Tensor, B: Tensor, *, left: bool = True, out: Tensor | None = None) -> Tensor:
    """X with A X = B, or with left=False X A = B, for square matrices.

    A  (..., n, n)
    B  (..., n, k), with left=False (..., k, n), or a vector (n,), or one for each matrix (..., n)

    Raises LinAlgError for a singular matrix, RuntimeError for shapes and dtypes that do not fit.

    >>> import wengert
    >>> wengert.linalg.solve(wengert.tensor([[2.0, 0.0], [0.0, 4.0]]), wengert.tensor([2.0, 2.0]))
    tensor([1.0000, 0.5000])
    """
    made, info = _solved("linalg.solve", A, B, left)
    raise_for("torch.linalg.solve", info, _NO_SOLUTION)
    return into_same(out, made)


def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False, out: Any = None) -> Any:
    """`solve` without its error for singular matrices: a named tuple (result, info), where info is then above 0.

    >>> import wengert
    >>> wengert.linalg.solve_ex(wengert.zeros(2, 2), wengert.ones(2)).info
    tensor(1, dtype=torch.int32)
    """
    made, info = _solved("linalg.solve_ex", A, B, left)
    if check_errors:
        raise_for("torch.linalg.solve_ex", info, _NO_SOLUTION)
    return named(return_types.linalg_solve_ex, (made, wrap(info)), out)


def _inverted(name: str, A: Tensor) -> tuple[Tensor, Any]:
    matrix_argument("linalg_inv_ex", A)
    floating("linalg.inv", square("linalg.inv", A), halves=False)
    made: Tensor = inverse_op(A)
    return made, _info(A._array, _lost(made._array))


def inv(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverses of square matrices.

    Raises LinAlgError for a singular matrix, RuntimeError for other shapes and dtypes.

    >>> import wengert
    >>> wengert.linalg.inv(wengert.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    made, info = _inverted("linalg.inv", A)
    raise_for("linalg.inv", info, SINGULAR)
    return into_same(out, made)


def inv_ex(A: Tensor, *, check_errors: bool = False, out: Any = None) -> Any:
    """`inv` without its error for singular matrices: a named tuple (inverse, info), where info is then above 0.

    >>> import wengert
    >>> wengert.linalg.inv_ex(wengert.zeros(2, 2)).info
    tensor(1, dtype=torch.int32)
    """
    made, info = _inverted("linalg.inv_ex", A)
    if check_errors:
        raise_for("linalg.inv_ex", info, SINGULAR)
    return named(return_types.linalg_inv_ex, (made, wrap(info)), out)


def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`linalg.inv`."""
    return inv(input, out=out)


def solve_triangular(
    A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False, out: Tensor | None = None
) -> Tensor:
    """X with A X = B, or with left=False X A = B, for triangles; what is not in the triangle is not looked at.

    A              (..., n, n)
    B              (..., n, k), with left=False (..., k, n)
    upper          which triangle
    unitriangular  take the diagonal as ones

    Raises RuntimeError for shapes that do not fit, NotImplementedError for other dtypes. A zero on the diagonal gives inf or nan.

    >>> import wengert
    >>> A = wengert.tensor([[2.0, 0.0], [2.0, 4.0]])
    >>> wengert.linalg.solve_triangular(A, wengert.tensor([[2.0], [6.0]]), upper=False)
    tensor([[1.],
            [1.]])
    """
    name = "linalg.solve_triangular"
    matrix_argument("linalg_solve_triangular", A)
    matrix_argument("linalg_solve_triangular", B, "B", 2)
    square(name, matrices(name, A))
    matrices(name, B, "B")
    _check_fit(name, A, B, left)
    common_batch(A, B)
    implemented("triangular_solve_cpu", A)
    if B.dtype is not A.dtype:
        B = B.to(A.dtype)
    return into_same(out, _triangular(A, B, left, upper, unitriangular))


def triangular_solve(
    b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False, *, out: Any = None
) -> Any:
    """`linalg.solve_triangular` with the right sides first: a named tuple (solution, a clone of A).

    transpose  solve with the transposed triangle

    >>> import wengert
    >>> wengert.triangular_solve(wengert.tensor([[2.0]]), wengert.tensor([[4.0]])).solution
    tensor([[0.5000]])
    """
    for name, x in (("b", b), ("A", A)):
        if x.ndim < 2:
            raise RuntimeError(
                f"torch.triangular_solve: Expected {name} to have at least 2 dimensions, but it has {x.ndim} dimensions instead"
            )
    if A.shape[-1] != A.shape[-2]:
        raise RuntimeError(
            f"triangular_solve: A must be batches of square matrices, but they are {A.shape[-2]} by {A.shape[-1]} matrices"
        )
    if A.shape[-1] != b.shape[-2]:
        raise RuntimeError(
            f"Incompatible matrix sizes for triangular_solve: each A matrix is {A.shape[-1]} by {A.shape[-1]} but each b matrix is "
            f"{b.shape[-2]} by {b.shape[-1]}"
        )
    batch = common_batch(A, b)
    wide = A.expand(*batch, *A.shape[-2:])
    a, up = (wide.mT, not upper) if transpose else (wide, upper)
    solution = solve_triangular(a, b, upper=up, unitriangular=unitriangular)
    return named(return_types.triangular_solve, (solution, wide.clone()), out)


# ------------------------------------------------------------------------------------------------ of tensors


def tensorsolve(A: Tensor, B: Tensor, dims: Any = None, *, out: Tensor | None = None) -> Tensor:
    """X with tensordot(A, X, X.ndim) = B.

    A     of the shape of B and then that of X, as many elements of one as of the other
    dims  dimensions of A that are moved to the end first

    Raises RuntimeError if the elements are not as many.

    >>> import wengert
    >>> wengert.linalg.tensorsolve(wengert.eye(4).reshape(2, 2, 4), wengert.ones(2, 2))
    tensor([1., 1., 1., 1.])
    """
    if dims is not None:
        wanted = dims if isinstance(dims, (tuple, list)) else (dims,)
        A = A.movedim(tuple(wanted), tuple(range(-len(wanted), 0)))
    shape = A.shape[B.ndim :]
    n, m = math.prod(shape), math.prod(A.shape[: B.ndim])
    if n != m:
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but got "
            f"{n} != {m}"
        )
    made = solve(A.reshape(m, n), B.reshape(-1)).reshape(shape)
    return into_same(out, made)


def tensorinv(A: Tensor, ind: int = 2, *, out: Tensor | None = None) -> Tensor:
    """The inverse with respect to `tensordot`: tensordot(A, X, A.ndim - ind) is the identity.

    ind  how many of the first dimensions of A are the rows

    Raises RuntimeError if rows and columns are not as many, and for an `ind` below 1.

    >>> import wengert
    >>> wengert.linalg.tensorinv(wengert.eye(4).reshape(4, 2, 2), ind=1).shape
    torch.Size([2, 2, 4])
    """
    if ind <= 0:
        raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
    rows, columns = A.shape[:ind], A.shape[ind:]
    n, m = math.prod(columns), math.prod(rows)
    if n != m:
        raise RuntimeError(
            f"Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got {n} != {m}"
        )
    made = inv(A.reshape(m, n)).reshape(*columns, *rows)
    return into_same(out, made)


_all = "inverse triangular_solve"
__all__ = expose(__name__, functions=_all, methods=_all)
