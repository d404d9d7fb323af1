"""The error function and what is made of it, on arrays of real numbers, in NumPy alone.

erf      the hyperbolic tangent of a polynomial in float32; in float64 a table of short polynomials, made at first use
of the C
         library's erf
erfc     exp(-x**2) times a rational function, as erfcx is on its own
inverses rational functions: erfinv of x**2 near 0, and of sqrt(-log(1 - x)) where x comes near 1

The coefficients below are of rational functions that agree with the function at Chebyshev nodes, computed with 50
digits; their relative error is given with each. Results are within a few units of the last place.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

_BLOCK = 8192  # elements at a time, so that a dozen passes over them stay in the cache
FEW = 64  # up to so many, the C library's scalar function is quicker


def blocks(size: int) -> list[slice]:
    """The slices of a line of this length, a block each."""
    return [slice(start, start + _BLOCK) for start in range(0, size, _BLOCK)]


def _real(a: Any) -> Array:
    """As an array that is computed with: of float32 or float64."""
    a = np.asarray(a)
    return a if a.dtype in (np.float32, np.float64) else a.astype(np.float32 if a.dtype.itemsize <= 2 else np.float64)


def _scalars(function: Any, a: Array, dtype: np.dtype[Any]) -> Array:
    return np.array([function(x) for x in a.ravel().tolist()], dtype).reshape(a.shape)


def horner(coefficients: tuple[float, ...], x: Array) -> Array:
    """The polynomial with these coefficients, the constant one first."""
    made = np.full_like(x, coefficients[-1])
    for c in coefficients[-2::-1]:
        made *= x
        made += c
    return made


def rational(p: tuple[float, ...], q: tuple[float, ...], x: Array) -> Array:
    """The quotient of two polynomials."""
    made = horner(p, x)
    made /= horner(q, x)
    return made


# ------------------------------------------------------------------------------------------------ erf

# In float32: erf(x) = tanh(x p(x**2)), where p is a polynomial by which the error is 1e-7, one unit of the last place.
# NumPy has a quick tanh, and tanh is 1 where x p(x**2) is large.
_TANH = (
    1.1283792743, 0.10276905583, -1.9183102e-04, -6.1978442e-04, 8.7637228e-05, -5.6684587e-06, 1.41851244e-07,
)  # fmt: skip

# In float64: erf(x) = x g(|x|). g is even and smooth: a short polynomial on each of many intervals, up to where erf
# rounds to 1
_DENSITY, _DEGREE, _END = 64, 6, 6  # intervals per unit, degree, where the table ends


@lru_cache(maxsize=1)
def _table() -> list[Array]:
    """The coefficients of erf(x)/x on each interval, of the way into it from 0 to 1: an array for each power."""
    rows = []
    powers = range(_DEGREE + 1)
    for i in range(_END * _DENSITY):
        middle = [c / _DENSITY**n for n, c in enumerate(_coefficients((i + 0.5) / _DENSITY, _DEGREE))]
        rows.append([sum(middle[m] * math.comb(m, n) * (-0.5) ** (m - n) for m in powers[n:]) for n in powers])
    rows.append([1 / _END] + [0.0] * _DEGREE)  # the end times this is 1 exactly
    return [np.array(column) for column in zip(*rows, strict=True)]


def _coefficients(c: float, degree: int) -> list[float]:
    if c < 0.75:  # from the power series about 0, which has no cancellation to speak of here
        found = [0.0] * (degree + 1)
        term = 2 / math.sqrt(math.pi)
        for k in range(40):
            for n in range(min(degree, 2 * k) + 1):
                found[n] += term / (2 * k + 1) * math.comb(2 * k, n) * c ** (2 * k - n)
            term /= -(k + 1)
        return found
    # erf' = 2/sqrt(pi) exp(-x**2), of which u'' = -2 x u' - 2 u gives the further derivatives; then divide by x = c + d
    slope = [2 / math.sqrt(math.pi) * math.exp(-c * c)]
    for n in range(degree):
        slope.append((-2 * c * slope[n] - 2 * (slope[n - 1] if n else 0.0)) / (n + 1))
    found = [math.erf(c) / c]
    for n in range(degree):
        found.append((slope[n] / (n + 1) - found[n]) / c)
    return found


def _erf_single(x: Array, made: Array) -> None:
    square = np.square(x)
    np.multiply(square, _TANH[-1], out=made)
    for c in _TANH[-2:0:-1]:
        made += c
        made *= square
    made += _TANH[0]
    made *= x
    np.tanh(made, out=made)


def _erf_double(x: Array, made: Array) -> None:
    table = _table()
    x = np.minimum(np.maximum(x, -_END), _END)
    way = np.abs(x)
    way *= _DENSITY
    start = np.floor(way)
    way -= start
    index = start.astype(np.intp)
    total = table[_DEGREE].take(index, mode="clip")
    for k in range(_DEGREE - 1, -1, -1):
        total *= way
        total += table[k].take(index, mode="clip")
    np.multiply(total, x, out=made)


def erf(a: Any) -> Array:
    """The error function: the probability that a normal variable of variance 1/2 lies within x of its mean."""
    a = np.asarray(a)
    x = _real(a)
    dtype = x.dtype if a.dtype.kind in "biu" else a.dtype
    if x.size <= FEW:
        return _scalars(math.erf, x, dtype)
    block = _erf_single if x.dtype == np.float32 else _erf_double
    flat = x.ravel()
    made = np.empty(flat.shape, flat.dtype)
    for part in blocks(flat.size):
        block(flat[part], made[part])
    return made.reshape(x.shape).astype(dtype, copy=False)


# ------------------------------------------------------------------------------------------------ erfc and erfcx

# erfcx on [0, 3]: 6e-18
_NEAR_P = (
    1.0, 1.8080646630652661, 1.6396103130285171, 0.9333577634094776, 0.3595114451781365, 0.09528024607473613,
    0.016938056801991556, 0.0018505097297621838, 9.572966662758043e-05,
)  # fmt: skip
_NEAR_Q = (
    1.0, 2.93644383016078, 3.9530323563280465, 3.209686069048195, 1.7371700109402868, 0.6521393950823903,
    0.17052018202656166, 0.03010673803069568, 0.0032799441227667676, 0.00016967639496270385,
)  # fmt: skip
# sqrt(pi) x erfcx(x) of 1/x**2 where x >= 3: 4e-17
_FAR_P = (
    1.0, 26.486006382780573, 241.0081159698611, 919.814527827835, 1431.5252540540355, 726.295464513432,
    52.28512228051499,
)  # fmt: skip
_FAR_Q = (
    1.0, 26.98600638278045, 253.75111916131792, 1028.3255826067254, 1799.4109697289725, 1182.9755577948304,
    191.59931914822567,
)  # fmt: skip
_ROOT_PI = math.sqrt(math.pi)


def widened(a: Any) -> tuple[Array, Array, np.dtype[Any]]:
    """The input flat in float64, the place for the result, and the result's dtype."""
    a = np.asarray(a)
    x = a.astype(np.float64).ravel()
    return x, np.empty(x.shape), a.dtype if a.dtype.kind not in "biu" else np.dtype(np.float64)


