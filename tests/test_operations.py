"""The same checks for every operation, over the samples of all families (tests/samples)."""

from __future__ import annotations

import numpy as np
import pytest

import wengert
from wengert.autograd import engine
from wengert.autograd.api import grad
from wengert.autograd.modes import DEFAULT, set_mode
from wengert.ops.forward_mode import set_tangent, tangent_of
from wengert.tensor import Tensor, edge_of

from .samples import B, I, S, T, every

SAMPLES = every()
DIFFERENTIABLE = [s for s in SAMPLES if s.checks == "all"]


def resolve(name):
    found = wengert
    for part in name.split("."):
        found = getattr(found, part)
    return found


class Call:
    """A sample with its arrays drawn, callable with any replacement of its differentiable inputs."""

    def __init__(self, sample: S, dtype=None) -> None:
        self.sample = sample
        rng = np.random.default_rng(sum(map(ord, repr(sample))))
        self.inputs: list[np.ndarray] = []
        self.plan = [self.freeze(a, rng, dtype) for a in sample.args]
        self.named = {k: self.freeze(v, rng, dtype) for k, v in sample.kwargs.items()}
        self.rng = rng

    def freeze(self, arg, rng, dtype):
        if isinstance(arg, (list, tuple)):
            return type(arg)(self.freeze(a, rng, dtype) for a in arg)
        if not isinstance(arg, (T, I, B)):
            return ("constant", arg)
        array = arg.draw(rng)
        if isinstance(arg, T) and dtype is not None:
            array = array.astype(np.result_type(dtype, np.complex64) if array.dtype.kind == "c" else dtype)
        if isinstance(arg, T) and arg.grad:
            self.inputs.append(array)
            return ("input", len(self.inputs) - 1)
        return ("tensor", array)

    def thaw(self, plan, xs):
        if isinstance(plan, list) or (isinstance(plan, tuple) and (not plan or not isinstance(plan[0], str))):
            return type(plan)(self.thaw(p, xs) for p in plan)
        kind, value = plan
        if kind == "constant":
            return value
        return xs[value] if kind == "input" else wengert.from_numpy(value.copy())

    def __call__(self, xs):
        args = [self.thaw(p, xs) for p in self.plan]
        named = {k: self.thaw(p, xs) for k, p in self.named.items()}
        function = resolve(self.sample.name)
        return self.sample.via(function, *args, **named) if self.sample.via else function(*args, **named)

    def outputs(self, xs):
        out = self(xs)
        out = list(out) if isinstance(out, (tuple, list)) else [out]
        return [o for o in out if isinstance(o, Tensor) and o.dtype.category >= wengert.dtypes.FLOAT]

    def leaves(self, arrays=None):
        # order K keeps a transposed layout
        arrays = self.inputs if arrays is None else arrays
        return [wengert.from_numpy(np.asarray(np.array(a, order="K"))).requires_grad_() for a in arrays]

    def weights(self, outs):
        rng = np.random.default_rng(7)
        made = []
        for o in outs:
            w = rng.uniform(0.5, 1.5, tuple(o.shape))
            if o.is_complex():
                w = w + 1j * rng.uniform(-1, 1, tuple(o.shape))
            made.append(wengert.from_numpy(np.asarray(w, o._array.dtype)))
        return made

    def directions(self):
        rng = np.random.default_rng(8)
        made = []
        for a in self.inputs:
            v = rng.uniform(-1, 1, a.shape)
            if a.dtype.kind == "c":
                v = v + 1j * rng.uniform(-1, 1, a.shape)
            made.append(np.asarray(v, a.dtype))
        return made


def inner(a, b):
    """The real inner product that gradients are taken in."""
    return float(np.sum(np.real(np.conj(a) * b)))


def gradients(call, xs, create_graph=False):
    outs = [o for o in call.outputs(xs) if o.requires_grad]
    if not outs:
        return None
    return grad(outs, xs, call.weights(outs), allow_unused=True, create_graph=create_graph, materialize_grads=True)


def ids(sample):
    return repr(sample)[:80]


@pytest.mark.parametrize("sample", [s for s in SAMPLES if s.value is not None], ids=ids)
def test_value(sample):
    call = Call(sample)
    xs = call.leaves()
    got = call(xs)
    with np.errstate(all="ignore"):
        args = [_numpy(call.thaw(p, xs)) for p in call.plan]
        named = {k: _numpy(call.thaw(p, xs)) for k, p in call.named.items()}
        want = sample.value(*args, **named)
    np.testing.assert_allclose(got.detach().numpy(), want, rtol=1e-10, atol=1e-12)


def _numpy(x):
    if isinstance(x, (list, tuple)):
        return type(x)(map(_numpy, x))
    return x.detach().numpy() if isinstance(x, Tensor) else x


@pytest.mark.parametrize("sample", DIFFERENTIABLE, ids=ids)
def test_gradient_against_finite_difference(sample):
    call = Call(sample)
    g = gradients(call, call.leaves())
    if g is None:
        pytest.skip("no differentiable output")
    step = 1e-6
    directions = call.directions()
    sides = []
    for sign in (1, -1):
        xs = call.leaves([a + sign * step * v for a, v in zip(call.inputs, directions, strict=True)])
        outs = [o for o in call.outputs(xs) if o.requires_grad]
        sides.append(sum(inner(w.numpy(), o.detach().numpy()) for w, o in zip(call.weights(outs), outs, strict=True)))
    numeric = (sides[0] - sides[1]) / (2 * step)
    analytic = sum(inner(a.numpy(), v) for a, v in zip(g, directions, strict=True))
    assert analytic == pytest.approx(numeric, rel=1e-5, abs=1e-6)
    for a, x in zip(g, call.inputs, strict=True):
        assert a.shape == x.shape
        assert a._array.dtype == x.dtype


