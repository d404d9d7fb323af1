"""Corners, ends and non-numbers: which gradient an operation gives where it has no derivative, or where a formula would be nan."""

from __future__ import annotations

import math

import numpy as np
import pytest

import wengert
from wengert.autograd.api import grad

inf, nan = math.inf, math.nan


def leaf(values, dtype=wengert.float64):
    return wengert.tensor(values, dtype=dtype, requires_grad=True)


def slope(function, values, cotangent=None):
    """The gradient of a function of one tensor, for a cotangent of ones."""
    x = leaf(values)
    y = function(x)
    (g,) = grad(y, x, wengert.ones_like(y) if cotangent is None else wengert.tensor(cotangent, dtype=y.dtype))
    return g.tolist()


def second(function, values):
    x = leaf(values)
    (g,) = grad(function(x).sum(), x, create_graph=True)
    return grad(g.sum(), x)[0].tolist()


F = wengert.nn.functional


@pytest.mark.parametrize("size", [4, 400])
@pytest.mark.parametrize("dtype", [wengert.float32, wengert.float64, wengert.float16])
def test_what_is_masked_gives_zero_whatever_the_cotangent(dtype, size):
    cotangent = np.resize([1.0, inf, nan, -inf], size)
    for function, values in (
        (wengert.relu, [-1.0, -2.0, 0.0, -3.0]),
        (lambda x: x.clamp(0, 1), [-1.0, 2.0, -0.5, 1.5]),
        (F.hardtanh, [-1.0, 2.0, -5.0, 1.0]),
        (lambda x: wengert.where(x > 9, x, 0), [1.0, 2.0, 3.0, 4.0]),
        (F.hardshrink, [0.1, 0.2, -0.3, 0.5]),
    ):
        x = wengert.tensor(np.resize(values, size), dtype=dtype, requires_grad=True)
        y = function(x)
        (g,) = grad(y, x, wengert.tensor(cotangent, dtype=dtype))
        assert not np.any(g.numpy())
        assert not np.any(np.signbit(g.numpy()))


@pytest.mark.parametrize("size", [4, 400])
@pytest.mark.parametrize("dtype", [wengert.float32, wengert.float64])
def test_what_passes_a_mask_is_left_as_it_is(dtype, size):
    cotangent = np.resize([1e-310, inf, nan, -0.0], size)
    x = wengert.tensor(np.resize([1.0, 2.0, nan, inf], size), dtype=dtype, requires_grad=True)
    y = wengert.relu(x)
    np.testing.assert_array_equal(y.detach().numpy(), x.detach().numpy())
    given = wengert.tensor(cotangent, dtype=dtype)
    (g,) = grad(y, x, given)
    assert g.numpy().tobytes() == given.numpy().tobytes()


@pytest.mark.parametrize("shape", [(), (3,), (500,), (20, 30)])
def test_where_is_exact_for_all_numbers(shape):
    rng = np.random.default_rng(0)
    numbers = np.array([0.0, -0.0, inf, -inf, nan, 5e-324, 1.7e308, -1.0])
    a, b = (np.asarray(rng.choice(numbers, shape)) for _ in range(2))
    mask = np.asarray(rng.integers(0, 2, shape), bool)
    for dtype in (np.float64, np.float32):
        with np.errstate(over="ignore"):
            p, q = a.astype(dtype), b.astype(dtype)
        got = wengert.where(wengert.from_numpy(mask), wengert.from_numpy(p), wengert.from_numpy(q))
        assert got.numpy().tobytes() == np.where(mask, p, q).tobytes()


def test_signed_zeros_stay():
    for function in (
        wengert.relu,
        F.relu6,
        F.leaky_relu,
        F.elu,
        F.celu,
        lambda x: x.clamp_min(0),
        lambda x: x.clamp(0, 1),
    ):
        assert math.copysign(1, function(wengert.tensor(-0.0)).item()) == -1


