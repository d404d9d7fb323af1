"""The gamma function's kin: `lgamma`, `digamma`, `polygamma`, `zeta`, `igamma`; and the modified Bessel functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _bessel, _gamma
from ..tensor import Tensor
from .declare import NUMBERS, argument_error, diagonal
from .expose import expose
from .inplace import inplace, into
from .refusal import only_kinds
from .special import floating

_real = "fiub"


def no_derivative(operation: str) -> Any:
    """A rule for an input in which PyTorch has no derivative: it raises."""

    def rule(F: Any, t: Any) -> Any:
        raise NotImplementedError(f"the derivative for '{operation}' is not implemented.")

    return rule


# -------------------------------------------------------------------------------------------- gamma and its derivatives

lgamma = diagonal(
    "lgamma", _gamma.lgamma, lambda F, t, self: t * F.digamma(self), promote="float",
    check=only_kinds("lgamma_vml_cpu", _real),
    doc="""The logarithm of the absolute value of the gamma function of each element.

    >>> import wengert
    >>> wengert.lgamma(wengert.tensor([0.5, 1.0, 5.0]))
    tensor([0.5724, 0.0000, 3.1781])
    """,
)  # fmt: skip
digamma = diagonal(
    "digamma", _gamma.digamma, lambda F, t, self: t * F.polygamma(self, 1), promote="float",
    check=only_kinds("digamma", _real),
    doc="""The derivative of `lgamma` at each element.

    >>> import wengert
    >>> wengert.digamma(wengert.tensor([1.0, 0.5]))
    tensor([-0.5772, -1.9635])
    """,
)  # fmt: skip
_polygamma = diagonal(
    "polygamma", _gamma.polygamma, lambda F, t, self, n: t * F.polygamma(self, n + 1), statics=("n",), promote=None
)


def polygamma(n: int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The n-th derivative of `digamma` at each element.

    Raises RuntimeError for a negative n.

    >>> import wengert
    >>> wengert.polygamma(1, wengert.tensor([1.0, 0.5]))
    tensor([1.6449, 4.9348])
    """
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)):
        raise TypeError(f"polygamma(): argument 'n' (position 1) must be int, not {type(n).__name__}")
    if not isinstance(input, Tensor):
        raise argument_error("polygamma", "input", 2, input)
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    made = _polygamma(floating("trigamma" if n == 1 else "polygamma", input), int(n))
    return made if out is None else into(out, made)


def _polygamma_method(self: Tensor, n: int) -> Tensor:
    return polygamma(n, self)


Tensor.polygamma = _polygamma_method  # type: ignore[attr-defined]
Tensor.polygamma_ = inplace(_polygamma_method, "polygamma_")  # type: ignore[attr-defined]


def _log_multigamma(a: Any, p: int) -> Any:
    made = np.full_like(a, p * (p - 1) / 4 * math.log(math.pi))
    for j in range(p):
        made = made + _gamma.lgamma(a - a.dtype.type(j / 2))
    return made


def _pull_multigamma(F: Any, t: Any, self: Any, p: int) -> Any:
    total = F.digamma(self)
    for j in range(1, p):
        total = total + F.digamma(self - j / 2)
    return t * total


_mvlgamma = diagonal("mvlgamma", _log_multigamma, _pull_multigamma, statics=("p",), promote=None)


