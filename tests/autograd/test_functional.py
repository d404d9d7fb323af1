"""Products with Jacobians and Hessians, and the matrices: values, structure, strictness."""

from __future__ import annotations

import numpy as np
import pytest

import wengert as w
from wengert.autograd import functional as F
from wengert.autograd import grad


def tensor(value):
    return w.tensor(value, dtype=w.float64)


X, Y = tensor([1.0, 2.0]), tensor([3.0, 4.0, 5.0])


def two(a, b):
    return a.sum() * b, a**3


def cubes(a):
    return (a**3).sum()


def quartic(a, b):
    return (a**2).sum() * (b**2).sum()


# ---------------------------------------------------------------------------------------------- products


def test_vjp_and_jvp():
    out, product = F.vjp(lambda a: a**2, X, tensor([1.0, 3.0]))
    assert (out.tolist(), product.tolist()) == ([1, 4], [2, 12])
    out, product = F.jvp(lambda a: a**2, X, tensor([1.0, 3.0]))
    assert (out.tolist(), product.tolist()) == ([1, 4], [2, 12])
    outs, products = F.vjp(two, (X, Y), (tensor([1.0, 1.0, 1.0]), tensor([1.0, 2.0])))
    assert [o.tolist() for o in outs] == [[9, 12, 15], [1, 8]]
    assert [p.tolist() for p in products] == [[15, 36], [3, 3, 3]]
    outs, products = F.jvp(two, (X, Y), (tensor([1.0, 2.0]), tensor([1.0, 1.0, 1.0])))
    assert [p.tolist() for p in products] == [[12, 15, 18], [3, 24]]


def test_products_with_hessians():
    for product in (F.hvp, F.vhp):
        out, found = product(cubes, X, X)
        assert (out.item(), found.tolist()) == (9, [6, 24])
        out, found = product(quartic, (X, Y), (X, Y))
        assert out.item() == 250
        assert [p.tolist() for p in found] == [[300, 600], [90, 120, 150]]
        assert product(lambda a: cubes(a).reshape(1), X, X)[0].tolist() == [9]


def test_products_agree_with_the_matrices():
    rng = np.random.default_rng(0)
    a, v, u = tensor(rng.normal(size=4)), tensor(rng.normal(size=4)), tensor(rng.normal(size=3))
    b = tensor(rng.normal(size=(3, 4)))

    def f(x):
        return w.tanh(b @ x)

    def g(x):
        return (f(x) ** 2).sum()

    j, h = F.jacobian(f, a), F.hessian(g, a)
    np.testing.assert_allclose(F.vjp(f, a, u)[1], u @ j)
    np.testing.assert_allclose(F.jvp(f, a, v)[1], j @ v)
    np.testing.assert_allclose(F.vhp(g, a, v)[1], v @ h)
    np.testing.assert_allclose(F.hvp(g, a, v)[1], h @ v)
    np.testing.assert_allclose(h, h.T)
    for strategy in ("reverse-mode", "forward-mode"):
        np.testing.assert_allclose(F.jacobian(f, a, strategy=strategy), j)
        np.testing.assert_allclose(F.hessian(g, a, outer_jacobian_strategy=strategy), h)


def test_the_vector_may_be_left_out_for_one_element():
    assert F.vjp(cubes, X)[1].tolist() == [3, 12]
    assert F.jvp(lambda a: a**2, tensor([3.0]))[1].tolist() == [6]
    assert F.hvp(cubes, tensor([3.0]))[1].tolist() == [18]
    with pytest.raises(
        RuntimeError, match="^The vector v can only be None if the user-provided function returns a single"
    ):
        F.vjp(lambda a: a**2, X)
    for product in (F.jvp, F.hvp, F.vhp):
        with pytest.raises(
            RuntimeError, match="^The vector v can only be None if the input to the user-provided function is"
        ):
            product(cubes, X)


# ---------------------------------------------------------------------------------------------- matrices


def test_jacobians():
    assert F.jacobian(lambda a: a**2, X).tolist() == [[2, 0], [0, 4]]
    assert F.jacobian(cubes, X).tolist() == [3, 12]
    assert F.jacobian(lambda a: a**2, (X,))[0].tolist() == [[2, 0], [0, 4]]
    first, second = F.jacobian(lambda a: (a * 2, a.sum()), X)
    assert (first.tolist(), second.tolist()) == ([[2, 0], [0, 2]], [1, 1])
    (a, b), (c, d) = F.jacobian(two, (X, Y))
    assert a.tolist() == [[3, 3], [4, 4], [5, 5]]
    assert b.tolist() == [[3, 0, 0], [0, 3, 0], [0, 0, 3]]
    assert c.tolist() == [[3, 0], [0, 12]]
    assert d.tolist() == [[0, 0, 0], [0, 0, 0]]
    m = tensor([[1.0, 2.0], [3.0, 4.0]])
    assert tuple(F.jacobian(lambda m: m @ m, m).shape) == (2, 2, 2, 2)
    assert tuple(F.jacobian(lambda a: a[:0], X).shape) == (0, 2)
    for vectorize in (False, True):
        assert F.jacobian(lambda a: tensor([1.0]), X, vectorize=vectorize).tolist() == [[0, 0]]


def test_hessians():
    assert F.hessian(cubes, X).tolist() == [[6, 0], [0, 12]]
    assert F.hessian(cubes, (X,))[0][0].tolist() == [[6, 0], [0, 12]]
    (a, b), (c, d) = F.hessian(quartic, (X, Y))
    assert a.tolist() == [[100, 0], [0, 100]]
    assert b.tolist() == [[12, 16, 20], [24, 32, 40]]
    assert c.tolist() == b.T.tolist()
    assert d.tolist() == [[10, 0, 0], [0, 10, 0], [0, 0, 10]]
    assert F.hessian(lambda a: a.sum(), X).tolist() == [[0, 0], [0, 0]]
    assert F.hessian(lambda a: tensor(1.0), X).tolist() == [[0, 0], [0, 0]]


