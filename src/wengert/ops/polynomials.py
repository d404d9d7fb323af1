"""Orthogonal polynomials of `torch.special`, by their recurrences.

    p_0 = 1, p_1 = a x + b, p_(k+1) = (a_k x + b_k) p_k - c_k p_(k-1)

The recurrence differentiated m times is one for the m-th derivatives, beside those of the orders below: so one operation, with the
order of the derivative as an argument, is closed. PyTorch has no derivatives of these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..creation import tensor
from ..dtype_names import scalar_name
from ..tensor import Tensor
from .declare import NUMBERS, diagonal
from .dims import combination_error
from .inplace import into

# ------------------------------------------------------------------------------------------------ the recurrences


def _plain(k: int) -> tuple[float, float, float]:
    return 2.0, 0.0, 1.0


def _shifted(k: int) -> tuple[float, float, float]:
    return 4.0, -2.0, 1.0


#: for each family a and b, and the function that gives a_k, b_k and c_k
_FAMILIES: dict[str, tuple[float, float, Any]] = {
    "chebyshev_polynomial_t": (1, 0, _plain),
    "chebyshev_polynomial_u": (2, 0, _plain),
    "chebyshev_polynomial_v": (2, -1, _plain),
    "chebyshev_polynomial_w": (2, 1, _plain),
    "shifted_chebyshev_polynomial_t": (2, -1, _shifted),
    "shifted_chebyshev_polynomial_u": (4, -2, _shifted),
    "shifted_chebyshev_polynomial_v": (4, -3, _shifted),
    "shifted_chebyshev_polynomial_w": (4, -1, _shifted),
    "hermite_polynomial_h": (2, 0, lambda k: (2.0, 0.0, 2.0 * k)),
    "hermite_polynomial_he": (1, 0, lambda k: (1.0, 0.0, float(k))),
    "laguerre_polynomial_l": (-1, 1, lambda k: (-1 / (k + 1), (2 * k + 1) / (k + 1), k / (k + 1))),
    "legendre_polynomial_p": (1, 0, lambda k: ((2 * k + 1) / (k + 1), 0.0, k / (k + 1))),
}

#: Chebyshev's polynomials of cos(angle), in closed form: within (-1, 1) as quick for a large degree as for a small one
_ANGLES = {
    "t": lambda n, angle: np.cos(n * angle),
    "u": lambda n, angle: np.sin((n + 1) * angle) / np.sin(angle),
    "v": lambda n, angle: np.cos((n + 0.5) * angle) / np.cos(angle / 2),
    "w": lambda n, angle: np.sin((n + 0.5) * angle) / np.sin(angle / 2),
}
_HIGH = 6  # the degree above which those are taken


def _by_recurrence(x: Any, n: Any, family: str, order: int) -> Any:
    a, b, step = _FAMILIES[family]
    now = np.zeros((order + 1, *x.shape))  # the polynomial and its derivatives
    now[0] = 1
    made = np.where(n == 0, now[order], 0)
    if not n.size or n.max() < 1:
        return made
    after = np.zeros_like(now)
    after[0] = a * x + b
    if order:
        after[1] = a
    times = np.arange(1, order + 1).reshape(-1, *(1,) * x.ndim)
    for k in range(1, int(n.max()) + 1):
        made = np.where(n == k, after[order], made)
        a, b, c = step(k)
        new = (a * x + b) * after - c * now
        new[1:] += times * a * after[:-1]
        now, after = after, new
    return made


def _polynomial(a: Any, n: Any, family: str, order: int) -> Any:
    x, n = np.broadcast_arrays(a.astype(np.float64), np.trunc(n))
    shifted = family.startswith("shifted")
    if "chebyshev" not in family or order:
        return _by_recurrence(x, n, family, order).astype(a.dtype)
    angled = (n > _HIGH) & ((x > 0) & (x < 1) if shifted else np.abs(x) < 1)
    made = np.empty(x.shape)
    if angled.any():
        inside = x[angled]
        made[angled] = _ANGLES[family[-1]](n[angled], np.arccos(2 * inside - 1 if shifted else inside))
    made[~angled] = _by_recurrence(x[~angled], n[~angled], family, order)
    return made.astype(a.dtype)


_evaluate = diagonal(
    "polynomial", _polynomial, lambda F, t, self, n, family, order: t * F.polynomial(self, n, family, order + 1), None,
    inputs=("self", "n"), statics=("family", "order"), promote=None, node="SpecialPolynomialBackward0",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ functions

_OVERLOADS = (
    "(Tensor x, Tensor n, *, Tensor out = None)",
    "(Number x, Tensor n, *, Tensor out = None)",
    "(Tensor x, Number n, *, Tensor out = None)",
)


def _function(family: str, title: str, example: str) -> Any:
    """The public function of one family; `example` is its printed value of degree 2 at 3."""

    def function(x: Any, n: Any, *, out: Tensor | None = None) -> Tensor:
        tensors = [isinstance(v, Tensor) for v in (x, n)]
        if not any(tensors) or not all(isinstance(v, (Tensor, *NUMBERS)) for v in (x, n)):
            got = ", ".join("Tensor" if isinstance(v, Tensor) else type(v).__name__ for v in (x, n))
            raise combination_error(f"special_{family}", f"({got})", _OVERLOADS)
        common = dtypes.common_type([x, n])
        if common.category < dtypes.FLOAT:
            common = dtypes.get_default_dtype()
        if common not in (dtypes.float32, dtypes.float64):
            raise NotImplementedError(
                f"\"{family}_cpu\" not implemented for '{scalar_name(common)}': convert the tensor with .float() or .real"
            )
        x = x.to(common) if tensors[0] else tensor(x, dtype=common)
        n = n.detach().to(dtypes.float64) if tensors[1] else tensor(n, dtype=dtypes.float64)
        made: Tensor = _evaluate(x, n, family, 0)
        return made if out is None else into(out, made)

    function.__name__ = function.__qualname__ = family
    function.__doc__ = f"""{title} of degree n at x, elementwise.

    x, n: tensors, or one of them a number; n is rounded towards 0, and the polynomial of a negative degree is 0. There is a
    derivative in x.
    Raises NotImplementedError for complex numbers and half precision.

    >>> import wengert
    >>> wengert.special.{family}(wengert.tensor([3.0]), 2)
    tensor([{example}])
    """
    return function


chebyshev_polynomial_t = _function("chebyshev_polynomial_t", "Chebyshev's polynomial of the first kind", "17.")
chebyshev_polynomial_u = _function("chebyshev_polynomial_u", "Chebyshev's polynomial of the second kind", "35.")
chebyshev_polynomial_v = _function("chebyshev_polynomial_v", "Chebyshev's polynomial of the third kind", "29.")
chebyshev_polynomial_w = _function("chebyshev_polynomial_w", "Chebyshev's polynomial of the fourth kind", "41.")
shifted_chebyshev_polynomial_t = _function(
    "shifted_chebyshev_polynomial_t", "Chebyshev's polynomial of the first kind, at 2 x - 1,", "49."
)
shifted_chebyshev_polynomial_u = _function(
    "shifted_chebyshev_polynomial_u", "Chebyshev's polynomial of the second kind, at 2 x - 1,", "99."
)
shifted_chebyshev_polynomial_v = _function(
    "shifted_chebyshev_polynomial_v", "Chebyshev's polynomial of the third kind, at 2 x - 1,", "89."
)
shifted_chebyshev_polynomial_w = _function(
    "shifted_chebyshev_polynomial_w", "Chebyshev's polynomial of the fourth kind, at 2 x - 1,", "109."
)
hermite_polynomial_h = _function("hermite_polynomial_h", "The physicist's Hermite polynomial", "34.")
hermite_polynomial_he = _function("hermite_polynomial_he", "The probabilist's Hermite polynomial", "8.")
laguerre_polynomial_l = _function("laguerre_polynomial_l", "Laguerre's polynomial", "-0.5000")
legendre_polynomial_p = _function("legendre_polynomial_p", "Legendre's polynomial", "13.")
