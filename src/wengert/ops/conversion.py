"""Copies, conversions of dtype, and writing of whole tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..autograd.modes import get_mode
from ..creation import _order, numpy_dtype
from ..device import check_device, contiguous_format, device, preserve_format
from ..dtypes import dtype as _dtype
from ..tensor import Tensor, edge_of, wrap
from .declare import NUMBERS, argument_error, general, linear
from .dims import check_tensor
from .expose import expose
from .inplace import assign, check_writable, scalar_name, written

# ------------------------------------------------------------------------------------------------ declarations


def _copy(a: Any, order: str = "K") -> Any:
    return np.array(a, order=_order(a, None) if order == "K" else order)


_clone = linear("clone", _copy, lambda F, t: t, ("order",), holomorphic=False)


def _cast_array(a: Any, target: np.dtype[Any]) -> Any:
    if target.kind == "b":
        return a != 0
    if a.dtype.kind == "c" and target.kind != "c":
        a = a.real
    if a.dtype.kind == "f" and target.kind in "iu" and target.itemsize < 8:
        a = a.astype(np.int64)  # of a number outside the range, the low bits: what a narrower cast gives is left open
    return a.astype(target)


# the gradient is brought back to the dtype of the input by the node's Adjust
_cast = linear("cast", _cast_array, lambda F, t: t, ("target",), node="ToCopyBackward0", holomorphic=False)
_zeroed = linear("zeroed", np.zeros_like, lambda F, t: F.zeroed(t), node="ZeroBackward0", holomorphic=False)
_filled = general(
    "filled", lambda a, value: np.full_like(a, value), {"self": lambda F, t: F.zeroed(t)}, ("value",), node="FillBackward0",
    holomorphic=False, push=lambda F, t: F.zeroed(t),
)  # fmt: skip
_copied = linear(
    "copied", lambda a, shape, target: np.broadcast_to(_cast_array(a, target), shape),
    lambda F, t, self_shape: F.sum_to(t, self_shape), ("shape", "target"), node="CopyBackwards", holomorphic=False,
)  # fmt: skip


# ------------------------------------------------------------------------------------------------ copies


def clone(input: Tensor, *, memory_format: Any = preserve_format) -> Any:
    """A copy with memory of its own, through which gradients pass.

    >>> import wengert
    >>> x = wengert.ones(2)
    >>> y = wengert.clone(x)
    >>> y.add_(1), x
    (tensor([2., 2.]), tensor([1., 1.]))
    """
    return _clone(check_tensor("clone", input), "C" if memory_format is contiguous_format else "K")


def contiguous(self: Tensor, memory_format: Any = contiguous_format) -> Any:
    """The tensor itself if its elements lie in memory in the order of their indices, else a copy that does."""
    if self._array.flags.c_contiguous:
        return self
    return _clone(self, "C")


# ------------------------------------------------------------------------------------------------ dtypes


def _to_dtype(x: Tensor, target: _dtype, copy: bool = False, order: Any = None) -> Any:
    wanted = target.numpy
    if x._array.dtype is wanted:
        return _clone(x, "K") if copy else x
    if x._array.dtype.kind == "c" and wanted.kind not in "cb":
        import warnings

        warnings.warn(
            "Casting complex values to real discards the imaginary part", UserWarning, stacklevel=3
        )
    return _cast(x, wanted)


def to(self: Tensor, *args: Any, **kwargs: Any) -> Any:
    """The tensor in another dtype (or that of another tensor): itself if nothing changes, else a copy.

    Called as `to(dtype)`, `to(device)`, `to(device, dtype)` or `to(other)`, with `copy=` and `non_blocking=`.
    Raises RuntimeError for a device other than the CPU.

    >>> import wengert
    >>> wengert.tensor([1, 2]).to(wengert.float64)
    tensor([1., 2.], dtype=torch.float64)
    """
    copy = kwargs.pop("copy", False)
    kwargs.pop("non_blocking", None)
    kwargs.pop("memory_format", None)
    target = kwargs.pop("dtype", None)
    check_device(kwargs.pop("device", None))
    other = kwargs.pop("other", None)
    if kwargs:
        raise TypeError(f"to() received an invalid combination of arguments: unexpected keyword '{next(iter(kwargs))}'")
    flags = []
    for arg in args:
        if isinstance(arg, _dtype):
            target = arg
        elif isinstance(arg, Tensor):
            other = arg
        elif isinstance(arg, (str, device)):
            check_device(arg)
        elif isinstance(arg, bool):
            flags.append(arg)
        elif arg is float or arg is int or arg is bool or arg is complex:
            target = dtypes.of(numpy_dtype(arg))
        elif arg is not None:
            raise TypeError(
                f"to() received an invalid combination of arguments - got ({type(arg).__name__}); give a dtype, a device or a "
                "tensor"
            )
    if len(flags) > 1:
        copy = flags[1]
    if other is not None:
        target = other.dtype
    if target is None:
        return _clone(self, "K") if copy else self
    if not isinstance(target, _dtype):
        target = dtypes.of(numpy_dtype(target))
    return _to_dtype(self, target, copy)


def type_as(self: Tensor, other: Tensor) -> Any:
    """The tensor in the dtype of another."""
    return _to_dtype(self, other.dtype)


_TYPE_NAMES = {
    "float32": "FloatTensor", "float64": "DoubleTensor", "float16": "HalfTensor", "bfloat16": "BFloat16Tensor",
    "int64": "LongTensor", "int32": "IntTensor", "int16": "ShortTensor", "int8": "CharTensor", "uint8": "ByteTensor",
    "bool": "BoolTensor", "complex64": "ComplexFloatTensor", "complex128": "ComplexDoubleTensor",
}  # fmt: skip


def type(self: Tensor, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
    """PyTorch's old name of the tensor's type, or the tensor converted to a dtype given by that name or as itself."""
    if dtype is None:
        return f"torch.{_TYPE_NAMES[self.dtype.name]}"
    if isinstance(dtype, str):
        names = {f"torch.{v}": k for k, v in _TYPE_NAMES.items()}
        if dtype not in names:
            raise ValueError(f"invalid type: '{dtype}'; use a dtype such as wengert.float32")
        dtype = getattr(dtypes, names[dtype])
    return _to_dtype(self, dtype)


def _converter(name: str, target: _dtype) -> None:
    def convert(self: Tensor, memory_format: Any = None) -> Any:
        return _to_dtype(self, target)

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"The tensor as {target.name}: itself if it is, else a copy."
    setattr(Tensor, name, convert)


for _method, _target in {
    "float": dtypes.float32, "double": dtypes.float64, "half": dtypes.float16, "bfloat16": dtypes.bfloat16,
    "long": dtypes.int64, "int": dtypes.int32, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8,
    "bool": dtypes.bool, "cfloat": dtypes.complex64, "cdouble": dtypes.complex128,
}.items():  # fmt: skip
    _converter(_method, _target)


def cpu(self: Tensor, memory_format: Any = None) -> Tensor:
    """The tensor itself, which lies on the CPU."""
    return self


def cuda(self: Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Tensor:
    """Raises RuntimeError: wengert computes on the CPU only."""
    check_device("cuda")
    return self


def _reinterpret(x: Tensor, target: _dtype) -> Any:
    """The memory seen as elements of another dtype, which no gradient passes."""
    if edge_of(x) is not None and target is not x.dtype:
        raise RuntimeError(
            "view(dtype) of a tensor that requires grad has no gradient in wengert; use to(dtype) to convert, or detach() first"
        )
    try:
        array = x._array.view(target.numpy)
    except ValueError as error:
        raise RuntimeError(
            f"self.size(-1) must be divisible by {target.itemsize / x._array.itemsize:g} to view {x.dtype} as {target} (different "
            f"element sizes), but got {x.shape}: {error}"
        ) from None
    made = wrap(array)
    made._cell = x._cell
    return made


# ------------------------------------------------------------------------------------------------ writing


def copy_(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Write the values of another tensor, which is broadcast and converted, into this one; gradients pass to it."""
    if not isinstance(src, Tensor):
        if isinstance(src, NUMBERS):
            src = wrap(np.asarray(src))
        else:
            raise argument_error("copy_", "other", 1, src)
    target = self._array
    source = src._array
    if source.shape != target.shape:
        try:
            fits = np.broadcast_shapes(source.shape, target.shape) == target.shape
        except ValueError:
            fits = False
        if not fits:
            from .shape import expand

            expand(src, target.shape)
            raise RuntimeError(f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(source.shape)}")
    mode = get_mode()
    if mode.plain and not (mode.grad and (edge_of(self) is not None or edge_of(src) is not None or self._is_view())):
        check_writable(self)
        target[...] = source if source.dtype is target.dtype else _cast_array(source, target.dtype)
        written(self)
        return self
    return assign(self, lambda x: _copied(src, target.shape, target.dtype))


