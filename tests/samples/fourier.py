"""Fourier transforms."""

import numpy as np

from . import S, T


def _c(*shape, **kind):
    return T(*shape, complex=True, **kind)


def _by(function):
    return lambda a, n=None, dim=-1, norm=None: function(a, n, dim, norm)


def _all(function):
    return lambda a, s=None, dim=None, norm=None: function(a, s, dim or (range(-len(s), 0) if s else None), norm)


SAMPLES = [
    S("fft.fft", _c(3, 5), value=_by(np.fft.fft)),
    S("fft.fft", T(3, 4), n=6, dim=0, norm="ortho", value=_by(np.fft.fft)),
    S("fft.fft", _c(3, 4, transposed=True), n=2, norm="forward", value=_by(np.fft.fft)),
    S("fft.fft", _c(0, 4), value=_by(np.fft.fft)),
    S("fft.ifft", _c(5), norm="forward", value=_by(np.fft.ifft)),
    S("fft.ifft", T(2, 5), n=4, value=_by(np.fft.ifft)),
    *[S("fft.rfft", T(2, 5), n=n, value=_by(np.fft.rfft)) for n in (None, 1, 4, 6)],
    S("fft.rfft", T(4, 2, transposed=True), dim=0, norm="ortho", value=_by(np.fft.rfft)),
    *[S("fft.irfft", _c(2, 4), n=n, value=_by(np.fft.irfft)) for n in (None, 1, 2, 5, 9)],
    S("fft.irfft", T(4, 2), dim=0, norm="forward", value=_by(np.fft.irfft)),
    *[S("fft.hfft", _c(2, 4), n=n, value=_by(np.fft.hfft)) for n in (None, 5)],
    S("fft.ihfft", T(2, 5), norm="ortho", value=_by(np.fft.ihfft)),
    S("fft.fftn", _c(2, 3, 4), value=_all(np.fft.fftn)),
    S("fft.fftn", T(), value=_all(np.fft.fftn)),
    S("fft.fftn", T(2, 3, 2), s=(-1, 4), norm="ortho"),
    S("fft.ifftn", _c(2, 3), dim=(1, 0), value=_all(np.fft.ifftn)),
    S("fft.ifft2", _c(2, 3), s=(3, 2), value=_all(np.fft.ifftn)),
    S("fft.rfftn", T(2, 3, 4), dim=(2, 0), value=_all(np.fft.rfftn)),
    S("fft.rfft2", T(3, 3), s=(2, 4), value=_all(np.fft.rfftn)),
    S("fft.irfftn", _c(3, 2, 3), dim=(0, 2), norm="ortho", value=_all(np.fft.irfftn)),
    S("fft.irfft2", _c(3, 3), s=(2, 5), value=_all(np.fft.irfftn)),
    S("fft.hfft2", _c(3, 3), s=(4, 5), norm="ortho"),
    S("fft.hfftn", _c(3, 3), dim=(0,)),
    S("fft.ihfft2", T(3, 4), norm="forward"),
    S("fft.ihfftn", T(3, 4), dim=(0,)),
    S("fft.fftshift", T(3, 4), value=np.fft.fftshift),
    S("fft.ifftshift", T(3, 5), dim=1, value=lambda a, dim: np.fft.ifftshift(a, dim)),
]

SAMPLES += [
    S("stft", T(2, 20), 8, window=T(8, low=0.5), return_complex=True),
    S("stft", T(16), 8, 3, 5, window=T(5, low=0.5), return_complex=True, pad_mode="constant", normalized=True),
    S("stft", T(16), 8, window=T(6, low=0.5), win_length=6, return_complex=True, center=False, onesided=False),
    S("stft", _c(2, 16), 8, window=T(8, low=0.5), pad_mode="circular"),
    S("istft", _c(2, 5, 6), 8, window=T(8, low=0.5)),
    S("istft", _c(5, 6), 8, 3, window=T(8, low=0.5), center=False, length=21, normalized=True),
    S("istft", _c(8, 4), 8, window=T(6, low=0.5), win_length=6, onesided=False, return_complex=True),
]