# ---------------------------------------------------------------------------------------------- graphs


def test_results_have_a_history_only_if_asked():
    x = tensor([1.0, 2.0]).requires_grad_()
    for call in (
        lambda **k: F.vjp(lambda a: a**2, x, X, **k)[1],
        lambda **k: F.jvp(lambda a: a**2, x, X, **k)[1],
        lambda **k: F.hvp(cubes, x, X, **k)[1],
        lambda **k: F.jacobian(lambda a: a**2, x, **k),
        lambda **k: F.hessian(cubes, x, **k),
        lambda **k: F.jacobian(lambda a: a**2, x, strategy="forward-mode", **k),
    ):
        assert not call().requires_grad
        made = call(create_graph=True)
        assert made.requires_grad
        assert grad(made.sum(), x)[0].abs().sum().item() > 0
    with w.no_grad():
        assert F.jacobian(lambda a: a**2, X).tolist() == [[2, 0], [0, 4]]
    assert x.grad is None


# ---------------------------------------------------------------------------------------------- arguments


def test_strict():
    constant = "^Output 0 of the user-provided function does not require gradients. The outputs must be computed in a different"
    for call in (
        lambda f: F.vjp(f, X, X, strict=True),
        lambda f: F.jvp(f, X, X, strict=True),
        lambda f: F.jacobian(f, X, strict=True),
    ):
        with pytest.raises(RuntimeError, match=constant):
            call(lambda a: tensor([1.0, 2.0]))
    for call in (F.hvp, F.vhp):
        with pytest.raises(RuntimeError, match=constant):
            call(lambda a: tensor(1.0), X, X, strict=True)
        with pytest.raises(
            RuntimeError, match="^While computing the hessian, found that the jacobian .* input 0 is independent"
        ):
            call(lambda a: a.sum(), X, X, strict=True)
        with pytest.raises(RuntimeError, match="^The output of the user-provided function is independent of input 1"):
            call(lambda a, b: cubes(a), (X, Y), (X, Y), strict=True)
    with pytest.raises(RuntimeError, match="^While computing the hessian"):
        F.hessian(lambda a: a.sum(), X, strict=True)
    with pytest.raises(RuntimeError, match="^The output of the user-provided function is independent of input 1"):
        F.vjp(lambda a, b: a * 2, (X, Y), X, strict=True)
    with pytest.raises(RuntimeError, match="^Output 0 of the user-provided function is independent of input 1"):
        F.jacobian(lambda a, b: a * 2, (X, Y), strict=True)
    with pytest.raises(
        RuntimeError, match="^The jacobian of the user-provided function is independent of input 0. This is not"
    ):
        F.jacobian(lambda a: a * 2, X, create_graph=True, strict=True)
    with pytest.raises(RuntimeError, match="`strict=True` and `vectorized=True` are not supported together"):
        F.jacobian(cubes, X, strict=True, vectorize=True)
    with pytest.raises(RuntimeError, match='`strict=True` and `strategy="forward-mode"` are not supported together'):
        F.jacobian(cubes, X, strict=True, strategy="forward-mode")
    assert F.vjp(lambda a: a**2, X, X, strict=True)[1].tolist() == [2, 8]


def test_arguments_are_checked():
    for call, error, message in [
        (
            lambda: F.vjp(cubes, 3),
            TypeError,
            "The inputs given to vjp must be either a Tensor or a tuple of Tensors but the given",
        ),
        (
            lambda: F.jacobian(cubes, [X]),
            TypeError,
            "The inputs given to jacobian must be either a Tensor or a tuple of Tensors",
        ),
        (
            lambda: F.jvp(cubes, (X, 3), X),
            TypeError,
            "The inputs given to jvp must be .* but the value at index 1 has type",
        ),
        (
            lambda: F.vjp(lambda a: 3, X),
            TypeError,
            "The outputs of the user-provided function given to vjp must be either",
        ),
        (
            lambda: F.vjp(lambda a: a**2, X, 3),
            TypeError,
            "The v given to vjp must be either a Tensor or a tuple of Tensors but",
        ),
        (
            lambda: F.vjp(lambda a: a**2, X, Y),
            RuntimeError,
            r"v has invalid size: should be torch.Size\(\[2\]\) but got",
        ),
        (lambda: F.vjp(lambda a: a**2, X, (X, X)), RuntimeError, "The given v should contain a single Tensor"),
        (lambda: F.jvp(two, (X, Y), (X,)), RuntimeError, "v is a tuple of invalid length: should be 2 but got 1"),
        (
            lambda: F.jvp(two, (X, Y), (X, X)),
            RuntimeError,
            r"Entry 1 in v has invalid size: should be torch.Size\(\[3\]\)",
        ),
        (
            lambda: F.hvp(lambda a: a**2, X, X),
            RuntimeError,
            "The Tensor returned by the function given to hvp should contain a",
        ),
        (
            lambda: F.hessian(lambda a: (cubes(a),), X),
            RuntimeError,
            "The function given to hessian should return a single Ten",
        ),
        (lambda: F.jacobian(cubes, X, strategy="both"), AssertionError, "Expected strategy to be either"),
        (
            lambda: F.jacobian(cubes, w.tensor([1, 2])),
            RuntimeError,
            "only Tensors of floating point dtype can require grad",
        ),
    ]:
        with pytest.raises(error, match="^" + message):
            call()
