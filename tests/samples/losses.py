"""softmax and its kin, and the losses."""

import numpy as np

from . import I, S, T

_F = "nn.functional."


def _softmax(a, dim):
    e = np.exp(a - a.max(axis=dim, keepdims=True))
    return e / e.sum(axis=dim, keepdims=True)


def _log_softmax(a, dim):
    return np.log(_softmax(a, dim))


def _nll(scores, target):
    return -np.mean(scores[np.arange(len(target)), target])


def _pairs(
    name, low=-2.0, high=2.0, target_low=-2.0, target_high=2.0, value=None, reductions=("none", "mean", "sum"), **more
):
    """A loss of pairs of elements, by each reduction."""
    samples = []
    for reduction in reductions:
        finish = {"none": np.asarray, "mean": np.mean, "sum": np.sum}.get(reduction)
        samples.append(
            S(
                _F + name,
                T(3, 2, low=low, high=high),
                T(3, 2, low=target_low, high=target_high),
                reduction=reduction,
                **more,
                value=None if value is None else lambda a, b, finish=finish, **_: finish(value(a, b)),
            )
        )
    samples.append(S(_F + name, T(low=low, high=high), T(low=target_low, high=target_high), reduction="sum", **more))
    return samples


SAMPLES = [
    *[
        S(name, T(*shape), dim, value=value)
        for name, value in (("softmax", _softmax), ("log_softmax", _log_softmax))
        for shape, dim in (
            ((5,), 0),
            ((4, 3), 1),
            ((4, 3), 0),
            ((4, 40), 1),
            ((2, 3, 4), 1),
            ((2, 3, 4), -1),
            ((1, 3), 1),
        )
    ],
    S("softmax", T(), 0, value=lambda a, dim: np.ones(())),
    S("log_softmax", T(), -1, value=lambda a, dim: np.zeros(())),
    S("softmax", T(0, 3), 1, value=lambda a, dim: a),
    S("softmax", T(3, 0), 1, value=lambda a, dim: a),
    S("softmax", T(4, 3, transposed=True), 1, value=_softmax),
    S(_F + "softmin", T(4, 3), 1, value=lambda a, dim: _softmax(-a, dim)),
    *_pairs("mse_loss", value=lambda a, b: (a - b) ** 2),
    S(_F + "mse_loss", T(3), T(3), weight=T(3, low=0.5, grad=False)),
    *_pairs("l1_loss", value=lambda a, b: np.abs(a - b)),
    *_pairs("smooth_l1_loss", value=lambda a, b: np.where(abs(a - b) < 1, (a - b) ** 2 / 2, abs(a - b) - 0.5)),
    *_pairs("smooth_l1_loss", beta=0.5, reductions=("mean",)),
    *_pairs("huber_loss", value=lambda a, b: np.where(abs(a - b) < 1, (a - b) ** 2 / 2, abs(a - b) - 0.5)),
    *_pairs("huber_loss", delta=0.5, reductions=("mean",)),
    *_pairs("kl_div", target_low=0.1, target_high=0.9, reductions=("none", "sum", "batchmean")),
    *_pairs("kl_div", log_target=True, reductions=("none", "batchmean")),
    *_pairs("poisson_nll_loss", target_low=0.5, target_high=3),
    *_pairs(
        "poisson_nll_loss", low=0.5, target_low=1.1, target_high=3, log_input=False, full=True, reductions=("mean",)
    ),
    S(_F + "gaussian_nll_loss", T(3, 2), T(3, 2), T(3, 2, low=0.5)),
    S(_F + "gaussian_nll_loss", T(3, 2), T(3, 2), T(3, 1, low=0.5), full=True, reduction="sum"),
    *_pairs("binary_cross_entropy", 0.1, 0.9, 0.1, 0.9, lambda a, b: -(b * np.log(a) + (1 - b) * np.log(1 - a))),
    S(_F + "binary_cross_entropy", T(3, 2, low=0.1, high=0.9), T(3, 2, low=0.1, high=0.9), T(2, low=0.5, grad=False)),
    *_pairs(
        "binary_cross_entropy_with_logits",
        target_low=0.1,
        target_high=0.9,
        value=lambda a, b: np.log1p(np.exp(-a)) + (1 - b) * a,
    ),
    S(
        _F + "binary_cross_entropy_with_logits",
        T(3, 2),
        T(3, 2, low=0.1, high=0.9),
        weight=T(3, 1, low=0.5, grad=False),
        pos_weight=T(2, low=0.5, grad=False),
    ),
    *[S(_F + "soft_margin_loss", T(3, 2), T(3, 2, grad=False), reduction=r) for r in ("none", "mean", "sum")],
    *[S(_F + "multilabel_soft_margin_loss", T(3, 2), T(3, 2, low=0, high=1), reduction=r) for r in ("mean", "sum")],
    S(_F + "nll_loss", T(4, 3), I(4, high=3), value=_nll),
    S(_F + "nll_loss", T(4, 3), I(4, high=3), reduction="none"),
    S(_F + "nll_loss", T(4, 3), I(4, high=3), T(3, low=0.5, grad=False)),
    S(_F + "nll_loss", T(4, 3), I(4, high=3), T(3, low=0.5, grad=False), ignore_index=1, reduction="sum"),
    S(_F + "nll_loss", T(3), I(high=3)),
    S(_F + "nll_loss", T(2, 3, 2, 2), I(2, 2, 2, high=3)),
    S(_F + "nll_loss", T(2, 3, 4), I(2, 4, high=3), reduction="none"),
    S(_F + "nll_loss", T(2, 3, 1, 2, 2), I(2, 1, 2, 2, high=3), T(3, low=0.5, grad=False), reduction="mean"),
    S(_F + "cross_entropy", T(4, 3), I(4, high=3), value=lambda a, y: _nll(_log_softmax(a, 1), y), exact=False),
    S(_F + "cross_entropy", T(4, 3), I(4, high=3), reduction="none", ignore_index=0),
    S(_F + "cross_entropy", T(4, 3), I(4, high=3), T(3, low=0.5, grad=False), label_smoothing=0.25),
    S(_F + "cross_entropy", T(4, 3), I(4, high=3), label_smoothing=0.25, ignore_index=2),
    S(_F + "cross_entropy", T(4, 3), T(4, 3, low=0.1)),
    S(_F + "cross_entropy", T(4, 3), T(4, 3, low=0.1), T(3, low=0.5), label_smoothing=0.25, reduction="sum"),
    S(_F + "cross_entropy", T(3), I(high=3)),
    S(_F + "cross_entropy", T(2, 3, 2, 2), I(2, 2, 2, high=3), reduction="none"),
    S(_F + "cross_entropy", T(2, 3, 2), T(2, 3, 2, low=0.1), reduction="none"),
    S(_F + "linear_cross_entropy", T(4, 2), T(3, 2), I(4, high=3), exact=False),
    S(_F + "linear_cross_entropy", T(4, 2), T(3, 5, 2), I(4, 5, high=3), linear_bias=T(3, 5), exact=False),
    S(_F + "hinge_embedding_loss", T(3, 2), T(3, 2, grad=False)),
    S(_F + "margin_ranking_loss", T(5), T(5), T(5, grad=False), margin=0.25),
    S(_F + "cosine_embedding_loss", T(4, 3), T(4, 3), T(4, grad=False), margin=0.1),
    S(
        _F + "cosine_similarity",
        T(4, 3),
        T(4, 3),
        value=lambda a, b: np.sum(a * b, 1) / np.sqrt(np.sum(a * a, 1) * np.sum(b * b, 1)),
    ),
    S(_F + "cosine_similarity", T(2, 3, 2), T(3, 1), dim=0),
    S(_F + "pairwise_distance", T(4, 3), T(4, 3), eps=0.0, value=lambda a, b, eps: np.sqrt(np.sum((a - b) ** 2, 1))),
    S(_F + "pairwise_distance", T(4, 3), T(3), 3.0, keepdim=True, exact=False),
    S(_F + "triplet_margin_loss", T(4, 3), T(4, 3), T(4, 3), swap=True),
    S(_F + "triplet_margin_with_distance_loss", T(4, 3), T(4, 3), T(4, 3), margin=2.0),
    S(_F + "multi_margin_loss", T(4, 3), I(4, high=3)),
    S(_F + "multi_margin_loss", T(4, 3), I(4, high=3), 2, 0.5, T(3, low=0.5, grad=False), reduction="none"),
    S(_F + "multi_margin_loss", T(3), I(high=3), reduction="sum"),
    S(_F + "multilabel_margin_loss", T(4, 3), I(4, 3, low=-1, high=3)),
    S(_F + "multilabel_margin_loss", T(4, 3), I(4, 3, low=-1, high=3), reduction="none"),
]
