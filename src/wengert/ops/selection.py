"""Choosing among elements: where, bounds, the larger and the smaller of two."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .. import dtypes
from ..tensor import Tensor, wrap
from .complex_numbers import view_as_complex, view_as_real
from .declare import NUMBERS, argument_error, diagonal, number_array
from .expose import alias, expose
from .inplace import into, scalar_name

# ------------------------------------------------------------------------------------------------ masks

BITS = {np.dtype(np.float32): np.dtype(np.int32), np.dtype(np.float64): np.dtype(np.int64)}
ZEROS = {d: np.zeros((), d) for d in BITS}

# np.where branches at each element, which costs 4 ns wherever the processor cannot foresee the branch. Arithmetic on the bits
# of the numbers, as integers that wrap around, is exact for all numbers, inf and nan among them, and takes a quarter of that.


def _masked(a: Any, mask: Any) -> Any:
    d = a.dtype
    bits = BITS.get(d)
    if bits is None or a.size < 64:
        return np.where(mask, a, d.type(0))
    return np.multiply(a.view(bits), mask).view(d)


def choose(mask: Any, a: Any, b: Any) -> Any:
    """np.where."""
    d = a.dtype
    bits = BITS.get(d)
    if bits is None or b.dtype is not d or a.size < 256 or mask.shape != a.shape or (b.ndim and b.shape != a.shape):
        return np.where(mask, a, b)
    b = b.view(bits)
    made = np.subtract(a.view(bits), b)
    made *= mask
    made += b
    return made.view(d)


#: the input where the mask is true, elsewhere 0: the pull of whatever selects
masked = diagonal(
    "masked", _masked, lambda F, t, mask: F.masked(t, mask), None, inputs=("self", "mask"), promote=None,
    node="MaskedFillBackward0",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ where

_where = diagonal(
    "where", choose, None, lambda F, t, condition: F.masked(t, condition), lambda F, t, condition: F.masked(t, ~condition),
    inputs=("condition", "self", "other"),
)  # fmt: skip


def where(condition: Tensor, input: Any = None, other: Any = None, *, out: Tensor | None = None) -> Any:
    """`input` where `condition` is true and `other` elsewhere; with the condition alone, the indices of what is true.

    condition: a bool tensor.
    input, other: tensors or numbers; the three shapes broadcast, the two dtypes promote.
    Raises RuntimeError for a condition that is not bool, or if the shapes do not broadcast.

    >>> import wengert
    >>> x = wengert.tensor([-1.0, 2.0])
    >>> wengert.where(x > 0, x, 0)
    tensor([0., 2.])
    """
    if type(condition) is Tensor and out is None and condition._array.dtype.kind == "b":
        if type(input) is Tensor:
            if type(other) is Tensor:
                return _where(condition, input, other)
            if type(other) in (float, int) and input._array.dtype.kind == "f":
                return _where(condition, input, wrap(number_array(other, input._array.dtype)))
        elif type(other) is Tensor and type(input) in (float, int) and other._array.dtype.kind == "f":
            return _where(condition, wrap(number_array(input, other._array.dtype)), other)
    if not isinstance(condition, Tensor):
        raise argument_error("where", "condition", 1, condition)
    if input is None and other is None:
        return tuple(wrap(i) for i in np.nonzero(np.atleast_1d(condition._array)))
    kind = condition._array.dtype.kind
    if kind != "b":
        if condition.dtype is not dtypes.uint8:
            raise RuntimeError(
                "where expected condition to be a boolean tensor, but got a tensor with dtype "
                f"{scalar_name(condition.dtype)}; compare it with something, e.g. condition != 0"
            )
        warnings.warn(
            "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future version of "
            "PyTorch. Use a boolean condition instead.",
            UserWarning,
            stacklevel=2,
        )
        condition = condition != 0
    for position, (name, x) in enumerate((("input", input), ("other", other)), 2):
        if not isinstance(x, (Tensor, *NUMBERS)):
            raise argument_error("where", name, position, x)
    made = _where(condition, input, other)
    return made if out is None else into(out, made)


def _where_method(self: Tensor, condition: Tensor, other: Any) -> Any:
    """`where(condition, self, other)`."""
    return where(condition, self, other)


Tensor.where = _where_method  # type: ignore[attr-defined]

# ------------------------------------------------------------------------------------------------ bounds


def _clamp_forward(a: Any, min: Any, max: Any) -> Any:
    if min is not None:
        a = np.maximum(a, min, out=...)
    return a if max is None else np.minimum(a, max, out=...)


def _inside(self: Any, min: Any, max: Any) -> Any:
    if min is None:
        return self <= max
    if max is None:
        return self >= min
    return (self >= min) & (self <= max)


def _pull_upper(F: Any, t: Any, self: Any, min: Any, max: Any) -> Any:
    above = self > max
    return F.masked(t, above if min is None else above | (min > max))


def _pull_lower(F: Any, t: Any, self: Any, min: Any, max: Any) -> Any:
    below = self < min
    return F.masked(t, below if max is None else below & (min < max))


_clamp = diagonal(
    "clamp", _clamp_forward, lambda F, t, self, min, max: F.masked(t, _inside(self, min, max)), statics=("min", "max"),
    promote=None, node="ClampBackward1",
)  # fmt: skip
_clamp_min = diagonal(
    "clamp_min", lambda a, min: np.maximum(a, min, out=...), lambda F, t, self, min: F.masked(t, self >= min),
    statics=("min",), promote=None, node="ClampMinBackward0",
)  # fmt: skip
_clamp_max = diagonal(
    "clamp_max", lambda a, max: np.minimum(a, max, out=...), lambda F, t, self, max: F.masked(t, self <= max),
    statics=("max",), promote=None, node="ClampMaxBackward0",
)  # fmt: skip
_clamp_tensors = diagonal(
    "clamp_tensors", _clamp_forward, lambda F, t, self, min, max: F.masked(t, _inside(self, min, max)), _pull_lower, _pull_upper,
    inputs=("self", "min", "max"), node="ClampBackward0",
)  # fmt: skip
_clamp_min_tensor = diagonal(
    "clamp_min_tensor", np.maximum, lambda F, t, self, min: F.masked(t, self >= min),
    lambda F, t, self, min: F.masked(t, self < min), inputs=("self", "min"), node="ClampMinBackward1",
)  # fmt: skip
_clamp_max_tensor = diagonal(
    "clamp_max_tensor", np.minimum, lambda F, t, self, max: F.masked(t, self <= max),
    lambda F, t, self, max: F.masked(t, self > max), inputs=("self", "max"), node="ClampMaxBackward1",
)  # fmt: skip


_PLAIN = frozenset((float, int, type(None)))  # bounds that need no look where the input is of floating point


def _bounded(function: str, input: Any, bounds: tuple[Any, ...]) -> Any:
    """The input in the dtype of the result, where the bounds are numbers; refused what PyTorch refuses."""
    if not isinstance(input, Tensor):
        raise argument_error(function, "input", 1, input)
    d = input.dtype
    if d.is_complex or any(isinstance(b, complex) for b in bounds):
        raise NotImplementedError(f"{function} is not supported for complex types")
    common = dtypes.common_type([input, *(b for b in bounds if b is not None)])
    if common.category == dtypes.INTEGER:
        for b in bounds:
            if b is not None and int(number_array(b, common.numpy)) != b:
                raise RuntimeError(
                    f"value cannot be converted to type {common.name}_t without overflow: {b} is not a number of {common}"
                )
    return input if common is d else input.to(common)


def clamp(input: Tensor, min: Any = None, max: Any = None, *, out: Tensor | None = None) -> Tensor:
    """Each element brought between `min` and `max`; where min > max, `max`.

    min, max: both numbers or both tensors (which broadcast with the input), or None for no bound.
    The gradient reaches the elements between the bounds, the bounds included.
    Raises RuntimeError if both bounds are None, NotImplementedError for complex numbers.

    >>> import wengert
    >>> wengert.clamp(wengert.tensor([-1.0, 0.5, 2.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if type(min) in _PLAIN and type(max) in _PLAIN and out is None and type(input) is Tensor:
        if input._array.dtype.kind == "f" and (min is not None or max is not None):
            return _clamp(input, min, max)
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    kinds = {isinstance(b, Tensor) for b in (min, max) if b is not None}
    if kinds == {True}:
        if input._array.dtype.kind == "c":
            raise NotImplementedError("clamp is not supported for complex types")
        made = _clamp_tensors(input, min, max)
    else:
        for position, (name, bound) in enumerate((("min", min), ("max", max)), 2):
            if bound is not None and not isinstance(bound, NUMBERS):
                raise argument_error("clamp", name, position, bound)
        made = _clamp(_bounded("clamp", input, (min, max)), min, max)
    return made if out is None else into(out, made)


def clamp_min(input: Tensor, min: Any, *, out: Tensor | None = None) -> Tensor:
    """Each element, or `min` where that is larger; `min` is a number or a tensor.

    >>> import wengert
    >>> wengert.clamp_min(wengert.tensor([-1.0, 2.0]), 0)
    tensor([0., 2.])
    """
    return _one_bound("clamp_min", _clamp_min, _clamp_min_tensor, input, min, out)


def clamp_max(input: Tensor, max: Any, *, out: Tensor | None = None) -> Tensor:
    """Each element, or `max` where that is smaller; `max` is a number or a tensor.

    >>> import wengert
    >>> wengert.clamp_max(wengert.tensor([-1.0, 2.0]), 0)
    tensor([-1.,  0.])
    """
    return _one_bound("clamp_max", _clamp_max, _clamp_max_tensor, input, max, out)


def _one_bound(name: str, by_number: Any, by_tensor: Any, input: Any, bound: Any, out: Any) -> Tensor:
    if type(bound) in _PLAIN and bound is not None and out is None and type(input) is Tensor:
        if input._array.dtype.kind == "f":
            return by_number(input, bound)
    if isinstance(bound, Tensor):
        if input._array.dtype.kind == "c":
            raise NotImplementedError(f"{name} is not supported for complex types")
        made = by_tensor(input, bound)
    elif isinstance(bound, NUMBERS):
        made = by_number(_bounded(name, input, (bound,)), bound)
    else:
        raise argument_error(name, name[-3:], 2, bound)
    return made if out is None else into(out, made)


# ------------------------------------------------------------------------------------------------ the larger, the smaller


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

maximum = diagonal(
    "maximum", np.maximum, _pull_larger, lambda F, t, self, other: _pull_larger(F, t, other, self), check=_ordered("maximum"),
    doc=_EXTREME.format("larger", ", nan if either is", _SHARED, "maximum", "2., 4."),
)  # fmt: skip
minimum = diagonal(
    "minimum", np.minimum, _pull_smaller, lambda F, t, self, other: _pull_smaller(F, t, other, self), check=_ordered("minimum"),
    doc=_EXTREME.format("smaller", ", nan if either is", _SHARED, "minimum", "1., 3."),
)  # fmt: skip
fmax = diagonal(
    "fmax", np.fmax, lambda F, t, self, other: F.masked(t, (self >= other) | F.isnan(other)),
    lambda F, t, self, other: F.masked(t, ~((self >= other) | F.isnan(other))), check=_ordered("fmax"),
    doc=_EXTREME.format("larger", ", the number if the other is nan", _FIRST, "fmax", "2., 4."),
)  # fmt: skip
fmin = diagonal(
    "fmin", np.fmin, lambda F, t, self, other: F.masked(t, (self <= other) | F.isnan(other)),
    lambda F, t, self, other: F.masked(t, ~((self <= other) | F.isnan(other))), check=_ordered("fmin"),
    doc=_EXTREME.format("smaller", ", the number if the other is nan", _FIRST, "fmin", "1., 3."),
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


# ------------------------------------------------------------------------------------------------ what is not finite


def _replaced(a: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    if a.dtype.kind != "f":
        return a.copy()
    limits = np.finfo(a.dtype)
    made = np.where(np.isnan(a), a.dtype.type(0 if nan is None else nan), a)
    made[a == np.inf] = limits.max if posinf is None else posinf
    made[a == -np.inf] = limits.min if neginf is None else neginf
    return made


_nan_to_num = diagonal(
    "nan_to_num", _replaced, lambda F, t, self: F.masked(t, F.isfinite(self)), statics=("nan", "posinf", "neginf"),
    promote=None, node="NanToNumBackward0",
)  # fmt: skip


def nan_to_num(
    input: Tensor,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element, with numbers in the place of nan (0) and of the infinities (the largest and the smallest of the dtype).

    >>> import wengert
    >>> wengert.nan_to_num(wengert.tensor([float("nan"), float("inf"), 1.0]), posinf=9.0)
    tensor([0., 9., 1.])
    """
    if not isinstance(input, Tensor):
        raise argument_error("nan_to_num", "input", 1, input)
    if input._array.dtype.kind == "c":
        made = _nan_to_num(view_as_real(input), nan, posinf, neginf)
        made = view_as_complex(made)
    else:
        made = _nan_to_num(input, nan, posinf, neginf)
    return made if out is None else into(out, made)


_all = "clamp clamp_min clamp_max maximum minimum fmax fmin heaviside nan_to_num"
__all__ = expose(
    __name__,
    functions=_all + " where clamp_ clamp_min_ clamp_max_ nan_to_num_",
    methods=_all,
    writes="clamp clamp_min clamp_max heaviside nan_to_num",
)
__all__ += alias(__name__, "clip=clamp clip_=clamp_")
