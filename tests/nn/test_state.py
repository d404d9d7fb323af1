"""state_dict and load_state_dict."""

from __future__ import annotations

import io
import pickle
from collections import OrderedDict

import pytest

import wengert as w
from wengert import nn


def model():
    return nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))


def test_a_state_shares_the_memory():
    m = model()
    state = m.state_dict()
    assert type(state) is OrderedDict
    assert list(state) == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert state["0.weight"].data_ptr() == m[0].weight.data_ptr()
    assert not state["0.weight"].requires_grad
    assert m.state_dict(keep_vars=True)["0.weight"] is m[0].weight
    assert next(iter(m.state_dict(prefix="a."))) == "a.0.weight"
    made = {}
    assert m.state_dict(destination=made) is made
    assert state._metadata["2"] == {"version": 1}
    with pytest.warns(FutureWarning, match="Positional args are being deprecated"):
        assert next(iter(m.state_dict({}, "a."))) == "a.0.weight"


def test_loading_copies_the_values():
    a, b = model(), model()
    weight, version = b[0].weight, b[0].weight._version
    result = b.load_state_dict(a.state_dict())
    assert repr(result) == "<All keys matched successfully>"
    assert b[0].weight is weight
    assert weight._version == version + 1
    assert weight.tolist() == a[0].weight.tolist()
    assert weight.data_ptr() != a[0].weight.data_ptr()
    b.load_state_dict({k: v.double() for k, v in a.state_dict().items()})
    assert weight.dtype == w.float32
    stored = pickle.loads(pickle.dumps(a.state_dict()))
    assert stored._metadata == a.state_dict()._metadata
    b.load_state_dict(stored)


def test_assigning_takes_the_tensors():
    m = model()
    m[0].bias.requires_grad_(False)
    state = {k: v.double() for k, v in m.state_dict().items()}
    m.load_state_dict(state, assign=True)
    assert type(m[0].weight) is nn.Parameter
    assert m[0].weight.dtype == w.float64
    assert m[0].weight.data_ptr() == state["0.weight"].data_ptr()
    assert m[0].weight.requires_grad
    assert not m[0].bias.requires_grad


def test_what_does_not_fit_changes_nothing():
    m = model()
    before = repr(m.state_dict())
    state = OrderedDict((k, w.zeros_like(v)) for k, v in m.state_dict().items())
    state["0.weight"] = w.ones(2)
    state["1.more"] = w.ones(1)
    state["2.bias"] = 3
    del state["2.weight"]
    with pytest.raises(RuntimeError) as info:
        m.load_state_dict(state)
    assert str(info.value) == (
        'Error(s) in loading state_dict for Sequential:\n\tMissing key(s) in state_dict: "2.weight". \n'
        '\tUnexpected key(s) in state_dict: "1.more". \n'
        "\tsize mismatch for 0.weight: copying a param with shape torch.Size([2]) from checkpoint, the shape in current model is "
        "torch.Size([3, 2]).\n"
        '\tWhile copying the parameter named "2.bias", expected torch.Tensor or Tensor-like object from checkpoint but received '
        "<class 'int'>"
    )
    assert repr(m.state_dict()) == before
    with pytest.raises(RuntimeError, match="size mismatch"):
        m.load_state_dict(state, strict=False)
    assert repr(m.state_dict()) == before
    with pytest.raises(TypeError, match="Expected state_dict to be dict-like, got <class 'int'>"):
        m.load_state_dict(3)


def test_loading_what_there_is():
    m = model()
    result = m.load_state_dict({"0.bias": w.ones(3), "x": 1}, strict=False)
    assert result.missing_keys == ["0.weight", "2.weight", "2.bias"]
    assert result.unexpected_keys == ["x"]
    missing, unexpected = result
    assert repr(result) == f"_IncompatibleKeys(missing_keys={missing}, unexpected_keys={unexpected})"
    assert m[0].bias.tolist() == [1, 1, 1]


def test_numbers_may_come_with_one_dimension():
    m = nn.Module()
    m.register_buffer("count", w.tensor(0.0))
    m.load_state_dict({"count": w.tensor([3.0])})
    assert m.count.item() == 3


class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def get_extra_state(self):
        return {"count": self.count}

    def set_extra_state(self, state):
        self.count = state["count"]


def test_extra_state():
    a, b = nn.Sequential(Counted()), nn.Sequential(Counted())
    a[0].count = 7
    assert a.state_dict() == {"0._extra_state": {"count": 7}}
    b.load_state_dict(a.state_dict())
    assert b[0].count == 7
    with pytest.raises(RuntimeError, match="Missing key"):
        b.load_state_dict({})
    with pytest.raises(RuntimeError, match=r'Unexpected key\(s\) in state_dict: "_extra_state"'):
        nn.ReLU().load_state_dict({"_extra_state": 3})


class Renamed(nn.Module):
    """Loads states of its first version, which had another name."""

    _version = 2

    def __init__(self):
        super().__init__()
        self.new = nn.Parameter(w.ones(1))

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *args):
        if local_metadata.get("version", 1) < 2:
            state_dict[prefix + "new"] = state_dict.pop(prefix + "old")
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *args)


def test_a_module_may_load_its_state_otherwise():
    m = nn.Sequential(Renamed())
    assert m.state_dict()._metadata["0"] == {"version": 2}
    old = {"0.old": w.tensor([5.0])}
    m.load_state_dict(old)
    assert m[0].new.item() == 5
    assert list(old) == ["0.old"]
    m.load_state_dict(m.state_dict())


def test_hooks():
    m = nn.Linear(1, 1)
    seen = []
    handles = [
        m.register_state_dict_pre_hook(lambda mod, prefix, keep: seen.append(("saving", prefix, keep))),
        m.register_state_dict_post_hook(lambda mod, state, prefix, meta: state.update(more=1)),
        m.register_load_state_dict_pre_hook(
            lambda mod, state, prefix, *rest: seen.append(("loading", state.pop("more")))
        ),
        m.register_load_state_dict_post_hook(lambda mod, keys: keys.missing_keys.clear()),
    ]
    state = m.state_dict()
    assert list(state) == ["weight", "bias", "more"]
    del state["bias"]
    m.load_state_dict(state)
    assert seen == [("saving", "", False), ("loading", 1)]
    for handle in handles:
        handle.remove()
    assert list(m.state_dict()) == ["weight", "bias"]
    m.register_state_dict_post_hook(lambda *_: 3)
    with pytest.raises(RuntimeError, match="state_dict post-hook must return None"):
        m.state_dict()


def test_a_state_in_a_file():
    m = model()
    file = io.BytesIO()
    pickle.dump(m.state_dict(), file)
    file.seek(0)
    other = model()
    other.load_state_dict(pickle.load(file))
    assert repr(other.state_dict()) == repr(m.state_dict())
