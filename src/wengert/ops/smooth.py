"""Smooth activation functions, and the piecewise approximations of them, with the signatures of `torch.nn.functional`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..tensor import Tensor, wrap_dim
from .declare import diagonal, general
from .expose import expose
from .inplace import inplace as inplace_form
from .namespace import arrays
from .refusal import check_call, check_kinds, in_single
from .selection import choose

_ROOT_HALF = math.sqrt(0.5)
_DENSITY = 1 / math.sqrt(2 * math.pi)  # of the normal distribution at 0
_TANH_SCALE = math.sqrt(2 / math.pi)
_TANH_CUBE = 0.044715  # Hendrycks and Gimpel, 2016, "Gaussian error linear units"

# ------------------------------------------------------------------------------------------------ gelu


def _gelu_forward(a: Any, approximate: str) -> Any:
    if approximate == "tanh":
        inner = np.square(a)
        inner *= _TANH_CUBE
        inner += 1
        inner *= a
        inner *= _TANH_SCALE
        inner = np.tanh(inner, out=...)
    else:
        inner = arrays.erf(a * _ROOT_HALF)
    inner += 1
    inner *= 0.5
    inner *= a
    return inner


def _pull_gelu(F: Any, t: Any, self: Any, approximate: str) -> Any:
    if approximate == "tanh":
        square = self * self
        th = F.tanh(self * (square * _TANH_CUBE + 1) * _TANH_SCALE)
        slope = (square * (3 * _TANH_CUBE) + 1) * _TANH_SCALE
        return t * ((th + 1) * 0.5 + self * (1 - th * th) * slope * 0.5)
    return t * ((F.erf(self * _ROOT_HALF) + 1) * 0.5 + self * F.exp(self * self * -0.5) * _DENSITY)


_gelu = diagonal(
    "gelu",
    in_single(_gelu_forward),
    _pull_gelu,
    statics=("approximate",),
    promote=None,
    check=check_kinds("GeluKernelImpl"),
)


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Each element times the probability that a standard normal variable is smaller.

    approximate: "none", or "tanh" for a formula with the hyperbolic tangent that is off by 5e-4 at most.

    >>> import wengert
    >>> wengert.nn.functional.gelu(wengert.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.1587,  0.0000,  1.9545])
    """
    check_call("gelu", input)
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    made: Tensor = _gelu(input, approximate)
    return made


# ------------------------------------------------------------------------------------------------ silu, mish, softplus


def _silu_forward(a: Any) -> Any:
    made = np.negative(a)
    made = np.exp(made, out=...)
    made += 1
    return np.divide(a, made, out=...)


def _pull_silu(F: Any, t: Any, self: Any) -> Any:
    s = F.sigmoid(self)
    return t * (s * (self * (1 - s) + 1))