def mvlgamma(input: Tensor, p: int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the multivariate gamma function of dimension p of each element.

    Raises RuntimeError for p < 1 and for bool.

    >>> import wengert
    >>> wengert.mvlgamma(wengert.tensor([2.0]), 2)
    tensor([0.4516])
    """
    if not isinstance(input, Tensor):
        raise argument_error("mvlgamma", "input", 1, input)
    if isinstance(p, bool) or not isinstance(p, (int, np.integer)):
        raise TypeError(f"mvlgamma(): argument 'p' (position 2) must be int, not {type(p).__name__}")
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    if input._array.dtype.kind == "b":
        raise RuntimeError("The input tensor may not be a boolean tensor.")
    made = _mvlgamma(floating("mvlgamma", input), int(p))
    return made if out is None else into(out, made)


# ----------------------------------------------------------------------------------------------- zeta, incomplete gamma

_zeta = diagonal(
    "zeta", _gamma.zeta, no_derivative("zeta"), lambda F, t, self, other: t * (-self * F.zeta(self + 1, other)),
    promote="float", node="SpecialZetaBackward0", check=only_kinds("zeta_cpu", _real),
)  # fmt: skip


def zeta(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Hurwitz's zeta function: the sum of (other + k)**-input over all k from 0, elementwise.

    input, other: tensors, or one of them a number. There is a derivative in `other` only.

    >>> import wengert
    >>> wengert.special.zeta(2.0, wengert.tensor([1.0]))
    tensor([1.6449])
    """
    if not isinstance(input, Tensor) and not isinstance(other, Tensor):
        raise argument_error("special_zeta", "input", 1, input)
    for position, (name, x) in enumerate((("input", input), ("other", other)), 1):
        if not isinstance(x, (Tensor, *NUMBERS)):
            raise argument_error("special_zeta", name, position, x)
    made = _zeta(input, other)
    return made if out is None else into(out, made)


def _slope(F: Any, t: Any, self: Any, other: Any) -> Any:
    return t * F.exp((self - 1) * F.log(other) - other - F.lgamma(self))


_igamma = diagonal(
    "igamma", _gamma.gammainc, no_derivative("igamma: input"), _slope, check=only_kinds("igamma_cpu", "f")
)
_igammac = diagonal(
    "igammac", _gamma.gammaincc, no_derivative("igammac: input"),
    lambda F, t, self, other: -_slope(F, t, self, other), check=only_kinds("igammac_cpu", "f"),
)  # fmt: skip


def _two_tensors(name: str, operation: Any, input: Any, other: Any, out: Any) -> Tensor:
    for position, (label, x) in enumerate((("input", input), ("other", other)), 1):
        if not isinstance(x, Tensor):
            raise argument_error(name, label, position, x)
    made = operation(input, other)
    return made if out is None else into(out, made)


def igamma(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The regularised lower incomplete gamma function of the order `input`, elementwise at `other`.

    input, other: floating-point tensors that are not negative. There is a derivative in `other` only.

    >>> import wengert
    >>> wengert.igamma(wengert.tensor([1.0]), wengert.tensor([2.0]))
    tensor([0.8647])
    """
    return _two_tensors("igamma", _igamma, input, other, out)


def igammac(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 - `igamma(input, other)`, without loss of digits where that is small.

    >>> import wengert
    >>> wengert.igammac(wengert.tensor([1.0]), wengert.tensor([2.0]))
    tensor([0.1353])
    """
    return _two_tensors("igammac", _igammac, input, other, out)


# ------------------------------------------------------------------------------------------------ Bessel functions
#
# The derivative of order n is made of its neighbours, 2 I_n' = I_(n-1) + I_(n+1), with no division by x: those of every
# order are right at 0 too.


def _pull_bessel(F: Any, t: Any, self: Any, n: int) -> Any:
    if n == 0:
        return t * F.bessel_i(self, 1)
    return t * (F.bessel_i(self, n - 1) + F.bessel_i(self, n + 1)) * 0.5


def _pull_scaled(F: Any, t: Any, self: Any, out: Any, n: int) -> Any:
    slope = F.bessel_ie(self, 1) if n == 0 else (F.bessel_ie(self, n - 1) + F.bessel_ie(self, n + 1)) * 0.5
    return t * (slope - F.sgn(self) * out)


def _scaled(a: Any, n: int) -> Any:
    return _bessel.bessel_i(a, n, True)


diagonal("bessel_i", _bessel.bessel_i, _pull_bessel, statics=("n",), promote=None, node="SpecialI1Backward0")
diagonal("bessel_ie", _scaled, _pull_scaled, statics=("n",), promote=None, node="SpecialI1EBackward0")
_BESSEL = """The modified Bessel function of the first kind of order {} of each element{}.

    >>> import wengert
    >>> wengert.special.{}(wengert.tensor([1.0]))
    tensor([{}])
    """
i0 = diagonal(
    "i0", lambda a: _bessel.bessel_i(a, 0), lambda F, t, self: _pull_bessel(F, t, self, 0), promote="float",
    check=only_kinds("i0_vml_cpu", _real), doc=_BESSEL.format(0, "", "i0", "1.2661"),
)  # fmt: skip
i1 = diagonal(
    "i1", lambda a: _bessel.bessel_i(a, 1), lambda F, t, self: _pull_bessel(F, t, self, 1), promote="float",
    node="SpecialI1Backward0", check=only_kinds("i1_cpu", _real), doc=_BESSEL.format(1, "", "i1", "0.5652"),
)  # fmt: skip
i0e = diagonal(
    "i0e", lambda a: _scaled(a, 0), lambda F, t, self, out: _pull_scaled(F, t, self, out, 0), promote="float",
    node="SpecialI0EBackward0", check=only_kinds("i0e_cpu", _real),
    doc=_BESSEL.format(0, ", times exp(-|x|)", "i0e", "0.4658"),
)  # fmt: skip
i1e = diagonal(
    "i1e", lambda a: _scaled(a, 1), lambda F, t, self, out: _pull_scaled(F, t, self, out, 1), promote="float",
    node="SpecialI1EBackward0", check=only_kinds("i1e_cpu", _real),
    doc=_BESSEL.format(1, ", times exp(-|x|)", "i1e", "0.2079"),
)  # fmt: skip

_all = "lgamma digamma mvlgamma i0 igamma igammac"
__all__ = expose(__name__, functions=_all + " polygamma i0_", methods=_all, writes=_all)
