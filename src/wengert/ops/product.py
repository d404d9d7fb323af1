"""Products of elements, and running products."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..tensor import Tensor, wrap_dim
from . import scan
from .declare import general, linear
from .dims import check_keepdim, check_tensor, combination_error, dim_number, dtype_argument, numpy_names
from .expose import expose
from .inplace import into

_INT64 = np.dtype(np.int64)


def _element_type(a: Any, dtype: Any) -> Any:
    return _INT64 if dtype is None and a.dtype.kind in "biu" else dtype


def _has_zero(x: Any) -> bool:
    """Whether an element is zero: the products of the others are then not to be had by division."""
    return not np.all(x._array if isinstance(x, Tensor) else x)


# ------------------------------------------------------------------------------------------------ declarations


_multiply: Any = np.multiply


def _prod(a: Any, dim: Any, keepdim: bool, dtype: Any = None) -> Any:
    d = _element_type(a, dtype)
    if not a.ndim:
        return np.array(a, d)
    if dim is None and a.size > 4096 and not a.flags.c_contiguous:
        a = a.ravel()
    return np.asarray(_multiply.reduce(a, dim, d, keepdims=keepdim))


def _pull_prod(F: Any, t: Any, self: Any, out: Any, dim: int, keepdim: bool) -> Any:
    """The product of the other elements: by a division, unless there is a zero."""
    if self.ndim == 0:
        return t
    spread = F.spread(t, self.shape, dim, keepdim)
    if not _has_zero(self):
        return spread * F.spread(out, self.shape, dim, keepdim) / self
    d = dim % self.ndim
    last = F.last_only(spread, d)
    return F.fall(last, self, d) * (F.before(F.cumprod(self, d), d) + F.first_one(self, d))


def _pull_prod_all(F: Any, t: Any, self: Any, out: Any) -> Any:
    if self.ndim == 0:
        return t
    if not _has_zero(self):
        return F.spread(t * out, self.shape, None, False) / self
    row = F.reshape(self, (math.prod(self.shape),))
    last = F.last_only(F.spread(t, row.shape, None, False), 0)
    pulled = F.fall(last, row, 0) * (F.before(F.cumprod(row, 0), 0) + F.first_one(row, 0))
    return F.reshape(pulled, self.shape)


def _last_only(t: Any, dim: int) -> Any:
    made = np.zeros(t.shape, t.dtype)
    at = scan._at(dim, scan._LAST)
    made[at] = t[at]
    return made


linear("last_only", _last_only, lambda F, t, dim: F.last_only(t, dim), ("dim",))

_prod_all = general(
    "prod_all",
    lambda a, dtype: _prod(a, None, False, dtype),
    {"self": _pull_prod_all},
    ("dtype",),
    node="ProdBackward0",
)
_prod_along = general("prod", _prod, {"self": _pull_prod}, ("dim", "keepdim", "dtype"), node="ProdBackward1")


def _cumprod(a: Any, dim: int, dtype: Any = None) -> Any:
    d = _element_type(a, dtype)
    return np.array(a, d) if not a.ndim else accumulate(np.multiply, a, dim, a.dtype if d is None else d)


def accumulate(ufunc: Any, a: Any, dim: int, d: Any) -> Any:
    """The running sums or products along a dimension, computed in double precision."""
    work = np.array(a, _WIDER.get(d.name, d), order="C")
    return ufunc.accumulate(work, dim, None, work).astype(d, copy=False)


_WIDER: dict[str, Any] = {
    "float16": np.dtype(np.float32), "bfloat16": np.dtype(np.float32), "float32": np.dtype(np.float64),
    "complex64": np.dtype(np.complex128),
}  # fmt: skip


def _pull_cumprod(F: Any, t: Any, self: Any, out: Any, dim: int) -> Any:
    if self.ndim == 0 or self.shape[dim] == 1:
        return t
    if not _has_zero(self):
        return F.cumsum_back(t * out, dim) / self
    return F.fall(t, self, dim) * (F.before(out, dim) + F.first_one(self, dim))


cumprod_along = general("cumprod", _cumprod, {"self": _pull_cumprod}, ("dim", "dtype"), node="CumprodBackward0")

# ------------------------------------------------------------------------------------------------ functions


def prod(
    input: Tensor,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    **numpy: Any,
) -> Tensor:
    """The product of all elements, or along a dimension.

    dtype  convert the elements to this type first; otherwise integers and bool are multiplied as int64
    Raises IndexError for a dimension that is not there.

    >>> import wengert
    >>> wengert.prod(wengert.tensor([[1.0, 2.0], [3.0, 4.0]]), 1)
    tensor([ 2., 12.])
    """
    check_tensor("prod", input)
    if numpy:
        dim, keepdim = numpy_names("prod", dim, keepdim, numpy)
    check_keepdim("prod", keepdim)
    if dim is None or isinstance(dim, (tuple, list, bool)):
        if keepdim or dim is not None:
            got = "(Tensor, keepdim=bool)" if dim is None else f"(Tensor, {type(dim).__name__})"
            raise combination_error(
                "prod", got,
                (
                    "(Tensor input, *, torch.dtype dtype = None)",
                    "(Tensor input, int dim, bool keepdim = False, *, torch.dtype dtype = None, Tensor out = None)",
                ),
            )  # fmt: skip
        result = _prod_all(input, dtype_argument(dtype, out))
    else:
        result = _prod_along(
            input, wrap_dim(dim_number("prod", dim), input._array.ndim), keepdim, dtype_argument(dtype, out)
        )
    return result if out is None else into(out, result)


__all__ = expose(__name__, functions="prod", methods="prod")
