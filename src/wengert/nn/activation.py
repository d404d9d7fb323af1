"""Activations as modules: each calls the function of the same name with what it was made with."""

from __future__ import annotations

from typing import Any

from ..creation import empty
from ..tensor import Tensor
from . import functional as F
from .init import constant_
from .module import Module
from .parameter import Parameter


class _Activation(Module):
    """What all have in common: how the options of `shown` are printed, and `inplace` where it is set."""

    shown: tuple[str, ...] = ()

    def extra_repr(self) -> str:
        parts = [f"{name}={getattr(self, name)}" for name in self.shown]
        if getattr(self, "inplace", False):
            parts.append("inplace=True")
        return ", ".join(parts)


class ReLU(_Activation):
    """max(x, 0), elementwise.

    >>> import wengert
    >>> wengert.nn.ReLU()(wengert.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.relu(input, self.inplace)


class SELU(_Activation):
    """The self-normalising ELU."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.selu(input, self.inplace)


class SiLU(_Activation):
    """x times sigmoid(x)."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.silu(input, self.inplace)


class Mish(_Activation):
    """x times tanh(softplus(x))."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.mish(input, self.inplace)


class Hardsigmoid(_Activation):
    """x / 6 + 1 / 2, between 0 and 1."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.hardsigmoid(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class Hardswish(_Activation):
    """x times hardsigmoid(x)."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.hardswish(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class Hardtanh(_Activation):
    """x between two bounds.

    Raises AssertionError unless max_val is greater than min_val.
    """

    shown: tuple[str, ...] = ("min_val", "max_val")

    def __init__(
        self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False, min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.min_val = _renamed("min", min_val, min_value)
        self.max_val = _renamed("max", max_val, max_value)
        self.inplace = inplace
        if not self.max_val > self.min_val:
            raise AssertionError(f"max_val ({self.max_val}) must be greater than min_val ({self.min_val})")

    def forward(self, input: Tensor) -> Any:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


def _renamed(name: str, value: float, old: float | None) -> float:
    if old is None:
        return value
    import warnings

    text = f"keyword argument `{name}_value` is deprecated and renamed to `{name}_val`"
    warnings.warn(text, FutureWarning, stacklevel=3)
    return old


class ReLU6(Hardtanh):
    """x between 0 and 6, elementwise."""

    shown: tuple[str, ...] = ()

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)


class LeakyReLU(_Activation):
    """x, or x times a slope where it is negative."""

    shown = ("negative_slope",)

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class RReLU(_Activation):
    """x, or where it is negative, x times a slope that is random in training and the mean of its bounds otherwise."""

    shown = ("lower", "upper")

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class PReLU(_Activation):
    """x, or x times a trained slope where it is negative; one for all, or one for each index of dimension 1."""

    shown = ("num_parameters",)

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the slopes as at the start."""
        constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Any:
        return F.prelu(input, self.weight)


class ELU(_Activation):
    """x, or alpha (exp(x) - 1) where it is negative."""

    shown = ("alpha",)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.elu(input, self.alpha, self.inplace)


class CELU(_Activation):
    """x, or alpha (exp(x / alpha) - 1) where it is negative."""

    shown = ("alpha",)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.celu(input, self.alpha, self.inplace)


class Threshold(_Activation):
    """x where it is above a threshold, elsewhere a value."""

    shown = ("threshold", "value")

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.threshold(input, self.threshold, self.value, self.inplace)


class GELU(_Activation):
    """x times the normal distribution function at x; `approximate="tanh"`: by a formula with tanh.

    >>> import wengert
    >>> wengert.nn.GELU("tanh")
    GELU(approximate='tanh')
    """

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Any:
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class Sigmoid(_Activation):
    """1 / (1 + exp(-x)), elementwise."""

    def forward(self, input: Tensor) -> Any:
        return F.sigmoid(input)


class LogSigmoid(_Activation):
    """log(sigmoid(x)), elementwise."""

    def forward(self, input: Tensor) -> Any:
        return F.logsigmoid(input)


class Tanh(_Activation):
    """The hyperbolic tangent, elementwise."""

    def forward(self, input: Tensor) -> Any:
        return F.tanh(input)


class Tanhshrink(_Activation):
    """x - tanh(x), elementwise."""

    def forward(self, input: Tensor) -> Any:
        return F.tanhshrink(input)


class Softsign(_Activation):
    """x / (1 + |x|), elementwise."""

    def forward(self, input: Tensor) -> Any:
        return F.softsign(input)


class Softplus(_Activation):
    """log(1 + exp(beta x)) / beta; x itself where beta x is above the threshold."""

    shown = ("beta", "threshold")

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Any:
        return F.softplus(input, self.beta, self.threshold)


class _Shrink(_Activation):
    lambd: float

    def extra_repr(self) -> str:
        return f"{self.lambd}"


class Hardshrink(_Shrink):
    """x, or 0 where it is within lambd of 0."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Any:
        return F.hardshrink(input, self.lambd)


class Softshrink(_Shrink):
    """x moved by lambd towards 0."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Any:
        return F.softshrink(input, self.lambd)


class GLU(_Activation):
    """The first half of a dimension times the sigmoid of the second."""

    shown = ("dim",)

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Any:
        return F.glu(input, self.dim)


class Softmax(_Activation):
    """exp(x) scaled to the sum 1 along a dimension.

    >>> import wengert
    >>> wengert.nn.Softmax(dim=1)(wengert.zeros(1, 4))
    tensor([[0.2500, 0.2500, 0.2500, 0.2500]])
    """

    shown = ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Any:
        return F.softmax(input, self.dim)


class LogSoftmax(_Activation):
    """The logarithm of softmax."""

    shown = ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Any:
        return F.log_softmax(input, self.dim)


class Softmin(_Activation):
    """softmax(-x)."""

    shown = ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Any:
        return F.softmin(input, self.dim)


class Softmax2d(_Activation):
    """softmax over the channels of images (N, C, H, W) or (C, H, W)."""

    def forward(self, input: Tensor) -> Any:
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3)
