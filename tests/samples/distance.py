"""Distances between rows."""

import numpy as np

from . import S, T


def _between(x, y, p=2.0):
    return np.linalg.norm(x[..., :, None, :] - y[..., None, :, :], p, -1)


def _pairs(x, p=2):
    return _between(x, x, p)[np.triu_indices(len(x), 1)]


SAMPLES = [
    S("cdist", T(3, 2), T(4, 2), value=_between),
    S("cdist", T(2, 3, 2), T(4, 2), value=_between),
    S("cdist", T(3, 2), T(2, 2), 3.0, value=_between),
    S("cdist", T(3, 2, low=0.0, high=1.0), T(2, 2, low=2.0, high=3.0), 1.0, value=_between),
    S("cdist", T(2, 3), T(2, 3), np.inf, value=_between),
    S("cdist", T(3, 2), T(0, 2)),
    S("nn.functional.pdist", T(4, 3), value=_pairs),
    S("pdist", T(3, 2), 3.0, value=_pairs),
]
