"""Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict."""

from __future__ import annotations

import copy
from collections import OrderedDict

import pytest

import wengert as w
from wengert import nn


def names(modules):
    return [type(m).__name__ for m in modules]


def three(kind):
    modules = [nn.ReLU(), nn.Tanh(), nn.GELU()]
    return kind(*modules) if kind is nn.Sequential else kind(modules)


@pytest.mark.parametrize("kind", [nn.Sequential, nn.ModuleList])
class TestInOrder:
    def test_looking(self, kind):
        m = three(kind)
        assert len(m) == 3
        assert names(m) == ["ReLU", "Tanh", "GELU"]
        assert m[-1] is m[2]
        assert type(m[1:]) is kind
        assert names(m[::2]) == ["ReLU", "GELU"]
        assert m[1] in m
        assert "0" not in dir(m)
        for index in (3, -4):
            with pytest.raises(IndexError, match=f"index {index} is out of range"):
                m[index]
        with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
            m["0"]

    def test_changing(self, kind):
        m = three(kind)
        assert m.append(nn.ELU()) is m
        assert m.extend([nn.SELU(), nn.Mish()]) is m
        m.insert(1, nn.SiLU())
        assert names(m) == ["ReLU", "SiLU", "Tanh", "GELU", "ELU", "SELU", "Mish"]
        assert list(m._modules) == [str(i) for i in range(7)]
        assert names([m.pop(0), m.pop(-1)]) == ["ReLU", "Mish"]
        del m[0]
        del m[2:]
        assert names(m) == ["Tanh", "GELU"]
        assert list(m._modules) == ["0", "1"]
        m[-1] = nn.ReLU()
        assert names(m) == ["Tanh", "ReLU"]
        m += kind(nn.ELU()) if kind is nn.Sequential else [nn.ELU()]
        assert names(m + kind()) == ["Tanh", "ReLU", "ELU"]

    def test_misuses_change_nothing(self, kind):
        m = three(kind)
        for call in (
            lambda: m.append(3),
            lambda: m.extend(3),
            lambda: m.insert(0, 3),
            lambda: m.pop(7),
            lambda: m.__setitem__(7, nn.ReLU()),
            lambda: m.__setitem__(0, 3),
            lambda: m.__delitem__(7),
            lambda: m + 3,
        ):
            with pytest.raises((TypeError, IndexError, AssertionError, ValueError)):
                call()
        assert names(m) == ["ReLU", "Tanh", "GELU"]


def test_sequential_calls_one_after_the_other():
    m = nn.Sequential(OrderedDict([("scaled", nn.Linear(1, 1)), ("relu", nn.ReLU())]))
    with w.no_grad():
        m.scaled.weight.fill_(-2)
        m.scaled.bias.fill_(1)
    assert m(w.tensor([[3.0], [-3.0]])).tolist() == [[0], [7]]
    assert list(m[1:]._modules) == ["relu"]
    assert nn.Sequential()(5) == 5
    assert names(m * 2) == names(2 * m) == ["Linear", "ReLU"] * 2
    for factor, kind, words in (
        (0, ValueError, "Non-positive multiplication factor"),
        (1.5, TypeError, "unsupported operand"),
    ):
        with pytest.raises(kind, match=words):
            m * factor
    with pytest.raises(IndexError, match="Index out of range: 9"):
        m.insert(9, nn.ReLU())
    with pytest.raises(TypeError, match="list is not a Module subclass"):
        nn.Sequential([nn.ReLU()])
    with pytest.raises(ValueError, match="only objects of Sequential class"):
        m += [nn.ReLU()]


def test_lists_print_alike_modules_once():
    assert repr(nn.ModuleList()) == "ModuleList()"
    assert repr(nn.ModuleList([nn.ReLU(), nn.ReLU(), nn.Tanh(), nn.Sequential(nn.ReLU())])) == (
        "ModuleList(\n  (0-1): 2 x ReLU()\n  (2): Tanh()\n  (3): Sequential(\n    (0): ReLU()\n  )\n)"
    )


