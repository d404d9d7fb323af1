"""Averages over windows: `avg_pool1d`, `avg_pool2d`, `avg_pool3d`, `adaptive_avg_pool1d` ...; also `lp_pool1d` ..."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .declare import argument_error, linear
from .dims import check_tensor, is_float
from .expose import expose
from .inplace import into
from .pool_arguments import Phrases, phrases, plan_windows, refuse_dtype, shown_sizes, window_arguments
from .refusal import in_single
from .sizes import sizes
from .windows import Windows, adaptive, box_spread, box_sum, counts

if TYPE_CHECKING:
    from ..tensor import Tensor

# ------------------------------------------------------------------------------------------------ declarations


def _divide(total: Any, divisor: Any) -> Any:
    """Sums divided by one number or by an array of them; whole numbers towards zero."""
    kind = total.dtype.kind
    if kind in "iu":
        return np.sign(total) * np.sign(divisor) * (abs(total) // abs(divisor))
    if isinstance(divisor, np.ndarray):
        divisor = divisor.astype(total.dtype)
    return np.divide(total, divisor, out=total)


def _mean(a: Any, windows: tuple[Windows, ...], divisor: Any) -> Any:
    return np.ascontiguousarray(_divide(box_sum(a, windows), divisor))


def _mean_spread(t: Any, windows: tuple[Windows, ...], divisor: Any) -> Any:
    return np.ascontiguousarray(box_spread(_divide(np.array(t), divisor), windows))


def _averaging(name: str, node: str) -> Any:
    """An operation (x, windows, divisor) on the last axes: the sum over each box, divided; and its transpose."""
    spread = f"{name}_spread"
    made = linear(
        name, in_single(_mean), lambda F, t, windows, divisor: getattr(F, spread)(t, windows, divisor), ("windows", "divisor"),
        node=node + "Backward0",
    )  # fmt: skip
    linear(
        spread, in_single(_mean_spread), lambda F, t, windows, divisor: getattr(F, name)(t, windows, divisor),
        ("windows", "divisor"), node=node + "BackwardBackward0",
    )  # fmt: skip
    return made


_POOL = {2: _averaging("avg_pool2d", "AvgPool2D"), 3: _averaging("avg_pool3d", "AvgPool3D")}
_ADAPTIVE = {
    2: _averaging("adaptive_avg_pool2d", "AdaptiveAvgPool2D"),
    3: _averaging("adaptive_avg_pool3d", "AdaptiveAvgPool3D"),
}


def _product(per_axis: list[Any]) -> Any:
    """Numbers of elements along each axis multiplied: one number where all boxes have as many."""
    if all(n.size and (n == n[0]).all() for n in per_axis):
        return math.prod([int(n[0]) for n in per_axis])
    made: Any = 1
    for n in per_axis:
        made = np.multiply.outer(made, np.maximum(n, 1))
    made.flags.writeable = False
    return made


@lru_cache(256)
def _counted(windows: tuple[Windows, ...], padding: tuple[int, ...]) -> Any:
    """How many elements each box has, with so much padding counted."""
    return _product([counts(w, p, w.length) for w, p in zip(windows, padding, strict=True)])


@lru_cache(256)
def _covered(windows: tuple[Windows, ...]) -> Any:
    """How many elements each box has, of windows that are nowhere outside."""
    per_axis = []
    for w in windows:
        found = np.zeros(w.out, np.int64)
        for _, outs, _ins in w.steps:
            found[outs] += 1
        per_axis.append(found)
    return _product(per_axis)


# ------------------------------------------------------------------------------------------------ windows at equal distances

_ONE = Phrases(
    "avg_pool1d", 1, *[f"avg_pool1d() argument '{name}' should contain one int (got {{n}})" for name in ("kernel_size", "stride", "padding")]
)  # fmt: skip
_MANY = {2: phrases("avg_pool2d", 2), 3: phrases("avg_pool3d", 3, "must be ", "must be omitted, ")}


def _pool(
    input: Tensor, arguments: Any, ceil_mode: bool, count_include_pad: bool, divisor_override: int | None, out: Any
) -> Any:
    """The averages over the last axes, as many as the arguments speak of (two or three)."""
    kernel, stride, padding, dilation = arguments
    rank = len(kernel)
    shape = input._array.shape
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    windows = plan_windows(f"avg_pool{rank}d", shape, kernel, stride, padding, dilation, ceil_mode)
    if rank == 3 and any(w.length < w.kernel for w in windows):
        have, want = shown_sizes(shape[-rank:]), shown_sizes(kernel, "k")
        raise RuntimeError(f"input image ({have}) smaller than kernel size ({want})")
    d = input._array.dtype
    if not (is_float(input._array) and (rank == 2 or d.itemsize > 2)) and d != np.int64:
        raise refuse_dtype("avg_pool2d" if rank == 2 else "avg_pool3d_out_frame", input)
    if divisor_override is not None:
        divisor = divisor_override
    else:
        divisor = _counted(windows, padding if count_include_pad else (0,) * rank)
    made = _POOL[rank](input, windows, divisor)
    return made if out is None else into(out, made)


def avg_pool1d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:  # fmt: skip
    """The average over windows of the last dimension of (N, C, L) or (C, L).

    stride: from window to window, the size of the kernel if it is left out. padding: zeros on both sides, up to half the kernel.
    ceil_mode: with a last window that reaches beyond. count_include_pad: whether the zeros count as elements.
    Floating point or int64. Raises RuntimeError for shapes and sizes that do not fit.

    >>> import wengert
    >>> wengert.nn.functional.avg_pool1d(wengert.tensor([[1.0, 3.0, 5.0, 7.0]]), 2)
    tensor([[2., 6.]])
    """
    ndim = check_tensor("avg_pool1d", input)._array.ndim
    arguments: Any = window_arguments(_ONE, kernel_size, stride, padding)
    if ndim not in (2, 3):
        raise _expected_dimensions("avg_pool1d", ndim)
    arguments = tuple((first, *one) for first, one in zip((1, 1, 0, 1), arguments, strict=True))
    return _pool(input.unsqueeze(-2), arguments, ceil_mode, count_include_pad, None, None).squeeze(-2)


def _expected_dimensions(function: str, ndim: int) -> RuntimeError:
    return RuntimeError(
        f"Expected 2 to 3 dimensions, but got {ndim}-dimensional tensor for argument #1 'self' (while checking arguments for "
        f"{function})"
    )


def avg_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None, *, out: Tensor | None = None,
) -> Any:  # fmt: skip
    """The average over windows of the last two dimensions of (N, C, H, W) or (C, H, W).

    divisor_override: what to divide by instead of the number of elements. The other arguments are those of `avg_pool1d`, one
    number for both dimensions or one for each.

    >>> import wengert
    >>> wengert.nn.functional.avg_pool2d(wengert.arange(8.0).reshape(1, 2, 4), 2)
    tensor([[[2.5000, 4.5000]]])
    """
    check_tensor("avg_pool2d", input)
    arguments = window_arguments(_MANY[2], kernel_size, stride, padding)
    return _pool(input, arguments, ceil_mode, count_include_pad, divisor_override, out)


def avg_pool3d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None, *, out: Tensor | None = None,
) -> Any:  # fmt: skip
    """The average over windows of the last three dimensions of (N, C, D, H, W) or (C, D, H, W); see `avg_pool2d`."""
    check_tensor("avg_pool3d", input)
    arguments = window_arguments(_MANY[3], kernel_size, stride, padding)
    return _pool(input, arguments, ceil_mode, count_include_pad, divisor_override, out)


# ------------------------------------------------------------------------------------------------ adaptive windows


def adaptive_size(output_size: Any, shape: tuple[int, ...]) -> Any:
    """A size in which None stands for the input's, for functions on two and three axes."""
    if isinstance(output_size, int):
        return output_size
    count = len(output_size)
    if len(shape) <= count:
        raise ValueError(f"Input dimension should be at least {count + 1}")
    return [n if m is None else m for m, n in zip(output_size, shape[len(shape) - count :], strict=True)]


