"""Which operations give views and which copies, their strides, versions and nodes, and the errors: as in PyTorch."""

from __future__ import annotations

import warnings

import pytest

torch = pytest.importorskip("torch")

import wengert  # noqa: E402

from .shape_cases import BASES, CALLS, EXCEPT  # noqa: E402

SAME_WORDS = 38  # characters of an error that are PyTorch's; what follows may name numbers, and the cure


def nodes(x, depth=4):
    """The names of the nodes from a tensor's to its first inputs'."""
    found = []
    node = x.grad_fn
    while node is not None and len(found) < depth:
        found.append(node.name().removeprefix("torch::autograd::"))
        node = node.next_functions[0][0] if node.next_functions else None
    return found


def describe(m, base, result):
    if isinstance(result, (tuple, list)):
        return [describe(m, base, r) for r in result]
    if not isinstance(result, m.Tensor):
        return result
    several = result.numel() > 1
    return {
        "shape": tuple(result.shape),
        "strides": [s for s, n in zip(result.stride(), result.shape, strict=True) if n > 1] if result.numel() else None,
        "offset": result.storage_offset() if several else None,
        "itself": result is base,
        "same memory": result.data_ptr() == base.data_ptr() if several else None,
        "view": result._is_view(),
        "base": None if result._base is None else tuple(result._base.shape),
        "version": result._version,
        "nodes": nodes(result),
        "output": result.output_nr,
        "leaf": result.is_leaf,
        "contiguous": result.is_contiguous(),
        "dtype": str(result.dtype),
        "values": result.tolist(),
    }


def outcome(m, base, call):
    x = eval(base, {"m": m})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return describe(m, x, call(m, x))
        except Exception as error:
            return type(error).__name__, str(error).split("\n")[0][:SAME_WORDS]


@pytest.mark.parametrize("call", CALLS.strip().split("\n"))
def test_call(call):
    function = eval("lambda m, x: " + call)
    for name, base in BASES.items():
        if (call, name) not in EXCEPT:
            want, got = outcome(torch, base, function), outcome(wengert, base, function)
            if isinstance(want, tuple) and isinstance(got, tuple) and isinstance(got[0], str):
                got = got[0], got[1][: len(want[1])]
            assert got == want, f"{call} on {name}"


MEMORY_FORMATS = [
    "m.ones(2,3,4,5).contiguous(memory_format=m.channels_last)",
    "m.ones(2,3,4,5).clone(memory_format=m.channels_last)",
    "m.ones(2,3,4,5).to(memory_format=m.channels_last)",
    "m.ones(2,3,4,5).contiguous(memory_format=m.channels_last).clone()",
    "m.ones(2,3,4,5).contiguous(memory_format=m.channels_last).contiguous()",
    "m.ones(2,3,4,5).contiguous(memory_format=m.channels_last).double()",
    "m.ones(3).expand(2,3).clone()",
    "m.ones(4,6)[:,::2].clone()",
    "m.ones(4,6).t()[:,::2].clone()",
    "m.ones(2,3,4).permute(1,2,0)[::2].clone()",
    "m.ones(2,3,4).permute(1,2,0).double()",
    "m.ones(2,3,4).permute(1,2,0).clone(memory_format=m.contiguous_format)",
]


@pytest.mark.parametrize("code", MEMORY_FORMATS)
def test_memory_format(code):
    assert eval(code, {"m": wengert}).stride() == eval(code, {"m": torch}).stride()


BITS = ["int32", "int16", "int8", "uint8", "float64", "float16", "int64"]


@pytest.mark.parametrize("dtype", BITS)
@pytest.mark.parametrize(
    "base", ["m.arange(8.).reshape(2,4)", "m.arange(8.).reshape(2,4).t()", "m.arange(3.)", "m.tensor(1.)"]
)
def test_view_as_another_type(base, dtype):
    assert outcome(wengert, base, lambda m, x: x.view(getattr(m, dtype))) == outcome(
        torch, base, lambda m, x: x.view(getattr(m, dtype))
    )
