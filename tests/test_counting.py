"""Counts, histograms, places among sorted values: values and errors."""

from __future__ import annotations

import numpy as np
import pytest

import wengert as w

_RNG = np.random.default_rng(0)


def test_bincount():
    x = _RNG.integers(0, 7, 30)
    assert w.bincount(w.from_numpy(x), minlength=9).tolist() == np.bincount(x, minlength=9).tolist()
    weights = _RNG.normal(size=30)
    np.testing.assert_allclose(w.bincount(w.from_numpy(x), w.from_numpy(weights)).numpy(), np.bincount(x, weights))
    for arguments, message in (
        ((w.tensor([-1]),), "only supports 1-d non-negative integral inputs"),
        ((w.tensor([[1]]),), "only supports 1-d non-negative integral inputs"),
        ((w.tensor([1]), w.tensor([1.0, 2.0])), "weights should be 1-d and have the same length"),
        ((w.tensor([1]), None, -1), "minlength should be >= 0"),
    ):
        with pytest.raises(RuntimeError, match=message):
            w.bincount(*arguments)
    with pytest.raises(NotImplementedError, match="\"bincount_cpu\" not implemented for 'Float'"):
        w.bincount(w.tensor([0.5]))


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("shape", [(7,), (3, 7), (2, 3, 7), (3, 0)])
def test_searchsorted_is_numpy_s_row_by_row(shape, right):
    rows = np.sort(_RNG.integers(0, 9, shape), -1)
    values = _RNG.integers(-1, 10, (*shape[:-1], 5))
    side = "right" if right else "left"
    expected = np.empty(values.shape, np.int64)
    for i in np.ndindex(shape[:-1]):
        expected[i] = np.searchsorted(rows[i], values[i], side)
    found = w.searchsorted(w.from_numpy(rows), w.from_numpy(values), right=right)
    np.testing.assert_array_equal(found.numpy(), expected)


def test_searchsorted_options_and_errors():
    b = w.tensor([1.0, 3.0, 5.0])
    assert w.bucketize(3, b).item() == 1
    assert w.bucketize(w.tensor([3.0]), b, right=True, out_int32=True).dtype is w.int32
    assert w.searchsorted(b.flip(0), w.tensor([4.0]), sorter=w.tensor([2, 1, 0])).tolist() == [2]
    for options, message in (
        ({"side": "left", "right": True}, "side and right can't be set to opposites"),
        ({"side": "x"}, "side can only be 'left' or 'right' but got x"),
        ({"sorter": w.tensor([1, 2])}, "boundary and sorter must have the same size"),
        ({"sorter": w.tensor([1.0, 2.0, 0.0])}, "sorter must be a tensor of long dtype but got dtype Float"),
        ({"sorter": w.tensor([1, 2, 5])}, "sorter index out of range"),
    ):
        with pytest.raises(RuntimeError, match=message):
            w.searchsorted(b, 3.0, **options)
    with pytest.raises(RuntimeError, match="boundaries tensor must be 1 dimension"):
        w.bucketize(w.tensor([3.0]), b[None])
    with pytest.raises(RuntimeError, match="the first N-1 dimensions"):
        w.searchsorted(w.ones(2, 2), w.tensor([3.0]))


def test_histograms_are_numpy_s():
    x, weight = _RNG.normal(size=40), _RNG.uniform(size=40)
    t = w.from_numpy(x)
    for options in ({}, {"range": (-1.0, 2.0)}, {"density": True}):
        hist, edges = np.histogram(x, 6, weights=weight, **options)
        found = w.histogram(t, 6, weight=w.from_numpy(weight), **options)
        np.testing.assert_allclose(found.hist.numpy(), hist)
        np.testing.assert_allclose(found.bin_edges.numpy(), edges)
    own = np.array([-1.0, 0.0, 0.5, 2.0])
    np.testing.assert_allclose(w.histogram(t, w.from_numpy(own)).hist.numpy(), np.histogram(x, own)[0])
    np.testing.assert_allclose(w.histc(t, 5, -1, 1).numpy(), np.histogram(x, 5, (-1, 1))[0])
    points = _RNG.normal(size=(40, 2))
    hist, edges = np.histogramdd(points, (3, 4), density=True)
    found = w.histogramdd(w.from_numpy(points), [3, 4], density=True)
    np.testing.assert_allclose(found.hist.numpy(), hist)
    np.testing.assert_allclose(found.bin_edges[1].numpy(), edges[1])


def test_errors_of_histograms():
    x = w.tensor([1.0, 2.0])
    for call, message in (
        (lambda: w.histc(x, 0), "bins must be > 0, but got 0"),
        (lambda: w.histc(x, 3, 5, 2), "max must be larger than min"),
        (lambda: w.histc(w.tensor([1.0, w.inf]), 3), "is not finite"),
        (lambda: w.histogram(x, 2, range=(3.0, 1.0)), "min should not exceed max, but got min 3 max 1"),
        (lambda: w.histogram(x, w.tensor([[1.0]])), "bins tensor should have one dimension"),
        (lambda: w.histogram(x, 2, weight=w.ones(3)), "it should have the same shape as the input tensor"),
        (lambda: w.histogram(x, w.tensor([1.0, 2.0], dtype=w.float64)), "should have the same dtype"),
        (lambda: w.histogramdd(w.ones(4, 2), [2]), "size of bins must be equal to the innermost dimension"),
        (lambda: w.histogramdd(w.ones(4), [2]), "at least 2 dimensions"),
        (lambda: w.histogramdd(w.ones(4, 2), [2, 2], range=[0.0, 1.0]), "range should have 4 elements, but got 2"),
    ):
        with pytest.raises(RuntimeError, match=message):
            call()
    with pytest.raises(NotImplementedError, match="\"histogramdd\" not implemented for 'Long'"):
        w.histogram(w.tensor([1]), 2)
