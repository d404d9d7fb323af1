"""Layers, activations and losses as modules: what they compute, keep and print."""

from __future__ import annotations

import math

import numpy as np
import pytest

import wengert as w
import wengert.nn.functional as F
from wengert import nn


@pytest.mark.parametrize("shape", [(3,), (4, 3), (2, 4, 3), (0, 3)])
@pytest.mark.parametrize("bias", [True, False])
def test_linear(shape, bias):
    layer = nn.Linear(3, 2, bias=bias, dtype=w.float64)
    x = np.random.default_rng(0).normal(size=shape)
    expected = x @ layer.weight.detach().numpy().T + (layer.bias.detach().numpy() if bias else 0)
    np.testing.assert_allclose(layer(w.from_numpy(x)).detach().numpy(), expected)
    assert (layer.bias is None) != bias
    assert repr(layer) == f"Linear(in_features=3, out_features=2, bias={bias})"
    if x.size:
        assert w.autograd.gradcheck(layer, (w.from_numpy(x).requires_grad_(),))


def test_bilinear():
    layer = nn.Bilinear(2, 3, 4, dtype=w.float64)
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(5, 2)), rng.normal(size=(5, 3))
    expected = np.einsum("ni,oij,nj->no", a, layer.weight.detach().numpy(), b) + layer.bias.detach().numpy()
    np.testing.assert_allclose(layer(w.from_numpy(a), w.from_numpy(b)).detach().numpy(), expected)
    assert repr(layer) == "Bilinear(in1_features=2, in2_features=3, out_features=4, bias=True)"
    with pytest.raises(ValueError, match="in1_features must be > 0, but got 0"):
        nn.Bilinear(0, 1, 1)


@pytest.mark.parametrize(("layer", "bound"), [(nn.Linear(16, 500), 1 / 4), (nn.Bilinear(4, 9, 500), 1 / 2)])
def test_parameters_start_uniform(layer, bound):
    for p in layer.parameters():
        values = p.detach().numpy()
        assert abs(values).max() <= bound
        assert abs(values).max() > 0.95 * bound
        assert values.std() == pytest.approx(bound / math.sqrt(3), rel=0.1)
    before = layer.weight.tolist()
    layer.reset_parameters()
    assert layer.weight.tolist() != before


def test_the_seed_decides_the_parameters():
    made = []
    for _ in range(2):
        w.manual_seed(5)
        made.append(repr(list(nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2)).parameters())))
    assert made[0] == made[1]


def test_identity_flatten_unflatten():
    assert nn.Identity(3, a=4)("anything") == "anything"
    x = w.ones(2, 3, 4)
    assert nn.Flatten()(x).shape == (2, 12)
    assert nn.Flatten(0, 1)(x).shape == (6, 4)
    assert nn.Unflatten(2, (2, 2))(x).shape == (2, 3, 2, 2)
    assert repr(nn.Flatten()) == "Flatten(start_dim=1, end_dim=-1)"
    assert repr(nn.Unflatten(1, (2, 3))) == "Unflatten(dim=1, unflattened_size=(2, 3))"
    with pytest.raises(TypeError, match="unflattened_size must be a tuple of ints, but found type int"):
        nn.Unflatten(1, 3)


