"""After the same seed, the same numbers as PyTorch: integers and uniforms bit for bit, the others within an ulp."""

# ruff: noqa: B023 (functions made in loops are called at once)

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import wengert  # noqa: E402
from wengert import _distributions  # noqa: E402

from ..random_numbers import CALLS, DIGITS, drawn, read, ulps, write  # noqa: E402

SIZES = [*range(19), 31, 32, 33, 47, 48, 63, 1000, 5000]
SEEDS = [0, 1, 42, -1, 2**63, -(2**63), 2**64 - 1, 2**40 + 3]
FLOATS = ["float32", "float64", "float16", "bfloat16"]
INTEGERS = ["int64", "int32", "int16", "int8", "uint8", "bool"]


def array_of(x):
    """A tensor of either library as an array; of bfloat16, as the float32 of the same values."""
    if isinstance(x, torch.Tensor):
        x = x.detach()
        return x.float().numpy() if x.dtype is torch.bfloat16 else x.numpy()
    return x._array.astype(np.float32) if x.dtype is wengert.bfloat16 else x._array


def same(theirs, ours, tolerance=0):
    """Assert that two tensors are alike in dtype, shape, strides and, up to so many ulps, in their values."""
    name = str(theirs.dtype).removeprefix("torch.")
    assert ours.dtype.name == name
    assert tuple(ours.shape) == tuple(theirs.shape)
    if theirs.numel():
        assert [s for s, n in zip(ours.stride(), ours.shape) if n > 1] == [
            s for s, n in zip(theirs.stride(), theirs.shape) if n > 1
        ]
    a, b = array_of(theirs), array_of(ours)
    if tolerance:
        assert ulps(np.ascontiguousarray(a), np.ascontiguousarray(b), DIGITS[name]) <= tolerance
    else:
        assert a.tobytes() == b.tobytes()


def same_state():
    assert torch.get_rng_state().numpy().tobytes() == wengert.get_rng_state()._array.tobytes()


def both(draw, tolerance=0):
    same(draw(torch), draw(wengert), tolerance)
    same_state()


def seeded(seed):
    for t in (torch, wengert):
        t.manual_seed(seed)
    same_state()


