"""Tensors print as PyTorch's do, to the letter, under every print option."""

from __future__ import annotations

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import wengert  # noqa: E402
from wengert.tensor import wrap  # noqa: E402

CASES = 500  # of each dtype
DTYPES = [
    "bool", "uint8", "int8", "int16", "int32", "int64",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip
BOUNDARIES = [1e-4, 9.999999e-5, 0.1, 0.3, 0.7, 1, 100, 300, 700, 1000, 1001, 99999, 1e5, 99999999.5, 1e8, 100000008]
ROUNDING = [9.99995, 99.99999, 0.99999, -9.99995, 999.99999, 1]
SPECIAL = [0.0, -0.0, np.nan, np.inf, -np.inf]

LONGEST = {0: 1, 1: 60, 2: 12, 3: 6, 4: 4, 5: 3}


@pytest.fixture(autouse=True)
def defaults():
    yield
    for library in (torch, wengert):
        library.set_printoptions(profile="default")
        library.set_default_dtype(library.float32)


def some_shape(rng):
    ndim = int(rng.choice([0, 1, 1, 1, 2, 2, 3, 4, 5]))
    if ndim and rng.random() < 0.1:  # more than a thousand elements
        return tuple(rng.integers(2, {1: 1300, 2: 60, 3: 14, 4: 9, 5: 7}[ndim], ndim).tolist())
    return tuple(rng.integers(0 if rng.random() < 0.1 else 1, LONGEST[ndim] + 1, ndim).tolist())


def some_floats(rng, n):
    base = rng.uniform(0.01, 2)
    kinds = [
        lambda: rng.integers(-10, 10, n) * 1.0,
        lambda: rng.integers(-(10**9), 10**9, n) // 10 ** rng.integers(0, 9, n) * 1.0,
        lambda: rng.normal(size=n),
        lambda: rng.normal(size=n) * 10.0 ** rng.integers(-12, 12),
        lambda: rng.normal(size=n) * 10.0 ** rng.integers(-6, 6, n),
        lambda: np.zeros(n),
        lambda: rng.choice(BOUNDARIES, n),
        lambda: rng.choice([base, base * 1000, -base * 1000], n),
        lambda: rng.uniform(0, 1, n).round(int(rng.integers(0, 5))),
        lambda: rng.choice(ROUNDING, n),
        lambda: 10.0 ** rng.uniform(-320, 308, n),
    ]
    values = kinds[rng.integers(len(kinds))]()
    if rng.random() < 0.25:
        values = np.where(rng.random(n) < rng.random(), rng.choice(SPECIAL, n), values)
    return values


def some_array(rng, name, shape):
    n = math.prod(shape)
    if name == "bool":
        values = rng.random(n) < rng.choice([0, 0.5, 1])
    elif "int" in name:
        limits = np.iinfo(name)
        low, high = (limits.min, limits.max) if rng.random() < 0.5 else (max(limits.min, -12), 12)
        values = rng.integers(low, high, n, dtype=name, endpoint=True)
    elif name.startswith("complex"):
        values = np.empty(n, complex)
        values.real, values.imag = some_floats(rng, n), some_floats(rng, n)
    else:
        values = some_floats(rng, n)
    with np.errstate(all="ignore"):
        return values.astype(getattr(wengert, name).numpy).reshape(shape)


def some_options(rng):
    choices = {
        "profile": ["short", "full", "default", "no such profile"],
        "precision": range(9),
        "threshold": [0, 1, 5, 20, 100, 1000, math.inf],
        "edgeitems": [0, 1, 2, 3, 4, 7],
        "linewidth": range(200),
        "sci_mode": [None, True, False],
    }
    if rng.random() < 0.5:
        return {}
    return {name: values[rng.integers(len(values))] for name, values in choices.items() if rng.random() < 0.35}


def torch_tensor(array):
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(np.array(array.view(np.int16))).view(torch.bfloat16)
    return torch.from_numpy(np.array(array))


def pair(rng, array):
    """The array as a tensor of either library: a constant, a leaf, a result or a parameter."""
    theirs, ours = torch_tensor(array), wrap(array)
    if not (ours.is_floating_point() or ours.is_complex()):
        return theirs, ours
    kind = rng.integers(4)
    if kind == 1:
        theirs.requires_grad_()
        ours.requires_grad_()
    elif kind == 2:
        theirs.requires_grad_()
        ours.requires_grad_()
        theirs, ours = theirs.reshape((1, *theirs.shape)).squeeze(0), ours.reshape((1, *ours.shape)).squeeze(0)
    elif kind == 3:
        trained = bool(rng.random() < 0.7)
        theirs, ours = torch.nn.Parameter(theirs, trained), wengert.nn.Parameter(ours, trained)
    return theirs, ours


@pytest.mark.parametrize("name", DTYPES)
def test_random_tensors(name):
    if name == "bfloat16":
        pytest.importorskip("ml_dtypes")
    rng = np.random.default_rng(DTYPES.index(name))
    for _ in range(CASES):
        array, options = some_array(rng, name, some_shape(rng)), some_options(rng)
        default = "float64" if rng.random() < 0.1 else "float32"
        for library in (torch, wengert):
            library.set_default_dtype(getattr(library, default))
            library.set_printoptions(profile="default")
            library.set_printoptions(**options)
        assert wengert.get_printoptions() == torch._tensor_str.get_printoptions()
        theirs, ours = pair(rng, array)
        assert repr(ours) == repr(theirs), (array.shape, options, default)


SPECS = ["", ".2f", "d", ">10", "<40", "s", "10", "e", "g", "+.3", "x", "nonsense"]


def outcome(call, *args):
    try:
        return call(*args)
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("name", DTYPES)
def test_format(name):
    if name == "bfloat16":
        pytest.importorskip("ml_dtypes")
    rng = np.random.default_rng(DTYPES.index(name))
    for shape in [(), (), (), (), (1,), (2,), (0,), (1, 1)]:
        theirs, ours = pair(rng, some_array(rng, name, shape))
        for spec in SPECS:
            assert outcome(format, ours, spec) == outcome(format, theirs, spec)
        assert f"{ours}" == f"{theirs}"
        assert str(ours) == str(theirs)


def of_class(name, m, x):
    kind = type(name, (m.Tensor,), {})
    if m is torch:
        return x.as_subclass(kind)
    x.__class__ = kind
    return x


def parameter_class(name, *shape):
    return lambda m: type(name, (m.nn.Parameter,), {})(m.ones(shape) / 3)


def marked(m):
    x = of_class("Mine", m, m.ones(2))
    x._is_param = True
    return x


def custom(m):
    class Twice(m.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    return Twice.apply(m.ones(2, requires_grad=True))


def dual(*shape, **options):
    def make(m):
        with m.autograd.forward_ad.dual_level():
            return repr(m.autograd.forward_ad.make_dual(m.ones(shape, **options), m.ones(shape, **options)))

    return make


def closed_level(m):
    with m.autograd.forward_ad.dual_level():
        x = m.autograd.forward_ad.make_dual(m.ones(2), m.ones(2))
    return repr(x)


MADE = {
    "a subclass": lambda m: of_class("Mine", m, m.ones(2, 3)),
    "a subclass, wrapped": lambda m: of_class("Mine", m, m.arange(30.0)),
    "a subclass of the same name": lambda m: of_class("Tensor", m, m.ones(2)),
    "a subclass named Parameter": lambda m: of_class("Parameter", m, m.ones(2)),
    "a subclass marked as a parameter": marked,
    "a kind of parameter": parameter_class("Weight", 2, 3),
    "a kind of parameter, 0-d": parameter_class("Weight"),
    "a kind of parameter, wrapped": parameter_class("Weight", 30),
    "a kind of parameter, empty": parameter_class("Weight", 0, 3),
    "a kind of parameter named Parameter": parameter_class("Parameter", 2),
    "a kind of parameter named Tensor": parameter_class("Tensor", 2),
    "a kind of parameter's format": lambda m: f"{parameter_class('Weight')(m)}",
    "a kind of parameter's product": lambda m: parameter_class("Weight", 2)(m) * 2,
    "a view written to": lambda m: (m.ones(3, requires_grad=True) * 1).relu_()[:2].mul_(2),
    "a custom function's result": custom,
    "a 0-d dual": dual(),
    "a dual": dual(2),
    "an empty dual": dual(0),
    "a dual matrix": dual(2, 3),
    "a dual that requires a gradient": dual(2, requires_grad=True),
    "a dual after its level": closed_level,
    "a transpose": lambda m: m.arange(6.0).reshape(2, 3).t(),
    "an expanded number": lambda m: m.ones(1).expand(2000),
    "other contents": lambda m: m.ones(2, dtype=m.float64).__repr__(tensor_contents="[1, and again]"),
    "other contents of nothing": lambda m: m.zeros(0, 3).__repr__(tensor_contents="none"),
}


@pytest.mark.filterwarnings("ignore:.*torch.jit.script.*:DeprecationWarning")  # PyTorch's own, of its dual tensors
@pytest.mark.parametrize("name", MADE)
def test_made(name):
    for library in (torch, wengert):
        __import__(f"{library.__name__}.autograd.forward_ad")
    assert str(MADE[name](wengert)) == str(MADE[name](torch))
