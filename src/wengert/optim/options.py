"""The options of optimizers: their checks, in PyTorch's words, and their values."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor


def number(value: Any) -> Any:
    """An option that may be a tensor of one element, as a number."""
    return value.item() if isinstance(value, Tensor) else value


def check_rate(lr: Any) -> None:
    """Raise ValueError for a learning rate that is negative, or a tensor of several elements."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError(f"Tensor lr must be 1-element, but it has {lr.numel()} elements")
    check_at_least_zero("learning rate", lr)


def check_at_least_zero(what: str, value: Any) -> None:
    """Raise ValueError for a negative option."""
    if not value >= 0.0:
        raise ValueError(f"Invalid {what}: {value}")


def check_kinds(foreach: Any, fused: Any, differentiable: bool) -> None:
    """Raise RuntimeError for ways to compute that exclude each other; here they all compute the same."""
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
