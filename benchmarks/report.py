"""Write the figures of README.md from what the benchmarks measured.

    python benchmarks/report.py --measure    # run every benchmark first (minutes; needs torch), and keep its result
    in results/ python benchmarks/report.py              # write the block anew from the results that are kept python
    benchmarks/report.py --check      # exit 1 if README.md differs from them

No figure in README.md is typed by hand: all stand between two marks, and come from benchmarks/results/*.json.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
README, RESULTS = HERE.parent / "README.md", HERE / "results"
BEGIN, END = "<!-- figures: begin (written by benchmarks/report.py) -->", "<!-- figures: end -->"
BENCHMARKS = ("overhead", "import_time", "chain", "memory")


def measure(names: tuple[str, ...]) -> None:
    for name in names:
        print(f"\n{name}", flush=True)
        command = [sys.executable, str(HERE / f"{name}.py"), "--json", str(RESULTS / f"{name}.json")]
        subprocess.run(command, check=True)


def block() -> str:
    """The Markdown of all results that are kept."""
    kept = {n: json.loads((RESULTS / f"{n}.json").read_text()) for n in BENCHMARKS if (RESULTS / f"{n}.json").exists()}
    writers = {"overhead": overhead, "import_time": import_time, "chain": chain, "memory": memory}
    parts = [writers[name](result) for name, result in kept.items()]
    parts += [f"Measured on {machine}." for machine in dict.fromkeys(describe(r["machine"]) for r in kept.values())]
    return "\n\n".join(parts)


def describe(machine: dict[str, str]) -> str:
    return (
        f"{machine['cpu']}, with Python {machine['python']}, NumPy {machine['numpy']} and PyTorch {machine['torch']}, "
        f"wengert {machine['wengert']}"
    )


def overhead(result: dict[str, Any]) -> str:
    lines = ["| work (float32, microseconds) | wengert | PyTorch | ratio |", "| --- | ---: | ---: | ---: |"]
    for row in result["rows"]:
        ours, theirs = number(row["wengert_us"]), number(row["torch_us"])
        lines.append(f"| {row['name']} | {ours} | {theirs} | {row['ratio']:.2f} |")
    lines.append(f"| geometric mean | | | {result['geometric_mean']:.2f} |")
    return "\n".join(lines)


def import_time(result: dict[str, Any]) -> str:
    ours, theirs, numpy = (result[f"{name}_ms"]["best"] for name in ("wengert", "torch", "numpy"))
    return (
        f"`import wengert` takes {ours:.0f} ms more than `import numpy` (which takes {numpy:.0f} ms); "
        f"`import torch` takes {theirs:.0f} ms more."
    )


def chain(result: dict[str, Any]) -> str:
    ours, theirs = result["wengert"]["all"], result["torch"]["all"]
    return (
        f"In a chain of {result['long']:,} operations, each takes {ours['long_ns'] / 1000:.1f} us, forward, backward "
        f"and release together: {ours['ratio']:.2f} times what it takes in a chain of {result['short']:,} "
        f"(PyTorch: {theirs['long_ns'] / 1000:.1f} us, {theirs['ratio']:.2f} times)."
    )


def memory(result: dict[str, Any]) -> str:
    ours, theirs = result["wengert"]["peak_mb"], result["torch"]["peak_mb"]
    return (
        f"A step of an MLP with {result['layers']} layers of {result['width']} units at batch {result['batch']} "
        f"peaks at {ours:.0f} MB (PyTorch: {theirs:.0f} MB), the libraries themselves not counted."
    )


def number(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", nargs="*", choices=BENCHMARKS, help="run these benchmarks first (default: all)")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.measure is not None:
        measure(tuple(options.measure) or BENCHMARKS)
    text = README.read_text()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{README} has no block between {BEGIN!r} and {END!r}")
    figures = block()
    new = before + begin + "\n" + (f"\n{figures}\n\n" if figures else "") + end + after
    if options.check and new != text:
        print("README.md does not show benchmarks/results: run python benchmarks/report.py")
        return 1
    if not options.check:
        README.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
