"""Questions about elements: comparisons, logic, bits, and tests of equality and membership."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap
from .declare import NUMBERS, argument_error, flat, operator_form
from .expose import alias, expose
from .inplace import inplace, into
from .refusal import of_tensors, only_tensors

# ------------------------------------------------------------------------------------------------ what is refused


def _operands(name: str, operation: str, lowest: int, highest: int) -> Any:
    """A check that there is a tensor among the operands, and that their common dtype is of an allowed category."""

    def check(*inputs: Any) -> None:
        if not any(isinstance(x, Tensor) for x in inputs[: 1 if highest >= dtypes.FLOAT else 2]):
            raise argument_error(operation, "self", 1, inputs[0])
        for i, x in enumerate(inputs):
            if not isinstance(x, (Tensor, *NUMBERS)):
                raise argument_error(operation, "self" if i == 0 else "other", i + 1, x)
        common = dtypes.common_type(inputs)
        if not lowest <= common.category <= highest:
            raise NotImplementedError(
                f"\"{name}_cpu\" not implemented for '{scalar_name(common)}': it is for "
                + (
                    "real numbers"
                    if highest == dtypes.FLOAT
                    else "integers and bool"
                    if lowest == dtypes.BOOL
                    else "integers"
                )
            )

    return check


# ------------------------------------------------------------------------------------------------ comparisons


def _comparison(name: str, forward: Any, sign: str, highest: int, shown: str) -> Any:
    return flat(
        name, forward, ("self", "other"), check=_operands(name, name, dtypes.BOOL, highest),
        doc=f"""Whether `input {sign} other`, for each pair of elements: a bool tensor.

    input, other: tensors, or a tensor and a number; their shapes broadcast, their dtypes promote.

    >>> import wengert
    >>> wengert.{name}(wengert.tensor([1, 2, 3]), 2)
    tensor([{shown}])
    """,
    )  # fmt: skip


eq = _comparison("eq", np.equal, "==", dtypes.COMPLEX, "False,  True, False")
ne = _comparison("ne", np.not_equal, "!=", dtypes.COMPLEX, " True, False,  True")
lt = _comparison("lt", np.less, "<", dtypes.FLOAT, " True, False, False")
le = _comparison("le", np.less_equal, "<=", dtypes.FLOAT, " True,  True, False")
gt = _comparison("gt", np.greater, ">", dtypes.FLOAT, "False, False,  True")
ge = _comparison("ge", np.greater_equal, ">=", dtypes.FLOAT, "False,  True,  True")

for _name, _function in {"eq": eq, "ne": ne, "lt": lt, "le": le, "gt": gt, "ge": ge}.items():
    setattr(Tensor, f"__{_name}__", operator_form(_function))


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and the same elements.

    Raises TypeError for what is not a tensor.

    >>> import wengert
    >>> wengert.equal(wengert.tensor([1, 2]), wengert.tensor([1.0, 2.0]))
    True
    """
    only_tensors("equal")(input, other)
    a, b = input._array, other._array
    return a.shape == b.shape and bool(np.array_equal(a, b))


def isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Whether |input - other| <= atol + rtol * |other|, for each pair of elements: a bool tensor.

    equal_nan: whether nan is close to nan.
    Raises RuntimeError for tensors of two dtypes, and for a negative tolerance.

    >>> import wengert
    >>> wengert.isclose(wengert.tensor([1.0, 2.0]), wengert.tensor([1.0, 2.1]))
    tensor([ True, False])
    """
    only_tensors("isclose")(input, other)
    if input._array.dtype != other._array.dtype:
        raise RuntimeError(
            f"{scalar_name(input.dtype)} did not match {scalar_name(other.dtype)}: convert one of them with "
            f".to({input.dtype})"
        )
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        if tolerance < 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {tolerance}")
    with np.errstate(all="ignore"):
        return wrap(np.asarray(_close(input, other, rtol, atol, equal_nan)))


def _close(input: Tensor, other: Tensor, rtol: float, atol: float, equal_nan: bool) -> Any:
    same = eq(input, other)._array  # for infinities, and for PyTorch's error if the shapes do not broadcast
    a, b = input._array, other._array
    if equal_nan and a.dtype.kind in "fc":
        same = same | (np.isnan(a) & np.isnan(b))
    if not rtol and not atol:
        return same
    if a.dtype.kind in "biu":
        a, b = a.astype(np.float64), b.astype(np.float64)
    away = np.abs(a - b)
    return same | (np.isfinite(away) & (away <= atol + np.abs(rtol * b)))


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all pairs of elements are close in the sense of `isclose`.

    >>> import wengert
    >>> wengert.allclose(wengert.ones(2), wengert.ones(2) + 1e-7)
    True
    """
    return bool(np.all(isclose(input, other, rtol, atol, equal_nan)._array))


# ------------------------------------------------------------------------------------------------ logic and bits


def _logical(name: str, forward: Any) -> Any:
    doc = f"Logical {name[8:]} of each pair of elements, where what is not zero is true: a bool tensor."
    return of_tensors(flat(name, forward, ("self", "other"), doc=doc))


logical_and = _logical("logical_and", np.logical_and)
logical_or = _logical("logical_or", np.logical_or)
logical_xor = _logical("logical_xor", np.logical_xor)
logical_not = flat(
    "logical_not", np.logical_not, check=only_tensors("logical_not"), doc="Whether each element is zero: a bool tensor."
)


def _bitwise(name: str, forward: Any, doc: str, called: str | None = None, lowest: int = dtypes.BOOL) -> Any:
    return flat(
        name, forward, ("self", "other"), check=_operands(called or name, name, lowest, dtypes.INTEGER),
        doc=doc + "\n\n    Raises NotImplementedError for floating-point and complex numbers.\n    ",
    )  # fmt: skip


