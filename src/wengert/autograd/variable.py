"""Variable: what tensors with a gradient were called once, for the code that still says so."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor, alias


class VariableMeta(type):
    """Makes every tensor an instance of `Variable`."""

    def __instancecheck__(cls, other: object) -> bool:
        return isinstance(other, Tensor)


class Variable(metaclass=VariableMeta):
    """`Variable(data, requires_grad)` gives a tensor that shares the memory of `data` and has no history.

    >>> import wengert
    >>> wengert.autograd.Variable(wengert.ones(2), requires_grad=True)
    tensor([1., 1.], requires_grad=True)
    """

    def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: bool = False) -> Any:
        if data is None:
            from ..creation import empty

            data = empty(0)
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        made = alias(data._array, [0], None)
        return made.requires_grad_() if requires_grad else made
