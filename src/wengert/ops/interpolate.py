"""Tensors resized along their last dimensions: `interpolate`, `upsample`, `upsample_bilinear`, `upsample_nearest`."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from . import resize_axes
from .average_pool import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from .declare import linear
from .dims import is_float
from .pool_arguments import refuse_dtype
from .refusal import in_single
from .taps import Taps, resample, resample_bytes

if TYPE_CHECKING:
    from ..tensor import Tensor

# ------------------------------------------------------------------------------------------------ declarations


def _resample(a: Any, taps: tuple[Taps, ...]) -> Any:
    weighted = any(weights is not None for axis in taps for _, _, weights in axis.steps)
    return resample_bytes(a, taps) if weighted and a.dtype == np.uint8 else resample(a, taps)


def _spread(t: Any, taps: tuple[Taps, ...]) -> Any:
    return resample(t, tuple(axis.transposed for axis in taps))


def _resizing(name: str, node: str) -> Any:
    """An operation (x, taps) that maps the last axes, each by its own `Taps`; and its transpose."""
    spread = f"{name}_spread"
    made = linear(
        name, in_single(_resample), lambda F, t, taps: getattr(F, spread)(t, taps), ("taps",), node=node + "Backward0"
    )
    linear(
        spread, in_single(_spread), lambda F, t, taps: getattr(F, name)(t, taps), ("taps",), node=node + "BackwardBackward0"
    )  # fmt: skip
    return made


#: by the mode and the number of dimensions that it resizes
_RESIZE = {
    (mode, rank): _resizing(f"upsample_{mode.replace('-', '_')}{rank}d", f"Upsample{name}{rank}D")
    for mode, name, ranks in (
        ("nearest", "Nearest", (1, 2, 3)),
        ("nearest-exact", "NearestExact", (1, 2, 3)),
        ("linear", "Linear", (1,)),
        ("bilinear", "Bilinear", (2,)),
        ("trilinear", "Trilinear", (3,)),
        ("bicubic", "Bicubic", (2,)),
    )
    for rank in ranks
}
_ANTIALIASED = {
    "bilinear": _resizing("upsample_bilinear2d_aa", "UpsampleBilinear2DAa"),
    "bicubic": _resizing("upsample_bicubic2d_aa", "UpsampleBicubic2DAa"),
}
_AREA = {1: adaptive_avg_pool1d, 2: adaptive_avg_pool2d, 3: adaptive_avg_pool3d}
_LINEAR = {"linear": 1, "bilinear": 2, "trilinear": 3}
_MODES = "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact"
_AXES = {1: "W", 2: "HW", 3: "DHW"}

# ------------------------------------------------------------------------------------------------ what is asked for


def _size_and_factors(input: Tensor, size: Any, scale_factor: Any, recompute: bool | None) -> tuple[Any, Any]:
    """The sizes of the output, and the factors that positions are to be computed with (None where sizes say it all)."""
    own = list(input._array.shape[2:])
    rank = len(own)
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined: the other follows from it")
    if size is not None:
        if isinstance(size, (list, tuple)):
            if len(size) != rank:
                raise ValueError(
                    "Input and output must have the same number of spatial dimensions, but got input with spatial dimensions of "
                    f"{own} and output size of {size}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and output size "
                    "in (o1, o2, ...,oK) format."
                )
            if not all(_is_whole(n) for n in size):
                raise TypeError(
                    "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got size with "
                    f"types {[type(n) for n in size]}"
                )
            out = [int(n) for n in size]
        else:
            if not _is_whole(size):
                raise TypeError(
                    f"interpolate(): argument 'size' must be int or tuple of ints, not {type(size).__name__}"
                )
            out = [int(size)] * rank
        if recompute:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        return out, [None] * rank
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if isinstance(scale_factor, (list, tuple)):
        if len(scale_factor) != rank:
            raise ValueError(
                "Input and scale_factor must have the same number of spatial dimensions, but got input with spatial dimensions of "
                f"{own} and scale_factor of shape {scale_factor}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and "
                "scale_factor in (s1, s2, ...,sK) format."
            )
        factors = list(scale_factor)
    else:
        factors = [scale_factor] * rank
    for f in factors:
        if isinstance(f, str) or not hasattr(f, "__float__"):
            raise TypeError(
                f"interpolate(): argument 'scale_factor' must be float or tuple of floats, but found element of type {type(f).__name__}"
            )
    factors = [float(f) for f in factors]
    out = [math.floor(n * f) for n, f in zip(own, factors, strict=True)]
    return out, [None] * rank if recompute else factors


def _is_whole(n: Any) -> bool:
    return not isinstance(n, (str, float, bool)) and hasattr(n, "__index__")


def _check_sizes(shape: tuple[int, ...], out: list[int]) -> None:
    """Raise RuntimeError for an input or an output without elements; only the batch may be empty."""
    own, rank = shape[2:], len(out)
    if min(own) < 1 or min(out) < 1:
        have, want = (", ".join(f"{a}: {n}" for a, n in zip(_AXES[rank], sizes, strict=True)) for sizes in (own, out))
        link = ") and output (" if rank == 1 else ") output ("
        raise RuntimeError(f"Input and output sizes should be greater than 0, but got input ({have}{link}{want})")
    if not shape[1]:
        raise RuntimeError(f"Non-empty {rank + 2}D data tensor expected but got a tensor with sizes {list(shape)}")


def _kernel_name(mode: str, rank: int, antialias: bool) -> str:
    """What PyTorch names its computation where it refuses a dtype."""
    if antialias:
        return "compute_index_ranges_weights"
    if rank == 2 and mode != "bicubic":
        return f"upsample_{'nearest' if 'nearest' in mode else 'bilinear'}2d_channels_last"
    return f"compute_indices_weights_{'nearest' if 'nearest' in mode else 'cubic' if mode == 'bicubic' else 'linear'}"


def interpolate(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None, antialias: bool = False,
) -> Any:  # fmt: skip
    """The input, (N, C, L), (N, C, H, W) or (N, C, D, H, W), resized along all dimensions but the first two.

    size, or scale_factor: one number for all dimensions, or one for each.
    mode: "nearest", "nearest-exact", "area"; by the number of dimensions "linear", "bilinear", "trilinear"; and "bicubic".
    align_corners: whether the centres of the corner elements stay where they are, rather than the corners.
    recompute_scale_factor: compute positions by the sizes and not by scale_factor.
    antialias: in bilinear and bicubic mode, average over what an output covers when shrinking.
    Raises ValueError, NotImplementedError or RuntimeError for what does not fit together.

    >>> import wengert
    >>> x = wengert.tensor([[[1.0, 2.0]]])
    >>> wengert.nn.functional.interpolate(x, scale_factor=2, mode="linear")
    tensor([[[1.0000, 1.2500, 1.7500, 2.0000]]])
    """
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
            )
    elif align_corners is None:
        align_corners = False
    array = input._array if hasattr(input, "_array") else None
    if array is None:
        raise AttributeError(f"'{type(input).__name__}' object has no attribute 'dim': interpolate takes a tensor")
    rank = array.ndim - 2
    out, factors = _size_and_factors(input, size, scale_factor, recompute_scale_factor)
    if antialias and not (mode in ("bilinear", "bicubic") and rank == 2):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        )
    if mode in _LINEAR and 1 <= rank <= 3 and _LINEAR[mode] != rank:
        raise NotImplementedError(f"Got {rank + 2}D input, but {mode} mode needs {_LINEAR[mode] + 2}D input")
    if mode == "area" and 1 <= rank <= 3:
        return _AREA[rank](input, out)
    if (mode, rank) not in _RESIZE:
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {array.ndim}D) for the modes: {_MODES} (got {mode})"
        )
    _check_sizes(array.shape, out)
    whole = array.dtype == np.uint8 and (rank == 2 or "nearest" in mode)
    if not (is_float(array) or whole) or (antialias and array.dtype.itemsize == 2):
        raise refuse_dtype(_kernel_name(mode, rank, antialias), input)
    kind = np.float64 if array.dtype == np.float64 or (whole and "nearest" not in mode) else np.float32
    every = list(zip(array.shape[2:], out, factors, strict=True))
    if "nearest" in mode:
        small = rank == 2 and sum(out) <= 128
        taps = tuple(resize_axes.nearest(n, m, f, kind, mode != "nearest", small) for n, m, f in every)
    elif antialias:
        taps = tuple(resize_axes.antialiased(n, m, align_corners, f, kind, mode == "bicubic") for n, m, f in every)
    else:
        axis = resize_axes.cubic if mode == "bicubic" else resize_axes.linear
        taps = tuple(axis(n, m, align_corners, f, kind) for n, m, f in every)
    return (_ANTIALIASED[mode] if antialias else _RESIZE[mode, rank])(input, taps)


def _deprecated(name: str) -> None:
    warnings.warn(
        f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.", UserWarning, stacklevel=3
    )


def upsample(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
) -> Any:
    """`interpolate`, by its old name."""
    _deprecated("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Any:
    """`interpolate` in nearest mode, by its old name."""
    _deprecated("upsample_nearest")
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Any:
    """`interpolate` in bilinear mode with aligned corners, by its old name."""
    _deprecated("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)
