"""The facts of recording and of the backward pass, in the words of whoever learns them."""

import gc
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

import wengert as w


def leaf(*values, dtype=w.float32):
    return w.tensor(list(values), dtype=dtype, requires_grad=True)


def test_leaves_are_what_the_user_made():
    x, y = leaf(1.0), leaf(2.0)
    z = x + y
    assert (x.is_leaf, y.is_leaf, z.is_leaf) == (True, True, False)
    assert x.grad_fn is None
    assert z.grad_fn.name() == "AddBackward0"
    z.backward()
    assert x.grad.tolist() == [1.0]


def test_an_operation_is_tracked_if_an_input_is():
    a, b = w.tensor([1.0]), leaf(1.0)
    assert [t.requires_grad for t in (a, b, b.detach(), b * 2, a * 2)] == [False, True, False, True, False]


@pytest.mark.parametrize(
    ("function", "at", "slope"),
    [
        (lambda x: x**2 + 5 * x, 3.0, 11.0),
        (lambda x: 3 * x**3 - 2 * x**2 + 5, 2.0, 28.0),
        (lambda x: 3 * x**2 + 1, 2.0, 12.0),
        (lambda x: w.relu(1 - x), 1.0, 0.0),
        (lambda x: (x * x).detach() * x, 2.0, 4.0),
    ],
)
def test_derivatives_by_hand(function, at, slope):
    x = leaf(at)
    function(x).backward()
    assert x.grad.item() == slope


def test_a_value_used_twice_gets_both_shares():
    x, y = leaf(2.0), leaf(3.0)
    z = x * y + x**2
    z.backward()
    assert (x.grad.item(), y.grad.item()) == (7.0, 2.0)
    assert [n.name() for n, _ in z.grad_fn.next_functions] == ["MulBackward0", "PowBackward0"]


def test_gradients_accumulate_until_they_are_zeroed():
    x = leaf(2.0)
    for _ in range(3):
        (x**2).backward()
    assert x.grad.item() == 12.0
    x.grad.zero_()
    (x**2).backward()
    assert x.grad.item() == 4.0


def test_the_graph_is_freed_by_the_first_pass():
    x = leaf(3.0)
    y = x**3
    y.backward()
    with pytest.raises(RuntimeError, match=r"backward through the graph a second time .* retain_graph=True"):
        y.backward()
    x.grad = None
    y = x**3
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 54.0


def test_a_vector_needs_its_cotangent():
    x = leaf(1.0, 2.0, 3.0)
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        (x**2).backward()
    (x**2).backward(w.tensor([1.0, 0.0, 2.0]))
    assert x.grad.tolist() == [2.0, 0.0, 12.0]
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        (x**2).backward(w.ones(2))


def test_linear_layer_by_hand():
    x, weight = w.tensor([[1.0, 2.0]], requires_grad=True), w.tensor([[0.5, -0.3], [0.2, 0.4]], requires_grad=True)
    bias = leaf(0.1, -0.2)
    w.relu(x @ weight + bias).sum().backward()
    assert weight.grad.tolist() == [[1, 1], [2, 2]]
    np.testing.assert_allclose(x.grad.numpy(), [[0.2, 0.6]], rtol=1e-6)
    assert bias.grad.tolist() == [1, 1]


def test_only_retained_intermediates_keep_a_gradient():
    x = leaf(2.0)
    y = x**2
    z = y * 3
    y.retain_grad()
    z.backward()
    assert y.grad.item() == 3.0
    with pytest.warns(UserWarning, match="not a leaf Tensor"):
        assert (x * 1).grad is None


def test_leaves_refuse_to_be_written():
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        x -= 0.5
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        x[0] = 2.0
    assert x.tolist() == [1.0]
    with w.no_grad():
        x -= 0.5
    assert x.tolist() == [0.5]
    assert x.is_leaf


