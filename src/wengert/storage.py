"""Arrays that look at the memory of another with strides of their own, and what is known of an array's memory."""

from __future__ import annotations

from typing import Any

import numpy as np


def owner_of(a: Any) -> Any:
    """The array that the memory belongs to, as far as NumPy knows."""
    while isinstance(a.base, np.ndarray):
        a = a.base
    return a


def address(a: Any) -> int:
    """The address of the first element."""
    found: int = a.__array_interface__["data"][0]
    return found


def strided(a: Any, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0) -> Any:
    """The memory of `a` in another shape, with strides and an offset from the first element in bytes.

    Raises ValueError where that would reach beyond the memory.
    """
    flags = a.flags
    made = None
    if flags.forc and not offset:
        try:
            made = np.ndarray(shape, a.dtype, a, 0, strides)
        except ValueError:  # beyond `a`, but perhaps not beyond its owner
            pass
    if made is None:
        owner = owner_of(a)
        start = address(a) - address(owner) + offset
        if not owner.flags.forc:  # dense, but with its dimensions in another order
            owner = owner.transpose(sorted(range(owner.ndim), key=lambda i: -owner.strides[i]))
        made = np.ndarray(shape, a.dtype, owner, start, strides)
    if not flags.writeable:
        made.flags.writeable = False
    return made


def storage_bytes(owner: Any) -> int:
    """How many bytes from the first element of an array to the end of its last one."""
    if not owner.size:
        return 0
    return int(sum((n - 1) * s for n, s in zip(owner.shape, owner.strides, strict=True)) + owner.itemsize)


def is_dense(a: Any) -> bool:
    """Whether the elements fill their stretch of memory, each in a place of its own."""
    if a.flags.forc:
        return True
    expected = a.itemsize
    for step, n in sorted(zip(a.strides, a.shape, strict=True)):
        if n != 1:
            if step != expected:
                return False
            expected *= n
    return True


def check_apart(target: Any, source: Any, partly: bool = False) -> None:
    """Raise, in PyTorch's words, if a dense array is about to be written from one that lies in the same memory.

    partly: one that lies in exactly the same memory is no harm.
    """
    if not np.may_share_memory(target, source) or not (is_dense(target) and is_dense(source)):
        return
    if (
        partly
        and address(target) == address(source)
        and target.strides == source.strides
        and target.shape == source.shape
    ):
        return
    raise RuntimeError(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. "
        "Please clone() the tensor before performing the operation."
    )


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """PyTorch's strides, in elements, of a contiguous tensor of this shape."""
    made = []
    step = 1
    for n in reversed(shape):
        made.append(step)
        step *= max(n, 1)
    return tuple(made[::-1])


def overlaps(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether several indices may lead to one place; False is certain."""
    reach = 0
    for step, n in sorted((abs(s), n) for s, n in zip(strides, shape, strict=True) if n > 1):
        if step <= reach:
            return True
        reach += step * (n - 1)
    return False


_BLOCK = 64  # elements, of which the rows written and the rows read stay in the cache together


def in_order(a: Any) -> Any:
    """A copy in C order. Of a large array that lies the other way round in blocks: in a third to a tenth of NumPy's time."""
    if a.size < 16384 or a.ndim < 2 or a.strides[-1] in (0, a.itemsize) or min(a.strides) == a.strides[-1]:
        return np.array(a, order="C")
    made = np.empty(a.shape, a.dtype)
    for i in range(0, a.shape[-1], _BLOCK):
        made[..., i : i + _BLOCK] = a[..., i : i + _BLOCK]
    return made


def dense(a: Any) -> Any:
    """A copy with its dimensions nested in memory as those of `a`; in C order if elements of `a` share their place."""
    return np.array(a, order="C" if 0 in a.strides else "K")
