"""Sampling at grids says the same as PyTorch's: values, gradients, second derivatives, nodes, errors, warnings."""

from __future__ import annotations

import numpy as np
import pytest

import wengert

from .outcomes import assert_same_outcome, calls

torch = pytest.importorskip("torch")

_rng = np.random.default_rng(8)
ARRAYS = {
    "y": _rng.normal(size=(2, 3, 4, 5)).astype(np.float32),
    "z": _rng.normal(size=(2, 2, 3, 4, 2)).astype(np.float32),
    "g": _rng.uniform(-1.5, 1.5, (2, 4, 3, 2)).astype(np.float32),
    "h": _rng.uniform(-1.5, 1.5, (2, 2, 1, 3, 3)).astype(np.float32),
    "t": _rng.normal(size=(2, 2, 3)).astype(np.float32),
    "u": _rng.normal(size=(2, 3, 4)).astype(np.float32),
    "k": _rng.integers(0, 9, (2, 3, 4, 5)),
    "n": np.array([np.nan, 0.2, np.inf, 0.2, -np.inf, 0.5, 1e20, 0.0], np.float32).reshape(1, 1, 4, 2),
}
CALLS = """
F.grid_sample(y, g); F.grid_sample(y.half(), g.half(), align_corners=False); F.grid_sample(z.bfloat16(), h.bfloat16(), align_corners=True)
F.grid_sample(y[:, :0], g, align_corners=True); F.grid_sample(y[:0], g[:0], align_corners=True)
F.grid_sample(y, g[:, :0], align_corners=True); F.grid_sample(y.transpose(2, 3), g, align_corners=True)
F.grid_sample(y[:1, :, :1, :1], g[:1], "bilinear", "reflection", True); F.grid_sample(y, g.transpose(1, 2), align_corners=False)
F.grid_sample(y[:1], n, align_corners=True).detach(); F.grid_sample(y[:1], n, "nearest", align_corners=False).detach()
F.grid_sample(y[:1], n, padding_mode="border", align_corners=True).detach(); F.grid_sample(y, g, "foo"); F.grid_sample(y, g, "bilinear", "foo")
F.grid_sample(z, h, "bicubic", align_corners=True); F.grid_sample(y, g[:1], align_corners=True); F.grid_sample(y, h, align_corners=True)
F.grid_sample(y, h[..., :2], align_corners=True); F.grid_sample(z, h[:, 0], align_corners=True); F.grid_sample(y[0], g, align_corners=True)
F.grid_sample(y, g.double(), align_corners=True); F.grid_sample(k, g, align_corners=True); F.grid_sample(z.long(), h, align_corners=True)
F.grid_sample(y[..., :0], g, align_corners=True); F.grid_sample([1.0], g, align_corners=True); F.grid_sample(y, [1.0], align_corners=True)
F.grid_sample(y[0, 0, 0, 0], g, align_corners=True); torch.grid_sampler(y, g, 0, 1, True); torch.grid_sampler_3d(z, h, 1, 2, False)
F.affine_grid(t, (2, 3, 4, 5)); F.affine_grid(t, (2, 3, 4, 5), True); F.affine_grid(u, (2, 1, 2, 4, 3), False)
F.affine_grid(t, (2, 3, 1, 1), True); F.affine_grid(t, (2, 3, 1, 4), False); F.affine_grid(t.half(), (2, 3, 2, 2), False)
F.affine_grid(k, (2, 3, 4, 5), True); F.affine_grid(t, (2, 3, 4), True); F.affine_grid(t, (2, 3, 4, 5, 6), True)
F.affine_grid(u, (2, 3, 4, 5), True); F.affine_grid(t[0], (2, 3, 4, 5), True); F.affine_grid(t, (3, 3, 4, 5), True)
F.affine_grid(t, (2, 3, 0, 5), True); F.affine_grid(t, [2, 3, -1, 5], True); F.affine_grid(t, (2, 3, 1.5, 5), True)
F.affine_grid([1.0], (2, 3, 4, 5), True); torch.affine_grid_generator(t, (2, 1, 4), True); torch.affine_grid_generator(u, (2, 1, 2, 4, 3), True)
F.grid_sample(y, F.affine_grid(t, (2, 3, 4, 5), False), padding_mode="reflection", align_corners=False)
"""


@pytest.mark.parametrize("text", calls(CALLS))
def test_same_outcome(text):
    assert_same_outcome(torch, ARRAYS, text, tolerance=2e-5)


@pytest.mark.parametrize("align", [True, False])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
def test_first_and_second_derivatives(mode, padding, align):
    """At random points, and at those of the elements, their borders and beyond, where slopes change."""
    rng = np.random.default_rng(9)
    for trial in range(12):
        rank = 2 if mode == "bicubic" else 2 + trial % 2
        x = rng.normal(size=(2, 2, *rng.integers(1, 6, rank)))
        grid = rng.uniform(-1.8, 1.8, (2, *rng.integers(1, 4, rank), rank))
        if trial % 3 == 0:
            grid = np.round(grid * 4) / 4
        t = rng.normal(size=(2, 2, *grid.shape[1:-1]))
        found = []
        for lib in (torch, wengert):
            inputs = [lib.from_numpy(a.copy()).requires_grad_() for a in (x, grid)]
            out = lib.nn.functional.grid_sample(*inputs, mode, padding, align)
            first = lib.autograd.grad(out, inputs, lib.from_numpy(t), create_graph=True)
            values = [out, *first]
            if mode != "nearest":
                second = lib.autograd.grad([f.pow(2).sum() for f in first], inputs, allow_unused=True)
                values += [lib.zeros(1, dtype=lib.float64) if s is None else s for s in second]
            found.append([v.detach().numpy() for v in values])
        for got, want in zip(found[1], found[0], strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-9)
