"""Rounding to whole numbers, and to a number of decimals."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import Tensor
from .declare import argument_error, diagonal
from .expose import expose
from .inplace import into
from .refusal import only_kinds

_round = diagonal("round", np.rint, lambda F, t: F.null(t), check=only_kinds("round_vml_cpu", "fiu"))


def _to_decimals(a: Any, decimals: int) -> Any:
    power = a.dtype.type(10.0) ** abs(decimals)
    if decimals > 0:
        return np.divide(np.rint(a * power), power, out=...)
    return np.multiply(np.rint(a / power), power, out=...)


_round_decimals = diagonal(
    "round_decimals", _to_decimals, lambda F, t: F.null(t), statics=("decimals",), promote=None, node="RoundBackward1",
    check=only_kinds("round_cpu", "f"),
)  # fmt: skip


def round(input: Tensor, *, decimals: int = 0, out: Tensor | None = None) -> Tensor:
    """Each element rounded, halves to the even neighbour.

    decimals: how many decimals to keep; negative for tens, hundreds...
    Raises NotImplementedError for bool and complex numbers, and for integers if `decimals` is not 0.

    >>> import wengert
    >>> wengert.round(wengert.tensor([0.5, 1.5, 2.25]))
    tensor([0., 2., 2.])
    >>> wengert.round(wengert.tensor([2.26]), decimals=1)
    tensor([2.3000])
    """
    if not isinstance(input, Tensor):
        raise argument_error("round", "input", 1, input)
    if decimals:
        made = _round_decimals(input, decimals)
    else:
        made = _round(input) if input._array.dtype.kind not in "iu" else input.clone()
    return made if out is None else into(out, made)


__all__ = expose(__name__, functions="round round_", methods="round", writes="round")
