"""Data types, their promotion, and the default floating-point type."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable


class dtype:
    """The type of a tensor's elements; compare with `is` or `==`.

    There is one instance for each type, e.g. `wengert.float32`, and no other can be made.

    >>> import wengert
    >>> wengert.float32.itemsize, wengert.float32.is_floating_point
    (4, True)
    >>> wengert.float32.to_complex()
    torch.complex64
    """

    __slots__ = (
        "__weakref__",
        "_numpy",
        "category",
        "is_complex",
        "is_floating_point",
        "is_signed",
        "itemsize",
        "name",
    )

    name: str
    itemsize: builtins.int
    is_floating_point: builtins.bool
    is_complex: builtins.bool
    is_signed: builtins.bool
    category: builtins.int
    _numpy: np.dtype[Any] | None

    def __new__(cls, *_: object) -> dtype:
        raise TypeError(
            "type 'torch.dtype' is not an acceptable base type or callable; use wengert.float32 and the like"
        )

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy dtype of the same elements; asking for bfloat16's imports `ml_dtypes`."""
        found = self._numpy
        if found is None:
            found = self._numpy = _bfloat16()
            _from_numpy[found] = self
        return found

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name

    def to_complex(self) -> dtype:
        """The complex type with parts of this precision."""
        if self.is_complex:
            return self
        return {"float64": complex128, "float32": complex64}.get(self.name, complex64)

    def to_real(self) -> dtype:
        """The real type of this complex type's parts."""
        return {"complex128": float64, "complex64": float32}.get(self.name, self)


def _bfloat16() -> np.dtype[Any]:
    try:
        import ml_dtypes  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise TypeError(
            "bfloat16 needs the package ml_dtypes, which is not installed. Install wengert with the extra 'bfloat16': "
            "pip install 'wengert[bfloat16]'"
        ) from None
    found: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    return found


__all__ = [
    "bfloat16", "bool", "can_cast", "cdouble", "cfloat", "complex64", "complex128", "double", "dtype", "finfo", "float",
    "float16", "float32", "float64", "get_default_dtype", "half", "iinfo", "int", "int8", "int16", "int32", "int64", "long",
    "promote_types", "result_type", "set_default_dtype", "short", "uint8",
]  # fmt: skip

BOOL, INTEGER, FLOAT, COMPLEX = range(4)  # the categories of promotion, lowest first


def _make(name: str, category: builtins.int, itemsize: builtins.int) -> dtype:
    made = object.__new__(dtype)
    made.name = name
    made.category = category
    made.itemsize = itemsize
    made.is_floating_point = category == FLOAT
    made.is_complex = category == COMPLEX
    made.is_signed = category >= INTEGER and name != "uint8"
    made._numpy = None if name == "bfloat16" else np.dtype(name)
    return made


bool = _make("bool", BOOL, 1)
uint8 = _make("uint8", INTEGER, 1)
int8 = _make("int8", INTEGER, 1)
int16 = short = _make("int16", INTEGER, 2)
int32 = int = _make("int32", INTEGER, 4)
int64 = long = _make("int64", INTEGER, 8)
float16 = half = _make("float16", FLOAT, 2)
bfloat16 = _make("bfloat16", FLOAT, 2)
float32 = float = _make("float32", FLOAT, 4)
float64 = double = _make("float64", FLOAT, 8)
complex64 = cfloat = _make("complex64", COMPLEX, 8)
complex128 = cdouble = _make("complex128", COMPLEX, 16)

ALL = (bool, uint8, int8, int16, int32, int64, float16, bfloat16, float32, float64, complex64, complex128)
_from_numpy: dict[np.dtype[Any], dtype] = {d._numpy: d for d in ALL if d._numpy is not None}


def of(numpy_dtype: np.dtype[Any]) -> dtype:
    """The dtype of arrays with this NumPy dtype.

    Raises TypeError for a type that tensors do not have (strings, objects, unsigned beyond 8 bits, other byte orders).
    """
    found = _from_numpy.get(numpy_dtype)
    if found is None:
        if numpy_dtype.name == "bfloat16" and bfloat16.numpy == numpy_dtype:
            return bfloat16
        raise TypeError(
            f"can't convert np.ndarray of type {numpy_dtype.type.__module__}.{numpy_dtype.type.__name__}. The only supported "
            "types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint8, and bool."
        )
    return found


# ------------------------------------------------------------------------------------------------ promotion

_ladder = {d: i for i, d in enumerate((uint8, int8, int16, int32, int64))}


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """The smallest type, by PyTorch's table, that both convert to.

    >>> import wengert
    >>> wengert.promote_types(wengert.int32, wengert.float16)
    torch.float16
    """
    if type1 is type2:
        return type1
    low, high = (type1, type2) if type1.category <= type2.category else (type2, type1)
    if low.category != high.category:
        if high.category == COMPLEX and low is float64:
            return complex128
        return high
    if high.category == INTEGER:
        if low is uint8 or high is uint8:
            other = high if low is uint8 else low
            return int16 if other is int8 else other
        return max(low, high, key=_ladder.__getitem__)
    if low.itemsize == high.itemsize:  # float16 with bfloat16
        return float32
    return low if low.itemsize > high.itemsize else high


