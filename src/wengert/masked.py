"""Reductions and normalisations of the elements that a mask chooses, as `torch.masked` has them. Options that all share:

    mask     a boolean tensor that broadcasts to the input's shape, True for the elements that take part; None for all of them
    dim      a dimension, or several; None or () for all
    keepdim  keep the dimensions that are reduced, at length 1
    dtype    convert to this type first

Where no element takes part, the result is what the operation starts from: 0 for a sum, 1 for a product, -inf for a maximum, nan
for a mean.

Raises IndexError for a mask of more dimensions than the input, and RuntimeError for one that does not broadcast.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import dtypes
from .creation import full
from .ops import cumulative, extremum, norms, product, reduction
from .ops import softmax as smooth
from .ops.combination import logaddexp as _logaddexp
from .ops.dims import check_tensor, count_over, dim_number
from .ops.functions import sqrt
from .ops.larger import maximum
from .ops.order_statistics import nanmedian
from .ops.selection import where
from .ops.shape import expand
from .tensor import Tensor, wrap_dim

__all__ = [
    "amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logaddexp", "logsumexp", "mean", "median", "norm",
    "normalize", "prod", "softmax", "softmin", "std", "sum", "var",
]  # fmt: skip

# ------------------------------------------------------------------------------------------------ what all share


def _dims(input: Tensor, dim: Any) -> tuple[int, ...]:
    """The dimensions to reduce, from the front."""
    ndim = input.ndim
    if dim is None or (isinstance(dim, (tuple, list)) and not dim):
        return tuple(range(ndim))
    given = tuple(dim) if isinstance(dim, (tuple, list)) else (dim,)
    found: list[int] = []
    for d in given:
        wrapped = wrap_dim(dim_number("masked", d), ndim)
        if wrapped in found:
            raise RuntimeError(f"dim={d} appears multiple times in the list of dims")
        found.append(wrapped)
    return tuple(found) if ndim else ()


def _mask_of(input: Tensor, mask: Any) -> Tensor:
    """The mask, of the input's shape."""
    check_tensor("masked", mask, "mask", 2)
    if mask.ndim > input.ndim:
        raise IndexError("_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)")
    mask = mask.to(dtypes.bool)
    return mask if mask.shape == input.shape else expand(mask, input.shape)


def _filled(input: Any, mask: Any, value: float | None, function: str) -> Tensor:
    """The input, with a number for the elements that take no part; None for the least number of its type."""
    check_tensor(function, input)
    if mask is None:
        return input
    if value is None:
        value = _extreme(function, input, True)
    filled: Tensor = where(_mask_of(input, mask), input, full((), value, dtype=input.dtype))
    return filled


def _raised(input: Any, mask: Any, function: str) -> Tensor:
    """The input, with the greatest number of its type for the elements that take no part."""
    check_tensor(function, input)
    return input if mask is None else _filled(input, mask, _extreme(function, input, False), function)


def _extreme(function: str, input: Tensor, lowest: bool) -> float:
    """The least number of the input's type, from which a maximum starts, or the greatest."""
    kind = input.dtype
    if kind is dtypes.bool:
        raise NotImplementedError(f"identity of {function} on torch.bool input")
    if kind.is_complex and function == "logsumexp":
        return -math.inf
    if kind.is_complex:
        raise TypeError(f"{function}(): complex numbers have no order; take .real, .imag or .abs()")
    if kind.is_floating_point:
        return -math.inf if lowest else math.inf
    limits = np.iinfo(kind.numpy)
    return int(limits.min if lowest else limits.max)


def _as(x: Tensor, dtype: Any) -> Tensor:
    return x if dtype is None or x.dtype is dtype else x.to(dtype)


# ------------------------------------------------------------------------------------------------ sums and products


