"""Indices, writes, fills and conversions: values, dtypes, nodes and errors as in PyTorch."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import wengert  # noqa: E402

SAME_WORDS = 34  # characters of an error that are PyTorch's


def space(m):
    x = m.arange(6.0).reshape(2, 3)
    leaf = m.tensor([1.0, 2.0], requires_grad=True)
    return {
        "m": m, "x": x, "n": m.zeros(2, 3), "i": m.tensor([0, 1]), "l": leaf, "y": leaf * 1, "z": x.clone().requires_grad_() * 1,
        "c": m.tensor([[1.0 + 2j, 3.0]]),
    }  # fmt: skip


def show(m, r):
    if isinstance(r, (tuple, list)):
        return [show(m, e) for e in r]
    if not isinstance(r, m.Tensor):
        return str(r)
    node = r.grad_fn
    names = None
    if node is not None:
        names = node.name(), [n.name() if n is not None else None for n, _ in node.next_functions]
    return tuple(r.shape), str(r.dtype), r.tolist(), names


def outcome(m, code):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return show(m, eval(code, space(m)))
        except Exception as error:
            return type(error).__name__, str(error).split("\n")[0][:SAME_WORDS]


def agree(got, want):
    """Equal, but for what follows PyTorch's words in an error."""
    if isinstance(want[0], str) and isinstance(got[0], str):
        got = (got[0], got[1][: len(want[1])], *got[2:])
    assert got == want


WRITES = """
0 = 5.
(0, 1) = 5
(..., 0) = 5.
(None, 0) = 1.
slice(None) = 2.
slice(0, 2, 2) = 2.
slice(None, None, -1) = 1.
m.tensor([0, 1]) = 3.
m.tensor([0, 0]) = m.tensor([[1., 2., 3.], [4., 5., 6.]])
m.tensor([True, False]) = 7.
(m.tensor([0, 1]), m.tensor([1, 2])) = m.tensor([8., 9.])
(slice(None), m.tensor([0])) = m.tensor([[8.], [9.]])
(0, m.tensor([0, 2])) = m.tensor([8., 9.])
[0, 1] = 3.
[True, False] = 3.
[[0, 1], [1, 2]] = 3.
True = 4.
False = 4.
x > 2 = -1.
x > 1 = m.ones(4)
x > 1 = m.ones(2)
0 = m.ones(3)
0 = m.ones(1, 3)
0 = m.ones(1, 1)
0 = m.ones(2)
0 = m.ones(2, 3)
i = m.ones(3)
i = m.ones(1, 2, 3)
i = m.ones(2, 2, 3)
i = m.ones(2, 3, dtype=m.float64)
i = m.ones(2, 3, dtype=m.int64)
i = m.ones((), dtype=m.float64)
0 = m.ones(3, dtype=m.int64)
0 = m.ones(3, dtype=m.complex64)
0 = [1, 2, 3]
0 = 'a'
0 = None
0 = 1j
7 = 1.
(0, 9) = 1.
(0, 0, 0) = 1.
m.tensor([5]) = 1.
m.tensor([True, True, True]) = 1.
'a' = 1.
0.5 = 1.
m.tensor(1) = 1.
m.tensor(True) = 1.
(m.tensor(1), 2) = 1.
(m.tensor([0, 1]), None) = 1.
"""

TARGETS = {
    "constant": "m.arange(6.).reshape(2, 3)",
    "integer": "m.arange(6).reshape(2, 3)",
    "recorded": "m.arange(6.).reshape(2, 3).clone().requires_grad_() * 1",
    "leaf": "m.arange(6.).reshape(2, 3).clone().requires_grad_()",
    "transposed": "m.arange(6.).reshape(3, 2).t()",
    "view of recorded": "(m.arange(12.).reshape(2, 2, 3).clone().requires_grad_() * 1)[:, 1]",
}


def written(m, target, line):
    index, _, value = line.rpartition(" = ")
    env = space(m)
    target = env["t"] = eval(target, env)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            target[eval(index, env)] = eval(value, env)
        except Exception as error:
            return type(error).__name__, str(error).split("\n")[0][:SAME_WORDS], target._version
    return show(m, target), target._version


# PyTorch says first that the leaf must not be written to
OTHER_ORDER = {("leaf", "m.tensor([True, True, True]) = 1.")}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("line", WRITES.strip().split("\n"))
def test_assignment(line, target):
    if (target, line) not in OTHER_ORDER:
        agree(written(wengert, TARGETS[target], line), written(torch, TARGETS[target], line))