def apply_pieces(x: Array, made: Array, pieces: tuple[tuple[Array, Any], ...]) -> None:
    """made = function(x) for each (mask, function), where the mask is true."""
    for mask, function in pieces:
        if mask.all():
            made[...] = function(x)
        elif mask.any():
            made[mask] = function(x[mask])


def _scaled_complement(x: Array) -> Array:
    """erfcx of numbers that are not negative."""
    made = np.full_like(x, np.nan)
    apply_pieces(
        x, made,
        (
            (x < 3, lambda x: rational(_NEAR_P, _NEAR_Q, x)),
            (x >= 3, lambda x: rational(_FAR_P, _FAR_Q, (1 / x) ** 2) / (x * _ROOT_PI)),
        ),
    )  # fmt: skip
    return made


def _gauss(x: Array) -> Array:
    """exp(-x**2) to full precision: x**2 is split in two, as its rounding error counts in the exponent."""
    rough = np.trunc(x * 16) / 16
    return np.exp(-rough * rough) * np.exp((rough - x) * (rough + x))


def _erfc_block(x: Array) -> Array:
    size = np.minimum(np.abs(x), 30)
    made = _gauss(size) * _scaled_complement(size)
    return np.where(x < 0, 2 - made, made)


def erfc(a: Any) -> Array:
    """1 - erf(x), without the loss of digits that the subtraction would mean."""
    x, made, dtype = widened(a)
    if x.size <= FEW:
        return _scalars(math.erfc, x, dtype).reshape(np.shape(a))
    for part in blocks(x.size):
        made[part] = _erfc_block(x[part])
    return made.astype(dtype).reshape(np.shape(a))


def _erfcx_block(x: Array) -> Array:
    made = _scaled_complement(np.abs(x))
    negative = x < 0
    if negative.any():
        below = np.maximum(x[negative], -30)
        made[negative] = 2 / _gauss(-below) - made[negative]
        made[x < -26.7] = np.inf
    return made


def erfcx(a: Any) -> Array:
    """exp(x**2) erfc(x), which stays in range where erfc does not."""
    x, made, dtype = widened(a)
    for part in blocks(x.size):
        made[part] = _erfcx_block(x[part])
    return made.astype(dtype).reshape(np.shape(a))


# ------------------------------------------------------------------------------------------------ inverses

