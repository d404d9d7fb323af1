"""Reductions that add: sum, mean, and their kin that pass over nan."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import dtypes
from ..autograd.modes import DEFAULT, get_mode
from ..autograd.node import next_sequence
from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap_dim
from .adding import ONES, SMALL, add_up
from .declare import F32, F64, Aside, Operation, general, linear
from .dims import check_keepdim, check_tensor, count_over, dtype_argument, kept_shape, numpy_names, several_dims
from .expose import expose
from .inplace import into

_new: Any = object.__new__
_reduce_add: Any = np.add.reduce
_empty = np.empty

# ------------------------------------------------------------------------------------------------ declarations


def _spread(a: Any, shape: tuple[int, ...], dim: Any = None, keepdim: bool = False) -> Any:
    """`a`, a reduction over `dim` (None: over all), repeated to the shape from which it came."""
    if dim is not None and not keepdim and a.ndim != len(shape):
        a = a.reshape(kept_shape(shape, _front(dim, len(shape))))
    if math.prod(shape) > 16384:
        return np.broadcast_to(a if a.ndim <= len(shape) else a.reshape(()), shape)
    made = np.empty(shape, a.dtype)
    made[...] = a
    return made


def _front(dim: Any, ndim: int) -> tuple[int, ...]:
    if dim is None:
        return tuple(range(ndim))
    return (dim % ndim if ndim else 0,) if type(dim) is int else tuple([d % ndim if ndim else 0 for d in dim])


def _sum(a: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    if dim is not None and a.size <= SMALL and dtype is None and a.ndim:
        ones = ONES.get(a.dtype)
        if ones is not None:
            if a.ndim == 2:
                axis = dim if type(dim) is int else dim[0] if len(dim) == 1 else None
                if axis is not None:
                    row = ones.get(a.shape[axis])
                    if row is not None:
                        r = a.dot(row) if axis % 2 else row.dot(a)
                        return r.reshape((-1, 1) if axis % 2 else (1, -1)) if keepdim else r
            return _reduce_add(a, dim, None, None, keepdim)
    if dtype is None and a.dtype.kind in "biu":
        dtype = _INT64
    if a.ndim == 0:
        return np.array(a, dtype)
    return add_up(a, dim if dim is None else _front(dim, a.ndim), keepdim, dtype)


def _mean(a: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    d = a.dtype if dtype is None else dtype
    if d.itemsize == 2:
        return _mean(a, dim, keepdim, F32).astype(d)
    n = a.size if dim is None else count_over(a.shape, _front(dim, a.ndim))
    total = _sum(a, dim, keepdim, dtype)
    if type(total) is np.ndarray:
        total /= n or math.nan
        return total
    return np.asarray(total / (n or math.nan), total.dtype)


_INT64 = np.dtype(np.int64)


def sum_all(a: Any) -> Any:
    """The sum of all elements, as an array without dimensions."""
    d = a.dtype
    if a.size <= SMALL and (d is F32 or d is F64):
        if d is F32:
            ones = _lines.get(a.shape)
            if ones is not None:
                total = _empty((), F32)
                a.dot(ones, total)  # which gives a number, not an array
                return total
        return _reduce_add(a, None, out=...)
    return np.asarray(_sum(a))


_lines = {(n,): ones for n, ones in ONES[F32].items()}  # by shape, which is what is at hand


def _mean_all(a: Any) -> Any:
    d = a.dtype
    if (d is F32 or d is F64) and a.size <= SMALL:
        return np.array(_reduce_add(a, None) / (a.size or math.nan))
    return np.asarray(_mean(a))


_total = linear("sum_all", sum_all, lambda F, t, self_shape: F.spread(t, self_shape, None, False), node="SumBackward0")
_average = linear(
    "mean_all", _mean_all,
    lambda F, t, self_shape: F.spread(t / max(math.prod(self_shape), 1), self_shape, None, False),
    node="MeanBackward0",
)  # fmt: skip
_total_as = linear(
    "sum_all_as", lambda a, dtype: np.asarray(_sum(a, None, False, dtype)),
    lambda F, t, self_shape: F.spread(t, self_shape, None, False), statics=("dtype",), node="SumBackward0",
)  # fmt: skip
_average_as = linear(
    "mean_all_as", lambda a, dtype: np.asarray(_mean(a, None, False, dtype)),
    lambda F, t, self_shape: F.spread(t / max(math.prod(self_shape), 1), self_shape, None, False),
    statics=("dtype",), node="MeanBackward0",
)  # fmt: skip
_sum_over = linear(
    "sum", _sum, lambda F, t, self_shape, dim, keepdim: F.spread(t, self_shape, dim, keepdim),
    statics=("dim", "keepdim", "dtype"), node="SumBackward1",
)  # fmt: skip
_mean_over = linear(
    "mean", _mean,
    lambda F, t, self_shape, dim, keepdim: F.spread(t / max(_count(self_shape, dim), 1), self_shape, dim, keepdim),
    statics=("dim", "keepdim", "dtype"), node="MeanBackward1",
)  # fmt: skip
spread = linear(
    "spread", _spread, lambda F, t, dim, keepdim: F.sum(t, dim, keepdim), statics=("shape", "dim", "keepdim"),
    node="ExpandBackward0",
)  # fmt: skip


_nansum = general(
    "nansum",
    lambda a, dim, keepdim, dtype=None: np.asarray(
        _sum(np.where(np.isnan(a), a.dtype.type(0), a), dim, keepdim, dtype)
    ),
    {"self": lambda F, t, self, dim, keepdim: F.masked(F.spread(t, self.shape, dim, keepdim), ~F.isnan(self))},
    ("dim", "keepdim", "dtype"),
    node="NansumBackward0",
)


def _count(shape: tuple[int, ...], dim: Any) -> int:
    return math.prod(shape) if dim is None else count_over(shape, _front(dim, len(shape)))


# ------------------------------------------------------------------------------------------------ functions


def _over_all(operation: Any, rest: Any) -> Any:
    """The function of a reduction: of all elements at once by `operation`, with any further argument by `rest`."""
    op: Operation = operation.operation
    forward, node_type = op.forward, op.node_type

    def reduce(input: Any, *args: Any, **kwargs: Any) -> Tensor:
        if args or kwargs:
            return rest(input, *args, **kwargs)
        mode = get_mode()
        try:
            a = input._array
            edge = input._edge
            d = a.dtype
            if (d is not F32 and d is not F64) or not mode.plain:
                raise Aside
            r = forward(a)
        except Exception:
            return rest(input)
        result: Tensor = _new(Tensor)
        result._array = r
        result._extra = None
        result._cell = [0]
        if edge is None or mode is not DEFAULT:
            result._edge = None
            return result
        result._edge = node = _new(node_type)
        node.edge = edge
        node.sequence = next_sequence()
        node.adjust = node.versions = None
        node.saved = (None, None, a.shape)
        return result

    reduce.__name__ = reduce.__qualname__ = rest.__name__
    reduce.__doc__ = rest.__doc__
    reduce.__wrapped__ = rest  # type: ignore[attr-defined]
    return reduce


_SIGNATURES = (
    "(Tensor input, *, torch.dtype dtype = None)",
    "(Tensor input, tuple of ints dim, bool keepdim = False, *, torch.dtype dtype = None, Tensor out = None)",
)


def _named_dim(function: str, dim: Any, keepdim: Any, names: dict[str, Any]) -> tuple[Any, bool]:
    """`dim` and `keepdim`, which may be given by NumPy's names too."""
    if names:
        dim, keepdim = numpy_names(function, dim, keepdim, names)
    check_keepdim(function, keepdim)
    return dim, keepdim


