"""Hooks on tensors, on leaves and on nodes: when they are called, with what, and what they may return."""

from __future__ import annotations

import pytest

import wengert as w
from wengert.autograd import grad


def leaf(value):
    return w.tensor(value, dtype=w.float64, requires_grad=True)


def noted(log, name, result=None):
    def hook(*args):
        log.append((name, *[a.tolist() if isinstance(a, w.Tensor) else a for a in args]))
        return None if result is None else result(*args)

    return hook


# ---------------------------------------------------------------------------------------------- on tensors


def test_hooks_are_called_in_order_and_pass_on_what_they_return():
    x = leaf([2.0])
    y = x * 3
    log = []
    y.register_hook(noted(log, "first", lambda g: g * 10))
    y.register_hook(noted(log, "second"))
    (y * 1.0).sum().backward()
    assert log == [("first", [1]), ("second", [10])]
    assert x.grad.tolist() == [30]


def test_retained_gradients_are_what_the_hooks_return():
    y = leaf([2.0]) * 3
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    y.sum().backward()
    assert y.grad.tolist() == [10]


def test_a_hook_is_called_once_with_the_whole_gradient():
    x = leaf([1.0])
    log = []
    x.register_hook(noted(log, "x"))
    (x * 2 + x * 3).sum().backward()
    assert log == [("x", [5])]
    assert x.grad.tolist() == [5]


def test_hooks_on_leaves_are_called_by_grad_too():
    x = leaf([1.0])
    x.register_hook(lambda g: g * 5)
    assert grad((x * 2).sum(), x)[0].tolist() == [10]
    y = x * 2
    y.register_hook(lambda g: g * 7)
    assert grad((y * 1.0).sum(), y)[0].tolist() == [7]


def test_a_hook_in_a_recorded_pass_is_recorded():
    x = leaf([3.0])
    log = []
    x.register_hook(lambda g: log.append(g.requires_grad) or g * g)
    (g,) = grad((x**2).sum(), x, create_graph=True)
    assert g.tolist() == [36]
    x.register_hook(lambda g: None)
    assert grad(g.sum(), x)[0].tolist() == [(8 * 3) ** 2]
    assert log == [True, False]


def test_hooks_on_one_of_several_outputs():
    log = []
    a, b = (leaf([[1.0], [2.0]]) * 1).unbind()
    a.register_hook(noted(log, "a"))
    b.register_hook(noted(log, "b"))
    (a * 2).sum().backward()
    assert log == [("a", [2])]


def test_a_hook_that_removes_hooks():
    x = leaf([1.0])
    y = x * 2
    log = []
    handles = {}

    def first(g):
        log.append("first")
        handles["first"].remove()
        handles["second"].remove()
        y.register_hook(lambda g: log.append("third"))

    handles["first"] = y.register_hook(first)
    handles["second"] = y.register_hook(lambda g: log.append("second"))
    y.sum().backward(retain_graph=True)
    assert log == ["first", "second"]  # the pass goes by what was there when it came
    y.sum().backward()
    assert log == ["first", "second", "third"]
    handles["first"].remove()


def test_a_handle_is_a_context_manager():
    x = leaf([1.0])
    log = []
    with x.register_hook(noted(log, "x")):
        (x * 2).sum().backward()
    (x * 2).sum().backward()
    assert len(log) == 1


