"""Losses say the same as PyTorch's: values, gradients, dtypes, the name of the node, warnings, errors."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

import wengert
import wengert.nn.functional

torch = pytest.importorskip("torch")

_rng = np.random.default_rng(12)
_q = _rng.uniform(0.05, 1, (3, 4)).astype(np.float32)
ARRAYS = {
    "x": _rng.normal(size=(3, 4)).astype(np.float32),
    "q": _q / _q.sum(1, keepdims=True),
    "y": np.array([0, 1, 2]),
    "w": np.array([0.5, 1, 2, 3], np.float32),
    "s": _rng.normal(size=(2, 3, 4, 4)).astype(np.float32),
    "v": _rng.integers(0, 3, (2, 4, 4)),
    "r": _rng.normal(size=(2, 3, 4)).astype(np.float32),
    "u": _rng.integers(0, 3, (2, 4)),
    "k": _rng.integers(-1, 4, (3, 4)),
}
CALLS = """
F.mse_loss(x, q); F.mse_loss(x, q[:1]); F.mse_loss(x, q.double()); F.mse_loss(x, y); F.mse_loss(x, k); F.mse_loss(y, y)
F.mse_loss(x, q, reduction="foo"); F.mse_loss(x, q, None, None, "sum"); F.mse_loss(x, q, size_average=False)
F.mse_loss(x, q, reduction="elementwise_mean"); F.mse_loss(x, 3.0); F.mse_loss(x, q, weight=q)
F.mse_loss(x, q, reduce=False); F.mse_loss(x, q, weight=q, reduction="sum"); F.mse_loss(x.half(), q.half())
F.l1_loss(x, q[:1]); F.l1_loss(x, y); F.l1_loss(x, q, reduction="none"); F.l1_loss(x, q, weight=q)
F.cross_entropy(x, y); F.cross_entropy(x, y.int()); F.cross_entropy(x, y.to(torch.uint8))
F.cross_entropy(x, y.float()); F.cross_entropy(x, y + 2); F.cross_entropy(x, y - 1)
F.cross_entropy(x, y, ignore_index=1); F.cross_entropy(x, y * 0 - 100)
F.cross_entropy(x, y * 0 - 100, reduction="sum"); F.cross_entropy(x, y[:2]); F.cross_entropy(x, y[:, None])
F.cross_entropy(x, y, weight=w[:3]); F.cross_entropy(x, y, weight=w.double()); F.cross_entropy(x, q)
F.cross_entropy(x, q.double()); F.cross_entropy(x, q[:2]); F.cross_entropy(x, q, ignore_index=0)
F.cross_entropy(x, y, label_smoothing=1.5); F.cross_entropy(x, y, label_smoothing=-0.5)
F.cross_entropy(x, y, label_smoothing=0.5); F.cross_entropy(x, y, w, label_smoothing=0.5, reduction="none")
F.cross_entropy(x, y, w, label_smoothing=0.5); F.cross_entropy(x, q, w, label_smoothing=0.5)
F.cross_entropy(x, y, reduction="foo"); F.cross_entropy(x, q.long()); F.cross_entropy(x.long(), y)
F.cross_entropy(x[0], y[0]); F.cross_entropy(x[0, 0], y[0]); F.cross_entropy(x[0], q[0]); F.cross_entropy(x[:0], y[:0])
F.cross_entropy(x[:0], y[:0], reduction="sum"); F.cross_entropy(s, v); F.cross_entropy(r, u)
F.cross_entropy(r, u, reduction="none"); F.cross_entropy(s, v, label_smoothing=0.1, ignore_index=2)
F.cross_entropy(s, s.softmax(1)); F.cross_entropy(x.half(), y); F.nll_loss(x, y); F.nll_loss(x, y.float())
F.nll_loss(x, y + 2); F.nll_loss(x, y[:2]); F.nll_loss(x, y[:, None]); F.nll_loss(x, y, weight=w[:3])
F.nll_loss(x, y, weight=w); F.nll_loss(x, y, weight=w, reduction="none"); F.nll_loss(x[0], y); F.nll_loss(x[0], y[0])
F.nll_loss(x[0, 0], y[0]); F.nll_loss(r, u); F.nll_loss(r, u[:, :3]); F.nll_loss(s, v[:, :, :3]); F.nll_loss(s, u)
F.nll_loss(s, v + 5); F.nll_loss(s, v, ignore_index=0); F.smooth_l1_loss(x, q, beta=-1.0)
F.smooth_l1_loss(x, q, beta=0); F.smooth_l1_loss(x, q[:1]); F.smooth_l1_loss(x, q, reduction="sum", beta=0.5)
F.smooth_l1_loss(y, y); F.huber_loss(x, q, delta=0.0); F.huber_loss(x, q, delta=-1.0); F.huber_loss(x, q, weight=q)
F.huber_loss(x, q, delta=0.5); F.binary_cross_entropy(q, q); F.binary_cross_entropy(x, q)
F.binary_cross_entropy(q, q[:2]); F.binary_cross_entropy(q, q, weight=q[:2])
F.binary_cross_entropy(q, q, weight=q[:1]); F.binary_cross_entropy(q, q > 0.2)
F.binary_cross_entropy(q, (q > 0.2).long()); F.binary_cross_entropy(q.double(), q)
F.binary_cross_entropy_with_logits(x, q); F.binary_cross_entropy_with_logits(x, q[:2])
F.binary_cross_entropy_with_logits(x, q, pos_weight=w); F.binary_cross_entropy_with_logits(x, q, pos_weight=w[:2])
F.binary_cross_entropy_with_logits(x, q.double()); F.binary_cross_entropy_with_logits(x, q, w, reduction="sum")
F.kl_div(x, q); F.kl_div(x, q, reduction="batchmean"); F.kl_div(x, q, reduction="batchmean", log_target=True)
F.kl_div(x, q[:1]); F.kl_div(x, q, reduction="foo"); F.poisson_nll_loss(x, q); F.poisson_nll_loss(x, q, reduction="a")
F.poisson_nll_loss(q, q * 9, log_input=False, full=True); F.gaussian_nll_loss(x, q, q); F.gaussian_nll_loss(x, q, -q)
F.gaussian_nll_loss(x, q, q[:, :2]); F.gaussian_nll_loss(x, q, q[:, :1]); F.gaussian_nll_loss(x, q, 1.0)
F.gaussian_nll_loss(x, q, -1.0); F.gaussian_nll_loss(x, q, q, reduction="a")
F.gaussian_nll_loss(x, q, q, full=True, eps=0.3); F.hinge_embedding_loss(x, q)
F.hinge_embedding_loss(x, q.round() * 2 - 1); F.margin_ranking_loss(x, q, q); F.margin_ranking_loss(x, q, q[0])
F.cosine_embedding_loss(x, q, w[:3] * 0 + 1); F.cosine_embedding_loss(x, q, w[:3] * 0 - 1, 0.25, reduction="sum")
F.cosine_embedding_loss(x, q, w[:2]); F.cosine_embedding_loss(x, q, w[:3, None])
F.cosine_embedding_loss(x[0], q, w[0]); F.triplet_margin_loss(x, q, q[0]); F.triplet_margin_loss(x, q, q, margin=-1)
F.triplet_margin_loss(x, q, 2 * q, swap=True); F.multi_margin_loss(x, y, p=3); F.multi_margin_loss(x, y[:2])
F.multi_margin_loss(x, y, weight=w[:2]); F.multi_margin_loss(x, y, 2, 0.5, w); F.multilabel_margin_loss(x, y)
F.multilabel_margin_loss(x, k); F.multilabel_margin_loss(x, k + 1); F.soft_margin_loss(x, q)
F.soft_margin_loss(x, q[:2]); F.multilabel_soft_margin_loss(x, q)
F.multilabel_soft_margin_loss(x, q, w, reduction="none"); F.multilabel_soft_margin_loss(x, q[:2])
F.cosine_similarity(x, q); F.cosine_similarity(x, y); F.cosine_similarity(x, q, 0); F.pairwise_distance(x, q)
F.pairwise_distance(x, q, 1, keepdim=True); F.softmax(x); F.log_softmax(x, -1); F.softmin(x, 0)
F.softmax(x, 1, dtype=torch.float64)
"""


def calls():
    return [c.strip() for line in CALLS.strip().split("\n") for c in line.split(";") if c.strip()]


def outcome(lib, text):
    """What the call gives, as plain data; the gradient with respect to x too."""
    names = {k: lib.from_numpy(v.copy()) for k, v in ARRAYS.items()}
    names["x"].requires_grad_()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = eval(text, {"torch": lib, "F": lib.nn.functional, **names})
        except Exception as error:
            return "raises", type(error).__name__, str(error), []
        said = [str(c.message) for c in caught if issubclass(c.category, UserWarning)]
    gradient = None
    if result.requires_grad:
        result.sum().backward()
        gradient = names["x"].grad
    node = result.grad_fn and result.grad_fn.name()
    values = [str(result.dtype), tuple(result.shape), node]
    return "gives", values, [result.detach().numpy(), None if gradient is None else gradient.numpy()], said


@pytest.mark.parametrize("text", calls())
def test_same_outcome(text):
    want, got = outcome(torch, text), outcome(wengert, text)
    if want[0] == "raises":
        assert got[:2] == want[:2], got
        first = want[2].split("\n")[0].rstrip(". ")
        assert re.sub(r"position \d", "", got[2]).startswith(re.sub(r"position \d", "", first)), got[2]
        return
    assert got[:2] == want[:2], got
    assert len(got[3]) == len(want[3])
    for g, w in zip(got[3], want[3], strict=True):
        assert g[:60] == w[:60]
    tolerance = 2e-3 if "half" in text else 3e-6
    for g, w in zip(got[2], want[2], strict=True):
        if w is None:
            assert g is None
        else:
            np.testing.assert_allclose(g, w, rtol=tolerance, atol=tolerance)
