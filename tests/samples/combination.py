"""Combinations of two and three tensors; angles."""

import numpy as np

from . import I, S, T


def _lerp(a, b, w):
    return a + w * (b - a)


def _xlogy(a, b):
    return np.where(a == 0, 0, a * np.log(b))


SAMPLES = [
    S("copysign", T(3, 2, away=(0.0,)), T(2, away=(0.0,)), value=np.copysign),
    S("copysign", T(3, away=(0.0,)), -2.0, value=np.copysign),
    S("hypot", T(3, 1), T(2), value=np.hypot),
    S("hypot", T(), T(), value=np.hypot),
    S("atan2", T(3, 2), T(3, 2), value=np.arctan2),
    S("atan2", T(3, 1), T(2), value=np.arctan2),
    S("deg2rad", T(3), value=np.deg2rad),
    S("rad2deg", T(3), value=np.rad2deg),
    S("sinc", T(3, 2), value=np.sinc),
    S("sinc", T(5, low=-0.01, high=0.01), value=np.sinc),
    S("sinc", T(4, low=3, high=9), value=np.sinc),
    S("sinc", T(3, complex=True), value=np.sinc),
    S("ldexp", T(3), I(3, high=4), value=np.ldexp),
    S("ldexp", T(3), T(3), value=lambda a, b: a * 2.0**b),
    S("logaddexp", T(3, 1), T(2), value=np.logaddexp),
    S("logaddexp", T(3, complex=True), T(3, complex=True), value=lambda a, b: np.log(np.exp(a) + np.exp(b))),
    S("logaddexp2", T(3), T(3), value=np.logaddexp2),
    S("xlogy", T(3), T(3, low=0.2), value=_xlogy),
    S("xlogy", T(3, 1), T(2, low=0.2), value=_xlogy),
    S("xlogy", T(3), 2.5, value=_xlogy),
    S("xlogy", 2.5, T(3, low=0.2), value=_xlogy),
    S("ops.combination.xlog1py", T(3), T(3, low=-0.8), value=lambda a, b: a * np.log1p(b)),
    S("lerp", T(3, 2), T(3, 2), 0.3, value=_lerp),
    S("lerp", T(3, 2), T(2), 0.8, value=_lerp),
    S("lerp", T(3, 2), T(3, 2), T(3, 2), value=_lerp),
    S("lerp", T(3, 1), T(2), T(), value=_lerp),
    S("lerp", T(3, complex=True), T(3, complex=True), T(3, complex=True), value=_lerp),
    S("addcmul", T(3, 2), T(3, 2), T(3, 2), value=lambda a, b, c: a + b * c),
    S("addcmul", T(3, 2), T(2), T(3, 1)),
    S("addcdiv", T(3, 2), T(3, 2), T(3, 2, low=0.5), value=lambda a, b, c: a + b / c),
    S("addcdiv", T(2), T(2), T(3, 1, low=0.5)),
]
