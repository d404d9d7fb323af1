"""Pooling: what the samples of operations cannot say: indices, unpooling, random windows, refusals, modules."""

from __future__ import annotations

import numpy as np
import pytest

import wengert as w
import wengert.nn.functional as F
from wengert import nn


def test_first_of_equal_elements_and_last_of_nan():
    x = w.tensor([[[1.0, 2.0, 2.0, 2.0]]], requires_grad=True)
    values, indices = F.max_pool1d(x, 3, 1, return_indices=True)
    assert values.tolist() == [[[2.0, 2.0]]]
    assert indices.tolist() == [[[1, 1]]]
    values.sum().backward()
    assert x.grad.tolist() == [[[0.0, 2.0, 0.0, 0.0]]]
    x = w.tensor([[[w.nan, 1.0], [w.nan, 3.0]]])
    values, indices = F.max_pool2d(x, 2, return_indices=True)
    assert values.isnan().all()
    assert indices.item() == 2


def test_windows_that_only_padding_and_infinities_fill():
    x = w.full((1, 1, 4), -w.inf)
    values, indices = F.max_pool1d(x, 3, 1, 1, return_indices=True)
    assert values.tolist() == [[[-w.inf] * 4]]
    assert indices.tolist() == [[[0, 0, 1, 2]]]
    # dilated past both ends: there is no element at all
    x = w.zeros(1, 1, 2, requires_grad=True)
    values = F.max_pool1d(x, 2, 1, 1, 3)
    assert values.tolist() == [[[-w.inf]]]
    values.sum().backward()
    assert x.grad.tolist() == [[[0.0, 0.0]]]
    assert w.func.jvp(lambda a: F.max_pool1d(a, 2, 1, 1, 3), (x.detach(),), (x.detach() + 1,))[1].tolist() == [[[0.0]]]


def test_large_boxes_have_their_indices():
    x = w.zeros(1, 20, 30)
    x[0, 17, 23] = 1
    assert F.max_pool2d(x, (20, 30), return_indices=True)[1].item() == 17 * 30 + 23


def test_whole_numbers_are_divided_towards_zero():
    assert F.avg_pool1d(w.tensor([[-3, 0, 3, 0]]), 2).tolist() == [[-1, 1]]


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_unpooling_is_the_transpose_of_taking_what_pooling_chose(rank):
    rng = np.random.default_rng(0)
    x = w.from_numpy(rng.normal(size=(2, 3, *(5,) * rank)))
    values, indices = getattr(F, f"max_pool{rank}d")(x, 2, return_indices=True)
    values.requires_grad_()

    def unpool(v):
        return getattr(F, f"max_unpool{rank}d")(v, indices, 2, output_size=x.shape)

    out = unpool(values)
    assert out.shape == x.shape
    assert w.equal(out[out != 0].sort()[0], values.detach().flatten().sort()[0])
    out.backward(x)
    assert w.equal(values.grad, values.detach())
    assert w.autograd.gradgradcheck(lambda v: unpool(v) ** 2, (values,))


@pytest.mark.parametrize("rank", [2, 3])
def test_fractional_windows(rank):
    w.manual_seed(1)
    x = w.rand(2, 3, *(9,) * rank, dtype=w.float64, requires_grad=True)
    samples = w.rand(2, 3, rank, dtype=w.float64)
    pool = getattr(F, f"fractional_max_pool{rank}d")
    values, indices = pool(x, 2, 4, return_indices=True, _random_samples=samples)
    assert values.shape == (2, 3, *(4,) * rank)
    assert w.equal(x.detach().flatten(2).gather(2, indices.flatten(2)), values.detach().flatten(2))
    assert w.autograd.gradcheck(lambda a: pool(a, 2, 4, _random_samples=samples) ** 2, (x,), check_forward_ad=True)
    assert not w.equal(pool(x, 2, 4), pool(x, 2, 4))
    module = getattr(nn, f"FractionalMaxPool{rank}d")(2, output_ratio=0.5, _random_samples=samples)
    assert w.equal(module(x), pool(x, 2, 4, _random_samples=samples))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: F.avg_pool2d(x, 0), RuntimeError, "stride should not be zero"),
        (lambda x: F.avg_pool2d(x, 2, 2, 2), RuntimeError, "pad should be at most half"),
        (lambda x: F.avg_pool2d(x, 2, -1), RuntimeError, "stride should be greater than zero, but got dH: -1 dW: -1"),
        (lambda x: F.avg_pool2d(x, 9), RuntimeError, "Output size is too small"),
        (lambda x: F.avg_pool2d(x, 2, divisor_override=0), RuntimeError, "divisor must be not zero"),
        (lambda x: F.avg_pool2d(x.int(), 2), NotImplementedError, "not implemented for 'Int'"),
        (lambda x: F.avg_pool3d(x[:, :0, None], 1), RuntimeError, "non-batch dimension 1 has length zero"),
        (lambda x: F.max_pool2d(x, (1, 2, 3)), RuntimeError, "a tuple of two ints"),
        (lambda x: F.max_pool2d(x[0, 0], 2), RuntimeError, "non-empty 3D or 4D"),
        (lambda x: F.max_pool3d(x[:, :0, None], 1), RuntimeError, "non-batch dimension 1 has length zero"),
        (lambda x: F.max_pool1d(x[0], 5), RuntimeError, "Invalid computed output size: 0"),
        (lambda x: F.adaptive_avg_pool2d(x, (1,)), RuntimeError, "output_size must be 2"),
        (lambda x: F.adaptive_max_pool2d(x, -1), RuntimeError, "negative dimension -1"),
        (lambda x: F.adaptive_max_pool2d(x, (1, 2, 3, 4)), ValueError, "at least 5"),
        (lambda x: F.fractional_max_pool2d(x, 2), ValueError, "output_size or an output_ratio"),
        (lambda x: F.fractional_max_pool2d(x, 0, 2), RuntimeError, "kernel_size must be positive"),
        (lambda x: F.fractional_max_pool2d(x, 2, 4), RuntimeError, "too large relative to input height 4"),
        (lambda x: F.max_unpool2d(x, x.long() + 99, 2), RuntimeError, "invalid max index: 99"),
        (lambda x: F.max_unpool2d(x, x, 2), RuntimeError, "should be type int64"),
        (lambda x: F.max_unpool2d(x, x.long(), 2, output_size=(3, 3)), ValueError, "must be between 6 and 10"),
        (lambda x: nn.FractionalMaxPool2d(2, output_ratio=2.0), ValueError, "between 0 and 1"),
    ],
)
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call(w.zeros(1, 2, 4, 4))


@pytest.mark.parametrize("pool", [F.avg_pool2d, F.max_pool2d, F.adaptive_avg_pool2d, F.adaptive_max_pool2d])
def test_results_are_contiguous(pool):
    x = w.rand(2, 8, 6, 3).permute(0, 3, 2, 1).requires_grad_()
    out = pool(x, 2)
    assert out.is_contiguous()
    assert out.view(2, -1).shape[0] == 2
    (grad,) = w.autograd.grad(out.sum(), x)
    assert grad.is_contiguous()
