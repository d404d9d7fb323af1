"""Reductions, sorting and softmax say the same as PyTorch's: values, dtypes, shapes, kinds of tuples, errors."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

import wengert

torch = pytest.importorskip("torch")

DTYPES = (
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)
_rng = np.random.default_rng(11)
ARRAYS = {
    "x": _rng.normal(size=(3, 4)).astype(np.float32),
    "e": np.zeros((0, 3), np.float32),
    "i": np.array([[3, 1, 2], [1, 1, 0]]),
    "u": np.array([[250, 10], [3, 200]], np.uint8),
    "b": np.array([True, False, True]),
    "c": (_rng.normal(size=(2, 3)) + 1j * _rng.normal(size=(2, 3))).astype(np.complex64),
    "h": _rng.normal(size=(3, 4)).astype(np.float16),
    "z": np.array(2.0, np.float32),
    "n": np.array([3.0, np.nan, 1.0, np.nan, 2.0], np.float32),
    "q": np.array([0.25, 0.5], np.float32),
}
CALLS = """
x.sum(2); x.sum(-3); x.sum((0, 0)); x.sum((0, -2)); x.sum([0, 1]); x.sum(1.5); x.sum(0, 1); x.sum(axis=1)
x.sum(dim=0, keepdims=True); x.sum(dtype=torch.int64); x.sum(None, True); x.sum(()); z.sum(0); z.sum(-1); z.sum(1)
z.sum((0,)); z.sum((0, -1)); i.sum(); i.sum(dtype=torch.float32); u.sum(); u.sum(0); b.sum(); e.sum(0); e.sum(1)
e.sum(); h.sum(); h.sum(1); c.sum(0); x.sum(torch.tensor(1)); x.sum(True); x.sum(dim="a"); torch.sum(3)
torch.sum([1.0]); x.sum(0).mean(); i.mean(); b.mean(); i.mean(dtype=torch.float32); x.mean(dtype=torch.int64)
e.mean(0); e.mean(); x.mean((0, 1), True); h.mean(0); c.mean(); x.mean(2); x.mean((1, 1))
i.mean(0, dtype=torch.float64); x.var(unbiased=False); x.var(1, False); x.var(False); x.var(1, correction=2); i.var()
c.var(); x.var(correction=0.5); h.var(0); torch.var_mean(x); torch.var_mean(x, 1); torch.var_mean(i)
torch.std(x, None, False); torch.std_mean(x, (0, 1), keepdim=True); x.std(0, True, True); x.var((0, 0)); c.std(0)
z.var(unbiased=False); x.prod(0); x.prod((0, 1)); i.prod(); u.prod(); b.prod(); e.prod(); e.prod(0)
x.prod(dtype=torch.float64); x.prod(2); x.prod(1, True); h.prod(); c.prod(1); z.prod(0); x.amax(); x.amax(())
x.amax((0, 1), True); x.amax((0, 0)); e.amax(); e.amax(0); e.amax(1); b.amax(); i.amin(0); n.amax(); torch.aminmax(x)
torch.aminmax(x, dim=1); torch.aminmax(e); torch.aminmax(e, dim=0); torch.aminmax(x, dim=0, keepdim=True); e.max()
e.max(0); e.max(1); c.max(); c.max(0); x.max(2); x.max(0, keepdim=True); x.max(0, True); x.max(dim=0); x.max(x)
torch.max(x, 3.0); torch.max(x, True); torch.max(x, i); b.max(); b.max(0); z.max(0); z.max(1); i.max(0); n.max()
n.max(0); n.min(0); x.min(); x.min(1); x.min(axis=1); u.max(); u.max(1); h.max(0); i.max(other=i); x.argmax()
x.argmax(1); x.argmax(keepdim=True); x.argmax(2); e.argmax(); e.argmax(0); e.argmax(1); c.argmax(); b.argmax()
z.argmax(0); x.argmax((0, 1)); x.argmin(-1, True); n.argmax(); n.argmin(); i.argmax(1); i.argmin(1); x.all(); x.all(0)
x.all((0, 1)); x.all(()); x.all(2); i.all(); u.all(); u.all(0); e.all(); e.any(0); c.any(); x.any(1, True)
x.any((0, 0)); z.all(0); b.any(); n.all(); x.count_nonzero(); x.count_nonzero(0); x.count_nonzero((0, 1))
x.count_nonzero(2); x.count_nonzero((0, 0)); i.count_nonzero(1); x.logsumexp(0); x.logsumexp((0, 1)); i.logsumexp(0)
b.logsumexp(0); e.logsumexp(0); c.logsumexp(0); z.logsumexp(0); x.logsumexp(2); x.logsumexp(1, True); x.nansum()
i.nansum(); b.nansum(); c.nansum(); n.nansum(); n.nansum(0, True); n.nanmean(); x.nanmean(0); i.nanmean(); c.nanmean()
x.norm(); i.norm(); x.norm("fro"); x.norm("x"); x.norm(dim=1); x.norm(1, dim=(0, 1))
x.norm(2, dim=(0, 1), keepdim=True); x.norm(dtype=torch.float64); torch.norm(x, float("inf")); x.norm(0); x.norm(-1, 0)
x.norm(float("-inf"), 1); c.norm(); h.norm(); torch.dist(x, x * 2); torch.dist(x, x * 2, 1); x.renorm(2, 0, 1.0)
x.renorm(0, 0, 1.0); x.renorm(2, 0, -1.0); z.renorm(2, 0, 1.0); x.cumsum(0); x.cumsum(2); i.cumsum(1); b.cumsum(0)
u.cumsum(0); h.cumsum(1); x.cumsum(0, dtype=torch.float64); z.cumsum(0); x.cumprod(1); i.cumprod(0); c.cumprod(1)
e.cumprod(0); n.cumsum(0); x.logcumsumexp(1); i.logcumsumexp(0); e.logcumsumexp(1); x.cummax(1); i.cummax(0)
n.cummax(0); n.cummin(0); i.cummin(1); z.cummax(0); x.cummax(2); b.cummax(0); x.diff(); x.diff(2); x.diff(1, 0)
x.diff(5); x.diff(-1); z.diff(); b.diff(); x.diff(prepend=x); x.diff(append=z); i.diff(0); x.sort(); x.sort(0)
x.sort(descending=True); x.sort(0, True); x.sort(stable=True); x.sort(2); c.sort(); b.sort(); z.sort(); n.sort()
n.sort(descending=True); i.sort(descending=True); x.argsort(); x.argsort(0, True); x.argsort(2); torch.msort(x)
x.topk(2); x.topk(5); x.topk(-1); x.topk(0); x.topk(2, 0); x.topk(2, largest=False); n.topk(3); c.topk(2); b.topk(2)
z.topk(1); z.topk(2); x.topk(1, 3); x.kthvalue(2); x.kthvalue(0); x.kthvalue(5); x.kthvalue(2, 0, True); z.kthvalue(1)
n.kthvalue(2); c.kthvalue(1); b.kthvalue(1); e.kthvalue(1); x.median(); x.median(0); x.median(1, True); n.median()
n.median(0); n.nanmedian(); n.nanmedian(0); e.median(); e.median(0); c.median(); b.median(); i.median(); i.median(0)
z.median(0); x.mode(); x.mode(0, True); i.mode(); n.mode(); e.mode(); e.mode(1); c.mode(); b.mode(); z.mode()
i.unique(); i.unique(return_inverse=True, return_counts=True); i.unique(return_counts=True); i.unique(dim=0)
n.unique(); i.unique(dim=1, return_inverse=True); torch.unique(i, return_inverse=True); b.unique(); c.unique()
torch.unique_consecutive(i); torch.unique_consecutive(i, return_inverse=True, return_counts=True)
torch.unique_consecutive(i, dim=1); x.quantile(0.3); x.quantile(q, dim=1); x.quantile(q, dim=1, keepdim=True)
x.quantile(0.3, interpolation="lower"); x.quantile(1.3); i.quantile(0.3); n.quantile(0.5); n.nanquantile(0.5)
x.quantile(0.3, interpolation="foo"); x.quantile("a"); e.quantile(0.5); x.quantile(0.6, 0, interpolation="nearest")
x.quantile(0.4, 1, interpolation="midpoint"); x.quantile(q.double()); x.softmax(1); x.softmax(2); i.softmax(1)
i.softmax(1, dtype=torch.float32); b.softmax(0); c.softmax(1); z.softmax(0); z.softmax(1); e.softmax(0)
e.log_softmax(1); c.log_softmax(1); i.log_softmax(1); h.softmax(1); h.log_softmax(0); x.softmax((0, 1))
x.softmax(1, torch.float64); x.log_softmax(dim=-1, dtype=torch.float64); x.softmax(0); x.log_softmax(0)
torch.sum(x, dim=0, out=torch.empty(4)); torch.sum(x, dim=0, out=torch.empty(4, dtype=torch.int64))
torch.sum(x, dim=0, out=torch.empty(4, dtype=torch.float64)); torch.mean(x, 1, out=torch.empty(0))
torch.amax(x, 0, out=i); torch.max(x, 0, out=(torch.empty(4), torch.empty(4, dtype=torch.int64)))
torch.max(x, 0, out=(torch.empty(4), torch.empty(4)))
"""


def calls():
    return [c.strip() for line in CALLS.strip().split("\n") for c in line.split(";") if c.strip()]


def outcome(lib, text):
    """What the call gives, as plain data."""
    names = {k: lib.from_numpy(v.copy()) for k, v in ARRAYS.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = eval(text, {"torch": lib, **names})
        except Exception as error:
            return "raises", type(error).__name__, str(error)
    several = isinstance(result, tuple)
    parts = result if several else (result,)
    return (
        "gives",
        type(result).__name__ if several else "",
        [(str(p.dtype), tuple(p.shape), p.numpy()) for p in parts if p is not None],
    )


@pytest.mark.parametrize("text", calls())
def test_same_outcome(text):
    want, got = outcome(torch, text), outcome(wengert, text)
    if want[0] == "raises":
        assert got[:2] == want[:2], got
        first = want[2].split("\n")[0].split(" - got ")[0].rstrip(". ")  # a method's arguments lack the tensor
        assert re.sub(r"position \d", "", got[2]).startswith(re.sub(r"position \d", "", first)), got[2]
        return
    assert got[0] == "gives", got
    assert got[1].removesuffix("_out") == want[1].removesuffix("_out")
    assert len(got[2]) == len(want[2])
    for g, w in zip(got[2], want[2], strict=True):
        assert g[:2] == w[:2]
        tolerance = 2e-3 if w[0].endswith("float16") else 2e-6
        np.testing.assert_allclose(g[2], w[2], rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    "name", ["sum", "prod", "nansum", "cumsum", "cumprod", "amax", "argmax", "all", "count_nonzero", "median"]
)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dim", [None, 0])
def test_dtype_and_value_for_every_dtype(name, dtype, dim):
    if dim is None and name.startswith("cum"):
        dim = 1
    array = np.asarray(np.random.default_rng(5).integers(0, 5, (3, 4)), dtype)
    results = []
    for lib in (torch, wengert):
        x = lib.from_numpy(array.copy())
        try:
            r = getattr(lib, name)(x) if dim is None else getattr(lib, name)(x, dim)
            r = r if isinstance(r, lib.Tensor) else r[0]
            results.append((str(r.dtype), tuple(r.shape), r.tolist()))
        except Exception as error:
            results.append((type(error).__name__, str(error).split("\n")[0]))
    want, got = results
    if len(want) == 2:
        assert got[0] == want[0]
        assert got[1].startswith(want[1])
    else:
        assert got == want


def test_names_in_the_graph():
    text = """
    x.sum(); x.sum(1); x.sum(()); x.mean(); x.mean(1); x.var(); x.std(1); torch.var_mean(x)[1]; x.prod(); x.prod(1)
    x.amax(); x.amin(1); torch.aminmax(x)[0]; x.max(); x.min(); x.max(1)[0]; torch.max(x, x); x.logsumexp(1)
    x.nansum(1); x.norm(); x.norm(2, 1); x.cumsum(0); x.cumprod(0); x.logcumsumexp(0); x.cummax(0)[0]
    x.cummin(0)[0]; x.diff(); x.sort()[0]; x.topk(2)[0]; x.kthvalue(2)[0]; x.median(); x.median(1)[0]; x.nanmedian()
    x.mode(1)[0]; x.softmax(1); x.log_softmax(1)
    """
    for call in (c.strip() for line in text.strip().split("\n") for c in line.split(";")):
        names = []
        for lib in (torch, wengert):
            x = lib.from_numpy(ARRAYS["x"].copy()).requires_grad_()
            node = eval(call, {"torch": lib, "x": x}).grad_fn
            names.append((node.name(), len(node.next_functions)))
        assert names[0] == names[1], call


@pytest.mark.parametrize("size", [100, 5000, 300_000])
@pytest.mark.parametrize("layout", ["whole", "rows", "columns", "transposed", "part"])
def test_single_precision_sums_are_as_exact_as_pytorchs(size, layout):
    a = np.random.default_rng(size).uniform(0, 1, (size // 10, 10)).astype(np.float32)
    if layout == "transposed":
        a = a.T
    elif layout == "part":
        a = a[:, ::2]
    dim = {"whole": None, "rows": 1, "columns": 0, "transposed": 1, "part": None}[layout]
    exact = a.astype(np.float64).sum(dim)
    errors = []
    for lib in (torch, wengert):
        x = lib.from_numpy(a)
        got = x.sum() if dim is None else x.sum(dim)
        errors.append(np.abs(got.numpy() - exact).max() / np.abs(exact).max())
    assert errors[1] <= max(errors[0], 1.5e-7)
