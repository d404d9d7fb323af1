"""What pooling is asked for: kernels, strides, paddings and dilations as arguments, checked in PyTorch's words."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..dtype_names import scalar_name
from .sizes import sizes
from .windows import Windows, regular

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..tensor import Tensor

_AXES = {1: "W", 2: "HW", 3: "THW"}
_WORDS = {2: "two", 3: "three"}


class Phrases:
    """How a function speaks of its arguments where they are of the wrong number."""

    def __init__(self, function: str, rank: int, kernel: str, stride: str, padding: str, dilation: str = "") -> None:
        self.function, self.rank = function, rank
        self.words = {"kernel_size": kernel, "stride": stride, "padding": padding, "dilation": dilation}

    def several(self, name: str, given: Any, position: int) -> tuple[int, ...]:
        """An argument that is one integer for all axes, or one for each."""
        rank = self.rank
        if type(given) is int:
            return (given,) * rank
        found = sizes(self.function, (given,), name, position=position)
        if len(found) != rank and len(found) != 1:
            raise RuntimeError(self.words[name].format(n=len(found)))
        return found if len(found) == rank else found * rank


def phrases(
    function: str, rank: int, either: str = "must either be ", omitted: str = "must either be omitted, "
) -> Phrases:
    """The words that most functions on two and three axes have in common."""
    tail = f"a single int, or a tuple of {_WORDS[rank]} ints"
    return Phrases(
        function, rank, f"{function}: kernel_size {either}{tail}", f"{function}: stride {omitted}{tail}",
        f"{function}: padding {either}{tail}", f"{function}: dilation must be either {tail}",
    )  # fmt: skip


def window_arguments(
    words: Phrases, kernel: Any, stride: Any, padding: Any, dilation: Any = 1
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Kernel, stride (the kernel where it was left out), padding and dilation, for each axis."""
    k = words.several("kernel_size", kernel, 2)
    left_out = stride is None or (isinstance(stride, (tuple, list)) and not stride)
    s = k if left_out else words.several("stride", stride, 3)
    return k, s, words.several("padding", padding, 4), words.several("dilation", dilation, 5)


def count_windows(n: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool) -> int:
    """How many windows an axis has room for.

    Raises RuntimeError for strides and paddings with which that has no meaning.
    """
    if stride == 0:
        raise RuntimeError("stride should not be zero")
    if padding < 0:
        raise RuntimeError(f"pad must be non-negative, but got pad: {padding}")
    if padding > int(((kernel - 1) * dilation + 1) / 2):
        raise RuntimeError(
            f"pad should be at most half of effective kernel size, but got pad={padding}, kernel_size={kernel} and "
            f"dilation={dilation}"
        )
    span = n + 2 * padding - dilation * (kernel - 1) - 1
    out = -(-span // stride) + 1 if ceil_mode else span // stride + 1
    if ceil_mode and (out - 1) * stride >= n + padding:
        out -= 1  # the last window is to begin in the input or in the padding before it
    return out


@lru_cache(512)
def plan_windows(
    function: str, full: tuple[int, ...], kernel: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> tuple[Windows, ...]:
    """The windows along the last axes of a shape, with one or two dimensions before of which only the first may be empty.

    Raises RuntimeError, in PyTorch's words and its order, where there are none.
    """
    rank = len(kernel)
    _check_dimensions(function, full, rank)
    shape = full[-rank:]
    every = list(zip(shape, kernel, stride, padding, dilation, strict=True))
    out = [count_windows(*axis, ceil_mode) for axis in every]
    for what, values, letter in (
        ("kernel size", kernel, "k"),
        ("stride", stride, "d"),
        ("dilation", dilation, "dilation"),
    ):
        if any(v <= 0 for v in values):
            raise RuntimeError(f"{what} should be greater than zero, but got {shown_sizes(values, letter)}")
    _check_elements(function, full, rank)
    if any(n < 1 for n in out):
        have, want = ("x".join(map(str, (full[-rank - 1], *sizes))) for sizes in (shape, out))
        raise RuntimeError(f"Given input size: ({have}). Calculated output size: ({want}). Output size is too small")
    return tuple(regular(n, m, k, s, p, d) for (n, k, s, p, d), m in zip(every, out, strict=True))


def shown_sizes(values: Sequence[int], letter: str = "") -> str:
    """A size for each axis, as in "kH: 2 kW: 3"."""
    return " ".join(f"{letter}{axis}: {v}" for axis, v in zip(_AXES[len(values)], values, strict=True))


def _check_dimensions(function: str, shape: tuple[int, ...], rank: int) -> None:
    ndim = len(shape)
    if rank == 3 or function.startswith("max"):
        if ndim not in (rank + 1, rank + 2):
            raise RuntimeError(
                f"non-empty {rank + 1}D or {rank + 2}D (batch mode) tensor expected for input, but its shape is {list(shape)}"
            )
    elif ndim < 3:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got -3)")


def _check_elements(function: str, shape: tuple[int, ...], rank: int) -> None:
    first = len(shape) - rank - 1
    if 0 not in shape[first:] and first < 2:
        return
    if rank == 2:
        raise RuntimeError(
            f"Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:{list(shape)}"
        )
    name = "max_pool3d_with_indices_out_cpu_template" if function.startswith("max") else function
    raise RuntimeError(
        f"{name}(): Expected input's non-batch dimensions to have positive length, but input has a shape of {list(shape)} "
        f"and non-batch dimension {shape.index(0, first)} has length zero!"
    )


def refuse_dtype(kernel: str, input: Tensor) -> NotImplementedError:
    """PyTorch's error for elements that a kernel is not made for."""
    return NotImplementedError(
        f"\"{kernel}\" not implemented for '{scalar_name(input.dtype)}': convert the input to floating point, e.g. with .float()"
    )