_silu = diagonal("silu", in_single(_silu_forward), _pull_silu, promote=None, check=check_kinds("silu_cpu", "fc"))
_silu_ = inplace_form(_silu, "silu_")


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element times its sigmoid: `x / (1 + exp(-x))`, also called swish.

    >>> import wengert
    >>> wengert.nn.functional.silu(wengert.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.2689,  0.0000,  1.7616])
    """
    check_call("silu", input)
    return (_silu_ if inplace else _silu)(input)


def _mish_forward(a: Any) -> Any:
    return np.multiply(a, np.tanh(np.log1p(np.exp(a))), out=...)


def _pull_mish(F: Any, t: Any, self: Any) -> Any:
    th = F.tanh(F.log1p(F.exp(self)))
    return t * (th + self * F.sigmoid(self) * (1 - th * th))


_mish = diagonal("mish", in_single(_mish_forward), _pull_mish, promote=None, check=check_kinds("mish_cpu"))
_mish_ = inplace_form(_mish, "mish_")


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """`x * tanh(softplus(x))`.

    >>> import wengert
    >>> wengert.nn.functional.mish(wengert.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.3034,  0.0000,  1.9440])
    """
    check_call("mish", input)
    return (_mish_ if inplace else _mish)(input)


def _softplus_forward(a: Any, beta: Any, threshold: Any) -> Any:
    scaled = a if beta == 1 else a * beta
    made = np.exp(scaled, out=...)
    np.log1p(made, out=made)
    if beta != 1:
        made /= beta
    return choose(scaled > threshold, a, made)


def _pull_softplus(F: Any, t: Any, self: Any, beta: Any, threshold: Any) -> Any:
    scaled = self * beta
    return F.where(scaled > threshold, t, t * F.sigmoid(scaled))


_softplus = diagonal(
    "softplus", in_single(_softplus_forward), _pull_softplus, statics=("beta", "threshold"), promote=None,
    check=check_kinds("softplus_cpu"),
)  # fmt: skip


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """`log(1 + exp(beta * x)) / beta`, a smooth relu; x itself where beta * x is above the threshold.

    >>> import wengert
    >>> wengert.nn.functional.softplus(wengert.tensor([-1.0, 0.0, 30.0]))
    tensor([ 0.3133,  0.6931, 30.0000])
    """
    check_call("softplus", input, beta=beta, threshold=threshold)
    made: Tensor = _softplus(input, beta, threshold)
    return made


def _log_sigmoid_forward(a: Any) -> Any:
    made = np.abs(a, out=...)
    np.negative(made, out=made)
    np.exp(made, out=made)
    np.log1p(made, out=made)
    return np.subtract(np.minimum(a, 0), made, out=...)


logsigmoid = diagonal(
    "log_sigmoid", in_single(_log_sigmoid_forward), lambda F, t, self: t * F.sigmoid(-self), promote=None, node="LogSigmoidBackward0",
    check=check_kinds("log_sigmoid_cpu"),
    doc="""The logarithm of the sigmoid of each element.

    >>> import wengert
    >>> wengert.nn.functional.logsigmoid(wengert.tensor([-100.0, 0.0]))
    tensor([-100.0000,   -0.6931])
    """,
)  # fmt: skip

# ----------------------------------------------------------------------------------------------- approximated by pieces


def _ramp(a: Any) -> Any:
    """`a + 3` brought between 0 and 6."""
    made = np.add(a, 3, out=...)
    np.maximum(made, 0, out=made)
    np.minimum(made, 6, out=made)
    return made


def _hardswish_forward(a: Any) -> Any:
    made = _ramp(a)
    made *= a
    made /= 6
    return made


def _hardsigmoid_forward(a: Any) -> Any:
    made = _ramp(a)
    made /= 6
    return made


def _pull_hardswish(F: Any, t: Any, self: Any) -> Any:
    return F.masked(F.where(self < 3, t * (self / 3 + 0.5), t), ~(self <= -3))


_hardswish = diagonal(
    "hardswish", in_single(_hardswish_forward), _pull_hardswish, promote=None,
    check=check_kinds("hardswish_cpu"),
)  # fmt: skip
_hardswish_ = inplace_form(_hardswish, "hardswish_")
_hardsigmoid = diagonal(
    "hardsigmoid", in_single(_hardsigmoid_forward),
    lambda F, t, self: F.masked(t / 6, (self > -3) & (self < 3)), promote=None, check=check_kinds("hardsigmoid_cpu"),
)  # fmt: skip
_hardsigmoid_ = inplace_form(_hardsigmoid, "hardsigmoid_")


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element times its `hardsigmoid`.

    >>> import wengert
    >>> wengert.nn.functional.hardswish(wengert.tensor([-4.0, 1.0, 4.0]))
    tensor([-0.0000, 0.6667, 4.0000])
    """
    check_call("hardswish", input)
    return (_hardswish_ if inplace else _hardswish)(input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """The straight line from 0 at -3 to 1 at 3, level on both sides.

    >>> import wengert
    >>> wengert.nn.functional.hardsigmoid(wengert.tensor([-4.0, 0.0, 4.0]))
    tensor([0.0000, 0.5000, 1.0000])
    """
    check_call("hardsigmoid", input)
    return (_hardsigmoid_ if inplace else _hardsigmoid)(input)


# ------------------------------------------------------------------------------------------------ glu


def _halves(x: Any, dim: int) -> tuple[Any, Any]:
    n = x.shape[dim] // 2
    before = (slice(None),) * dim
    return x[(*before, slice(0, n))], x[(*before, slice(n, 2 * n))]


def _push_join(F: Any, tangents: Any, first: Any, second: Any, dim: int) -> Any:
    a, b = tangents
    return F.join_halves(F.null(first) if a is None else a, F.null(second) if b is None else b, dim)


general(
    "join_halves", lambda a, b, dim: np.concatenate((a, b), dim),
    {"first": lambda F, t, dim: _halves(t, dim)[0], "second": lambda F, t, dim: _halves(t, dim)[1]}, ("dim",),
    push=_push_join, node="CatBackward0",
)  # fmt: skip


def _glu_forward(a: Any, dim: int) -> Any:
    value, gate = _halves(a, dim)
    return np.multiply(value, arrays.sigmoid(gate), out=...)


def _pull_glu(F: Any, t: Any, self: Any, dim: int) -> Any:
    value, gate = _halves(self, dim)
    s = F.sigmoid(gate)
    of_value = t * s
    return F.join_halves(of_value, of_value * value * (1 - s), dim)


_glu = general("glu", in_single(_glu_forward), {"self": _pull_glu}, ("dim",), check=check_kinds("glu_cpu"))


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along `dim` times the sigmoid of the second: a gated linear unit.

    Raises RuntimeError if the length of the dimension is odd.

    >>> import wengert
    >>> wengert.nn.functional.glu(wengert.tensor([2.0, 4.0, 0.0, 0.0]))
    tensor([1., 2.])
    """
    check_call("glu", input)
    if not input._array.ndim:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    dim = wrap_dim(dim, input._array.ndim)
    n = input._array.shape[dim]
    if n % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {dim} is size {n}")
    made: Tensor = _glu(input, dim)
    return made


__all__ = expose(__name__)
