"""Making tensors of data and of nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import dtypes
from .autograd.modes import get_mode
from .device import check_device
from .dtypes import dtype as _dtype
from .size import Size
from .tensor import Tensor, alias, edge_of, mark_inference, wrap

Array = np.ndarray[Any, np.dtype[Any]]

__all__ = [
    "as_tensor", "asarray", "empty", "empty_like", "eye", "from_dlpack", "from_numpy", "frombuffer", "full",
    "full_like", "is_tensor", "ones", "ones_like", "scalar_tensor", "tensor", "zeros", "zeros_like",
]  # fmt: skip

# ------------------------------------------------------------------------------------------------ shared by all


def size_of(args: tuple[Any, ...], function: str = "size") -> tuple[int, ...]:
    """The shape given as `f(2, 3)`, `f((2, 3))`, `f([2, 3])` or `f(Size)`.

    Raises TypeError for what is no integer and RuntimeError for a negative length.
    """
    if len(args) == 1 and isinstance(args[0], (tuple, list)):
        args = tuple(args[0])
    shape = []
    for i, n in enumerate(args):
        if isinstance(n, bool) or not hasattr(n, "__index__"):
            raise TypeError(
                f"{function}(): argument 'size' (position {i + 1}) must be tuple of ints, but found element of type "
                f"{type(n).__name__} at pos {i}"
            )
        n = n.__index__()
        if n < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {[int(k) for k in args]}")
        shape.append(n)
    return tuple(shape)


def finish(array: Any, requires_grad: bool = False) -> Tensor:
    """A tensor around a new array, marked as the modes and `requires_grad` say."""
    made = wrap(array)
    if get_mode().inference:
        mark_inference(made)
    if requires_grad:
        if array.dtype.kind not in "fc" and not made.dtype.is_floating_point:
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        made.requires_grad_()
    return made


def numpy_dtype(dtype: Any, default: _dtype | None = None) -> np.dtype[Any]:
    """The NumPy dtype for a `dtype` argument."""
    if dtype is None:
        dtype = default or dtypes.get_default_dtype()
    elif not isinstance(dtype, _dtype):
        if dtype is float:
            dtype = dtypes.float64
        elif dtype is int:
            dtype = dtypes.int64
        elif dtype is bool:
            dtype = dtypes.bool
        elif dtype is complex:
            dtype = dtypes.complex128
        else:
            raise TypeError(
                f"argument 'dtype' must be torch.dtype, not {type(dtype).__name__}: use for example wengert.float32"
            )
    return dtype.numpy


def _new(
    function: str,
    make: Any,
    size: tuple[Any, ...],
    out: Tensor | None,
    dtype: Any,
    layout: Any,
    device: Any,
    requires_grad: bool,
) -> Tensor:
    if not size:
        raise TypeError(
            f"{function}() received an invalid combination of arguments: give the size, for example {function}(2, 3)"
        )
    shape = size_of(size, function)
    check_device(device, layout)
    if out is not None:
        from .ops.inplace import into

        return into(out, wrap(make(shape, numpy_dtype(dtype, out.dtype))))
    return finish(make(shape, numpy_dtype(dtype)), requires_grad)


# ------------------------------------------------------------------------------------------------ from data


def _find_type(data: Any) -> _dtype | None:
    """The dtype of nested Python data, None if there is no number in it."""
    found: _dtype | None = None
    stack = [data]
    while stack:
        x = stack.pop()
        if isinstance(x, (list, tuple, range)):
            stack.extend(x)
            continue
        if isinstance(x, Tensor):
            kind = x.dtype
        elif isinstance(x, (np.ndarray, np.generic)):
            kind = dtypes.of(x.dtype)
        else:
            kind = dtypes.number_type(x)
        found = kind if found is None else dtypes.promote_types(found, kind)
    return found


def _plain(data: Any) -> Any:
    """Nested data with its tensors as lists."""
    if isinstance(data, (list, tuple)):
        return [_plain(x) for x in data]
    if isinstance(data, Tensor):
        if data._array.ndim and data._array.size != 1:
            return data._array.tolist()
        return data.item() if not data._array.ndim else data._array.tolist()
    return data


def _check_nesting(data: Any) -> None:
    """Raise PyTorch's errors where nested sequences are not rectangular."""

    def shape(x: Any, depth: int) -> tuple[int, ...]:
        if isinstance(x, Tensor):
            return tuple(x.shape)
        if not isinstance(x, (list, tuple)):
            return np.shape(x)
        if not x:
            return (0,)
        first = shape(x[0], depth + 1)
        for i, y in enumerate(x):
            other = shape(y, depth + 1)
            if other != first:
                if len(other) != len(first) and not (first and other):
                    expected = f"expected sequence of length {first[0]} at dim {depth + 1}" if first else None
                    if expected is None:
                        raise TypeError(f"must be real number, not {type(y).__name__}: element {i} at depth {depth}")
                    raise TypeError(f"not a sequence: {expected}, got {y!r}")
                raise ValueError(f"expected sequence of length {first[0]} at dim {depth + 1} (got {other[0]})")
        return (len(x), *first)

    shape(data, 0)


