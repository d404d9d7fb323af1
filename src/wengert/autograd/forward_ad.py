"""Forward mode with dual numbers: `torch.autograd.forward_ad`."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..ops.forward_mode import primal_of, set_tangent, tangent_of
from ..tensor import Tensor, alias, edge_of, extra_of
from .modes import get_mode, set_mode


class UnpackedDualTensor(NamedTuple):
    """The primal and the tangent (None if there is none) of a dual tensor."""

    primal: Tensor
    tangent: Tensor | None


def enter_dual_level() -> int:
    """Open a level of forward mode, and return its number."""
    mode = get_mode()
    set_mode(mode.replace(dual_level=mode.dual_level + 1))
    return mode.dual_level


def exit_dual_level(*, level: int | None = None) -> None:
    """Close the level that was opened last.

    Raises RuntimeError if none is open, or another was opened last.
    """
    mode = get_mode()
    if mode.dual_level == 0:
        raise RuntimeError("Trying to exit a forward AD level but no level is open: enter one with dual_level()")
    if level is not None and level != mode.dual_level - 1:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
        )
    set_mode(mode.replace(dual_level=mode.dual_level - 1))


class dual_level:  # noqa: N801
    """Context manager in which dual tensors can be made.

    >>> import wengert
    >>> from wengert.autograd import forward_ad
    >>> with forward_ad.dual_level():
    ...     x = forward_ad.make_dual(wengert.tensor(3.0), wengert.tensor(1.0))
    ...     forward_ad.unpack_dual(x * x).tangent
    tensor(6.)
    """

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *_: object) -> None:
        exit_dual_level()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """A view of `tensor` that carries a tangent of its shape and dtype.

    Raises RuntimeError outside a `dual_level` block, ValueError for dtypes without derivatives.
    """
    mode = get_mode()
    if mode.dual_level == 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    for name, x in (("primal", tensor), ("tangent", tangent)):
        if not (x.is_floating_point() or x.is_complex()):
            raise ValueError(f"Expected {name} to be floating point or complex, but got: {x.dtype}")
    if tensor.shape != tangent.shape:
        raise RuntimeError(
            f"Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
            f"supported. Tensor is of size {list(tensor.shape)} while the given forward gradient is of size {list(tangent.shape)}."
        )
    made = alias(tensor._array, tensor._cell, edge_of(tensor))
    extra = extra_of(made)
    if tensor._extra is not None:
        extra.view = tensor._extra.view
        if tensor._extra.tangents:
            extra.tangents = dict(tensor._extra.tangents)
    set_tangent(made, mode.dual_level if level is None else level + 1, tangent.to(tensor.dtype))
    return made


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """The primal and the tangent of a tensor at the innermost level."""
    mode = get_mode()
    if mode.dual_level == 0 and level is None:
        return UnpackedDualTensor(tensor, None)
    at = mode.dual_level if level is None else level + 1
    return UnpackedDualTensor(primal_of(tensor, at), tangent_of(tensor, at))


def is_dual(x: Any, level: int) -> bool:
    """Whether a tensor carries a tangent at this level."""
    return tangent_of(x, level) is not None
