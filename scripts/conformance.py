"""Measure wengert against PyTorch's operator database and hold the result against the floor kept in the repository.

    python scripts/conformance.py                     # exit 1 if fewer operators fully pass than
    conformance-floor.json says python scripts/conformance.py --raise-floor       # and write the floor anew, if more
    pass python scripts/conformance.py --op '^(sum|mean)$' # some operators only: reports, and compares nothing

Runs `opinfo.py` of the conformance folder (`--shared`, by default the folder `shared` beside the repository) in
several processes. The floor lists the operators that fully passed when it was written. What counts is how many pass;
those of the list that no longer do are named either way. An operator that ran out of time is given a second try,
alone.
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

ROOT = Path(__file__).resolve().parent.parent
FLOOR = ROOT / "conformance-floor.json"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--op", default="", metavar="REGEX", help="only operators whose name matches")
    parser.add_argument("--raise-floor", action="store_true", help="write the floor anew if more operators pass")
    parser.add_argument("--json", type=Path, help="also write the merged report there")
    options = parser.parse_args()

    floor = json.loads(FLOOR.read_text())
    harness = Harness(options.shared.resolve() / "conformance" / "opinfo.py", floor["tier"], floor["dtypes"])
    results = harness.run(options.op, options.jobs)
    late = sorted(name for name, result in results.items() if result["outcome"] == "timeout")
    if late:
        print(f"a second try for {len(late)} that ran out of time: {' '.join(late)}")
        results |= harness.run(f"^({'|'.join(map(re.escape, late))})$", 1)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(results, indent=1))

    report(results)
    passing = sorted(name for name, result in results.items() if result["outcome"] == "pass")
    return 0 if options.op else compare(passing, floor, options.raise_floor)


class Harness:
    """`opinfo.py` with the settings of the floor."""

    def __init__(self, script: Path, tier: str, dtypes: str) -> None:
        if not script.exists():
            sys.exit(f"conformance: there is no {script}; name the folder that holds conformance/ with --shared")
        self.command = [sys.executable, str(script), "--tier", tier, "--dtypes", dtypes, "--errors"]

    def run(self, pattern: str, jobs: int) -> dict[str, Any]:
        """The report's entry of each operator whose name matches, measured in `jobs` processes."""
        with tempfile.TemporaryDirectory() as folder:
            reports = [Path(folder, f"{i}.json") for i in range(1, jobs + 1)]
            shards = [
                subprocess.Popen(
                    [*self.command, "--op", pattern, "--shard", f"{i}/{jobs}", "--json", str(report)],
                    cwd=ROOT, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                )
                for i, report in enumerate(reports, 1)
            ]  # fmt: skip
            codes = [shard.wait() for shard in shards]
            if any(codes):
                sys.exit(f"conformance: opinfo.py ended with {codes}: its own error is above")
            merged: dict[str, Any] = {}
            for file in reports:
                merged |= json.loads(file.read_text())["ops"]
        return merged


def report(results: dict[str, Any]) -> None:
    """The operators by outcome, with the first failure of each that is there but not right."""
    outcomes: dict[str, list[str]] = {}
    for name, result in sorted(results.items()):
        outcomes.setdefault(result["outcome"], []).append(name)
    for outcome, names in sorted(outcomes.items(), key=lambda item: (item[0] == "missing", item[0])):
        print(f"{outcome}: {len(names)}")
        if outcome == "missing":
            print(f"    {' '.join(names)}")
        elif outcome != "pass":
            for name in names:
                print(f"    {name}: {first_failure(results[name])}")


def first_failure(result: dict[str, Any]) -> str:
    for level, row in result["levels"].items():
        if row["first_failure"]:
            return f"{level} {row['passed']}/{row['attempted']}: {row['first_failure']['error'][:160]}"
    return str(result.get("error", ""))


def compare(passing: list[str], floor: dict[str, Any], raise_floor: bool) -> int:
    """Say where the count stands against the floor; 1 if below it."""
    kept = floor["operators"]
    lost, won = sorted(set(kept) - set(passing)), sorted(set(passing) - set(kept))
    print(f"\n{len(passing)} operators fully pass; the floor is {len(kept)} (tier {floor['tier']}, {floor['dtypes']})")
    if lost:
        print(f"no longer passing: {' '.join(lost)}")
    if len(passing) < len(kept):
        print(f"below the floor by {len(kept) - len(passing)}")
        return 1
    if won:
        print(f"newly passing: {' '.join(won)}")
    if len(passing) > len(kept):
        if raise_floor:
            FLOOR.write_text(json.dumps(floor | {"operators": passing}, indent=1) + "\n")
            print(f"the floor is now {len(passing)}")
        else:
            print(f"the floor could be raised to {len(passing)}: python scripts/conformance.py --raise-floor")
    return 0


if __name__ == "__main__":
    sys.exit(main())
