"""Arithmetic: sums, differences, products, quotients, powers, and the operators of Python that stand for them."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from .. import dtypes
from ..tensor import Tensor
from .declare import NUMBERS, OPERANDS, diagonal, not_a_tensor, operator_form
from .dims import combination_error
from .expose import alias, expose
from .inplace import inplace, into

# ------------------------------------------------------------------------------------------------ declarations


def _no_bool_difference(*inputs: Any) -> None:
    """Raise where - is applied to truth values, which have no difference in PyTorch."""
    bools = [x._array.dtype.kind == "b" if isinstance(x, Tensor) else isinstance(x, bool) for x in inputs]
    if len(inputs) == 1 and bools[0]:
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
            "`logical_not()` operator instead."
        )
    if len(inputs) == 2 and any(bools):
        if all(bools):
            raise RuntimeError(
                "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator "
                "instead."
            )
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the "
            "`~` or `logical_not()` operator instead."
        )


def _subtract_from(a: Any, b: Any, *, out: Any = ...) -> Any:
    return np.subtract(b, a, out=out)


_add = diagonal("add", np.add, lambda F, t: t, lambda F, t: t)
_sub = diagonal("sub", np.subtract, lambda F, t: t, lambda F, t: -t, check=_no_bool_difference)
_rsub = diagonal(
    "rsub", _subtract_from, lambda F, t: -t, lambda F, t: t, check=_no_bool_difference, number_node="RsubBackward1"
)
_mul = diagonal("mul", np.multiply, lambda F, t, other: t * other, lambda F, t, self: t * self)
_div = diagonal(
    "div",
    np.true_divide,
    lambda F, t, other: t / other,
    lambda F, t, other, out: -t * (out / other),
    promote="float",
)
neg = diagonal("neg", np.negative, lambda F, t: -t, check=_no_bool_difference, doc="The negative of each element.")
reciprocal = diagonal(
    "reciprocal", np.reciprocal, lambda F, t, out: -t * (out * out), promote="float", doc="1 divided by each element."
)
square = diagonal(
    "square",
    np.square,
    lambda F, t, self: _pull_power(F, t, self, 2),
    node="PowBackward0",
    promote="number",
    doc="The square of each element.",
)


def raise_to(a: Any, b: Any, *, out: Any = ...) -> Any:
    """`a` to the power `b`; of integers to a negative power the quotient without its fraction, and 0 where it is infinite."""
    if a.dtype.kind not in "iu" or not np.any(np.less(b, 0)):
        return np.power(a, b, out=out)
    a, b = np.broadcast_arrays(a, b)
    made = np.power(a, np.maximum(b, 0), out=out)
    sign = np.where(np.bitwise_and(b, 1), a, 1)  # of 1 and -1, all others come to 0
    np.copyto(made, np.where(np.abs(a) == 1, sign, 0), where=b < 0, casting="unsafe")
    return made


def _no_power_of_bool(*inputs: Any) -> None:
    """Raise where truth values are raised to the power of truth values, which PyTorch has only for a number as the power."""
    if all(isinstance(x, Tensor) and x._array.dtype.kind == "b" for x in inputs):
        raise NotImplementedError("\"pow\" not implemented for 'Bool': convert one of them with .to(wengert.int64)")


def _power(a: Any, exponent: Any) -> Any:
    """`a` to a Python number, the common exponents by what is quicker (and, as in PyTorch, exact)."""
    if a.dtype.kind == "b":
        return np.logical_or(a, not exponent, out=...)
    if exponent == 2:
        return np.square(a, out=...)
    if a.dtype.kind in "fc":
        if exponent == 3:
            return np.multiply(np.square(a), a, out=...)
        if exponent == 0.5:
            return np.sqrt(a, out=...)
        if exponent == 1:
            return a.copy()
        if exponent == -1:
            return np.reciprocal(a, out=...)
        if exponent == -0.5:
            return np.reciprocal(np.sqrt(a), out=...)
    return raise_to(a, exponent)


def _pull_power(F: Any, t: Any, self: Any, exponent: Any) -> Any:
    if exponent == 0:
        return t * 0 if isinstance(t, Tensor) else np.zeros_like(t)
    # recorded, the powers go on down to the zeroth: so the last derivative but one of a polynomial can be differentiated too
    if exponent == 1:
        return t * F.pow_number(self, 0) if isinstance(t, Tensor) else t
    if exponent == 2:
        return t * (2 * (F.pow_number(self, 1) if isinstance(t, Tensor) else self))
    return t * (exponent * F.pow_number(self, exponent - 1))


pow_number = diagonal("pow_number", _power, _pull_power, statics=("exponent",), promote=None, node="PowBackward0")


def _pull_exponent(F: Any, t: Any, self: Any, other: Any, out: Any) -> Any:
    # 0 to a power that is not negative is flat in the power; the logarithm would make it nan
    return F.where((self == 0) & (F.real(other) >= 0), t * 0, t * (out * F.log(self)))


def _pull_base(F: Any, t: Any, self: Any, other: Any) -> Any:
    return F.where(other == 0, t * 0, t * (other * F.pow(self, other - 1)))


def _pow_operands(*inputs: Any) -> None:
    _some_tensor("pow", True)(*inputs)
    _no_power_of_bool(*inputs)


_pow = diagonal("pow", raise_to, _pull_base, _pull_exponent, node="PowBackward1", check=_pow_operands)


def _pull_raised(F: Any, t: Any, self: Any, out: Any, base: Any) -> Any:
    if base == 0:
        return F.where(self >= 0, t * 0, t * (out * -math.inf))
    if isinstance(base, complex):
        return t * (out * cmath.log(base))
    # a negative base has real values at isolated exponents only
    return t * (out * (math.log(base) if base > 0 else math.nan))


_raised = diagonal(
    "raised", lambda a, base: raise_to(np.asarray(base, a.dtype), a), _pull_raised, statics=("base",), promote=None,
    node="PowBackward2",
)  # fmt: skip


# ------------------------------------------------------------------------------------------------ functions


def _scaled(input: Any, other: Any, alpha: Any) -> Any:
    """`other` times `alpha`, which must not be of a higher kind than the operands."""
    if isinstance(alpha, Tensor):
        alpha = alpha.item()
    common = dtypes.common_type((input, other))
    if isinstance(alpha, bool) and common is not dtypes.bool:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, float) and common.category < dtypes.FLOAT:
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if isinstance(alpha, complex) and common.category < dtypes.COMPLEX:
        raise RuntimeError("For non-complex input tensors, argument alpha must not be a complex number.")
    return _mul(other, alpha) if isinstance(other, Tensor) else other * alpha


def add(input: Any, other: Any, *, alpha: Any = 1, out: Tensor | None = None) -> Any:
    """`input + alpha * other`, elementwise.

    input, other: tensors, or a tensor and a number; their shapes broadcast, their dtypes promote.
    Raises RuntimeError if the shapes do not broadcast.

    >>> import wengert
    >>> wengert.add(wengert.tensor([1.0, 2.0]), 3.0, alpha=2)
    tensor([7., 8.])
    """
    return _add(input, other if alpha == 1 else _scaled(input, other, alpha), out=out)


def sub(input: Any, other: Any, *, alpha: Any = 1, out: Tensor | None = None) -> Any:
    """`input - alpha * other`, elementwise.

    input, other: tensors, or a tensor and a number; their shapes broadcast, their dtypes promote.
    Raises RuntimeError if the shapes do not broadcast, or for bool.

    >>> import wengert
    >>> wengert.sub(wengert.tensor([1.0, 2.0]), 3.0)
    tensor([-2., -1.])
    """
    return _sub(input, other if alpha == 1 else _scaled(input, other, alpha), out=out)


_RSUB = (
    "(Tensor input, Tensor other, *, Number alpha = 1)",
    "(Tensor input, Number other, Number alpha = 1)",
)


def rsub(input: Any, other: Any, alpha: Any = 1) -> Any:
    """`other - alpha * input`, elementwise.

    Raises TypeError unless `input` is a tensor and `other` a tensor or a number.

    >>> import wengert
    >>> wengert.rsub(wengert.tensor([1.0, 2.0]), 3.0)
    tensor([2., 1.])
    """
    if not isinstance(input, Tensor) or not isinstance(other, (Tensor, *NUMBERS)):
        got = ", ".join("Tensor" if isinstance(x, Tensor) else type(x).__name__ for x in (input, other))
        raise combination_error("rsub", f"({got})", _RSUB)
    return _rsub(input if alpha == 1 else _scaled(other, input, alpha), other)


def mul(input: Any, other: Any, *, out: Tensor | None = None) -> Any:
    """`input * other`, elementwise.

    input, other: tensors, or a tensor and a number; their shapes broadcast, their dtypes promote.

    >>> import wengert
    >>> wengert.mul(wengert.tensor([1.0, 2.0]), 3.0)
    tensor([3., 6.])
    """
    return _mul(input, other, out=out)


def div(input: Any, other: Any, *, rounding_mode: str | None = None, out: Tensor | None = None) -> Any:
    """`input / other`, elementwise; of integers a floating-point result.

    rounding_mode: None; "trunc" rounds the quotient towards zero, "floor" down, and both keep integers integers.

    >>> import wengert
    >>> wengert.div(wengert.tensor([7, -7]), 2, rounding_mode="floor")
    tensor([ 3, -4])
    """
    if rounding_mode is None:
        return _div(input, other, out=out)
    if rounding_mode == "floor":
        return floor_divide(input, other, out=out)
    if rounding_mode == "trunc":
        return _truncated_divide(input, other, out=out)
    raise RuntimeError(
        "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '" + str(rounding_mode) + "'"
    )


def _integer_division(operation: Any) -> Any:
    """Raise where integers are divided by zero, which has no infinity to give."""

    def forward(a: Any, b: Any, *, out: Any = ...) -> Any:
        if np.result_type(a, b).kind in "iub" and not np.all(b):
            raise RuntimeError("ZeroDivisionError")
        return operation(a, b, out=out)

    return forward


def _truncate(a: Any, b: Any, *, out: Any = ...) -> Any:
    kind = np.result_type(a, b).kind
    if kind in "iub":
        quotient = np.floor_divide(a, b, out=...)
        return np.add(quotient, (quotient < 0) & (quotient * b != a), out=out, dtype=quotient.dtype, casting="unsafe")
    return np.trunc(np.true_divide(a, b), out=out)


def _floor_quotient(a: Any, b: Any, *, out: Any = ...) -> Any:
    if np.result_type(a, b).kind == "f":
        quotient = np.floor_divide(a, b, out=...)
        return np.where(np.asarray(b) == 0, np.true_divide(a, b), quotient)
    return np.floor_divide(a, b, out=out)


def _flat(F: Any, t: Any) -> Any:
    return t * 0


floor_divide = diagonal(
    "floor_divide", _integer_division(_floor_quotient), _flat, _flat, node="DivBackward2",
    doc="The quotient of each pair of elements, rounded down.",
)  # fmt: skip
_truncated_divide = diagonal("truncated_divide", _integer_division(_truncate), _flat, _flat, node="DivBackward2")


def _some_tensor(function: str, number_first: bool) -> Any:
    """The check of operations that take a number in place of one operand only, or of the second only."""

    def check(*inputs: Any) -> None:
        if not isinstance(inputs[0], Tensor) and not (number_first and isinstance(inputs[1], Tensor)):
            shown = ", ".join("Tensor" if isinstance(x, Tensor) else type(x).__name__ for x in inputs)
            first = " * (Number self, Tensor other)\n" if number_first else ""
            raise TypeError(
                f"{function}() received an invalid combination of arguments - got ({shown}), but expected one of:\n"
                f" * (Tensor input, Tensor other, *, Tensor out = None)\n{first}"
                " * (Tensor input, Number other, *, Tensor out = None)\n"
            )

    return check


def _pull_remainder(F: Any, t: Any, self: Any, other: Any) -> Any:
    return -t * F.floor(self / other)


remainder = diagonal(
    "remainder", _integer_division(np.remainder), lambda F, t: t, _pull_remainder, check=_some_tensor("remainder", True),
    node="RemainderBackward1", number_node="RemainderBackward0",
    doc="What is left of each quotient rounded down: of the sign of the divisor.",
)  # fmt: skip
fmod = diagonal(
    "fmod", _integer_division(np.fmod), lambda F, t: t, lambda F, t, self, other: -t * F.trunc(self / other),
    check=_some_tensor("fmod", False), node="FmodBackward1", number_node="FmodBackward0",
    doc="What is left of each quotient rounded towards zero: of the sign of the dividend.",
)  # fmt: skip


def pow(input: Any, exponent: Any, *, out: Tensor | None = None) -> Any:
    """`input` to the power of `exponent`, elementwise.

    input, exponent: tensors, or a tensor and a number; their shapes broadcast, their dtypes promote.
    Raises RuntimeError for an integer to a negative integer power.

    >>> import wengert
    >>> wengert.pow(wengert.tensor([2.0, 3.0]), 2)
    tensor([4., 9.])
    """
    if isinstance(exponent, NUMBERS) and isinstance(input, Tensor):
        result = _pow_by_number(input, exponent)
    elif isinstance(input, NUMBERS) and isinstance(exponent, Tensor):
        result = _number_pow(input, exponent)
    else:
        result = _pow(input, exponent)
    if out is None:
        return result
    return into(out, result)


def _pow_by_number(x: Tensor, exponent: Any) -> Any:
    kind = x._array.dtype.kind
    if kind != "f" or isinstance(exponent, complex):
        common = dtypes.common_type((x, exponent))
        if common.category < dtypes.FLOAT and exponent < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        if common is not x.dtype:
            x = x.to(common)
        if common.category == dtypes.INTEGER:
            exponent = int(exponent)
    return pow_number(x, exponent)


def _number_pow(base: Any, exponent: Tensor) -> Any:
    common = dtypes.common_type((base, exponent))
    if base == 1:
        return (
            exponent.new_ones(exponent.shape, dtype=common) if not exponent.requires_grad else _raised(exponent, base)
        )
    return _raised(exponent if common is exponent.dtype else exponent.to(common), base)


def float_power(input: Any, exponent: Any, *, out: Tensor | None = None) -> Any:
    """`input` to the power of `exponent` in double precision.

    >>> import wengert
    >>> wengert.float_power(wengert.tensor([2, 3]), 2)
    tensor([4., 9.], dtype=torch.float64)
    """
    common = dtypes.complex128 if dtypes.common_type((input, exponent)).is_complex else dtypes.float64
    first, second = (x.to(common) if isinstance(x, Tensor) else x for x in (input, exponent))
    if not isinstance(first, Tensor):
        second = second.to(common)
    return pow(first, second, out=out)


# ------------------------------------------------------------------------------------------------ operators


def _by_parts(function: Any) -> Any:
    """An operator of Python from a function: NotImplemented for operands that it does not know."""

    def operator(self: Tensor, other: Any) -> Any:
        if not isinstance(self, Tensor):
            raise not_a_tensor(function.__name__, self)
        if not isinstance(other, OPERANDS):
            return NotImplemented
        if isinstance(other, np.ndarray):
            from ..creation import as_tensor

            other = as_tensor(other)
        return function(self, other)

    operator.__name__ = operator.__qualname__ = function.__name__
    return operator


_power_operator = _by_parts(pow)


def _pow_operator(self: Tensor, other: Any) -> Any:
    """`self ** other`, the common case first."""
    if (type(other) is int or type(other) is float) and self._array.dtype.kind == "f":
        return pow_number(self, other)
    return _power_operator(self, other)


def positive(input: Tensor) -> Tensor:
    """`input` itself.

    Raises RuntimeError for bool.
    """
    if input._array.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


_OPERATORS = {
    "add": operator_form(_add),
    "radd": operator_form(_add),
    "sub": operator_form(_sub),
    "rsub": operator_form(_rsub),
    "mul": operator_form(_mul),
    "rmul": operator_form(_mul),
    "truediv": operator_form(_div),
    "rtruediv": _by_parts(lambda self, other: reciprocal(self) * other),
    "rdiv": _by_parts(lambda self, other: reciprocal(self) * other),
    "pow": _pow_operator,
    "rpow": _by_parts(lambda self, other: pow(other, self)),
    "floordiv": operator_form(floor_divide),
    "rfloordiv": _by_parts(lambda self, other: floor_divide(other, self)),
    "mod": operator_form(remainder),
    "rmod": _by_parts(lambda self, other: remainder(other, self)),
    "neg": neg,
    "pos": positive,
}
for _name, _operator in _OPERATORS.items():
    setattr(Tensor, f"__{_name}__", _operator)

_IN_PLACE = {
    "iadd": add, "isub": sub, "imul": mul, "itruediv": div, "idiv": div, "ifloordiv": floor_divide, "imod": remainder,
    "ipow": pow,
}  # fmt: skip
for _name, _function in _IN_PLACE.items():
    setattr(Tensor, f"__{_name}__", inplace(_by_parts(_function), f"__{_name}__"))

_all = "add sub rsub mul div neg reciprocal square pow float_power floor_divide remainder fmod positive"
__all__ = expose(
    __name__,
    functions=_all,
    methods=_all.replace(" rsub", ""),
    writes="add sub mul div neg reciprocal square pow float_power floor_divide remainder fmod",
)
__all__ += alias(__name__, "subtract=sub multiply=mul divide=div true_divide=div negative=neg")
