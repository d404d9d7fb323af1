"""What PyTorch's CPU samplers draw, as arrays: flat, in the order in which the elements are drawn, in the dtype asked
for.

Each takes the stream, how many to draw, and the NumPy dtype, which is a real floating-point type unless another is
named. The arguments are taken to be valid: `random` and `ops.sampling` check them. PyTorch computes in float64 and
rounds at the end, except for the uniforms and the blocks of normals in float32; types of 16 bits are computed in
float32, and rounded from there.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ._fma import fma32, fma64
from ._mersenne import each
from ._shuffle import shuffled

if TYPE_CHECKING:
    from ._mersenne import Mersenne

    Array = np.ndarray[Any, np.dtype[Any]]
    DType = np.dtype[Any]

_F32, _F64 = np.dtype(np.float32), np.dtype(np.float64)
_WIDE_RANGE = 1 << 28  # from here on, integers are drawn from 64 bits


def laid_out(flat: Array, target: Array) -> Array:
    """Drawn elements in the shape of `target`, in the order in which its elements lie in memory, as in PyTorch."""
    if target.flags.c_contiguous:
        return flat.reshape(target.shape)
    order = in_memory(target)
    return flat.reshape([target.shape[axis] for axis in order]).transpose(np.argsort(order))


def in_memory(target: Array) -> list[int]:
    """The axes in the order in which they are nested in memory, the outermost first."""
    return sorted(range(target.ndim), key=lambda axis: -target.strides[axis])


def narrowed(values: Array, dtype: DType) -> Array:
    """float64 rounded to a floating-point type, to one of 16 bits by way of float32; truncated to an integer type."""
    with np.errstate(all="ignore"):
        if dtype.kind in "biu":
            return values.astype(np.int64).astype(dtype)
        if dtype.itemsize == 2 and values.dtype is _F64:
            values = values.astype(_F32)
        return values.astype(dtype, copy=False)


# ------------------------------------------------------------------------------------------------ uniform and normal


def uniform(stream: Mersenne, count: int, dtype: DType, low: float = 0.0, high: float = 1.0) -> Array:
    """Uniform in [low, high); in both parts of a complex number."""
    if dtype.kind == "c":
        return uniform(stream, 2 * count, _part(dtype), low, high).view(dtype)
    if dtype == _F64:
        values = stream.doubles(count)
        if low == 0.0 and high == 1.0:
            return values
        values = fma64(values, high - low, low)
        values[values == high] = low
        return values
    values = stream.singles(count)
    if low != 0.0 or high != 1.0:
        bottom, top = np.float32(low), np.float32(high)
        values = fma32(values, float(top - bottom), float(bottom))
    elif dtype == _F32:
        return values
    # rounding may have reached the upper end, which is not to be there
    ends = np.array([low, high], _F32).astype(dtype)
    values = values.astype(dtype, copy=False)
    values[values == ends[1]] = ends[0]
    return values


def normal(
    stream: Mersenne, count: int, dtype: DType, mean: float = 0.0, std: float = 1.0, blocks: bool = True
) -> Array:
    """Normal with this mean and standard deviation; both parts of a complex number, with half the variance each.

    blocks: whether 16 or more are drawn by the block; PyTorch does so where the elements lie in memory without gaps.
    """
    if dtype.kind == "c":
        return normal(stream, 2 * count, _part(dtype), mean, std / math.sqrt(2.0), blocks).view(dtype)
    if not blocks or count < 16:
        values = stream.normals(count, exact=dtype == _F64)
        if std != 1.0 or mean != 0.0:
            values = fma64(values, std, mean)
        return narrowed(values, dtype)

    from ._boxmuller import BLOCK, normal_blocks32, normal_blocks64

    wide = dtype == _F64
    make, fill = (stream.doubles, normal_blocks64) if wide else (stream.singles, normal_blocks32)
    whole = count - count % BLOCK
    tail: Array | None = None
    # a type of 16 bits does not draw what the last block would overwrite
    values = make(count if dtype.itemsize >= 4 else whole)
    if whole != count:
        tail = make(BLOCK)
        fill(tail, mean, std)
    fill(values[:whole], mean, std)
    if values.size != count:
        values = np.concatenate([values, np.empty(count - whole, _F32)])
    if tail is not None:
        values[-BLOCK:] = tail
    return narrowed(values, dtype)


def log_normal(stream: Mersenne, count: int, dtype: DType, mean: float = 1.0, std: float = 2.0) -> Array:
    """exp of a normal."""
    values = fma64(stream.normals(count, exact=dtype == _F64), std, mean)
    with np.errstate(all="ignore"):
        return narrowed(_each(_exp, np.exp, values, dtype), dtype)


def truncated_normal(
    stream: Mersenne,
    count: int,
    dtype: DType,
    mean: float,
    std: float,
    low: float,
    high: float,
    blocks: tuple[bool, bool] = (True, True),
) -> Array:
    """Normal with this mean and standard deviation, given that it is from low to high.

    By rejection: all are drawn anew until each has once been accepted, from the normal itself where more than 3 in 10
    will be, and else from the uniform distribution, which may take forever where the mean is far from both ends.
    blocks: as for `normal`, the first time and the others.
    """
    start, end = (low - mean) / std, (high - mean) / std
    if _below(end) - _below(start) > 0.3:
        values = normal(stream, count, dtype, mean, std, blocks[0])
        bottom, top = np.array([low, high]).astype(dtype)
        outside = (values < bottom) | (values > top)
        while outside.any():
            np.copyto(values, normal(stream, count, dtype, mean, std, blocks[1]), where=outside)
            outside = (values < bottom) | (values > top)
        return values
    closest = min(max(mean, low), high)  # where the density is highest
    peak = 0.5 * ((closest - mean) / std) ** 2
    values = np.empty(count, dtype)
    lacking = np.ones(count, np.bool_)
    while lacking.any():
        proposed = uniform(stream, count, dtype, low, high)
        chance = uniform(stream, count, dtype)
        with np.errstate(all="ignore"):
            z = _rounded(_rounded(proposed, np.subtract, dtype.type(mean)), np.divide, std)
            height = _rounded(_rounded(_rounded(z, np.multiply, z), np.multiply, -0.5), np.add, dtype.type(peak))
            accepted = _logarithm(chance) <= height
        np.copyto(values, proposed, where=accepted & lacking)
        lacking &= ~accepted
    return values


def _below(z: float) -> float:
    """How much of the normal distribution with mean 0 and variance 1 lies below z."""
    return (1.0 + math.erf(z / math.sqrt(2.0))) / 2.0


def _rounded(values: Array, ufunc: Any, operand: Any) -> Array:
    """A step of a computation with tensors: of a type of 16 bits computed in float32, and rounded."""
    wide = _wider(values.dtype)
    found: Array = ufunc(values.astype(wide, copy=False), np.asarray(operand).astype(wide)).astype(
        values.dtype, copy=False
    )
    return found


def _logarithm(values: Array) -> Array:
    return np.log(values.astype(_wider(values.dtype))).astype(values.dtype)


def _part(dtype: DType) -> DType:
    """The type of a complex type's two parts."""
    return _F64 if dtype.itemsize == 16 else _F32


