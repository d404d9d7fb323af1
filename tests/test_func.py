"""Derivatives as functions of functions: values, structure, nesting."""

from __future__ import annotations

import numpy as np
import pytest

import wengert as w
from wengert.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp


def tensor(value):
    return w.tensor(value, dtype=w.float64)


X, Y, ONE = tensor([1.0, 2.0]), tensor([3.0, 4.0, 5.0]), tensor([1.0, 1.0])


def cubes(a):
    return (a**3).sum()


def mixed(a, b):
    return (a**2).sum() * b.sum()


# ---------------------------------------------------------------------------------------------- forward mode


def test_jvp():
    value, tangent = jvp(lambda a: a**3, (X,), (tensor([1.0, 10.0]),))
    assert (value.tolist(), tangent.tolist()) == ([1, 8], [3, 120])
    (first, second), (t, u) = jvp(lambda a, b: (a.sum() * b, {"k": a**2}), (X, Y), (ONE, tensor([1.0, 0.0, 0.0])))
    assert second["k"].tolist() == [1, 4]
    assert (first.tolist(), t.tolist(), u["k"].tolist()) == ([9, 12, 15], [9, 8, 10], [2, 4])
    value, tangent, aux = jvp(lambda a: (a**3, {"twice": a * 2}), (X,), (X,), has_aux=True)
    assert (tangent.tolist(), aux["twice"].tolist()) == ([3, 24], [2, 4])
    assert jvp(lambda d: d["a"] * 2, ({"a": X},), ({"a": X},))[1].tolist() == [2, 4]
    assert jvp(lambda a: Y, (X,), (X,))[1].tolist() == [0, 0, 0]
    assert jvp(lambda a: [a, a > 1], (X,), (X,))[1][1].tolist() == [False, False]


def test_jvp_within_jvp():
    def first(a):
        return jvp(lambda b: b**3, (a,), (ONE,))[1]

    value, tangent = jvp(first, (X,), (ONE,))
    assert (value.tolist(), tangent.tolist()) == ([3, 12], [6, 12])
    # the inner derivative is 1 whatever the outer argument is
    one = tensor(1.0)
    _, tangent = jvp(lambda a: a * jvp(lambda b: a + b, (one,), (one,))[1], (one,), (one,))
    assert tangent.item() == 1


def test_arguments_of_jvp():
    for call, error, message in [
        (lambda: jvp(cubes, X, X), RuntimeError, r"jvp\(f, primals, tangents\): Expected primals to be a tuple"),
        (
            lambda: jvp(cubes, (X,), X),
            RuntimeError,
            ".*Expected primals and tangents to have the same python structure",
        ),
        (
            lambda: jvp(cubes, (X,), (X, X)),
            RuntimeError,
            r".*Got primals with structure \(\*,\) and tangents with structure",
        ),
        (lambda: jvp(cubes, (X,), (Y,)), RuntimeError, "Trying to set a forward gradient that has a different size"),
        (lambda: jvp(cubes, (w.tensor([1]),), (X,)), ValueError, "Expected primal to be floating point or complex"),
        (
            lambda: jvp(cubes, (3.0,), (1.0,)),
            RuntimeError,
            ".*Expected primals to only contain Tensors, got <class 'float'>",
        ),
        (lambda: jvp(lambda: X, (), ()), RuntimeError, ".*Expected primals to contain at least one Tensor"),
        (
            lambda: jvp(lambda a: 3, (X,), (X,)),
            RuntimeError,
            r".*expected f\(\*primals\) to return only tensors, got unsup",
        ),
        (
            lambda: jvp(cubes, (X,), (X,), has_aux=True),
            RuntimeError,
            r".*output of function f should be a tuple: \(output, aux",
        ),
        (
            lambda: jvp(lambda a: Y, (X,), (X,), strict=True),
            RuntimeError,
            ".*strict=True.*: The output of f is independent",
        ),
    ]:
        with pytest.raises(error, match="^" + message):
            call()
    assert w.autograd.forward_ad.enter_dual_level() == 0  # no error left a level open
    w.autograd.forward_ad.exit_dual_level()


def test_linearize():
    value, push = linearize(lambda a: a**3, X)
    assert (value.tolist(), push(X).tolist(), push(ONE).tolist()) == ([1, 8], [3, 24], [3, 12])


# ---------------------------------------------------------------------------------------------- reverse mode


