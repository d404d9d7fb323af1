"""Integers and truth values: powers, squares and rows of numbers are PyTorch's, and so are the errors and the nodes' names."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import wengert  # noqa: E402

CALLS = [
    lambda T: T.pow(T.tensor([0, 1, -1, 2, -1, 3]), T.tensor([-1, -2, -3, -1, -2, 0])),
    lambda T: 2 ** T.tensor([-1, 0, 3]),
    lambda T: T.pow(-1, T.tensor([-1, 0, -4])),
    lambda T: T.pow(T.tensor([True]), T.tensor([True])),
    lambda T: T.tensor([True, False]) ** 2,
    lambda T: T.tensor([True, False]) ** True,
    lambda T: T.square(T.tensor([True, False])),
    lambda T: T.tensor([True]).square_(),
    lambda T: T.rsub(2, T.tensor([1])),
    lambda T: T.rsub(T.tensor([1]), 2, 3),
    lambda T: T.linspace(0, 3, 1.0),
    lambda T: T.logspace(0, 3, 1.0),
    lambda T: T.linspace(0, 3, -1),
    lambda T: T.linspace(T.tensor([0.0]), 3, 4),
    lambda T: T.linspace(0, 3j, 4, dtype=T.float32),
    lambda T: T.linspace(4.3, -3, 50, dtype=T.int64),
    lambda T: T.linspace(-1.5, 1.5, 7, dtype=T.int64),
    lambda T: T.logspace(0, -3, 2, dtype=T.int64),
    lambda T: T.logspace(0.5, 3.7, 5, base=2, dtype=T.int64),
    lambda T: T.logspace(0, -3, 1, dtype=T.int64),
    lambda T: T.logspace(0, 3, 4, out=T.empty(4, dtype=T.int64)),
    lambda T: T.arange(0.0, -8.000001, -4.0, dtype=T.int64),
    lambda T: T.arange(0.5, 8.5, 1.5, dtype=T.int64),
    lambda T: T.arange(0, 64, 0.5, out=T.empty(0, dtype=T.int64)),
    lambda T: T.arange(0, 5, 0),
    lambda T: T.arange(0.9, 5, 1.9, dtype=T.int32),
    lambda T: T.arange(0.0, -8.000001, -4.0, dtype=T.int16),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_values_and_errors(number):
    outcomes = []
    for T in (torch, wengert):
        try:
            made = CALLS[number](T)
            outcomes.append((made.tolist(), str(made.dtype)))
        except (RuntimeError, TypeError, ValueError, NotImplementedError) as error:
            outcomes.append(error)
    want, got = outcomes
    if not isinstance(want, Exception):
        assert got == want
        return
    assert type(got) is type(want)
    assert str(got).startswith(str(want).split(", but expected one of")[0].rstrip("."))


@pytest.mark.parametrize("name", ["remainder", "fmod", "rsub"])
def test_the_node_beside_a_number_has_another_name(name):
    for other in (2.0, [1.5]):
        names = []
        for T in (torch, wengert):
            x = T.tensor([3.0], requires_grad=True)
            names.append(getattr(T, name)(x, T.tensor(other) if isinstance(other, list) else other).grad_fn.name())
        assert names[0] == names[1]