def one_size(function: str, output_size: Any) -> int:
    """The size that a function on one axis is asked for."""
    size = sizes(function, (output_size,), "output_size", position=2)
    if len(size) != 1:
        raise RuntimeError(f"{function}() argument 'output_size' should contain one int (got {len(size)})")
    return size[0]


def _adaptive_pool(input: Tensor, size: tuple[int, ...]) -> Any:
    rank = len(size)
    function = f"adaptive_avg_pool{rank}d"
    array = input._array
    shape = array.shape
    if any(n < 0 for n in size):
        shown = f"{size[0]}, {size[1]}" + (f",{size[2]}" if rank == 3 else "")
        raise RuntimeError(
            f"{function}: elements of output_size must be greater than or equal to 0 but received {{{shown}}}"
        )
    if size == (1,) * rank and array.ndim >= rank:
        return input.mean(tuple(range(-rank, 0)), keepdim=True)  # in PyTorch too, down to the node's name
    if array.ndim not in (rank + 1, rank + 2):
        raise RuntimeError(f"{function}(): Expected {rank + 1}D or {rank + 2}D tensor, but got {list(shape)}")
    check_not_empty(function, shape, rank)
    if not is_float(array):
        raise refuse_dtype(function if rank == 2 else "adaptive_avg_pool3d_cpu", input)
    windows = tuple(adaptive(n, m) for n, m in zip(shape[-rank:], size, strict=True))
    return _ADAPTIVE[rank](input, windows, _covered(windows))


