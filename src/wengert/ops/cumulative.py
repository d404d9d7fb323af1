"""Running reductions along a dimension: sums, products, extremes; and the differences that undo the sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes, return_types
from ..dtype_names import scalar_name
from ..tensor import Tensor
from .declare import F32, general, linear
from .dims import check_tensor, dtype_argument, is_float, numpy_names, one_dim
from .expose import expose
from .extremum import named
from .inplace import inplace, into
from .joining import cat
from .product import accumulate, cumprod_along

# ------------------------------------------------------------------------------------------------ declarations


def _cumsum(a: Any, dim: int, dtype: Any = None) -> Any:
    d = dtype if dtype is not None else np.dtype(np.int64) if a.dtype.kind in "biu" else a.dtype
    return np.array(a, d) if not a.ndim else accumulate(np.add, a, dim, d)


def _cumsum_back(a: Any, dim: int) -> Any:
    if not a.ndim:
        return np.array(a)
    made = np.empty(a.shape, a.dtype)
    np.flip(made, dim)[...] = accumulate(np.add, np.flip(a, dim), dim, a.dtype)
    return made


_cumsum_along = linear(
    "cumsum", _cumsum, lambda F, t, dim: F.cumsum_back(t, dim), ("dim", "dtype"), node="CumsumBackward0"
)
#: the sums of each element and all behind it
linear("cumsum_back", _cumsum_back, lambda F, t, dim: F.cumsum(t, dim), ("dim",), node="FlipBackward0")


def _logcumsumexp(a: Any, dim: int) -> Any:
    if not a.ndim:
        return np.array(a)
    if a.dtype.itemsize == 2:
        return _logcumsumexp(a.astype(F32), dim).astype(a.dtype)
    if a.dtype.kind != "c":
        return np.logaddexp.accumulate(a, dim)
    lines = np.moveaxis(np.array(a), dim, 0)
    for i in range(1, lines.shape[0]):
        low, high = lines[i - 1], lines[i]
        swap = low.real > high.real
        low, high = np.where(swap, high, low), np.where(swap, low, high)
        rest = np.exp(low - high)
        lines[i] = np.where(np.isneginf(low.real), high, high + np.log(1 + rest))
    return np.moveaxis(lines, 0, dim)


def _pull_logcumsumexp(F: Any, t: Any, self: Any, out: Any, dim: int) -> Any:
    # out_i = log(exp(out_{i-1}) + exp(self_i)): each is a mean of the two, with weights from 0 to 1
    return F.fall(t, F.exp(-F.rises(out, dim)), dim) * F.exp(self - out)


_logcumsumexp_along = general(
    "logcumsumexp", _logcumsumexp, {"self": _pull_logcumsumexp}, ("dim",), node="LogcumsumexpBackward0"
)


def _running(larger: bool) -> Any:
    def forward(a: Any, dim: int) -> Any:
        if not a.ndim:
            return np.array(a), np.zeros((), np.int64)
        values = (np.maximum if larger else np.minimum).accumulate(a, dim)
        # the last place up to here where the extreme (or nan) was met
        met = (a == values) | np.isnan(a)
        numbers = np.arange(a.shape[dim]).reshape((-1,) + (1,) * (a.ndim - dim - 1))
        return values, np.maximum.accumulate(np.where(met, numbers, 0), dim)

    return forward


def _declare_running(name: str, larger: bool, node: str) -> Any:
    return general(
        name, _running(larger),
        {"self": lambda F, t, indices, self_shape, dim: F.put_along(t, indices, self_shape, dim, True, False)},
        ("dim",), outputs=("values", "indices"),
        push=lambda F, t, indices, dim: F.take_along(t, indices, dim, True, False), node=node,
    )  # fmt: skip


_cummax_along = _declare_running("cummax", True, "CummaxBackward0")
_cummin_along = _declare_running("cummin", False, "CumminBackward0")

# ------------------------------------------------------------------------------------------------ functions


def _dim(name: str, input: Tensor, dim: Any, numpy: dict[str, Any]) -> int:
    check_tensor(name, input)
    if numpy:
        dim, _ = numpy_names(name, dim, False, numpy)
    if dim is None:
        raise TypeError(f'{name}() missing 1 required positional arguments: "dim"')
    return one_dim(name, dim, input._array.ndim)


def _element_type(name: str, dtype: Any, out: Tensor | None) -> np.dtype[Any] | None:
    target = dtype_argument(dtype, out)
    if target is not None and target.kind == "b":
        raise NotImplementedError(f"\"{name}_out_cpu\" not implemented for 'Bool': ask for dtype=torch.int64")
    return target


def cumsum(
    input: Tensor, dim: int | None = None, *, dtype: Any = None, out: Tensor | None = None, **numpy: Any
) -> Tensor:
    """The sums of each element and all before it along a dimension.

    dtype  convert the elements to this type first; otherwise integers and bool are added as int64
    Raises IndexError for a dimension that is not there.

    >>> import wengert
    >>> wengert.cumsum(wengert.tensor([1.0, 2.0, 3.0]), 0)
    tensor([1., 3., 6.])
    """
    result = _cumsum_along(input, _dim("cumsum", input, dim, numpy), _element_type("cumsum", dtype, out))
    return result if out is None else into(out, result)


def cumprod(
    input: Tensor, dim: int | None = None, *, dtype: Any = None, out: Tensor | None = None, **numpy: Any
) -> Tensor:
    """The products of each element and all before it along a dimension.

    dtype  convert the elements to this type first; otherwise integers and bool are multiplied as int64
    Raises IndexError for a dimension that is not there.

    >>> import wengert
    >>> wengert.cumprod(wengert.tensor([1.0, 2.0, 3.0]), 0)
    tensor([1., 2., 6.])
    """
    result = cumprod_along(input, _dim("cumprod", input, dim, numpy), _element_type("cumprod", dtype, out))
    return result if out is None else into(out, result)


def logcumsumexp(input: Tensor, dim: int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the running sum of the exponentials, computed without leaving the range of the numbers.

    Raises IndexError for a dimension that is not there, NotImplementedError for integers and bool.

    >>> import wengert
    >>> wengert.logcumsumexp(wengert.tensor([0.0, 0.0]), 0)
    tensor([0.0000, 0.6931])
    """
    d = _dim("logcumsumexp", input, dim, {})
    if input.dtype.category < dtypes.FLOAT:
        raise NotImplementedError(f"\"logcumsumexp_out_cpu\" not implemented for '{scalar_name(input.dtype)}'")
    result = _logcumsumexp_along(input, d)
    return result if out is None else into(out, result)


