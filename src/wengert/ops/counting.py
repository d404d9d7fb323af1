"""How often values occur: counts of integers, histograms, and where values belong among sorted ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import dtypes, return_types
from ..dtype_names import c_name, scalar_name
from ..tensor import Tensor, wrap
from .dims import check_tensor, into_same
from .expose import expose

# ------------------------------------------------------------------------------------------------ integers


def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each integer from 0 occurs in a tensor of one dimension; or the sum of the weights where it does.

    minlength  how long the result is at least

    Returns int64, or with weights their dtype if that is float32, else float64.
    Raises RuntimeError for negative integers and for other shapes, NotImplementedError for other dtypes.

    >>> import wengert
    >>> wengert.bincount(wengert.tensor([0, 2, 2]))
    tensor([1, 0, 2])
    """
    check_tensor("bincount", input)
    if input.dtype.category != dtypes.INTEGER:
        raise NotImplementedError(
            f"\"bincount_cpu\" not implemented for '{scalar_name(input.dtype)}': convert the input to integers"
        )
    array = input._array
    if minlength < 0:
        raise RuntimeError(f"minlength should be >= 0: found {minlength}")
    if array.ndim != 1 or (array.size and array.min() < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is None:
        return wrap(np.bincount(array, minlength=minlength).astype(np.int64, copy=False))
    if weights.shape != input.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    made = np.bincount(array, weights._array, minlength)
    return wrap(made.astype(weights._array.dtype if weights.dtype is dtypes.float32 else np.float64, copy=False))


# ------------------------------------------------------------------------------------------------ sorted boundaries


def _places(boundaries: Any, values: Any, right: bool) -> Any:
    """Where values belong in sorted rows: of all rows at once, by the ranks of both together."""
    if boundaries.ndim == 1:
        return np.searchsorted(boundaries, values, "right" if right else "left")
    count, n = math.prod(boundaries.shape[:-1]), boundaries.shape[-1]
    rows, found = boundaries.reshape(count, n), values.reshape(count, values.shape[-1])
    both = np.concatenate((rows, found) if right else (found, rows), 1)
    order = np.argsort(both, 1, kind="stable")
    is_boundary = (order < n) if right else (order >= found.shape[1])
    before = np.cumsum(is_boundary, 1)
    made = np.empty_like(order)
    np.put_along_axis(made, order, before, 1)
    made = made[:, n:] if right else made[:, : found.shape[1]]
    return made.reshape(values.shape)


def _in_order(boundaries: Tensor, sorter: Tensor) -> Any:
    shape = boundaries._array.shape
    if sorter._array.shape != shape:
        raise RuntimeError(
            "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor "
            f"{list(shape)}and got sorter tensor {list(sorter.shape)}"
        )
    if sorter.dtype is not dtypes.int64:
        raise RuntimeError(
            f"torch.searchsorted(): sorter must be a tensor of long dtype but got dtype {scalar_name(sorter.dtype)}"
        )
    order = sorter._array
    if order.size and (order.min() < 0 or order.max() >= shape[-1]):
        raise RuntimeError("torch.searchsorted(): sorter index out of range")
    return np.take_along_axis(boundaries._array, order, -1)


def searchsorted(
    sorted_sequence: Tensor, self: Any, *, out_int32: bool = False, right: bool = False, side: str | None = None,
    sorter: Tensor | None = None, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Where values would have to be inserted in sorted sequences to keep them sorted.

    sorted_sequence  one sequence, or sequences along the last dimension
    self             values: of any shape for one sequence, else a row for each sequence; or a number
    right, side      behind equal elements ("right") and not before them ("left")
    sorter           indices that sort the sequences, if they are not sorted
    out_int32        give int32 and not int64

    Raises RuntimeError for shapes and options that do not fit.

    >>> import wengert
    >>> wengert.searchsorted(wengert.tensor([1, 3, 5]), wengert.tensor([0, 3, 9]))
    tensor([0, 1, 3])
    """
    check_tensor("searchsorted", sorted_sequence, "sorted_sequence")
    if side is not None and side not in ("left", "right"):
        raise RuntimeError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        raise RuntimeError(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True"
        )
    right = right or side == "right"
    have = tuple(sorted_sequence.shape)
    if not have:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension"
        )
    number = not isinstance(self, Tensor)
    values = np.asarray(self) if number else self._array
    if not values.ndim and len(have) != 1:
        raise RuntimeError(
            f"torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries "
            f"tensor dim({len(have)}) and input value's dim(0) numel(1)"
        )
    if len(have) > 1 and (values.ndim != len(have) or values.shape[:-1] != have[:-1]):
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and "
            f"input value tensor must match, but we got boundaries tensor {list(have)} and input value tensor {list(values.shape)}"
        )
    boundaries = sorted_sequence._array if sorter is None else _in_order(sorted_sequence, sorter)
    made = _places(boundaries, values, right)
    return into_same(out, wrap(np.asarray(made, np.int32 if out_int32 else np.int64)))


def bucketize(
    input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False, out: Tensor | None = None
) -> Tensor:
    """For each value the number of the bucket between sorted boundaries that it lies in.

    right  a value equal to a boundary lies behind it

    Raises RuntimeError for boundaries of other than one dimension.

    >>> import wengert
    >>> wengert.bucketize(wengert.tensor([0.0, 2.0, 3.0]), wengert.tensor([1.0, 3.0]))
    tensor([0, 1, 1])
    """
    check_tensor("bucketize", boundaries, "boundaries", 2)
    if boundaries.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right, out=out)


# ------------------------------------------------------------------------------------------------ histograms


def _range(low: float, high: float, values: Any) -> tuple[float, float]:
    """From where to where: of the values if both are the same, and a stretch around a single one."""
    if low == high and values.size:
        low, high = float(values.min()), float(values.max())
    return (low - 1, high + 1) if low == high else (low, high)


def histc(input: Tensor, bins: int = 100, min: Any = 0, max: Any = 0, *, out: Tensor | None = None) -> Tensor:
    """How many elements lie in each of `bins` equal stretches from `min` to `max`; elsewhere they are not counted.

    min, max  both 0: the smallest and the largest element

    Raises RuntimeError for no bins and for a range that is none, NotImplementedError for integers.

    >>> import wengert
    >>> wengert.histc(wengert.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3)
    tensor([0., 2., 1., 0.])
    """
    check_tensor("histc", input)
    if input.dtype.category == dtypes.BOOL:
        raise NotImplementedError("\"linspace_cpu\" not implemented for 'Bool'")
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    values = input._array.reshape(-1)
    low, high = _range(float(min), float(max), values) if min == max else (float(min), float(max))
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
    if low >= high:
        raise RuntimeError("torch.histc: max must be larger than min")
    if not input.dtype.is_floating_point:
        raise NotImplementedError(
            f"\"histogram_cpu\" not implemented for '{scalar_name(input.dtype)}': convert the input to floating point"
        )
    inside = values[(values >= low) & (values <= high)]
    place = np.minimum(((inside - low) / (high - low) * bins).astype(np.int64), bins - 1)
    made = np.bincount(place, minlength=bins).astype(input._array.dtype)
    return into_same(out, wrap(made))


def _edges(values: Any, bins: Any, span: Any, d: Any, dimension: int) -> Any:
    """The edges of the bins along one dimension."""
    if isinstance(bins, Tensor):
        if bins.ndim != 1:
            raise RuntimeError(
                f"torch.histogramdd: bins tensor should have one dimension, but got {bins.ndim} dimensions in the bins tensor for "
                f"dimension {dimension}"
            )
        if bins._array.dtype != d:
            raise RuntimeError(
                "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype "
                f"{c_name(dtypes.of(d))} and bins for dimension {dimension} with dtype {c_name(bins.dtype)}"
            )
        return bins._array.copy()
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension {dimension}")
    if span is not None:
        low, high = float(span[0]), float(span[1])
    else:
        low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"torch.histogramdd: dimension {dimension}'s range [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError(
            f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for dimension {dimension}"
        )
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, bins + 1).astype(d)


def _counted(points: Any, edges: list[Any], weight: Any, density: bool) -> Any:
    """The sum of weights in each box between edges; the last box of a dimension has its end too."""
    shape = tuple([len(e) - 1 for e in edges])
    places, inside = [], np.ones(len(points), bool)
    for i, e in enumerate(edges):
        column = points[:, i]
        place = np.searchsorted(e, column, "right") - 1
        place = np.where(column == e[-1], len(e) - 2, place)
        inside &= (place >= 0) & (place < len(e) - 1) & ~np.isnan(column)
        places.append(place)
    where = np.ravel_multi_index([p[inside] for p in places], shape) if inside.any() else np.zeros(0, np.int64)
    total = np.bincount(where, None if weight is None else weight[inside], math.prod(shape)).reshape(shape)
    made = total.astype(points.dtype)
    if density:
        size = np.ones((), points.dtype)
        for i, e in enumerate(edges):
            size = size * np.diff(e).reshape((1,) * i + (-1,) + (1,) * (len(edges) - 1 - i))
        made = made / (size * made.sum())
    return made


def _check_weight(points: Tensor, weight: Tensor | None) -> Any:
    if weight is None:
        return None
    if weight.shape != points.shape[:-1]:
        raise RuntimeError(
            "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost "
            f"dimension, but got input with shape {list(points.shape)} and weight with shape {list(weight.shape)}"
        )
    if weight.dtype is not points.dtype:
        raise RuntimeError(
            "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got "
            f"input({c_name(points.dtype)}), and weight({c_name(weight.dtype)})"
        )
    return weight._array.reshape(-1)


def _check_float(x: Tensor) -> None:
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise NotImplementedError(
            f"\"histogramdd\" not implemented for '{scalar_name(x.dtype)}': convert the input to float32 or float64"
        )


def histogram(
    input: Tensor, bins: Any, *, range: Any = None, weight: Tensor | None = None, density: bool = False, out: Any = None
) -> Any:
    """How many elements, or how much weight, lie in each bin: a named tuple (hist, bin_edges).

    bins     how many equal ones, or a tensor of their edges
    range    from where to where they reach, by default from the smallest to the largest element
    weight   what each element counts
    density  divide by the length of the bin and by the total

    Raises RuntimeError for shapes and ranges that do not fit, NotImplementedError for other dtypes.

    >>> import wengert
    >>> wengert.histogram(
    ...     wengert.tensor([1.0, 2.0, 1.0]), bins=4, range=(0.0, 3.0), weight=wengert.tensor([1.0, 2.0, 4.0])
    ... ).hist
    tensor([0., 5., 2., 0.])
    """
    check_tensor("histogram", input)
    flat = input.reshape(-1, 1)
    weights = _check_weight(flat, None if weight is None else weight.reshape(-1))
    _check_float(input)
    points = flat._array
    edges = _edges(points, bins, range, points.dtype, 0)
    results = wrap(_counted(points, [edges], weights, density)), wrap(edges)
    if out is not None:
        results = tuple(into_same(have, want) for have, want in zip(out, results, strict=True))
    return return_types.histogram(results)


def histogramdd(
    input: Tensor, bins: Any, range: Any = None, weight: Tensor | None = None, density: bool = False
) -> Any:
    """How many points, or how much weight, lie in each box: a named tuple (hist, bin_edges).

    input    points: their coordinates in the last dimension
    bins     for each coordinate how many bins, or a tensor of their edges; or one number
    range    (from, to) for each coordinate, in one list
    weight   what each point counts
    density  divide by the size of the box and by the total

    Raises RuntimeError for shapes and ranges that do not fit, NotImplementedError for other dtypes.

    >>> import wengert
    >>> wengert.histogramdd(wengert.tensor([[0.0, 1.0], [1.0, 0.0]]), bins=[2, 2]).hist
    tensor([[0., 1.],
            [1., 0.]])
    """
    check_tensor("histogramdd", input)
    if input.ndim < 2:
        raise RuntimeError("torch.histogramdd: input tensor should have at least 2 dimensions")
    n = input.shape[-1]
    each = list(bins) if isinstance(bins, (tuple, list)) else [bins] * n
    if len(each) != n:
        raise RuntimeError("histogramdd: The size of bins must be equal to the innermost dimension of the input.")
    if range is not None and len(range) != 2 * n:
        raise RuntimeError(
            f"torch.histogramdd: for a {n}-dimensional histogram range should have {2 * n} elements, but got {len(range)}"
        )
    weights = _check_weight(input, weight)
    _check_float(input)
    points = input._array.reshape(-1, n)
    edges = [
        _edges(points[:, i], b, None if range is None else range[2 * i : 2 * i + 2], points.dtype, i)
        for i, b in enumerate(each)
    ]
    return return_types.histogramdd((wrap(_counted(points, edges, weights, density)), tuple(map(wrap, edges))))


__all__ = expose(
    __name__, functions="bincount searchsorted bucketize histc histogram histogramdd",
    methods="bincount histc histogram",
)  # fmt: skip
