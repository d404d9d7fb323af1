"""Singular values and principal components of nearly low rank, by random projections."""

from __future__ import annotations

from typing import Any

from ...tensor import Tensor
from ..matmul import matmul
from .qr import qr
from .svd import svd


def _basis(A: Tensor, q: int, niter: int) -> Tensor:
    """Orthonormal columns that nearly span the range of A: N. Halko, P.-G. Martinsson and J. A. Tropp, "Finding structure
    with randomness" (2011), algorithm 4.4."""
    from ...random import randn

    made: Tensor = qr(matmul(A, randn(A._array.shape[-1], q, dtype=A.dtype))).Q
    for _ in range(niter):
        made = qr(matmul(A, qr(matmul(A.mH, made)).Q)).Q
    return made


def svd_lowrank(A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None) -> Any:
    """A few of the largest singular values and their vectors, nearly, of matrices (..., m, n): a tuple (U, S, V).

    q      how many; U is (m, q) and V (n, q), with A = U diag(S) V^H if q is not less than the rank
    niter  how often the random projection is improved
    M      a matrix to subtract from A first, which broadcasts
    The projection is drawn with the default generator.

    >>> import wengert
    >>> U, S, V = wengert.svd_lowrank(wengert.tensor([[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]]), q=2)
    >>> S.round()
    tensor([4., 3.])
    """
    q = 6 if q is None else q
    m, n = A.shape[-2:]
    q = min(q, m, n)
    if M is not None:
        A = A - M.expand(A.shape)
    wide = m < n
    if wide:
        A = A.mH
    basis = _basis(A, q, 2 if niter is None else niter)
    U, S, Vh = svd(matmul(basis.mH, A), full_matrices=False)
    U, V = matmul(basis, U), Vh.mH
    return (V, S, U) if wide else (U, S, V)


def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> Any:
    """Principal components, nearly, of data in the rows of matrices (..., m, n): a tuple (U, S, V).

    q       how many of them; 6 at most if it is not given
    center  subtract the mean of the rows first
    The columns of V are the principal directions, and S**2 / (m - 1) the variances along them.
    Raises ValueError for q that is negative or larger than m or n, and for negative `niter`.

    >>> import wengert
    >>> U, S, V = wengert.pca_lowrank(wengert.tensor([[1.0, 5.0], [-1.0, 5.0]]), q=1)
    >>> S
    tensor([1.4142])
    """
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - A.mean(-2, keepdim=True) if center else A, q, niter)


__all__ = ["pca_lowrank", "svd_lowrank"]
