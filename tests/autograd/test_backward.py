"""The backward pass: where it starts, where it ends, what it keeps, and what it refuses."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import wengert as w
from wengert.autograd import backward, grad


def leaf(value, dtype=w.float64):
    return w.tensor(value, dtype=dtype, requires_grad=True)


class Sends(w.autograd.Function):
    """Two inputs, and a backward that gives nothing for the first."""

    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, g):
        return None, g


# ---------------------------------------------------------------------------------------------- grad


def test_grad_touches_no_leaf():
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    gx, gy = grad((x * y).sum(), (x, y))
    assert (gx.tolist(), gy.tolist()) == ([3, 4], [1, 2])
    assert x.grad is None
    assert y.grad is None


def test_grad_of_several_outputs_is_their_weighted_sum():
    x = leaf([1.0, 2.0])
    (g,) = grad([x * x, x.sum()], x, [w.tensor([1.0, 10.0], dtype=w.float64), None])
    assert g.tolist() == [3, 41]


def test_unused_inputs():
    x, y = leaf([1.0]), leaf([2.0, 3.0])
    with pytest.raises(RuntimeError, match=r"^The differentiated Tensor at index 1 appears to not have been used"):
        grad(x.sum(), (x, y))
    assert grad(x.sum(), (x, y), allow_unused=True)[1] is None
    assert grad(x.sum(), (x, y), materialize_grads=True)[1].tolist() == [0, 0]
    with pytest.raises(ValueError, match="^Expected allow_unused to be True or not passed when materialize_grads=True"):
        grad(x.sum(), x, allow_unused=False, materialize_grads=True)


def test_results_are_the_callers_own():
    x = leaf([1.0, 2.0])
    v = w.tensor([5.0, 6.0], dtype=w.float64)
    a, b = grad([x, x], [x, x], [v, v])
    (c,) = grad(x, x, v)
    c += 1
    a += 1
    assert v.tolist() == [5, 6]
    assert b.tolist() == [10, 12]


def test_the_same_gradient_is_not_shared_by_two_leaves():
    x, y = leaf([1.0, 2.0]), leaf([1.0, 2.0])
    for create in (False, True):
        (x + y).sum().backward(create_graph=create)
        x.grad.mul_(5)
        assert y.grad.tolist() == [1, 1]
        x.grad = y.grad = None


def test_gradients_by_what_is_inside():
    x = leaf([1.0, 2.0])
    y = x * 3
    z = (y * y).sum()
    gy, gz, gx = grad(z, (y, z, x))
    assert (gy.tolist(), gz.item(), gx.tolist()) == ([6, 12], 1, [18, 36])


def test_only_what_leads_to_an_input_is_computed():
    calls = []

    class Counts(w.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            calls.append(g)
            return g

    x, y = leaf([1.0]), leaf([1.0])
    grad((Counts.apply(x) * y).sum(), y)
    assert not calls


def test_a_gradient_that_comes_by_one_way_only_still_arrives():
    x, y = leaf([1.0]), leaf([2.0])
    out = Sends.apply(x * 2, y) + x * 5
    assert grad(out, x, retain_graph=True)[0].item() == 5
    out.backward()
    assert (x.grad.item(), y.grad.item()) == (5, 1)


def test_grads_batched():
    x = leaf([1.0, 2.0])
    (g,) = grad(x**2, x, w.eye(2, dtype=w.float64), is_grads_batched=True)
    assert g.tolist() == [[2, 0], [0, 4]]
    (g,) = grad(x.sum(), x, w.ones(3, dtype=w.float64), is_grads_batched=True)
    assert g.tolist() == [[1, 1]] * 3
    (g,) = grad(x**2, x, w.ones(0, 2, dtype=w.float64), is_grads_batched=True)
    assert tuple(g.shape) == (0, 2)
    with pytest.raises(RuntimeError, match="^If `is_grads_batched=True`, we interpret the first dimension"):
        grad(x**2, x, w.ones(2, 3, dtype=w.float64), is_grads_batched=True)
    with pytest.raises(ValueError, match="same size in the mapped dimension"):
        grad([x**2, x.sum()], x, [w.ones(3, 2).double(), w.ones(2).double()], is_grads_batched=True)


# ---------------------------------------------------------------------------------------------- arguments


def test_arguments_are_checked():
    x = leaf([1.0, 2.0])
    constant = w.ones(2)
    for call, error, message in [
        (
            lambda: constant.sum().backward(),
            RuntimeError,
            "element 0 of tensors does not require grad and does not have",
        ),
        (lambda: backward([x.sum(), constant.sum()]), RuntimeError, "element 1 of tensors does not require grad"),
        (lambda: (x * 2).backward(), RuntimeError, "grad can be implicitly created only for scalar outputs"),
        (
            lambda: (x.sum() * 1j).backward(),
            RuntimeError,
            "grad can be implicitly created only for real scalar outputs",
        ),
        (
            lambda: (x * 2).backward(w.ones(3)),
            RuntimeError,
            r"Mismatch in shape: grad_output\[0\] has a shape of torch.Size",
        ),
        (lambda: (x * 2).backward(w.ones(1)), RuntimeError, "Mismatch in shape"),
        (lambda: (x * 2).backward(1j * w.ones(2)), RuntimeError, "For complex Tensors, both grad_output and output"),
        (lambda: (x * 2).backward([1, 2]), TypeError, "gradients can be either Tensors or None, but got int"),
        (lambda: grad([x.sum(), x.sum()], x, [None]), RuntimeError, "got 2 tensors and 1 gradients"),
        (lambda: grad(x.sum(), constant), RuntimeError, "One of the differentiated Tensors does not require grad"),
        (lambda: grad(x.sum(), []), RuntimeError, r"`inputs` argument to `grad\(\)` cannot be empty"),
        (lambda: x.sum().backward(inputs=[]), RuntimeError, r"`inputs` argument to `backward\(\)` cannot be empty"),
        (
            lambda: x.sum().backward(inputs=[3]),
            RuntimeError,
            "all inputs have to be Tensors or GradientEdges, but got int",
        ),
        (
            lambda: x.sum().backward(inputs=[constant]),
            RuntimeError,
            "can't retain_grad on Tensor that has requires_grad",
        ),
        (
            lambda: backward(x.sum(), w.ones(()), grad_variables=w.ones(())),
            RuntimeError,
            "`grad_tensors` and `grad_var",
        ),
    ]:
        with pytest.raises(error, match="^" + message):
            call()
    assert x.grad is None


def test_cotangents_of_another_real_dtype_are_converted():
    x = leaf([1.0, 2.0], w.float32)
    (x * 2).backward(w.tensor([1, 2]))
    (x * 2).backward(w.tensor([1.0, 2.0], dtype=w.float64))
    assert x.grad.tolist() == [4, 8]
    assert x.grad.dtype == w.float32


def test_nothing_to_do():
    backward([])


def test_a_leaf_is_its_own_gradient_one():
    x = leaf([1.0, 2.0])
    x.backward(w.tensor([3.0, 4.0], dtype=w.float64))
    assert x.grad.tolist() == [3, 4]
    y = leaf(5.0)
    y.backward()
    assert y.grad.item() == 1


def test_inputs_of_backward():
    x, y = leaf([1.0]), leaf([2.0])
    middle = x * y
    (middle * 3).sum().backward(inputs=[x, middle], retain_graph=True)
    assert (x.grad.item(), middle.grad.item(), y.grad) == (6, 3, None)
    (middle * 3).sum().backward(inputs=middle)
    assert middle.grad.item() == 6
    assert x.grad.item() == 6


def test_an_input_named_twice_counts_once():
    x = leaf([1.0])
    middle = x * 2
    (middle * 3).sum().backward(inputs=[x, x, middle, middle])
    assert (x.grad.item(), middle.grad.item()) == (6, 3)


# ---------------------------------------------------------------------------------------------- the graph


def test_what_keeps_nothing_can_be_run_again():
    x = leaf([1.0, 2.0])
    y = (x + 1).sum()
    y.backward()
    y.backward()
    assert x.grad.tolist() == [2, 2]


def test_what_keeps_something_cannot():
    x = leaf([1.0, 2.0])
    y = (x * x).sum()
    y.backward()
    with pytest.raises(
        RuntimeError, match="Specify retain_graph=True if you need to backward through the graph a second"
    ):
        y.backward()
    assert x.grad.tolist() == [2, 4]


def test_a_shared_part_is_freed_with_the_rest():
    x = leaf([1.0, 2.0])
    shared = x * x
    shared.sum().backward()
    with pytest.raises(RuntimeError, match="second time"):
        (shared * 2).sum().backward()


def test_higher_derivatives():
    x = leaf(2.0)
    y = x**4
    for want in (32, 48, 48, 24, 0):
        (y,) = grad(y, x, create_graph=True)
        assert y.item() == pytest.approx(want)
    assert not y.requires_grad


def test_recorded_gradients_accumulate():
    x = leaf([1.0, 2.0])
    (x**2).sum().backward(create_graph=True)
    first = x.grad
    (x**3).sum().backward(create_graph=True)
    assert x.grad.tolist() == [5, 16]
    assert first.tolist() == [2, 4]
    (h,) = grad(x.grad.sum(), x)
    assert h.tolist() == [2 + 6, 2 + 12]


def test_gradient_penalty():
    rng = np.random.default_rng(0)
    a, b = leaf(rng.normal(size=(3, 4))), leaf(rng.normal(size=(4, 2)))
    x = leaf(rng.normal(size=(5, 3)))

    def penalty(a, b):
        out = w.tanh(x @ a) @ b
        (g,) = grad(out.sum(), x, create_graph=True)
        return (g**2).sum()

    assert w.autograd.gradcheck(penalty, (a, b))


def test_what_the_output_does_not_depend_on_is_left_alone():
    x, y = leaf([1.0]), leaf([1.0])
    (x * y.detach()).sum().backward()
    assert x.grad is not None
    assert y.grad is None


def test_gradients_have_the_dtype_of_their_leaf():
    x = w.tensor([1.0, 2.0], dtype=w.float16, requires_grad=True)
    y = leaf([1.0, 2.0], w.float32)
    z = leaf([1.0, 2.0], w.float64)
    (x * y * z).sum().backward()
    assert (x.grad.dtype, y.grad.dtype, z.grad.dtype) == (w.float16, w.float32, w.float64)


def test_gradients_of_broadcast_operands_have_their_shape():
    a, b, c = leaf(np.ones((3, 1))), leaf(np.ones(4)), leaf(2.0)
    (a * b * c).sum().backward()
    assert (a.grad.tolist(), b.grad.tolist(), c.grad.item()) == ([[8]] * 3, [6] * 4, 12)


def test_the_gradient_convention_for_complex_numbers():
    z = w.tensor([3 - 4j], requires_grad=True)
    (z * z.conj()).real.sum().backward()
    assert z.grad.tolist() == [6 - 8j]
    z.grad = None
    (z**2).backward(w.tensor([1 + 0j]))
    assert z.grad.tolist() == [2 * (3 + 4j)]


def test_assigned_gradients_are_checked():
    x = leaf([1.0, 2.0])
    x.grad = w.ones(2, dtype=w.float64)
    x.sum().backward()
    assert x.grad.tolist() == [2, 2]
    for value, error, message in [
        (
            w.ones(3, dtype=w.float64),
            RuntimeError,
            r"attempting to assign a gradient of size '\[3\]' to a tensor of size",
        ),
        (
            w.ones(2),
            RuntimeError,
            "attempting to assign a gradient with dtype 'float' to a tensor with grad_dtype 'Double'",
        ),
        (3, TypeError, "assigned grad expected to be a Tensor or None but got grad of type int"),
        (x, RuntimeError, "can't assign Variable as its own grad"),
    ]:
        with pytest.raises(error, match="^" + message):
            x.grad = value
    del x.grad
    assert x.grad is None


def test_gradients_keep_their_object_between_passes():
    x = leaf([1.0, 2.0])
    (x * x).sum().backward()
    first = x.grad
    (x * x).sum().backward()
    assert x.grad is first
    assert first.tolist() == [4, 8]


# ---------------------------------------------------------------------------------------------- leaves


def test_requires_grad_of_results_cannot_be_switched():
    x = leaf([1.0])
    y = x * 2
    assert y.requires_grad_() is y
    for switch in (lambda: y.requires_grad_(False), lambda: setattr(y, "requires_grad", False)):
        with pytest.raises(RuntimeError, match="^you can only change requires_grad flags of leaf variables"):
            switch()
    with pytest.raises(RuntimeError, match="^only Tensors of floating point dtype can require gradients"):
        w.ones(2, dtype=w.int64).requires_grad_()
    with pytest.raises(RuntimeError, match="^only Tensors of floating point and complex dtype"):
        w.ones(2, dtype=w.int64).requires_grad = True
    w.ones(2, dtype=w.int64).requires_grad = False


def test_a_leaf_that_was_frozen_after_its_use_takes_no_gradient_until_it_is_thawed():
    x = leaf([1.0, 2.0])
    y = (x * 2).sum()
    x.requires_grad_(False)
    y.backward(retain_graph=True)
    assert x.grad is None
    x.requires_grad_()
    y.backward()
    assert x.grad.tolist() == [2, 2]


def test_freezing_keeps_the_gradient():
    x = leaf([1.0, 2.0])
    (x * 3).sum().backward()
    x.requires_grad_(False)
    assert x.grad.tolist() == [3, 3]
    x.requires_grad_()
    (x * 3).sum().backward()
    assert x.grad.tolist() == [6, 6]


def test_detach_in_place():
    x = leaf([1.0, 2.0])
    y = x * 2
    assert y.detach_() is y
    assert y.is_leaf
    assert not y.requires_grad
    assert not leaf([1.0]).detach_().requires_grad
    for view in (w.ones(3)[:1], (x * 2)[:1]):
        with pytest.raises(RuntimeError, match="^Can't detach views in-place. Use detach\\(\\) instead"):
            view.detach_()


def test_a_leaf_outlives_its_last_name():
    x = leaf([1.0, 2.0])
    y = (x * x).sum()
    del x
    y.backward()
    assert y.grad_fn.next_functions[0][0].next_functions[0][0].variable.grad.tolist() == [2, 4]


def test_data_has_a_version_of_its_own():
    x = leaf([1.0, 2.0])
    y = (x * x).sum()
    x.data.mul_(10)
    assert x.tolist() == [10, 20]
    assert x._version == 0
    y.backward()
    assert x.grad.tolist() == [20, 40]
    x.data = w.tensor([7.0, 8.0, 9.0], dtype=w.float64)
    x.grad = None
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2, 2, 2]


# ---------------------------------------------------------------------------------------------- threads


def test_two_passes_over_one_graph_at_once():
    x = leaf(np.ones(50))
    y = x
    for _ in range(30):
        y = y * 1.01 + w.sin(y) * 0
    total = y.sum()
    found, failed = [], []

    def run():
        try:
            for _ in range(20):
                found.append(grad(total, x, retain_graph=True)[0][0].item())
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed
    assert found == pytest.approx([1.01**30] * 80)


def test_threads_accumulate_in_a_shared_leaf():
    x = leaf([1.0, 2.0])

    def run():
        for _ in range(200):
            (x * x).sum().backward()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert x.grad.tolist() == [1600, 3200]


def test_a_pass_within_a_pass():
    p = leaf([2.0])

    class Inner(w.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            with w.enable_grad():
                ctx.z = x.detach().requires_grad_()
                ctx.out = ctx.z**2
            return ctx.out.detach()

        @staticmethod
        def backward(ctx, g):
            with w.enable_grad():
                (ctx.out * g).sum().backward()
                (p * 3).sum().backward()
            return ctx.z.grad

    x = leaf([1.0, 5.0])
    (Inner.apply(x) * p).sum().backward()
    assert (x.grad.tolist(), p.grad.tolist()) == ([4, 20], [29])
