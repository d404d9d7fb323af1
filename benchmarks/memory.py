"""Peak memory of a training step of a 20-layer MLP: wengert against torch.

    python benchmarks/memory.py [--json FILE]        Linux only: reads /proc/self/status

Each library runs the same steps in a fresh process. What is compared is the peak of resident memory during a step in
the steady state (after two others), less what was resident before the model was made: parameters, gradients,
activations and temporaries, without the interpreter and the libraries. Both take large buffers from the C library's
malloc; a fixed threshold makes it map each by itself and return it when freed, so that resident memory is what is in
use, and no allocator's habits are measured.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import timing

TARGET = 1.1
LAYERS, WIDTH, BATCH = 20, 512, 4096


def resident(field: str = "VmRSS") -> int:
    """Bytes of resident memory: now, or (VmHWM) at its peak since `forget_peak()`."""
    found = re.search(rf"^{field}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024


def forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def run(name: str) -> dict[str, float]:
    """In this process, with one library: megabytes above the start, at rest and at the peak of a step."""
    torch = importlib.import_module(name)
    if name == "torch":
        torch.set_num_threads(1)
    train(torch, WIDTH, 8)  # loads what the first use loads; its own memory is small
    start = resident()
    peak, rest = train(torch, WIDTH, BATCH)
    return {"peak_mb": (peak - start) / 1e6, "at_rest_mb": (rest - start) / 1e6, "start_mb": start / 1e6}


def train(torch: Any, width: int, batch: int) -> tuple[int, int]:
    """Three steps: the peak of resident memory in the third, and what is resident after it, the model still alive."""
    nn = torch.nn
    torch.manual_seed(0)
    layers: list[Any] = []
    for _ in range(LAYERS - 1):
        layers += [nn.Linear(width, width), nn.ReLU()]
    model = nn.Sequential(*layers, nn.Linear(width, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    images, labels = torch.randn(batch, width), torch.randint(0, 10, (batch,))
    peak = 0
    for _ in range(3):
        forget_peak()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        peak = resident("VmHWM")
    return peak, resident()


def measure() -> dict[str, Any]:
    """Both libraries, each in its own process, and the ratio of their peaks."""
    environment = timing.clean_environment() | {"MALLOC_MMAP_THRESHOLD_": str(64 * 1024), "MALLOC_TRIM_THRESHOLD_": "0"}
    result: dict[str, Any] = {"layers": LAYERS, "width": WIDTH, "batch": BATCH}
    for name in ("wengert", "torch"):
        command = [sys.executable, os.path.abspath(__file__), "--child", name]
        output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout
        result[name] = json.loads(output)
    return result | {"ratio": result["wengert"]["peak_mb"] / result["torch"]["peak_mb"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--child", choices=["wengert", "torch"], help=argparse.SUPPRESS)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    if options.child:
        print(json.dumps(run(options.child)))
        return
    result = measure()
    print(f"{LAYERS} layers of {WIDTH}, batch {BATCH}; megabytes above what was resident before the model")
    print(f"{'':10} {'peak':>8} {'at rest':>8} {'before':>8}")
    for name in ("wengert", "torch"):
        row = result[name]
        print(f"{name:10} {row['peak_mb']:8.1f} {row['at_rest_mb']:8.1f} {row['start_mb']:8.1f}")
    print(f"ratio of the peaks {result['ratio']:.3f} (target: at most {TARGET})")
    timing.write(options.json, result)


if __name__ == "__main__":
    main()
