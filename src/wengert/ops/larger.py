"""The larger and the smaller of two elements, and the step between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import Tensor
from .declare import argument_error, diagonal
from .expose import expose
from .inplace import into
from .refusal import of_tensors


def _ordered(name: str) -> Any:
    def check(*inputs: Any) -> None:
        for i, x in enumerate(inputs):
            if not isinstance(x, Tensor):
                raise argument_error(name, "self" if i == 0 else "other", i + 1, x)
            if x._array.dtype.kind == "c":
                raise RuntimeError(f"{name} not implemented for complex tensors.")

    return check


def _pull_larger(F: Any, t: Any, self: Any, other: Any) -> Any:
    # equal elements share the gradient
    return F.masked(F.where(self == other, t * 0.5, t), ~(self < other))


def _pull_smaller(F: Any, t: Any, self: Any, other: Any) -> Any:
    return F.masked(F.where(self == other, t * 0.5, t), ~(self > other))


_EXTREME = """The {0} of each pair of elements{1}.

    input, other: tensors; their shapes broadcast, their dtypes promote. {2}
    Raises RuntimeError for complex numbers.

    >>> import wengert
    >>> wengert.{3}(wengert.tensor([1.0, 4.0]), wengert.tensor([2.0, 3.0]))
    tensor([{4}])
    """
_SHARED = "Equal elements share the gradient."
_FIRST = "Of equal elements the first has the gradient."

maximum = of_tensors(
    diagonal(
        "maximum", np.maximum, _pull_larger, lambda F, t, self, other: _pull_larger(F, t, other, self), check=_ordered("maximum"),
        doc=_EXTREME.format("larger", ", nan if either is", _SHARED, "maximum", "2., 4."),
    )
)  # fmt: skip
minimum = of_tensors(
    diagonal(
        "minimum", np.minimum, _pull_smaller, lambda F, t, self, other: _pull_smaller(F, t, other, self), check=_ordered("minimum"),
        doc=_EXTREME.format("smaller", ", nan if either is", _SHARED, "minimum", "1., 3."),
    )
)  # fmt: skip
fmax = of_tensors(
    diagonal(
        "fmax", np.fmax, lambda F, t, self, other: F.masked(t, (self >= other) | F.isnan(other)),
        lambda F, t, self, other: F.masked(t, ~((self >= other) | F.isnan(other))), check=_ordered("fmax"),
        doc=_EXTREME.format("larger", ", the number if the other is nan", _FIRST, "fmax", "2., 4."),
    )
)  # fmt: skip
fmin = of_tensors(
    diagonal(
        "fmin", np.fmin, lambda F, t, self, other: F.masked(t, (self <= other) | F.isnan(other)),
        lambda F, t, self, other: F.masked(t, ~((self <= other) | F.isnan(other))), check=_ordered("fmin"),
        doc=_EXTREME.format("smaller", ", the number if the other is nan", _FIRST, "fmin", "1., 3."),
    )
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ steps


def _heaviside_forward(a: Any, values: Any) -> Any:
    return np.where(a == 0, values, a > 0).astype(a.dtype)


def _no_derivative(F: Any, t: Any) -> Any:
    raise RuntimeError("derivative for aten::heaviside is not implemented")


_heaviside = diagonal(
    "heaviside", _heaviside_forward, _no_derivative, _no_derivative, inputs=("self", "values"), node="NotImplemented"
)


def heaviside(input: Tensor, values: Tensor, *, out: Tensor | None = None) -> Tensor:
    """0 where the input is negative, 1 where it is positive, and `values` where it is 0.

    input, values: tensors of one dtype; their shapes broadcast. There is no derivative: `backward` raises.
    Raises RuntimeError if the dtypes differ or are complex.

    >>> import wengert
    >>> wengert.heaviside(wengert.tensor([-1.0, 0.0, 2.0]), wengert.tensor(0.5))
    tensor([0.0000, 0.5000, 1.0000])
    """
    for position, (name, x) in enumerate((("input", input), ("values", values)), 1):
        if not isinstance(x, Tensor):
            raise argument_error("heaviside", name, position, x)
    if "c" in (input._array.dtype.kind, values._array.dtype.kind):
        raise RuntimeError("heaviside is not yet implemented for complex tensors.")
    if input._array.dtype != values._array.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    made = _heaviside(input, values)
    return made if out is None else into(out, made)


_all = "maximum minimum fmax fmin heaviside"
__all__ = expose(__name__, functions=_all, methods=_all, writes="heaviside")
