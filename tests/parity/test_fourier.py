"""Fourier transforms: values, nodes and errors as PyTorch's."""

import numpy as np
import pytest

import wengert

from .outcomes import assert_same_outcome, calls

torch = pytest.importorskip("torch")

_rng = np.random.default_rng(5)
ARRAYS = {
    "x": _rng.standard_normal((4, 6)),
    "v": _rng.standard_normal(16).astype(np.float32),
    "c": _rng.standard_normal((4, 6)) + 1j * _rng.standard_normal((4, 6)),
    "i": np.arange(6),
    "h": np.ones(4, np.float16),
    "o": np.array(1.5),
    "w": np.linspace(0.5, 1.5, 8),
    "s": _rng.standard_normal((2, 5, 6)) + 1j * _rng.standard_normal((2, 5, 6)),
    "z": _rng.standard_normal((2, 8, 4)) + 1j * _rng.standard_normal((2, 8, 4)),
    "y": _rng.standard_normal((2, 24)),
}
CASES = calls(
    """
    torch.fft.fft(x); torch.fft.ifft(x); torch.fft.fft(x, n=8, dim=0); torch.fft.fft(v, 5, norm="ortho"); torch.fft.fft(i)
    torch.fft.ifft(i > 2, norm="forward"); torch.fft.rfft(v); torch.fft.rfft(x, 4, 0); torch.fft.irfft(x); torch.fft.irfft(c, 5)
    torch.fft.hfft(x, n=4); torch.fft.ihfft(v, n=7); torch.fft.fft2(x, s=(6, 4)); torch.fft.ifft2(x, norm="forward")
    torch.fft.rfftn(x, s=(5, 7)); torch.fft.rfft2(x, s=(3, -1)); torch.fft.irfft2(x); torch.fft.irfftn(x, s=(6, 6))
    torch.fft.hfft2(x); torch.fft.hfftn(x, dim=(0,)); torch.fft.hfft2(x, s=(3, 8)); torch.fft.ihfft2(x, s=(5, 5))
    torch.fft.ihfftn(x, dim=(1, 0)); torch.fft.ihfftn(x, dim=(0,)); torch.fft.fftn(x, dim=()); torch.fft.fftn(o)
    torch.fft.fftshift(x); torch.fft.ifftshift(x, dim=0); torch.fft.fftfreq(5, 0.3); torch.fft.rfftfreq(6, dtype=torch.float64)
    torch.fft.fftfreq(0); torch.fft.rfftfreq(0); torch.fft.fftfreq(4, 0.0)
    torch.fft.rfft(c); torch.fft.ihfft(c); torch.fft.rfftn(c); torch.fft.ihfft2(c); torch.fft.fft(h); torch.fft.irfft(h)
    torch.fft.fft(x, n=0); torch.fft.fft(x, n=-1); torch.fft.irfft(c, n=0); torch.fft.irfft(c[:, :1]); torch.fft.fft(x, dim=3)
    torch.fft.fft(x, norm="x"); torch.fft.fft(x, norm=3); torch.fft.fft(o); torch.fft.rfftn(o); torch.fft.fft2(o)
    torch.fft.fftn(x, s=(3, 2, 2)); torch.fft.fftn(x, s=(3, 3), dim=(0,)); torch.fft.fftn(x, dim=(0, 0))
    torch.fft.fftn(x, dim=(0, 5)); torch.fft.fftn(x, s=(0, 3)); torch.fft.hfftn(c, dim=()); torch.fft.irfft2(c, s=(4, 0))
    torch.fft.fft("a"); torch.fft.fft(x, "a"); torch.fft.fftn(x, "a"); torch.fft.fftshift(o)
    torch.fft.fftfreq(4, dtype=torch.int64); torch.fft.fftfreq(-1); torch.fft.fftfreq(3.0); torch.fft.fftfreq(4, "a")
    """
)


@pytest.mark.parametrize("text", CASES)
def test_transforms(text):
    assert_same_outcome(torch, ARRAYS, text)


SHORT = calls(
    """
    torch.stft(y, 8, window=w, return_complex=True); torch.stft(y[0], 8, 3, 5, return_complex=True, normalized=True)
    torch.stft(y, 8, return_complex=True, center=False); y.stft(8, window=w, onesided=False, return_complex=True)
    torch.stft(y, 8, window=w, return_complex=True, pad_mode="replicate"); torch.stft(v, 8, return_complex=False)
    torch.stft(y, 8, window=w, return_complex=True, pad_mode="constant"); torch.stft(y[:, :16], 8, window=w + 0j)
    torch.stft(y, 8, win_length=4, center=False, align_to_window=True, return_complex=True); torch.stft(v, 8)
    torch.stft(v, 40, return_complex=True); torch.stft(v, 0, return_complex=True); torch.stft(v, 8, hop_length=0, return_complex=True)
    torch.stft(v, 8, win_length=9, return_complex=True); torch.stft(v, 8, window=v[:5], return_complex=True)
    torch.stft(i.repeat(9), 8, return_complex=True, center=False); torch.stft(y[None, None], 8, return_complex=True, center=False)
    torch.stft(v, 8, window=w + 0j, onesided=True, return_complex=True); torch.stft(v, 8, return_complex=True, pad_mode="x")
    torch.stft(v, 8, return_complex=True, align_to_window=True); torch.stft(v, 20, return_complex=True, center=False)
    torch.istft(s, 8, window=w); torch.istft(s, 8, window=w, length=7); torch.istft(s, 8, window=w, length=30)
    torch.istft(s[0], 8, window=w, center=False, normalized=True); torch.istft(z, 8, window=w); torch.istft(s, 8)
    torch.istft(z, 8, window=w, onesided=False, return_complex=True); s.istft(8, 2, 6, window=w[:6]); torch.istft(y, 8, window=w)
    torch.istft(s, 10, window=w, win_length=8); torch.istft(s, 8, hop_length=9, window=w); torch.istft(s, 8, window=w[:7])
    torch.istft(s, 8, window=w + 0j); torch.istft(s, 8, window=w, return_complex=True); torch.istft(s[None], 8, window=w)
    torch.istft(s[:0], 8, window=w); torch.istft(s, 8, win_length=9, window=w)
    """
)


@pytest.fixture
def every_warning():
    """PyTorch gives most warnings once only."""
    torch.set_warn_always(True)
    yield
    torch.set_warn_always(False)


@pytest.mark.parametrize("text", SHORT)
def test_short_time(text, every_warning):
    assert_same_outcome(torch, ARRAYS, text)


def test_windows_that_leave_samples_out():
    said = []
    for lib in (torch, wengert):
        with pytest.raises(RuntimeError) as caught:
            lib.istft(lib.from_numpy(ARRAYS["s"]), 8, window=lib.zeros(8))
        said.append(str(caught.value).partition("min: 1")[0])
    assert said[0] == said[1]