def array_of(data: Any, dtype: Any = None, copy: bool = True) -> Array:
    """An array of tensors, arrays, numbers or nested sequences of them, of PyTorch's dtype for such data."""
    if isinstance(data, Tensor):
        data = data._array
    if isinstance(data, (np.ndarray, np.generic)):
        if data.dtype.byteorder == ">":
            raise ValueError(
                "given numpy array has byte order different from the native byte order. Conversion between byte orders is "
                "currently not supported."
            )
        if dtype is None:
            dtypes.of(data.dtype)
        target = data.dtype if dtype is None else numpy_dtype(dtype)
        with np.errstate(all="ignore"):
            return np.array(data, target, copy=True if copy else None, order="C" if copy else "K")
    kind = type(data)
    if kind is float and dtype is None:
        return np.array(data, dtypes.get_default_dtype().numpy)
    if isinstance(data, str):
        raise TypeError(f"new(): invalid data type '{kind.__name__}'")
    if hasattr(data, "__array__") and not isinstance(data, (list, tuple)):
        return array_of(np.asarray(data), dtype, copy)
    if hasattr(data, "__dlpack__"):
        return array_of(np.from_dlpack(data), dtype, copy)
    if not isinstance(data, (list, tuple, range)) and hasattr(data, "__len__") and hasattr(data, "__getitem__"):
        data = [data[i] for i in range(len(data))]
    if dtype is None:
        try:
            found = _find_type(data)
        except TypeError:
            raise _unfit(data) from None
        target = (found or dtypes.get_default_dtype()).numpy
    else:
        target = numpy_dtype(dtype)
    try:
        with np.errstate(all="ignore"):
            return np.array(_plain(data) if kind is list or kind is tuple else data, target)
    except ValueError:
        _check_nesting(data)
        raise
    except OverflowError:
        if target.kind in "iu":
            raise RuntimeError(
                f"value cannot be converted to type {target.name} without overflow: the data hold a number outside its range"
            ) from None
        raise
    except TypeError:
        with np.errstate(all="ignore"):
            if target.kind in "iub":
                wide: Any = np.array(_plain(data), np.complex128)
                if not np.any(wide.imag):
                    return wide.real.astype(target)
        raise _unfit(data) from None


def _unfit(data: Any) -> Exception:
    """The error for data that tensors cannot be made of."""
    x = data
    while isinstance(x, (list, tuple)) and x:
        unfit = next(
            (y for y in x if not isinstance(y, (int, float, complex, np.generic, np.ndarray, Tensor, list, tuple))),
            None,
        )
        if unfit is not None:
            x = unfit
            break
        x = next((y for y in x if isinstance(y, (list, tuple))), None)
    name = type(x).__name__
    if x is data:
        return RuntimeError(f"Could not infer dtype of {name}")
    if isinstance(x, str):
        return ValueError(f"too many dimensions '{name}'")
    return RuntimeError(f"Could not infer dtype of {name}")


