"""Equations, inverses, determinants."""

import numpy as np

from . import S, T


def _well(a):
    """A matrix that is far from singular, made of one that was drawn."""
    return a + 5 * a.new_ones(a.shape[-1]).diag()


def _first(function, a, *more, **options):
    return function(_well(a), *more, **options)


def _on(function):
    def value(a, *more, **options):
        return function(a + 5 * np.eye(a.shape[-1]), *more, **options)

    return value


def _vectors(a, b):
    return np.linalg.solve(a, b[..., None])[..., 0]


SAMPLES = [
    S("linalg.solve", T(2, 3, 3), T(2, 3, 2), via=_first, value=_on(np.linalg.solve)),
    S("linalg.solve", T(3, 3), T(2, 3, 2), via=_first, value=_on(np.linalg.solve)),
    S("linalg.solve", T(2, 3, 3), T(2, 3), via=_first, value=_on(_vectors)),
    S("linalg.solve", T(2, 3, 3), T(3), via=_first, value=_on(_vectors)),
    S("linalg.solve", T(3, 3), T(2, 2, 3), via=_first, left=False),
    S(
        "linalg.solve",
        T(2, 2, complex=True),
        T(2, 1, complex=True),
        via=_first,
        value=_on(np.linalg.solve),
        exact=False,
    ),
    S("linalg.solve", T(0, 0), T(0, 2)),
    S("linalg.solve_triangular", T(2, 3, 3), T(2, 3, 2), upper=True, via=_first),
    S("linalg.solve_triangular", T(3, 3), T(2, 2, 3), upper=False, left=False, via=_first),
    S("linalg.solve_triangular", T(3, 3), T(3, 2), upper=False, unitriangular=True),
    S("linalg.inv", T(2, 3, 3), via=_first, value=_on(np.linalg.inv)),
    S("linalg.inv", T(2, 2, complex=True), via=_first, value=_on(np.linalg.inv)),
    S("inverse", T(1, 1, low=1.0), value=np.linalg.inv),
    S("linalg.det", T(2, 3, 3), value=np.linalg.det),
    S("det", T(2, 2, complex=True), value=np.linalg.det),
    S("det", T(1, 1), value=np.linalg.det),
    S(
        "linalg.slogdet",
        T(2, 3, 3),
        via=lambda f, a: f(_well(a)).logabsdet,
        value=_on(lambda a: np.linalg.slogdet(a)[1]),
    ),
    S(
        "slogdet",
        T(2, 2, complex=True),
        via=lambda f, a: f(_well(a)).sign,
        value=_on(lambda a: np.linalg.slogdet(a)[0]),
    ),
    S("logdet", T(2, 3, 3), via=_first, value=_on(lambda a: np.log(np.linalg.det(a)))),
    S("linalg.tensorsolve", T(2, 2, 4), T(2, 2), via=lambda f, a, b: f(_well(a.reshape(4, 4)).reshape(2, 2, 4), b)),
    S("linalg.tensorinv", T(2, 2, 4), via=lambda f, a: f(_well(a.reshape(4, 4)).reshape(2, 2, 4))),
    S("triangular_solve", T(3, 2), T(3, 3), via=lambda f, b, a: f(b, _well(a), transpose=True).solution),
]
