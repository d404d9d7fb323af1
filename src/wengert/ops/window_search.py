"""The search for the largest element of each box of windows, and where it is: what max pooling is made of."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from .dims import is_float
from .windows import Windows, elements, side_by_side


def select(a: Any, windows: tuple[Windows, ...]) -> Any:
    """The largest element of each box of windows along the last axes, and its place in the plane that they span.

    Of equal elements the first is taken, of several that are nan the last.
    """
    wide = a.astype(np.float32) if a.dtype.itemsize == 2 and is_float(a) else a
    values, code = _search(wide, windows, False)
    if wide.dtype.kind == "f" and np.isnan(values).any():
        values, code = _search(wide, windows, True)
    # in C order whatever the input's
    return np.asarray(values, a.dtype, order="C"), np.ascontiguousarray(_places(code, windows))


def _search(a: Any, windows: tuple[Windows, ...], among_nan: bool) -> tuple[Any, Any]:
    """The largest elements, and for each the number of its place in the box, counted in C order.

    Axis by axis, the last first: the first of the equal elements of a box is in the first row that has one.
    """
    values, code, unit = a, None, 1
    kind: Any = np.uint8 if math.prod([w.kernel for w in windows]) <= 256 else np.int64
    for i, w in reversed(list(enumerate(windows))):
        axis = a.ndim - len(windows) + i
        if w.kernel > 1 or w.out != w.length or not w.apart:
            search = _search_tiles if w.tiled else _search_segments if w.few else _search_places
            values, code = search(values, code, axis, w, unit, kind, among_nan)
        unit *= w.kernel
    return (np.array(values), np.zeros(values.shape, kind)) if code is None else (values, code)


def _search_places(
    a: Any, code: Any, axis: int, windows: Windows, unit: int, kind: Any, among_nan: bool
) -> tuple[Any, Any]:
    """The largest elements along one axis of windows; `unit` is by how much the code grows from place to place."""
    before = (slice(None),) * axis
    if windows.out and windows.start[0] < 0:
        first = windows.first()
        at = np.clip(windows.start + first * windows.dilation, 0, windows.length - 1)
        best = a.take(at, axis)
        along = (first * unit).astype(kind).reshape((-1,) + (1,) * (a.ndim - axis - 1))
        found = np.broadcast_to(along, best.shape).copy() if code is None else code.take(at, axis) + along
        if windows.void is not None:
            best[(*before, windows.void)] = -np.inf if a.dtype.kind == "f" else np.iinfo(a.dtype).min
    else:
        best = np.array(elements(a, axis, windows.steps[0][2]))
        found = np.zeros(best.shape, kind) if code is None else np.array(elements(code, axis, windows.steps[0][2]))
    for place, outs, ins in windows.steps:
        if not place:
            continue
        new, old, number = elements(a, axis, ins), best[(*before, outs)], found[(*before, outs)]
        above = new > old
        if among_nan:
            above |= np.isnan(new)
            np.copyto(old, new, where=above)
        else:
            np.maximum(old, new, out=old)
        label = place * unit if code is None else elements(code, axis, ins) + kind(place * unit)
        # a later place has the larger number, so the largest is that of the last place that was above those before
        np.maximum(number, np.multiply(above, label, dtype=kind), out=number)
        if type(outs) is not slice:  # these were copies
            best[(*before, outs)], found[(*before, outs)] = old, number
    return best, found


def _largest(a: Any, code: Any, axis: int, unit: int, kind: Any, among_nan: bool) -> tuple[Any, Any]:
    """The largest element along an axis, which is kept, and its code."""
    index = a.argmax(axis, keepdims=True)
    if among_nan:  # of which argmax finds the first
        holes = np.isnan(a)
        last = a.shape[axis] - 1 - np.flip(holes, axis).argmax(axis, keepdims=True)
        index = np.where(holes.any(axis, keepdims=True), last, index)
    label = index * unit if code is None else index * unit + np.take_along_axis(code, index, axis)
    return np.take_along_axis(a, index, axis), label.astype(kind)


def _search_tiles(
    a: Any, code: Any, axis: int, windows: Windows, unit: int, kind: Any, among_nan: bool
) -> tuple[Any, Any]:
    """`_search_places`, of windows that lie side by side."""
    tiles = side_by_side(a, axis, windows)
    codes = None if code is None else side_by_side(code, axis, windows)
    best, found = _largest(tiles, codes, axis + 1, unit, kind, among_nan)
    return best.squeeze(axis + 1), found.squeeze(axis + 1)


def _search_segments(
    a: Any, code: Any, axis: int, windows: Windows, unit: int, kind: Any, among_nan: bool
) -> tuple[Any, Any]:
    """`_search_places`, window by window."""
    before = (slice(None),) * axis
    shape = (*a.shape[:axis], windows.out, *a.shape[axis + 1 :])
    best, found = np.empty(shape, a.dtype), np.zeros(shape, kind)
    for i, (place, part) in enumerate(windows.segments):
        here = (*before, slice(i, i + 1))
        if windows.void is not None and windows.void[i]:
            best[here] = -np.inf if a.dtype.kind == "f" else np.iinfo(a.dtype).min
            continue
        codes = None if code is None else code[(*before, part)]
        best[here], found[here] = _largest(a[(*before, part)], codes, axis, unit, kind, among_nan)
        found[here] += kind(place * unit)
    return best, found


@lru_cache(256)
def _map(windows: tuple[Windows, ...]) -> tuple[Any, Any]:
    """For each place in a box by how much it is behind the box's start, and where each box starts in the plane."""
    table: Any = np.zeros((), np.int64)
    base: Any = np.zeros((), np.int64)
    step = math.prod([w.length for w in windows])
    for w in windows:
        step //= w.length or 1
        table = np.add.outer(table, np.arange(w.kernel) * (w.dilation * step))
        base = np.add.outer(base, w.start * step)
    return table.reshape(-1), base


def _places(code: Any, windows: tuple[Windows, ...]) -> Any:
    """The places in the plane of what the search has numbered by the places in the boxes."""
    table, base = _map(windows)
    found = table.take(code)
    found += base
    if any(w.void is not None for w in windows):
        np.clip(found, 0, math.prod([w.length for w in windows]) - 1, out=found)
    return found
