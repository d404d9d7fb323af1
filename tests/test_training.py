"""Modules and optimizers, as a training script uses them."""

import copy
import pickle

import numpy as np
import pytest

import wengert as w
from wengert import nn


def test_sgd_by_hand():
    p = nn.Parameter(w.tensor([1.0]))
    optimizer = w.optim.SGD([p], lr=0.1, momentum=0.9)
    values = []
    for _ in range(3):
        optimizer.zero_grad()
        (p * 2).sum().backward()
        optimizer.step()
        values.append(p.item())
    np.testing.assert_allclose(values, [0.8, 0.42, -0.122], rtol=1e-6)


def test_adam_takes_a_first_step_of_the_learning_rate():
    p = nn.Parameter(w.tensor([2.0], dtype=w.float64))
    optimizer = w.optim.Adam([p], lr=0.1)
    (p * 3).sum().backward()
    optimizer.step()
    assert p.item() == pytest.approx(1.9, abs=1e-7)
    q = nn.Parameter(w.tensor([2.0], dtype=w.float64))
    optimizer = w.optim.AdamW([q], lr=0.1, weight_decay=0.5)
    (q * 3).sum().backward()
    optimizer.step()
    assert q.item() == pytest.approx(2 * (1 - 0.05) - 0.1, abs=1e-7)


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("SGD", {"lr": -1.0}, "Invalid learning rate: -1.0"),
        ("SGD", {"lr": 0.1, "momentum": -1.0}, "Invalid momentum value"),
        ("SGD", {"lr": 0.1, "nesterov": True}, "Nesterov momentum requires a momentum and zero dampening"),
        ("Adam", {"betas": (1.0, 0.9)}, "Invalid beta parameter at index 0: 1.0"),
        ("Adam", {"eps": -1.0}, "Invalid epsilon value"),
    ],
)
def test_options_out_of_range(kind, options, words):
    with pytest.raises(ValueError, match=words):
        getattr(w.optim, kind)([nn.Parameter(w.ones(1))], **options)


def test_parameters_that_cannot_be_optimized():
    p = nn.Parameter(w.ones(1))
    with pytest.raises(ValueError, match="optimizer got an empty parameter list"):
        w.optim.SGD([], lr=0.1)
    with pytest.raises(ValueError, match="can't optimize a non-leaf Tensor"):
        w.optim.SGD([p * 2], lr=0.1)
    with pytest.raises(ValueError, match="some parameters appear in more than one parameter group"):
        w.optim.SGD([{"params": [p]}, {"params": [p], "lr": 1.0}], lr=0.1)


def test_the_state_of_an_optimizer_goes_over():
    def run(model, optimizer, steps):
        for _ in range(steps):
            optimizer.zero_grad()
            (model(w.ones(3, 2)) ** 2).sum().backward()
            optimizer.step()

    w.manual_seed(0)
    first = nn.Linear(2, 2)
    a = w.optim.Adam(first.parameters(), lr=0.1)
    run(first, a, 3)
    second = copy.deepcopy(first)
    b = w.optim.Adam(second.parameters(), lr=0.5)
    b.load_state_dict(copy.deepcopy(a.state_dict()))
    run(first, a, 3)
    run(second, b, 3)
    assert first.weight.tolist() == second.weight.tolist()


def test_steps_count_as_writes():
    p = nn.Parameter(w.ones(2))
    optimizer = w.optim.SGD([p], lr=0.1)
    y = (p * p).sum()
    y.backward(retain_graph=True)
    optimizer.step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_modules_know_their_parts():
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1, bias=False))
    assert [n for n, _ in model.named_parameters()] == ["0.weight", "0.bias", "2.weight"]
    assert repr(model) == (
        "Sequential(\n  (0): Linear(in_features=2, out_features=3, bias=True)\n  (1): ReLU()\n"
        "  (2): Linear(in_features=3, out_features=1, bias=False)\n)"
    )
    model.eval()
    assert not model[0].training
    model.double()
    assert model(w.ones(1, 2, dtype=w.float64)).dtype == w.float64


def test_state_dicts_fit_or_change_nothing():
    a, b = nn.Linear(2, 3), nn.Linear(2, 3)
    b.load_state_dict(a.state_dict())
    assert b.weight.tolist() == a.weight.tolist()
    before = b.weight.tolist()
    with pytest.raises(RuntimeError, match=r"size mismatch for weight"):
        b.load_state_dict({"weight": w.zeros(1, 1), "bias": w.zeros(3)})
    with pytest.raises(RuntimeError, match="Missing key"):
        b.load_state_dict({"weight": w.zeros(3, 2)})
    assert b.weight.tolist() == before


def test_copies_and_pickles():
    layer = nn.Linear(2, 1)
    for made in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert isinstance(made.weight, nn.Parameter)
        assert made.weight.tolist() == layer.weight.tolist()
        assert made.weight.data_ptr() != layer.weight.data_ptr()
    with pytest.raises(RuntimeError, match="created explicitly by the user"):
        copy.deepcopy(layer(w.ones(1, 2)))


def test_linear_regression_learns():
    w.manual_seed(0)
    weight, bias = w.randn(1, requires_grad=True), w.randn(1, requires_grad=True)
    optimizer = w.optim.SGD([weight, bias], lr=0.1)
    x = w.randn(20, 1)
    losses = []
    for _ in range(200):
        optimizer.zero_grad()
        loss = ((weight * x + bias - (2 * x + 1)) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert f"{losses[0]:.4f}" == "2.0965" or losses[0] > losses[-1]
    assert weight.item() == pytest.approx(2, abs=1e-3)
    assert bias.item() == pytest.approx(1, abs=1e-3)
