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

_HOOKS = (
    "_optimizer_step_pre_hooks", "_optimizer_step_post_hooks", "_optimizer_state_dict_pre_hooks",
    "_optimizer_state_dict_post_hooks", "_optimizer_load_state_dict_pre_hooks", "_optimizer_load_state_dict_post_hooks",
)  # fmt: skip


def with_hooks(step: Any) -> Any:
    """A method `step` between the hooks of the optimizer; of methods that call each other, the outermost."""

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        self._opt_called = True  # which the learning rate's schedulers look at
        pre, post = self._optimizer_step_pre_hooks, self._optimizer_step_post_hooks
        if not (pre or post) or self._hooked:
            return step(self, *args, **kwargs)
        self._hooked = True
        try:
            args = (self, *args)
            for hook in list(pre.values()):
                result = hook(self, args, kwargs)
                if result is not None:
                    if not (isinstance(result, tuple) and len(result) == 2):
                        raise RuntimeError(
                            f"{step} must return None or a tuple of (new_args, new_kwargs), but got {result}."
                        )
                    args, kwargs = result
            found = step(*args, **kwargs)
            for hook in list(post.values()):
                hook(self, args, kwargs)
            return found
        finally:
            self._hooked = False

    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        setattr(call, name, getattr(step, name))
    call.is_hooked = True  # type: ignore[attr-defined]
    return call


