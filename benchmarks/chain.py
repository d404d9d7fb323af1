"""A chain of a million operations: whether the time of an operation stays that of a chain of ten thousand.

    python benchmarks/chain.py [--long 1000000] [--short 10000] [--json FILE]

Forward, backward and release of `y = y * 1.0000001` repeated, at 0-d, timed apart; the best of several runs of each
length, in turns. The garbage collector is on, as in a user's program; it looks at all that was imported too, and so each
library has a process of its own. The same is run with torch, to compare.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import time
from typing import Any

import timing

TARGET = 1.3


def run(torch: Any, length: int) -> dict[str, float]:
    """Nanoseconds an operation, of each part and of all."""
    x = torch.tensor(1.0, requires_grad=True)
    marks = [time.perf_counter()]
    y = x
    for _ in range(length):
        y = y * 1.0000001
    marks.append(time.perf_counter())
    y.backward()
    marks.append(time.perf_counter())
    del y
    marks.append(time.perf_counter())
    # What the graph holds goes with its last reference, during backward or with `y`: all together, it cannot hide.
    parts = {
        part: 1e9 * (b - a) / length
        for part, a, b in zip(("forward", "backward", "release"), marks, marks[1:], strict=False)
    }
    return parts | {"all": 1e9 * (marks[-1] - marks[0]) / length}


def run_turns(name: str, long: int, short: int, turns: int) -> dict[str, dict[str, float]]:
    """In this process, with one library: nanoseconds an operation at both lengths, and their ratio."""
    library = importlib.import_module(name)
    if name == "torch":
        library.set_num_threads(1)
    shorts: list[dict[str, float]] = []
    longs: list[dict[str, float]] = []
    for _ in range(turns):
        shorts += [run(library, short) for _ in range(20)]
        longs.append(run(library, long))
    rows = {
        part: {"short_ns": min(s[part] for s in shorts), "long_ns": min(s[part] for s in longs)} for part in shorts[0]
    }
    for row in rows.values():
        row["ratio"] = row["long_ns"] / row["short_ns"] if row["short_ns"] else float("nan")
    return rows


def measure(long: int = 1_000_000, short: int = 10_000, turns: int = 5) -> dict[str, Any]:
    """Both libraries, each in its own process."""
    result: dict[str, Any] = {"long": long, "short": short}
    lengths = ["--long", str(long), "--short", str(short), "--turns", str(turns)]
    for name in ("wengert", "torch"):
        command = [sys.executable, os.path.abspath(__file__), "--child", name, *lengths]
        output = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=True, env=timing.clean_environment()
        ).stdout
        result[name] = json.loads(output)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", type=int, default=1_000_000)
    parser.add_argument("--short", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(run_turns(options.child, options.long, options.short, options.turns)))
        return
    timing.prepare()
    result = measure(options.long, options.short, options.turns)
    print(f"{'nanoseconds an operation':28} {options.short:>10} {options.long:>10} {'ratio':>7}")
    for name in ("wengert", "torch"):
        for part, row in result[name].items():
            print(f"{name + ', ' + part:28} {row['short_ns']:10.0f} {row['long_ns']:10.0f} {row['ratio']:7.2f}")
    print(f"target for wengert, all: at most {TARGET}")
    timing.write(options.json, result)


if __name__ == "__main__":
    main()
