"""How `interpolate` maps one axis to another length: which elements each output takes, with which weights.

Positions are computed in the precision of the input (float32 for halves) and rounded where PyTorch rounds them: that decides which
element is the nearest.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from .taps import Taps

_CUBIC = -0.75  # the slope of the kernel at 1; of the one with antialiasing it is -0.5
_CUBIC_ANTIALIASED = -0.5


def _scale(length: int, out: int, align: bool, factor: float | None, kind: Any) -> Any:
    """From output to output, the distance in the input; `factor` is what the user asked for, if he did."""
    if align:
        return kind(length - 1) / kind(out - 1) if out > 1 else kind(0)
    if factor is not None and factor > 0:
        return kind(1.0 / factor)
    return kind(length) / kind(out)


def _positions(length: int, out: int, align: bool, factor: float | None, kind: Any) -> Any:
    """Where the outputs lie in the input."""
    number = np.arange(out).astype(kind)
    scale = _scale(length, out, align, factor, kind)
    return scale * number if align else scale * (number + kind(0.5)) - kind(0.5)


@lru_cache(256)
def nearest(length: int, out: int, factor: float | None, kind: Any, exact: bool, small: bool) -> Taps:
    """The element nearest to the centre of each output (`exact`), or to its beginning.

    PyTorch rounds in one of two ways, and takes `small` images in another than large ones; where a position comes close to a
    whole number, this decides.
    """
    number = np.arange(out)
    if small and not exact and out in (length, 2 * length):
        index = number // (out // length)
    else:
        place: Any = number + 0.5 if exact else number
        if small or kind is not np.float64:
            at = place.astype(np.float32) * _scale(length, out, False, factor, np.float32)
        else:
            at = (place * _scale(length, out, False, factor, kind)).astype(np.float32)
        index = np.floor(at).astype(np.int64)
    return Taps(length, out, number, np.minimum(index, length - 1), np.ones(out, np.float32))


@lru_cache(256)
def linear(length: int, out: int, align: bool, factor: float | None, kind: Any) -> Taps:
    """The two elements beside each output, weighted by how near they are."""
    number = np.arange(out)
    if out == length:
        return Taps(length, out, number, number, np.ones(out, kind))
    at = np.maximum(_positions(length, out, align, factor, kind), kind(0))
    low = np.minimum(at.astype(np.int64), length - 1)
    share = np.clip(at - low.astype(kind), kind(0), kind(1))
    high = np.minimum(low + 1, length - 1)
    return Taps(
        length, out, np.concatenate([number, number]), np.concatenate([low, high]), np.concatenate([1 - share, share])
    )


def cubic_weights(t: Any, a: float) -> list[Any]:
    """The weights of the four elements around a position, `t` behind the second of them.

    R. Keys, "Cubic convolution interpolation for digital image processing" (1981).
    """

    def near(x: Any) -> Any:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x: Any) -> Any:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return [far(t + 1), near(t), near(1 - t), far(2 - t)]


@lru_cache(256)
def cubic(length: int, out: int, align: bool, factor: float | None, kind: Any) -> Taps:
    """The four elements around each output, the edge repeated, weighted by cubic convolution."""
    number = np.arange(out)
    at = _positions(length, out, align, factor, kind)
    low = np.minimum(np.floor(at).astype(np.int64), length - 1)
    weights = cubic_weights(np.clip(at - low.astype(kind), kind(0), kind(1)), _CUBIC)
    elements = [np.clip(low + d, 0, length - 1) for d in (-1, 0, 1, 2)]
    return Taps(length, out, np.tile(number, 4), np.concatenate(elements), np.concatenate(weights).astype(kind))


@lru_cache(256)
def antialiased(length: int, out: int, align: bool, factor: float | None, kind: Any, cubic: bool) -> Taps:
    """All elements under a kernel that is as wide as the outputs are apart, so that shrinking leaves nothing out."""
    number = np.arange(out)
    if out == length:
        return Taps(length, out, number, number, np.ones(out, kind))
    scale = _scale(length, out, align, factor, kind)
    reach = kind(2 if cubic else 1)
    support = reach * scale if scale >= 1 else reach
    narrow = kind(1) / scale if scale >= 1 else kind(1)
    centre = scale * (number.astype(kind) + kind(0.5))
    low = np.maximum((centre - support + kind(0.5)).astype(np.int64), 0)
    high = np.minimum((centre + support + kind(0.5)).astype(np.int64), length)
    outputs = np.repeat(number, high - low)
    elements = np.arange(len(outputs)) - np.repeat(np.cumsum(high - low) - high, high - low)
    distance = abs((elements.astype(kind) - centre[outputs] + kind(0.5)) * narrow)
    if cubic:
        near, far = cubic_weights(distance, _CUBIC_ANTIALIASED)[1], cubic_weights(distance - 1, _CUBIC_ANTIALIASED)[0]
        weights = np.where(distance < 1, near, np.where(distance < 2, far, 0)).astype(kind)
    else:
        weights = np.maximum(1 - distance, kind(0))
    total = np.zeros(out, kind)
    np.add.at(total, outputs, weights)
    return Taps(length, out, outputs, elements, (weights / total[outputs]).astype(kind))