def test_module_dict():
    m = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Linear(1, 1)})
    m["c"] = nn.Tanh()
    m.update([("d", nn.ELU()), ("a", nn.GELU())])
    assert list(m) == list(m.keys()) == ["a", "b", "c", "d"]
    assert names(m.values()) == ["GELU", "Linear", "Tanh", "ELU"]
    assert "c" in m
    assert type(m.pop("c")) is nn.Tanh
    del m["d"]
    assert [k for k, _ in m.items()] == ["a", "b"]
    assert [n for n, _ in m.named_parameters()] == ["b.weight", "b.bias"]
    with pytest.raises(NotImplementedError):
        m(1)
    for call, kind, words in (
        (lambda: m["x"], KeyError, "x"),
        (
            lambda: m.update(3),
            TypeError,
            "ModuleDict.update should be called with an iterable of key/value pairs, but got int",
        ),
        (lambda: m.update([("a",)]), ValueError, "ModuleDict update sequence element #0 has length 1; 2 is required"),
        (lambda: m.update([3]), TypeError, "ModuleDict update sequence element #0 should be Iterable; isint"),
        (lambda: m.update({"x": 3}), TypeError, "int is not a Module subclass"),
    ):
        with pytest.raises(kind, match=words):
            call()
    m.clear()
    assert len(m) == 0


def test_parameter_list():
    p = nn.ParameterList([nn.Parameter(w.ones(2)), w.zeros(3, 1), "text"])
    assert repr(p) == (
        "ParameterList(\n    (0): Parameter containing: [torch.float32 of size 2]\n"
        "    (1): Parameter containing: [torch.float32 of size 3x1]\n    (2): Object of type: str\n)"
    )
    assert type(p[1]) is nn.Parameter
    assert p[-1] == "text"
    p[0] = w.zeros(1)
    p += [w.ones(1)]
    assert [n for n, _ in p.named_parameters()] == ["0", "1", "3"]
    assert len(p) == len(list(p)) == 4
    assert type(p[1:]) is nn.ParameterList
    assert len(copy.deepcopy(p)) == 4
    with pytest.raises(IndexError, match="index 9 is out of range"):
        p[9]
    with pytest.raises(TypeError, match=r"ParameterList.extend should be called with an iterable, but got Tensor"):
        p.extend(w.ones(1))
    with pytest.raises(RuntimeError, match=r"ParameterList should not be called."):
        p(1)


def test_parameter_dict():
    p = nn.ParameterDict({"b": w.ones(1), "a": w.zeros(2), "c": 3})
    assert list(p) == ["a", "b", "c"]  # a plain dictionary is sorted
    assert list(nn.ParameterDict([("b", w.ones(1)), ("a", w.ones(1))])) == ["b", "a"]
    assert type(p["a"]) is nn.Parameter
    assert p.a is p["a"]
    assert repr(p) == (
        "ParameterDict(\n    (a): Parameter containing: [torch.FloatTensor of size 2]\n"
        "    (b): Parameter containing: [torch.FloatTensor of size 1]\n    (c): Object of type: int\n)"
    )
    p["d"] = w.ones(1)
    assert p.pop("c") == 3
    assert [n for n, _ in p.named_parameters()] == ["a", "b", "d"]
    assert p.get("x", 5) == 5
    assert p.setdefault("e", w.ones(1)) is p["e"]
    assert list(reversed(p)) == ["e", "d", "b", "a"]
    assert p.popitem()[0] == "e"
    assert list(p | {"z": w.ones(1)}) == ["a", "b", "d", "z"]
    p |= {"z": w.ones(1)}
    assert "z" in p
    assert p.copy()["a"] is p["a"]
    assert list(p.fromkeys("xy").items()) == [("x", None), ("y", None)]
    assert len(list(p.values())) == len(p.keys()) == 4
    del p["z"]
    p.clear()
    assert len(p) == 0
    for call, kind, words in (
        (lambda: p["x"], AttributeError, "'ParameterDict' object has no attribute 'x'"),
        (lambda: p.__setitem__(3, 1), TypeError, "not a string"),
        (lambda: p.__setitem__("a.b", w.ones(1)), KeyError, "parameter name can"),
        (lambda: p(1), RuntimeError, "ParameterDict should not be called."),
    ):
        with pytest.raises(kind, match=words):
            call()
    assert len(p) == 0
