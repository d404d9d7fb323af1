"""Activation functions."""

import math

import numpy as np

from . import S, T

_erf = np.vectorize(math.erf, otypes=[float])


def _three(name, value, *args, away=(), **kwargs):
    name = f"ops.{name}"
    return [
        S(name, T(3, 2, low=-4, high=4, away=away), *args, value=value, **kwargs),
        S(name, T(away=away), *args, value=value, **kwargs),
        S(name, T(0), *args, value=value, **kwargs),
        S(name, T(20, 20, low=-4, high=4, away=away), *args, value=value, **kwargs),
    ]


def _elu(a, alpha=1.0):
    return np.where(a > 0, a, alpha * np.expm1(a))


def _celu(a, alpha=1.0):
    return np.where(a > 0, a, alpha * np.expm1(a / alpha))


def _selu(a):
    return 1.0507009873554805 * _elu(a, 1.6732632423543772)


def _gelu(a, approximate="none"):
    if approximate == "tanh":
        return 0.5 * a * (1 + np.tanh(math.sqrt(2 / math.pi) * (a + 0.044715 * a**3)))
    return 0.5 * a * (1 + _erf(a / math.sqrt(2)))


def _sigmoid(a):
    return 1 / (1 + np.exp(-a))


def _softplus(a, beta=1.0, threshold=20.0):
    return np.where(a * beta > threshold, a, np.log1p(np.exp(a * beta)) / beta)


def _ramp(a):
    return np.clip(a + 3, 0, 6) / 6


def _softshrink(a, lambd=0.5):
    return np.sign(a) * np.maximum(abs(a) - lambd, 0)


def _glu(a, dim=-1):
    first, second = np.split(a, 2, dim)
    return first * _sigmoid(second)


SAMPLES = [
    *_three("activation.relu", lambda a: np.maximum(a, 0), away=(0.0,)),
    *_three("activation.relu6", lambda a: np.clip(a, 0, 6), away=(0.0,)),
    *_three("activation.hardtanh", lambda a: np.clip(a, -1, 1), away=(-1.0, 1.0)),
    *_three("activation.hardtanh", lambda a, b, c: np.clip(a, b, c), -0.5, 2, away=(-0.5, 2.0)),
    *_three("activation.threshold", lambda a, b, c: np.where(a > b, a, c), 0.5, -3.0, away=(0.5,)),
    *_three("activation.leaky_relu", lambda a: np.where(a > 0, a, 0.01 * a), away=(0.0,)),
    *_three("activation.leaky_relu", lambda a, b: np.where(a > 0, a, b * a), -0.3, away=(0.0,)),
    *_three("activation.elu", _elu, away=(0.0,)),
    *_three("activation.elu", _elu, 1.7, away=(0.0,)),
    *_three("activation.celu", _celu, 1.7, away=(0.0,)),
    *_three("activation.selu", _selu, away=(0.0,)),
    *_three("activation.rrelu", lambda a, b, c: np.where(a > 0, a, (b + c) / 2 * a), 0.1, 0.5, away=(0.0,)),
    *_three("shrink.hardshrink", lambda a: np.where(abs(a) > 0.5, a, 0), away=(-0.5, 0.5)),
    *_three("shrink.softshrink", _softshrink, away=(-0.5, 0.5)),
    *_three("shrink.tanhshrink", lambda a: a - np.tanh(a)),
    *_three("shrink.softsign", lambda a: a / (1 + abs(a)), away=(0.0,)),
    S("prelu", T(3, 2, away=(0.0,)), T(1), value=lambda a, w: np.where(a > 0, a, w * a)),
    S("prelu", T(3, 2, away=(0.0,)), T(2), value=lambda a, w: np.where(a > 0, a, w * a)),
    S("prelu", T(3, 2, 4, away=(0.0,)), T(2), value=lambda a, w: np.where(a > 0, a, w[:, None] * a)),
    S("prelu", T(3, away=(0.0,)), T(), value=lambda a, w: np.where(a > 0, a, w * a)),
    *_three("smooth.gelu", _gelu),
    *_three("smooth.gelu", _gelu, approximate="tanh"),
    *_three("smooth.silu", lambda a: a * _sigmoid(a)),
    S("ops.smooth.silu", T(3, complex=True), value=lambda a: a * _sigmoid(a)),
    *_three("smooth.mish", lambda a: a * np.tanh(np.log1p(np.exp(a)))),
    *_three("smooth.softplus", _softplus),
    *_three("smooth.softplus", _softplus, 2.0, 3.0, away=(1.5,)),
    *_three("smooth.logsigmoid", lambda a: np.log(_sigmoid(a))),
    *_three("smooth.hardswish", lambda a: a * _ramp(a), away=(-3.0, 3.0)),
    *_three("smooth.hardsigmoid", _ramp, away=(-3.0, 3.0)),
    S("ops.smooth.glu", T(4), value=_glu),
    S("ops.smooth.glu", T(4, 3), 0, value=_glu),
    S("ops.smooth.glu", T(2, 3, 4), dim=-1, value=_glu),
]
