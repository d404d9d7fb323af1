"""Runs a program as `python` would, with wengert as its `torch`.

What the program can observe is meant to be what plain Python shows it: `__name__` and `__main__`, `sys.argv`,
`sys.path[0]`, exit codes, `SystemExit`, and tracebacks, which begin at the program's own first line.
"""

from __future__ import annotations

import sys
from types import CodeType, ModuleType, TracebackType

from . import as_torch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from typing import Any, NoReturn


def run_file(path: str, args: list[str]) -> None:
    """`python PATH ARGS...`: a source file, or a folder or zip file with a `__main__` module.

    Raises SystemExit(2), after Python's own message, if the file cannot be read.
    """
    import io
    import os.path
    from importlib.machinery import SourceFileLoader
    from pkgutil import get_importer

    sys.argv = [path, *args]
    where = os.path.abspath(path)
    if os.path.isdir(where) or (os.path.isfile(where) and not _is_text(where)):
        importer: Any = get_importer(where)
        spec = importer.find_spec("__main__") if importer is not None else None
        if spec is None:
            _refuse(f"can't find '__main__' module in {where!r}", 1)
        _set_path(where, always=True)
        _run_spec(spec)
        return
    try:
        with io.open_code(where) as file:
            source = file.read()
    except OSError as error:
        _refuse(f"can't open file {where!r}: [Errno {error.errno}] {error.strerror}", 2)
    _set_path(os.path.dirname(os.path.realpath(where)))
    main = _fresh_main()
    main.__file__, main.__loader__ = where, SourceFileLoader("__main__", where)
    main.__dict__["__cached__"] = None
    _compile_and_execute(source, where, main)


def run_module(name: str, args: list[str]) -> None:
    """`python -m NAME ARGS...`. Raises SystemExit(1), after Python's own message, if there is no such module."""
    import os
    from importlib.util import find_spec

    _set_path(os.getcwd())
    sys.argv = ["-m", *args]
    sys.modules.pop("__main__", None)  # else it would be found as the module of that name
    try:
        spec = find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            package, spec = spec, find_spec(f"{name}.__main__")
            if spec is None:
                _refuse(
                    f"No module named {name}.__main__; {package.name!r} is a package and cannot be directly executed", 1
                )
    except (ImportError, ValueError) as error:
        _refuse(f"Error while finding module specification for {name!r} ({type(error).__name__}: {error})", 1)
    if spec is None or spec.loader is None:
        _refuse(f"No module named {name}", 1)
    sys.argv[0] = spec.origin or name
    _run_spec(spec)


def run_code(source: str | bytes, args: list[str], *, stdin: bool = False) -> None:
    """`python -c SOURCE ARGS...`, or `python - ARGS...` with the source already read."""
    sys.argv = ["-" if stdin else "-c", *args]
    _set_path("")
    main = _fresh_main()
    name = "<stdin>" if stdin else "<string>"
    if stdin:
        main.__dict__.update(__file__=name, __cached__=None)
    elif sys.version_info >= (3, 13):  # from there on, Python shows the lines of -c in tracebacks
        import linecache

        text = source if isinstance(source, str) else source.decode()
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    _compile_and_execute(source, name, main)


# ------------------------------------------------------------------------------------------------ shared by all


def _set_path(first: str, *, always: bool = False) -> None:
    """What plain Python has in `sys.path[0]`: the runner's own entry goes (with -P there is none)."""
    if not sys.flags.safe_path:
        sys.path[0] = first
    elif always:
        sys.path.insert(0, first)


def _is_text(path: str) -> bool:
    """Whether a file is a program's text, rather than an archive."""
    from zipfile import is_zipfile

    return path.endswith(".py") or not is_zipfile(path)


def _fresh_main() -> ModuleType:
    """An empty `__main__` in the place of the runner's own."""
    import builtins

    main = ModuleType("__main__")
    main.__dict__.update(__builtins__=builtins, __annotations__={})
    sys.modules["__main__"] = main
    return main


def _run_spec(spec: ModuleSpec) -> None:
    """Execute a found module as `__main__`, as `python -m` does."""
    loader: Any = spec.loader
    main = _fresh_main()
    main.__spec__, main.__loader__, main.__package__ = spec, loader, spec.parent
    main.__file__ = spec.origin
    main.__dict__["__cached__"] = spec.cached
    code = _execute(loader.get_code, spec.name)
    if code is None:
        _refuse(f"No code object available for {spec.name}", 1)
    _execute(exec, code, main.__dict__)


def _compile_and_execute(source: str | bytes, name: str, main: ModuleType) -> None:
    code: CodeType = _execute(compile, source, name, "exec", 0, True)
    _execute(exec, code, main.__dict__)


def _execute(function: Any, *args: Any) -> Any:
    """Call what may run the user's code; an exception's traceback is shown without the frames up to here."""
    as_torch.install()
    try:
        return function(*args)
    except SystemExit:
        raise
    except BaseException:
        shown = sys.excepthook  # the program may have its own

        def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
            trace = _without_runner(trace)
            shown(kind, error.with_traceback(trace), trace)

        sys.excepthook = hook
        raise


def _without_runner(trace: TracebackType | None) -> TracebackType | None:
    """The program's part of a traceback: after this module's last frame, and without the answer to a missing name."""
    rest, here = trace, trace
    while here is not None:
        if here.tb_frame.f_code is _execute.__code__:
            rest = here.tb_next
        here = here.tb_next
    while rest is not None and rest.tb_frame.f_code.co_filename.startswith("<frozen importlib"):
        rest = rest.tb_next
    here = rest
    while here is not None and here.tb_next is not None:
        if here.tb_next.tb_frame.f_code in as_torch.RAISERS:
            here.tb_next = None
        here = here.tb_next
    return rest


def _refuse(message: str, code: int) -> NoReturn:
    """End as Python does when it cannot start a program."""
    print(f"{sys.executable}: {message}", file=sys.stderr)
    raise SystemExit(code)
