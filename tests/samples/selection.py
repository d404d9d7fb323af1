"""Choosing among elements."""

import numpy as np

from . import B, I, S, T


def _clip(a, low, high):
    return np.minimum(np.maximum(a, low) if low is not None else a, high if high is not None else np.inf)


SAMPLES = [
    S("where", B(3, 2), T(3, 2), T(3, 2), value=np.where),
    S("where", B(3, 1), T(2), T(3, 2), value=np.where),
    S("where", B(3), T(), T(3), value=np.where),
    S("where", B(3), T(3), 2.5, value=np.where),
    S("where", B(3), 2.5, T(3), value=np.where),
    S("where", B(), T(), T(), value=np.where),
    S("where", B(0), T(0), T(1), value=np.where),
    S("where", B(3), T(3), T(3, complex=True), value=np.where),
    S("where", B(20, 20), T(20, 20), T(20, 20), value=np.where),
    S("where", B(20, 20), T(20, 20), T(), value=np.where),
    S("clamp", T(3, 2, away=(-1.0, 0.5)), -1.0, 0.5, value=_clip),
    S("clamp", T(10, 10, away=(-1.0, 0.5)), -1.0, 0.5, value=_clip),
    S("clamp", T(5, away=(0.5,)), None, 0.5, value=_clip),
    S("clamp", T(5, away=(-1.0,)), min=-1),
    S("clamp", T(away=(-1.0,)), -1, 2.5, value=_clip),
    S("clamp", T(3, 2), T(2, low=-1.5, high=-1), T(3, 1, low=1, high=1.5), value=_clip),
    S("clamp", T(3, 2), T(3, 2, low=-0.1, high=0.1)),
    S("clamp", T(3, low=1.1, high=2), T(3, low=3, high=4), T(3, low=0, high=1), value=_clip),
    S("clamp_min", T(5, away=(0.2,)), 0.2, value=np.maximum),
    S("clamp_min", T(5), T(5), value=np.maximum),
    S("clamp_max", T(5, away=(0.2,)), 0.2, value=np.minimum),
    S("clamp_max", T(5), T(5), value=np.minimum),
    S("maximum", T(3, 2), T(2), value=np.maximum),
    S("maximum", T(), T(), value=np.maximum),
    S("minimum", T(3, 1), T(2), value=np.minimum),
    S("minimum", T(9, 9), T(9, 9), value=np.minimum),
    S("fmax", T(3, 2), T(2), value=np.fmax),
    S("fmin", T(3, 2), T(3, 2), value=np.fmin),
    S("maximum", I(4, high=4), I(4, high=4), value=np.maximum, checks="value"),
    S("heaviside", T(3, grad=False), T(3, grad=False), value=np.heaviside, checks="value"),
    S("nan_to_num", T(4), value=np.nan_to_num),
    S("nan_to_num", T(4, complex=True), value=np.nan_to_num),
    S("round", T(5, away=(-1.5, -0.5, 0.5, 1.5)), value=np.round),
    S("round", T(5), decimals=2, checks="value", value=lambda a, decimals: np.round(a, decimals)),
]
