"""The modified Bessel functions of the first kind, of integer order, in NumPy alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._erf import Array, apply_pieces, widened


def _power_series(x: Array, n: int) -> Array:
    """I_n of numbers from 0 to 30: the terms are all positive, so that nothing cancels."""
    quarter = x * x / 4
    term = (x / 2) ** n / math.factorial(n)
    total = term.copy()
    k = 0
    while (term > 1e-17 * total).any():
        k += 1
        term = term * quarter / (k * (k + n))
        total += term
    return total


def _asymptotic(x: Array, n: int) -> Array:
    """exp(-x) I_n(x) of larger numbers."""
    square = 4 * n * n
    term = np.ones_like(x)
    total = np.ones_like(x)
    for k in range(1, 40):
        term = term * ((2 * k - 1) ** 2 - square) / (8 * k * x)
        total += term
        if not (np.abs(term) > 1e-17 * np.abs(total)).any():
            break
    return total / np.sqrt(2 * np.pi * x)


def bessel_i(a: Any, n: int, scaled: bool = False) -> Array:
    """The modified Bessel function of order n, times exp(-|x|) if it is to be scaled."""
    x, made, dtype = widened(a)
    size = np.abs(x)
    limit = 30.0 + n * n  # from where on the asymptotic series converges quickly enough
    made[...] = np.nan

    def near(x: Array) -> Array:
        return _power_series(x, n) * np.exp(-x) if scaled else _power_series(x, n)

    def far(x: Array) -> Array:
        # in two factors, of which each is in range as long as the product is
        return _asymptotic(x, n) if scaled else _asymptotic(x, n) * np.exp(x / 2) * np.exp(x / 2)

    apply_pieces(
        size, made,
        (
            (size < limit, near),
            ((size >= limit) & (size < np.inf), far),
            (size == np.inf, lambda x: np.zeros_like(x) if scaled else x.copy()),
        ),
    )  # fmt: skip
    if n % 2:
        np.negative(made, out=made, where=np.signbit(x))
    return made.astype(dtype).reshape(np.shape(a))
