"""Normals by the block, as PyTorch fills a contiguous tensor of 16 elements or more.

The uniforms are drawn into place; of each 16, the first 8 become radii and the other 8 angles, and the method of Box
and Muller makes 16 normals of them (G. E. P. Box and M. E. Muller, Annals of Mathematical Statistics 29, 1958). What is
left over at the end is drawn anew: the last 16 elements as one block.

In float32 PyTorch computes logarithm, sine and cosine by the polynomials of S. L. Moshier's Cephes library, each
multiplication and addition fused. They are retraced here rounding for rounding: in float64, where a product of two
float32 is exact, and then to float32. (That rounds a fused sum twice, which goes wrong once in 5e8.)
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ._fma import fma64
from ._mersenne import each

if TYPE_CHECKING:
    Array = np.ndarray[Any, np.dtype[Any]]

BLOCK = 16
_ROWS = 1024  # blocks at a time: their intermediate results stay in the processor's cache

_f32 = np.float32
_LOG = tuple(
    float(_f32(c))
    for c in (
        7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
        2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
    )
)  # fmt: skip
_LN2_HIGH, _LN2_LOW = _f32(0.693359375), _f32(-2.12194440e-4)
_ROOT_HALF = 0x3F3504F3  # the bits of sqrt(1/2)
_SIN = tuple(float(_f32(c)) for c in (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1))
_COS = tuple(float(_f32(c)) for c in (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2))
# pi / 4 in three parts, of which two have so few digits that their products with small integers are exact
_EIGHTH_1, _EIGHTH_2, _EIGHTH_3 = _f32(0.78515625), _f32(2.4187564849853515625e-4), float(_f32(3.77489497744594108e-8))
_FOUR_OVER_PI = _f32(1.27323954473516)
_TURN = _f32(2.0 * math.pi)


def normal_blocks32(values: Array, mean: float, std: float) -> None:
    """Turn uniforms, whole blocks of float32, into normals in place."""
    scale, shift = float(_f32(std)), float(_f32(mean))
    blocks = values.reshape(-1, 2, BLOCK // 2)
    for start in range(0, len(blocks), _ROWS):
        part = blocks[start : start + _ROWS]
        radii = _radii(_f32(1.0) - part[:, 0])
        for place, factor in enumerate(_cos_and_sin(_TURN * part[:, 1])):
            factor *= radii
            part[:, place] = fused(factor.astype(np.float64), scale, shift)


def normal_blocks64(values: Array, mean: float, std: float) -> None:
    """Turn uniforms, whole blocks of float64, into normals in place."""
    blocks = values.reshape(-1, 2, BLOCK // 2)
    shape = blocks[:, 0].shape
    radii = np.sqrt(-2.0 * each(math.log, 1.0 - blocks[:, 0].ravel()))
    angles = 2.0 * math.pi * blocks[:, 1].ravel()
    blocks[:, 0] = fma64(radii * each(math.cos, angles), std, mean).reshape(shape)
    blocks[:, 1] = fma64(radii * each(math.sin, angles), std, mean).reshape(shape)


def fused(x: Array, factor: Any, addend: Any) -> Array:
    """x * factor + addend as float32, for float64 arrays (x is overwritten) or numbers with float32 values."""
    x *= factor
    x += addend
    return x.astype(_f32)


def _horner(coefficients: tuple[float, ...], x: Array) -> Array:
    """A polynomial of x, an array of float64 with float32 values, as float32."""
    value = x * coefficients[0]
    single = np.empty(x.shape, _f32)
    for c in coefficients[1:-1]:
        value += c
        np.copyto(single, value, casting="same_kind")
        np.copyto(value, single)
        value *= x
    value += coefficients[-1]
    np.copyto(single, value, casting="same_kind")
    return single


def _radii(u: Array) -> Array:
    """sqrt(-2 log u) for u in (0, 1]."""
    bits = u.view(np.int32)
    exponent = (bits - _ROOT_HALF) >> 23
    x = (bits - (exponent << 23)).view(_f32)  # u = x * 2**exponent, x from sqrt(1/2) to sqrt(2)
    x -= _f32(1.0)
    e = exponent.astype(_f32)
    square = x * x
    poly = _horner(_LOG, x.astype(np.float64))
    poly *= x
    value = fused(poly.astype(np.float64), square, e * _LN2_LOW)
    square *= _f32(0.5)
    value -= square
    value += x
    e *= _LN2_HIGH
    value += e
    value *= _f32(-2.0)
    return np.sqrt(value, out=value)


def _cos_and_sin(angle: Array) -> tuple[Array, Array]:
    """The cosine and the sine of angles in [0, 2 pi)."""
    octant = (angle * _FOUR_OVER_PI).astype(np.int32)
    octant += 1
    octant &= ~1
    y = octant.astype(_f32)
    x = angle - y * _EIGHTH_1
    x -= y * _EIGHTH_2
    x = fused(y.astype(np.float64), -_EIGHTH_3, x)  # the angle from the nearest multiple of a quarter turn
    square = x * x
    wide = square.astype(np.float64)

    cosine = _horner(_COS, wide)
    cosine *= square
    square *= _f32(0.5)
    cosine = fused(cosine.astype(np.float64), wide, -square)
    cosine += _f32(1.0)

    sine = _horner(_SIN, wide)
    sine *= wide.astype(_f32)
    sine = fused(sine.astype(np.float64), x, x)

    # by their bits: exchanged in the second and the fourth quarter, and their signs set
    c, s = cosine.view(np.int32), sine.view(np.int32)
    exchange = (c ^ s) & -(octant >> 1 & 1)
    c ^= exchange
    s ^= exchange
    c ^= (octant + 2 & 4) << 29
    s ^= (octant & 4) << 29
    return cosine, sine
