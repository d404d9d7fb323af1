"""README.md: its examples run and print what it says, and its figures are those that were measured."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "README.md").read_text()
EXAMPLES = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("source", EXAMPLES, ids=lambda source: source.splitlines()[0][4:40].strip())
def test_example(source):
    test = doctest.DocTestParser().get_doctest(source, {}, "README.md", "README.md", 0)
    assert test.examples
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


def test_commands_at_the_top_exist():
    makefile = (ROOT / "Makefile").read_text()
    commands = re.findall(r"^    make (\w+)", TEXT, re.MULTILINE)
    assert commands[:2] == ["demo", "test"]
    assert all(re.search(rf"^{command}:", makefile, re.MULTILINE) for command in commands)


def test_every_file_that_is_named_exists():
    for link in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / link).exists(), link


def test_figures_are_those_that_were_measured():
    subprocess.run([sys.executable, ROOT / "benchmarks" / "report.py", "--check"], check=True)
