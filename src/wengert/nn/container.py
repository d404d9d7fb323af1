"""Modules that hold others, in order or by name."""

from __future__ import annotations

import operator
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from .module import Module, indented

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class _Listed(Module):
    """Modules in an order, by default named by their numbers."""

    def _key(self, index: Any) -> str:
        n = len(self)
        index = operator.index(index)
        if not -n <= index < n:
            raise IndexError(f"index {index} is out of range")
        return list(self._modules)[index]

    def _renumber(self, modules: list[Any]) -> None:
        self._modules.clear()
        for i, module in enumerate(modules):
            self._modules[str(i)] = module

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._key(index), module)

    def __delitem__(self, index: Any) -> None:
        modules = list(self._modules.values())
        if not isinstance(index, slice):
            self._key(index)
        del modules[index]
        self._renumber(modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def append(self, module: Module) -> Any:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key: int) -> Any:
        """Take a module out, and return it."""
        module = self._modules[self._key(key)]
        del self[key]
        return module


class Sequential(_Listed):
    """Modules called one after the other: each takes what the one before gave.

    Made of modules, or of an OrderedDict of them by name.

    >>> import wengert
    >>> from wengert import nn
    >>> nn.Sequential(nn.Linear(2, 3), nn.ReLU())
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
    )
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)  # type: ignore[misc]
        return input

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return self._modules[self._key(index)]

    def extend(self, sequential: Iterable[Module]) -> Any:
        """Add modules at the end."""
        for module in list(sequential):
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Any:
        """Add a module before a place."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        modules = list(self._modules.values())
        if not -len(modules) <= index <= len(modules):
            raise IndexError(f"Index out of range: {index}")
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def _check_other(self, other: Any) -> None:
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")

    def __add__(self, other: Any) -> Sequential:
        self._check_other(other)
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Any:
        self._check_other(other)
        return self.extend(other)

    def _check_times(self, times: Any) -> None:
        if not isinstance(times, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(times)}")
        if times <= 0:
            raise ValueError(f"Non-positive multiplication factor {times} for {type(self)}")

    def __mul__(self, other: Any) -> Sequential:
        self._check_times(other)
        return Sequential(*list(self) * other)

    __rmul__ = __mul__

    def __imul__(self, other: Any) -> Any:
        self._check_times(other)
        return self.extend(list(self) * (other - 1))


class ModuleList(_Listed):
    """Modules in a list; it has no `forward`.

    >>> import wengert
    >>> wengert.nn.ModuleList([wengert.nn.Tanh() for _ in range(3)])
    ModuleList(
      (0-2): 3 x Tanh()
    )
    """

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self._modules.values())[index])  # type: ignore[arg-type]
        return self._modules[self._key(index)]

    def extend(self, modules: Iterable[Module]) -> Any:
        """Add modules at the end."""
        _check_iterable("ModuleList.extend should be called with an iterable", modules)
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> None:
        """Add a module before a place, as a list does."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{type(module).__name__} is not a Module subclass")
        modules = list(self._modules.values())
        modules.insert(index, module)
        self._renumber(modules)

    def __iadd__(self, modules: Iterable[Module]) -> Any:
        return self.extend(modules)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def __repr__(self) -> str:
        """As every module's, but with modules in a row that print alike on one line."""
        texts = [repr(module) for module in self]
        lines: list[str] = []
        i = 0
        while i < len(texts):
            j = i
            while j < len(texts) and texts[j] == texts[i]:
                j += 1
            label = f"({i}): " if j == i + 1 else f"({i}-{j - 1}): {j - i} x "
            lines.append(label + indented(texts[i]))
            i = j
        return f"{self._get_name()}()" if not lines else "\n  ".join([f"{self._get_name()}(", *lines]) + "\n)"


class ModuleDict(Module):
    """Modules by name; it has no `forward`."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def items(self) -> Any:
        """The names with their modules."""
        return self._modules.items()

    def pop(self, key: str) -> Any:
        """Take a module out, and return it."""
        return self._modules.pop(key)

    def clear(self) -> None:
        """Take all modules out."""
        self._modules.clear()

    def update(self, modules: Any) -> None:
        """Add modules from a dictionary, or from (name, module) pairs."""
        for name, module in pairs(modules, "ModuleDict"):
            self[name] = module


def _check_iterable(what: str, values: Any) -> None:
    if not hasattr(values, "__iter__"):
        raise TypeError(f"{what}, but got {type(values).__name__}")


def pairs(values: Any, name: str, method: str | None = None) -> list[tuple[str, Any]]:
    """The items of a dictionary, or pairs, as a list; errors name the class `name`."""
    _check_iterable(f"{method or name}.update should be called with an iterable of key/value pairs", values)
    if hasattr(values, "items"):
        return list(values.items())
    found = []
    for i, pair in enumerate(values):
        if not hasattr(pair, "__iter__"):
            raise TypeError(f"{name} update sequence element #{i} should be Iterable; is{type(pair).__name__}")
        pair = tuple(pair)
        if len(pair) != 2:
            raise ValueError(f"{name} update sequence element #{i} has length {len(pair)}; 2 is required")
        found.append(pair)
    return found
