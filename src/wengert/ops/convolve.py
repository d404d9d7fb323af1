"""Convolution as matrix products, and its two transposes, on arrays and as operations.

    convolve(x, w)          (N, C, *S), (O, C/g, *K)  ->  (N, O, *L)
    convolve_input(t, w)    (N, O, *L), (O, C/g, *K)  ->  (N, C, *S)    its transpose in x: what a transposed convolution does
    convolve_weight(t, x)   (N, O, *L), (N, C, *S)    ->  (O, C/g, *K)  its transpose in w

Each is bilinear, and the transposes of each are the other two: <t, convolve(x, w)> = <convolve_input(t, w), x> =
<convolve_weight(t, x), w>. So derivatives of every order stay among the three.

The columns of a matrix are the windows of the input ("im2col"), some images at a time, so that they stay in the cache. Where windows
move by one, a row of that matrix is a stretch of the (padded) image as it lies in memory: it is copied whole, and what belongs to
windows across an edge is computed and thrown away.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .declare import F32, general, multilinear

_COLUMNS = 1 << 18  # elements of the matrix of windows that are laid out at a time
_WASTE = 1.4  # how many more windows, those across an edge with them, are worth their being laid out by stretches


class Geometry(NamedTuple):
    """How windows lie on an image: for each axis of space a number; and into how many groups the channels are divided."""

    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    groups: int

    def output(self, size: tuple[int, ...], kernel: tuple[int, ...]) -> tuple[int, ...]:
        """How many windows there are along each axis."""
        return tuple(
            [
                (n + 2 * p - d * (k - 1) - 1) // s + 1
                for n, k, s, p, d in zip(size, kernel, self.stride, self.padding, self.dilation, strict=True)
            ]
        )

    def plain(self) -> bool:
        """Whether windows of one element cover each element once."""
        return not any(self.padding) and all(s == 1 for s in self.stride)


def _steps(size: tuple[int, ...]) -> tuple[int, ...]:
    """How many elements from one place to the next along each axis of an image."""
    return tuple([math.prod(size[i + 1 :]) for i in range(len(size))])


def padded(x: Any, padding: tuple[int, ...]) -> Any:
    """The images with zeros around them, in C order."""
    if not any(padding):
        return np.ascontiguousarray(x)
    size = x.shape[2:]
    made: Any = np.zeros(x.shape[:2] + tuple([n + 2 * p for n, p in zip(size, padding, strict=True)]), x.dtype)
    made[(..., *[slice(p, p + n) for n, p in zip(size, padding, strict=True)])] = x
    return made


class _Windows:
    """The windows of padded images, as the columns of matrices.

    width   of the matrices: how many windows, with those across an edge where rows are `stretches` of the image
    """

    def __init__(self, x: Any, kernel: tuple[int, ...], out: tuple[int, ...], g: Geometry) -> None:
        self.images = padded(x, g.padding)
        self.out = out
        size = self.images.shape[2:]
        steps = _steps(size)
        self.steps = steps
        stretch = sum((n - 1) * s for n, s in zip(out, steps, strict=True)) + 1
        self.stretches = all(s == 1 for s in g.stride) and stretch <= _WASTE * math.prod(out)
        self.width = stretch if self.stretches else math.prod(out)
        n, channels = self.images.shape[:2]
        item = self.images.itemsize
        per_image, per_channel = (channels * math.prod(size) * item, math.prod(size) * item)
        at = tuple([s * d * item for s, d in zip(steps, g.dilation, strict=True)])
        moved = (item,) if self.stretches else tuple([s * t * item for s, t in zip(steps, g.stride, strict=True)])
        across = (stretch,) if self.stretches else out
        self.view = np.ndarray(
            (n, g.groups, channels // g.groups, *kernel, *across), self.images.dtype, self.images, 0,
            (per_image, per_channel * (channels // g.groups), per_channel, *at, *moved),
        )  # fmt: skip
        self.rows = channels // g.groups * math.prod(kernel)
        self.groups = g.groups
        self.block = max(1, _COLUMNS // max(1, self.rows * g.groups * self.width))

    def blocks(self) -> Any:
        """Slices of images, with their windows: (images, groups, rows, width)."""
        n = self.view.shape[0]
        for start in range(0, n, self.block):
            part = self.view[start : start + self.block]
            yield slice(start, start + self.block), part.reshape(part.shape[0], self.groups, self.rows, self.width)

    def narrow(self, made: Any) -> Any:
        """Of values for each column, (images, groups, channels, width), those of true windows: (images, groups, channels, *out)."""
        if not self.stretches:
            return made.reshape(*made.shape[:3], *self.out)
        item = made.itemsize
        return np.ndarray(
            (*made.shape[:3], *self.out), made.dtype, made, 0, (*made.strides[:3], *[s * item for s in self.steps])
        )

    def widen(self, t: Any) -> Any:
        """The transpose of `narrow`: values for each window, with zeros for those across an edge."""
        if not self.stretches:
            return t.reshape(*t.shape[:3], self.width)
        made = np.zeros((*t.shape[:3], self.width), t.dtype)
        self.narrow(made)[...] = t
        return made


def _by_groups(a: Any, groups: int, axis: int) -> Any:
    return a.reshape(*a.shape[:axis], groups, a.shape[axis] // groups, *a.shape[axis + 1 :])


def _places(kernel: tuple[int, ...], out: tuple[int, ...], g: Geometry) -> Any:
    """For each place of the kernel: the place, and the slices of a padded image that all windows have there."""
    for place in np.ndindex(*kernel):
        yield (
            place,
            tuple(
                [
                    slice(i * d, i * d + (n - 1) * s + 1, s)
                    for i, n, s, d in zip(place, out, g.stride, g.dilation, strict=True)
                ]
            ),
        )


def _of_channels(x: Any, w: Any, out: tuple[int, ...], g: Geometry) -> Any:
    """`convolve` where each channel has filters of its own, place by place."""
    n, channels = x.shape[:2]
    each, kernel = w.shape[0] // channels, w.shape[2:]
    windows = _Windows(x, kernel, out, g)
    across = windows.view.shape[3 + len(kernel) :]
    made = np.empty((n, channels, each, *out), x.dtype)
    filters = w.reshape(channels, each, *kernel)[(..., *(None,) * len(across))]
    places = [(slice(None), slice(None), *place) for place in np.ndindex(*kernel)]
    room = np.empty((channels, each, *across), x.dtype)
    for k in range(n):
        total = windows.view[k][places[0]] * filters[places[0]]
        for place in places[1:]:
            np.multiply(windows.view[k][place], filters[place], room)
            total += room
        made[k] = windows.narrow(total.reshape(1, channels, each, windows.width))[0]
    return made.reshape(n, channels * each, *out)


def convolve(x: Any, w: Any, g: Geometry, out: tuple[int, ...] | None = None) -> Any:
    """The sums of the windows of `x`, weighted by each filter of `w`: of all windows, or the first ones along each axis."""
    n, kernel = x.shape[0], w.shape[2:]
    out = out or g.output(x.shape[2:], kernel)
    if not (x.size and w.size) or 0 in out:
        return np.zeros((n, w.shape[0], *out), x.dtype)
    if w.shape[1] == 1 and g.groups > 1:
        return _of_channels(x, w, out, g)
    filters = w.reshape(g.groups, w.shape[0] // g.groups, -1)
    if math.prod(kernel) == 1 and g.plain():
        return (filters @ x.reshape(n, g.groups, w.shape[1], -1)).reshape(n, w.shape[0], *out)
    windows = _Windows(x, kernel, out, g)
    made = np.empty((n, g.groups, w.shape[0] // g.groups, *out), x.dtype)
    for block, columns in windows.blocks():
        made[block] = windows.narrow(filters @ columns)
    return made.reshape(n, w.shape[0], *out)


def spread(columns: Any, made: Any, kernel: tuple[int, ...], out: tuple[int, ...], g: Geometry) -> None:
    """Add (images, channels, *kernel, *out) to padded images, each value where its window has it ("col2im")."""
    for place, where in _places(kernel, out, g):
        made[(..., *where)] += columns[(slice(None), slice(None), *place)]


def _mirrored(t: Any, w: Any, size: tuple[int, ...], g: Geometry) -> Any:
    """`convolve_input` of windows that move by one, as a convolution by the filters turned round."""
    kernel = w.shape[2:]
    around = [d * (k - 1) - p for k, p, d in zip(kernel, g.padding, g.dilation, strict=True)]
    turned = _by_groups(w, g.groups, 0).swapaxes(1, 2)[(..., *[slice(None, None, -1)] * len(kernel))]
    filters = turned.reshape(-1, w.shape[0] // g.groups, *kernel)
    return convolve(t, filters, Geometry(g.stride, tuple(around), g.dilation, g.groups))


def convolve_input(t: Any, w: Any, size: tuple[int, ...], g: Geometry) -> Any:
    """The transpose of `convolve` in its images, which are of this size."""
    n, kernel, out = t.shape[0], w.shape[2:], t.shape[2:]
    channels = w.shape[1] * g.groups
    if not (t.size and w.size):
        return np.zeros((n, channels, *size), t.dtype)
    if math.prod(kernel) == 1 and g.plain():
        filters = _by_groups(w, g.groups, 0).reshape(g.groups, -1, w.shape[1]).swapaxes(1, 2)
        return (filters @ t.reshape(n, g.groups, w.shape[0] // g.groups, -1)).reshape(n, channels, *size)
    if (
        all(s == 1 for s in g.stride)
        and out == g.output(size, kernel)
        and all(d * (k - 1) >= p for k, p, d in zip(kernel, g.padding, g.dilation, strict=True))
    ):
        return _mirrored(t, w, size, g)
    whole: Any = np.zeros((n, channels, *[m + 2 * p for m, p in zip(size, g.padding, strict=True)]), t.dtype)
    filters = np.ascontiguousarray(w.reshape(g.groups, w.shape[0] // g.groups, -1).swapaxes(1, 2))
    values = t.reshape(n, g.groups, w.shape[0] // g.groups, -1)
    block = max(1, _COLUMNS // max(1, channels * math.prod(kernel) * math.prod(out)))
    for start in range(0, n, block):
        part = slice(start, start + block)
        columns = filters @ values[part]
        spread(columns.reshape(-1, channels, *kernel, *out), whole[part], kernel, out, g)
    inside = tuple([slice(p, p + m) for m, p in zip(size, g.padding, strict=True)])
    return np.ascontiguousarray(whole[(..., *inside)])


def convolve_weight(t: Any, x: Any, kernel: tuple[int, ...], g: Geometry) -> Any:
    """The transpose of `convolve` in its filters, which are of this size."""
    n, out = t.shape[0], t.shape[2:]
    filters, each = t.shape[1], x.shape[1] // g.groups
    if not (t.size and x.size):
        return np.zeros((filters, each, *kernel), t.dtype)
    values = _by_groups(t, g.groups, 1)
    if each == 1 and g.groups > 1:
        images = padded(x, g.padding)
        made = np.empty((*values.shape[1:3], *kernel), t.dtype)
        space = "xyz"[: len(kernel)]
        for place, where in _places(kernel, out, g):
            made[(..., *place)] = np.einsum(
                f"ngo{space},ng{space}->go", values, images[(slice(None), slice(None), *where)]
            )
        return made.reshape(filters, 1, *kernel)
    total = np.zeros((g.groups, filters // g.groups, each * math.prod(kernel)), t.dtype)
    if math.prod(kernel) == 1 and g.plain():
        total = (
            values.reshape(*values.shape[:3], -1) @ x.reshape(n, g.groups, each, -1).swapaxes(2, 3)
        ).sum(0)  # fmt: skip
    else:
        windows = _Windows(x, kernel, out, g)
        for block, columns in windows.blocks():
            found = windows.widen(values[block]) @ columns.swapaxes(2, 3)
            total += found[0] if len(found) == 1 else found.sum(0)
    return total.reshape(filters, each, *kernel)


# ------------------------------------------------------------------------------------------------ operations


def _wide(*arrays: Any) -> Any:
    """Halves as float32, in which they are added up."""
    return [a.astype(F32) if a.dtype.itemsize == 2 and a.dtype.kind not in "iu" else a for a in arrays]


def _in_single(kernel: Any) -> Any:
    def forward(a: Any, b: Any, *statics: Any) -> Any:
        return kernel(*_wide(a, b), *statics).astype(a.dtype, copy=False)

    return forward


def _with_bias(kernel: Any) -> Any:
    def forward(a: Any, w: Any, bias: Any, *statics: Any) -> Any:
        made = kernel(*_wide(a, w), *statics)
        if bias is not None:
            made += bias.reshape(-1, *(1,) * (made.ndim - 2))
        return made.astype(a.dtype, copy=False)

    return forward


def _pull_bias(F: Any, t: Any) -> Any:
    return F.sum(t, (0, *range(2, t.ndim)), False)


def _push(apart: str) -> Any:
    """The push of a convolution: of the images, plus that of the filters, plus the bias's."""

    def total(F: Any, tangents: Any, self: Any, weight: Any, of: Any, statics: tuple[Any, ...]) -> Any:
        images, filters, bias = tangents
        found = None if images is None else of(images, weight, *statics)
        if filters is not None:
            part = of(self, filters, *statics)
            found = part if found is None else found + part
        if bias is not None:
            beside = F.reshape(bias, (-1, *(1,) * (self.ndim - 2)))
            found = beside if found is None else found + beside
        return found

    if apart == "convolve":
        return lambda F, tangents, self, weight, g: total(F, tangents, self, weight, F.convolve, (g, None))
    return lambda F, tangents, self, weight, size, g: total(F, tangents, self, weight, F.convolve_input, (size, g))


