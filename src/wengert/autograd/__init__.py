"""Recording, the backward pass, and what is built on them: `torch.autograd`.

The names are looked up when they are asked for: `tensor` needs this package's modules before they can be made, and few programs
need all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import forward_ad, function, functional, graph
    from .anomaly import detect_anomaly, set_detect_anomaly
    from .api import backward, grad
    from .function import Function
    from .gradcheck import gradcheck, gradgradcheck
    from .modes import enable_grad, inference_mode, no_grad, set_grad_enabled

_HOMES = {
    "Function": "function",
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
_MODULES = ("forward_ad", "function", "functional", "graph")

__all__ = [
    "Function", "backward", "detect_anomaly", "enable_grad", "forward_ad", "function", "functional", "grad", "gradcheck",
    "gradgradcheck", "graph", "inference_mode", "no_grad", "set_detect_anomaly", "set_grad_enabled",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    from importlib import import_module

    home = _HOMES.get(name)
    if home is not None:
        found = getattr(import_module(f"{__name__}.{home}"), name)
    elif name in _MODULES:
        found = import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