ACTIVATIONS = {
    nn.ReLU: ({}, F.relu, "ReLU()"),
    nn.ReLU6: ({}, F.relu6, "ReLU6()"),
    nn.LeakyReLU: ({"negative_slope": 0.2}, F.leaky_relu, "LeakyReLU(negative_slope=0.2)"),
    nn.ELU: ({"alpha": 2.0}, F.elu, "ELU(alpha=2.0)"),
    nn.SELU: ({}, F.selu, "SELU()"),
    nn.CELU: ({"alpha": 2.0}, F.celu, "CELU(alpha=2.0)"),
    nn.GELU: ({"approximate": "tanh"}, F.gelu, "GELU(approximate='tanh')"),
    nn.SiLU: ({}, F.silu, "SiLU()"),
    nn.Mish: ({}, F.mish, "Mish()"),
    nn.Sigmoid: ({}, F.sigmoid, "Sigmoid()"),
    nn.LogSigmoid: ({}, F.logsigmoid, "LogSigmoid()"),
    nn.Tanh: ({}, F.tanh, "Tanh()"),
    nn.Tanhshrink: ({}, F.tanhshrink, "Tanhshrink()"),
    nn.Softsign: ({}, F.softsign, "Softsign()"),
    nn.Hardsigmoid: ({}, F.hardsigmoid, "Hardsigmoid()"),
    nn.Hardswish: ({}, F.hardswish, "Hardswish()"),
    nn.Hardtanh: ({"min_val": -0.5, "max_val": 2.0}, F.hardtanh, "Hardtanh(min_val=-0.5, max_val=2.0)"),
    nn.Hardshrink: ({"lambd": 0.7}, F.hardshrink, "Hardshrink(0.7)"),
    nn.Softshrink: ({"lambd": 0.7}, F.softshrink, "Softshrink(0.7)"),
    nn.Softplus: ({"beta": 2.0, "threshold": 3.0}, F.softplus, "Softplus(beta=2.0, threshold=3.0)"),
    nn.Threshold: ({"threshold": 0.3, "value": 9.0}, F.threshold, "Threshold(threshold=0.3, value=9.0)"),
    nn.GLU: ({"dim": 0}, F.glu, "GLU(dim=0)"),
    nn.Softmax: ({"dim": 0}, F.softmax, "Softmax(dim=0)"),
    nn.LogSoftmax: ({"dim": 0}, F.log_softmax, "LogSoftmax(dim=0)"),
    nn.Softmin: ({"dim": 0}, F.softmin, "Softmin(dim=0)"),
}


@pytest.mark.parametrize("kind", ACTIVATIONS)
def test_activations(kind):
    options, function, text = ACTIVATIONS[kind]
    module = kind(**options)
    x = w.linspace(-4, 4, 12).reshape(4, 3)
    assert module(x).tolist() == function(x, **options).tolist()
    assert repr(module) == text
    assert all(getattr(module, k) == v for k, v in options.items())
    if hasattr(module, "inplace"):
        y = x.clone()
        module.inplace = True
        assert module(y) is y
        assert y.tolist() == function(x, **options).tolist()


def test_prelu():
    module = nn.PReLU(2, 0.5)
    x = w.tensor([[-2.0, -4.0], [1.0, 3.0]])
    assert module(x).tolist() == [[-1, -2], [1, 3]]
    module(x).sum().backward()
    assert module.weight.grad.tolist() == [-2, -4]
    with w.no_grad():
        module.weight.zero_()
    module.reset_parameters()
    assert module.weight.tolist() == [0.5, 0.5]


def test_rrelu():
    module = nn.RReLU(0.25, 0.75)
    x = w.full((1000,), -1.0)
    slopes = -module(x)
    assert 0.25 <= slopes.min() < slopes.max() <= 0.75
    assert module.eval()(x).unique().tolist() == [-0.5]
    assert repr(module) == "RReLU(lower=0.25, upper=0.75)"


def test_activations_misused():
    with pytest.raises(AssertionError, match="must be greater than min_val"):
        nn.Hardtanh(1, 1)
    with pytest.warns(FutureWarning, match="`min_value` is deprecated and renamed to `min_val`"):
        assert nn.Hardtanh(min_value=-3.0).min_val == -3
    with pytest.raises(ValueError, match="Softmax2d: expected input to be 3D or 4D, got 1D instead"):
        nn.Softmax2d()(w.ones(1))
    assert nn.Softmax2d()(w.ones(1, 4, 2, 2)).unique().tolist() == [0.25]
    with pytest.raises(TypeError, match="ReLU.__init__"):
        nn.ReLU(True, 3)


