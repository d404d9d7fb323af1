"""Indexing with brackets: views by integers and slices, copies by tensors of indices and masks, and assignment to both."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.modes import DEFAULT, get_mode
from ..dtype_names import scalar_name
from ..tensor import Tensor, alias, edge_of, wrap
from .declare import NUMBERS
from .expose import expose
from .indices import follow, follow_plain, in_words, is_whole
from .inplace import check_writable, written
from .placing import put_at, put_in_place, take_at, take_rows
from .selecting import view_at, view_between, view_of_all
from .shape import expand, unsqueeze_at

_WHOLE = slice(None)
_INT64 = np.dtype(np.int64)
_BOOL = np.dtype(np.bool_)

# ------------------------------------------------------------------------------------------------ reading


def _getitem(self: Tensor, index: Any) -> Any:
    """`x[index]`: a view for integers, slices, None and Ellipsis; a copy where tensors, lists or arrays index."""
    kind = type(index)
    try:
        if kind is int:
            return view_at(self, 0, index)
        if kind is slice and index.step is None and self._array.ndim:
            return view_between(self, 0, index.start, index.stop, 1)
        if index is None:
            return unsqueeze_at(self, 0)
        if kind is tuple:
            view = follow_plain(self, index)
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
    except (IndexError, TypeError):
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
        raise in_words(error) from None


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

        try:
            source = number_in(value, self._array.dtype)
        except OverflowError:
            raise ValueError(f"Overflow when unpacking long long: {value}") from None
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
    if index is False:
        return
    view, advanced = follow(self, index)
    if not isinstance(value, Tensor):
        value = alias(np.asarray(source), [0], None)
    if advanced is not None:
        try:
            write_at(view, advanced, value, False)
        except IndexError as error:
            raise in_words(error) from None
        return
    if type(index) is slice and is_whole(index, self._array.shape[0]):
        view = self
        if not value._array.ndim:
            self.fill_(value)
            return
    elif view is self:
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
    check_writable(target)
    value = _fitted(target, index, value)
    return put_in_place(put_at, target, value, _own(index), accumulate)


def _fitted(target: Tensor, index: tuple[Any, ...], value: Tensor) -> Tensor:
    """The value as it can be written at an index."""
    own = value._array.shape
    fitted = value
    if own:
        try:
            shape = target._array[index].shape
        except IndexError as error:
            raise in_words(error) from None
        extra = len(own) - len(shape)
        if extra > 0 and all(n == 1 for n in own[:extra]):
            fitted = value.reshape(own[extra:])
        own = fitted._array.shape
        if len(own) > len(shape) or any(n not in (1, m) for n, m in zip(own[::-1], shape[::-1], strict=False)):
            raise RuntimeError(
                f"shape mismatch: value tensor of shape {list(value._array.shape)} cannot be broadcast to indexing result of shape "
                f"{list(shape)}"
            )
    if value._array.dtype is not target._array.dtype:
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {scalar_name(target.dtype)} for the destination and "
            f"{scalar_name(value.dtype)} for the source."
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
        raise in_words(error) from None


def index_put_(self: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """Write (or add) values at tensors of indices, in place."""
    try:
        return write_at(self, _put_index(self, indices), values, accumulate)
    except IndexError as error:
        raise in_words(error) from None


__all__ = expose(__name__, functions="index_put index_put_", methods="index_put index_put_")