FLOAT_DRAWS = {
    "rand": (0, lambda t, n, d: t.rand(n, dtype=d)),
    "uniform_": (0, lambda t, n, d: t.empty(n, dtype=d).uniform_(-0.1, 0.7)),
    "uniform_ of a power of two": (0, lambda t, n, d: t.empty(n, dtype=d).uniform_(-1, 1)),
    "uniform_ far from zero": (0, lambda t, n, d: t.empty(n, dtype=d).uniform_(1000, 1000.5)),
    "uniform_ of nothing": (0, lambda t, n, d: t.empty(n, dtype=d).uniform_(3, 3)),
    "randn": (1, lambda t, n, d: t.randn(n, dtype=d)),
    "normal_": (1, lambda t, n, d: t.empty(n, dtype=d).normal_(0.3, 1.7)),
    "normal_ without width": (1, lambda t, n, d: t.empty(n, dtype=d).normal_(2, 0)),
    "normal": (1, lambda t, n, d: t.normal(0.1, 0.02, (n,), dtype=d)),
    "exponential_": (1, lambda t, n, d: t.empty(n, dtype=d).exponential_(1.7)),
    "cauchy_": (1, lambda t, n, d: t.empty(n, dtype=d).cauchy_(0.3, 1.7)),
    "log_normal_": (1, lambda t, n, d: t.empty(n, dtype=d).log_normal_(0.3, 0.7)),
    "geometric_": (0, lambda t, n, d: t.empty(n, dtype=d).geometric_(0.3)),
    "bernoulli_": (0, lambda t, n, d: t.empty(n, dtype=d).bernoulli_(0.3)),
    "bernoulli": (0, lambda t, n, d: t.bernoulli(t.rand(n, dtype=d))),
    "bernoulli of p": (0, lambda t, n, d: t.bernoulli(t.empty(n, dtype=d), 0.6)),
    "random_": (0, lambda t, n, d: t.empty(n, dtype=d).random_()),
    "random_ to": (0, lambda t, n, d: t.empty(n, dtype=d).random_(200)),
    "randint": (0, lambda t, n, d: t.randint(-50, 100, (n,), dtype=d)),
    "randperm": (0, lambda t, n, d: t.randperm(min(n, 2049), dtype=d)),
    "poisson": (0, lambda t, n, d: t.poisson(t.rand(n, dtype=d) * 40)),
    "multinomial": (0, lambda t, n, d: t.multinomial(t.rand(3, n + 1, dtype=d), 1)),
    "multinomial with replacement": (0, lambda t, n, d: t.multinomial(t.rand(2, n + 1, dtype=d), 7, True)),
}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", FLOAT_DRAWS)
def test_floating_point_at_every_size(name, dtype):
    tolerance, draw = FLOAT_DRAWS[name]
    seeded(7)
    for n in SIZES:
        both(lambda t: draw(t, n, getattr(t, dtype)), tolerance)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_at_every_size(dtype):
    seeded(7)
    for n in SIZES:
        both(lambda t: t.empty(n, dtype=getattr(t, dtype)).random_())
        both(lambda t: t.randint(2, (n,), dtype=getattr(t, dtype)))
        both(lambda t: t.empty(n, dtype=getattr(t, dtype)).bernoulli_(0.7))
        if dtype != "bool":
            both(lambda t: t.empty(n, dtype=getattr(t, dtype)).geometric_(0.01))
            both(lambda t: t.randint(3, 100, (n,), dtype=getattr(t, dtype)))
            both(lambda t: t.randperm(min(n, 128), dtype=getattr(t, dtype)))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_at_every_size(dtype):
    seeded(7)
    for n in SIZES:
        both(lambda t: t.rand(n, dtype=getattr(t, dtype)))
        both(lambda t: t.randn(n, dtype=getattr(t, dtype)), 1)
        both(lambda t: t.empty(n, dtype=getattr(t, dtype)).uniform_(-2, 0.3))
        both(lambda t: t.empty(n, dtype=getattr(t, dtype)).normal_(1, 3), 1)


RANGES = [
    (0, 1), (-5, 17), (0, 2**28 - 1), (0, 2**28), (3, 2**28 + 3), (0, 2**32), (0, 2**32 + 1), (-(2**40), 2**41),
    (-(2**62), 2**63 - 1), (0, 2**63 - 1), (-(2**63), 2**63 - 1),
]  # fmt: skip
FLOAT_RANGES = [
    (0, 2**11), (0, 2**15), (5, 2**11 + 2), (-300, 5), (0, 2**24 + 1), (0, 2**25), (0, 2**28), (0, 2**28 + 7),
    (0, 2**40), (-(2**24) - 3, 2**24), (-(2**40) - 1, 2**41 + 1), (2**24 + 1, 2**24 + 3), (-(2**62), 2**62),
    (0, 2**63 - 1), (0, None), (-3, None), (-(2**31), None), (-(2**63), None), (2**12 + 1, None),
    (2**25 + 1, 2**25 + 2),
]  # fmt: skip


@pytest.mark.parametrize("ends", RANGES, ids=str)
def test_ranges_of_integers(ends):
    for seed in SEEDS:
        seeded(seed)
        for n in (1, 5, 1000):
            both(lambda t: t.randint(*ends, (n,)))
            both(lambda t: t.empty(n, dtype=t.int64).random_(*ends))


@pytest.mark.filterwarnings("ignore:.*is out of bounds:UserWarning")
@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
def test_ranges_that_a_dtype_has_or_lacks(dtype):
    seeded(3)
    for ends in [*FLOAT_RANGES, *RANGES]:
        compare(lambda t: t.empty(300, dtype=getattr(t, dtype)).random_(*ends))
        same_state()


