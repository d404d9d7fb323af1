"""Resizing and rearranging of pixels say the same as PyTorch's: values, gradients, nodes, printed modules, errors, warnings."""

from __future__ import annotations

import numpy as np
import pytest

from .alike import assert_alike
from .outcomes import assert_same_outcome, calls

torch = pytest.importorskip("torch")

_rng = np.random.default_rng(5)
ARRAYS = {
    "x": _rng.normal(size=(2, 3, 8)).astype(np.float32),
    "y": _rng.normal(size=(2, 4, 7, 8)).astype(np.float32),
    "z": _rng.normal(size=(1, 2, 5, 6, 4)).astype(np.float32),
    "k": _rng.integers(0, 255, (2, 3, 9, 8)).astype(np.uint8),
    "c": _rng.normal(size=(1, 8, 2, 3)).astype(np.float32),
}
CALLS = """
F.interpolate(x, 5); F.interpolate(y, (9, 20)); F.interpolate(z, scale_factor=(1.5, 2, 0.7)); F.interpolate(y, scale_factor=2)
F.interpolate(x, 5, mode="nearest-exact"); F.interpolate(y, (100, 90), mode="nearest-exact"); F.interpolate(k, (5, 20))
F.interpolate(z, (9, 2, 4), mode="nearest-exact"); F.interpolate(x, 13, mode="linear"); F.interpolate(x, 5, mode="linear", align_corners=True)
F.interpolate(x, scale_factor=1.6, mode="linear"); F.interpolate(x, scale_factor=1.6, mode="linear", recompute_scale_factor=True)
F.interpolate(y, (9, 20), mode="bilinear"); F.interpolate(y, (3, 8), mode="bilinear", align_corners=True)
F.interpolate(y, scale_factor=(0.4, 2.3), mode="bilinear"); F.interpolate(y, (9, 20), mode="bicubic")
F.interpolate(y, (3, 8), mode="bicubic", align_corners=True); F.interpolate(y, scale_factor=(0.4, 2.3), mode="bicubic")
F.interpolate(z, (9, 2, 4), mode="trilinear"); F.interpolate(z, scale_factor=1.3, mode="trilinear", align_corners=True)
F.interpolate(y, (3, 10), mode="bilinear", antialias=True); F.interpolate(y, (3, 10), mode="bicubic", antialias=True)
F.interpolate(y, scale_factor=0.3, mode="bicubic", antialias=True); F.interpolate(y, (3, 2), mode="bicubic", antialias=True, align_corners=True)
F.interpolate(x, 3, mode="area"); F.interpolate(y, (3, 10), mode="area"); F.interpolate(z, (3, 4, 2), mode="area")
F.interpolate(k, (5, 20), mode="bilinear"); F.interpolate(k, (20, 5), mode="bicubic"); F.interpolate(k, (4, 4), mode="bilinear", antialias=True)
F.interpolate(k, (4, 11), mode="bicubic", antialias=True); F.interpolate(k, (9, 5), mode="bicubic", align_corners=True)
F.interpolate(y.half(), (9, 20), mode="bilinear"); F.interpolate(x.bfloat16(), 11, mode="linear"); F.interpolate(y.half(), 3)
F.interpolate(y[:0], (9, 20), mode="bilinear"); F.interpolate(y.transpose(2, 3), (9, 20), mode="bicubic")
F.interpolate(y); F.interpolate(y, 4, 2); F.interpolate(y, (3, 4, 5)); F.interpolate(y, scale_factor=(3, 4, 5)); F.interpolate(y, 0)
F.interpolate(y, -1); F.interpolate(y, scale_factor=0.1); F.interpolate(y, scale_factor=-1.0); F.interpolate(y, 2, mode="foo")
F.interpolate(y, 3, mode="linear"); F.interpolate(x, 3, mode="bilinear"); F.interpolate(x, 3, mode="trilinear")
F.interpolate(x, 3, mode="bicubic"); F.interpolate(z, 3, mode="bicubic"); F.interpolate(x[0], 3); F.interpolate(z[None], 3)
F.interpolate(y, 3, align_corners=True); F.interpolate(y, 3, mode="area", align_corners=False); F.interpolate(y, 3, antialias=True)
F.interpolate(x, 3, mode="linear", antialias=True); F.interpolate(y, 3, recompute_scale_factor=True); F.interpolate(y, (1, "a"))
F.interpolate(y, (1, 2.5)); F.interpolate(y, [3]); F.interpolate(y.long(), 3); F.interpolate(x.long(), 3, mode="linear")
F.interpolate(y.int(), 3, mode="bilinear"); F.interpolate(y > 0, 3, mode="bicubic"); F.interpolate(k[0], 3, mode="linear")
F.interpolate(z.long(), 3, mode="trilinear"); F.interpolate(y.half(), 3, mode="bilinear", antialias=True)
F.interpolate(y.long(), 3, mode="area"); F.interpolate(x[:, :0], 3); F.interpolate(x[..., :0], 3); F.interpolate(y[:, :0], 3, mode="bilinear")
F.interpolate(y[..., :0], 3, mode="bilinear"); F.interpolate(z[:, :, :0], 3); F.interpolate([1.0], 3)
F.upsample(y, 4); F.upsample_bilinear(y, scale_factor=2); F.upsample_nearest(y, 5); F.upsample_bilinear(z, 4)
F.pixel_shuffle(c, 2); torch.pixel_shuffle(c[0], 2); F.pixel_shuffle(c[None], 2); F.pixel_shuffle(c, 3); F.pixel_shuffle(c, 0)
F.pixel_shuffle(c[0, 0], 2); F.pixel_shuffle(c, 2.0); F.pixel_shuffle(c[:0], 2).detach(); F.pixel_shuffle([1.0], 2); F.pixel_shuffle(c, -2)
F.pixel_unshuffle(y[..., :6, :], 2); F.pixel_unshuffle(y, 2); F.pixel_unshuffle(y.transpose(2, 3), 2); F.pixel_unshuffle(y, 0)
F.pixel_unshuffle(x[0], 2); F.pixel_unshuffle(y, 2.0); F.pixel_unshuffle(y.transpose(2, 3)[..., :6], 2)
F.channel_shuffle(y, 2); F.channel_shuffle(c, 4); F.channel_shuffle(x, 2); F.channel_shuffle(y, 0); F.channel_shuffle(x[0], 2)
F.channel_shuffle(y, -1); F.channel_shuffle(y, 2.0); F.channel_shuffle(y[:, :0], 2).detach(); F.native_channel_shuffle(y.detach(), 2)
"""


