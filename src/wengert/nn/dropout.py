"""Dropout."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor
from .functional import dropout
from .module import Module


class Dropout(Module):
    """In training, sets each element to zero with probability p and divides the others by 1 - p.

    >>> import wengert
    >>> wengert.nn.Dropout(0.2)
    Dropout(p=0.2, inplace=False)
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"
