"""More elements, or fewer, at both ends of dimensions: constants, or those of the tensor mirrored, repeated, or taken round."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor
from .declare import general, linear
from .dims import check_tensor
from .expose import expose
from .filling import number_in

Pads = tuple[tuple[int, int], ...]  # (before, after) of the last axes, in their order; negative: so many are left out

# ------------------------------------------------------------------------------------------------ constants


def _constant(a: Any, pads: Pads, value: Any) -> Any:
    first = a.ndim - len(pads)
    shape = a.shape[:first] + tuple([n + low + high for n, (low, high) in zip(a.shape[first:], pads, strict=True)])
    made: Any = np.full(shape, value, a.dtype) if value else np.zeros(shape, a.dtype)
    into = tuple([slice(max(low, 0), n - max(high, 0)) for n, (low, high) in zip(shape[first:], pads, strict=True)])
    kept = tuple([slice(max(-low, 0), n - max(-high, 0)) for n, (low, high) in zip(a.shape[first:], pads, strict=True)])
    made[(..., *into)] = a[(..., *kept)]
    return made


def _back(pads: Pads) -> Pads:
    return tuple([(-low, -high) for low, high in pads])


pad_constant = general(
    "constant_pad_nd", _constant, {"self": lambda F, t, pads: F.constant_pad_nd(t, _back(pads), 0)}, ("pads", "value"),
    node="ConstantPadNdBackward0", push=lambda F, t, pads: F.constant_pad_nd(t, pads, 0),
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ elements of the tensor


def _sources(mode: str, n: int, low: int, high: int) -> Any:
    """For each place of a padded axis of n elements, which element is there."""
    if mode == "circular":  # round what is left after the elements that are left out
        first, left = max(-low, 0), n - max(-low, 0) - max(-high, 0)
        return np.arange(-max(low, 0), left + max(high, 0)) % (left or 1) + first
    place = np.arange(-low, n + high)
    if mode == "reflect":
        return n - 1 - np.abs(n - 1 - np.abs(place))
    return place.clip(0, n - 1)


def _around(a: Any, mode: str, pads: Pads) -> Any:
    first = a.ndim - len(pads)
    for axis, (low, high) in enumerate(pads, first):
        if low or high:
            a = a.take(_sources(mode, a.shape[axis], low, high), axis)
    return np.array(a) if not any(low or high for low, high in pads) else a


def _fold(t: Any, mode: str, pads: Pads, size: tuple[int, ...]) -> Any:
    """The transpose of `_around`: each place's value goes to the element that it was taken from."""
    first = t.ndim - len(pads)
    for axis, ((low, high), n) in enumerate(zip(pads, size, strict=True), first):
        if not (low or high):
            continue
        before = (slice(None),) * axis
        made = np.zeros((*t.shape[:axis], n, *t.shape[axis + 1 :]), t.dtype)
        inner, end = max(low, 0), t.shape[axis] - max(high, 0)
        made[(*before, slice(max(-low, 0), n - max(-high, 0)))] = t[(*before, slice(inner, end))]
        sources = _sources(mode, n, low, high)
        for places in (range(inner), range(end, t.shape[axis])):
            if mode == "replicate" and len(places):
                edge = t[(*before, slice(places.start, places.stop))]
                made[(*before, sources[places.start])] += np.add.reduce(edge, axis)
                continue
            for place in places:
                made[(*before, sources[place])] += t[(*before, place)]
        t = made
    return t


def _declare_around(mode: str, rank: int, node: str) -> Any:
    back = f"{mode}_fold_{rank}d"
    name = f"{mode}_pad_{rank}d"
    made = linear(
        name, lambda a, pads: _around(a, mode, pads),
        lambda F, t, self_shape, pads: getattr(F, back)(t, pads, self_shape[len(self_shape) - rank :]),
        ("pads",), node=node,
    )  # fmt: skip
    linear(
        back, lambda t, pads, size: _fold(t, mode, pads, size), lambda F, t, pads: getattr(F, name)(t, pads),
        ("pads", "size"), node=f"{node}Backward",
    )  # fmt: skip
    return made


_KERNELS = {"reflect": "reflection_pad", "replicate": "replication_pad"}
_modes = {
    (mode, rank): _declare_around(mode, rank, node.format(rank))
    for mode, node in (
        ("reflect", "ReflectionPad{}DBackward0"), ("replicate", "ReplicationPad{}DBackward0"), ("circular", "CopySlices"),
    )
    for rank in (1, 2, 3)
}  # fmt: skip

# ------------------------------------------------------------------------------------------------ functions


def _check_pad(pad: Any) -> tuple[int, ...]:
    if not isinstance(pad, (tuple, list)):
        raise TypeError(f"pad(): argument 'pad' (position 2) must be tuple of ints, not {type(pad).__name__}")
    for i, n in enumerate(pad):
        if isinstance(n, bool) or not hasattr(n, "__index__"):
            raise TypeError(
                f"pad(): argument 'pad' (position 2) must be tuple of ints, but found element of type {type(n).__name__} at pos {i}"
            )
    return tuple([int(n) for n in pad])


