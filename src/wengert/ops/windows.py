"""Windows along the axes of an array, as pooling moves them: which elements each covers, and sums over them axis by axis.

A box of windows is a product of windows along each axis, so a sum over boxes is one pass over each axis: the cost is that of
the sizes of a kernel added, not multiplied. A pass goes over the places of a kernel, and takes for each the elements of all
windows at once; or over the windows, where these are fewer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .adding import ONES, row_sums

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONG_APART = 24  # the same where it has to set out for each window
_LONG = 16  # elements of a window from which on NumPy's own way over them is quicker than a pass for each place


class Windows:
    """Windows along one axis; equal ones are one object, for `regular` and `adaptive` remember them.

    length   of the axis            out      the number of windows
    kernel   places in a window     start    where each window's first place is, which may be outside of the axis
    dilation from place to place    steps    (place, windows, elements): which windows have an element at a place, and which
    void     None, or which windows have no element: the whole axis lies between their places
    full     of places at which every window has an element: which; partial: the other steps
    tiled    whether the windows lie side by side from the start of the axis, and are long
    few      whether there are fewer windows than places, so that a pass is one over `segments`
    apart    whether no element is in two windows
    """

    __slots__ = (
        "_lengths", "apart", "dilation", "few", "full", "kernel", "length", "out", "partial", "start", "steps", "tiled", "transposed", "void",
    )  # fmt: skip

    def __init__(
        self, length: int, kernel: int, dilation: int, start: Any, steps: Any, *, apart: bool, tiled: bool = False,
        lengths: Any = None,
    ) -> None:  # fmt: skip
        self.length = length
        self.out = len(start)
        self.kernel = kernel
        self.dilation = dilation
        self.start = start
        self.steps: tuple[tuple[int, Any, Any], ...] = tuple(steps)
        self.tiled = tiled and kernel >= _LONG
        self.few = self.out < kernel >= _LONG_APART
        self._lengths = lengths  # of windows that have not all the kernel's
        self.apart = apart
        everywhere = slice(0, self.out)
        self.full = [ins for _, outs, ins in self.steps if type(outs) is slice and outs == everywhere]
        self.partial = [(outs, ins) for _, outs, ins in self.steps if type(outs) is not slice or outs != everywhere]
        void = self._outside(-(np.minimum(start, 0) // dilation))
        self.void = void if void.any() else None
        #: of adaptive windows, the sizes of those that spread what these sum
        self.transposed: tuple[int, int] | None = None

    def first(self) -> Any:
        """Of each window the first place that lies on the axis; 0 where none does."""
        place = -(np.minimum(self.start, 0) // self.dilation)
        return np.where(self._outside(place), 0, place)

    @property
    def segments(self) -> list[tuple[int, slice]]:
        """Of each window the first place that lies on the axis, and which elements it has."""
        first = self.first().tolist()
        last = [self.kernel] * self.out if self._lengths is None else self._lengths.tolist()
        step = self.dilation
        found = []
        for s, p, n in zip(self.start.tolist(), first, last, strict=True):
            found.append((p, slice(max(s + p * step, 0), max(min(s + n * step, self.length), 0), step)))
        return found

    def _outside(self, place: Any) -> Any:
        return (place >= self.kernel) | (self.start + place * self.dilation >= self.length)


@lru_cache(512)
def regular(length: int, out: int, kernel: int, stride: int, padding: int = 0, dilation: int = 1) -> Windows:
    """Windows at equal distances, the first of which begins `padding` before the axis."""
    steps = []
    for place in range(kernel):
        shift = place * dilation - padding
        low, high = max(0, -(shift // stride)), min(out, (length - 1 - shift) // stride + 1)
        if low < high:
            first = low * stride + shift
            steps.append((place, slice(low, high), slice(first, first + (high - low - 1) * stride + 1, stride)))
    return Windows(
        length, kernel, dilation, np.arange(out) * stride - padding, steps,
        tiled=kernel == stride and not padding and dilation == 1 and out * kernel <= length,
        apart=stride > (kernel - 1) * dilation or out < 2,
    )  # fmt: skip


@lru_cache(512)
def adaptive(length: int, out: int) -> Windows:
    """Windows that cover an axis as evenly as may be: the i-th from floor(i n / m) up to ceil((i + 1) n / m)."""
    if out and length % out == 0:
        made = regular(length, out, length // out, length // out)
    else:
        number = np.arange(out)
        start, end = number * length // out if out else number, -(-(number + 1) * length // (out or 1))
        made = at_starts(length, start, end - start)
        made.transposed = (out, length)
    return made


def at_starts(length: int, start: Any, lengths: Any) -> Windows:
    """Windows that begin anywhere in the axis, of their own lengths."""
    kernel = int(lengths.max(initial=1))
    least = int(lengths.min(initial=kernel))
    steps = []
    for place in range(kernel):
        chosen: Any = slice(0, len(start)) if place < least else np.flatnonzero(lengths > place)
        steps.append((place, chosen, start[chosen] + place))
    return Windows(
        length, kernel, 1, start, steps, tiled=False, apart=bool((start[1:] >= (start + lengths)[:-1]).all())
    )


def counts(windows: Windows, padding: int, length: int) -> Any:
    """How many places of each window lie on an axis of a length that has grown by `padding` on both sides."""
    start = windows.start
    return np.minimum(start + windows.kernel, length + padding) - np.maximum(start, -padding)


def elements(a: Any, axis: int, chosen: Any) -> Any:
    """The elements of an axis at a slice, as a view, or at an array of indices."""
    return a[(slice(None),) * axis + (chosen,)] if type(chosen) is slice else a.take(chosen, axis)


def side_by_side(a: Any, axis: int, windows: Windows) -> Any:
    """The elements of tiled windows, with the windows along the axis and their elements along a new one behind it."""
    whole = elements(a, axis, slice(0, windows.out * windows.kernel))
    return whole.reshape(*a.shape[:axis], windows.out, windows.kernel, *a.shape[axis + 1 :])


def window_sum(a: Any, axis: int, windows: Windows) -> Any:
    """The sum over each window of an axis."""
    before: Any = (slice(None),) * axis
    shape = a.shape
    if windows.tiled:
        tiles = side_by_side(a, axis, windows)
        if axis == a.ndim - 1 and tiles.dtype in ONES and tiles.size:
            return row_sums(np.ascontiguousarray(tiles).reshape(-1, windows.kernel)).reshape(tiles.shape[:-1])
        return np.add.reduce(tiles, axis + 1)
    if windows.few:
        made = np.empty((*shape[:axis], windows.out, *shape[axis + 1 :]), a.dtype)
        for i, (_, part) in enumerate(windows.segments):
            np.add.reduce(a[(*before, part)], axis, out=made[(*before, i)])
        return made
    parts = [elements(a, axis, ins) for ins in windows.full]
    if len(parts) > 1:
        made = np.add(parts[0], parts[1])
        for part in parts[2:]:
            made += part
    elif parts:
        made = np.array(parts[0])
    else:
        made = np.zeros((*shape[:axis], windows.out, *shape[axis + 1 :]), a.dtype)
    for outs, ins in windows.partial:
        made[(*before, outs)] += elements(a, axis, ins)
    return made


def window_spread(t: Any, axis: int, windows: Windows) -> Any:
    """The transpose of `window_sum`: to each element the sum over the windows that it is in."""
    whole = windows.tiled and windows.out * windows.kernel == windows.length
    shape, before = (*t.shape[:axis], windows.length, *t.shape[axis + 1 :]), (slice(None),) * axis
    if windows.transposed is not None and not windows.few:
        return window_sum(t, axis, adaptive(*windows.transposed))
    made = np.empty(shape, t.dtype) if whole else np.zeros(shape, t.dtype)
    if windows.tiled:
        side_by_side(made, axis, windows)[...] = np.expand_dims(t, axis + 1)
        return made
    if windows.few:
        steps = [(slice(i, i + 1), part) for i, (_, part) in enumerate(windows.segments)]
    else:
        steps = [(outs, ins) for _, outs, ins in windows.steps]
    for outs, ins in steps:
        if windows.apart:
            made[(*before, ins)] = elements(t, axis, outs)
        else:
            made[(*before, ins)] += elements(t, axis, outs)
    return made


def box_sum(a: Any, windows: Sequence[Windows]) -> Any:
    """The sum over each box of windows along the last axes."""
    first = a.ndim - len(windows)
    for i, w in enumerate(windows):  # outer axes first: there the elements of a place are rows
        a = window_sum(a, first + i, w)
    return a


def box_spread(t: Any, windows: Sequence[Windows]) -> Any:
    """The transpose of `box_sum`."""
    first = t.ndim - len(windows)
    for i, w in reversed(list(enumerate(windows))):
        t = window_spread(t, first + i, w)
    return t