@pytest.mark.parametrize("seed", SEEDS)
def test_seeds_and_sequences(seed):
    seeded(seed)
    assert torch.initial_seed() == wengert.initial_seed()
    both(lambda t: t.randn(3), 1)  # leaves a normal waiting
    both(lambda t: t.rand(5))
    both(lambda t: t.randn(16), 1)  # which passes it by
    both(lambda t: t.randn(2, dtype=t.float64), 1)  # which takes it
    both(lambda t: t.randn(1, dtype=t.float64), 1)
    both(lambda t: t.randint(10, (3,)))
    both(lambda t: t.randn(1, 1, dtype=t.float16), 1)
    both(lambda t: t.from_numpy(np.zeros((7, 3), np.float32).T).normal_(), 1)
    both(lambda t: t.normal(t.zeros(3), t.ones(3)), 1)
    both(lambda t: t.randn(15), 1)
    seeded(seed)
    both(lambda t: t.randn(1), 1)


def test_the_recorded_numbers_are_those_of_pytorch():
    assert read() == [drawn(torch, seed, call) for seed, call in CALLS]


def test_the_state_at_every_place():
    seeded(11)
    for _ in range(1300):
        both(lambda t: t.rand(1))


def test_states_are_exchanged():
    seeded(5)
    wengert.randn(7)
    wengert.rand(700)
    torch.set_rng_state(torch.from_numpy(wengert.get_rng_state()._array.copy()))
    both(lambda t: t.randn(5), 1)
    torch.rand(1234)
    torch.randn(1)
    wengert.set_rng_state(wengert.from_numpy(torch.get_rng_state().numpy().copy()))
    both(lambda t: t.randn(5), 1)
    same_state()


def test_long_permutations():
    seeded(5)
    for n in (8191, 8192, 8193, 60000, 300000):
        both(lambda t: t.randperm(n))


def test_generators_of_ones_own():
    seeded(5)
    mine = {t: t.Generator().manual_seed(9) for t in (torch, wengert)}
    for _ in range(3):
        both(lambda t: t.randn(5, generator=mine[t]), 1)
        both(lambda t: t.randperm(5, generator=mine[t]))
        both(lambda t: t.randint(5, (4,), generator=mine[t]))
        both(lambda t: t.empty(4).uniform_(generator=mine[t]))
        both(lambda t: t.multinomial(t.ones(4), 2, generator=mine[t]))
        both(lambda t: t.bernoulli(t.full((4,), 0.5), generator=mine[t]))
        both(lambda t: t.normal(t.zeros(4), 2.0, generator=mine[t]), 1)
        both(lambda t: t.rand_like(t.zeros(4), generator=mine[t]))
        both(lambda t: mine[t].get_state())
        both(lambda t: mine[t].clone_state().get_state())
    assert torch.Generator().initial_seed() == wengert.Generator().initial_seed()


TARGETS = {
    "transposed": lambda d: np.zeros((8, 5), d).T,
    "small and transposed": lambda d: np.zeros((3, 4), d).T,
    "a column": lambda d: np.zeros((40, 2), d)[:, 0],
    "every other column": lambda d: np.zeros((8, 10), d)[:, ::2],
    "permuted": lambda d: np.zeros((2, 4, 5), d).transpose(1, 2, 0),
    "permuted otherwise": lambda d: np.zeros((2, 4, 5), d).transpose(2, 0, 1),
    "channels last": lambda d: np.zeros((2, 4, 5, 3), d).transpose(0, 3, 1, 2),
    "a block": lambda d: np.zeros((10, 10), d)[2:7, 1:9],
    "a block, transposed": lambda d: np.zeros((10, 10), d)[2:7, 1:9].T,
    "with lengths of one": lambda d: np.zeros((1, 7, 1, 3), d).transpose(3, 2, 0, 1),
    "without dimensions": lambda d: np.zeros((), d),
    "empty": lambda d: np.zeros((0, 3), d).T,
    "dense": lambda d: np.zeros((3, 4, 5), d),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "complex64"])
