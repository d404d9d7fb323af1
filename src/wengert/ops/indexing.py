"""Indexing with brackets: views by integers and slices, copies by tensors of indices and masks, and assignment to both."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.modes import get_mode
from ..tensor import Tensor, edge_of, wrap, wrap_dim
from .declare import NUMBERS, general, linear
from .dims import check_tensor, dim_number
from .expose import expose
from .inplace import assign, check_writable, written
from .namespace import provide

# ------------------------------------------------------------------------------------------------ declarations
#
# One operation takes a whole basic index (integers, slices, None and one Ellipsis), whose last item names the node as PyTorch does.


def _basic(node: str, name: str) -> Any:
    return linear(
        name, lambda a, index: a[index], lambda F, t, self_shape, index: F.embed(t, self_shape, index), ("index",), view=True,
        node=node, holomorphic=False,
    )  # fmt: skip


_select = _basic("SelectBackward0", "basic_select")
_slice = _basic("SliceBackward0", "basic_slice")
_new_axis = _basic("UnsqueezeBackward0", "basic_unsqueeze")
_whole = _basic("AliasBackward0", "basic_alias")


def _embed(a: Any, shape: tuple[int, ...], index: Any) -> Any:
    made = np.zeros(shape, a.dtype)
    made[index] = a
    return made


_put_back = linear(
    "embed", _embed, lambda F, t, index: F.basic(t, index), ("shape", "index"), node="SliceBackward0", holomorphic=False
)


def basic_operation(index: tuple[Any, ...]) -> Any:
    """The operation for a basic index: by its last item, as PyTorch takes one dimension after the other."""
    for item in reversed(index):
        if item is None:
            return _new_axis
        if type(item) is slice:
            if item != slice(None):
                return _slice
        elif item is not Ellipsis:
            return _select
    return _whole


provide("basic", lambda a, index: a[index], lambda x, index: basic_operation(index)(x, index))


def _accumulate_at(a: Any, shape: tuple[int, ...], index: Any) -> Any:
    """The transpose of `x[index]`: what is taken several times is added up."""
    made = np.zeros(shape, a.dtype)
    add_at(made, index, a)
    return made


def add_at(target: Any, index: Any, values: Any) -> None:
    """`target[index] += values` in which repeated places count each time."""
    arrays = [i for i in index if isinstance(i, np.ndarray)]
    if len(arrays) == 1 and arrays[0].dtype.kind == "b":
        target[index] += values  # a mask repeats nothing
        return
    if len(arrays) == 1 and index[0] is arrays[0] and target.ndim > 1 and target.dtype.kind == "f":
        rows = arrays[0].reshape(-1) % max(1, target.shape[0])
        flat = np.broadcast_to(values, arrays[0].shape + target.shape[1:]).reshape(rows.size, -1)
        if rows.size:
            order = np.argsort(rows, kind="stable")
            sorted_rows = rows[order]
            starts = np.flatnonzero(np.concatenate(([True], sorted_rows[1:] != sorted_rows[:-1])))
            sums = np.add.reduceat(flat[order], starts, axis=0)
            target[sorted_rows[starts]] += sums.reshape(-1, *target.shape[1:])
        return
    np.add.at(target, index, values)


_advanced = linear(
    "advanced_index", lambda a, index: a[index], lambda F, t, self_shape, index: F.accumulate_at(t, self_shape, index),
    ("index",), node="IndexBackward0", holomorphic=False,
)  # fmt: skip
_accumulated = linear(
    "accumulate_at", _accumulate_at, lambda F, t, index: F.advanced_index(t, index), ("shape", "index"),
    node="IndexPutBackward0", holomorphic=False,
)  # fmt: skip


def _put_array(a: Any, values: Any, index: Any, accumulate: bool) -> Any:
    made = a.copy()
    if accumulate:
        add_at(made, index, values)
    else:
        made[index] = values
    return made


def _pull_put_self(F: Any, t: Any, index: Any, accumulate: bool) -> Any:
    return t if accumulate else F.clear_at(t, index)


def _pull_put_values(F: Any, t: Any, values_shape: Any, index: Any, accumulate: bool) -> Any:
    taken = F.advanced_index(t, index)
    return F.sum_to(taken, values_shape) if accumulate else F.sum_to(F.stayed_at(taken, t.shape, index), values_shape)


def _clear_array(a: Any, index: Any) -> Any:
    made = a.copy()
    made[index] = 0
    return made


def _stayed(a: Any, shape: tuple[int, ...], index: Any) -> Any:
    """`a`, one value for each place of the index, with zeros where another value was written to the same place later."""
    arrays = [i for i in index if isinstance(i, np.ndarray)]
    if len(arrays) == 1 and arrays[0].dtype.kind == "b":
        return a
    numbers = np.arange(a.size).reshape(a.shape)
    last = np.empty(shape, np.int64)
    last[index] = numbers
    return np.where(last[index] == numbers, a, np.zeros((), a.dtype))


_clear = linear("clear_at", _clear_array, lambda F, t, index: F.clear_at(t, index), ("index",), holomorphic=False)
_stayed_at = linear(
    "stayed_at", _stayed, lambda F, t, shape, index: F.stayed_at(t, shape, index), ("shape", "index"), holomorphic=False
)
put_values = general(
    "put_values", _put_array, {"self": _pull_put_self, "values": _pull_put_values}, ("index", "accumulate"),
    node="IndexPutBackward0", holomorphic=False,
    push=lambda F, t, self, values, index, accumulate: F.put_values(
        self * 0 if t[0] is None else t[0], values * 0 if t[1] is None else t[1], index, accumulate
    ),
)  # fmt: skip


# ------------------------------------------------------------------------------------------------ what an index means


def _is_tensor_like(item: Any) -> bool:
    return isinstance(item, (Tensor, np.ndarray, list)) or type(item) is bool or isinstance(item, np.bool_)


def split_index(x: Tensor, index: Any) -> tuple[tuple[Any, ...], tuple[Any, ...] | None]:
    """An index in brackets as a basic index and, where tensors index too, the advanced index of the view that the basic one gives.

    Raises IndexError and TypeError in PyTorch's words.
    """
    if type(index) is list and any(isinstance(i, (slice, type(None), type(...), Tensor, list)) for i in index):
        index = tuple(index) if not any(isinstance(i, list) for i in index) else index
    items = index if type(index) is tuple else (index,)
    array = x._array
    taken = 0
    for item in items:
        if item is None or item is Ellipsis or type(item) is bool or isinstance(item, np.bool_):
            continue
        kind = getattr(item, "_array", item)
        if isinstance(kind, np.ndarray) and kind.dtype.kind in "b":
            taken += kind.ndim
        elif isinstance(item, np.ndarray) and item.dtype.kind == "b":
            taken += item.ndim
        else:
            taken += 1
    if taken > array.ndim:
        if array.ndim == 0 and len(items) == 1:
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim "
                "tensor to a number"
            )
        raise IndexError(f"too many indices for tensor of dimension {array.ndim}")
    if sum(item is Ellipsis for item in items) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    basic: list[Any] = []
    advanced: list[Any] = []
    any_advanced = False
    dim = 0  # of the tensor
    seen_ellipsis = False
    for item in items:
        if item is Ellipsis:
            rest = array.ndim - taken
            basic.append(Ellipsis)
            advanced.extend([slice(None)] * rest)
            dim += rest
            seen_ellipsis = True
        elif item is None:
            basic.append(None)
            advanced.append(slice(None))
        elif type(item) is slice:
            basic.append(_slice_item(item))
            advanced.append(slice(None))
            dim += 1
        elif type(item) is int:
            basic.append(_int_item(item, dim, array.shape[dim]))
            dim += 1
        elif _is_tensor_like(item):
            found = _index_array(item)
            if found.ndim == 0 and found.dtype.kind in "iu" and not isinstance(item, list):
                basic.append(_int_item(int(found), dim, array.shape[dim]))
                dim += 1
                continue
            any_advanced = True
            if found.dtype.kind == "b":
                if found.ndim == 0:
                    basic.append(None)
                    advanced.append(np.zeros(1 if found else 0, np.int64))
                    continue
                for k, n in enumerate(found.shape):
                    if array.shape[dim + k] != n:
                        raise IndexError(
                            f"The shape of the mask {list(found.shape)} at index {k} does not match the shape of the indexed "
                            f"tensor {list(array.shape)} at index {dim + k}"
                        )
                basic.extend([slice(None)] * found.ndim)
                advanced.append(found)
                dim += found.ndim
                continue
            length = array.shape[dim]
            if found.size and (found.max() >= length or found.min() < -length):
                bad = int(found.max() if found.max() >= length else found.min())
                raise IndexError(f"index {bad} is out of bounds for dimension {dim} with size {length}")
            basic.append(slice(None))
            advanced.append(found)
            dim += 1
        elif hasattr(item, "__index__"):
            basic.append(_int_item(item.__index__(), dim, array.shape[dim]))
            dim += 1
        else:
            raise TypeError(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got "
                f"{type(item).__name__})"
            )
    if not seen_ellipsis:
        basic.append(Ellipsis)
    if not any_advanced:
        return tuple(basic), None
    while advanced and type(advanced[-1]) is slice:
        advanced.pop()
    return tuple(basic), tuple(advanced)


def _int_item(item: int, dim: int, length: int) -> int:
    if not -length <= item < length:
        raise IndexError(f"index {item} is out of bounds for dimension {dim} with size {length}")
    return item


def _slice_item(item: slice) -> slice:
    step = item.step
    if step is not None and step.__index__() <= 0:
        raise ValueError("step must be greater than zero")
    if isinstance(item.start, Tensor) or isinstance(item.stop, Tensor) or isinstance(step, Tensor):
        return slice(*(None if v is None else v.__index__() for v in (item.start, item.stop, step)))
    return item


def _index_array(item: Any) -> Any:
    if isinstance(item, Tensor):
        array = item._array
    else:
        from ..creation import array_of

        array = array_of(item)
        if isinstance(item, list) and array.size == 0:
            array = array.astype(np.int64)
    if array.dtype.kind not in "biu":
        raise IndexError(
            "tensors used as indices must be long, int, byte or bool tensors: convert with .long() "
            f"(got {array.dtype.name})"
        )
    if array.dtype == np.uint8:
        array = array.astype(bool)
    return array


# ------------------------------------------------------------------------------------------------ brackets


def _getitem(self: Tensor, index: Any) -> Any:
    """`x[index]`: a view for integers, slices, None and Ellipsis; a copy where tensors, lists or arrays index."""
    if type(index) is int and self._array.ndim:
        if not -self._array.shape[0] <= index < self._array.shape[0]:
            raise IndexError(f"index {index} is out of bounds for dimension 0 with size {self._array.shape[0]}")
        return _select(self, (index, ...))
    basic, advanced = split_index(self, index)
    if advanced is None:
        return basic_operation(basic)(self, basic)
    source = self
    if any(i is not Ellipsis and i != slice(None) for i in basic):
        source = basic_operation(basic)(self, basic)
    return _advanced(source, _frozen(advanced))


def _frozen(index: tuple[Any, ...]) -> tuple[Any, ...]:
    """The index with copies of its arrays, which the caller may write to later."""
    return tuple([i.copy() if isinstance(i, np.ndarray) else i for i in index])


def _setitem(self: Tensor, index: Any, value: Any) -> None:
    """`x[index] = value`, in place: the value is broadcast and converted, and gradients pass to it."""
    basic, advanced = split_index(self, index)
    if not isinstance(value, Tensor):
        if isinstance(value, NUMBERS):
            if isinstance(value, complex) and self._array.dtype.kind != "c":
                raise RuntimeError("value cannot be converted to type float without overflow")
            if get_mode().plain and edge_of(self) is None and self._extra is None:
                from .conversion import number_in

                check_writable(self)
                number = number_in(value, self._array.dtype)
                if advanced is None:
                    self._array[basic] = number
                else:
                    self._array[basic][advanced] = number
                written(self)
                return
            value = wrap(np.asarray(value))
        else:
            from ..creation import as_tensor

            if not isinstance(value, (list, tuple, np.ndarray)):
                raise TypeError(f"can't assign a {type(value).__name__} to a torch.{_tensor_name(self)}")
            value = as_tensor(value)
    target = self
    if any(i is not Ellipsis and i != slice(None) for i in basic):
        target = basic_operation(basic)(self, basic)
    if advanced is None:
        target.copy_(_without_leading_ones(value, target))
        return
    write_at(target, advanced, value, False)


def _tensor_name(x: Tensor) -> str:
    return str(x.type().removeprefix("torch."))


def _without_leading_ones(value: Tensor, target: Tensor) -> Tensor:
    """A value with more dimensions than the target, the first of them of length 1, in the target's number of dimensions."""
    extra = value._array.ndim - target._array.ndim
    if extra > 0 and all(n == 1 for n in value._array.shape[:extra]):
        return value.reshape(value._array.shape[extra:])
    return value


