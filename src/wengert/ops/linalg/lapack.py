"""NumPy's decompositions of batches of matrices.

They are the functions behind `np.linalg`'s, which raise for a whole batch if one of its matrices fails: these leave nan for
that one, so that it can be named. Arrays are of the four dtypes that LAPACK knows, of any layout; results are C-contiguous.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_gufuncs: Any = np.linalg._umath_linalg

cholesky_lower = _gufuncs.cholesky_lo
cholesky_upper = _gufuncs.cholesky_up
eigh_lower = _gufuncs.eigh_lo
eigh_upper = _gufuncs.eigh_up
eigvalsh_lower = _gufuncs.eigvalsh_lo
eigvalsh_upper = _gufuncs.eigvalsh_up
svd_full = _gufuncs.svd_f
svd_thin = _gufuncs.svd_s
svdvals = _gufuncs.svd
solve = _gufuncs.solve
inverse = _gufuncs.inv
det = _gufuncs.det
slogdet = _gufuncs.slogdet


def eig(a: Any) -> tuple[Any, Any]:
    """Eigenvalues and eigenvectors of square matrices, complex of the precision of `a`."""
    values, vectors = _gufuncs.eig(a)
    d = np.result_type(a.dtype, np.complex64)
    return values.astype(d, copy=False), vectors.astype(d, copy=False)


def eigvals(a: Any) -> Any:
    """Eigenvalues of square matrices, complex of the precision of `a`."""
    return _gufuncs.eigvals(a).astype(np.result_type(a.dtype, np.complex64), copy=False)


def reflectors(a: Any) -> tuple[Any, Any]:
    """A QR decomposition in LAPACK's compact form: R, with Householder's vectors below it, and their factors tau."""
    wide = np.result_type(a.dtype, np.float64)  # the only precision that NumPy has it in
    packed = np.array(a, wide, order="C")
    tau = _gufuncs.qr_r_raw(packed)
    return packed.astype(a.dtype, copy=False), tau.astype(a.dtype, copy=False)


def product_of_reflectors(a: Any, tau: Any, columns: int) -> Any:
    """The first columns of the product of Householder's reflections: as many as `a` has, or all."""
    wide = np.result_type(a.dtype, np.float64)
    m, n = a.shape[-2:]
    factors = np.zeros((*tau.shape[:-1], n), wide)
    factors[..., : tau.shape[-1]] = tau
    make = _gufuncs.qr_complete if columns == m != n else _gufuncs.qr_reduced
    return make(a.astype(wide, copy=False), factors).astype(a.dtype, copy=False)
