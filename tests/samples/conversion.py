"""Copies, conversions of dtype, and whole tensors written."""

import numpy as np

import wengert

from . import S, T

SAMPLES = [
    S("clone", T(3, 2), value=np.copy),
    S("clone", T(3, 2, transposed=True), value=np.copy),
    S("clone", T(3, 2, transposed=True), memory_format=wengert.contiguous_format),
    S("clone", T(2, 3, 4, 5), memory_format=wengert.channels_last),
    S("clone", T(complex=True), value=np.copy),
    S("Tensor.contiguous", T(3, 2, transposed=True)),
    S("Tensor.contiguous", T(2, 3, 4, 5), memory_format=wengert.channels_last),
    S("Tensor.to", T(3), wengert.complex128),
    S("Tensor.to", T(3), "cpu", wengert.float64, copy=True),
    S("Tensor.to", T(3), T(1, complex=True, grad=False)),
    S("Tensor.double", T(3), value=lambda a: a),
    S("Tensor.type", T(3), wengert.complex128),
    S("Tensor.type_as", T(3), T(1, complex=True, grad=False)),
    S("Tensor.copy_", T(3, grad=False), T(3)),
    S("Tensor.copy_", T(2, 3, grad=False), T(3)),
    S("Tensor.copy_", T(2, complex=True, grad=False), T(2)),
    S("fill", T(3), 2.0),
    S("fill", T(3), T()),
    S("Tensor.fill_", T(2, 2, grad=False), T()),
]
