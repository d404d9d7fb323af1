"""Calling a module between its hooks: those on its arguments and output, and those on the gradients that pass through it."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from ..autograd.function import Function
from ..autograd.modes import get_mode
from ..tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable

    from .module import Module


def call_between_hooks(module: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`module.forward` with everything that is hooked to the module."""
    called: set[int] = set()
    try:
        return _call(module, args, kwargs, called)
    except Exception:
        for number in module._forward_hooks_always_called:
            if number in module._forward_hooks and number not in called:
                try:
                    _call_forward_hook(module, number, args, kwargs, None)
                except Exception as error:
                    warnings.warn(
                        "module forward hook with ``always_call=True`` raised an exception that was silenced as another error was "
                        f"raised in forward: {error}",
                        UserWarning,
                        stacklevel=3,
                    )
        raise


def _call(module: Module, args: tuple[Any, ...], kwargs: dict[str, Any], called: set[int]) -> Any:
    for number, hook in list(module._forward_pre_hooks.items()):
        if number in module._forward_pre_hooks_with_kwargs:
            result = hook(module, args, kwargs)
            if result is not None:
                if not (isinstance(result, tuple) and len(result) == 2):
                    raise RuntimeError(
                        f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {result}."
                    )
                args, kwargs = result
        else:
            result = hook(module, args)
            if result is not None:
                args = result if isinstance(result, tuple) else (result,)
    passing = None
    if module._backward_pre_hooks or (module._backward_hooks and module._is_full_backward_hook):
        passing = _Passing(module)
        args = passing.through_input(args)
    output = module.forward(*args, **kwargs)
    for number in list(module._forward_hooks):
        called.add(number)
        result = _call_forward_hook(module, number, args, kwargs, output)
        if result is not None:
            output = result
    if passing is not None:
        output = passing.through_output(output)
    if module._backward_hooks and not module._is_full_backward_hook:
        _hook_last_node(module, args, output)
    return output


def _call_forward_hook(module: Module, number: int, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> Any:
    hook = module._forward_hooks[number]
    if number in module._forward_hooks_with_kwargs:
        return hook(module, args, kwargs, output)
    return hook(module, args, output)


class BackwardHookFunction(Function):
    """Passes tensors on as they are: its node is where the gradients of a module's inputs, or outputs, are hooked."""

    @staticmethod
    def forward(ctx: Any, *tensors: Tensor) -> Any:
        ctx.mark_non_differentiable(*[x for x in tensors if not x.requires_grad])
        return tensors

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads


def _pass(values: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[int], Any]:
    """`values` with their tensors passed through a node, the places of these, and the node (None if none needs one)."""
    places = [i for i, v in enumerate(values) if isinstance(v, Tensor)]
    if not get_mode().grad or not any(values[i].requires_grad for i in places):
        return values, places, None
    passed = BackwardHookFunction.apply(*[values[i] for i in places])
    node = next(x.grad_fn for x in passed if x.grad_fn is not None)
    made = list(values)
    for i, x in zip(places, passed):
        made[i] = x
    # a namedtuple is made of its parts, a tuple of a sequence
    return (type(values)(*made) if hasattr(values, "_fields") else tuple(made)), places, node


def _spread(places: list[int], grads: tuple[Any, ...], length: int) -> tuple[Any, ...]:
    """Gradients at their places, None elsewhere."""
    made: list[Any] = [None] * length
    for i, g in zip(places, grads):
        made[i] = g
    return tuple(made)


class _Passing:
    """One call of a module that has hooks on gradients."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.hooks: list[Callable[..., Any]] = (
            list(module._backward_hooks.values()) if module._is_full_backward_hook else []
        )
        self.pre_hooks: list[Callable[..., Any]] = list(module._backward_pre_hooks.values())
        self.inputs = 0
        self.input_places: list[int] | None = None  # None: the gradient of no input is computed
        self.grad_outputs: tuple[Any, ...] | None = None

    def through_input(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        self.inputs = len(args)
        passed, places, node = _pass(args)
        if node is not None:
            self.input_places = places

            def hook(grad_inputs: Any, _: Any) -> Any:
                grads, grad_outputs = _spread(places, grad_inputs, self.inputs), self.grad_outputs
                self.grad_outputs = None
                if grad_outputs is None:  # the output was not used, but one of the inputs was, apart from the module
                    return None
                for user_hook in self.hooks:
                    result = user_hook(self.module, grads, grad_outputs)
                    if result is not None:
                        grads = _checked("grad_input", result, self.inputs)
                return tuple(grads[i] for i in places)

            node.register_hook(hook)
        return passed

    def through_output(self, output: Any) -> Any:
        several = isinstance(output, tuple)
        if not several and not isinstance(output, Tensor):
            warnings.warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received "
                f"{type(output)}",
                UserWarning,
                stacklevel=5,
            )
            return output
        values = output if several else (output,)
        passed, places, node = _pass(values)
        if node is not None:
            node.register_prehook(self._output_hook(places, len(values)))
        return passed if several else passed[0]

    def _output_hook(self, places: list[int], length: int) -> Any:
        def hook(grads: Any) -> Any:
            self.grad_outputs = _spread(places, grads, length)
            for user_hook in self.pre_hooks:
                result = user_hook(self.module, self.grad_outputs)
                if result is not None:
                    self.grad_outputs = _checked("grad_output", result, length)
            outer = self.grad_outputs
            if self.input_places is None:
                if self.hooks:
                    _without_input(self.module, self.hooks, self.inputs, outer)
                self.grad_outputs = None
            return tuple(outer[i] for i in places)

        return hook


def _checked(what: str, result: Any, expected: int) -> Any:
    if len(result) != expected:
        raise RuntimeError(
            f"Backward hook returned an invalid number of {what}, got {len(result)}, but expected {expected}"
        )
    return result


def _without_input(module: Module, hooks: list[Callable[..., Any]], inputs: int, grad_outputs: tuple[Any, ...]) -> None:
    """Call the hooks of a module of which no input requires grad, when the gradients of its outputs are there."""
    warnings.warn(
        "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require gradients. "
        "See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.register_full_backward_hook for more "
        "details.",
        UserWarning,
        stacklevel=2,
    )
    for hook in hooks:
        result = hook(module, (None,) * inputs, grad_outputs)
        if result is not None and not (isinstance(result, tuple) and all(r is None for r in result)):
            raise RuntimeError(
                "Backward hook for Modules where no input requires gradient should always return None or None for all gradients."
            )


def _hook_last_node(module: Module, args: tuple[Any, ...], output: Any) -> None:
    """The older kind of hook: on the node that made the output, whatever it is."""
    value = output
    while not isinstance(value, Tensor):
        value = next(v for v in value.values() if isinstance(v, Tensor)) if isinstance(value, dict) else value[0]
    node = value.grad_fn
    if node is None:
        return
    wanted = {x._edge if x.is_leaf else x.grad_fn for x in args if isinstance(x, Tensor) and x.requires_grad}
    if wanted != {n for n, _ in node.next_functions if n is not None}:
        warnings.warn(
            "Using a non-full backward hook when the forward contains multiple autograd Nodes is deprecated and will be removed in "
            "future versions. This hook will be missing some grad_input. Please use register_full_backward_hook to get the "
            "documented behavior.",
            FutureWarning,
            stacklevel=5,
        )
    for hook in module._backward_hooks.values():
        node.register_hook(lambda grad_inputs, grad_outputs, hook=hook: hook(module, grad_inputs, grad_outputs))
