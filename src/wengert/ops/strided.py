"""Views with strides of their own: `as_strided`, and the windows of `unfold`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..storage import address, overlaps, owner_of, storage_bytes, strided
from ..tensor import Tensor, wrap_dim
from .declare import linear
from .dims import check_tensor, dim_number
from .expose import expose

# ------------------------------------------------------------------------------------------------ as_strided
#
# A view of the memory, not of the elements: the operation is defined only together with the strides and the offset that its
# input has, which is why they are arguments. On an array of another layout, as gradients have, it works on a copy of theirs.


def _geometry(a: Any) -> tuple[tuple[int, ...], int]:
    """The strides and the offset of an array, in elements."""
    item = a.itemsize
    return tuple([s // item for s in a.strides]), (address(a) - address(owner_of(a))) // item


def _as_strided_array(a: Any, size: Any, stride: Any, storage_offset: int, self_stride: Any, self_offset: int) -> Any:
    item = a.itemsize
    wanted = tuple([s * item for s in stride])
    if a.size and any(s != k * item and n > 1 for s, k, n in zip(a.strides, self_stride, a.shape, strict=True)):
        reach = 1 + sum((n - 1) * s for n, s in zip(a.shape, self_stride, strict=True))
        laid = np.zeros(reach, a.dtype)
        strided(laid, a.shape, tuple([s * item for s in self_stride]))[...] = a
        a = laid
    return strided(a, size, wanted, (storage_offset - self_offset) * item)


def _as_strided_put(
    a: Any, shape: tuple[int, ...], size: Any, stride: Any, storage_offset: int, self_stride: Any, self_offset: int
) -> Any:
    """The transpose: what comes to one place of the memory is added up, and shared by the input's elements that lie there."""
    item = a.itemsize
    first = min(storage_offset, self_offset)
    reach = 1 + max(
        storage_offset - first + sum((n - 1) * s for n, s in zip(size, stride, strict=True)),
        self_offset - first + sum((n - 1) * s for n, s in zip(shape, self_stride, strict=True)),
    )
    storage = np.zeros(max(reach, 1), a.dtype)
    if overlaps(size, stride):
        np.add.at(storage, _places(size, stride, storage_offset - first).reshape(-1), a.reshape(-1))
    elif a.size:
        strided(storage, size, tuple([s * item for s in stride]), (storage_offset - first) * item)[...] = a
    steps = tuple([s * item for s in self_stride])
    if 0 in shape:
        return np.zeros(shape, a.dtype)
    if overlaps(shape, self_stride):
        count = np.zeros(storage.shape, storage.real.dtype)
        np.add.at(count, _places(shape, self_stride, self_offset - first).reshape(-1), 1)
        return np.array(strided(storage / np.maximum(count, 1), shape, steps, (self_offset - first) * item))
    return strided(storage, shape, steps, (self_offset - first) * item)


def _places(size: tuple[int, ...], stride: tuple[int, ...], offset: int) -> Any:
    """Where in memory each element lies."""
    found = np.full((1,) * len(size), offset)
    for i, (n, s) in enumerate(zip(size, stride, strict=True)):
        found = found + (np.arange(n) * s).reshape((-1,) + (1,) * (len(size) - i - 1))
    return found


_as_strided = linear(
    "as_strided", _as_strided_array,
    lambda F, t, self_shape, size, stride, storage_offset, self_stride, self_offset: F.as_strided_put(
        t, self_shape, size, stride, storage_offset, self_stride, self_offset),
    ("size", "stride", "storage_offset", "self_stride", "self_offset"), view=True, holomorphic=False, node="AsStridedBackward0",
)  # fmt: skip
_put_strided = linear(
    "as_strided_put", _as_strided_put,
    lambda F, t, size, stride, storage_offset, shape, self_stride, self_offset: F.as_strided_spread(
        t, shape, size, stride, storage_offset, self_stride, self_offset),
    ("shape", "size", "stride", "storage_offset", "self_stride", "self_offset"), holomorphic=False,
    node="AsStridedBackwardBackward0",
)  # fmt: skip


