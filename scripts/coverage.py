"""Write docs/coverage.md: which of PyTorch's operators and public names are there, and why the others are not.

    python scripts/coverage.py                  # runs the harness and surface.py of the folder `shared` (`--shared`)
    python scripts/coverage.py --report FILE    # takes the report of `conformance.py --json FILE` instead of running it again

Every operator that does not fully pass, and every name that is missing, needs a reason in `REASONS`: without one this
ends with 1 and names it.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import conformance

PAGE = conformance.ROOT / "docs" / "coverage.md"

#: (what of, the names, why): `operator` for the operator database, else the namespace of a public name
REASONS: list[tuple[str, str, str]] = [
    (r"operator", r"as_strided_scatter", "PyTorch credits elements that were overwritten; their gradient is zero"),
    (
        r"operator",
        r"logcumsumexp",
        "PyTorch's own forward-mode derivative is off, by as much as 1.8 for larger inputs; wengert's by 6e-15",
    ),
    (
        r"operator",
        r"cholesky_inverse",
        "PyTorch's own forward-mode derivative is off by 2e-5; higher precision agrees with wengert",
    ),
    (r"operator", r"special\.bessel_(j0|y1)", "PyTorch's values are off by up to 8e-7 near 8; wengert's by 2e-16"),
    (r"operator", r"masked\.logaddexp", "PyTorch gives nan in the second derivative where an argument is -inf"),
    (
        r"torch\.nn|torch\.nn\.utils\.rnn",
        r".*(RNN|LSTM|GRU).*|.*[Pp]ad.*|.*pack.*|PackedSequence|invert_permutation",
        "recurrent layers: to come",
    ),
    (
        r"torch\.nn(\.functional)?",
        r"Multi.*|Transformer.*|multi_head.*",
        "layers on top of attention, which is there: to come",
    ),
    (r"torch\.nn(\.functional)?", r"AdaptiveLog.*|LinearCross.*|gumbel_softmax", "to come"),
    (r"torch\.nn\.utils(\.parametrize)?", r".*", "reparametrised, fused and reordered modules: to come"),
    (r"torch\.func", r".*", "vmap and what is built on it: to come"),
    (r"torch \(functions\)", r"vmap", "vmap and what is built on it: to come"),
    (r"torch \(functions\)", r"save|load", "files of tensors: to come"),
    (r"torch \(functions\)", r"segment_reduce|empty_.*|range", "rarely used: to come"),
    (r"torch\.Tensor", r".*", "rarely used methods: to come"),
    (r"torch\.optim", r".*", "the rarer optimizers: to come"),
    (r"torch\.utils\.(data|checkpoint)", r".*", "loading of data and checkpointing: to come"),
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=conformance.ROOT.parent / "shared")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--report", type=Path, help="a report of conformance.py to take")
    options = parser.parse_args()

    harness = conformance.Harness(options.shared.resolve() / "conformance" / "opinfo.py", "any", "float64")
    if options.report:
        operators = json.loads(options.report.read_text())
    else:
        operators = harness.run("", options.jobs)
    tiers = json.loads((options.shared / "conformance" / "tiers.json").read_text())
    names = public_names(options.shared.resolve() / "conformance" / "surface.py")

    lines = [
        "# What is covered",
        "",
        "Written by `scripts/coverage.py` from PyTorch's own operator database and its public names.",
        "",
        *operator_section(operators, tiers),
        *name_section(names),
    ]
    PAGE.write_text("\n".join(lines) + "\n")
    unexplained = [line for line in lines if line.endswith("| ? |")]
    for line in unexplained:
        print(f"no reason for {line}", file=sys.stderr)
    return 1 if unexplained else 0


def public_names(script: Path) -> dict[str, Any]:
    """What `surface.py` reports, by namespace."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "surface.json")
        subprocess.run([sys.executable, str(script), "--json", str(report)], check=True, stdout=subprocess.DEVNULL)
        found: dict[str, Any] = json.loads(report.read_text())
        return found


def reason(kind: str, name: str) -> str:
    """Why something is not there; "?" if nobody has said."""
    for where, pattern, why in REASONS:
        if re.fullmatch(where, kind) and re.fullmatch(pattern, name):
            return why
    return "?"


def operator_section(operators: dict[str, Any], tiers: dict[str, Any]) -> list[str]:
    """How many operators fully pass in each tier, and the others with what is the matter."""
    lines = ["## Operators", ""]
    lines += [
        "An operator passes if values, first and second gradients, forward mode, the in-place form and the errors"
    ]
    lines += [
        "agree with PyTorch's on all samples, in float64.",
        "",
        "| tier | entries | pass |",
        "| --- | ---: | ---: |",
    ]
    tried = {name: result for name, result in operators.items() if result["outcome"] != "not attempted"}
    for tier in ("core", "all", "any"):
        # an entry of the database is an operator, or one of its variants after the last dot
        wanted = set(tiers[tier]) if tier in tiers else None
        entries = {n: r for n, r in tried.items() if wanted is None or belongs(n, wanted)}
        passed = sum(r["outcome"] == "pass" for r in entries.values())
        lines.append(f"| {tier} | {len(entries)} | {passed} ({passed / len(entries):.1%}) |")
    lines += ["", "Those that do not pass:", "", "| operator | what is found | why |", "| --- | --- | --- |"]
    for name, result in sorted(tried.items()):
        if result["outcome"] != "pass":
            lines.append(f"| {name} | {result['outcome']} | {reason('operator', name)} |")
    return [*lines, ""]


def belongs(entry: str, names: set[str]) -> bool:
    """Whether an entry of the database is one of the names, or a variant of one."""
    while entry:
        if entry in names:
            return True
        entry = entry.rpartition(".")[0]
    return False


def name_section(names: dict[str, Any]) -> list[str]:
    """How many public names are there, by namespace, and the missing ones by reason."""
    lines = ["## Public names", "", "| namespace | names | there |", "| --- | ---: | ---: |"]
    why: dict[tuple[str, str], list[str]] = {}
    for area, found in names.items():
        lines.append(f"| {area} | {found['public']} | {found['has']} |")
        for name in found["missing"]:
            why.setdefault((area, reason(area, name)), []).append(name)
    lines += ["", "Those that are missing:", "", "| namespace | names | why |", "| --- | --- | --- |"]
    lines += [f"| {area} | {' '.join(missing)} | {because} |" for (area, because), missing in why.items()]
    return lines


if __name__ == "__main__":
    sys.exit(main())
