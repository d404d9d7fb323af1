"""Schedulers: the rates epoch by epoch, their closed forms, states, compositions, misuses."""

from __future__ import annotations

import copy
import math
import pickle
import re
import warnings

import pytest

import wengert as w
from wengert import nn, optim
from wengert.optim import lr_scheduler as s


def made_optimizer(lr=1.0, kind=optim.SGD, **options):
    p = nn.Parameter(w.ones(1))
    p.grad = w.zeros(1)
    return kind([p], lr=lr, **options)


def rates(make, epochs, **options):
    """The rate in each epoch."""
    optimizer = made_optimizer(**options)
    scheduler = make(optimizer)
    found = []
    for _ in range(epochs):
        assert scheduler.get_last_lr() == [g["lr"] for g in optimizer.param_groups]
        found += scheduler.get_last_lr()
        optimizer.step()
        scheduler.step()
    return found


FORMULAS = {
    "LambdaLR": (lambda o: s.LambdaLR(o, lambda e: 1 / (1 + e)), lambda e: 1 / (1 + e)),
    "MultiplicativeLR": (lambda o: s.MultiplicativeLR(o, lambda e: 0.9), lambda e: 0.9**e),
    "StepLR": (lambda o: s.StepLR(o, 3, 0.5), lambda e: 0.5 ** (e // 3)),
    "MultiStepLR": (lambda o: s.MultiStepLR(o, [2, 5, 5], 0.5), lambda e: 1 if e < 2 else 0.5 if e < 5 else 0.125),
    "ConstantLR": (lambda o: s.ConstantLR(o, 0.25, 4), lambda e: 0.25 if e < 4 else 1),
    "LinearLR": (lambda o: s.LinearLR(o, 0.2, 0.8, 4), lambda e: 0.2 + 0.6 * min(e, 4) / 4),
    "ExponentialLR": (lambda o: s.ExponentialLR(o, 0.7), lambda e: 0.7**e),
    "PolynomialLR": (lambda o: s.PolynomialLR(o, 6, 2.0), lambda e: (1 - min(e, 6) / 6) ** 2),
    "CosineAnnealingLR": (
        lambda o: s.CosineAnnealingLR(o, 4, 0.1),
        lambda e: 0.1 + 0.45 * (1 + math.cos(math.pi * e / 4)),
    ),
    "CosineAnnealingWarmRestarts": (
        lambda o: s.CosineAnnealingWarmRestarts(o, 2, 2),
        lambda e: (1 + math.cos(math.pi * (e / 2 if e < 2 else (e - 2) / 4 if e < 6 else (e - 6) / 8))) / 2,
    ),
    "CyclicLR": (
        lambda o: s.CyclicLR(o, 0.0, 1.0, 2, 4, cycle_momentum=False),
        lambda e: e % 6 / 2 if e % 6 < 2 else 1 - (e % 6 - 2) / 4,
    ),
    "CyclicLR, triangular2": (
        lambda o: s.CyclicLR(o, 0.0, 1.0, 2, mode="triangular2", cycle_momentum=False),
        lambda e: (1 - abs(e % 4 - 2) / 2) / 2 ** (e // 4),
    ),
    "CyclicLR, exp_range": (
        lambda o: s.CyclicLR(o, 0.0, 1.0, 2, mode="exp_range", gamma=0.9, cycle_momentum=False),
        lambda e: (1 - abs(e % 4 - 2) / 2) * 0.9**e,
    ),
    "CyclicLR, a function": (
        lambda o: s.CyclicLR(o, 0.0, 1.0, 2, scale_fn=lambda cycle: cycle, cycle_momentum=False),
        lambda e: (1 - abs(e % 4 - 2) / 2) * (e // 4 + 1),
    ),
    "OneCycleLR, linear": (
        lambda o: s.OneCycleLR(
            o, 1.0, 11, pct_start=5 / 11, anneal_strategy="linear", div_factor=4, final_div_factor=1e9
        ),
        lambda e: 0.25 + 0.75 * e / 4 if e < 4 else 1 - (e - 4) / 6,
    ),
    "SequentialLR": (
        lambda o: s.SequentialLR(o, [s.ConstantLR(o, 0.1, 2), s.ExponentialLR(o, 0.5)], [3]),
        lambda e: [0.1, 0.1, 1][e] if e < 3 else 0.5 ** (e - 3),
    ),
    "SequentialLR of chains": (
        lambda o: s.SequentialLR(
            o,
            [
                s.ChainedScheduler([s.ExponentialLR(o, 0.5)], o),
                s.ChainedScheduler([s.ConstantLR(o, 0.1, 2), s.ExponentialLR(o, 0.5)]),
            ],
            [3],
        ),
        lambda e: 0.5**e if e < 3 else 0.5 ** (e - 3) * (0.1 if e < 5 else 1),
    ),
    "SequentialLR of sequences": (
        lambda o: s.SequentialLR(
            o,
            [
                s.SequentialLR(o, [s.ConstantLR(o, 0.1, 9), s.ExponentialLR(o, 0.5)], [1]),
                s.SequentialLR(o, [s.ConstantLR(o, 0.2, 9), s.ExponentialLR(o, 0.5)], [2]),
            ],
            [3],
        ),
        lambda e: [0.1, 1, 0.5, 0.2, 0.2, 1, 0.5, 0.25, 0.125, 0.0625][e],
    ),
    "ChainedScheduler": (
        lambda o: s.ChainedScheduler([s.ConstantLR(o, 0.1, 2), s.ExponentialLR(o, 0.5)]),
        lambda e: 0.5**e * (0.1 if e < 2 else 1),
    ),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_rates(name):
    make, formula = FORMULAS[name]
    assert rates(make, 10) == pytest.approx([formula(e) for e in range(10)], abs=1e-8)


CLOSED = ["StepLR", "MultiStepLR", "ConstantLR", "LinearLR", "ExponentialLR", "PolynomialLR", "CosineAnnealingLR"]


@pytest.mark.parametrize("name", [*CLOSED, "LambdaLR", "CosineAnnealingWarmRestarts"])
def test_an_epoch_can_be_jumped_to(name):
    make, formula = FORMULAS[name]
    scheduler = make(made_optimizer())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for epoch in (5, 2, 7):
            scheduler.step(epoch)
            assert scheduler.last_epoch == epoch
            assert scheduler.get_last_lr() == pytest.approx([formula(epoch)])


@pytest.mark.parametrize("name", FORMULAS)
def test_training_goes_on_from_a_state(name):
    make, _ = FORMULAS[name]
    optimizer = made_optimizer()
    scheduler = make(optimizer)
    for _ in range(3):
        optimizer.step()
        scheduler.step()
    other = made_optimizer()
    again = make(other)
    again.load_state_dict(copy.deepcopy(scheduler.state_dict()))
    other.load_state_dict(optimizer.state_dict())
    for _ in range(4):
        for o, x in ((optimizer, scheduler), (other, again)):
            o.step()
            x.step()
        assert again.get_last_lr() == scheduler.get_last_lr() == [other.param_groups[0]["lr"]]


def test_groups_have_rates_of_their_own():
    p, q = nn.Parameter(w.ones(1)), nn.Parameter(w.ones(1))
    optimizer = optim.SGD([{"params": [p]}, {"params": [q], "lr": 0.5}], lr=0.1)
    scheduler = s.LambdaLR(optimizer, [lambda e: 0.5**e, lambda e: 0.1**e])
    optimizer.step()
    scheduler.step()
    assert scheduler.get_last_lr() == pytest.approx([0.05, 0.05])
    assert [g["initial_lr"] for g in optimizer.param_groups] == [0.1, 0.5]


def test_a_rate_that_is_a_tensor_is_written_to():
    lr = w.tensor(1.0)
    optimizer = made_optimizer(lr)
    scheduler = s.StepLR(optimizer, 1)
    optimizer.step()
    scheduler.step()
    assert optimizer.param_groups[0]["lr"] is lr
    assert lr.item() == pytest.approx(0.1)
    assert scheduler.base_lrs[0].item() == 1


def test_the_momentum_goes_the_other_way():
    for kind, momentum in ((optim.SGD, lambda g: g["momentum"]), (optim.Adam, lambda g: g["betas"][0])):
        optimizer = made_optimizer(kind=kind)
        scheduler = s.CyclicLR(optimizer, 0.1, 1.0, 1, base_momentum=0.5, max_momentum=0.75)
        found = []
        for _ in range(3):
            found.append(momentum(optimizer.param_groups[0]))
            optimizer.step()
            scheduler.step()
        assert found == pytest.approx([0.75, 0.5, 0.75])


def test_one_cycle_by_cosines_and_in_three_phases():
    found = rates(lambda o: s.OneCycleLR(o, 1.0, 10, three_phase=True, pct_start=0.3, div_factor=10), 10)
    assert found[0] == pytest.approx(0.1)
    assert max(found) == found[2] == 1
    assert found[4] == pytest.approx(0.1)
    assert found[-1] == pytest.approx(0.1 / 1e4)
    optimizer = made_optimizer()
    scheduler = s.OneCycleLR(optimizer, 1.0, epochs=1, steps_per_epoch=2)
    for _ in range(2):
        optimizer.step()
        scheduler.step()
    with pytest.raises(ValueError, match="Tried to step 3 times. The specified number of total steps is 2"):
        scheduler.step()


def test_plateaus():
    def run(values, **options):
        optimizer = made_optimizer()
        scheduler = s.ReduceLROnPlateau(optimizer, factor=0.5, **options)
        found = []
        for value in values:
            scheduler.step(value)
            found += scheduler.get_last_lr()
        return found

    assert run([3, 2, 2, 2, 2], patience=1) == [1, 1, 1, 0.5, 0.5]
    assert run([3, 2, 2, 2, 2], patience=0) == [1, 1, 0.5, 0.25, 0.125]
    assert run([1, 2, 2, 3], patience=0, mode="max") == [1, 1, 0.5, 0.5]
    assert run([3, 2.9, 2.8], patience=0, threshold=0.2) == [1, 0.5, 0.25]
    assert run([3, 2.9, 2.7], patience=0, threshold=0.2, threshold_mode="abs") == [1, 0.5, 0.5]
    assert run([1, 1, 1, 1, 1], patience=0, cooldown=1) == [1, 0.5, 0.5, 0.25, 0.25]
    assert run([1, 1, 1], patience=0, min_lr=0.4) == [1, 0.5, 0.4]
    assert run([1, 1], patience=0, eps=0.7) == [1, 1]
    assert run([w.tensor(1.0), math.nan], patience=0) == [1, 0.5]


def test_taking_training_up_again():
    optimizer = made_optimizer(0.5)
    with pytest.raises(KeyError, match="'initial_lr' is not specified in param_groups"):
        s.StepLR(optimizer, 2, last_epoch=3)
    optimizer.param_groups[0]["initial_lr"] = 1.0
    scheduler = s.StepLR(optimizer, 2, 0.5, last_epoch=2)
    assert (scheduler.last_epoch, scheduler.get_last_lr(), scheduler.base_lrs) == (3, [0.5], [1.0])
    optimizer.step()
    scheduler.step()
    assert scheduler.get_last_lr() == [0.25]


def test_custom_schedulers():
    class Inverse(s.LRScheduler):
        def get_lr(self):
            return [base / (1 + self.last_epoch) for base in self.base_lrs]

    assert rates(Inverse, 3) == pytest.approx([1, 1 / 2, 1 / 3])
    with pytest.raises(NotImplementedError, match="defines no get_lr"):
        s.LRScheduler(made_optimizer())


class Halving:
    def __init__(self, base):
        self.base = base

    def __call__(self, epoch):
        return self.base**epoch


def test_functions_that_are_objects_are_part_of_the_state():
    optimizer = made_optimizer()
    scheduler = s.LambdaLR(optimizer, Halving(0.5))
    state = copy.deepcopy(scheduler.state_dict())
    assert state["lr_lambdas"] == [{"base": 0.5}]
    other = s.LambdaLR(made_optimizer(), Halving(0.1))
    other.load_state_dict(state)
    assert other.lr_lambdas[0].base == 0.5
    assert s.LambdaLR(optimizer, lambda e: 1).state_dict()["lr_lambdas"] == [None]
    again = pickle.loads(pickle.dumps(scheduler))
    assert again.state_dict() == scheduler.state_dict()


def test_warnings():
    optimizer = made_optimizer()
    scheduler = s.StepLR(optimizer, 1)
    with pytest.warns(UserWarning, match=re.escape("Detected call of `lr_scheduler.step()` before `optimizer.step()`")):
        scheduler.step()
    with pytest.warns(UserWarning, match="The epoch parameter in `scheduler"):
        scheduler.step(3)
    with pytest.warns(UserWarning, match="please use `get_last_lr"):
        scheduler.get_lr()
    optimizer = made_optimizer()
    scheduler = s.StepLR(optimizer, 1)
    optimizer.step = lambda: None
    with pytest.warns(UserWarning, match="has been overridden after learning rate scheduler initialization"):
        scheduler.step()


O = made_optimizer()  # noqa: E741
MISUSES = {
    "optimizer": (lambda: s.StepLR(3, 1), TypeError, "int is not an Optimizer"),
    "lambdas": (lambda: s.LambdaLR(O, [abs, abs]), ValueError, "Expected 1 lr_lambdas, but got 2"),
    "factor": (
        lambda: s.ConstantLR(O, 2.0),
        ValueError,
        "Constant multiplicative factor expected to be between 0 and 1",
    ),
    "start": (lambda: s.LinearLR(O, 0.0), ValueError, "Starting multiplicative factor expected to be greater than 0"),
    "end": (lambda: s.LinearLR(O, 1.0, 2.0), ValueError, "Ending multiplicative factor expected to be between 0 and 1"),
    "T_0": (lambda: s.CosineAnnealingWarmRestarts(O, 0), ValueError, "Expected positive integer T_0, but got 0"),
    "T_mult": (lambda: s.CosineAnnealingWarmRestarts(O, 1, 0), ValueError, "Expected integer T_mult >= 1, but got 0"),
    "eta_min": (
        lambda: s.CosineAnnealingWarmRestarts(O, 1, 1, "a"),
        ValueError,
        "Expected float or int eta_min, but got a",
    ),
    "epoch": (
        lambda: s.CosineAnnealingWarmRestarts(O, 1).step(-1),
        ValueError,
        "Expected non-negative epoch, but got -1",
    ),
    "mode": (lambda: s.CyclicLR(O, 0, 1, mode="x"), ValueError, "mode is invalid and scale_fn is None"),
    "bounds": (
        lambda: s.CyclicLR(O, [0, 1], 1),
        ValueError,
        "base_lr must have the same length as optimizer.param_groups",
    ),
    "momentum": (
        lambda: s.CyclicLR(made_optimizer(kind=optim.Adagrad), 0, 1),
        ValueError,
        "optimizer must support momentum or beta1 with `cycle_momentum` option enabled",
    ),
    "steps": (
        lambda: s.OneCycleLR(O, 1),
        ValueError,
        "You must define either total_steps OR (epochs AND steps_per_epoch)",
    ),
    "total": (lambda: s.OneCycleLR(O, 1, -1), ValueError, "Expected positive integer total_steps, but got -1"),
    "pct": (
        lambda: s.OneCycleLR(O, 1, 5, pct_start=2.0),
        ValueError,
        "Expected float between 0 and 1 pct_start, but got 2",
    ),
    "anneal": (
        lambda: s.OneCycleLR(O, 1, 5, anneal_strategy="x"),
        ValueError,
        "anneal_strategy must be one of 'cos' or 'linear'",
    ),
    "plateau": (lambda: s.ReduceLROnPlateau(O, factor=1.0), ValueError, "Factor should be < 1.0."),
    "way": (lambda: s.ReduceLROnPlateau(O, "x"), ValueError, "mode x is unknown!"),
    "threshold": (lambda: s.ReduceLROnPlateau(O, threshold_mode="x"), ValueError, "threshold mode x is unknown!"),
    "lowest": (lambda: s.ReduceLROnPlateau(O, min_lr=[0, 1]), ValueError, "expected 1 min_lrs, got 2"),
    "none": (lambda: s.SequentialLR(O, [], []), ValueError, "SequentialLR expects at least one scheduler"),
    "milestones": (
        lambda: s.SequentialLR(O, [s.StepLR(O, 1)], [1]),
        ValueError,
        "one more than the number of milestone points",
    ),
    "another": (
        lambda: s.ChainedScheduler([s.StepLR(O, 1), s.StepLR(made_optimizer(), 1)]),
        ValueError,
        "ChainedScheduler expects all schedulers to belong to the same optimizer, but got scheduler StepLR at index 1",
    ),
    "measured": (
        lambda: s.ChainedScheduler([s.ReduceLROnPlateau(O)]),
        ValueError,
        "ChainedScheduler does not support `ReduceLROnPlateau` scheduler",
    ),
    "no scheduler": (
        lambda: s.SequentialLR(O, [s.StepLR(O, 1), 3], [1]),
        TypeError,
        "SequentialLR at index 1 should have",
    ),
}


@pytest.mark.parametrize("name", MISUSES)
def test_misuses(name):
    call, kind, words = MISUSES[name]
    with pytest.raises(kind, match=re.escape(words)):
        call()
