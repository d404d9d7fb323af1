"""Attention."""

import numpy as np

from . import B, S, T

_NAME = "nn.functional.scaled_dot_product_attention"


def _attend(q, k, v, mask=None, is_causal=False, scale=None):
    scores = q @ k.swapaxes(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        scores = np.where(np.triu(np.ones(scores.shape[-2:], bool), 1), -np.inf, scores)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    dead = (scores == -np.inf).all(-1, keepdims=True)
    e = np.exp(np.where(dead, -np.inf, scores - np.where(dead, 0, scores.max(-1, keepdims=True))))
    return e / np.where(dead, 1, e.sum(-1, keepdims=True)) @ v


SAMPLES = [
    S(_NAME, T(2, 3, 2), T(2, 4, 2), T(2, 4, 3), value=_attend),
    S(_NAME, T(2, 2, 3, 2), T(2, 2, 4, 2), T(2, 2, 4, 2), is_causal=True, value=_attend),
    S(_NAME, T(3, 2), T(4, 2), T(4, 3), B(3, 4), value=_attend),
    S(_NAME, T(2, 3, 2), T(2, 3, 2), T(2, 3, 2), T(3, 3, grad=False), scale=0.5, value=_attend),
    S(_NAME, T(2, 3, 2), T(2, 3, 2), T(2, 3, 2), T(3, 3), value=_attend),
    S(_NAME, T(2, 1, 3, 2), T(1, 2, 3, 2), T(2, 2, 3, 2), value=_attend),
    S(_NAME, T(1, 4, 3, 2), T(1, 2, 3, 2), T(1, 2, 3, 2), enable_gqa=True),
]
