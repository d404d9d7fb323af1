"""What the functions of linear algebra ask of their matrices, in PyTorch's words; and the layout of their results.

`name` is what a message begins with: "linalg.qr" for most, "torch.linalg.lu_solve" for some; the oracle is PyTorch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...dtype_names import scalar_name
from ...tensor import Tensor
from ..dims import check_tensor
from ..operation import check_broadcast


class LinAlgError(RuntimeError):
    """A decomposition that does not exist, or was not found: the matrix is singular, not positive-definite, not finite."""

    __module__ = "torch._C"


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"

# ------------------------------------------------------------------------------------------------ arguments


def matrices(name: str, x: Tensor, called: str = "A") -> Tensor:
    """`x`, if it has the two dimensions of a matrix, or more.

    Raises RuntimeError otherwise.
    """
    if x._array.ndim < 2:
        raise RuntimeError(
            f"{name}: The input tensor {called} must have at least 2 dimensions.\nIts shape is {tuple(x._array.shape)}."
        )
    return x


def square(name: str, x: Tensor, called: str = "A") -> Tensor:
    """`x`, if it is a square matrix or a batch of them.

    Raises RuntimeError otherwise.
    """
    m, n = matrices(name, x, called)._array.shape[-2:]
    if m != n:
        before = f"{name}: " if name else ""
        raise RuntimeError(f"{before}{called} must be batches of square matrices, but they are {m} by {n} matrices")
    return x


def floating(name: str, x: Tensor, halves: bool = True) -> Tensor:
    """`x`, if its elements are floating-point or complex numbers; without `halves`, of at least 32 bits.

    Raises RuntimeError otherwise.
    """
    if x.dtype.category < dtypes.FLOAT:
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {scalar_name(x.dtype)}; "
            "convert it, e.g. with .to(torch.float64)"
        )
    if not halves and _is_half(x):
        raise RuntimeError(
            f"{name}: Low precision dtypes not supported. Got {scalar_name(x.dtype)}; convert it with .to(torch.float32)"
        )
    return x


def implemented(computation: str, x: Tensor) -> Tensor:
    """`x`, if it is of one of the four dtypes that LAPACK knows; PyTorch names its `computation` otherwise.

    Raises NotImplementedError.
    """
    if x.dtype.category < dtypes.FLOAT or _is_half(x):
        raise NotImplementedError(
            f"\"{computation}\" not implemented for '{scalar_name(x.dtype)}': convert it, e.g. with .to(torch.float32)"
        )
    return x


def _is_half(x: Tensor) -> bool:
    return x._array.dtype.itemsize == (4 if x._array.dtype.kind == "c" else 2)


def same_dtype(message: str, a: Tensor, b: Tensor) -> None:
    """Raise RuntimeError unless two tensors have one dtype; `message` is a format of PyTorch's names of the two."""
    if a.dtype is not b.dtype:
        raise RuntimeError(
            message.format(scalar_name(a.dtype), scalar_name(b.dtype)) + f"; convert one with .to({a.dtype})"
        )


def matrix_argument(function: str, x: Any, called: str = "A", position: int = 1) -> Tensor:
    """`x`, if it is a tensor; TypeError otherwise. `function` has no dots: "linalg_qr"."""
    return check_tensor(function, x, called, position)


def common_batch(a: Tensor, b: Tensor) -> tuple[int, ...]:
    """The batch dimensions that two tensors of matrices broadcast to.

    Raises RuntimeError if they do not.
    """
    shapes = a._array.shape[:-2], b._array.shape[:-2]
    check_broadcast(shapes)
    return np.broadcast_shapes(*shapes)


# ------------------------------------------------------------------------------------------------ failures


def first_failure(info: Any) -> tuple[str, int] | None:
    """Where in a batch the first computation failed, as PyTorch names it, and with which number; None if none did.

    info  an array of integers, of which 0 means success
    """
    if not np.any(info):
        return None
    flat = np.ravel(info)
    i = int(np.flatnonzero(flat)[0])
    return ("" if not np.ndim(info) else f"(Batch element {i}): "), int(flat[i])


def raise_for(name: str, info: Any, message: str, kind: type[RuntimeError] = LinAlgError) -> None:
    """Raise for the first failure that `info` shows, if any; in `message`, {0} is replaced by its number."""
    failure = first_failure(info)
    if failure is not None:
        place, number = failure
        raise kind(f"{name}: {place}{message.format(number)}")


SINGULAR = (
    "The diagonal element {0} is zero, the inversion could not be completed because the input matrix is singular."
)


def all_finite(a: Any) -> bool:
    """Whether all elements are finite, nearly always told by one sum."""
    total = np.add.reduce(a, None)
    return bool(total - total == 0) or bool(np.isfinite(a).all())


# ------------------------------------------------------------------------------------------------ layout


def column_major(a: Any) -> Any:
    """The matrices of an array with their columns one after the other in memory, as PyTorch gives LAPACK's results."""
    return np.array(a.swapaxes(-1, -2), order="C").swapaxes(
        -1, -2
    )  # a new array: its strides are regular at length 1 too
