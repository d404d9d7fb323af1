"""Elements picked and placed by tensors of indices along a dimension, and by masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..tensor import Tensor, wrap, wrap_dim
from .along import places
from .declare import check_broadcast, diagonal, linear
from .dims import check_tensor
from .expose import expose
from .inplace import assign, into, scalar_name
from .indexing import put_values
from .namespace import tensors

# ------------------------------------------------------------------------------------------------ declarations

_index_select = linear(
    "index_select_at", lambda a, index: a[index], lambda F, t, self_shape, index: F.accumulate_at(t, self_shape, index),
    ("index",), node="IndexSelectBackward0", holomorphic=False,
)  # fmt: skip
_masked_select = linear(
    "masked_select_at", lambda a, index: a[index], lambda F, t, self_shape, index: F.accumulate_at(t, self_shape, index),
    ("index",), node="MaskedSelectBackward0", holomorphic=False,
)  # fmt: skip
_masked_fill = diagonal(
    "masked_fill", lambda a, mask, value: np.where(mask, value, a),
    lambda F, t, mask: F.where(mask, t * 0, t), None, lambda F, t, mask: F.where(mask, t, t * 0),
    inputs=("self", "mask", "value"), promote=None, holomorphic=False,
)  # fmt: skip


# ------------------------------------------------------------------------------------------------ checks


def _index(function: str, index: Any, name: str = "index", position: int = 3) -> Any:
    """An argument that holds indices, as an array of int64."""
    array = check_tensor(function, index, name, position)._array
    if array.dtype not in (np.int64, np.int32) and array.size:
        raise RuntimeError(f"{function}(): Expected dtype int32/int64 for index, got {index.dtype}")
    return array.astype(np.int64)


def _in_bounds(index: Any, dim: int, length: int) -> None:
    """Raise if an index is negative or beyond the dimension's end."""
    if index.size and (index.max() >= length or index.min() < 0):
        bad = int(index.max() if index.max() >= length else index.min())
        raise RuntimeError(f"index {bad} is out of bounds for dimension {dim} with size {length}")


def _fits(function: str, input: Tensor, index: Any, dim: int, among: str, same_dim: bool) -> None:
    """Raise unless the index is nowhere longer than the tensor, in its dimension only if `same_dim`."""
    shape = input._array.shape or (1,)
    own = index.shape or (1,)
    if index.size == 0:
        return
    if len(shape) != len(own):
        raise RuntimeError(f"Index tensor must have the same number of dimensions as {among} tensor")
    for i, (n, m) in enumerate(zip(own, shape, strict=True)):
        if n > m and (same_dim or i != dim):
            apart = "" if same_dim else f" apart from dimension {dim}"
            word = "self" if among == "self" or among == "input" else "src"
            raise RuntimeError(
                f"Size does not match at dimension {i} expected index {list(index.shape)} to be no larger than {word} "
                f"{list(input._array.shape)}{apart}"
            )


def _same_dtype(function: str, input: Tensor, other: Tensor, word: str) -> None:
    if input._array.dtype != other._array.dtype:
        raise RuntimeError(
            f"{function}(): Expected self.dtype to be equal to {word}.dtype: got {scalar_name(input.dtype)} and "
            f"{scalar_name(other.dtype)}"
        )


# ------------------------------------------------------------------------------------------------ along a dimension


def gather(input: Tensor, dim: Any, index: Tensor, *, sparse_grad: bool = False, out: Tensor | None = None) -> Any:
    """The elements that `index` names along a dimension: `out[i][j] = input[index[i][j]][j]` for dim 0.

    index: int64, with as many dimensions as `input`, nowhere longer but in `dim`.
    Raises RuntimeError for indices out of range.

    >>> import wengert
    >>> wengert.gather(wengert.tensor([[1, 2], [3, 4]]), 1, wengert.tensor([[0], [1]]))
    tensor([[1],
            [4]])
    """
    check_tensor("gather", input)
    if out is not None and out.dtype is not input.dtype:
        raise RuntimeError(
            f"Expected out tensor to have dtype {input.dtype.name}, but got {out.dtype.name} instead: gather converts nothing"
        )
    d = wrap_dim(dim, input._array.ndim)
    array = _index("gather", index)
    _fits("gather", input, array, d, "input", False)
    shape = input._array.shape
    if not shape or not array.ndim:
        flat = input.reshape(1) if not shape else input
        _in_bounds(array, 0, flat._array.shape[0])
        made = _index_select(flat, (array.reshape(-1),)).reshape(array.shape)
    else:
        _in_bounds(array, d, shape[d])
        made = tensors.take_along(input, wrap(array), d, True, False)
    return made if out is None else into(out, made)


