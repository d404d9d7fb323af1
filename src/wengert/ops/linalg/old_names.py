"""Decompositions by the names and signatures that they have in the package itself: `torch.cholesky`, `torch.qr`, ...

They are older than those of `linalg`, and differ from them in their arguments and here and there in their results.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import return_types
from ...tensor import Tensor, wrap
from ..dims import into_same
from ..expose import expose
from ..extremum import named
from .checks import floating, implemented, matrix_argument, square
from .cholesky import cholesky_of_lower
from .lu import lu_factor_ex, solve_factored
from .qr import qr as linalg_qr
from .svd import decompose, singular_values


def cholesky(input: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:
    """The Cholesky factor L, A = L L^H, or with `upper` its adjoint; in either case the lower triangle of A is read.

    Raises LinAlgError for a matrix that is not positive-definite.

    >>> import wengert
    >>> wengert.cholesky(wengert.tensor([[4.0, 2.0], [2.0, 5.0]]), upper=True)
    tensor([[2., 1.],
            [0., 2.]])
    """
    matrix_argument("cholesky", input, "input")
    return into_same(out, cholesky_of_lower(implemented("cholesky_cpu", square("cholesky", input)), bool(upper)))


def qr(input: Tensor, some: bool = True, *, out: Any = None) -> Any:
    """The QR decomposition, `linalg.qr` with mode="reduced", or without `some` with mode="complete".

    >>> import wengert
    >>> wengert.qr(wengert.tensor([[3.0], [4.0]])).R
    tensor([[-5.]])
    """
    matrix_argument("qr", input, "input")
    return named(return_types.qr, linalg_qr(input, "reduced" if some else "complete"), out)


def svd(input: Tensor, some: bool = True, compute_uv: bool = True, *, out: Any = None) -> Any:
    """U diag(S) V^H = A: a named tuple (U, S, V), with V where `linalg.svd` gives its adjoint.

    some        with k = min(m, n), U is (m, k) and V (n, k); otherwise they are (m, m) and (n, n)
    compute_uv  otherwise U (m, m) and V (n, n) are zeros

    >>> import wengert
    >>> wengert.svd(wengert.tensor([[3.0, 0.0], [0.0, 4.0]])).S
    tensor([4., 3.])
    """
    matrix_argument("svd", input, "input")
    ndim = input._array.ndim
    if ndim < 2:
        raise RuntimeError(f"linalg.svd: input should have at least 2 dimensions, but has {ndim} dimensions instead")
    implemented("linalg_svd_cpu", floating("linalg.svd", input))
    if compute_uv:
        u, s, vh = decompose(input, not some)
        return named(return_types.svd, (u, s, vh.mH), out)
    *batch, m, n = input._array.shape
    u, v = (wrap(np.zeros((*batch, k, k), input._array.dtype)) for k in (m, n))
    return named(return_types.svd, (u, singular_values(input), v.mT), out)


def lu(A: Tensor, pivot: bool = True, get_infos: bool = False, out: Any = None) -> Any:
    """The LU decomposition in compact form, as by `linalg.lu_factor_ex`: a tuple (LU, pivots), with `get_infos` with info.

    >>> import wengert
    >>> LU, pivots = wengert.lu(wengert.tensor([[1.0, 2.0], [4.0, 4.0]]))
    >>> pivots
    tensor([2, 2], dtype=torch.int32)
    """
    matrix_argument("_lu_with_info", A, "input")
    results = tuple(lu_factor_ex(A, pivot=pivot))[: 3 if get_infos else 2]
    if out is not None:
        return tuple(into_same(have, want) for have, want in zip(out, results, strict=True))
    return return_types._lu_with_info(results) if get_infos else results


def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None) -> Tensor:
    """X with A X = B, as by `linalg.lu_solve`; the right sides come first.

    >>> import wengert
    >>> LU, pivots = wengert.lu(wengert.tensor([[1.0, 2.0], [4.0, 4.0]]))
    >>> wengert.lu_solve(wengert.tensor([[3.0], [8.0]]), LU, pivots)
    tensor([[1.],
            [1.]])
    """
    for i, (called, x) in enumerate((("input", b), ("LU_data", LU_data), ("LU_pivots", LU_pivots)), 1):
        matrix_argument("lu_solve", x, called, i)
    return into_same(out, solve_factored(LU_data, LU_pivots, b))


_all = "cholesky lu lu_solve qr svd"
__all__ = expose(__name__, functions=_all, methods=_all)