def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False
) -> Tensor:
    """A tensor of the data, copied: a number, nested sequences of numbers, an array or another tensor.

    dtype: by default that of the data; of Python floats the default dtype, of integers int64.
    Raises ValueError if nested sequences are not rectangular, RuntimeError if integers are to require grad.

    >>> import wengert
    >>> wengert.tensor([[1, 2], [3, 4.5]])
    tensor([[1.0000, 2.0000],
            [3.0000, 4.5000]])
    """
    check_device(device)
    if isinstance(data, Tensor):
        import warnings

        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
    return finish(array_of(data, dtype), requires_grad)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of the data, which shares the memory of an array or is the tensor itself where that is possible.

    >>> import numpy, wengert
    >>> a = numpy.zeros(2)
    >>> wengert.as_tensor(a)[0] = 1.0
    >>> a
    array([1., 0.])
    """
    check_device(device)
    if isinstance(data, Tensor):
        return data if dtype is None or data.dtype is dtype else data.to(dtype)
    return finish(array_of(data, dtype, copy=False))


def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of the data, sharing its memory where that is possible.

    copy: True: always copy; False: raise where sharing is not possible; None: share where possible.

    >>> import wengert
    >>> wengert.asarray([1, 2])
    tensor([1, 2])
    """
    check_device(device)
    if isinstance(obj, Tensor):
        target = obj.dtype if dtype is None else dtype
        if target is not obj.dtype:
            if copy is False:
                raise ValueError("can't alias tensor with dtype mismatch: use copy=None or leave dtype out")
            made = obj.to(target)
        else:
            made = obj.clone() if copy else obj
        if requires_grad and not made.requires_grad:
            made = (made if made is not obj else made.detach()).requires_grad_()
        return made if requires_grad or not made.requires_grad else made.detach()
    if copy is False and not isinstance(obj, np.ndarray) and not hasattr(obj, "__dlpack__"):
        raise ValueError("can't alias arbitrary sequence into a tensor: use copy=None")
    return finish(array_of(obj, dtype, copy=bool(copy)), requires_grad)


