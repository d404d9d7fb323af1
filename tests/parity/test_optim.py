"""Optimizers and schedulers step as PyTorch's do, and say the same."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import wengert

from .alike import assert_alike
from .optim_scripts import SCRIPTS

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts(name):
    assert_alike(torch, SCRIPTS[name])


def combinations(**options):
    """All combinations of the options' values, as dictionaries; None leaves an option out."""
    for values in itertools.product(*options.values()):
        yield {k: v for k, v in zip(options, values, strict=True) if v is not None}


OPTIONS = {
    "SGD": [
        o
        for o in combinations(
            momentum=[None, 0.9],
            dampening=[None, 0.1],
            weight_decay=[None, 0.05],
            nesterov=[None, True],
            maximize=[None, True],
        )
        if not o.get("nesterov") or ("momentum" in o and "dampening" not in o)
    ],
    "Adam": list(
        combinations(betas=[None, (0.7, 0.95)], weight_decay=[None, 0.05], amsgrad=[None, True], maximize=[None, True])
    ),
    "AdamW": list(
        combinations(weight_decay=[None, 0.2], amsgrad=[None, True], maximize=[None, True], eps=[None, 1e-3])
    ),
    "RMSprop": list(
        combinations(momentum=[None, 0.9], centered=[None, True], weight_decay=[None, 0.05], maximize=[None, True])
    ),
    "Adagrad": list(
        combinations(
            lr_decay=[None, 0.1],
            weight_decay=[None, 0.05],
            initial_accumulator_value=[None, 0.5],
            maximize=[None, True],
        )
    ),
}
CASES = [(kind, options) for kind, several in OPTIONS.items() for options in several]


def stepped(lib, kind, options, dtype, shapes, steps, differentiable=False):
    """The parameters and the state after each step with random gradients, as arrays."""
    rng = np.random.default_rng(5)

    def draw(shape):
        a = rng.normal(size=shape)
        return lib.from_numpy(np.asarray(a + 1j * rng.normal(size=shape) if dtype.startswith("complex") else a, dtype))

    params = [lib.nn.Parameter(draw(s)) for s in shapes]
    if differentiable:
        params = [p * 1 for p in params]
    optimizer = getattr(lib.optim, kind)(params, lr=0.1, **options, differentiable=differentiable)
    seen = []
    for i in range(steps):
        for p, shape in zip(params, shapes, strict=True):
            p.grad = draw(shape) if i or shape != (3,) else None  # one parameter starts a step later
        optimizer.step()
        seen.append(
            [p.detach().numpy().copy() for p in params]
            + [v.detach().numpy().copy() for s in optimizer.state_dict()["state"].values() for v in s.values()]
        )
    return seen, optimizer


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize(("kind", "options"), CASES, ids=str)
def test_steps(kind, options, dtype):
    """Equal but for the rounding: PyTorch fuses a product and a sum where the processor can, NumPy rounds both."""
    shapes = [(4, 5), (), (3,), (0, 2), (2, 3, 2)]
    theirs, a = stepped(torch, kind, options, dtype, shapes, steps=4)
    ours, b = stepped(wengert, kind, options, dtype, shapes, steps=4)
    eps = np.finfo(dtype).eps
    for step, (x, y) in enumerate(zip(theirs, ours, strict=True)):
        for p, q in zip(x, y, strict=True):
            assert p.dtype == q.dtype
            np.testing.assert_allclose(q, p, rtol=20 * eps, atol=20 * eps * (step + 1))
    assert repr(b) == repr(a)
    assert repr(b.state_dict()["param_groups"]) == repr(a.state_dict()["param_groups"])
    assert [list(s) for s in b.state_dict()["state"].values()] == [list(s) for s in a.state_dict()["state"].values()]


