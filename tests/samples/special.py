"""Special functions."""

import math

import numpy as np

from . import S, T


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
