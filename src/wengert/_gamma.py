"""The gamma function's logarithm and derivatives, and what is made of them, on arrays of real numbers, in NumPy alone.

lgamma     Stirling's series for large arguments, the Taylor series about 2 below, both reached by recurrence and
reflection digamma    the asymptotic series, after the recurrence has made the argument large; reflection for negative
ones zeta       Hurwitz's: the first terms, and the rest by Euler and Maclaurin
gammainc   the power series where x < a + 1, the continued fraction elsewhere
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from ._erf import FEW, Array, apply_pieces, blocks, horner, widened

# Bernoulli's numbers B_2, B_4...
_BERNOULLI = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330, 854513 / 138,
    -236364091 / 2730,
)  # fmt: skip
_HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)
_EULER = 0.5772156649015329

# ------------------------------------------------------------------------------------------------ lgamma


def _zeta_less_one(k: int) -> float:
    """Riemann's zeta(k) - 1."""
    n = 12
    total = sum(i**-k for i in range(n - 1, 1, -1)) + n ** (1 - k) / (k - 1) + n**-k / 2
    factor = float(k)
    for j, b in enumerate(_BERNOULLI[:8], 1):
        total += b / math.factorial(2 * j) * factor * n ** (1 - k - 2 * j)
        factor *= (k + 2 * j - 1) * (k + 2 * j)
    return total


@lru_cache(maxsize=1)
def _about_two() -> tuple[float, ...]:
    """The coefficients of lgamma(2 + z)."""
    return (0.0, 1 - _EULER, *((-1) ** k * _zeta_less_one(k) / k for k in range(2, 36)))


_STIRLING = tuple(b / (2 * k * (2 * k - 1)) for k, b in enumerate(_BERNOULLI[:9], 1))


def _stirling(x: Array) -> Array:
    """lgamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2), which is small."""
    inverse = 1 / x
    return horner(_STIRLING, inverse * inverse) * inverse


def _large(x: Array) -> Array:
    return np.where(np.isinf(x), x, (x - 0.5) * np.log(x) - x + _HALF_LOG_TWO_PI + _stirling(x))


def _middle(x: Array) -> Array:
    """lgamma on [2.5, 8), by the product that leads down to [1.5, 2.5)."""
    product = np.ones_like(x)
    x = x.copy()
    for _ in range(6):
        high = x >= 2.5
        x[high] -= 1
        product[high] *= x[high]
    return np.log(product) + horner(_about_two(), x - 2)


def _positive(x: Array) -> Array:
    made = np.full_like(x, np.nan)
    apply_pieces(
        x, made,
        (
            (x >= 8, _large),
            ((x >= 2.5) & (x < 8), _middle),
            ((x >= 1.5) & (x < 2.5), lambda x: horner(_about_two(), x - 2)),
            ((x >= 0.5) & (x < 1.5), lambda x: horner(_about_two(), x - 1) - np.log1p(x - 1)),
            (x < 0.5, lambda x: horner(_about_two(), x) - np.log1p(x) - np.log(x)),
        ),
    )  # fmt: skip
    return made


def _reflected(x: Array) -> Array:
    """lgamma of negative numbers: gamma(x) gamma(1 - x) = pi / sin(pi x)."""
    sine = np.sin(np.pi * (x - np.rint(x)))
    return np.where(np.isinf(x) | (sine == 0), np.inf, np.log(np.pi / np.abs(sine)) - _positive(1 - x))


def lgamma(a: Any) -> Array:
    """The logarithm of the absolute value of the gamma function."""
    x, made, dtype = widened(a)
    if x.size <= FEW and dtype.itemsize < 8:
        try:  # the C library's, of which the last digits of double precision differ
            return np.array([math.lgamma(v) for v in x.tolist()]).astype(dtype).reshape(np.shape(a))
        except (ValueError, OverflowError):  # at a pole, or where the result is beyond even double precision
            pass
    for part in blocks(x.size):
        _lgamma_block(x[part], made[part])
    return made.astype(dtype).reshape(np.shape(a))


def _lgamma_block(x: Array, made: Array) -> None:
    made[...] = np.nan
    apply_pieces(x, made, ((x >= 0, _positive), (x < 0, _reflected)))


# --------------------------------------------------------------------------------------------- digamma, zeta, polygamma

_DIGAMMA = tuple(-b / (2 * k) for k, b in enumerate(_BERNOULLI[:9], 1))


def _digamma_positive(x: Array) -> Array:
    x = x.copy()
    shift = np.zeros_like(x)
    for _ in range(9):
        low = x < 8
        if not low.any():
            break
        shift[low] -= 1 / x[low]
        x[low] += 1
    square = 1 / (x * x)
    return shift + (np.log(x) - 0.5 / x + horner(_DIGAMMA, square) * square)


def _digamma_negative(x: Array) -> Array:
    part = x - np.rint(x)
    return np.where(part == 0, np.nan, _digamma_positive(1 - x) - np.pi / np.tan(np.pi * part))


def digamma(a: Any) -> Array:
    """The derivative of lgamma."""
    x, made, dtype = widened(a)
    for part in blocks(x.size):
        _digamma_block(x[part], made[part])
    return made.astype(dtype).reshape(np.shape(a))


def _digamma_block(x: Array, made: Array) -> None:
    made[...] = np.nan
    apply_pieces(
        x, made,
        (
            (x > 0, _digamma_positive),
            (x == 0, lambda x: np.copysign(np.inf, -x)),
            ((x < 0) & np.isfinite(x), _digamma_negative),
        ),
    )  # fmt: skip


