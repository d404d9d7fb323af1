"""Elements of planes, by their places: what picks one element of each window, and its transpose.

A plane is what the last axes span (one, two or three of them); `indices` says, as PyTorch's pooling does, for each output which
element of its plane it is, counted in C order. All axes before are those of both arrays.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .declare import multilinear


def plane_places(indices: Any, shape: tuple[int, ...], rank: int) -> Any:
    """The indices counted from the start of the whole array."""
    lead = indices.ndim - rank
    size = math.prod(shape[lead:])
    starts = np.arange(0, math.prod(shape[:lead]) * size, size or 1).reshape(*shape[:lead], *(1,) * rank)
    return indices + starts


def plane_take(a: Any, indices: Any, rank: int, once: bool) -> Any:
    """Of each plane the elements at the indices."""
    return (
        a.reshape(-1).take(plane_places(indices, a.shape, rank)) if indices.size else np.zeros(indices.shape, a.dtype)
    )


def plane_put(t: Any, indices: Any, shape: tuple[int, ...], rank: int, once: bool) -> Any:
    """Planes of zeros to which the elements of `t` are added at the indices; `once`: written, for no place is named twice."""
    made = np.zeros(shape, t.dtype)
    if indices.size:
        places = plane_places(indices, shape, rank)
        if once:
            made.reshape(-1)[places.reshape(-1)] = t.reshape(-1)
        else:
            np.add.at(made.reshape(-1), places.reshape(-1), t.reshape(-1))
    return made


def _pull_take(F: Any, t: Any, indices: Any, self_shape: Any, rank: int, once: bool) -> Any:
    return F.plane_put(t, indices, self_shape, rank, once)


def _pull_put(F: Any, t: Any, indices: Any, rank: int, once: bool) -> Any:
    return F.plane_take(t, indices, rank, once)


multilinear("plane_take", plane_take, {"self": _pull_take, "indices": None}, ("rank", "once"), node="GatherBackward0")


def putting(name: str, node: str) -> Any:
    """Declare an operation (x, indices, shape, rank, once) that puts the elements of x into planes."""
    return multilinear(name, plane_put, {"self": _pull_put, "indices": None}, ("shape", "rank", "once"), node=node)


putting("plane_put", "ScatterAddBackward0")