def result_type(tensor1: Any, tensor2: Any) -> dtype:
    """The type of an elementwise result of two tensors, or a tensor and a number.

    >>> import wengert
    >>> wengert.result_type(wengert.tensor([1, 2]), 1.0)
    torch.float32
    """
    return common_type((tensor1, tensor2))


def common_type(operands: Iterable[Any]) -> dtype:
    """The type of an elementwise result over tensors, NumPy arrays and Python numbers.

    Tensors with dimensions decide; 0-d tensors count only where their category is higher, Python numbers only where theirs is
    higher still, and then as the default type of their category.
    """
    dimmed: dtype | None = None
    zero: dtype | None = None
    number: dtype | None = None
    for x in operands:
        array = getattr(x, "_array", None)
        if array is not None:
            d = _from_numpy.get(array.dtype) or of(array.dtype)
            if array.ndim:
                dimmed = d if dimmed is None else promote_types(dimmed, d)
            else:
                zero = d if zero is None else promote_types(zero, d)
        else:
            d = number_type(x)
            number = d if number is None else promote_types(number, d)
    best = dimmed
    for weaker in (zero, number):
        if weaker is None:
            continue
        if best is None:
            best = weaker
        elif weaker.category > best.category:
            # a complex number, or a tensor without dimensions, leaves a floating-point tensor its precision
            best = best.to_complex() if weaker.category == COMPLEX and best.category == FLOAT else weaker
    assert best is not None
    return best


def number_type(value: object) -> dtype:
    """The type that a Python number stands for."""
    kind = type(value)
    if kind is builtins.float:
        return _default
    if kind is builtins.int:
        return int64
    if kind is builtins.bool:
        return bool
    if kind is complex:
        return _default.to_complex()
    if isinstance(value, (np.bool_, builtins.bool)):
        return bool
    if isinstance(value, (builtins.int, np.integer)):
        return int64
    if isinstance(value, (builtins.float, np.floating)):
        return _default
    if isinstance(value, (complex, np.complexfloating)):
        return _default.to_complex()
    raise TypeError(f"expected a Tensor or a number, got {type(value).__name__}")


def can_cast(from_: dtype, to: dtype) -> builtins.bool:
    """Whether a result of type `from_` may be written into a tensor of type `to`: never down a category.

    >>> import wengert
    >>> wengert.can_cast(wengert.float64, wengert.float32), wengert.can_cast(wengert.float32, wengert.int64)
    (True, False)
    """
    if from_.category > to.category:
        return False
    return not (from_.category == BOOL and to.category == BOOL and from_ is not to)


_default = float32


def get_default_dtype() -> dtype:
    """The type of tensors made of Python floats: float32, unless `set_default_dtype` said otherwise."""
    return _default


def set_default_dtype(d: dtype, /) -> None:
    """Make `d`, a floating-point type, the type of tensors made of Python floats.

    Raises TypeError if `d` is not a floating-point dtype.
    """
    global _default
    if not isinstance(d, dtype):
        raise TypeError(f"invalid dtype object: expected a floating-point dtype such as wengert.float64, got {d!r}")
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    d.numpy  # noqa: B018 (bfloat16 without its package is refused here)
    _default = d


class finfo:
    """The limits of a floating-point type: `eps`, `max`, `min`, `tiny`, `smallest_normal`, `resolution`, `bits`.

    >>> import wengert
    >>> wengert.finfo(wengert.float32).eps
    1.1920928955078125e-07
    """

    def __init__(self, type: dtype | None = None) -> None:
        d = _default if type is None else type
        if d.category < FLOAT:
            raise TypeError(f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{d.name}'")
        if d is bfloat16:
            import ml_dtypes

            info: Any = ml_dtypes.finfo(d.numpy)  # type: ignore[no-untyped-call, unused-ignore]
        else:
            info = np.finfo(d.numpy)
        self.bits = info.bits
        self.eps = builtins.float(info.eps)
        self.max = builtins.float(info.max)
        self.min = builtins.float(info.min)
        self.tiny = builtins.float(info.tiny)
        self.smallest_normal = builtins.float(info.smallest_normal)
        self.resolution = builtins.float(info.resolution)
        self.dtype = d.to_real().name

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


class iinfo:
    """The limits of an integer type: `max`, `min`, `bits`.

    >>> import wengert
    >>> wengert.iinfo(wengert.int8).max
    127
    """

    def __init__(self, type: dtype) -> None:
        if type.category != INTEGER:
            raise TypeError(f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{type.name}'")
        info = np.iinfo(type.numpy)
        self.bits, self.max, self.min, self.dtype = info.bits, builtins.int(info.max), builtins.int(info.min), type.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"