# ------------------------------------------------------------------------------------------------ integers


def integers(stream: Mersenne, count: int, dtype: DType, low: int, high: int) -> Array:
    """Whole numbers from low up to, but without, high, in any real dtype; high - low is at most 2**64."""
    span = high - low
    if span < _WIDE_RANGE:
        draws = stream.words(count)
    else:
        draws = stream.wides(count)
    if span & (span - 1) == 0:
        draws &= np.uint64(span - 1)
    else:
        draws %= np.uint64(span)
    if span < 2**64:  # PyTorch takes all of the 64 bits as they are
        draws += np.uint64(low % 2**64)
    return from_int64(draws.view(np.int64), dtype)


def whole(stream: Mersenne, count: int, dtype: DType, top: int, wide: bool) -> Array:
    """Whole numbers from 0 up to and including top, from outputs of 32 or 64 bits."""
    draws = stream.wides(count) if wide else stream.words(count)
    if top & (top + 1) == 0:
        draws &= np.uint64(top)
    else:
        draws %= np.uint64(top + 1)
    return from_int64(draws.view(np.int64), dtype)


def from_int64(values: Array, dtype: DType) -> Array:
    """Whole numbers in any real dtype, rounded to one of 16 bits by way of float32."""
    with np.errstate(all="ignore"):
        if dtype.itemsize == 2 and dtype.kind not in "iu":
            values = values.astype(_F32)
        return values.astype(dtype, copy=False)


def permutation(stream: Mersenne, count: int) -> Array:
    """The numbers from 0 to count - 1, shuffled, as int64."""
    if not count:
        return np.empty(0, np.int64)
    # place i is exchanged with one at or after it (Fisher and Yates); the last stays
    targets = np.arange(count)
    targets[:-1] += (stream.words(count - 1) % np.arange(count, 1, -1, dtype=np.uint64)).view(np.int64)
    return shuffled(targets)


# ------------------------------------------------------------------------------------------------ yes or no


def bernoulli(stream: Mersenne, count: int, p: float) -> Array:
    """True with probability p, as bool."""
    return stream.doubles(count) < p


def bernoulli_each(stream: Mersenne, p: Array) -> Array:
    """True with the probability that stands in each element of the flat array p, as bool."""
    if p.dtype == _F64:
        return stream.doubles(p.size) < p
    return stream.singles(p.size) < p.astype(_F32, copy=False)


