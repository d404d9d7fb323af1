"""Choosing among elements: `where`, bounds, and numbers in the place of what is not finite."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from .. import dtypes
from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap
from .comparison import ne
from .complex_numbers import view_as_complex, view_as_real
from .declare import F32, F64, NUMBERS, argument_error, diagonal, number_array
from .expose import alias, expose
from .inplace import into

# ------------------------------------------------------------------------------------------------ masks

BITS = {np.dtype(np.float32): np.dtype(np.int32), np.dtype(np.float64): np.dtype(np.int64)}
ZEROS = {d: np.zeros((), d) for d in BITS}

# np.where branches at each element, which costs 4 ns wherever the processor cannot foresee the branch. Arithmetic on
# the bits of the numbers, as integers that wrap around, is exact for all numbers, inf and nan among them, and takes a
# quarter of that.


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
        condition = ne(condition, 0)
    for position, (name, x) in enumerate((("input", input), ("other", other)), 2):
        if not isinstance(x, (Tensor, *NUMBERS)):
            raise argument_error("where", name, position, x)
    numbers = [x for x in (input, other) if isinstance(x, NUMBERS)]
    if len(numbers) == 1:
        check_fits(dtypes.common_type((input, other)), numbers)
    made = _where(condition, input, other)
    return made if out is None else into(out, made)


def _where_method(self: Tensor, condition: Tensor, other: Any) -> Any:
    """`where(condition, self, other)`."""
    return where(condition, self, other)


Tensor.where = _where_method  # type: ignore[attr-defined]

# ------------------------------------------------------------------------------------------------ bounds


def _clamp_forward(a: Any, min: Any, max: Any) -> Any:
    if min is not None:
        a = np.maximum(min, a, out=...)  # in this order -0.0 stays what it is, as in PyTorch
    return a if max is None else np.minimum(max, a, out=...)


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
    "clamp_min", lambda a, min: np.maximum(min, a, out=...), lambda F, t, self, min: F.masked(t, self >= min),
    statics=("min",), promote=None, node="ClampMinBackward0",
)  # fmt: skip
_clamp_max = diagonal(
    "clamp_max", lambda a, max: np.minimum(max, a, out=...), lambda F, t, self, max: F.masked(t, self <= max),
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


def _is_real(input: Any) -> bool:
    """Whether the input is a tensor of a dtype that any plain number fits."""
    return type(input) is Tensor and (input._array.dtype is F32 or input._array.dtype is F64)


_PLAIN = frozenset((float, int, type(None)))  # bounds that need no look where the input is of floating point


def _bounded(function: str, input: Any, *bounds: Any) -> tuple[Any, ...]:
    """The input and its bounds, which are numbers, in the dtype of the result; refused what PyTorch refuses."""
    if not isinstance(input, Tensor):
        raise argument_error(function, "input", 1, input)
    d = input.dtype
    given = [b for b in bounds if b is not None]
    by_complex = any(isinstance(b, complex) for b in given)
    if d.is_complex or (by_complex and (d.category < dtypes.FLOAT or function != "clamp")):
        raise NotImplementedError(f"{function} is not supported for complex types")
    if by_complex:
        raise RuntimeError(f"value cannot be converted to type double without overflow: {given} has a complex number")
    common = dtypes.common_type([input, *given])
    if common is dtypes.bool:
        kernel = (
            function
            if function != "clamp"
            else "clamp"
            if len(given) == 2
            else "clamp_max"
            if bounds[0] is None
            else "clamp_min"
        )
        raise NotImplementedError(
            f"\"{kernel}_scalar_cpu\" not implemented for 'Bool': convert the tensor to integers first"
        )
    check_fits(common, given)
    if common.category == dtypes.INTEGER:
        bounds = tuple(b if b is None else number_array(b, common.numpy).item() for b in bounds)
    return (input if common is d else input.to(common), *bounds)


_TYPES = {"float16": "at::Half", "float32": "float", "float64": "double"}


def check_fits(d: dtypes.dtype, numbers: Any) -> None:
    """Raise, in PyTorch's words, for a number beyond the dtype. Negative ones wrap around in an unsigned dtype."""
    if d.category == dtypes.INTEGER:
        limits = np.iinfo(d.numpy)
        low, high = limits.min or -limits.max, limits.max
    elif d.category == dtypes.FLOAT and d is not dtypes.bfloat16:
        high = np.finfo(d.numpy).max
        low = -high
    else:
        return
    for number in numbers:
        if (number < low or number > high) and abs(number) != math.inf:
            raise RuntimeError(
                f"value cannot be converted to type {_TYPES.get(d.name, d.name + '_t')} without overflow: {number} is not from {low} to {high}"
            )


def clamp(input: Tensor, min: Any = None, max: Any = None, *, out: Tensor | None = None) -> Tensor:
    """Each element brought between `min` and `max`; where min > max, `max`.

    min, max: both numbers or both tensors (which broadcast with the input), or None for no bound.
    The gradient reaches the elements between the bounds, the bounds included.
    Raises RuntimeError if both bounds are None, NotImplementedError for complex numbers.

    >>> import wengert
    >>> wengert.clamp(wengert.tensor([-1.0, 0.5, 2.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if type(min) in _PLAIN and type(max) in _PLAIN and out is None and _is_real(input):
        return _clamp(input, min, max)
    kinds = {isinstance(b, Tensor) for b in (min, max) if b is not None}
    if kinds == {True}:
        common = dtypes.common_type([x for x in (input, min, max) if x is not None])
        if common.is_complex:
            raise NotImplementedError("clamp is not supported for complex types")
        if common is dtypes.bool and min is not None and max is not None:
            raise NotImplementedError("\"clamp_cpu\" not implemented for 'Bool': convert the tensors to integers first")
        made = _clamp_tensors(input, min, max)
    else:
        for position, (name, bound) in enumerate((("min", min), ("max", max)), 2):
            if bound is not None and not isinstance(bound, NUMBERS):
                raise argument_error("clamp", name, position, bound)
        made = _clamp(*_bounded("clamp", input, min, max))
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
    if type(bound) in _PLAIN and bound is not None and out is None and _is_real(input):
        return by_number(input, bound)
    if isinstance(bound, Tensor):
        if "c" in (input._array.dtype.kind, bound._array.dtype.kind):
            raise NotImplementedError(f"{name} is not supported for complex types")
        made = by_tensor(input, bound)
    elif isinstance(bound, NUMBERS):
        made = by_number(*_bounded(name, input, bound))
    else:
        raise argument_error(name, name[-3:], 2, bound)
    return made if out is None else into(out, made)


# ------------------------------------------------------------------------------------------------ what is not finite


def _replaced(a: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    if a.dtype.kind != "f":
        return a.copy()
    if np.isfinite(a).all():
        return a.copy("K")
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
    """Each element, with numbers in the place of nan (0) and of the infinities (the largest and the smallest of the
    dtype).

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


_all = "clamp clamp_min clamp_max nan_to_num"
__all__ = expose(
    __name__,
    functions=_all + " where clamp_ clamp_min_ clamp_max_ nan_to_num_",
    methods=_all,
    writes="clamp clamp_min clamp_max nan_to_num",
)
__all__ += alias(__name__, "clip=clamp clip_=clamp_")