def _tail(s: Array, q: Array) -> Array:
    """The sum of (q + k)**-s over all k >= 0 for q >= 10 and q >= s + 8, by Euler and Maclaurin."""
    total = q ** (1 - s) / (s - 1) + 0.5 * q**-s
    term = s * q ** (-s - 1)
    for k, b in enumerate(_BERNOULLI, 1):
        total = total + term * (b / math.factorial(2 * k))
        term = term * ((s + 2 * k - 1) * (s + 2 * k)) / (q * q)
    return total


def _zeta(s: Array, q: Array) -> Array:
    total = np.zeros_like(q)
    q = q.copy()
    while True:
        low = (q < 10) | (q < s + 8)
        if not low.any():
            break
        total[low] += q[low] ** -s[low]
        q[low] += 1
    return total + _tail(s, q)


def zeta(s: Any, q: Any) -> Array:
    """Hurwitz's zeta function, the sum of (q + k)**-s over all k >= 0; nan for s < 1, inf where a term is."""
    s, q = np.asarray(s), np.asarray(q)
    dtype = s.dtype if s.dtype.kind not in "biu" else np.dtype(np.float64)
    s, q = (x.astype(np.float64) for x in np.broadcast_arrays(s, q))
    made = np.full(s.shape, np.nan)
    whole = q == np.floor(q)
    made[(s > 1) & (q <= 0) & whole] = np.inf
    made[s == 1] = np.inf
    good = (s > 1) & np.isfinite(q) & ((q > 0) | (~whole & (s == np.floor(s))))
    made[good] = _zeta(s[good], q[good])
    return made.astype(dtype)


@lru_cache(maxsize=32)
def _cotangent(n: int) -> tuple[float, ...]:
    """The n-th derivative of the cotangent as a polynomial of it."""
    p = [0.0, 1.0]
    for _ in range(n):
        slope = [k * c for k, c in enumerate(p)][1:]
        p = [0.0] * (len(slope) + 2)
        for k, c in enumerate(slope):
            p[k] -= c
            p[k + 2] -= c
    return tuple(p)


def polygamma(a: Any, n: int) -> Array:
    """The n-th derivative of digamma."""
    if n == 0:
        return digamma(a)
    x, made, dtype = widened(a)
    made[...] = np.nan
    sign = (-1.0) ** (n + 1)

    def positive(x: Array) -> Array:
        return sign * math.factorial(n) * zeta(np.full_like(x, n + 1), x)

    def negative(x: Array) -> Array:
        part = x - np.rint(x)
        with_pole = np.where(part == 0, sign * np.inf, 0)
        return with_pole - sign * positive(1 - x) - np.pi ** (n + 1) * horner(_cotangent(n), 1 / np.tan(np.pi * part))

    apply_pieces(
        x, made,
        (
            ((x > 0) & np.isfinite(x), positive),
            (np.isposinf(x), np.zeros_like),
            ((x < 0) & np.isfinite(x) & (x != np.rint(x)), negative),
            ((x <= 0) & (x == np.rint(x)), lambda x: np.full_like(x, sign * np.inf)),
        ),
    )  # fmt: skip
    return made.astype(dtype).reshape(np.shape(a))


# ------------------------------------------------------------------------------------------------ incomplete


def _density(a: Array, x: Array) -> Array:
    """x**a exp(-x) / gamma(a + 1), for large a without its large factors."""
    ratio = (x - a) / a
    big = np.exp(-a * (ratio - np.log1p(ratio)) - _stirling(np.maximum(a, 1))) / np.sqrt(2 * np.pi * a)
    return np.where(a > 20, big, np.exp(a * np.log(x) - x - _positive(a + 1)))


def _series(a: Array, x: Array) -> Array:
    """P(a, x) where x < a + 1."""
    term = np.ones_like(x)
    total = np.ones_like(x)
    step = a
    for _ in range(100000):
        step = step + 1
        term = term * x / step
        total += term
        if not (term > 1e-17 * total).any():
            break
    return total * _density(a, x)


def _fraction(a: Array, x: Array) -> Array:
    """Q(a, x) where x >= a + 1: Legendre's continued fraction, evaluated from the front by Lentz's method."""
    b = x + 1 - a
    c = np.full_like(x, 1e300)
    d = 1 / b
    total = d
    moving = np.ones(x.shape, bool)  # what has converged is left alone, as rounding would carry it off again
    for i in range(1, 100000):
        term = -i * (i - a)
        b = b + 2
        d = 1 / (term * d + b)
        c = b + term / c
        change = c * d
        total = np.where(moving, total * change, total)
        moving &= np.abs(change - 1) > 4e-16
        if not moving.any():
            break
    return total * _density(a, x) * a


def _incomplete(a: Any, x: Any, upper: bool) -> Array:
    a, x = np.asarray(a), np.asarray(x)
    dtype = a.dtype
    a, x = (v.astype(np.float64) for v in np.broadcast_arrays(a, x))
    lower = np.full(a.shape, np.nan)
    valid = (a >= 0) & (x >= 0)
    lower[valid & (a > 0) & (x == 0)] = 0
    lower[valid & (a == 0) & (x > 0)] = 1
    lower[valid & np.isinf(x) & np.isfinite(a)] = 1
    lower[valid & np.isinf(a) & np.isfinite(x)] = 0
    inside = valid & (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    made = 1 - lower if upper else lower
    for mask, function, is_upper in ((inside & (x < a + 1), _series, False), (inside & (x >= a + 1), _fraction, True)):
        if mask.any():
            found = function(a[mask], x[mask])
            made[mask] = found if is_upper is upper else 1 - found
    return made.astype(dtype)


def gammainc(a: Any, x: Any) -> Array:
    """The regularised lower incomplete gamma function P(a, x)."""
    return _incomplete(a, x, False)


def gammaincc(a: Any, x: Any) -> Array:
    """The regularised upper incomplete gamma function Q(a, x) = 1 - P(a, x)."""
    return _incomplete(a, x, True)
