"""Resizing, and rearranging of pixels and channels."""

import numpy as np

from . import S, T

_I = "nn.functional.interpolate"


def _nearest(a, size=None, scale_factor=None, **_):
    for axis, m in enumerate(size or [int(n * scale_factor) for n in a.shape[2:]], 2):
        a = a.take(np.arange(m) * a.shape[axis] // m, axis)
    return a


def _linear(a, size, mode):
    for axis, m in enumerate(size, 2):
        # beyond the last element its value goes on
        n = a.shape[axis]
        padded = np.concatenate([a, a.take([n - 1], axis)], axis)
        at = np.maximum((np.arange(m) + 0.5) * n / m - 0.5, 0)
        weights = np.maximum(0, 1 - abs(at[:, None] - np.arange(n + 1)))
        a = np.moveaxis(np.moveaxis(padded, axis, -1) @ weights.T, -1, axis)
    return a


def _spread_channels(a, r):
    out = np.empty((a.shape[0], a.shape[1] // r**2, a.shape[2] * r, a.shape[3] * r))
    for c in range(a.shape[1]):
        out[:, c // r**2, c % r**2 // r :: r, c % r :: r] = a[:, c]
    return out


SAMPLES = [
    S(_I, T(2, 2, 5), (8,), value=_nearest, mode="nearest"),
    S(_I, T(1, 2, 3, 4), scale_factor=2, value=_nearest),
    S(_I, T(1, 2, 3, 4), (5, 2), mode="nearest-exact"),
    S(_I, T(1, 2, 3, 4, 2), (5, 2, 3), value=_nearest, mode="nearest"),
    S(_I, T(2, 2, 5), (8,), value=_linear, mode="linear"),
    S(_I, T(2, 2, 5), (3,), mode="linear", align_corners=True),
    S(_I, T(1, 2, 3, 4), (5, 3), value=_linear, mode="bilinear"),
    S(_I, T(1, 2, 3, 4, transposed=True), scale_factor=(1.7, 0.6), mode="bilinear"),
    S(_I, T(1, 2, 3, 4), (7, 3), mode="bicubic"),
    S(_I, T(1, 2, 3, 4), (1, 1), mode="bicubic", align_corners=True),
    S(_I, T(1, 1, 3, 4, 2), (2, 5, 4), value=_linear, mode="trilinear"),
    S(_I, T(1, 2, 7, 6), (3, 8), mode="bilinear", antialias=True),
    S(_I, T(1, 2, 7, 6), (3, 8), mode="bicubic", antialias=True),
    S(_I, T(1, 2, 7, 6), (3, 4), mode="area"),
    S(_I, T(0, 2, 4), (8,), mode="linear"),
    S("pixel_shuffle", T(2, 8, 2, 3), 2, value=_spread_channels),
    S("pixel_shuffle", T(4, 2, 3, complex=True), 2),
    S("pixel_unshuffle", T(2, 2, 6, 3), 3),
    S("channel_shuffle", T(2, 6, 3), 2, value=lambda a, g: a[:, [0, 3, 1, 4, 2, 5]]),
    S("channel_shuffle", T(2, 6, 2, 2), 3, value=lambda a, g: a[:, [0, 2, 4, 1, 3, 5]]),
    S("native_channel_shuffle", T(1, 4, 1, 2), 2),
]
