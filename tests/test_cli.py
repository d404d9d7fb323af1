"""`python -m wengert run` and `wengert.as_torch`: wengert in the place of torch, and otherwise plain Python."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile

import pytest

import wengert
from wengert import as_torch, cli
from wengert.version import __version__

ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONWARNINGS")}


def python(*args, **options):
    """A fresh process of this Python; its output, as text."""
    return subprocess.run([sys.executable, *map(str, args)], capture_output=True, text=True, env=ENVIRONMENT, **options)


def run(*args, **options):
    return python("-m", "wengert", "run", *args, **options)


@pytest.fixture
def folder(tmp_path):
    """Some programs that show what a program can see of how it was started."""
    look = "import sys\nprint(__name__, __package__, __spec__ and __spec__.name, globals().get('__file__'))\n"
    look += "print(sys.argv, sys.path[0], type(__loader__).__name__, sorted(globals()))\n"
    look += "print(sys.modules['__main__'].__dict__ is globals())\n"
    (tmp_path / "look.py").write_text(look)
    (tmp_path / "link.py").symlink_to(tmp_path / "look.py")
    for package in ("package", "bare"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("")
    (tmp_path / "package" / "__main__.py").write_text(look)
    with zipfile.ZipFile(tmp_path / "program.zip", "w") as archive:
        archive.writestr("__main__.py", look)
    (tmp_path / "broken.py").write_text("x = = 1\n")
    (tmp_path / "raises.py").write_text("raise OSError('while imported')\n")
    (tmp_path / "chained.py").write_text(
        "def f():\n    try:\n        1 / 0\n"
        "    except ZeroDivisionError as error:\n        raise KeyError('a') from error\nf()\n"
    )
    (tmp_path / "imports.py").write_text("import raises\n")
    (tmp_path / "hook.py").write_text(
        "import sys, traceback\n"
        "def hook(kind, error, trace):\n"
        "    print(kind, [f.name for f in traceback.extract_tb(trace)], error.__traceback__ is trace)\n"
        "sys.excepthook = hook\ndef g():\n    raise ValueError\ng()\n"
    )
    (tmp_path / "goodbye.py").write_text(
        "import atexit, pickle\nclass A:\n    pass\n"
        "atexit.register(lambda: print('bye', pickle.loads(pickle.dumps(A())).__class__))\n"
    )
    return tmp_path


PROGRAMS = [
    ["look.py", "a", "--help", "-c"],
    ["link.py"],
    ["package", "x"],
    ["program.zip", "1"],
    ["bare"],
    ["nowhere.py"],
    ["-m", "package", "x"],
    ["-m", "look"],
    ["-m", "bare"],
    ["-m", "nowhere"],
    ["-m", "nowhere.at.all"],
    ["-c", "import sys; print(sys.argv, repr(sys.path[0]), sorted(globals()))", "a", "-b"],
    ["-c", "import sys; sys.exit(7)"],
    ["-c", "raise SystemExit('with words')"],
    ["-c", "print(1); raise ValueError(2)"],
    ["broken.py"],
    ["chained.py"],
    ["imports.py"],
    ["hook.py"],
    ["goodbye.py"],
    ["-c", "raise KeyboardInterrupt"],
]


@pytest.mark.parametrize("program", PROGRAMS, ids=" ".join)
def test_run_is_what_plain_python_does(folder, program):
    plain, ours = python(*program, cwd=folder), run(*program, cwd=folder)
    assert ours.stdout == plain.stdout
    assert ours.stderr == plain.stderr
    assert ours.returncode == plain.returncode


def test_standard_input(folder):
    program = "import sys\nprint(__name__, sys.argv, __file__, sorted(globals()))\nraise ValueError(3)\n"
    plain, ours = python("-", "a", input=program), run("-", "a", input=program)
    assert (ours.stdout, ours.stderr, ours.returncode) == (plain.stdout, plain.stderr, plain.returncode)


def test_safe_path_is_respected(folder):
    program = "import sys; print(sys.path)"
    assert python("-P", "-m", "wengert", "run", "-c", program, cwd=folder).stdout == python("-P", "-c", program).stdout


def test_traceback_of_a_module_has_no_frame_of_the_runner(folder):
    ours = run("-m", "chained", cwd=folder)
    assert set(re.findall(r'File "(.*?)"', ours.stderr)) == {str(folder / "chained.py")}


# ------------------------------------------------------------------------------------------------ torch is wengert


def test_every_form_of_import_gives_wengert():
    program = """
