"""Derivatives as functions of functions: `torch.func`. The names are looked up when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .forward import jvp, linearize
    from .matrices import hessian, jacfwd, jacrev
    from .reverse import grad, grad_and_value, vjp

_HOMES = {
    "grad": "reverse",
    "grad_and_value": "reverse",
    "hessian": "matrices",
    "jacfwd": "matrices",
    "jacrev": "matrices",
    "jvp": "forward",
    "linearize": "forward",
    "vjp": "reverse",
}

__all__ = ["grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "vjp"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    globals()[name] = found = getattr(import_module(f"{__name__}.{home}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
