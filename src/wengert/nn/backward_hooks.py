"""Hooks on the gradients that pass through a module."""

from __future__ import annotations

from typing import Any

from ..autograd.function import Function
from ..tensor import Tensor


class _Pass(Function):
    """Passes tensors on as they are, and tells `seen` of their gradients."""

    @staticmethod
    def forward(ctx: Any, seen: Any, *tensors: Tensor) -> Any:
        ctx.seen = seen
        ctx.set_materialize_grads(False)
        return tuple(x.view_as(x) for x in tensors)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        replaced = ctx.seen(grads)
        return (None, *(grads if replaced is None else replaced))


def _through(seen: Any, values: Any) -> Any:
    """`values`, a tensor or a tuple, with its tensors passed through `_Pass`."""
    several = isinstance(values, (tuple, list))
    parts = list(values) if several else [values]
    places = [i for i, v in enumerate(parts) if isinstance(v, Tensor) and v.requires_grad]
    if places:
        passed = _Pass.apply(seen, *[parts[i] for i in places])
        for i, x in zip(places, passed, strict=True):
            parts[i] = x
    return type(values)(parts) if several else parts[0]


def call_between_hooks(module: Any, hooks: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`module.forward` with the hooks called when the gradients of its inputs are there."""
    found: dict[str, Any] = {}

    def at_output(grads: Any) -> None:
        found["output"] = grads

    def at_input(grads: Any) -> Any:
        given: Any = tuple(grads)
        for hook in hooks:
            result = hook(module, given, found.get("output"))
            if result is not None:
                given = result if isinstance(result, tuple) else (result,)
        return given

    tracked = any(isinstance(a, Tensor) and a.requires_grad for a in args)
    inner = _through(at_input, args) if tracked else args

    def at_output_alone(grads: Any) -> None:
        for hook in hooks:
            hook(module, (None,) * len(args), tuple(grads))

    output = module.forward(*inner, **kwargs)
    return _through(at_output if tracked else at_output_alone, output)