import torch, torch.autograd as a, wengert
from torch import autograd as b, Tensor
from torch.autograd import modes
import torch.autograd.modes
import importlib, importlib.util, sys
assert torch is wengert and a is b is wengert.autograd is torch.autograd and Tensor is wengert.Tensor
assert modes is sys.modules["torch.autograd.modes"] is sys.modules["wengert.autograd.modes"]
assert torch.__name__ == torch.__spec__.name == "wengert" and a.__spec__.name == "wengert.autograd"
assert importlib.import_module(".autograd", "torch") is a
assert importlib.util.find_spec("torch") is not None and importlib.util.find_spec("torch.nowhere") is None
assert importlib.reload(modes) is modes
print(torch.tensor([1.0, 2.0], requires_grad=True).requires_grad)
"""
    ours = run("-c", program)
    assert (ours.stdout, ours.stderr) == ("True\n", "")


MISSING = [
    ("import torch; torch.tensr", "AttributeError: module 'torch' has no attribute 'tensr'", "torch.tensor"),
    ("import torch; torch.TENSOR", "AttributeError: module 'torch' has no attribute 'TENSOR'", "torch.tensor"),
    (
        "import torch; torch.backward",
        "AttributeError: module 'torch' has no attribute 'backward'",
        "torch.autograd.backward",
    ),
    (
        "import torch; torch.requires_grad_",
        "AttributeError: module 'torch' has no attribute",
        "torch.Tensor.requires_grad_",
    ),
    (
        "import torch; torch.autograd.no_grat",
        "AttributeError: module 'torch.autograd' has no attribute 'no_grat'",
        "no_grad",
    ),
    ("from torch import autograd; autograd.tensor", "AttributeError: module 'torch.autograd' has no", "torch.tensor"),
    ("from torch import tensr", "ImportError: cannot import name 'tensr' from 'torch'", "torch.tensor"),
    (
        "from torch.autograd import no_grat",
        "ImportError: cannot import name 'no_grat' from 'torch.autograd'",
        "no_grad",
    ),
    ("import torch.autograt", "ModuleNotFoundError: No module named 'torch.autograt'", "torch.autograd"),
    (
        "import torch.autograd.function_al",
        "ModuleNotFoundError: No module named 'torch.autograd.function_al'",
        "torch.autograd.func",
    ),
    ("import torch.tensor", "ModuleNotFoundError: No module named 'torch.tensor'", "`from torch import tensor`"),
    (
        "from torch.tensor import tensor",
        "ModuleNotFoundError: No module named 'torch.tensor'",
        "`from torch import tensor`",
    ),
]


@pytest.mark.parametrize(("program", "words", "nearest"), MISSING, ids=[m[0] for m in MISSING])
def test_a_missing_name_is_answered_with_the_nearest(program, words, nearest):
    ours = run("-c", program)
    assert ours.returncode == 1
    last = ours.stderr.splitlines()[-1]
    assert last.startswith(words + ": " if words.endswith("'") else words)
    assert __version__ in last or "is not a module in wengert" in last
    assert nearest in last
    assert "Did you mean" not in last
    assert ours.stderr.count("File ") == 1


def test_missing_names_raise_what_guards_expect():
    program = """
import torch
assert not hasattr(torch, "nowhere") and getattr(torch, "nowhere", 3) == 3
for statement in ("import torch.nowhere", "from torch import nowhere", "from torch.nowhere import a"):
    try:
        exec(statement)
    except ImportError as error:
        print(type(error).__name__, error.name)
