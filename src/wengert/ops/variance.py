"""Variance and standard deviation."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from .. import dtypes
from ..tensor import Tensor
from .adding import add_squares, add_up
from .declare import F32, general
from .dims import check_keepdim, check_tensor, combination_error, count_over, numpy_names, several_dims
from .expose import expose
from .inplace import into

# ------------------------------------------------------------------------------------------------ declarations


def _moments(a: Any, dim: Any, correction: float, keepdim: bool) -> tuple[Any, Any]:
    """Variance and mean, in two passes: the deviations are small where the numbers need not be."""
    d = a.dtype
    if d.itemsize == 2:
        variance, middle = _moments(a.astype(F32), dim, correction, keepdim)
        return variance.astype(d), middle.astype(d)
    axes = tuple(range(a.ndim)) if dim is None else dim if a.ndim else ()
    n = count_over(a.shape, axes)
    middle = np.divide(add_up(a, axes, True), n or math.nan, out=..., dtype=d) if a.ndim else np.array(a)
    away = np.subtract(a, middle, out=...)
    if d.kind == "c":
        total = add_up(np.square(away.real) + np.square(away.imag), axes, keepdim)
    else:
        total = add_squares(away, axes, keepdim)
    freedom = n - correction
    if freedom > 0:
        variance = np.divide(total, freedom, out=..., dtype=total.dtype)
    else:  # divided by 0, without NumPy's warning
        variance = np.where(total > 0, math.inf, math.nan).astype(total.dtype)
    return variance, middle if keepdim else middle.reshape(variance.shape)


def _scale(shape: tuple[int, ...], dim: Any, correction: float) -> float:
    freedom = count_over(shape, dim) - correction
    return 2.0 / freedom if freedom else float("inf")


def _pull_var(F: Any, t: Any, self: Any, dim: Any, correction: float, keepdim: bool) -> Any:
    away = self - F.mean(self, dim, True)
    return F.spread(t * _scale(self.shape, dim, correction), self.shape, dim, keepdim) * away


def _pull_std(F: Any, t: Any, self: Any, out: Any, dim: Any, correction: float, keepdim: bool) -> Any:
    # equal numbers have a deviation of 0, where the square root is steep: their gradient is 0
    return _pull_var(F, F.masked(t / (out * 2), out != 0), self, dim, correction, keepdim)


def _and_mean(pull: Any) -> Any:
    def both(F: Any, t: Any, self: Any, out: Any, dim: Any, correction: float, keepdim: bool) -> Any:
        total = None
        if t[0] is not None:
            args = (self, out) if pull is _pull_std else (self,)
            total = pull(F, t[0], *args, dim, correction, keepdim)
        if t[1] is not None:
            part = F.spread(t[1] / max(count_over(self.shape, dim), 1), self.shape, dim, keepdim)
            total = part if total is None else total + part
        return total

    return both


_STATICS = ("dim", "correction", "keepdim")


def _deviation(a: Any, dim: Any, correction: float, keepdim: bool) -> tuple[Any, Any]:
    variance, middle = _moments(a, dim, correction, keepdim)
    return np.sqrt(variance, out=...), middle


_var = general(
    "var", lambda a, dim, correction, keepdim: _moments(a, dim, correction, keepdim)[0], {"self": _pull_var}, _STATICS,
    node="VarBackward0", holomorphic=False,
)  # fmt: skip
_std = general(
    "std",
    lambda a, dim, correction, keepdim: _deviation(a, dim, correction, keepdim)[0],
    {"self": _pull_std},
    _STATICS,
    node="StdBackward0",
    holomorphic=False,
)
_var_mean = general(
    "var_mean",
    _moments,
    {"self": _and_mean(_pull_var)},
    _STATICS,
    outputs=("out", "mean"),
    pulled=(0, 1),
    node="VarMeanBackward0",
    holomorphic=False,
)
_std_mean = general(
    "std_mean", _deviation, {"self": _and_mean(_pull_std)}, _STATICS, outputs=("out", "mean"), pulled=(0, 1),
    node="StdMeanBackward0", holomorphic=False,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ functions


def _arguments(
    name: str, input: Tensor, dim: Any, unbiased: Any, keepdim: Any, correction: Any, numpy: dict[str, Any]
) -> tuple[Any, Any, bool]:
    """(dim, correction, keepdim) from the arguments of either of PyTorch's signatures, checked."""
    check_tensor(name, input)
    if isinstance(dim, bool) and unbiased is None:
        dim, unbiased = None, dim
    if numpy:
        dim, keepdim = numpy_names(name, dim, keepdim, numpy)
    if unbiased is not None and correction is not None:
        raise combination_error(
            name, "(Tensor, unbiased=bool, correction=Number)",
            (
                "(Tensor input, tuple of ints dim, bool unbiased = True, bool keepdim = False)",
                "(Tensor input, tuple of ints dim = None, *, Number correction = None, bool keepdim = False)",
                "(Tensor input, bool unbiased = True)",
            ),
        )  # fmt: skip
    check_keepdim(name, keepdim)
    dims = several_dims(name, dim, input._array.ndim) or None
    if input.dtype.category < dtypes.FLOAT:
        which = "std and var only support" if name in ("var", "std") else f"{name} only support"
        raise RuntimeError(
            f"{which} floating point and complex dtypes: this tensor is {input.dtype}. Convert it with float()"
        )
    if correction is None:
        correction = 1 if unbiased is None or unbiased else 0
    if count_over(input._array.shape, dims) <= correction:
        warnings.warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
            "(input numel "
            "divided by output numel).",
            UserWarning,
            stacklevel=3,
        )
    return dims, correction, keepdim


