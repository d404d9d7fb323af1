"""Elements read and written at tensors of indices: the operations from which indexing, gathering and scattering are made.

An `index` here is a tuple with, for each of the first dimensions, `slice(None)` or an array of integers or truth values, as NumPy
takes it. It is an argument of the operation, with arrays of its own, for the caller may write to his.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..autograd.modes import get_mode
from ..storage import check_apart
from ..tensor import Tensor, edge_of
from .declare import general, linear, multilinear
from .inplace import assign, check_writable, entangled, rebase, view_error, written
from .selecting import BEFORE

if TYPE_CHECKING:
    from collections.abc import Callable

# ------------------------------------------------------------------------------------------------ arrays


def flat_places(shape: tuple[int, ...], index: tuple[Any, ...]) -> Any:
    """Where the elements that an index names lie in a flat array of this shape, as an array of the shape of the result."""
    plain: list[Any] = []
    for item in index:
        if isinstance(item, np.ndarray) and item.dtype.kind == "b":
            plain.extend(item.nonzero() if item.ndim else (np.zeros(int(item), np.int64),))
        else:
            plain.append(item)
    plain.extend([slice(None)] * (len(shape) - len(plain)))
    at = [i for i, item in enumerate(plain) if isinstance(item, np.ndarray)]
    adjacent = at[-1] - at[0] + 1 == len(at)
    arrays = np.broadcast_arrays(*[plain[i] for i in at])
    room = arrays[0].ndim
    rest = [i for i in range(len(shape)) if i not in at]
    front = [i for i in rest if i < at[0]] if adjacent else []
    ndim = room + len(rest)
    steps = [1] * len(shape)
    for i in range(len(shape) - 1, 0, -1):
        steps[i - 1] = steps[i] * shape[i]
    found: Any = 0
    for i, a in zip(at, arrays, strict=True):
        n = shape[i]
        found = found + (np.where(a < 0, a + n, a) if a.size and a.min() < 0 else a) * steps[i]
    found = found.reshape(found.shape + (1,) * (ndim - room - len(front)))
    for k, i in enumerate(rest):
        place = k if i in front else k + room
        found = found + (np.arange(shape[i]) * steps[i]).reshape((1,) * place + (-1,) + (1,) * (ndim - place - 1))
    return found


def add_at(target: Any, index: tuple[Any, ...], values: Any) -> None:
    """`target[index] += values`, in which repeated places count each time."""
    arrays = [i for i in index if isinstance(i, np.ndarray)]
    if len(arrays) == 1 and arrays[0].dtype.kind == "b":
        target[index] += values  # a mask repeats nothing
    elif target.ndim == 1 or np.size(values) <= 256 or not target.flags.c_contiguous:
        np.add.at(target, index, values)
    else:  # on flat arrays NumPy is several times as quick
        places = flat_places(target.shape, index)
        if not isinstance(values, np.ndarray) or values.shape != places.shape:
            values = np.broadcast_to(values, places.shape)
        np.add.at(target.reshape(-1), places.reshape(-1), values.reshape(-1))


def place(target: Any, values: Any, index: tuple[Any, ...], accumulate: bool) -> None:
    """Write values at an index of an array, or add them."""
    if not target.ndim:
        target = target.reshape(1)
    if accumulate and index:
        add_at(target, index, values)
    elif accumulate:
        target += values
    else:
        target[index] = values


# ------------------------------------------------------------------------------------------------ reading


def _take(a: Any, index: tuple[Any, ...]) -> Any:
    return a[index]


def _accumulated(a: Any, shape: tuple[int, ...], index: tuple[Any, ...]) -> Any:
    made = np.zeros(shape, a.dtype)
    add_at(made, index, a)
    return made


take_at = linear(
    "take_at", _take, lambda F, t, self_shape, index: F.accumulate_at(t, self_shape, index), ("index",), node="IndexBackward0",
    holomorphic=False,
)  # fmt: skip
_accumulate_at = linear(
    "accumulate_at", _accumulated, lambda F, t, index: F.take_at(t, index), ("shape", "index"), node="IndexPutBackward0",
    holomorphic=False,
)  # fmt: skip


def _take_rows(a: Any, index: Any, dim: int) -> Any:
    if index.dtype.kind != "b":
        return a.take(index, dim)
    return a[index] if dim == 0 else a[(*BEFORE[dim], index)]


def _accumulate_rows(a: Any, index: Any, shape: tuple[int, ...], dim: int) -> Any:
    made = np.zeros(shape, a.dtype)
    add_at(made, (*BEFORE[dim], index), a)
    return made


def rows_operation(name: str, node: str) -> Any:
    """An operation (x, index, dim) that takes elements of one dimension by a tensor, and whose node keeps that tensor."""
    return multilinear(
        name, _take_rows,
        {"self": lambda F, t, index, self_shape, dim: F.accumulate_rows(t, index, self_shape, dim), "index": None}, ("dim",),
        node=node, holomorphic=False,
    )  # fmt: skip


take_rows = rows_operation("take_rows", "IndexBackward0")
_accumulate_rows_op = multilinear(
    "accumulate_rows", _accumulate_rows, {"self": lambda F, t, index, dim: F.take_rows(t, index, dim), "index": None},
    ("shape", "dim"), node="IndexPutBackward0", holomorphic=False,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ writing


def _put(a: Any, values: Any, index: tuple[Any, ...], accumulate: bool) -> Any:
    made = a.copy()
    place(made, values, index, accumulate)
    return made


def _pull_self(F: Any, t: Any, index: Any, accumulate: bool) -> Any:
    return t if accumulate else F.clear_at(t, index)


def _pull_values(F: Any, t: Any, values_shape: Any, index: Any, accumulate: bool) -> Any:
    shape = t.shape or (1,)
    taken = F.take_at(t if t.ndim else F.reshape(t, (1,)), index)
    return F.sum_to(taken, values_shape) if accumulate else F.sum_to(F.stayed_at(taken, shape, index), values_shape)


def _cleared(a: Any, index: tuple[Any, ...]) -> Any:
    made = np.array(a, order="C")
    place(made, 0, index, False)
    return made


def _stayed(a: Any, shape: tuple[int, ...], index: tuple[Any, ...]) -> Any:
    """`a`, one value for each place of the index, with zeros where another value was written to the same place later."""
    arrays = [i for i in index if isinstance(i, np.ndarray)]
    if len(arrays) == 1 and (arrays[0].dtype.kind == "b" or arrays[0].size == 1):
        return a
    numbers = np.arange(a.size).reshape(a.shape)
    last = np.empty(shape, np.int64)
    last[index] = numbers
    return np.where(last[index] == numbers, a, np.zeros((), a.dtype))


_clear = linear("clear_at", _cleared, lambda F, t, index: F.clear_at(t, index), ("index",), holomorphic=False)
_stayed_at = linear(
    "stayed_at", _stayed, lambda F, t, shape, index: F.stayed_at(t, shape, index), ("shape", "index"), holomorphic=False
)


def put_operation(name: str, node: str) -> Any:
    """An operation (x, values, index, accumulate) that gives x with values written, or added, at an index."""
    return general(
        name, _put, {"self": _pull_self, "values": _pull_values}, ("index", "accumulate"), node=node, holomorphic=False,
        push=lambda F, t, self, values, index, accumulate: F.put_at(
            F.null(self) if t[0] is None else t[0], F.null(values) if t[1] is None else t[1], index, accumulate
        ),
    )  # fmt: skip


put_at = put_operation("put_at", "IndexPutBackward0")


def put_in_place(operation: Any, x: Tensor, values: Tensor, index: tuple[Any, ...], accumulate: bool) -> Tensor:
    """What such an operation gives, written into `x`: only the elements concerned are touched."""

    def write(array: Any) -> None:
        check_apart(array, values._array)
        place(array, values._array, index, accumulate)

    return write_in_place(operation, x, (values,), (index, accumulate), write)


def write_in_place(
    operation: Any, x: Tensor, others: tuple[Any, ...], statics: tuple[Any, ...], write: Callable[[Any], None]
) -> Tensor:
    """Give `x` the value and the history of `operation(x, *others, *statics)`, where `write` makes that value of its array.

    The operation's rules may keep neither `x` nor the result.
    """
    mode = get_mode()
    if mode.dual_level:
        return assign(x, lambda old: operation(old, *others, *statics))
    check_writable(x)
    view = x._extra.view if x._extra is not None else None
    if view is not None and view.made is not None and mode.grad:
        for o in others:
            if isinstance(o, Tensor) and edge_of(o) is not None:
                raise view_error(view.made, edge_of(o), "is being modified inplace")
    array = x._array
    made = None
    if mode.grad and (entangled(x) or any(isinstance(o, Tensor) and o.requires_grad for o in others)):
        op = operation.operation
        arrays = [array, *(getattr(o, "_array", o) for o in others)]
        # before the write, by which a view among them loses its edge
        made = op.record(mode, (x, *others), arrays, statics, array)
    write(array)
    written(x)
    if made is not None:
        rebase(x, made._edge)
    return x


# ------------------------------------------------------------------------------------------------ flat places
#
# Of a tensor seen as one row of elements: `places` is an array of int64 of the shape of the values.


def place_flat(target: Any, values: Any, places: Any, accumulate: bool) -> None:
    """Write values at places of an array seen as one row, or add them."""
    if not target.flags.c_contiguous:
        where = np.unravel_index(places, target.shape)
        if accumulate:
            np.add.at(target, where, values)
        else:
            target[where] = values
        return
    row = target.reshape(-1)
    if not accumulate:
        row[places] = values
        return
    if not isinstance(values, np.ndarray) or values.shape != places.shape:
        values = np.broadcast_to(values, places.shape)
    np.add.at(row, places.reshape(-1), values.reshape(-1))


def _put_flat(a: Any, values: Any, places: Any, accumulate: bool) -> Any:
    made = np.array(a, order="C")
    place_flat(made, values, places, accumulate)
    return made


def _cleared_flat(a: Any, places: Any) -> Any:
    made = np.array(a, order="C")
    made.reshape(-1)[places] = 0
    return made


def _taken_flat(a: Any, places: Any) -> Any:
    return a.reshape(-1)[places]


def _spread_flat(a: Any, shape: tuple[int, ...], places: Any) -> Any:
    made = np.zeros(shape, a.dtype)
    np.add.at(made.reshape(-1), places.reshape(-1), np.asarray(a).reshape(-1))
    return made


def _stayed_flat(a: Any, places: Any, count: int) -> Any:
    """`a`, with zeros where another value was written to the same place later."""
    last = np.empty(count, np.int64)
    numbers = np.arange(places.size).reshape(places.shape)
    last[places] = numbers
    return np.where(last[places] == numbers, a, np.zeros((), a.dtype))


_clear_flat = linear(
    "clear_flat", _cleared_flat, lambda F, t, places: F.clear_flat(t, places), ("places",), holomorphic=False
)
_take_flat = linear(
    "take_flat", _taken_flat, lambda F, t, self_shape, places: F.spread_flat(t, self_shape, places), ("places",),
    node="GatherBackward0", holomorphic=False,
)  # fmt: skip
_spread = linear(
    "spread_flat", _spread_flat, lambda F, t, places: F.take_flat(t, places), ("shape", "places"), holomorphic=False
)
_stayed_flat_op = linear(
    "stayed_flat", _stayed_flat, lambda F, t, places, count: F.stayed_flat(t, places, count), ("places", "count"),
    holomorphic=False,
)  # fmt: skip


def _pull_flat_values(F: Any, t: Any, self_shape: Any, values_shape: Any, places: Any, accumulate: bool) -> Any:
    taken = F.take_flat(t, places)
    if not accumulate:
        count = 1
        for n in self_shape:
            count *= n
        taken = F.stayed_flat(taken, places, count)
    return F.sum_to(taken, values_shape)


def put_flat_operation(name: str, node: str) -> Any:
    """An operation (x, values, places, accumulate) that gives x with values written, or added, at flat places."""
    return general(
        name, _put_flat,
        {
            "self": lambda F, t, places, accumulate: t if accumulate else F.clear_flat(t, places),
            "values": _pull_flat_values,
        },
        ("places", "accumulate"), node=node, holomorphic=False,
        push=lambda F, t, self, values, places, accumulate: F.put_flat(
            F.null(self) if t[0] is None else t[0], F.null(values) if t[1] is None else t[1], places, accumulate
        ),
    )  # fmt: skip


put_flat = put_flat_operation("put_flat", "PutBackward0")


def put_flat_in_place(operation: Any, x: Tensor, values: Tensor, places: Any, accumulate: bool) -> Tensor:
    """What such an operation gives, written into `x`: only the elements concerned are touched."""

    def write(array: Any) -> None:
        check_apart(array, values._array)
        place_flat(array, values._array, places, accumulate)

    return write_in_place(operation, x, (values,), (places, accumulate), write)