def write_at(target: Tensor, index: tuple[Any, ...], value: Tensor, accumulate: bool) -> Tensor:
    """Write (or add) a value at an advanced index, in place."""
    kind = target._array.dtype
    if value._array.dtype is not kind:
        if value._array.ndim and (accumulate or value._array.dtype.kind in "fc" and kind.kind in "biu"):
            from .inplace import scalar_name

            raise RuntimeError(
                f"Index put requires the source and destination dtypes match, got {scalar_name(target.dtype)} for the destination "
                f"and {scalar_name(value.dtype)} for the source."
            )
        value = value.to(target.dtype)
    shape = target._array[index].shape
    fitted = value
    extra = value._array.ndim - len(shape)
    if extra > 0 and all(n == 1 for n in value._array.shape[:extra]):
        fitted = value.reshape(value._array.shape[extra:])
    try:
        fits = np.broadcast_shapes(fitted._array.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(value._array.shape)} cannot be broadcast to indexing result of shape "
            f"{list(shape)}"
        )
    return assign(target, lambda x: put_values(x, fitted, _frozen(index), accumulate))


setattr(Tensor, "__getitem__", _getitem)  # noqa: B010
setattr(Tensor, "__setitem__", _setitem)  # noqa: B010


# ------------------------------------------------------------------------------------------------ by name


