"""Elements written, or added, at tensors of indices along a dimension, at places of the whole tensor, and under masks.

Each function works out where and what to write, and has two forms of the same arguments: one writes into a copy, the other,
whose name ends in `_`, into the tensor itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap, wrap_dim
from .bounds import check_bounds, index_array, long_array, out_of_bounds, vector_index
from .declare import NUMBERS, check_broadcast, general
from .dims import check_tensor, dim_number
from .expose import expose
from .filling import number_in
from .gather import check_flat, line_places
from .inplace import into
from .placing import (
    place_flat,
    put_flat,
    put_flat_in_place,
    put_flat_operation,
    put_in_place,
    put_operation,
    write_in_place,
)
from .shape import _expand

# ------------------------------------------------------------------------------------------------ declarations

_scatter = put_flat_operation("scatter", "ScatterBackward0")
_scatter_add = put_flat_operation("scatter_add", "ScatterAddBackward0")
_masked_scatter = put_flat_operation("masked_scatter", "MaskedScatterBackward0")
_index_add = put_operation("index_add", "IndexAddBackward0")
_index_copy = put_operation("index_copy", "IndexCopyBackward0")
_index_fill_with = put_operation("index_fill_with", "IndexFillBackward1")


def _number_array(a: Any, places: Any, value: Any) -> Any:
    made = np.array(a, order="C")
    place_flat(made, value, places, False)
    return made


_scatter_number = general(
    "scatter_number", _number_array, {"self": lambda F, t, places: F.clear_flat(t, places)}, ("places", "value"),
    node="ScatterBackward1", holomorphic=False, push=lambda F, t, places: F.clear_flat(t, places),
)  # fmt: skip


def _index_number(a: Any, index: Any, value: Any) -> Any:
    made = a.copy()
    made[index] = value
    return made


_index_fill = general(
    "index_fill", _index_number, {"self": lambda F, t, index: F.clear_at(t, index)}, ("index", "value"),
    node="IndexFillBackward0", holomorphic=False, push=lambda F, t, index: F.clear_at(t, index),
)  # fmt: skip


def _into(out: Any, made: Any) -> Any:
    return made if out is None else into(out, made)


# ------------------------------------------------------------------------------------------------ scatter


def _check_sizes(input: Tensor, index: Any, src: Any, dim: int) -> None:
    """Raise unless the index is nowhere longer than `src`, nor than the tensor but in `dim`."""
    if index.size == 0:
        return
    shapes = [index.shape or (1,), input._array.shape or (1,)]
    if len(shapes[0]) != len(shapes[1]):
        raise RuntimeError(
            f"Index tensor must have the same number of dimensions as self tensor: it has {len(shapes[0])}, not {len(shapes[1])}"
        )
    if src is not None:
        shapes.append(src.shape or (1,))
        if len(shapes[0]) != len(shapes[2]):
            raise RuntimeError(
                f"Index tensor must have the same number of dimensions as src tensor: it has {len(shapes[0])}, not {len(shapes[2])}"
            )
    own, theirs = shapes[:2]
    fits = all(n <= m or i == dim for i, (n, m) in enumerate(zip(own, theirs, strict=True)))
    fits_source = src is None or all(n <= m for n, m in zip(own, shapes[2], strict=True))
    if not (fits and fits_source):
        beside = "" if src is None else f" and to be no larger size than src {list(src.shape)}"
        raise RuntimeError(
            f"Expected index {list(index.shape)} to be no larger than self {list(input._array.shape)} apart from dimension {dim}"
            f"{beside}"
        )


def _scattered(function: str, input: Tensor, dim: Any, index: Any, src: Any) -> tuple[Any, Any]:
    """Where to write, as flat places, and what: a tensor of that shape, or a number."""
    check_tensor(function, input)
    d = wrap_dim(dim_number(function, dim, position=2), input._array.ndim)
    array = index_array(function if function != "scatter_add" else "scatter", index)
    tensor = isinstance(src, Tensor)
    if tensor and src._array.dtype != input._array.dtype:
        raise RuntimeError(
            f"scatter(): Expected self.dtype to be equal to src.dtype: got {scalar_name(input.dtype)} and {scalar_name(src.dtype)}"
        )
    _check_sizes(input, array, src._array if tensor else None, d)
    shape = input._array.shape
    check_bounds(array, d, shape[d] if shape else 1)
    places = line_places(shape, array, d) if shape and array.ndim else array
    if places is index._array:
        places = places.copy()  # the caller may write to his
    if not tensor:
        return places, number_in(src, input._array.dtype)
    if src._array.shape != array.shape:
        if not array.size:
            src = src.new_zeros(array.shape)
        elif src._array.ndim == array.ndim:
            src = src[tuple([slice(0, n) for n in array.shape])]
        else:
            src = src.reshape(array.shape)
    return places, src


def _source(function: str, src: Any, value: Any) -> Any:
    given = value if src is None else src
    if not isinstance(given, (Tensor, *NUMBERS)):
        from .dims import combination_error

        raise combination_error(
            function, "an index with neither src nor value" if given is None else f"src: {type(given).__name__}",
            ("(int dim, Tensor index, Tensor src)", "(int dim, Tensor index, Number value)"),
        )  # fmt: skip
    return given


def _reduction(reduce: str | None) -> str:
    names = {None: "", "add": "sum", "multiply": "prod"}
    if reduce not in names:
        raise RuntimeError(f"reduce argument must be either add or multiply. Got {reduce}")
    return names[reduce]


def scatter(
    input: Tensor, dim: Any, index: Tensor, src: Any = None, *, value: Any = None, reduce: str | None = None,
    out: Tensor | None = None,
) -> Any:  # fmt: skip
    """A copy of `input` with the elements of `src` (or a number) written where `index` says along a dimension.

    reduce: None to write, "add" or "multiply" to combine with what is there.
    Raises RuntimeError for indices out of range and for shapes or dtypes that do not fit.

    >>> import wengert
    >>> wengert.scatter(wengert.zeros(3), 0, wengert.tensor([2, 0]), wengert.tensor([1.0, 2.0]))
    tensor([2., 0., 1.])
    """
    source = _source("scatter", src, value)
    if _reduction(reduce):
        made = _scatter_with(input.clone(), dim, index, source, _reduction(reduce))
    else:
        places, what = _scattered("scatter", input, dim, index, source)
        if isinstance(what, Tensor):
            made = _scatter(input, what, places, False)
        else:
            made = _scatter_number(input, places, what)
    return _into(out, made)


def scatter_(
    self: Tensor, dim: Any, index: Tensor, src: Any = None, *, value: Any = None, reduce: str | None = None
) -> Tensor:
    """`scatter`, in place."""
    source = _source("scatter_", src, value)
    if _reduction(reduce):
        return _scatter_with(self, dim, index, source, _reduction(reduce))
    places, what = _scattered("scatter", self, dim, index, source)
    if isinstance(what, Tensor):
        return put_flat_in_place(_scatter, self, what, places, False)
    return write_in_place(_scatter_number, self, (), (places, what), lambda a: place_flat(a, what, places, False))


def _scatter_with(target: Tensor, dim: Any, index: Tensor, source: Any, reduction: str) -> Tensor:
    """The deprecated reductions of `scatter`, in place."""
    from .scatter_reduce import scatter_reduce_

    if not isinstance(source, Tensor):
        number = number_in(source, target._array.dtype)
        source = wrap(np.full(check_tensor("scatter", index, "index", 3)._array.shape, number))
    return scatter_reduce_(target, dim, index, source, reduction)


def scatter_add(input: Tensor, dim: Any, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Any:
    """A copy of `input` with the elements of `src` added where `index` says along a dimension.

    >>> import wengert
    >>> wengert.scatter_add(wengert.zeros(2), 0, wengert.tensor([1, 1]), wengert.tensor([1.0, 2.0]))
    tensor([0., 3.])
    """
    places, what = _scattered("scatter_add", input, dim, index, check_tensor("scatter_add", src, "src", 4))
    return _into(out, _scatter_add(input, what, places, True))


def scatter_add_(self: Tensor, dim: Any, index: Tensor, src: Tensor) -> Tensor:
    """`scatter_add`, in place."""
    places, what = _scattered("scatter_add", self, dim, index, check_tensor("scatter_add_", src, "src", 3))
    return put_flat_in_place(_scatter_add, self, what, places, True)


# ------------------------------------------------------------------------------------------------ slices


def check_slices(function: str, input: Tensor, dim: int, count: int, source: Tensor) -> None:
    """Raise unless `source` has as many slices as there are indices, each of the shape of one of the tensor's."""
    own, theirs = list(input._array.shape), list(source._array.shape)
    have = theirs[dim] if theirs and dim < len(theirs) else 1
    adds = function != "index_copy"
    if not adds and theirs and len(theirs) != len(own) and own:
        raise IndexError(
            f"index_copy_(): When source and destination are not scalars, their dimensionality must match. Source dimensionality "
            f"({len(theirs)}), destination dimensionality ({len(own)})"
        )
    shapes = [own[:dim] + own[dim + 1 :], theirs[:dim] + theirs[dim + 1 :]]
    if own and theirs and (shapes[0] != shapes[1] or len(own) != len(theirs)):
        if adds:
            raise RuntimeError(
                f"source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = {own} "
                f"source.shape = {theirs}"
            )
        first, second = (" ".join(map(str, s)) for s in shapes)
        raise RuntimeError(
            f"index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: {first} at dimension "
            f"{dim} and source slice shape: {second} at dimension {dim}."
        )
    if have != count:
        if adds:
            raise RuntimeError(
                f"{function}_(): Number of indices ({count}) should be equal to source.size(dim): ({have}), for dim: {dim}"
            )
        raise IndexError(f"index_copy_(): Number of indices ({count}) should be equal to source.size(dim) ({have})")