@pytest.mark.parametrize(
    ("kind", "shape", "by"),
    [
        (nn.Dropout, (100, 100), ()),
        (nn.Dropout1d, (100, 100, 3), (2,)),
        (nn.Dropout2d, (100, 100, 2, 2), (2, 3)),
        (nn.Dropout3d, (100, 100, 2, 1, 2), (2, 3, 4)),
        (nn.AlphaDropout, (100, 100), ()),
        (nn.FeatureAlphaDropout, (100, 100, 3), (2,)),
    ],
)
def test_dropout(kind, shape, by):
    w.manual_seed(1)
    module = kind(0.25)
    assert repr(module) == f"{kind.__name__}(p=0.25, inplace=False)"
    x = w.randn(shape) if "Alpha" in kind.__name__ else w.ones(shape)
    x.requires_grad_()
    y = module(x)
    if "Alpha" in kind.__name__:  # keeps mean and variance
        assert y.mean().item() == pytest.approx(0, abs=0.05)
        assert y.var().item() == pytest.approx(1, abs=0.05)
    else:
        assert set(y.unique().tolist()) == {0.0, np.float32(1 / 0.75)}
        assert (y == 0).float().mean().item() == pytest.approx(0.25, abs=0.02)
        if by:
            assert (y.amax(by) == y.amin(by)).all()
        y.sum().backward()
        assert x.grad.tolist() == y.tolist()
    assert module.eval()(x) is x
    with pytest.raises(ValueError, match="dropout probability has to be between 0 and 1, but got 1.5"):
        kind(1.5)
    z = w.ones(shape)
    assert kind(1.0, inplace=True)(z) is z
    assert not z.any()


def test_dropout_misused():
    with pytest.raises(RuntimeError, match="dropout1d: Expected 2D or 3D input, but received a 4D input"):
        nn.Dropout1d()(w.ones(1, 1, 1, 1))
    with pytest.warns(UserWarning, match="dropout2d: Received a 2-D input"):
        nn.Dropout2d()(w.ones(2, 2))
    with pytest.raises(RuntimeError, match="Feature dropout requires at least 2 dimensions"):
        nn.FeatureAlphaDropout()(w.ones(2))
    assert nn.FeatureAlphaDropout().eval()(w.ones(2)).tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Long"):
        nn.Dropout()(w.tensor([1, 2]))
    assert w.dropout(w.ones(3), 0.5, train=False).tolist() == [1, 1, 1]
    x = w.ones(50)
    assert w.dropout_(x, 0.5, True) is x
    assert set(x.tolist()) == {0, 2}


