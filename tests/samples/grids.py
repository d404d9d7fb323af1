"""Sampling at the points of grids."""

import numpy as np

from . import S, T

_G = "nn.functional.grid_sample"


def _bilinear(a, grid, align_corners, mode="bilinear", padding_mode="zeros"):
    """Each element weighted by how near it is: what lies outside is zero."""
    h, w = a.shape[2:]
    x, y = ((grid[..., i] + 1) * s / 2 - 0.5 for i, s in ((0, w), (1, h)))
    near_x = np.maximum(0, 1 - abs(x[..., None] - np.arange(w)))
    near_y = np.maximum(0, 1 - abs(y[..., None] - np.arange(h)))
    return np.einsum("nchw,npqh,npqw->ncpq", a, near_y, near_x)


def _affine(theta, size, align_corners):
    _, _, h, w = size
    y, x = np.meshgrid(np.linspace(-1, 1, h), np.linspace(-1, 1, w), indexing="ij")
    return np.einsum("nij,hwj->nhwi", theta, np.stack([x, y, np.ones_like(x)], -1))


SAMPLES = [
    S(_G, T(2, 2, 3, 4), T(2, 3, 2, 2, low=-1.3, high=1.3), align_corners=False, value=_bilinear),
    S(_G, T(1, 2, 4, 3, transposed=True), T(1, 2, 5, 2), padding_mode="border", align_corners=True),
    S(_G, T(1, 2, 4, 3), T(1, 2, 5, 2), padding_mode="reflection", align_corners=False),
    S(_G, T(1, 2, 4, 3), T(1, 2, 5, 2), mode="nearest", padding_mode="reflection", align_corners=True),
    S(_G, T(1, 2, 4, 3), T(1, 2, 3, 2, low=-1.3, high=1.3), mode="bicubic", align_corners=False),
    S(_G, T(1, 2, 4, 3), T(1, 2, 3, 2), mode="bicubic", padding_mode="border", align_corners=True),
    S(_G, T(1, 1, 4, 3), T(1, 2, 3, 2), mode="bicubic", padding_mode="reflection", align_corners=False),
    S(_G, T(2, 2, 3, 4, 2), T(2, 1, 3, 2, 3, low=-1.3, high=1.3), align_corners=False),
    S(_G, T(1, 2, 3, 2, 4), T(1, 2, 1, 3, 3), mode="nearest", padding_mode="border", align_corners=True),
    S(_G, T(1, 2, 3, 2, 4), T(1, 2, 1, 3, 3), padding_mode="reflection", align_corners=True),
    S(_G, T(1, 2, 3, 4, grad=False), T(1, 2, 2, 2, low=-0.9, high=0.9), align_corners=True),
    S(_G, T(0, 2, 3, 4), T(0, 3, 2, 2), align_corners=False),
    S("nn.functional.affine_grid", T(2, 2, 3), (2, 1, 3, 4), align_corners=True, value=_affine),
    S("nn.functional.affine_grid", T(1, 2, 3), (1, 1, 3, 4), align_corners=False),
    S("nn.functional.affine_grid", T(2, 3, 4), (2, 1, 2, 3, 4), align_corners=True),
]
