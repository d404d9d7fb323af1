"""The LDL decomposition of symmetric and Hermitian matrices, definite or not; solutions by it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import return_types
from ...dtype_names import scalar_name
from ...tensor import Tensor
from ..declare import general
from ..dims import into_same
from ..extremum import named
from . import pivoting
from .checks import column_major, common_batch, floating, implemented, matrix_argument, raise_for, same_dtype, square

_ZERO = (
    "D[{0},{0}] is zero and using the factors in ldl_solve would result in a division by zero. If you still want them, call "
    "linalg.ldl_factor_ex(A)"
)

# ------------------------------------------------------------------------------------------------ declarations


def _factor(a: Any, hermitian: bool) -> tuple[Any, Any, Any]:
    n = a.shape[-1]
    made, pivots, info = pivoting.factor(a.reshape(math.prod(a.shape[:-2]), n, n), hermitian)
    return column_major(made.reshape(a.shape)), pivots.reshape(a.shape[:-1]), info.reshape(a.shape[:-2])


def _without_derivative(name: str) -> Any:
    def rule(F: Any, t: Any) -> Any:
        raise RuntimeError(f"derivative for aten::{name} is not implemented; linalg.solve and linalg.cholesky have one")

    return rule


_ldl_factor = general(
    "linalg_ldl_factor_ex", _factor, {"self": _without_derivative("linalg_ldl_factor_ex")}, ("hermitian",),
    outputs=("LD", "pivots", "info"), node="torch::autograd::NotImplemented",
)  # fmt: skip
_ldl_solve = general(
    "linalg_ldl_solve", lambda a, pivots, b, hermitian: column_major(pivoting.solve(a, pivots, b, hermitian)),
    {"self": _without_derivative("linalg_ldl_solve"), "pivots": None, "B": _without_derivative("linalg_ldl_solve")},
    ("hermitian",), node="torch::autograd::NotImplemented",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ functions


def _decompose(function: str, x: Tensor, hermitian: bool) -> Any:
    name = "torch.linalg.ldl_factor_ex"
    matrix_argument(function, x, "input")
    implemented("ldl_factor_kernel_cpu", floating(name, square(name, x)))
    return _ldl_factor(x, bool(hermitian))


def ldl_factor_ex(input: Tensor, *, hermitian: bool = False, check_errors: bool = False, out: Any = None) -> Any:
    """The LDL decomposition in compact form: a named tuple (LD, pivots, info), for symmetric matrices (..., n, n).

    LD         D, with blocks of one or two rows, and below it L, its columns as they were before later exchanges
    pivots     for each row, with which (counted from 1) it was exchanged; negative, and twice, for a block of two rows
    info       0, or the number of the first block that is zero
    hermitian  complex matrices are Hermitian, otherwise symmetric; the lower triangle is read

    >>> import wengert
    >>> wengert.linalg.ldl_factor_ex(wengert.tensor([[0.0, 1.0], [1.0, 0.0]])).pivots
    tensor([-2, -2], dtype=torch.int32)
    """
    results = _decompose("linalg_ldl_factor_ex", input, hermitian)
    if check_errors:
        raise_for("torch.linalg.ldl_factor_ex", results[2]._array, _ZERO, RuntimeError)
    return named(return_types.linalg_ldl_factor_ex, results, out)


def ldl_factor(input: Tensor, *, hermitian: bool = False, out: Any = None) -> Any:
    """The LDL decomposition in compact form, for `ldl_solve`: a named tuple (LD, pivots), as by `ldl_factor_ex`.

    It has no derivative. Raises RuntimeError if a block of D is zero.

    >>> import wengert
    >>> wengert.linalg.ldl_factor(wengert.tensor([[4.0, 2.0], [2.0, 3.0]])).LD
    tensor([[4.0000, 0.0000],
            [0.5000, 2.0000]])
    """
    factors, pivots, info = _decompose("linalg_ldl_factor", input, hermitian)
    raise_for("torch.linalg.ldl_factor", info._array, _ZERO, RuntimeError)
    return named(return_types.linalg_ldl_factor, (factors, pivots), out)


def ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: bool = False, out: Tensor | None = None) -> Tensor:
    """X with A X = B from `ldl_factor`'s result for A; batches of matrices broadcast. It has no derivative.

    Raises RuntimeError if shapes or dtypes do not fit.

    >>> import wengert
    >>> LD, pivots = wengert.linalg.ldl_factor(wengert.tensor([[4.0, 2.0], [2.0, 3.0]]))
    >>> wengert.linalg.ldl_solve(LD, pivots, wengert.tensor([[6.0], [5.0]]))
    tensor([[1.],
            [1.]])
    """
    name = "torch.linalg.ldl_solve"
    for i, (called, x) in enumerate((("LD", LD), ("pivots", pivots), ("B", B)), 1):
        matrix_argument("linalg_ldl_solve", x, called, i)
    a, p, b = LD._array.shape, pivots._array, B._array.shape
    floating(name, square(name, LD))
    if len(b) < 2:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [-1, 0], but got -2): B has the shape {tuple(b)}"
        )
    if b[-2] != a[-1]:
        raise RuntimeError(
            f"Incompatible matrix sizes for {name}: each A matrix is {a[-2]} by {a[-1]} but each b matrix is {b[-2]} by {b[-1]}"
        )
    same_dtype("Expected b and A to have the same dtype, but found b of type {0} and A of type {1} instead.", B, LD)
    if p.shape != a[:-1]:
        raise RuntimeError(
            f"{name}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape {list(p.shape)} instead"
        )
    if p.dtype.kind not in "iu":
        raise RuntimeError(f"{name}: Expected pivots to be integers. Got {scalar_name(pivots.dtype)}")
    rows = np.absolute(p)
    if p.size and not 1 <= rows.min() <= rows.max() <= a[-1]:
        raise RuntimeError(
            f"{name}: pivots must be between 1 and {a[-1]}, or negative for blocks: pass the result of ldl_factor"
        )
    implemented("ldl_solve_kernel_cpu", LD)
    batch = common_batch(B, LD)
    result = _ldl_solve(
        LD.expand(*batch, *a[-2:]), pivots.expand(*batch, a[-1]), B.expand(*batch, *b[-2:]), bool(hermitian)
    )
    return into_same(out, result)