def sum(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None, **numpy: Any
) -> Tensor:
    """The sum of all elements, or over one or several dimensions.

    dim      an integer or a tuple of them; None or () stands for all
    keepdim  keep the dimensions that are summed over, at length 1
    dtype    convert the elements to this type first; otherwise integers and bool are added as int64
    Raises IndexError for a dimension that is not there, RuntimeError for one that is named twice.

    >>> import wengert
    >>> wengert.sum(wengert.tensor([[1.0, 2.0], [3.0, 4.0]]), 0)
    tensor([4., 6.])
    """
    if type(dim) is int and dtype is out is None and keepdim is False and not numpy and isinstance(input, Tensor):
        dim = wrap_dim(dim, input._array.ndim)
        return _sum_over(input, (dim,) if input._array.ndim else None, False)
    check_tensor("sum", input)
    dim, keepdim = _named_dim("sum", dim, keepdim, numpy)
    target = dtype_argument(dtype, out)
    if dim is None and not keepdim:
        result = _total(input) if target is None else _total_as(input, target)
    else:
        dims = several_dims("sum", dim, input._array.ndim, _SIGNATURES) or None
        result = _sum_over(input, dims, keepdim, target) if target is not None else _sum_over(input, dims, keepdim)
    return result if out is None else into(out, result)


