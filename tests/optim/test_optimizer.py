"""What all optimizers share: groups, state, hooks, closures, errors."""

from __future__ import annotations

import copy
import pickle
import re

import pytest

import wengert as w
from wengert import nn, optim


def parameter(*values):
    p = nn.Parameter(w.tensor(values or (1.0, 2.0)))
    p.grad = w.ones_like(p)
    return p


def test_groups_have_options_of_their_own():
    p, q = parameter(1.0), parameter(1.0)
    optimizer = optim.SGD([{"params": [p]}, {"params": q, "lr": 0.5, "note": "x"}], lr=0.25)
    optimizer.step()
    assert (p.item(), q.item()) == (0.75, 0.5)
    assert [g["momentum"] for g in optimizer.param_groups] == [0, 0]
    optimizer.param_groups[0]["lr"] = 0.5
    optimizer.step()
    assert p.item() == 0.25
    r = parameter(1.0)
    given = {"params": (r,), "lr": 1.0}
    optimizer.add_param_group(given)
    assert optimizer.param_groups[2] is given
    optimizer.step()
    assert r.item() == 0
    assert repr(optimizer).startswith(
        "SGD (\nParameter Group 0\n    dampening: 0\n    differentiable: False\n    foreach: None\n    fused: None\n    lr: 0.5\n"
    )
    assert "Parameter Group 2" in repr(optimizer)


def test_named_parameters():
    model = nn.Linear(2, 1)
    optimizer = optim.SGD(model.named_parameters(), lr=0.1)
    assert optimizer.param_groups[0]["param_names"] == ["weight", "bias"]
    assert optimizer.state_dict()["param_groups"][0]["params"] == [0, 1]
    with pytest.raises(ValueError, match="cannot add param group without names"):
        optimizer.add_param_group({"params": [parameter()]})
    with pytest.raises(ValueError, match="Some param names are missing"):
        optim.SGD([("a", parameter()), parameter()])
    assert len(optimizer.param_groups) == 1


LEAF = parameter()
MISUSES = {
    "empty": (lambda: optim.SGD([]), ValueError, "optimizer got an empty parameter list"),
    "tensor": (
        lambda: optim.SGD(LEAF),
        TypeError,
        "should be an iterable of Tensors or dicts, but got torch.FloatTensor",
    ),
    "set": (lambda: optim.SGD([{"params": {LEAF}}]), TypeError, "organized in ordered collections"),
    "number": (lambda: optim.SGD([3]), TypeError, "can only optimize Tensors, but one of the params is int"),
    "computed": (lambda: optim.SGD([LEAF * 2]), ValueError, "can't optimize a non-leaf Tensor"),
    "twice": (lambda: optim.SGD([{"params": LEAF}, {"params": LEAF}]), ValueError, "in more than one parameter group"),
    "group": (
        lambda: optim.SGD([LEAF]).add_param_group([LEAF]),
        TypeError,
        "param_group must be a dict, but got <class 'list'>",
    ),
    "rate": (lambda: optim.SGD([LEAF], lr=-1), ValueError, "Invalid learning rate: -1"),
    "rates": (lambda: optim.Adam([LEAF], lr=w.ones(2)), ValueError, "Tensor lr must be 1-element"),
    "momentum": (lambda: optim.SGD([LEAF], momentum=-1), ValueError, "Invalid momentum value: -1"),
    "decay": (lambda: optim.AdamW([LEAF], weight_decay=-1), ValueError, "Invalid weight_decay value: -1"),
    "nesterov": (lambda: optim.SGD([LEAF], nesterov=True), ValueError, "Nesterov momentum requires a momentum"),
    "betas": (lambda: optim.Adam([LEAF], betas=(0.9, 1.0)), ValueError, "Invalid beta parameter at index 1: 1.0"),
    "eps": (lambda: optim.Adam([LEAF], eps=-1), ValueError, "Invalid epsilon value: -1"),
    "alpha": (lambda: optim.RMSprop([LEAF], alpha=-1), ValueError, "Invalid alpha value: -1"),
    "lr_decay": (lambda: optim.Adagrad([LEAF], lr_decay=-1), ValueError, "Invalid lr_decay value: -1"),
    "kinds": (lambda: optim.Adam([LEAF], fused=True, foreach=True), RuntimeError, "cannot be `True` together"),
    "fused": (
        lambda: optim.Adam([LEAF], fused=True, differentiable=True),
        RuntimeError,
        "does not support `differentiable`",
    ),
    "rate of many": (
        lambda: optim.Adam([LEAF], lr=w.tensor(0.1), foreach=True),
        ValueError,
        "lr as a Tensor is not supported",
    ),
    "no step": (lambda: optim.Optimizer([LEAF], {}).step(), NotImplementedError, "defines no step()"),
    "required": (
        lambda: optim.Optimizer([LEAF], {"lr": optim.optimizer.required}),
        ValueError,
        "didn't specify a value of required optimization parameter lr",
    ),
    "differentiable leaf": (
        lambda: optim.SGD([LEAF], differentiable=True).step(),
        RuntimeError,
        "a leaf Variable that requires grad is being used in an in-place operation",
    ),
}


