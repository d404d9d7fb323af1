"""Linear maps along one axis of which each output is a weighted sum of a few elements, and boxes of them: what resampling is.

A map is gone through place by place: a step says for some of the outputs which element has which weight. So the transpose is a map of
the same form, and both cost as much as there are weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

_BLOCK = 1 << 16  # elements that are worked on together, so that what lies between the axes stays in the cache


class Taps:
    """Along one axis, out[o] = sum of weight * a[i] over given (o, i, weight).

    length of the axis   out: how many outputs   steps: (outputs, elements, their weights or None where all are 1)
    identity: whether it changes nothing
    """

    __slots__ = ("_entries", "_transposed", "identity", "length", "out", "steps")

    def __init__(self, length: int, out: int, outputs: Any, elements: Any, weights: Any) -> None:
        self.length, self.out = length, out
        key = outputs * max(length, 1) + elements
        key, place = np.unique(key, return_inverse=True)
        total = np.zeros(len(key), weights.dtype)
        np.add.at(total, place, weights)
        outputs, elements = key // max(length, 1), key % max(length, 1)
        self._entries = outputs, elements, total
        self._transposed: Taps | None = None
        first = np.searchsorted(outputs, outputs)
        rank = np.arange(len(outputs)) - first
        self.steps = []
        for p in range(int(rank.max(initial=-1)) + 1):
            chosen = rank == p
            w = total[chosen]
            self.steps.append((_run(outputs[chosen]), _run(elements[chosen]), None if (w == 1).all() else w))
        every = slice(0, out, 1)
        one = self.steps[0] if len(self.steps) == 1 else (None, None, None)
        self.identity = length == out and all(type(s) is slice and s == every for s in one[:2]) and one[2] is None

    @property
    def transposed(self) -> Taps:
        """The transpose of the map."""
        if self._transposed is None:
            outputs, elements, weights = self._entries
            self._transposed = Taps(self.out, self.length, elements, outputs, weights)
            self._transposed._transposed = self
        return self._transposed


def _run(index: Any) -> Any:
    """Indices at equal distances as a slice, others as they are."""
    if len(index) == 1:
        return slice(int(index[0]), int(index[0]) + 1, 1)
    step = int(index[1] - index[0])
    if step > 0 and (np.diff(index) == step).all():
        return slice(int(index[0]), int(index[-1]) + 1, step)
    return index


def _along(a: Any, axis: int, taps: Taps) -> Any:
    """The map along one axis."""
    before, behind = (slice(None),) * axis, (1,) * (a.ndim - axis - 1)
    made = None
    for outs, ins, weights in taps.steps:
        part = a[(*before, ins)] if type(ins) is slice else a.take(ins, axis)
        if weights is not None:
            part = part * weights.reshape(-1, *behind)
        if made is None:
            if type(outs) is slice and outs.start == 0 and part.shape[axis] == taps.out:
                made = np.array(part) if weights is None and type(ins) is slice else part
                continue
            made = np.zeros((*a.shape[:axis], taps.out, *a.shape[axis + 1 :]), a.dtype)
        made[(*before, outs)] += part
    return np.zeros((*a.shape[:axis], taps.out, *a.shape[axis + 1 :]), a.dtype) if made is None else made


def _box(a: Any, taps: Sequence[Taps]) -> Any:
    first = a.ndim - len(taps)
    # axes that shrink go first, and then those that grow the least
    for i in sorted(range(len(taps)), key=lambda i: (taps[i].out / max(taps[i].length, 1), -i)):
        if not taps[i].identity:
            a = _along(a, first + i, taps[i])
    return a


def resample(a: Any, taps: Sequence[Taps]) -> Any:
    """Maps along the last axes, one after the other."""
    rank = len(taps)
    lead = a.shape[: a.ndim - rank]
    shape = (*lead, *[t.out for t in taps])
    planes = a.reshape(-1, *a.shape[a.ndim - rank :])
    made = np.empty((planes.shape[0], *shape[len(lead) :]), a.dtype)
    if not made.size:
        return made.reshape(shape)
    size = max(made[0].size, planes[0].size)
    step = max(1, _BLOCK // size)
    for i in range(0, len(planes), step):
        made[i : i + step] = _box(planes[i : i + step], taps)
    return made.reshape(shape)


# ------------------------------------------------------------------------------------------------ bytes


def _fixed_point(taps: Taps) -> tuple[Taps, int]:
    """The map with its weights as integers of 15 bits, and how many bits of these are behind the point."""
    outputs, elements, weights = taps._entries
    largest = float(abs(weights).max(initial=0.0))
    bits = 0
    while bits < 22 and int(0.5 + largest * (1 << (bits + 1))) < 1 << 15:
        bits += 1
    scaled = weights.astype(np.float64) * (1 << bits)
    return Taps(
        taps.length, taps.out, outputs, elements, np.trunc(scaled + np.copysign(0.5, scaled)).astype(np.int64)
    ), bits


def resample_bytes(a: Any, taps: Sequence[Taps]) -> Any:
    """`resample` of bytes: each axis, the last first, in fixed-point arithmetic and rounded to bytes again.

    As PyTorch's (and Pillow's) vectorised arithmetic on bytes has it, to the last bit.
    """
    first = a.ndim - len(taps)
    for i in reversed(range(len(taps))):
        if taps[i].length != taps[i].out:
            whole, bits = _fixed_point(taps[i])
            total = _along(a.astype(np.int64), first + i, whole)
            a = np.clip((total + (1 << bits >> 1)) >> bits, 0, 255).astype(np.uint8)
    return np.array(a)
