"""Pooling says the same as PyTorch's: values, indices, gradients, nodes, printed modules, errors."""

from __future__ import annotations

import numpy as np
import pytest

import wengert

from .alike import assert_alike
from .outcomes import assert_same_outcome, calls

torch = pytest.importorskip("torch")

_rng = np.random.default_rng(3)
_holes = _rng.normal(size=(2, 2, 6, 7)).astype(np.float32)
_holes[_holes > 0.9] = np.nan
_holes[_holes < -0.9] = -np.inf
ARRAYS = {
    "x": _rng.normal(size=(2, 3, 8)).astype(np.float32),
    "y": _rng.normal(size=(2, 3, 7, 8)).astype(np.float32),
    "z": _rng.normal(size=(2, 2, 5, 6, 4)).astype(np.float32),
    "h": _holes,
    "k": _rng.integers(-9, 9, (2, 3, 8, 8)),
    "n": np.arange(9).reshape(1, 1, 3, 3) * 5,
}
CALLS = """
F.avg_pool1d(x, 2); F.avg_pool1d(x[0], 3, 2, 1, True, False); F.avg_pool1d(x, (2,)); F.avg_pool1d(x, 0)
F.avg_pool1d(x, -1); F.avg_pool1d(x, 2, 0); F.avg_pool1d(x, 2, 2, 2); F.avg_pool1d(x, 2, 2, -1); F.avg_pool1d(x, (2, 2))
F.avg_pool1d(x, ()); F.avg_pool1d(x, 2, ()); F.avg_pool1d(x, 2, (1, 1)); F.avg_pool1d(x, 9); F.avg_pool1d(x, 1.5)
F.avg_pool1d(x, None); F.avg_pool1d([1.0], 2); F.avg_pool1d(y, 2); F.avg_pool1d(x[:0], 2); F.avg_pool1d(x[:, :0], 2)
F.avg_pool1d(k[0], 2); F.avg_pool1d(k[0].int(), 2); F.avg_pool1d(x.half(), 3); F.avg_pool1d(x.bfloat16(), 3)
F.avg_pool2d(y, 2); F.avg_pool2d(y[0], (3, 2), 1, (1, 0)); F.avg_pool2d(y, 3, 2, 1, True, False); F.avg_pool2d(y, 0)
F.avg_pool2d(y, 3, 2, 1, divisor_override=5); F.avg_pool2d(y, 2, divisor_override=0); F.avg_pool2d(y, (2, 2, 2))
F.avg_pool2d(y, 2, (1, 1, 1)); F.avg_pool2d(y, 2, 1, ()); F.avg_pool2d(y, 9); F.avg_pool2d(y, 2, 2, 2)
F.avg_pool2d(y, -1); F.avg_pool2d(y, 2, -1); F.avg_pool2d(x[0, 0], 2); F.avg_pool2d(z, 2); F.avg_pool2d(y[:, :0], 2)
F.avg_pool2d(k, 2); F.avg_pool2d(k, 3, divisor_override=-2); F.avg_pool2d(k.int(), 2); F.avg_pool2d(k > 0, 2)
F.avg_pool2d(y.transpose(2, 3), (2, 3)); F.avg_pool2d(y, 7, 7); F.avg_pool2d(y[:0], 2); F.avg_pool2d(y.half(), 2)
F.avg_pool3d(z, 2); F.avg_pool3d(z[0], (2, 1, 3), 1, (1, 0, 1)); F.avg_pool3d(z, 6, 1, 3); F.avg_pool3d(z, 2, 2, 2)
F.avg_pool3d(z, 2, divisor_override=3); F.avg_pool3d(z, (2, 2)); F.avg_pool3d(z, 2, 2, (1, 1)); F.avg_pool3d(x, 2)
F.avg_pool3d(z.half(), 2)
F.lp_pool1d(x.abs(), 2, 3); F.lp_pool2d(y.abs(), 1.5, (3, 2), 2, True); F.lp_pool3d(z.abs(), 3, 2); F.lp_pool2d(y, 2, (2,))
F.lp_pool1d(x, 2, (2, 2)); F.lp_pool2d(y, 2, (2, 2, 2)); F.lp_pool2d(y, 0, 2); F.lp_pool1d(x, 2.0, (2,))
F.adaptive_avg_pool1d(x, 3); F.adaptive_avg_pool1d(x, 1); F.adaptive_avg_pool1d(x[0], 11); F.adaptive_avg_pool1d(x, -1)
F.adaptive_avg_pool1d(x, (1, 2)); F.adaptive_avg_pool1d(x, None); F.adaptive_avg_pool1d(y, 2); F.adaptive_avg_pool1d(x, 0).detach()
F.adaptive_avg_pool2d(y, 3); F.adaptive_avg_pool2d(y, (None, 2)); F.adaptive_avg_pool2d(y, 1); F.adaptive_avg_pool2d(y, (7, 4))
F.adaptive_avg_pool2d(y, (9, 16)); F.adaptive_avg_pool2d(y, (3,)); F.adaptive_avg_pool2d(y, -1); F.adaptive_avg_pool2d(x[0], 2)
F.adaptive_avg_pool2d(y, (1, 2, 3, 4)); F.adaptive_avg_pool2d(k, 2); F.adaptive_avg_pool2d(k, 1); F.adaptive_avg_pool2d(y, None)
F.adaptive_avg_pool2d(y[..., :0], 2); F.adaptive_avg_pool2d(y.half(), 3); F.adaptive_avg_pool3d(z, (2, 4, 3))
F.adaptive_avg_pool3d(z, 1); F.adaptive_avg_pool3d(z[0], (None, 2, 7)); F.adaptive_avg_pool3d(k, 1.5)
F.max_pool1d(x, 2); F.max_pool1d(x[0], 3, 2, 1, 1, True, return_indices=True); torch.max_pool1d(x, 3, dilation=2)
F.max_pool1d(x, 0); F.max_pool1d(x, 2, 0); F.max_pool1d(x, 2, dilation=0); F.max_pool1d(x, 2, padding=2)
F.max_pool1d(x, 2, padding=-1); F.max_pool1d(x, 9); F.max_pool1d(x, (1, 1)); F.max_pool1d(x, 2, (1, 1))
F.max_pool1d(x, 2, 1, (1, 1)); F.max_pool1d(x, 2, dilation=()); F.max_pool1d(y, 2); F.max_pool1d(x[:, :0], 2)
F.max_pool1d(x, 9, return_indices=True); F.max_pool1d(x, 2, 0, return_indices=True); F.max_pool1d(x, (1, 1), return_indices=True)
F.max_pool1d(k[0], 2); F.max_pool1d(k[0], 2, return_indices=True); torch.max_pool1d_with_indices(x, 3)
F.max_pool2d(y, 2, return_indices=True); F.max_pool2d(y[0], (3, 2), 1, (1, 0), return_indices=True)
F.max_pool2d(y, 3, 2, 1, 2, True, return_indices=True); F.max_pool2d(h, 3, 1, 1, return_indices=True)
F.max_pool2d(h, 2, return_indices=True); F.max_pool2d(h, 3, 2, 1, 2, return_indices=True); torch.max_pool2d(y, 3, 1)
F.max_pool2d(k, 3, return_indices=True); F.max_pool2d(k.to(torch.uint8), 3, 2, 1, return_indices=True)
F.max_pool2d(k > 0, 2); F.max_pool2d(y.half(), 2); F.max_pool2d(y.bfloat16(), 2, return_indices=True)
F.max_pool2d(y, 0); F.max_pool2d(y, -1); F.max_pool2d(y, 2, -1); F.max_pool2d(y, 2, dilation=0); F.max_pool2d(y, 2, 2, 2)
F.max_pool2d(y, 2, dilation=9); F.max_pool2d(y, (2, 2, 2)); F.max_pool2d(y, 2, (2, 2, 2)); F.max_pool2d(y, 2, 2, ())
F.max_pool2d(y, 2, dilation=(1, 1, 1)); F.max_pool2d(x[0], 2); F.max_pool2d(y[..., :0], 2); F.max_pool2d(y[:0], 2)
F.max_pool2d(y, 2.5); F.max_pool2d([1.0], 2); F.max_pool2d(y.transpose(1, 3), 2, return_indices=True)
F.max_pool3d(z, 2, return_indices=True); torch.max_pool3d(z[0], (2, 3, 1), 1, (1, 1, 0)); F.max_pool3d(x, 2)
F.max_pool3d(z, 2, dilation=2, ceil_mode=True, return_indices=True); F.max_pool3d(z, (2, 2))
F.adaptive_max_pool1d(x, 3, True); torch.adaptive_max_pool1d(x, 3); F.adaptive_max_pool1d(x[0], 11); F.adaptive_max_pool1d(x, -1)
F.adaptive_max_pool1d(x, (1, 2)); F.adaptive_max_pool1d(y, 2); F.adaptive_max_pool1d(x[:, :0], 2)
F.adaptive_max_pool2d(y, (3, None), True); F.adaptive_max_pool2d(h, (4, 3), True); F.adaptive_max_pool2d(y, (2, 11), True)
F.adaptive_max_pool2d(y, (3,)); F.adaptive_max_pool2d(y, (1, 2, 3, 4)); F.adaptive_max_pool2d(k, 2); F.adaptive_max_pool2d(z, 2)
F.adaptive_max_pool2d(y[:, :0], 2); F.adaptive_max_pool2d(y, -1); F.adaptive_max_pool3d(z, (2, 4, 3), True)
F.max_unpool1d(x[:, :, ::3], n[0, 0, 0] * 0 + n[0].expand(2, 3, 3) // 5 % 8, 3)
F.max_unpool2d(y[:1, :1, :3, :3], n, 3, 2); F.max_unpool2d(y[:1, :1, :3, :3], n, 3, 2, output_size=(8, 8))
F.max_unpool2d(y[:1, :1, :3, :3], n, 3, 2, output_size=(9, 8)); F.max_unpool2d(y[:1, :1, :3, :3], n, 3, 2, output_size=(1, 1, 8))
F.max_unpool2d(y[:1, :1, :3, :3], n + 40, 3, 2); F.max_unpool2d(y[:1, :1, :3, :3], n.int(), 3, 2)
F.max_unpool2d(y[:1, :1, :3, :2], n, 3, 2); F.max_unpool2d(y[0, 0], n, 2); F.max_unpool2d(y[:, 0, :0], n, 2)
F.max_unpool2d(y[:1, :1, :3, :3], n, 3, 2, 1); F.max_unpool2d(k[:1, :1, :3, :3], n, 3); F.max_unpool2d(y, n, (1, 2, 3, 4, 5))
F.max_unpool3d(z[:1, :1, :1, :3, :3], n[None], (1, 3, 3)); F.max_unpool3d(z[:1, :1, :1, :3, :3], n[None], 3, 0)
F.max_unpool3d(z[:1, :1, :1, :3, :3], n[None].int(), (1, 3, 3)); F.max_unpool3d(x, n, 2)
F.fractional_max_pool2d(y, 2, 3, return_indices=True); F.fractional_max_pool2d(y[0], (3, 2), output_ratio=(0.5, 0.6))
F.fractional_max_pool2d(h, 2, 4, return_indices=True); F.fractional_max_pool2d(y, 2); F.fractional_max_pool2d(y, 2, 7)
F.fractional_max_pool2d(y, (2, 2, 2), 3); F.fractional_max_pool2d(y, 2, (3, 3, 3)); F.fractional_max_pool2d(k, 2, 3)
F.fractional_max_pool2d(y, 2, 3, _random_samples=torch.rand(2, 3, 3)); F.fractional_max_pool2d(z, 2, 3)
F.fractional_max_pool2d(y, 2, 3, _random_samples=torch.rand(2, 2, 2)); F.fractional_max_pool2d(x[0], 2, 3)
F.fractional_max_pool2d(y, 2, 3, _random_samples=torch.rand(1, 3, 2)); F.fractional_max_pool2d(y[:, :0], 2, 3)
F.fractional_max_pool2d(y, 2, 3, _random_samples=torch.rand(2, 3)); F.fractional_max_pool2d(y[:0], 2, 3)
F.fractional_max_pool3d(z, 2, 3, return_indices=True); F.fractional_max_pool3d(z[0], (2, 1, 2), output_ratio=0.5)
F.fractional_max_pool3d(z, 2, 4); F.fractional_max_pool3d(z[:0], 2, 2); F.fractional_max_pool3d(x, 2, 2)
"""