def mean(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None, **numpy: Any
) -> Tensor:
    """The mean of all elements, or over one or several dimensions.

    dim      an integer or a tuple of them; None or () stands for all
    keepdim  keep the dimensions that are averaged over, at length 1
    dtype    convert the elements to this floating-point or complex type first
    Raises RuntimeError for integers and bool unless `dtype` is given, and for a dimension that is named twice;
    IndexError for one
    that is not there.

    >>> import wengert
    >>> wengert.mean(wengert.tensor([[1.0, 2.0], [3.0, 4.0]]), 1)
    tensor([1.5000, 3.5000])
    """
    check_tensor("mean", input)
    dim, keepdim = _named_dim("mean", dim, keepdim, numpy)
    target = dtype_argument(dtype)
    found = input.dtype if target is None else dtypes.of(target)
    if found.category < dtypes.FLOAT:
        whose = "Input" if target is None else "Optional"
        raise RuntimeError(
            f"mean(): could not infer output dtype. {whose} dtype must be either a floating point or complex dtype. "
            "Got: "
            f"{scalar_name(found)}; give dtype=wengert.float32"
        )
    if dim is None and not keepdim:
        result = _average(input) if target is None else _average_as(input, target)
    else:
        dims = several_dims("mean", dim, input._array.ndim, _SIGNATURES) or None
        result = _mean_over(input, dims, keepdim, target) if target is not None else _mean_over(input, dims, keepdim)
    return result if out is None else into(out, result)


def nansum(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None, **numpy: Any
) -> Tensor:
    """The sum of all elements that are not nan, or over one or several dimensions.

    Raises RuntimeError for complex numbers.

    >>> import wengert
    >>> wengert.nansum(wengert.tensor([1.0, float("nan"), 2.0]))
    tensor(3.)
    """
    check_tensor("nansum", input)
    dim, keepdim = _named_dim("nansum", dim, keepdim, numpy)
    if input._array.dtype.kind == "c":
        raise RuntimeError("nansum on CPU does not support complex inputs")
    if input._array.dtype.kind in "biu":
        return sum(input, dim, keepdim, dtype=dtype, out=out)
    dims = several_dims("nansum", dim, input._array.ndim, _SIGNATURES) or None
    result = _nansum(input, dims, keepdim, dtype_argument(dtype, out))
    return result if out is None else into(out, result)


def nanmean(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None, **numpy: Any
) -> Tensor:
    """The mean of all elements that are not nan, or over one or several dimensions.

    Raises RuntimeError for integers, bool and complex numbers.

    >>> import wengert
    >>> wengert.nanmean(wengert.tensor([1.0, float("nan"), 2.0]))
    tensor(1.5000)
    """
    check_tensor("nanmean", input)
    dim, keepdim = _named_dim("nanmean", dim, keepdim, numpy)
    if input.dtype.category < dtypes.FLOAT:
        raise RuntimeError(
            f"nanmean(): expected input to have floating point or complex dtype but got {scalar_name(input.dtype)}"
        )
    total = nansum(input, dim, keepdim, dtype=dtype)
    numbers = sum(~input.detach().isnan(), dim, keepdim)
    result = total / numbers
    return result if out is None else into(out, result)


sum = _over_all(_total, sum)
mean = _over_all(_average, mean)

__all__ = expose(__name__, functions="sum mean nansum nanmean", methods="sum mean nansum nanmean")