def fill_(self: Tensor, value: Any) -> Tensor:
    """Set every element to a number, or to the element of a 0-d tensor, to which gradients pass."""
    if isinstance(value, Tensor):
        if value._array.ndim:
            raise RuntimeError(
                f"fill_ only supports 0-dimension value tensor but got tensor with {value._array.ndim} dimensions."
            )
        return copy_(self, value)
    target = self._array
    if isinstance(value, complex) and target.dtype.kind != "c":
        raise RuntimeError(f"value cannot be converted to type {scalar_name(self.dtype).lower()} without overflow")
    if get_mode().plain and edge_of(self) is None:
        check_writable(self)
        target.fill(number_in(value, target.dtype))
        written(self)
        return self
    return assign(self, lambda x: _filled(x, number_in(value, target.dtype)))


def number_in(value: Any, target: np.dtype[Any]) -> Any:
    """A Python number as one of this dtype."""
    from .declare import number_array

    if target.kind in "iu" and isinstance(value, float):
        value = int(value)
    return number_array(value, target)[()]


def fill(input: Tensor, value: Any) -> Any:
    """A tensor like `input` with every element set to a number.

    >>> import wengert
    >>> wengert.fill(wengert.ones(2), 3)
    tensor([3., 3.])
    """
    return fill_(clone(input), value)