def check_not_empty(function: str, shape: tuple[int, ...], rank: int, channels: bool = False) -> None:
    """Raise RuntimeError for a plane without elements; `channels`: also where there are no channels, in a batch."""
    for i in range(1 if channels and len(shape) == rank + 2 else len(shape) - rank, len(shape)):
        if shape[i] == 0:
            raise RuntimeError(
                f"{function}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {list(shape)} "
                f"with dimension {i} being empty"
            )


def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Any:
    """The averages over so many windows that cover the last dimension of (N, C, L) or (C, L) evenly.

    Window i of m over n elements reaches from floor(i n / m) to ceil((i + 1) n / m).
    Raises RuntimeError for shapes that do not fit.

    >>> import wengert
    >>> wengert.nn.functional.adaptive_avg_pool1d(wengert.tensor([[1.0, 2.0, 3.0, 4.0]]), 2)
    tensor([[1.5000, 3.5000]])
    """
    ndim = check_tensor("adaptive_avg_pool1d", input)._array.ndim
    size = one_size("adaptive_avg_pool1d", output_size)
    if ndim not in (2, 3):
        raise _expected_dimensions("adaptive_avg_pool1d", ndim)
    return _adaptive_pool(input.unsqueeze(-2), (1, size)).squeeze(-2)


def _adaptive(rank: int) -> Any:
    function = f"adaptive_avg_pool{rank}d"
    shape = "(N, C, H, W) or (C, H, W)" if rank == 2 else "(N, C, D, H, W) or (C, D, H, W)"

    def adaptive_avg_pool(input: Tensor, output_size: Any) -> Any:
        array = check_tensor(function, input)._array
        given = adaptive_size(output_size, array.shape)
        size = (given,) * rank if isinstance(given, int) else sizes(function, (given,), "output_size", position=2)
        if len(size) != rank:
            raise RuntimeError(f"{function}: output_size must be {rank}, but it has {len(size)} elements")
        return _adaptive_pool(input, size)

    adaptive_avg_pool.__name__ = adaptive_avg_pool.__qualname__ = function
    adaptive_avg_pool.__doc__ = f"""The averages over windows that cover the last {rank} dimensions of {shape} evenly.

    output_size: one number for all dimensions, or one for each; None keeps a dimension as it is.
    Raises RuntimeError or ValueError for shapes that do not fit.
    """
    return adaptive_avg_pool


adaptive_avg_pool2d, adaptive_avg_pool3d = _adaptive(2), _adaptive(3)

# ------------------------------------------------------------------------------------------------ means of powers


def _lp_pool(input: Tensor, norm_type: float, count: Any, pooled: Any) -> Any:
    mean = pooled(input.pow(norm_type))
    return (mean.sign() * mean.abs().relu()).mul(count).pow(1.0 / norm_type)


def lp_pool1d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    """The p-norm over windows: (sum of x to the power p) to the power 1/p, for (N, C, L) or (C, L).

    >>> import wengert
    >>> wengert.nn.functional.lp_pool1d(wengert.tensor([[3.0, 4.0]]), 2, 2)
    tensor([[5.]])
    """
    if isinstance(kernel_size, (tuple, list)) and len(kernel_size) == 1:
        raise argument_error("mul", "other", 1, kernel_size)
    return _lp_pool(input, norm_type, kernel_size, lambda x: avg_pool1d(x, kernel_size, stride, 0, ceil_mode))


def _lp_pool_of(rank: int) -> Any:
    function = f"lp_pool{rank}d"
    average = avg_pool2d if rank == 2 else avg_pool3d

    def lp_pool(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
        kernel = (kernel_size,) * rank if isinstance(kernel_size, int) else tuple(kernel_size)
        if len(kernel) != rank:
            many = "too many values" if len(kernel) > rank else "not enough values"
            got = "" if len(kernel) > rank else f", got {len(kernel)}"
            raise ValueError(f"{many} to unpack (expected {rank}{got}): {function} takes one kernel size, or {rank}")
        count = int(np.prod(kernel))
        return _lp_pool(input, norm_type, count, lambda x: average(x, kernel_size, stride, 0, ceil_mode))

    lp_pool.__name__ = lp_pool.__qualname__ = function
    lp_pool.__doc__ = f"The p-norm over windows of the last {rank} dimensions; see `lp_pool1d`."
    return lp_pool


lp_pool2d, lp_pool3d = _lp_pool_of(2), _lp_pool_of(3)

__all__ = expose(__name__, functions="adaptive_avg_pool1d avg_pool1d")
