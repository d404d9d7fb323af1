"""Powers and exponentials of matrices, cross products, covariances, integrals and derivatives along a dimension."""

import numpy as np

from . import I, S, T


def _exp(a):
    values, vectors = np.linalg.eig(a)
    made = vectors * np.exp(values)[..., None, :] @ np.linalg.inv(vectors)
    return made if a.dtype.kind == "c" else made.real


def _apart(f, a, *more):
    """Of matrices that are far from singular."""
    return f(a + 4 * a.new_ones(a.shape[-1]).diag(), *more)


SAMPLES = [
    *[S("linalg.matrix_power", T(2, 3, 3), n, value=np.linalg.matrix_power) for n in (1, 2, 3, 5)],
    S("matrix_power", T(2, 2, complex=True), 3, value=np.linalg.matrix_power),
    S("matrix_power", T(3, 3), -2, via=_apart, value=lambda a, n: np.linalg.matrix_power(a + 4 * np.eye(3), n)),
    S("matrix_exp", T(2, 3, 3), value=_exp),
    S("matrix_exp", T(2, 2, complex=True, low=-4.0, high=4.0), value=_exp),
    S("matrix_exp", T(3, 3, low=-0.01, high=0.01), value=_exp),
    S("linalg.matrix_exp", T(1, 1), value=np.exp),
    S("linalg.vander", T(3), value=lambda x: np.vander(x, increasing=True)),
    S("linalg.vander", T(2, 3), N=2),
    S("vander", T(3), 4, value=np.vander),
    S("vander", T(3), increasing=True, value=lambda x, increasing: np.vander(x, increasing=True)),
    S("linalg.cross", T(2, 3), T(2, 3), value=np.cross),
    S("linalg.cross", T(3, 1), T(3, 2), dim=0, value=lambda a, b, dim: np.cross(np.broadcast_to(a, b.shape), b, axis=0)),
    S("cross", T(2, 3, complex=True), T(2, 3, complex=True), dim=1),
    S("linalg.vecdot", T(2, 3), T(2, 3), value=np.vecdot),
    S("linalg.vecdot", T(2, 3, complex=True), T(1, 3, complex=True), value=np.vecdot),
    S("linalg.diagonal", T(2, 3, 4), offset=1, value=lambda a, offset: np.diagonal(a, offset, -2, -1)),
    S("cov", T(3, 4), value=np.cov),
    S("cov", T(3, 4), correction=0, value=lambda a, correction: np.cov(a, ddof=0)),
    S("cov", T(2, 3, complex=True), value=np.cov),
    S("cov", T(4), value=np.cov),
    S("cov", T(2, 4), via=lambda f, a: f(a, fweights=a.new_tensor([1, 2, 1, 3]).long(), aweights=a.new_tensor([1.0, 2, 3, 1]).detach()),
      value=lambda a: np.cov(a, fweights=[1, 2, 1, 3], aweights=[1.0, 2, 3, 1])),
    S("corrcoef", T(3, 4), via=lambda f, a: f(a)[0, 1:], value=lambda a: np.corrcoef(a)[0, 1:]),
    S("trapezoid", T(2, 4), value=np.trapezoid),
    S("trapezoid", T(2, 4), dx=0.5, dim=0, value=lambda y, dx, dim: np.trapezoid(y, dx=dx, axis=dim)),
    S("trapezoid", T(2, 4), T(4), value=np.trapezoid),
    S("trapezoid", T(2, 4), T(2, 4), value=np.trapezoid),
    S("cumulative_trapezoid", T(2, 4)),
    S("cumulative_trapezoid", T(2, 4), T(4)),
    S("gradient", T(5), via=lambda f, a: f(a)[0], value=np.gradient),
    S("gradient", T(3, 4), via=lambda f, a: f(a, spacing=[0.5, 2.0], edge_order=2)[1],
      value=lambda a: np.gradient(a, 0.5, 2.0, edge_order=2)[1]),
    S("gradient", T(4), via=lambda f, a: f(a, spacing=[a.new_tensor([0.0, 1, 3, 3.5])], edge_order=2)[0],
      value=lambda a: np.gradient(a, [0.0, 1, 3, 3.5], edge_order=2)),
    S("gradient", T(4), via=lambda f, a: f(a, spacing=[a.new_tensor([0.0, 1, 3, 3.5])])[0],
      value=lambda a: np.gradient(a, [0.0, 1, 3, 3.5])),
    S("linalg.vander", I(3, high=5), value=lambda x: np.vander(x, increasing=True), checks="value"),
]  # fmt: skip
