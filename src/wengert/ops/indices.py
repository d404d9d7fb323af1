"""What an index in brackets means: which view its integers, slices and None make, and what its tensors take of that view."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..tensor import Tensor
from .selecting import view_at, view_between
from .shape import unsqueeze_at
from .specialise_view import view_in_steps

_WHOLE = slice(None)


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
                "new(): invalid data type 'str'; an index is made of integers, slices, None, ... and tensors"
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
    shape = x._array.shape
    ndim = len(shape)
    if not ndim:
        _check_scalar(index)
    items, taken = _sort_out(_items(index))
    if taken > ndim:
        raise IndexError(f"too many indices for tensor of dimension {ndim}")
    steps: list[Any] = []  # of the view
    dim = 0  # of the view so far
    passed = 0  # dimensions of `x`
    advanced: dict[int, Any] = {}
    single = len(items) == 1
    for item in items:
        kind = type(item)
        if kind is int:
            n = shape[passed]
            if not -n <= item < n:
                raise IndexError(f"index {item} is out of bounds for dimension {passed} with size {n}")
            steps.append((_SELECT, (dim, item)))
            passed += 1
        elif kind is slice:
            if single or not is_whole(item, shape[passed]):
                steps.append((_SLICE, (dim, *_slice(item))))
            dim += 1
            passed += 1
        elif item is None:
            steps.append((_UNSQUEEZE, (dim,)))
            dim += 1
        elif item is Ellipsis:
            dim += ndim - taken
            passed += ndim - taken
        elif kind is bool or item.ndim == 0:  # a truth value, or a tensor of one
            steps.append((_UNSQUEEZE, (dim,)))
            advanced[dim] = np.zeros(int(item), np.int64)
            dim += 1
        else:
            n = 1
            if item.dtype.kind == "b":
                n = item.ndim
                for k, length in enumerate(item.shape):
                    if shape[passed + k] != length:
                        whole = (
                            list(x._array[tuple([i for i in items if type(i) is int])].shape) if steps else list(shape)
                        )
                        raise IndexError(
                            f"The shape of the mask {list(item.shape)} at index {k} does not match the shape of the indexed tensor "
                            f"{whole} at index {dim + k}"
                        )
            advanced[dim] = item
            dim += n
            passed += n
    return _view(x, steps), _as_tuple(advanced) if advanced else None


def _view(x: Tensor, steps: list[Any]) -> Any:
    if len(steps) == 1:
        operation, statics = steps[0]
        return _FUNCTIONS[operation](x, *statics)
    return view_in_steps(x, steps) if steps else x


_SELECT, _SLICE, _UNSQUEEZE = view_at.operation, view_between.operation, unsqueeze_at.operation
_FUNCTIONS = {_SELECT: view_at, _SLICE: view_between, _UNSQUEEZE: unsqueeze_at}


def follow_plain(x: Tensor, items: tuple[Any, ...]) -> Any:
    """`follow` for integers in range, slices without steps, None and Ellipsis; None for any other index."""
    shape = x._array.shape
    steps: list[Any] = []
    dim = passed = 0
    single = len(items) == 1
    for item in items:
        kind = type(item)
        if kind is int:
            n = shape[passed]  # raises IndexError, as below
            if not -n <= item < n:
                return None
            steps.append((_SELECT, (dim, item)))
            passed += 1
        elif kind is slice:
            start, stop = item.start, item.stop
            if item.step is not None or single:
                return None
            n = shape[passed]
            if start is not None or stop is not None:
                if (start is not None and type(start) is not int) or (stop is not None and type(stop) is not int):
                    return None
                if (start is not None and start != 0) or (stop is not None and stop < n):
                    steps.append((_SLICE, (dim, start, stop, 1)))
            dim += 1
            passed += 1
        elif item is None:
            steps.append((_UNSQUEEZE, (dim,)))
            dim += 1
        elif item is Ellipsis:
            rest = len(shape)
            for other in items:
                if type(other) is int or type(other) is slice:
                    rest -= 1
                elif other is not None and other is not Ellipsis:
                    return None
            if rest < 0:
                return None
            dim += rest
            passed += rest
        else:
            return None
    return _view(x, steps)


def _as_tuple(advanced: dict[int, Any]) -> tuple[Any, ...]:
    made: list[Any] = []
    dim = 0
    for d, array in advanced.items():  # in order
        made.extend([_WHOLE] * (d - dim))
        made.append(array)
        dim = d + (array.ndim if array.dtype.kind == "b" else 1)
    return tuple(made)


def _check_scalar(index: Any) -> None:
    """Raise for an index of a tensor without dimensions that would take one."""
    if type(index) is slice:
        _slice(index)
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    for item in _items(index):
        if item is None or item is Ellipsis or isinstance(item, (bool, np.bool_)):
            continue
        array = getattr(item, "_array", item)
        if isinstance(array, np.ndarray) and not array.ndim and array.dtype.kind == "b":
            continue
        if type(index) is int and index:
            raise IndexError(f"index {index} is out of bounds for dimension 0 with size 0")
        if type(index) is int:
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim "
                "tensor to a number"
            )
        raise IndexError("too many indices for tensor of dimension 0")


def is_whole(item: slice, length: int) -> bool:
    """Whether a slice leaves a dimension as it is."""
    start, stop, step = item.start, item.stop, item.step
    if start is None and stop is None and step is None:
        return True
    return (
        (start is None or (type(start) is int and start == 0))
        and (stop is None or (type(stop) is int and stop >= length))
        and (step is None or (type(step) is int and step == 1))
    )


def _slice(item: slice) -> tuple[Any, Any, int]:
    """Start, stop and step of a slice, checked."""
    start, stop, step = item.start, item.stop, item.step
    for bound in (start, stop, step):
        if bound is not None and type(bound) is not int:
            start, stop, step = (None if b is None else _bound(b) for b in (start, stop, step))
            break
    if step is not None and step <= 0:
        raise ValueError("slice step cannot be zero" if step == 0 else "step must be greater than zero")
    return start, stop, 1 if step is None else step


def _bound(b: Any) -> int:
    if not hasattr(b, "__index__"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return int(b.__index__())


def in_words(error: IndexError) -> IndexError:
    """NumPy's error for an index of arrays, in PyTorch's words."""
    text = str(error)
    if text.startswith("shape mismatch"):
        shapes = re.findall(r"\(([0-9, ]*)\)", text)
        listed = ", ".join(f"[{s.rstrip(',').replace(',', ', ')}]" for s in shapes)
        return IndexError(f"shape mismatch: indexing tensors could not be broadcast together with shapes {listed}")
    if text.startswith("cannot do a non-empty take") or text.endswith("with size 0"):
        return IndexError("index is out of bounds for dimension with size 0")
    return IndexError(text.replace("for axis", "for dimension"))
