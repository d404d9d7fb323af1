"""What `import wengert` costs on top of `import numpy`, and what `import torch` costs.

    python benchmarks/import_time.py [--processes 20] [--json FILE]

Each figure is the best of many fresh processes; a first one fills the cache of compiled modules. NumPy is imported
first, so wengert's and torch's own share is what is timed.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from typing import Any

import timing

TARGET_MS = 60
PROGRAM = """
import time
a = time.perf_counter()
import numpy
b = time.perf_counter()
import {name}
c = time.perf_counter()
print(b - a, c - b)
"""


def measure(processes: int = 20) -> dict[str, Any]:
    """Milliseconds: NumPy alone, and wengert and torch on top of it (best and median)."""
    times: dict[str, list[float]] = {"numpy": [], "wengert": [], "torch": []}
    for turn in range(processes + 1):
        for name in ("wengert", "torch"):
            command = [sys.executable, "-c", PROGRAM.format(name=name)]
            output = subprocess.run(
                command, capture_output=True, text=True, check=True, env=timing.clean_environment()
            ).stdout
            alone, more = (1000 * float(t) for t in output.split())
            if turn:
                times["numpy"].append(alone)
                times[name].append(more)
    return {f"{name}_ms": {"best": min(t), "median": statistics.median(t)} for name, t in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=20)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    result = measure(options.processes)
    print(f"{'milliseconds':36} {'best':>7} {'median':>7}")
    for label, key in (
        ("import numpy", "numpy_ms"),
        ("import wengert, after NumPy", "wengert_ms"),
        ("import torch, after NumPy", "torch_ms"),
    ):
        print(f"{label:36} {result[key]['best']:7.1f} {result[key]['median']:7.1f}")
    print(f"target for wengert: at most {TARGET_MS}")
    timing.write(options.json, result)


if __name__ == "__main__":
    main()
