"""Copies, and conversions to another dtype or another order in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..autograd.adjust import Adjust
from ..autograd.modes import DEFAULT, get_mode
from ..autograd.node import next_sequence
from ..creation import numpy_dtype
from ..device import channels_last, channels_last_3d, check_device, contiguous_format, device, preserve_format
from ..dtype_names import TENSOR_NAMES, scalar_name, tensor_name
from ..dtypes import dtype as _dtype
from ..quiet import hush, unhush
from ..storage import dense, in_order
from ..tensor import Tensor, alias, edge_of, wrap
from .declare import linear
from .dims import check_tensor, combination_error
from .expose import expose

# ------------------------------------------------------------------------------------------------ declarations


def _laid_out(a: Any, order: str) -> Any:
    """A copy: in C order, in that of `a` ("K"), or with the second dimension innermost ("channels")."""
    if order == "channels":
        return np.moveaxis(np.array(np.moveaxis(a, 1, -1), order="C"), -1, 1)
    return dense(a) if order == "K" else in_order(a)


def cast_array(a: Any, target: np.dtype[Any]) -> Any:
    """An array in another dtype: of a complex number the real part, of a number as a truth value whether it is not zero."""
    if target.kind == "b":
        return np.not_equal(a, 0, out=...)
    order = "C" if 0 in a.strides else "K"
    if a.dtype.kind == "c" and target.kind != "c":
        a = a.real
    if a.dtype.kind == "f" and target.kind in "iu" and target.itemsize < 8:
        a = a.astype(
            np.int64, order
        )  # of a number outside the range, the low bits: what a narrower cast gives is left open
    return a.astype(target, order)


_clone = linear("clone", _laid_out, lambda F, t: t, ("order",), holomorphic=False)
# the gradient is brought back to the dtype of the input by the node's Adjust
_to_copy = linear("to_copy", cast_array, lambda F, t: t, ("target",), node="ToCopyBackward0", holomorphic=False)

_NODE: Any = _to_copy.operation.node_type

# ------------------------------------------------------------------------------------------------ copies


def _order(x: Tensor, wanted: Any, preserve: str = "K") -> str:
    """The order in memory that a memory format asks for.

    Raises RuntimeError where the tensor has not got the dimensions for it.
    """
    if wanted is contiguous_format:
        return "C"
    if wanted is channels_last or wanted is channels_last_3d:
        needed = 4 if wanted is channels_last else 5
        if x._array.ndim != needed:
            name = "channels_last" if needed == 4 else "channels_last_3d"
            raise RuntimeError(f"required rank {needed} tensor to use {name} format")
        return "channels"
    return preserve


def clone(input: Tensor, *, memory_format: Any = preserve_format) -> Any:
    """A copy with memory of its own, through which gradients pass.

    >>> import wengert
    >>> x = wengert.ones(2)
    >>> y = wengert.clone(x)
    >>> y.add_(1), x
    (tensor([2., 2.]), tensor([1., 1.]))
    """
    if memory_format is preserve_format:
        return _clone(check_tensor("clone", input), "K")
    return _clone(check_tensor("clone", input), _order(input, memory_format))


def contiguous(self: Tensor, memory_format: Any = contiguous_format) -> Any:
    """The tensor itself if its elements lie in memory in the order of their indices, else a copy that does."""
    if memory_format is contiguous_format:
        return self if self._array.flags.c_contiguous else _clone(self, "C")
    order = _order(self, memory_format)
    return self if order == "K" or self.is_contiguous(memory_format) else _clone(self, order)


# ------------------------------------------------------------------------------------------------ dtypes


def _to(x: Tensor, target: _dtype, copy: bool = False, order: str = "K") -> Any:
    wanted = target.numpy
    if x._array.dtype is wanted:
        if copy:
            made = _to_copy(x, wanted)
            return _clone(made, order) if order != "K" else made
        return x if order == "K" or _has_order(x, order) else _clone(x, order)
    if order == "K" and get_mode() is DEFAULT:
        return _converted(x, wanted)
    if x._array.dtype.kind == "c" and wanted.kind not in "cb":
        import warnings

        warnings.warn("Casting complex values to real discards the imaginary part", UserWarning, stacklevel=3)
    made = _to_copy(x, wanted)
    return made if order == "K" or _has_order(made, order) else _clone(made, order)


def _converted(x: Tensor, wanted: np.dtype[Any]) -> Tensor:
    """The path of `_to_copy` in the usual modes, which `specialise` has only for results of the input's dtype."""
    array = x._array
    have = array.dtype
    if have.kind == "c" and wanted.kind not in "cb":
        import warnings

        warnings.warn("Casting complex values to real discards the imaginary part", UserWarning, stacklevel=4)
    token = hush()
    try:
        made = wrap(cast_array(array, wanted))
    finally:
        unhush(token)
    edge = edge_of(x)
    if edge is not None and wanted.kind not in "biu":
        made._edge = node = object.__new__(_NODE)
        node.edge = edge
        node.sequence = next_sequence()
        node.adjust = Adjust(None, (have,))
        node.versions = None
        node.saved = (None, None, None, wanted)
    return made


