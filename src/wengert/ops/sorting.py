"""Elements in order: sort, topk, and the distinct ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import return_types
from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap
from . import along
from .declare import flat, general
from .dims import check_tensor, dim_number, one_dim
from .expose import expose
from .extremum import named
from .inplace import into

# ------------------------------------------------------------------------------------------------ declarations


def order_of(a: Any, dim: int, descending: bool = False) -> Any:
    """The indices that sort along a dimension: equal elements stay in order, nan counts as the largest."""
    if not a.ndim:
        return np.zeros((), np.int64)
    if not descending:
        return np.argsort(a, dim, kind="stable")
    found = np.argsort(np.flip(a, dim), dim, kind="stable")
    return np.flip(a.shape[dim] - 1 - found, dim).copy()


def _sort(a: Any, dim: int, descending: bool) -> Any:
    index = order_of(a, dim, descending)
    return along.take_along(a, index, dim), index


def _topk(a: Any, k: int, dim: int, largest: bool) -> Any:
    if not a.ndim:
        return (np.array(a), np.zeros((), np.int64)) if k else (np.empty(0, a.dtype), np.empty(0, np.int64))
    n = a.shape[dim]
    if 0 < k <= n // 4 and n > 64:
        cut = np.argpartition(a, n - k if largest else k - 1, dim)
        at = (slice(None),) * dim + (slice(n - k, n) if largest else slice(0, k),)
        index = np.sort(cut[at], dim)  # so that equal elements come in order
        index = along.take_along(index, order_of(along.take_along(a, index, dim), dim, largest), dim)
    else:
        index = order_of(a, dim, largest)[(slice(None),) * dim + (slice(0, k),)]
    return along.take_along(a, index, dim), index


_sorted = general(
    "sort",
    _sort,
    {"self": lambda F, t, indices, self_shape, dim: F.put_along(t, indices, self_shape, dim, True, True)},
    ("dim", "descending"),
    outputs=("values", "indices"),
    push=lambda F, t, indices, dim: F.take_along(t, indices, dim, True, True),
    node="SortBackward0",
)
_best = general(
    "topk",
    _topk,
    {"self": lambda F, t, indices, self_shape, dim: F.put_along(t, indices, self_shape, dim, True, True)},
    ("k", "dim", "largest"),
    outputs=("values", "indices"),
    push=lambda F, t, indices, dim: F.take_along(t, indices, dim, True, True),
    node="TopkBackward0",
)
_order = flat("argsort", order_of, promote=None, statics=("dim", "descending"))

# ------------------------------------------------------------------------------------------------ functions


def _refuse(name: str, x: Tensor, kinds: str) -> None:
    kind = x._array.dtype.kind
    if kind in kinds:
        space = " " if kind == "c" else ""
        raise RuntimeError(f"{space}{name} does not support {'complex' if kind == 'c' else 'bool'} dtypes on CPU")


def sort(
    input: Tensor, dim: int = -1, descending: bool = False, stable: bool | None = False, *, out: Any = None
) -> Any:
    """The elements in order along a dimension, and their indices: a named tuple (values, indices).

    Equal elements stay in order, whether `stable` or not; nan counts as the largest.
    Raises IndexError for a dimension that is not there, RuntimeError for complex numbers.

    >>> import wengert
    >>> wengert.sort(wengert.tensor([3.0, 1.0, 2.0])).indices
    tensor([1, 2, 0])
    """
    check_tensor("sort", input)
    d = one_dim("sort", dim, input._array.ndim)
    _refuse("Sort", input, "c")
    return named(return_types.sort, _sorted(input, d, bool(descending)), out)


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """The indices that sort the elements along a dimension.

    >>> import wengert
    >>> wengert.argsort(wengert.tensor([3.0, 1.0, 2.0]))
    tensor([1, 2, 0])
    """
    check_tensor("argsort", input)
    d = one_dim("argsort", dim, input._array.ndim)
    _refuse("Sort", input, "c")
    return _order(input, d, bool(descending))


def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements in order along the first dimension.

    >>> import wengert
    >>> wengert.msort(wengert.tensor([3.0, 1.0, 2.0]))
    tensor([1., 2., 3.])
    """
    result: Tensor = sort(input, 0).values
    return result if out is None else into(out, result)


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True, *, out: Any = None) -> Any:
    """The k largest (or smallest) elements along a dimension, in order, and their indices.

    The result is a named tuple (values, indices).

    Raises RuntimeError for more than there are, and for complex numbers and bool.

    >>> import wengert
    >>> wengert.topk(wengert.tensor([3.0, 1.0, 2.0]), 2).values
    tensor([3., 2.])
    """
    check_tensor("topk", input)
    shape = input._array.shape
    d = one_dim("topk", dim, len(shape), 3)
    k = dim_number("topk", k, "k", 2)
    if not 0 <= k <= (shape[d] if shape else 1):
        raise RuntimeError(
            f"selected index k out of range: k is {k}, and there are {shape[d] if shape else 1} elements"
        )
    _refuse("topk", input, "cb")
    return named(return_types.topk, _best(input, k, d, bool(largest)), out)


# ------------------------------------------------------------------------------------------------ distinct elements


def _refuse_complex(x: Tensor, name: str) -> None:
    if x._array.dtype.kind == "c":
        raise NotImplementedError(
            f"\"{name}\" not implemented for '{scalar_name(x.dtype)}': complex numbers have no order"
        )


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The distinct elements in order; with `dim`, the distinct slices along it.

    return_inverse  give also, for each element, where it stands among the distinct ones
    return_counts   give also how often each is there
    Each nan is distinct from all others.

    >>> import wengert
    >>> wengert.unique(wengert.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    check_tensor("unique", input)
    _refuse_complex(input, "unique")
    a = input._array
    d = None if dim is None else one_dim("unique", dim, a.ndim)
    if d is not None and not a.ndim:
        a, d = a.reshape(1), 0
    found, inverse, counts = np.unique(a, False, True, True, d, equal_nan=False)
    results = [wrap(found)]
    if return_inverse:
        results.append(wrap(inverse.reshape(-1 if d is not None else input._array.shape)))
    if return_counts:
        results.append(wrap(counts))
    return results[0] if len(results) == 1 else tuple(results)


def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The elements without those that equal the one before; with `dim`, the slices along it.

    return_inverse  give also, for each element, where it stands in the result
    return_counts   give also how many each stands for

    >>> import wengert
    >>> wengert.unique_consecutive(wengert.tensor([1, 1, 3, 1]))
    tensor([1, 3, 1])
    """
    check_tensor("unique_consecutive", input)
    a = input._array
    lines = a.reshape(-1) if dim is None else np.moveaxis(a, one_dim("unique_consecutive", dim, a.ndim), 0)
    new = np.ones(lines.shape[0], bool)
    if lines.shape[0] > 1:
        differs = lines[1:] != lines[:-1]
        new[1:] = differs.reshape(differs.shape[0], -1).any(1)
    first = np.nonzero(new)[0]
    kept = lines[first]
    results = [wrap(kept if dim is None else np.ascontiguousarray(np.moveaxis(kept, 0, dim)))]
    if return_inverse:
        inverse = np.cumsum(new) - 1
        results.append(wrap(inverse.reshape(a.shape) if dim is None else inverse))
    if return_counts:
        results.append(wrap(np.diff(np.append(first, lines.shape[0]))))
    return results[0] if len(results) == 1 else tuple(results)


__all__ = expose(
    __name__,
    functions="sort argsort msort topk unique unique_consecutive",
    methods="sort argsort msort topk unique unique_consecutive",
)
