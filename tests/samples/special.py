"""Special functions."""

import math

import numpy as np

from . import I, S, T


def _each(function):
    return np.vectorize(function, otypes=[float])


def _unary(name, value, low=-2.0, high=2.0):
    return [S(name, T(*shape, low=low, high=high), value=value) for shape in ((3, 2), (), (0,), (9, 9))]


SAMPLES = [
    *_unary("erf", _each(math.erf), -3, 3),
    *_unary("erfc", _each(math.erfc), -3, 5),
    S("erf", T(2000, low=-7, high=7), value=_each(math.erf)),
    *_unary("erfinv", None, -0.95, 0.95),
]

SAMPLES += [
    *_unary("special.erfcx", None, -2, 8),
    *_unary("special.ndtr", lambda a: _each(math.erfc)(-a / math.sqrt(2)) / 2, -3, 3),
    *_unary("special.ndtri", None, 0.02, 0.98),
    *_unary("special.log_ndtr", None, -9, 3),
    *_unary("special.entr", lambda a: -a * np.log(a), 0.1, 2),
    *_unary("logit", lambda a: np.log(a / (1 - a)), 0.1, 0.9),
    S("logit", T(5, low=-0.5, high=1.5, away=(0.1, 0.9)), 0.1),
    *_unary("lgamma", _each(math.lgamma), 0.1, 9),
    *_unary("lgamma", _each(math.lgamma), -2.9, -2.1),
    *_unary("digamma", None, 0.3, 9),
    *_unary("digamma", None, -2.8, -2.2),
    S("polygamma", 1, T(3, 2, low=0.5, high=4)),
    S("polygamma", 2, T(4, low=-1.8, high=-1.2)),
    S("polygamma", 0, T(4, low=0.5, high=4)),
    S("mvlgamma", T(3, low=2.5, high=4), 3),
    S("special.zeta", 2.5, T(3, low=0.5, high=4)),
    S("special.zeta", T(3, low=1.5, high=4, grad=False), T(3, low=0.5, high=4)),
    S("special.gammainc", T(3, low=0.5, high=4, grad=False), T(3, low=0.5, high=4)),
    S("special.gammaincc", T(3, low=0.5, high=4, grad=False), T(3, low=0.5, high=4)),
    *_unary("i0", np.i0, -5, 5),
    *_unary("special.i0e", lambda a: np.i0(a) * np.exp(-abs(a)), 0.1, 50),
    *_unary("special.i1", None, -5, 5),
    *_unary("special.i1e", None, 0.1, 50),
]

SAMPLES += [
    *[s for n in (0, 1) for s in _unary(f"special.bessel_j{n}", None, -30, 30)],
    *[s for n in (0, 1) for s in _unary(f"special.bessel_y{n}", None, 0.5, 30)],
    *[s for n in (0, 1) for s in _unary(f"special.modified_bessel_i{n}", None, -5, 5)],
    *[
        s
        for k in ("modified", "scaled_modified")
        for n in (0, 1)
        for s in _unary(f"special.{k}_bessel_k{n}", None, 0.5, 4)
    ],
    *_unary("special.spherical_bessel_j0", lambda a: np.sinc(a / np.pi), 0.2, 9),
    *_unary("special.airy_ai", None, -12, 4),
]

_POLYNOMIALS = {
    "chebyshev_polynomial_t": np.polynomial.Chebyshev,
    "hermite_polynomial_h": np.polynomial.Hermite,
    "hermite_polynomial_he": np.polynomial.HermiteE,
    "laguerre_polynomial_l": np.polynomial.Laguerre,
    "legendre_polynomial_p": np.polynomial.Legendre,
}


def _polynomial(family):
    return lambda a, n: np.vectorize(lambda x, k: family.basis(int(k))(x))(a, n)


for _name, _family in _POLYNOMIALS.items():
    SAMPLES += [S(f"special.{_name}", T(3, 2, low=-1.5, high=1.5), n, value=_polynomial(_family)) for n in (0, 1, 4)]
    SAMPLES += [S(f"special.{_name}", T(3, 1, low=-1.5, high=1.5), I(5, high=9), value=_polynomial(_family))]
for _name in ("chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w"):
    SAMPLES += [S(f"special.{_name}", T(4, low=-1.5, high=1.5), I(3, 1, high=9))]
for _kind in "tuvw":
    SAMPLES += [S(f"special.shifted_chebyshev_polynomial_{_kind}", T(4, low=-0.5, high=1.5), I(3, 1, high=9))]
