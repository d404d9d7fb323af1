"""Parameter and Buffer: tensors that a Module takes note of."""

from __future__ import annotations

from typing import Any

from .. import dtypes
from ..tensor import Tensor


class Parameter(Tensor):
    """A tensor that a `Module` trains: assigned as an attribute, it is among the module's parameters.

    data           the tensor whose memory it takes over; by default an empty one
    requires_grad  whether it is trained

    Raises RuntimeError where gradients are required of a dtype that has none.

    >>> import wengert
    >>> wengert.nn.Parameter(wengert.ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    __slots__ = ()

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        data = _tensor(cls.__name__, data)
        if requires_grad and data.dtype.category < dtypes.FLOAT:
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients: this one is of "
                f"{data.dtype}. Convert it with .float(), or set requires_grad=False"
            )
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


class _IsBuffer(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor) and getattr(instance, "_is_buffer", False)


class Buffer(Tensor, metaclass=_IsBuffer):
    """A tensor that is part of a `Module`'s state but not trained: assigned as an attribute, it is among the module's buffers.

    persistent: whether it is part of the module's `state_dict`.

    What is made is a Tensor, for which `isinstance(x, Buffer)` holds.

    >>> import wengert
    >>> layer = wengert.nn.Identity()
    >>> layer.mean = wengert.nn.Buffer(wengert.zeros(2))
    >>> list(layer.state_dict())
    ['mean']
    """

    __slots__ = ()

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        data = _tensor(cls.__name__, data)
        made = data.detach().requires_grad_(data.requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made


def _tensor(name: str, data: Any) -> Any:
    """What a Parameter or a Buffer is made of: `data`, or an empty tensor."""
    if data is None:
        from ..creation import empty

        return empty(0)
    if not isinstance(data, Tensor):
        raise AttributeError(
            f"'{type(data).__name__}' object has no attribute 'detach': a {name} is made of a tensor, which wengert.tensor makes "
            "of numbers, lists and NumPy arrays"
        )
    return data
