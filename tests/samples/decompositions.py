"""Matrix decompositions, and what is built of them."""

import math

import numpy as np

from wengert import eye, linspace
from wengert.linalg import ldl_factor, lu_factor

from . import S, T


def positive(f, a, *args, **named):
    """The function of a positive-definite matrix made of `a`."""
    return f(a @ a.mH + 2 * eye(a.shape[-1], dtype=a.dtype), *args, **named)


def of_factor(f, *args, **named):
    """The function of tensors of which the last is made a Cholesky factor."""
    *others, a = args
    return f(*others, a * 0.3 + 2 * eye(a.shape[-1], dtype=a.dtype), **named)


def apart(f, a, *args, **named):
    """The absolute values of the results of a Hermitian matrix made of `a`, with eigenvalues far from each other and from 0."""
    n = a.shape[-1]
    return sizes_of(f, a + a.mH + linspace(9, 9 + 9 * n, n).to(a.dtype).diag(), *args, **named)


def sizes_of(f, *args, **named):
    """The absolute values of the results: what does not depend on the phases of vectors."""
    results = f(*args, **named)
    return tuple(x.abs() for x in results) if isinstance(results, tuple) else results.abs()


def reflected(f, a, tau, *args, **named):
    return f(a * 0.5, tau * 0.5, *args, **named)


def factored(f, a, *args, **named):
    """The function of the LU decomposition of a well-conditioned matrix made of `a`."""
    LU, pivots = lu_factor(a + 3 * eye(a.shape[-1], dtype=a.dtype).flip(-1))
    return f(LU, pivots, *args, **named)


def symmetric(f, a, b, hermitian):
    """The solution by the LDL decomposition of a symmetric or Hermitian matrix, not definite, made of `a`."""
    LD, pivots = ldl_factor(a + (a.mH if hermitian else a.mT), hermitian=hermitian)
    return f(LD, pivots, b, hermitian=hermitian)


def _solved_symmetric(a, b, hermitian):
    return np.linalg.solve(a + (a.mT.conj() if hermitian else a.mT), b)


def _solved(a, b, left=True, adjoint=False):
    a = a + 3 * np.eye(a.shape[-1])[:, ::-1]
    a = a.mT.conj() if adjoint else a
    return np.linalg.solve(a, b) if left else np.linalg.solve(a.mT, b.mT).mT


def _positive(a):
    return a @ a.mT.conj() + 2 * np.eye(a.shape[-1])


def _factor(a, upper=False):
    factor = a * 0.3 + 2 * np.eye(a.shape[-1])
    return np.triu(factor) if upper else np.tril(factor)


def _made_by(a, upper=False):
    factor = _factor(a, upper)
    return factor.mT.conj() @ factor if upper else factor @ factor.mT.conj()


def _reflections(a, tau):
    a, tau = a * 0.5, tau * 0.5
    q = np.eye(a.shape[-2])
    for i in range(tau.shape[-1]):
        v = np.tril(a, -1)[..., i, None] + np.eye(a.shape[-2])[:, i, None]
        q = q @ (np.eye(a.shape[-2]) - tau[..., i, None, None] * v @ v.mT.conj())
    return q


def _multiplied(a, tau, c, left=True, transpose=False):
    q = _reflections(a, tau)
    q = q.mT.conj() if transpose else q
    return q @ c if left else c @ q