@pytest.mark.parametrize("target", TARGETS)
def test_layouts(target, dtype):
    def of(t):
        return t.from_numpy(TARGETS[target](dtype))

    seeded(1)
    both(lambda t: of(t).uniform_(-1, 2))
    both(lambda t: of(t).normal_(1, 2), 1)
    both(lambda t: t.rand_like(of(t)))
    both(lambda t: t.randn_like(of(t)), 1)
    both(lambda t: t.randn_like(of(t), memory_format=t.contiguous_format), 1)
    if dtype != "complex64":
        both(lambda t: of(t).exponential_(), 1)
        both(lambda t: of(t).bernoulli_(0.4))
        both(lambda t: of(t).bernoulli_(of(t).uniform_()))
        both(lambda t: t.bernoulli(of(t).uniform_()))
        both(lambda t: t.bernoulli(of(t), 0.3))
        both(lambda t: of(t).random_(0, 100))
        both(lambda t: t.randint_like(of(t), 3, 100))
        both(lambda t: t.normal(of(t).uniform_(), 2.0), 1)
        both(lambda t: t.poisson(of(t).uniform_(0, 20)))


def test_bernoulli_with_probabilities_of_another_dtype():
    seeded(1)
    for target, p in itertools.product(["float32", "float64", "float16", "int64", "bool"], FLOATS):
        both(lambda t: t.from_numpy(np.zeros((6, 8), target).T).bernoulli_(t.rand(8, 6, dtype=getattr(t, p))))
        both(lambda t: t.zeros(6, 8, dtype=getattr(t, target)).bernoulli_(t.rand(8, dtype=getattr(t, p))))


@pytest.mark.parametrize("dtype", FLOATS[:3])
@pytest.mark.parametrize("target", TARGETS)
def test_dropout_mask(target, dtype):
    seeded(1)
    for p in (0.1, 0.5, 0.73):
        x = np.full_like(TARGETS[target](dtype), 3.7)
        theirs = torch.nn.functional.dropout(torch.from_numpy(x), p)
        ours = x * _distributions.dropout_mask(wengert.default_generator._stream, x, p)
        same(theirs, wengert.from_numpy(np.asarray(ours)))
        same_state()


def test_normal_with_tensors():
    seeded(1)
    for mean, std in itertools.product(["float32", "float64", "float16"], repeat=2):
        for n in (3, 20):
            both(lambda t: t.normal(t.rand(n, dtype=getattr(t, mean)), t.rand(n, dtype=getattr(t, std))), 1)
            both(lambda t: t.normal(t.rand(n, 1, dtype=getattr(t, mean)), t.rand(2, dtype=getattr(t, std))), 1)
            both(lambda t: t.normal(t.rand(n, dtype=getattr(t, mean)), 0.3), 1)
            both(lambda t: t.normal(0.7, t.rand(n, dtype=getattr(t, std))), 1)
            both(lambda t: t.normal(t.rand(n, dtype=getattr(t, mean))), 1)
    both(lambda t: t.normal(t.zeros(30), t.ones(30, dtype=t.int64)), 1)
    both(lambda t: t.normal(t.zeros(30, dtype=t.complex64), 2.0), 1)
    both(lambda t: t.normal(t.tensor(1.0), t.tensor(2.0), (20,)), 1)
    both(lambda t: t.normal(t.zeros(3), t.ones(3), out=t.empty(3, dtype=t.float64)), 1)
    both(lambda t: t.normal(0.0, 1.0, (4,), out=t.empty(4, dtype=t.float64)), 1)


def test_multinomial():
    seeded(1)
    for n, count in ((5, 3), (5, 5), (1, 1), (300, 20), (1000, 999)):
        for dtype in ("float32", "float64"):
            both(lambda t: t.multinomial(t.rand(n, dtype=getattr(t, dtype)), count))
            both(lambda t: t.multinomial(t.rand(4, n, dtype=getattr(t, dtype)), count))
            both(lambda t: t.multinomial(t.from_numpy(array_of(t.rand(n, 4, dtype=getattr(t, dtype))).T), count))
            both(lambda t: t.multinomial(t.rand(4, n, dtype=getattr(t, dtype)), 3 * count, replacement=True))
            both(lambda t: t.rand(n, dtype=getattr(t, dtype)).multinomial(1, True))
    both(lambda t: t.multinomial(t.tensor([0.0, 3.0, 0.0, 1.0]), 2))
    both(lambda t: t.multinomial(t.zeros(0, 3), 2))
    both(lambda t: t.multinomial(t.ones(3), 2, out=t.empty(2, dtype=t.int64)))


