"""Reductions to truth values and counts: all, any, count_nonzero."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor
from .declare import flat
from .dims import check_keepdim, check_tensor, numpy_names, several_dims
from .expose import expose
from .inplace import into


def _truth(name: str, ufunc: Any) -> Any:
    def forward(a: Any, dim: Any, keepdim: bool) -> Any:
        made = np.asarray(ufunc.reduce(a, () if not a.ndim else dim, None, None, keepdim))
        made = made if made.dtype.kind == "b" else made != 0
        return made.view(np.uint8) if a.dtype == np.uint8 else made

    operation = flat(name, forward, promote=None, statics=("dim", "keepdim"))

    def truth(
        input: Tensor, dim: Any = None, keepdim: bool = False, *, out: Tensor | None = None, **numpy: Any
    ) -> Tensor:
        check_tensor(name, input)
        if numpy:
            dim, keepdim = numpy_names(name, dim, keepdim, numpy)
        check_keepdim(name, keepdim)
        if out is not None and out._array.dtype.name not in ("bool", "uint8"):
            raise RuntimeError(f"{name} only supports bool tensor for result, got: {scalar_name(out.dtype)}")
        result = operation(input, several_dims(name, dim, input._array.ndim), keepdim)
        return result if out is None else into(out, result)

    truth.__name__ = truth.__qualname__ = name
    which = "all elements are" if name == "all" else "any element is"
    truth.__doc__ = f"""Whether {which} not zero: of all of them, or over one or several dimensions.

    The result is bool, or uint8 of a uint8 tensor.
    Raises IndexError for a dimension that is not there, RuntimeError for one that is named twice.

    >>> import wengert
    >>> wengert.{name}(wengert.tensor([[True, False], [{"True, True" if name == "all" else "False, False"}]]), 1)
    tensor([{"False,  True" if name == "all" else " True, False"}])
    """
    return truth


all = _truth("all", np.logical_and)
any = _truth("any", np.logical_or)

_count = flat(
    "count_nonzero",
    lambda a, dim: np.asarray(np.count_nonzero(a, dim if a.ndim else None), np.int64),
    promote=None,
    statics=("dim",),
)


def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """How many elements are not zero: of all of them, or over one or several dimensions.

    >>> import wengert
    >>> wengert.count_nonzero(wengert.tensor([[1, 0], [2, 3]]), 0)
    tensor([2, 1])
    """
    check_tensor("count_nonzero", input)
    return _count(input, several_dims("count_nonzero", dim, input._array.ndim) or None)


__all__ = expose(__name__, functions="all any count_nonzero", methods="all any count_nonzero")
