"""Convolutions and transposed convolutions as modules."""

from __future__ import annotations

import math
from typing import Any

from ..creation import empty
from ..tensor import Tensor
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter

_MODES = ("zeros", "reflect", "replicate", "circular")


def each(given: Any, rank: int) -> tuple[Any, ...]:
    """A number for each axis."""
    return tuple(given) if isinstance(given, (tuple, list)) else (given,) * rank


class _ConvNd(Module):
    """What all convolutions have in common; a subclass says in how many dimensions, and whether it is transposed."""

    rank: int
    transposed = False

    weight: Parameter
    bias: Parameter | None

    def _make(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any,
        output_padding: Any, groups: int, bias: bool, padding_mode: str, device: Any, dtype: Any,
    ) -> None:  # fmt: skip
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        rank = self.rank
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = each(kernel_size, rank)
        self.stride = each(stride, rank)
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(s != 1 for s in self.stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in _MODES:
            raise ValueError(
                f"padding_mode must be one of {{{', '.join(map(repr, _MODES))}}}, but got padding_mode='{padding_mode}'"
            )
        self.padding = padding if isinstance(padding, str) else each(padding, rank)
        self.dilation = each(dilation, rank)
        self.output_padding = each(output_padding, rank)
        self.groups = groups
        self.padding_mode = padding_mode
        pairs: list[tuple[int, int]]
        if padding == "same":
            pairs = [(t // 2, t - t // 2) for t in self._reach()]
        else:
            pairs = [(0, 0)] * rank if padding == "valid" else [(p, p) for p in each(padding, rank)]
        self._around = [n for pair in pairs[::-1] for n in pair]  # as `functional.pad` takes it
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        shape = (first, second // groups, *self.kernel_size)
        self.weight = Parameter(empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def _reach(self) -> list[int]:
        return [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size, strict=True)]

    def reset_parameters(self) -> None:
        """Draw weight and bias anew."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            inputs = self.weight.shape[1] * math.prod(self.weight.shape[2:])
            if inputs:
                bound = 1 / math.sqrt(inputs)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        shown = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if isinstance(self.padding, str) or any(self.padding):
            shown += f", padding={self.padding}"
        if any(d != 1 for d in self.dilation):
            shown += f", dilation={self.dilation}"
        if any(self.output_padding):
            shown += f", output_padding={self.output_padding}"
        if self.groups != 1:
            shown += f", groups={self.groups}"
        if self.bias is None:
            shown += ", bias=False"
        return shown if self.padding_mode == "zeros" else f"{shown}, padding_mode={self.padding_mode}"


class _Convolution(_ConvNd):
    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, bias: bool = True, padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._make(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            0,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        """The convolution by another weight and bias."""
        padding: Any = self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self._around, mode=self.padding_mode), 0
        convolve = (F.conv1d, F.conv2d, F.conv3d)[self.rank - 1]
        return convolve(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv1d(_Convolution):
    """Filters moved over signals (N, C, L) or (C, L): `y[n, o] = bias[o] + sum over windows of weight[o] * x[n]`.

    in_channels, out_channels  the channels of input and output
    kernel_size                the length of a window
    stride                     how far it is from window to window
    padding                    how many zeros are put at both ends; or "same" or "valid"
    dilation                   how far it is between the elements of a window
    groups                     into how many the channels are divided, each with filters of its own
    bias                       whether to add one
    padding_mode               what is put there in place of zeros: "reflect", "replicate" or "circular"

    `weight` has the shape (out_channels, in_channels / groups, kernel_size); both start uniform within one over the square root of
    the elements of a filter.
    Raises ValueError for channels that the groups do not divide, and for a padding that is unknown.

    >>> import wengert
    >>> wengert.nn.Conv1d(2, 4, 3)(wengert.ones(1, 2, 10)).shape
    torch.Size([1, 4, 8])
    """

    rank = 1


class Conv2d(_Convolution):
    """`Conv1d` of images (N, C, H, W) or (C, H, W); numbers may be pairs.

    >>> import wengert
    >>> wengert.nn.Conv2d(3, 8, 3, padding=1)(wengert.ones(1, 3, 6, 5)).shape
    torch.Size([1, 8, 6, 5])
    """

    rank = 2


class Conv3d(_Convolution):
    """`Conv1d` of volumes (N, C, D, H, W) or (C, D, H, W); numbers may be triples."""

    rank = 3


class _Transposed(_ConvNd):
    transposed = True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
        groups: int = 1, bias: bool = True, dilation: Any = 1, padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self._make(
            in_channels, out_channels, kernel_size, stride, padding, dilation, output_padding, groups, bias, padding_mode, device,
            dtype,
        )  # fmt: skip

    def _output_padding(self, input: Tensor, output_size: Any) -> Any:
        """The output padding with which the output gets a size."""
        if output_size is None:
            return self.output_padding
        rank, wanted = self.rank, list(output_size)
        if len(wanted) == input.dim():
            wanted = wanted[-rank:]
        if len(wanted) != rank:
            raise ValueError(
                f"ConvTranspose{rank}D: for {input.dim()}D input, output_size must have {rank} or {input.dim()} elements (got "
                f"{len(wanted)})"
            )
        least = [
            (n - 1) * s - 2 * p + r + 1
            for n, s, p, r in zip(input.shape[-rank:], self.stride, self.padding, self._reach(), strict=True)
        ]
        most = [n + s - 1 for n, s in zip(least, self.stride, strict=True)]
        if any(not low <= n <= high for n, low, high in zip(wanted, least, most, strict=True)):
            raise ValueError(
                f"requested an output size of {output_size}, but valid sizes range from {least} to {most} (for an input of "
                f"{input.shape[-rank:]})"
            )
        return tuple(n - low for n, low in zip(wanted, least, strict=True))

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        convolve = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[self.rank - 1]
        return convolve(
            input, self.weight, self.bias, self.stride, self.padding, self._output_padding(input, output_size), self.groups,
            self.dilation,
        )  # fmt: skip


class ConvTranspose1d(_Transposed):
    """The transpose of `Conv1d`: each element of the input spreads a filter over the output.

    output_padding  how much longer the output is made at its end; or give `output_size` to the call
    The other arguments are those of `Conv1d`; `weight` has the shape (in_channels, out_channels / groups, kernel_size).

    >>> import wengert
    >>> wengert.nn.ConvTranspose1d(2, 4, 3, stride=2)(wengert.ones(1, 2, 5), output_size=[12]).shape
    torch.Size([1, 4, 12])
    """

    rank = 1


class ConvTranspose2d(_Transposed):
    """`ConvTranspose1d` of images (N, C, H, W) or (C, H, W); numbers may be pairs."""

    rank = 2


class ConvTranspose3d(_Transposed):
    """`ConvTranspose1d` of volumes (N, C, D, H, W) or (C, D, H, W); numbers may be triples."""

    rank = 3
