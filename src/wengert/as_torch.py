"""`import torch` that means wengert, for one process.

`install()` puts a finder in front of the import system, so that `torch` and every submodule of it *are* wengert's
modules (the same objects, under a second name), and so that a name which wengert lacks is answered with the nearest
one that exists. `python -m wengert run` does this before it runs a script; in a notebook, call it before the first
`import torch`:

    >>> from wengert import as_torch
    >>> as_torch.install()
    >>> import torch, torch.autograd
    >>> torch.__name__, torch.autograd.__name__
    ('wengert', 'wengert.autograd')
    >>> as_torch.uninstall()

An installed PyTorch is neither read nor changed. What a child process imports is its own affair: it has to install
anew.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from typing import Any

HOME = __name__.partition(".")[0]

# Where a name may be found that was looked for elsewhere, in the order in which to look.
_NAMESPACES = (
    "", "nn", "nn.functional", "optim", "optim.lr_scheduler", "autograd", "autograd.functional", "func", "linalg",
    "special", "fft", "nn.init", "nn.utils", "utils", "utils.data", "random", "testing",
)  # fmt: skip


def install() -> None:
    """Make `import torch` give wengert in this process, until `uninstall()`.

    Calling it twice is the same as calling it once. Raises RuntimeError if PyTorch itself has been imported already:
    two libraries under one name in one process would hand each other's tensors around.
    """
    if is_installed():
        return
    found = sys.modules.get("torch")
    if found is not None:
        raise RuntimeError(
            f"install(): 'torch' is already imported in this process, from {getattr(found, '__file__', 'somewhere')}; "
            "call wengert.as_torch.install() before the first `import torch`, in a fresh process or kernel"
        )
    sys.meta_path.insert(0, _FINDER)
    importlib.import_module("torch")
    _answer_for_all()


def uninstall() -> None:
    """Undo `install()`: forget the second names, so that the next `import torch` looks for PyTorch again.

    Modules that imported `torch` meanwhile keep what they have.
    """
    if not is_installed():
        return
    sys.meta_path.remove(_FINDER)
    for name in [n for n in sys.modules if n == "torch" or n.startswith("torch.")]:
        del sys.modules[name]
    for module in [m for n, m in sys.modules.items() if n.partition(".")[0] == HOME]:
        answer = module.__dict__.get("__getattr__")
        if isinstance(answer, _Answer):
            answer.leave()


def is_installed() -> bool:
    """Whether `import torch` means wengert in this process."""
    return _FINDER in sys.meta_path


class _Finder:
    """Finds `torch` and `torch.a.b` at `wengert` and `wengert.a.b`."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        top, _, rest = name.partition(".")
        if top != "torch":
            return None
        module = _module(rest)
        if module is None:
            # Asking whether a module exists (importlib.util.find_spec) is no error; importing it is.
            if sys._getframe(2).f_code.co_name != "_find_and_load_unlocked":
                return None
            raise ModuleNotFoundError(f"No module named {name!r}: {_lacks(rest, None)}", name=name)
        from importlib.machinery import ModuleSpec

        loader: Any = _Loader(module)
        return ModuleSpec(name, loader, is_package=hasattr(module, "__path__"))


_FINDER = _Finder()


class _Loader:
    """Loads a module that is there already: gives it its second name, and leaves it as it was but for `__getattr__`."""

    def __init__(self, module: ModuleType) -> None:
        self.module, self.spec = module, module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec  # the import system has put the spec of the second name there
        _answer_for(module)
        _answer_for_all()  # loading one module may have loaded others


def _answer_for(module: ModuleType) -> None:
    before = module.__dict__.get("__getattr__")
    if not isinstance(before, _Answer):
        module.__dict__["__getattr__"] = _Answer(module, before)


def _answer_for_all() -> None:
    """Let every public namespace that is loaded answer for what it lacks (`from torch import nn` asks no finder)."""
    for space in _NAMESPACES:
        module = sys.modules.get(f"{HOME}.{space}" if space else HOME)
        if module is not None:
            _answer_for(module)


class _Answer:
    """A module's `__getattr__` while wengert is `torch`: says what is missing, in the exception that is expected."""

    def __init__(self, module: ModuleType, before: Callable[[str], Any] | None) -> None:
        self.module, self.before = module, before
        self.texts: dict[str, str] = {}  # hasattr() in a loop must not search again

    def __call__(self, name: str) -> Any:
        if self.before is not None:
            try:
                return self.before(name)
            except AttributeError:
                pass
        caller = sys._getframe(1)
        if (
            caller.f_code.co_name == "_handle_fromlist"
        ):  # `from torch import name` asks twice; the answer is for the second
            raise AttributeError(name)
        known_as = "torch" + self.module.__name__.removeprefix(HOME)
        text = self.texts.get(name)
        if text is None:
            text = self.texts[name] = _lacks(known_as.removeprefix("torch").lstrip("."), name)
        if _is_import_from(caller):
            where = getattr(self.module, "__file__", None)
            raise ImportError(
                f"cannot import name {name!r} from {known_as!r}: {text}", name=known_as, path=where
            ) from None
        # With `obj` given, Python adds no guess of its own ("Did you mean") to ours.
        raise AttributeError(f"module {known_as!r} has no attribute {name!r}: {text}", name=name, obj=None) from None

    def leave(self) -> None:
        """Put back the `__getattr__` that was there before."""
        if self.before is None:
            del self.module.__dict__["__getattr__"]
        else:
            self.module.__dict__["__getattr__"] = self.before


