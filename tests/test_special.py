"""How exact the special functions are, against the C library, known constants and identities."""

from __future__ import annotations

import math

import numpy as np
import pytest

from wengert import _bessel, _erf, _gamma

inf, nan = math.inf, math.nan
EPS = np.finfo(np.float64).eps


@pytest.fixture(autouse=True)
def hushed():
    """What operations compute under: NumPy says nothing of infinities and nan."""
    with np.errstate(all="ignore"):
        yield


def each(function, x):
    return np.array([function(v) for v in np.asarray(x, np.float64).tolist()])


def worst(got, want):
    """The largest relative error."""
    return float(np.max(np.abs(got - want) / np.abs(want)))


GRID = np.concatenate([np.linspace(-7, 7, 4001), np.geomspace(1e-300, 1e-3, 200)])


def test_erf():
    x = GRID[GRID != 0]
    assert worst(_erf.erf(x), each(math.erf, x)) < 4 * EPS
    single = x[np.abs(x) > 1e-30].astype(np.float32)
    assert worst(_erf.erf(single).astype(np.float64), each(math.erf, single)) < 3e-7


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("repeat", [1, 100])
def test_erf_at_the_ends(dtype, repeat):
    x = np.tile(np.array([inf, -inf, nan, 0.0, -0.0, 30.0, 1e30, -1e30], dtype), repeat)
    got = _erf.erf(x)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, np.tile(np.array([1, -1, nan, 0, -0.0, 1, 1, -1], dtype), repeat))
    assert np.signbit(got[4])


@pytest.mark.parametrize("shape", [(), (0,), (3,), (200,), (30, 40)])
def test_shapes_and_dtypes(shape):
    x = np.full(shape, 0.25, np.float32)
    functions = (
        _erf.erf, _erf.erfc, _erf.erfcx, _erf.erfinv, _erf.ndtri, _erf.log_ndtr, _gamma.lgamma, _gamma.digamma,
        lambda a: _gamma.polygamma(a, 1), lambda a: _bessel.bessel_i(a, 0), lambda a: _gamma.zeta(a + 2, a),
        lambda a: _gamma.gammainc(a, a),
    )  # fmt: skip
    for function in functions:
        for dtype in (np.float16, np.float32, np.float64):
            made = function(x.astype(dtype))
            assert made.shape == shape
            assert made.dtype == dtype


def test_erfc():
    x = np.linspace(-6, 26.5, 5001)
    assert worst(_erf.erfc(x), each(math.erfc, x)) < 8 * EPS
    x = x[x > -5]
    assert worst(_erf.erfcx(x), _erf.erfc(x) * np.exp(x * x)) < 5e-13  # the product's own error
    assert worst(_erf.erfcx(np.array([1e10])), np.array([1e-10 / math.sqrt(math.pi)])) < 4 * EPS


def test_inverses():
    x = np.linspace(-5, 5, 2001)
    small = np.abs(x) < 1
    back = _erf.erfinv(_erf.erf(x))
    assert worst(back[small & (x != 0)], x[small & (x != 0)]) < 8 * EPS
    q = np.geomspace(1e-300, 0.4, 500)
    z = _erf.ndtri(q)
    conditioned = np.abs(z) * EPS * np.abs(z) + EPS
    assert np.all(np.abs(_erf.erfc(-z / math.sqrt(2)) / 2 / q - 1) < 8 * conditioned)
    np.testing.assert_array_equal(_erf.erfinv(np.array([1.0, -1.0, 0.0, 1.5])), [inf, -inf, 0, nan])
    np.testing.assert_array_equal(_erf.ndtri(np.array([1.0, 0.0, 0.5, -1.0])), [inf, -inf, 0, nan])


def test_lgamma():
    x = np.concatenate([np.linspace(0.01, 40, 4001), np.geomspace(1e-300, 1e300, 300), 1 + np.geomspace(1e-9, 0.1, 20)])
    want = each(math.lgamma, x)  # whose error is absolute where the logarithm comes near 0
    assert np.all(np.abs(_gamma.lgamma(x) - want) < 8 * EPS * (1 + np.abs(want)))
    z = np.geomspace(1e-12, 1e-4, 20)
    euler, second = 0.5772156649015329, math.pi**2 / 12
    assert worst(_gamma.lgamma(1 + z), ((1 + z) - 1) * (second * ((1 + z) - 1) - euler)) < 1e-7
    x = -np.linspace(0.05, 9.95, 100)
    np.testing.assert_allclose(_gamma.lgamma(x), each(math.lgamma, x), rtol=1e-14, atol=1e-14)
    np.testing.assert_array_equal(_gamma.lgamma(np.array([0.0, -1.0, inf, -inf, nan])), [inf, inf, inf, inf, nan])


