"""Mathematical functions of each element: exponentials, logarithms, circular and hyperbolic functions, rounding, signs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .declare import diagonal, flat
from .expose import alias, expose

_LN2 = math.log(2.0)
_LN10 = math.log(10.0)
_HALF_PI_ROOT = 2.0 / math.sqrt(math.pi)

# ------------------------------------------------------------------------------------------------ exponentials, logarithms

exp = diagonal("exp", np.exp, lambda F, t, out: t * out, promote="float", doc="e to the power of each element.")
exp2 = diagonal(
    "exp2", np.exp2, lambda F, t, out: t * out * _LN2, promote="float", doc="2 to the power of each element."
)
expm1 = diagonal(
    "expm1", np.expm1, lambda F, t, out: t * (out + 1), promote="float", doc="exp(x) - 1, exact for small x."
)
log = diagonal(
    "log", np.log, lambda F, t, self: t / self, promote="float", doc="The natural logarithm of each element."
)
log2 = diagonal("log2", np.log2, lambda F, t, self: t / (self * _LN2), promote="float", doc="The logarithm to base 2.")
log10 = diagonal(
    "log10", np.log10, lambda F, t, self: t / (self * _LN10), promote="float", doc="The logarithm to base 10."
)
log1p = diagonal(
    "log1p",
    np.log1p,
    lambda F, t, self: t / (self + 1),
    promote="float",
    node="Log1PBackward0",
    doc="log(1 + x), exact for small x.",
)
sqrt = diagonal(
    "sqrt", np.sqrt, lambda F, t, out: t / (2 * out), promote="float", doc="The square root of each element."
)


rsqrt = diagonal(
    "rsqrt", lambda a: np.reciprocal(np.sqrt(a), out=...), lambda F, t, out: -0.5 * t * (out * out * out), promote="float",
    doc="1 divided by the square root of each element.",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ circular and hyperbolic

sin = diagonal("sin", np.sin, lambda F, t, self: t * F.cos(self), promote="float", doc="The sine of each element.")
cos = diagonal("cos", np.cos, lambda F, t, self: t * -F.sin(self), promote="float", doc="The cosine of each element.")
tan = diagonal(
    "tan", np.tan, lambda F, t, out: t * (1 + out * out), promote="float", doc="The tangent of each element."
)
asin = diagonal(
    "asin", np.arcsin, lambda F, t, self: t * F.rsqrt(1 - self * self), promote="float", doc="The inverse sine."
)
acos = diagonal(
    "acos", np.arccos, lambda F, t, self: t * -F.rsqrt(1 - self * self), promote="float", doc="The inverse cosine."
)
atan = diagonal(
    "atan", np.arctan, lambda F, t, self: t / (self * self + 1), promote="float", doc="The inverse tangent."
)
sinh = diagonal("sinh", np.sinh, lambda F, t, self: t * F.cosh(self), promote="float", doc="The hyperbolic sine.")
cosh = diagonal("cosh", np.cosh, lambda F, t, self: t * F.sinh(self), promote="float", doc="The hyperbolic cosine.")
tanh = diagonal("tanh", np.tanh, lambda F, t, out: t * (1 - out * out), promote="float", doc="The hyperbolic tangent.")
asinh = diagonal(
    "asinh",
    np.arcsinh,
    lambda F, t, self: t * F.rsqrt(self * self + 1),
    promote="float",
    doc="The inverse hyperbolic sine.",
)
acosh = diagonal(
    "acosh", np.arccosh, lambda F, t, self: t * (F.rsqrt(self - 1) * F.rsqrt(self + 1)), promote="float",
    doc="The inverse hyperbolic cosine.",
)  # fmt: skip
atanh = diagonal(
    "atanh",
    np.arctanh,
    lambda F, t, self: t / (1 - self * self),
    promote="float",
    doc="The inverse hyperbolic tangent.",
)


def _sigmoid(a: Any) -> Any:
    made = np.negative(a, out=...)
    np.exp(made, made)
    np.add(made, 1, made)
    return np.reciprocal(made, made)


sigmoid = diagonal(
    "sigmoid",
    _sigmoid,
    # not out * (1 - out): 1 - out is 0 long before sigmoid(-x) is
    lambda F, t, self, out: t * (out * F.sigmoid(-self)),
    promote="float",
    doc="1 / (1 + exp(-x)), the logistic function.",
)

# ------------------------------------------------------------------------------------------------ signs and rounding

_no_gradient = lambda F, t: F.null(t)  # a rule: flat, but part of the graph as in PyTorch

floor = diagonal("floor", np.floor, _no_gradient, doc="The next whole number below.")
ceil = diagonal("ceil", np.ceil, _no_gradient, doc="The next whole number above.")
trunc = diagonal("trunc", np.trunc, _no_gradient, doc="The next whole number towards zero.")
frac = diagonal(
    "frac", lambda a: np.subtract(a, np.trunc(a), out=...), lambda F, t: t, doc="The part behind the point."
)
isnan = flat("isnan", np.isnan, doc="Whether each element is not a number.")
isinf = flat("isinf", np.isinf, doc="Whether each element is infinite.")
isfinite = flat("isfinite", np.isfinite, doc="Whether each element is neither infinite nor nan.")

_differentiable = (
    "exp exp2 expm1 log log2 log10 log1p sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid floor "
    "ceil trunc frac"
)
__all__ = expose(
    __name__,
    functions=_differentiable + " isnan isinf isfinite",
    methods=_differentiable + " isnan isinf isfinite",
    writes=_differentiable,
)
__all__ += alias(
    __name__,
    "arcsin=asin arccos=acos arctan=atan arcsinh=asinh arccosh=acosh arctanh=atanh fix=trunc",
)
