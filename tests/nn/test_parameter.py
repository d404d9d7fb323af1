"""Parameter and Buffer."""

from __future__ import annotations

import copy
import pickle

import pytest

import wengert as w
from wengert import nn


def test_a_parameter_is_a_leaf_on_the_tensors_memory():
    x = w.ones(2)
    p = nn.Parameter(x)
    assert p.requires_grad
    assert p.is_leaf
    assert isinstance(p, w.Tensor)
    x[0] = 5
    assert p.tolist() == [5, 1]
    assert p._version == x._version == 1
    q = nn.Parameter(w.ones(2, requires_grad=True) * 2)
    assert q.is_leaf
    assert repr(p) == "Parameter containing:\ntensor([5., 1.], requires_grad=True)"
    assert repr(nn.Parameter(x, requires_grad=False)) == "Parameter containing:\ntensor([5., 1.])"
    assert nn.Parameter().shape == (0,)


def test_what_is_computed_of_a_parameter_is_a_tensor():
    p = nn.Parameter(w.ones(2))
    for x in (p * 2, p.detach(), p.data, p.clone(), p[0], p.view(1, 2), p.to(w.float64)):
        assert type(x) is w.Tensor
    with w.no_grad():
        assert p.add_(1) is p
    assert p.tolist() == [2, 2]


def test_copies_and_pickles_are_parameters():
    p = nn.Parameter(w.ones(2))
    p.grad = w.zeros(2)
    p.note = "kept"
    for q in (copy.deepcopy(p), pickle.loads(pickle.dumps(p))):
        assert type(q) is nn.Parameter
        assert q.requires_grad
        assert q.tolist() == [1, 1]
        assert q.note == "kept"
        assert q.data_ptr() != p.data_ptr()


def test_misuses():
    with pytest.raises(RuntimeError, match="Only Tensors of floating point and complex dtype can require gradients"):
        nn.Parameter(w.tensor([1]))
    assert nn.Parameter(w.tensor([1]), requires_grad=False).dtype == w.int64
    with pytest.raises(
        AttributeError, match="'list' object has no attribute 'detach': a Parameter is made of a tensor"
    ):
        nn.Parameter([1.0])


def test_a_buffer_is_a_marked_tensor():
    b = nn.Buffer(w.ones(2), persistent=False)
    assert type(b) is w.Tensor
    assert isinstance(b, nn.Buffer)
    assert b.persistent is False
    assert not b.requires_grad
    for x in (w.ones(2), nn.Parameter(w.ones(2)), 3, b * 1):
        assert not isinstance(x, nn.Buffer)
