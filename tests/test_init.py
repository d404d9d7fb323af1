"""Initialisers of parameters: what holds of their values, and that they change a leaf without being recorded."""

from __future__ import annotations

import math

import numpy as np
import pytest

import wengert
import wengert.nn.init as init

VARIANCES = {
    "uniform_": (lambda x: init.uniform_(x, -1, 2), 0.5, 0.75),
    "normal_": (lambda x: init.normal_(x, 1, 3), 1, 9),
    "xavier_uniform_": (init.xavier_uniform_, 0, 2 / (300 + 100)),
    "xavier_normal_": (lambda x: init.xavier_normal_(x, gain=2), 0, 4 * 2 / (300 + 100)),
    "kaiming_uniform_": (lambda x: init.kaiming_uniform_(x, nonlinearity="relu"), 0, 2 / 300),
    "kaiming_normal_": (lambda x: init.kaiming_normal_(x, mode="fan_out", nonlinearity="linear"), 0, 1 / 100),
    "kaiming_uniform_ of a slope": (lambda x: init.kaiming_uniform_(x, a=math.sqrt(5)), 0, 1 / (3 * 300)),
    # of the normal distribution cut off at two, and of [1, 3] in its tail
    "trunc_normal_": (init.trunc_normal_, 0, 0.7737413),
    "trunc_normal_ of a tail": (lambda x: init.trunc_normal_(x, a=1, b=3), 1.5100495, 0.1734529),
    "ones_": (init.ones_, 1, 0),
    "zeros_": (init.zeros_, 0, 0),
    "constant_": (lambda x: init.constant_(x, 0.25), 0.25, 0),
}


@pytest.mark.parametrize("name", VARIANCES)
def test_mean_and_variance(name):
    fill, mean, variance = VARIANCES[name]
    wengert.manual_seed(2)
    x = fill(wengert.empty(100, 300))._array.astype(np.float64)
    assert abs(x.mean() - mean) <= 5 * math.sqrt(variance / x.size)
    assert abs(x.var() - variance) <= 0.05 * variance


EVERY = [*VARIANCES, "eye_", "orthogonal_", "sparse_"]


@pytest.mark.parametrize("name", EVERY)
def test_leaves_are_changed_in_place_and_nothing_is_recorded(name):
    fill = VARIANCES[name][0] if name in VARIANCES else {
        "eye_": init.eye_, "orthogonal_": init.orthogonal_, "sparse_": lambda x: init.sparse_(x, 0.5),
    }[name]  # fmt: skip
    leaf = wengert.empty(4, 4, requires_grad=True)
    array, version = leaf._array, leaf._version
    assert fill(leaf) is leaf
    assert leaf._array is array
    assert leaf._version > version
    assert leaf.is_leaf
    assert leaf.requires_grad


@pytest.mark.parametrize("shape", [(3, 3), (2, 5), (5, 2), (3, 2, 2), (1, 1)])
def test_orthogonal(shape):
    wengert.manual_seed(2)
    x = init.orthogonal_(wengert.empty(shape, dtype=wengert.float64), gain=2)._array.reshape(shape[0], -1) / 2
    product = x @ x.T if x.shape[0] <= x.shape[1] else x.T @ x
    np.testing.assert_allclose(product, np.eye(len(product)), atol=1e-12)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("kernel", [(3,), (3, 5), (1, 3, 3)])
def test_dirac_hands_channels_on(kernel, groups):
    weight = init.dirac_(wengert.empty(4, 2, *kernel), groups)._array
    image = np.random.default_rng(0).normal(size=(2, *kernel))
    out = (weight * image).sum(axis=tuple(range(1, weight.ndim)))
    middle = image[(slice(None), *(n // 2 for n in kernel))]
    expected = np.concatenate([middle, middle]) if groups == 2 else np.concatenate([middle, [0, 0]])
    np.testing.assert_allclose(out, expected)


def test_sparse():
    x = init.sparse_(wengert.empty(10, 6), 0.25, std=2.0)._array
    assert ((x == 0).sum(axis=0) == 3).all()
    assert abs(x).max() > 0.1


@pytest.mark.parametrize(("a", "b"), [(-1.0, 1.0), (-0.1, 0.1), (1.0, 3.0), (-5.0, 0.0)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_truncation(a, b, dtype):
    wengert.manual_seed(2)
    x = init.trunc_normal_(wengert.empty(1000, dtype=getattr(wengert, dtype)), a=a, b=b)._array
    assert x.min() >= np.array(a).astype(dtype)
    assert x.max() <= np.array(b).astype(dtype)
    assert len(np.unique(x)) > 100


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: init.eye_(wengert.empty(3)), "Only tensors with 2 dimensions are supported"),
        (lambda: init.sparse_(wengert.empty(3), 0.5), "Only tensors with 2 dimensions are supported"),
        (lambda: init.dirac_(wengert.empty(3, 3)), "Only tensors with 3, 4, or 5 dimensions are supported"),
        (lambda: init.dirac_(wengert.empty(4, 2, 2), 3), "dim 0 must be divisible by groups"),
        (lambda: init.orthogonal_(wengert.empty(3)), "Only tensors with 2 or more dimensions are supported"),
        (lambda: init.xavier_uniform_(wengert.empty(3)), "Fan in and fan out can not be computed for tensor with"),
        (lambda: init.kaiming_normal_(wengert.empty(2, 3), mode="x"), "Mode x not supported, please use one of"),
        (lambda: init.kaiming_normal_(wengert.empty(2, 3), nonlinearity="x"), "Unsupported nonlinearity x"),
        (lambda: init.calculate_gain("leaky_relu", "x"), "negative_slope x not a valid number"),
    ],
)  # fmt: skip
def test_misuse(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_warnings():
    with pytest.warns(UserWarning, match="Initializing zero-element tensors is a no-op"):
        init.kaiming_uniform_(wengert.empty(0, 3))
    with pytest.warns(UserWarning, match="mean is more than 2 std from"):
        init.trunc_normal_(wengert.empty(3), mean=5.0)
    with pytest.warns(FutureWarning, match="`nn.init.normal` is now deprecated in favor of `nn.init.normal_`"):
        init.normal(wengert.empty(3))


def test_gains():
    assert [init.calculate_gain(n) for n in ("linear", "conv3d", "sigmoid")] == [1, 1, 1]
    assert init.calculate_gain("tanh") == 5 / 3
    assert init.calculate_gain("relu") == math.sqrt(2)
    assert init.calculate_gain("leaky_relu", 1) == 1
    assert init.calculate_gain("selu") == 0.75