EXACT = [
    ("Adam", {"betas": (0.0, 0.0)}),
    ("Adam", {"betas": (0.0, 0.0), "amsgrad": True, "eps": 0.1}),
    ("AdamW", {"betas": (0.0, 0.0), "weight_decay": 0.3}),
    ("RMSprop", {"alpha": 0.0}),
    ("Adagrad", {}),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("kind", "options"), EXACT, ids=str)
def test_steps_to_the_last_bit(kind, options, dtype):
    """Where no product is fused with a sum, the operations and their order are PyTorch's: the results are equal."""
    rng = np.random.default_rng(3)
    start, gradient = rng.normal(size=(2, 1000)).astype(dtype)
    found = []
    for lib in (torch, wengert):
        p = lib.nn.Parameter(lib.from_numpy(start.copy()))
        optimizer = getattr(lib.optim, kind)([p], lr=0.1, **options)
        p.grad = lib.from_numpy(gradient.copy())
        optimizer.step()
        found.append(p.detach().numpy())
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("kind", OPTIONS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision(kind, dtype):
    """PyTorch rounds after each operation, wengert after the step: they differ by a few units of the last place."""
    found = []
    for lib in (torch, wengert):
        p = lib.nn.Parameter(lib.linspace(-2, 2, 9).to(getattr(lib, dtype)))
        optimizer = getattr(lib.optim, kind)([p], lr=0.1, weight_decay=0.1)
        for _ in range(3):
            p.grad = (p.detach() * 0.7 + 0.1).to(getattr(lib, dtype))
            optimizer.step()
        assert str(p.dtype) == f"torch.{dtype}"
        found.append(p.detach().to(lib.float32).numpy())
    np.testing.assert_allclose(found[1], found[0], rtol=0, atol=0.005 if dtype == "float16" else 0.04)


# PyTorch cannot go backward through steps with amsgrad or centered: it overwrites what it keeps
DIFFERENTIABLE = [c for c in CASES if not c[1].keys() & {"maximize", "amsgrad", "centered"}]


@pytest.mark.parametrize(("kind", "options"), DIFFERENTIABLE, ids=str)
def test_differentiable_steps(kind, options):
    """Through the steps of an optimizer: the gradient by the first parameters and by all gradients taken."""
    found = []
    for lib in (torch, wengert):
        start = lib.nn.Parameter(lib.tensor([0.5, -1.5, 2.0], dtype=lib.float64))
        p = start * 1
        optimizer = getattr(lib.optim, kind)([p], lr=0.1, differentiable=True, **options)
        grads = []
        for i in range(3):
            grads.append(lib.tensor([1.0, -0.5, 0.25 + i], dtype=lib.float64, requires_grad=True))
            p.grad = grads[-1]
            optimizer.step()
        (p * lib.tensor([1.0, 2.0, 3.0], dtype=lib.float64)).sum().backward()
        found.append([p.detach().numpy(), start.grad.numpy()] + [g.grad.numpy() for g in grads if g.grad is not None])
    assert len(found[0]) == len(found[1])
    tolerance = 1e-4 if kind.startswith("Adam") else 1e-7  # there PyTorch computes with the count of steps in float32
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(b, a, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", OPTIONS)
def test_a_training_script_prints_the_same(kind, dtype):
    found = []
    for lib in (torch, wengert):
        lib.manual_seed(3)
        model = lib.nn.Sequential(lib.nn.Linear(10, 16), lib.nn.ReLU(), lib.nn.Dropout(0.1), lib.nn.Linear(16, 3))
        model.to(getattr(lib, dtype))
        optimizer = getattr(lib.optim, kind)(model.parameters(), lr=0.01)
        scheduler = lib.optim.lr_scheduler.StepLR(optimizer, 5, 0.5)
        x, y = lib.randn(40, 10, dtype=getattr(lib, dtype)), lib.randint(0, 3, (40,))
        lines = []
        for step in range(15):
            optimizer.zero_grad()
            loss = lib.nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            lines.append(f"{step} {loss.item():.4f} {scheduler.get_last_lr()}")
        found.append(lines)
    assert found[0] == found[1]
