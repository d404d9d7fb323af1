"""Short-time Fourier transforms: the spectrum of each of many overlapping frames of a signal, and the signal back from them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .. import dtypes
from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap
from .complex_numbers import view_as_real
from .declare import linear
from .dims import check_tensor, dim_number
from .expose import expose
from .fourier import c2c, c2r, r2c
from .padding import functional_pad, pad_constant
from .selecting import view_between
from .strided import _fold_windows, _windows

_frames = linear(
    # named as in PyTorch, which cuts the frames out with strides of its own
    "frames", lambda a, size, step: _windows(a, 1, size, step),
    lambda F, t, self_shape, size, step: F.unfold_backward(t, self_shape, 1, size, step), ("size", "step"),
    view=True, holomorphic=False, node="AsStridedBackward0",
)  # fmt: skip


def _window_of(window: Any, win_length: int, n_fft: int, dtype: Any) -> Any:
    """The window in the middle of n_fft samples, None where it is 1 throughout."""
    if window is None and win_length == n_fft:
        return None
    left = (n_fft - win_length) // 2
    if window is None:
        made = np.zeros(n_fft, dtype)
        made[left : left + win_length] = 1
        return wrap(made)
    return window if win_length == n_fft else pad_constant(window, ((left, n_fft - win_length - left),), 0)


def _described(window: Any) -> str:
    if window is None:
        return "None"
    return f"torch.{scalar_name(window.dtype)}Tensor{{{list(window.shape)}}}"


def _numbers(function: str, n_fft: Any, hop_length: Any, win_length: Any) -> tuple[int, int, int]:
    n = dim_number(function, n_fft, "n_fft", 2)
    hop = n // 4 if hop_length is None else dim_number(function, hop_length, "hop_length", 3)
    return n, hop, n if win_length is None else dim_number(function, win_length, "win_length", 4)


def _optional(value: Any) -> str:
    return "None" if value is None else str(int(value))


def stft(
    input: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Tensor | None = None,
    center: bool = True, pad_mode: str = "reflect", normalized: bool = False, onesided: bool | None = None,
    return_complex: bool | None = None, align_to_window: bool | None = None,
) -> Tensor:  # fmt: skip
    """The short-time Fourier transform of a signal, or of several.

    input       of shape (length,) or (batch, length), real or complex
    n_fft       the length of each frame; win_length: how much of it the window covers, by default all
    hop_length  from frame to frame, by default n_fft // 4
    window      a vector of win_length, by default of ones
    center      extend the signal by half a frame at both ends, as `pad_mode` says, so that frame k is about sample k hop_length
    normalized  divide by sqrt(n_fft)
    onesided    leave out the redundant half; by default where signal and window are real
    return_complex   must be given for real signals; False, deprecated, gives real and imaginary parts as a last dimension

    Returns (batch, frequencies, frames). Raises RuntimeError for lengths that do not fit.

    >>> import wengert
    >>> wengert.stft(wengert.ones(16), 8, window=wengert.hann_window(8), return_complex=True).shape
    torch.Size([5, 9])
    """
    check_tensor("stft", input)
    n, hop, width = _numbers("stft", n_fft, hop_length, win_length)
    any_complex = input.is_complex() or (window is not None and check_tensor("stft", window, "window", 5).is_complex())
    if return_complex is None:
        if not any_complex:
            raise RuntimeError(
                "stft requires the return_complex parameter be given for real inputs, and will further require that "
                "return_complex=True in a future PyTorch release."
            )
        return_complex = True
    if window is None:
        warnings.warn(
            "A window was not provided. A rectangular window will be applied,which is known to cause spectral leakage. Other "
            "windows such as torch.hann_window or torch.hamming_window are recommended to reduce spectral leakage."
            "To suppress this warning and use a rectangular window, explicitly set `window=torch.ones(n_fft, device=<device>)`.",
            UserWarning, stacklevel=2,
        )  # fmt: skip
    if not return_complex:
        warnings.warn(
            "stft with return_complex=False is deprecated. In a future pytorch release, stft will return complex tensors for all "
            "inputs, and return_complex=False will raise an error.\nNote: you can still call torch.view_as_real on the complex "
            "output to recover the old return format.",
            UserWarning, stacklevel=2,
        )  # fmt: skip
    if center and align_to_window is not None:
        raise RuntimeError("stft align_to_window should only be set when center = false")
    signal = input
    if center:
        extra = 3 - signal.ndim
        signal = signal.view((1,) * extra + tuple(signal.shape))
        signal = functional_pad(signal, (n // 2, n // 2), pad_mode)
        signal = signal.view(tuple(signal.shape)[extra:])
    about = (
        f"stft(torch.{scalar_name(signal.dtype)}Tensor{list(signal.shape)}, n_fft={n}, hop_length={hop}, win_length={width}, "
        f"window={_described(window)}, normalized={int(normalized)}, onesided={_optional(onesided)}, "
        f"return_complex={int(return_complex)}, align_to_window={_optional(align_to_window)}) : expected"
    )
    if signal.dtype.category < dtypes.FLOAT:
        raise RuntimeError(f"{about} a tensor of floating point or complex values")
    if not 1 <= signal.ndim <= 2:
        raise RuntimeError(f"{about} a 1D or 2D tensor")
    length = signal.shape[-1]
    if not 0 < n <= length:
        raise RuntimeError(f"{about} 0 < n_fft < {length}, but got n_fft={n}")
    if hop <= 0:
        raise RuntimeError(f"{about} hop_length > 0, but got hop_length={hop}")
    if not 0 < width <= n:
        raise RuntimeError(f"{about} 0 < win_length <= n_fft, but got win_length={width}")
    if window is not None and tuple(window.shape) != (width,):
        raise RuntimeError(
            f"{about} a 1D window tensor of size equal to win_length={width}, but got window with size {list(window.shape)}"
        )
    if onesided and any_complex:
        raise RuntimeError("Cannot have onesided output if window or input is complex")
    if align_to_window:
        short = (n - width) // 2
        signal = pad_constant(signal, ((short, short),), 0)
    batched = signal if signal.ndim == 2 else signal.unsqueeze(0)
    frames = _frames(batched, n, hop)
    weights = _window_of(window, width, n, signal._array.dtype)
    if weights is not None:
        frames = frames * weights
    if frames._array.dtype.char not in "fdFD":
        raise RuntimeError(
            f"MKL FFT doesn't support tensors of type: {scalar_name(frames.dtype)}; convert with .float()"
        )
    norm = "ortho" if normalized else "backward"
    if frames.is_complex():
        made = c2c(frames, (2,), norm, False)
    else:
        made = r2c(frames, (2,), norm, onesided is not False)
    made.transpose_(1, 2)  # in place, as its node's name in PyTorch says
    if signal.ndim == 1:
        made.squeeze_(0)
    return made if return_complex else view_as_real(made)


def istft(
    input: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Tensor | None = None,
    center: bool = True, normalized: bool = False, onesided: bool | None = None, length: int | None = None,
    return_complex: bool = False,
) -> Tensor:  # fmt: skip
    """The inverse of `stft` for the same options: the signal whose frames fit best, by least squares (Griffin and Lim, 1984).

    input    complex, of shape (frequencies, frames) or (batch, frequencies, frames)
    length   how many samples to give: the rest is cut off, and what is missing is filled with zeros

    Raises RuntimeError for what does not fit, and where the windows leave a sample out.

    >>> import wengert
    >>> x = wengert.arange(16.0)
    >>> window = wengert.hann_window(8)
    >>> spectrum = wengert.stft(x, 8, window=window, return_complex=True)
    >>> wengert.allclose(wengert.istft(spectrum, 8, window=window), x, atol=1e-5)
    True
    """
    check_tensor("istft", input)
    n, hop, width = _numbers("istft", n_fft, hop_length, win_length)
    if window is None:
        warnings.warn(
            "A window was not provided. A rectangular window will be applied."
            "Please provide the same window used by stft to make the inversion lossless."
            "To suppress this warning and use a rectangular window, explicitly set `window=torch.ones(n_fft, device=<device>)`.",
            UserWarning, stacklevel=2,
        )  # fmt: skip
    if not input.is_complex():
        raise RuntimeError(
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True."
        )
    shape = tuple(input.shape)
    about = (
        f"istft(CPU{scalar_name(input.dtype)}Type{list(shape)}, n_fft={n}, hop_length={hop}, win_length={width}, "
        f"window={_described(window)}, center={int(center)}, normalized={int(normalized)}, onesided={_optional(onesided)}, "
        f"length={length}, return_complex={int(return_complex)})"
    )
    if len(shape) < 2:
        raise IndexError(f"Dimension out of range (expected to be in range of [-2, 1], but got -3): {about}")
    whole = shape[-2] == n and not (onesided or (onesided is None and n // 2 + 1 == n))
    one_side = onesided if onesided is not None else not whole
    if not input._array.size:
        raise RuntimeError(f"{about} : input tensor cannot be empty.")
    if len(shape) > 3:
        raise RuntimeError(f"{about} : expected a tensor with 3 or 4 dimensions, but got {len(shape) + 1}")
    if shape[-2] != (n // 2 + 1 if one_side else n):
        raise RuntimeError(
            f"{about} : expected the frequency dimension (3rd to the last) of the input tensor to match "
            f"{'n_fft / 2 + 1' if one_side else 'n_fft'} when onesided={one_side}, but got {shape[-2]}"
        )
    if not 0 < hop <= width:
        raise RuntimeError(f"{about} : expected 0 < hop_length <= win_length")
    if not 0 < width <= n:
        raise RuntimeError(f"{about} : expected 0 < win_length <= n_fft")
    if window is not None and tuple(check_tensor("istft", window, "window", 5).shape) != (width,):
        raise RuntimeError(f"{about} : Invalid window shape. window has to be 1D and length of `win_length`")
    if return_complex and (one_side or onesided):
        raise RuntimeError("Cannot have onesided output if window or input is complex")
    if not return_complex and window is not None and window.is_complex():
        raise RuntimeError("Complex windows are incompatible with return_complex=False")

    real = input._array.real.dtype
    weights = _window_of(window, width, n, real)
    if weights is None:
        weights = wrap(np.ones(n, real))
    batched = (input if len(shape) == 3 else input.unsqueeze(0)).transpose(1, 2)
    norm = "ortho" if normalized else "backward"
    if return_complex:
        frames = c2c(batched, (2,), norm, True)
    else:
        frames = c2r(batched if one_side else view_between(batched, 2, 0, n // 2 + 1, 1), (2,), norm, n)
    count = shape[-1]
    total = n + hop * (count - 1)
    spread = _fold_windows(frames * weights, (batched.shape[0], total), 1, n, hop)
    power = (weights * weights).expand(1, count, n)
    envelope = _fold_windows(power, (1, total), 1, n, hop)
    start = n // 2 if center else 0
    end = start + length if length is not None else total - n // 2 if center else total
    end = min(max(end, start), total)
    if end == start:
        raise RuntimeError(f"{about} : no sample is left between {start} and {end}")
    spread, envelope = view_between(spread, 1, start, end, 1), view_between(envelope, 1, start, end, 1)
    least = float(np.abs(envelope._array).min())
    if not least > 1e-11:
        raise RuntimeError(f"{about} window overlap add min: 1: the windows leave samples out, {least} is too small")
    made = spread / envelope
    if len(shape) == 2:
        made = made.squeeze(0)
    if length is not None and end - start < length:
        warnings.warn(
            "The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail. Please "
            "check your center and hop_length settings.",
            UserWarning, stacklevel=2,
        )  # fmt: skip
        made = pad_constant(made, ((0, length - (end - start)),), 0)
    return made


__all__ = expose(__name__, functions="stft istft", methods="stft istft")
