"""Pickling and copying tensors."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import wengert as w


def again(x):
    return pickle.loads(pickle.dumps(x))


def leaf(value=(1.0, 2.0)):
    return w.tensor(value, requires_grad=True)


# ---------------------------------------------------------------------------------------------- pickling


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("dtype", [w.bool, w.uint8, w.int64, w.float16, w.float32, w.float64, w.complex64, w.bfloat16])
def test_values_and_dtypes(dtype, protocol):
    x = w.tensor([[0, 1], [1, 0]], dtype=dtype)
    y = pickle.loads(pickle.dumps(x, protocol))
    assert (y.tolist(), y.dtype, y.shape) == (x.tolist(), dtype, x.shape)
    assert y._version == 0


def test_a_leaf_stays_a_leaf_without_its_gradient():
    x = leaf()
    (x * x).sum().backward()
    y = again(x)
    assert y.requires_grad
    assert y.is_leaf
    assert y.grad is None
    (y * 3).sum().backward()
    assert y.grad.tolist() == [3, 3]
    z = again(x * 2)
    assert z.tolist() == [2, 4]
    assert z.is_leaf


def test_a_view_takes_its_own_elements_along():
    base = w.arange(1000.0).reshape(10, 100)
    assert len(pickle.dumps(base[0, :5])) < 500
    assert again(base[0, :5]).tolist() == [0, 1, 2, 3, 4]
    transposed = again(base.t())
    assert transposed.stride() == (1, 100)
    assert transposed.tolist() == base.t().tolist()
    assert again(base[::2, ::3]).tolist() == base[::2, ::3].tolist()
    expanded = w.ones(3, 1).expand(3, 10000)
    assert len(pickle.dumps(expanded)) < 500
    assert again(expanded).stride() == (1, 0)
    assert again(expanded).tolist() == expanded.tolist()
    assert again(w.zeros(0, 3)).stride() == (3, 1)
    assert again(base[3, 7]).item() == 307


def test_one_object_stays_one_object():
    x = leaf()
    a, b = again((x, x))
    assert a is b


def test_attributes_are_kept():
    x = leaf()
    x.note = ["text"]
    assert again(x).note == ["text"]
    x.register_hook(print)
    again(x)


def test_parameters():
    p = again(w.nn.Parameter(w.tensor([1.5])))
    assert isinstance(p, w.nn.Parameter)
    assert p.requires_grad
    assert p.tolist() == [1.5]


# ---------------------------------------------------------------------------------------------- copies


def test_a_copy_shares_the_memory():
    x = leaf()
    y = copy.copy(x)
    assert y is not x
    assert y.data_ptr() == x.data_ptr()
    assert y.requires_grad
    assert y.is_leaf
    assert y.grad is None
    assert copy.copy(x * 2).is_leaf


def test_a_deep_copy_of_a_leaf():
    x = leaf()
    x.note = [1]
    (x * x).sum().backward()
    y = copy.deepcopy(x)
    assert (y.tolist(), y.grad.tolist(), y.requires_grad) == ([1, 2], [2, 4], True)
    assert y.grad is not x.grad
    assert y.note == [1]
    assert y.note is not x.note
    with w.no_grad():
        y.zero_()
        y.grad.zero_()
    assert (x.tolist(), x.grad.tolist()) == ([1, 2], [2, 4])
    constant = w.ones(2)
    constant.grad = w.zeros(2)
    assert copy.deepcopy(constant).grad.tolist() == [0, 0]


def test_computed_tensors_are_refused():
    x = leaf()
    refused = (
        r"^Only Tensors created explicitly by the user \(graph leaves\) support the deepcopy protocol at the moment"
    )
    with pytest.raises(RuntimeError, match=refused):
        copy.deepcopy(x * 2)
    assert copy.deepcopy((x * 2).detach()).tolist() == [2, 4]
    (x**2).sum().backward(create_graph=True)
    with pytest.raises(RuntimeError, match=refused):
        copy.deepcopy(x)


def test_identity_and_memory_are_kept_within_one_copy():
    x = leaf()
    (x * x).sum().backward()
    found = copy.deepcopy({"a": x, "b": [x], "grad": x.grad})
    assert found["a"] is found["b"][0]
    assert found["a"].grad is found["grad"]
    base = w.arange(12.0).reshape(3, 4)
    one, row, turned = copy.deepcopy((base, base[1], base.t()))
    one[1, 0] = -1
    assert row.tolist() == [-1, 5, 6, 7]
    assert turned[0].tolist() == [0, -1, 8]
    assert base[1, 0].item() == 4


def test_strides_are_kept():
    base = w.arange(12.0).reshape(3, 4)
    for view in (base.t(), base[1:, ::2], base[:, :1].expand(3, 5), base[1:]):
        made = copy.deepcopy(view)
        assert made.stride() == view.stride()
        assert made.tolist() == view.tolist()
    array = np.arange(24.0).reshape(4, 6)[::2, ::3]
    assert copy.deepcopy(w.from_numpy(array)).tolist() == array.tolist()
