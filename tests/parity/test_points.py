"""Values and gradients at corners, ends and non-numbers, node names, and error texts of elementwise functions: as PyTorch's."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import wengert  # noqa: E402

inf, nan = math.inf, math.nan
EDGES = [-inf, -1e3, -6.0, -3.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 3.0, 6.0, 20.0, 1e3, inf, nan]

OF_ONE = {
    "abs": lambda T, x: x.abs(),
    "sign": lambda T, x: x.sign(),
    "sgn": lambda T, x: x.sgn(),
    "angle": lambda T, x: x.angle(),
    "clamp": lambda T, x: x.clamp(-0.5, 3),
    "clamp from above": lambda T, x: x.clamp(max=0.5),
    "clamp_min": lambda T, x: x.clamp_min(0),
    "clamp with exchanged bounds": lambda T, x: x.clamp(3, -0.5),
    "nan_to_num": lambda T, x: x.nan_to_num(),
    "round": lambda T, x: x.round(),
    "relu": lambda T, x: T.relu(x),
    "relu6": lambda T, x: T.nn.functional.relu6(x),
    "leaky_relu": lambda T, x: T.nn.functional.leaky_relu(x),
    "leaky_relu of slope 0": lambda T, x: T.nn.functional.leaky_relu(x, 0.0),
    "elu": lambda T, x: T.nn.functional.elu(x, 2.0),
    "celu": lambda T, x: T.nn.functional.celu(x, 2.0),
    "selu": lambda T, x: T.nn.functional.selu(x),
    "rrelu": lambda T, x: T.nn.functional.rrelu(x),
    "gelu": lambda T, x: T.nn.functional.gelu(x),
    "gelu by tanh": lambda T, x: T.nn.functional.gelu(x, approximate="tanh"),
    "silu": lambda T, x: T.nn.functional.silu(x),
    "mish": lambda T, x: T.nn.functional.mish(x),
    "softplus": lambda T, x: T.nn.functional.softplus(x),
    "softplus with a threshold": lambda T, x: T.nn.functional.softplus(x, 2.0, 1.0),
    "softsign": lambda T, x: T.nn.functional.softsign(x),
    "hardtanh": lambda T, x: T.nn.functional.hardtanh(x),
    "hardswish": lambda T, x: T.nn.functional.hardswish(x),
    "hardsigmoid": lambda T, x: T.nn.functional.hardsigmoid(x),
    "hardshrink": lambda T, x: T.nn.functional.hardshrink(x),
    "softshrink": lambda T, x: T.nn.functional.softshrink(x),
    "tanhshrink": lambda T, x: T.nn.functional.tanhshrink(x),
    "threshold": lambda T, x: T.nn.functional.threshold(x, 0.5, 7.0),
    "logsigmoid": lambda T, x: T.nn.functional.logsigmoid(x),
    "prelu": lambda T, x: T.prelu(x, T.tensor([0.25], dtype=x.dtype)),
    "erf": lambda T, x: T.erf(x),
    "erfc": lambda T, x: T.erfc(x),
    "erfinv": lambda T, x: T.erfinv(x),
    "lgamma": lambda T, x: T.lgamma(x),
    "digamma": lambda T, x: T.digamma(x),
    "ndtri": lambda T, x: T.special.ndtri(x),
    "log_ndtr": lambda T, x: T.special.log_ndtr(x),
    "entr": lambda T, x: T.special.entr(x),
    "logit": lambda T, x: T.logit(x),
    "i0e": lambda T, x: T.special.i0e(x),
    "sinc": lambda T, x: T.sinc(x),
    "deg2rad": lambda T, x: T.deg2rad(x),
}
# The points of EDGES at which PyTorch's value or gradient is not the one to have, or depends on how many elements there are
BETTER = {
    "sgn": {nan}, "relu6": {nan}, "hardtanh": {nan}, "hardsigmoid": {nan}, "hardswish": {nan}, "hardshrink": {nan},
    "softshrink": {nan}, "elu": {nan}, "celu": {nan}, "selu": {nan}, "gelu": {inf, -3.0},
    "lgamma": {-inf, -1.0, -3.0, -6.0, -1e3}, "digamma": {-1.0, -3.0, -6.0, -1e3, inf, -inf}, "sinc": {inf, -inf},
    "i0e": {inf, -inf}, "log_ndtr": {-inf, inf, 1e3, -1e3, nan}, "ndtri": {0.0, -0.0, 1.0}, "erfinv": {1.0, -1.0},
    "erf": {inf, -inf}, "logit": {-0.0},
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", OF_ONE)
def test_edges(name, dtype):
    points = [v for v in EDGES if not any(v == w or (v != v and w != w) for w in BETTER.get(name, ()))]
    found = []
    for T in (torch, wengert):
        x = T.tensor(points, dtype=getattr(T, dtype), requires_grad=True)
        y = OF_ONE[name](T, x)
        (g,) = T.autograd.grad(y, x, T.ones_like(y))
        g = g + 0  # PyTorch's zeros may have no memory
        found.append((y.detach().numpy(), g.numpy(), y.grad_fn.name()))
    (y, g, node), (ours, our_g, our_node) = found
    tolerance = 3e-6 if dtype == "float32" else 1e-12
    np.testing.assert_allclose(ours, y, rtol=tolerance, atol=tolerance / 10)
    np.testing.assert_allclose(our_g, g, rtol=3e-6, atol=tolerance)
    assert our_node == node
    if name not in ("sinc", "entr", "softshrink"):
        np.testing.assert_array_equal(np.signbit(ours[y == 0]), np.signbit(y[y == 0]))


PAIRS = [(a, b) for a in (-inf, -1.0, 0.0, 1.0, inf, nan) for b in (-inf, -1.0, 0.0, 1.0, 2.0, inf, nan)]
OF_TWO = {
    "maximum": lambda T, x, y: T.maximum(x, y),
    "minimum": lambda T, x, y: T.minimum(x, y),
    "fmax": lambda T, x, y: T.fmax(x, y),
    "fmin": lambda T, x, y: T.fmin(x, y),
    "clamp_min": lambda T, x, y: T.clamp_min(x, y),
    "clamp_max": lambda T, x, y: T.clamp_max(x, y),
    "clamp": lambda T, x, y: T.clamp(x, y, y * 0 + 1),
    "where": lambda T, x, y: T.where(x > y, x, y),
    "copysign": lambda T, x, y: T.copysign(x, y),
    "lerp": lambda T, x, y: T.lerp(x, y, 0.75),
    "addcmul": lambda T, x, y: T.addcmul(x, y, y, value=2),
    "atan2": lambda T, x, y: T.atan2(x, y),
    "xlogy": lambda T, x, y: T.xlogy(x, y),
    "logaddexp": lambda T, x, y: T.logaddexp(x, y),
}


def _better(name, a, b):
    """Whether PyTorch's gradient at this point is nan where there is a right one."""
    return (
        (name == "logaddexp" and a == b == -inf)
        or (name == "atan2" and (math.isinf(a) or math.isinf(b)))
        or (name == "xlogy" and a == b == 0)
        or (name in ("copysign", "xlogy") and (math.isinf(a) or math.isnan(a) or math.isnan(b) or math.isinf(b)))
    )


