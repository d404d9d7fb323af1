"""Sampling at grids: what the samples of operations cannot say."""

from __future__ import annotations

import numpy as np
import pytest

import wengert as w
import wengert.nn.functional as F


def test_the_grid_that_nothing_moves_gives_the_image():
    x = w.rand(2, 3, 4, 5, dtype=w.float64)
    same = w.eye(2, 3, dtype=w.float64).expand(2, 2, 3)
    for mode in ("bilinear", "nearest", "bicubic"):
        for align in (True, False):
            grid = F.affine_grid(same, (2, 3, 4, 5), align)
            assert w.allclose(F.grid_sample(x, grid, mode, align_corners=align), x)


def test_mirrored_by_an_affine_map():
    x = w.rand(1, 2, 3, 4, dtype=w.float64)
    theta = w.tensor([[[-1.0, 0, 0], [0, 1, 0]]], dtype=w.float64)
    grid = F.affine_grid(theta, (1, 2, 3, 4), False)
    assert w.allclose(F.grid_sample(x, grid, align_corners=False), x.flip(-1))


def test_third_derivatives():
    rng = np.random.default_rng(1)
    x = w.from_numpy(rng.normal(size=(1, 1, 4, 4)))
    grid = w.from_numpy(rng.uniform(-0.8, 0.8, (1, 1, 2, 2))).requires_grad_()

    def slope(g):
        out = F.grid_sample(x, g, "bicubic", align_corners=True).sum()
        return w.autograd.grad(out, g, create_graph=True)[0]

    assert w.autograd.gradgradcheck(slope, (grid,))


def test_more_points_than_are_worked_on_together():
    x = w.rand(3, 9, 6, 7, dtype=w.float64)
    grid = w.rand(3, 150, 110, 2, dtype=w.float64) * 2 - 1
    whole = F.grid_sample(x, grid, align_corners=True)
    parts = [F.grid_sample(x, part, align_corners=True) for part in grid.split(31, 1)]
    assert w.equal(whole, w.cat(parts, 2))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x, g: F.grid_sample(x, g, "cubic"), ValueError, "expected mode to be"),
        (lambda x, g: F.grid_sample(x, g, "nearest", "wrap"), ValueError, "expected padding_mode to be"),
        (lambda x, g: F.grid_sample(x, g[:0], align_corners=True), RuntimeError, "same batch size"),
        (lambda x, g: F.grid_sample(x[..., 0], g, align_corners=True), RuntimeError, "expected grid to have size 1"),
        (lambda x, g: F.grid_sample(x, g[:, 0], align_corners=True), RuntimeError, "same number of dimensions"),
        (lambda x, g: F.grid_sample(x, g.double(), align_corners=True), RuntimeError, "scalar type Float but found Double"),
        (lambda x, g: F.grid_sample(x.long(), g, align_corners=True), NotImplementedError, "for 'Long'"),
        (lambda x, g: w.grid_sampler(x, g, 3, 0, True), ValueError, "modes are 0, 1 or 2"),
        (lambda x, g: F.affine_grid(x, (1, 2, 3, 3), True), ValueError, "affine matrices of shape Nx2x3"),
        (lambda x, g: F.affine_grid(x[0, :, :2], (1, 2, 3), True), NotImplementedError, "only supports 4D and 5D"),
        (lambda x, g: F.affine_grid(x[:, 0, :2], (2, 2, 3, 3), True), RuntimeError, r"to be: \[2, 3\] but got: \[1, 3\]"),
    ],
)  # fmt: skip
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call(w.zeros(1, 2, 3, 3), w.zeros(1, 4, 4, 2))


def test_unsaid_alignment_warns():
    with pytest.warns(UserWarning, match="align_corners=False since 1.3.0"):
        F.grid_sample(w.zeros(1, 1, 2, 2), w.zeros(1, 1, 1, 2))
    with pytest.warns(UserWarning, match="unit-size grids"):
        F.affine_grid(w.zeros(1, 2, 3), (1, 1, 1, 2), True)
