"""Absolute values, signs, parts of complex numbers."""

import numpy as np

from . import S, T


def _sgn(a):
    return np.where(a == 0, 0, a / np.where(a == 0, 1, abs(a)))


SAMPLES = [
    S("abs", T(3, 2, away=(0.0,)), value=np.abs),
    S("abs", T(away=(0.0,)), value=np.abs),
    S("abs", T(3, complex=True), value=np.abs),
    S("sign", T(3, 2, away=(0.0,)), value=np.sign),
    S("sgn", T(3, 2, away=(0.0,)), value=np.sign),
    S("sgn", T(3, complex=True), value=_sgn),
    S("angle", T(3, away=(0.0,)), value=np.angle),
    S("angle", T(3, complex=True), value=np.angle),
    S("conj", T(3), value=np.conj),
    S("conj", T(3, complex=True), value=np.conj),
    S("conj", T(complex=True), value=np.conj),
    S("conj_physical", T(2, 2, complex=True), value=np.conj),
    S("real", T(3), value=np.real),
    S("real", T(3, 2, complex=True, transposed=True), value=np.real),
    S("imag", T(3, 2, complex=True), value=np.imag),
    S("imag", T(complex=True), value=np.imag),
    S("view_as_real", T(3, 2, complex=True), value=lambda a: np.stack([a.real, a.imag], -1)),
    S("view_as_real", T(2, 3, complex=True, transposed=True), value=lambda a: np.stack([a.real, a.imag], -1)),
    S("view_as_real", T(complex=True), value=lambda a: np.stack([a.real, a.imag], -1)),
    S("view_as_complex", T(3, 2), value=lambda a: a[..., 0] + 1j * a[..., 1]),
    S("complex", T(3), T(3), value=lambda a, b: a + 1j * b),
    S("complex", T(3, 1), T(2), value=lambda a, b: a + 1j * b),
    S("polar", T(3, low=0.2), T(3), value=lambda a, b: a * np.exp(1j * b)),
    S("polar", T(3), T(), value=lambda a, b: a * np.exp(1j * b)),
]
