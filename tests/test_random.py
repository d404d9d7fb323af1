"""Random numbers: those that PyTorch gave, what holds of them whatever they are, and the generators behind them."""

from __future__ import annotations

import contextlib
import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import wengert
from wengert import _distributions
from wengert._fma import fma32, fma64
from wengert._mersenne import Mersenne
from wengert._shuffle import shuffled

from .random_numbers import CALLS, DIGITS, drawn, read, ulps

SIZES = [0, 1, 2, 7, 15, 16, 17, 31, 32, 33, 1000]
FLOATS = ["float32", "float64", "float16", "bfloat16"]


def bits(x):
    return x._array.tobytes()


def state():
    return bits(wengert.get_rng_state())


# ------------------------------------------------------------------------------------------------ the numbers


@pytest.mark.parametrize("recorded", read(), ids=lambda r: f"{r['call']} after {r['seed']}")
def test_recorded_numbers(recorded):
    found = drawn(wengert, recorded["seed"], recorded["call"])
    if recorded["call"].startswith("~"):
        dtype = recorded["dtype"]
        a, b = (np.array([complex(v) for v in x["values"]]) for x in (found, recorded))
        assert found["dtype"] == dtype
        assert ulps(a, b, DIGITS[dtype]) <= 1
    else:
        assert found == recorded


def test_every_call_is_recorded():
    assert [(r["seed"], r["call"]) for r in read()] == CALLS


def test_the_twister_is_the_one_of_the_cplusplus_standard():
    assert Mersenne(5489).words(10000)[-1] == 4123659995


def test_chunks_do_not_show():
    """Long draws are made in pieces; together they are what short ones are."""
    for name in ("singles", "doubles"):
        whole = getattr(Mersenne(3), name)(40001)
        stream = Mersenne(3)
        parts = [getattr(stream, name)(n) for n in (1, 16383, 2, 23615)]
        assert np.array_equal(whole, np.concatenate(parts))


@pytest.mark.parametrize("exact", [True, False])
def test_a_normal_waits_for_whoever_asks_next(exact):
    whole = Mersenne(3).normals(401, exact)
    stream = Mersenne(3)
    parts = [stream.normals(n, exact) for n in (1, 2, 1, 97, 0, 300)]
    assert ulps(whole, np.concatenate(parts), 53) <= (0 if exact else 4)
    assert stream.waiting is not None
    stream.seed(3)
    assert stream.waiting is None


