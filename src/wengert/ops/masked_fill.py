"""A number, or an element of a tensor, written where a mask is True."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor
from .declare import check_broadcast, general
from .dims import check_tensor
from .expose import expose
from .filling import number_in
from .placing import write_in_place
from .shape import _expand

# ------------------------------------------------------------------------------------------------ declarations

_fill_number = general(
    "masked_fill", lambda a, mask, value: np.where(mask, value, a), {"self": lambda F, t, mask: F.masked(t, ~mask), "mask": None},
    ("value",), node="MaskedFillBackward0", holomorphic=False, push=lambda F, t, mask: F.masked(t[0], ~mask),
)  # fmt: skip


def _push(F: Any, t: Any, self: Any, mask: Any, value: Any) -> Any:
    kept, given = F.null(self) if t[0] is None else t[0], F.null(value) if t[2] is None else t[2]
    return F.masked_fill_with(kept, mask, given)


_fill_tensor = general(
    "masked_fill_with", lambda a, mask, value: np.where(mask, value, a),
    {
        "self": lambda F, t, mask: F.masked(t, ~mask), "mask": None,
        "value": lambda F, t, mask, value_shape: F.sum_to(F.masked(t, mask), value_shape),
    },
    node="MaskedFillBackward1", holomorphic=False, push=_push,
)  # fmt: skip


def _value(input: Tensor, mask: Any, value: Any) -> Any:
    """What to write: a tensor of no dimensions, or a number in the dtype of the input."""
    array = check_tensor("masked_fill", input)._array
    chosen = check_tensor("masked_fill", mask, "mask", 2)._array
    if chosen.dtype.kind != "b":
        raise RuntimeError(
            f"masked_fill_ only supports boolean masks, but got mask with dtype {_WORDS.get(mask.dtype.name, mask.dtype.name)}: make "
            "one with .bool()"
        )
    if chosen.shape != array.shape:
        check_broadcast([chosen.shape, array.shape])
    if not isinstance(value, Tensor):
        return number_in(value, array.dtype)
    if value._array.ndim:
        raise RuntimeError(
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value._array.ndim} dimension(s)."
        )
    if value._array.dtype is array.dtype:
        return value
    if value.is_complex() and not input.is_complex():
        raise RuntimeError(
            f"value cannot be converted to type {scalar_name(input.dtype)} without overflow: it is {value.dtype}"
        )
    return value.to(input.dtype)


_WORDS = {
    "int64": "long int", "int32": "int", "int16": "short int", "int8": "signed char", "uint8": "unsigned char",
    "float32": "float", "float64": "double",
}  # fmt: skip


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Any:
    """A copy with a number written where the mask, which is broadcast, is True.

    >>> import wengert
    >>> wengert.masked_fill(wengert.tensor([1.0, 2.0]), wengert.tensor([True, False]), 0.0)
    tensor([0., 2.])
    """
    value = _value(input, mask, value)
    array = input._array
    if mask._array.shape != array.shape:
        shape = np.broadcast_shapes(array.shape, mask._array.shape)
        if shape != array.shape:
            input = _expand(input, shape)
    return _fill_tensor(input, mask, value) if isinstance(value, Tensor) else _fill_number(input, mask, value)


def masked_fill_(self: Tensor, mask: Tensor, value: Any) -> Tensor:
    """`masked_fill`, in place: the mask is broadcast to the tensor."""
    value = _value(self, mask, value)
    chosen = mask._array
    shape = np.broadcast_shapes(self._array.shape, chosen.shape)
    if shape != self._array.shape:
        raise RuntimeError(
            f"output with shape {list(self._array.shape)} doesn't match the broadcast shape {list(shape)}"
        )
    if isinstance(value, Tensor):
        what = value._array
        return write_in_place(_fill_tensor, self, (mask, value), (), lambda a: np.copyto(a, what, where=chosen))
    return write_in_place(_fill_number, self, (mask,), (value,), lambda a: np.copyto(a, value, where=chosen))


__all__ = expose(__name__, functions="masked_fill", methods="masked_fill", writes="masked_fill")
