"""The two namespaces against which derivatives are written: `arrays` computes with NumPy, `tensors` with recorded operations.

A rule takes one of them as `F`. Every operation declared in `ops` is in both under the same name and with the same positional
arguments; beside them, arrays and tensors share the operators, `shape`, `ndim` and `dtype`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any


class Namespace:
    """A bag of functions."""

    def __init__(self, name: str) -> None:
        self.name = name

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __repr__(self) -> str:
        return f"<namespace of {self.name}>"


arrays = Namespace("arrays")
tensors = Namespace("tensors")


def provide(name: str, for_arrays: Any, for_tensors: Any) -> None:
    """Put into both namespaces a function that is no declared operation but a choice between some."""
    setattr(arrays, name, for_arrays)
    setattr(tensors, name, for_tensors)
