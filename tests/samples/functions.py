"""Mathematical functions of each element."""

import numpy as np

from . import S, T


def _sigmoid(a):
    return 1 / (1 + np.exp(-a))


def _unary(name, value, low=-2.0, high=2.0, away=(), complex=True):
    samples = [S(name, T(*shape, low=low, high=high, away=away), value=value) for shape in ((3, 2), (), (0,))]
    samples.append(S(name, T(2, 3, low=low, high=high, away=away, transposed=True), value=value))
    if complex:
        samples.append(
            S(name, T(3, low=max(low, -0.9), high=min(high, 0.9) if low < 0.9 else high, complex=True), value=value)
        )
    return samples


_whole = (-2.0, -1.0, 0.0, 1.0, 2.0)
SAMPLES = [
    *_unary("exp", np.exp),
    *_unary("exp2", np.exp2, complex=False),
    *_unary("expm1", np.expm1),
    *_unary("log", np.log, 0.1, 3),
    *_unary("log2", np.log2, 0.1, 3),
    *_unary("log10", np.log10, 0.1, 3),
    *_unary("log1p", np.log1p, -0.9, 2),
    *_unary("sqrt", np.sqrt, 0.1, 3),
    *_unary("rsqrt", lambda a: 1 / np.sqrt(a), 0.1, 3),
    *_unary("sin", np.sin),
    *_unary("cos", np.cos),
    *_unary("tan", np.tan, -1.2, 1.2),
    *_unary("asin", np.arcsin, -0.9, 0.9),
    *_unary("acos", np.arccos, -0.9, 0.9),
    *_unary("atan", np.arctan),
    *_unary("sinh", np.sinh),
    *_unary("cosh", np.cosh),
    *_unary("tanh", np.tanh),
    *_unary("asinh", np.arcsinh),
    *_unary("acosh", np.arccosh, 1.2, 3),
    *_unary("atanh", np.arctanh, -0.8, 0.8),
    *_unary("sigmoid", _sigmoid),
    *_unary("floor", np.floor, away=_whole, complex=False),
    *_unary("ceil", np.ceil, away=_whole, complex=False),
    *_unary("trunc", np.trunc, away=_whole, complex=False),
    *_unary("frac", lambda a: a - np.trunc(a), away=_whole, complex=False),
    S("isnan", T(3), value=np.isnan, checks="value"),
    S("isinf", T(3), value=np.isinf, checks="value"),
    S("isfinite", T(3), value=np.isfinite, checks="value"),
]
