"""What the steps of optimizers on arrays share: gradients, constants, and the dtypes that are computed in another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..autograd.node import AccumulateGrad
from ..tensor import wrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..tensor import Tensor

    Array = np.ndarray[Any, np.dtype[Any]]

F32 = np.dtype(np.float32)
F64 = np.dtype(np.float64)


def gradient_of(p: Tensor) -> Any:
    """The array of a parameter's gradient, None if there is none."""
    edge = p._edge
    grad = edge.grad if type(edge) is AccumulateGrad else p.grad
    return None if grad is None else grad._array


def zeros_like(p: Tensor) -> Tensor:
    """A tensor of zeros for a parameter's state."""
    return wrap(np.zeros_like(p._array))


def next_step(state: dict[str, Any]) -> Any:
    """Count a step in a parameter's state, and return the count."""
    step = state["step"]
    array = step._array
    count = array.item() + 1
    array[()] = count
    step._cell[0] += 1
    return count


def constants(d: np.dtype[Any], *numbers: Any) -> Any:
    """Numbers as arrays of a dtype, which NumPy takes faster than Python's numbers; as they are for dtypes computed in another."""
    if d is F32 or d is F64:
        return tuple([np.array(x, d) for x in numbers])
    return numbers


def in_parts(step: Callable[..., None], writes: tuple[Any, ...], g: Array, *options: Any) -> None:
    """`step(*writes, g, *options)` on the arrays, the first of which is the parameter's and may have any dtype.

    Of complex numbers both parts are stepped as numbers of their own; half precision is computed in single.
    """
    a = writes[0]
    if a.dtype.kind == "c":
        for part in ("real", "imag"):
            step(*[None if w is None else getattr(w, part) for w in writes], getattr(g, part), *options)
    elif a.dtype.itemsize == 2:
        wide = [None if w is None else w.astype(F32) for w in writes]
        step(*wide, g.astype(F32), *options)
        for w, x in zip(writes, wide):
            if w is not None:
                w[...] = x
    else:
        step(*writes, g, *options)