def _shift(forward: Any, beyond: Any) -> Any:
    """A shift that, where the distance is negative or not below the number of bits, gives what `beyond` makes of a."""

    def shift(a: Any, b: Any, *, out: Any = ...) -> Any:
        bits = 8 * a.dtype.itemsize
        outside = (b < 0) | (b >= bits)
        shifted = forward(a, np.where(outside, 0, b).astype(b.dtype), out=...)
        return np.where(outside, beyond(a), shifted).astype(a.dtype)

    return shift


bitwise_and = _bitwise("bitwise_and", np.bitwise_and, "The bits that both elements of each pair have.")
bitwise_or = _bitwise("bitwise_or", np.bitwise_or, "The bits that either element of each pair has.")
bitwise_xor = _bitwise("bitwise_xor", np.bitwise_xor, "The bits that one element of each pair has.")
bitwise_left_shift = _bitwise(
    "bitwise_left_shift", _shift(np.left_shift, np.zeros_like), "The bits of each element moved up by `other` places.",
    "lshift", dtypes.INTEGER,
)  # fmt: skip
bitwise_right_shift = _bitwise(
    "bitwise_right_shift", _shift(np.right_shift, lambda a: -(a < 0).astype(a.dtype)),
    "The bits of each element moved down by `other` places, the sign kept.", "rshift", dtypes.INTEGER,
)  # fmt: skip
bitwise_not = flat(
    "bitwise_not", np.invert, check=_operands("bitwise_not", "bitwise_not", dtypes.BOOL, dtypes.INTEGER),
    doc="The bits of each element turned over; of bool the negation.",
)  # fmt: skip


def _invert(self: Tensor) -> Tensor:
    if self._array.dtype.kind not in "biu":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    made: Tensor = bitwise_not(self)
    return made


setattr(Tensor, "__invert__", _invert)  # noqa: B010 (the class declares no such operator)


def _reflected(function: Any) -> Any:
    """`number op tensor` as one of Python's operators."""

    def operator(self: Tensor, other: Any) -> Any:
        if not isinstance(self, Tensor):
            raise TypeError(f"descriptor of Tensor doesn't apply to a '{type(self).__name__}' object")
        return function(other, self) if isinstance(other, (Tensor, *NUMBERS)) else NotImplemented

    return operator


for _name, _function in {
    "and": bitwise_and, "or": bitwise_or, "xor": bitwise_xor, "lshift": bitwise_left_shift, "rshift": bitwise_right_shift,
}.items():  # fmt: skip
    _operator = operator_form(_function)
    setattr(Tensor, f"__{_name}__", _operator)
    setattr(Tensor, f"__r{_name}__", _reflected(_function))
    setattr(Tensor, f"__i{_name}__", inplace(_operator, f"__i{_name}__"))

# ------------------------------------------------------------------------------------------------ membership, signs


def isin(
    elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False, out: Any = None
) -> Tensor:
    """Whether each of `elements` is among `test_elements`: a bool tensor of the shape of `elements`.

    elements, test_elements: tensors, or one of them a number.
    invert: ask whether it is not among them.
    Raises RuntimeError for complex numbers and bool.

    >>> import wengert
    >>> wengert.isin(wengert.tensor([1, 2, 3]), wengert.tensor([2, 3, 5]))
    tensor([False,  True,  True])
    """
    if not isinstance(elements, Tensor) and not isinstance(test_elements, Tensor):
        raise argument_error("isin", "elements", 1, elements)
    for x in (elements, test_elements):
        if isinstance(x, Tensor) and x._array.dtype.kind in "bc":
            raise RuntimeError(
                f"Unsupported input type encountered for isin(): {scalar_name(x.dtype)}; it is for integers and floating-point "
                "numbers"
            )
    common = dtypes.common_type((elements, test_elements)).numpy
    first, second = (np.asarray(x._array if isinstance(x, Tensor) else x, common) for x in (elements, test_elements))
    found = wrap(np.isin(first, second, assume_unique=assume_unique, invert=invert))
    return found if out is None else into(out, found)


def _signbit_forward(a: Any) -> Any:
    return np.signbit(a, out=...) if a.dtype.kind == "f" else np.less(a, 0, out=...)


def _real_numbers(message: str, kind: type[Exception]) -> Any:
    def check(input: Any) -> None:
        if isinstance(input, Tensor) and input._array.dtype.kind == "c":
            raise kind(message)

    return check


signbit = flat(
    "signbit", _signbit_forward, check=_real_numbers("signbit is not implemented for complex tensors.", NotImplementedError),
    doc="Whether the sign bit of each element is set: of negative numbers, and of -0.0.",
)  # fmt: skip
isposinf = flat(
    "isposinf", lambda a: np.equal(a, np.inf, out=...),
    check=_real_numbers("isposinf does not support complex inputs.", RuntimeError), doc="Whether each element is infinity.",
)  # fmt: skip
isneginf = flat(
    "isneginf", lambda a: np.equal(a, -np.inf, out=...),
    check=_real_numbers("isneginf does not support complex inputs.", RuntimeError), doc="Whether each element is -infinity.",
)  # fmt: skip
isreal = flat(
    "isreal", lambda a: np.equal(a.imag, 0, out=...), doc="Whether the imaginary part of each element is zero."
)

_comparisons = "eq ne lt le gt ge"
_writable = (
    f"{_comparisons} logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not "
    "bitwise_left_shift bitwise_right_shift"
)
_methods = f"{_writable} equal isclose allclose signbit isposinf isneginf isreal"
__all__ = expose(__name__, functions=_methods + " isin", methods=_methods, writes=_writable)
__all__ += alias(__name__, "greater=gt greater_equal=ge less=lt less_equal=le not_equal=ne")
