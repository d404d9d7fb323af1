"""Elements combined with those of a tensor at tensors of indices: by their sum, product, mean, largest or smallest."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor
from .bounds import check_bounds, index_array, vector_index
from .declare import general
from .dims import check_tensor
from .expose import expose
from .inplace import assign, into
from .placing import flat_places
from .scatter import _scattered, check_slices

# ------------------------------------------------------------------------------------------------ declarations


def _least(d: np.dtype[Any], largest: bool) -> Any:
    """What `amax` (or, if largest, `amin`) of nothing is."""
    if d.kind in "iu":
        return np.iinfo(d).max if largest else np.iinfo(d).min
    if d.kind == "b":
        return largest
    return np.inf if largest else -np.inf


def _reduced(a: Any, src: Any, places: Any, reduce: str, include_self: bool) -> Any:
    made = np.array(a, order="C")
    row, at, values = made.reshape(-1), places.reshape(-1), src.reshape(-1)
    if not include_self:
        row[at] = {"sum": 0, "mean": 0, "prod": 1}[reduce] if reduce[0] != "a" else _least(row.dtype, reduce == "amin")
    ufunc = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}[reduce]
    ufunc.at(row, at, values)
    if reduce == "mean":
        count = _counts(row, places, include_self)
        if row.dtype.kind in "biu":
            row //= count.astype(row.dtype)
        else:
            row /= count.astype(row.real.dtype)
    return made


def _counts(row: Any, places: Any, include_self: bool) -> Any:
    """How many elements are combined at each place, at least 1."""
    count = np.full(row.size, int(include_self))
    np.add.at(count, places.reshape(-1), 1)
    return np.maximum(count, 1)


def _counts_like(a: Any, places: Any, include_self: bool) -> Any:
    return _counts(a, places, include_self).reshape(a.shape).astype(a.real.dtype)


_count_places = general("count_places", _counts_like, {"self": None}, ("places", "include_self"))


def _pull_self(F: Any, t: Any, self: Any, src: Any, out: Any, places: Any, reduce: str, include_self: bool) -> Any:
    if reduce == "mean":
        t = t / F.count_places(t, places, include_self)
    elif reduce == "prod":
        zero = self == 0
        t = t * F.scatter_reduced(F.where(zero, F.null(self) + 1, self), src, places, reduce, include_self)
        t = t / F.where(zero, F.null(self) + 1, self)
    elif reduce != "sum":
        t = F.masked(_shared(F, t, self, src, out, places), self == out)
    return t if include_self else F.clear_flat(t, places)


def _shared(F: Any, t: Any, self: Any, src: Any, out: Any, places: Any) -> Any:
    """The cotangent, shared among all that are equal to the result."""
    mine = F.masked(F.null(self) + 1, self == out)
    theirs = F.masked(F.null(src) + 1, src == F.take_flat(out, places))
    return t / F.clamp_min(mine + F.spread_flat(theirs, self.shape, places), 1)


def _pull_src(F: Any, t: Any, self: Any, src: Any, out: Any, places: Any, reduce: str, include_self: bool) -> Any:
    if reduce == "sum":
        return F.take_flat(t, places)
    if reduce == "mean":
        return F.take_flat(t / F.count_places(t, places, include_self), places)
    if reduce == "prod":
        one = F.null(src) + 1
        zero = src == 0
        zeros = F.take_flat(F.spread_flat(F.masked(one, zero), self.shape, places), places)
        single = zero & (zeros == 1)
        rest = F.scatter_reduced(self, F.where(single, one, src), places, reduce, include_self)
        others = F.take_flat(t * out, places) / F.where(zero, one, src)
        return F.where(single, F.take_flat(t * rest, places), others)
    return F.masked(F.take_flat(_shared(F, t, self, src, out, places), places), src == F.take_flat(out, places))


def _reduction(name: str, node: str) -> Any:
    return general(
        name, _reduced, {"self": _pull_self, "src": _pull_src}, ("places", "reduce", "include_self"), node=node,
        holomorphic=False,
    )  # fmt: skip


_scatter_reduced = _reduction("scatter_reduced", "ScatterReduceBackward0")
_index_reduced = _reduction("index_reduced", "IndexReduceBackward0")

# ------------------------------------------------------------------------------------------------ functions


def _into(out: Any, made: Any) -> Any:
    return made if out is None else into(out, made)


def scatter_reduce(
    input: Tensor,
    dim: Any,
    index: Tensor,
    src: Tensor,
    reduce: str,
    *,
    include_self: bool = True,
    out: Tensor | None = None,
) -> Any:
    """A copy of `input` with the elements of `src` combined where `index` says along a dimension.

    reduce: "sum", "prod", "mean", "amax" or "amin".
    include_self: whether what `input` holds there takes part.

    >>> import wengert
    >>> wengert.scatter_reduce(wengert.ones(2), 0, wengert.tensor([0, 0]), wengert.tensor([2.0, 5.0]), "amax")
    tensor([5., 1.])
    """
    if reduce not in ("sum", "prod", "mean", "amax", "amin"):
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    places, what = _scattered("scatter", input, dim, index, check_tensor("scatter_reduce", src, "src", 4))
    return _into(out, _scatter_reduced(input, what, places, reduce, bool(include_self)))


def scatter_reduce_(
    self: Tensor, dim: Any, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """`scatter_reduce`, in place."""
    return assign(self, lambda x: scatter_reduce(x, dim, index, src, reduce, include_self=include_self), True)


def index_reduce(
    input: Tensor,
    dim: Any,
    index: Tensor,
    source: Tensor,
    reduce: str,
    *,
    include_self: bool = True,
    out: Tensor | None = None,
) -> Any:
    """A copy of `input` with slices of `source` combined where a vector of indices says.

    reduce: "prod", "mean", "amax" or "amin".
    include_self: whether what `input` holds there takes part.

    >>> import wengert
    >>> wengert.index_reduce(wengert.ones(2), 0, wengert.tensor([0, 0]), wengert.tensor([2.0, 5.0]), "prod")
    tensor([10.,  1.])
    """
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    shape = check_tensor("index_reduce", input)._array.shape
    array, d = vector_index("index_reduce", input, dim, index_array("index_reduce", index))
    check_tensor("index_reduce", source, "source", 4)
    if input._array.dtype != source._array.dtype:
        raise RuntimeError(
            f"index_reduce_(): self ({scalar_name(input.dtype)}) and source ({scalar_name(source.dtype)}) must have the same scalar "
            "type"
        )
    check_slices("index_reduce", input, d, array.size, source)
    check_bounds(array, d, shape[d] if shape else 1)
    places = flat_places(shape or (1,), (*(slice(None),) * d, array))
    values = source if source._array.shape == places.shape else source.reshape(places.shape)
    return _into(out, _index_reduced(input, values, places, reduce, bool(include_self)))


def index_reduce_(
    self: Tensor, dim: Any, index: Tensor, source: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """`index_reduce`, in place."""
    return assign(self, lambda x: index_reduce(x, dim, index, source, reduce, include_self=include_self), True)


_names = "scatter_reduce index_reduce"
__all__ = expose(__name__, functions=_names, methods=_names, writes=_names)