def alias_view(x: Tensor) -> Any:
    """A view of the whole tensor."""
    return _whole(x, (...,))


def slice_view(x: Tensor, dim: int, start: Any, stop: Any, step: int = 1) -> Any:
    """The view `x[start:stop:step]` of one dimension."""
    return _slice(x, (*(slice(None),) * dim, slice(start, stop, step), ...))


def select(input: Tensor, dim: Any, index: Any) -> Any:
    """A view at one index of a dimension.

    >>> import wengert
    >>> wengert.select(wengert.tensor([[1, 2], [3, 4]]), 1, 0)
    tensor([1, 3])
    """
    shape = check_tensor("select", input)._array.shape
    if not shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim_number("select", dim, position=2), len(shape))
    i = dim_number("select", index, "index", 3)
    if not -shape[d] <= i < shape[d]:
        raise IndexError(
            f"select(): index {i} out of range for tensor of size {list(shape)} at dimension {d}"
        )
    return _select(input, (*(slice(None),) * d, i, ...))


def narrow(input: Tensor, dim: Any, start: Any, length: int) -> Any:
    """A view of `length` indices of a dimension, from `start` on.

    >>> import wengert
    >>> wengert.narrow(wengert.arange(5), 0, 1, 2)
    tensor([1, 2])
    """
    shape = check_tensor("narrow", input)._array.shape
    if not shape:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim_number("narrow", dim, position=2), len(shape))
    if isinstance(start, Tensor):
        if start._array.ndim or start._array.dtype.kind not in "iu":
            raise RuntimeError("start must be an 0-dim integral Tensor.")
        start = int(start)
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not -shape[d] <= start <= shape[d]:
        raise IndexError(f"start out of range (expected to be in range of [{-shape[d]}, {shape[d]}], but got {start})")
    first = start + shape[d] if start < 0 else start
    if first + length > shape[d]:
        raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({shape[d]}).")
    return _slice(input, (*(slice(None),) * d, slice(first, first + length), ...))


provide("narrow", lambda a, dim, start, n: a[(*(slice(None),) * dim, slice(start, start + n))], narrow)
provide("select", lambda a, dim, i: a[(*(slice(None),) * dim, i, ...)], select)


def index_put(input: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Any:
    """A copy with values written (or added) at tensors of indices, one for each dimension.

    >>> import wengert
    >>> wengert.index_put(wengert.zeros(3), (wengert.tensor([0, 2]),), wengert.tensor(1.0))
    tensor([1., 0., 1.])
    """
    return index_put_(input.clone(), indices, values, accumulate)


def index_put_(self: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """Write (or add) values at tensors of indices, in place."""
    _, advanced = split_index(self, tuple([slice(None) if i is None else i for i in indices]))
    if advanced is None:
        return self.copy_(self + values if accumulate else values)  # type: ignore[no-any-return]
    return write_at(self, advanced, values, accumulate)


__all__ = expose(
    __name__, functions="select narrow index_put", methods="select narrow index_put index_put_"
)
