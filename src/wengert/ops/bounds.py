"""Tensors of indices as arguments: their dtype, their shape and their range."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap_dim
from .dims import check_tensor, dim_number

_INT64 = np.dtype(np.int64)
_UINT64 = np.dtype(np.uint64)


def index_array(function: str, index: Any, position: int = 3, name: str = "index") -> Any:
    """An index of int64 or int32 as an array of int64.

    Raises RuntimeError for another dtype.
    """
    array = check_tensor(function, index, name, position)._array
    if array.dtype is _INT64:
        return array
    if array.dtype != np.int32 and array.size:
        raise RuntimeError(
            f"{function}(): Expected dtype int32/int64 for index, got {index.dtype}: convert it with .long()"
        )
    return array.astype(np.int64)


def long_array(function: str, index: Any, position: int) -> Any:
    """An index as an array, which must be of int64."""
    array = check_tensor(function.rstrip("_"), index, "index", position)._array
    if array.dtype is not _INT64:
        raise RuntimeError(
            f"{function}(): Expected a long tensor for index, but got {scalar_name(index.dtype)}: convert it with .long()"
        )
    return array


def out_of_bounds(index: Any, length: int, lowest: int = 0) -> int | None:
    """An index below `lowest` (0 or -length) or from `length` on, None if there is none."""
    if not index.size:
        return None
    if lowest:
        low, high = index.min(), index.max()
        return int(high if high >= length else low) if high >= length or low < lowest else None
    # seen as unsigned, negative numbers are the largest of all: one look is enough
    unsigned = index.view(_UINT64)
    if unsigned.item(unsigned.argmax()) < length:
        return None
    high = int(index.max())
    return high if high >= length else int(index.min())


def check_bounds(index: Any, dim: int, length: int, error: type[Exception] = RuntimeError, prefix: str = "") -> None:
    """Raise unless every index is from 0 to below the dimension's length."""
    bad = out_of_bounds(index, length)
    if bad is not None:
        raise error(f"{prefix}index {bad} is out of bounds for dimension {dim} with size {length}")


def vector_index(function: str, input: Tensor, dim: Any, array: Any, lowest: int = 0) -> tuple[Any, int]:
    """A vector (or one number) of indices along a dimension as a vector, with the dimension from the front."""
    d = wrap_dim(dim_number(function, dim, position=2), input._array.ndim)
    if array.ndim > 1:
        raise IndexError(
            f"{function}(): Index is supposed to be a vector, but got dim: {array.ndim} with type: Long"
            if function != "index_fill"
            else "Index has to be a vector/scalar"
        )
    return array.reshape(-1), d
