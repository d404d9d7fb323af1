"""Layers of normalisation and embedding: running statistics, states, what torch gets wrong."""

from __future__ import annotations

import numpy as np
import pytest

import wengert as w
import wengert.nn.functional as F
from wengert import nn

_INPUT = np.random.default_rng(0).normal(3.0, 2.0, (6, 3, 4))


def test_running_statistics_move_by_the_momentum():
    layer = nn.BatchNorm1d(3, momentum=0.25, dtype=w.float64)
    layer(w.from_numpy(_INPUT))
    np.testing.assert_allclose(layer.running_mean.numpy(), 0.25 * _INPUT.mean((0, 2)))
    np.testing.assert_allclose(layer.running_var.numpy(), 0.75 + 0.25 * _INPUT.var((0, 2), ddof=1))
    assert layer.num_batches_tracked.item() == 1
    before = layer.running_mean.clone()
    layer.eval()(w.from_numpy(_INPUT))
    assert w.equal(layer.running_mean, before)


def test_without_momentum_running_statistics_are_the_mean_of_all_batches():
    layer = nn.BatchNorm1d(3, momentum=None, dtype=w.float64)
    layer(w.from_numpy(_INPUT))
    layer(w.from_numpy(_INPUT + 1))
    np.testing.assert_allclose(layer.running_mean.numpy(), _INPUT.mean((0, 2)) + 0.5)


@pytest.mark.parametrize("layer", [nn.BatchNorm1d(3), nn.InstanceNorm1d(3), nn.GroupNorm(1, 3), nn.LayerNorm(4)])
def test_a_large_mean_does_no_harm(layer):
    x = (
        w.from_numpy(_INPUT.astype(np.float32) * 0 + 1e4)
        + w.from_numpy(np.tile([-1.0, 1.0, -1.0, 1.0], (6, 3, 1))).float()
    )
    np.testing.assert_allclose(layer(x).detach().numpy(), np.tile([-1.0, 1.0, -1.0, 1.0], (6, 3, 1)), rtol=1e-3)


def test_an_old_state_without_a_count_loads():
    layer = nn.BatchNorm1d(3)
    state = dict(layer.state_dict())
    del state["num_batches_tracked"]
    assert layer.load_state_dict(state).missing_keys == []


def test_halves_are_normalised_in_single_precision():
    x = w.full((2, 4096), 100.0, dtype=w.float16)
    x[:, ::2] = -100.0
    assert w.equal(F.layer_norm(x, (4096,)).abs(), w.ones_like(x))
    made = F.layer_norm(x, (4096,), w.ones(4096), w.zeros(4096))
    assert made.dtype is w.float16


def test_gradient_by_frequency_counts_each_row_of_a_bag():
    # torch 2.13 halves the gradient of the last row here, and of the second derivative leaves the division out
    table = w.ones(4, 1, requires_grad=True)
    index, offsets = w.tensor([0, 2, 2, 1, 3]), w.tensor([0, 2])
    F.embedding_bag(index, table, offsets, mode="sum", scale_grad_by_freq=True).sum().backward()
    assert table.grad.flatten().tolist() == [1.0, 1.0, 1.0, 1.0]
    made = F.embedding(w.tensor([0, 2, 2]), table, scale_grad_by_freq=True)
    (g,) = w.autograd.grad((made**2).sum(), table, create_graph=True)
    assert g.flatten().tolist() == [2.0, 0.0, 2.0, 0.0]


def test_padding_gets_no_gradient_and_sparse_is_refused():
    table = nn.Embedding(3, 2, padding_idx=1)
    assert table.weight[1].tolist() == [0.0, 0.0]
    table(w.tensor([0, 1, 1])).sum().backward()
    assert table.weight.grad.tolist() == [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]
    with pytest.raises(NotImplementedError, match="sparse gradients are not supported"):
        nn.Embedding(3, 2, sparse=True)(w.tensor([0]))


def test_an_embedding_is_pushed_with_its_padding():
    # the padding's row gets no gradient, yet the values depend on it
    table, tangent = w.zeros(3, 2), w.ones(3, 2)
    index = w.tensor([0, 1])
    _, pushed = w.func.jvp(lambda t: F.embedding(index, t, padding_idx=1), (table,), (tangent,))
    assert pushed.tolist() == [[1.0, 1.0], [1.0, 1.0]]
