"""Activation functions that are made of pieces, with the signatures of `torch.nn.functional`; `smooth` has the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap
from .declare import argument_error, diagonal
from .expose import expose
from .inplace import inplace as inplace_form
from .refusal import check_call, check_kinds, in_single
from .selection import BITS, ZEROS, choose

# ------------------------------------------------------------------------------------------------ relu


def _relu(a: Any) -> Any:
    # in this order -0.0 stays what it is, as in PyTorch
    return np.maximum(ZEROS.get(a.dtype, 0), a, out=...)


def _relu_pull(t: Any, out: Any) -> Any:
    zero = ZEROS.get(t.dtype)
    if zero is None:
        return np.where(out, t, t.dtype.type(0))
    if t.size < 64:
        return np.where(out, t, zero) if t.ndim else t if out else zero
    bits = BITS[t.dtype]
    return np.multiply(t.view(bits), np.not_equal(out, zero)).view(t.dtype)  # as `masked`


#: the gradient where relu's result is not 0, which nan is not either
diagonal(
    "relu_pull", _relu_pull, lambda F, t, out: F.relu_pull(t, out), None, inputs=("t", "out"), promote=None,
    node="ThresholdBackwardBackward0",
)  # fmt: skip
_relu_operation = diagonal(
    "relu", _relu, lambda F, t, out: F.relu_pull(t, out),
    check=check_kinds("clamp", "fiu", "Boolean inputs not supported for relu"),
)  # fmt: skip


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element, or 0 where it is negative.

    At 0 the gradient is 0.
    Raises RuntimeError for bool, NotImplementedError for complex numbers.

    >>> import wengert
    >>> wengert.relu(wengert.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    return relu_(input) if inplace else _relu_operation(input)


relu_ = inplace_form(_relu_operation, "relu_")

# ------------------------------------------------------------------------------------------------ bounds


def _bounds(a: Any, min_val: Any, max_val: Any) -> Any:
    return np.minimum(max_val, np.maximum(min_val, a), out=...)  # in this order -0.0 stays what it is


_hardtanh = diagonal(
    "hardtanh", _bounds,
    lambda F, t, self, min_val, max_val: F.masked(t, ~((self <= min_val) | (self >= max_val))),
    statics=("min_val", "max_val"), promote=None, node="HardtanhBackward0",
    check=check_kinds("clamp", "fiu", "Bool inputs not supported for hardtanh"),
)  # fmt: skip


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Each element brought between two bounds; the gradient at a bound is 0.

    Raises ValueError if min_val > max_val.

    >>> import wengert
    >>> wengert.nn.functional.hardtanh(wengert.tensor([-2.0, 0.5, 2.0]))
    tensor([-1.0000,  0.5000,  1.0000])
    """
    check_call("hardtanh", input, min_val=min_val, max_val=max_val)
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if input._array.dtype.kind in "iu":
        min_val, max_val = int(min_val), int(max_val)
    return _hardtanh_(input, min_val, max_val) if inplace else _hardtanh(input, min_val, max_val)


_hardtanh_ = inplace_form(_hardtanh, "hardtanh_")


def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """`hardtanh`, in place."""
    return hardtanh(input, min_val, max_val, True)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element brought between 0 and 6."""
    return hardtanh(input, 0, 6, inplace)


def _beyond(a: Any, threshold: Any, value: Any) -> Any:
    return np.where(a <= threshold, np.asarray(value).astype(a.dtype), a)


_threshold = diagonal(
    "threshold", _beyond, lambda F, t, self, threshold: F.masked(t, ~(self <= threshold)), statics=("threshold", "value"),
    promote=None, check=check_kinds("threshold_cpu", "fiu"),
)  # fmt: skip


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Each element above `threshold`, and `value` in the place of the others.

    >>> import wengert
    >>> wengert.threshold(wengert.tensor([0.2, 0.8]), 0.5, 0.0)
    tensor([0.0000, 0.8000])
    """
    check_call("threshold", input, threshold=threshold, value=value)
    return threshold_(input, threshold, value) if inplace else _threshold(input, threshold, value)