def zero_(self: Tensor) -> Tensor:
    """Set every element to zero."""
    if get_mode().plain and edge_of(self) is None:
        check_writable(self)
        self._array.fill(0)
        written(self)
        return self
    return assign(self, _zeroed)


def zero(input: Tensor) -> Any:
    """A tensor of zeros like `input`."""
    return _zeroed(input)


def resize_(self: Tensor, *size: Any, memory_format: Any = None) -> Tensor:
    """Give the tensor another size; elements beyond what was there are not set.

    Raises RuntimeError if the tensor requires grad.
    """
    from .shape import sizes

    if edge_of(self) is not None:
        raise RuntimeError("cannot resize variables that require grad")
    shape = sizes("resize_", size)
    count = int(np.prod(shape))
    old = self._array
    flat = old.reshape(-1)
    if count <= flat.size:
        self._array = flat[:count].reshape(shape)
    else:
        made = np.zeros(count, old.dtype)
        made[: flat.size] = flat
        self._array = made.reshape(shape)
    return self


def resize_as_(self: Tensor, other: Tensor, memory_format: Any = None) -> Tensor:
    """Give the tensor the size of another."""
    return resize_(self, other.shape)


__all__ = expose(
    __name__,
    functions="clone fill fill_ zero_",
    methods="clone contiguous to type type_as cpu cuda copy_ fill_ zero_ resize_ resize_as_",
)
