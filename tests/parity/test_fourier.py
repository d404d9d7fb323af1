"""Fourier transforms: values, nodes and errors as PyTorch's."""

import numpy as np
import pytest

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
