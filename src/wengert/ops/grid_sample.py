"""Values of images and volumes between their elements: `grid_sample`.

A sample is a sum of elements with weights that depend on the grid; along each axis the weights can be derived as often as one likes.
So an operation here has for each axis the order of the derivative that it takes, and the rules raise it by one: three operations,
`grid_sample`, its transpose in the input, and the products of cotangents and slopes, have all their derivatives among themselves.
"""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtype_names import scalar_name
from .declare import argument_error, general
from .dims import check_tensor, is_float
from .expose import expose
from .grid_positions import taps, vanishes

if TYPE_CHECKING:
    from ..tensor import Tensor

_MODES = ("bilinear", "nearest", "bicubic")
_BLOCK = 1 << 17  # elements that are worked on together
_PADDINGS = ("zeros", "border", "reflection")

# ------------------------------------------------------------------------------------------------ arrays


def _rows(a: Any) -> Any:
    """(N, C, ...) as rows of channels: one for each element of each plane."""
    n, c = a.shape[:2]
    size = math.prod(a.shape[2:])
    return np.array(a.reshape(n, c, size).swapaxes(1, 2), order="C").reshape(n * size, c)


def _planes(rows: Any, n: int, c: int, shape: tuple[int, ...]) -> Any:
    """Rows of channels as (N, C, *shape)."""
    return np.array(rows.reshape(n, math.prod(shape), c).swapaxes(1, 2), order="C").reshape(n, c, *shape)


def _wide(a: Any) -> Any:
    return a.astype(np.float32) if a.dtype.itemsize == 2 else a


