"""Random numbers that PyTorch 2.13 gave, so that tests without it can compare.

`python -m tests.parity.test_random` records them in random_numbers.json, and the parity tests check that they are still
what PyTorch gives.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("random_numbers.json")
DIGITS = {"float32": 24, "float64": 53, "float16": 11, "bfloat16": 8, "complex64": 24, "complex128": 53}

# (seed, expression); what is not marked by ~ must be equal to the last bit
CALLS = [
    *((seed, "t.rand(4)") for seed in (0, 1, -1, 2**63, 2**64 - 1)),
    (0, "t.rand(3, dtype=t.float64)"),
    (0, "t.rand(3, dtype=t.float16)"),
    (0, "t.rand(2, dtype=t.complex64)"),
    (0, "t.empty(40).uniform_(-0.1, 0.3)"),
    (0, "t.empty(40, dtype=t.float64).uniform_(-0.1, 0.3)"),
    (0, "~t.randn(3)"),
    (0, "~t.randn(15)"),
    (0, "~t.randn(16)"),
    (0, "~t.randn(17)"),
    (0, "~t.randn(40)"),
    (0, "~t.randn(3, dtype=t.float64)"),
    (0, "~t.randn(18, dtype=t.float64)"),
    (0, "~t.randn(18, dtype=t.float16)"),
    (0, "~t.empty(20).normal_(0.3, 1.7)"),
    (0, "~t.normal(t.rand(5), 0.1)"),
    (0, "~t.normal(t.rand(5), t.rand(5))"),
    (0, "~t.empty(5).exponential_(1.7)"),
    (0, "~t.empty(5).cauchy_(0.3, 1.7)"),
    (0, "~t.empty(5).log_normal_(0.3, 1.7)"),
    (0, "t.empty(5).geometric_(0.3)"),
    (0, "t.empty(9).bernoulli_(0.3)"),
    (0, "t.bernoulli(t.rand(9))"),
    (0, "t.randint(10, (9,))"),
    (0, "t.randint(-5, 2**40, (3,))"),
    (0, "t.empty(3, dtype=t.int64).random_()"),
    (0, "t.empty(3, dtype=t.uint8).random_()"),
    (0, "t.empty(3).random_()"),
    (0, "t.randperm(12)"),
    (0, "t.multinomial(t.rand(9), 4)"),
    (0, "t.multinomial(t.rand(9), 6, replacement=True)"),
    (0, "t.poisson(t.rand(9) * 30)"),
]


def drawn(t, seed, call):
    """What one of the libraries draws: the numbers, as text that loses nothing, and the dtype."""
    t.manual_seed(seed)
    found = eval(call.removeprefix("~"), {"t": t})
    flat = found.tolist()
    return {
        "seed": seed,
        "call": call,
        "dtype": str(found.dtype).removeprefix("torch."),
        "values": list(map(repr, flat)),
    }


def read():
    """The recorded draws."""
    return json.loads(FILE.read_text())


def write(draws):
    """Record draws."""
    FILE.write_text("[\n" + ",\n".join(json.dumps(d) for d in draws) + "\n]\n")


def ulps(a, b, digits):
    """How many units in the last of so many binary digits lie between two arrays, at most."""
    a, b = (np.ascontiguousarray(x) for x in (a, b))
    a, b = (x.view(x.real.dtype).astype(np.float64) if np.iscomplexobj(x) else x.astype(np.float64) for x in (a, b))
    different = ~((a == b) | (np.isnan(a) & np.isnan(b)))
    if not different.any():
        return 0
    a, b = a[different], b[different]
    _, exponent = np.frexp(np.maximum(np.abs(a), np.abs(b)))
    return np.max(np.abs(a - b) / np.ldexp(1.0, np.maximum(exponent, -125 if digits == 24 else -1021) - digits))
