"""Convolutions, forward and backward, against torch: which kinds cost how much.

    python benchmarks/convolution.py [--json FILE]

Both libraries with one thread, in turns. The first line is the one that docs/performance.md holds to 2.0.
"""

from __future__ import annotations

import argparse
from typing import Any

import timing

TARGET = 2.0
#: name, (batch, in, out channels), size, kernel, stride, padding, groups, transposed
CASES: list[tuple[str, tuple[int, int, int], tuple[int, ...], int, int, int, int, bool]] = [
    ("16x32x32x32 by 64x32x3x3", (16, 32, 64), (32, 32), 3, 1, 1, 1, False),
    ("one element, 64 to 64 channels", (16, 64, 64), (32, 32), 1, 1, 0, 1, False),
    ("5x5", (8, 16, 32), (32, 32), 5, 1, 2, 1, False),
    ("each channel by itself", (16, 32, 32), (32, 32), 3, 1, 1, 32, False),
    ("stride 2", (16, 32, 64), (32, 32), 3, 2, 1, 1, False),
    ("transposed, stride 2", (16, 64, 32), (16, 16), 3, 2, 1, 1, True),
    ("signals", (16, 32, 64), (256,), 5, 1, 2, 1, False),
    ("volumes", (2, 8, 16), (16, 16, 16), 3, 1, 1, 1, False),
    ("digits", (64, 1, 16), (28, 28), 3, 1, 1, 1, False),
    ("one small image", (1, 1, 1), (8, 8), 3, 1, 0, 1, False),
]


def step(torch: Any, case: Any) -> tuple[Any, Any]:
    """Functions that run the convolution of a case forward, and forward and backward."""
    _, (n, inputs, outputs), size, kernel, stride, padding, groups, transposed = case
    torch.manual_seed(0)
    rank = len(size)
    name = f"conv_transpose{rank}d" if transposed else f"conv{rank}d"
    convolve = getattr(torch.nn.functional, name)
    x = torch.randn(n, inputs, *size, requires_grad=True)
    shape = (inputs, outputs // groups) if transposed else (outputs, inputs // groups)
    w = torch.randn(*shape, *(kernel,) * rank, requires_grad=True)

    def forward() -> Any:
        return convolve(x, w, None, stride=stride, padding=padding, groups=groups)

    t = torch.randn(*forward().shape)
    return forward, lambda: torch.autograd.grad(forward(), (x, w), t)


def measure() -> dict[str, dict[str, float]]:
    """For each case milliseconds of both libraries and their ratio, forward, and forward and backward."""
    import torch

    import wengert

    torch.set_num_threads(1)
    rows: dict[str, dict[str, float]] = {}
    for case in CASES:
        forward = timing.compare(step(wengert, case)[0], step(torch, case)[0], rounds=15, seconds=0.01)
        both = timing.compare(step(wengert, case)[1], step(torch, case)[1], rounds=15, seconds=0.01)
        rows[case[0]] = {
            "forward_ms": 1e3 * forward.ours, "torch_forward_ms": 1e3 * forward.theirs, "forward_ratio": forward.ratio,
            "both_ms": 1e3 * both.ours, "torch_both_ms": 1e3 * both.theirs, "both_ratio": both.ratio,
        }  # fmt: skip
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    timing.prepare()
    rows = measure()
    print(f"{'milliseconds':32} {'forward':>8} {'torch':>8} {'ratio':>6} {'and back':>9} {'torch':>8} {'ratio':>6}")
    for name, row in rows.items():
        print(
            f"{name:32} {row['forward_ms']:8.2f} {row['torch_forward_ms']:8.2f} {row['forward_ratio']:6.2f} "
            f"{row['both_ms']:9.2f} {row['torch_both_ms']:8.2f} {row['both_ratio']:6.2f}"
        )
    print(f"target of the first, forward and backward: at most {TARGET}")
    timing.write(options.json, rows)


if __name__ == "__main__":
    main()
