"""Optimizer: parameter groups, their state, and what all optimizers share."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import TYPE_CHECKING, Any

from ..autograd.hooks import Handle
from ..autograd.modes import DEFAULT, NO_GRAD, get_mode, set_mode
from ..autograd.node import AccumulateGrad
from ..quiet import hush, unhush
from ..tensor import Tensor, edge_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class _Required:
    def __repr__(self) -> str:
        return "<required parameter>"


required: Any = _Required()


def check_at_least_zero(value: Any, what: str) -> None:
    """Raise ValueError, in PyTorch's words, for a negative option."""
    if not value >= 0.0:
        raise ValueError(f"Invalid {what}: {value}")


class Optimizer:
    """Base of optimizers.

    params    an iterable of parameters; or of dictionaries, each with "params" and options of its own; or of named parameters
    defaults  the options of groups that do not set them

    A subclass defines `_update(group)`, which steps the parameters of one group.
    """

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self.state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        self._pre_hooks: OrderedDict[int, Any] = OrderedDict()
        self._post_hooks: OrderedDict[int, Any] = OrderedDict()
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                + params.type()
            )
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(dict(group))

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters, with options of its own.

        Raises TypeError and ValueError where a parameter is no leaf tensor, or is in a group already.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets will change "
                "between runs. Please use a list instead."
            )
        else:
            params = list(params)
        if params and all(isinstance(p, tuple) and len(p) == 2 for p in params):
            param_group["param_names"] = [name for name, _ in params]
            params = [p for _, p in params]
        for p in params:
            if not isinstance(p, Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {type(p).__module__}.{type(p).__name__}"
                )
            edge = edge_of(p)
            if edge is not None and type(edge) is not AccumulateGrad and not self.defaults.get("differentiable"):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        if len({id(p) for p in params}) != len(params):
            import warnings

            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see "
                "github.com/pytorch/pytorch/issues/40967 for more information",
                UserWarning,
                stacklevel=3,
            )
        known = {id(p) for group in self.param_groups for p in group["params"]}
        if any(id(p) in known for p in params):
            raise ValueError("some parameters appear in more than one parameter group")
        param_group["params"] = params
        self.param_groups.append({"params": params, **{k: v for k, v in param_group.items() if k != "params"}})

    # -------------------------------------------------------------------------------------------- stepping

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update the parameters by their gradients.

        closure: computes the loss anew; it is called first, recorded, and its value is returned.
        """
        if self._pre_hooks:
            for hook in list(self._pre_hooks.values()):
                hook(self, (closure,) if closure is not None else (), {})
        previous = get_mode()
        loss = None
        if closure is not None:
            set_mode(DEFAULT if previous.plain else previous.replace(grad=True))
            try:
                loss = closure()
            finally:
                set_mode(previous)
        set_mode(NO_GRAD if previous.plain else previous.replace(grad=False))
        token = hush()
        try:
            for group in self.param_groups:
                self._update(group)
        finally:
            unhush(token)
            set_mode(previous)
        if self._post_hooks:
            for hook in list(self._post_hooks.values()):
                hook(self, (closure,) if closure is not None else (), {})
        return loss

    def _update(self, group: dict[str, Any]) -> None:
        raise NotImplementedError

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        for group in self.param_groups:
            for p in group["params"]:
                edge = p._edge
                if set_to_none and type(edge) is AccumulateGrad:
                    edge.grad = None
                    continue
                grad = p.grad
                if grad is None:
                    continue
                if set_to_none:
                    p.grad = None
                elif grad.requires_grad:
                    p.grad = grad.detach().zero_()
                else:
                    grad.zero_()

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(optimizer, args, kwargs)` before each step."""
        return Handle(self._pre_hooks, hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return Handle(self._post_hooks, hook)

    # -------------------------------------------------------------------------------------------- state

    def state_dict(self) -> dict[str, Any]:
        """The options of the groups and the state of the parameters, which are numbered in their order."""
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            for p in group["params"]:
                numbers.setdefault(id(p), len(numbers))
            packed = {k: v for k, v in group.items() if k != "params"}
            packed["params"] = [numbers[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {numbers[id(p)] if isinstance(p, Tensor) else p: value for p, value in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave.

        Raises ValueError, and changes nothing, where the groups do not fit.
        """
        groups = self.param_groups
        saved = state_dict["param_groups"]
        if len(groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(g["params"]) != len(s["params"]) for g, s in zip(groups, saved, strict=True)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        import copy

        by_number: dict[int, Any] = {}
        for group, old in zip(groups, saved, strict=True):
            by_number.update(zip(old["params"], group["params"], strict=True))
        state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        for number, value in state_dict["state"].items():
            p = by_number.get(number)
            if p is None:
                state[number] = value
                continue
            state[p] = {k: _converted(k, v, p) for k, v in value.items()}
        self.state = state
        self.param_groups = [
            {"params": group["params"], **{k: copy.copy(v) for k, v in old.items() if k != "params"}}
            for group, old in zip(groups, saved, strict=True)
        ]

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._pre_hooks = OrderedDict()
        self._post_hooks = OrderedDict()

    def __repr__(self) -> str:
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for key in sorted(group):
                if key != "params":
                    text += f"    {key}: {group[key]}\n"
        return text + ")"


def _converted(key: str, value: Any, p: Tensor) -> Any:
    """A value of a parameter's state, as a copy in the parameter's dtype (but for the count of steps)."""
    if not isinstance(value, Tensor):
        import copy

        return copy.deepcopy(value)
    if key == "step":
        return value.detach().clone()
    made = value.detach().to(p.dtype) if p.is_floating_point() else value.detach()
    return made.clone() if made._array is value._array else made


def number(value: Any) -> Any:
    """An option that may be a 0-d tensor, as a number."""
    return value.item() if isinstance(value, Tensor) else value


def gradient_of(p: Tensor) -> Any:
    """The array of a parameter's gradient, None if there is none."""
    edge = p._edge
    if type(edge) is AccumulateGrad:
        grad = edge.grad
    else:
        grad = p.grad
    return None if grad is None else grad._array
