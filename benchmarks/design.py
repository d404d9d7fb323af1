"""The figures that docs/design.md gives for its choices.

    python benchmarks/design.py [--json FILE]

Each line is one claim: what is measured, with the choice and without it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import timing


def nanoseconds(function: Callable[[], Any], calls: int = 20_000, rounds: int = 15) -> float:
    """Of one call, the best of several rounds."""
    return 1e9 * min(timing.once(function, calls) for _ in range(rounds))


def calls() -> dict[str, tuple[float, float]]:
    """The call of an operation: nanoseconds with the choice and without."""
    import numpy as np

    import wengert
    from wengert.autograd.modes import get_mode
    from wengert.ops.namespace import tensors
    from wengert.quiet import hush, unhush

    x = wengert.ones(8, requires_grad=True)
    y = wengert.ones(8, requires_grad=True)
    apply = tensors.mul.operation.apply
    scalar, array = np.float32(1.5), np.array(1.5, np.float32)
    specialised = nanoseconds(lambda: x * y)
    return {
        "x * y of 8, recorded: the specialised path, and Operation.apply": (
            specialised, nanoseconds(lambda: apply((x, y)))
        ),
        "a multiplication between NumPy scalars, and between 0-d arrays": (
            nanoseconds(lambda: scalar * scalar), nanoseconds(lambda: array * array)
        ),
        "x * y of 8, and with NumPy's warnings switched off around it": (
            specialised, specialised + nanoseconds(lambda: unhush(hush()))
        ),
        "reading the mode of recording": (nanoseconds(get_mode), float("nan")),
    }  # fmt: skip


def three_operations(library: str) -> float:
    """Nanoseconds of three operations on a million float32, each result named, after a library has been imported."""
    import numpy as np

    __import__(library)
    a = np.ones(1_000_000, np.float32)
    b = np.ones(1_000_000, np.float32)

    def three() -> Any:
        product = a * b
        sum_ = product + a
        return sum_ - b

    return nanoseconds(three, 10, 30)


def chain_without_collector() -> float:
    """The ratio that chain.py measures, with the garbage collector off."""
    import gc

    from chain import run_turns

    gc.disable()
    return run_turns("wengert", 1_000_000, 10_000, 3)["all"]["ratio"]


def child(what: str) -> float:
    """What one of the functions above gives in a process of its own."""
    command = [sys.executable, os.path.abspath(__file__), "--child", what]
    found = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=timing.clean_environment())
    return float(json.loads(found.stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(chain_without_collector() if options.child == "chain" else three_operations(options.child)))
        return
    timing.prepare()
    rows = calls() | {
        "three operations on a million: freed memory kept, and given back": (child("wengert"), child("numpy")),
        "a chain of a million against ten thousand, without the collector (a ratio)": (child("chain"), float("nan")),
    }
    for what, (first, second) in rows.items():
        shown = f"{first:12,.1f}" if math.isnan(second) else f"{first:12,.1f} {second:14,.1f}"
        print(f"{what:76} {shown}")
    print("nanoseconds a call")
    timing.write(options.json, rows)


if __name__ == "__main__":
    main()
