"""What floating-point numbers are made of: mantissa and exponent, and the next number."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..return_types import frexp as _result
from ..tensor import Tensor
from .declare import diagonal, flat, general
from .dims import check_tensor
from .expose import expose
from .inplace import into
from .refusal import only_kinds, only_tensors


def _parts(a: Any) -> tuple[Any, Any]:
    mantissa, exponent = np.frexp(a if a.dtype.kind == "f" else a.astype(np.float32))
    return np.asarray(mantissa).astype(a.dtype), np.asarray(np.where(np.isfinite(mantissa), exponent, 0), np.int32)


def _one_scaled(a: Any) -> Any:
    """1 divided by the power of 2 by which frexp divides."""
    return np.ldexp(np.ones(a.shape), -_parts(a)[1]).astype(a.dtype)


flat("frexp_slope", _one_scaled, promote=None)
_frexp = general(
    "frexp", _parts, {"self": lambda F, t, self: t * F.frexp_slope(self)}, outputs=("mantissa", "exponent")
)


def frexp(input: Tensor, *, out: Any = None) -> Any:
    """Each element as a mantissa, from 0.5 up to 1 in absolute value, and the exponent of the power of 2 that goes with it.

    Raises RuntimeError for other than floating-point numbers.

    >>> import wengert
    >>> mantissa, exponent = wengert.frexp(wengert.tensor([1.0, 10.0]))
    >>> mantissa, exponent
    (tensor([0.5000, 0.6250]), tensor([1, 4], dtype=torch.int32))
    """
    if not check_tensor("frexp", input).is_floating_point():
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    found = _result(_frexp(input))
    return found if out is None else into(out, found)


_nextafter = diagonal(
    "nextafter",
    np.nextafter,
    lambda F, t, self, other: F.masked(t, self != other),
    lambda F, t: F.null(t),
    check=only_kinds("nextafter_cpu", "f"),
)
_both = only_tensors("nextafter")


def nextafter(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The next number after each element of `input`, in the direction of `other`; their shapes broadcast.

    Raises NotImplementedError for integers, bool and complex numbers.

    >>> import wengert
    >>> wengert.nextafter(wengert.tensor([1.0]), wengert.tensor([2.0])) > 1
    tensor([True])
    """
    _both(input, other)
    made: Tensor = _nextafter(input, other)
    return made if out is None else into(out, made)


__all__ = expose(__name__, functions="frexp nextafter", methods="frexp nextafter", writes="nextafter")