def _has_order(x: Tensor, order: str) -> bool:
    array = x._array if order == "C" else np.moveaxis(x._array, 1, -1)
    return bool(array.flags.c_contiguous)


_TO = (
    "(torch.device device = None, torch.dtype dtype = None, bool non_blocking = False, bool copy = False, *, torch.memory_format "
    "memory_format = None)",
    "(torch.dtype dtype, bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None)",
    "(Tensor other, bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None)",
)


def to(self: Tensor, *args: Any, **kwargs: Any) -> Any:
    """The tensor in another dtype (or that of another tensor): itself if nothing changes, else a copy.

    Called as `to(dtype)`, `to(device)`, `to(device, dtype)` or `to(other)`, with `copy=` and `non_blocking=`.
    Raises RuntimeError for a device other than the CPU.

    >>> import wengert
    >>> wengert.tensor([1, 2]).to(wengert.float64)
    tensor([1., 2.], dtype=torch.float64)
    """
    if len(args) == 1 and not kwargs and isinstance(args[0], _dtype):
        target: Any = args[0]
        return self if self._array.dtype is target.numpy else _to(self, target)
    where, target, copy, wanted = parse_to(args, kwargs)
    check_device(where)
    return _to(self, self.dtype if target is None else target, copy, _order(self, wanted))


def parse_to(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, _dtype | None, bool, Any]:
    """What the arguments of `to` ask for: a device (unchecked), a dtype (None: as it is), a copy, and an order in memory.

    Raises TypeError for arguments that `to` does not take.
    """
    places = ["device", "dtype", "non_blocking", "copy"]
    if args and isinstance(args[0], (_dtype, Tensor, type_of)):
        places = ["other" if isinstance(args[0], Tensor) else "dtype", "non_blocking", "copy"]
    if len(args) > len(places):
        raise combination_error("to", _shown(args, kwargs), _TO)
    given = dict(zip(places, args, strict=False))
    for name, value in kwargs.items():
        if name in given or name not in ("device", "dtype", "non_blocking", "copy", "memory_format"):
            raise combination_error("to", _shown(args, kwargs), _TO)
        given[name] = value
    where, target, other = given.get("device"), given.get("dtype"), given.get("other")
    if type_of(where) is int:
        raise RuntimeError(f"Cannot access accelerator device when none is available: {where}")
    flags = (given.get("non_blocking", False), given.get("copy", False))
    if (
        not isinstance(where, (str, device, type_of(None)))
        or not isinstance(target, (_dtype, type_of, type_of(None)))
        or not isinstance(other, (Tensor, type_of(None)))
        or any(not isinstance(f, bool) for f in flags)
    ):
        raise combination_error("to", _shown(args, kwargs), _TO)
    if other is not None:
        target = other.dtype
    elif target is not None and not isinstance(target, _dtype):
        kind: Any = target
        target = dtypes.of(numpy_dtype(kind))
    return where, target, flags[1], given.get("memory_format", preserve_format)