SAMPLES = [
    *(
        S("linalg.cholesky", T(*s, complex=z), via=positive, value=lambda a: np.linalg.cholesky(_positive(a)))
        for s in ((3, 3), (2, 3, 3), (1, 1), (0, 0), (0, 2, 2))
        for z in (False, True)
    ),
    S("linalg.cholesky", T(3, 3, complex=True), upper=True, via=positive,
      value=lambda a, upper: np.linalg.cholesky(_positive(a), upper=upper)),
    S("cholesky", T(2, 3, 3, complex=True), via=positive, value=lambda a: np.linalg.cholesky(_positive(a))),
    S("cholesky", T(3, 3, complex=True), True, via=positive, value=lambda a, u: np.linalg.cholesky(_positive(a), upper=u)),
    S("linalg.cholesky_ex", T(2, 2, 2), via=positive),
    *(
        S("cholesky_inverse", T(*s, complex=z), via=of_factor, value=lambda a: np.linalg.inv(_made_by(a)))
        for s in ((3, 3), (2, 3, 3), (0, 0))
        for z in (False, True)
    ),
    S("cholesky_inverse", T(3, 3, complex=True), upper=True, via=of_factor,
      value=lambda a, upper: np.linalg.inv(_made_by(a, upper))),
    S("cholesky_solve", T(2, 3, 2), T(3, 3), via=of_factor, value=lambda b, a: np.linalg.solve(_made_by(a), b)),
    S("cholesky_solve", T(3, 2), T(2, 3, 3), via=of_factor, value=lambda b, a: np.linalg.solve(_made_by(a), b)),
    S("cholesky_solve", T(3, 2, complex=True), T(3, 3, complex=True), upper=True, via=of_factor,
      value=lambda b, a, upper: np.linalg.solve(_made_by(a, upper), b)),
    *(S("linalg.qr", T(*s, complex=z)) for s in ((4, 3), (3, 3), (2, 3, 5), (0, 3), (3, 0)) for z in (False, True)),
    S("linalg.qr", T(3, 4), "complete"),
    S("qr", T(2, 3, 2)),
    S("linalg.qr", T(2, 3, 2), "r", checks="value"),
    *(
        S("linalg.eigh", T(*s, complex=z), via=apart)
        for s in ((3, 3), (2, 3, 3), (1, 1), (0, 0), (0, 2, 2))
        for z in (False, True)
    ),
    S("linalg.eigh", T(3, 3, complex=True), UPLO="u", via=apart),
    S("linalg.eigvalsh", T(2, 3, 3, complex=True), via=apart),
    S("linalg.eigvalsh", T(3, 3, grad=False), checks="value", value=np.linalg.eigvalsh),
    *(S("linalg.eig", T(*s, complex=z), via=sizes_of) for s in ((3, 3), (2, 2, 2), (0, 0)) for z in (False, True)),
    S("linalg.eigvals", T(2, 3, 3)),
    S("linalg.eigvals", T(3, 3, complex=True)),
    *(
        S("linalg.svd", T(*s, complex=z), full_matrices=False, via=sizes_of)
        for s in ((4, 3), (2, 3, 3), (3, 5), (0, 3), (3, 0))
        for z in (False, True)
    ),
    S("linalg.svd", T(3, 3)),
    S("linalg.svdvals", T(2, 4, 3), value=lambda a: np.linalg.svd(a, compute_uv=False)),
    S("svd", T(4, 3)),
    S("svd", T(2, 2, 3, complex=True), compute_uv=False),
    *(S("linalg.lu", T(*s, complex=z)) for s in ((3, 3), (4, 2), (2, 2, 4), (0, 3), (3, 0)) for z in (False, True)),
    *(S("linalg.lu_factor", T(*s)) for s in ((3, 3), (2, 4, 3), (2, 9, 17), (0, 2, 2))),
    S("linalg.lu_factor_ex", T(3, 4, complex=True), exact=False),
    S("lu", T(3, 3)),
    S("lu_unpack", T(4, 3), via=lambda f, a: f(*lu_factor(a))),
    S("lu_unpack", T(2, 2, 3, complex=True), unpack_pivots=False, via=lambda f, a, **named: f(*lu_factor(a), **named)),
    *(
        S("linalg.lu_solve", T(3, 3, complex=z), T(3, 3, complex=z), left=left, adjoint=adjoint, via=factored, value=_solved)
        for left in (True, False)
        for adjoint in (True, False)
        for z in (False, True)
    ),
    S("linalg.lu_solve", T(2, 3, 3), T(3, 2), via=factored, value=_solved),
    S("linalg.lu_solve", T(0, 0), T(0, 2), via=factored, value=_solved),
    S("lu_solve", T(3, 3), T(2, 3, 1), via=lambda f, a, b: factored(lambda LU, pivots, b: f(b, LU, pivots), a, b), value=_solved),
    *(
        S("linalg.ldl_solve", T(*s, grad=False, complex=z), T(s[-1], 2, grad=False, complex=z), hermitian=hermitian,
          checks="value", via=symmetric, value=_solved_symmetric)
        for s in ((5, 5), (4, 3, 3), (1, 1), (0, 0))
        for z in (False, True)
        for hermitian in (False, True)
    ),
    *(S("linalg.pinv", T(*s, complex=z), value=np.linalg.pinv) for s in ((3, 3), (2, 4, 3), (3, 5)) for z in (False, True)),
    S("linalg.pinv", T(4, 3, complex=True), hermitian=True, via=lambda f, a, **named: f(a @ a.mH, rtol=1e-9, **named),
      value=lambda a, hermitian: np.linalg.pinv(a @ a.mT.conj(), hermitian=True)),
    S("pinverse", T(0, 3), value=np.linalg.pinv),
    *(S("linalg.cond", T(2, 3, 3), p) for p in (None, 2, -2, 1, -1, math.inf, -math.inf, "fro", "nuc")),
    S("linalg.cond", T(3, 4, complex=True), value=np.linalg.cond),
    *(
        S("linalg.matrix_norm", T(3, 4, complex=z), p, value=np.linalg.norm)
        for p in ("fro", "nuc", 2, -2, 1, -1, math.inf, -math.inf)
        for z in (False, True)
    ),
    *(
        S("linalg.matrix_norm", T(2, 3, 4), p, (2, 0), keepdim,
          value=lambda a, p, dim, keepdim: np.linalg.norm(a, p, dim, keepdim))
        for p in ("fro", "nuc", 2, 1, math.inf)
        for keepdim in (False, True)
    ),
    S("linalg.norm", T(2, 3, 4), value=lambda a: np.linalg.norm(a.reshape(-1))),
    S("linalg.norm", T(3, 4), 1, value=np.linalg.norm),
    S("linalg.norm", T(3, 4), 1, 0, value=np.linalg.norm),
    S("linalg.norm", T(4), 3, value=np.linalg.norm),
    S("norm", T(3, 4), "nuc", value=np.linalg.norm),
    S("nuclear_norm", T(2, 3, 4), (1, 0), value=lambda a, dim: np.linalg.norm(a, "nuc", dim)),
    *(
        S("lobpcg", T(*s, complex=z), via=lambda f, a: apart(f, a, 2, X=eye(a.shape[-1], dtype=a.dtype)[:, :2], tol=1e-12),
          exact=False)
        for s, z in (((7, 7), False), ((2, 6, 6), False), ((6, 6), True))
    ),
    *(
        S("linalg.householder_product", T(*s, complex=z), T(*s[:-2], k, complex=z), via=reflected,
          value=lambda a, tau: _reflections(a, tau)[..., : a.shape[-1]])
        for s, k in (((4, 3), 3), ((2, 4, 3), 2), ((3, 3), 3), ((3, 2), 0))
        for z in (False, True)
    ),
    *(
        S("ormqr", T(4, 3, complex=z), T(3, complex=z), T(4, 4, complex=z), left, transpose, via=reflected, value=_multiplied)
        for left in (True, False)
        for transpose in (True, False)
        for z in (False, True)
    ),
    S("ormqr", T(2, 4, 3), T(2, 3), T(2, 4, 2), via=reflected, value=_multiplied),
]  # fmt: skip
