"""The windows of images as columns (`unfold`), and columns added up to images (`fold`): one is the other's transpose."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor
from .convolve import Geometry, padded, spread
from .declare import F32, linear
from .dims import check_tensor
from .sizes import sizes


def _windows(a: Any, kernel: tuple[int, ...], g: Geometry) -> Any:
    if a.ndim == 3:
        return _windows(a[None], kernel, g)[0]
    images = padded(a, g.padding)
    out = g.output(a.shape[2:], kernel)
    n, c = images.shape[:2]
    row, column = images.strides[2:]
    view = np.ndarray(
        (n, c, *kernel, *out), a.dtype, images, 0,
        (*images.strides[:2], row * g.dilation[0], column * g.dilation[1], row * g.stride[0], column * g.stride[1]),
    )  # fmt: skip
    return view.reshape(n, c * math.prod(kernel), math.prod(out))


def _images(t: Any, size: tuple[int, ...], kernel: tuple[int, ...], g: Geometry) -> Any:
    if t.ndim == 2:
        return _images(t[None], size, kernel, g)[0]
    n, out = t.shape[0], g.output(size, kernel)
    c = t.shape[1] // math.prod(kernel)
    d = t.dtype
    wide = F32 if d.itemsize == 2 and d.kind not in "iu" else d
    made: Any = np.zeros((n, c, *[m + 2 * p for m, p in zip(size, g.padding, strict=True)]), wide)
    spread(t.reshape(n, c, *kernel, *out), made, kernel, out, g)
    inside = [slice(p, p + m) for m, p in zip(size, g.padding, strict=True)]
    return made[(..., *inside)].astype(d, order="C", copy=any(g.padding) or wide is not d)


_unfold = linear(
    "im2col", _windows, lambda F, t, self_shape, kernel, g: F.col2im(t, self_shape[-2:], kernel, g), ("kernel", "g"),
    node="Im2ColBackward0",
)  # fmt: skip
_fold = linear(
    "col2im",
    _images,
    lambda F, t, size, kernel, g: F.im2col(t, kernel, g),
    ("size", "kernel", "g"),
    node="Col2ImBackward0",
)

# ------------------------------------------------------------------------------------------------ arguments


def _pair(function: str, name: str, given: Any, position: int) -> tuple[int, ...]:
    found = sizes(function, (given,), name, position=position)
    if len(found) not in (1, 2):
        raise RuntimeError(
            f"It is expected {name} equals to 2, but got size {len(found)}: {function} takes one integer, or two"
        )
    return found if len(found) == 2 else found * 2


def _geometry(function: str, kernel: Any, dilation: Any, padding: Any, stride: Any) -> tuple[tuple[int, ...], Geometry]:
    k, d, p, s = (
        _pair(function, name, given, i)
        for i, (name, given) in enumerate(
            (("kernel_size", kernel), ("dilation", dilation), ("padding", padding), ("stride", stride)), 2
        )
    )
    for what, name, values in (("kernel size", "kernel", k), ("stride", "stride", s), ("dilation", "dilation", d)):
        if min(values) <= 0:
            raise RuntimeError(
                f"{what} should be greater than zero, but got {name}_height: {values[0]} {name}_width: {values[1]}"
            )
    if min(p) < 0:
        raise RuntimeError(f"padding should be non-negative, but got pad_height: {p[0]} pad_width: {p[1]}")
    return k, Geometry(s, p, d, 1)


def _check_float(kernel: str, x: Tensor) -> None:
    if x.dtype.is_floating_point or x.dtype.is_complex or x._array.dtype.kind == "b":
        return
    raise NotImplementedError(
        f"\"{kernel}\" not implemented for '{scalar_name(x.dtype)}': convert the tensor to floating point"
    )


def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """The windows of images, each as a column.

    input                                   images (N, C, H, W) or (C, H, W)
    kernel_size, dilation, padding, stride  of the windows, a number or a pair

    Returns (N, C * kernel height * kernel width, windows), without N if the input has none.
    Raises RuntimeError for windows that do not fit, NotImplementedError for integers.

    >>> import wengert
    >>> wengert.nn.functional.unfold(wengert.arange(4.0).reshape(1, 1, 2, 2), (1, 2))
    tensor([[[0., 2.],
             [1., 3.]]])
    """
    check_tensor("im2col", input)
    kernel, g = _geometry("im2col", kernel_size, dilation, padding, stride)
    if input.ndim < 3:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-input.ndim}, {input.ndim - 1}], but got 2)"
        )
    if input.ndim > 4 or 0 in input.shape[-3:]:
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: "
            f"{list(input.shape)}"
        )
    size = input.shape[-2:]
    out = g.output(size, kernel)
    if min(out) < 1:
        raise RuntimeError(
            f"Given input with spatial size {tuple(size)}, kernel_size={kernel}, dilation={g.dilation}, padding={g.padding}, calculated "
            f"shape of the array of sliding blocks as {out}, but its components must be at least one."
        )
    _check_float("im2col_out_cpu", input)
    made: Tensor = _unfold(input, kernel, g)
    return made


def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """Images made of their windows by adding what overlaps: the transpose of `unfold`.

    input        the windows, as columns: (N, C * kernel height * kernel width, windows), or without N
    output_size  the height and the width of the images, or one number for both

    Returns (N, C, height, width), without N if the input has none.
    Raises RuntimeError for columns that are not the windows of such images, NotImplementedError for integers.

    >>> import wengert
    >>> wengert.nn.functional.fold(wengert.ones(1, 2, 4), (2, 3), (1, 2))
    tensor([[[[1., 2., 1.],
              [1., 2., 1.]]]])
    """
    check_tensor("col2im", input)
    size = _pair("col2im", "output_size", output_size, 2)
    kernel, g = _geometry("col2im", kernel_size, dilation, padding, stride)
    if input.ndim not in (2, 3) or 0 in input.shape[-2:]:
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: "
            f"{list(input.shape)}"
        )
    each, windows = input.shape[-2:]
    if each % math.prod(kernel):
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
            f"input.size(1)={each} and kernel_size={kernel}."
        )
    out = g.output(size, kernel)
    if min(out) < 1 or math.prod(out) != windows:
        raise RuntimeError(
            f"Given output_size={size}, kernel_size={kernel}, dilation={g.dilation}, padding={g.padding}, stride={g.stride}, expected "
            f"size of input's dimension 2 to match the calculated number of sliding blocks {out[0]} * {out[1]} = "
            f"{math.prod(out)}, but got input.size(2)={windows}."
        )
    _check_float("col2im_out_cpu", input)
    made: Tensor = _fold(input, size, kernel, g)
    return made