@pytest.mark.parametrize("text", calls(CALLS))
def test_same_outcome(text):
    assert_same_outcome(torch, ARRAYS, text, tolerance=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("mode", ["nearest", "nearest-exact", "linear", "bicubic"])
def test_where_positions_are_rounded(mode, dtype):
    """For many sizes and factors, which element is nearest and with what weight."""
    rng = np.random.default_rng(6)
    for trial in range(120):
        n = int(rng.integers(1, 60))
        shape = (1, 1, n) if mode == "linear" or (trial % 3 == 0 and mode != "bicubic") else (1, 1, 2, n)
        if trial % 2:
            factor = round(float(rng.uniform(0.3, 4)), 1)
            if int(n * factor) < 1:
                continue
            wanted = f"scale_factor={factor if len(shape) == 3 else (1.0, factor)}"
        else:
            m = int(rng.integers(1, 150))
            wanted = f"size={m if len(shape) == 3 else (2, m)}"
        arrays = {"x": np.arange(n, dtype=dtype) * np.ones(shape, dtype)}
        # detached: of some sizes PyTorch's backward pass of the nearest takes other elements than its forward pass
        detach = ".detach()" if "nearest" in mode else ""
        assert_same_outcome(torch, arrays, f"F.interpolate(x, {wanted}, mode='{mode}'){detach}", 3e-5)


SCRIPTS = {
    "modules": """
for text in '''Upsample(4); Upsample(scale_factor=2, mode="bilinear", align_corners=True); Upsample(scale_factor=(2, 3))
Upsample((3, 4), mode="area", recompute_scale_factor=True); Upsample(); UpsamplingNearest2d(4); UpsamplingBilinear2d(scale_factor=2)
PixelShuffle(2); PixelUnshuffle(3); ChannelShuffle(2)'''.replace(chr(10), ';').split(';'):
    module = eval('nn.' + text.strip())
    print(module, {k: v for k, v in sorted(vars(module).items()) if not k.startswith('_') and k != 'training'})
x = torch.arange(32.0).reshape(1, 4, 2, 4).sin()
print(nn.Upsample(scale_factor=2)(x), nn.Upsample((3, 3), mode='bicubic')(x), nn.UpsamplingNearest2d((3, 2))(x))
print(nn.UpsamplingBilinear2d(scale_factor=(2, 1))(x), nn.PixelShuffle(2)(x), nn.PixelUnshuffle(2)(x), nn.ChannelShuffle(2)(x))
attempt(nn.Upsample(), x)
""",
}  # fmt: skip


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts(name):
    assert_alike(torch, SCRIPTS[name])
