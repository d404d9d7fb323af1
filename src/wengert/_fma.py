"""x * scale + shift, rounded once, as the processor's fused multiply-add rounds it.

PyTorch's samplers are compiled to that instruction. NumPy has no such function, and rounds after the product too.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

_SPLIT = 134217729.0  # 2**27 + 1: x * _SPLIT - (x * _SPLIT - x) is the upper half of x's digits
_CHUNK = 1 << 13  # at a time: the intermediate results stay in the processor's cache
_TIE = 1 << 28  # of a float64's last 29 bits, halfway between two float32


def fma32(x: Array, scale: float, shift: float) -> Array:
    """x * scale + shift in the place of x, a flat array of float32; the numbers are float32 values."""
    if _is_power_of_two(scale):
        x *= np.float32(scale)
        x += np.float32(shift)  # one of the two roundings is none
        return x
    for start in range(0, x.size, _CHUNK):
        part = x[start : start + _CHUNK]
        product = part.astype(np.float64)
        product *= scale  # exact: 24 digits by 24
        total = product + shift
        # The sum is rounded to float64, then to float32: where it is halfway, the first rounding decides the second.
        halfway = np.flatnonzero((total.view(np.int64) & (2 * _TIE - 1)) == _TIE)
        if halfway.size:
            rounded = total[halfway]
            rest = _sum_error(product[halfway], shift, rounded)
            total[halfway] = np.where(rest == 0, rounded, np.nextafter(rounded, np.where(rest > 0, np.inf, -np.inf)))
        np.copyto(part, total, casting="same_kind")
    return x


def fma64(x: Array, scale: float, shift: float) -> Array:
    """x * scale + shift in the place of x, a flat array of float64."""
    if not shift or _is_power_of_two(scale) or not 1e-290 < abs(scale) < 1e290:  # (the halves would leave the range)
        with np.errstate(all="ignore"):
            x *= scale
            x += shift
        return x
    upper = scale * _SPLIT
    upper -= upper - scale
    lower = scale - upper
    with np.errstate(all="ignore"):
        for start in range(0, x.size, _CHUNK):
            part = x[start : start + _CHUNK]
            high = part * _SPLIT
            high -= high - part
            low = part - high
            product = part * scale
            error = ((high * upper - product) + high * lower + low * upper) + low * lower
            total = product + shift
            error += _sum_error(product, shift, total)
            finite = np.isfinite(error)
            np.add(total, error, out=part, where=finite)
            np.copyto(part, total, where=~finite)
    return x


def _is_power_of_two(x: float) -> bool:
    return math.frexp(x)[0] in (0.5, -0.5)


def _sum_error(a: Array, b: float, total: Array) -> Array:
    """What a + b has lost in being rounded to `total`."""
    share: Array = total - a
    return (a - (total - share)) + (b - share)