def test_vjp():
    value, pull = vjp(lambda a: a**3, X)
    assert value.tolist() == [1, 8]
    for _ in range(2):
        assert pull(tensor([1.0, 10.0]))[0].tolist() == [3, 120]
    value, pull = vjp(lambda a, b: (a * 2, {"k": b.sum() * b}), X, Y)
    a, b = pull((ONE, {"k": tensor([1.0, 1.0, 1.0])}))
    assert (a.tolist(), b.tolist()) == ([2, 2], [24, 24, 24])
    value, pull, aux = vjp(lambda a: (a**3, a + 1), X, has_aux=True)
    assert (pull(X)[0].tolist(), aux.tolist(), aux.requires_grad) == ([3, 24], [2, 3], False)
    assert [g.tolist() for g in vjp(lambda a, b: a**3, X, Y)[1](X)] == [[3, 24], [0, 0, 0]]
    assert vjp(lambda a: Y, X)[1](Y)[0].tolist() == [0, 0]


def test_grad():
    assert grad(cubes)(X).tolist() == [3, 12]
    assert [g.tolist() for g in grad(mixed, argnums=(0, 1))(X, Y)] == [[24, 48], [5, 5, 5]]
    assert grad(mixed, argnums=-1)(X, Y).tolist() == [5, 5, 5]
    assert grad(lambda a, k=1: (a * k).sum())(X, k=3).tolist() == [3, 3]
    found = grad(lambda p: (p["w"] ** 2).sum() + p["b"].sum())({"w": X, "b": Y})
    assert {k: v.tolist() for k, v in found.items()} == {"w": [2, 4], "b": [1, 1, 1]}
    found, aux = grad(lambda a: (a.sum(), {"twice": a * 2}), has_aux=True)(X)
    assert (found.tolist(), aux["twice"].tolist(), aux["twice"].requires_grad) == ([1, 1], [2, 4], False)
    found, (value, aux) = grad_and_value(lambda a: (cubes(a), a * 2), has_aux=True)(X)
    assert (found.tolist(), value.item(), aux.tolist()) == ([3, 12], 9, [2, 4])
    assert X.grad is None


def test_grad_within_grad():
    assert grad(lambda a: grad(cubes)(a).sum())(X).tolist() == [6, 12]
    third = grad(lambda a: grad(lambda b: grad(cubes)(b).sum())(a).sum())
    assert third(X).tolist() == [6, 6]


def test_results_have_a_history_only_through_what_is_outside():
    assert not grad(cubes)(X).requires_grad
    outside = X.clone().requires_grad_()
    found = grad(cubes)(outside)
    assert w.autograd.grad(found.sum(), outside)[0].tolist() == [6, 12]
    found, value = grad_and_value(lambda a: (a * a * outside).sum())(X)
    assert found.requires_grad
    assert w.autograd.grad(found.sum() + value, outside)[0].tolist() == [2 + 1, 4 + 4]
    assert not grad(lambda a: (a * outside.detach()).sum())(X).requires_grad
    with w.no_grad():
        assert not grad(cubes)(outside).requires_grad
        assert grad(cubes)(X).tolist() == [3, 12]

    def partly(a):
        with w.no_grad():
            b = cubes(a)
        return b * a.sum()

    assert grad(partly)(X).tolist() == [9, 9]


def test_arguments_of_reverse_mode():
    for call, message in [
        (lambda: grad(cubes, argnums=2)(X), "Got argnum=2, but only 1 positional inputs"),
        (lambda: grad(cubes, argnums=(0, 0))(X), r"argnums elements must be unique, got \(0, 0\)"),
        (lambda: grad(cubes, argnums=())(X), "argnums must be non-empty"),
        (lambda: grad(cubes, argnums="a")(X), r"argnums must be int or Tuple\[int, ...\], got: <class 'str'>"),
        (
            lambda: grad(lambda a: a**3)(X),
            r"grad_and_value\(f\)\(\*args\): Expected f\(\*args\) to return a scalar Tensor",
        ),
        (
            lambda: grad(lambda a: 3.0)(X),
            r"grad_and_value\(f\)\(\*args\): Expected f\(\*args\) to return a Tensor, got <class",
        ),
        (
            lambda: grad(cubes, has_aux=True)(X),
            r".*output of function f should be a tuple: \(output, aux\) if has_aux is True",
        ),
        (lambda: grad(cubes)(w.tensor([1, 2])), "only Tensors of floating point dtype can require gradients"),
        (lambda: grad(cubes)(3.0), ".*Expected to differentiate by Tensors only, got <class 'float'>"),
        (
            lambda: vjp(lambda a: 3, X),
            r"vjp\(f, \*primals\): expected f\(\*primals\) to return only tensors, got unsupported",
        ),
        (
            lambda: vjp(lambda a: (a, a), X)[1](X),
            r"Expected pytree structure of cotangents .* cotangents: \*, primal output: \(\*",
        ),
        (
            lambda: vjp(lambda a: {"k": a}, X)[1]({"q": X}),
            r"Expected pytree .* cotangents: {'q': \*}, primal output: {'k': \*}",
        ),
        (
            lambda: vjp(lambda a: a**2, X)[1](Y),
            r"Mismatch in shape: grad_output\[0\] has a shape of torch.Size\(\[3\]\)",
        ),
    ]:
        with pytest.raises(RuntimeError, match="^" + message):
            call()
    with pytest.raises(ValueError, match="^jacrev: `chunk_size` should be greater than 0"):
        jacrev(cubes, chunk_size=0)