def test_what_was_kept_must_not_change():
    x = leaf(1.0, 2.0)
    y = x.exp()
    y.add_(1)
    with pytest.raises(
        RuntimeError,
        match=r"modified by an inplace operation: \[torch.FloatTensor \[2\]\].*at version 1; expected version 0",
    ):
        y.sum().backward()
    y = x * 2
    z = y * y
    y.detach().mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_what_was_not_kept_may_change():
    x = leaf(1.0, 2.0)
    y = x * 2
    z = y + 1
    y.zero_()
    z.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_writes_through_views_reach_the_base_and_its_other_views():
    x = leaf(1.0, 2.0, 3.0, 4.0)
    base = x * 1
    row, all_of_it = base.view(2, 2)[0], base.view(4)
    row.mul_(10)
    assert base.tolist() == [10.0, 20.0, 3.0, 4.0]
    (all_of_it * w.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    assert x.grad.tolist() == [10.0, 20.0, 3.0, 4.0]
    assert "CopySlices" in base.grad_fn.name()


def test_a_constant_written_into_a_part_stops_its_gradient():
    x = leaf(1.0, 2.0, 3.0)
    y = x * 2
    y[1] = 0.0
    y[w.tensor([2])] = x[:1]
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 0.0, 0.0]


def test_versions_are_shared_by_views_and_detached_tensors():
    x = w.zeros(3)
    view, cut, other = x[1:], x.detach(), x.data
    view.add_(1)
    assert (x._version, cut._version, other._version) == (1, 1, 0)


def test_integers_have_no_gradient():
    with pytest.raises(RuntimeError, match="Only Tensors of floating point and complex dtype can require gradients"):
        w.tensor([1, 2], requires_grad=True)


def test_modes_hold_for_their_block_their_function_and_their_generator():
    x = leaf(1.0)

    @w.no_grad()
    def generate():
        yield x * 2
        yield x * 3

    seen = []
    for y in generate():
        seen.append((y.requires_grad, w.is_grad_enabled()))
    assert seen == [(False, True), (False, True)]
    with w.no_grad(), w.enable_grad():
        assert (x * 2).requires_grad
    w.set_grad_enabled(False)
    try:
        assert not (x * 2).requires_grad
    finally:
        w.set_grad_enabled(True)


def test_modes_are_per_thread():
    states = []
    with w.no_grad():
        thread = threading.Thread(target=lambda: states.append(w.is_grad_enabled()))
        thread.start()
        thread.join()
    assert states == [True]


def test_inference_tensors_stay_out_of_graphs():
    with w.inference_mode():
        y = w.ones(2) * 2
    assert y.is_inference()
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        leaf(1.0, 1.0) * y
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode"):
        y.add_(1)


def test_gradients_of_gradients():
    x = leaf(2.0, dtype=w.float64)
    (first,) = w.autograd.grad(x**4, x, create_graph=True)
    (second,) = w.autograd.grad(first, x, create_graph=True)
    (third,) = w.autograd.grad(second, x)
    assert (first.item(), second.item(), third.item()) == (32.0, 48.0, 48.0)


def test_unused_inputs():
    x, y = leaf(1.0), leaf(1.0)
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
        w.autograd.grad(x * 2, [x, y])
    assert w.autograd.grad(x * 2, [x, y], allow_unused=True)[1] is None
    assert w.autograd.grad(x * 2, [x, y], materialize_grads=True)[1].tolist() == [0.0]


def test_backward_into_chosen_inputs_only():
    x, y = leaf(2.0), leaf(3.0)
    (x * y).backward(inputs=[x])
    assert x.grad.item() == 3.0
    assert y.grad is None


def test_hooks_see_and_replace_gradients_in_order():
    x = leaf(2.0)
    y = x * 3
    log = []
    y.register_hook(lambda g: log.append(("first", g.item())) or g * 10)
    y.register_hook(lambda g: log.append(("second", g.item())))
    handle = x.register_hook(lambda g: log.append(("leaf", g.item())))
    x.register_post_accumulate_grad_hook(lambda p: log.append(("accumulated", p.grad.item())))
    (y * 1).backward(retain_graph=True)
    assert log == [("first", 1.0), ("second", 10.0), ("leaf", 30.0), ("accumulated", 30.0)]
    handle.remove()
    log.clear()
    (y * 1).backward()
    assert ("leaf", 30.0) not in log


def test_a_leaf_is_accumulated_as_soon_as_its_last_contribution_is_there():
    """So that a hook may step and free a parameter while the pass goes on."""
    early, late = leaf(1.0), leaf(1.0)
    order = []
    early.register_post_accumulate_grad_hook(lambda p: order.append("early"))
    late.register_post_accumulate_grad_hook(lambda p: order.append("late"))
    x = early * 2
    for _ in range(5):
        x = x * 1.5
    (x * late).backward()
    assert order == ["late", "early"]


def test_gradients_of_two_leaves_share_no_memory():
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    seed = w.ones(2)
    (x + y).backward(seed)
    x.grad.mul_(100)
    assert y.grad.tolist() == [1.0, 1.0]
    assert seed.tolist() == [1.0, 1.0]


