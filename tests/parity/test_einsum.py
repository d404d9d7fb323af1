"""`einsum` on random equations: values, gradients and errors of PyTorch; and the products that are made of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

import wengert  # noqa: E402

SIZES = {"i": 2, "j": 3, "k": 4, "l": 1, "M": 2, "n": 3}


@st.composite
def equations(draw):
    """An equation and shapes that fit it, with ellipses, repeated subscripts, and lengths of 1 that broadcast."""
    count = draw(st.integers(1, 4))
    hidden = draw(st.lists(st.integers(1, 3), max_size=2)) if draw(st.booleans()) else None
    operands, shapes = [], []
    for _ in range(count):
        letters = draw(st.lists(st.sampled_from(sorted(SIZES)), max_size=3))
        dims = [SIZES[s] if draw(st.integers(0, 5)) or letters.count(s) > 1 else 1 for s in letters]
        if hidden is not None and draw(st.booleans()):
            covered = hidden[draw(st.integers(0, len(hidden))) :]
            at = draw(st.integers(0, len(letters)))
            letters.insert(at, "...")
            dims[at:at] = [n if draw(st.integers(0, 4)) else 1 for n in covered]
        operands.append("".join(letters))
        shapes.append(tuple(dims))
    equation = ",".join(operands)
    if draw(st.booleans()):
        seen = sorted({s for s in equation if s.isalpha()})
        result = draw(st.permutations(seen))[: draw(st.integers(0, len(seen)))] if seen else []
        if "..." in equation and draw(st.booleans()):
            result.insert(draw(st.integers(0, len(result))), "...")
        equation += "->" + "".join(result)
    return equation, shapes


def run(T, equation, arrays, weights):
    xs = [T.from_numpy(a.copy()).requires_grad_() for a in arrays]
    y = T.einsum(equation, *xs)
    w = T.from_numpy(np.asarray(weights(tuple(y.shape))))
    grads = T.autograd.grad((y * w).sum(), xs)
    return y.detach().numpy(), [g.numpy() for g in grads]


@settings(max_examples=400)
@given(equations(), st.integers(0, 10**6))
def test_random_equations(drawn, seed):
    equation, shapes = drawn
    rng = np.random.default_rng(seed)
    arrays = [np.asarray(rng.normal(size=s)) for s in shapes]

    def weights(shape):
        return np.random.default_rng(seed).normal(size=shape)

    refused = None
    try:
        want, want_grads = run(torch, equation, arrays, weights)
    except RuntimeError as e:
        refused = str(e)
    if refused is not None:
        with pytest.raises(RuntimeError) as caught:
            run(wengert, equation, arrays, weights)
        assert str(caught.value) == refused
        return
    got, got_grads = run(wengert, equation, arrays, weights)
    np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)
    assert got.shape == want.shape
    for a, b in zip(got_grads, want_grads, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)


ERRORS = [
    "ij,jk->", "ij", "ij,jk,kl", "ij,kj", "ijk,ij", "i,ij", "ij,ij->k", "ij,ij->ii", "i1,ij", "i.j,ij", "i....j,ij", "...i...,ij",
    "ij,ij->......", "ij,ij-", "ij,ij->>", "ij,ij->i,j", "ij,ij->i->j", "ii,ij", "ij,ij->i.", "ij,ij->..", "abc...,ij", "i..,ij",
    "ij,ij->i1", ",ij", "ij,", "", "...,...->", "é,ij",
]  # fmt: skip


@pytest.mark.parametrize("equation", ERRORS)
def test_errors(equation):
    def message(T):
        try:
            return T.einsum(equation, T.ones(2, 3), T.ones(2, 3)).numpy().tolist()
        except RuntimeError as e:
            return str(e)

    assert message(wengert) == message(torch)


@pytest.mark.parametrize(
    "call",
    [
        lambda T, a, b: T.einsum(a, [0, 1], b, [1, 2]),
        lambda T, a, b: T.einsum(a, [0, 1], b, [1, 2], [2, 0]),
        lambda T, a, b: T.einsum(a, [..., 1], b, [1, 2]),
        lambda T, a, b: T.einsum(a, [51, 1], b, [1, 26]),
        lambda T, a, b: T.einsum(a, [0, 53], b, [1, 2]),
        lambda T, a, b: T.einsum(a, [0, -1], b, [1, 2]),
        lambda T, a, b: T.einsum("ij,jk", [a, b]),
        lambda T, a, b: T.einsum("ij,jk", (a, b)),
        lambda T, a, b: T.einsum("ij,jk"),
        lambda T, a, b: T.einsum("ij,jk", a, 3),
        lambda T, a, b: T.einsum("ij,jk", a, b.double()),
        lambda T, a, b: T.einsum("ij,jk", a.int(), b.int()),
        lambda T, a, b: T.einsum("ij,jk->k", a.int(), b.int()),
        lambda T, a, b: T.einsum("ij,jk", a.bool(), b.bool()),
        lambda T, a, b: T.einsum("ij,kl->ijkl", a.int(), b),
        lambda T, a, b: T.einsum("i->", T.tensor([1, 2], dtype=T.int32)),
        lambda T, a, b: T.einsum("i->", T.tensor([True, True])),
        lambda T, a, b: T.tensordot(a, b, 3),
        lambda T, a, b: T.tensordot(a, b, -1),
        lambda T, a, b: T.tensordot(a, b, ([1], [1])),
        lambda T, a, b: T.tensordot(a, b, ([0, 1], [1])),
        lambda T, a, b: T.tensordot(a, b, (1, 0)),
        lambda T, a, b: T.tensordot(a, b, T.tensor([[1], [0]])),
        lambda T, a, b: T.tensordot(a, b.double(), 1),
        lambda T, a, b: T.tensordot(a, b, ([1, 1], [0, 0])),
        lambda T, a, b: T.tensordot(a, b, ([5], [0])),
        lambda T, a, b: T.inner(a, b),
        lambda T, a, b: T.inner(a, a.double()),
        lambda T, a, b: T.outer(a, b),
        lambda T, a, b: T.ones(2, 3) @ T.ones(4, 5),
        lambda T, a, b: T.ones(2, 3) @ T.ones(3, 5).double(),
        lambda T, a, b: T.ones(3) @ T.ones(4),
        lambda T, a, b: T.ones(3) @ T.ones(3).double(),
        lambda T, a, b: T.ones(3) @ T.ones(4, 5),
        lambda T, a, b: T.ones(2, 3) @ T.ones(4),
        lambda T, a, b: T.ones(()) @ T.ones(4),
        lambda T, a, b: T.ones(7, 2, 3) @ T.ones(4),
        lambda T, a, b: T.ones(7, 2, 3) @ T.ones(4, 5),
        lambda T, a, b: T.ones(7, 2, 3) @ T.ones(6, 3, 5),
        lambda T, a, b: T.ones(7, 2, 3) @ T.ones(7, 4, 5),
        lambda T, a, b: T.ones(5, 7, 2, 3) @ T.ones(6, 4, 5),
        lambda T, a, b: T.ones(7, 2, 3) @ T.ones(7, 3, 5).double(),
        lambda T, a, b: T.ones(2) @ 3,
        lambda T, a, b: T.mm(T.ones(7, 2, 3), T.ones(7, 4, 5)),
        lambda T, a, b: T.mm(T.ones(7, 2), T.ones(7)),
        lambda T, a, b: T.mm(T.ones(2, 2), 3),
        lambda T, a, b: T.bmm(T.ones(7, 2), T.ones(7)),
        lambda T, a, b: T.bmm(T.ones(7, 2, 3), T.ones(7)),
        lambda T, a, b: T.bmm(T.ones(7, 2, 3), T.ones(7, 4, 5)),
        lambda T, a, b: T.bmm(T.ones(7, 2, 3), T.ones(6, 3, 5)),
        lambda T, a, b: T.mv(T.ones(7, 2), T.ones(7)),
        lambda T, a, b: T.mv(T.ones(7, 2), T.ones(7, 1)),
        lambda T, a, b: T.dot(T.ones(7, 2), T.ones(7, 1)),
        lambda T, a, b: T.dot(T.ones(7), T.ones(6)),
        lambda T, a, b: T.dot(T.ones(7), T.ones(7).double()),
        lambda T, a, b: T.ones(2, 2).bool() @ T.ones(2, 2).bool(),
        lambda T, a, b: T.ones(2).bool() @ T.ones(2).bool(),
        lambda T, a, b: T.ones(1, 2, 2).bool() @ T.ones(1, 2, 2).bool(),
        lambda T, a, b: T.addmm(a, a, b),
        lambda T, a, b: T.addmm(T.ones(3, 4, 5), a, b),
        lambda T, a, b: T.addmm(T.ones(4).double(), a, b),
        lambda T, a, b: T.addmm(T.ones(4), a, T.ones(3)),
        lambda T, a, b: T.addmm(T.ones(4), a, a),
        lambda T, a, b: T.addmm(T.ones(4) * float("nan"), a, b, beta=0),
        lambda T, a, b: T.addmm(T.ones(4).int(), a.int(), b.int(), beta=0.5),
        lambda T, a, b: T.addmv(T.ones(3), a, T.ones(3)),
        lambda T, a, b: T.addmv(T.ones(2), a, a),
        lambda T, a, b: T.addmv(T.ones(2).double(), a, T.ones(3)),
        lambda T, a, b: T.addbmm(T.ones(2, 5), T.ones(5, 2, 3), T.ones(5, 3, 4)),
        lambda T, a, b: T.addbmm(T.ones(2, 4), T.ones(5, 2, 3), T.ones(4, 3, 4)),
        lambda T, a, b: T.addbmm(T.ones(2, 4), T.ones(5, 2, 3), T.ones(5, 4, 4)),
        lambda T, a, b: T.addbmm(T.ones(2, 4).double(), T.ones(5, 2, 3), T.ones(5, 3, 4)),
        lambda T, a, b: T.baddbmm(T.ones(2, 5), T.ones(5, 2, 3), T.ones(5, 3, 4)),
        lambda T, a, b: T.baddbmm(T.ones(2, 4), T.ones(5, 2, 3), T.ones(4, 3, 4)),
        lambda T, a, b: T.baddbmm(T.ones(2, 4).double(), T.ones(5, 2, 3), T.ones(5, 3, 4)),
        lambda T, a, b: T.addr(T.ones(3, 2), a, T.ones(2)),
        lambda T, a, b: T.addr(T.ones(4, 2), T.ones(3), T.ones(2)),
        lambda T, a, b: T.addr(T.ones(3, 2).int(), T.ones(3).int(), T.ones(2).int(), beta=0.5),
        lambda T, a, b: T.addr(T.ones(3, 2).int(), T.ones(3), T.ones(2).double()),
        lambda T, a, b: T.nn.functional.linear(T.ones(2, 3), T.ones(4, 5)),
        lambda T, a, b: T.nn.functional.linear(T.ones(2, 3), T.ones(4, 5), T.ones(4)),
        lambda T, a, b: T.nn.functional.linear(T.ones(2, 3), T.ones(4, 3), T.ones(5)),
        lambda T, a, b: T.nn.functional.linear(T.ones(2, 3), T.ones(4, 3), T.ones(4).double()),
        lambda T, a, b: T.nn.functional.linear(T.ones(2, 3), T.ones(4, 3).double(), T.ones(4)),
        lambda T, a, b: T.nn.functional.linear(T.ones(3), T.ones(4, 5), T.ones(4)),
        lambda T, a, b: T.nn.functional.linear(T.ones(()), T.ones(4, 5)),
        lambda T, a, b: T.nn.functional.linear(T.ones(2, 2, 3), T.ones(4, 5)),
        lambda T, a, b: T.nn.functional.linear(T.ones(2, 2, 3), T.ones(4, 3), T.ones(5)),
    ],
)
def test_calls(call):
    """The same value and dtype; or the same type of error, PyTorch's words first."""
    outcomes = []
    for T in (torch, wengert):
        try:
            made = call(T, T.arange(6.0).reshape(2, 3), T.arange(12.0).reshape(3, 4))
            outcomes.append((str(made.dtype), made.tolist()))
        except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError) as e:
            outcomes.append(e)
    want, got = outcomes
    if isinstance(want, Exception):
        assert type(got) is type(want)
        first = str(want).split("\n")[0]
        assert str(got).startswith(first) or type(want) is TypeError
    else:
        assert got == want