@pytest.mark.parametrize("text", calls(CALLS))
def test_same_outcome(text):
    assert_same_outcome(torch, ARRAYS, text)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_every_kind_of_window(rank):
    """Random sizes, strides, paddings and dilations, with ties, nan and infinities: values, indices, gradients, refusals."""
    rng = np.random.default_rng(rank)
    for trial in range(60):
        # long windows are summed and searched in ways of their own
        large = trial % 5 == 0 and rank < 3
        shape = [2, *rng.integers(4, 90 if large else 9, rank).tolist()]
        kernel = rng.integers(1, 40 if large else 5, rank).tolist()
        stride = list(kernel) if trial % 10 == 0 else rng.integers(1, 4, rank).tolist()
        dilation = rng.integers(1, 3, rank).tolist()
        padding = [int(rng.integers(0, k // 2 + 1)) for k in kernel]
        x = rng.normal(size=shape)
        x = [x, x.round(), np.where(x > 1, np.nan, x), np.where(x > -1, -np.inf, x)][trial % 4]
        named = {
            "kernel_size": kernel,
            "stride": stride,
            "padding": padding,
            "ceil_mode": bool(rng.integers(2)),
        }
        name = f"max_pool{rank}d"
        if trial % 8 == 4:
            name, named["count_include_pad"] = f"avg_pool{rank}d", bool(rng.integers(2))
        else:
            named |= {"dilation": dilation, "return_indices": True}
        call = f"F.{name}(a, {', '.join(f'{k}={v}' for k, v in named.items())})"
        assert_same_outcome(torch, {"a": x[None]}, call)
        size = rng.integers(1, 12, rank).tolist()
        assert_same_outcome(torch, {"a": x[None]}, f"F.adaptive_max_pool{rank}d(a, {size}, True)")


SCRIPTS = {
    "modules": """
for text in '''MaxPool1d(2); MaxPool2d((2, 3), stride=1, ceil_mode=True); MaxPool3d(2, return_indices=True); AvgPool1d(2)
AvgPool1d(2, 3, 1, True, False); AvgPool2d(2); AvgPool2d((2, 1), divisor_override=3); AvgPool3d(3, 2, 1); AdaptiveAvgPool1d(3)
AdaptiveAvgPool2d((3, None)); AdaptiveAvgPool3d(3); AdaptiveMaxPool1d(3); AdaptiveMaxPool2d((3, 2), True)
AdaptiveMaxPool3d(3); MaxUnpool1d(2); MaxUnpool2d((2, 1), 3, 1); MaxUnpool3d(2); FractionalMaxPool2d(2, 3)
FractionalMaxPool3d(2, output_ratio=0.5); LPPool1d(2, 3); LPPool2d(1.5, (3, 2), 2, True); LPPool3d(2, 3)
FractionalMaxPool2d(2); FractionalMaxPool2d(2, 3, 0.5); FractionalMaxPool2d(2, output_ratio=1.5)
FractionalMaxPool3d(2, output_ratio=(0.5, 0.5, 2))'''.replace(chr(10), ';').split(';'):
    def make():
        module = eval('nn.' + text.strip())
        shown = {k: v for k, v in sorted(vars(module).items()) if not k.startswith('_') and k != 'training'}
        return module, shown, sorted(module._buffers)
    attempt(make)
""",
    "what modules compute": """
x = torch.arange(32.0).reshape(1, 2, 16).sin()
y, z = x.reshape(1, 2, 4, 4), x.reshape(1, 1, 2, 4, 4)
print(nn.MaxPool1d(3, 2, 1)(x), nn.MaxPool2d(2, return_indices=True)(y), nn.MaxPool3d(2)(z))
print(nn.AvgPool1d(4, 2)(x), nn.AvgPool2d(2, divisor_override=3)(y), nn.AvgPool3d((1, 2, 2))(z))
print(nn.AdaptiveAvgPool1d(3)(x), nn.AdaptiveAvgPool2d((None, 3))(y), nn.AdaptiveAvgPool3d(2)(z))
print(nn.AdaptiveMaxPool1d(3, True)(x), nn.AdaptiveMaxPool2d((None, 3))(y), nn.AdaptiveMaxPool3d(2)(z))
print(nn.LPPool1d(2, 4)(x.abs()), nn.LPPool2d(2, 2)(y), nn.LPPool3d(2, 2)(z))
print(nn.FractionalMaxPool2d(2, output_ratio=0.5)(y), nn.FractionalMaxPool3d((1, 2, 2), 1, return_indices=True)(z))
for d, a in ((1, x), (2, y), (3, z)):
    pool = getattr(nn, f'MaxPool{d}d')(2, return_indices=True)
    print(getattr(nn, f'MaxUnpool{d}d')(2)(*pool(a), output_size=a.shape))
""",
}  # fmt: skip


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts(name):
    assert_alike(torch, SCRIPTS[name])


def test_names_of_second_derivatives():
    for call in ("avg_pool2d(x, 2)", "adaptive_avg_pool2d(x, 2)", "max_pool2d(x, 2)", "adaptive_max_pool2d(x, 2)"):
        names = []
        for lib in (torch, wengert):
            x = lib.ones(1, 1, 4, 4, requires_grad=True)
            t = lib.ones((), requires_grad=True)
            out = eval(call, {**vars(lib.nn.functional), "x": x}).sum()
            names.append(lib.autograd.grad(out, x, t, create_graph=True)[0].grad_fn.name())
        assert names[0] == names[1]
