"""Module: attributes, parts, conversions, printed form, copies."""

from __future__ import annotations

import copy
import pickle
import re

import pytest

import wengert as w
from wengert import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.rest = nn.Sequential(nn.ReLU(), nn.Linear(3, 1, bias=False))
        self.scale = nn.Parameter(w.ones(1))
        self.register_buffer("mean", w.zeros(2))
        self.register_buffer("note", None)
        self.cache = nn.Buffer(w.zeros(1), persistent=False)

    def forward(self, x):
        return self.rest(self.first(x - self.mean)) * self.scale


def test_parts_by_name():
    net = Net()
    assert [n for n, _ in net.named_parameters()] == ["scale", "first.weight", "first.bias", "rest.1.weight"]
    assert [n for n, _ in net.named_parameters(recurse=False)] == ["scale"]
    assert [n for n, _ in net.named_parameters(prefix="net")][1] == "net.first.weight"
    assert [n for n, _ in net.named_buffers()] == ["mean", "cache"]
    assert [n for n, _ in net.named_modules()] == ["", "first", "rest", "rest.0", "rest.1"]
    assert [n for n, _ in net.named_children()] == ["first", "rest"]
    assert len(list(net.modules())) == 5
    assert net.get_submodule("rest.1") is net.rest[1]
    assert net.get_submodule("") is net
    assert net.get_parameter("first.bias") is net.first.bias
    assert net.get_buffer("mean") is net.mean
    assert net(w.ones(4, 2)).shape == (4, 1)


def test_shared_parts_count_once():
    layer = nn.Linear(1, 1)
    model = nn.Sequential(layer, nn.ReLU(), layer)
    assert [n for n, _ in model.named_parameters()] == ["0.weight", "0.bias"]
    assert len(list(model.named_parameters(remove_duplicate=False))) == 4
    assert [n for n, _ in model.named_modules()] == ["", "0", "1"]
    assert list(model.state_dict()) == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert copy.deepcopy(model)[0] is copy.deepcopy(model)[0] or model[0] is model[2]
    twin = copy.deepcopy(model)
    assert twin[0] is twin[2]


def test_printed_form():
    assert repr(Net()) == (
        "Net(\n  (first): Linear(in_features=2, out_features=3, bias=True)\n  (rest): Sequential(\n    (0): ReLU()\n"
        "    (1): Linear(in_features=3, out_features=1, bias=False)\n  )\n)"
    )

    class Described(nn.Module):
        def __init__(self, text, *children):
            super().__init__()
            self.text = text
            for i, child in enumerate(children):
                self.add_module(f"c{i}", child)

        def extra_repr(self):
            return self.text

    assert repr(Described("one=1")) == "Described(one=1)"
    assert repr(Described("one=1\ntwo=2")) == "Described(\n  one=1\n  two=2\n)"
    assert repr(Described("one=1", nn.ReLU())) == "Described(\n  one=1\n  (c0): ReLU()\n)"
    assert repr(nn.Module()) == "Module()"


def test_names_change_what_they_are():
    m = nn.Module()
    m.x = nn.Parameter(w.ones(1))
    m.x = nn.Parameter(w.zeros(1))
    assert [n for n, _ in m.named_parameters()] == ["x"]
    m.x = None
    assert m.x is None
    assert not list(m.parameters())
    m.y = 3
    m.y = nn.Parameter(w.ones(1))
    assert "y" not in m.__dict__
    m.register_buffer("b", w.ones(1))
    m.b = w.zeros(1)
    assert list(m.state_dict()) == ["y", "b"]
    m.b = nn.ReLU()
    assert list(m.state_dict()) == ["y"]
    m.b = nn.Parameter(w.ones(1))
    assert repr(m) == "Module()"
    del m.y
    with pytest.raises(AttributeError, match="'Module' object has no attribute 'y'"):
        m.y
    assert "b" in dir(m)