MOMENTS = {
    "rand": (lambda n: wengert.rand(n), 1 / 2, 1 / 12),
    "rand in float16": (lambda n: wengert.rand(n, dtype=wengert.float16), 1 / 2, 1 / 12),
    "uniform_": (lambda n: wengert.empty(n).uniform_(-1, 3), 1, 16 / 12),
    "randn": (lambda n: wengert.randn(n), 0, 1),
    "randn one by one": (lambda n: wengert.from_numpy(np.empty((n, 2), np.float32)[:, 0]).normal_(), 0, 1),
    "randn in float64": (lambda n: wengert.randn(n, dtype=wengert.float64), 0, 1),
    "randint": (lambda n: wengert.randint(2, 12, (n,)), 6.5, 99 / 12),
    "random_": (lambda n: wengert.empty(n, dtype=wengert.int8).random_(), 63.5, (128**2 - 1) / 12),
    "exponential_": (lambda n: wengert.empty(n).exponential_(2.0), 1 / 2, 1 / 4),
    "geometric_": (lambda n: wengert.empty(n).geometric_(0.25), 4, 12),
    "bernoulli_": (lambda n: wengert.empty(n).bernoulli_(0.3), 0.3, 0.21),
    "bernoulli": (lambda n: wengert.bernoulli(wengert.full((n,), 0.3)), 0.3, 0.21),
    "poisson of a low rate": (lambda n: wengert.poisson(wengert.full((n,), 3.0)), 3, 3),
    "poisson of a high rate": (lambda n: wengert.poisson(wengert.full((n,), 50.0)), 50, 50),
    "log_normal_": (
        lambda n: wengert.empty(n).log_normal_(0, 0.5),
        math.exp(0.125),
        (math.exp(0.25) - 1) * math.exp(0.25),
    ),
    "multinomial": (lambda n: wengert.multinomial(wengert.tensor([1.0, 2.0, 1.0]), n, True), 1, 0.5),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_mean_and_variance(name):
    draw, mean, variance = MOMENTS[name]
    wengert.manual_seed(20)
    n = 40000
    x = draw(n)._array.astype(np.float64)
    assert abs(x.mean() - mean) < 5 * math.sqrt(variance / n)
    assert abs(x.var() / variance - 1) < 0.1


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_upper_end_is_never_reached(dtype):
    wengert.manual_seed(1)
    x = wengert.empty(200000, dtype=getattr(wengert, dtype)).uniform_(-1, 3)._array.astype(np.float64)
    assert x.min() >= -1
    assert x.max() < 3


@settings(max_examples=200, deadline=None)
@given(low=st.integers(-(2**63), 2**63 - 2), size=st.integers(1, 2**63), seed=st.integers(0, 2**64 - 1))
@example(low=-(2**63), size=2**63, seed=0)
@example(low=0, size=2**28 - 1, seed=0)
def test_integers_stay_in_their_range(low, size, seed):
    high = min(low + size, 2**63 - 1)
    wengert.manual_seed(seed)
    x = wengert.randint(low, high, (50,))._array
    assert int(x.min()) >= low
    assert int(x.max()) < high


@pytest.mark.parametrize("n", [0, 1, 2, 3, 50, 1000])
def test_permutations_have_every_number_once(n):
    wengert.manual_seed(1)
    assert sorted(wengert.randperm(n).tolist()) == list(range(n))


@settings(max_examples=30, deadline=None)
@given(count=st.integers(1, 20000), seed=st.integers(0, 2**32 - 1))
@example(count=8192, seed=0)
@example(count=8193, seed=0)
@example(count=20000, seed=0)
def test_exchanges_by_the_batch_are_those_one_by_one(count, seed):
    rng = np.random.default_rng(seed)
    reach = rng.integers(1, count + 1)  # targets nearby share places often
    targets = np.minimum(np.arange(count) + rng.integers(0, reach, count), count - 1)
    order = list(range(count))
    for i, j in enumerate(targets.tolist()):
        order[i], order[j] = order[j], order[i]
    assert shuffled(targets).tolist() == order


def test_samples_without_replacement_differ():
    wengert.manual_seed(1)
    x = wengert.multinomial(wengert.rand(200, 10), 7)._array
    assert all(len(set(row)) == 7 for row in x.tolist())


def test_what_has_no_weight_is_not_sampled():
    wengert.manual_seed(1)
    weights = wengert.tensor([0.0, 1.0, 0.0, 2.0])
    assert set(wengert.multinomial(weights, 300, replacement=True).tolist()) == {1, 3}
    assert sorted(wengert.multinomial(weights, 2).tolist()) == [1, 3]


def test_dropout_mask():
    base = np.empty((1000, 3), np.float32)
    mask = _distributions.dropout_mask(Mersenne(1), base, 0.2)
    assert mask.shape == (1000, 3)
    assert set(np.unique(mask).tolist()) == {0.0, 1.25}
    assert abs(mask.mean() - 1) < 0.05
    transposed = _distributions.dropout_mask(Mersenne(1), base.T, 0.2)
    assert transposed.strides == base.T.strides
    assert np.array_equal(transposed.T, mask)


@pytest.mark.parametrize("n", SIZES)
def test_layout_decides_the_order(n):
    """A transposed tensor is filled in the order of its memory, so that its base is what a dense tensor would be."""
    base = np.zeros((n, 3), np.float32)
    wengert.manual_seed(1)
    wengert.from_numpy(base.T).uniform_()
    wengert.manual_seed(1)
    assert base.tobytes() == bits(wengert.rand(n, 3))


# ------------------------------------------------------------------------------------------------ fused multiply-add

finite32 = st.floats(-(2.0**50), 2.0**50, width=32)
finite64 = st.floats(-1e100, 1e100).filter(lambda x: x == 0 or abs(x) > 1e-100)


def nearest32(exact):
    """The float32 nearest to a fraction, the even one of two."""
    guess = np.float32(float(exact))
    around = [np.nextafter(guess, np.float32(-np.inf)), guess, np.nextafter(guess, np.float32(np.inf))]
    return min(around, key=lambda v: (abs(Fraction(float(v)) - exact), int(v.view(np.int32)) & 1))


@settings(deadline=None)
@given(finite32, finite32, finite32)
@example(1.0 + 2.0**-23, 1.0 + 2.0**-23, 2.0**60)
@example(float(np.float32(0.1)), 3.0, float(np.float32(0.3)))
def test_fma32_rounds_once(x, scale, shift):
    exact = Fraction(x) * Fraction(scale) + Fraction(shift)
    found = fma32(np.array([x], np.float32), scale, shift)[0]
    if abs(exact) > 2.0**-100:
        assert found == nearest32(exact)


def test_fma32_where_rounding_twice_would_show():
    # the sum lies 2**-70 below the middle of two float32, which is what float64 makes of it
    x, scale, shift = 1.0 + 2.0**-23, 2.0**-24 * (1.0 - 2.0**-23), 1.0 + 2.0**-23
    assert np.float32(x * scale + shift) == 1.0 + 2.0**-22
    assert fma32(np.array([x], np.float32), scale, shift)[0] == 1.0 + 2.0**-23


@settings(deadline=None)
@given(finite64, finite64, finite64)
@example(0.1, 3.0, -0.3)
@example(1.0 + 2.0**-52, 1.0 - 2.0**-53, -1.0)
def test_fma64_rounds_once(x, scale, shift):
    exact = Fraction(x) * Fraction(scale) + Fraction(shift)
    found = fma64(np.array([x]), scale, shift)[0]
    if exact == 0 or abs(exact) > 1e-200:
        assert found == float(exact)


def test_fma64_at_the_ends_of_the_range():
    x = np.array([1.0, -1.0, 0.5])
    assert fma64(x.copy(), math.inf, 1.0).tolist() == [math.inf, -math.inf, math.inf]
    assert fma64(x.copy(), 3.0, math.inf).tolist() == [math.inf] * 3
    assert np.isnan(fma64(x.copy(), 3.0, math.nan)).all()
    assert fma64(x.copy(), 1e300, 1.0).tolist() == [1e300, -1e300, 5e299]


# ------------------------------------------------------------------------------------------------ generators


def test_the_state_comes_back():
    wengert.manual_seed(3)
    wengert.randn(3)
    saved = wengert.get_rng_state()
    assert tuple(saved.shape) == (5056,)
    assert saved.dtype is wengert.uint8
    first = [bits(wengert.randn(5)), bits(wengert.rand(700)), bits(wengert.randperm(9))]
    wengert.set_rng_state(saved)
    assert [bits(wengert.randn(5)), bits(wengert.rand(700)), bits(wengert.randperm(9))] == first


@pytest.mark.parametrize("count", [0, 1, 623, 624, 625, 1248])
def test_a_state_loads_as_it_was_saved(count):
    stream = Mersenne(7)
    stream.words(count)
    other = Mersenne(8)
    other.load(stream.state())
    assert other.state().tobytes() == stream.state().tobytes()
    assert other.initial_seed == 7
    assert other.words(1000).tolist() == stream.words(1000).tolist()


def test_a_generator_leaves_the_default_one_alone():
    wengert.manual_seed(3)
    before = state()
    g = wengert.Generator()
    assert g.manual_seed(3) is g
    x = wengert.rand(4, generator=g)
    wengert.empty(3).normal_(generator=g)
    wengert.randperm(3, generator=g)
    wengert.multinomial(wengert.ones(3), 1, generator=g)
    assert state() == before
    assert bits(x) == bits(wengert.rand(4))


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g)), lambda g: g.clone_state()]
)
def test_a_copied_generator_goes_on_by_itself(again):
    g = wengert.Generator().manual_seed(4)
    wengert.randn(3, generator=g)
    other = again(g)
    assert other.initial_seed() == 4
    first = bits(wengert.randn(5, generator=other))
    assert bits(wengert.randn(5, generator=g)) == first