@pytest.mark.parametrize("name", OF_TWO)
def test_edges_of_two(name):
    points = [p for p in PAIRS if not _better(name, *p)]
    found = []
    for T in (torch, wengert):
        x, y = (T.tensor(v, dtype=T.float64, requires_grad=True) for v in map(list, zip(*points, strict=True)))
        out = OF_TWO[name](T, x, y)
        grads = T.autograd.grad(out, (x, y), T.ones_like(out))
        found.append((out.detach().numpy(), *(g.numpy() for g in grads)))
        node = out.grad_fn.name()
        found[-1] = (*found[-1], node)
    for want, got in zip(found[0][:3], found[1][:3], strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14)
    assert found[0][3] == found[1][3]


COMPLEX = [0j, 1 + 2j, -3 + 0j, 2j, -1 - 1j]
OF_COMPLEX = {
    "abs": lambda T, z: z.abs(),
    "angle": lambda T, z: z.angle(),
    "sgn": lambda T, z: z.sgn(),
    "conj": lambda T, z: z.conj() * 1,
    "conj_physical": lambda T, z: z.conj_physical(),
    "real": lambda T, z: z.real * 1,
    "imag": lambda T, z: z.imag * 1,
    "view_as_real": lambda T, z: T.view_as_real(z),
    "sinc": lambda T, z: T.sinc(z),
    "where": lambda T, z: T.where(z.real > 0, z, z * z),
    "logaddexp": lambda T, z: T.logaddexp(z, z * 2),
    "vdot": lambda T, z: T.vdot(z, z * z),
    "dot": lambda T, z: T.dot(z, z * z),
    "outer": lambda T, z: T.outer(z, z * z),
    "einsum": lambda T, z: T.einsum("i,j->ij", z, z * z),
    "lerp": lambda T, z: T.lerp(z, z * z, 0.3),
}


@pytest.mark.parametrize("name", OF_COMPLEX)
def test_complex(name):
    found = []
    for T in (torch, wengert):
        z = T.tensor(COMPLEX, dtype=T.complex128, requires_grad=True)
        y = OF_COMPLEX[name](T, z)
        w = T.ones_like(y) * (1 + 2j) if y.is_complex() else T.ones_like(y)
        (g,) = T.autograd.grad(y, z, w)
        found.append((y.detach().resolve_conj().numpy(), g.resolve_conj().numpy(), y.grad_fn.name()))
    (y, g, node), (ours, our_g, our_node) = found
    np.testing.assert_allclose(ours, y, rtol=1e-12, atol=1e-14)
    if name == "sinc":  # PyTorch's gradient near 0 is nan
        our_g, g = our_g[1:], g[1:]
    np.testing.assert_allclose(our_g, g, rtol=1e-12, atol=1e-14)
    assert our_node == node or name in ("real", "imag", "einsum")