multilinear(
    "convolve", _in_single(convolve),
    {
        "self": lambda F, t, weight, self_shape, g: F.convolve_input(t, weight, self_shape[2:], g),
        "weight": lambda F, t, self, weight_shape, g: F.convolve_weight(t, self, weight_shape[2:], g),
    },
    ("g", "out"), node="ConvolutionBackward0",
)  # fmt: skip
multilinear(
    "convolve_input", _in_single(convolve_input),
    {
        "self": lambda F, t, self_shape, weight, g: F.convolve(t, weight, g, self_shape[2:]),
        "weight": lambda F, t, self, weight_shape, g: F.convolve_weight(self, t, weight_shape[2:], g),
    },
    ("size", "g"), node="ConvolutionBackward0",
)  # fmt: skip
multilinear(
    "convolve_weight", _in_single(convolve_weight),
    {
        "self": lambda F, t, self_shape, images, g: F.convolve(images, t, g, self_shape[2:]),
        "images": lambda F, t, self, images_shape, g: F.convolve_input(self, t, images_shape[2:], g),
    },
    ("kernel", "g"), node="ConvolutionBackward0",
)  # fmt: skip
biased = general(
    "convolution", _with_bias(convolve),
    {
        "self": lambda F, t, weight, self_shape, g: F.convolve_input(t, weight, self_shape[2:], g),
        "weight": lambda F, t, self, weight_shape, g: F.convolve_weight(t, self, weight_shape[2:], g),
        "bias": _pull_bias,
    },
    ("g",), push=_push("convolve"),
)  # fmt: skip
biased_transposed = general(
    "transposed_convolution", _with_bias(convolve_input),
    {
        "self": lambda F, t, self_shape, weight, g: F.convolve(t, weight, g, self_shape[2:]),
        "weight": lambda F, t, self, weight_shape, g: F.convolve_weight(self, t, weight_shape[2:], g),
        "bias": _pull_bias,
    },
    ("size", "g"), node="ConvolutionBackward0", push=_push("convolve_input"),
)  # fmt: skip


def _convolve_times(a: Any, w: Any, bias: Any, g: Geometry) -> Any:
    """A convolution of (L, N, C) by (K, C, O)."""
    made = _with_bias(convolve)(a.transpose(1, 2, 0), w.transpose(2, 1, 0), bias, g)
    return np.ascontiguousarray(made.transpose(2, 0, 1))


def _pull_times(F: Any, t: Any, weight: Any, self_shape: Any, g: Geometry) -> Any:
    t, weight = F.permute(t, (1, 2, 0)), F.permute(weight, (2, 1, 0))
    return F.permute(F.convolve_input(t, weight, self_shape[:1], g), (2, 0, 1))


def _pull_times_weight(F: Any, t: Any, self: Any, weight_shape: Any, g: Geometry) -> Any:
    t, self = F.permute(t, (1, 2, 0)), F.permute(self, (1, 2, 0))
    return F.permute(F.convolve_weight(t, self, weight_shape[:1], g), (2, 1, 0))


times_first = general(
    "conv_tbc", _convolve_times,
    {"self": _pull_times, "weight": _pull_times_weight, "bias": lambda F, t: F.sum(t, (0, 1), False)},
    ("g",), node="ConvTbcBackward0",
)  # fmt: skip