def from_numpy(ndarray: Array) -> Tensor:
    """A tensor that shares the array's memory.

    Raises TypeError for what is no array or has a dtype that tensors lack.

    >>> import numpy, wengert
    >>> wengert.from_numpy(numpy.arange(3))
    tensor([0, 1, 2])
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    if ndarray.dtype.byteorder == ">":
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion between byte orders is "
            "currently not supported."
        )
    dtypes.of(ndarray.dtype)
    if any(s < 0 for s in ndarray.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently "
            "supported. (You can probably work around this by making a copy of your array  with array.copy().) "
        )
    if not ndarray.flags.writeable:
        import warnings

        warnings.warn(
            "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to "
            "this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it "
            "writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.",
            UserWarning,
            stacklevel=2,
        )
    return finish(np.asarray(ndarray))


def from_dlpack(ext_tensor: Any) -> Tensor:
    """A tensor that shares the memory of another library's array, by the DLPack protocol.

    >>> import numpy, wengert
    >>> wengert.from_dlpack(numpy.ones(2))
    tensor([1., 1.], dtype=torch.float64)
    """
    return finish(np.from_dlpack(ext_tensor))


def frombuffer(buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False) -> Tensor:
    """A 1-d tensor that shares the memory of an object with Python's buffer protocol.

    >>> import wengert
    >>> wengert.frombuffer(bytearray([1, 2]), dtype=wengert.uint8)
    tensor([1, 2], dtype=torch.uint8)
    """
    return finish(np.frombuffer(buffer, numpy_dtype(dtype), count, offset), requires_grad)


def legacy_tensor(cls: Any, *args: Any, **kwargs: Any) -> Any:
    """`Tensor(...)`: of sizes an uninitialised tensor, of one sequence a tensor of it, in the default dtype."""
    check_device(kwargs.pop("device", None))
    if kwargs:
        raise TypeError(
            f"new() got an unexpected keyword argument '{next(iter(kwargs))}': use wengert.tensor(...) instead"
        )
    target = dtypes.get_default_dtype().numpy
    if not args:
        array = np.zeros(0, target)
    elif len(args) == 1 and isinstance(args[0], Tensor):
        made = alias(args[0]._array, args[0]._cell, None)
        return _as_class(cls, made)
    elif len(args) == 1 and not isinstance(args[0], (int, Size)):
        if isinstance(args[0], float):
            raise TypeError("new(): data must be a sequence (got float): use wengert.tensor(data)")
        array = array_of(args[0], dtypes.get_default_dtype())
    else:
        array = np.zeros(size_of(args, "new"), target)
    return _as_class(cls, finish(array))


def _as_class(cls: Any, x: Tensor) -> Any:
    if cls is Tensor:
        return x
    made = object.__new__(cls)
    made._array, made._cell, made._edge, made._extra = x._array, x._cell, edge_of(x), x._extra
    return made


# ------------------------------------------------------------------------------------------------ from a size


def empty(
    *size: Any, out: Tensor | None = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, pin_memory: bool = False, memory_format: Any = None,
) -> Tensor:  # fmt: skip
    """A tensor of this size whose elements are not set.

    >>> import wengert
    >>> wengert.empty(2, 3).shape
    torch.Size([2, 3])
    """
    return _new("empty", np.empty, size, out, dtype, layout, device, requires_grad)


def zeros(
    *size: Any, out: Tensor | None = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of this size full of zeros.

    >>> import wengert
    >>> wengert.zeros(2)
    tensor([0., 0.])
    """
    return _new("zeros", np.zeros, size, out, dtype, layout, device, requires_grad)