CALLS = [
    lambda T: T.tensor([1j]) < 1,
    lambda T: T.tensor([1.0]) & 1,
    lambda T: T.tensor([1]) & 1.0,
    lambda T: ~T.tensor([1.0]),
    lambda T: T.tensor([1]) << 1.5,
    lambda T: T.bitwise_left_shift(T.tensor([True]), T.tensor([True])),
    lambda T: T.tensor([True]).abs(),
    lambda T: T.sign(T.tensor([1j])),
    lambda T: T.signbit(T.tensor([1j])),
    lambda T: T.isposinf(T.tensor([1j])),
    lambda T: T.isin(T.tensor([1j]), 1),
    lambda T: T.tensor([1.0]).clamp(),
    lambda T: T.tensor([1j]).clamp(0),
    lambda T: T.tensor([1], dtype=T.uint8).clamp(0, 300),
    lambda T: T.maximum(T.tensor([1j]), T.tensor([1j])),
    lambda T: T.maximum(T.ones(1), 1),
    lambda T: T.where(T.ones(1), T.ones(1), T.ones(1)),
    lambda T: T.where(T.tensor([True, False]), T.ones(3), T.ones(3)),
    lambda T: T.tensor([1.0]).imag,
    lambda T: T.isclose(T.ones(1), T.ones(1).double()),
    lambda T: T.isclose(T.ones(1), T.ones(1), rtol=-1),
    lambda T: T.equal(T.ones(1), 1),
    lambda T: T.logical_and(T.ones(1), 1),
    lambda T: T.heaviside(T.ones(1), T.ones(1).double()),
    lambda T: T.lerp(T.ones(1), T.ones(1).double(), 0.5),
    lambda T: T.lerp(T.tensor([1]), T.tensor([1]), 0.5),
    lambda T: T.addcdiv(T.ones(1), T.tensor([1]), T.tensor([1])),
    lambda T: T.complex(T.ones(1), T.ones(1).double()),
    lambda T: T.complex(T.tensor([1]), T.tensor([1])),
    lambda T: T.view_as_complex(T.ones(3)),
    lambda T: T.view_as_complex(T.ones(2, 3).t()),
    lambda T: T.view_as_complex(T.tensor([1])),
    lambda T: T.view_as_real(T.ones(1)),
    lambda T: T.hypot(T.tensor([1]), T.tensor([1])),
    lambda T: T.hypot(T.ones(1), 1.0),
    lambda T: T.atan2(T.ones(1), 1.0),
    lambda T: T.deg2rad(T.tensor([1j])),
    lambda T: T.round(T.tensor([1]), decimals=1),
    lambda T: T.relu(T.tensor([True])),
    lambda T: T.nn.functional.relu6(T.tensor([True])),
    lambda T: T.nn.functional.leaky_relu(T.tensor([1])),
    lambda T: T.nn.functional.elu(T.tensor([1])),
    lambda T: T.nn.functional.gelu(T.tensor([1])),
    lambda T: T.nn.functional.gelu(T.ones(1), approximate="x"),
    lambda T: T.nn.functional.silu(T.tensor([1])),
    lambda T: T.nn.functional.hardtanh(T.ones(1), 1, -1),
    lambda T: T.nn.functional.softshrink(T.ones(1), -1),
    lambda T: T.nn.functional.glu(T.ones(3)),
    lambda T: T.nn.functional.glu(T.tensor(1.0)),
    lambda T: T.nn.functional.glu(T.ones(4), 3),
    lambda T: T.nn.functional.rrelu(T.ones(1), 1, 0),
    lambda T: T.nn.functional.celu(T.ones(1), 0),
    lambda T: T.prelu(T.ones(2, 3), T.ones(2)),
    lambda T: T.prelu(T.ones(2, 3), T.ones(3, 1)),
    lambda T: T.prelu(T.ones(2, 3), T.ones(3).double()),
    lambda T: T.prelu(T.tensor(1.0), T.ones(2)),
    lambda T: T.polygamma(-1, T.ones(1)),
    lambda T: T.mvlgamma(T.ones(1), 0),
    lambda T: T.erf(T.tensor([1j])),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_errors(number):
    outcomes = []
    for T in (torch, wengert):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                outcomes.append(CALLS[number](T).tolist())
        except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError) as e:
            outcomes.append(e)
    want, got = outcomes
    if not isinstance(want, Exception):
        assert got == want
        return
    assert type(got) is type(want)
    assert isinstance(want, TypeError) or str(got).startswith(str(want).split("\n")[0])


def test_rrelu_in_training_draws_the_same_numbers():
    made = []
    for T in (torch, wengert):
        T.manual_seed(3)
        x = T.tensor([[-1.0, 2.0, -3.0], [0.0, -1.0, 1.0]], requires_grad=True)
        y = T.nn.functional.rrelu(x, 0.1, 0.4, training=True)
        y.sum().backward()
        made.append((y.tolist(), x.grad.tolist(), T.rand(3).tolist()))
    assert made[0] == made[1]