def cummax(input: Tensor, dim: int, *, out: Any = None) -> Any:
    """The largest of each element and all before it along a dimension, and its index: a named tuple (values, indices).

    >>> import wengert
    >>> wengert.cummax(wengert.tensor([1.0, 3.0, 2.0]), 0).values
    tensor([1., 3., 3.])
    """
    d = _dim("cummax", input, dim, {})
    _ordered("cummax", input)
    return named(return_types.cummax, _cummax_along(input, d), out)


def cummin(input: Tensor, dim: int, *, out: Any = None) -> Any:
    """The smallest of each element and all before it along a dimension, and its index: a named tuple (values, indices).

    >>> import wengert
    >>> wengert.cummin(wengert.tensor([3.0, 1.0, 2.0]), 0).values
    tensor([3., 1., 1.])
    """
    d = _dim("cummin", input, dim, {})
    _ordered("cummin", input)
    return named(return_types.cummin, _cummin_along(input, d), out)


def _ordered(name: str, x: Tensor) -> None:
    if not is_float(x._array) and x._array.dtype.kind == "c":
        raise NotImplementedError(f"\"{name}_helper_cpu\" not implemented for '{scalar_name(x.dtype)}'")


def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None, *,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The differences of neighbours along a dimension, taken `n` times.

    prepend, append  tensors to put before and behind the input first
    Raises RuntimeError for a 0-d tensor or a negative `n`.

    >>> import wengert
    >>> wengert.diff(wengert.tensor([1, 3, 2]))
    tensor([ 2, -1])
    """
    check_tensor("diff", input)
    if not input._array.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    d = one_dim("diff", dim, input._array.ndim)
    for x in (prepend, append):
        if x is not None and x._array.ndim != input._array.ndim:
            raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    parts = [x for x in (prepend, input, append) if x is not None]
    if n == 0:
        made = input.clone()
    else:
        if len(parts) > 1:
            made = cat(parts, d)
        else:
            made = input
        for _ in range(min(n, made._array.shape[d])):
            length = made._array.shape[d]
            after, before = made.narrow(d, 1, length - 1), made.narrow(d, 0, length - 1)
            made = after ^ before if made._array.dtype.kind == "b" else after - before
    return made if out is None else into(out, made)


cumsum_ = inplace(cumsum, "cumsum_")
cumprod_ = inplace(cumprod, "cumprod_")

__all__ = expose(
    __name__,
    functions="cumsum cumprod logcumsumexp cummax cummin diff",
    methods="cumsum cumprod logcumsumexp cummax cummin diff",
    writes="cumsum cumprod",
)
