"""Discrete Fourier transforms: from complex to complex, real to complex, complex to real; and lengths cut or filled with zeros.

Three primitives, named as PyTorch's nodes are, carry all of `torch.fft` and `stft`. `norm` says, as NumPy has it, what the
transform in this direction is divided by: "backward" and "forward" are 1 one way and n the other, "ortho" is sqrt(n) both ways.

The matrix of a transform is symmetric, so its transpose is the transform itself, in the same direction. Of a real signal half of
the result is redundant: the transpose of leaving it away is to put zeros there. A real result takes each redundant element for its
partner's conjugate, so the adjoint counts all that have a partner twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..dtype_names import scalar_name
from ..tensor import Tensor
from .declare import linear
from .padding import pad_constant
from .selecting import view_between

#: the norm by which a transform in the other direction divides by the same
FLIPPED = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def _c2c(a: Any, dims: tuple[int, ...], norm: Any, inverse: bool) -> Any:
    if not dims:
        return a.copy()
    if len(dims) == 1:  # the same, without the loop over dimensions
        return (np.fft.ifft if inverse else np.fft.fft)(a, None, dims[0], norm)
    return (np.fft.ifftn if inverse else np.fft.fftn)(a, axes=dims, norm=norm)


def _r2c(a: Any, dims: tuple[int, ...], norm: Any, onesided: bool) -> Any:
    if len(dims) == 1:
        return (np.fft.rfft if onesided else np.fft.fft)(a, None, dims[0], norm)
    return (np.fft.rfftn if onesided else np.fft.fftn)(a, axes=dims, norm=norm)


def _c2r(a: Any, dims: tuple[int, ...], norm: Any, n: int) -> Any:
    if len(dims) == 1:
        return np.fft.irfft(a, n, dims[0], norm)
    return np.fft.irfftn(a, [*(a.shape[d] for d in dims[:-1]), n], dims, norm)


def _pads(shape: tuple[int, ...], dims: tuple[int, ...], lengths: tuple[int, ...]) -> Any:
    """What zeros are put behind each axis, or how many elements left out, for these lengths of these dimensions."""
    return tuple([(0, lengths[dims.index(d)] - n if d in dims else 0) for d, n in enumerate(shape)])


def _partners_twice(a: Any, dim: int, n: int) -> Any:
    """Half a spectrum of n elements, with those twice that have a partner in the other half."""
    made = a.copy()
    made[(*(slice(None),) * dim, slice(1, (n + 1) // 2))] *= 2
    return made


def _pull_r2c(F: Any, t: Any, self_shape: Any, dims: tuple[int, ...], norm: Any, onesided: bool) -> Any:
    if onesided:
        t = F.constant_pad_nd(t, _pads(t.shape, dims[-1:], (self_shape[dims[-1]],)), 0)
    return F.fft_c2c(t, dims, norm, False)


def _pull_c2r(F: Any, t: Any, dims: tuple[int, ...], norm: Any, n: int, self_shape: Any) -> Any:
    half = F.fft_r2c(t, dims, FLIPPED[norm], True)
    half = F.constant_pad_nd(half, _pads(half.shape, dims[-1:], (self_shape[dims[-1]],)), 0)
    return F.fft_partners_twice(half, dims[-1], n)


c2c = linear(
    "fft_c2c", _c2c, lambda F, t, dims, norm, inverse: F.fft_c2c(t, dims, norm, inverse), ("dims", "norm", "inverse"),
    node="FftC2CBackward0",
)  # fmt: skip
#: of real signals; with `onesided` the half of the last dimension that is not redundant
r2c = linear("fft_r2c", _r2c, _pull_r2c, ("dims", "norm", "onesided"), node="FftR2CBackward0")
#: inverse, to a real signal of which n elements are wanted along the last dimension
c2r = linear("fft_c2r", _c2r, _pull_c2r, ("dims", "norm", "n"), node="FftC2RBackward0", holomorphic=False)
linear("fft_partners_twice", _partners_twice, lambda F, t, dim, n: F.fft_partners_twice(t, dim, n), ("dim", "n"))


def fit(input: Tensor, dims: tuple[int, ...], lengths: tuple[int | None, ...]) -> Tensor:
    """The tensor with these lengths: first cut where it is longer, then filled with zeros where it is shorter.

    Raises RuntimeError for a length that no transform has.
    """
    shape = input._array.shape
    wanted = [shape[d] if n is None else n for d, n in zip(dims, lengths, strict=True)]
    for n in wanted:
        if n < 1:
            raise RuntimeError(f"Invalid number of data points ({n}) specified: a transform has at least one")
    for d, n in zip(dims, wanted, strict=True):
        if n < shape[d]:
            input = view_between(input, d, 0, n, 1)
    longer = tuple([d for d, n in zip(dims, wanted, strict=True) if n > shape[d]])
    if longer:
        more = tuple([n for d, n in zip(dims, wanted, strict=True) if d in longer])
        input = pad_constant(input, _pads(input._array.shape, longer, more), 0)
    return input


def transformable(input: Tensor) -> Tensor:
    """The tensor itself if it is of single or double precision; integers and bool as the default floating-point type."""
    if input.dtype.category < dtypes.FLOAT:
        return input.to(dtypes.get_default_dtype())
    if input._array.dtype.char not in "fdFD":
        raise RuntimeError(
            f"Unsupported dtype {scalar_name(input.dtype)}: transforms are of float32 or float64, convert with .float()"
        )
    return input


def as_complex(input: Tensor) -> Tensor:
    """The tensor as complex numbers of the same precision."""
    kind = input._array.dtype
    if kind.kind == "c":
        return input
    return input.to(dtypes.complex64 if kind.itemsize == 4 else dtypes.complex128)
