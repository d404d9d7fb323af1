"""Parameter and Buffer: tensors that a Module takes note of."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor, edge_of


class Parameter(Tensor):
    """A tensor that a `Module` trains: assigned as an attribute, it is among the module's parameters.

    data           the tensor whose memory it takes over; by default an empty one
    requires_grad  whether it is trained

    >>> import wengert
    >>> wengert.nn.Parameter(wengert.ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    __slots__ = ()

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        if data is None:
            from ..creation import empty

            data = empty(0)
        if not isinstance(data, Tensor):
            raise TypeError(f"cannot make a {cls.__name__} of {type(data).__name__}: make a tensor of it with wengert.tensor")
        made = object.__new__(cls)
        made._array = data._array
        made._cell = data._cell
        made._edge = None
        made._extra = None
        if requires_grad:
            made.requires_grad_()
        return made

    def __init__(self, data: Any = None, requires_grad: bool = True) -> None:
        pass


class Buffer(Tensor):
    """A tensor that is part of a `Module`'s state but not trained.

    persistent: whether it is part of the module's `state_dict`.
    """

    __slots__ = ()

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        if data is None:
            from ..creation import empty

            data = empty(0)
        made = object.__new__(cls)
        made._array = data._array
        made._cell = data._cell
        made._edge = edge_of(data)
        made._extra = None
        made.persistent = persistent
        return made

    def __init__(self, data: Any = None, *, persistent: bool = True) -> None:
        pass
