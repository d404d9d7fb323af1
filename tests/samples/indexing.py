"""Indexing with brackets, gathering, scattering, and masks."""

import numpy as np

from . import B, I, S, T

_ROWS = np.array([0, 2, 0])
_MASK = np.array([True, False, True])


def _get(*shape, index, **more):
    return S("Tensor.__getitem__", T(*shape, **more), index, value=lambda a, i: a[i])


def _take(a, dim, index):
    return np.take(a, index, dim)


def _along(a, dim, index):
    return np.take_along_axis(a, index, dim)


def _fill(a, mask, value):
    return np.where(mask, value, a)


SAMPLES = [
    # brackets: views
    _get(3, 4, index=1),
    _get(3, index=-1),
    _get(3, 4, index=(1, 2)),
    _get(3, 4, index=(slice(None), 1)),
    _get(3, 4, index=(slice(0, 3, 2), None, ...)),
    _get(3, 4, index=slice(1, None)),
    _get(3, 4, index=(..., 0), transposed=True),
    _get(2, 3, 4, index=(None, 1, ..., slice(1, 3))),
    _get(3, 4, index=...),
    _get(3, 4, index=()),
    _get(3, index=slice(2, 2)),
    _get(3, index=slice(1, None), complex=True),
    _get(index=None),
    # brackets: copies
    _get(3, 4, index=[0, 2, 0]),
    _get(3, 4, index=np.array([[0, -1], [1, 1]])),
    _get(3, 4, index=(slice(1, None), _ROWS)),
    _get(3, 4, index=(_ROWS, _ROWS)),
    _get(3, 4, index=(_ROWS[:, None], _ROWS)),
    _get(3, 4, index=(_ROWS, None, _ROWS)),
    _get(3, 4, 3, index=(_ROWS, slice(None), _ROWS)),
    S("Tensor.__getitem__", T(2, 3, 4), (0, slice(None), _ROWS), value=lambda a, i: a[0][:, _ROWS]),
    _get(3, index=_MASK),
    _get(3, 4, index=(_MASK, slice(1, 3))),
    _get(4, 3, index=(slice(None), _MASK)),
    _get(3, 3, index=(_MASK, _ROWS[:2])),
    _get(2, 3, index=np.array([[True, False, True], [False, True, False]])),
    _get(3, index=np.array([], np.int64)),
    _get(3, index=True),
    # by name
    S("select", T(3, 4), 1, 2),
    S("select", T(3, 4), 0, -1),
    S("narrow", T(5), 0, 1, 3),
    S("narrow", T(2, 5), -1, -2, 2),
    S("index_select", T(3, 4), 1, I(3, high=4), value=_take),
    S("index_select", T(3, 4, transposed=True), 0, I(5, high=3), value=_take),
    S("gather", T(3, 4), 1, I(3, 2, high=4), value=_along),
    S("gather", T(3, 4), 0, I(5, 4, high=3), value=_along),
    S("gather", T(3, 4), 1, I(2, 2, high=4)),
    S("gather", T(2, 3, 4, complex=True), 1, I(2, 2, 4, high=3), value=_along),
    S("gather", T(), 0, I(high=1)),
    S("take_along_dim", T(3, 4), I(3, 2, high=4), 1, value=np.take_along_axis),
    S("take_along_dim", T(3, 1), I(1, 2, high=1), 1),
    S("take_along_dim", T(3, 4), I(2, 3, high=12), value=lambda a, i: np.take(a, i.reshape(-1))),
    S("take", T(3, 4), I(5, high=12, low=-12), value=np.take),
    S("nonzero", T(4), value=np.argwhere, checks="value"),
    S("argwhere", T(2, 3), value=np.argwhere, checks="value"),
    # writing
    S("scatter", T(3, 4), 0, I(1, 4, high=3), T(1, 4)),
    S("scatter", T(3, 4), 1, I(3, 4, high=4), T(3, 5)),
    S("scatter", T(3, 4, transposed=True), 0, I(1, 4, high=3), 2.5),
    S("scatter_add", T(3, 4), 0, I(5, 4, high=3), T(5, 4)),
    S("scatter_add", T(3, complex=True), 0, I(2, high=3), T(4, complex=True)),
    S("scatter_add", T(), 0, I(high=1), T()),
    *[
        S("scatter_reduce", T(3, 4), 0, I(5, 4, high=3), T(5, 4), how)
        for how in ("sum", "mean", "prod", "amax", "amin")
    ],
    *[
        S("scatter_reduce", T(4), 0, I(3, high=4), T(3), how, include_self=False)
        for how in ("sum", "mean", "prod", "amax")
    ],
    *[S("index_reduce", T(3, 4), 1, I(5, high=4), T(3, 5), how) for how in ("mean", "prod", "amax", "amin")],
    S("index_add", T(3, 4), 0, I(5, high=3), T(5, 4)),
    S("index_add", T(3, 4), 1, I(2, high=4), T(3, 2), alpha=3),
    S("index_copy", T(3, 4), 0, I(2, high=3), T(2, 4)),
    S("index_fill", T(3, 4), 0, I(2, high=3), T()),
    S("index_fill", T(3, 4), 1, I(2, high=4), 1.5),
    S("index_put", T(4), (I(3, high=4),), T(3), accumulate=True),
    S("index_put", T(4), (I(3, high=4),), T()),
    S("index_put", T(3, 4), (I(2, high=3), I(2, high=4)), T(2)),
    S("index_put", T(3, 4), (None, I(2, high=4)), T(3, 1), accumulate=True),
    S("index_put", T(3, 4), (B(3),), T(4)),
    S("put", T(2, 3), I(2, high=6), T(2), True),
    S("put", T(2, 3, transposed=True), I(3, high=6, low=-6), T(3)),
    # masks
    S("masked_fill", T(3, 4), B(4), 2.0, value=_fill),
    S("masked_fill", T(3, 4), B(3, 1), T(), value=_fill),
    S("masked_fill", T(4), B(3, 4), 2.0, value=_fill),
    S("masked_fill", T(3, complex=True), B(3), 1.0, value=_fill),
    S("masked_select", T(3, 4), B(3, 4), value=lambda a, m: a[m]),
    S("masked_select", T(4), B(3, 1)),
    S("masked_scatter", T(3, 4), B(3, 4), T(12)),
    S("masked_scatter", T(3, 4), B(4), T(3, 4)),
]