# erfinv(x)/x of 0.5625 - x**2, on [0, 0.5625]: 2e-18
_CENTRE_P = (
    1.0845597967968248, 7.160921199707379, 18.039487150473597, 21.727106021614006, 12.832151510619875, 3.408658782601145,
    0.31730417194039606, 0.004629517836199464,
)  # fmt: skip
_CENTRE_Q = (
    1.0, 7.121354241112377, 19.70783200731746, 26.78300806716227, 18.607684554381887, 6.247619308964538,
    0.8535064285470091, 0.030108495873496597,
)  # fmt: skip
# the inverse of erfc at exp(-r**2), of r: on [1.15, 2.6] 3e-17, to 6.1 2e-20, to 12.5 1e-17, to 27.5 1e-17
_TAILS = (
    (
        2.6,
        (-0.0007875747350212887, 0.009296651124371419, 0.8352554050327692, 1.9999503082268417, 2.682249789820216,
         3.028629742763843, 0.9252339341180172, 0.06484252563544683),
        (1.0, 2.064935867554555, 3.951191255592059, 3.8197937883122357, 3.1633500633673877, 0.9263700217035379,
         0.06482346861920862, 2.3969169059434405e-07),
    ),
    (
        6.1,
        (-0.0039634565648406835, 0.029157267435180635, 0.7812636188574654, 2.0382662004012637, 2.571724724873794,
         2.8780090376140715, 0.9973287214036606, 0.10428643584265475, 0.002757213918802449),
        (1.0, 2.023429438516094, 3.862930316330836, 3.7054042806659826, 3.0582203640356043, 1.004367862885037,
         0.10430545754123706, 0.0027570844308323936, 6.818218777495136e-10),
    ),
    (
        12.5,
        (0.06704022258343677, -0.10646034802902528, 0.7093495752317422, 2.1650136951055736, 0.8313120995134445,
         0.08165389803979349, 0.0018675250860881515),
        (1.0, 1.6543467896720765, 2.3105524819614645, 0.8362454232079007, 0.08166439984036446, 0.0018674695258634427,
         2.1839581985845981e-10),
    ),
    (
        30.0,
        (-1.8085782470385399, 4.013835134598435, -2.1244385948940248, -3.8916854945465897, -0.7276044382424387,
         -0.034127817245303595, -0.00036924004394549775),
        (1.0, -3.208249844484169, -3.965194597689245, -0.7287186914627142, -0.03412879394743181,
         -0.00036923762109160064, -4.454736789769604e-12),
    ),
)  # fmt: skip


def _inverse_complement(q: Array) -> Array:
    """The inverse of erfc for q in (0, 0.26)."""
    r = np.sqrt(-np.log(q))
    made = np.full_like(r, np.inf)
    low = 0.0
    for high, p, d in _TAILS:
        mask = (r >= low) & (r < high)
        if mask.any():
            made[mask] = rational(p, d, r[mask])
        low = high
    made[np.isnan(q)] = np.nan
    return made


def _central_inverse(x: Array) -> Array:
    return x * rational(_CENTRE_P, _CENTRE_Q, 0.5625 - x * x)


def erfinv(a: Any) -> Array:
    """The inverse of erf; nan outside of [-1, 1]."""
    x, made, dtype = widened(a)
    size = np.abs(x)
    made[...] = np.nan
    apply_pieces(
        x, made,
        (
            (size <= 0.75, _central_inverse),
            ((size > 0.75) & (size < 1), lambda x: np.copysign(_inverse_complement(1 - np.abs(x)), x)),
            (size == 1, lambda x: np.copysign(np.inf, x)),
        ),
    )  # fmt: skip
    return made.astype(dtype).reshape(np.shape(a))


_ROOT_TWO = math.sqrt(2.0)


def ndtri(a: Any) -> Array:
    """The inverse of the normal distribution function; nan outside of [0, 1]."""
    p, made, dtype = widened(a)
    made[...] = np.nan
    apply_pieces(
        p, made,
        (
            ((p >= 0.125) & (p <= 0.875), lambda p: _ROOT_TWO * _central_inverse(2 * p - 1)),
            ((p > 0) & (p < 0.125), lambda p: -_ROOT_TWO * _inverse_complement(2 * p)),
            ((p > 0.875) & (p < 1), lambda p: _ROOT_TWO * _inverse_complement(2 * (1 - p))),
            (p == 0, lambda p: np.full_like(p, -np.inf)),
            (p == 1, lambda p: np.full_like(p, np.inf)),
        ),
    )  # fmt: skip
    return made.astype(dtype).reshape(np.shape(a))


def log_ndtr(a: Any) -> Array:
    """The logarithm of the normal distribution function."""
    x, made, dtype = widened(a)
    made[...] = np.nan

    def below(x: Array) -> Array:
        z = x / -_ROOT_TWO
        return np.log(_scaled_complement(z) / 2) - z * z

    apply_pieces(
        x, made, ((x < -1, below), (x >= -1, lambda x: np.log1p(erfc(x / _ROOT_TWO) / -2)))
    )  # fmt: skip
    return made.astype(dtype).reshape(np.shape(a))