def _along(input: Tensor, array: Any, dim: int) -> tuple[Any, ...]:
    return (*(slice(None),) * dim, array) if input._array.ndim else (array,)


def _fitting(input: Tensor, source: Tensor) -> Tensor:
    """Slices without dimensions, or for a tensor without, as they are written."""
    if not input._array.ndim:
        return source.reshape(-1)
    return source if source._array.ndim else source.reshape((1,) * input._array.ndim)


def _sliced(function: str, input: Tensor, dim: Any, index: Any, source: Any, alpha: Any = 1) -> tuple[Any, Any]:
    check_tensor(function, input)
    check_tensor(function, source, "source", 4)
    if function == "index_copy":
        array = long_array("index_copy_", index, 3)
    else:
        array = index_array(function, index)
    array, d = vector_index(function, input, dim, array)
    if input._array.dtype != source._array.dtype:
        have, got = scalar_name(input.dtype), scalar_name(source.dtype)
        if function == "index_copy":
            raise RuntimeError(
                f"index_copy_(): self and source expected to have the same dtype, but got (self) {have} and (source) {got}"
            )
        raise RuntimeError(f"index_add_(): self ({have}) and source ({got}) must have the same scalar type")
    check_slices(function, input, d, array.size, source)
    length = input._array.shape[d] if input._array.ndim else 1
    if function == "index_copy":
        check_bounds(array, d, length, IndexError, "index_copy_(): ")
    else:
        check_bounds(array, d, length)
    values = _fitting(input, source)
    return _along(input, array.copy(), d), values if alpha == 1 else values * alpha


