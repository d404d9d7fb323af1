"""Channels and pixels rearranged: `pixel_shuffle`, `pixel_unshuffle`, `channel_shuffle`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .declare import linear
from .dims import check_tensor, dim_number
from .expose import expose

if TYPE_CHECKING:
    from ..tensor import Tensor

# ------------------------------------------------------------------------------------------------ declarations


def _spread_channels(a: Any, r: int) -> Any:
    *lead, c, h, w = a.shape
    n = len(lead)
    parts = a.reshape(*lead, c // (r * r), r, r, h, w)
    order = (*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return np.array(parts.transpose(order), order="C").reshape(*lead, c // (r * r), h * r, w * r)


def _gather_pixels(a: Any, r: int) -> Any:
    *lead, c, h, w = a.shape
    n = len(lead)
    parts = a.reshape(*lead, c, h // r, r, w // r, r)
    order = (*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return np.array(parts.transpose(order), order="C").reshape(*lead, c * r * r, h // r, w // r)


def _exchange(a: Any, groups: int) -> Any:
    n, c, *rest = a.shape
    return np.array(a.reshape(n, groups, c // groups, *rest).swapaxes(1, 2), order="C").reshape(a.shape)


_pixel_shuffle = linear(
    "pixel_shuffle", _spread_channels, lambda F, t, factor: F.pixel_unshuffle(t, factor), ("factor",), holomorphic=False
)
_pixel_unshuffle = linear(
    "pixel_unshuffle", _gather_pixels, lambda F, t, factor: F.pixel_shuffle(t, factor), ("factor",), holomorphic=False
)
_channel_shuffle = linear(
    "channel_shuffle", _exchange, lambda F, t, self_shape, groups: F.channel_shuffle(t, self_shape[1] // groups or 1),
    ("groups",), holomorphic=False,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ functions


def _check_factor(function: str, input: Tensor, factor: Any, name: str) -> int:
    shape = check_tensor(function, input)._array.shape
    number = dim_number(function, factor, name, 2)
    if len(shape) < 3:
        raise RuntimeError(
            f"{function} expects input to have at least 3 dimensions, but got input with {len(shape)} dimension(s)"
        )
    if number <= 0:
        raise RuntimeError(f"{function} expects a positive {name}, but got {number}")
    return number


def pixel_shuffle(input: Tensor, upscale_factor: int) -> Any:
    """Channels spread over pixels: (..., C r r, H, W) becomes (..., C, H r, W r).

    Raises RuntimeError unless the number of channels is divisible by the square of the factor.

    >>> import wengert
    >>> wengert.pixel_shuffle(wengert.arange(4.0).reshape(4, 1, 1), 2)
    tensor([[[0., 1.],
             [2., 3.]]])
    """
    factor = _check_factor("pixel_shuffle", input, upscale_factor, "upscale_factor")
    channels = input._array.shape[-3]
    if channels % (factor * factor):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but "
            f"input.size(-3)={channels} is not divisible by {factor * factor}"
        )
    return _pixel_shuffle(input, factor)


def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Any:
    """Pixels gathered in channels: (..., C, H r, W r) becomes (..., C r r, H, W).

    Raises RuntimeError unless height and width are divisible by the factor.

    >>> import wengert
    >>> wengert.pixel_unshuffle(wengert.arange(4.0).reshape(1, 2, 2), 2).flatten()
    tensor([0., 1., 2., 3.])
    """
    factor = _check_factor("pixel_unshuffle", input, downscale_factor, "downscale_factor")
    for name, dim in (("height", -2), ("width", -1)):
        n = input._array.shape[dim]
        if n % factor:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({dim})={n} is not divisible by "
                f"{factor}"
            )
    return _pixel_unshuffle(input, factor)


def channel_shuffle(input: Tensor, groups: int) -> Any:
    """The channels of (N, C, ...), in so many groups, taken in turns: one of each group, then the next of each.

    Raises RuntimeError unless the number of channels is divisible by that of the groups.

    >>> import wengert
    >>> wengert.channel_shuffle(wengert.arange(4.0).reshape(1, 4, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
    shape = check_tensor("channel_shuffle", input)._array.shape
    number = dim_number("channel_shuffle", groups, "groups", 2)
    if len(shape) < 3:
        raise RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(shape)}")
    if number <= 0:
        raise RuntimeError(f"Number of groups to divide channels in must be positive. Value of groups:{number}")
    if shape[1] % number:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {shape[1]} channels and {number} groups."
        )
    return _channel_shuffle(input, number)


native_channel_shuffle = channel_shuffle

__all__ = expose(__name__, functions="channel_shuffle native_channel_shuffle pixel_shuffle pixel_unshuffle")
