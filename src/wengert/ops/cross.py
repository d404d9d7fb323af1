"""The cross product of vectors in three dimensions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..tensor import Tensor, wrap_dim
from .declare import multilinear
from .dims import check_tensor, into_same
from .expose import expose

_OVER = ((1, 2, 0), (2, 0, 1))


def _turned(a: Any, dim: int, order: tuple[int, ...]) -> Any:
    return a.take(order, dim)


def _cross(a: Any, b: Any, dim: int) -> Any:
    first, second = _OVER
    made = _turned(a, dim, first) * _turned(b, dim, second)
    made -= _turned(a, dim, second) * _turned(b, dim, first)
    return made


_product = multilinear(
    "linalg_cross", _cross,
    {
        "self": lambda F, t, other, self_shape, dim: F.sum_to(F.linalg_cross(other, t, dim), self_shape),
        "other": lambda F, t, self, other_shape, dim: F.sum_to(F.linalg_cross(t, self, dim), other_shape),
    },
    ("dim",), promote="common", node="LinalgCrossBackward0",
)  # fmt: skip


def linalg_cross(input: Tensor, other: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    """The cross product of vectors of three elements along a dimension; the other dimensions broadcast.

    Raises RuntimeError for vectors of other lengths, and for different numbers of dimensions.

    >>> import wengert
    >>> wengert.linalg.cross(wengert.tensor([1.0, 0.0, 0.0]), wengert.tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    check_tensor("linalg_cross", input)
    check_tensor("linalg_cross", other, "other", 2)
    if input.ndim != other.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    d = wrap_dim(dim, input.ndim)
    if input.shape[d] != 3 or other.shape[d] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {input.shape[d]} and {other.shape[d]}"
        )
    np.broadcast_shapes(input.shape, other.shape)
    return into_same(out, _product(input, other, d))


def cross(input: Tensor, other: Tensor, dim: int | None = None, *, out: Tensor | None = None) -> Tensor:
    """`linalg.cross`; without `dim`, which is deprecated, along the first dimension of length 3.

    >>> import wengert
    >>> wengert.cross(wengert.tensor([1.0, 0.0, 0.0]), wengert.tensor([0.0, 1.0, 0.0]), dim=0)
    tensor([0., 0., 1.])
    """
    check_tensor("cross", input)
    if dim is None:
        warnings.warn(
            "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or simply use "
            "torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross in a future release.",
            stacklevel=2,
        )
        dim = next((i for i, n in enumerate(input.shape) if n == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return linalg_cross(input, other, dim=dim, out=out)


__all__ = expose(__name__, functions="cross", methods="cross")