def ones(
    *size: Any, out: Tensor | None = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of this size full of ones.

    >>> import wengert
    >>> wengert.ones(2)
    tensor([1., 1.])
    """
    return _new("ones", np.ones, size, out, dtype, layout, device, requires_grad)


def full(
    size: Any, fill_value: Any, *, out: Tensor | None = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of this size full of one number; the dtype is by default that of the number.

    >>> import wengert
    >>> wengert.full((2,), 3)
    tensor([3, 3])
    """
    if isinstance(fill_value, Tensor):
        fill_value = fill_value.item()
    if isinstance(size, int):
        raise TypeError(f"full(): argument 'size' (position 1) must be tuple of ints, not int: use ({size},)")
    target = numpy_dtype(dtype, dtypes.number_type(fill_value))
    from .ops.filling import number_in

    def fill(s: Any, d: Any) -> Any:
        d = d if out is not None else target
        return np.full(s, number_in(fill_value, np.dtype(d)), d)

    return _new("full", fill, (tuple(size),), out, dtype, layout,
                device, requires_grad)  # fmt: skip


def scalar_tensor(
    s: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor without dimensions of a number, by default of the default dtype.

    Raises TypeError for what is no number.

    >>> import wengert
    >>> wengert.scalar_tensor(3)
    tensor(3.)
    """
    if isinstance(s, Tensor) and not s.ndim:
        s = s.item()
    if not isinstance(s, (int, float, complex, np.number)):
        raise TypeError(f"scalar_tensor(): argument 's' (position 1) must be Number, not {type(s).__name__}")
    return full(
        (), s, dtype=dtype or dtypes.get_default_dtype(), layout=layout, device=device, requires_grad=requires_grad
    )


def eye(
    n: int, m: int | None = None, *, out: Tensor | None = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """The unit matrix with n rows and m (by default n) columns.

    >>> import wengert
    >>> wengert.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
    if n < 0:
        raise RuntimeError(f"n must be greater or equal to 0, got {n}")
    if m is not None and m < 0:
        raise RuntimeError(f"m must be greater or equal to 0, got {m}")
    return _new(
        "eye",
        lambda s, d: np.eye(s[0], s[1], dtype=d),
        (n, n if m is None else m),
        out,
        dtype,
        layout,
        device,
        requires_grad,
    )


# ------------------------------------------------------------------------------------------------ like another


def _like(
    make: Any, input: Tensor, dtype: Any, layout: Any, device: Any, requires_grad: bool, memory_format: Any = None
) -> Tensor:
    check_device(device, layout)
    if not isinstance(input, Tensor):
        raise TypeError(f"argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
    source = input._array
    array = np.empty_like(source, numpy_dtype(dtype, input.dtype), order=_order(source, memory_format))
    make(array)
    return finish(array, requires_grad)


def _order(source: Array, memory_format: Any) -> Any:
    """NumPy's word for a memory format: unless another is named, the new array's dimensions are nested as those of the old."""
    from .device import contiguous_format

    return "C" if memory_format is contiguous_format else "K"


def empty_like(
    input: Tensor, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False,
    memory_format: Any = None, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of the size and dtype of `input` whose elements are not set."""
    return _like(lambda a: None, input, dtype, layout, device, requires_grad, memory_format)


def zeros_like(
    input: Tensor, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False,
    memory_format: Any = None, pin_memory: bool = False, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A tensor of the size and dtype of `input` full of zeros.

    >>> import wengert
    >>> wengert.zeros_like(wengert.tensor([1, 2]))
    tensor([0, 0])
    """
    made = _like(lambda a: a.fill(0), input, dtype, layout, device, requires_grad, memory_format)
    return made if out is None else out.copy_(made)


def ones_like(
    input: Tensor, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False,
    memory_format: Any = None, pin_memory: bool = False, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A tensor of the size and dtype of `input` full of ones.

    >>> import wengert
    >>> wengert.ones_like(wengert.tensor([1, 2]))
    tensor([1, 1])
    """
    made = _like(lambda a: a.fill(1), input, dtype, layout, device, requires_grad, memory_format)
    return made if out is None else out.copy_(made)


def full_like(
    input: Tensor, fill_value: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False,
    memory_format: Any = None, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of the size and dtype of `input` full of one number.

    >>> import wengert
    >>> wengert.full_like(wengert.tensor([1, 2]), 7)
    tensor([7, 7])
    """
    value = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    from .ops.filling import number_in

    def fill(a: Array) -> None:
        a.fill(number_in(value, a.dtype))

    return _like(fill, input, dtype, layout, device, requires_grad, memory_format)


# ------------------------------------------------------------------------------------------------ methods of Tensor


def _new_method(make: Any) -> Any:
    def method(
        self: Tensor, *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, layout: Any = None,
        pin_memory: bool = False,
    ) -> Tensor:  # fmt: skip
        return make(*size, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad)

    method.__name__ = method.__qualname__ = f"new_{make.__name__}"
    method.__doc__ = f"`{make.__name__}` with this tensor's dtype."
    return method


def _new_tensor(
    self: Tensor, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """`tensor` with this tensor's dtype."""
    return tensor(data, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad)


def _new_full(
    self: Tensor, size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """`full` with this tensor's dtype."""
    return full(size, fill_value, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad)


for _make in (empty, zeros, ones):
    setattr(Tensor, f"new_{_make.__name__}", _new_method(_make))
Tensor.new_tensor = _new_tensor
Tensor.new_full = _new_full


def is_tensor(obj: Any) -> bool:
    """Whether `obj` is a tensor.

    >>> import wengert
    >>> wengert.is_tensor(wengert.ones(1)), wengert.is_tensor(1.0)
    (True, False)
    """
    return isinstance(obj, Tensor)
