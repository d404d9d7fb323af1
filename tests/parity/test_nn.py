"""Modules, containers, layers and losses say the same as PyTorch's: values, printed forms, errors, warnings."""

from __future__ import annotations

import numpy as np
import pytest

import wengert

from .alike import assert_alike
from .convolution_scripts import SCRIPTS as CONVOLUTION_SCRIPTS
from .layer_scripts import SCRIPTS as LAYER_SCRIPTS
from .module_scripts import SCRIPTS as MODULE_SCRIPTS
from .normalization_scripts import SCRIPTS as NORMALIZATION_SCRIPTS

torch = pytest.importorskip("torch")


SCRIPTS = MODULE_SCRIPTS | LAYER_SCRIPTS | NORMALIZATION_SCRIPTS | CONVOLUTION_SCRIPTS


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts(name):
    assert_alike(torch, SCRIPTS[name])


LAYERS = {
    "linear": (lambda n: n.Linear(5, 3), [(4, 5)]),
    "linear without bias": (lambda n: n.Linear(5, 3, bias=False), [(2, 4, 5)]),
    "linear of a vector": (lambda n: n.Linear(5, 3), [(5,)]),
    "linear of nothing": (lambda n: n.Linear(5, 3), [(0, 5)]),
    "bilinear": (lambda n: n.Bilinear(3, 4, 2), [(5, 3), (5, 4)]),
    "two layers": (lambda n: n.Sequential(n.Linear(5, 8), n.Tanh(), n.Linear(8, 2), n.LogSoftmax(1)), [(6, 5)]),
    "convolution": (lambda n: n.Conv2d(3, 4, 3, stride=2, padding=1), [(2, 3, 7, 6)]),
    "transposed convolution": (lambda n: n.ConvTranspose1d(3, 4, 3, stride=2), [(2, 3, 7)]),
    "reflected": (lambda n: n.Conv1d(3, 4, 3, padding=1, padding_mode="reflect"), [(2, 3, 7)]),
    "batch norm": (lambda n: n.Sequential(n.Linear(5, 4), n.BatchNorm1d(4)), [(6, 5)]),
    "layer norm": (lambda n: n.LayerNorm(5), [(6, 5)]),
    "flatten": (lambda n: n.Sequential(n.Flatten(), n.Linear(12, 2)), [(3, 4, 3)]),
    "prelu": (lambda n: n.PReLU(3), [(2, 3, 4)]),
    "dropout": (lambda n: n.Dropout(0.3), [(50, 40)]),
    "dropout1d": (lambda n: n.Dropout1d(0.3), [(5, 30, 4)]),
    "dropout2d": (lambda n: n.Dropout2d(0.4), [(5, 30, 2, 3)]),
    "dropout3d": (lambda n: n.Dropout3d(0.4), [(5, 3, 2, 2, 2)]),
    "alpha dropout": (lambda n: n.AlphaDropout(0.3), [(40, 20)]),
    "feature alpha dropout": (lambda n: n.FeatureAlphaDropout(0.3), [(40, 20, 3)]),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", LAYERS)
def test_layers(name, dtype):
    """Parameters after a seed, outputs and all gradients."""
    make, shapes = LAYERS[name]
    rng = np.random.default_rng(4)
    arrays = [rng.normal(size=s).astype(dtype) for s in shapes]
    found = []
    for lib in (torch, wengert):
        lib.manual_seed(11)
        layer = make(lib.nn).to(getattr(lib, dtype))
        inputs = [lib.from_numpy(a.copy()).requires_grad_() for a in arrays]
        out = layer(*inputs)
        (out * out).sum().backward()
        parameters = dict(layer.named_parameters())
        found.append(
            {"out": out, "next random number": lib.rand(1), **{f"input {i}": x.grad for i, x in enumerate(inputs)}}
            | parameters
            | {name + ".grad": p.grad for name, p in parameters.items()}
        )
    theirs, ours = found
    assert theirs.keys() == ours.keys()
    tolerance = 2e-5 if dtype == "float32" else 1e-12
    for key, x in theirs.items():
        y = ours[key]
        assert str(y.dtype) == str(x.dtype)
        np.testing.assert_allclose(y.detach().numpy(), x.detach().numpy(), rtol=tolerance, atol=tolerance, err_msg=key)
    for p in make(wengert.nn).parameters():
        assert type(p) is wengert.nn.Parameter
