"""Writing whole tensors: copies of others, numbers, zeros, and other sizes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import dtypes
from ..autograd.modes import get_mode
from ..dtype_names import c_type
from ..storage import check_apart
from ..tensor import Tensor, edge_of, wrap
from .conversion import cast_array
from .declare import NUMBERS, argument_error, check_broadcast, general, linear, number_array
from .dims import check_tensor, combination_error
from .expose import expose
from .indexing import unentangled
from .inplace import check_writable, written
from .placing import write_in_place
from .sizes import sizes

# ------------------------------------------------------------------------------------------------ declarations
#
# What a tensor held before has no influence on what it holds then: its gradient is zero.


def _copied(a: Any, src: Any) -> Any:
    return np.broadcast_to(cast_array(src, a.dtype), a.shape)


_copy = general(
    "copy", _copied, {"self": lambda F, t: F.null(t), "src": lambda F, t, src_shape: F.sum_to(t, src_shape)},
    node="CopyBackwards", holomorphic=False,
    push=lambda F, t, self, src: F.null(self) if t[1] is None else F.expand(t[1], self.shape),
)  # fmt: skip
_copy.operation.node_type.name = lambda self: "torch::autograd::CopyBackwards"
_zeroed = linear("zeroed", np.zeros_like, lambda F, t: F.zeroed(t), node="ZeroBackward0", holomorphic=False)


def _fill_number(name: str, node: str) -> Any:
    return general(
        name,
        np.full_like,
        {"self": lambda F, t: F.null(t)},
        ("value",),
        node=node,
        holomorphic=False,
        push=lambda F, t: F.null(t),
    )


def _fill_tensor(name: str, node: str) -> Any:
    return general(
        name, _copied, {"self": lambda F, t: F.null(t), "value": lambda F, t, value_shape: F.sum_to(t, value_shape)}, node=node,
        holomorphic=False, push=lambda F, t, self, value: F.null(self) if t[1] is None else F.expand(t[1], self.shape),
    )  # fmt: skip


_fill, _fill_in_place = _fill_number("fill_number", "FillBackward0"), _fill_number("fill_number_", "FillBackward2")
_fill_with, _fill_with_in_place = (
    _fill_tensor("fill_with", "FillBackward1"),
    _fill_tensor("fill_with_", "FillBackward3"),
)

# ------------------------------------------------------------------------------------------------ numbers


def number_in(value: Any, target: np.dtype[Any]) -> Any:
    """A Python number as one of this dtype, as PyTorch converts it.

    Raises RuntimeError for a number that the dtype cannot hold, OverflowError for an integer of more than 64 bits.
    """
    kind = target.kind
    if kind == "f" and type(value) is float:
        limit = _LIMITS[target.itemsize]
        if -limit <= value <= limit or value - value != 0:  # infinite, or not a number
            return target.type(value)
        raise _overflow(value, target)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise OverflowError(f"int too big to convert: {value}")
    if kind in "iu":
        if isinstance(value, complex) or not math.isfinite(value) or not _fits(int(value), target):
            raise _overflow(value, target)
        return number_array(int(value), target)[()]
    if kind == "b":
        return np.bool_(value != 0)
    if kind != "c" and isinstance(value, complex):
        raise _overflow(value, target)
    limit = _LIMITS.get(target.itemsize >> (kind == "c"), math.inf) if kind in "fc" else _LIMITS[4]
    for part in (value.real, value.imag):
        if math.isfinite(part) and not -limit <= part <= limit:
            raise _overflow(value, target)
    return number_array(value, target)[()]


_LIMITS = {2: 65504.0, 4: float(np.finfo(np.float32).max), 8: math.inf}  # of floating-point numbers, by their bytes


def _fits(value: int, target: np.dtype[Any]) -> bool:
    limit = 2 ** (8 * target.itemsize - (target.kind == "i"))
    return -limit <= value < limit if target.kind == "i" else -limit < value < limit  # a negative one wraps around


def _overflow(value: Any, target: np.dtype[Any]) -> RuntimeError:
    d = dtypes.of(target)
    return RuntimeError(
        f"value cannot be converted to type {c_type(d)} without overflow: {value} for a tensor of {d.name}"
    )


# ------------------------------------------------------------------------------------------------ copies and fills


def _plainly(x: Tensor) -> bool:
    """Whether a write of constants to `x` needs no look at anything but its memory, and nothing afterwards."""
    if x._extra is not None or not x._array.flags.writeable:
        return False
    mode = get_mode()
    return mode.plain and (x._edge is None or not mode.grad) and len(x._cell) == 1


def copy_(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Write the values of another tensor, which is broadcast and converted, into this one; gradients pass to it.

    >>> import wengert
    >>> wengert.zeros(2, 2).copy_(wengert.tensor([1, 2]))
    tensor([[1., 2.],
            [1., 2.]])
    """
    target = self._array
    if not isinstance(src, Tensor):
        if not isinstance(src, NUMBERS):
            raise argument_error("copy_", "other", 1, src)
        if isinstance(src, int) and not -(2**63) <= src < 2**63:
            raise OverflowError(f"int too big to convert: {src}")
        src = wrap(np.asarray(src))
    source = src._array
    alike = source.shape == target.shape and source.dtype is target.dtype and src._cell is not self._cell
    if alike and _plainly(self) and (not get_mode().grad or edge_of(src) is None):
        target[...] = source
        self._cell[0] += 1
        return self
    check_writable(self)
    if src._cell is self._cell:
        check_apart(target, source, partly=True)
    if source.shape != target.shape:
        _check_fit(target.shape, source.shape)

    def write(array: Any) -> None:
        array[...] = source if source.dtype is array.dtype else cast_array(source, array.dtype)

    mode = get_mode()
    if mode.plain and (not mode.grad or (edge_of(src) is None and unentangled(self))):
        check_writable(self)
        write(target)
        written(self)
        return self
    return write_in_place(_copy, self, (src,), (), write)


