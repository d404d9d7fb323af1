"""What `import wengert` brings along, and what is shipped: sizes and names; benchmarks/import_time.py has the times."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

import wengert
from wengert import cli

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path(wengert.__file__).parent

# Of the standard library, what may come on top of what NumPy imports: nothing that takes a millisecond.
ALLOWED = {"__future__", "cmath"}


def modules_after(statement: str) -> set[str]:
    program = f"{statement}\nimport sys, json\nprint(json.dumps(sorted(sys.modules)))"
    environment = os.environ | {"PYTHONWARNINGS": "error"}
    return set(
        json.loads(
            subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, env=environment).stdout
        )
    )


@pytest.fixture(scope="module")
def added() -> set[str]:
    """The modules that wengert imports and NumPy does not."""
    return modules_after("import wengert") - modules_after("import numpy, json")


def test_numpy_is_the_only_dependency(added):
    strangers = {m for m in added if m.partition(".")[0] not in {"wengert", "numpy", *sys.stdlib_module_names}}
    assert not strangers


def test_no_heavy_part_of_the_standard_library_is_imported(added):
    assert {m.partition(".")[0] for m in added} - {"wengert", "numpy"} <= ALLOWED


def test_no_part_of_numpy_that_it_loads_lazily_is_imported(added):
    assert not {m for m in added if m.startswith("numpy.")}


def test_the_command_line_is_not_part_of_the_import(added):
    assert not added & {"wengert.cli", "wengert.script", "wengert.as_torch"}


def test_the_metadata_asks_for_numpy_alone():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert [d.partition(">")[0] for d in project["dependencies"]] == ["numpy"]


def test_the_package_is_pure_python_and_small():
    shipped = [f for f in PACKAGE.rglob("*") if f.is_file() and "__pycache__" not in f.parts]
    assert {f.name for f in shipped if f.suffix != ".py"} == {"py.typed"}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in shipped:
            archive.write(file)
    assert len(packed.getvalue()) < 1_000_000


def test_the_version_and_the_command_are_those_of_the_installed_package():
    try:
        installed = distribution("wengert")
    except PackageNotFoundError:
        pytest.skip("wengert is on the path, but not installed")
    assert wengert.__version__ == wengert.version.__version__ == installed.version
    (command,) = installed.entry_points
    assert (command.group, command.name) == ("console_scripts", "wengert")
    assert command.load() is cli.main