def _placed(function: str, input: Tensor, dim: Any, index: Tensor) -> tuple[Any, tuple[Any, ...], int]:
    """The index as an array, and as NumPy's index of the tensor's elements."""
    check_tensor(function, input)
    d = wrap_dim(dim, input._array.ndim)
    array = _index(function, index)
    _fits(function, input, array, d, "self", False)
    _in_bounds(array, d, input._array.shape[d] if input._array.ndim else 1)
    if not array.ndim:
        array = array.reshape(1)
    return array, places(array, d, array.ndim), d


def _scatter(function: str, input: Tensor, dim: Any, index: Tensor, src: Any, accumulate: bool) -> Any:
    array, where, d = _placed(function, input, dim, index)
    if array.size == 0:
        return input.clone()
    if isinstance(src, Tensor):
        _same_dtype(function, input, src, "src")
        _fits(function, src, array, d, "src", True)
        values = src if src._array.ndim else src.reshape(1)
        if values._array.shape != array.shape:
            values = values[tuple([slice(0, n) for n in array.shape])]
    else:
        from .conversion import number_in

        values = wrap(np.full(array.shape, number_in(src, input._array.dtype)))
    if not input._array.ndim:
        return put_values(input.reshape(1), values, where, accumulate).reshape(())
    return put_values(input, values, where, accumulate)


def scatter(
    input: Tensor, dim: Any, index: Tensor, src: Any = None, *, value: Any = None, reduce: str | None = None,
    out: Tensor | None = None,
) -> Any:  # fmt: skip
    """A copy of `input` with the elements of `src` (or a number) written where `index` says along a dimension.

    reduce: None to write, "add" or "multiply" to combine with what is there.

    >>> import wengert
    >>> wengert.scatter(wengert.zeros(3), 0, wengert.tensor([2, 0]), wengert.tensor([1.0, 2.0]))
    tensor([2., 0., 1.])
    """
    source = value if src is None else src
    if source is None:
        raise TypeError("scatter() missing 1 required positional arguments: \"src\"")
    if reduce is None:
        made = _scatter("scatter", input, dim, index, source, False)
    elif reduce == "add":
        made = _scatter("scatter", input, dim, index, source, True)
    elif reduce == "multiply":
        array, where, _ = _placed("scatter", input, dim, index)
        copy = input._array.copy()
        values = source._array[tuple([slice(0, n) for n in array.shape])] if isinstance(source, Tensor) else source
        np.multiply.at(copy, where, values)
        made = wrap(copy)
    else:
        raise RuntimeError("reduce argument must be either add or multiply.")
    return made if out is None else into(out, made)


