"""Elementwise operations on every pair of dtypes, with and without dimensions, and on numbers: values and dtypes of PyTorch."""

from __future__ import annotations

import math
import operator
import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import wengert  # noqa: E402

DTYPES = (
    "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
VALUES = (0, 1, 2, 3)  # of which bool makes False and True, and which are exact in every dtype
OTHERS = (3, 1, 0, 2)
NUMBERS = (True, 2, 2.5, 1 + 2j)

OPERATIONS = {
    **{f: getattr(operator, f) for f in ("eq", "ne", "lt", "le", "gt", "ge", "and_", "or_", "xor", "lshift", "rshift")},
    **{f: getattr(operator, f) for f in ("add", "sub", "mul", "truediv")},
}
FUNCTIONS = (
    "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or", "logical_xor", "atan2", "hypot", "copysign", "xlogy",
    "logaddexp", "logaddexp2", "ldexp", "heaviside", "isclose", "complex", "polar", "dot", "outer", "inner", "kron", "mv",
)  # fmt: skip


def outcome(T, function, a, b):
    """What a call gives: dtype and values, or the type of the exception; None where PyTorch has complex numbers of halves."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = function(a(T), b(T))
    except (RuntimeError, TypeError, NotImplementedError, ValueError, OverflowError) as e:
        return None if "ComplexHalf" in str(e) or "ldexp_cpu_exp" in str(e) else type(e).__name__
    if not hasattr(made, "dtype"):
        return made
    if str(made.dtype) == "torch.complex32":
        return None
    return str(made.dtype), made.resolve_conj().numpy()


def agree(function, a, b):
    want, got = (outcome(T, function, a, b) for T in (torch, wengert))
    if want is None:
        return
    if isinstance(want, tuple) and isinstance(got, tuple):
        assert got[0] == want[0]
        tolerance = 2e-3 if got[0] == "torch.float16" else 1e-6
        np.testing.assert_allclose(got[1], want[1], rtol=tolerance, atol=tolerance)
    else:
        assert got == want


def operand(values, dtype):
    return lambda T: T.tensor(values, dtype=getattr(T, dtype))


def called(name):
    if name in OPERATIONS:
        return OPERATIONS[name]
    return lambda a, b: getattr(
        wengert if isinstance(a, wengert.Tensor) or isinstance(b, wengert.Tensor) else torch, name
    )(a, b)


@pytest.mark.parametrize("name", [*OPERATIONS, *FUNCTIONS])
@pytest.mark.parametrize("first", DTYPES)
def test_pairs(name, first):
    function = called(name)
    for second in DTYPES:
        dimmed = name in ("dot", "mv")
        for a, b in ((VALUES, OTHERS), (2, OTHERS), (VALUES, 3), (2, 3)):
            if dimmed and not (isinstance(a, tuple) and isinstance(b, tuple)):
                continue
            agree(function, operand(a, first), operand(b, second))


@pytest.mark.parametrize("name", [*OPERATIONS, "copysign", "xlogy"])
@pytest.mark.parametrize("first", DTYPES)
def test_numbers(name, first):
    function = called(name)
    for number in NUMBERS:
        for a in (VALUES, 2):
            agree(function, operand(a, first), lambda T, n=number: n)
            if name in OPERATIONS:
                agree(function, lambda T, n=number: n, operand(a, first))


@pytest.mark.parametrize("first", DTYPES)
def test_where_and_clamp(first):
    for second in DTYPES:
        for a, b in ((VALUES, OTHERS), (2, OTHERS), (VALUES, 3), (2, 3)):
            x, y = operand(a, first), operand(b, second)
            agree(lambda p, q: (wengert if isinstance(p, wengert.Tensor) else torch).where(p == p, p, q), x, y)
            agree(lambda p, q: (wengert if isinstance(p, wengert.Tensor) else torch).clamp(p, q), x, y)
            agree(lambda p, q: (wengert if isinstance(p, wengert.Tensor) else torch).clamp(p, min=q, max=q), x, y)
            agree(lambda p, q: (wengert if isinstance(p, wengert.Tensor) else torch).addcmul(p, q, q), x, y)
    for number in (*NUMBERS, -1, 1e30, math.nan):
        for a in (VALUES, 2):
            x = operand(a, first)
            agree(lambda p, q: p.clamp(q), x, lambda T, n=number: n)
            agree(lambda p, q: p.clamp_max(q), x, lambda T, n=number: n)
            agree(
                lambda p, q: (wengert if isinstance(p, wengert.Tensor) else torch).where(p == p, p, q),
                x,
                lambda T, n=number: n,
            )


UNARY = (
    "abs", "sign", "sgn", "angle", "conj", "real", "imag", "logical_not", "bitwise_not", "signbit", "isreal", "isposinf",
    "isneginf", "nan_to_num", "round", "sinc", "deg2rad", "rad2deg", "erf", "erfc", "erfinv", "lgamma", "digamma", "i0", "relu",
    "logit", "view_as_real",
)  # fmt: skip


@pytest.mark.parametrize("name", UNARY)
def test_of_one(name):
    for dtype in DTYPES:
        for values in (VALUES, 2):
            x = operand(values, dtype)
            agree(
                lambda p, _: (getattr(wengert if isinstance(p, wengert.Tensor) else torch, name))(p), x, lambda T: None
            )
