"""Initialisers give the same values as PyTorch's after the same seed, and the same errors and warnings."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import wengert  # noqa: E402
import wengert.nn.init  # noqa: E402

from .test_random import array_of, compare, same, same_state, seeded  # noqa: E402

SHAPES = [(1, 1), (2, 3), (3, 2), (3, 5), (4, 4), (16, 2), (5, 7), (3, 4, 5), (6, 2, 3, 3), (2, 2, 3, 1, 2), (100, 64)]
INITIALISERS = {
    "uniform_": lambda i, x: i.uniform_(x, -0.3, 0.4),
    "normal_": lambda i, x: i.normal_(x, 1, 0.2),
    "constant_": lambda i, x: i.constant_(x, 0.3),
    "ones_": lambda i, x: i.ones_(x),
    "zeros_": lambda i, x: i.zeros_(x),
    "xavier_uniform_": lambda i, x: i.xavier_uniform_(x),
    "xavier_uniform_ with a gain": lambda i, x: i.xavier_uniform_(x, gain=i.calculate_gain("tanh")),
    "xavier_normal_": lambda i, x: i.xavier_normal_(x, 1.7),
    "kaiming_uniform_": lambda i, x: i.kaiming_uniform_(x, a=5**0.5),
    "kaiming_uniform_ backward": lambda i, x: i.kaiming_uniform_(x, mode="fan_out", nonlinearity="relu"),
    "kaiming_normal_": lambda i, x: i.kaiming_normal_(x),
    "kaiming_normal_ for selu": lambda i, x: i.kaiming_normal_(x, nonlinearity="selu", mode="FAN_OUT"),
    "trunc_normal_": lambda i, x: i.trunc_normal_(x),
    "trunc_normal_ of small width": lambda i, x: i.trunc_normal_(x, std=0.02),
    "trunc_normal_ on one side": lambda i, x: i.trunc_normal_(x, 0.5, 2.0, 0.0, 3.0),
    "trunc_normal_ in a tail": lambda i, x: i.trunc_normal_(x, a=1.0, b=3.0),
    "trunc_normal_ in a narrow range": lambda i, x: i.trunc_normal_(x, 0.1, 0.3, 0.2, 0.4),
    "trunc_normal_ of nothing": lambda i, x: i.trunc_normal_(x, a=1.0, b=1.0),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("name", INITIALISERS)
def test_values(name, dtype):
    seeded(3)
    for shape in SHAPES:
        for requires_grad in (False, True):
            made = []
            for t in (torch, wengert):
                x = t.empty(shape, dtype=getattr(t, dtype), requires_grad=requires_grad)
                assert INITIALISERS[name](t.nn.init, x) is x
                assert x.is_leaf
                assert x.grad_fn is None
                made.append(x)
            same(*made, tolerance=1)
            same_state()


@pytest.mark.parametrize("name", INITIALISERS)
def test_layouts(name):
    seeded(3)
    for make in (
        lambda: np.zeros((8, 5), np.float32).T,
        lambda: np.zeros((8, 10), np.float32)[:, ::2],
        lambda: np.zeros((3, 2, 4, 4), np.float32).transpose(0, 3, 1, 2),
    ):
        same(*(INITIALISERS[name](t.nn.init, t.from_numpy(make())) for t in (torch, wengert)), tolerance=1)
        same_state()


def test_orthogonal():
    seeded(3)
    for shape in [(1, 1), (2, 3), (3, 2), (20, 20), (3, 4, 5), (0, 3)]:
        theirs, ours = (array_of(t.nn.init.orthogonal_(t.empty(shape, dtype=t.float64), 1.3)) for t in (torch, wengert))
        np.testing.assert_allclose(ours, theirs, atol=1e-13)
        theirs, ours = (array_of(t.nn.init.orthogonal_(t.empty(shape))) for t in (torch, wengert))
        np.testing.assert_allclose(ours, theirs, atol=1e-5)
        same_state()


def test_a_generator_of_ones_own():
    seeded(3)
    mine = {t: t.Generator().manual_seed(9) for t in (torch, wengert)}
    for call in (
        lambda t: t.nn.init.uniform_(t.empty(5), generator=mine[t]),
        lambda t: t.nn.init.normal_(t.empty(5), generator=mine[t]),
        lambda t: t.nn.init.trunc_normal_(t.empty(50), generator=mine[t]),
        lambda t: t.nn.init.xavier_uniform_(t.empty(5, 2), generator=mine[t]),
        lambda t: t.nn.init.xavier_normal_(t.empty(5, 2), generator=mine[t]),
        lambda t: t.nn.init.kaiming_uniform_(t.empty(5, 2), generator=mine[t]),
        lambda t: t.nn.init.kaiming_normal_(t.empty(5, 2), generator=mine[t]),
        lambda t: t.nn.init.sparse_(t.empty(5, 2), 0.5, generator=mine[t]),
    ):
        same(call(torch), call(wengert), tolerance=1)
        same_state()
        assert mine[torch].get_state().numpy().tobytes() == mine[wengert].get_state()._array.tobytes()


OTHERS = [
    *(
        lambda t, call=call: call(t.nn.init, t.empty)
        for call in (
            lambda i, e: i.eye_(e(3, 5)),
            lambda i, e: i.eye_(e(3)),
            lambda i, e: i.dirac_(e(2, 3, 3)),
            lambda i, e: i.dirac_(e(4, 2, 3), 2),
            lambda i, e: i.dirac_(e(4, 2, 2), 3),
            lambda i, e: i.dirac_(e(3, 2, 2, 2)),
            lambda i, e: i.dirac_(e(3, 2, 3, 1, 2)),
            lambda i, e: i.dirac_(e(3)),
            lambda i, e: i.sparse_(e(6, 4), 0.4, 0.02),
            lambda i, e: i.sparse_(e(6, 40), 0.0),
            lambda i, e: i.sparse_(e(6, 4), 1.0),
            lambda i, e: i.sparse_(e(6), 1.0),
            lambda i, e: i.orthogonal_(e(6)),
            lambda i, e: i.uniform_(e(3), 2, 1),
            lambda i, e: i.normal_(e(3), 0, -1),
            lambda i, e: i.trunc_normal_(e(30), mean=-5.0),
            lambda i, e: i.trunc_normal_(e(30), mean=5.0),
            lambda i, e: i.trunc_normal_(e(30), std=-1),
            lambda i, e: i.trunc_normal_(e(3), std=0),
            lambda i, e: i.trunc_normal_(e(3), a=2.0, b=1.0),
            lambda i, e: i.xavier_uniform_(e(3)),
            lambda i, e: i.xavier_normal_(e(())),
            lambda i, e: i.xavier_uniform_(e(0, 3)),
            lambda i, e: i.xavier_uniform_(e(2, 3), gain=-1),
            lambda i, e: i.kaiming_uniform_(e(0, 3)),
            lambda i, e: i.kaiming_normal_(e(0, 3)),
            lambda i, e: i.kaiming_normal_(e(3)),
            lambda i, e: i.kaiming_normal_(e(2, 3), mode="foo"),
            lambda i, e: i.kaiming_normal_(e(2, 3), nonlinearity="foo"),
            lambda i, e: i.kaiming_uniform_(e(2, 3), a="x"),
            lambda i, e: i.kaiming_uniform_(e(2, 3), a=-1),
            lambda i, e: i.uniform_([1, 2]),
            lambda i, e: i.xavier_uniform_([1, 2]),
            lambda i, e: i.calculate_gain("gelu"),
            lambda i, e: i.calculate_gain("leaky_relu", True),
        )
    ),
    lambda t: t.nn.init.uniform_(t.empty(3, dtype=t.int64)),
    lambda t: t.nn.init.trunc_normal_(t.empty(3, dtype=t.int64)),
    lambda t: t.nn.init.zeros_(t.empty(3, dtype=t.int64)),
    lambda t: t.nn.init.eye_(t.empty(2, 3, dtype=t.int64)),
]


@pytest.mark.parametrize("place", range(len(OTHERS)))
def test_others_and_misuse(place):
    seeded(2)
    compare(OTHERS[place])


def test_gains():
    for name in ("linear", "conv2d", "conv_transpose3d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"):
        assert wengert.nn.init.calculate_gain(name) == torch.nn.init.calculate_gain(name)
    for slope in (0.2, 1, 0, -3.5):
        assert wengert.nn.init.calculate_gain("leaky_relu", slope) == torch.nn.init.calculate_gain("leaky_relu", slope)


@pytest.mark.parametrize("name", ["uniform", "normal", "xavier_normal", "kaiming_uniform", "eye", "orthogonal"])
def test_former_names(name):
    seeded(2)
    messages = []
    for t in (torch, wengert):
        with pytest.warns(FutureWarning) as caught:
            getattr(t.nn.init, name)(t.empty(3, 4))
        messages.append([str(w.message) for w in caught])
    assert messages[0] == messages[1]