"""
    ours = run("-c", program)
    assert ours.stdout.splitlines() == [
        "ModuleNotFoundError torch.nowhere",
        "ImportError torch",
        "ModuleNotFoundError torch.nowhere",
    ]


def test_a_module_with_its_own_lazy_names_keeps_them():
    program = """
import sys, types, wengert
lazy = types.ModuleType("wengert.special_lazy")
lazy.__getattr__ = lambda name: 42 if name == "answer" else (_ for _ in ()).throw(AttributeError(name))
sys.modules["wengert.special_lazy"] = wengert.special_lazy = lazy
from wengert import as_torch
from torch.special_lazy import answer
print(answer, lazy.answer)
try:
    lazy.question
except AttributeError as error:
    print(str(error).partition(":")[0])
before = as_torch.uninstall()
print(lazy.answer)
try:
    lazy.question
except AttributeError as error:
    print(error)
"""
    ours = run("-c", program)
    assert ours.stderr == ""
    assert ours.stdout.splitlines() == [
        "42 42",
        "module 'torch.special_lazy' has no attribute 'question'",
        "42",
        "question",
    ]


def test_install_and_uninstall():
    program = """
import sys, wengert
from wengert import as_torch
assert not as_torch.is_installed()
as_torch.uninstall()
as_torch.install()
as_torch.install()
import torch, torch.autograd
assert torch is wengert and as_torch.is_installed()
assert sum(type(f).__module__ == "wengert.as_torch" for f in sys.meta_path) == 1
as_torch.uninstall()
assert not as_torch.is_installed() and not [n for n in sys.modules if n.partition(".")[0] == "torch"]
try:
    wengert.nowhere
except AttributeError as error:
    assert str(error) == "module 'wengert' has no attribute 'nowhere'", error
import types
sys.modules["torch"] = types.ModuleType("torch")
try:
    as_torch.install()
except RuntimeError as error:
    print(error)
assert sys.modules["torch"].__name__ == "torch" and not as_torch.is_installed()
"""
    ours = python("-c", program)
    assert ours.stderr == ""
    assert "already imported in this process" in ours.stdout
    assert "as_torch.install() before" in ours.stdout


def test_importing_wengert_alone_leaves_torch_as_it_is():
    assert not as_torch.is_installed()
    assert wengert is not sys.modules.get("torch")


def test_an_error_inside_a_module_is_not_taken_for_a_missing_module(tmp_path):
    program = """
import sys, wengert
wengert.__path__.append(sys.argv[1])
import torch.needy
"""
    (tmp_path / "needy.py").write_text("import a_module_that_is_nowhere\n")
    ours = run("-c", program, tmp_path)
    assert ours.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'a_module_that_is_nowhere'"


# ------------------------------------------------------------------------------------------------ the command line


@pytest.mark.parametrize("args", [["--help"], ["-h"], ["run", "--help"], ["run", "-h"]], ids=" ".join)
def test_help(args, capsys):
    assert cli.main(args) == 0
    out = capsys.readouterr()
    assert out.out.startswith("usage: python -m wengert")
    assert out.err == ""


def test_version(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"wengert {__version__}\n"
    assert python("-m", "wengert", "-V").stdout == f"wengert {__version__}\n"


MISUSES = [
    ([], "a command is missing"),
    (["rum"], "did you mean 'run'"),
    (["train.py", "-x"], "python -m wengert run train.py -x"),
    (["run"], "a script is missing"),
    (["run", "-m"], "argument expected for the -m option"),
    (["run", "-c"], "argument expected for the -c option"),
    (["run", "-W", "error"], "unknown option -W"),
]


@pytest.mark.parametrize(("args", "words"), MISUSES, ids=[" ".join(m[0]) for m in MISUSES])
def test_misuse(args, words, capsys):
    assert cli.main(args) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert words in out.err
    assert out.err.startswith("usage: ")
