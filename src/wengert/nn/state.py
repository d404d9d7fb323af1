"""A module's state: how it is gathered into a dictionary, and how it is loaded from one."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from ..autograd.modes import no_grad
from ..tensor import Tensor
from .parameter import Parameter

if TYPE_CHECKING:
    from .module import Module

EXTRA = "_extra_state"


class IncompatibleKeys(tuple[list[str], list[str]]):
    """What `load_state_dict` found missing and unexpected."""

    __slots__ = ()

    def __new__(cls, missing_keys: list[str], unexpected_keys: list[str]) -> IncompatibleKeys:
        return tuple.__new__(cls, (missing_keys, unexpected_keys))

    @property
    def missing_keys(self) -> list[str]:
        """The names that the module has and the state lacked."""
        return self[0]

    @property
    def unexpected_keys(self) -> list[str]:
        """The names that the state had and the module lacks."""
        return self[1]

    def __repr__(self) -> str:
        if not self[0] and not self[1]:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self[0]}, unexpected_keys={self[1]})"


def own_state(module: Module) -> dict[str, Any]:
    """The module's own parameters and persistent buffers, by name."""
    skipped = module._non_persistent_buffers_set
    buffers = [(k, v) for k, v in module._buffers.items() if k not in skipped]
    return {k: v for k, v in [*module._parameters.items(), *buffers] if v is not None}


def save_one(module: Module, destination: Any, prefix: str, keep_vars: bool) -> None:
    """Add a module's own state to `destination`."""
    for name, value in own_state(module).items():
        destination[prefix + name] = value if keep_vars else value.detach()
    if module._has_extra_state():
        destination[prefix + EXTRA] = module.get_extra_state()


def load_one(
    module: Module, state: Any, prefix: str, strict: bool, missing: list[str], unexpected: list[str], errors: list[str],
    assign: bool, write: bool,
) -> None:  # fmt: skip
    """Load a module's own state from `state`, where its names start with `prefix`; without `write`, only check that it fits."""
    own = own_state(module)
    for name, value in own.items():
        key = prefix + name
        if key not in state:
            if strict:
                missing.append(key)
            continue
        given = state[key]
        if not isinstance(given, Tensor):
            errors.append(
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint but '
                f"received {type(given)}"
            )
            continue
        if value.ndim == 0 and given.shape == (1,):
            given = given[0]  # how numbers were kept in the first versions of PyTorch
        if given.shape != value.shape:
            errors.append(
                f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, the shape in current model is "
                f"{value.shape}."
            )
        elif write:
            _load_value(module, name, value, given, assign)
    extra = prefix + EXTRA
    if module._takes_extra_state():
        if extra in state:
            if write:
                module.set_extra_state(state[extra])
        elif strict:
            missing.append(extra)
    elif strict and extra in state:
        unexpected.append(extra)
    if strict:
        for key in state:
            if key.startswith(prefix) and key != extra:
                name, _, rest = key[len(prefix) :].partition(".")
                if name not in (module._modules if rest else own):
                    unexpected.append(key)


def _load_value(module: Module, name: str, value: Any, given: Any, assign: bool) -> None:
    with no_grad():
        if not assign:
            value.copy_(given)
        elif name not in module._parameters:
            setattr(module, name, given)
        else:
            if not isinstance(given, Parameter):
                given = Parameter(given, value.requires_grad)
            else:
                given.requires_grad_(value.requires_grad)
            setattr(module, name, given)


def load(module: Module, state_dict: Any, strict: bool, assign: bool) -> IncompatibleKeys:
    """Load the state of a module and all within it."""
    if not hasattr(state_dict, "keys"):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    state = OrderedDict(state_dict)
    metadata = getattr(state_dict, "_metadata", None)
    if all(m._loads_plainly() for m in module.modules()):  # what does not fit is found before anything is changed
        found: tuple[list[str], list[str], list[str]] = ([], [], [])
        _check_all(module, state, "", *found, assign)
        _raise_misfits(module, strict, *found)
    missing: list[str] = []
    unexpected: list[str] = []
    errors: list[str] = []
    _load_all(module, state, "", metadata, missing, unexpected, errors, assign)
    _raise_misfits(module, strict, missing, unexpected, errors)
    return IncompatibleKeys(missing, unexpected)


def _raise_misfits(module: Module, strict: bool, missing: list[str], unexpected: list[str], errors: list[str]) -> None:
    texts = []
    if strict and missing:
        texts.append("Missing key(s) in state_dict: {}. ".format(", ".join(f'"{k}"' for k in missing)))
    if strict and unexpected:
        texts.append("Unexpected key(s) in state_dict: {}. ".format(", ".join(f'"{k}"' for k in unexpected)))
    texts += errors
    if texts:
        raise RuntimeError(
            "Error(s) in loading state_dict for {}:\n\t{}".format(type(module).__name__, "\n\t".join(texts))
        )


def _of_child(state: Any, prefix: str) -> Any:
    return {k: v for k, v in state.items() if k.startswith(prefix)}


def _check_all(
    module: Module, state: Any, prefix: str, missing: list[str], unexpected: list[str], errors: list[str], assign: bool
) -> None:
    load_one(module, state, prefix, True, missing, unexpected, errors, assign, write=False)
    for name, child in module._modules.items():
        if child is not None:
            below = f"{prefix}{name}."
            _check_all(child, _of_child(state, below), below, missing, unexpected, errors, assign)


def _load_all(
    module: Module, state: Any, prefix: str, metadata: Any, missing: list[str], unexpected: list[str], errors: list[str],
    assign: bool,
) -> None:  # fmt: skip
    local = {} if metadata is None else metadata.get(prefix[:-1], {})
    if assign:
        local["assign_to_params_buffers"] = True
    args = (state, prefix, local, True, missing, unexpected, errors)
    for hook in list(module._load_state_dict_pre_hooks.values()):
        hook(module, *args)
    module._load_from_state_dict(*args)
    for name, child in module._modules.items():
        if child is not None:
            below = f"{prefix}{name}."
            _load_all(child, _of_child(state, below), below, metadata, missing, unexpected, errors, assign)
    keys = IncompatibleKeys(missing, unexpected)
    for hook in list(module._load_state_dict_post_hooks.values()):
        if hook(module, keys) is not None:
            raise AssertionError(
                "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, if "
                "incompatible_keys need to be modified, it should be done inplace."
            )