rng = np.random.default_rng(7)
X, Y = (w.from_numpy(rng.normal(size=(4, 5))) for _ in range(2))
P, Q = (w.from_numpy(rng.uniform(0.1, 0.9, size=(4, 5))) for _ in range(2))
CLASSES, SIGNS = w.tensor([1, 0, 4, 2]), w.tensor([1.0, -1.0, 1.0, -1.0])
WEIGHT = w.arange(5, dtype=w.float64) + 1
LABELS = w.tensor([[0, 1, -1, 0, 0], [2, -1, 0, 0, 0], [4, 3, 2, 1, 0], [-1, 0, 0, 0, 0]])
LOSSES = [
    (nn.MSELoss, {}, F.mse_loss, (X, Y)),
    (nn.L1Loss, {}, F.l1_loss, (X, Y)),
    (nn.SmoothL1Loss, {"beta": 0.5}, F.smooth_l1_loss, (X, Y)),
    (nn.HuberLoss, {"delta": 0.5}, F.huber_loss, (X, Y)),
    (nn.PoissonNLLLoss, {"log_input": False, "full": True, "eps": 1e-6}, F.poisson_nll_loss, (P, Q)),
    (nn.GaussianNLLLoss, {"full": True, "eps": 0.1}, F.gaussian_nll_loss, (X, Y, P)),
    (nn.CrossEntropyLoss, {"weight": WEIGHT, "ignore_index": 4, "label_smoothing": 0.1}, F.cross_entropy, (X, CLASSES)),
    (nn.NLLLoss, {"weight": WEIGHT, "ignore_index": 4}, F.nll_loss, (X, CLASSES)),
    (nn.KLDivLoss, {"log_target": True}, F.kl_div, (X, Y)),
    (nn.BCELoss, {"weight": WEIGHT}, F.binary_cross_entropy, (P, Q)),
    (nn.BCEWithLogitsLoss, {"weight": WEIGHT, "pos_weight": WEIGHT}, F.binary_cross_entropy_with_logits, (X, P)),
    (nn.MarginRankingLoss, {"margin": 0.5}, F.margin_ranking_loss, (X[:, 0], Y[:, 0], SIGNS)),
    (nn.HingeEmbeddingLoss, {"margin": 0.5}, F.hinge_embedding_loss, (X[:, 0], SIGNS)),
    (nn.CosineEmbeddingLoss, {"margin": 0.5}, F.cosine_embedding_loss, (X, Y, SIGNS)),
    (nn.SoftMarginLoss, {}, F.soft_margin_loss, (X[:, 0], SIGNS)),
    (nn.MultiLabelMarginLoss, {}, F.multilabel_margin_loss, (X, LABELS)),
    (nn.MultiLabelSoftMarginLoss, {"weight": WEIGHT}, F.multilabel_soft_margin_loss, (X, Q)),
    (nn.MultiMarginLoss, {"p": 2, "margin": 0.5, "weight": WEIGHT}, F.multi_margin_loss, (X, CLASSES)),
    (nn.TripletMarginLoss, {"margin": 0.5, "p": 1.0, "eps": 1e-3, "swap": True}, F.triplet_margin_loss, (X, Y, P)),
    (nn.TripletMarginWithDistanceLoss, {"margin": 0.5, "swap": True}, F.triplet_margin_with_distance_loss, (X, Y, P)),
    (
        nn.CTCLoss,
        {"blank": 1, "zero_infinity": True},
        F.ctc_loss,
        (X.log_softmax(1), w.tensor([2, 0]), w.tensor(4), w.tensor(2)),
    ),
]


@pytest.mark.filterwarnings("ignore:reduction. 'mean' divides")
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize(("kind", "options", "function", "args"), LOSSES, ids=lambda v: getattr(v, "__name__", None))
def test_losses(kind, options, function, args, reduction):
    module = kind(**options, reduction=reduction)
    assert module(*args).tolist() == function(*args, **options, reduction=reduction).tolist()
    assert kind().reduction == "mean"
    assert set(module.state_dict()) == {k for k, v in options.items() if isinstance(v, w.Tensor)}
    if not options.keys() & {"weight", "pos_weight"}:
        assert module(*args).tolist() != kind(reduction="sum" if reduction == "mean" else "mean")(*args).tolist()


def test_losses_misused():
    with pytest.warns(UserWarning, match="please use reduction='sum' instead"):
        assert nn.MSELoss(size_average=False).reduction == "sum"
    for call, words in (
        (lambda: nn.MultiMarginLoss(3), "only p == 1 and p == 2 supported"),
        (lambda: nn.MultiMarginLoss(weight=w.ones(2, 2)), "expected weight to be None or 1D tensor, got 2D instead"),
        (
            lambda: nn.TripletMarginLoss(-1.0),
            "TripletMarginLoss: expected margin to be greater than 0, got -1.0 instead",
        ),
        (lambda: nn.TripletMarginWithDistanceLoss(margin=0), "expected margin to be greater than 0, got 0 instead"),
        (lambda: nn.MSELoss(reduction="x")(X, Y), "x is not a valid value for reduction"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
    with pytest.raises(TypeError, match="cannot assign 'list' object to buffer 'weight'"):
        nn.CrossEntropyLoss([1, 2])


def test_distances():
    distance = nn.PairwiseDistance(1.0, 0.0, True)(X, Y)
    assert distance.shape == (4, 1)
    assert distance[:, 0].tolist() == pytest.approx((X - Y).abs().sum(1).tolist())
    assert nn.CosineSimilarity(0)(X, X).tolist() == pytest.approx([1] * 5)
    assert repr(nn.CosineSimilarity()) == "CosineSimilarity()"
