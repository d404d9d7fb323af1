"""Every core operator against torch's eager mode, at three sizes, forward and forward with backward, in turns in one process.

    python benchmarks/operators.py [--op REGEX] [--size N ...] [--rounds 5] [--worst 10] [--json FILE]
    python benchmarks/operators.py --document    # write the tables of docs/performance.md from results/operators.json

What is called, and on what, stands in operator_table.py; float32. The ratio is wengert / torch, of the best round of each: below 1,
wengert is quicker. wengert takes as many threads as NumPy does by itself. torch is timed with its own number of threads and
with one, and the best round of all counts: where others use the cores too, its threads wait milliseconds for each other even over
8 elements, in most rounds, and ratios of 0.00 would follow from a median.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import timing

HERE = Path(__file__).resolve().parent
DOCUMENT, RESULTS = HERE.parent / "docs" / "performance.md", HERE / "results" / "operators.json"
BEGIN, END = "<!-- tables: begin (written by benchmarks/operators.py --document) -->", "<!-- tables: end -->"
TARGETS = {8: 0.6, 4096: 1.0, 1_000_000: 1.5}
WAYS = ("forward", "both")
ROUND, LARGE = 0.001, 100_000  # seconds that a round takes; from this size on, a call is a round

Library = Any
Call = Callable[[], Any]


def prepared(torch: Library, expression: str, size: int) -> tuple[Call, Call | None]:
    """The operator's forward, and forward with backward where it has one, of one library."""
    import numpy as np

    from operator_table import INPUTS, SHAPES

    used = {node.id for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name)}
    names = [name for name in INPUTS if name in used]
    arrays = {name: INPUTS[name](np.random.default_rng(k), size, SHAPES[size]) for k, name in enumerate(names)}
    space = {"torch": torch, "F": torch.nn.functional}
    plain = space | {name: torch.from_numpy(array) for name, array in arrays.items()}
    made = {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
    leaves = [x.requires_grad_() for name, x in made.items() if not name.endswith("_") and x.is_floating_point()]
    leaves += [x.requires_grad_() for x in made.values() if x.is_complex()]
    forward = eval(f"lambda: {expression}", plain)
    recorded = eval(f"lambda: {expression}", space | made)
    out = recorded()
    several = isinstance(out, (tuple, list))
    outs = list(out) if several else [out]
    places = [i for i, x in enumerate(outs) if x.requires_grad]
    seeds = [torch.ones_like(outs[i]) for i in places]
    del out, outs

    def both() -> None:
        for x in leaves:
            x.grad = None
        recorded().backward(seeds[0])

    def both_of_several() -> None:
        for x in leaves:
            x.grad = None
        outs = recorded()
        torch.autograd.backward([outs[i] for i in places], seeds)

    return forward, None if not seeds else both_of_several if several else both


def measure(pattern: str, sizes: Iterable[int], rounds: int) -> dict[str, Any]:
    """Microseconds of each library and their ratio, for each operator that matches, size and way."""
    import torch

    import wengert
    from operator_table import operators

    rows: list[dict[str, Any]] = []
    missing = []
    for family, name, expression in operators():
        if not re.search(pattern, name):
            continue
        if not exists(wengert, expression):
            missing.append(name)
            continue
        for size in sizes:
            pairs = zip(prepared(wengert, expression, size), prepared(torch, expression, size), strict=True)
            for way, (ours, theirs) in zip(WAYS, pairs, strict=True):
                if ours is None or theirs is None:
                    continue
                row = {"family": family, "name": name, "size": size, "way": way}
                rows.append(row | against_quicker(torch, ours, theirs, rounds, 0 if size >= LARGE else ROUND))
        show_line(name, [row for row in rows if row["name"] == name])
    return {"rows": rows, "missing": missing, "summary": summary(rows)}


def against_quicker(torch: Library, ours: Call, theirs: Call, rounds: int, seconds: float) -> dict[str, Any]:
    """The best times of each, torch with its own number of threads or with one, and their quotient."""
    usual = torch.get_num_threads()
    pairs = {}
    for threads in (usual, 1):
        torch.set_num_threads(threads)
        pairs[threads] = timing.compare(ours, theirs, rounds=rounds, seconds=seconds)
    torch.set_num_threads(usual)
    best = min(pairs, key=lambda threads: pairs[threads].theirs)
    own, other = min(pair.ours for pair in pairs.values()), pairs[best].theirs
    return {"wengert_us": own * 1e6, "torch_us": other * 1e6, "torch_threads": best, "ratio": own / other}


def exists(library: Library, expression: str) -> bool:
    """Whether the library has what an expression calls."""
    found = re.match(r"(torch|F)\.([\w.]+)", expression)
    owner: Any = library if found is None or found[1] == "torch" else library.nn.functional
    for part in found[2].split(".") if found else ():
        owner = getattr(owner, part, None)
    return owner is not None


def geometric_mean(ratios: Iterable[float]) -> float:
    logs = [math.log(r) for r in ratios]
    return math.exp(sum(logs) / len(logs))


def select(rows: list[dict[str, Any]], size: int, way: str | None = None) -> list[dict[str, Any]]:
    return [row for row in rows if row["size"] == size and way in (None, row["way"])]


def summary(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Geometric means by size: of the forward, of forward with backward, and of both."""
    found = []
    for size in sorted({row["size"] for row in rows}):
        of_size = {way: [r["ratio"] for r in select(rows, size, way)] for way in WAYS}
        means = {way: geometric_mean(ratios) for way, ratios in of_size.items() if ratios}
        found.append({"size": size, **means, "all": geometric_mean(r for ratios in of_size.values() for r in ratios)})
    return found


def worst(rows: list[dict[str, Any]], size: int, count: int) -> list[dict[str, Any]]:
    return sorted(select(rows, size), key=lambda row: -row["ratio"])[:count]


# ------------------------------------------------------------------------------------------------ what is shown


def show_line(name: str, rows: list[dict[str, Any]]) -> None:
    cells = [f"{r['wengert_us']:9.1f} {r['torch_us']:9.1f} {r['ratio']:5.2f}" for r in rows]
    print(f"{name.removeprefix('nn.functional.'):30} " + " | ".join(cells), flush=True)


def show_summary(result: dict[str, Any], count: int) -> None:
    for found in result["summary"]:
        size = found["size"]
        parts = ", ".join(f"{way} {found[way]:.2f}" for way in (*WAYS, "all") if way in found)
        print(f"\ngeometric mean at {size:,}: {parts} (target: at most {TARGETS.get(size, math.nan)})")
        for row in worst(result["rows"], size, count):
            print(f"    {row['name']:36} {row['way']:8} {row['ratio']:6.2f}")
    if result["missing"]:
        print("\nnot there: " + ", ".join(result["missing"]))


def tables(result: dict[str, Any], count: int) -> str:
    """The Markdown of a result: geometric means, the worst of each size, and every operator by family."""
    lines = ["| elements | forward | forward and backward | all | target |", "| ---: | ---: | ---: | ---: | ---: |"]
    for found in result["summary"]:
        cells = " | ".join(f"{found[way]:.2f}" for way in (*WAYS, "all"))
        lines.append(f"| {found['size']:,} | {cells} | {TARGETS[found['size']]:.1f} |")
    sizes = [found["size"] for found in result["summary"]]
    for size in sizes:
        lines += ["", f"The {count} worst at {size:,} elements:", ""]
        lines += ["| operator | | wengert us | PyTorch us | ratio |", "| --- | --- | ---: | ---: | ---: |"]
        for row in worst(result["rows"], size, count):
            way = "forward" if row["way"] == "forward" else "with backward"
            times = f"{row['wengert_us']:,.1f} | {row['torch_us']:,.1f}"
            lines.append(f"| `{row['name']}` | {way} | {times} | {row['ratio']:.2f} |")
    for family in dict.fromkeys(row["family"] for row in result["rows"]):
        of_family = [row for row in result["rows"] if row["family"] == family]
        lines += ["", f'Ratios of the family "{family}", forward / forward and backward:', ""]
        lines += ["| operator | " + " | ".join(f"{s:,}" for s in sizes) + " |", "| --- |" + " ---: |" * len(sizes)]
        for name in dict.fromkeys(row["name"] for row in of_family):
            cells = [
                " / ".join(f"{row['ratio']:.2f}" for row in select(of_family, size) if row["name"] == name)
                for size in sizes
            ]
            lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    machine = result["machine"]
    lines += [
        "",
        f"Measured on {machine['cpu']}, with Python {machine['python']}, NumPy {machine['numpy']} and PyTorch "
        f"{machine['torch']}, wengert {machine['wengert']}.",
    ]
    return "\n".join(lines)


def document(count: int) -> None:
    """Write the tables of docs/performance.md anew from the result that is kept."""
    before, begin, rest = DOCUMENT.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{DOCUMENT} has no block between {BEGIN!r} and {END!r}")
    shown = tables(json.loads(RESULTS.read_text()), count)
    DOCUMENT.write_text(f"{before}{begin}\n\n{shown}\n\n{end}{after}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--op", default="", metavar="REGEX", help="only operators whose name matches")
    parser.add_argument("--size", type=int, nargs="+", choices=tuple(TARGETS), default=tuple(TARGETS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--worst", type=int, default=10, help="how many of the worst to list")
    parser.add_argument("--document", action="store_true", help="write docs/performance.md from results/operators.json")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    if options.document:
        document(options.worst)
        return
    timing.prepare(one_thread=False)
    print("microseconds of wengert and of torch, and their ratio: forward | with backward, at each size")
    result = measure(options.op, options.size, options.rounds)
    if not result["rows"]:
        parser.error(f"no operator matches {options.op!r}")
    show_summary(result, options.worst)
    timing.write(options.json, result)


if __name__ == "__main__":
    main()
