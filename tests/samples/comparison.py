"""Comparisons, logic and bits."""

import numpy as np

from . import B, I, S, T

_comparisons = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
}  # fmt: skip
_logic = {"logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor}
_bits = {"bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor}
_shifts = {"bitwise_left_shift": np.left_shift, "bitwise_right_shift": np.right_shift}


def _values(name, value, *args):
    return S(name, *args, value=value, checks="value")


SAMPLES = [
    *(_values(n, f, I(3, 2, high=3), I(2, high=3)) for n, f in _comparisons.items()),
    *(_values(n, f, T(3, 1), T(2)) for n, f in _comparisons.items()),
    *(_values(n, f, T(), 0.5) for n, f in _comparisons.items()),
    *(_values(n, f, I(4, high=3), 1.5) for n, f in _comparisons.items()),
    *(_values(n, f, T(0, 2), T(2)) for n, f in _comparisons.items()),
    *(_values(n, f, T(2, complex=True), T(2, complex=True)) for n, f in list(_comparisons.items())[:2]),
    *(_values(n, f, I(3, 2, high=2), B(2)) for n, f in _logic.items()),
    _values("logical_not", np.logical_not, I(4, high=2)),
    *(_values(n, f, I(3, 2, high=9), I(2, high=9)) for n, f in (_bits | _shifts).items()),
    *(_values(n, f, B(3, 2), B(2)) for n, f in _bits.items()),
    *(_values(n, f, I(3, high=9), 3) for n, f in (_bits | _shifts).items()),
    _values("bitwise_not", np.invert, I(4, high=5)),
    _values("bitwise_not", np.invert, B(4)),
    _values("isin", np.isin, I(5, high=5), I(3, high=5)),
    _values("signbit", np.signbit, T(5)),
    _values("isposinf", np.isposinf, T(5)),
    _values("isneginf", np.isneginf, T(5)),
    _values("isreal", np.isreal, T(5)),
]