CALLS = """
x.gather(0, m.tensor([[0, 1, 0]]))
z.gather(1, m.tensor([[0, 0], [2, 1]]))
x.gather(0, m.tensor([[5]]))
x.gather(0, m.tensor([[-1]]))
x.gather(0, m.tensor([0]))
x.gather(0, m.tensor([[0, 1, 0, 1]]))
x.gather(0, m.tensor([[0]], dtype=m.int32))
x.gather(0, i.float()[None])
x.gather(5, i[None])
m.gather(x, 1, 1)
m.gather(x, 1.5, i)
m.gather(m.tensor(3.), 0, m.tensor(0))
m.gather(m.tensor(3.), 0, m.tensor([0, 0]))
x.index_select(0, m.tensor([1, 1]))
z.index_select(1, m.tensor(1))
x.index_select(0, m.tensor([5]))
x.index_select(0, m.tensor([-1]))
x.index_select(0, m.tensor([[0]]))
x.index_select(0, m.tensor([0.]))
x.index_select(5, i)
m.tensor(3.).index_select(0, m.tensor([0]))
z.take(m.tensor([[0, -1]]))
x.take(m.tensor([0, 9]))
x.take(m.tensor([0.]))
x.take(m.tensor([0], dtype=m.int32))
m.take_along_dim(z, m.tensor([[0]]), 0)
m.take_along_dim(x, m.tensor([0, 5]))
m.take_along_dim(x, m.tensor([[0.]]), 0)
m.take_along_dim(x, m.tensor([0]), 0)
z.masked_select(x > 1)
x.masked_select(m.tensor([True, False, True]))
x.masked_select(x)
x.masked_select(m.tensor([True, False]))
m.nonzero(x)
m.nonzero(x, as_tuple=True)
m.nonzero(m.tensor(3.))
m.nonzero(m.tensor(3.), as_tuple=True)
m.nonzero(x[:0])
m.argwhere(x > 3)
m.where(x > 3)
m.unravel_index(m.tensor([1, 5]), (2, 3))
m.unravel_index(m.tensor([1.]), (2, 3))
z.scatter(0, m.tensor([[1, 0, 1]]), m.ones(1, 3))
z.scatter(1, m.tensor([[1], [0]]), 9.)
x.scatter(0, m.tensor([[1]]), 2, reduce='multiply')
x.scatter(0, m.tensor([[1]]), m.ones(1, 1), reduce='add')
x.scatter(0, m.tensor([[1]]), m.ones(1, 1), reduce='foo')
x.scatter(0, m.tensor([[5]]), 1.)
x.scatter(0, m.tensor([[-1]]), 1.)
x.scatter(0, m.tensor([[0]]), m.ones(1, 1, dtype=m.float64))
x.scatter(0, m.tensor([[0, 1, 0, 0]]), 1.)
x.scatter(0, m.tensor([[0, 1]]), m.ones(1, 1))
x.scatter(0, m.tensor([0]), m.ones(1))
x.scatter(0, m.tensor([[0]]), 1j)
x.scatter(0, m.tensor([[0.]]), 1)
x.scatter(0, m.tensor([[0]]))
z.scatter_add(0, m.tensor([[1, 0, 1], [1, 1, 1]]), m.ones(2, 3))
x.scatter_add(0, m.tensor([[0]]), m.ones(1, 1, dtype=m.int64))
x.scatter_add(0, m.tensor([[7]]), m.ones(1, 1))
z.scatter_reduce(0, m.tensor([[1, 0, 1], [1, 1, 1]]), m.ones(2, 3) * 2, 'prod')
z.scatter_reduce(0, m.tensor([[1, 0, 1], [1, 1, 1]]), m.ones(2, 3), 'mean', include_self=False)
x.long().scatter_reduce(0, m.tensor([[1, 1, 1]]), m.tensor([[2, 2, 2]]), 'mean')
x.long().scatter_reduce(0, m.tensor([[1, 1, 1]]), m.tensor([[2, 2, 9]]), 'amax')
x.scatter_reduce(0, m.tensor([[0]]), m.ones(1, 1), 'foo')
z.index_reduce(0, m.tensor([1, 1]), m.ones(2, 3) * 7, 'amax')
x.index_reduce(0, m.tensor([1, 1]), m.ones(2, 3), 'sum')
z.index_add(0, m.tensor([1, 1]), m.ones(2, 3), alpha=2)
x.index_add(0, i, m.ones(3, 3))
x.index_add(0, i, m.ones(2, 2))
x.index_add(0, i, m.ones(2, 3, dtype=m.float64))
x.index_add(0, i, m.ones(2))
x.index_add(0, m.tensor([5, 0]), m.ones(2, 3))
z.index_copy(1, m.tensor([2]), m.ones(2, 1))
x.index_copy(0, m.tensor([5, 0]), m.ones(2, 3))
x.index_copy(0, i, m.ones(2, 2))
x.index_copy(0, i, m.ones(3, 3))
x.index_copy(0, i, m.ones(2, 3, dtype=m.float64))
x.index_copy(0, i.float(), m.ones(2, 3))
z.index_fill(0, m.tensor([-1]), 9.)
z.index_fill(0, m.tensor([0]), l.sum())
x.index_fill(0, m.tensor([5]), 1.)
x.index_fill(0, i, m.ones(2))
x.index_fill(0, i.int(), 1.)
x.index_fill(0, i[None], 1.)
x.index_fill(0, i, 1j)
z.index_put((i, m.tensor([0, 2])), m.tensor([7., 8.]))
z.index_put((m.tensor([0, 0]),), m.ones(3), accumulate=True)
z.index_put((x > 2,), m.tensor(1.))
x.index_put((i, i, i), x)
x.index_put(i, x)
z.put(m.tensor([0, -1]), m.tensor([7., 8.]))
z.put(m.tensor([0, 0]), m.tensor([7., 8.]), accumulate=True)
x.put(m.tensor([9]), m.tensor([1.]))
x.put(m.tensor([0]), m.tensor([1., 2.]))
x.put(m.tensor([0]), m.tensor([1]))
z.masked_fill(x > 1, 0.)
z.masked_fill(x > 1, l.sum())
x[0].masked_fill(x > 1, 0.)
x.int().masked_fill(x > 1, 1.5)
x.masked_fill(x > 1, 1j)
x.masked_fill(x > 1, m.tensor(1, dtype=m.float64))
x.masked_fill(m.tensor([1, 0, 1]), 0.)
x.masked_fill(x > 1, m.ones(1))
x.masked_fill(m.ones(5, dtype=m.bool), 0.)
x[0].clone().masked_fill_(x > 1, 0.)
z.masked_scatter(x > 1, m.ones(9))
x[0].masked_scatter(x > 1, m.ones(9))
x.masked_scatter(x > 1, m.ones(2))
x.masked_scatter(x > 1, m.ones(9, dtype=m.float64))
x.masked_scatter(x, m.ones(9))
m.fill(z, 2.)
m.fill(z, l.sum())
z.fill_(2.)
z.fill_(l.sum())
z.zero_()
z.copy_(m.ones(3))
n.copy_(z)
z.copy_(z)
x.copy_(m.ones(2))
x.copy_(m.ones(1, 2, 3))
x.copy_(3.5)
x.copy_([1])
x.copy_(c.expand(2, 2)[:, :1])
x.int().copy_(m.full((2, 3), 2.7))
x[1:].copy_(x[:1])
x.view(-1)[1:].copy_(x.view(-1)[:-1])
x.fill_(m.tensor([1.]))
x.fill_(m.tensor(2, dtype=m.int64))
x.int().fill_(m.tensor(2.7))
x.fill_('a')
x.half().fill_(1j)
x.double().fill_(1j)
x.int().fill_(1j)
x.short().fill_(1j)
x.bool().fill_(1j)
x.char().fill_(128)
x.char().fill_(-128)
x.byte().fill_(256)
x.byte().fill_(-1)
x.byte().fill_(-256)
x.short().fill_(2**20)
x.int().fill_(2**40)
x.int().fill_(1e20)
x.int().fill_(float('nan'))
x.long().fill_(2**70)
x.bool().fill_(float('nan'))
x.half().fill_(1e6)
x.to(m.float64, m.float32)
x.to(foo=1)
x.to(m.ones(1), m.float64)
y.to(m.float64)
y.to(m.int64)
y.to(m.complex64)
y.to(m.float32, copy=True)
y.double().float()
c.float()
c.bool()
x.type(int)
x.type(5)
x.type('torch.DoubleTensor')
x.resize_(4)
x.resize_((3, 2))
x.resize_()
y.resize_(2)
x.resize_as_(m.ones(3))
m.split(x, 'a')
m.split(x, [1, 1.5])
m.cat((x, x), 1.5)
m.stack([x, x[0]])
m.clone(1)
"""