def test_digamma_and_its_derivatives():
    euler = 0.5772156649015329
    np.testing.assert_allclose(_gamma.digamma(np.array([1.0, 0.5])), [-euler, -euler - 2 * math.log(2)], rtol=4 * EPS)
    x = np.concatenate([np.linspace(0.1, 30, 300), -np.linspace(0.05, 5.95, 60)])
    for n in range(5):
        step = (-1) ** n * math.factorial(n) / x ** (n + 1)
        psi = _gamma.polygamma(x, n)
        error = np.abs(_gamma.polygamma(x + 1, n) - psi - step)
        assert np.all(error < 1e-13 * (np.abs(psi) + np.abs(step)))
    apery = 1.2020569031595942
    want = [math.pi**2 / 6, -2 * apery, math.pi**4 / 15]
    assert [_gamma.polygamma(np.array([1.0]), n)[0] for n in (1, 2, 3)] == pytest.approx(want, rel=8 * EPS)
    np.testing.assert_array_equal(_gamma.digamma(np.array([0.0, -0.0, -1.0, inf])), [-inf, inf, nan, inf])


def test_zeta():
    want = [math.pi**2 / 6, math.pi**4 / 90, 1.2020569031595942]
    got = _gamma.zeta(np.array([2.0, 4.0, 3.0]), np.ones(3))
    np.testing.assert_allclose(got, want, rtol=4 * EPS)
    q = np.linspace(0.1, 20, 50)
    for s in (1.5, 10.0, 50.0):
        s = np.full_like(q, s)
        np.testing.assert_allclose(_gamma.zeta(s, q), q**-s + _gamma.zeta(s, q + 1), rtol=1e-13)
    np.testing.assert_array_equal(_gamma.zeta(np.array([1.0, 0.5, 2.0]), np.array([2.0, 2.0, -1.0])), [inf, nan, inf])


def test_incomplete_gamma():
    a, x = (v.ravel() for v in np.meshgrid([0.3, 1.0, 2.5, 20.0, 300.0], np.geomspace(1e-3, 500, 60)))
    lower, upper = _gamma.gammainc(a, x), _gamma.gammaincc(a, x)
    np.testing.assert_allclose(lower + upper, 1, rtol=1e-13)
    one = np.ones_like(x)
    np.testing.assert_allclose(_gamma.gammaincc(one, x), np.exp(-x), rtol=1e-13)
    np.testing.assert_allclose(_gamma.gammainc(one / 2, x), _erf.erf(np.sqrt(x)), rtol=1e-13)
    # the recurrence in the order
    step = np.exp(a * np.log(x) - x - _gamma.lgamma(a + 1))
    np.testing.assert_allclose(_gamma.gammainc(a + 1, x), lower - step, rtol=1e-9, atol=1e-13)
    got = _gamma.gammainc(np.array([0.0, 1.0, 0.0, -1.0, 1.0]), np.array([1.0, 0.0, 0.0, 1.0, inf]))
    np.testing.assert_array_equal(got, [1, 0, nan, nan, 1])


def test_bessel():
    x = np.linspace(-60, 60, 601)
    np.testing.assert_allclose(_bessel.bessel_i(x, 0), np.i0(x), rtol=1e-14)
    x = x[x != 0]
    for scaled in (False, True):
        i0, i1, i2 = (_bessel.bessel_i(x, n, scaled) for n in (0, 1, 2))
        np.testing.assert_allclose(i0 - i2, 2 / x * i1, rtol=1e-11)
    assert _bessel.bessel_i(np.array([1000.0]), 0, True)[0] == pytest.approx(0.012617240455891257, rel=1e-14)
    assert _bessel.bessel_i(np.array([713.0]), 0)[0] < inf