def test_sizes_and_outputs():
    seeded(1)
    for call in (
        lambda t: t.rand(),
        lambda t: t.rand(()),
        lambda t: t.rand([]),
        lambda t: t.rand(2, 3),
        lambda t: t.rand((2, 3)),
        lambda t: t.rand(t.Size([2, 3])),
        lambda t: t.rand(size=(2, 3)),
        lambda t: t.rand(0, 4),
        lambda t: t.rand(5, out=t.empty(5)),
        lambda t: t.rand(5, out=t.empty(0)),
        lambda t: t.rand(5, out=t.empty(5, dtype=t.float64)),
        lambda t: t.randn(17, out=t.empty(17, dtype=t.float16)),
        lambda t: t.randint(3, (2,), out=t.empty(2)),
        lambda t: t.randperm(5, out=t.empty(5)),
        lambda t: t.randperm(5, out=t.empty(0, dtype=t.int64)),
        lambda t: t.bernoulli(t.ones(4), out=t.empty(4, dtype=t.int64)),
        lambda t: t.randint(high=3, size=(2,)),
        lambda t: t.randint(low=1, high=3, size=(2,)),
        lambda t: t.randint(5, high=10, size=(2,)),
        lambda t: t.randint(5, 10, size=[2]),
        lambda t: t.randint(t.tensor(3), (2,)),
        lambda t: t.randint_like(t.zeros(3), 5),
        lambda t: t.randint_like(t.zeros(3), 2, 5),
        lambda t: t.randint_like(t.zeros(3), low=1, high=5),
        lambda t: t.randint_like(t.zeros(3, dtype=t.int64), t.tensor(4)),
        lambda t: t.rand_like(t.zeros(3, dtype=t.int64), dtype=t.float64),
        lambda t: t.empty(3).uniform_(to=3),
        lambda t: t.empty(3).uniform_(**{"from": -1}),
        lambda t: t.empty(3).uniform_(t.tensor(0.0), t.tensor(1.0)),
        lambda t: t.empty(3).random_(to=5),
        lambda t: t.empty(3).random_(**{"from": 2, "to": 5}),
        lambda t: t.empty(3).exponential_(float("inf")),
        lambda t: t.empty(3).normal_(float("nan")),
        lambda t: t.empty(20).normal_(float("inf")),
        lambda t: t.poisson(t.tensor([1e20, float("inf"), 0.0])),
        lambda t: t.empty(3, dtype=t.float64).cauchy_(float("nan")),
    ):
        compare(call)
        same_state()


def test_requires_grad_and_leaves():
    for call in (
        lambda t: t.rand(3, requires_grad=True),
        lambda t: t.randn(3, requires_grad=True),
        lambda t: t.randint(3, (3,), dtype=t.float32, requires_grad=True),
        lambda t: t.normal(0.0, 1.0, (3,), requires_grad=True),
        lambda t: t.rand_like(t.ones(3), requires_grad=True),
        lambda t: t.rand_like(t.ones(3, requires_grad=True)),
    ):
        assert call(torch).requires_grad == call(wengert).requires_grad
        assert call(torch).is_leaf == call(wengert).is_leaf


NODES = {
    "uniform_": lambda t, x: x.uniform_(),
    "normal_": lambda t, x: x.normal_(),
    "exponential_": lambda t, x: x.exponential_(),
    "log_normal_": lambda t, x: x.log_normal_(),
    "cauchy_": lambda t, x: x.cauchy_(),
    "geometric_": lambda t, x: x.geometric_(0.5),
    "random_": lambda t, x: x.random_(),
    "random_ to": lambda t, x: x.random_(5),
    "random_ from": lambda t, x: x.random_(1, 5),
    "bernoulli_": lambda t, x: x.bernoulli_(),
    "bernoulli_ of probabilities": lambda t, x: x.bernoulli_(x.detach()),
    "bernoulli": lambda t, x: t.bernoulli(x),
    "poisson": lambda t, x: t.poisson(x),
    "normal of mean": lambda t, x: t.normal(x, 1.0),
    "normal of std": lambda t, x: t.normal(0.0, x),
    "normal": lambda t, x: t.normal(x, x),
}