@pytest.mark.parametrize("code", CALLS.strip().split("\n"))
def test_call(code):
    agree(outcome(wengert, code), outcome(torch, code))


BACKWARD = """
z[i].sum()
z[m.tensor([0, 0, 1])].pow(2).sum()
z[:, m.tensor([2, 2])].exp().sum()
z[x > 2].pow(3).sum()
z.index_put((m.tensor([0, 1]), m.tensor([0, 1])), l).pow(2).sum()
z.index_put((m.tensor([0, 0]),), l[:, None], accumulate=True).pow(2).sum()
z.scatter_reduce(0, m.tensor([[0, 0, 1]]), l.sum().expand(1, 3), 'prod').pow(2).sum()
z.scatter_reduce(0, m.tensor([[0, 0, 1]]), z[:1], 'amax').pow(2).sum()
z.scatter_reduce(0, m.tensor([[0, 0, 1]]), z[1:], 'mean', include_self=False).pow(2).sum()
z.as_strided((2, 2), (1, 1)).pow(2).sum()
z.unfold(1, 2, 1).pow(2).sum()
m.cat([z, z * 2], 1).pow(2).sum()
m.stack(z.unbind(1)).pow(2).sum()
z.split([1, 2], 1)[1].pow(2).sum()
m.block_diag(z, l).pow(2).sum()
z.repeat_interleave(m.tensor([1, 3]), 0).pow(2).sum()
"""


@pytest.mark.parametrize("code", BACKWARD.strip().split("\n"))
def test_gradient(code):
    found = []
    for m in (torch, wengert):
        env = space(m)
        grads = m.autograd.grad(eval(code, env), [env["z"], env["l"]], allow_unused=True)
        found.append([None if g is None else g.numpy() for g in grads])
    for want, got in zip(*found, strict=True):
        assert (want is None) == (got is None)
        if want is not None:
            np.testing.assert_allclose(got, want, rtol=1e-6)
