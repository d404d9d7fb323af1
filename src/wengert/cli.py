"""The command line: `python -m wengert`, or `wengert`."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

USAGE = """\
usage: python -m wengert [--help] [--version] COMMAND ...

PyTorch's automatic differentiation on NumPy.

commands:
  run     run an existing PyTorch script on wengert

python -m wengert COMMAND --help says more of a command.
"""

RUN_USAGE = """\
usage: python -m wengert run SCRIPT [ARGS...]
       python -m wengert run -m MODULE [ARGS...]
       python -m wengert run -c CODE [ARGS...]
       python -m wengert run - [ARGS...]

Run a program as python would, except that in it `import torch`, and every
submodule, means wengert. A PyTorch that is installed is not touched.

SCRIPT     a file, or a folder or zip file with a __main__.py
-m MODULE  a module or package, found as `python -m` finds it
-c CODE    the program itself
-          the program is read from standard input
ARGS       the program's own arguments: sys.argv[1:]
"""


def main(argv: list[str] | None = None) -> int:
    """Carry out a command line (default: this process's) and return the exit code; a program's own exit propagates."""
    args = sys.argv[1:] if argv is None else argv
    if not args:
        return _misused(USAGE, "a command is missing")
    first, rest = args[0], args[1:]
    if first in ("-h", "--help"):
        print(USAGE, end="")
        return 0
    if first in ("-V", "--version"):
        from .version import __version__

        print(f"wengert {__version__}")
        return 0
    command = COMMANDS.get(first)
    if command is None:
        from difflib import get_close_matches

        close = get_close_matches(first, COMMANDS, 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        if first.endswith(".py"):
            hint = f"; to run a script: python -m wengert run {' '.join(args)}"
        return _misused(USAGE, f"there is no command {first!r}{hint}")
    return command(rest)


def run(args: list[str]) -> int:
    """`wengert run`: returns 0 when the program came to its end."""
    from . import script

    if not args:
        return _misused(RUN_USAGE, "a script is missing")
    first, rest = args[0], args[1:]
    if first in ("-h", "--help"):
        print(RUN_USAGE, end="")
    elif first == "-":
        script.run_code(sys.stdin.buffer.read(), rest, stdin=True)
    elif first[:2] in ("-m", "-c"):
        value = [first[2:], *rest] if first[2:] else rest
        if not value:
            return _misused(RUN_USAGE, f"argument expected for the {first} option")
        if first[1] == "m":
            script.run_module(value[0], value[1:])
        else:
            script.run_code(value[0], value[1:])
    elif first.startswith("-"):
        return _misused(
            RUN_USAGE, f"unknown option {first}; options of Python itself go before -m: python -W error -m wengert ..."
        )
    else:
        script.run_file(first, rest)
    return 0


def _misused(usage: str, problem: str) -> int:
    print(f"{usage}\nerror: {problem}", file=sys.stderr)
    return 2


COMMANDS: dict[str, Callable[[list[str]], int]] = {"run": run}
