"""Training under torch and under wengert: the same numbers, step by step, and the same printed text."""

import numpy as np
import pytest

import wengert

torch = pytest.importorskip("torch")

OPTIMIZERS = [
    ("SGD", {"lr": 0.01}),
    ("SGD", {"lr": 0.01, "momentum": 0.9}),
    ("SGD", {"lr": 0.01, "momentum": 0.9, "dampening": 0.1}),
    ("SGD", {"lr": 0.01, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
    ("SGD", {"lr": 0.01, "maximize": True, "weight_decay": 0.1}),
    ("Adam", {"lr": 0.01}),
    ("Adam", {"lr": 0.01, "weight_decay": 0.1}),
    ("Adam", {"lr": 0.01, "amsgrad": True}),
    ("Adam", {"lr": 0.01, "maximize": True, "betas": (0.8, 0.95), "eps": 1e-3}),
    ("AdamW", {"lr": 0.01}),
    ("AdamW", {"lr": 0.01, "amsgrad": True, "weight_decay": 0.2}),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("kind", "options"), OPTIMIZERS, ids=str)
def test_optimizers_step_alike(kind, options, dtype):
    def run(lib):
        lib.manual_seed(1)
        params = [
            lib.randn(5, 7, dtype=getattr(lib, dtype)).requires_grad_(),
            lib.randn(3, dtype=getattr(lib, dtype)).requires_grad_(),
        ]
        optimizer = getattr(lib.optim, kind)(params, **options)
        seen = []
        for _ in range(10):
            optimizer.zero_grad()
            loss = (params[0] ** 2).sum() * 0.3 + (params[0] * params[1].sum()).sum() + (params[1] ** 2).sum()
            loss.backward()
            optimizer.step()
            seen.append([p.detach().numpy().copy() for p in params])
        return seen, repr(optimizer), optimizer.state_dict()

    theirs, text, state = run(torch)
    ours, own_text, own_state = run(wengert)
    tolerance = 5e-5 if dtype == "float32" else 1e-12
    for a, b in zip(theirs, ours, strict=True):
        for x, y in zip(a, b, strict=True):
            np.testing.assert_allclose(y, x, rtol=tolerance, atol=tolerance)
    assert own_text == text
    assert own_state.keys() == state.keys()
    assert [sorted(s) for s in own_state["state"].values()] == [sorted(s) for s in state["state"].values()]
    assert own_state["param_groups"][0].keys() == state["param_groups"][0].keys()


@pytest.mark.parametrize("kind", ["SGD", "Adam"])
def test_a_training_script_prints_the_same_losses(kind):
    def run(lib):
        lib.manual_seed(0)
        model = lib.nn.Sequential(lib.nn.Linear(10, 32), lib.nn.ReLU(), lib.nn.Linear(32, 4))
        optimizer = getattr(lib.optim, kind)(model.parameters(), lr=0.01)
        criterion = lib.nn.CrossEntropyLoss()
        x, y = lib.randn(64, 10), lib.randint(0, 4, (64,))
        lines = [repr(model)]
        for step in range(20):
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            lines.append(f"step {step}: {loss.item():.4f}")
        return lines

    assert run(wengert) == run(torch)