def _by_axis(pad: tuple[int, ...]) -> Pads:
    """PyTorch's flat list, which begins with the last axis, as pairs in the order of the axes."""
    return tuple([(pad[i], pad[i + 1]) for i in range(len(pad) - 2, -1, -2)])


def constant_pad_nd(input: Tensor, pad: Any, value: Any = 0) -> Tensor:
    """The tensor with constants before and behind its last dimensions.

    pad    for the last dimension how many before it and how many behind, then for the one before it, and so on; negative: so many
           elements are left out
    value  the constant

    Raises RuntimeError for a list of odd length, of more dimensions than there are, or that leaves less than nothing.

    >>> import wengert
    >>> wengert.constant_pad_nd(wengert.tensor([1, 2]), (1, 2), 7)
    tensor([7, 1, 2, 7, 7])
    """
    check_tensor("constant_pad_nd", input)
    pad = _check_pad(pad)
    if len(pad) % 2:
        raise RuntimeError(f"Length of pad must be even but instead it equals {len(pad)}")
    if len(pad) > 2 * input.ndim:
        raise RuntimeError(
            f"Length of pad should be no more than twice the number of dimensions of the input. Pad length is {len(pad)} while the "
            f"input has {input.ndim} dimensions."
        )
    pads = _by_axis(pad)
    for n, (low, high) in zip(input.shape[input.ndim - len(pads) :], pads, strict=True):
        if min(n + low, n + high, n + low + high) < 0:
            raise RuntimeError(
                f"narrow(): length must be non-negative. The padding {low}, {high} of a dimension of length {n} leaves less than nothing"
            )
    made: Tensor = pad_constant(input, pads, number_in(value, input._array.dtype) if value else 0)
    return made


_SUPPORTED = (
    "Supported combinations for non-constant padding:\n  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
    "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
)


def _check_room(mode: str, input: Tensor, pads: Pads, pad: tuple[int, ...]) -> None:
    """Raise, in PyTorch's words, if an axis has not got the elements that are to be put beside it."""
    rank = len(pads)
    size = input.shape[input.ndim - rank :]
    names = "DHW"[3 - rank :]
    if mode == "circular":
        for n, (low, high) in zip(size, pads, strict=True):
            if low > n or high > n:
                raise RuntimeError("Padding value causes wrapping around more than once.")
            if n + low + high < 0:
                raise RuntimeError("Negative padding value is resulting in an empty dimension")
        return
    if 0 in input.shape[input.ndim - rank - 1 :]:
        raise RuntimeError(
            f"Expected {rank + 1}D or {rank + 2}D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for "
            f"input, but got: {list(input.shape)}"
        )
    if mode == "reflect":
        for k, (n, (low, high)) in enumerate(zip(size[::-1], pads[::-1], strict=True)):
            if low >= n or high >= n:
                raise RuntimeError(
                    f"Argument #{4 + 2 * k}: Padding size should be less than the corresponding input dimension, but got: padding "
                    f"({low}, {high}) at dimension {input.ndim - 1 - k} of input {list(input.shape)}"
                )
    out = [n + low + high for n, (low, high) in zip(size, pads, strict=True)]
    if any(n < 1 for n in out):
        have = " ".join(f"{a}: {n}" for a, n in zip(names, size, strict=True))
        found = " ".join(f"{a}: {n}" for a, n in zip(names, out, strict=True))
        raise RuntimeError(f"input ({have}) is too small. Calculated output {found}")


def functional_pad(input: Tensor, pad: Any, mode: str = "constant", value: Any = None) -> Tensor:
    """The tensor with more elements, or fewer, at both ends of its last dimensions.

    pad    for the last dimension how many before it and how many behind, then for the one before it, and so on; negative: so many
           elements are left out
    mode   "constant": of `value`, by default 0; "reflect": the elements mirrored at the first and the last; "replicate": the first
           and the last repeated; "circular": those of the other end. All but the first are for the last 1, 2 or 3 dimensions of
           tensors that have one or two before these

    Raises RuntimeError, NotImplementedError or TypeError for what does not fit.

    >>> import wengert
    >>> wengert.nn.functional.pad(wengert.tensor([[1, 2, 3]]), (1, 2), "reflect")
    tensor([[2, 1, 2, 3, 2, 1]])
    """
    check_tensor("pad", input)
    pad = _check_pad(pad)
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * input.ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(pad)} and input of dimension {input.ndim}"
        )
    if mode == "constant":
        return constant_pad_nd(input, pad, value or 0)
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    rank = len(pad) // 2
    if rank not in (1, 2, 3) or input.ndim not in (rank + 1, rank + 2):
        raise NotImplementedError(
            f"Padding size {len(pad)} is not supported for {input.ndim}D input tensor.\n{_SUPPORTED}"
        )
    pads = _by_axis(pad)
    _check_room(mode, input, pads, pad)
    if mode in _KERNELS and input._array.dtype.kind == "b":
        raise NotImplementedError(
            f"\"{_KERNELS[mode]}{rank}d\" not implemented for '{scalar_name(input.dtype)}': convert the tensor, e.g. with .to(uint8)"
        )
    made: Tensor = _modes[mode, rank](input, pads)
    return made


__all__ = expose(__name__, functions="constant_pad_nd")
