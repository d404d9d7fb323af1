"""What the benchmarks share: a clean environment, paired timing, and the machine's description.

Import this before NumPy or torch: `prepare()` sets what their thread pools read when they load.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SLOW = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")  # force a kernel that a current NumPy would not choose
ONE = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def prepare(one_thread: bool = True) -> None:
    """One thread (else as many as the libraries take by themselves), and no forced BLAS kernel.

    Starts the script again with a clean environment if it has another.
    """
    forced = [name for name in SLOW if name in os.environ]
    if not forced and all(os.environ.get(name) == ("1" if one_thread else None) for name in ONE):
        return
    if "numpy" in sys.modules or "torch" in sys.modules:
        raise RuntimeError("timing.prepare() must be called before NumPy or torch is imported")
    if forced:
        print(f"{' and '.join(forced)} set: a benchmark must run without; starting again", file=sys.stderr)
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], clean_environment(one_thread))


def clean_environment(one_thread: bool = True) -> dict[str, str]:
    """This process's environment with no forced BLAS kernel, one thread if so wanted, and compiled modules cached."""
    kept = {k: v for k, v in os.environ.items() if k not in (*SLOW, *ONE, "PYTHONDONTWRITEBYTECODE")}
    return kept | dict.fromkeys(ONE, "1") if one_thread else kept


class Pair:
    """Seconds a call of two functions, timed in turns."""

    def __init__(self, ours: list[float], theirs: list[float]) -> None:
        self.ours, self.theirs = min(ours), min(theirs)
        # Rounds next to each other meet the same neighbours on a shared machine: quotients scatter less than times.
        self.ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def compare(ours: Callable[[], Any], theirs: Callable[[], Any], *, rounds: int = 60, seconds: float = 0.004) -> Pair:
    """Time two functions in `rounds` short rounds each, in turns, the first of a round taking turns too.

    Each round calls a function often enough to take about `seconds`. The garbage collector stays on: what a library
    leaves to it is part of what it costs.
    """
    functions = (ours, theirs)
    counts = [_calls_within(f, seconds) for f in functions]
    times: tuple[list[float], list[float]] = ([], [])
    for round_ in range(rounds):
        for which in (0, 1) if round_ % 2 else (1, 0):
            times[which].append(once(functions[which], counts[which]))
    return Pair(*times)


def once(function: Callable[[], Any], count: int) -> float:
    """Seconds a call over `count` calls."""
    turns = range(count)
    start = time.perf_counter()
    for _ in turns:
        function()
    return (time.perf_counter() - start) / count


def _calls_within(function: Callable[[], Any], seconds: float) -> int:
    function()
    count = 1
    while (took := once(function, count) * count) < seconds / 2:
        count *= 2
    return max(1, round(count * seconds / took))


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    from importlib.metadata import version

    from wengert.version import __version__

    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    return {
        "cpu": f"{model}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "torch": version("torch"),
        "wengert": __version__,
    }


def write(path: str | None, result: dict[str, Any]) -> None:
    """Write a benchmark's result, with the machine's description, as JSON (if a path is given)."""
    if path:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(json.dumps(result | {"machine": machine()}, indent=1) + "\n")