def _check_fit(target: tuple[int, ...], source: tuple[int, ...]) -> None:
    """Raise, as PyTorch does, unless an array of the second shape can be written into one of the first."""
    check_broadcast([target, source])
    if np.broadcast_shapes(target, source) == target:
        return
    raise RuntimeError(f"output with shape {list(target)} doesn't match the broadcast shape {list(source)}")


_FILL = ("(Tensor value)", "(Number value)")


def _fill_value(function: str, x: Tensor, value: Any) -> Any:
    """What to fill with: a tensor of no dimensions, or a number in the dtype of `x`."""
    if isinstance(value, Tensor):
        if value._array.ndim:
            raise RuntimeError(
                f"fill_ only supports 0-dimension value tensor but got tensor with {value._array.ndim} dimensions."
            )
        return value
    if not isinstance(value, NUMBERS):
        raise combination_error(function, f"({type(value).__name__})", _FILL)
    return number_in(value, x._array.dtype)


def fill(input: Tensor, value: Any) -> Any:
    """A tensor like `input` with every element set to a number.

    >>> import wengert
    >>> wengert.fill(wengert.ones(2), 3)
    tensor([3., 3.])
    """
    value = _fill_value("fill", check_tensor("fill", input), value)
    return _fill_with(input, value) if isinstance(value, Tensor) else _fill(input, value)


def fill_(input: Tensor, value: Any) -> Tensor:
    """Set every element to a number, or to the element of a 0-d tensor, to which gradients pass."""
    if (type(value) is float or type(value) is int) and isinstance(input, Tensor) and _plainly(input):
        input._array.fill(number_in(value, input._array.dtype))
        input._cell[0] += 1
        return input
    value = _fill_value("fill_", check_tensor("fill_", input), value)
    if isinstance(value, Tensor):
        number = cast_array(value._array, input._array.dtype)
        if edge_of(value) is not None or get_mode().dual_level or not unentangled(input):
            return write_in_place(_fill_with_in_place, input, (value,), (), lambda a: a.fill(number[()]))
        value = number[()]
    if unentangled(input) and get_mode().plain:
        check_writable(input)
        input._array.fill(value)
        written(input)
        return input
    return write_in_place(_fill_in_place, input, (), (value,), lambda a: a.fill(value))


def zero_(input: Tensor) -> Tensor:
    """Set every element to zero."""
    if isinstance(input, Tensor) and _plainly(input):
        input._array.fill(0)
        input._cell[0] += 1
        return input
    if unentangled(check_tensor("zero_", input)) and get_mode().plain:
        check_writable(input)
        input._array.fill(0)
        written(input)
        return input
    return write_in_place(_zeroed, input, (), (), lambda a: a.fill(0))


# ------------------------------------------------------------------------------------------------ other sizes


def resize_(self: Tensor, *size: Any, memory_format: Any = None) -> Tensor:
    """Give the tensor another size; elements beyond what was there are zeros.

    Raises RuntimeError if the tensor requires grad.
    """
    shape = sizes("resize_", size)
    if edge_of(self) is not None:
        raise RuntimeError("cannot resize variables that require grad")
    if any(n < 0 for n in shape):
        raise RuntimeError(f"numel: integer multiplication overflow: a size cannot be negative: {list(shape)}")
    check_writable(self)
    count = math.prod(shape)
    old = self._array
    flat = old.reshape(-1)
    if count <= flat.size:
        self._array = flat[:count].reshape(shape)
    else:
        made = np.zeros(count, old.dtype)
        made[: flat.size] = flat
        self._array = made.reshape(shape)
    written(self)
    return self


def resize_as_(self: Tensor, other: Tensor, memory_format: Any = None) -> Tensor:
    """Give the tensor the size of another."""
    return resize_(self, other._array.shape)


__all__ = expose(__name__, functions="fill fill_ zero_", methods="copy_ fill_ zero_ resize_ resize_as_")