def dropout_mask(stream: Mersenne, like: Array, p: float) -> Array:
    """The factors by which dropout with the probability p multiplies: 0 with probability p, and 1 / (1 - p).

    They are of the shape, the dtype and, but for gaps, the layout of the floating-point array `like`. For p of 0 or 1
    PyTorch draws nothing.
    """
    mask = np.empty_like(like)
    mask[...] = laid_out(bernoulli(stream, like.size, 1.0 - p), mask)
    return _rounded(mask, np.divide, 1.0 - p)


# ------------------------------------------------------------------------------------------------ others


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _log(x: float) -> float:
    return math.log(x) if x else -math.inf


def _each(scalar: Any, ufunc: Any, values: Array, dtype: DType) -> Array:
    """A function of each element: to the last bit where float64 is asked for, else to an ulp or so of float64."""
    return each(scalar, values) if dtype == _F64 else ufunc(values)


def exponential(stream: Mersenne, count: int, dtype: DType, lambd: float = 1.0) -> Array:
    """Exponential with the rate lambd."""
    values = _each(math.log1p, np.log1p, -stream.doubles(count), dtype)
    values *= -1.0 / lambd
    return narrowed(values, dtype)


def cauchy(stream: Mersenne, count: int, dtype: DType, median: float = 0.0, sigma: float = 1.0) -> Array:
    """Cauchy with this median and this half width at half maximum."""
    values = _each(math.tan, np.tan, math.pi * (stream.doubles(count) - 0.5), dtype)
    return narrowed(fma64(values, sigma, median), dtype)


def geometric(stream: Mersenne, count: int, dtype: DType, p: float) -> Array:
    """How many trials, each successful with probability p, up to the first success; in any real dtype."""
    with np.errstate(all="ignore"):
        logs = _each(_log, np.log, stream.doubles(count), dtype)
        return narrowed(np.ceil(logs / math.log1p(-p)), dtype)


def multinomial(stream: Mersenne, weights: Array, count: int, replacement: bool) -> Array:
    """Indices into each row of a matrix of weights, drawn with probabilities in proportion to them, as int64."""
    if not replacement or count == 1:
        # The category whose exponential clock, running at the speed of its weight, rings first, and so on.
        clocks = np.empty_like(weights)
        clocks[...] = laid_out(exponential(stream, weights.size, weights.dtype), clocks)
        with np.errstate(all="ignore"):
            speeds = narrowed(weights.astype(_wider(weights.dtype)) / clocks, weights.dtype)
        if count == 1:
            return np.argmax(speeds, axis=1, keepdims=True)
        return np.ascontiguousarray(np.argsort(-speeds, axis=1, kind="stable")[:, :count])
    rows = []
    uniforms = stream.doubles(len(weights) * count).reshape(len(weights), count)
    for row, u in zip(weights, uniforms, strict=True):
        sums = np.cumsum(row, dtype=_wider(row.dtype))
        sums /= sums[-1]
        sums[-1] = 1.0
        rows.append(np.searchsorted(sums, u, side="left"))
    return np.array(rows, np.int64).reshape(len(weights), count)


def _wider(dtype: DType) -> DType:
    """The type in which PyTorch computes with values of this type."""
    return _F32 if dtype.itemsize == 2 else dtype


def poisson(stream: Mersenne, rates: Array) -> Array:
    """Poisson with the rate that stands in each element of the flat array, in its dtype."""
    # which draws an element takes depends on those before it: one by one
    return narrowed(np.array([_poisson(stream, rate) for rate in rates.tolist()], np.float64), rates.dtype)


def _poisson(stream: Mersenne, rate: float) -> int:
    if rate == 0.0:
        return 0
    uniform = stream.double
    if rate < 10.0:
        floor, product, number = math.exp(-rate), uniform(), 0
        while product > floor:
            number += 1
            product *= uniform()
        return number
    # W. Hoermann, "The transformed rejection method for generating Poisson random variables", Insurance 12, 1993: PTRS
    root, log_rate = math.sqrt(rate), math.log(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    v_r = 0.9277 - 3.6224 / (b - 2)
    while True:
        u = uniform() - 0.5
        v = uniform()
        s = 0.5 - abs(u)
        guess = (2 * a / s + b) * u + rate + 0.43 if s else -math.inf
        # PyTorch converts to 64 bits, which gives the smallest number for what they do not hold
        k = math.floor(guess) if -(2.0**63) <= guess < 2.0**63 else -(2**63)
        if s >= 0.07 and v <= v_r:
            return k
        if k < 0 or (s < 0.013 and v > s):
            continue
        if _log(v) + math.log(inverse_alpha) - math.log(a / (s * s) + b) <= -rate + k * log_rate - math.lgamma(k + 1):
            return k