def test_seeds():
    for seed in (0, -1, -(2**63), 2**64 - 1):
        assert wengert.manual_seed(seed) is wengert.default_generator
        assert wengert.initial_seed() == seed % 2**64
    first = wengert.seed()
    assert wengert.initial_seed() == first
    assert wengert.seed() != first
    assert wengert.Generator().seed() != wengert.Generator().seed()
    assert wengert.Generator().initial_seed() == wengert.Generator("cpu").initial_seed()
    assert wengert.Generator().device == wengert.Generator(device="cpu").device
    wengert.manual_seed(5)
    first = bits(wengert.rand(3))
    wengert.random.manual_seed("5")
    assert bits(wengert.rand(3)) == first


def test_fork_rng():
    wengert.manual_seed(3)
    wengert.randn(1)
    before = state()
    with wengert.random.fork_rng():
        wengert.manual_seed(4)
        wengert.randn(3)
    assert state() == before
    with contextlib.suppress(KeyError), wengert.random.fork_rng(devices=[]):
        wengert.rand(3)
        raise KeyError
    assert state() == before

    @wengert.random.fork_rng()
    def draw():
        return bits(wengert.rand(3))

    assert draw() == draw()
    assert state() == before
    with wengert.random.fork_rng(enabled=False):
        wengert.rand(3)
    assert state() != before
    with pytest.raises(AssertionError, match="CUDA"), wengert.random.fork_rng(devices=[0]):
        raise AssertionError


