"""Questions about tensors that are methods too, as functions."""

from __future__ import annotations

from ..tensor import Tensor
from .dims import check_tensor
from .expose import expose


def is_complex(input: Tensor) -> bool:
    """Whether the elements are complex numbers."""
    return check_tensor("is_complex", input).is_complex()


def is_floating_point(input: Tensor) -> bool:
    """Whether the elements are real floating-point numbers."""
    return check_tensor("is_floating_point", input).is_floating_point()


def is_conj(input: Tensor) -> bool:
    """Whether the tensor stands for the conjugates of what it holds; here conjugation is always carried out."""
    return check_tensor("is_conj", input).is_conj()


def is_inference(input: Tensor) -> bool:
    """Whether the tensor was made in inference mode."""
    return check_tensor("is_inference", input).is_inference()


def numel(input: Tensor) -> int:
    """How many elements there are.

    >>> import wengert
    >>> wengert.numel(wengert.ones(2, 3))
    6
    """
    n: int = check_tensor("numel", input).numel()
    return n


def is_nonzero(input: Tensor) -> bool:
    """Whether the only element is not zero.

    Raises RuntimeError for a tensor of none or several elements.

    >>> import wengert
    >>> wengert.is_nonzero(wengert.tensor([0.0]))
    False
    """
    n = check_tensor("is_nonzero", input).numel()
    if n == 0:
        raise RuntimeError("Boolean value of Tensor with no values is ambiguous")
    if n > 1:
        raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
    return bool(input.item())


__all__ = expose(
    __name__, functions="is_complex is_floating_point is_conj is_inference numel is_nonzero", methods="is_nonzero"
)