threshold_ = inplace_form(_threshold, "threshold_")

# ------------------------------------------------------------------------------------------------ bent at 0


def _leaky(a: Any, slope: Any) -> Any:
    if 0 < slope <= 1:
        return np.maximum(a, a * slope, out=...)
    return choose(a > 0, a, a * slope)


_leaky_relu = diagonal(
    "leaky_relu", _leaky, lambda F, t, self, negative_slope: F.where(self > 0, t, t * negative_slope),
    statics=("negative_slope",), promote=None, node="LeakyReluBackward0", check=check_kinds("leaky_relu_cpu"),
)  # fmt: skip


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Each element, times `negative_slope` where it is negative.

    >>> import wengert
    >>> wengert.nn.functional.leaky_relu(wengert.tensor([-1.0, 2.0]), 0.1)
    tensor([-0.1000,  2.0000])
    """
    check_call("leaky_relu", input, negative_slope=negative_slope)
    return _leaky_relu_(input, negative_slope) if inplace else _leaky_relu(input, negative_slope)


_leaky_relu_ = inplace_form(_leaky_relu, "leaky_relu_")


def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """`leaky_relu`, in place."""
    return leaky_relu(input, negative_slope, True)


def _exponential(a: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    # the parts above and below 0 are 0 where the other is not: their sum is exact
    below = np.minimum(0, a, out=...)
    if input_scale != 1:
        below *= input_scale
    np.expm1(below, out=below)
    if alpha * scale != 1:
        below *= alpha * scale
    above = np.maximum(0, a, out=...)
    if scale != 1:
        above *= scale
    above += below
    return above


def _pull_elu(F: Any, t: Any, self: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    below = t * F.exp(self * input_scale) * (alpha * scale * input_scale)
    return F.where(self <= 0, below, t if scale == 1 else t * scale)


_elu = diagonal(
    "elu",
    in_single(_exponential),
    _pull_elu,
    statics=("alpha", "scale", "input_scale"),
    promote=None,
    check=check_kinds("elu_cpu"),
)
_celu = diagonal(
    "celu",
    in_single(_exponential),
    _pull_elu,
    statics=("alpha", "scale", "input_scale"),
    promote=None,
    check=check_kinds("elu_cpu"),
)
_elu_ = inplace_form(_elu, "elu_")
_celu_ = inplace_form(_celu, "celu_")


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Each element, or `alpha * (exp(x) - 1)` where it is negative.

    >>> import wengert
    >>> wengert.nn.functional.elu(wengert.tensor([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])
    """
    check_call("elu", input, alpha=alpha)
    return _elu_(input, alpha, 1.0, 1.0) if inplace else _elu(input, alpha, 1.0, 1.0)


