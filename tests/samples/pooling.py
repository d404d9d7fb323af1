"""Pooling: averages, largest elements and powers over windows."""

import numpy as np

from . import S, T


def _boxes(a, kernel, stride):
    """The windows along the last axes, whose elements are the last axis of the result."""
    rank = len(kernel)
    view = np.lib.stride_tricks.sliding_window_view(a, kernel, tuple(range(-rank, 0)))
    step = (..., *[slice(None, None, s) for s in stride], *[slice(None)] * rank)
    view = view[step]
    return view.reshape(*view.shape[:-rank], -1)


def _mean(a, kernel, stride=None):
    return _boxes(a, kernel, stride or kernel).mean(-1)


def _max(a, kernel, stride=None):
    return _boxes(a, kernel, stride or kernel).max(-1)


def _adaptive(function):
    def pooled(a, size):
        for axis, m in enumerate(reversed(size)):
            axis = a.ndim - 1 - axis
            n = a.shape[axis]
            parts = [a.take(range(i * n // m, -(-(i + 1) * n // m)), axis) for i in range(m)]
            a = np.stack([function(p, axis) for p in parts], axis)
        return a

    return pooled


_F = "nn.functional"
_largest, _average = _adaptive(np.max), _adaptive(np.mean)


def _mean_of_means(a, size):  # windows are of equal weight along each axis, so means of means are means
    return _average(a, size)


SAMPLES = [
    S("avg_pool1d", T(2, 3, 7), (3,), (2,), value=_mean),
    S("avg_pool1d", T(3, 8), 3, 2, 1, True, False),
    S("avg_pool1d", T(0, 3, 8), 2),
    S(f"{_F}.avg_pool2d", T(2, 2, 6, 5), (2, 3), value=_mean),
    S(f"{_F}.avg_pool2d", T(2, 5, 6), (3, 2), (1, 2), value=_mean),
    S(f"{_F}.avg_pool2d", T(1, 2, 5, 6), 3, 2, 1, True),
    S(f"{_F}.avg_pool2d", T(1, 2, 5, 6, transposed=True), 3, 2, 1, False, False, 7),
    S(f"{_F}.avg_pool2d", T(1, 1, 9, 20), (9, 8), value=_mean),
    S(f"{_F}.avg_pool3d", T(1, 2, 3, 4, 5), (2, 2, 3), (1, 2, 2), value=_mean),
    S(f"{_F}.avg_pool3d", T(2, 3, 4, 5), 2, 1, 1),
    S("avg_pool1d", T(2, 60), (26,), (15,), value=_mean),
    S("max_pool1d", T(2, 60), (26,), (15,), value=_max),
    S("max_pool1d", T(2, 70), (17,), value=_max),
    S("max_pool1d", T(2, 3, 7), (3,), (2,), value=_max),
    S("max_pool1d", T(3, 8), 3, 2, 1, 2, True),
    S("max_pool2d", T(2, 2, 6, 5), (2, 3), value=_max),
    S("max_pool2d", T(2, 2, 6, 5), (2, 3), (1, 1), value=_max),
    S("max_pool2d", T(1, 2, 5, 6, transposed=True), 3, 2, 1, 2),
    S(f"{_F}.max_pool2d", T(2, 5, 6), 3, 1, 1, return_indices=True),
    S("max_pool3d", T(1, 2, 3, 4, 5), (2, 2, 3), (1, 2, 2), value=_max),
    S(f"{_F}.max_pool3d", T(1, 3, 4, 5), 2, padding=1, return_indices=True),
    S("adaptive_avg_pool1d", T(2, 3, 7), (3,), value=_mean_of_means),
    S(f"{_F}.adaptive_avg_pool2d", T(2, 2, 5, 6), (3, 4), value=_mean_of_means),
    S(f"{_F}.adaptive_avg_pool2d", T(2, 5, 6), (7, 6), value=_mean_of_means),
    S(f"{_F}.adaptive_avg_pool2d", T(2, 2, 3, 4), 1),
    S(f"{_F}.adaptive_avg_pool3d", T(1, 2, 3, 4, 5), (2, 4, 3), value=_mean_of_means),
    S("adaptive_max_pool1d", T(2, 3, 7), 3),
    S(f"{_F}.adaptive_max_pool2d", T(2, 2, 5, 6), (3, 4), value=_largest),
    S(f"{_F}.adaptive_max_pool2d", T(2, 5, 6), (7, 6), value=_largest),
    S(f"{_F}.adaptive_max_pool3d", T(1, 2, 3, 4, 5), (2, 4, 3), value=_largest),
    S(f"{_F}.lp_pool1d", T(2, 8, low=0.5), 3.0, 3, 2),
    S(f"{_F}.lp_pool2d", T(2, 4, 5, low=0.5), 2.0, 2, value=lambda a, p, k: (_mean(a**2, (2, 2)) * 4) ** 0.5),
    S(f"{_F}.lp_pool3d", T(1, 2, 4, 5, low=0.5), 1.5, 2),
]