@pytest.mark.parametrize("name", NODES)
def test_history(name):
    nodes, gradients = [], []
    for t in (torch, wengert):
        leaf = t.ones(3, requires_grad=True)
        out = NODES[name](t, leaf * 0.5)
        assert out.requires_grad
        nodes.append((out.grad_fn.name(), [f is not None for f, _ in out.grad_fn.next_functions]))
        out.backward(t.ones(3))
        gradients.append(array_of(leaf.grad).tolist())
        version = leaf.detach()._version
        NODES[name](t, leaf.detach())
        assert leaf._version == version + name.split()[0].endswith("_")
        if name.split()[0].endswith("_"):
            with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place"):
                NODES[name](t, leaf)
            with t.no_grad():
                NODES[name](t, leaf)
            assert leaf.is_leaf
            assert leaf.requires_grad
    assert nodes[0] == nodes[1]
    assert gradients[0] == gradients[1]


# ------------------------------------------------------------------------------------------------ errors


def outcome(call, t):
    """What a call gives or raises, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call(t)
        except Exception as error:
            result = error
    return result, [str(w.message).partition("(Trig")[0].strip() for w in caught if w.category is UserWarning]


def compare(call, tolerance=1):
    """Assert that both libraries give the same, or raise the same type of exception with the same words first."""
    (theirs, warned), (ours, warns) = outcome(call, torch), outcome(call, wengert)
    if isinstance(theirs, Exception):
        assert type(ours) is type(theirs), (theirs, ours)
        words = str(theirs).partition("(Could this")[0].strip().rstrip(".")
        if isinstance(theirs, TypeError):  # which argument is wrong is said in words of one's own
            words = words.partition(")")[0]
        assert str(ours).startswith(words), (str(theirs), str(ours))
        return
    if isinstance(ours, Exception):
        raise ours
    assert warns == warned
    if isinstance(theirs, torch.Tensor):
        same(theirs, ours, tolerance if theirs.is_floating_point() or theirs.is_complex() else 0)


INF, NAN = float("inf"), float("nan")
MISUSES = [
    *(
        lambda t, low=low, high=high, d=d: t.empty(3, dtype=getattr(t, d)).uniform_(low, high)
        for low, high in [
            (2, 1), (NAN, 1), (-INF, 1), (-3e38, 3e38), (-1e39, 1), (0, 1e39), (-60000, 60000), (0, 70000), (0, NAN),
        ]
        for d in ("float32", "float64", "float16", "bfloat16", "complex64")
    ),
    *(
        lambda t, d=d, name=name: getattr(t.empty(3, dtype=getattr(t, d)), name)()
        for d in ("int64", "bool", "complex64", "uint8")
        for name in ("uniform_", "normal_", "exponential_", "cauchy_", "log_normal_", "random_", "bernoulli_")
    ),
    *(lambda t, d=d: t.empty(3, dtype=getattr(t, d)).geometric_(0.5) for d in ("int64", "bool", "complex64")),
    *(lambda t, s=s: t.empty(3).normal_(0, s) for s in (-1, NAN, -0.125)),
    *(lambda t, s=s: t.empty(3).log_normal_(0, s) for s in (-1, 0, NAN)),
    *(lambda t, s=s: t.empty(3).cauchy_(0, s) for s in (-1, 0, NAN)),
    *(lambda t, s=s: t.empty(3).exponential_(s) for s in (-1, 0, NAN)),
    *(lambda t, p=p: t.empty(3).geometric_(p) for p in (-0.5, 0, 1, 1.5, NAN)),
    *(lambda t, p=p: t.empty(3).bernoulli_(p) for p in (-0.5, 1.5, NAN)),
    *(lambda t, p=p: t.bernoulli(t.tensor([0.5, p])) for p in (-0.5, 1.5, NAN)),
    *(lambda t, d=d: t.bernoulli(t.tensor([1, 0], dtype=getattr(t, d))) for d in ("int64", "bool", "complex64")),
    *(lambda t, p=p: t.empty(3).bernoulli_(t.tensor(p)) for p in ([0.5, 2, 0], [0.5, 0.2], [1, 0, 1], [[0.5], [0.2]])),
    lambda t: t.bernoulli(t.tensor([0.5]), 1.5),
    lambda t: t.bernoulli([0.5]),
    lambda t: t.empty(3).bernoulli_("a"),
    lambda t: t.empty(3).uniform_(1, 2, 3),
    lambda t: t.empty(3).uniform_("a"),
    lambda t: t.empty(3).uniform_(0, 1 + 2j),
    lambda t: t.empty(3).uniform_(generator=3),
    lambda t: t.empty(3).uniform_(foo=3),
    lambda t: t.empty(3).normal_("a"),
    lambda t: t.empty(3).normal_(None),
    lambda t: t.empty(3).geometric_(),
    lambda t: t.empty(3).geometric_("a"),
    lambda t: t.ones(3, requires_grad=True)[:2].normal_(),
    lambda t: t.ones(3).random_(0),
    lambda t: t.ones(3).random_(-1),
    lambda t: t.ones(3).random_(5, 2),
    lambda t: t.ones(3).random_(1.5),
    lambda t: t.ones(3).random_(True),
    lambda t: t.ones(3).random_(2**63),
    lambda t: t.ones(3).random_(**{"from": 2}),
    lambda t: t.rand(-1),
    lambda t: t.rand(2, -3),
    lambda t: t.rand(2.5),
    lambda t: t.rand("a"),
    lambda t: t.rand((2,), (3,)),
    lambda t: t.rand(size=3),
    lambda t: t.rand(2, size=(3,)),
    lambda t: t.rand(2, generator=3),
    lambda t: t.rand(2, dtype=t.int64),
    lambda t: t.rand(2, dtype=t.bool),
    lambda t: t.rand(2, out=t.empty(2, dtype=t.int64)),
    lambda t: t.rand(2, out=t.empty(2, dtype=t.float64), dtype=t.float32),
    lambda t: t.rand(2, out=[1]),
    lambda t: t.rand(2, foo=1),
    lambda t: t.randn(2, dtype=t.int32),
    lambda t: t.randn(-2),
    lambda t: t.randint(3),
    lambda t: t.randint(3, 2),
    lambda t: t.randint(0, 10, 2),
    lambda t: t.randint(3.5, (2,)),
    lambda t: t.randint(True, (2,)),
    lambda t: t.randint(0, (2,)),
    lambda t: t.randint(3, 1, (2,)),
    lambda t: t.randint(-3, (2,)),
    lambda t: t.randint(1, 2**63, (2,)),
    lambda t: t.randint(3, (-2,)),
    lambda t: t.randint(300, (2,), dtype=t.uint8),
    lambda t: t.randint(3, (2,), dtype=t.bool),
    lambda t: t.randint(3, (2,), dtype=t.complex64),
    lambda t: t.randint(3, (2,), requires_grad=True),
    lambda t: t.randint(5, 10, (2,), low=3),
    lambda t: t.randperm(-1),
    lambda t: t.randperm(2.5),
    lambda t: t.randperm(True),
    lambda t: t.randperm("a"),
    lambda t: t.randperm(2, dtype=t.bool),
    lambda t: t.randperm(2, dtype=t.complex64),
    lambda t: t.randperm(257, dtype=t.uint8),
    lambda t: t.randperm(129, dtype=t.int8),
    lambda t: t.randperm(100000, dtype=t.int16),
    lambda t: t.randperm(2050, dtype=t.float16),
    lambda t: t.randperm(5, requires_grad=True),
    lambda t: t.rand_like(3),
    lambda t: t.rand_like(t.ones(2, dtype=t.int64)),
    lambda t: t.randn_like(t.ones(2, dtype=t.int64)),
    lambda t: t.randint_like(t.ones(2)),
    lambda t: t.randint_like(t.ones(2), 5, 2),
    lambda t: t.normal(0.0, 1.0),
    lambda t: t.normal(0.0, -1.0, (2,)),
    lambda t: t.normal(0.0, 1.0, 2),
    lambda t: t.normal(0.0, 1.0, (2, -1)),
    lambda t: t.normal(0.0, 1.0, (2,), dtype=t.int64),
    lambda t: t.normal(t.zeros(2), -1.0),
    lambda t: t.normal(t.zeros(2), t.tensor([1.0, -1.0])),
    lambda t: t.normal(0.0, t.tensor([1.0, NAN])),
    lambda t: t.normal(t.zeros(2), t.ones(3)),
    lambda t: t.normal(t.zeros(2), t.ones(2), (2,)),
    lambda t: t.normal(t.zeros(2, dtype=t.int64), 1.0),
    lambda t: t.normal(0, t.ones(2, dtype=t.int64)),
    lambda t: t.normal(t.zeros(2), t.ones(2, dtype=t.complex64)),
    lambda t: t.multinomial(t.ones(3), 4),
    lambda t: t.multinomial(t.ones(3), 0),
    lambda t: t.multinomial(t.ones(3), -1),
    *(
        lambda t, w=w, n=n, replacement=replacement: t.multinomial(t.tensor(w), n, replacement)
        for w in (
            [0.0, 0.0, 0.0], [1.0, -1.0, 0.0], [1.0, NAN, 0.0], [1.0, INF, 0.0], [1, 1, 1], [True, True], 1.0,
            [[[1.0]]],
        )
        for n in (1, 2)
        for replacement in (False, True)
    ),
    lambda t: t.multinomial(t.tensor([[1.0, 1.0], [0.0, 0.0]]), 1),
    lambda t: t.multinomial(t.ones(0), 2),
    lambda t: t.multinomial(t.ones(2, 0), 2),
    lambda t: t.multinomial(t.ones(3), 2.5),
    lambda t: t.multinomial(t.ones(3), 2, out=t.empty(2)),
    lambda t: t.multinomial(t.ones(3), 2, generator=5),
    lambda t: t.multinomial([1.0], 1),
    lambda t: t.poisson(t.tensor([-1.0])),
    lambda t: t.poisson(t.tensor([NAN])),
    lambda t: t.poisson(t.tensor([1])),
    lambda t: t.manual_seed("a"),
    lambda t: t.manual_seed(None),
    lambda t: t.manual_seed(2**64),
    lambda t: t.manual_seed(-(2**63) - 1),
    lambda t: t.Generator().manual_seed("a"),
    lambda t: t.Generator().manual_seed(1.5),
    lambda t: t.Generator().manual_seed(True),
    lambda t: t.Generator().manual_seed(2**64),
    lambda t: t.Generator().get_offset(),
    lambda t: t.Generator().set_offset(3),
    lambda t: t.Generator().graphsafe_get_state(),
    lambda t: t.Generator().set_state([1]),
    lambda t: t.Generator().set_state(t.zeros(5056)),
    lambda t: t.Generator().set_state(t.zeros(10, dtype=t.uint8)),
    lambda t: t.Generator().set_state(t.zeros(5056, dtype=t.uint8)),
    lambda t: t.Generator().set_state(t.from_numpy(np.zeros((5056, 2), np.uint8)[:, 0])),
    lambda t: t.set_rng_state(t.zeros(3)),
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(MISUSES)))
def test_misuse(place):
    seeded(2)
    before = wengert.get_rng_state()._array.tobytes()
    compare(MISUSES[place])
    if isinstance(outcome(MISUSES[place], wengert)[0], Exception):
        assert wengert.get_rng_state()._array.tobytes() == before


if __name__ == "__main__":
    write([drawn(torch, seed, call) for seed, call in CALLS])