def scatter_add(input: Tensor, dim: Any, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Any:
    """A copy of `input` with the elements of `src` added where `index` says along a dimension.

    >>> import wengert
    >>> wengert.scatter_add(wengert.zeros(2), 0, wengert.tensor([1, 1]), wengert.tensor([1.0, 2.0]))
    tensor([0., 3.])
    """
    made = _scatter("scatter_add", input, dim, index, check_tensor("scatter_add", src, "src", 4), True)
    return made if out is None else into(out, made)


def index_select(input: Tensor, dim: Any, index: Tensor, *, out: Tensor | None = None) -> Any:
    """The slices of a dimension that a vector of indices names.

    Raises IndexError for an index out of range.

    >>> import wengert
    >>> wengert.index_select(wengert.tensor([[1, 2], [3, 4]]), 1, wengert.tensor([1]))
    tensor([[2],
            [4]])
    """
    array = _rows("index_select", input, dim, index)
    d = wrap_dim(dim, input._array.ndim)
    if not input._array.ndim:
        made = _index_select(input.reshape(1), (array[:1],)).reshape(()) if array.size == 1 else input.expand(array.size)
    else:
        made = _index_select(input, (slice(None),) * d + (array,))
    return made if out is None else into(out, made)


def _rows(function: str, input: Tensor, dim: Any, index: Tensor) -> Any:
    """A vector of indices along a dimension, checked."""
    check_tensor(function, input)
    d = wrap_dim(dim, input._array.ndim)
    array = _index(function, index)
    if array.ndim > 1:
        raise IndexError(f"{function}(): Index is supposed to be a vector, but got dim: {array.ndim} with type: Long")
    length = input._array.shape[d] if input._array.ndim else 1
    array = array.reshape(-1)
    if array.size and (array.max() >= length or array.min() < (0 if function != "index_fill" else -length)):
        raise IndexError("index out of range in self")
    return array


def _slices(function: str, input: Tensor, dim: Any, index: Tensor, source: Tensor) -> tuple[tuple[Any, ...], Tensor]:
    array = _rows(function, input, dim, index)
    d = wrap_dim(dim, input._array.ndim)
    _same_dtype(function, input, source, "source")
    if source._array.ndim and (source._array.ndim != input._array.ndim and input._array.ndim):
        kind = RuntimeError if function == "index_add" else IndexError
        raise kind(
            f"{function}(): When source and destination are not scalars, their dimensionality must match. Source dimensionality "
            f"({source._array.ndim}), destination dimensionality ({input._array.ndim})"
        )
    count = source._array.shape[d] if source._array.ndim else 1
    if count != array.size:
        raise IndexError(
            f"{function}(): Number of indices ({array.size}) should be equal to source.size(dim) ({count})"
        )
    own, theirs = list(input._array.shape), list(source._array.shape)
    if own and theirs and own[:d] + own[d + 1 :] != theirs[:d] + theirs[d + 1 :]:
        raise RuntimeError(
            f"{function}(): Source/destination tensor must have same slice shapes. Destination slice shape: "
            f"{own[:d] + own[d + 1:]} at dimension {d} and source slice shape: {theirs[:d] + theirs[d + 1:]} at dimension {d}."
        )
    return (slice(None),) * d + (array,), source


def _put_slices(input: Tensor, where: tuple[Any, ...], source: Tensor, accumulate: bool) -> Any:
    if not input._array.ndim:
        return put_values(input.reshape(1), source.reshape(-1), where, accumulate).reshape(())
    if not source._array.ndim:
        source = source.reshape((1,) * input._array.ndim)
    return put_values(input, source, where, accumulate)


def index_add(
    input: Tensor, dim: Any, index: Tensor, source: Tensor, *, alpha: Any = 1, out: Tensor | None = None
) -> Any:
    """A copy of `input` with slices of `source`, times alpha, added where a vector of indices says.

    >>> import wengert
    >>> wengert.index_add(wengert.zeros(3), 0, wengert.tensor([0, 0]), wengert.tensor([1.0, 2.0]))
    tensor([3., 0., 0.])
    """
    where, values = _slices("index_add", input, dim, index, source)
    made = _put_slices(input, where, values if alpha == 1 else values * alpha, True)
    return made if out is None else into(out, made)


def index_copy(input: Tensor, dim: Any, index: Tensor, source: Tensor, *, out: Tensor | None = None) -> Any:
    """A copy of `input` with slices of `source` written where a vector of indices says; of several for one place the last stays.

    >>> import wengert
    >>> wengert.index_copy(wengert.zeros(3), 0, wengert.tensor([2]), wengert.tensor([1.0]))
    tensor([0., 0., 1.])
    """
    where, values = _slices("index_copy", input, dim, index, source)
    made = _put_slices(input, where, values, False)
    return made if out is None else into(out, made)


def index_fill(input: Tensor, dim: Any, index: Tensor, value: Any) -> Any:
    """A copy of `input` with a number written into the slices that a vector of indices names.

    >>> import wengert
    >>> wengert.index_fill(wengert.zeros(3), 0, wengert.tensor([1]), 5.0)
    tensor([0., 5., 0.])
    """
    array = _rows("index_fill", input, dim, index)
    d = wrap_dim(dim, input._array.ndim)
    if isinstance(value, Tensor):
        if value._array.ndim:
            raise RuntimeError(
                f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value._array.ndim} dimension(s)."
            )
        values = value.to(input.dtype)
    else:
        values = wrap(np.asarray(_number("index_fill", value, input), input._array.dtype))
    if not input._array.ndim:
        return put_values(input.reshape(1), values, (array,), False).reshape(())
    return put_values(input, values, (slice(None),) * d + (array,), False)


def _number(function: str, value: Any, input: Tensor) -> Any:
    if isinstance(value, complex) and not input.is_complex():
        raise RuntimeError("value cannot be converted to type float without overflow" if input.is_floating_point() else (
            f"{function}(): a complex number cannot be written into a tensor of {input.dtype}"))  # fmt: skip
    return value


