"""Runs one call under torch and under wengert, and holds against each other what comes of it: values, dtypes, gradients, the
chain of nodes, warnings; or the error."""

from __future__ import annotations

import re
import warnings

import numpy as np

import wengert


def calls(text):
    """The calls of a text, which semicolons and ends of lines divide."""
    return [c.strip() for line in text.strip().split("\n") for c in line.split(";") if c.strip()]


def chain(node):
    """The names of a node and of those that its first edges lead to."""
    names = []
    while node is not None:
        names.append((node.name(), len(node.next_functions)))
        node = node.next_functions[0][0] if node.next_functions else None
    return names


def numpy_of(tensor):
    tensor = tensor.detach().resolve_conj()
    return (tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor).numpy()


def outcome(lib, arrays, text):
    """("raises", type, words) or ("gives", [dtype, shape and nodes of each result], [values], [gradients], [warnings])."""
    names = {k: lib.from_numpy(v.copy()) for k, v in arrays.items()}
    leaves = [names[k].requires_grad_() for k, v in arrays.items() if v.dtype.kind == "f"]
    lib.manual_seed(0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = eval(text, {"torch": lib, "F": lib.nn.functional, "nn": lib.nn, "nan": np.nan, **names})
        except Exception as error:
            return "raises", type(error).__name__, str(error)
    said = [str(c.message) for c in caught if issubclass(c.category, UserWarning)]
    results = result if isinstance(result, tuple) else (result,)
    about = [(str(r.dtype), tuple(r.shape), chain(r.grad_fn)) for r in results]
    for r in results:
        if r.requires_grad:
            weights = np.linspace(0.5, 1.5, int(np.prod(r.shape)), dtype=np.float64).reshape(r.shape)
            r.backward(lib.from_numpy(np.asarray(weights)).to(r.dtype))
    gradients = [None if x.grad is None else numpy_of(x.grad) for x in leaves]
    return "gives", about, [numpy_of(r) for r in results], gradients, said


def assert_same_outcome(torch, arrays, text, tolerance=3e-6):
    want, got = outcome(torch, arrays, text), outcome(wengert, arrays, text)
    if want[0] == "raises":
        assert got[:2] == want[:2], got
        first = want[2].split("\n")[0].rstrip(". ")
        assert re.sub(r"position \d", "", got[2]).startswith(re.sub(r"position \d", "", first)), got[2]
        return
    assert got[:2] == want[:2], got
    assert [g[:60] for g in got[4]] == [w[:60] for w in want[4]]
    if "half" in text or "bfloat16" in text:
        tolerance = 3e-2 if "bfloat16" in text else 2e-3
    for g, w in zip(got[2] + got[3], want[2] + want[3], strict=True):
        if w is None:
            assert g is None or not g.any()
        else:
            np.testing.assert_allclose(g, w, rtol=tolerance, atol=tolerance)