def _tapped(
    grid: Any, channels: int, shape: tuple[int, ...], mode: str, padding: str, align: bool, several: Any
) -> Any:
    """The taps of all points of a batch, block by block: (the points, the rows of channels they take, the weights).

    A block is so small that what is made of it stays in the cache. Positions are of the grid's precision, as in PyTorch.
    """
    points = grid.reshape(-1, grid.shape[-1])
    each, size = len(points) // grid.shape[0], math.prod(shape)
    images = np.repeat(np.arange(grid.shape[0]) * size, each)
    step = max(1024, _BLOCK // max(channels, 8))
    for first in range(0, len(points), step):
        block = slice(first, min(first + step, len(points)))
        image = images[block]
        for index, weights in taps(points[block], shape, mode, padding, align, several):
            index += image
            yield block, index, weights


def _sample(a: Any, grid: Any, mode: str, padding: str, align: bool, orders: tuple[int, ...]) -> Any:
    n, c = a.shape[:2]
    rows = _rows(_wide(a))
    total = np.zeros((n * math.prod(grid.shape[1:-1]), c), rows.dtype)
    if total.size and not vanishes(mode, orders):
        for block, index, (weight,) in _tapped(grid, c, a.shape[2:], mode, padding, align, [orders]):
            part = rows.take(index, 0)
            part *= weight[:, None]
            total[block] += part
    return _planes(total, n, c, grid.shape[1:-1]).astype(a.dtype, copy=False)


def _spread(
    t: Any, grid: Any, shape: tuple[int, ...], mode: str, padding: str, align: bool, orders: tuple[int, ...]
) -> Any:
    n, c = t.shape[:2]
    rows = _rows(_wide(t))
    made = np.zeros((n * math.prod(shape), c), rows.dtype)
    if rows.size and made.size and not vanishes(mode, orders):
        flat, channels = made.reshape(-1), np.arange(c)
        for block, index, (weight,) in _tapped(grid, c, shape, mode, padding, align, [orders]):
            places = (index * c)[:, None] + channels
            np.add.at(flat, places.reshape(-1), (rows[block] * weight[:, None]).reshape(-1))
    return _planes(made, n, c, shape).astype(t.dtype, copy=False)


def _raised(orders: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return (*orders[:axis], orders[axis] + 1, *orders[axis + 1 :])


def _slopes(t: Any, a: Any, grid: Any, mode: str, padding: str, align: bool, orders: tuple[int, ...]) -> Any:
    made = np.zeros(grid.shape, _wide(grid).dtype)
    # the last axis of the grid counts the axes of the input from the last
    axes = {i: o for i in range(len(orders)) if not vanishes(mode, o := _raised(orders, len(orders) - 1 - i))}
    if made.size and a.size and axes:
        rows, cotangents = _rows(_wide(a)), _rows(_wide(t))
        components = made.reshape(-1, len(orders))
        for block, index, weights in _tapped(grid, a.shape[1], a.shape[2:], mode, padding, align, list(axes.values())):
            product = np.vecdot(rows.take(index, 0), cotangents[block])
            for i, weight in zip(axes, weights, strict=True):
                components[block, i] += product * weight
    return made.astype(grid.dtype, copy=False)


# ------------------------------------------------------------------------------------------------ declarations


def _sum_over_axes(s: Any, orders: tuple[int, ...], part: Any) -> Any:
    """The sum over the axes of `part`, given the component of `s` (N, ..., rank) along one, as (N, 1, ...), and raised orders."""
    total = None
    for axis in range(len(orders)):
        made = part(s[:, None, ..., len(orders) - 1 - axis], _raised(orders, axis))
        total = made if total is None else total + made
    return total


def _push(F: Any, t: Any, self: Any, grid: Any, mode: str, padding: str, align: bool, orders: Any) -> Any:
    how = (mode, padding, align)
    moved = None if t[0] is None else _sampled(F, t[0], grid, *how, orders)
    if t[1] is None:
        return moved
    shifted = _sum_over_axes(t[1], orders, lambda s, raised: s * _sampled(F, self, grid, *how, raised))
    return shifted if moved is None else moved + shifted


def _sampled(F: Any, self: Any, grid: Any, *how: Any) -> Any:
    return getattr(F, f"grid_sampler_{grid.shape[-1]}d")(self, grid, *how)


def _pull_input(F: Any, t: Any, grid: Any, self_shape: Any, mode: str, padding: str, align: bool, orders: Any) -> Any:
    return getattr(F, f"grid_sampler_{grid.shape[-1]}d_spread")(t, grid, self_shape[2:], mode, padding, align, orders)


def _pull_grid(F: Any, t: Any, self: Any, grid: Any, mode: str, padding: str, align: bool, orders: Any) -> Any:
    return getattr(F, f"grid_sampler_{grid.shape[-1]}d_slopes")(t, self, grid, mode, padding, align, orders)


def _declared(rank: int) -> Any:
    name, node = f"grid_sampler_{rank}d", f"GridSampler{rank}DBackward0"
    backward = f"GridSampler{rank}DBackwardBackward0"
    how = ("mode", "padding", "align", "orders")
    sample = general(name, _sample, {"self": _pull_input, "grid": _pull_grid}, how, node=node, push=_push)

    general(
        f"{name}_spread", _spread,
        {
            "self": lambda F, t, grid, mode, padding, align, orders: getattr(F, name)(t, grid, mode, padding, align, orders),
            "grid": lambda F, t, self, grid, mode, padding, align, orders: getattr(F, f"{name}_slopes")(
                self, t, grid, mode, padding, align, orders
            ),
        },
        ("shape", *how), node=backward,
    )  # fmt: skip

    def pull_cotangent(F: Any, t: Any, input: Any, grid: Any, mode: Any, padding: Any, align: Any, orders: Any) -> Any:
        return _sum_over_axes(
            t, orders, lambda s, raised: s * getattr(F, name)(input, grid, mode, padding, align, raised)
        )

    def pull_input(
        F: Any, t: Any, self: Any, grid: Any, input_shape: Any, mode: Any, padding: Any, align: Any, orders: Any
    ) -> Any:
        spread = getattr(F, f"{name}_spread")
        return _sum_over_axes(
            t, orders, lambda s, raised: spread(self * s, grid, input_shape[2:], mode, padding, align, raised)
        )

    def pull_grid(
        F: Any, t: Any, self: Any, input: Any, grid: Any, mode: Any, padding: Any, align: Any, orders: Any
    ) -> Any:
        slopes = getattr(F, f"{name}_slopes")
        return _sum_over_axes(t, orders, lambda s, raised: slopes(self * s, input, grid, mode, padding, align, raised))

    general(
        f"{name}_slopes", _slopes, {"self": pull_cotangent, "input": pull_input, "grid": pull_grid}, how, node=backward
    )
    return sample


_SAMPLER = {2: _declared(2), 3: _declared(3)}

# ------------------------------------------------------------------------------------------------ functions


def _check_grid(input: Tensor, grid: Tensor, mode: str) -> int:
    """How many dimensions the grid is in; raises, in PyTorch's words, unless it is one for the input."""
    own, points = input._array.shape, grid._array.shape
    if not own or not points:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if own[0] != points[0]:
        raise RuntimeError(
            f"grid_sampler(): expected grid and input to have same batch size, but got input with sizes {list(own)} and grid with "
            f"sizes {list(points)}"
        )
    rank = len(own) - 2
    if points[-1] != rank:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {rank} in last dimension, but got grid with sizes {list(points)}"
        )
    for i, n in enumerate(own[2:], 2):
        if not n:
            raise RuntimeError(
                f"grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes {list(own)} with "
                f"dimension {i} being empty"
            )
    if rank not in (2, 3) or len(points) != len(own):
        raise RuntimeError(
            f"grid_sampler(): expected {4 if rank == 2 else 5}D input and grid with same number of dimensions, but got input with "
            f"sizes {list(own)} and grid with sizes {list(points)}"
        )
    if rank == 3 and mode == "bicubic":
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    if not is_float(input._array):
        kernel = "grid_sampler_2d_cpu_kernel_impl" if rank == 2 else "grid_sampler3d_cpu"
        raise NotImplementedError(
            f"\"{kernel}\" not implemented for '{scalar_name(input.dtype)}': convert the input to floating point"
        )
    if input.dtype is not grid.dtype:
        raise RuntimeError(
            f"expected scalar type {scalar_name(input.dtype)} but found {scalar_name(grid.dtype)}: input and grid have one dtype"
        )
    return rank


def grid_sampler(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Any:
    """`nn.functional.grid_sample`, with its modes by their numbers: 0, 1 and 2 in the order they are listed there."""
    check_tensor("grid_sampler", input)
    if not hasattr(grid, "_array"):
        raise argument_error("grid_sampler", "grid", 2, grid)
    if interpolation_mode not in (0, 1, 2) or padding_mode not in (0, 1, 2):
        raise ValueError(
            f"grid_sampler(): modes are 0, 1 or 2, but got interpolation_mode={interpolation_mode} and padding_mode={padding_mode}"
        )
    mode = _MODES[interpolation_mode]
    rank = _check_grid(input, grid, mode)
    return _SAMPLER[rank](input, grid, mode, _PADDINGS[padding_mode], bool(align_corners), (0,) * rank)


grid_sampler_2d = grid_sampler_3d = grid_sampler


def choose_alignment(align_corners: bool | None) -> bool:
    """Whether corners are aligned; warns where nobody said so."""
    if align_corners is None:
        warnings.warn(
            "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify "
            "align_corners=True if the old behavior is desired. See the documentation of grid_sample for details.",
            UserWarning,
            stacklevel=3,
        )
        return False
    return bool(align_corners)


def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Any:
    """The values of an input (N, C, H, W) or (N, C, D, H, W) at the points of a grid (N, ..., 2) or (N, ..., 3).

    A point is (x, y) or (x, y, z), from -1 to 1 over the input's width, height and depth: between the centres of the corner
    elements with align_corners, else between the corners.
    mode: "bilinear", "nearest" or, in two dimensions, "bicubic". padding_mode, for points outside: "zeros", "border", "reflection".
    Differentiable in both, to any order. Raises ValueError for other modes, RuntimeError for shapes and dtypes that do not fit.

    >>> import wengert
    >>> x = wengert.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> wengert.nn.functional.grid_sample(x, wengert.zeros(1, 1, 1, 2), align_corners=True)
    tensor([[[[2.5000]]]])
    """
    if mode not in _MODES:
        raise ValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in _PADDINGS:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
            f"'{padding_mode}'"
        )
    align = choose_alignment(align_corners)
    return grid_sampler(input, grid, _MODES.index(mode), _PADDINGS.index(padding_mode), align)


__all__ = expose(__name__, functions="grid_sampler grid_sampler_2d grid_sampler_3d")
