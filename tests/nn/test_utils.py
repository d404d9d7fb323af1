"""Clipping of gradients, and parameters as a vector."""

from __future__ import annotations

import pytest

import wengert as w
from wengert.nn import utils


def _parameters():
    a, b, c = (w.zeros(n, requires_grad=True) for n in (2, 1, 3))
    a.grad, b.grad = w.tensor([3.0, 0.0]), w.tensor([-4.0])
    return [a, b, c]  # the last has no gradient


@pytest.mark.parametrize(("order", "norm"), [(2.0, 5.0), (1.0, 7.0), (w.inf, 4.0)])
def test_a_norm_is_brought_down_to_the_limit(order, norm):
    p = _parameters()
    assert utils.clip_grad_norm_(iter(p), 2.0, order).item() == pytest.approx(norm)
    assert utils.get_total_norm([p[0].grad, p[1].grad], order).item() == pytest.approx(2.0, rel=1e-5)
    assert p[2].grad is None


def test_a_norm_below_the_limit_stays():
    p = _parameters()
    utils.clip_grad_norm_(p, 6.0)
    assert p[0].grad.tolist() == [3.0, 0.0]
    assert utils.clip_grad_norm_([], 1.0).item() == 0.0


def test_a_norm_that_is_not_finite_is_refused_before_anything_is_changed():
    p = _parameters()
    p[1].grad[0] = w.nan
    with pytest.raises(
        RuntimeError, match=r"The total norm of order 2.0 for gradients from `parameters` is non-finite"
    ):
        utils.clip_grad_norm_(p, 1.0, error_if_nonfinite=True)
    assert p[0].grad.tolist() == [3.0, 0.0]


def test_values_and_vectors():
    p = _parameters()
    utils.clip_grad_value_(p, 1.0)
    assert (p[0].grad.tolist(), p[1].grad.tolist()) == ([1.0, 0.0], [-1.0])
    utils.vector_to_parameters(w.arange(6.0), p)
    assert [x.tolist() for x in p] == [[0.0, 1.0], [2.0], [3.0, 4.0, 5.0]]
    assert utils.parameters_to_vector(p).tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    with pytest.raises(TypeError, match="expected torch.Tensor, but got: list"):
        utils.vector_to_parameters([1.0], p)


def test_questions_as_functions():
    x = w.ones(2, 3)
    assert (w.is_complex(x), w.is_floating_point(x), w.is_conj(x), w.is_inference(x), w.numel(x)) == (
        False,
        True,
        False,
        False,
        6,
    )
    assert w.is_nonzero(w.tensor([2])) is True
    with pytest.raises(RuntimeError, match="Boolean value of Tensor with more than one value is ambiguous"):
        w.is_nonzero(x)
    assert w.scalar_tensor(3).dtype is w.float32
    with pytest.raises(TypeError, match=r"argument 's' \(position 1\) must be Number, not str"):
        w.scalar_tensor("3")
