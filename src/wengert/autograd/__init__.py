"""Recording, the backward pass, and what is built on them: `torch.autograd`.

The names are looked up when they are asked for: `tensor` needs this package's modules before they can be made, and few programs
need all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import forward_ad, function, functional, graph, variable
    from .anomaly import detect_anomaly, set_detect_anomaly
    from .api import backward, grad
    from .function import Function
    from .gradcheck import gradcheck, gradgradcheck
    from .modes import enable_grad, inference_mode, no_grad, set_grad_enabled
    from .variable import Variable

_HOMES = {
    "Function": "function",
    "Variable": "variable",
    "backward": "api",
    "detect_anomaly": "anomaly",
    "enable_grad": "modes",
    "grad": "api",
    "gradcheck": "gradcheck",
    "gradgradcheck": "gradcheck",
    "inference_mode": "modes",
    "no_grad": "modes",
    "set_detect_anomaly": "anomaly",
    "set_grad_enabled": "modes",
}
#: modules by their names in PyTorch; those that are files of another name here
_MODULES = {
    "anomaly_mode": "anomaly",
    "forward_ad": "forward_ad",
    "function": "function",
    "functional": "functional",
    "grad_mode": "modes",
    "graph": "graph",
    "variable": "variable",
}

__all__ = [
    "Function", "Variable", "backward", "detect_anomaly", "enable_grad", "forward_ad", "function", "functional", "grad", "grad_mode",
    "gradcheck", "gradgradcheck", "graph", "inference_mode", "no_grad", "set_detect_anomaly", "set_grad_enabled", "variable",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    from importlib import import_module

    home = _HOMES.get(name)
    if home is not None:
        found = getattr(import_module(f"{__name__}.{home}"), name)
    elif name in _MODULES:
        found = import_module(f"{__name__}.{_MODULES[name]}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
