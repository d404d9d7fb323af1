"""Convolutions in random geometries to second order, and what mixed dtypes, wrong ranks and `conv_tbc` say, as in PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

import wengert

from .outcomes import assert_same_outcome, calls

torch = pytest.importorskip("torch")

_rng = np.random.default_rng(5)


def _draw(*shape):
    return _rng.normal(size=shape).astype(np.float32)


ARRAYS = {
    "x": _draw(2, 4, 6), "y": _draw(2, 4, 6, 7), "u": _draw(6, 4, 3), "v": _draw(6, 4, 3, 2),
    "b": _draw(6), "k": _rng.integers(-9, 9, (2, 4, 5, 5)), "m": _draw(2, 12, 20),
}  # fmt: skip
CALLS = """
F.conv2d(y, v.double()); F.conv2d(y.double(), v); F.conv2d(k, v); F.conv2d(y.half(), v); F.conv2d(y.bfloat16(), v)
F.conv_transpose1d(x, u.half()); F.conv2d(y, v, padding='same'); F.conv2d(y, v, b, (2, 1), (1, 0), (1, 2))
torch.convolution(y[0], v, b, [1], [0], [1], False, [0], 1); torch.convolution(y, v, b, [2, 1], [1, 0], [1, 1], False, [0, 0], 1)
torch.conv_tbc(x, u.permute(2, 0, 1)[:, :, :3], b[:3], 1)
F.unfold(y, (1, 2, 3)); F.unfold(y[0], (3, 2), 2, 1, 2); F.fold(m, (5, 6, 7), 2); F.fold(m[0], (5, 6), 2)
F.pad(x, (-1, 3), 'circular').detach(); F.pad(x, (2, -2), 'circular').detach(); F.pad(x, (-5, 2), 'replicate')
"""


@pytest.mark.parametrize("text", calls(CALLS))
def test_same_outcome(text):
    assert_same_outcome(torch, ARRAYS, text)


@pytest.mark.parametrize("transposed", [False, True])
def test_every_kind_of_convolution(transposed):
    """Random sizes and geometries in one to three dimensions: values, gradients, and gradients of these."""
    rng = np.random.default_rng(int(transposed))

    def run(T, rank, arrays, arguments):
        given = [T.tensor(a).requires_grad_() for a in arrays]
        name = f"conv_transpose{rank}d" if transposed else f"conv{rank}d"
        out = getattr(T.nn.functional, name)(*given, **arguments)
        first = T.autograd.grad((out * out).sum(), given, create_graph=True)
        second = T.autograd.grad(sum((g * g).sum() for g in first), given)
        return [x.detach().numpy() for x in (out, *first, *second)]

    for _ in range(40):
        rank, groups = int(rng.integers(1, 4)), int(rng.choice([1, 2, 3]))
        spatial, kernel = rng.integers(7, 9, rank).tolist(), rng.integers(1, 4, rank).tolist()
        stride, dilation = rng.integers(1, 4, rank).tolist(), rng.integers(1, 3, rank).tolist()
        inner, outer = rng.integers(1, 3, 2).tolist()
        arguments = {
            "stride": stride, "dilation": dilation, "padding": rng.integers(0, 3, rank).tolist(), "groups": groups,
        }  # fmt: skip
        if transposed:
            arguments["output_padding"] = [int(rng.integers(0, max(p))) for p in zip(stride, dilation, strict=True)]
        shape = (inner * groups, outer) if transposed else (outer * groups, inner)
        arrays = [
            rng.normal(size=(2, inner * groups, *spatial)), rng.normal(size=(*shape, *kernel)), rng.normal(size=outer * groups),
        ]  # fmt: skip
        for a, b in zip(run(torch, rank, arrays, arguments), run(wengert, rank, arrays, arguments), strict=True):
            np.testing.assert_allclose(b, a, rtol=1e-8, atol=1e-8 * (abs(a).max() + 1), err_msg=str(arguments))
