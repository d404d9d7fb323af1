"""Distances that are zero, and distances in blocks."""

from __future__ import annotations

import numpy as np
import pytest

import wengert as w
from wengert.ops import distance


@pytest.mark.parametrize("p", [0.0, 1.0, 1.5, 2.0, 3.0, w.inf])
def test_a_distance_of_zero_has_a_gradient_of_zero_and_no_second(p):
    x = w.tensor([[1.0, 2.0], [0.0, 1.0]], dtype=w.float64, requires_grad=True)
    y = x.detach().clone().requires_grad_()
    d = w.cdist(x, y, p).diagonal()
    assert d.tolist() == [0.0, 0.0]
    g = w.autograd.grad(d.sum(), (x, y), create_graph=True)
    assert all(not part.any() for part in g)
    if p:
        seconds = w.autograd.grad(sum(part.sum() for part in g), (x, y), allow_unused=True)
        assert all(part is None or not part.any() for part in seconds)


def test_rows_in_blocks_give_what_all_give_at_once(monkeypatch):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 7, 3)), rng.normal(size=(2, 5, 3))

    def run():
        x, y = w.from_numpy(a).requires_grad_(), w.from_numpy(b).requires_grad_()
        d = w.cdist(x, y)
        (d**2).sum().backward()
        return [d.detach().numpy(), x.grad.numpy(), y.grad.numpy()]

    whole = run()
    monkeypatch.setattr(distance, "_BLOCK", 60)
    for one, other in zip(whole, run(), strict=True):
        np.testing.assert_allclose(one, other)


def test_errors():
    x = w.ones(2, 2)
    for call, message in (
        (lambda: w.cdist(x, w.ones(2, 3)), "X1 and X2 must have the same number of columns. X1: 2 X2: 3"),
        (lambda: w.cdist(w.ones(2), x), "cdist only supports at least 2D tensors, X1 got: 1D"),
        (lambda: w.cdist(x, x, -1.0), "cdist only supports non-negative p values"),
        (lambda: w.cdist(x.long(), x), "cdist only supports floating-point dtypes, X1 got: Long"),
        (lambda: w.cdist(x, x.double()), "expected scalar type Float but found Double"),
        (lambda: w.pdist(w.ones(3)), "pdist only supports 2D tensors, got: 1D"),
        (lambda: w.pdist(x, -1), "pdist only supports non-negative p values"),
    ):
        with pytest.raises(RuntimeError, match=message):
            call()
    with pytest.raises(ValueError, match="foo is not a valid value for compute_mode"):
        w.cdist(x, x, compute_mode="foo")