def take_along_dim(input: Tensor, indices: Tensor, dim: Any = None, *, out: Tensor | None = None) -> Any:
    """The elements that `indices` name along a dimension, the other dimensions broadcast; without `dim`, of all elements.

    >>> import wengert
    >>> x = wengert.tensor([[3, 1], [2, 4]])
    >>> wengert.take_along_dim(x, wengert.argsort(x, 1), 1)
    tensor([[1, 3],
            [2, 4]])
    """
    if dim is None:
        made = gather(input.reshape(-1), 0, indices.reshape(-1))
        return made if out is None else into(out, made)
    if check_tensor("take_along_dim", indices, "indices", 2)._array.dtype != np.int64:
        raise RuntimeError(
            f"torch.take_along_dim(): dtype of indices should be Long but got {scalar_name(indices.dtype)}"
        )
    if input._array.ndim != indices._array.ndim:
        raise RuntimeError(
            f"torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
            f"{input._array.ndim} dimensions for input, and {indices._array.ndim} dimensions for indices"
        )
    d = wrap_dim(dim, input._array.ndim)
    own, theirs = list(input._array.shape), list(indices._array.shape)
    a, b = list(own), list(theirs)
    if own:
        a[d] = b[d] = 1
        check_broadcast([tuple(a), tuple(b)])
        common = list(np.broadcast_shapes(tuple(a), tuple(b)))
        common[d] = own[d]
        input = input.expand(common)
        common[d] = theirs[d]
        array = np.broadcast_to(indices._array, common)
        indices = wrap(np.where(array < 0, array + own[d], array))
    made = gather(input, d, indices)
    return made if out is None else into(out, made)


def take(input: Tensor, index: Tensor, *, out: Tensor | None = None) -> Any:
    """The elements at places of the flattened tensor.

    >>> import wengert
    >>> wengert.take(wengert.tensor([[1, 2], [3, 4]]), wengert.tensor([3, -4]))
    tensor([4, 1])
    """
    array = _index("take", index, position=2)
    count = input._array.size
    if array.size and (array.max() >= count or array.min() < -count):
        raise IndexError(
            f"out of range: tried to access index {int(array.max() if array.max() >= count else array.min())} on a tensor of "
            f"{count} elements."
        )
    made = _index_select(input.reshape(-1), (array.reshape(-1) % max(1, count),)).reshape(array.shape)
    return made if out is None else into(out, made)


def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Any:
    """A copy with elements of `source` written (or added) at places of the flattened tensor.

    >>> import wengert
    >>> wengert.put(wengert.zeros(3), wengert.tensor([1]), wengert.tensor([5.0]))
    tensor([0., 5., 0.])
    """
    array = _index("put_", index, position=2).reshape(-1)
    count = input._array.size
    if source._array.size != array.size:
        raise RuntimeError(
            f"put_(): Expected source and index to have the same number of elements, but got source.numel() = "
            f"{source._array.size}, index.numel() = {array.size}"
        )
    _same_dtype("put_", input, source, "source")
    if array.size and (array.max() >= count or array.min() < -count):
        raise IndexError(f"out of range: tried to access an index on a tensor of {count} elements.")
    return put_values(input.reshape(-1), source.reshape(-1), (array % max(1, count),), accumulate).reshape(input._array.shape)


# ------------------------------------------------------------------------------------------------ by masks


def _mask(function: str, mask: Any) -> Any:
    array = check_tensor(function, mask, "mask", 2)._array
    if array.dtype.kind != "b":
        raise RuntimeError(f"{function}: expected BoolTensor for mask, got {mask.dtype}: make one with .bool()")
    return array


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Any:
    """A copy with a number written where the mask, which is broadcast, is True.

    >>> import wengert
    >>> wengert.masked_fill(wengert.tensor([1.0, 2.0]), wengert.tensor([True, False]), 0.0)
    tensor([0., 2.])
    """
    check_tensor("masked_fill", input)
    array = check_tensor("masked_fill", mask, "mask", 2)._array
    if array.dtype.kind != "b":
        raise RuntimeError("masked_fill_ only supports boolean masks, but got mask with dtype " + str(mask.dtype))
    check_broadcast([input._array.shape, array.shape])
    if isinstance(value, Tensor):
        if value._array.ndim:
            raise RuntimeError(
                f"masked_fill only supports a 0-dimensional value tensor, but got tensor with {value._array.ndim} dimension(s)."
            )
        if not dtypes.can_cast(value.dtype, input.dtype):
            raise RuntimeError(f"value cannot be converted to type {scalar_name(input.dtype)} without overflow")
        values = value.to(input.dtype)
    else:
        if isinstance(value, complex) and not input.is_complex():
            raise RuntimeError("value cannot be converted to type double without overflow")
        values = wrap(np.asarray(value).astype(input._array.dtype))
    return _masked_fill(input, mask, values)


