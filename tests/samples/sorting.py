"""Sorting, and what is found by it."""

import numpy as np

from . import I, S, T

SAMPLES = [
    *[
        S(name, T(3, 5), *args)
        for name, args in (("sort", ()), ("sort", (0, True)), ("topk", (2,)), ("topk", (2, 0, False)))
    ],
    S("sort", T()),
    S("sort", T(0, 2), 0),
    S("sort", T(3, 4, transposed=True), 0),
    S("topk", T(2, 80), 5),
    S("topk", T(2, 80), 5, largest=False),
    S("topk", T(), 1),
    S("msort", T(4, 2), value=lambda a: np.sort(a, 0)),
    S("argsort", T(3, 4), value=np.argsort, checks="value"),
    S("argsort", T(3, 4), 0, value=np.argsort, checks="value"),
    S("unique", I(3, 4, high=5), value=np.unique, checks="value"),
    S("kthvalue", T(3, 5), 2),
    S("kthvalue", T(3, 5), 1, 0, True),
    S("kthvalue", T(), 1),
    S("median", T(3, 5), value=np.median),
    S("median", T(3, 4), 1),
    S("median", T(3, 4), 0, True),
    S("nanmedian", T(3, 5), value=np.nanmedian),
    S("nanmedian", T(3, 4), 1),
    S("mode", T(3, 4)),
    *[
        S(
            "quantile",
            T(3, 4),
            0.3,
            interpolation=i,
            value=lambda a, q, interpolation: np.quantile(a, q, method=interpolation),
        )
        for i in ("linear", "lower", "higher", "midpoint", "nearest")
    ],
    S("quantile", T(3, 4), 0.3, 1, value=np.quantile),
    S("quantile", T(3, 4), T(2, low=0.1, high=0.3), 0, True),
    S("nanquantile", T(3, 4), T(low=0.4, high=0.6), 1, value=np.nanquantile),
]