class Late(nn.Module):
    def __init__(self, value):
        self.value = value


def test_before_init():
    for value, kind in (
        (nn.Parameter(w.ones(1)), "parameters"),
        (nn.ReLU(), "module"),
        (nn.Buffer(w.ones(1)), "buffer"),
    ):
        with pytest.raises(AttributeError, match=re.escape(f"cannot assign {kind} before Module.__init__() call")):
            Late(value)
    with pytest.raises(AttributeError, match="'Late' object has no attribute '_backward_hooks'"):
        Late(3)(1)


M = nn.Linear(2, 2)
MISUSES = {
    "tensor": (
        lambda: setattr(M, "weight", w.ones(2, 2)),
        TypeError,
        "cannot assign 'torch.FloatTensor' as parameter 'weight'",
    ),
    "module": (
        lambda: setattr(M, "weight", nn.ReLU()),
        TypeError,
        "cannot assign 'torch.nn.modules.activation.ReLU' as parameter",
    ),
    "number": (lambda: setattr(nn.Sequential(M), "0", 3), TypeError, "cannot assign 'int' as child module '0'"),
    "buffer": (
        lambda: setattr(nn.CrossEntropyLoss(w.ones(1)), "weight", 3),
        TypeError,
        "cannot assign 'int' as buffer 'weight'",
    ),
    "dot": (lambda: M.register_parameter("a.b", None), KeyError, 'parameter name can\'t contain "."'),
    "empty": (lambda: M.register_buffer("", None), KeyError, 'buffer name can\'t be empty string ""'),
    "taken": (lambda: M.register_buffer("weight", w.ones(1)), KeyError, "attribute 'weight' already exists"),
    "kind": (lambda: M.register_parameter("x", w.ones(1)), TypeError, "(torch.nn.Parameter or None required)"),
    "name": (lambda: M.register_buffer(3, w.ones(1)), TypeError, "buffer name should be a string. Got int"),
    "no tensor": (lambda: M.register_buffer("x", 3), TypeError, "cannot assign 'int' object to buffer 'x'"),
    "no module": (lambda: M.add_module("x", 3), TypeError, "int is not a Module subclass"),
    "child name": (lambda: M.add_module("a.b", nn.ReLU()), KeyError, 'module name can\'t contain ".", got: a.b'),
    "attribute": (lambda: M.nothing, AttributeError, "'Linear' object has no attribute 'nothing'"),
    "submodule": (lambda: M.get_submodule("x"), AttributeError, "Linear has no attribute `x`"),
    "no submodule": (lambda: M.get_submodule("weight"), AttributeError, "`weight` is not an nn.Module"),
    "no parameter": (lambda: M.get_parameter("in_features"), AttributeError, "`in_features` is not an nn.Parameter"),
    "no buffer": (lambda: M.get_buffer("weight"), AttributeError, "`weight` is not a buffer"),
    "forward": (
        lambda: nn.Module()(1),
        NotImplementedError,
        'Module [Module] is missing the required "forward" function',
    ),
    "mode": (lambda: M.train(1), ValueError, "training mode is expected to be boolean"),
    "integers": (lambda: M.to(w.int64), TypeError, "nn.Module.to only accepts floating point or complex dtypes"),
    "device": (lambda: M.to("cuda"), AssertionError, "Torch not compiled with CUDA enabled"),
    "copy": (lambda: M.to(w.float64, copy=True), RuntimeError, ".to() does not accept copy argument"),
    "positional": (lambda: nn.Module(3), TypeError, "Module.__init__() takes 1 positional argument but 2 were given"),
    "keyword": (lambda: nn.Module(a=3), TypeError, "Module.__init__() got an unexpected keyword argument 'a'"),
    "place": (lambda: M.set_submodule("", nn.ReLU()), ValueError, "Cannot set the submodule without a target name!"),
    "extra": (lambda: M.get_extra_state(), RuntimeError, "defines no get_extra_state"),
}