def index_add(
    input: Tensor, dim: Any, index: Tensor, source: Tensor, *, alpha: Any = 1, out: Tensor | None = None
) -> Any:
    """A copy of `input` with slices of `source`, times alpha, added where a vector of indices says.

    >>> import wengert
    >>> wengert.index_add(wengert.zeros(3), 0, wengert.tensor([0, 0]), wengert.tensor([1.0, 2.0]))
    tensor([3., 0., 0.])
    """
    where, values = _sliced("index_add", input, dim, index, source, alpha)
    return _into(out, _index_add(input, values, where, True))


def index_add_(self: Tensor, dim: Any, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """`index_add`, in place."""
    where, values = _sliced("index_add", self, dim, index, source, alpha)
    return put_in_place(_index_add, self, values, where, True)


def index_copy(input: Tensor, dim: Any, index: Tensor, source: Tensor, *, out: Tensor | None = None) -> Any:
    """A copy of `input` with slices of `source` written where a vector of indices says; of several for one place the last stays.

    >>> import wengert
    >>> wengert.index_copy(wengert.zeros(3), 0, wengert.tensor([2]), wengert.tensor([1.0]))
    tensor([0., 0., 1.])
    """
    where, values = _sliced("index_copy", input, dim, index, source)
    return _into(out, _index_copy(input, values, where, False))


def index_copy_(self: Tensor, dim: Any, index: Tensor, source: Tensor) -> Tensor:
    """`index_copy`, in place."""
    where, values = _sliced("index_copy", self, dim, index, source)
    return put_in_place(_index_copy, self, values, where, False)


def _filled(input: Tensor, dim: Any, index: Any, value: Any) -> tuple[Any, Any]:
    check_tensor("index_fill", input)
    given = check_tensor("index_fill", index, "index", 3)._array
    if given.dtype != np.int64:
        raise IndexError(f"index_fill_(): Expected dtype int64 for index. Got {index.dtype}: convert it with .long()")
    if given.ndim > 1:
        raise RuntimeError(f"Index has to be a vector/scalar, not a tensor of {given.ndim} dimensions")
    array, d = vector_index("index_fill", input, dim, given)
    length = input._array.shape[d] if input._array.ndim else 1
    bad = out_of_bounds(array, length, -length or -1)
    if bad is not None:
        raise IndexError(f"index {bad} is out of bounds for dimension {d} with size {length}")
    if isinstance(value, Tensor):
        if value._array.ndim:
            raise RuntimeError(
                f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value._array.ndim} dimension(s)."
            )
        value = value.to(input.dtype)
    else:
        if isinstance(value, complex) and not input.is_complex():
            raise RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")
        value = number_in(value, input._array.dtype)
    return _along(input, array.copy(), d), value