def _as_strided_spread(
    a: Any, shape: tuple[int, ...], size: Any, stride: Any, storage_offset: int, self_stride: Any, self_offset: int
) -> Any:
    """The transpose of `_as_strided_put`."""
    if not overlaps(shape, self_stride):
        return np.array(_as_strided_array(np.asarray(a), size, stride, storage_offset, self_stride, self_offset))
    return _as_strided_put(np.asarray(a), size, shape, self_stride, self_offset, stride, storage_offset)


_spread = linear(
    "as_strided_spread", _as_strided_spread,
    lambda F, t, shape, size, stride, storage_offset, self_stride, self_offset: F.as_strided_put(
        t, shape, size, stride, storage_offset, self_stride, self_offset),
    ("shape", "size", "stride", "storage_offset", "self_stride", "self_offset"), holomorphic=False,
)  # fmt: skip


def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """A view of the tensor's memory with any size, stride and offset (in elements).

    Raises RuntimeError where that would reach beyond the memory.

    >>> import wengert
    >>> wengert.as_strided(wengert.arange(4), (2, 2), (1, 1))
    tensor([[0, 1],
            [1, 2]])
    """
    array = check_tensor("as_strided", input)._array
    size, stride = tuple(size), tuple(stride)
    own_stride, own_offset = _geometry(array)
    offset = own_offset if storage_offset is None else storage_offset
    check_strides(array, size, stride, offset)
    return _as_strided(input, size, stride, offset, own_stride, own_offset)


def check_strides(array: Any, size: tuple[int, ...], stride: tuple[int, ...], offset: int) -> None:
    """Raise, in PyTorch's words, unless the memory of `array` has room for this view."""
    if len(size) != len(stride):
        raise RuntimeError(f"mismatch in length of strides and shape: {len(size)} sizes, {len(stride)} strides")
    if any(s < 0 for s in stride):
        raise RuntimeError(f"as_strided: Negative strides are not supported at the moment, got strides: {list(stride)}")
    if any(n < 0 for n in size):
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(size)} and strides={list(stride)}")
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    if 0 in size:
        return
    item = array.itemsize
    needed = (offset + 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True))) * item
    have = storage_bytes(owner_of(array))
    if needed > have:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize {item} requiring a "
            f"storage size of {needed} are out of bounds for storage of size {have}"
        )


# ------------------------------------------------------------------------------------------------ unfold


def _windows(a: Any, dimension: int, size: int, step: int) -> Any:
    shape, strides = a.shape, a.strides
    if not shape:
        return strided(a, (size,), (a.itemsize,))
    count = (shape[dimension] - size) // step + 1
    return strided(
        a, (*shape[:dimension], count, *shape[dimension + 1 :], size),
        (*strides[:dimension], strides[dimension] * step, *strides[dimension + 1 :], strides[dimension]),
    )  # fmt: skip


def _add_windows(a: Any, shape: tuple[int, ...], dimension: int, size: int, step: int) -> Any:
    made = np.zeros(shape, a.dtype)
    if not shape:
        return made + np.sum(a, dtype=a.dtype)
    count = a.shape[dimension]
    for k in range(size if count else 0):  # of the window; all windows at once
        made[(slice(None),) * dimension + (slice(k, k + (count - 1) * step + 1, step),)] += a[..., k]
    return made


_unfold = linear(
    "unfold", _windows, lambda F, t, self_shape, dimension, size, step: F.unfold_backward(t, self_shape, dimension, size, step),
    ("dimension", "size", "step"), view=True, holomorphic=False,
)  # fmt: skip
_fold_windows = linear(
    "unfold_backward", _add_windows, lambda F, t, dimension, size, step: F.unfold(t, dimension, size, step),
    ("shape", "dimension", "size", "step"), holomorphic=False, node="UnfoldBackwardBackward0",
)  # fmt: skip


def unfold(self: Tensor, dimension: int, size: int, step: int) -> Any:
    """A view of all windows of a size along a dimension, as a new last dimension.

    >>> import wengert
    >>> wengert.arange(4).unfold(0, 2, 1)
    tensor([[0, 1],
            [1, 2],
            [2, 3]])
    """
    shape = self._array.shape
    d = wrap_dim(dim_number("unfold", dimension, "dimension"), len(shape))
    length = shape[d] if shape else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > length:
        raise RuntimeError(f"maximum size for tensor at dimension {d} is {length} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    return _unfold(self, d, size, step)


__all__ = expose(__name__, functions="as_strided", methods="as_strided unfold")
