"""The largest element of each window, and where it is: `max_pool1d`, `max_pool2d`, `max_pool3d`, `adaptive_max_pool1d` ..."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .average_pool import adaptive_size, check_not_empty, one_size
from .declare import general
from .dims import check_tensor, is_float
from .expose import expose
from .plane import putting
from .pool_arguments import Phrases, phrases, plan_windows, refuse_dtype, window_arguments
from .sizes import sizes
from .window_search import select
from .windows import adaptive

if TYPE_CHECKING:
    from ..tensor import Tensor

# ------------------------------------------------------------------------------------------------ declarations


def _of_elements(t: Any, windows: tuple[Any, ...]) -> Any:
    """Gradients with zeros for the boxes that have no element: their value is a constant."""
    if all(w.void is None for w in windows):
        return t
    mask: Any = np.ones((), bool)
    for w in windows:
        mask = np.logical_and.outer(mask, np.ones(w.out, bool) if w.void is None else ~w.void)
    return t * mask


def choosing_windows(name: str, node: str, forward: Any = select) -> Any:
    """An operation (x, windows) on the last axes that gives the largest element of each box, and its place in the plane.

    windows: for each axis; all that the rules ask of them is whether they are `apart`, and which are `void`.
    """
    spread = f"{name}_spread"
    putting(spread, node + "BackwardBackward0")

    def pull(F: Any, t: Any, indices: Any, self_shape: Any, windows: tuple[Any, ...]) -> Any:
        return getattr(F, spread)(
            _of_elements(t, windows), indices, self_shape, len(windows), all(w.apart for w in windows)
        )

    def push(F: Any, t: Any, indices: Any, windows: tuple[Any, ...]) -> Any:
        return _of_elements(F.plane_take(t, indices, len(windows), all(w.apart for w in windows)), windows)

    return general(
        name, forward, {"self": pull}, ("windows",), outputs=("values", "indices"), push=push, node=node + "Backward0"
    )


_POOL = {
    2: choosing_windows("max_pool2d_with_indices", "MaxPool2DWithIndices"),
    3: choosing_windows("max_pool3d_with_indices", "MaxPool3DWithIndices"),
}
_ADAPTIVE = {
    2: choosing_windows("adaptive_max_pool2d", "AdaptiveMaxPool2D"),
    3: choosing_windows("adaptive_max_pool3d", "AdaptiveMaxPool3D"),
}

# ------------------------------------------------------------------------------------------------ windows at equal distances

_SIZE_ONE = "of size 1 but got size {n}"
_ONE = Phrases(
    "max_pool1d", 1, f"max_pool1d() kernel_size must be an int, list of ints or tuple of ints {_SIZE_ONE}",
    f"max_pool1d() stride must be None, an int, list of ints, or tuple of ints {_SIZE_ONE}",
    f"max_pool1d() padding must be an int, list of ints, or tuple of ints {_SIZE_ONE}",
    f"max_pool1d() dilation must be an int, list of ints or tuple of ints {_SIZE_ONE}",
)  # fmt: skip
_ONE_WITH_INDICES = Phrases(
    "max_pool1d", 1,
    *[f"max_pool1d() argument '{name}' should contain one int (got {{n}})" for name in ("kernel_size", "stride", "padding", "dilation")],
)  # fmt: skip
_MANY = {2: phrases("max_pool2d", 2), 3: phrases("max_pool3d", 3)}


def _pool(input: Tensor, arguments: Any, ceil_mode: bool) -> Any:
    """Values and indices over the last axes, as many as the arguments speak of (two or three)."""
    rank = len(arguments[0])
    kernel, stride, padding, dilation = arguments
    windows = plan_windows(f"max_pool{rank}d", input._array.shape, kernel, stride, padding, dilation, ceil_mode)
    if input._array.dtype.kind not in "fiu" and not is_float(input._array):
        raise refuse_dtype(f"max_pool{rank}d", input)
    return _POOL[rank](input, windows)


def _check_one(shape: tuple[int, ...], arguments: Any, ceil_mode: bool) -> None:
    """Raise what PyTorch's max_pool1d says, which has words of its own where no indices are asked for."""
    (k,), (s,), (p,), (d,) = arguments
    for name, value in (("kernel_size", k), ("stride", s), ("dilation", d)):
        if value <= 0:
            raise RuntimeError(f"max_pool1d() {name} must be greater than zero, but got {value}")
    if p < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {p}")
    if p > k // 2:
        raise RuntimeError(
            f"max_pool1d() padding should be at most half of kernel size, but got padding={p} and kernel_size={k}"
        )
    span = shape[-1] + 2 * p - d * (k - 1) - 1
    if span < 0 and not (ceil_mode and span > -s):
        raise RuntimeError(
            f"max_pool1d() Invalid computed output size: {-(-span // s) + 1 if ceil_mode else span // s + 1}, for a length of "
            f"{shape[-1]}"
        )


