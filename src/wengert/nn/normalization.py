"""Layers that normalise each example by itself: over its last dimensions, its groups of channels, its neighbouring channels."""

from __future__ import annotations

from typing import Any

from ..creation import empty
from ..tensor import Tensor
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter


class _Affine(Module):
    """A layer with a weight and a bias, which may both be left out."""

    weight: Parameter | None
    bias: Parameter | None

    def _set_parameters(self, shape: Any, weight: bool, bias: bool, device: Any, dtype: Any) -> None:
        for name, wanted in (("weight", weight), ("bias", bias)):
            made = Parameter(empty(shape, device=device, dtype=dtype)) if wanted else None
            self.register_parameter(name, made)

    def reset_parameters(self) -> None:
        """Set the weight to ones and the bias to zeros."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)


def _shape_of(normalized_shape: Any) -> tuple[int, ...]:
    return (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)


class LayerNorm(_Affine):
    """Standardises over the last dimensions, then multiplies by a weight and adds a bias.

    normalized_shape    the lengths of these dimensions, or the one length of the last
    eps                 is added to the variance
    elementwise_affine  whether there are weight and bias
    bias                whether there is a bias

    >>> import wengert
    >>> wengert.nn.LayerNorm(2)(wengert.tensor([[1.0, 3.0]])).detach()
    tensor([[-1.0000,  1.0000]])
    """

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.normalized_shape = _shape_of(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self._set_parameters(self.normalized_shape, elementwise_affine, elementwise_affine and bias, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class RMSNorm(_Affine):
    """Divides by the root of the mean square over the last dimensions, then multiplies by a weight.

    normalized_shape    the lengths of these dimensions, or the one length of the last
    eps                 is added to the mean square; None: the difference between 1 and the next number of the dtype
    elementwise_affine  whether there is a weight

    >>> import wengert
    >>> wengert.nn.RMSNorm(2)(wengert.tensor([[3.0, -3.0]])).detach()
    tensor([[ 1., -1.]])
    """

    def __init__(
        self, normalized_shape: Any, eps: float | None = None, elementwise_affine: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.normalized_shape = _shape_of(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        made = Parameter(empty(self.normalized_shape, device=device, dtype=dtype)) if elementwise_affine else None
        self.register_parameter("weight", made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the weight to ones."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(_Affine):
    """Standardises each group of channels of each example, then multiplies by a weight and adds a bias for each channel.

    num_groups    into how many groups the channels are divided
    num_channels  the length of dimension 1
    eps           is added to the variance
    affine        whether there are weight and bias
    bias          whether there is a bias

    Raises ValueError unless num_groups divides num_channels.
    """

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, device: Any = None,
        dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self._set_parameters(num_channels, affine, affine and bias, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class LocalResponseNorm(Module):
    """Divides by a power of the mean square over neighbouring channels.

    size            how many channels
    alpha, beta, k  the divisor is (k + alpha * mean square) ** beta
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
