"""Reductions and normalisations of what a mask chooses."""

import numpy as np

from . import B, S, T


def _some(function, start):
    """NumPy's function of the elements that take part."""
    return lambda a, dim=None, mask=True, keepdim=False: function(np.where(mask, a, start), axis=dim, keepdims=keepdim)


_REDUCTIONS = {"sum": (np.sum, 0), "prod": (np.prod, 1), "amax": (np.max, -np.inf), "amin": (np.min, np.inf)}

SAMPLES = [
    S(f"masked.{name}", *args, value=_some(*how), **options)
    for name, how in _REDUCTIONS.items()
    for args, options in (
        ((T(3, 4),), {}),
        ((T(),), {}),
        ((T(3, 12), 1), {"mask": B(12)}),
        ((T(9, 4, transposed=True), 0), {"mask": B(9, 4), "keepdim": True}),
    )
]
SAMPLES += [
    S("masked.cumsum", T(3, 4), 1, mask=B(3, 4), value=lambda a, d, mask: np.cumsum(np.where(mask, a, 0), d)),
    S("masked.cumprod", T(3, 4), 0, mask=B(3, 4), value=lambda a, d, mask: np.cumprod(np.where(mask, a, 1), d)),
    S("masked.mean", T(12, 3), 0, mask=B(12, 1)),
    S("masked.var", T(12, 3), 0, mask=B(12, 1)),
    S("masked.std", T(12, 3), (0, 1), unbiased=False, mask=B(12, 3), keepdim=True),
    S("masked.var", T(3, 4, complex=True), 1),
    S("masked.median", T(3, 12), 1, mask=B(12)),
    S("masked.norm", T(3, 12), 2.0, 1, mask=B(12)),
    S("masked.norm", T(3, 12, low=0.5), -1.0, 1, mask=B(12), value=lambda a, p, d, mask: 1 / (mask / a).sum(d)),
    S("masked.normalize", T(3, 12), 2.0, 1, mask=B(12)),
    S("masked.logsumexp", T(3, 12), 1, mask=B(12), value=lambda a, d, mask: np.log((mask * np.exp(a)).sum(d))),
    S("masked.logaddexp", T(9), T(9), input_mask=B(9)),
    S("masked.softmax", T(3, 12), 1, mask=B(12), value=lambda a, d, mask: _soft(mask * np.exp(a), d)),
    S("masked.softmin", T(3, 12), 1, mask=B(12), value=lambda a, d, mask: _soft(mask * np.exp(-a), d)),
    S("masked.log_softmax", T(3, 4), 1, value=lambda a, d: np.log(_soft(np.exp(a), d))),
]


def _soft(weights, d):
    return weights / weights.sum(d, keepdims=True)