# ---------------------------------------------------------------------------------------------- matrices


@pytest.mark.parametrize("jacobian", [jacrev, jacfwd])
def test_jacobians(jacobian):
    assert jacobian(lambda a: a**3)(X).tolist() == [[3, 0], [0, 12]]
    assert jacobian(cubes)(X).tolist() == [3, 12]
    (a, b), (c, d) = jacobian(lambda a, b: (a.sum() * b, a**2), argnums=(0, 1))(X, Y)
    assert a.tolist() == [[3, 3], [4, 4], [5, 5]]
    assert b.tolist() == [[3, 0, 0], [0, 3, 0], [0, 0, 3]]
    assert c.tolist() == [[2, 0], [0, 4]]
    assert d.tolist() == [[0, 0, 0], [0, 0, 0]]
    assert jacobian(lambda a: {"k": a * 2})(X)["k"].tolist() == [[2, 0], [0, 2]]
    assert jacobian(lambda p: p["a"] * 2)({"a": X})["a"].tolist() == [[2, 0], [0, 2]]
    found, aux = jacobian(lambda a: (a * 2, a), has_aux=True)(X)
    assert (found.tolist(), aux.tolist(), aux.requires_grad) == ([[2, 0], [0, 2]], [1, 2], False)
    assert jacobian(lambda a: Y)(X).tolist() == [[0, 0]] * 3
    assert tuple(jacobian(lambda a: a[:0])(X).shape) == (0, 2)
    assert tuple(jacobian(lambda a: a.sum())(X[:0]).shape) == (0,)


@pytest.mark.parametrize("outer", [jacrev, jacfwd])
@pytest.mark.parametrize("inner", [jacrev, jacfwd])
def test_hessians_in_every_order(outer, inner):
    rng = np.random.default_rng(1)
    b = tensor(rng.normal(size=(3, 2)))

    def f(x):
        return (w.tanh(b @ x) ** 2).sum()

    found = outer(inner(f))(X)
    np.testing.assert_allclose(found, w.autograd.functional.hessian(f, X))
    np.testing.assert_allclose(hessian(f)(X), found)


def test_hessian_of_several_arguments():
    (a, b), (c, d) = hessian(mixed, argnums=(0, 1))(X, Y)
    assert a.tolist() == [[24, 0], [0, 24]]
    assert b.tolist() == [[2, 2, 2], [4, 4, 4]]
    assert c.tolist() == b.T.tolist()
    assert d.tolist() == [[0] * 3] * 3


def test_one_mode_within_the_other():
    value, tangent = jvp(grad(cubes), (X,), (ONE,))
    assert (value.tolist(), tangent.tolist()) == ([3, 12], [6, 12])
    assert grad(lambda a: jvp(cubes, (a,), (ONE,))[1])(X).tolist() == [6, 12]
    third = jvp(lambda a: jvp(grad(cubes), (a,), (ONE,))[1], (X,), (ONE,))[1]
    assert third.tolist() == [6, 6]


@pytest.mark.parametrize(
    "reshape",
    [
        lambda y: y.transpose_(0, 1),
        lambda y: y.t_(),
        lambda y: y.unsqueeze_(1),
        lambda y: y.as_strided_((3, 2), (1, 3)),
    ],
)
def test_a_tangent_takes_the_shape_that_its_tensor_takes_in_place(reshape):
    x, v = w.arange(6.0).reshape(2, 3), w.linspace(1, 2, 6).reshape(2, 3)
    value, pushed = w.func.jvp(lambda x: reshape(x * 2), (x,), (v,))
    assert w.equal(value, reshape(x * 2))
    assert w.equal(pushed, reshape(v * 2))
