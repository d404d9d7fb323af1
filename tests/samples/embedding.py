"""Rows of a table, alone and in bags."""

import numpy as np

from . import I, S, T

_F = "nn.functional."


def _on_table(index, **options):
    """Look up in the table drawn: the table first, so that it is what the checks differentiate."""

    def call(function, table, *more):
        names = {"per_sample_weights": more[0]} if more else {}
        return function(index(), table, **names, **options)

    return call


def _indices(values):
    def make():
        import wengert

        return wengert.tensor(values)

    return make


_matrix, _row = _indices([[0, 2], [2, 1]]), _indices([0, 2, 2, 1, 3])


def _offsets(values):
    import wengert

    return wengert.tensor(values)


SAMPLES = [
    S(_F + "embedding", I(2, 3, high=4), T(4, 3), value=lambda index, table: table[index]),
    S(_F + "embedding", I(high=4), T(4, 3), value=lambda index, table: table[index]),
    S(_F + "embedding", I(0, high=4), T(4, 3)),
    S(_F + "embedding", I(6, high=4), T(4, 3), -1, None, 2.0, False, value=lambda i, t, *_: t[i], checks="value"),
    S(_F + "embedding_bag", T(4, 3), via=_on_table(_matrix), value=lambda t: t[[[0, 2], [2, 1]]].mean(1)),
    S(_F + "embedding_bag", T(4, 3), via=_on_table(_matrix, mode="sum"), value=lambda t: t[[[0, 2], [2, 1]]].sum(1)),
    S(_F + "embedding_bag", T(4, 3), via=_on_table(_matrix, mode="max"), value=lambda t: t[[[0, 2], [2, 1]]].max(1)),
    S(
        _F + "embedding_bag", T(4, 3), T(2, 2), via=_on_table(_matrix, mode="sum"),
        value=lambda t, s: (t[[[0, 2], [2, 1]]] * s[..., None]).sum(1),
    ),
    *[
        S(
            _F + "embedding_bag", T(4, 3),
            via=lambda f, t, m=mode: f(_row(), t, _offsets([0, 0, 3]), mode=m, padding_idx=1),
            value=lambda t, m=mode: np.stack([np.zeros(3), getattr(np, m)(t[[0, 2, 2]], 0), t[3]]),
        )
        for mode in ("sum", "mean", "max")
    ],
]  # fmt: skip
