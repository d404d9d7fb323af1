"""Which whole numbers `randint` and `random_` can draw in each dtype, with PyTorch's complaints about the others."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from .dtype_names import c_name

if TYPE_CHECKING:
    from . import dtypes

# of each floating-point type: how many digits it has, and whether its largest number is within reach of int64
_DIGITS = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}
_HALF_MAX = 65504


def largest(dtype: dtypes.dtype) -> int:
    """The largest number that `random_` draws without arguments: an integer type's last, else the last exact one."""
    if dtype.is_floating_point:
        return int(2 ** _DIGITS[dtype.name])
    return 1 if dtype.name == "bool" else int(2 ** (8 * dtype.itemsize - dtype.is_signed)) - 1


def _smallest(dtype: dtypes.dtype) -> int:
    return -int(2 ** (8 * dtype.itemsize - 1)) if dtype.is_signed else 0


def int64(value: int) -> int:
    """The number itself, if it has at most 64 bits.

    Raises ValueError otherwise.
    """
    if not -(2**63) <= value < 2**63:
        raise ValueError(f"Overflow when unpacking long long: {value} is not from -2**63 to 2**63 - 1")
    return value


def check_range(low: int, high: int | None, dtype: dtypes.dtype) -> tuple[int, int]:
    """The range from which to draw: from `low` up to, but without, `high`, or up to the dtype's largest number if that
    is None.

    A floating-point type gets the nearest ends within the range that it has.
    Raises RuntimeError if there is nothing to draw from, or an end that the dtype does not reach.
    """
    if dtype.is_complex:
        what = "check_random_bounds" if high is not None else "random_from_to_impl"
        raise RuntimeError(f"{what} handles only integral, floating-point and boolean types, not {dtype}")
    if high is not None:
        if low >= high:
            raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
        _check_bound(low, "from", dtype)
        _check_bound(high - 1, "to - 1", dtype)
        if dtype.is_floating_point:
            digits = _DIGITS[dtype.name]
            low, high = _from_up(low, digits), _to_down(high, digits)
            if low >= high:
                raise RuntimeError(
                    "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got "
                    f"from={low} >= to={high}"
                )
        return low, high
    if low == -(2**63):
        _check_full_range(dtype)
        return low, 2**63
    _check_bound(low, "from", dtype)
    last = largest(dtype)
    if dtype.is_floating_point:
        low = _from_up(low, _DIGITS[dtype.name])
        if low >= last:
            raise RuntimeError(
                "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to dtype, but got "
                f"from={low} > to_inc={last}"
            )
    return low, last + 1


def _check_full_range(dtype: dtypes.dtype) -> None:
    """Raise as PyTorch does, which takes the smallest int64 without an upper end for "all of the 64 bits"."""
    kernel = "random_full_64_bits_range_kernel_cpu"
    if dtype.name in ("bool", "float16"):
        raise NotImplementedError(
            f"\"{kernel}\" not implemented for '{dtype.name.replace('float16', 'half').capitalize()}'"
        )
    if dtype.name not in ("int64", "float64", "float32", "bfloat16"):
        raise RuntimeError(f"{kernel} handles only int64, double, float and bfloat16, not {dtype}")


def _check_bound(value: int, name: str, dtype: dtypes.dtype) -> None:
    if dtype.name == "float16" and abs(value) > _HALF_MAX:
        raise RuntimeError(f"{name} is out of bounds for {c_name(dtype)}: {value}")
    if not dtype.is_floating_point:
        last = largest(dtype)
        if not _smallest(dtype) <= value <= last:
            raise RuntimeError(
                f"{name} is out of bounds for {c_name(dtype)}: {value} is not from {_smallest(dtype)} to {last}, as "
                f"{dtype} has them"
            )
        return
    digits = _DIGITS[dtype.name]
    if abs(value) > 2**digits:
        warnings.warn(
            f"{name} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations {c_name(dtype)} can "
            "support discrete uniform distribution only within this range. This warning will become an error in "
            "version 1.7 release, please fix the code in advance",
            UserWarning,
            stacklevel=5,
        )


def _rounded(value: int, digits: int) -> int:
    """The number of so many binary digits that is nearest, the even one of two."""
    spare = max(0, value.bit_length() - digits)
    if not spare:
        return value
    half, size = 1 << (spare - 1), abs(value)
    rounded = (size + half - 1 + (size >> spare & 1)) >> spare << spare
    return rounded if value >= 0 else -rounded


def _from_up(low: int, digits: int) -> int:
    """The lower end, moved up where the type would round it down."""
    after = _rounded(low + 1, digits)
    if after < low:
        step = abs(low + 1).bit_length() - digits
        return after + (1 << max(0, step))
    return low


def _to_down(high: int, digits: int) -> int:
    """The upper end, moved down where the type would round it up."""
    before = _rounded(high - 1, digits)
    if high <= before < 2**63:  # beyond, PyTorch's comparison has an overflow for its result
        step = abs(high - 1).bit_length() - digits
        return before - (1 << max(0, step))
    return high