RAISERS = (
    _Answer.__call__.__code__,
    _Finder.find_spec.__code__,
)  # frames that say nothing to whoever asked for a missing name


def _is_import_from(frame: Any) -> bool:
    """Whether the frame is in a `from ... import ...` statement."""
    from opcode import opmap

    return bool(frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_FROM"])


def _module(rest: str) -> ModuleType | None:
    """wengert's module of that dotted name ("" is wengert itself), or None."""
    name = f"{HOME}.{rest}" if rest else HOME
    # An attribute of the parent goes first: a public namespace may lie in a file of another name, and a public function
    # (torch.tensor) may hide the file that it is written in.
    found = _attribute(rest)
    if found is not None:
        return found if isinstance(found, ModuleType) and found.__name__.partition(".")[0] == HOME else None
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name + ".").startswith(error.name + "."):
            return None
        raise  # the module is there, and something that it needs is not


def _attribute(rest: str) -> Any:
    """What wengert has under that dotted name without importing anything, or None."""
    parent, _, last = rest.rpartition(".")
    above = sys.modules.get(f"{HOME}.{parent}" if parent else HOME)
    return getattr(above, "__dict__", {}).get(last)


# ------------------------------------------------------------------------------------------------ what is nearest


def _lacks(namespace: str, name: str | None) -> str:
    """That wengert lacks the name (or, without a name, the module), and what comes nearest."""
    from . import version

    asked = _spell(namespace, name or "")
    if name is None and _attribute(namespace) is not None:
        parent, _, last = asked.rpartition(".")
        return f"{asked!r} is not a module in wengert, which runs here as torch; write `from {parent} import {last}`"
    found = _nearest_module(namespace) if name is None else nearest(namespace, name)
    hint = f"the nearest that exists: {', '.join(found)}" if found else "nothing of a similar name exists"
    return f"wengert {version.__version__}, which runs here as torch, has no {asked!r}; {hint}"


def nearest(namespace: str, name: str, count: int = 3) -> list[str]:
    """The public names nearest to `torch.<namespace>.<name>`, best first, as a user would write them.

    The same name in another namespace is nearer than a similar one in this:

        >>> nearest("nn.functional", "tensor")
        ['torch.tensor', 'torch.Tensor']
        >>> nearest("", "tensr")[0]
        'torch.tensor'
    """
    from difflib import get_close_matches

    here = _names(namespace)
    spaces = {namespace: here, **{s: _names(s) for s in _NAMESPACES if s != namespace}}
    wanted = name.lower()
    same = [(s, n, v) for s, names in spaces.items() for n, v in names.items() if n.lower() == wanted]
    same.sort(key=lambda found: found[1] != name)
    # A module may have imported another's name for its own use: the first place is where it belongs.
    spelt = list({id(v): _spell(s, n) for s, n, v in reversed(same)}.values())[::-1]
    tensor = getattr(sys.modules[HOME], "Tensor", None)
    if not spelt and not name.startswith("_") and hasattr(tensor, name):
        spelt.append(f"torch.Tensor.{name}")
    if spelt:
        return spelt[:count]
    by_lower = {n.lower(): n for n in reversed(here)}
    return [_spell(namespace, by_lower[n]) for n in get_close_matches(wanted, by_lower, count, 0.6)]


def _nearest_module(rest: str) -> list[str]:
    """The modules nearest to `torch.<rest>`, or the same name as something else than a module."""
    from difflib import get_close_matches

    parent, _, last = rest.rpartition(".")
    known = [_spell("", s) for s in _NAMESPACES if s and _module(s) is not None]
    by_last = {n.rpartition(".")[2]: n for n in reversed(known)}
    close = [by_last[n] for n in get_close_matches(last, by_last, 3, 0.6)]
    return close or (nearest(parent, last) if _module(parent) is not None else []) or known[:3]


def _names(namespace: str) -> dict[str, Any]:
    """What a namespace that is loaded offers, by name: its own, not what it imports from elsewhere."""
    module = sys.modules.get(f"{HOME}.{namespace}" if namespace else HOME)
    if module is None:
        return {}
    found = {n: vars(module).get(n) for n in (*vars(module), *vars(module).get("__all__", ()))}
    return {n: v for n, v in found.items() if not n.startswith("_") and _is_ours(v)}


def _is_ours(value: Any) -> bool:
    """Whether a value found in a namespace is offered there, rather than imported for use, or a file of the code."""
    if isinstance(value, ModuleType):
        return value.__name__.removeprefix(HOME).lstrip(".") in _NAMESPACES
    origin = getattr(value, "__module__", None) or HOME
    return isinstance(origin, str) and origin.partition(".")[0] == HOME


def _spell(namespace: str, name: str) -> str:
    return ".".join(part for part in ("torch", namespace, name) if part)
