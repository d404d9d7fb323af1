"""Module: layers that hold parameters, buffers and other layers."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from ..autograd.hooks import Handle
from ..tensor import Tensor
from .parameter import Buffer, Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .state import IncompatibleKeys

_HOOKS = (
    "_backward_pre_hooks", "_backward_hooks", "_forward_hooks", "_forward_hooks_with_kwargs", "_forward_hooks_always_called",
    "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks", "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks",
)  # fmt: skip


class Module:
    """Base of layers and networks. A subclass calls `super().__init__()`, assigns its parts, and defines `forward`.

    >>> import wengert
    >>> class Double(wengert.nn.Module):
    ...     def forward(self, x):
    ...         return 2 * x
    >>> Double()(wengert.ones(2))
    tensor([2., 2.])
    """

    dump_patches = False
    call_super_init = False  # whether __init__ hands its arguments to the next class of a multiple inheritance
    _version = 1  # of what state_dict gives: kept with it as `_metadata`

    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]
    _non_persistent_buffers_set: set[str]
    _is_full_backward_hook: bool | None  # None: not yet chosen

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init and (args or kwargs):
            name = type(self).__name__
            if kwargs:
                raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'")
            raise TypeError(f"{name}.__init__() takes 1 positional argument but {len(args) + 1} were given")
        space = self.__dict__
        space["training"] = True
        space["_parameters"] = {}
        space["_buffers"] = {}
        space["_non_persistent_buffers_set"] = set()
        space["_modules"] = {}
        space["_is_full_backward_hook"] = None
        for name in _HOOKS:
            space[name] = OrderedDict()
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes: defined by each subclass."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._backward_hooks or self._backward_pre_hooks or self._forward_hooks or self._forward_pre_hooks:
            from .hooks import call_between_hooks

            return call_between_hooks(self, args, kwargs)
        return self.forward(*args, **kwargs)

    # -------------------------------------------------------------------------------------------- attributes

    def __getattr__(self, name: str) -> Any:
        space = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            found = space.get(table)
            if found is not None and name in found:
                return found[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        space = self.__dict__
        parameters, modules, buffers = space.get("_parameters"), space.get("_modules"), space.get("_buffers")
        if isinstance(value, Parameter):
            self._check_made("parameters", parameters)
            self._forget(name, "_buffers", "_modules")
            self.register_parameter(name, value)
        elif parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_type_name(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, None)
        elif isinstance(value, Module):
            self._check_made("module", modules)
            self._forget(name, "_buffers")
            modules[name] = value  # type: ignore[index]
        elif modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_type_name(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            modules[name] = None
        elif (buffers is not None and name in buffers) or isinstance(value, Buffer):
            self._check_made("buffer", buffers)
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{_type_name(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)"
                )
            persistent = getattr(value, "persistent", name not in self._non_persistent_buffers_set)
            space.pop(name, None)
            self.register_buffer(name, value, persistent)
        else:
            object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        for table in (self._parameters, self._buffers, self._modules):
            if name in table:
                del table[name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = [*dir(type(self)), *self.__dict__, *self._parameters, *self._buffers, *self._modules]
        return sorted({n for n in names if not n[:1].isdigit()})

    def _check_made(self, kind: str, table: Any) -> None:
        if table is None:
            raise AttributeError(f"cannot assign {kind} before Module.__init__() call")

    def _forget(self, name: str, *tables: str) -> None:
        """Take a name out of wherever it is, before it becomes something else."""
        space = self.__dict__
        space.pop(name, None)
        for table in tables:
            space[table].pop(name, None)
        space["_non_persistent_buffers_set"].discard(name)

    def _check_name(self, kind: str, name: Any, table: Any) -> None:
        self._check_made(kind, table)
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {_type_name(name, instance=True)}")
        if hasattr(self, name) and name not in table:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."' + (f", got: {name}" if kind == "module" else ""))
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Make a parameter part of the module, under a name.

        Raises TypeError, KeyError or ValueError where the name is taken or the parameter is none.
        """
        self._check_name("parameter", name, self.__dict__.get("_parameters"))
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(
                    f"cannot assign '{_type_name(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
                )
            if param.grad_fn is not None:
                raise ValueError(
                    f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. To express "
                    f"'{name}' as a function of another Tensor, compute the value in the forward() method."
                )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Make a tensor part of the module's state, under a name; `persistent`: also of its `state_dict`.

        Raises TypeError or KeyError where the name is taken or there is no tensor.
        """
        self._check_name("buffer", name, self.__dict__.get("_buffers"))
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{_type_name(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Make another module part of this one, under a name.

        Raises TypeError or KeyError where the name is taken or there is no module.
        """
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{_type_name(module, instance=True)} is not a Module subclass")
        self._check_name("module", name, self.__dict__.get("_modules"))
        self._modules[name] = module

    def register_module(self, name: str, module: Module | None) -> None:
        """The same as `add_module`."""
        self.add_module(name, module)

    # -------------------------------------------------------------------------------------------- what it has

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """This module and all within it, with their dotted names."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self) -> Iterator[Module]:
        """This module and all within it."""
        for _, module in self.named_modules():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules directly within this one, with their names."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """The modules directly within this one."""
        for _, module in self.named_children():
            yield module

    def _named_members(
        self, table: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in getattr(module, table).items():
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(value))
                yield (f"{path}.{name}" if path else name), value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters, with their dotted names; without `recurse` only the module's own."""
        return self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters; without `recurse` only the module's own.

        >>> import wengert
        >>> [p.shape for p in wengert.nn.Linear(2, 3).parameters()]
        [torch.Size([3, 2]), torch.Size([3])]
        """
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """The buffers, with their dotted names; without `recurse` only the module's own."""
        return self._named_members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers; without `recurse` only the module's own."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target: str) -> Module:
        """The module of a dotted name.

        Raises AttributeError if there is none.
        """
        module: Any = self
        for part in target.split(".") if target else ():
            if not hasattr(module, part):
                raise AttributeError(f"{module._get_name()} has no attribute `{part}`")
            module = getattr(module, part)
            if not isinstance(module, Module):
                raise AttributeError(f"`{part}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put another module in the place of the one of a dotted name; `strict`: there must be one.

        Raises ValueError or AttributeError where that cannot be done.
        """
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def _get_member(self, target: str, kind: str, is_kind: Callable[[Module, str], bool]) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        if not is_kind(module, name):
            raise AttributeError(f"`{name}` is not {kind}")
        return getattr(module, name)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter of a dotted name.

        Raises AttributeError if there is none.
        """
        return self._get_member(target, "an nn.Parameter", lambda m, name: isinstance(getattr(m, name), Parameter))

    def get_buffer(self, target: str) -> Tensor:
        """The buffer of a dotted name.

        Raises AttributeError if there is none.
        """
        return self._get_member(target, "a buffer", lambda m, name: name in m._buffers)

    # -------------------------------------------------------------------------------------------- changing all of it

    def apply(self, fn: Callable[[Module], Any]) -> Any:
        """Call `fn` with every module within, and then with this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Any:
        """Replace the memory of parameters, their gradients and buffers by what `fn` makes of them."""
        from ..autograd.modes import no_grad

        if recurse:
            for module in self.children():
                module._apply(fn)
        with no_grad():
            for parameter in self._parameters.values():
                if parameter is not None:
                    grad = parameter.grad
                    parameter.data = fn(parameter.detach())
                    if grad is not None:
                        grad.data = fn(grad.detach())
            for name, buffer in self._buffers.items():
                if buffer is not None:
                    self._buffers[name] = fn(buffer)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Convert the floating-point parameters and buffers, in place; the arguments are those of `Tensor.to`.

        Raises TypeError for a dtype that is neither floating-point nor complex, RuntimeError for a device but the CPU.

        >>> import wengert
        >>> wengert.nn.Linear(1, 1).to(wengert.float64).bias.dtype
        torch.float64
        """
        from ..device import check_device, preserve_format
        from ..ops.conversion import parse_to

        where, target, copy, wanted = parse_to(args, kwargs)
        if copy:
            raise RuntimeError(".to() does not accept copy argument")
        check_device(where)
        if target is not None and not (target.is_floating_point or target.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={target}"
            )

        def convert(x: Tensor) -> Tensor:
            goal = target if target is not None and (x.is_floating_point() or x.is_complex()) else x.dtype
            return x.to(goal, memory_format=wanted if x.ndim in (4, 5) else preserve_format)

        return self._apply(convert)

    def type(self, dst_type: Any) -> Any:
        """Convert all parameters and buffers to a dtype, in place."""
        return self._apply(lambda x: x.type(dst_type))

    def float(self) -> Any:
        """Convert the floating-point parameters and buffers to float32, in place."""
        return self._apply(lambda x: x.float() if x.is_floating_point() else x)

    def double(self) -> Any:
        """Convert the floating-point parameters and buffers to float64, in place."""
        return self._apply(lambda x: x.double() if x.is_floating_point() else x)

    def half(self) -> Any:
        """Convert the floating-point parameters and buffers to float16, in place."""
        return self._apply(lambda x: x.half() if x.is_floating_point() else x)

    def bfloat16(self) -> Any:
        """Convert the floating-point parameters and buffers to bfloat16, in place."""
        return self._apply(lambda x: x.bfloat16() if x.is_floating_point() else x)

    def cpu(self) -> Any:
        """The module itself, which lies on the CPU."""
        return self

    def cuda(self, device: Any = None) -> Any:
        """Raises RuntimeError: wengert computes on the CPU only."""
        return self.to("cuda" if device is None else device)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Any:
        """Give parameters and buffers fresh memory, whose contents are left open; a device must be the CPU."""
        from ..creation import empty_like

        return self._apply(lambda x: empty_like(x, device=device), recurse)

    def train(self, mode: bool = True) -> Any:
        """Put this module and all within it into training mode, or out of it."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Any:
        """Put this module and all within it into evaluation mode."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Switch the recording of operations on all parameters on or off."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        for parameter in self.parameters():
            grad = parameter.grad
            if grad is None:
                continue
            if set_to_none:
                parameter.grad = None
            else:
                if grad.grad_fn is not None:
                    grad.detach_()
                else:
                    grad.requires_grad_(False)
                grad.zero_()

    # -------------------------------------------------------------------------------------------- state

    def state_dict(self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
        """Parameters and persistent buffers by dotted name, sharing their memory; `keep_vars`: not cut off from the graph.

        >>> import wengert
        >>> list(wengert.nn.Linear(1, 1).state_dict())
        ['weight', 'bias']
        """
        if args:
            import warnings

            warnings.warn(
                "Positional args are being deprecated, use kwargs instead. Refer to "
                "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for details.",
                FutureWarning,
                stacklevel=2,
            )
            given = (*args, *(destination, prefix, keep_vars)[len(args) :])
            destination, prefix, keep_vars = given[0], given[1], given[2]
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in list(self._state_dict_pre_hooks.values()):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in list(self._state_dict_hooks.values()):
            if hook(self, destination, prefix, metadata) is not None:
                raise RuntimeError("state_dict post-hook must return None")
        return destination

    def load_state_dict(self, state_dict: Any, strict: bool = True, assign: bool = False) -> IncompatibleKeys:
        """Copy parameters and buffers from what `state_dict` gave.

        strict  raise where names are missing or unexpected
        assign  take the tensors themselves rather than their values

        Raises RuntimeError where names or shapes do not fit. Then nothing has been changed, unless a module within has a way of
        its own to load its state (`_load_from_state_dict`, or a hook), which cannot be tried out beforehand.
        """
        from .state import load

        return load(self, state_dict, strict, assign)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        """Add the module's own state; a subclass may do it otherwise."""
        from .state import save_one

        save_one(self, destination, prefix, keep_vars)

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, missing_keys: list[str],
        unexpected_keys: list[str], error_msgs: list[str],
    ) -> None:  # fmt: skip
        """Load the module's own state; a subclass may do it otherwise, for instance for another `version` in `local_metadata`."""
        from .state import load_one

        assign = local_metadata.get("assign_to_params_buffers", False)
        load_one(self, state_dict, prefix, strict, missing_keys, unexpected_keys, error_msgs, assign, write=True)

    def _loads_plainly(self) -> bool:
        """Whether loading does nothing but what `Module` does."""
        return type(self)._load_from_state_dict is Module._load_from_state_dict and not self._load_state_dict_pre_hooks

    def _has_extra_state(self) -> bool:
        return type(self).get_extra_state is not Module.get_extra_state

    def _takes_extra_state(self) -> bool:
        return type(self).set_extra_state is not Module.set_extra_state

    def get_extra_state(self) -> Any:
        """What else belongs to the module's `state_dict`: may be defined by a subclass."""
        raise RuntimeError(
            f"{type(self).__name__} defines no get_extra_state: a module with extra state defines get_extra_state and set_extra_state"
        )

    def set_extra_state(self, state: Any) -> None:
        """Take over what `get_extra_state` gave: may be defined by a subclass."""
        raise RuntimeError(
            f"{type(self).__name__} defines no set_extra_state: a module with extra state defines get_extra_state and set_extra_state"
        )

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, prefix, keep_vars)` before the module's state is gathered."""
        return Handle(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, state_dict, prefix, local_metadata)` when the module's state has been gathered."""
        return Handle(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, state_dict, prefix, local_metadata, strict, missing, unexpected, errors)` before loading."""
        return Handle(self._load_state_dict_pre_hooks, hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, incompatible_keys)` after loading."""
        return Handle(self._load_state_dict_post_hooks, hook)

    # -------------------------------------------------------------------------------------------- hooks

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> Handle:
        """Call `hook(module, args)` before `forward`; what it returns replaces the arguments.

        with_kwargs: call `hook(module, args, kwargs)`, which may return both anew.
        """
        handle = _registered(self._forward_pre_hooks, hook, prepend)
        if with_kwargs:
            self._forward_pre_hooks_with_kwargs[handle.id] = True
        return handle

    def register_forward_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> Handle:
        """Call `hook(module, args, output)` after `forward`; what it returns replaces the output.

        with_kwargs: call `hook(module, args, kwargs, output)`. always_call: also where `forward` raised, with None as output.
        """
        handle = _registered(self._forward_hooks, hook, prepend)
        if with_kwargs:
            self._forward_hooks_with_kwargs[handle.id] = True
        if always_call:
            self._forward_hooks_always_called[handle.id] = True
        return handle

    def register_full_backward_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> Handle:
        """Call `hook(module, grad_output)` when the gradients of the outputs are there; what it returns replaces them."""
        return _registered(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook: Callable[..., Any], prepend: bool = False) -> Handle:
        """Call `hook(module, grad_input, grad_output)` when the gradients of the inputs are there; what it returns replaces them."""
        self._choose_backward_hooks(full=True)
        return _registered(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook: Callable[..., Any]) -> Handle:
        """The older kind of hook, on the last operation of `forward` only: use `register_full_backward_hook`."""
        self._choose_backward_hooks(full=False)
        return Handle(self._backward_hooks, hook)

    def _choose_backward_hooks(self, full: bool) -> None:
        if self._is_full_backward_hook is (not full):
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them."
            )
        self._is_full_backward_hook = full

    # -------------------------------------------------------------------------------------------- text, copies

    def extra_repr(self) -> str:
        """What stands between the brackets when the module is printed: defined by subclasses."""
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        extra = self.extra_repr()
        extra_lines = extra.split("\n") if extra else []
        child_lines = [f"({name}): {indented(repr(module))}" for name, module in self._modules.items()]
        lines = extra_lines + child_lines
        text = self._get_name() + "("
        if lines:
            if len(extra_lines) == 1 and not child_lines:
                text += extra_lines[0]
            else:
                text += "\n  " + "\n  ".join(lines) + "\n"
        return text + ")"

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def _registered(hooks: Any, hook: Callable[..., Any], prepend: bool) -> Handle:
    handle = Handle(hooks, hook)
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def indented(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first, *("  " + line for line in rest)])


def _type_name(value: Any, instance: bool = False) -> str:
    """The name of a value's type (or of a type) in PyTorch's messages: of a tensor that with the dtype, unless `instance`."""
    if isinstance(value, Tensor) and not instance:
        return value.type()
    kind = value if isinstance(value, type) else type(value)
    if kind.__module__ == "builtins":
        return kind.__qualname__
    home = kind.__module__.replace("wengert.nn.", "torch.nn.modules.")
    return f"{home}.{kind.__qualname__}"