@pytest.mark.parametrize("name", MISUSES)
def test_misuses(name):
    call, kind, words = MISUSES[name]
    before = repr(M), list(M.state_dict()), M.weight.dtype
    with pytest.raises(kind) as info:
        call()
    assert words in str(info.value.args[0])
    assert (repr(M), list(M.state_dict()), M.weight.dtype) == before


def test_arguments_for_further_bases():
    class Other:
        def __init__(self, a):
            self.a = a

    class Both(nn.Module, Other):
        call_super_init = True

    assert Both(a=3).a == 3


def test_modes():
    model = nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.Dropout()))
    assert model.eval() is model
    assert not any(m.training for m in model.modules())
    assert model.train()[1][0].training
    assert model.requires_grad_(False) is model
    assert not any(p.requires_grad for p in model.parameters())
    seen = []
    model.apply(lambda m: seen.append(type(m).__name__))
    assert seen == ["Linear", "Dropout", "Sequential", "Sequential"]


def test_zero_grad():
    model = nn.Linear(1, 1)
    model(w.ones(1, 1)).backward()
    g = model.weight.grad
    model.zero_grad(set_to_none=False)
    assert model.weight.grad is g
    assert g.tolist() == [[0]]
    model.zero_grad()
    assert model.weight.grad is None


def test_conversions_keep_the_parameters_themselves():
    model = nn.Linear(2, 1)
    model.register_buffer("count", w.tensor([3]))
    model.register_buffer("mean", w.ones(1))
    weight = model.weight
    model(w.ones(1, 2)).backward()
    grad = weight.grad
    assert model.double() is model
    assert model.weight is weight
    assert weight.grad is grad
    assert (weight.dtype, grad.dtype, model.mean.dtype, model.count.dtype) == (w.float64, w.float64, w.float64, w.int64)
    assert weight.is_leaf
    assert weight.requires_grad
    for convert, dtype in (
        (lambda m: m.float(), w.float32),
        (lambda m: m.half(), w.float16),
        (lambda m: m.to(w.float64), w.float64),
        (lambda m: m.to("cpu", w.float32), w.float32),
        (lambda m: m.to(w.ones(1, dtype=w.float64)), w.float64),
        (lambda m: m.to(device="cpu", dtype=w.float32), w.float32),
        (lambda m: m.to("cpu"), w.float32),
        (lambda m: m.cpu(), w.float32),
    ):
        assert convert(model).weight.dtype == dtype
    model.type(w.float64)
    assert model.count.dtype == w.float64
    model(w.ones(1, 2, dtype=w.float64)).backward()
    pointer = weight.data_ptr()
    model.to_empty(device="cpu")
    assert weight.data_ptr() != pointer
    assert weight.shape == (1, 2)


def test_set_submodule():
    model = nn.Sequential(nn.Linear(1, 2), nn.Sequential(nn.ReLU()))
    model.set_submodule("1.0", nn.Tanh())
    assert isinstance(model[1][0], nn.Tanh)
    model.set_submodule("1.new", nn.Tanh())
    assert len(model[1]) == 2
    with pytest.raises(AttributeError, match="has no attribute `other`"):
        model.set_submodule("1.other", nn.Tanh(), strict=True)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies_share_nothing(duplicate):
    net = Net()
    net.extra = [1, 2]
    twin = duplicate(net)
    assert repr(twin) == repr(net)
    assert repr(twin.state_dict()) == repr(net.state_dict())
    assert twin.extra == net.extra
    assert twin.extra is not net.extra
    with w.no_grad():
        twin.first.weight.zero_()
    assert net.first.weight.abs().sum() > 0
    assert repr(twin(w.ones(1, 2))) != repr(net(w.ones(1, 2)))


def test_a_shallow_copy_shares_the_parts():
    net = Net()
    assert copy.copy(net).first is net.first
