"""What is found by putting elements in order: the k-th, the median, quantiles; and the most frequent."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import return_types
from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap
from . import along
from .declare import general
from .dims import check_keepdim, check_tensor, combination_error, dim_number, kept_shape, one_dim
from .expose import expose
from .extremum import choosing, named, pull_whole
from .inplace import into
from .sorting import order_of, sort

# ------------------------------------------------------------------------------------------------ declarations


def _at(order: Any, places: Any, dim: int) -> Any:
    return along.take_along(order, np.asarray(places, np.int64), dim, False)


def _kth(a: Any, dim: int, k: int) -> Any:
    if a.shape[dim] > 64:  # of few, the first of equal elements; of many, what is found first
        return np.argpartition(a, k - 1, dim).take(k - 1, dim)
    return order_of(a, dim).take(k - 1, dim)


def _middle(a: Any, dim: int) -> Any:
    index = _kth(a, dim, (a.shape[dim] + 1) // 2)
    if a.dtype.kind not in "biu":
        missing = np.isnan(a)
        index = np.where(missing.any(dim), missing.argmax(dim), index)
    return index


def _middle_number(a: Any, dim: int) -> Any:
    count = np.add.reduce(~np.isnan(a) if a.dtype.kind not in "biu" else np.ones(a.shape, bool), dim)
    return _at(order_of(a, dim), np.maximum(count - 1, 0) // 2, dim)


def _most_frequent(a: Any, dim: int) -> Any:
    order = order_of(a, dim)
    lines = np.moveaxis(along.take_along(a, order, dim), dim, 0)
    run = np.zeros(lines.shape, np.int64)  # how many equal ones come before
    for i in range(1, lines.shape[0]):
        run[i] = np.where(lines[i] == lines[i - 1], run[i - 1] + 1, 0)
    return _at(order, run.argmax(0), dim)


_kth_along = choosing("kthvalue", along.chosen_by(_kth), "KthvalueBackward0", ("dim", "keepdim", "k"))
_median_along = choosing("median_along", along.chosen_by(_middle), "MedianBackward1")
_nanmedian_along = choosing("nanmedian_along", along.chosen_by(_middle_number), "NanmedianBackward1")
_mode_along = choosing("mode", along.chosen_by(_most_frequent), "ModeBackward0")


def _whole(find: Any) -> Any:
    def forward(a: Any) -> Any:
        row = a.reshape(-1)
        return np.asarray(row[find(row, 0)] if row.size else np.nan, a.dtype)

    return forward


_median_all = general("median", _whole(_middle), {"self": pull_whole}, node="MedianBackward0")
_nanmedian_all = general("nanmedian", _whole(_middle_number), {"self": pull_whole}, node="NanmedianBackward0")

# ------------------------------------------------------------------------------------------------ functions


def _refuse(name: str, x: Tensor, kinds: str, where: str = "cpu") -> None:
    if x._array.dtype.kind in kinds:
        raise NotImplementedError(f"\"{name}_{where}\" not implemented for '{scalar_name(x.dtype)}'")


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False, *, out: Any = None) -> Any:
    """The k-th smallest element along a dimension, counted from 1, and its index: a named tuple (values, indices).

    Raises RuntimeError for more than there are, NotImplementedError for complex numbers and bool.

    >>> import wengert
    >>> wengert.kthvalue(wengert.tensor([3.0, 1.0, 2.0]), 2).values
    tensor(2.)
    """
    check_tensor("kthvalue", input)
    shape = input._array.shape
    d = one_dim("kthvalue", dim, len(shape), 3)
    k = dim_number("kthvalue", k, "k", 2)
    if not 1 <= k <= (shape[d] if shape else 1):
        raise RuntimeError(
            f"kthvalue(): selected number k out of range for dimension {d}: k is {k}, and there are "
            f"{shape[d] if shape else 1} elements"
        )
    _refuse("kthvalue", input, "cb")
    return named(return_types.kthvalue, _kth_along(input, d, keepdim, k), out)


def _median(name: str, whole: Any, along_dim: Any, kind: Any) -> Any:
    def median(input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Any = None) -> Any:
        check_tensor(name, input)
        if dim is None:
            if keepdim:
                raise combination_error(
                    name, "(Tensor, keepdim=bool)", ("(Tensor input)", "(Tensor input, int dim, bool keepdim = False)")
                )
            _refuse("median", input, "cb")
            return whole(input)
        check_keepdim(name, keepdim)
        shape = input._array.shape
        d = one_dim(name, dim, len(shape))
        if shape and not shape[d]:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
        _refuse("median", input, "cb", "out")
        return named(kind, along_dim(input, d, keepdim), out)

    median.__name__ = median.__qualname__ = name
    which = "nan if there is one" if name == "median" else "those that are nan apart"
    median.__doc__ = f"""The middle element, of two the smaller ({which}): of all, or along a dimension with its index.

    Of all, equal elements share the gradient; along a dimension a named tuple (values, indices).
    Raises NotImplementedError for complex numbers and bool.

    >>> import wengert
    >>> wengert.{name}(wengert.tensor([3.0, 1.0, 2.0, 4.0]))
    tensor(2.)
    """
    return median


median = _median("median", _median_all, _median_along, return_types.median)
nanmedian = _median("nanmedian", _nanmedian_all, _nanmedian_along, return_types.nanmedian)


def mode(input: Tensor, dim: int = -1, keepdim: bool = False, *, out: Any = None) -> Any:
    """The most frequent element along a dimension and an index of it: a named tuple (values, indices).

    Of equally frequent ones it is the smallest.

    >>> import wengert
    >>> wengert.mode(wengert.tensor([3.0, 1.0, 3.0])).values
    tensor(3.)
    """
    check_tensor("mode", input)
    shape = input._array.shape
    d = one_dim("mode", dim, len(shape))
    if shape and not shape[d] and 0 not in shape[:d] + shape[d + 1 :]:
        raise IndexError(f"mode(): Expected reduction dim {d} to have non-zero size.")
    _refuse("mode", input, "c")
    if not input._array.size and shape:
        rest = (
            [1 if i == d else n for i, n in enumerate(shape)] if keepdim else [n for i, n in enumerate(shape) if i != d]
        )
        return named(return_types.mode, (input.new_empty(rest), wrap(np.zeros(rest, np.int64))), out)
    return named(return_types.mode, _mode_along(input, d, keepdim), out)


# ------------------------------------------------------------------------------------------------ quantiles

_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantile(
    name: str,
    input: Tensor,
    q: Any,
    dim: int | None,
    keepdim: bool,
    interpolation: str,
    ignore_nan: bool,
    out: Tensor | None,
) -> Tensor:
    check_tensor(name, input)
    if isinstance(q, (str, bool)) or not isinstance(q, (Tensor, float, int)):
        raise combination_error(
            name, f"(Tensor, {type(q).__name__})",
            (
                '(Tensor input, Tensor q, int dim = None, bool keepdim = False, *, str interpolation = "linear", '
                'Tensor out = None)',
                '(Tensor input, float q, int dim = None, bool keepdim = False, *, str interpolation = "linear", '
                'Tensor out = None)',
            ),
        )  # fmt: skip
    if isinstance(q, (int, float)) and not 0 <= q <= 1:
        raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
    if not input._array.size:
        raise RuntimeError("quantile() input tensor must be non-empty")
    points = q._array if isinstance(q, Tensor) else np.asarray(q, input._array.dtype)
    if points.ndim > 1:
        raise RuntimeError(f"quantile() q must be a scalar or 1D tensor: it has {points.ndim} dimensions")
    if input._array.dtype.name not in ("float32", "float64"):
        raise RuntimeError(f"quantile() input tensor must be either float or double dtype: it is {input.dtype}")
    if isinstance(q, Tensor) and points.dtype is not input._array.dtype:
        raise RuntimeError(f"quantile() q tensor must be same dtype as the input tensor: {q.dtype}, and {input.dtype}")
    if interpolation not in _INTERPOLATIONS:
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got "
            + str(interpolation)
        )
    if not ((points >= 0) & (points <= 1)).all():
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    ndim = input._array.ndim
    d = 0 if dim is None else one_dim(name, dim, ndim, 3)
    lines = input.reshape(-1) if dim is None or not ndim else input.movedim(d, 0)
    ordered = sort(lines, 0).values
    numbers = ordered._array == ordered._array
    count = np.add.reduce(numbers, 0)
    last = lines._array.shape[0] - 1
    rank = np.multiply.outer(points.reshape(-1), np.maximum(count - 1, 0) if ignore_nan else np.full(count.shape, last))
    if not ignore_nan:
        rank = np.where(count <= last, last, rank)  # nan is the largest
    low, high = np.floor(rank), np.ceil(rank)
    if interpolation in ("linear", "midpoint"):
        weight = wrap(np.where(high > low, 0.5, 0.0).astype(points.dtype))
        if interpolation == "linear":
            weight = wrap((rank - low).astype(points.dtype))
            if isinstance(q, Tensor):  # what follows is 0, but for its derivative
                steps = np.maximum(count - 1, 0) if ignore_nan else np.where(count <= last, 0, last)
                spread = q.reshape((-1,) + (1,) * count.ndim) * wrap(np.asarray(steps, points.dtype))
                weight = weight + (spread - spread.detach())
        start = along.pick(ordered, wrap(low.astype(np.int64)), 0, True, False)
        stop = along.pick(ordered, wrap(high.astype(np.int64)), 0, True, False)
        result = start + (stop - start) * weight
    else:
        place = {"lower": low, "higher": high, "nearest": np.round(rank)}[interpolation]
        result = along.pick(ordered, wrap(np.asarray(place, np.int64)), 0, True, False)
    rest = input._array.shape
    if keepdim:
        rest = kept_shape(rest, None if dim is None else (d,))
    else:
        rest = () if dim is None else rest[:d] + rest[d + 1 :]
    result = result.reshape((*points.shape, *rest))
    return result if out is None else into(out, result)


def quantile(
    input: Tensor, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear",
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The number below which the part `q` of the elements lies: of all, or along a dimension.

    q              a number from 0 to 1, or a tensor of them, which gives the result a first dimension
    interpolation  what to take between two elements: "linear", "lower", "higher", "midpoint" or "nearest"
    Raises RuntimeError for other q, for no elements, and for dtypes other than float32 and float64.

    >>> import wengert
    >>> wengert.quantile(wengert.tensor([0.0, 1.0, 2.0, 3.0]), 0.5)
    tensor(1.5000)
    """
    return _quantile("quantile", input, q, dim, keepdim, interpolation, False, out)


def nanquantile(
    input: Tensor, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear",
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """`quantile` of the elements that are not nan.

    >>> import wengert
    >>> wengert.nanquantile(wengert.tensor([0.0, 1.0, float("nan"), 2.0]), 0.5)
    tensor(1.)
    """
    return _quantile("nanquantile", input, q, dim, keepdim, interpolation, True, out)


__all__ = expose(
    __name__,
    functions="kthvalue median nanmedian mode quantile nanquantile",
    methods="kthvalue median nanmedian mode quantile nanquantile",
)