def test_corners():
    assert slope(wengert.relu, [0.0, -0.0]) == [0, 0]
    assert slope(wengert.abs, [0.0, nan]) == [0, 0]
    assert slope(lambda x: x.clamp(0, 1), [-1, 0, 0.5, 1, 2]) == [0, 1, 1, 1, 0]
    assert slope(lambda x: x.clamp(2, 1), [0, 1.5, 3]) == [0, 0, 0]
    assert slope(F.hardtanh, [-1.0, 0.0, 1.0]) == [0, 1, 0]
    assert slope(F.hardswish, [-3.0, 3.0]) == [0, 1]
    assert slope(F.leaky_relu, [0.0]) == [0.01]
    assert slope(lambda x: F.elu(x, 2.0), [0.0]) == [2]
    assert slope(F.hardshrink, [-0.5, 0.5]) == [0, 0]
    assert slope(wengert.sign, [0.0, 1.0], [nan, inf]) == [0, 0]
    assert slope(wengert.sinc, [0.0, 1e-200, 1.0]) == pytest.approx([0, 0, -1])
    assert slope(wengert.nan_to_num, [nan, inf, 1.0]) == [0, 0, 1]


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_equal_elements_share_the_gradient(name):
    x, y = leaf([1.0, 2.0, nan]), leaf([1.0, 3.0, 1.0])
    g, h = grad(getattr(wengert, name)(x, y).sum(), (x, y))
    larger = name == "maximum"
    assert g.tolist()[:2] == [0.5, 0.0 if larger else 1.0]
    assert h.tolist()[:2] == [0.5, 1.0 if larger else 0.0]


def test_fmax_gives_equal_elements_to_the_first_and_passes_nan_by():
    x, y = leaf([1.0, nan, 2.0]), leaf([1.0, 3.0, nan])
    g, h = grad(wengert.fmax(x, y).sum(), (x, y))
    assert (g.tolist(), h.tolist()) == ([1, 0, 1], [0, 1, 0])


def test_bounds_that_are_tensors():
    x, low, high = leaf([-1.0, 0.5, 2.0, 0.5]), leaf([0.0, 0.0, 0.0, 1.0]), leaf([1.0, 1.0, 1.0, 0.0])
    grads = grad(x.clamp(low, high).sum(), (x, low, high))
    assert [g.tolist() for g in grads] == [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1]]


def test_the_origin():
    x, y = leaf(0.0), leaf(0.0)
    for function in (wengert.atan2, wengert.hypot):
        assert [g.item() for g in grad(function(x, y), (x, y))] == [0, 0]
    z = wengert.tensor(0j, dtype=wengert.complex128, requires_grad=True)
    for function in (lambda z: z.abs(), lambda z: z.angle(), lambda z: wengert.view_as_real(z.sgn()).sum()):
        assert grad(function(z), z)[0].item() == 0


def test_angle_next_to_the_origin():
    z = wengert.tensor(5e-14 + 1e-13j, dtype=wengert.complex64, requires_grad=True)
    assert grad(z.angle(), z)[0].item() == pytest.approx(-8e12 + 4e12j, rel=1e-5)


def test_xlogy_of_zero():
    x, y = leaf([0.0, 0.0, 0.0, 2.0]), leaf([0.0, -1.0, 3.0, 4.0])
    g, h = grad(wengert.xlogy(x, y).sum(), (x, y))
    assert g.tolist() == pytest.approx([0, 0, math.log(3), math.log(4)])
    assert h.tolist() == pytest.approx([0, 0, 0, 0.5])


def test_logaddexp_at_infinity():
    x, y = leaf([-inf, -inf, 0.0, inf]), leaf([-inf, 0.0, -inf, 0.0])
    g, h = grad(wengert.logaddexp(x, y).sum(), (x, y))
    assert (g.tolist(), h.tolist()) == ([0, 0, 1, 1], [0, 1, 0, 0])


