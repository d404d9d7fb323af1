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