def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Any:
    """The elements where the mask is True, as a vector; tensor and mask are broadcast.

    >>> import wengert
    >>> wengert.masked_select(wengert.tensor([1, 2, 3]), wengert.tensor([True, False, True]))
    tensor([1, 3])
    """
    check_tensor("masked_select", input)
    array = _mask("masked_select", mask)
    check_broadcast([input._array.shape, array.shape])
    shape = np.broadcast_shapes(input._array.shape, array.shape)
    source = input if input._array.shape == shape else input.expand(shape)
    chosen = np.broadcast_to(array, shape)
    made = _masked_select(source if shape else source.reshape(1), (chosen.reshape(1) if not shape else chosen.copy(),))
    return made if out is None else into(out, made)


def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Any:
    """A copy with the elements of `source` written, in order, where the mask is True.

    >>> import wengert
    >>> wengert.masked_scatter(wengert.zeros(3), wengert.tensor([True, False, True]), wengert.tensor([1.0, 2.0]))
    tensor([1., 0., 2.])
    """
    array = check_tensor("masked_scatter", mask, "mask", 2)._array
    if array.dtype.kind != "b":
        raise RuntimeError(f"masked_scatter_ only supports boolean masks, but got mask with dtype {mask.dtype}")
    if input._array.dtype != source._array.dtype:
        raise RuntimeError(
            f"masked_scatter_: expected self and source to have same dtypes but got {scalar_name(input.dtype)} and "
            f"{scalar_name(source.dtype)}"
        )
    check_broadcast([input._array.shape, array.shape])
    shape = np.broadcast_shapes(input._array.shape, array.shape)
    target = input if input._array.shape == shape else input.expand(shape)
    chosen = np.broadcast_to(array, shape).reshape(-1)
    count = int(np.count_nonzero(chosen))
    if count > source._array.size:
        raise RuntimeError(
            f"masked_scatter: expected self and source to have enough elements: the mask has {count}, source {source._array.size}"
        )
    where = (np.flatnonzero(chosen),)
    return put_values(target.reshape(-1), source.reshape(-1)[:count], where, False).reshape(shape)


def nonzero(input: Tensor, *, out: Tensor | None = None, as_tuple: bool = False) -> Any:
    """The indices of the elements that are not zero, one a row; or a vector of indices for each dimension.

    >>> import wengert
    >>> wengert.nonzero(wengert.tensor([0, 5]))
    tensor([[1]])
    """
    array = check_tensor("nonzero", input)._array
    if as_tuple:
        return tuple(wrap(i) for i in np.nonzero(np.atleast_1d(array)))
    made = wrap(np.argwhere(array))
    return made if out is None else into(out, made)


def argwhere(input: Tensor) -> Any:
    """The indices of the elements that are not zero, one a row."""
    return nonzero(input)


# ------------------------------------------------------------------------------------------------ in place


def _in_place(function: Any, name: str) -> Any:
    def call(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return assign(self, lambda x: function(x, *args, **kwargs), True)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`{name[:-1]}`, in place."
    return call


def _masked_fill_in_place(self: Tensor, mask: Tensor, value: Any) -> Tensor:
    """`masked_fill`, in place: the mask is broadcast to the tensor."""
    if np.broadcast_shapes(self._array.shape, mask._array.shape) != self._array.shape:
        raise RuntimeError(
            f"output with shape {list(self._array.shape)} doesn't match the broadcast shape "
            f"{list(np.broadcast_shapes(self._array.shape, mask._array.shape))}"
        )
    return assign(self, lambda x: masked_fill(x, mask, value), True)


masked_fill_ = _masked_fill_in_place
put_ = _in_place(put, "put_")

_all = (
    "gather index_select scatter scatter_add index_add index_copy index_fill take_along_dim take put masked_fill masked_select "
    "masked_scatter nonzero argwhere"
)
__all__ = expose(
    __name__, functions=_all, methods=_all,
    writes="scatter scatter_add index_add index_copy index_fill masked_fill masked_scatter put",
)  # fmt: skip
