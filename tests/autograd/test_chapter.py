"""What a first chapter on automatic differentiation says about tensors, graphs and gradients."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import wengert as w


def leaf(value):
    return w.tensor(value, requires_grad=True)


def test_the_gradient_is_exact_where_a_difference_is_an_approximation():
    def f(x):
        return x**2

    x = leaf(3.0)
    f(x).backward()
    assert x.grad.item() == 6.0
    approximation = (f(3.0 + 1e-5) - f(3.0 - 1e-5)) / 2e-5
    assert approximation == pytest.approx(6.0)


def test_each_result_knows_the_operation_that_made_it():
    x = leaf(2.0)
    y = x**2
    z = y * 3
    out = z + 1
    assert [t.grad_fn.name() for t in (y, z, out)] == ["PowBackward0", "MulBackward0", "AddBackward0"]
    assert x.grad_fn is None
    assert out.grad_fn.next_functions[0][0] is z.grad_fn
    assert z.grad_fn.next_functions[0][0] is y.grad_fn
    end, number = y.grad_fn.next_functions[0]
    assert end.variable is x
    assert number == 0
    out.backward()
    assert x.grad.item() == 12.0


def test_printed_forms_show_the_place_in_the_graph():
    x = leaf([1.0, 2.0])
    assert repr(x) == "tensor([1., 2.], requires_grad=True)"
    assert repr(x * 2) == "tensor([2., 4.], grad_fn=<MulBackward0>)"
    assert f"{(x * 2).grad_fn}".startswith("<MulBackward0 object at 0x")
    assert f"{leaf(3.0)}" == "3.0"


def test_what_is_made_by_hand_is_a_leaf():
    x = leaf([1.0, 2.0, 3.0])
    plain = w.randn(3)
    assert x.is_leaf
    assert plain.is_leaf
    assert not plain.requires_grad
    assert plain.requires_grad_() is plain
    assert plain.requires_grad
    assert not (x * 2).is_leaf


def test_integers_have_no_gradients():
    with pytest.raises(RuntimeError, match="^Only Tensors of floating point and complex dtype can require gradients"):
        w.tensor([1, 2, 3], requires_grad=True)
    x = w.tensor([1, 2, 3], dtype=w.float32, requires_grad=True)
    assert repr(x) == "tensor([1., 2., 3.], requires_grad=True)"


def test_intermediate_results_keep_no_gradient_unless_asked_to():
    x = leaf(2.0)
    y = x**2
    (y * 3).backward()
    assert x.grad.item() == 12.0
    with pytest.warns(UserWarning, match="The .grad attribute of a Tensor that is not a leaf Tensor is being accessed"):
        assert y.grad is None
    x = leaf(2.0)
    y = x**2
    y.retain_grad()
    (y * 3).backward()
    assert y.grad.item() == 3.0


def test_several_variables():
    a, b = leaf(2.0), leaf(3.0)
    (a**2 + b**3).backward()
    assert (a.grad.item(), b.grad.item()) == (4.0, 27.0)


def test_a_vector_needs_a_direction():
    x = leaf([1.0, 2.0, 3.0])
    with pytest.raises(RuntimeError, match="^grad can be implicitly created only for scalar outputs"):
        (x**2).backward()
    (x**2).backward(gradient=w.tensor([1.0, 1.0, 1.0]))
    assert x.grad.tolist() == [2, 4, 6]
    x.grad = None
    (x**2).sum().backward()
    assert x.grad.tolist() == [2, 4, 6]
    x.grad = None
    (x**2).backward(w.tensor([1.0, 0.0, 2.0]))
    assert x.grad.tolist() == [2, 0, 12]


def test_a_graph_is_used_up_by_a_pass_that_does_not_retain_it():
    x = leaf(2.0)
    y = x**3
    y.backward(retain_graph=True)
    assert x.grad.item() == 12.0
    x.grad.zero_()
    y.backward()
    assert x.grad.item() == 12.0
    with pytest.raises(RuntimeError, match="^Trying to backward through the graph a second time"):
        y.backward()


def test_gradients_add_up_until_they_are_reset():
    x = leaf(2.0)
    (x**2).backward()
    assert x.grad.item() == 4.0
    (x**4).backward()
    assert x.grad.item() == 36.0
    x.grad.zero_()
    (x**4).backward()
    assert x.grad.item() == 32.0


def test_three_passes_without_a_reset():
    x = leaf([2.0])
    for _ in range(3):
        (x**2).backward()
    assert repr(x.grad) == "tensor([12.])"


def test_an_optimizer_resets_and_steps():
    generator = w.Generator()
    generator.manual_seed(0)
    a, b = leaf([0.0]), leaf([0.0])
    optimizer = w.optim.SGD([a, b], lr=0.1)
    data = w.randn(20, 1, generator=generator)
    losses = []
    for _ in range(200):
        loss = ((a * data + b - (2 * data + 1)) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert all(later <= before + 1e-6 for before, later in itertools.pairwise(losses))
    assert (a.item(), b.item()) == (pytest.approx(2, abs=1e-3), pytest.approx(1, abs=1e-3))


def test_a_step_downhill_by_hand():
    x = leaf([1.0])
    ((x - 3) ** 2).backward()
    assert x.grad.item() == -4
    with w.no_grad():
        x -= 0.1 * x.grad
    assert x.item() == pytest.approx(1.4)
    assert x.requires_grad
    assert x.is_leaf


def test_no_grad_records_nothing():
    x = leaf(2.0)
    assert (x**2).requires_grad
    with w.no_grad():
        assert not (x**2).requires_grad

    def predict(weight, bias, at):
        with w.no_grad():
            return weight * at + bias

    out = predict(leaf(2.0), leaf(1.0), w.tensor(5.0))
    assert (out.item(), out.requires_grad) == (11.0, False)


def test_detach_shares_the_memory_and_cuts_the_graph():
    x = leaf(3.0)
    y = x**2
    cut = y.detach()
    assert y.requires_grad
    assert not cut.requires_grad
    cut.mul_(2)
    assert y.item() == 18.0
    x = leaf([2.0])
    constant = (x**2).detach()
    (constant * x).backward()
    assert x.grad.tolist() == [4]


def test_a_frozen_parameter_gets_no_gradient():
    a, b = w.ones(3, requires_grad=True), w.ones(3, requires_grad=True)
    a.requires_grad_(False)
    x = w.tensor([1.0, 2.0, 3.0])
    ((a * x).sum() + (b * x).sum()).backward()
    assert a.grad is None
    assert b.grad.tolist() == [1, 2, 3]


def test_tracked_if_any_operand_is():
    a, b = w.tensor([1.0]), leaf([1.0])
    assert not a.requires_grad
    assert b.requires_grad
    assert not b.detach().requires_grad
    d = a * b
    assert d.requires_grad
    assert d.grad_fn.name() == "MulBackward0"


def test_contributions_of_several_uses_are_added():
    x, y = leaf([2.0]), leaf([3.0])
    (x * y + x**2).backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([7], [2])


def test_the_corner_of_relu_has_slope_zero():
    x = leaf([1.0])
    w.relu(1 - x).backward()
    assert x.grad.tolist() == [0]


def test_a_layer_by_hand():
    x = leaf([[1.0, 2.0]])
    weight = leaf([[0.5, -0.3], [0.2, 0.4]])
    bias = w.tensor([0.1, -0.2])
    out = w.relu(x @ weight + bias)
    np.testing.assert_allclose(out.detach(), [[1.0, 0.3]], rtol=1e-6)
    out.sum().backward()
    np.testing.assert_allclose(weight.grad, [[1, 1], [2, 2]])
    np.testing.assert_allclose(x.grad, [[0.2, 0.6]], rtol=1e-6)


def test_exercises_on_polynomials():
    x = leaf(2.0)
    (3 * x**3 - 2 * x**2 + 5).backward()
    assert x.grad.item() == 28.0
    x = leaf([1.0, 2.0, 3.0, 4.0])
    (x**2).sum().backward()
    (x**3).sum().backward()
    assert x.grad.tolist() == [5, 16, 33, 56]