@pytest.mark.parametrize("sample", DIFFERENTIABLE, ids=ids)
def test_push_is_the_transpose_of_pull(sample):
    call = Call(sample)
    g = gradients(call, call.leaves())
    if g is None:
        pytest.skip("no differentiable output")
    directions = call.directions()
    previous = wengert.autograd.modes.get_mode()
    set_mode(DEFAULT.replace(dual_level=1))
    try:
        xs = call.leaves()
        for x, v in zip(xs, directions, strict=True):
            set_tangent(x, 1, wengert.from_numpy(v.copy()))
        outs = [o for o in call.outputs(xs) if o.requires_grad]
        pushed = [tangent_of(o, 1) for o in outs]
    finally:
        set_mode(previous)
    left = sum(
        inner(w.numpy(), p.detach().numpy()) for w, p in zip(call.weights(outs), pushed, strict=True) if p is not None
    )
    for o, p in zip(outs, pushed, strict=True):
        assert p is None or (p.shape == o.shape and p.dtype == o.dtype)
    right = sum(inner(a.numpy(), v) for a, v in zip(g, directions, strict=True))
    assert left == pytest.approx(right, rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("sample", DIFFERENTIABLE, ids=ids)
def test_second_order(sample):
    """The recorded gradient equals the plain one, and its own gradient a finite difference of it."""
    call = Call(sample)
    plain = gradients(call, call.leaves())
    if plain is None:
        pytest.skip("no differentiable output")
    xs = call.leaves()
    recorded = gradients(call, xs, create_graph=True)
    for a, b in zip(plain, recorded, strict=True):
        np.testing.assert_allclose(a.numpy(), b.detach().numpy(), rtol=1e-12, atol=1e-13)
    rng = np.random.default_rng(9)
    seeds = [np.asarray(rng.uniform(0.5, 1.5, a.shape), a._array.dtype) for a in plain]
    chosen = [(a, wengert.from_numpy(s)) for a, s in zip(recorded, seeds, strict=True) if a.requires_grad]
    second = [np.zeros_like(a) for a in call.inputs]
    if chosen:
        found = grad([a for a, _ in chosen], xs, [s for _, s in chosen], allow_unused=True, materialize_grads=True)
        second = [s.numpy() for s in found]
    step = 1e-5
    directions = call.directions()
    sides = []
    for sign in (1, -1):
        moved = gradients(
            call, call.leaves([a + sign * step * v for a, v in zip(call.inputs, directions, strict=True)])
        )
        sides.append(sum(inner(s, a.numpy()) for s, a in zip(seeds, moved, strict=True)))
    numeric = (sides[0] - sides[1]) / (2 * step)
    analytic = sum(inner(s, v) for s, v in zip(second, directions, strict=True))
    assert analytic == pytest.approx(numeric, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("sample", DIFFERENTIABLE, ids=ids)
def test_specialised_path_equals_reference(sample, dtype):
    call = Call(sample, dtype)

    def run():
        xs = call.leaves()
        outs = call.outputs(xs)
        names = [o.grad_fn and o.grad_fn.name() for o in outs]
        return outs, names, gradients(call, xs)

    outs, names, g = run()
    set_mode(DEFAULT.replace(dual_level=1))  # sends every call to Operation.apply
    try:
        reference, reference_names, h = run()
    finally:
        set_mode(DEFAULT)
    assert names == reference_names
    tolerance = 0.0 if sample.exact else 1e-6 if dtype == "float32" else 1e-14
    for a, b in zip(outs, reference, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy(), rtol=tolerance, atol=tolerance)
    for a, b in zip(g or (), h or (), strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("sample", DIFFERENTIABLE, ids=ids)
def test_what_is_not_kept_may_be_overwritten(sample):
    call = Call(sample)
    want = gradients(call, call.leaves())
    if want is None:
        pytest.skip("no differentiable output")
    xs = call.leaves()
    outs = [o for o in call.outputs(xs) if o.requires_grad]
    order = engine._collect([(edge_of(o), None) for o in outs])[0]
    kept = [
        a for node in order for a in (node.saved if isinstance(node.saved, tuple) else ()) if isinstance(a, np.ndarray)
    ]
    for x in xs:
        if not any(np.shares_memory(x._array, a) for a in kept):
            x._array[...] = np.nan
    got = grad(outs, xs, call.weights(outs), allow_unused=True, materialize_grads=True)
    for a, b in zip(want, got, strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


def _has_inplace(sample):
    return (
        "." not in sample.name and hasattr(Tensor, sample.name + "_") and sample.args and isinstance(sample.args[0], T)
    )


@pytest.mark.parametrize("sample", [s for s in DIFFERENTIABLE if _has_inplace(s)], ids=ids)
def test_inplace_equals_out_of_place(sample):
    call = Call(sample)
    xs = call.leaves()
    want = call(xs)
    if want.shape != xs[0].shape or want.dtype != xs[0].dtype:
        pytest.skip("the result does not fit into the input")
    ys = call.leaves()
    target = ys[0].clone()
    args = [call.thaw(p, ys) for p in call.plan[1:]]
    named = {k: call.thaw(p, ys) for k, p in call.named.items()}
    version = target._version
    got = getattr(target, sample.name + "_")(*args, **named)
    assert got is target
    assert target._version > version
    np.testing.assert_array_equal(got.detach().numpy(), want.detach().numpy())
    if want.requires_grad:
        weights = call.weights([want])
        a = grad([want], xs, weights, allow_unused=True, materialize_grads=True)
        b = grad([got], ys, weights, allow_unused=True, materialize_grads=True)
        for p, q in zip(a, b, strict=True):
            np.testing.assert_allclose(p.numpy(), q.numpy(), rtol=1e-13, atol=1e-14)
