"""Activation functions that draw their input towards 0, with the signatures of `torch.nn.functional`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor
from .declare import diagonal
from .expose import expose
from .refusal import check_call, check_kinds

_hardshrink = diagonal(
    "hardshrink", lambda a, lambd: np.where(np.abs(a) <= lambd, a.dtype.type(0), a),
    lambda F, t, self, lambd: F.masked(t, ~((self >= -lambd) & (self <= lambd))), statics=("lambd",), promote=None,
    check=check_kinds("hardshrink_cpu"),
)  # fmt: skip


def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Each element, or 0 where its absolute value is at most `lambd`.

    >>> import wengert
    >>> wengert.hardshrink(wengert.tensor([-1.0, 0.2]))
    tensor([-1.,  0.])
    """
    check_call("hardshrink", input, lambd=lambd)
    made: Tensor = _hardshrink(input, lambd)
    return made


def _softly(a: Any, lambd: Any) -> Any:
    return np.where(a > lambd, a - lambd, np.where(a < -lambd, a + lambd, a * a.dtype.type(0)))


_softshrink = diagonal(
    "softshrink", _softly, lambda F, t, self, lambd: F.masked(t, ~((self >= -lambd) & (self <= lambd))), statics=("lambd",),
    promote=None, check=check_kinds("softshrink_check"),
)  # fmt: skip


def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Each element moved towards 0 by `lambd`, and no further than 0.

    Raises RuntimeError if lambd is negative.

    >>> import wengert
    >>> wengert.nn.functional.softshrink(wengert.tensor([-1.0, 0.2]))
    tensor([-0.5000,  0.0000])
    """
    check_call("softshrink", input, lambd=lambd)
    if not lambd >= 0:
        limit = np.finfo(input._array.dtype).max if input._array.dtype.kind == "f" else math.inf
        raise RuntimeError(
            f"lambda must be in range [0, {limit:g}] for input dtype {scalar_name(input.dtype)}, but found {lambd:g}"
        )
    made: Tensor = _softshrink(input, lambd)
    return made


def tanhshrink(input: Tensor) -> Tensor:
    """`x - tanh(x)`."""
    check_call("tanhshrink", input)
    made: Tensor = input - input.tanh()
    return made


def softsign(input: Tensor) -> Tensor:
    """`x / (1 + |x|)`."""
    check_call("softsign", input)
    made: Tensor = input / (input.abs() + 1)
    return made


__all__ = expose(__name__, functions="hardshrink", methods="hardshrink")
