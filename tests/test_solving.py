"""Determinants where a matrix is singular, and errors of solvers."""

from __future__ import annotations

import numpy as np
import pytest

import wengert as w

_RNG = np.random.default_rng(0)


def _of_rank(n, rank):
    return _RNG.normal(size=(n, rank)) @ _RNG.normal(size=(rank, n))


@pytest.mark.parametrize(("n", "rank"), [(1, 0), (2, 1), (3, 3), (3, 2), (3, 1), (3, 0), (4, 2)])
def test_the_determinant_has_two_derivatives_at_every_rank(n, rank):
    # a polynomial of degree n: central differences of its gradient along a line are exact up to the third order
    a, h = _of_rank(n, rank), _RNG.normal(size=(n, n))
    x = w.from_numpy(a).requires_grad_()
    (g,) = w.autograd.grad(w.det(x), x, create_graph=True)
    (second,) = w.autograd.grad((g * w.from_numpy(h)).sum(), x)

    def cofactors(b):
        made = np.empty_like(b)
        for i, j in np.ndindex(n, n):
            minor = np.delete(np.delete(b, i, 0), j, 1)
            made[i, j] = (-1) ** (i + j) * (np.linalg.det(minor) if n > 1 else 1.0)
        return made

    np.testing.assert_allclose(g.detach().numpy(), cofactors(a), atol=1e-12)
    e = 1e-4
    np.testing.assert_allclose(second.numpy(), (cofactors(a + e * h) - cofactors(a - e * h)) / (2 * e), atol=1e-7)


def test_the_third_derivative_of_a_determinant():
    x = w.from_numpy(_RNG.normal(size=(3, 3))).requires_grad_()

    def penalty(a):
        (g,) = w.autograd.grad(w.det(a), a, create_graph=True)
        return (g**2).sum()

    assert w.autograd.gradgradcheck(w.det, (x,))
    (g,) = w.autograd.grad(penalty(x), x, create_graph=True)
    h = _RNG.normal(size=(3, 3))
    (third,) = w.autograd.grad((g * w.from_numpy(h)).sum(), x)
    e = 1e-5

    def slope(t):
        y = w.from_numpy(x.detach().numpy() + t * h).requires_grad_()
        return w.autograd.grad(penalty(y), y)[0].numpy()

    np.testing.assert_allclose(third.numpy(), (slope(e) - slope(-e)) / (2 * e), rtol=1e-5, atol=1e-6)


def test_a_singular_matrix_is_named_in_its_batch():
    a = w.eye(2).repeat(3, 1, 1)
    a[1, 1, 1] = 0
    with pytest.raises(
        w.linalg.LinAlgError, match=r"\(Batch element 1\): The solver failed because the input matrix is singular"
    ):
        w.linalg.solve(a, w.ones(3, 2))
    with pytest.raises(w.linalg.LinAlgError, match=r"\(Batch element 1\): The diagonal element 2 is zero"):
        w.linalg.inv(a)
    assert w.linalg.inv_ex(a).info.tolist() == [0, 2, 0]
    assert w.linalg.solve_ex(a, w.ones(3, 2)).info.tolist() == [0, 2, 0]


def test_nan_in_a_matrix_is_no_singularity():
    a = w.tensor([[w.nan, 1.0], [1.0, 1.0]])
    assert w.linalg.inv(a).isnan().any()
    assert w.linalg.solve(a, w.ones(2)).isnan().any()


def test_the_zeroth_power_is_the_identity_without_a_gradient():
    a = w.ones(2, 2, requires_grad=True)
    made = w.linalg.matrix_power(a, 0)
    assert made.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    made.sum().backward()
    assert a.grad.tolist() == [[0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("scale", [1e-3, 0.1, 0.5, 1.5, 4.0, 40.0])
def test_the_exponential_at_every_size(scale):
    a = scale * np.array([[0.0, 1.0], [-1.0, 0.0]])
    expected = np.array([[np.cos(scale), np.sin(scale)], [-np.sin(scale), np.cos(scale)]])
    np.testing.assert_allclose(w.matrix_exp(w.from_numpy(a)).numpy(), expected, atol=1e-13)


def test_what_lstsq_gives_depends_on_the_driver():
    a, b = w.from_numpy(_RNG.normal(size=(2, 4, 3))), w.from_numpy(_RNG.normal(size=(2, 4, 1)))
    shapes = {
        "gels": [(2, 3, 1), (2, 1), (0,), (0,)],
        "gelsy": [(2, 3, 1), (0,), (2,), (0,)],
        "gelsd": [(2, 3, 1), (2, 1), (2,), (2, 3)],
        "gelss": [(2, 3, 1), (2, 1), (2,), (2, 3)],
    }
    for driver, expected in shapes.items():
        assert [tuple(x.shape) for x in w.linalg.lstsq(a, b, driver=driver)] == expected
    assert w.linalg.lstsq(w.ones(4, 2), w.ones(4, 1), driver="gelsd").rank.item() == 1
    for arguments, message in (
        ((a, b.float()), "Expected input and other to have the same dtype"),
        ((a, b[:, :2]), r"input.size\(-2\) should match other.size\(-2\)"),
        ((a[0, 0], b), "input must have at least 2 dimensions"),
    ):
        with pytest.raises(RuntimeError, match=message):
            w.linalg.lstsq(*arguments)
    with pytest.raises(RuntimeError, match="parameter `driver` should be one of"):
        w.linalg.lstsq(a, b, driver="foo")