def index_fill(input: Tensor, dim: Any, index: Tensor, value: Any) -> Any:
    """A copy of `input` with a number written into the slices that a vector of indices names.

    >>> import wengert
    >>> wengert.index_fill(wengert.zeros(3), 0, wengert.tensor([1]), 5.0)
    tensor([0., 5., 0.])
    """
    where, what = _filled(input, dim, index, value)
    if isinstance(what, Tensor):
        return _index_fill_with(input, what, where, False)
    if not input._array.ndim:
        return _index_fill(input.reshape(1), where, what).reshape(())
    return _index_fill(input, where, what)


def index_fill_(self: Tensor, dim: Any, index: Tensor, value: Any) -> Tensor:
    """`index_fill`, in place."""
    where, what = _filled(self, dim, index, value)
    if isinstance(what, Tensor):
        return put_in_place(_index_fill_with, self, what, where, False)

    def write(array: Any) -> None:
        (array if array.ndim else array.reshape(1))[where] = what

    return write_in_place(_index_fill, self, (), (where, what), write)


# ------------------------------------------------------------------------------------------------ the whole tensor, masks


def _flat(input: Tensor, index: Any, source: Any) -> tuple[Any, Tensor]:
    check_tensor("put", input)
    array = long_array("put_", index, 2)
    check_tensor("put", source, "source", 3)
    if input._array.dtype != source._array.dtype:
        raise RuntimeError(
            f"put_(): self and source expected to have the same dtype, but got self.dtype = {scalar_name(input.dtype)} and "
            f"source.dtype = {scalar_name(source.dtype)}"
        )
    if source._array.size != array.size:
        raise IndexError(
            f"put_(): Expected source and index to have the same number of elements, but got source.numel() = "
            f"{source._array.size}, index.numel() = {array.size}"
        )
    count = input._array.size
    check_flat(array, count)
    values = source if source._array.shape == array.shape else source.reshape(array.shape)
    return array % max(count, 1), values


def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Any:
    """A copy with elements of `source` written (or added) at places of the flattened tensor.

    >>> import wengert
    >>> wengert.put(wengert.zeros(3), wengert.tensor([1]), wengert.tensor([5.0]))
    tensor([0., 5., 0.])
    """
    places, values = _flat(input, index, source)
    return put_flat(input, values, places, accumulate)


def put_(self: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """`put`, in place."""
    places, values = _flat(self, index, source)
    return put_flat_in_place(put_flat, self, values, places, accumulate)


def _under_mask(input: Tensor, mask: Any, source: Any) -> tuple[Any, Tensor]:
    check_tensor("masked_scatter", input)
    array = check_tensor("masked_scatter", mask, "mask", 2)._array
    check_tensor("masked_scatter", source, "source", 3)
    if array.dtype.kind != "b":
        raise RuntimeError(
            f"masked_scatter_ only supports boolean masks, but got mask with dtype {scalar_name(mask.dtype)}"
        )
    if input._array.dtype != source._array.dtype:
        raise RuntimeError(
            f"masked_scatter: expected self and source to have same dtypes but got{scalar_name(input.dtype)} and "
            f"{scalar_name(source.dtype)}"
        )
    check_broadcast([input._array.shape, array.shape])
    shape = np.broadcast_shapes(input._array.shape, array.shape)
    places = np.flatnonzero(np.broadcast_to(array, shape))
    if places.size > source._array.size:
        raise RuntimeError(
            f"Number of elements of source < number of ones in mask: {source._array.size} for {places.size}"
        )
    return places, source.reshape(-1)[: places.size]


def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Any:
    """A copy with the elements of `source` written, in order, where the mask is True.

    >>> import wengert
    >>> wengert.masked_scatter(wengert.zeros(3), wengert.tensor([True, False, True]), wengert.tensor([1.0, 2.0]))
    tensor([1., 0., 2.])
    """
    places, values = _under_mask(input, mask, source)
    shape = np.broadcast_shapes(input._array.shape, mask._array.shape)
    return _masked_scatter(input if input._array.shape == shape else _expand(input, shape), values, places, False)


def masked_scatter_(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """`masked_scatter`, in place."""
    places, values = _under_mask(self, mask, source)
    shape = np.broadcast_shapes(self._array.shape, mask._array.shape)
    if shape != self._array.shape:
        raise RuntimeError(
            f"output with shape {list(self._array.shape)} doesn't match the broadcast shape {list(shape)}"
        )
    return put_flat_in_place(_masked_scatter, self, values, places, False)


_names = "scatter scatter_add index_add index_copy index_fill put masked_scatter"
__all__ = expose(__name__, functions=_names, methods=_names, writes=_names)
