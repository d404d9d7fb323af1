"""Bessel functions of the first and second kind and modified ones of the second, and Airy's function, in NumPy alone.

small arguments   the power series, where nothing cancels yet
middle, J and Y   the recurrence in the order, run downwards (Miller), where J is the solution that grows; Y is Neumann's sum over
                  J of even order (DLMF 10.23)
middle, K         the integral of exp(-x cosh t) cosh(n t) by the trapezoidal rule, which converges exponentially (DLMF 10.32)
large             Hankel's asymptotic series (DLMF 10.17, 10.40)
Airy              by J and K of order 1/3 (DLMF 9.6), its derivative by those of order 2/3
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._erf import Array, apply_pieces, widened

_EULER = 0.5772156649015329
_SMALL, _LARGE = 2.0, 25.0  # from where to where the middle goes
_ORDERS = 80  # where the recurrence begins: J of that order is 0 for all that is not large

# ------------------------------------------------------------------------------------------------ the methods


def _series(q: Array, n: int) -> tuple[Array, Array]:
    """Sums over k of q**k / (k! (k + n)!), and of the same times H_k + H_(k+n), with harmonic numbers H, for |q| up to 1."""
    term = np.full_like(q, 1 / math.factorial(n))
    low, high = 0.0, sum(1 / j for j in range(1, n + 1))
    plain, harmonic = term.copy(), term * (low + high)
    for k in range(1, 13):
        term = term * q / (k * (k + n))
        low, high = low + 1 / k, high + 1 / (k + n)
        plain += term
        harmonic += term * (low + high)
    return plain, harmonic


def _downwards(x: Array, order: float) -> list[Array]:
    """J of this order, which is above -1, and of the next ones; x in the middle."""
    found = [np.zeros_like(x), np.full_like(x, 1e-250)]
    for k in range(_ORDERS, 0, -1):
        found.append(2 * (order + k) / x * found[-1] - found[-2])
    found.reverse()
    # (x/2)**v is the sum over k of (v + 2 k) gamma(v + k) / k! J_(v+2k)  (DLMF 10.23.15); v gamma(v) is gamma(v + 1)
    total = found[0] * math.gamma(order + 1)
    weight = math.gamma(order + 1)  # gamma(v + k) / k!
    for k in range(1, _ORDERS // 2):
        total += (order + 2 * k) * weight * found[2 * k]
        weight *= (order + k) / (k + 1)
    scale = (x / 2) ** order / total
    return [scale * f for f in found[:-2]]


def _hankel(x: Array, order: float, sign: int) -> tuple[Array, Array]:
    """The even and the odd terms of the series in 1/x, with alternating signs for J and Y (-1), or all as they are for K (1)."""
    term = np.ones_like(x)
    parts = [term.copy(), np.zeros_like(x)]
    for k in range(1, 25):
        term = term * ((4 * order * order - (2 * k - 1) ** 2) / (8 * k)) / x
        if sign < 0 and k % 2 == 0:
            term = -term
        parts[k % 2] += term
    return parts[0], parts[1]


def _waves(x: Array, order: float) -> tuple[Array, Array]:
    """J and Y of large x."""
    p, q = _hankel(x, order, -1)
    shift = (order / 2 + 0.25) * math.pi
    cosine = np.cos(x) * math.cos(shift) + np.sin(x) * math.sin(shift)
    sine = np.sin(x) * math.cos(shift) - np.cos(x) * math.sin(shift)
    size = np.sqrt(2 / (np.pi * x))
    return size * (p * cosine - q * sine), size * (p * sine + q * cosine)


def _decay(x: Array, order: float) -> Array:
    """exp(x) K(x) for x from 0.6 on."""
    step = 0.35 / np.sqrt(np.maximum(x, 2.0))
    total = np.full_like(x, 0.5)
    for k in range(1, 27):
        t = k * step
        total += np.exp(-2 * x * np.sinh(t / 2) ** 2) * np.cosh(order * t)
    return total * step


def _logarithm(x: Array) -> Array:
    return np.log(x / 2) + _EULER


# ------------------------------------------------------------------------------------------------ J, Y


def _j_small(x: Array, n: int) -> Array:
    return _series(-x * x / 4, n)[0] * (x / 2) ** n


def _y_small(x: Array, n: int) -> Array:
    plain, harmonic = _series(-x * x / 4, n)
    if n == 0:
        return (2 * _logarithm(x) * plain - harmonic) / np.pi
    return (_logarithm(x) * x * plain - x / 2 * harmonic - 2 / x) / np.pi


def _y_middle(x: Array, n: int) -> Array:
    j = _downwards(x, 0)
    total = np.zeros_like(x)
    for k in range(1, _ORDERS // 2 - 1):
        total += (-1) ** k * (2 * j[2 * k] if n == 0 else j[2 * k + 1] - j[2 * k - 1]) / k
    first = _logarithm(x) * j[n]
    return 2 / np.pi * ((first if n == 0 else first - j[0] / x) - total)


def bessel_j(a: Any, n: int) -> Array:
    """The Bessel function of the first kind of order 0 or 1."""
    x, made, dtype = widened(a)
    made[...] = np.nan
    size = np.abs(x)
    apply_pieces(
        size, made,
        (
            (size < _SMALL, lambda x: _j_small(x, n)),
            ((size >= _SMALL) & (size < _LARGE), lambda x: _downwards(x, 0)[n]),
            ((size >= _LARGE) & (size < np.inf), lambda x: _waves(x, n)[0]),
            (size == np.inf, np.zeros_like),
        ),
    )  # fmt: skip
    if n % 2:
        np.negative(made, out=made, where=np.signbit(x))
    return made.astype(dtype).reshape(np.shape(a))


def bessel_y(a: Any, n: int) -> Array:
    """The Bessel function of the second kind of order 0 or 1: -inf at 0, nan below."""
    x, made, dtype = widened(a)
    made[...] = np.nan
    apply_pieces(
        x, made,
        (
            ((x > 0) & (x < _SMALL), lambda x: _y_small(x, n)),
            ((x >= _SMALL) & (x < _LARGE), lambda x: _y_middle(x, n)),
            ((x >= _LARGE) & (x < np.inf), lambda x: _waves(x, n)[1]),
            (x == 0, lambda x: np.full_like(x, -np.inf)),
            (x == np.inf, np.zeros_like),
        ),
    )  # fmt: skip
    return made.astype(dtype).reshape(np.shape(a))


# ------------------------------------------------------------------------------------------------ K


def _k_small(x: Array, n: int) -> Array:
    plain, harmonic = _series(x * x / 4, n)
    if n == 0:
        return harmonic / 2 - _logarithm(x) * plain
    return 1 / x + _logarithm(x) * x / 2 * plain - x / 4 * harmonic


def bessel_k(a: Any, n: int, scaled: bool = False) -> Array:
    """The modified Bessel function of the second kind of order 0 or 1, times exp(x) if it is to be scaled: inf at 0, nan below."""
    x, made, dtype = widened(a)
    made[...] = np.nan

    def damped(x: Array, value: Array) -> Array:
        return value if scaled else value * np.exp(-x)

    apply_pieces(
        x, made,
        (
            ((x > 0) & (x < 1), lambda x: _k_small(x, n) * np.exp(x) if scaled else _k_small(x, n)),
            ((x >= 1) & (x < _LARGE), lambda x: damped(x, _decay(x, n))),
            ((x >= _LARGE) & (x < np.inf), lambda x: damped(x, np.sqrt(np.pi / (2 * x)) * sum(_hankel(x, n, 1)))),
            (x == 0, lambda x: np.full_like(x, np.inf)),
            (x == np.inf, np.zeros_like),
        ),
    )  # fmt: skip
    return made.astype(dtype).reshape(np.shape(a))


# ------------------------------------------------------------------------------------------------ Airy

_AT_ZERO = (1 / (3 ** (2 / 3) * math.gamma(2 / 3)), -1 / (3 ** (1 / 3) * math.gamma(1 / 3)))  # the value, the slope


def _airy_small(x: Array, slope: bool) -> Array:
    """The power series, whose coefficients follow from y'' = x y."""
    made = np.zeros_like(x)
    for first, start in enumerate(_AT_ZERO):
        c = start
        for n in range(first, 40, 3):
            power = n - 1 if slope else n
            if power >= 0:
                made += (c * n if slope else c) * x**power
            c /= (n + 3) * (n + 2)
    return made


def _airy_right(x: Array, slope: bool) -> Array:
    z = 2 / 3 * x * np.sqrt(x)
    if slope:
        return -x / (np.pi * math.sqrt(3)) * _decay(z, 2 / 3) * np.exp(-z)
    return np.sqrt(x / 3) / np.pi * _decay(z, 1 / 3) * np.exp(-z)


def _airy_left(x: Array, slope: bool, j: Any) -> Array:
    size = -x
    z = 2 / 3 * size * np.sqrt(size)
    if slope:
        return size / 3 * (j(z, 2 / 3) - j(z, -2 / 3))
    return np.sqrt(size) / 3 * (j(z, 1 / 3) + j(z, -1 / 3))


def airy(a: Any, slope: bool = False) -> Array:
    """Airy's function Ai, or its derivative."""
    x, made, dtype = widened(a)
    made[...] = np.nan
    edge = -((1.5 * _LARGE) ** (2 / 3))
    apply_pieces(
        x, made,
        (
            (np.abs(x) < 1, lambda x: _airy_small(x, slope)),
            ((x >= 1) & (x < np.inf), lambda x: _airy_right(x, slope)),
            ((x <= -1) & (x > edge), lambda x: _airy_left(x, slope, lambda z, v: _downwards(z, v)[0])),
            ((x <= edge) & (x > -np.inf), lambda x: _airy_left(x, slope, lambda z, v: _waves(z, v)[0])),
            (x == np.inf, np.zeros_like),
        ),
    )  # fmt: skip
    return made.astype(dtype).reshape(np.shape(a))