class Optimizer:
    """Base of optimizers.

    params    an iterable of parameters; or of dictionaries, each with "params" and options of its own; or of named parameters
    defaults  the options of groups that do not set them

    A subclass defines `step`, or `_update(group)`, which steps the parameters of one group on their arrays.
    """

    _hooked = False  # whether the hooks of `step` are being run
    # the options that came with later versions of PyTorch, by which older states are completed
    _later: dict[str, Any] = {}  # noqa: RUF012 (read only)

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self.state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        self._make_hooks()
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
            self.add_param_group(group)

    def __init_subclass__(cls) -> None:
        step = vars(cls).get("step")
        if step is not None and not hasattr(step, "is_hooked"):
            cls.step = with_hooks(step)  # type: ignore[method-assign]

    def _make_hooks(self) -> None:
        for name in _HOOKS:
            self.__dict__[name] = OrderedDict()

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters, with options of its own.

        Raises TypeError and ValueError where a parameter is no leaf tensor, or is in a group already.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params, names = _listed(param_group["params"])
        for p in params:
            if not isinstance(p, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {_type_name(p)}")
            edge = edge_of(p)
            if edge is not None and type(edge) is not AccumulateGrad and not self.defaults.get("differentiable"):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
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
        if self.param_groups:
            named = names is not None or "param_names" in param_group
            if ("param_names" in self.param_groups[0]) != named:
                raise ValueError(
                    "all optimizer param groups should be with/without names. cannot add param group "
                    f"{'with' if named else 'without'} names to the optimizer"
                )
        param_group["params"] = params
        if names is not None:
            param_group["param_names"] = names
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        self.param_groups.append(param_group)

    # -------------------------------------------------------------------------------------------- stepping

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update the parameters by their gradients.

        closure: computes the loss anew; it is called first, recorded, and its value is returned.
        """
        previous = get_mode()
        recorded = DEFAULT if previous.plain else previous.replace(grad=True)
        loss = None
        if closure is not None:
            set_mode(recorded)
            try:
                loss = closure()
            finally:
                set_mode(previous)
        differentiable = self.defaults.get("differentiable", False)
        set_mode(recorded if differentiable else NO_GRAD if previous.plain else previous.replace(grad=False))
        token = hush()
        try:
            for group in self.param_groups:
                if differentiable:
                    self._update_recorded(group)
                else:
                    self._update(group)
        finally:
            unhush(token)
            set_mode(previous)
        return loss

    step = with_hooks(step)

    def _update(self, group: dict[str, Any]) -> None:
        """Step the parameters of a group, on their arrays."""
        raise NotImplementedError(f"{type(self).__name__} defines no step()")

    def _update_recorded(self, group: dict[str, Any]) -> None:
        """Step the parameters of a group by recorded operations, for `differentiable=True`."""
        raise NotImplementedError(f"{type(self).__name__} does not support differentiable=True")

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
                    continue
                if grad.grad_fn is not None:
                    grad.detach_()
                else:
                    grad.requires_grad_(False)
                grad.zero_()

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(optimizer, args, kwargs)` before each step; what it returns replaces the arguments.

        The first of `args` is the optimizer.
        """
        return self._hook("step_pre", hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(optimizer, args, kwargs)` after each step; the first of `args` is the optimizer."""
        return self._hook("step_post", hook)

    def _hook(self, event: str, hook: Callable[..., Any], prepend: bool = False) -> Handle:
        hooks = self.__dict__[f"_optimizer_{event}_hooks"]
        handle = Handle(hooks, hook)
        if prepend:
            hooks.move_to_end(handle.id, last=False)
        return handle

    # -------------------------------------------------------------------------------------------- state

    def state_dict(self) -> dict[str, Any]:
        """The options of the groups and the state of the parameters, which are numbered in their order."""
        for hook in list(self.__dict__["_optimizer_state_dict_pre_hooks"].values()):
            hook(self)
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            for p in group["params"]:
                numbers.setdefault(id(p), len(numbers))
            packed = {k: v for k, v in group.items() if k != "params"}
            packed["params"] = [numbers[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {numbers[id(p)] if isinstance(p, Tensor) else p: value for p, value in self.state.items()}
        found = {"state": state, "param_groups": groups}
        for hook in list(self.__dict__["_optimizer_state_dict_post_hooks"].values()):
            replaced = hook(self, found)
            if replaced is not None:
                found = replaced
        return found

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave; tensors of the parameters' dtype are taken themselves, not copied.

        Raises ValueError, and changes nothing, where the groups do not fit.
        """
        state_dict = state_dict.copy()
        for hook in list(self.__dict__["_optimizer_load_state_dict_pre_hooks"].values()):
            replaced = hook(self, state_dict)
            if replaced is not None:
                state_dict = replaced
        groups = self.param_groups
        saved = state_dict["param_groups"]
        if len(groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(g["params"]) != len(s["params"]) for g, s in zip(groups, saved)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        import copy

        by_number: dict[Any, Tensor] = {}
        for group, old in zip(groups, saved):
            by_number.update(zip(old["params"], group["params"]))
        state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        for number, value in state_dict["state"].items():
            p = by_number.get(number)
            if p is None:
                state[number] = value
            else:
                state[p] = _converted(value, p)
        loaded = []
        for group, old in zip(groups, saved):
            made = {"params": group["params"], **copy.deepcopy({k: v for k, v in old.items() if k != "params"})}
            if "param_names" in group:
                made.setdefault("param_names", group["param_names"])
            loaded.append(made)
        self.__setstate__({"state": state, "param_groups": loaded})
        for hook in list(self.__dict__["_optimizer_load_state_dict_post_hooks"].values()):
            hook(self)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> Handle:
        """Call `hook(optimizer)` before the state is gathered."""
        return self._hook("state_dict_pre", hook, prepend)

    def register_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> Handle:
        """Call `hook(optimizer, state_dict)` when the state has been gathered; what it returns replaces it."""
        return self._hook("state_dict_post", hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> Handle:
        """Call `hook(optimizer, state_dict)` before a state is loaded; what it returns is loaded in its place."""
        return self._hook("load_state_dict_pre", hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> Handle:
        """Call `hook(optimizer)` when a state has been loaded."""
        return self._hook("load_state_dict_post", hook, prepend)

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if _HOOKS[0] not in self.__dict__:
            self._make_hooks()
        for group in self.param_groups:
            for name, value in self._later.items():
                group.setdefault(name, value)

    def __repr__(self) -> str:
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for key in sorted(group):
                if key != "params":
                    text += f"    {key}: {group[key]}\n"
        return text + ")"


def _listed(params: Any) -> tuple[list[Any], list[Any] | None]:
    """The parameters of a group as a list, and their names if they have some."""
    if isinstance(params, Tensor):
        return [params], None
    if isinstance(params, set):
        raise TypeError(
            "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets will change "
            "between runs. Please use a list instead."
        )
    found = list(params)
    named = [isinstance(p, tuple) for p in found]
    if not any(named):
        return found, None
    if not all(named):
        raise ValueError("all optimizer params should be with/without names. Some param names are missing")
    return [p[1] for p in found], [p[0] for p in found]


def _type_name(value: object) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _converted(value: Any, p: Tensor, key: Any = None) -> Any:
    """A value of a parameter's state with its tensors in the parameter's dtype (but for the count of steps)."""
    if isinstance(value, Tensor):
        return value.to(p.dtype) if key != "step" and p.is_floating_point() else value
    if isinstance(value, dict):
        return {k: _converted(v, p, k) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_converted(v, p) for v in value])
    return value
