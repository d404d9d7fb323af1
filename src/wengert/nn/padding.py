"""Padding as modules: of signals, images and volumes, by constants or by elements of the input."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor
from . import functional as F
from .convolution import each
from .module import Module


class _Pad(Module):
    """What all have in common: the padding, and by which mode of `functional.pad` it is filled.

    A subclass of rank n takes one number, or 2 n: for the last axis before and behind, then for the axis before it, and so on.
    """

    rank: int
    mode: str

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = each(padding, 2 * self.rank)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPad(_Pad):
    mode = "constant"

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPad):
    """Puts a constant at both ends of the last dimension.

    padding  how many, or (before, behind); negative: so many elements are left out
    value    the constant

    >>> import wengert
    >>> wengert.nn.ConstantPad1d(1, 7.0)(wengert.ones(1, 2))
    tensor([[7., 1., 1., 7.]])
    """

    rank = 1


class ConstantPad2d(_ConstantPad):
    """Puts a constant around the last two dimensions: (left, right, top, bottom)."""

    rank = 2


class ConstantPad3d(_ConstantPad):
    """Puts a constant around the last three dimensions: (left, right, top, bottom, front, back)."""

    rank = 3


class _ZeroPad(_ConstantPad):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad1d(_ZeroPad):
    """Puts zeros at both ends of the last dimension: how many, or (before, behind).

    >>> import wengert
    >>> wengert.nn.ZeroPad1d((1, 0))(wengert.ones(1, 2))
    tensor([[0., 1., 1.]])
    """

    rank = 1


class ZeroPad2d(_ZeroPad):
    """Puts zeros around the last two dimensions: (left, right, top, bottom)."""

    rank = 2


class ZeroPad3d(_ZeroPad):
    """Puts zeros around the last three dimensions: (left, right, top, bottom, front, back)."""

    rank = 3


class _ReflectionPad(_Pad):
    mode = "reflect"


class ReflectionPad1d(_ReflectionPad):
    """Mirrors the elements of the last dimension at the first and the last: how many, or (before, behind).

    >>> import wengert
    >>> wengert.nn.ReflectionPad1d(1)(wengert.tensor([[1.0, 2.0, 3.0]]))
    tensor([[2., 1., 2., 3., 2.]])
    """

    rank = 1


class ReflectionPad2d(_ReflectionPad):
    """Mirrors the elements of the last two dimensions: (left, right, top, bottom)."""

    rank = 2


class ReflectionPad3d(_ReflectionPad):
    """Mirrors the elements of the last three dimensions: (left, right, top, bottom, front, back)."""

    rank = 3


class _ReplicationPad(_Pad):
    mode = "replicate"


class ReplicationPad1d(_ReplicationPad):
    """Repeats the first and the last element of the last dimension: how many times, or (before, behind).

    >>> import wengert
    >>> wengert.nn.ReplicationPad1d(1)(wengert.tensor([[1.0, 2.0]]))
    tensor([[1., 1., 2., 2.]])
    """

    rank = 1


class ReplicationPad2d(_ReplicationPad):
    """Repeats what stands at the edges of the last two dimensions: (left, right, top, bottom)."""

    rank = 2


class ReplicationPad3d(_ReplicationPad):
    """Repeats what stands at the edges of the last three dimensions: (left, right, top, bottom, front, back)."""

    rank = 3


class _CircularPad(_Pad):
    mode = "circular"


class CircularPad1d(_CircularPad):
    """Goes on with the elements of the other end of the last dimension: how many, or (before, behind).

    >>> import wengert
    >>> wengert.nn.CircularPad1d(1)(wengert.tensor([[1.0, 2.0, 3.0]]))
    tensor([[3., 1., 2., 3., 1.]])
    """

    rank = 1


class CircularPad2d(_CircularPad):
    """Goes on with the elements of the other end of the last two dimensions: (left, right, top, bottom)."""

    rank = 2


class CircularPad3d(_CircularPad):
    """Goes on with the elements of the other end of the last three dimensions: (left, right, top, bottom, front, back)."""

    rank = 3
