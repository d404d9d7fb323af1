"""Indexing, gathering, scattering, masks, and conversions."""

import numpy as np

import wengert

from . import B, I, S, T

_rows = np.array([0, 2, 0])
SAMPLES = [
    S("Tensor.__getitem__", T(3, 4), 1, value=lambda a, i: a[i]),
    S("Tensor.__getitem__", T(3, 4), (slice(None), 1), value=lambda a, i: a[i]),
    S("Tensor.__getitem__", T(3, 4), (slice(0, 3, 2), None, ...), value=lambda a, i: a[i]),
    S("Tensor.__getitem__", T(3, 4), [0, 2, 0], value=lambda a, i: a[i]),
    S("Tensor.__getitem__", T(3, 4), (slice(1, None), _rows), value=lambda a, i: a[i]),
    S("Tensor.__getitem__", T(3, 4), (_rows, _rows), value=lambda a, i: a[i]),
    S("Tensor.__getitem__", T(2, 3, 4), (0, slice(None), _rows), value=lambda a, i: a[0][:, _rows]),
    S("Tensor.__getitem__", T(3), np.array([True, False, True]), value=lambda a, i: a[i]),
    S("Tensor.__getitem__", T(3, complex=True), slice(1, None), value=lambda a, i: a[i]),
    S("select", T(3, 4), 1, 2),
    S("narrow", T(5), 0, 1, 3),
    S("index_select", T(3, 4), 1, I(3, high=4), value=lambda a, d, i: np.take(a, i, d)),
    S("gather", T(3, 4), 1, I(3, 2, high=4), value=lambda a, d, i: np.take_along_axis(a, i, d)),
    S("take_along_dim", T(3, 4), I(3, 2, high=4), 1, value=np.take_along_axis),
    S("take", T(3, 4), I(5, high=12), value=np.take),
    S("scatter", T(3, 4), 0, I(1, 4, high=3), T(1, 4)),
    S("scatter", T(3, 4), 0, I(1, 4, high=3), 2.5),
    S("scatter_add", T(3, 4), 0, I(5, 4, high=3), T(5, 4)),
    S("index_add", T(3, 4), 0, I(5, high=3), T(5, 4)),
    S("index_copy", T(3, 4), 0, I(2, high=3), T(2, 4)),
    S("index_fill", T(3, 4), 0, I(2, high=3), T()),
    S("index_put", T(4), (I(3, high=4),), T(3), accumulate=True),
    S("index_put", T(4), (I(3, high=4),), T()),
    S("put", T(2, 3), I(2, high=6), T(2), True),
    S("masked_fill", T(3, 4), B(4), 2.0, value=lambda a, m, v: np.where(m, v, a)),
    S("masked_fill", T(3, 4), B(3, 1), T(), value=lambda a, m, v: np.where(m, v, a)),
    S("masked_select", T(3, 4), B(3, 4), value=lambda a, m: a[m]),
    S("masked_scatter", T(3, 4), B(3, 4), T(12)),
    S("nonzero", T(4), value=np.argwhere, checks="value"),
    S("clone", T(3, 2), value=np.copy),
    S("clone", T(3, 2, transposed=True), value=np.copy),
    S("Tensor.contiguous", T(3, 2, transposed=True)),
    S("Tensor.to", T(3), wengert.complex128),
    S("Tensor.double", T(3), value=lambda a: a),
    S("Tensor.copy_", T(3, grad=False), T(3)),
    S("fill", T(3), 2.0),
]
