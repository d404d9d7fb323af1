"""The cost of an operation and of small training steps: wengert against torch's eager mode, in turns in one process.

    python benchmarks/overhead.py [--only REGEX] [--rounds 60] [--null] [--json FILE]

Each workload is one function of the library, called with wengert and with torch: the same code, float32, one thread.
Prints microseconds a call (the best round of each) and the ratio wengert / torch (the median over rounds).
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from typing import Any

import timing

Library = Any
WORKLOADS: dict[str, Callable[[Library], Callable[[], Any]]] = {}
TARGET, WORST = 0.50, 0.80


def workload(name: str) -> Callable[[Callable[[Library], Callable[[], Any]]], Callable[[Library], Callable[[], Any]]]:
    def register(make: Callable[[Library], Callable[[], Any]]) -> Callable[[Library], Callable[[], Any]]:
        WORKLOADS[name] = make
        return make

    return register


def eight(torch: Library) -> Any:
    return torch.linspace(0.1, 0.8, 8).requires_grad_()


@workload("add of 8, recorded")
def add(torch: Library) -> Callable[[], Any]:
    x, y = eight(torch), eight(torch)
    return lambda: x + y


@workload("mul of 8 by a number, recorded")
def mul(torch: Library) -> Callable[[], Any]:
    x = eight(torch)
    return lambda: x * 1.5


@workload("exp of 8, recorded")
def exp(torch: Library) -> Callable[[], Any]:
    x = eight(torch)
    return lambda: x.exp()


@workload("sum of 8, recorded")
def sum_(torch: Library) -> Callable[[], Any]:
    x = eight(torch)
    return lambda: x.sum()


@workload("x**2*3 + 1 at 0-d, forward and backward")
def polynomial(torch: Library) -> Callable[[], Any]:
    x = torch.tensor(2.0, requires_grad=True)

    def step() -> None:
        x.grad = None
        (x**2 * 3 + 1).backward()

    return step


@workload("50 multiplications at 0-d, forward and backward")
def chain(torch: Library) -> Callable[[], Any]:
    x = torch.tensor(1.01, requires_grad=True)

    def step() -> None:
        x.grad = None
        y = x
        for _ in range(50):
            y = y * x
        y.backward()

    return step


def mlp(torch: Library, optimizer: Callable[[Any], Any]) -> Callable[[], Any]:
    torch.manual_seed(0)
    nn = torch.nn
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
    images, labels = torch.randn(32, 64), torch.randint(0, 10, (32,))
    adjust = optimizer(model.parameters())

    def step() -> None:
        adjust.zero_grad()
        torch.nn.functional.cross_entropy(model(images), labels).backward()
        adjust.step()

    return step


@workload("MLP 64-64-10, batch 32, a step of SGD")
def mlp_sgd(torch: Library) -> Callable[[], Any]:
    return mlp(torch, lambda parameters: torch.optim.SGD(parameters, lr=0.01))


@workload("MLP 64-64-10, batch 32, a step of Adam")
def mlp_adam(torch: Library) -> Callable[[], Any]:
    return mlp(torch, lambda parameters: torch.optim.Adam(parameters, lr=0.001))


@workload("RNN of 32 units, 16 steps, batch 32, forward and backward")
def rnn(torch: Library) -> Callable[[], Any]:
    torch.manual_seed(0)
    wx = torch.nn.Parameter(torch.randn(32, 32) * 0.1)
    wh = torch.nn.Parameter(torch.randn(32, 32) * 0.1)
    b = torch.nn.Parameter(torch.zeros(32))
    xs = list(torch.randn(16, 32, 32))

    def step() -> None:
        wx.grad = wh.grad = b.grad = None
        h = torch.zeros(32, 32)
        for x in xs:
            h = torch.tanh(x @ wx + h @ wh + b)
        (h**2).mean().backward()

    return step


def measure(pattern: str = "", rounds: int = 60, null: bool = False) -> dict[str, Any]:
    """All workloads whose name matches: microseconds of each library, ratios, and their geometric mean."""
    import torch

    import wengert

    torch.set_num_threads(1)
    library = torch if null else wengert
    rows = []
    for name, make in WORKLOADS.items():
        if re.search(pattern, name):
            pair = timing.compare(make(library), make(torch), rounds=rounds)
            rows.append(
                {"name": name, "wengert_us": pair.ours * 1e6, "torch_us": pair.theirs * 1e6, "ratio": pair.ratio}
            )
            print(f"{name:60} {pair.ours * 1e6:9.2f} {pair.theirs * 1e6:9.2f} {pair.ratio:7.2f}", flush=True)
    return {"rows": rows, "geometric_mean": math.exp(sum(math.log(r["ratio"]) for r in rows) / len(rows))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="REGEX", help="only workloads whose name matches")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--null", action="store_true", help="torch against itself: what the method reads into noise")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    timing.prepare()
    if not any(re.search(options.only, name) for name in WORKLOADS):
        parser.error(f"no workload matches {options.only!r}; there are: " + ", ".join(WORKLOADS))
    print(f"{'microseconds':60} {'wengert':>9} {'torch':>9} {'ratio':>7}")
    result = measure(options.only, options.rounds, options.null)
    worst = max(result["rows"], key=lambda row: row["ratio"])
    print(f"{'geometric mean (target: at most ' + format(TARGET, '.2f') + ')':80} {result['geometric_mean']:7.2f}")
    print(f"{'worst (target: at most ' + format(WORST, '.2f') + ')':80} {worst['ratio']:7.2f}  {worst['name']}")
    timing.write(options.json, result)


if __name__ == "__main__":
    main()
