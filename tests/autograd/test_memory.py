"""Memory goes with the last reference, without the garbage collector; long chains are walked and taken down in a loop."""

from __future__ import annotations

import gc
import tracemalloc
import weakref

import numpy as np
import pytest

import wengert as w


@pytest.fixture(autouse=True)
def _no_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def leaf(*shape, dtype=w.float32):
    return w.ones(*shape, dtype=dtype, requires_grad=True)


def watched(x):
    """A weak reference to the array of a tensor."""
    return weakref.ref(x._array)


def test_intermediate_results_go_at_once():
    x = leaf(3)
    y = x * 2
    z = y.exp()
    kept_by_nothing, kept_by_exp = watched(y), watched(z)
    del y
    assert kept_by_nothing() is None
    out = z.sum()
    del z
    assert kept_by_exp() is not None
    del out
    assert kept_by_exp() is None


def test_a_pass_frees_what_nodes_keep():
    x = leaf(3)
    y = x.exp()
    array = watched(y)
    out = y.sum()
    del y
    out.backward(retain_graph=True)
    assert array() is not None
    out.backward()
    assert array() is None


def test_a_pass_frees_as_it_goes():
    x = leaf(3)
    y = x.exp()
    array = watched(y)
    first = y.sin()
    seen = []
    first.register_hook(lambda g: seen.append(array() is not None))
    y.register_hook(lambda g: seen.append(array() is not None))
    x.register_hook(lambda g: seen.append(array() is not None))
    out = first.sum()
    del y, first
    out.backward()
    assert seen == [True, True, False]  # exp keeps its result until its own turn is over


@pytest.mark.parametrize("create_graph", [False, True])
def test_leaves_and_their_gradients_go(create_graph):
    x = leaf(3)
    (x * x).sum().backward()
    arrays = watched(x), watched(x.grad)
    tensor = weakref.ref(x)
    del x
    assert tensor() is None
    assert [a() for a in arrays] == [None, None]
    x = leaf(3)
    (g,) = w.autograd.grad((x**3).sum(), x, create_graph=True)
    array = watched(g)
    del g
    assert array() is None


def test_views_and_writes_make_no_cycle():
    base = w.zeros(4, 3)
    x = leaf(3)
    tensors = [base[i] for i in range(4)]
    for view in tensors:
        view.add_(x)
    base.mul_(2)
    assert tensors[0].requires_grad
    out = base.sum() + tensors[1].sum()
    out.backward()
    arrays = [watched(base), watched(x)]
    del base, tensors, view, out, x
    assert [a() for a in arrays] == [None, None]


class Square(w.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * x
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * 2 * y / x


@pytest.mark.parametrize("passes", [0, 1])
def test_functions_that_save_their_input_and_output(passes):
    x = leaf(3)
    y = Square.apply(x * 1)
    node = weakref.ref(y.grad_fn)
    array = watched(y)
    for _ in range(passes):
        y.sum().backward()
    del y
    assert node() is None
    assert array() is None


def test_a_function_whose_saved_input_is_written_with_its_result():
    x = leaf(3) * 1
    y = Square.apply(x)
    x.mul_(y)
    array = watched(x)
    del x, y
    assert array() is None


def test_a_context_that_holds_its_output_is_left_to_the_collector():
    class Holds(w.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.out = x * 2
            return ctx.out

        @staticmethod
        def backward(ctx, g):
            return g * 2

    y = Holds.apply(leaf(3))
    array = watched(y)
    del y
    assert array() is not None
    gc.collect()
    assert array() is None


def test_hooks_hold_no_tensor():
    x = leaf(3)
    y = x * 2
    y.register_hook(lambda g: g * 2)
    y.retain_grad()
    y.grad_fn.register_hook(lambda a, b: None)
    y.sum().backward()
    array, grad = watched(y), watched(y.grad)
    del y
    assert array() is None
    assert grad() is None


def test_saved_tensor_hooks_that_return_what_they_are_given():
    with w.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x):
        y = leaf(3).exp()
    array = watched(y)
    del y
    assert array() is None


def test_forward_mode_leaves_nothing_behind():
    x = leaf(3)
    value, tangent = w.func.jvp(lambda x: (x**3).exp().sum(), (x,), (w.ones(3),))
    array = watched(tangent)
    tangent.backward()
    del value, tangent
    assert array() is None


def growth(run):
    """By how much the memory of arrays, and the number of tensors and nodes, grow over a hundred runs."""

    def measure():
        arrays = tracemalloc.DomainFilter(inclusive=True, domain=np.lib.tracemalloc_domain)
        traces = tracemalloc.take_snapshot().filter_traces([arrays]).traces
        kinds = (w.Tensor, w.autograd.graph.Node)
        return sum(t.size for t in traces), sum(issubclass(type(o), kinds) for o in gc.get_objects())

    run(10)
    tracemalloc.start()
    try:
        run(10)
        before = measure()
        run(100)
        after = measure()
    finally:
        tracemalloc.stop()
    return tuple(b - a for a, b in zip(before, after, strict=True))


def train(steps, model, data, target, optimizer):
    for _ in range(steps):
        loss = ((model(data) - target) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def test_a_training_loop_does_not_grow():
    a, b = leaf(8, 16), leaf(16, 1)
    state = w.zeros(16)

    def model(x):
        hidden = w.tanh(x @ a) * 1
        hidden[:, :2] = hidden[:, :2] * 2  # through a view
        with w.no_grad():
            state.mul_(0.9).add_(hidden.mean(0))
        return Square.apply(hidden + 3) @ b

    optimizer = w.optim.Adam([a, b], lr=1e-3)
    data, target = w.ones(4, 8), w.ones(4, 1)
    assert growth(lambda steps: train(steps, model, data, target, optimizer)) == (0, 0)


def test_second_derivatives_in_a_loop_do_not_grow():
    x = leaf(64, dtype=w.float64)

    def steps(n):
        for _ in range(n):
            (g,) = w.autograd.grad((x**3).sum(), x, create_graph=True)
            w.autograd.grad((g**2).sum(), x)

    assert growth(steps) == (0, 0)


def test_a_million_operations():
    x = w.tensor(1.0, dtype=w.float64, requires_grad=True)
    y = x
    for _ in range(1_000_000):
        y = y * 1.000001
    y.backward()
    assert x.grad.item() == pytest.approx(np.exp(1e6 * np.log(1.000001)))
    del y  # taken down without recursion

    for _ in range(300_000):
        x = x + 1.0
    del x  # a graph that was never run


def test_a_long_chain_through_functions_and_writes():
    class Same(w.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 1

        @staticmethod
        def backward(ctx, g):
            ctx.saved_tensors
            return g

    x = leaf(2)
    y = x * 1
    for _ in range(5000):
        y = Same.apply(y)
        y.add_(1)
        y[0] = y[0] * 1
    y.sum().backward()
    assert x.grad.tolist() == [1, 1]
    del y