def var(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, keepdim: bool = False, *, correction: Any = None,
    out: Tensor | None = None, **numpy: Any,
) -> Tensor:  # fmt: skip
    """The variance of all elements, or over one or several dimensions.

    unbiased    False divides by the number of elements, otherwise by one less
    correction  how much less than the number of elements to divide by (default 1)
    Raises RuntimeError for integers and bool; warns where there are not more elements than `correction`.

    >>> import wengert
    >>> wengert.var(wengert.tensor([1.0, 2.0, 3.0]))
    tensor(1.)
    """
    result = _var(input, *_arguments("var", input, dim, unbiased, keepdim, correction, numpy))
    return result if out is None else into(out, result)


def std(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, keepdim: bool = False, *, correction: Any = None,
    out: Tensor | None = None, **numpy: Any,
) -> Tensor:  # fmt: skip
    """The standard deviation of all elements, or over one or several dimensions.

    That of equal elements is 0, and so is its gradient.

    unbiased    False divides by the number of elements, otherwise by one less
    correction  how much less than the number of elements to divide by (default 1)
    Raises RuntimeError for integers and bool; warns where there are not more elements than `correction`.

    >>> import wengert
    >>> wengert.std(wengert.tensor([1.0, 2.0, 3.0]))
    tensor(1.)
    """
    result = _std(input, *_arguments("std", input, dim, unbiased, keepdim, correction, numpy))
    return result if out is None else into(out, result)


def var_mean(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, keepdim: bool = False, *, correction: Any = None,
    out: Any = None, **numpy: Any,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The variance and the mean: see `var`.

    >>> import wengert
    >>> wengert.var_mean(wengert.tensor([1.0, 2.0, 3.0]))
    (tensor(1.), tensor(2.))
    """
    result = _var_mean(input, *_arguments("var_mean", input, dim, unbiased, keepdim, correction, numpy))
    return result if out is None else into(out, result)


def std_mean(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, keepdim: bool = False, *, correction: Any = None,
    out: Any = None, **numpy: Any,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The standard deviation and the mean: see `std`.

    >>> import wengert
    >>> wengert.std_mean(wengert.tensor([1.0, 2.0, 3.0]))
    (tensor(1.), tensor(2.))
    """
    result = _std_mean(input, *_arguments("std_mean", input, dim, unbiased, keepdim, correction, numpy))
    return result if out is None else into(out, result)


__all__ = expose(__name__, functions="var std var_mean std_mean", methods="var std")
