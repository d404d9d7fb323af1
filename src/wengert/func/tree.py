"""Nested tuples, lists and dictionaries of tensors, taken apart and put together."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor


def flatten(value: Any) -> tuple[list[Any], Any]:
    """The leaves in order, and the structure that `build` needs; what is no tuple, list or dictionary is a leaf."""
    leaves: list[Any] = []
    return leaves, _take_apart(value, leaves)


def _take_apart(value: Any, leaves: list[Any]) -> Any:
    if isinstance(value, dict):
        return type(value), [(key, _take_apart(v, leaves)) for key, v in value.items()]
    if isinstance(value, (tuple, list)):
        return type(value), [_take_apart(v, leaves) for v in value]
    leaves.append(value)
    return None


def build(structure: Any, leaves: list[Any]) -> Any:
    """The value of that structure with these leaves."""
    rest = iter(leaves)
    return _put_together(structure, rest)


def _put_together(structure: Any, rest: Any) -> Any:
    if structure is None:
        return next(rest)
    kind, parts = structure
    if issubclass(kind, dict):
        made = [(key, _put_together(part, rest)) for key, part in parts]
        return kind(made) if kind is not dict else dict(made)
    made = [_put_together(part, rest) for part in parts]
    return kind(*made) if hasattr(kind, "_fields") else kind(made)


def change(function: Any, value: Any) -> Any:
    """The value with `function` of each tensor in it; what is no tensor stays."""
    leaves, structure = flatten(value)
    return build(structure, [function(x) if isinstance(x, Tensor) else x for x in leaves])


def describe(structure: Any) -> str:
    """The structure with a star for each leaf: `(*, {'k': *})`."""
    if structure is None:
        return "*"
    kind, parts = structure
    if issubclass(kind, dict):
        return "{" + ", ".join(f"{key!r}: {describe(part)}" for key, part in parts) + "}"
    inner = ", ".join(describe(part) for part in parts)
    if issubclass(kind, list):
        return f"[{inner}]"
    return f"({inner},)" if len(parts) == 1 else f"({inner})"
