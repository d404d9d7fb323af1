"""Keeping gradients from being too large."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...autograd.modes import no_grad
from ...creation import tensor
from ...ops.joining import stack
from ...ops.norms import vector_norm
from ...tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Iterable


def _several(given: Any) -> list[Tensor]:
    return [given] if isinstance(given, Tensor) else list(given)


def _grads(parameters: Any) -> list[Tensor]:
    return [p.grad for p in _several(parameters) if p.grad is not None]


def get_total_norm(
    tensors: Tensor | Iterable[Tensor], norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:  # fmt: skip
    """The norm of the norms of tensors, as if all their elements were one vector.

    norm_type           of which order, which may be inf
    error_if_nonfinite  raise RuntimeError if it is nan or infinite

    >>> import wengert
    >>> wengert.nn.utils.get_total_norm([wengert.tensor([3.0]), wengert.tensor([4.0])])
    tensor(5.)
    """
    order = float(norm_type)
    found = _several(tensors)
    if not found:
        return tensor(0.0)
    with no_grad():
        total: Tensor = vector_norm(stack([vector_norm(x, order) for x in found]), order)
    if error_if_nonfinite and not total.isfinite():
        raise RuntimeError(
            f"The total norm of order {order} for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this "
            "error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor], max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Scale the gradients of parameters, in place, by max_norm / total_norm if that is below 1.

    >>> import wengert
    >>> w = wengert.tensor([0.0], requires_grad=True)
    >>> w.grad = wengert.tensor([4.0])
    >>> wengert.nn.utils.clip_grads_with_norm_(w, 1.0, wengert.tensor(8.0))
    >>> w.grad
    tensor([0.5000])
    """
    with no_grad():
        scale = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
        for g in _grads(parameters):
            g.mul_(scale)


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor], max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:  # fmt: skip
    """Scale the gradients of parameters down, in place, so that together they have at most a norm; gives the norm that they had.

    max_norm            the largest norm allowed
    norm_type           of which order, which may be inf
    error_if_nonfinite  raise RuntimeError if the norm is nan or infinite, before anything is changed

    >>> import wengert
    >>> w = wengert.tensor([3.0, 4.0], requires_grad=True)
    >>> (w * w / 2).sum().backward()
    >>> wengert.nn.utils.clip_grad_norm_(w, 1.0)
    tensor(5.)
    >>> w.grad
    tensor([0.6000, 0.8000])
    """
    kept = _several(parameters)
    total = get_total_norm(_grads(kept), norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(kept, max_norm, total, foreach)
    return total


def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None) -> None:
    """Bring the elements of the gradients of parameters, in place, between -clip_value and clip_value.

    >>> import wengert
    >>> w = wengert.tensor([0.0, 0.0], requires_grad=True)
    >>> w.grad = wengert.tensor([0.5, -4.0])
    >>> wengert.nn.utils.clip_grad_value_(w, 1.0)
    >>> w.grad
    tensor([ 0.5000, -1.0000])
    """
    limit = float(clip_value)
    with no_grad():
        for g in _grads(parameters):
            g.clamp_(-limit, limit)
