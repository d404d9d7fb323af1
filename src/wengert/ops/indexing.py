"""Indexing with brackets: views by integers and slices, copies by tensors of indices and masks, and assignment to both."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..autograd.modes import DEFAULT, get_mode
from ..tensor import Tensor, alias, edge_of, wrap
from .declare import NUMBERS
from .expose import expose
from .inplace import check_writable, scalar_name, written
from .placing import put_at, put_in_place, take_at, take_rows
from .selecting import view_at, view_between, view_of_all
from .shape import expand, unsqueeze_at

_WHOLE = slice(None)
_INT64 = np.dtype(np.int64)
_BOOL = np.dtype(np.bool_)

# ------------------------------------------------------------------------------------------------ what an index means


def _items(index: Any) -> tuple[Any, ...]:
    """The items of an index; a list with anything but numbers in it counts as a tuple, as it once did in NumPy."""
    if type(index) is tuple:
        return index
    if isinstance(index, tuple):
        return tuple(index)
    if isinstance(index, list) and len(index) < 32:
        for item in index:
            if item is None or item is Ellipsis or isinstance(item, (Tensor, list, tuple, slice, np.ndarray)):
                return tuple(index)
    return (index,)


def _index_array(item: Any) -> Any:
    """The array of an item that is a tensor, an array or a sequence.

    Raises IndexError for dtypes that are no indices, and TypeError for what is none of these.
    """
    if isinstance(item, Tensor):
        array = item._array
    elif isinstance(item, np.ndarray):
        array = item
    else:
        from ..creation import array_of

        if type(item) is list and all(type(n) is int for n in item):
            return np.array(item, np.int64)
        if isinstance(item, str):
            raise TypeError(
                "new(): invalid data type 'str': an index is made of integers, slices, None, ... and tensors"
            )
        array = array_of(list(item))
        if array.dtype.kind not in "biu" or not array.size:
            array = array.astype(np.int64)
    kind = array.dtype
    if kind.kind not in "biu" or (array.ndim and kind not in (np.int64, np.int32, np.uint8, np.bool_)):
        raise IndexError(
            f"tensors used as indices must be long, int, byte or bool tensors: convert with .long() (got {kind.name})"
        )
    return array.astype(np.bool_) if kind == np.uint8 else array


def _sort_out(items: tuple[Any, ...]) -> tuple[list[Any], int]:
    """The items with everything but integers, slices, None, Ellipsis and bool made an array, and how many dimensions they take.

    Raises IndexError for what is no index.
    """
    found: list[Any] = []
    taken = 0
    for item in items:
        kind = type(item)
        if kind is int or kind is slice:
            taken += 1
        elif item is None or item is Ellipsis or kind is bool:
            pass
        elif isinstance(item, np.bool_):
            item = bool(item)
        elif isinstance(item, (Tensor, np.ndarray, list, tuple, range, str)):
            array = _index_array(item)
            if array.ndim == 0 and array.dtype.kind != "b":
                item = int(array)
                taken += 1
            else:
                item = array
                taken += array.ndim if array.dtype.kind == "b" else 1
        elif hasattr(item, "__index__"):
            item = item.__index__()
            taken += 1
        else:
            raise IndexError(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got "
                f"{kind.__name__})"
            )
        found.append(item)
    return found, taken


def follow(x: Tensor, index: Any) -> tuple[Tensor, tuple[Any, ...] | None]:
    """The view of `x` that the integers, slices and None of an index make, and what its tensors then take of that view.

    The second is None where there are no tensors, else an index as `ops.placing` describes it.
    Raises IndexError, TypeError and ValueError in PyTorch's words.
    """
    items, taken = _sort_out(_items(index))
    ndim = x._array.ndim
    if taken > ndim:
        _too_many(items, ndim)
    view = x
    dim = 0  # of the view
    passed = 0  # dimensions of `x`
    advanced: dict[int, Any] = {}
    single = len(items) == 1
    for item in items:
        kind = type(item)
        if kind is int:
            n = view._array.shape[dim]
            if not -n <= item < n:
                raise IndexError(f"index {item} is out of bounds for dimension {passed} with size {n}")
            view = view_at(view, dim, item)
            passed += 1
        elif kind is slice:
            if single or not _is_whole(item, view._array.shape[dim]):
                view = _slice(view, dim, item)
            dim += 1
            passed += 1
        elif item is None:
            view = unsqueeze_at(view, dim)
            dim += 1
        elif item is Ellipsis:
            dim += ndim - taken
            passed += ndim - taken
        elif kind is bool:
            view = unsqueeze_at(view, dim)
            advanced[dim] = np.zeros(1 if item else 0, np.int64)
            dim += 1
        else:
            if item.ndim == 0:  # a truth value
                view = unsqueeze_at(view, dim)
                item = np.zeros(int(item), np.int64)
                passed -= 1
            elif item.dtype.kind == "b":
                shape = view._array.shape
                for k, n in enumerate(item.shape):
                    if shape[dim + k] != n:
                        raise IndexError(
                            f"The shape of the mask {list(item.shape)} at index {k} does not match the shape of the indexed tensor "
                            f"{list(shape)} at index {dim + k}"
                        )
            advanced[dim] = item
            dim += item.ndim if item.dtype.kind == "b" else 1
            passed += item.ndim if item.dtype.kind == "b" else 1
    if not advanced:
        return view, None
    return view, _as_tuple(advanced)


def _follow_plain(x: Tensor, items: tuple[Any, ...]) -> Any:
    """`follow` for integers in range, slices without steps, None and Ellipsis; None for any other index."""
    view = x
    dim = 0
    single = len(items) == 1
    for item in items:
        kind = type(item)
        if kind is int:
            view = view_at(view, dim, item)  # raises IndexError
        elif kind is slice:
            start, stop = item.start, item.stop
            if item.step is not None or single or dim >= view._array.ndim:
                return None
            if start is not None or stop is not None:
                if (start is not None and type(start) is not int) or (stop is not None and type(stop) is not int):
                    return None
                if not _is_whole(item, view._array.shape[dim]):
                    view = view_between(view, dim, start, stop, 1)
            dim += 1
        elif item is None:
            view = unsqueeze_at(view, dim)
            dim += 1
        elif item is Ellipsis:
            rest = x._array.ndim
            for other in items:
                if type(other) is int or type(other) is slice:
                    rest -= 1
                elif other is not None and other is not Ellipsis:
                    return None
            if rest < 0:
                return None
            dim += rest
        else:
            return None
    return view


def _as_tuple(advanced: dict[int, Any]) -> tuple[Any, ...]:
    made: list[Any] = []
    dim = 0
    for d, array in advanced.items():  # in order
        made.extend([_WHOLE] * (d - dim))
        made.append(array)
        dim = d + (array.ndim if array.dtype.kind == "b" else 1)
    return tuple(made)


def _too_many(items: list[Any], ndim: int) -> None:
    if ndim == 0 and len(items) == 1 and not isinstance(items[0], np.ndarray):
        if type(items[0]) is slice:
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        if items[0]:
            raise IndexError(f"index {items[0]} is out of bounds for dimension 0 with size 0")
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor "
            "to a number"
        )
    raise IndexError(f"too many indices for tensor of dimension {ndim}")


def _is_whole(item: slice, length: int) -> bool:
    """Whether a slice leaves a dimension as it is."""
    start, stop, step = item.start, item.stop, item.step
    if start is None and stop is None and step is None:
        return True
    return (
        (start is None or (type(start) is int and start == 0))
        and (stop is None or (type(stop) is int and stop >= length))
        and (step is None or (type(step) is int and step == 1))
    )


def _slice(x: Tensor, dim: int, item: slice) -> Any:
    start, stop, step = item.start, item.stop, item.step
    for bound in (start, stop, step):
        if bound is not None and type(bound) is not int:
            start, stop, step = (None if b is None else _bound(b) for b in (start, stop, step))
            break
    if step is not None and step <= 0:
        raise ValueError("slice step cannot be zero" if step == 0 else "step must be greater than zero")
    return view_between(x, dim, start, stop, 1 if step is None else step)


def _bound(b: Any) -> int:
    if not hasattr(b, "__index__"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return int(b.__index__())


def _in_words(error: IndexError) -> IndexError:
    """NumPy's error for an index of arrays, in PyTorch's words."""
    text = str(error)
    if text.startswith("shape mismatch"):
        shapes = re.findall(r"\(([0-9, ]*)\)", text)
        listed = ", ".join(f"[{s.rstrip(',').replace(',', ', ')}]" for s in shapes)
        return IndexError(f"shape mismatch: indexing tensors could not be broadcast together with shapes {listed}")
    if text.startswith("cannot do a non-empty take") or text.endswith("with size 0"):
        return IndexError("index is out of bounds for dimension with size 0")
    return IndexError(text.replace("for axis", "for dimension"))


# ------------------------------------------------------------------------------------------------ reading


def _getitem(self: Tensor, index: Any) -> Any:
    """`x[index]`: a view for integers, slices, None and Ellipsis; a copy where tensors, lists or arrays index."""
    kind = type(index)
    try:
        if kind is int:
            return view_at(self, 0, index)
        if kind is tuple:
            view = _follow_plain(self, index)
            if view is not None:
                return view if view is not self else view_of_all(self)
        elif kind is Tensor:
            array = index._array
            if (
                array.ndim
                and self._array.ndim
                and (array.dtype is _INT64 or (array.dtype is _BOOL and array.shape == self._array.shape))
            ):
                return take_rows(self, index, 0)
    except IndexError:
        pass
    view, advanced = follow(self, index)
    if advanced is None:
        return view if view is not self else view_of_all(view)
    try:
        array = advanced[-1]
        if array.dtype.kind == "b" and array.ndim == 1 and len(advanced) > 1:
            array = np.flatnonzero(array)
        if array.dtype.kind != "b" and all(type(i) is slice for i in advanced[:-1]):
            return take_rows(
                view, index if getattr(index, "_array", None) is array else wrap(array.copy()), len(advanced) - 1
            )
        return take_at(view, _own(advanced))
    except IndexError as error:
        raise _in_words(error) from None


def _own(index: tuple[Any, ...]) -> tuple[Any, ...]:
    """The index with copies of its arrays, which the caller may write to later."""
    return tuple([i.copy() if isinstance(i, np.ndarray) else i for i in index])


# ------------------------------------------------------------------------------------------------ writing


def unentangled(x: Tensor) -> bool:
    """Whether a write to `x`, in the usual modes, is a write to its memory and no more."""
    if edge_of(x) is not None:
        return False
    extra = x._extra
    if extra is None:
        return True
    if extra.inference or extra.tangents:
        return False
    return extra.view is None or edge_of(extra.view.base) is None


def _setitem(self: Tensor, index: Any, value: Any) -> None:
    """`x[index] = value`, in place: the value is broadcast and converted, and gradients pass to it."""
    if type(value) is Tensor:
        source = value._array
        constant = edge_of(value) is None
    elif isinstance(value, NUMBERS) and not isinstance(value, np.bool_):
        from .filling import number_in

        source = number_in(value, self._array.dtype)
        constant = True
    elif isinstance(value, Tensor):
        source, constant = value._array, False
    else:
        shown = "numpy.ndarray" if isinstance(value, np.ndarray) else type(value).__name__
        raise TypeError(f"can't assign a {shown} to a {self.type()}: make a tensor of it with wengert.as_tensor")
    mode = get_mode()
    plain = (mode is DEFAULT or mode.plain) and (not mode.grad or (constant and unentangled(self)))
    if plain and _write_plainly(self, index, source):
        return
    view, advanced = follow(self, index)
    if not isinstance(value, Tensor):
        value = alias(np.asarray(source), [0], None)
    if advanced is not None:
        write_at(view, advanced, value, False)
        return
    if view is self:
        view = view_of_all(self)
    value = _without_leading_ones(value, view)
    if value._array.shape != view._array.shape:
        value = expand(value, view._array.shape)
    view.copy_(value)


def _write_plainly(x: Tensor, index: Any, source: Any) -> bool:
    """Write where NumPy's way is PyTorch's: with simple integers and slices, and a value of the same dtype. Returns whether it did."""
    array = x._array
    if source.dtype is not array.dtype:
        return False
    if type(index) is Tensor:
        index = index._array
        if (index.dtype is not _INT64 and index.dtype is not _BOOL) or not index.ndim or not array.ndim:
            return False
        return _assign_plainly(x, array, index, source)
    for item in index if type(index) is tuple else (index,):
        kind = type(item)
        if kind is slice:
            if item.step is not None:
                return False
        elif kind is not int and item is not Ellipsis and item is not None:
            return False
    if source.ndim > array.ndim:
        return False
    return _assign_plainly(x, array, index, source)


def _assign_plainly(x: Tensor, array: Any, index: Any, source: Any) -> bool:
    check_writable(x)
    try:
        array[index] = source
    except (IndexError, ValueError, TypeError):
        return False
    written(x)
    return True


def _without_leading_ones(value: Tensor, target: Tensor) -> Tensor:
    """A value with more dimensions than the target without those of length 1 that come first."""
    shape = value._array.shape
    if len(shape) <= target._array.ndim:
        return value
    first = 0
    while first < len(shape) and shape[first] == 1:
        first += 1
    return value.reshape(shape[first:]) if first else value


def write_at(target: Tensor, index: tuple[Any, ...], value: Tensor, accumulate: bool) -> Tensor:
    """Write (or add) a value at an advanced index, in place.

    Raises RuntimeError where dtypes or shapes do not fit, IndexError for indices out of bounds.
    """
    value = _fitted(target, index, value)
    return put_in_place(put_at, target, value, _own(index), accumulate)


def _fitted(target: Tensor, index: tuple[Any, ...], value: Tensor) -> Tensor:
    """The value as it can be written at an index."""
    if value._array.dtype is not target._array.dtype:
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {scalar_name(target.dtype)} for the destination and "
            f"{scalar_name(value.dtype)} for the source."
        )
    own = value._array.shape
    if not own:
        return value
    try:
        shape = target._array[index].shape
    except IndexError as error:
        raise _in_words(error) from None
    fitted = value
    extra = len(own) - len(shape)
    if extra > 0 and all(n == 1 for n in own[:extra]):
        fitted = value.reshape(own[extra:])
    own = fitted._array.shape
    if len(own) > len(shape) or any(n not in (1, m) for n, m in zip(own[::-1], shape[::-1], strict=False)):
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(value._array.shape)} cannot be broadcast to indexing result of shape "
            f"{list(shape)}"
        )
    return fitted


Tensor.__getitem__ = _getitem  # type: ignore[method-assign]
Tensor.__setitem__ = _setitem  # type: ignore[method-assign]

# ------------------------------------------------------------------------------------------------ index_put


def _put_index(x: Tensor, indices: Any) -> tuple[Any, ...]:
    if not isinstance(indices, (tuple, list)):
        raise TypeError(
            f"index_put(): argument 'indices' (position 1) must be tuple of Tensors, not {type(indices).__name__}"
        )
    arrays = [None if i is None else i._array for i in indices]
    taken = sum(1 if a is None or a.dtype.kind != "b" else a.ndim for a in arrays)
    if taken > x._array.ndim:
        raise IndexError(f"too many indices for tensor of dimension {x._array.ndim} (got {taken})")
    _, advanced = follow(x, tuple([_WHOLE if i is None else i if i._array.ndim else i.reshape(1) for i in indices]))
    return advanced if advanced is not None else ()


def index_put(input: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Any:
    """A copy with values written (or added) at tensors of indices, one for each dimension.

    >>> import wengert
    >>> wengert.index_put(wengert.zeros(3), (wengert.tensor([0, 2]),), wengert.tensor(1.0))
    tensor([1., 0., 1.])
    """
    index = _put_index(input, indices)
    try:
        return put_at(input, _fitted(input, index, values), _own(index), accumulate)
    except IndexError as error:
        raise _in_words(error) from None


def index_put_(self: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """Write (or add) values at tensors of indices, in place."""
    try:
        return write_at(self, _put_index(self, indices), values, accumulate)
    except IndexError as error:
        raise _in_words(error) from None


__all__ = expose(__name__, functions="index_put index_put_", methods="index_put index_put_")
