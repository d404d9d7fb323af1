"""Special functions: the error function and its kin."""

from __future__ import annotations

import math
from typing import Any

from .. import _erf
from .declare import diagonal
from .expose import expose

_SLOPE = 2 / math.sqrt(math.pi)

erf = diagonal(
    "erf", _erf.erf, lambda F, t, self: t * F.exp(-(self * self)) * _SLOPE, promote="float",
    doc="""The error function of each element.

    >>> import wengert
    >>> wengert.erf(wengert.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.8427,  0.0000,  0.9953])
    """,
)  # fmt: skip
erfc = diagonal(
    "erfc", _erf.erfc, lambda F, t, self: t * F.exp(-(self * self)) * -_SLOPE, promote="float",
    doc="""1 - erf of each element, exact where that is small.

    >>> import wengert
    >>> wengert.erfc(wengert.tensor([0.0, 5.0]))
    tensor([1.0000e+00, 1.5375e-12])
    """,
)  # fmt: skip
erfinv = diagonal(
    "erfinv", _erf.erfinv, lambda F, t, out: t * F.exp(out * out) * (1 / _SLOPE), promote="float",
    doc="""The inverse of the error function at each element; nan outside of [-1, 1].

    >>> import wengert
    >>> wengert.erfinv(wengert.tensor([0.0, 0.5]))
    tensor([0.0000, 0.4769])
    """,
)  # fmt: skip

_all = "erf erfc erfinv"
__all__ = expose(__name__, functions=_all + " erf_ erfc_", methods=_all, writes=_all)