def _shown(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    names = {_dtype: "torch.dtype", device: "torch.device", Tensor: "Tensor"}
    parts = [names.get(a.__class__, a.__class__.__name__) for a in args]
    parts += [f"{k}={names.get(v.__class__, v.__class__.__name__)}" for k, v in kwargs.items()]
    return f"({', '.join(parts)}{', ' if kwargs else ''})"


def type_as(self: Tensor, other: Tensor) -> Any:
    """The tensor in the dtype of another."""
    return _to(self, check_tensor("type_as", other, "other").dtype)


type_of = type  # which the method below hides


def type(self: Tensor, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
    """PyTorch's old name of the tensor's type, or the tensor converted to a dtype given by that name or as itself."""
    if dtype is None:
        return tensor_name(self.dtype)
    if isinstance(dtype, str) or dtype in (int, float, bool, complex):
        if dtype not in TENSOR_NAMES:
            shown = dtype if isinstance(dtype, str) else dtype.__name__
            raise ValueError(f"invalid type: '{shown}': use a dtype such as wengert.float32")
        dtype = getattr(dtypes, TENSOR_NAMES[dtype])
    if not isinstance(dtype, _dtype):
        named = getattr(dtype, "dtype", None)
        if not isinstance(named, _dtype):
            raise TypeError("dtype must be a type, str, or dtype object: use a dtype such as wengert.float32")
        dtype = named
    return _to(self, dtype)


def _converter(name: str, target: _dtype) -> None:
    def convert(self: Tensor, memory_format: Any = preserve_format) -> Any:
        if self._array.dtype is target.numpy and memory_format is preserve_format:
            return self
        return _to(self, target, False, _order(self, memory_format))

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"The tensor as {target.name}: itself if it is, else a copy."
    setattr(Tensor, name, convert)


for _method, _target in {
    "float": dtypes.float32, "double": dtypes.float64, "half": dtypes.float16, "bfloat16": dtypes.bfloat16,
    "long": dtypes.int64, "int": dtypes.int32, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8,
    "bool": dtypes.bool, "cfloat": dtypes.complex64, "cdouble": dtypes.complex128,
}.items():  # fmt: skip
    _converter(_method, _target)


# ------------------------------------------------------------------------------------------------ devices and memory


def cpu(self: Tensor, memory_format: Any = preserve_format) -> Tensor:
    """The tensor itself, which lies on the CPU."""
    return self


def cuda(self: Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = preserve_format) -> Tensor:
    """Raises RuntimeError: wengert computes on the CPU only."""
    check_device("cuda")
    return self


def reinterpret(x: Tensor, target: _dtype) -> Any:
    """The memory seen as elements of another dtype, which no gradient passes.

    Raises RuntimeError, in PyTorch's words, where the last dimension does not hold whole elements of the new size.
    """
    array = x._array
    have, wanted = array.itemsize, target.itemsize
    change = f"to view {scalar_name(x.dtype)} as {scalar_name(target)} (different element sizes)"
    if have != wanted:
        if not array.ndim:
            raise RuntimeError(f"self.dim() cannot be 0 {change}")
        ratio = wanted // have
        if have < wanted and array.shape[-1] % ratio:
            raise RuntimeError(f"self.size(-1) must be divisible by {ratio} {change}, but got {array.shape[-1]}")
        if array.size and array.strides[-1] != have:
            raise RuntimeError(f"self.stride(-1) must be 1 {change}, but got {array.strides[-1] // have}")
        if have < wanted:
            for i, step in enumerate(array.strides[:-1]):
                if array.size and step % wanted:
                    raise RuntimeError(
                        f"self.stride({i}) must be divisible by {ratio} {change}, but got {step // have}"
                    )
    return alias(array.view(target.numpy), x._cell, None)


__all__ = expose(__name__, functions="clone", methods="clone contiguous to type type_as cpu cuda")