def test_derivatives_of_every_order_at_zero():
    assert second(wengert.sinc, [0.0]) == pytest.approx([-(math.pi**2) / 3])
    x = leaf(0.0)
    y = wengert.sinc(x)
    for _ in range(4):
        (y,) = grad(y, x, create_graph=True)
    assert y.item() == pytest.approx(math.pi**4 / 5)
    assert second(wengert.i0, [0.0]) == pytest.approx([0.5])
    assert second(wengert.special.i1, [0.0]) == [0]


def test_second_derivatives_in_the_tails():
    want = -math.exp(-40) / (1 + math.exp(-40)) ** 2
    for value in (-40.0, 40.0):
        assert second(F.logsigmoid, [value])[0] / want == pytest.approx(1, rel=1e-6)


def test_logarithms_in_the_tails():
    assert wengert.special.log_ndtr(wengert.tensor([-100.0], dtype=wengert.float64)).item() == pytest.approx(
        -5005.5242086942
    )
    assert slope(wengert.special.log_ndtr, [-1e4]) == pytest.approx([1e4], rel=1e-7)
    assert wengert.special.erfcx(wengert.tensor([100.0], dtype=wengert.float64)).item() == pytest.approx(
        0.005641613782989433
    )


def test_beta_of_zero_leaves_nan_out():
    broken = wengert.full((2, 2), nan)
    made = wengert.addmm(broken, wengert.ones(2, 3), wengert.ones(3, 2), beta=0)
    assert made.tolist() == [[3, 3], [3, 3]]


def test_heaviside_has_no_derivative():
    y = wengert.heaviside(leaf([1.0]), wengert.tensor([0.5], dtype=wengert.float64))
    with pytest.raises(RuntimeError, match="derivative for aten::heaviside is not implemented"):
        y.sum().backward()


def test_views_of_complex_numbers_share_memory():
    z = wengert.tensor([1 + 2j, 3 - 1j])
    assert z.real._is_view()
    z.real[0] = 5
    z.imag = wengert.tensor([0.0, 1.0])
    assert z.tolist() == [5 + 0j, 3 + 1j]
    pairs = wengert.view_as_real(z)
    pairs[1, 0] = 7
    assert z[1].item() == 7 + 1j
    x = wengert.ones(2, 2)
    wengert.view_as_complex(x)[0] = 3j
    assert x.tolist() == [[0, 3], [1, 1]]


def test_a_write_to_the_real_part_is_recorded():
    z = (wengert.tensor([1 + 2j], dtype=wengert.complex128, requires_grad=True)) * 1
    x = leaf([3.0])
    z.real.copy_(x)
    grads = grad((z * z.conj()).real.sum(), x)
    assert grads[0].tolist() == [6]


def test_products_of_halves_are_summed_in_float32():
    ones = wengert.ones(1, 4096, dtype=wengert.float16)
    assert (ones @ ones.T).item() == 4096
    assert wengert.dot(ones[0], ones[0]).item() == 4096
    assert wengert.einsum("ij,kj->ik", ones, ones).item() == 4096


def test_integers_wrap_around_where_a_tensor_is_filled():
    assert wengert.full((1,), -9, dtype=wengert.uint8).item() == 247
    assert wengert.full_like(wengert.ones(1, dtype=wengert.uint8), -9).item() == 247
    made = wengert.ones(2, 2, dtype=wengert.uint8).sum_to_size(1, 2)
    assert made.dtype is wengert.int64
    assert made.tolist() == [[2, 2]]


def test_activations_in_place_have_their_defaults():
    x = wengert.tensor([-3.0, 2.0])
    assert wengert.nn.functional.leaky_relu_(x.clone()).tolist() == pytest.approx([-0.03, 2.0])
    assert wengert.nn.functional.hardtanh_(x.clone()).tolist() == [-1.0, 1.0]


def test_a_device_that_is_not_there_has_a_name_and_is_refused_where_it_is_used():
    assert str(wengert.device("cuda:1")) == "cuda:1"
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        wengert.zeros(2, device="cuda")
    with pytest.raises(RuntimeError, match="Device type mps is not available"):
        wengert.zeros(2, device="mps")
