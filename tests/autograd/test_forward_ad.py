"""Dual numbers: levels, tangents through operations, writes, views and backward passes."""

from __future__ import annotations

import pytest

import wengert as w
from wengert.autograd import forward_ad as ad
from wengert.autograd import grad


def tensor(value):
    return w.tensor(value, dtype=w.float64)


X, V = tensor([1.0, 2.0]), tensor([1.0, 10.0])


def test_tangents_go_along():
    with ad.dual_level():
        x = ad.make_dual(X, V)
        y = w.cat([x**3, x * X]).sum(0)
        value, tangent = ad.unpack_dual(y)
        assert value.item() == 9 + 5
        assert tangent.item() == 3 + 120 + 1 + 20
        assert ad.unpack_dual(X * 2).tangent is None


def test_a_dual_tensor_is_a_view():
    with ad.dual_level():
        x = ad.make_dual(X, V)
        assert x._base is X
        assert repr(ad.make_dual(w.ones(2), w.zeros(2))) == "tensor([1., 1.], tangent=tensor([0., 0.]))"
        assert ad.unpack_dual(X).tangent is None
        assert ad.unpack_dual(x).primal is not x
        assert ad.unpack_dual(ad.unpack_dual(x).primal).tangent is None
        assert ad.unpack_dual(x.detach()).tangent is None
        assert ad.unpack_dual(x.clone()).tangent.tolist() == [1, 10]


def test_a_level_takes_its_tangents_with_it():
    with ad.dual_level():
        x = ad.make_dual(X, V)
        y = x * 2
    assert ad.unpack_dual(y).tangent is None
    with ad.dual_level():
        assert ad.unpack_dual(y).tangent is None
        assert ad.unpack_dual(x * 3).tangent is None


def test_levels():
    assert ad.enter_dual_level() == 0
    assert ad.enter_dual_level() == 1
    with pytest.raises(
        RuntimeError, match="^Trying to exit a forward AD level that was not the last one that was created"
    ):
        ad.exit_dual_level(level=0)
    ad.exit_dual_level(level=1)
    ad.exit_dual_level()
    with pytest.raises(RuntimeError, match="^Dual level must be a positive number"):
        ad.exit_dual_level()

    @ad.dual_level()
    def inside():
        return ad.unpack_dual(ad.make_dual(X, V)).tangent

    assert inside() is V


def test_nested_levels():
    with ad.dual_level() as outer:
        x = ad.make_dual(X, V)
        with ad.dual_level() as inner:
            y = ad.make_dual(x, tensor([1.0, 1.0])) ** 3
            first = ad.unpack_dual(y)
            assert first.tangent.tolist() == [3, 12]
            assert ad.unpack_dual(y, level=inner).tangent.tolist() == [3, 12]
            assert ad.unpack_dual(first.tangent, level=outer).tangent.tolist() == [6, 120]
        assert ad.unpack_dual(first.primal).tangent.tolist() == [3, 120]


def test_grad_mode_does_not_matter():
    with ad.dual_level(), w.no_grad():
        assert ad.unpack_dual(ad.make_dual(X, V) * 2).tangent.tolist() == [2, 20]


def test_writes_in_place():
    with ad.dual_level():
        x = ad.make_dual(X, V) * 1
        x.mul_(3)
        x[0] = 5.0
        assert ad.unpack_dual(x).tangent.tolist() == [0, 30]
        y = w.zeros(2, 2, dtype=w.float64)
        row = y[1]
        row.add_(x)
        assert ad.unpack_dual(row).tangent.tolist() == [0, 30]
        assert ad.unpack_dual(y).tangent.tolist() == [[0, 0], [0, 30]]
        assert ad.unpack_dual(y.t() * 2).tangent.tolist() == [[0, 0], [0, 60]]
        x.zero_()
        assert ad.unpack_dual(x + 1).tangent.tolist() == [0, 0]


def test_operations_with_several_outputs():
    with ad.dual_level():
        x = ad.make_dual(tensor([[3.0, 1.0], [2.0, 5.0]]), tensor([[1.0, 2.0], [3.0, 4.0]]))
        values, indices = x.max(dim=1)
        assert ad.unpack_dual(values).tangent.tolist() == [1, 4]
        assert ad.unpack_dual(indices).tangent is None
        _, second = x.unbind()
        assert ad.unpack_dual(second).tangent.tolist() == [3, 4]


def test_reverse_mode_within_forward_mode():
    x = tensor([1.0, 2.0]).requires_grad_()
    with ad.dual_level():
        dual = ad.make_dual(x, V)
        y = (dual**3 + dual.exp() * 0).sum()
        for by in (dual, x):
            g = ad.unpack_dual(grad(y, by, retain_graph=True)[0])
            assert (g.primal.tolist(), g.tangent.tolist()) == ([3, 12], [6, 120])
        (g,) = grad(y, x, create_graph=True)
        assert grad(ad.unpack_dual(g).tangent.sum(), x, retain_graph=True)[0].tolist() == [6, 60]
        y.backward()
    assert x.grad.tolist() == [3, 12]


def test_tangents_can_be_differentiated():
    x = tensor([1.0, 2.0]).requires_grad_()
    v = tensor([1.0, 10.0]).requires_grad_()
    with ad.dual_level():
        tangent = ad.unpack_dual(ad.make_dual(x, v) ** 3).tangent
    gx, gv = grad(tangent.sum(), (x, v))
    assert (gx.tolist(), gv.tolist()) == ([6, 120], [3, 12])


def test_arguments_are_checked():
    with pytest.raises(RuntimeError, match="^Trying to create a dual Tensor for forward AD but no level exists"):
        ad.make_dual(X, V)
    with ad.dual_level():
        for primal, tangent, error, message in [
            (
                X,
                w.ones(3),
                RuntimeError,
                "Trying to set a forward gradient that has a different size than that of the original",
            ),
            (w.tensor([1]), V, ValueError, "Expected primal to be floating point or complex, but got: torch.int64"),
            (X, w.tensor([1, 2]), ValueError, "Expected tangent to be floating point or complex, but got: torch.int64"),
            (1.0, V, TypeError, "make_dual"),
            (
                ad.make_dual(X, V),
                V,
                RuntimeError,
                "Making a dual Tensor based on a Tensor that already has a forward gradient at",
            ),
        ]:
            with pytest.raises(error, match="^" + message):
                ad.make_dual(primal, tangent)
        assert ad.unpack_dual(ad.make_dual(X, V.float())).tangent.dtype == w.float64
        with pytest.raises(TypeError, match="must be Tensor, not float"):
            ad.unpack_dual(1.0)
