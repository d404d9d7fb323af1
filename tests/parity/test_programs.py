"""Random programs of views, writes, passes and hooks: the same values, gradients, versions and errors as PyTorch's.

Each program keeps a list of tensors and makes its steps on them, chosen by a seed, under both libraries. Left out is what PyTorch
itself is of two minds about: hooks on a view that is written, operands that overlap in memory, and a write to what an in-place
function has kept of its own result, which PyTorch refuses to differentiate and wengert has a copy of.
"""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import wengert  # noqa: E402

EXPECTED = (RuntimeError, IndexError)


class Program:
    """One program under one library."""

    def __init__(self, library):
        self.T = library
        self.tensors = []
        self.hooked = []
        self.viewed = False

        class Square(library.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                y = x * x
                ctx.save_for_backward(x, y)
                return y

            @staticmethod
            def backward(ctx, g):
                x, y = ctx.saved_tensors
                return g * 2 * y / x

        class Triple(library.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                x.mul_(3)
                ctx.mark_dirty(x)
                return x

            @staticmethod
            def backward(ctx, g):
                return g * 3

        self.square, self.triple = Square.apply, Triple.apply

    def pick(self, wanted=lambda x: True):
        fitting = [x for x in self.tensors if wanted(x)]
        return self.random.choice(fitting) if fitting else None

    def like(self, x):
        return self.pick(lambda y: y.shape == x.shape)

    def step(self, name, seed):
        self.random = random.Random(seed)
        made = getattr(self, name if self.tensors else "leaf")(seed)
        if made is not None:
            self.tensors.append(made)

    # ------------------------------------------------------------------------------------ new tensors

    def constant(self, seed):
        values = np.random.RandomState(seed % 2**32).uniform(0.5, 1.5, (2, 3)).round(3).tolist()
        return self.T.tensor(values, dtype=self.T.float64)

    def leaf(self, seed):
        return self.constant(seed).requires_grad_()

    def arithmetic(self, seed):
        a = self.pick()
        b = self.like(a) if self.random.random() < 0.8 else 2
        return self.random.choice([lambda: a + b, lambda: a * b, lambda: a - b])()

    def function(self, seed):
        return getattr(self.pick(), self.random.choice(["tanh", "sin", "cos", "exp", "neg", "square"]))()

    def own_function(self, seed):
        return self.square(self.pick())

    def joined(self, seed):
        a = self.pick(lambda x: x.ndim and x.shape[0] < 7)
        return None if a is None else self.T.cat([a, self.like(a)], 0)

    def detached(self, seed):
        a = self.pick(lambda x: not x._is_view())
        return None if a is None else a.detach()

    def cloned(self, seed):
        return self.pick().clone()

    def unrecorded(self, seed):
        with self.T.no_grad():
            return self.pick() * 2

    def view(self, seed):
        self.viewed = True
        a = self.pick(lambda x: x.ndim)
        if a is None:
            return None
        n = a.shape[0]
        ways = [lambda: a[self.random.randrange(n)], lambda: a[: max(1, n - 1)], lambda: a[None], lambda: a.view_as(a)]
        if a.ndim == 2:
            ways += [lambda: a.t(), lambda: a[:, self.random.randrange(a.shape[1])]]
        return self.random.choice(ways)()

    # ------------------------------------------------------------------------------------ writes

    def write_number(self, seed):
        a = self.pick()
        self.random.choice(
            [lambda: a.mul_(2), lambda: a.add_(1), lambda: a.zero_(), lambda: a.fill_(0.3), lambda: a.neg_()]
        )()

    def write_tensor(self, seed):
        a = self.pick()
        b = self.pick(lambda y: y.shape == a.shape and not y._is_view() and not a._is_view())
        if b is not None:
            getattr(a, self.random.choice(["mul_", "add_", "sub_", "copy_"]))(b)

    def write_part(self, seed):
        a = self.pick(lambda x: x.ndim)
        if a is not None:
            a[self.random.randrange(a.shape[0])] = 0.25

    def write_unrecorded(self, seed):
        a = self.pick(lambda x: not x._is_view())
        if a is not None and not self.viewed:
            with self.T.no_grad():
                a.mul_(0.5)

    def write_by_function(self, seed):
        a = self.pick(lambda x: not x._is_view() and not x.is_leaf and not x.retains_grad)
        return None if a is None else self.triple(a)

    # ------------------------------------------------------------------------------------ passes and hooks

    def backward(self, seed):
        a = self.pick()
        inputs = self.pick(lambda x: x.is_leaf and x.requires_grad) if self.random.random() < 0.2 else None
        options = {"retain_graph": self.random.random() < 0.6, "create_graph": self.random.random() < 0.25}
        a.sum().backward(inputs=None if inputs is None else [inputs], **options)

    def gradient(self, seed):
        a, x = self.pick(), self.pick()
        options = {"create_graph": self.random.random() < 0.4, "retain_graph": self.random.random() < 0.7}
        (g,) = self.T.autograd.grad(a.sum(), x, allow_unused=True, **options)
        return None if g is None else g * 1.0

    def hook(self, seed):
        a = self.pick(lambda x: not x._is_view())
        if a is not None:
            a.register_hook(lambda g: self.hooked.append(float(g.sum())))

    def leaf_hook(self, seed):
        a = self.pick(lambda x: x.is_leaf and x.requires_grad)
        if a is not None:
            a.register_post_accumulate_grad_hook(lambda p: self.hooked.append(float(p.grad.sum())))

    def retained(self, seed):
        self.pick().retain_grad()

    def reset(self, seed):
        a = self.pick(lambda x: x.is_leaf)
        if a is not None:
            a.grad = None

    def forgotten(self, seed):
        self.tensors.pop(self.random.randrange(len(self.tensors)))

    # ------------------------------------------------------------------------------------ what is compared

    def state(self):
        return [self.of(x) for x in self.tensors]

    def of(self, x):
        grad = x.grad if x.is_leaf or x.retains_grad else None
        return {
            "value": x.detach().numpy().copy(),
            "requires_grad": x.requires_grad,
            "is_leaf": x.is_leaf,
            "version": x._version,
            "is_view": x._is_view(),
            "grad": None if grad is None else grad.detach().numpy().copy(),
        }


STEPS = {
    "leaf": 3, "constant": 2, "arithmetic": 9, "function": 4, "own_function": 2, "joined": 1, "detached": 2, "cloned": 2,
    "unrecorded": 1, "view": 6, "write_number": 4, "write_tensor": 3, "write_part": 3, "write_unrecorded": 2,
    "write_by_function": 1, "backward": 5, "gradient": 4, "hook": 1, "leaf_hook": 1, "retained": 2, "reset": 1, "forgotten": 1,
}  # fmt: skip


def same(a, b):
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.shape == b.shape and np.allclose(a, b, 1e-9, 1e-11, equal_nan=True)
    return type(a) is type(b) and a == b


@pytest.mark.parametrize("seed", range(200))
def test_programs(seed):
    theirs, ours = Program(torch), Program(wengert)
    order = random.Random(seed)
    past = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(25):
            name = order.choices(list(STEPS), list(STEPS.values()))[0]
            outcomes = []
            for program in (theirs, ours):
                try:
                    program.step(name, 1000 * seed + k)
                    outcomes.append(None)
                except EXPECTED as error:
                    outcomes.append((type(error), str(error)[:40]))
            past.append((name, outcomes[0]))
            assert outcomes[0] == outcomes[1], past
            assert len(theirs.tensors) == len(ours.tensors), past
            assert np.allclose(theirs.hooked, ours.hooked, equal_nan=True), past
            for i, (a, b) in enumerate(zip(theirs.state(), ours.state(), strict=True)):
                for key in a:
                    assert same(a[key], b[key]), (i, key, a[key], b[key], past)