def test_an_error_in_a_hook_ends_the_pass():
    x = leaf([1.0])
    y = x * 2
    y.register_hook(lambda g: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        y.sum().backward()
    assert x.grad is None


def test_what_hooks_return_is_checked():
    def shorter(g):
        return g[:1]

    class Anonymous:
        def __call__(self, g):
            return g[:1]

    for hook, error, message in [
        (lambda g: 3, TypeError, "expected Variable, but hook returned 'int'"),
        (shorter, RuntimeError, "hook 'shorter' has changed the size of value"),
        (Anonymous(), RuntimeError, "hook '<unknown>' has changed the size of value"),
        (
            lambda g: g.float(),
            RuntimeError,
            r"hook '<lambda>' has changed the type of value \(was torch.DoubleTensor got torch.FloatTensor\)",
        ),
    ]:
        y = leaf([1.0, 2.0]) * 2
        y.register_hook(hook)
        with pytest.raises(error, match="^" + message):
            y.sum().backward()


def test_tensors_without_a_gradient_take_no_hooks():
    with pytest.raises(RuntimeError, match="^cannot register a hook on a tensor that doesn't require gradient"):
        w.ones(2).register_hook(print)
    with pytest.raises(RuntimeError, match="^cannot register a hook on a tensor that doesn't require gradient"):
        w.ones(2).register_post_accumulate_grad_hook(print)
    with pytest.raises(RuntimeError, match="^post accumulate grad hooks cannot be registered on non-leaf tensors"):
        (leaf([1.0]) * 2).register_post_accumulate_grad_hook(print)
    with pytest.raises(RuntimeError, match=r"^can't retain_grad on Tensor that has requires_grad=False"):
        w.ones(2).retain_grad()


# ---------------------------------------------------------------------------------------------- on leaves


def test_the_order_of_all_hooks_on_a_leaf():
    x = leaf([1.0])
    log = []
    end = (x * 1).grad_fn.next_functions[0][0]
    end.register_hook(lambda given, outer: log.append(("node", given, outer[0].tolist(), x.grad.tolist())))
    end.register_prehook(lambda outer: log.append(("before the node", outer[0].tolist(), x.grad)))
    x.register_post_accumulate_grad_hook(lambda p: log.append(("accumulated", p is x, p.grad.tolist())))
    x.register_hook(noted(log, "tensor", lambda g: g * 2))
    (x * 3).sum().backward()
    assert log == [
        ("tensor", [3]),
        ("before the node", [6], None),
        ("accumulated", True, [6]),
        ("node", (), [6], [6]),
    ]
    del log[:]
    grad((x * 3).sum(), x)
    assert log == [("tensor", [3])]


def test_an_optimizer_in_the_backward_pass():
    x = leaf([1.0, 2.0])

    def step(p):
        with w.no_grad():
            p -= 0.1 * p.grad
        p.grad = None

    x.register_post_accumulate_grad_hook(step)
    (x * x).sum().backward()
    assert x.tolist() == pytest.approx([0.8, 1.6])
    assert x.grad is None


# ---------------------------------------------------------------------------------------------- on nodes


def test_hooks_on_a_node():
    x = leaf([1.0, 2.0])
    y = x * x
    log = []
    y.register_hook(noted(log, "tensor", lambda g: g * 2))
    y.grad_fn.register_prehook(lambda outer: log.append(("pre", outer[0].tolist())) or (outer[0] * 5,))
    y.grad_fn.register_hook(
        lambda inner, outer: (
            log.append(("post", [g.tolist() for g in inner], outer[0].tolist())) or (inner[0], inner[1] * 0)
        )
    )
    y.sum().backward()
    assert log == [("tensor", [1, 1]), ("pre", [2, 2]), ("post", [[10, 20], [10, 20]], [10, 10])]
    assert x.grad.tolist() == [10, 20]


def test_what_hooks_on_nodes_return_is_checked():
    for register, hook, error, message in [
        ("register_hook", lambda inner, outer: inner[0], TypeError, "expected tuple, but hook returned 'Tensor'"),
        ("register_hook", lambda inner, outer: (3, 4), TypeError, "expected Variable, but hook returned 'int'"),
        (
            "register_hook",
            lambda inner, outer: (inner[0],),
            RuntimeError,
            r"hook '<lambda>' has returned an incorrect number of values \(got 1, but expected 2\)",
        ),
        ("register_prehook", lambda outer: outer[0], TypeError, "expected tuple, but hook returned 'Tensor'"),
    ]:
        x = leaf([1.0])
        y = x * x
        getattr(y.grad_fn, register)(hook)
        with pytest.raises(error, match="^" + message):
            y.sum().backward()


def test_a_node_has_a_dictionary_for_the_user():
    y = leaf([1.0]) * 2
    y.grad_fn.metadata["note"] = 1
    assert y.grad_fn.metadata == {"note": 1}
