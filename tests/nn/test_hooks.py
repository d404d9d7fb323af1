"""Hooks on the call of a module and on the gradients that pass through it."""

from __future__ import annotations

import copy

import pytest

import wengert as w
from wengert import nn


class Scale(nn.Module):
    def forward(self, x, *, by=1):
        return x * by


def test_hooks_before_and_after():
    m = Scale()
    seen = []
    handles = [
        m.register_forward_pre_hook(lambda mod, args: seen.append(("pre", mod is m, args[0].item()))),
        m.register_forward_hook(lambda mod, args, out: seen.append(("post", args[0].item(), out.item()))),
    ]
    assert m(w.tensor(2.0), by=3).item() == 6
    assert seen == [("pre", True, 2.0), ("post", 2.0, 6.0)]
    for handle in handles:
        handle.remove()
    m(w.tensor(2.0))
    assert len(seen) == 2


def test_hooks_may_replace_what_they_see():
    m = Scale()
    x = w.tensor(2.0)
    with m.register_forward_pre_hook(lambda mod, args: args[0] * 10):
        assert m(x).item() == 20
    with m.register_forward_pre_hook(lambda mod, args: (args[0] * 10,)):
        assert m(x).item() == 20
    with m.register_forward_pre_hook(lambda mod, args, kwargs: (args, {"by": 5}), with_kwargs=True):
        assert m(x).item() == 10
    with m.register_forward_hook(lambda mod, args, out: out + 1):
        assert m(x).item() == 3
    with m.register_forward_hook(lambda mod, args, kwargs, out: out + kwargs["by"], with_kwargs=True):
        assert m(x, by=7).item() == 21
    with (
        m.register_forward_pre_hook(lambda *_: 3, with_kwargs=True),
        pytest.raises(RuntimeError, match="must return None or"),
    ):
        m(x)
    assert m(x).item() == 2


def test_order():
    m = Scale()
    seen = []
    m.register_forward_hook(lambda *_: seen.append("first"))
    m.register_forward_hook(lambda *_: seen.append("second"))
    m.register_forward_hook(lambda *_: seen.append("before"), prepend=True)
    m(w.ones(1))
    assert seen == ["before", "first", "second"]


class Failing(nn.Module):
    def forward(self, x):
        raise KeyError("failed")


def test_hooks_that_are_always_called():
    m = Failing()
    seen = []
    m.register_forward_hook(lambda mod, args, out: seen.append((args, out)), always_call=True)
    m.register_forward_hook(lambda *_: seen.append("not called"))
    with pytest.raises(KeyError, match="failed"):
        m(3)
    assert seen == [((3,), None)]
    m.register_forward_hook(lambda *_: 1 / 0, always_call=True)
    with (
        pytest.warns(UserWarning, match="raised an exception that was silenced"),
        pytest.raises(KeyError, match="failed"),
    ):
        m(3)


def gradients(values):
    return [None if v is None else v.tolist() for v in values]


def test_full_backward_hooks():
    m = nn.Linear(2, 1)
    with w.no_grad():
        m.weight.copy_(w.tensor([[2.0, 3.0]]))
    seen = []
    x = w.ones(1, 2, requires_grad=True)
    with m.register_full_backward_hook(lambda mod, gi, go: seen.append((mod is m, gradients(gi), gradients(go)))):
        y = m(x)
        assert y.grad_fn.name() == "BackwardHookFunctionBackward"
        (y * 5).backward()
    assert seen == [(True, [[[10, 15]]], [[[5]]])]
    assert x.grad.tolist() == [[10, 15]]
    x.grad = None
    with m.register_full_backward_hook(lambda mod, gi, go: (gi[0] * 10,)):
        m(x).backward()
    assert x.grad.tolist() == [[20, 30]]
    with m.register_full_backward_pre_hook(lambda mod, go: (go[0] * 2,)):
        m.zero_grad()
        m(x).backward()
    assert m.bias.grad.item() == 2
    assert m(x).grad_fn.name() == "AddmmBackward0"


def test_several_inputs_and_outputs():
    class Two(nn.Module):
        def forward(self, a, b, c):
            return a * b, a + 1

    m = Two()
    seen = []
    m.register_full_backward_hook(lambda mod, gi, go: seen.append((gradients(gi), gradients(go))))
    a, b = w.ones(1, requires_grad=True), w.full((1,), 3.0, requires_grad=True)
    first, second = m(a, b, "text")
    second.backward()
    assert seen == [([[1], [0], None], [None, [1]])]
    first, second = m(a, b, None)
    (first + second).backward()
    assert seen[1] == ([[4], [1], None], [[1], [1]])


def test_where_no_input_requires_grad():
    m = nn.Linear(1, 1)
    seen = []
    m.register_full_backward_hook(lambda mod, gi, go: seen.append((gi, gradients(go))))
    with pytest.warns(UserWarning, match="no inputs require gradients"):
        m(w.ones(1, 1)).backward()
    assert seen == [((None,), [[[1]]])]
    with w.no_grad():
        m(w.ones(1, 1, requires_grad=True))
    assert len(seen) == 1
    m.register_full_backward_hook(lambda *_: (w.ones(1),))
    with (
        pytest.warns(UserWarning, match="no inputs require gradients"),
        pytest.raises(RuntimeError, match="should always return None"),
    ):
        m(w.ones(1, 1)).backward()


def test_misuses():
    m = nn.Tanh()
    x = w.ones(2, requires_grad=True)
    with (
        m.register_full_backward_hook(lambda *_: (None, None)),
        pytest.raises(RuntimeError, match="number of grad_input, got 2"),
    ):
        m(x).sum().backward()
    with (
        m.register_full_backward_pre_hook(lambda *_: ()),
        pytest.raises(RuntimeError, match="number of grad_output, got 0"),
    ):
        m(x).sum().backward()
    m.register_full_backward_hook(lambda *_: None)
    with pytest.raises(RuntimeError, match="Cannot use both regular backward hooks and full backward hooks"):
        m.register_backward_hook(lambda *_: None)
    with pytest.raises(RuntimeError, match="Output 0 of BackwardHookFunction is a view and is being modified inplace"):
        m(x).add_(1)


def test_a_dictionary_as_output_is_warned_of():
    class Named(nn.Module):
        def forward(self, x):
            return {"x": x * 2}

    m = Named()
    m.register_full_backward_hook(lambda *_: None)
    with pytest.warns(UserWarning, match="output should be a Tensor or a tuple of Tensors but received <class 'dict'>"):
        m(w.ones(1, requires_grad=True))["x"].backward()


def test_the_older_backward_hook():
    m = nn.Tanh()
    seen = []
    m.register_backward_hook(lambda mod, gi, go: seen.append((len(gi), gradients(go))))
    m(w.zeros(1, requires_grad=True)).backward()
    assert seen == [(1, [[1]])]
    m = nn.Sequential(nn.Tanh(), nn.Tanh())
    m.register_backward_hook(lambda *_: None)
    with pytest.warns(FutureWarning, match="Using a non-full backward hook"):
        m(w.zeros(1, requires_grad=True))


def test_second_derivatives_pass_through_hooks():
    m = nn.Tanh()
    m.register_full_backward_hook(lambda *_: None)
    x = w.tensor([0.5], dtype=w.float64, requires_grad=True)
    assert w.autograd.gradgradcheck(m, (x,))


def test_copies_have_the_hooks():
    m = Scale()
    seen = []
    handle = m.register_forward_hook(lambda *_: seen.append(1))
    twin = copy.deepcopy(m)
    handle.remove()
    m(w.ones(1))
    assert not seen
    twin(w.ones(1))
    assert seen == [1]
