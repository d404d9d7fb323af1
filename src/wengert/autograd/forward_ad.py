"""Forward mode with dual numbers: `torch.autograd.forward_ad`.

Levels may be nested, which PyTorch refuses: the tangents of an outer level go on through the inner one.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ..ops.forward_mode import close_level, open_level, open_levels, primal_of, set_tangent, tangent_of
from ..tensor import Tensor
from .adjust import cast_tensor
from .modes import get_mode, set_mode

__all__ = ["UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual"]


class UnpackedDualTensor(namedtuple("UnpackedDualTensor", ["primal", "tangent"])):
    """The primal of a dual tensor, and its tangent, which is None if it has none."""

    __slots__ = ()


def enter_dual_level() -> int:
    """Open a level of forward mode, and return how many were open before."""
    depth = len(open_levels())
    open_level()
    return depth


def exit_dual_level(*, level: int | None = None) -> None:
    """Close the level that was opened last: its tangents are gone.

    level: what `enter_dual_level` returned.
    Raises RuntimeError if no level is open, or if another was opened last.
    """
    depth = len(open_levels()) - 1
    if level is not None and level != depth:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
        )
    if depth < 0:
        raise RuntimeError("Dual level must be a positive number.: no level is open; enter_dual_level() opens one")
    close_level()


class dual_level:
    """Context manager and decorator: a level of forward mode, in which dual tensors can be made.

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

    def __call__(self, func: Any) -> Any:
        from .modes import _decorate

        made: Any = dual_level
        return _decorate(made, func)


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """A view of `tensor` that carries a tangent, of its shape, at the innermost level.

    Raises RuntimeError where no level is open, where the shapes differ, or where the tensor has a tangent already, and
    ValueError for dtypes that have no derivatives.

    >>> import wengert
    >>> from wengert.autograd import forward_ad
    >>> with forward_ad.dual_level():
    ...     x = forward_ad.make_dual(wengert.tensor([1.0, 2.0]), wengert.tensor([1.0, 0.0]))
    ...     forward_ad.unpack_dual(x.exp().sum())
    UnpackedDualTensor(primal=tensor(10.1073), tangent=tensor(2.7183))
    """
    for name, x in (("primal", tensor), ("tangent", tangent)):
        if not isinstance(x, Tensor):
            raise TypeError(f"make_dual(): the {name} must be Tensor, not {type(x).__name__}")
    levels = open_levels()
    if not levels or (level is not None and not 0 <= level < len(levels)):
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    for name, x in (("primal", tensor), ("tangent", tangent)):
        if not (x.is_floating_point() or x.is_complex()):
            raise ValueError(f"Expected {name} to be floating point or complex, but got: {x.dtype}")
    depth = len(levels) - 1 if level is None else level
    if tangent_of(tensor, levels[depth]) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level "
            f"{depth} is not supported."
        )
    if tensor.shape != tangent.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
            f"supported. Tensor is of size {list(tensor.shape)} while the given forward gradient is of size "
            f"{list(tangent.shape)}."
        )
    made: Tensor = tensor.view_as(tensor)
    set_tangent(made, levels[depth], cast_tensor(tangent, tensor._array.dtype))
    return made


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """The primal and the tangent of a tensor, at the innermost level or at the one given.

    >>> import wengert
    >>> wengert.autograd.forward_ad.unpack_dual(wengert.tensor(1.0))
    UnpackedDualTensor(primal=tensor(1.), tangent=None)
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"unpack_dual(): argument 'dual' (position 1) must be Tensor, not {type(tensor).__name__}")
    levels = open_levels()
    if not levels or (level is not None and not 0 <= level < len(levels)):
        return UnpackedDualTensor(tensor, None)
    at = levels[-1 if level is None else level]
    return UnpackedDualTensor(primal_of(tensor, at), tangent_of(tensor, at))


class _set_fwd_grad_enabled:
    """Context manager that switches forward mode off, or on again."""

    def __init__(self, mode: bool) -> None:
        self._level = get_mode().dual_level
        self._before = self._level
        if not mode:
            set_mode(get_mode().replace(dual_level=0))

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        set_mode(get_mode().replace(dual_level=self._before))
