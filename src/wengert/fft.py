"""Discrete Fourier transforms, as `torch.fft` has them.

Each takes a tensor of any number of dimensions, and computes in the precision of its elements: float32 gives complex64. Integers
and bool count as the default floating-point type. Options that all share:

    n, s   how many elements to transform along `dim`: the input is cut, or filled with zeros at the end; -1 in `s` is as it is
    dim    the dimension, or dimensions, to transform
    norm   what the result is divided by: "backward", the default, is nothing forward and n in the inverse; "forward" the other way
           round; "ortho" is the square root of n in both
    out    a tensor to write the result into

Raises RuntimeError for a length below 1, an unknown `norm`, half precision, and for complex numbers where real ones are asked;
IndexError for a dimension that is not there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import dtypes
from .creation import finish, numpy_dtype
from .device import check_device
from .dtype_names import scalar_name
from .ops.complex_numbers import conj, conj_physical
from .ops.dims import check_tensor, dim_number
from .ops.fourier import FLIPPED, as_complex, c2c, c2r, fit, r2c, transformable
from .ops.inplace import into
from .ops.rearrange import roll
from .tensor import Tensor, wrap_dim

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft",
    "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

_LAST_TWO = (-2, -1)

# ------------------------------------------------------------------------------------------------ arguments


def _norm(function: str, norm: Any) -> str:
    if norm is None:
        return "backward"
    if not isinstance(norm, str):
        raise TypeError(f"{function}(): argument 'norm' must be str, not {type(norm).__name__}")
    if norm not in FLIPPED:
        raise RuntimeError(f'Invalid normalization mode: "{norm}": the modes are "backward", "ortho" and "forward"')
    return norm


def _one(function: str, input: Any, n: Any, dim: Any, norm: Any) -> tuple[Tensor, int | None, int, str]:
    """The arguments of a transform of one dimension, checked."""
    name = f"fft_{function}"
    check_tensor(name, input)
    if n is not None:
        n = dim_number(name, n, "n", 2)
    d = dim_number(name, dim, position=3)
    if not input.ndim:
        raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
    return input, n, wrap_dim(d, input.ndim), _norm(name, norm)


def _integers(function: str, value: Any, name: str, position: int) -> tuple[int, ...]:
    if isinstance(value, (tuple, list)):
        return tuple([dim_number(function, v, name, position) for v in value])
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(
            f"{function}(): argument '{name}' (position {position}) must be tuple of ints, not {type(value).__name__}"
        )
    return (int(value),)


def _several(
    function: str, input: Any, s: Any, dim: Any, norm: Any
) -> tuple[Tensor, tuple[int | None, ...], tuple[int, ...], str]:
    """The arguments of a transform of several dimensions, checked: with a length, or None, for each."""
    name = f"fft_{function}"
    ndim = check_tensor(name, input).ndim
    lengths = None if s is None else _integers(name, s, "s", 2)
    if dim is not None:
        given = _integers(name, dim, "dim", 3)
        for d in given:
            if not ndim:
                raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
        dims = tuple([wrap_dim(d, ndim) for d in given])
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"FFT dims must be unique: {given}")
        if lengths is not None and len(lengths) != len(dims):
            raise RuntimeError(
                f"When given, dim and shape arguments must have the same length: they have {len(dims)} and {len(lengths)}"
            )
    elif lengths is not None:
        if len(lengths) > ndim:
            raise RuntimeError(f"Got shape with {len(lengths)} values but input tensor only has {ndim} dimensions.")
        dims = tuple(range(ndim - len(lengths), ndim))
    else:
        dims = tuple(range(ndim))
    sizes = (None,) * len(dims) if lengths is None else tuple([None if n == -1 else n for n in lengths])
    return input, sizes, dims, _norm(name, norm)


def _real(input: Tensor, refusal: str) -> Tensor:
    if input._array.dtype.kind == "c":
        raise RuntimeError(f"{refusal} {scalar_name(input.dtype)}: take .real, or a transform of complex numbers")
    return transformable(input)


def _at_least_one(function: str, dims: tuple[int, ...]) -> None:
    if not dims:
        raise RuntimeError(f"{function} must transform at least one axis")


def _given(out: Tensor | None, made: Tensor) -> Tensor:
    result: Tensor = made if out is None else into(out, made)
    return result


# ------------------------------------------------------------------------------------------------ one dimension


def _transform(function: str, input: Any, n: Any, dim: Any, norm: Any, out: Any, inverse: bool) -> Tensor:
    x, n, d, mode = _one(function, input, n, dim, norm)
    x = fit(transformable(x), (d,), (n,))
    if x._array.dtype.kind == "c":
        return _given(out, c2c(x, (d,), mode, inverse))
    # of real numbers, the inverse is the conjugate of the transform with the other norm
    made = r2c(x, (d,), FLIPPED[mode] if inverse else mode, False)
    return _given(out, conj(made) if inverse else made)


def fft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The discrete Fourier transform of one dimension: the sum of x[j] exp(-2 pi i j k / n) for each k.

    >>> import wengert
    >>> wengert.fft.fft(wengert.tensor([1.0, 2.0, 3.0, 4.0]))
    tensor([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    return _transform("fft", input, n, dim, norm, out, False)


def ifft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The inverse of `fft`.

    >>> import wengert
    >>> wengert.fft.ifft(wengert.tensor([4.0, 0.0, 0.0, 0.0])).real
    tensor([1., 1., 1., 1.])
    """
    return _transform("ifft", input, n, dim, norm, out, True)


def rfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The first n // 2 + 1 elements of `fft` of a real tensor: the others are conjugates of these.

    >>> import wengert
    >>> wengert.fft.rfft(wengert.tensor([1.0, 2.0, 3.0, 4.0]))
    tensor([10.+0.j, -2.+2.j, -2.+0.j])
    """
    x, n, d, mode = _one("rfft", input, n, dim, norm)
    x = fit(_real(x, "rfft expects a real input tensor, but got"), (d,), (n,))
    return _given(out, r2c(x, (d,), mode, True))


def _to_real(x: Tensor, n: int | None, d: int, mode: str, conjugate: bool) -> Tensor:
    x = as_complex(transformable(x))
    n = 2 * (x.shape[d] - 1) if n is None else n
    x = _half(x, (d,), (None,), n)
    made: Tensor = c2r(conj(x) if conjugate else x, (d,), mode, n)
    return made


def _half(x: Tensor, dims: tuple[int, ...], lengths: tuple[int | None, ...], n: int) -> Tensor:
    """The input of a transform to n real elements along the last dimension: there n // 2 + 1 elements are needed."""
    if n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified: a transform has at least one")
    return fit(x, dims, (*lengths[:-1], n // 2 + 1))


def irfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The inverse of `rfft`: a real tensor of n elements, 2 (m - 1) for an input of m if n is left out.

    >>> import wengert
    >>> wengert.fft.irfft(wengert.tensor([10.0, -2 + 2j, -2.0]))
    tensor([1., 2., 3., 4.])
    """
    x, n, d, mode = _one("irfft", input, n, dim, norm)
    return _given(out, _to_real(x, n, d, mode, False))


def hfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The transform, which is real, of a Hermitian signal of n elements, of which `input` is the first half.

    >>> import wengert
    >>> wengert.fft.hfft(wengert.tensor([1.0, 2.0, 3.0]))
    tensor([ 8., -2.,  0., -2.])
    """
    x, n, d, mode = _one("hfft", input, n, dim, norm)
    return _given(out, _to_real(x, n, d, FLIPPED[mode], True))


def ihfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The inverse of `hfft`: half a Hermitian signal of a real tensor.

    >>> import wengert
    >>> wengert.fft.ihfft(wengert.tensor([8.0, -2.0, 0.0, -2.0])).real
    tensor([1., 2., 3.])
    """
    x, n, d, mode = _one("ihfft", input, n, dim, norm)
    x = fit(_real(x, "ihfft expects a real input tensor, but got"), (d,), (n,))
    return _given(out, conj(r2c(x, (d,), FLIPPED[mode], True)))


# ------------------------------------------------------------------------------------------------ several dimensions


def _transform_all(function: str, input: Any, s: Any, dim: Any, norm: Any, out: Any, inverse: bool) -> Tensor:
    x, lengths, dims, mode = _several(function, input, s, dim, norm)
    return _given(out, c2c(fit(as_complex(transformable(x)), dims, lengths), dims, mode, inverse))


def fftn(
    input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """`fft` of several dimensions, one after the other: all of them, or the last len(s), if `dim` is left out.

    >>> import wengert
    >>> wengert.fft.fftn(wengert.ones(2, 2)).real
    tensor([[4., 0.],
            [0., 0.]])
    """
    return _transform_all("fftn", input, s, dim, norm, out, False)


def ifftn(
    input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The inverse of `fftn`."""
    return _transform_all("ifftn", input, s, dim, norm, out, True)


def fft2(
    input: Tensor, s: Any = None, dim: Any = _LAST_TWO, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """`fftn` of the last two dimensions."""
    return _transform_all("fft2", input, s, dim, norm, out, False)


def ifft2(
    input: Tensor, s: Any = None, dim: Any = _LAST_TWO, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The inverse of `fft2`."""
    return _transform_all("ifft2", input, s, dim, norm, out, True)


def rfftn(
    input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """`fftn` of a real tensor, without the redundant half of the last dimension that is transformed.

    >>> import wengert
    >>> wengert.fft.rfftn(wengert.ones(2, 4)).shape
    torch.Size([2, 3])
    """
    x, lengths, dims, mode = _several("rfftn", input, s, dim, norm)
    x = _real(x, "rfftn expects a real-valued input tensor, but got")
    _at_least_one("rfftn", dims)
    return _given(out, r2c(fit(x, dims, lengths), dims, mode, True))


def rfft2(
    input: Tensor, s: Any = None, dim: Any = _LAST_TWO, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """`rfftn` of the last two dimensions."""
    return rfftn(input, s, dim, norm, out=out)


def _last_length(x: Tensor, lengths: tuple[int | None, ...], dims: tuple[int, ...]) -> int:
    return 2 * (x.shape[dims[-1]] - 1) if lengths[-1] is None else lengths[-1]


def irfftn(
    input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The inverse of `rfftn`: real, with s[-1] elements along the last dimension that is transformed.

    >>> import wengert
    >>> x = wengert.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    >>> wengert.fft.irfftn(wengert.fft.rfftn(x), s=x.shape)
    tensor([[1., 2., 3.],
            [4., 5., 6.]])
    """
    x, lengths, dims, mode = _several("irfftn", input, s, dim, norm)
    _at_least_one("irfftn", dims)
    x = as_complex(transformable(x))
    n = _last_length(x, lengths, dims)
    return _given(out, c2r(_half(x, dims, lengths, n), dims, mode, n))


def irfft2(
    input: Tensor, s: Any = None, dim: Any = _LAST_TWO, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """`irfftn` of the last two dimensions."""
    return irfftn(input, s, dim, norm, out=out)


def hfftn(
    input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The transform, which is real, of a Hermitian signal in several dimensions, given without the second half of the last."""
    x, lengths, dims, mode = _several("hfftn", input, s, dim, norm)
    _at_least_one("hfftn", dims)
    x = as_complex(transformable(x))
    n = _last_length(x, lengths, dims)
    x = _half(x, dims, lengths, n)
    if len(dims) > 1:
        x = c2c(x, dims[:-1], mode, False)
    return _given(out, c2r(conj(x), dims[-1:], FLIPPED[mode], n))


def hfft2(
    input: Tensor, s: Any = None, dim: Any = _LAST_TWO, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """`hfftn` of the last two dimensions."""
    return hfftn(input, s, dim, norm, out=out)


def ihfftn(
    input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The inverse of `hfftn`."""
    x, lengths, dims, mode = _several("ihfftn", input, s, dim, norm)
    _at_least_one("ihfftn", dims)
    x = fit(_real(x, "Only supports floating-point dtypes, but found:"), dims, lengths)
    half = r2c(x, dims[-1:], FLIPPED[mode], True)
    if len(dims) == 1:
        return _given(out, conj(half))
    return _given(out, c2c(conj_physical(half), dims[:-1], mode, True))


def ihfft2(
    input: Tensor, s: Any = None, dim: Any = _LAST_TWO, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The inverse of `hfft2`."""
    return ihfftn(input, s, dim, norm, out=out)


# ------------------------------------------------------------------------------------------------ frequencies


def _frequencies(
    function: str, n: Any, d: Any, whole: bool, out: Any, dtype: Any, layout: Any, device: Any, requires_grad: bool
) -> Tensor:
    name = f"fft_{function}"
    n = dim_number(name, n, "n", 1)
    if isinstance(d, bool) or not isinstance(d, (int, float, np.number)):
        raise TypeError(f"{name}(): argument 'd' (position 2) must be float, not {type(d).__name__}")
    check_device(device, layout)
    target = numpy_dtype(dtype, None if out is None else out.dtype)
    if dtypes.of(target).category < dtypes.FLOAT:
        raise RuntimeError(f"{function} requires a floating point or complex dtype, not {dtypes.of(target)}")
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    k = np.arange(n if whole else n // 2 + 1)
    if whole:
        k[(n + 1) // 2 :] -= n
    with np.errstate(all="ignore"):
        made = (k.astype(target) * target.type(np.float64(1) / (n * np.float64(d)))).astype(target)
    return _given(out, finish(made, requires_grad))


def fftfreq(
    n: int, d: float = 1.0, *, out: Tensor | None = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """The frequencies of `fft` of n samples that are d apart: 0, 1, ... -2, -1, divided by n d.

    >>> import wengert
    >>> wengert.fft.fftfreq(5)
    tensor([ 0.0000,  0.2000,  0.4000, -0.4000, -0.2000])
    """
    return _frequencies("fftfreq", n, d, True, out, dtype, layout, device, requires_grad)


def rfftfreq(
    n: int, d: float = 1.0, *, out: Tensor | None = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """The frequencies of `rfft` of n samples that are d apart.

    >>> import wengert
    >>> wengert.fft.rfftfreq(4)
    tensor([0.0000, 0.2500, 0.5000])
    """
    return _frequencies("rfftfreq", n, d, False, out, dtype, layout, device, requires_grad)


def _shift(function: str, input: Any, dim: Any, there: bool) -> Tensor:
    x, _, dims, _ = _several(function, input, None, dim, None)
    made: Tensor = roll(x, [x.shape[d] // 2 if there else (x.shape[d] + 1) // 2 for d in dims], dims)
    return made


def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The spectrum with the frequency 0 in the middle, along all dimensions or some.

    >>> import wengert
    >>> wengert.fft.fftshift(wengert.fft.fftfreq(4))
    tensor([-0.5000, -0.2500,  0.0000,  0.2500])
    """
    return _shift("fftshift", input, dim, True)


def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The inverse of `fftshift`."""
    return _shift("ifftshift", input, dim, False)
