"""Places in the graph, and hooks on several tensors."""

from __future__ import annotations

import pytest

import wengert as w
from wengert.autograd import backward, grad, graph


def leaf(value=(1.0, 2.0)):
    return w.tensor(value, dtype=w.float64, requires_grad=True)


def test_names_of_nodes():
    x = leaf()
    y = x * 2
    end = y.grad_fn.next_functions[0][0]
    assert end.name() == "torch::autograd::AccumulateGrad"
    assert repr(end).startswith("<AccumulateGrad object at 0x")
    assert y.grad_fn.name() == "MulBackward0"
    assert isinstance(end, graph.Node)
    assert isinstance(y.grad_fn, graph.Node)
    assert not isinstance(y, graph.Node)
    assert (y + 1).grad_fn._sequence_nr() > y.grad_fn._sequence_nr()


def test_an_edge_stands_for_a_tensor():
    x = leaf()
    y = x * 3
    edge = graph.get_gradient_edge(y)
    assert (edge.node, edge.output_nr) == (y.grad_fn, 0)
    z = (y**2).sum()
    del y
    assert grad(z, edge, retain_graph=True)[0].tolist() == [6, 12]
    assert grad(edge, x, grad_outputs=w.ones(2).double(), retain_graph=True)[0].tolist() == [3, 3]
    end = graph.get_gradient_edge(x)
    assert end == graph.get_gradient_edge(x)
    backward(z, inputs=[end])
    assert x.grad.tolist() == [18, 36]


def test_an_edge_of_one_of_several_outputs():
    first, second = (leaf([[1.0], [2.0]]) * 3).unbind()
    edge = graph.get_gradient_edge(second)
    assert edge.output_nr == 1
    assert grad((first * 2 + second * 5).sum(), edge)[0].tolist() == [5]


def test_edges_that_do_not_do():
    x = leaf()
    edge = graph.get_gradient_edge(x * 2)
    with pytest.raises(
        RuntimeError, match="^It is not possible to get the gradient edge for a Tensor that does not require"
    ):
        graph.get_gradient_edge(w.ones(2))
    with pytest.raises(RuntimeError, match="^grad can be implicitly created only for scalar outputs"):
        grad(edge, x)
    with pytest.raises(RuntimeError, match="pass the tensor, not its GradientEdge"):
        grad(x.sum(), edge, materialize_grads=True)
    with pytest.raises(TypeError, match="get_gradient_edge"):
        graph.get_gradient_edge(3)


def test_writes_behind_the_back():
    x = w.zeros(2)
    x.numpy()[0] = 1
    graph.increment_version(x)
    graph.increment_version([x, x])
    assert x._version == 3
    for wrong in (3, [3]):
        with pytest.raises(RuntimeError, match=r"^increment_version expect a Iterable\[Tensor\] as input"):
            graph.increment_version(wrong)


def lists(grads):
    return [None if g is None else g.tolist() for g in grads]


def test_a_hook_on_several_tensors_waits_for_all_that_come():
    a, b, c = leaf(), leaf(), leaf()
    log = []
    handle = graph.register_multi_grad_hook((a, b, c), lambda grads: log.append(lists(grads)))
    (a * b).sum().backward()
    (a * b * c).sum().backward()
    assert log == [[[1, 2], [1, 2], None], [[1, 4]] * 3]
    handle.remove()
    (a * b).sum().backward()
    assert len(log) == 2


def test_it_knows_what_a_pass_computes():
    a, b = leaf(), leaf()
    u, v = a * b, a + b
    log = []
    graph.register_multi_grad_hook((u, v, a), lambda grads: log.append(lists(grads)))
    total = (u * v).sum()
    grad(total, u, retain_graph=True)
    grad(total, a, retain_graph=True)
    total.backward()
    assert log == [
        [[2, 4], None, None],
        [[2, 4], [1, 4], [3, 12]],
        [[2, 4], [1, 4], [3, 12]],
    ]


def test_a_hook_on_the_first():
    a, b = leaf(), leaf()
    log = []
    with graph.register_multi_grad_hook((a, b), lambda g: log.append(g.tolist()), mode="any"):
        (a * b).sum().backward()
        (a * 2).sum().backward()
    (a * b).sum().backward()
    assert log == [[1, 2], [2, 2]]


def test_passes_within_passes_are_apart():
    a, b = leaf(), leaf()
    log = []
    graph.register_multi_grad_hook((a, b), lambda grads: log.append(lists(grads)))
    inner = leaf()

    def another(g):
        with w.enable_grad():
            (a * 5).sum().backward()

    inner.register_hook(another)
    (inner * a * b).sum().backward()
    assert sorted(log, key=str) == sorted([[[5, 5], None], [[1, 4], [1, 4]]], key=str)


def test_arguments_of_hooks_on_several():
    with pytest.raises(ValueError, match=r"^Expects mode to be one of \('all', 'any'\) but got some"):
        graph.register_multi_grad_hook((leaf(),), print, mode="some")
    with pytest.raises(AssertionError, match="^Expected gradient function to be set"):
        graph.register_multi_grad_hook((leaf(), w.ones(2)), print)