@pytest.mark.parametrize("name", MISUSES)
def test_misuses(name):
    call, kind, words = MISUSES[name]
    with pytest.raises(kind, match=re.escape(words)):
        call()
    assert LEAF.tolist() == [1, 2]


def test_a_parameter_twice_in_a_group_is_warned_of():
    with pytest.warns(UserWarning, match="duplicate parameters"):
        optim.SGD([LEAF, LEAF])


def test_zero_grad():
    p, plain = parameter(), w.ones(2)
    plain.grad = w.ones(2)
    optimizer = optim.SGD([p, plain])
    g = p.grad
    optimizer.zero_grad(set_to_none=False)
    assert p.grad is g
    assert g.tolist() == [0, 0]
    p.grad = w.ones(2, requires_grad=True) * 2
    optimizer.zero_grad(set_to_none=False)
    assert p.grad.grad_fn is None
    assert not p.grad.requires_grad
    assert plain.grad.tolist() == [0, 0]
    optimizer.zero_grad()
    assert p.grad is None
    assert plain.grad is None


@pytest.mark.parametrize("mode", [w.enable_grad, w.no_grad])
def test_closures_are_recorded(mode):
    p = nn.Parameter(w.tensor([3.0]))
    optimizer = optim.SGD([p], lr=0.1)

    def closure():
        optimizer.zero_grad()
        assert w.is_grad_enabled()
        loss = (p * p).sum()
        loss.backward()
        return loss

    with mode():
        assert optimizer.step(closure).item() == 9
        recording = w.is_grad_enabled()
    assert recording == (mode is w.enable_grad)
    assert p.item() == pytest.approx(2.4)


def test_a_closure_that_raises_leaves_the_mode():
    optimizer = optim.SGD([parameter()])
    with w.no_grad():
        with pytest.raises(ZeroDivisionError):
            optimizer.step(lambda: 1 / 0)
        assert not w.is_grad_enabled()


class Sign(optim.Optimizer):
    """An optimizer as users write them."""

    def __init__(self, params, lr=0.1):
        super().__init__(params, {"lr": lr})

    @w.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with w.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self.state[p]["seen"] = self.state[p].get("seen", 0) + 1
                    p.add_(p.grad.sign(), alpha=-group["lr"])
        return loss


class Loud(optim.SGD):
    def step(self, closure=None):
        return super().step(closure)


@pytest.mark.parametrize("made", [optim.SGD, Sign, Loud])
def test_hooks_run_once_around_each_step(made):
    p = parameter()
    optimizer = made([p], lr=0.5)
    seen = []

    def note(when):
        return lambda o, args, kwargs: seen.append((when, o is args[0], len(args), p[0].item()))

    handles = [optimizer.register_step_pre_hook(note("pre")), optimizer.register_step_post_hook(note("post"))]
    optimizer.step()
    assert seen == [("pre", True, 1, 1.0), ("post", True, 1, 0.5)]
    assert optimizer.step(lambda: 7) == 7
    assert seen[2:] == [("pre", True, 2, 0.5), ("post", True, 2, 0.0)]
    for handle in handles:
        handle.remove()
    optimizer.step()
    assert len(seen) == 4


def test_a_hook_may_replace_the_arguments():
    optimizer = optim.SGD([parameter()])
    optimizer.register_step_pre_hook(lambda o, args, kwargs: ((o, lambda: "other"), {}))
    assert optimizer.step() == "other"
    optimizer.register_step_pre_hook(lambda *_: 3)
    with pytest.raises(RuntimeError, match="must return None or a tuple of"):
        optimizer.step()


