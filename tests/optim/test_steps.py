"""The steps of optimizers, held against the formulas written out for one number, in all dtypes and on both paths."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import wengert as w
from wengert import nn, optim


def sgd(p, grads, lr, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, maximize=False):
    v = None
    for g in grads:
        g = (-g if maximize else g) + weight_decay * p
        if momentum:
            v = g if v is None else momentum * v + (1 - dampening) * g
            g = g + momentum * v if nesterov else v
        p -= lr * g
    return p


def adam(p, grads, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, maximize=False, decoupled=False):
    m = v = top = 0.0
    for t, g in enumerate(grads, 1):
        g = -g if maximize else g
        if decoupled:
            p *= 1 - lr * weight_decay
        else:
            g += weight_decay * p
        m = betas[0] * m + (1 - betas[0]) * g
        v = betas[1] * v + (1 - betas[1]) * g * g
        top = max(top, v) if amsgrad else v
        p -= lr * m / (1 - betas[0] ** t) / (math.sqrt(top / (1 - betas[1] ** t)) + eps)
    return p


def adamw(p, grads, lr, weight_decay=0.01, **options):
    return adam(p, grads, lr, weight_decay=weight_decay, decoupled=True, **options)


def rmsprop(p, grads, lr, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0, centered=False, maximize=False):
    square = mean = buffer = 0.0
    for g in grads:
        g = (-g if maximize else g) + weight_decay * p
        square = alpha * square + (1 - alpha) * g * g
        mean = alpha * mean + (1 - alpha) * g
        step = g / (math.sqrt(square - mean * mean if centered else square) + eps)
        buffer = momentum * buffer + step
        p -= lr * buffer
    return p


def adagrad(p, grads, lr, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10, maximize=False):
    total = initial_accumulator_value
    for t, g in enumerate(grads):
        g = (-g if maximize else g) + weight_decay * p
        total += g * g
        p -= lr / (1 + t * lr_decay) * g / (math.sqrt(total) + eps)
    return p


def combinations(**options):
    for values in itertools.product(*options.values()):
        yield {k: v for k, v in zip(options, values, strict=True) if v is not None}


CASES = [
    (sgd, optim.SGD, o)
    for o in combinations(momentum=[None, 0.8], dampening=[None, 0.3], nesterov=[None, True], maximize=[None, True])
    if not o.get("nesterov") or ("momentum" in o and "dampening" not in o)
]
CASES += [(sgd, optim.SGD, {"weight_decay": 0.1}), (sgd, optim.SGD, {"weight_decay": 0.1, "momentum": 0.5})]
CASES += [
    (formula, made, o)
    for formula, made in ((adam, optim.Adam), (adamw, optim.AdamW))
    for o in combinations(
        betas=[None, (0.5, 0.7)], weight_decay=[None, 0.1], amsgrad=[None, True], maximize=[None, True]
    )
]
CASES += [
    (rmsprop, optim.RMSprop, o)
    for o in combinations(alpha=[None, 0.7], momentum=[None, 0.8], centered=[None, True], weight_decay=[None, 0.1])
]
CASES += [(rmsprop, optim.RMSprop, {"maximize": True, "eps": 0.1})]
CASES += [
    (adagrad, optim.Adagrad, o)
    for o in combinations(lr_decay=[None, 0.1], initial_accumulator_value=[None, 0.5], maximize=[None, True])
]
each_case = pytest.mark.parametrize(("formula", "made", "options"), CASES, ids=lambda v: getattr(v, "__name__", str(v)))

GRADS = np.random.default_rng(1).normal(size=(5, 4, 3))
START = np.random.default_rng(2).normal(size=(4, 3))


def run(made, options, dtype=np.float64, start=START, grads=GRADS):
    p = nn.Parameter(w.from_numpy(start.astype(dtype)))
    optimizer = made([p], lr=0.05, **options)
    for g in grads:
        p.grad = w.from_numpy(g.astype(dtype))
        optimizer.step()
    return p.detach().numpy()


@each_case
def test_formulas(formula, made, options):
    columns = zip(START.ravel(), GRADS.reshape(5, -1).T, strict=True)
    expected = [formula(p, list(g), 0.05, **options) for p, g in columns]
    np.testing.assert_allclose(run(made, options).ravel(), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(run(made, options, np.float32).ravel(), expected, rtol=1e-4, atol=1e-5)


@each_case
def test_complex_numbers_step_as_their_parts(formula, made, options):
    parts = GRADS[..., :1], GRADS[..., 1:2]
    found = run(made, options, np.complex128, START[:, :1] + 1j * START[:, 1:2], parts[0] + 1j * parts[1])
    np.testing.assert_allclose(found.real, run(made, options, start=START[:, :1], grads=parts[0]), rtol=1e-12)
    np.testing.assert_allclose(found.imag, run(made, options, start=START[:, 1:2], grads=parts[1]), rtol=1e-12)


@each_case
def test_recorded_steps_equal_the_others(formula, made, options):
    """`differentiable=True` takes a path of its own."""
    p = nn.Parameter(w.from_numpy(START.copy()))
    moving = p * 1
    optimizer = made([moving], lr=0.05, differentiable=True, **options)
    for g in GRADS:
        moving.grad = w.from_numpy(g)
        optimizer.step()
    np.testing.assert_allclose(moving.detach().numpy(), run(made, options), rtol=1e-12)
    moving.sum().backward()
    assert p.grad.shape == p.shape


@pytest.mark.parametrize(
    ("made", "options"),
    [
        (optim.SGD, {"momentum": 0.5}),
        (optim.SGD, {"weight_decay": 0.1}),
        (optim.Adam, {"eps": 0.1, "amsgrad": True}),
        (optim.AdamW, {"eps": 0.1}),
        (optim.RMSprop, {"eps": 0.1, "centered": True, "momentum": 0.5}),
        (optim.Adagrad, {"eps": 0.1, "lr_decay": 0.1}),
    ],
)
def test_gradients_through_steps(made, options):
    def final(start, *grads):
        p = start * 1
        optimizer = made([p], lr=0.2, differentiable=True, **options)
        for g in grads:
            p.grad = g
            optimizer.step()
        return p

    inputs = [w.tensor(v, dtype=w.float64, requires_grad=True) for v in ([1.0, -0.5], [0.3, -0.6], [0.5, 0.9])]
    if "momentum" in options and made is optim.SGD:  # takes the first gradient, its first velocity, as a constant
        first = inputs.pop(1).detach()
        assert w.autograd.gradcheck(lambda start, g: final(start, first, g), inputs)
    else:
        assert w.autograd.gradcheck(final, inputs)


def test_the_learning_rate_can_be_differentiated():
    lr = w.tensor(0.1, requires_grad=True)
    p = w.ones(1, requires_grad=True) * 2
    optimizer = optim.SGD([p], lr=lr, differentiable=True)
    p.grad = w.tensor([3.0])
    optimizer.step()
    p.sum().backward()
    assert lr.grad.item() == -3


@pytest.mark.parametrize("made", [optim.SGD, optim.Adam, optim.AdamW, optim.RMSprop, optim.Adagrad])
class TestAnyParameter:
    @pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3)])
    def test_shapes(self, made, shape):
        p = nn.Parameter(w.ones(shape))
        optimizer = made([p], lr=0.1, weight_decay=0.01, maximize=True)
        for _ in range(3):
            p.grad = w.ones(shape)
            optimizer.step()
        assert p.shape == shape
        assert (p.detach() > 1).all()
        for value in optimizer.state[p].values():
            assert isinstance(value, w.Tensor)

    def test_layouts(self, made):
        """A parameter that is not contiguous is written where it lies."""
        memory = np.arange(24, dtype=np.float32).reshape(4, 6)
        p = nn.Parameter(w.from_numpy(memory)[::2].t())
        expected = run(made, {}, np.float32, memory[::2].T.copy(), [np.ones((6, 2))])
        optimizer = made([p], lr=0.05)
        p.grad = w.ones(6, 2)
        optimizer.step()
        np.testing.assert_array_equal(memory[::2].T, expected)
        np.testing.assert_array_equal(memory[1], np.arange(6, 12))

    @pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
    def test_half_precision_is_computed_in_single(self, made, dtype):
        if dtype == "bfloat16":
            pytest.importorskip("ml_dtypes")
        start = w.linspace(-1, 1, 9).to(getattr(w, dtype))
        p, q = nn.Parameter(start.clone()), nn.Parameter(start.float())
        for x in (p, q):
            optimizer = made([x], lr=0.1, weight_decay=0.1)
            x.grad = (start * 0.5).to(x.dtype)
            optimizer.step()
        assert p.dtype == getattr(w, dtype)
        assert p.tolist() == q.to(p.dtype).tolist()

    def test_writes_are_counted_and_in_place(self, made):
        p = nn.Parameter(w.ones(3))
        view, version = p.detach(), p._version
        optimizer = made([p], lr=0.1)
        p.grad = w.ones(3)
        optimizer.step()
        assert p._version == version + 1
        assert view.tolist() == p.tolist() != [1, 1, 1]
        held = dict(optimizer.state[p])
        before = {k: v._version for k, v in held.items()}
        optimizer.step()
        assert all(optimizer.state[p][k] is v and v._version == before[k] + 1 for k, v in held.items())

    def test_gradients_are_left_alone(self, made):
        p = nn.Parameter(w.ones(3))
        p.grad = g = w.ones(3)
        for options in ({"weight_decay": 0.1}, {"maximize": True}):
            made([p], lr=0.1, **options).step()
            assert p.grad is g
            assert g.tolist() == [1, 1, 1]

    def test_parameters_without_a_gradient_stay(self, made):
        p, q = nn.Parameter(w.ones(2)), nn.Parameter(w.ones(2))
        optimizer = made([p, q], lr=0.1)
        p.grad = w.ones(2)
        optimizer.step()
        assert q.tolist() == [1, 1]
        assert p.tolist() != [1, 1]

    def test_in_any_mode(self, made):
        found = []
        for mode in (w.enable_grad, w.no_grad, w.inference_mode):
            p = nn.Parameter(w.ones(2))
            optimizer = made([p], lr=0.1)
            p.grad = w.ones(2)
            with mode():
                optimizer.step()
            assert p.requires_grad
            assert p.is_leaf
            found.append(p.tolist())
        assert found[0] == found[1] == found[2]

    def test_numbers_beyond_all_bounds_pass_quietly(self, made):
        p = nn.Parameter(w.tensor([1.0, 1.0]))
        p.grad = w.tensor([math.inf, 1e30])
        made([p], lr=1e30).step()
        assert not math.isfinite(p[0].item())

    def test_a_tensor_as_learning_rate(self, made):
        p, q = nn.Parameter(w.ones(2)), nn.Parameter(w.ones(2))
        for x, lr in ((p, 0.25), (q, w.tensor(0.25))):
            x.grad = w.ones(2)
            made([x], lr=lr).step()
        assert p.tolist() == q.tolist()
