"""Grids of points for `grid_sample`, moved by affine maps: `affine_grid`."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from .declare import linear
from .dims import check_tensor
from .expose import expose
from .grid_sample import choose_alignment
from .refusal import in_single
from .sizes import sizes

if TYPE_CHECKING:
    from ..tensor import Tensor


def _axis(n: int, align: bool, kind: Any) -> Any:
    """The centres of n elements from -1 to 1; `align`: with the first and the last on the ends."""
    if n <= 1:
        return np.zeros(n, kind)
    found = np.linspace(-1, 1, n, dtype=kind)
    return found if align else found * kind(n - 1) / kind(n)


def _base(size: tuple[int, ...], align: bool, kind: Any) -> Any:
    """The points of the grid that nothing has moved, as rows (x, y, 1) or (x, y, z, 1)."""
    planes = np.meshgrid(*[_axis(n, align, kind) for n in size[2:]], indexing="ij")
    return np.stack([*reversed(planes), np.ones(size[2:], kind)], -1).reshape(-1, len(size) - 1)


def _moved(theta: Any, size: tuple[int, ...], align: bool) -> Any:
    base = _base(size, align, theta.dtype.type)
    return np.matmul(base, theta.swapaxes(1, 2)).reshape(theta.shape[0], *size[2:], len(size) - 2)


def _summed(t: Any, size: tuple[int, ...], align: bool) -> Any:
    base = _base(size, align, t.dtype.type)
    return np.matmul(t.reshape(t.shape[0], -1, t.shape[-1]).swapaxes(1, 2), base)


_affine_grid = linear(
    "affine_grid_generator", in_single(_moved), lambda F, t, size, align: F.affine_grid_spread(t, size, align),
    ("size", "align"), node="AffineGridGeneratorBackward0",
)  # fmt: skip
linear(
    "affine_grid_spread", in_single(_summed), lambda F, t, size, align: F.affine_grid_generator(t, size, align),
    ("size", "align"), node="TransposeBackward0",
)  # fmt: skip


def affine_grid_generator(theta: Tensor, size: Any, align_corners: bool) -> Any:
    """`nn.functional.affine_grid`, without its looks at theta."""
    check_tensor("affine_grid_generator", theta, "theta")
    whole = sizes("affine_grid_generator", (size,), "size", position=2)
    if len(whole) not in (4, 5):
        raise RuntimeError(
            f"AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs., but got {len(whole)} sizes"
        )
    shape = theta._array.shape
    rank = len(whole) - 2
    if len(shape) != 3 or shape[0] != whole[0] or shape[2] != rank + 1:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{whole[0]}, {rank + 1}] but got: "
            f"[{', '.join(map(str, (shape[0], shape[2]) if len(shape) == 3 else shape))}]."
        )
    return _affine_grid(theta, whole, bool(align_corners))


def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Any:
    """The points for `grid_sample` that give an output of `size`, (N, C, H, W) or (N, C, D, H, W), each moved by an affine map.

    theta: (N, 2, 3) or (N, 3, 4), floating point: the maps, applied to (x, y, 1) or (x, y, z, 1) from -1 to 1.
    Gives (N, H, W, 2) or (N, D, H, W, 3). Raises ValueError or RuntimeError for what does not fit.

    >>> import wengert
    >>> same = wengert.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    >>> wengert.nn.functional.affine_grid(same, (1, 1, 1, 2), align_corners=False)
    tensor([[[[-0.5000,  0.0000],
              [ 0.5000,  0.0000]]]])
    """
    align = choose_alignment(align_corners)
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    rank = len(size) - 2
    if rank not in (2, 3):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. "
            f"Got size {size}."
        )
    shape = theta.shape
    if len(shape) != 3 or tuple(shape[1:]) != (rank, rank + 1):
        raise ValueError(
            f"Expected a batch of {rank}D affine matrices of shape Nx{rank}x{rank + 1} for size {size}. Got {shape}."
        )
    if align_corners and min(size[2:]) == 1:
        warnings.warn(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This is not an "
            "intended use case of affine_grid. See the documentation of affine_grid for details.",
            UserWarning,
            stacklevel=2,
        )
    elif min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return affine_grid_generator(theta, size, align)


__all__ = expose(__name__, functions="affine_grid_generator")