def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """`elu`, in place."""
    return elu(input, alpha, True)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Each element, or `alpha * (exp(x / alpha) - 1)` where it is negative: smooth at 0 for every alpha.

    Raises RuntimeError if alpha is 0.

    >>> import wengert
    >>> wengert.celu(wengert.tensor([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])
    """
    check_call("celu", input, alpha=alpha)
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return _celu_(input, alpha, 1.0, 1 / alpha) if inplace else _celu(input, alpha, 1.0, 1 / alpha)


def celu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """`celu`, in place."""
    return celu(input, alpha, True)


# Klambauer et al., 2017, "Self-normalizing neural networks": the fixed point of mean 0 and variance 1
_SELU_ALPHA = 1.6732632423543772848170429916717
_SELU_SCALE = 1.0507009873554804934193349852946


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """`elu` with the alpha and the scale by which mean 0 and variance 1 reproduce themselves.

    >>> import wengert
    >>> wengert.selu(wengert.tensor([-1.0, 2.0]))
    tensor([-1.1113,  2.1014])
    """
    check_call("selu", input)
    function = _elu_ if inplace else _elu
    return function(input, _SELU_ALPHA, _SELU_SCALE, 1.0)


def selu_(input: Tensor) -> Tensor:
    """`selu`, in place."""
    return selu(input, True)


_rrelu = diagonal(
    "rrelu", _leaky, lambda F, t, self, negative_slope: F.where(self > 0, t, t * negative_slope),
    statics=("negative_slope",), promote=None, node="RreluWithNoiseBackward0", check=check_kinds("leaky_relu_cpu"),
)  # fmt: skip
_rrelu_ = inplace_form(_rrelu, "rrelu_")
_randomly_leaky = diagonal(
    "rrelu_with_noise", np.multiply, lambda F, t, noise: t * noise, None, inputs=("self", "noise"), promote=None,
    node="RreluWithNoiseBackward0",
)  # fmt: skip
_randomly_leaky_ = inplace_form(_randomly_leaky, "rrelu_")

_prelu = diagonal(
    "prelu_kernel", lambda a, w: choose(a > 0, a, w * a), lambda F, t, self, weight: F.where(self > 0, t, t * weight),
    lambda F, t, self: F.masked(t * self, ~(self > 0)), inputs=("self", "weight"), node="PreluKernelBackward0",
    check=check_kinds("prelu_cpu"),
)  # fmt: skip


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Each element, times a weight that is learned where it is negative.

    weight: one element, or one for each channel, which is the input's second dimension.
    Raises RuntimeError if there are neither one nor as many weights as channels, or if the dtypes differ.

    >>> import wengert
    >>> wengert.prelu(wengert.tensor([-1.0, 2.0]), wengert.tensor([0.25]))
    tensor([-0.2500,  2.0000])
    """
    check_call("prelu", input)
    if not isinstance(weight, Tensor):
        raise argument_error("prelu", "weight", 2, weight)
    if input._array.dtype != weight._array.dtype:
        raise RuntimeError(
            f"prelu: Type promoting not supported. Got {scalar_name(input.dtype)} and {scalar_name(weight.dtype)}"
        )
    shape, n = input._array.shape, weight._array.size
    if weight._array.ndim > 1:
        raise RuntimeError(
            f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight._array.ndim}"
        )
    if n != 1:
        if not shape:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = shape[1] if len(shape) > 1 else 1
        if channels != n:
            raise RuntimeError(
                f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {n} and channel size = "
                f"{channels}."
            )
    if len(shape) > 1 or weight._array.ndim:
        weight = weight.reshape([n if i == 1 else 1 for i in range(len(shape))] if len(shape) > 1 else [1] * len(shape))
    made: Tensor = _prelu(input, weight)
    return made


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
    generator: Any = None,
) -> Tensor:
    """Each element, times a slope where it is negative: in training a random one for each, else the mean of the bounds.

    Raises RuntimeError if lower > upper.

    >>> import wengert
    >>> wengert.rrelu(wengert.tensor([-1.0, 2.0]), 0.1, 0.3)
    tensor([-0.2000,  2.0000])
    """
    check_call("rrelu", input, lower=lower, upper=upper)
    if not lower <= upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    if not training or input._array.dtype.kind != "f":
        return (_rrelu_ if inplace else _rrelu)(input, (lower + upper) / 2)
    from .. import _distributions
    from ..generator import stream_of

    negative = input._array <= 0
    slopes = np.ones(input._array.shape)
    slopes[negative] = _distributions.uniform(
        stream_of(generator, "rrelu"), int(np.count_nonzero(negative)), np.dtype(np.float64), lower, upper
    )
    noise = wrap(slopes.astype(input._array.dtype))
    return (_randomly_leaky_ if inplace else _randomly_leaky)(input, noise)


def rrelu_(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, generator: Any = None
) -> Tensor:
    """`rrelu`, in place."""
    return rrelu(input, lower, upper, training, True, generator)


__all__ = expose(
    __name__,
    functions="relu relu_ threshold threshold_ prelu selu selu_ celu celu_ rrelu rrelu_",
    methods="relu_ prelu",
)
Tensor.relu = _relu_operation  # type: ignore[attr-defined]