def test_no_cycles_memory_goes_with_the_last_reference():
    gc.collect()
    gc.disable()
    try:
        x = leaf(1.0, 2.0)
        y = (x * 2).exp()
        z = (y @ y).tanh()
        watched = [weakref.ref(t) for t in (x, y, z)]
        del y, z
        assert watched[1]() is None
        assert watched[2]() is None
        del x
        assert watched[0]() is None
    finally:
        gc.enable()


def test_a_training_loop_leaves_nothing_behind():
    gc.collect()
    gc.disable()
    try:
        w.manual_seed(0)
        model = w.nn.Sequential(w.nn.Linear(8, 16), w.nn.ReLU(), w.nn.Linear(16, 1))
        optimizer = w.optim.Adam(model.parameters(), lr=1e-3)
        data, target = w.randn(4, 8), w.randn(4, 1)

        def step():
            optimizer.zero_grad()
            w.nn.functional.mse_loss(model(data), target).backward()
            optimizer.step()

        for _ in range(20):
            step()
        tracemalloc.start()
        for _ in range(20):
            step()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(200):
            step()
        after = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert after - before < 4000
    finally:
        gc.enable()


def test_a_leaf_outlives_its_name_in_the_graph():
    def compute():
        weight = leaf(3.0)
        return weight * 2

    y = compute()
    y.backward()
    accumulator = y.grad_fn.next_functions[0][0]
    assert accumulator.name().endswith("AccumulateGrad")
    assert accumulator.variable.grad.item() == 2.0


def test_a_chain_of_many_operations():
    x = leaf(1.0)
    y = x
    for _ in range(100_000):
        y = y + 1.0
    y.backward()
    assert x.grad.item() == 1.0
    del y


def test_passes_in_two_threads_over_one_graph():
    x = leaf(*[1.0] * 2000)
    y = (x * 2).sum()
    threads = [threading.Thread(target=lambda: [y.backward(retain_graph=True) for _ in range(50)]) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(x.grad.tolist()) == {200.0}


def test_custom_functions():
    class Cube(w.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 3 * x**2 * g

    x = leaf(2.0, dtype=w.float64)
    y = Cube.apply(x)
    assert y.grad_fn.name() == "CubeBackward"
    (first,) = w.autograd.grad(y, x, create_graph=True)
    assert w.autograd.grad(first, x)[0].item() == 12.0
    assert w.autograd.gradcheck(Cube.apply, (x,))
    with pytest.raises(NotImplementedError, match="You must implement the jvp function"):
        w.func.jvp(Cube.apply, (x.detach(),), (w.ones(1, dtype=w.float64),))


def test_jacobian_and_forward_mode_agree():
    x = w.tensor([1.0, 2.0, 3.0])
    assert w.autograd.functional.jacobian(lambda t: t**2, x).tolist() == [[2, 0, 0], [0, 4, 0], [0, 0, 6]]
    assert w.func.jvp(lambda t: t**2, (x,), (w.tensor([1.0, 0.0, 2.0]),))[1].tolist() == [2.0, 0.0, 12.0]


def test_errors_change_nothing():
    x = w.zeros(2)
    with pytest.raises(RuntimeError, match=r"output with shape \[2\] doesn't match the broadcast shape \[3, 2\]"):
        x.add_(w.ones(3, 2))
    with pytest.raises(RuntimeError, match="The size of tensor a"):
        x.mul_(w.ones(3))
    assert x.tolist() == [0.0, 0.0]
    assert x._version == 0


def test_warnings_of_numpy_are_nobodys_business():
    x = leaf(0.0, -1.0, 1e38)
    assert w.log(x).tolist()[0] == -np.inf
    assert np.isnan(w.sqrt(x).tolist()[1])
    assert (x * x).tolist()[2] == np.inf
    (x * 10).log().sum().backward()
    assert x.grad.tolist()[0] == np.inf


def test_forward_that_changes_the_dtype_runs_once(monkeypatch):
    """The specialised paths take a result of another dtype as it is, they do not compute it again."""
    calls = []
    original = np.fft.fft
    monkeypatch.setattr(np.fft, "fft", lambda *args, **named: calls.append(1) or original(*args, **named))
    x = leaf(1.0, 2.0, 3.0)
    made = w.fft.fft(x)
    assert len(calls) == 1
    assert made.dtype is w.complex64
    assert made.grad_fn.name() == "FftR2CBackward0"
