"""Losses where a formula alone does not say what happens: ignored targets, empty batches, tails, wrong arguments."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import wengert as w
from wengert.nn import functional as F

X = np.random.default_rng(3).normal(size=(6, 4))
Y = np.array([0, 3, 2, 1, 1, 0])


def scores(dtype=w.float64):
    return w.tensor(X, dtype=dtype, requires_grad=True)


def test_cross_entropy_is_what_it_says():
    x = scores()
    loss = F.cross_entropy(x, w.tensor(Y))
    p = np.exp(X) / np.exp(X).sum(1, keepdims=True)
    assert loss.item() == pytest.approx(-np.log(p[np.arange(6), Y]).mean())
    assert loss.grad_fn.name() == "NllLossBackward0"
    assert loss.grad_fn.next_functions[0][0].name() == "LogSoftmaxBackward0"
    loss.backward()
    np.testing.assert_allclose(x.grad.numpy(), (p - np.eye(4)[Y]) / 6)


@pytest.mark.parametrize("smoothing", [0.0, 0.25])
@pytest.mark.parametrize("weighted", [False, True])
def test_ignored_targets_leave_no_trace(smoothing, weighted):
    weight = w.tensor([0.5, 1.0, 2.0, 3.0], dtype=w.float64) if weighted else None
    kept = np.array([0, 2, 5])
    y = Y.copy()
    y[[1, 3, 4]] = -100
    x = scores()
    loss = F.cross_entropy(x, w.tensor(y), weight, label_smoothing=smoothing)
    rest = F.cross_entropy(w.tensor(X[kept]), w.tensor(Y[kept]), weight, label_smoothing=smoothing)
    assert loss.item() == pytest.approx(rest.item())
    loss.backward()
    assert not x.grad[[1, 3, 4]].any()
    each = F.cross_entropy(scores(), w.tensor(y), weight, label_smoothing=smoothing, reduction="none")
    assert each[[1, 3, 4]].tolist() == [0, 0, 0]


def _parts(f, dtype=w.float64, reduction="mean"):
    x = scores(dtype)
    return x, f(x, w.tensor(Y), reduction=reduction)


def _in_two(x, y, reduction="mean"):
    return F.nll_loss(x.log_softmax(1), y, reduction=reduction)


@pytest.mark.parametrize("dtype", [w.float32, w.float64])
@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_the_fused_cross_entropy_is_the_two_operations(dtype, reduction):
    results = []
    for f in (F.cross_entropy, _in_two):
        x, loss = _parts(f, dtype, reduction)
        (plain,) = w.autograd.grad(loss, x, retain_graph=True)
        (recorded,) = w.autograd.grad(loss, x, create_graph=True)
        (second,) = w.autograd.grad((recorded * recorded).sum(), x, retain_graph=True)
        node = loss.grad_fn.next_functions[0][0]  # by which it becomes two nodes
        (parted,) = w.autograd.grad(loss, x, retain_graph=True)
        (again,) = w.autograd.grad(loss, x, create_graph=True)
        (third,) = w.autograd.grad((again * again).sum(), x)
        assert node.name() == "LogSoftmaxBackward0"
        assert node.next_functions[0][0].variable is x
        assert node._sequence_nr() < loss.grad_fn._sequence_nr()
        results.append([t.detach().numpy() for t in (loss, plain, recorded, second, parted, again, third)])
    tolerance = 2e-6 if dtype is w.float32 else 1e-13
    for got, want in zip(*results, strict=True):
        assert got.dtype == want.dtype
        assert got.flags.c_contiguous
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


def test_hooks_see_the_two_nodes():
    seen = []
    x, loss = _parts(F.cross_entropy)
    loss.grad_fn.register_hook(lambda inputs, outputs: seen.append((inputs[0].shape, outputs[0].shape)))
    loss.grad_fn.next_functions[0][0].register_hook(lambda inputs, outputs: seen.append(inputs[0]))
    loss.backward()
    assert seen[0] == ((6, 4), ())
    np.testing.assert_array_equal(seen[1].numpy(), x.grad.numpy())


def test_the_fused_cross_entropy_is_freed():
    x, loss = _parts(F.cross_entropy)
    loss.backward(retain_graph=True)
    loss.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        loss.backward()
    assert loss.grad_fn.next_functions[0][0].name() == "LogSoftmaxBackward0"
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        loss.backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 * w.autograd.grad(*reversed(_parts(_in_two)))[0].numpy())


def test_ignored_scores_may_be_infinite():
    x = w.tensor([[0.0, 1.0], [-math.inf, -math.inf]], requires_grad=True)
    loss = F.nll_loss(x, w.tensor([1, -100]))
    assert loss.item() == -1
    loss.backward()
    assert x.grad.tolist() == [[0, -1], [0, 0]]


def test_nothing_to_average():
    empty = w.zeros(0, 4, dtype=w.float64)
    none = w.zeros(0, dtype=w.int64)
    assert math.isnan(F.cross_entropy(empty, none).item())
    assert F.cross_entropy(empty, none, reduction="sum").item() == 0
    assert math.isnan(F.cross_entropy(scores(), w.full((6,), -100)).item())
    assert math.isnan(F.mse_loss(w.zeros(0), w.zeros(0)).item())


@pytest.mark.parametrize("target", [4, -1])
@pytest.mark.parametrize("dtype", [w.int64, w.uint8])
def test_targets_out_of_bounds(target, dtype):
    y = w.tensor(Y, dtype=dtype)
    y[2] = target % 256 if dtype is w.uint8 else target
    with pytest.raises(IndexError, match=rf"Target {y[2].item()} is out of bounds\."):
        F.cross_entropy(scores(), y)


def test_probabilities_and_classes_agree():
    one_hot = w.tensor(np.eye(4)[Y])
    weight = w.tensor([0.5, 1.0, 2.0, 3.0], dtype=w.float64)
    for kwargs in ({}, {"reduction": "sum"}, {"reduction": "none"}, {"label_smoothing": 0.5}):
        a = F.cross_entropy(scores(), w.tensor(Y), **kwargs)
        b = F.cross_entropy(scores(), one_hot, **kwargs)
        np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy())
    a = F.cross_entropy(scores(), w.tensor(Y), weight, reduction="sum")
    b = F.cross_entropy(scores(), one_hot, weight, reduction="sum")
    assert a.item() == pytest.approx(b.item())


def test_spatial_targets():
    x = w.tensor(np.random.default_rng(4).normal(size=(2, 3, 4, 5)), requires_grad=True)
    y = w.tensor(np.random.default_rng(5).integers(0, 3, (2, 4, 5)))
    rows = x.permute(0, 2, 3, 1).reshape(-1, 3)
    for reduction in ("mean", "sum", "none"):
        a = F.cross_entropy(x, y, reduction=reduction)
        b = F.cross_entropy(rows, y.reshape(-1), reduction=reduction)
        np.testing.assert_allclose(a.detach().numpy().reshape(-1), b.detach().numpy().reshape(-1))


def _likelihood_by_counting(p, labels, blank=0):
    """The likelihood of a sequence of labels, summed over all sequences of classes that collapse to it."""
    total = 0.0
    for path in itertools.product(range(p.shape[1]), repeat=p.shape[0]):
        kept = [k for k, _ in itertools.groupby(path)]
        if [k for k in kept if k != blank] == list(labels):
            total += np.prod(p[np.arange(len(path)), path])
    return total


@pytest.mark.parametrize(
    ("labels", "steps", "blank"), [([1, 2], 4, 0), ([1, 1], 4, 0), ([2], 3, 0), ([], 3, 0), ([0, 2], 3, 1)]
)
def test_ctc_sums_over_all_alignments(labels, steps, blank):
    x = np.random.default_rng(6).normal(size=(5, 1, 3))
    p = w.tensor(x).softmax(2)
    loss = F.ctc_loss(p.log(), w.tensor(labels, dtype=w.int64), (steps,), (len(labels),), blank, "sum")
    assert loss.item() == pytest.approx(-math.log(_likelihood_by_counting(p[:steps, 0].numpy(), labels, blank)))


def test_ctc_gradients():
    x = w.tensor(np.random.default_rng(7).normal(size=(4, 2, 3)), requires_grad=True)
    targets = w.tensor([[1, 1], [2, 0]])

    def loss(x):
        return F.ctc_loss(x.log_softmax(2), targets, (4, 3), (2, 1), reduction="none")

    assert w.autograd.gradcheck(loss, (x,))
    assert w.autograd.gradgradcheck(loss, (x,))


def test_ctc_of_sequences_too_short():
    p = w.full((2, 1, 3), 1 / 3).log().requires_grad_()
    targets = w.tensor([[1, 1]])  # needs a blank between, so three steps
    assert F.ctc_loss(p, targets, (2,), (2,)).item() == math.inf
    loss = F.ctc_loss(p, targets, (2,), (2,), zero_infinity=True)
    assert loss.item() == 0
    loss.backward()
    assert not p.grad.any()


def test_half_precision_is_added_in_single():
    n = 5000
    a, b = w.full((n,), 1.0, dtype=w.float16), w.zeros(n, dtype=w.float16)
    assert F.mse_loss(a, b).item() == 1
    assert F.mse_loss(a, b).dtype is w.float16
    x = w.zeros(n, 2, dtype=w.float16)
    assert F.cross_entropy(x, w.zeros(n, dtype=w.int64)).item() == pytest.approx(math.log(2), rel=1e-3)


def test_tails():
    x = w.tensor([-800.0, 800.0], dtype=w.float64, requires_grad=True)
    loss = F.binary_cross_entropy_with_logits(x, w.tensor([1.0, 0.0], dtype=w.float64), reduction="sum")
    assert loss.item() == 1600
    loss.backward()
    assert x.grad.tolist() == [-1, 1]
    x = w.tensor([-800.0], dtype=w.float64, requires_grad=True)
    loss = F.soft_margin_loss(x, w.ones(1, dtype=w.float64))
    assert loss.item() == 800
    loss.backward()
    assert x.grad.tolist() == [-1]
    p = w.tensor([0.0, 1.0], requires_grad=True)
    loss = F.binary_cross_entropy(p, w.tensor([1.0, 0.0]))
    assert loss.item() == 100
    loss.backward()
    assert np.isfinite(p.grad.numpy()).all()
    assert F.kl_div(w.tensor([0.0]), w.tensor([0.0]), reduction="sum").item() == 0


def test_softmax_far_out():
    x = w.tensor([[1000.0, 0.0], [-1000.0, 0.0], [1e30, 1e30]], requires_grad=True)
    assert x.softmax(1).tolist() == [[1, 0], [0, 1], [0.5, 0.5]]
    loss = F.cross_entropy(x, w.tensor([1, 0, 0]), reduction="none")
    assert loss.tolist()[:2] == [1000, 1000]
    assert loss[2].item() == pytest.approx(math.log(2))
    rows = w.tensor([[math.nan, 0.0], [1.0, 1.0]]).softmax(1)
    assert rows.isnan().tolist() == [[True, True], [False, False]]


def test_another_size_warns_and_broadcasts():
    with pytest.warns(
        UserWarning, match=r"Using a target size \(torch.Size\(\[1\]\)\) that is different to the input size"
    ):
        loss = F.mse_loss(w.zeros(3), w.ones(1))
    assert loss.item() == 1
    with pytest.raises(ValueError, match="that is different to the input size"):
        F.binary_cross_entropy(w.zeros(3), w.ones(1))


def test_old_arguments_and_unknown_reductions():
    a, b = w.zeros(2), w.ones(2)
    with pytest.warns(UserWarning, match="please use reduction='sum' instead"):
        assert F.mse_loss(a, b, size_average=False).item() == 2
    with pytest.warns(UserWarning, match="please use reduction='none' instead"):
        assert F.mse_loss(a, b, reduce=False).tolist() == [1, 1]
    with pytest.raises(ValueError, match="average is not a valid value for reduction"):
        F.l1_loss(a, b, reduction="average")
    with pytest.warns(UserWarning, match="'mean' divides the total loss by both the batch size and the support size"):
        F.kl_div(a, b)
    with pytest.warns(UserWarning, match="Implicit dimension choice for softmax has been deprecated"):
        assert F.softmax(w.zeros(2, 2)).tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_the_target_must_not_change_before_backward():
    x, y = scores(), w.tensor(Y)
    loss = F.cross_entropy(x, y)
    y[0] = 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