def trained(made, **options):
    w.manual_seed(0)
    model = nn.Linear(2, 3)
    optimizer = made([{"params": [model.weight], "lr": 0.3}, {"params": [model.bias]}], lr=0.1, **options)
    advance(model, optimizer)
    return model, optimizer


def advance(model, optimizer, steps=3):
    for _ in range(steps):
        optimizer.zero_grad()
        (model(w.ones(1, 2)) ** 2).sum().backward()
        optimizer.step()


EVERY = [
    (optim.SGD, {"momentum": 0.9}),
    (optim.Adam, {"amsgrad": True}),
    (optim.AdamW, {}),
    (optim.RMSprop, {"centered": True, "momentum": 0.5}),
    (optim.Adagrad, {}),
    (Sign, {}),
]


@pytest.mark.parametrize(("made", "options"), EVERY)
def test_training_goes_on_from_a_state(made, options):
    model, optimizer = trained(made, **options)
    state = pickle.loads(pickle.dumps(optimizer.state_dict()))
    assert list(state) == ["state", "param_groups"]
    assert [g["params"] for g in state["param_groups"]] == [[0], [1]]
    twin = copy.deepcopy(model)
    again = made([{"params": [twin.weight]}, {"params": [twin.bias]}], lr=5.0, **options)
    again.load_state_dict(state)
    assert [g["lr"] for g in again.param_groups] == [0.3, 0.1]
    advance(model, optimizer)
    advance(twin, again)
    assert model.weight.tolist() == twin.weight.tolist()


@pytest.mark.parametrize(("made", "options"), EVERY)
def test_copies_and_pickles(made, options):
    _, optimizer = trained(made, **options)
    before = repr(optimizer.state_dict())
    for again in (copy.deepcopy(optimizer), pickle.loads(pickle.dumps(optimizer))):
        assert repr(again) == repr(optimizer)
        assert repr(again.state_dict()) == before
        for group in again.param_groups:
            for p in group["params"]:
                p.grad = w.ones_like(p)
        again.step()
        assert repr(again.state_dict()) != before
        assert repr(optimizer.state_dict()) == before


def test_a_state_is_brought_to_the_dtype_of_the_parameters():
    _, optimizer = trained(optim.Adam)
    model = nn.Linear(2, 3).double()
    other = optim.Adam([{"params": [model.weight]}, {"params": [model.bias]}])
    other.load_state_dict(optimizer.state_dict())
    state = other.state[model.weight]
    assert (state["exp_avg"].dtype, state["step"].dtype) == (w.float64, w.float32)


def test_states_that_do_not_fit_change_nothing():
    model, optimizer = trained(optim.Adam)
    before = repr(optimizer.state_dict())
    for other, words in (
        (optim.Adam([model.weight]), "different number of parameter groups"),
        (optim.Adam([{"params": [model.weight, model.bias]}, {"params": [parameter()]}]), "doesn't match the size"),
    ):
        with pytest.raises(ValueError, match=words):
            optimizer.load_state_dict(other.state_dict())
    assert repr(optimizer.state_dict()) == before


def test_old_states_are_completed():
    p = parameter()
    optimizer = optim.Adam([p])
    old = {"step": 4, "exp_avg": w.ones(2), "exp_avg_sq": w.ones(2)}
    group = {"params": [0], "lr": 0.1, "betas": (0.9, 0.99), "eps": 1e-8, "weight_decay": 0}
    optimizer.load_state_dict({"state": {0: old}, "param_groups": [group]})
    assert optimizer.param_groups[0]["amsgrad"] is False
    optimizer.step()
    assert optimizer.state[p]["step"].item() == 5


def test_hooks_on_states():
    optimizer = optim.SGD([parameter()], lr=0.1)
    seen = []
    optimizer.register_state_dict_pre_hook(lambda o: seen.append("save"))
    optimizer.register_state_dict_post_hook(lambda o, state: {**state, "more": 1})
    optimizer.register_load_state_dict_pre_hook(lambda o, state: seen.append(state["more"]))
    optimizer.register_load_state_dict_post_hook(lambda o: seen.append("loaded"))
    optimizer.register_load_state_dict_pre_hook(lambda o, state: seen.append("first"), prepend=True)
    optimizer.load_state_dict(optimizer.state_dict())
    assert seen == ["save", "first", 1, "loaded"]
