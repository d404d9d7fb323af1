"""Special functions that the error function and the logarithm are behind: `erf` and its kin, normal distribution, entropy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _erf
from ..tensor import Tensor
from .declare import NUMBERS, argument_error, diagonal
from .expose import expose
from .inplace import inplace as inplace_form
from .inplace import into
from .refusal import only_kinds

_SLOPE = 2 / math.sqrt(math.pi)
_ROOT_HALF = math.sqrt(0.5)
_ROOT_TWO_PI = math.sqrt(2 * math.pi)
_real = "fiub"

# ------------------------------------------------------------------------------------------------ the error function

erf = diagonal(
    "erf", _erf.erf, lambda F, t, self: t * F.exp(-(self * self)) * _SLOPE, promote="float",
    check=only_kinds("erf_vml_cpu", _real),
    doc="""The error function of each element.

    >>> import wengert
    >>> wengert.erf(wengert.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.8427,  0.0000,  0.9953])
    """,
)  # fmt: skip
erfc = diagonal(
    "erfc", _erf.erfc, lambda F, t, self: t * F.exp(-(self * self)) * -_SLOPE, promote="float",
    check=only_kinds("erfc_vml_cpu", _real),
    doc="""1 - erf of each element, without loss of digits where that is small.

    >>> import wengert
    >>> wengert.erfc(wengert.tensor([0.0, 5.0]))
    tensor([1.0000e+00, 1.5375e-12])
    """,
)  # fmt: skip
erfcx = diagonal(
    "erfcx", _erf.erfcx, lambda F, t, self, out: t * (2 * self * out - _SLOPE), promote="float",
    node="SpecialErfcxBackward0", check=only_kinds("erfcx_cpu", _real),
    doc="""exp(x**2) erfc(x) of each element x, in range where erfc is not.

    >>> import wengert
    >>> wengert.special.erfcx(wengert.tensor([0.0, 100.0]))
    tensor([1.0000, 0.0056])
    """,
)  # fmt: skip
erfinv = diagonal(
    "erfinv", _erf.erfinv, lambda F, t, out: t * F.exp(out * out) * (1 / _SLOPE), promote="float",
    check=only_kinds("erfinv_vml_cpu", _real),
    doc="""The inverse of the error function at each element; nan outside of [-1, 1].

    >>> import wengert
    >>> wengert.erfinv(wengert.tensor([0.0, 0.5]))
    tensor([0.0000, 0.4769])
    """,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------- the normal distribution


def ndtr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The probability that a standard normal variable is smaller than each element.

    >>> import wengert
    >>> wengert.special.ndtr(wengert.tensor([-1.0, 0.0]))
    tensor([0.1587, 0.5000])
    """
    if not isinstance(input, Tensor):
        raise argument_error("special_ndtr", "input", 1, input)
    made = erfc(input * -_ROOT_HALF) * 0.5
    return made if out is None else into(out, made)


ndtri = diagonal(
    "ndtri", _erf.ndtri, lambda F, t, out: t * F.exp(out * out * 0.5) * _ROOT_TWO_PI, promote="float",
    node="SpecialNdtriBackward0", check=only_kinds("ndtri_cpu", _real),
    doc="""The number below which a standard normal variable is with the probability in each element; the inverse of `ndtr`.

    >>> import wengert
    >>> wengert.special.ndtri(wengert.tensor([0.5, 0.975]))
    tensor([0.0000, 1.9600])
    """,
)  # fmt: skip
log_ndtr = diagonal(
    # the density divided by the probability: in range on both sides
    "log_ndtr", _erf.log_ndtr, lambda F, t, self: t * (2 / _ROOT_TWO_PI) / F.erfcx(self * -_ROOT_HALF), promote="float",
    node="SpecialLogNdtrBackward0", check=only_kinds("log_ndtr_cpu", _real),
    doc="""The logarithm of `ndtr` of each element, in range where `ndtr` is not.

    >>> import wengert
    >>> wengert.special.log_ndtr(wengert.tensor([-100.0, 0.0]))
    tensor([-5.0055e+03, -6.9315e-01])
    """,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ entropy, logit


def _entropy(a: Any) -> Any:
    made = np.where(a > 0, -a * np.log(np.where(a > 0, a, 1)), np.where(a == 0, 0.0, -np.inf))
    return np.where(np.isnan(a), a, made).astype(a.dtype)


entr = diagonal(
    "entr", _entropy, lambda F, t, self: t * (-F.log(self) - 1), promote="float", node="SpecialEntrBackward0",
    check=only_kinds("entr_cpu", _real),
    doc="""-x log(x) of each element x: 0 at 0, and -inf for negative numbers.

    >>> import wengert
    >>> wengert.special.entr(wengert.tensor([0.0, 0.5, 1.0]))
    tensor([ 0.0000,  0.3466, -0.0000])
    """,
)  # fmt: skip


def _logit_forward(a: Any, eps: Any) -> Any:
    if eps is not None:
        a = np.minimum(np.maximum(a, a.dtype.type(eps)), a.dtype.type(1 - eps))
    return np.log(a / (1 - a), out=...)


def _pull_logit(F: Any, t: Any, self: Any, eps: Any) -> Any:
    slope = t / (self * (1 - self))
    if eps is None:
        return F.where((self < 0) | (self > 1), F.null(t) + math.nan, slope)
    return F.masked(slope, ~((self < eps) | (self > 1 - eps)))


_logit = diagonal("logit", _logit_forward, _pull_logit, statics=("eps",), promote=None)


def logit(input: Tensor, eps: float | None = None, *, out: Tensor | None = None) -> Tensor:
    """log(x / (1 - x)) of each element x, the inverse of the sigmoid; nan outside of [0, 1].

    eps: bring the elements into [eps, 1 - eps] first.

    >>> import wengert
    >>> wengert.logit(wengert.tensor([0.5, 0.75]))
    tensor([0.0000, 1.0986])
    """
    if not isinstance(input, Tensor):
        raise argument_error("logit", "input", 1, input)
    if eps is not None and not isinstance(eps, NUMBERS):
        raise TypeError(f"logit(): argument 'eps' (position 2) must be float, not {type(eps).__name__}")
    made = _logit(floating("logit_cpu", input), eps)
    return made if out is None else into(out, made)


def floating(computation: str, input: Tensor) -> Tensor:
    """The tensor itself, or of integers and bool the default floating-point type; complex numbers are refused."""
    from .. import dtypes

    _checks.setdefault(computation, only_kinds(computation, _real))(input)
    return input if input.dtype.category == dtypes.FLOAT else input.to(dtypes.get_default_dtype())


_checks: dict[str, Any] = {}

logit_ = inplace_form(logit, "logit_")

_all = "erf erfc erfinv logit"
__all__ = expose(__name__, functions=_all + " erf_ erfc_ logit_", methods=_all, writes=_all)
