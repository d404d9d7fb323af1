"""Which functions are PyTorch's: names of the package, methods of Tensor, and their in-place forms."""

from __future__ import annotations

import sys
from typing import Any

from ..tensor import Tensor
from .inplace import inplace


def expose(module: str, functions: str = "", methods: str = "", writes: str = "") -> list[str]:
    """Make names of a module public, and return the list of those that the package exports.

    functions  names that the package exports
    methods    names that become methods of Tensor
    writes     names of which an in-place form `name_` becomes a method of Tensor; where the module defines that form itself,
               its own is taken. `name_` is exported too where `functions` names it
    """
    space: dict[str, Any] = vars(sys.modules[module])
    for name in methods.split():
        setattr(Tensor, name, space[name])
    for name in writes.split():
        form = name + "_"
        if form not in space:
            space[form] = inplace(space[name], form)
        setattr(Tensor, form, space[form])
    return functions.split()


def alias(module: str, names: str) -> list[str]:
    """Make further names for the public functions of a module: `names` is "other=original ..."; methods follow."""
    space: dict[str, Any] = vars(sys.modules[module])
    made = []
    for pair in names.split():
        other, original = pair.split("=")
        space[other] = space[original]
        made.append(other)
        for suffix in ("", "_"):
            method = getattr(Tensor, original + suffix, None)
            if method is not None:
                setattr(Tensor, other + suffix, method)
    return made
