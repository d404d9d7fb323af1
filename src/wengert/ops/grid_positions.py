"""Where `grid_sample` looks, and with what weights: positions in an input for a grid of numbers from -1 to 1, and what padding makes
of them."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

_CUBIC = -0.75  # the slope of the kernel at 1
#: the kernel near the middle (up to 1) and beyond it (up to 2), as polynomials in the distance, the highest power first
_NEAR = (_CUBIC + 2, -(_CUBIC + 3), 0.0, 1.0)
_FAR = (_CUBIC, -5 * _CUBIC, 8 * _CUBIC, -4 * _CUBIC)


def _reflected(at: Any, low: float, span: float) -> tuple[Any, Any]:
    """Positions folded into [low, low + span], and the sign of the slope with which they move there."""
    if span == 0:
        return np.zeros_like(at), np.zeros_like(at)
    kind = at.dtype.type
    distance = at - kind(low)
    side = np.where(distance < 0, kind(-1), kind(1))
    distance = abs(distance)
    extra = np.fmod(distance, kind(span))
    odd = np.fmod(np.floor(distance / kind(span)), 2) != 0
    return np.where(odd, kind(span + low) - extra, extra + kind(low)), np.where(odd, -side, side)


def _padded(at: Any, n: int, padding: str, align: bool) -> tuple[Any, Any]:
    """Positions brought into the axis as the padding has it, and the slope (None for 1) with which they follow there."""
    if padding == "zeros":
        return at, None
    kind = at.dtype.type
    slope: Any = None
    if padding == "reflection":
        at, slope = _reflected(at, *((0, n - 1) if align else (-0.5, n)))
    inside = (at > 0) & (at < n - 1)
    at = np.fmin(np.fmax(at, kind(0)), kind(n - 1))  # where nan becomes 0
    return at, inside.astype(at.dtype) if slope is None else slope * inside


def _derived(coefficients: tuple[float, ...], order: int) -> list[float]:
    """The coefficients of a derivative of a polynomial."""
    found = list(coefficients)
    for _ in range(order):
        found = [c * (len(found) - 1 - i) for i, c in enumerate(found[:-1])]
    return found


def _polynomial(coefficients: list[float], x: Any) -> Any:
    total = np.zeros_like(x)
    for c in coefficients:
        total = total * x + x.dtype.type(c)
    return total


def _axis_taps(at: Any, n: int, mode: str, padding: str, align: bool, orders: list[int]) -> list[tuple[Any, list[Any]]]:
    """The elements of one axis that each position takes: (place, weights), derivatives of the weight of some orders in the grid.

    A place is below 0, or n and above, or nan, where there is no element.
    """
    kind = at.dtype.type
    rate = kind((n - 1) / 2 if align else n / 2)
    at = (at + 1) * rate if align else (at + 1) * rate - kind(0.5)
    if mode == "bicubic":
        low = np.floor(at)
        t = at - low
        found = []
        for shift, coefficients, distance, sign in (
            (-1, _FAR, t + 1, 1), (0, _NEAR, t, 1), (1, _NEAR, 1 - t, -1), (2, _FAR, 2 - t, -1),
        ):  # fmt: skip
            weights = [_polynomial(_derived(coefficients, k), distance) * kind((sign * rate) ** k) for k in orders]
            found.append((_padded(low + kind(shift), n, padding, align)[0], weights))
        return found
    at, slope = _padded(at, n, padding, align)
    if mode == "nearest":
        return [(np.rint(at), [np.ones_like(at)] * len(orders))]
    low = np.floor(at)
    high = low + 1
    factor: Any = None
    if any(orders):
        factor = np.full_like(at, rate) if slope is None else slope * rate
    return [(low, [-factor if k else high - at for k in orders]), (high, [factor if k else at - low for k in orders])]


_DEGREES = {"nearest": 0, "bilinear": 1, "bicubic": 3}


def vanishes(mode: str, orders: tuple[int, ...]) -> bool:
    """Whether derivatives of these orders are zero everywhere, the weights being polynomials of a lower degree."""
    return max(orders) > _DEGREES[mode]


def taps(
    grid: Any, shape: tuple[int, ...], mode: str, padding: str, align: bool, several: list[tuple[int, ...]]
) -> Iterator[tuple[Any, list[Any]]]:
    """The elements of a plane (or volume) of a shape that each point of a grid (..., rank) takes: (flat index, weights).

    several: for each of the weights the order of its derivative along each axis of the shape; none that vanishes.
    The last axis of the grid counts the axes of the shape from the last. The index of what lies outside is 0, its weight 0 (nan
    where it was nan).
    """
    rank = len(shape)
    prepared: list[Any] = []
    step = 1
    for i in reversed(range(rank)):
        found = []
        orders = [each[i] for each in several]
        for place, weights in _axis_taps(grid[..., rank - 1 - i], shape[i], mode, padding, align, orders):
            index = place.astype(np.int64)  # of nan and what is too large this makes a negative number
            if not (place.min() >= 0 and place.max() < shape[i]):
                inside = index.view(np.uint64) < shape[i]
                index *= inside
                weights = [weight * inside for weight in weights]
            if step > 1:
                index *= step
            found.append((index, weights))
        prepared.insert(0, found)
        step *= shape[i]
    for combination in product(*prepared):
        (index, weights), (further, more), *rest = combination
        index, weights = index + further, [a * b for a, b in zip(weights, more, strict=True)]
        for further, more in rest:
            index, weights = index + further, [a * b for a, b in zip(weights, more, strict=True)]
        yield index, weights