def _pool_one(
    input: Tensor, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool, both: bool
) -> Any:
    shape = check_tensor("max_pool1d", input)._array.shape
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        raise RuntimeError(
            f"max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:{list(shape)}"
        )
    arguments: Any = window_arguments(_ONE_WITH_INDICES if both else _ONE, kernel_size, stride, padding, dilation)
    if not both:
        _check_one(shape, arguments, ceil_mode)
        if not is_float(input._array):
            raise refuse_dtype("max_pool1d_impl", input)
    arguments = tuple((first, *one) for first, one in zip((1, 1, 0, 1), arguments, strict=True))
    values, indices = _pool(input.unsqueeze(-2), arguments, ceil_mode)
    return (values.squeeze(-2), indices.squeeze(-2)) if both else values.squeeze(-2)


def _pool_many(
    input: Tensor, rank: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> Any:
    check_tensor(f"max_pool{rank}d", input)
    return _pool(input, window_arguments(_MANY[rank], kernel_size, stride, padding, dilation), ceil_mode)


def max_pool1d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Any:
    """The largest element of each window of the last dimension of (N, C, L) or (C, L).

    stride: from window to window, the size of the kernel if it is left out. padding: by how much the first window begins before
    the input, up to half the kernel. dilation: from element to element of a window. ceil_mode: with a last window that reaches beyond.
    The gradient goes to the first of equal elements. Raises RuntimeError for shapes and sizes that do not fit.

    >>> import wengert
    >>> wengert.max_pool1d(wengert.tensor([[1.0, 3.0, 5.0, 2.0]]), 2)
    tensor([[3., 5.]])
    """
    return _pool_one(input, kernel_size, stride, padding, dilation, ceil_mode, False)


def max_pool1d_with_indices(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Any:
    """`max_pool1d` and the indices of what it has chosen, for `max_unpool1d`.

    >>> import wengert
    >>> wengert.max_pool1d_with_indices(wengert.tensor([[1.0, 3.0, 5.0, 2.0]]), 2)
    (tensor([[3., 5.]]), tensor([[1, 2]]))
    """
    return _pool_one(input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Any:
    """The largest element of each window of the last two dimensions of (N, C, H, W) or (C, H, W); see `max_pool1d`.

    Each argument is one number for both dimensions, or one for each.
    """
    return _pool_many(input, 2, kernel_size, stride, padding, dilation, ceil_mode)[0]


def max_pool3d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Any:
    """The largest element of each window of the last three dimensions of (N, C, D, H, W) or (C, D, H, W); see `max_pool1d`.

    Each argument is one number for all dimensions, or one for each.
    """
    return _pool_many(input, 3, kernel_size, stride, padding, dilation, ceil_mode)[0]


def functional_max_pool1d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """`wengert.max_pool1d`; with `return_indices` also the index of each element, in its row."""
    return _pool_one(input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def functional_max_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """`wengert.max_pool2d`; with `return_indices` also the index of each element, in its plane flattened.

    >>> import wengert
    >>> wengert.nn.functional.max_pool2d(wengert.arange(4.0).reshape(1, 2, 2), 2, return_indices=True)
    (tensor([[[3.]]]), tensor([[[3]]]))
    """
    made = _pool_many(input, 2, kernel_size, stride, padding, dilation, ceil_mode)
    return made if return_indices else made[0]


def functional_max_pool3d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """`wengert.max_pool3d`; with `return_indices` also the index of each element, in its volume flattened."""
    made = _pool_many(input, 3, kernel_size, stride, padding, dilation, ceil_mode)
    return made if return_indices else made[0]


# ------------------------------------------------------------------------------------------------ adaptive windows


def _adaptive_pool(input: Tensor, size: tuple[int, ...]) -> Any:
    """Values and indices for so many windows (two or three sizes) that cover the last axes evenly."""
    rank = len(size)
    array = input._array
    windows = tuple(adaptive(n, m) for n, m in zip(array.shape[-rank:], size, strict=True))
    if not is_float(array):
        raise refuse_dtype("adaptive_max_pool2d" if rank == 2 else "adaptive_max_pool3d_cpu", input)
    return _ADAPTIVE[rank](input, windows)


def _check_sizes(shape: tuple[int, ...], size: tuple[int, ...]) -> None:
    if min(size) < 0:
        shown = [*shape[: -len(size)], *size]
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(size)}: {shown}")


def adaptive_max_pool1d(input: Tensor, output_size: Any) -> Any:
    """The largest elements of so many windows that cover the last dimension of (N, C, L) or (C, L) evenly, and their indices.

    Window i of m over n elements reaches from floor(i n / m) to ceil((i + 1) n / m).
    Raises RuntimeError for shapes that do not fit.

    >>> import wengert
    >>> wengert.adaptive_max_pool1d(wengert.tensor([[1.0, 2.0, 4.0, 3.0]]), 2)
    (tensor([[2., 4.]]), tensor([[1, 2]]))
    """
    shape = check_tensor("adaptive_max_pool1d", input)._array.shape
    size = one_size("adaptive_max_pool1d", output_size)
    if len(shape) not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {len(shape)}-dimensional tensor for argument #1 'self' (while checking arguments "
            "for adaptive_max_pool1d)"
        )
    check_not_empty("adaptive_max_pool1d", shape, 1, channels=True)
    _check_sizes((*shape[:-1], 1, shape[-1]), (1, size))
    values, indices = _adaptive_pool(input.unsqueeze(-2), (1, size))
    return values.squeeze(-2), indices.squeeze(-2)


def _adaptive_many(input: Tensor, output_size: Any, rank: int) -> Any:
    function = f"adaptive_max_pool{rank}d"
    shape = check_tensor(function, input)._array.shape
    given = adaptive_size(output_size, shape)
    size = (given,) * rank if isinstance(given, int) else sizes(function, (given,), "output_size", position=2)
    if len(shape) not in (rank + 1, rank + 2):
        raise RuntimeError(f"{function}(): Expected {rank + 1}D or {rank + 2}D tensor, but got: {list(shape)}")
    check_not_empty(function, shape, rank, channels=True)
    if len(size) != rank:
        raise RuntimeError(
            f"{function}(): internal error: output_size.size() must be {rank}, but it is {len(size)}: give one size, or {rank}"
        )
    _check_sizes(shape, size)
    return _adaptive_pool(input, size)


def functional_adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of so many windows that cover the last dimension of (N, C, L) or (C, L) evenly.

    return_indices: give also where each element is, in its row.
    """
    made = adaptive_max_pool1d(input, output_size)
    return made if return_indices else made[0]


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of windows that cover the last two dimensions of (N, C, H, W) or (C, H, W) evenly.

    output_size: one number for both dimensions, or one for each; None keeps a dimension as it is.
    return_indices: give also where each element is, in its plane flattened.
    Raises RuntimeError or ValueError for shapes that do not fit.

    >>> import wengert
    >>> wengert.nn.functional.adaptive_max_pool2d(wengert.arange(8.0).reshape(1, 2, 4), (1, 2))
    tensor([[[5., 7.]]])
    """
    made = _adaptive_many(input, output_size, 2)
    return made if return_indices else made[0]


def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of windows that cover the last three dimensions of (N, C, D, H, W) or (C, D, H, W) evenly.

    The arguments are those of `adaptive_max_pool2d`.
    """
    made = _adaptive_many(input, output_size, 3)
    return made if return_indices else made[0]


for _function in (functional_max_pool1d, functional_max_pool2d, functional_max_pool3d, functional_adaptive_max_pool1d):
    _function.__name__ = _function.__qualname__ = _function.__name__.removeprefix("functional_")

__all__ = expose(__name__, functions="adaptive_max_pool1d max_pool1d max_pool1d_with_indices max_pool2d max_pool3d")
