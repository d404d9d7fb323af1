"""All parameters as one vector, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ops.joining import cat
from ...tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Iterable


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """The elements of all parameters, one after the other.

    >>> import wengert
    >>> wengert.nn.utils.parameters_to_vector([wengert.ones(1, 2), wengert.zeros(1)])
    tensor([1., 1., 0.])
    """
    made: Tensor = cat([p.reshape(-1) for p in parameters])
    return made


def vector_to_parameters(vec: Any, parameters: Iterable[Tensor]) -> None:
    """Let the parameters look at the parts of a vector, which is as long as all of them.

    Raises TypeError if `vec` is no tensor.

    >>> import wengert
    >>> w = wengert.zeros(2)
    >>> wengert.nn.utils.vector_to_parameters(wengert.tensor([1.0, 2.0]), [w])
    >>> w
    tensor([1., 2.])
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    start = 0
    for p in parameters:
        n = p.numel()
        p.data = vec[start : start + n].view_as(p).data
        start += n
