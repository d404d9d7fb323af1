"""Copies of tensors: for pickling, `copy.copy` and `copy.deepcopy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .autograd.node import AccumulateGrad
from .storage import address, owner_of
from .tensor import Tensor, edge_of


def rebuild(
    kind: type[Tensor],
    array: Any,
    requires_grad: bool,
    attributes: dict[str, Any],
    shape: tuple[int, ...] | None = None,
) -> Tensor:
    """A tensor of the class `kind` around an array, expanded to a shape if one is given."""
    made: Tensor = object.__new__(kind)
    if shape is not None:
        steps = [s if n == m else 0 for s, n, m in zip(array.strides, array.shape, shape, strict=True)]
        array = np.ndarray(shape, array.dtype, array, strides=steps)
    made._array = array
    made._cell = [0]
    made._edge = None
    made._extra = None
    if requires_grad:
        made.requires_grad_()
    made.__dict__.update(attributes)
    return made


def _dense(array: Any) -> Any:
    """A copy that owns its memory, in the order of the original's."""
    return np.array(array, order="K")


def reduce_tensor(x: Tensor) -> Any:
    """How `x` is pickled: its elements, whether it requires grad, and the user's attributes; neither gradient nor history.

    A view takes along its own elements only, each once, in the order in which they lie in memory.
    """
    array = x._array
    expanded = [s == 0 and n > 1 and array.size > 0 for s, n in zip(array.strides, array.shape, strict=True)]
    shape = array.shape if any(expanded) else None
    if shape is not None:
        array = array[tuple([slice(0, 1) if e else slice(None) for e in expanded])]
    return rebuild, (type(x), _dense(array), edge_of(x) is not None, dict(x.__dict__), shape)


def copy_tensor(x: Tensor) -> Tensor:
    """A leaf that shares the memory of `x` and requires grad if `x` does, without its gradient and history."""
    return rebuild(type(x), x._array, edge_of(x) is not None, x.__dict__)


def deepcopy_tensor(x: Tensor, memo: dict[int, Any]) -> Tensor:
    """A copy of a leaf with memory of its own, with its gradient and attributes copied too.

    Raises RuntimeError for a tensor that was computed. Tensors that share memory within one deep copy share it afterwards.
    """
    if id(x) in memo:
        found: Tensor = memo[id(x)]
        return found
    edge = edge_of(x)
    if edge is not None and type(edge) is not AccumulateGrad:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you were "
            "attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see "
            f"https://github.com/pytorch/pytorch/pull/103001. This one was made by {edge!r}: detach() or clone() it first"
        )
    import copy

    made = rebuild(type(x), _copy_memory(x._array, memo), edge is not None, {})
    memo[id(x)] = made
    grad = edge.grad if edge is not None else x._extra.grad if x._extra is not None else None
    if grad is not None:
        made.grad = deepcopy_tensor(grad, memo)
    made.__dict__.update(copy.deepcopy(x.__dict__, memo))
    return made


def _copy_memory(array: Any, memo: dict[int, Any]) -> Any:
    """A copy of the array; of a view, the same view of a copy of all the memory that it looks at."""
    base = owner_of(array)
    copy = memo.get(id(base))
    if copy is None:
        copy = memo[id(base)] = _dense(base)
    if base is array:
        return copy
    if copy.strides != base.strides:  # a base with gaps, which the copy has not
        return _dense(array)
    return np.ndarray(array.shape, array.dtype, copy, address(array) - address(base), array.strides)
