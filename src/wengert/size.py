"""Size: the shape of a tensor."""

from __future__ import annotations

from math import prod
from typing import Any, SupportsIndex


class Size(tuple[int, ...]):
    """A tuple of the lengths of a tensor's dimensions.

    >>> import wengert
    >>> wengert.ones(2, 3).shape
    torch.Size([2, 3])
    """

    __slots__ = ()

    def numel(self) -> int:
        """How many elements a tensor of this shape has.

        >>> import wengert
        >>> wengert.ones(2, 3).shape.numel()
        6
        """
        return prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(repr, self))}])"

    def __add__(self, other: Any) -> Size:
        return Size(tuple.__add__(self, tuple(other)))

    def __mul__(self, count: SupportsIndex) -> Size:
        return Size(tuple.__mul__(self, count))

    __rmul__ = __mul__

    def __getitem__(self, index: Any) -> Any:
        found = tuple.__getitem__(self, index)
        return Size(found) if type(index) is slice else found