def sum(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The sum of the elements that take part; of integers and bool in int64.

    >>> import wengert
    >>> x = wengert.tensor([1.0, 2.0, 3.0])
    >>> wengert.masked.sum(x, mask=wengert.tensor([True, False, True]))
    tensor(4.)
    """
    x = _filled(input, mask, 0, "sum")
    return reduction.sum(x, _dims(x, dim), bool(keepdim), dtype=dtype)


def prod(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The product of the elements that take part; of integers and bool in int64.

    >>> import wengert
    >>> wengert.masked.prod(wengert.tensor([2.0, 0.0]), mask=wengert.tensor([True, False]))
    tensor(2.)
    """
    x = _filled(input, mask, 1, "prod")
    for d in sorted(_dims(x, dim), reverse=True):  # from the back: the other dimensions stay where they are
        x = product.prod(x, d, bool(keepdim), dtype=dtype)
    return product.prod(x, dtype=dtype) if not input.ndim else x


def cumsum(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """The running sum of the elements that take part."""
    x = _filled(input, mask, 0, "cumsum")
    made: Tensor = cumulative.cumsum(x, dim, dtype=dtype or x.dtype)
    return made


def cumprod(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """The running product of the elements that take part."""
    x = _filled(input, mask, 1, "cumprod")
    made: Tensor = cumulative.cumprod(x, dim, dtype=dtype or x.dtype)
    return made


# ------------------------------------------------------------------------------------------------ extremes


def amax(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The largest of the elements that take part.

    >>> import wengert
    >>> wengert.masked.amax(wengert.tensor([1, 5]), mask=wengert.tensor([True, False]))
    tensor(1)
    """
    x = _filled(input, mask, None, "amax")
    return _as(extremum.amax(x, _dims(x, dim), bool(keepdim)), dtype)


def amin(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The smallest of the elements that take part."""
    x = _raised(input, mask, "amin")
    return _as(extremum.amin(x, _dims(x, dim), bool(keepdim)), dtype)


def argmax(
    input: Tensor, dim: int | None = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """Where the largest of the elements that take part is; as numbers of the input's type, as in PyTorch.

    >>> import wengert
    >>> wengert.masked.argmax(wengert.tensor([1, 5, 3]), mask=wengert.tensor([True, False, True]))
    tensor(2)
    """
    x = _filled(input, mask, None, "argmax")
    return _as(extremum.argmax(x, dim, bool(keepdim)), dtype or input.dtype)


def argmin(
    input: Tensor, dim: int | None = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """Where the smallest of the elements that take part is; as numbers of the input's type, as in PyTorch."""
    x = _raised(input, mask, "argmin")
    return _as(extremum.argmin(x, dim, bool(keepdim)), dtype or input.dtype)


def logsumexp(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The logarithm of the sum of the exponentials of the elements that take part."""
    x = _filled(input, mask, None, "logsumexp")
    return _as(smooth.logsumexp(x, _dims(x, dim), bool(keepdim)), dtype or input.dtype)


def logaddexp(
    input: Tensor,
    other: Tensor,
    *,
    dtype: Any = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Tensor:
    """log(exp(input) + exp(other)), in which elements that take no part count as -inf."""
    a = _filled(input, input_mask, None, "logaddexp")
    b = _filled(other, other_mask, None, "logaddexp")
    return _as(_logaddexp(a, b), dtype)


# ------------------------------------------------------------------------------------------------ means


def _count(input: Tensor, dims: tuple[int, ...], keepdim: bool, mask: Any) -> Any:
    """How many elements take part in each result."""
    if mask is None:
        return count_over(input._array.shape, dims)
    return reduction.sum(_mask_of(input, mask), dims, keepdim)


def mean(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The mean of the elements that take part, nan of none.

    Raises ValueError for integers and bool unless `dtype` is given.

    >>> import wengert
    >>> wengert.masked.mean(wengert.tensor([1.0, 2.0, 6.0]), mask=wengert.tensor([True, True, False]))
    tensor(1.5000)
    """
    whose, kind = ("Input", check_tensor("mean", input).dtype) if dtype is None else ("Optional", dtype)
    if kind.category < dtypes.FLOAT:
        raise ValueError(
            "mean(): Could not infer output dtype. "
            f"{whose} dtype must be either a floating point or complex dtype. Got: {kind}"
        )
    dims = _dims(input, dim)
    total = sum(input, dims, keepdim=keepdim, dtype=dtype, mask=mask)
    made: Tensor = total / _count(input, dims, bool(keepdim), mask)
    return made


def _variance(
    function: str, input: Any, dim: Any, unbiased: Any, correction: Any, keepdim: bool, dtype: Any, mask: Any
) -> Tensor:
    check_tensor(function, input)
    if unbiased is not None and correction is not None:
        raise RuntimeError("Only one argument between unbiased and correction can be set")
    less = correction if correction is not None else 1 if unbiased is None else int(unbiased)
    if dtype is None and input.dtype is dtypes.bool:
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the "
            "`~` or `logical_not()` operator instead."
        )
    if dtype is None and input.dtype.category < dtypes.FLOAT:
        dtype = dtypes.float32
    x = _as(input, dtype)
    dims = _dims(x, dim)
    away = x - sum(x, dims, keepdim=True, mask=mask) / _count(x, dims, True, mask)
    square = away * away.conj() if x.is_complex() else away * away
    total = sum(square, dims, keepdim=keepdim, mask=mask)
    left = _count(x, dims, bool(keepdim), mask) - less
    if mask is None:
        return total / max(left, 0)
    made: Tensor = total / _as(left.clamp(min=0), total.dtype)
    return made


def var(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, *, correction: Any = None, keepdim: bool = False,
    dtype: Any = None, mask: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The variance of the elements that take part: their number less `correction`, by default 1, divides the squares' sum.

    >>> import wengert
    >>> wengert.masked.var(wengert.tensor([1.0, 3.0, 9.0]), mask=wengert.tensor([True, True, False]))
    tensor(2.)
    """
    return _variance("var", input, dim, unbiased, correction, keepdim, dtype, mask)


def std(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, *, correction: Any = None, keepdim: bool = False,
    dtype: Any = None, mask: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The standard deviation of the elements that take part, the square root of `var`."""
    made: Tensor = sqrt(_variance("std", input, dim, unbiased, correction, keepdim, dtype, mask))
    return made


def median(
    input: Tensor, dim: int = -1, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The median along a dimension of the elements that take part, the lower of two.

    Raises ValueError for integers where no element of a row takes part, for which there is no nan.

    >>> import wengert
    >>> wengert.masked.median(wengert.tensor([1.0, 2.0, 6.0]), mask=wengert.tensor([True, False, True]))
    tensor(1.)
    """
    check_tensor("median", input)
    if isinstance(dim, (tuple, list)) and len(dim) == 1:
        dim = dim[0]
    d = wrap_dim(dim_number("median", dim, position=2), input.ndim)
    kind = input.dtype
    x = _as(input, dtype)
    if not x.is_floating_point():
        if mask is not None and not _mask_of(input, mask).any(d).all():
            raise ValueError("masked median expects no fully masked out rows if dtype is not floating point")
        x = x.to(dtypes.float64)
    values: Tensor = nanmedian(_filled(x, mask, math.nan, "median"), d, bool(keepdim))[0]
    return _as(values, dtype if dtype is not None else kind)


# ------------------------------------------------------------------------------------------------ norms, softmax


def norm(
    input: Tensor,
    ord: Any = 2.0,
    dim: Any = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The norm of the elements that take part, as `linalg.vector_norm` has it.

    >>> import wengert
    >>> wengert.masked.norm(wengert.tensor([3.0, 4.0, 9.0]), mask=wengert.tensor([True, True, False]))
    tensor(5.)
    """
    x = _filled(input, mask, math.inf if ord < 0 else 0, "norm")
    made: Tensor = norms.vector_norm(x, ord, _dims(x, dim), bool(keepdim), dtype=dtype)
    return made


def normalize(
    input: Tensor, ord: float, dim: int, *, eps: float = 1e-12, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The elements that take part divided by their norm along a dimension, or by `eps` where that is larger; 0 elsewhere.

    >>> import wengert
    >>> wengert.masked.normalize(wengert.tensor([3.0, 4.0, 9.0]), 2.0, 0, mask=wengert.tensor([True, True, False]))
    tensor([0.6000, 0.8000, 0.0000])
    """
    length = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    least = full((), eps, dtype=length.dtype)
    made: Tensor = _filled(input, mask, 0, "normalize") / maximum(length, least)
    return made


def softmax(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """The softmax of the elements that take part; 0 elsewhere.

    >>> import wengert
    >>> wengert.masked.softmax(wengert.tensor([1.0, 1.0, 9.0]), 0, mask=wengert.tensor([True, True, False]))
    tensor([0.5000, 0.5000, 0.0000])
    """
    x = _filled(input, mask, None, "amax")
    made: Tensor = smooth.softmax(x, dim, dtype)
    return made


def log_softmax(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """The logarithm of the softmax of the elements that take part; -inf elsewhere."""
    x = _filled(input, mask, None, "amax")
    made: Tensor = smooth.log_softmax(x, dim, dtype)
    return made


def softmin(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """The softmax of the negatives of the elements that take part; 0 elsewhere."""
    x = _raised(input, mask, "amin")
    made: Tensor = smooth.softmax(-x, dim, dtype)
    return made
