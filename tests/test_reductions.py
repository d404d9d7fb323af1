"""Reductions where a formula alone does not say what happens: ties, zeros, nothing to reduce, nan, tuples, `out=`."""

from __future__ import annotations

import copy
import math
import pickle
import warnings

import numpy as np
import pytest

import wengert as w

inf, nan = math.inf, math.nan


def gradient(f, values):
    x = w.tensor(values, dtype=w.float64, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = f(x)
        (g,) = w.autograd.grad((y[0] if isinstance(y, tuple) else y).sum(), x)
    return g.tolist()


SUBGRADIENTS = {
    "amax shares": (lambda x: x.amax(), [1.0, 2.0, 2.0], [0, 0.5, 0.5]),
    "amax along a dimension shares": (lambda x: x.amax(1), [[1.0, 1.0], [3.0, 1.0]], [[0.5, 0.5], [1, 0]]),
    "max of all shares": (lambda x: x.max(), [1.0, 2.0, 2.0], [0, 0.5, 0.5]),
    "max along a dimension: the first": (lambda x: x.max(0), [2.0, 2.0, 1.0], [1, 0, 0]),
    "max that is nan: among nan": (lambda x: x.max(), [1.0, nan, 2.0, nan], [0, 0.5, 0, 0.5]),
    "amax that is nan": (lambda x: x.amax(), [1.0, nan], [nan, nan]),
    "min shares": (lambda x: x.min(), [1.0, 1.0, 2.0], [0.5, 0.5, 0]),
    "aminmax": (lambda x: w.aminmax(x).min + w.aminmax(x).max, [1.0, 1.0, 3.0], [0.5, 0.5, 1]),
    "std of equal numbers": (lambda x: x.std(), [2.0, 2.0, 2.0], [0, 0, 0]),
    "std of one number": (lambda x: x.std(), [2.0], [nan]),
    "var of one number": (lambda x: x.var(), [2.0], [nan]),
    "var of one number, biased": (lambda x: x.var(unbiased=False), [2.0], [0]),
    "prod with a zero": (lambda x: x.prod(), [0.0, 2.0, 3.0], [6, 0, 0]),
    "prod with two zeros": (lambda x: x.prod(0), [0.0, 0.0, 3.0], [0, 0, 0]),
    "cumprod with zeros": (lambda x: x.cumprod(0), [2.0, 0.0, 3.0, 0.0, 4.0], [1, 8, 0, 0, 0]),
    "logsumexp with -inf": (lambda x: x.logsumexp(0), [-inf, 1.0], [0, 1]),
    "logsumexp of nothing but -inf": (lambda x: x.logsumexp(0), [-inf, -inf], [nan, nan]),
    "norm at 0": (lambda x: x.norm(), [0.0, 0.0], [0, 0]),
    "1-norm with a zero": (lambda x: x.norm(1), [0.0, 2.0], [0, 1]),
    "3-norm at 0": (lambda x: x.norm(3), [0.0, 0.0], [0, 0]),
    "half-norm with a zero": (lambda x: x.norm(0.5), [0.0, 4.0, 1.0], [0, 1.5, 3]),
    "inf-norm shares": (lambda x: x.norm(inf), [2.0, -2.0, 1.0], [0.5, -0.5, 0]),
    "inf-norm at 0": (lambda x: x.norm(inf), [0.0, 0.0], [0, 0]),
    "nansum": (lambda x: x.nansum(), [1.0, nan], [1, 0]),
    "nanmean": (lambda x: x.nanmean(), [1.0, nan, 2.0], [0.5, 0, 0.5]),
    "softmax with -inf": (lambda x: x.softmax(0)[1], [-inf, 0.0, 0.0], [0, 0.25, -0.25]),
    "median of all shares": (lambda x: x.median(), [1.0, 2.0, 2.0, 3.0], [0, 0.5, 0.5, 0]),
    "median along a dimension": (lambda x: x.median(0), [4.0, 1.0, 3.0, 2.0], [0, 0, 0, 1]),
    "nanmedian": (lambda x: x.nanmedian(), [1.0, nan, 2.0, 3.0], [0, 0, 1, 0]),
    "mode: the last of the equal ones": (lambda x: x.mode(0), [1.0, 2.0, 2.0, 3.0, 3.0], [0, 0, 1, 0, 0]),
    "cummax: the last of equal ones": (lambda x: x.cummax(0), [1.0, 2.0, 2.0, nan, 3.0], [1, 1, 1, 2, 0]),
    "dist at 0": (lambda x: w.dist(x, x.detach()), [1.0, 2.0], [0, 0]),
}


@pytest.mark.parametrize("name", SUBGRADIENTS)
def test_subgradient(name):
    f, values, want = SUBGRADIENTS[name]
    np.testing.assert_allclose(gradient(f, values), want)


def hessian(f, values):
    x = w.tensor(values, dtype=w.float64, requires_grad=True)
    (g,) = w.autograd.grad(f(x), x, create_graph=True)
    rows = []
    for i in range(len(values)):
        (row,) = w.autograd.grad(g[i], x, retain_graph=True, allow_unused=True, materialize_grads=True)
        rows.append(row.tolist())
    return rows


@pytest.mark.parametrize("values", [[2.0, 3.0, 4.0], [0.0, 3.0, 4.0], [0.0, 0.0, 4.0], [0.0, 0.0, 0.0]])
@pytest.mark.parametrize("f", [lambda x: x.prod(), lambda x: x.prod(0), lambda x: x.cumprod(0)[2]])
def test_second_derivative_of_a_product_with_zeros(f, values):
    a, b, c = values
    np.testing.assert_allclose(hessian(f, values), [[0, c, b], [c, 0, a], [b, a, 0]])


def test_third_derivative_of_a_product_with_zeros():
    x = w.tensor([0.0, 0.0, 0.0], dtype=w.float64, requires_grad=True)
    (g,) = w.autograd.grad(x.prod(), x, create_graph=True)
    (h,) = w.autograd.grad(g[0], x, create_graph=True)
    (third,) = w.autograd.grad(h[1], x)
    assert third.tolist() == [0, 0, 1]


def test_gradients_of_large_running_sums_are_stable():
    x = w.tensor(np.linspace(-700, 700, 50), requires_grad=True)
    (g,) = w.autograd.grad(x.logcumsumexp(0).sum(), x)
    assert w.isfinite(g).all()
    assert g.sum().item() == pytest.approx(50)


@pytest.mark.parametrize(
    ("name", "fields"), [("max", ("values", "indices")), ("sort", ("values", "indices")), ("aminmax", ("min", "max"))]
)
def test_named_tuples(name, fields):
    x = w.tensor([[3.0, 1.0], [2.0, 4.0]])
    made = w.aminmax(x, dim=1) if name == "aminmax" else getattr(w, name)(x, 1)
    first, second = made
    assert made[0] is first is getattr(made, fields[0])
    assert made[1] is second is getattr(made, fields[1])
    assert type(made).__name__ == name
    assert type(made).__module__ == "torch.return_types"
    assert repr(made) == f"torch.return_types.{name}(\n{fields[0]}={first!r},\n{fields[1]}={second!r})"
    again = pickle.loads(pickle.dumps(made))
    assert type(again) is type(made)
    assert [x.tolist() for x in again] == [x.tolist() for x in made]
    assert type(copy.copy(made)) is type(made)
    with pytest.raises(TypeError, match="takes a 2-sequence"):
        type(made)((first,))


def test_out():
    x = w.tensor([[3.0, 1.0], [2.0, 4.0]])
    out = w.empty(2)
    assert w.sum(x, 0, out=out) is out
    assert out.tolist() == [5, 5]
    values, indices = w.empty(2), w.empty(2, dtype=w.int64)
    result = w.max(x, 1, out=(values, indices))
    assert result.values is values
    assert result.indices is indices
    assert values.tolist() == [3, 4]
    assert indices.tolist() == [0, 1]
    whole = w.empty(2, dtype=w.int64)
    w.sum(x / 2, 0, out=whole)  # the elements are converted first
    assert whole.tolist() == [2, 2]
    with pytest.raises(RuntimeError, match=r"Expected out tensor to have dtype long int, but got float instead"):
        w.max(x, 1, out=(values, w.empty(2)))
    with pytest.raises(RuntimeError, match=r"out=\.\.\. arguments don't support automatic differentiation"):
        w.sum(x.requires_grad_(), 0, out=out)


@pytest.mark.parametrize("name", ["var", "std", "var_mean", "std_mean"])
def test_too_few_for_a_variance_warns(name):
    with pytest.warns(UserWarning, match=rf"{name}\(\): degrees of freedom is <= 0"):
        result = getattr(w, name)(w.tensor([1.0]))
    assert math.isnan((result[0] if isinstance(result, tuple) else result).item())


def test_sums_of_few_numbers_know_inf_and_nan():
    assert w.tensor([1.0, inf]).sum().item() == inf
    assert math.isnan(w.tensor([inf, -inf]).sum().item())
    x = w.tensor([[1.0, nan], [2.0, inf], [1.0, 2.0]])
    rows = x.sum(1).tolist()
    assert math.isnan(rows[0])
    assert rows[1:] == [inf, 3]
    columns = x.sum(0).tolist()
    assert columns[0] == 4
    assert math.isnan(columns[1])


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_sums_are_added_in_a_wider_type_or_in_pairs(dtype):
    n = 60_000
    x = w.tensor(np.full((n, 4), 0.1), dtype=getattr(w, dtype))
    exact = n * float(x[0, 0])
    for got in (x.sum(0)[1], x.mean(0)[1] * n, x.T.sum(1)[2], x[:, :2].sum() / 2, x.sum() / 4):
        if dtype == "float32" or math.isfinite(got.item()):
            assert got.item() == pytest.approx(exact, rel=1e-6 if dtype == "float32" else 1e-3)


def test_dims_of_a_tensor_without_any():
    x = w.tensor(2.0, requires_grad=True)
    for f in (w.sum, w.mean, w.prod, w.amax, w.var, w.logsumexp, w.softmax, w.cumsum, w.norm):
        kwargs = {"correction": 0} if f is w.var else {}
        args = (2, 0) if f is w.norm else (-1,)
        assert f(x, *args, **kwargs).shape == ()
        with pytest.raises(
            IndexError, match=r"Dimension out of range \(expected to be in range of \[-1, 0\], but got 1\)"
        ):
            f(x, *((2, 1) if f is w.norm else (1,)), **kwargs)


def test_what_is_reduced_is_not_kept_longer_than_needed():
    x = w.ones(3, requires_grad=True)
    y = x * 2
    z = y.sum()
    y.mul_(3)  # a sum keeps nothing of its input
    z.backward()
    assert x.grad.tolist() == [2, 2, 2]
    u = x * 2
    v = u.prod()
    u.mul_(3)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        v.backward()


def test_wrong_arguments():
    x = w.ones(2, 3)
    with pytest.raises(TypeError, match=r"sum\(\): argument 'keepdim' \(position 2\) must be bool, not int"):
        x.sum(0, 1)
    with pytest.raises(TypeError, match=r"sum\(\) got an unexpected keyword argument 'axes'"):
        x.sum(axes=1)
    with pytest.raises(RuntimeError, match="dim 1 appears multiple times in the list of dims"):
        x.amax((1, -1))
    with pytest.raises(RuntimeError, match=r"mean\(\): could not infer output dtype"):
        w.ones(2, dtype=w.int64).mean()
    with pytest.raises(TypeError, match=r"sum\(\): argument 'input' \(position 1\) must be Tensor, not list"):
        w.sum([1.0])
    with pytest.raises(TypeError, match=r"max\(\) received an invalid combination of arguments"):
        w.max(x, 3.0)