# ------------------------------------------------------------------------------------------------ tensors

FILLS = {
    "uniform_": lambda x: x.uniform_(),
    "normal_": lambda x: x.normal_(),
    "exponential_": lambda x: x.exponential_(),
    "cauchy_": lambda x: x.cauchy_(),
    "log_normal_": lambda x: x.log_normal_(),
    "geometric_": lambda x: x.geometric_(0.5),
    "random_": lambda x: x.random_(),
    "bernoulli_": lambda x: x.bernoulli_(),
    "bernoulli_ of probabilities": lambda x: x.bernoulli_(wengert.full((3,), 0.5)),
}


@pytest.mark.parametrize("name", FILLS)
def test_fills_are_in_place(name):
    x = wengert.zeros(3)
    array = x._array
    assert FILLS[name](x) is x
    assert x._array is array
    assert x._version == 1
    leaf = wengert.zeros(3, requires_grad=True)
    before = state()
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        FILLS[name](leaf)
    assert leaf.tolist() == [0.0] * 3
    assert leaf._version == 0
    assert state() == before
    with wengert.no_grad():
        FILLS[name](leaf)
    assert leaf.is_leaf
    y = leaf * 2
    FILLS[name](y)
    y.backward(wengert.ones(3))
    assert leaf.grad.tolist() == [0.0] * 3


def test_a_fill_spoils_what_was_kept():
    x = wengert.ones(3, requires_grad=True) * 2
    y = x * x
    x.normal_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward(wengert.ones(3))


def test_no_node_keeps_what_was_drawn():
    import weakref

    x = wengert.ones(3, requires_grad=True) * 2
    y = wengert.bernoulli(x * 0.25)
    gone = weakref.ref(y._array)
    node = y.grad_fn
    del y
    assert gone() is None
    assert node.name() == "BernoulliBackward0"


@pytest.mark.parametrize(
    "call",
    [
        lambda: wengert.rand(2, -1),
        lambda: wengert.rand(2, dtype=wengert.int64),
        lambda: wengert.rand(2, generator=3),
        lambda: wengert.randn(2, out=wengert.empty(2, dtype=wengert.int64)),
        lambda: wengert.randint(0, (2,)),
        lambda: wengert.randint(300, (2,), dtype=wengert.uint8),
        lambda: wengert.randint(3, (2,), requires_grad=True),
        lambda: wengert.randperm(300, dtype=wengert.uint8),
        lambda: wengert.empty(2).uniform_(1, 0),
        lambda: wengert.empty(2).normal_(0, -1),
        lambda: wengert.empty(2).bernoulli_(2),
        lambda: wengert.empty(2).bernoulli_(wengert.tensor([0.5, 2.0])),
        lambda: wengert.empty(2).geometric_(0),
        lambda: wengert.empty(2).exponential_(-1),
        lambda: wengert.normal(wengert.zeros(2), wengert.tensor([1.0, -1.0])),
        lambda: wengert.multinomial(wengert.zeros(3), 1),
        lambda: wengert.multinomial(wengert.ones(3), 4),
        lambda: wengert.poisson(wengert.tensor([-1.0])),
        lambda: wengert.set_rng_state(wengert.zeros(5056, dtype=wengert.uint8)),
        lambda: wengert.set_rng_state(wengert.zeros(3, dtype=wengert.uint8)),
    ],
)
def test_what_raises_has_drawn_nothing(call):
    wengert.manual_seed(3)
    before = state()
    with pytest.raises((RuntimeError, TypeError, NotImplementedError)):
        call()
    assert state() == before
