"""Elementwise combinations of two and three tensors that arithmetic is made of: `lerp`, `addcmul`, `xlogy`, `logaddexp`..."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import dtypes
from ..dtype_names import c_name, scalar_name
from ..tensor import Tensor
from .complex_numbers import is_complex
from .declare import NUMBERS, argument_error, diagonal
from .expose import expose
from .inplace import into
from .refusal import of_tensors, only_kinds
from .selection import choose

_LN2 = math.log(2.0)

# ---------------------------------------------------------------------------------------------- signs and powers of two


copysign = of_tensors(
    diagonal(
        "copysign", np.copysign, lambda F, t, self, out: t * (F.sign(self) * F.sign(out)), lambda F, t: F.null(t),
        promote="float", check=only_kinds("copysign_cpu", "fiub"),
        doc="""Each element of `input` with the sign of `other`.

    input: a tensor; other: a tensor, or a number; their shapes broadcast. At 0 the gradient is 0.

    >>> import wengert
    >>> wengert.copysign(wengert.tensor([1.0, -2.0]), -1)
    tensor([-1., -2.])
    """,
    ),
    "other",
)  # fmt: skip


def _ldexp_forward(a: Any, b: Any, *, out: Any = ...) -> Any:
    return np.multiply(a, np.power(b.dtype.type(2), b), out=out)


ldexp = of_tensors(
    diagonal(
        "ldexp", _ldexp_forward, lambda F, t, other: t * F.exp2(other), lambda F, t, out: t * (out * _LN2), promote="float",
        doc="""`input * 2**other`, elementwise.

    input, other: tensors; their shapes broadcast.

    >>> import wengert
    >>> wengert.ldexp(wengert.tensor([1.0, 3.0]), wengert.tensor([2, 4]))
    tensor([ 4., 48.])
    """,
    ),
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ logarithms


def _logaddexp_forward(a: Any, b: Any, *, out: Any = ...) -> Any:
    if a.dtype.kind != "c":
        return np.logaddexp(a, b, out=out)
    swap = b.real > a.real
    high, low = np.where(swap, b, a), np.where(swap, a, b)
    made = high + np.log1p(np.exp(low - high))
    return np.where(np.isinf(high) & (high == low), high, made)


def _share(F: Any, t: Any, self: Any, other: Any) -> Any:
    # of -inf the share is 0, also if the other is -inf too
    return F.masked(t * F.sigmoid(self - other), ~((self == -math.inf) & (other == -math.inf)))


def _share_of_twos(F: Any, t: Any, self: Any, other: Any) -> Any:
    return F.masked(t * F.sigmoid((self - other) * _LN2), ~((self == -math.inf) & (other == -math.inf)))


logaddexp = of_tensors(
    diagonal(
        "logaddexp", _logaddexp_forward, _share, lambda F, t, self, other: _share(F, t, other, self),
        check=only_kinds("logaddexp_cpu", "fc"),
        doc="""`log(exp(input) + exp(other))`, in range wherever the result is.

    input, other: tensors; their shapes broadcast.

    >>> import wengert
    >>> wengert.logaddexp(wengert.tensor([-1000.0]), wengert.tensor([-1000.0]))
    tensor([-999.3068])
    """,
    ),
)  # fmt: skip
logaddexp2 = of_tensors(
    diagonal(
        "logaddexp2", np.logaddexp2, _share_of_twos, lambda F, t, self, other: _share_of_twos(F, t, other, self),
        check=only_kinds("logaddexp2_cpu", "f"),
        doc="""`log2(2**input + 2**other)`, in range wherever the result is.

    input, other: tensors; their shapes broadcast.

    >>> import wengert
    >>> wengert.logaddexp2(wengert.tensor([3.0]), wengert.tensor([3.0]))
    tensor([4.])
    """,
    ),
)  # fmt: skip


def _times_log(log: Any) -> Any:
    def forward(a: Any, b: Any, *, out: Any = ...) -> Any:
        made = np.multiply(a, log(b), out=...)
        return choose(np.isnan(b), b, choose(a != 0, made, a.dtype.type(0)))

    return forward


xlogy = of_tensors(
    diagonal(
        "xlogy", _times_log(np.log),
        lambda F, t, self, other: F.masked(t * F.log(other), ~((self == 0) & (other <= 0))),
        lambda F, t, self, other: F.masked(t * (self / other), ~((self == 0) & (other == 0))), promote="float",
        check=only_kinds("xlogy_cpu", "fiub"),
        doc="""`input * log(other)`, 0 where `input` is 0.

    input, other: tensors, or one of them a number; their shapes broadcast.

    >>> import wengert
    >>> wengert.xlogy(wengert.tensor([0.0, 2.0]), wengert.tensor([0.0, 1.0]))
    tensor([0., 0.])
    """,
    ),
    "input other",
)  # fmt: skip
xlog1py = of_tensors(
    diagonal(
        "xlog1py", _times_log(np.log1p),
        lambda F, t, self, other: F.masked(t * F.log1p(other), ~((self == 0) & (other <= -1))),
        lambda F, t, self, other: F.masked(t * (self / (other + 1)), ~((self == 0) & (other == -1))), promote="float",
        check=only_kinds("xlog1py_cpu", "fiub"), node="SpecialXlog1PyBackward0",
        doc="""`input * log1p(other)`, 0 where `input` is 0.

    input, other: tensors, or one of them a number; their shapes broadcast.
    """,
    ),
    "input other",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ lerp


def _lerp_forward(a: Any, b: Any, w: Any) -> Any:
    # from the nearer end, so that both ends are met exactly
    return choose(np.abs(w) < 0.5, a + w * (b - a), b - (b - a) * (1 - w))


def _lerp_by_number(a: Any, b: Any, w: Any) -> Any:
    way = np.subtract(b, a, out=...)
    if abs(w) < 0.5:
        way *= w
        way += a
        return way
    way *= 1 - w
    return np.subtract(b, way, out=...)


_lerp_number = diagonal(
    "lerp_number", _lerp_by_number, lambda F, t, weight: t * (1 - weight), lambda F, t, weight: t * weight,
    inputs=("self", "end"), statics=("weight",), promote=None, node="LerpBackward0",
)  # fmt: skip
_lerp = diagonal(
    "lerp", _lerp_forward, lambda F, t, weight: t * (1 - weight), lambda F, t, weight: t * weight,
    lambda F, t, self, end: t * (end - self), inputs=("self", "end", "weight"), promote=None, node="LerpBackward1",
)  # fmt: skip


def lerp(input: Tensor, end: Tensor, weight: Any, *, out: Tensor | None = None) -> Tensor:
    """`input + weight * (end - input)`: what lies between two tensors.

    input, end: tensors of one dtype; weight: a number, or a tensor of that dtype; the shapes broadcast.
    Raises RuntimeError if the dtypes differ, NotImplementedError for integers.

    >>> import wengert
    >>> wengert.lerp(wengert.tensor([0.0, 10.0]), wengert.tensor([1.0, 20.0]), 0.5)
    tensor([ 0.5000, 15.0000])
    """
    for position, (name, x) in enumerate((("input", input), ("end", end)), 1):
        if not isinstance(x, Tensor):
            raise argument_error("lerp", name, position, x)
    by_number = isinstance(weight, NUMBERS)
    if not by_number and not isinstance(weight, Tensor):
        raise argument_error("lerp", "weight", 3, weight)
    for name, x in (("end", end), ("weight", weight)):
        if isinstance(x, Tensor) and x._array.dtype != input._array.dtype:
            raise RuntimeError(f"expected dtype {c_name(input.dtype)} for `{name}` but got dtype {c_name(x.dtype)}")
    if input.dtype.category < dtypes.FLOAT:
        kernel = "lerp_kernel_scalar" if by_number else "lerp_kernel_tensor"
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{scalar_name(input.dtype)}'")
    if isinstance(weight, complex) and not is_complex(input):
        raise RuntimeError(f"value cannot be converted to type {c_name(input.dtype)} without overflow")
    made = (_lerp_number if by_number else _lerp)(input, end, weight)
    return made if out is None else into(out, made)


# ------------------------------------------------------------------------------------------------ addcmul, addcdiv


def _factor(a: Any, value: Any) -> Any:
    return int(value) if a.dtype.kind in "iu" else value


def _add_product(a: Any, b: Any, c: Any, value: Any) -> Any:
    made = np.multiply(b, c, out=...)
    if value != 1:
        made = np.multiply(made, _factor(made, value), out=...)
    return np.add(a, made, out=...)


def _add_quotient(a: Any, b: Any, c: Any, value: Any) -> Any:
    made = np.true_divide(b, c, out=...)
    if value != 1:
        made = np.multiply(made, value, out=...)
    return np.add(a, made, out=...)


_three = ("self", "tensor1", "tensor2")
_addcmul = diagonal(
    "addcmul", _add_product, lambda F, t: t, lambda F, t, tensor2, value: t * (tensor2 * value),
    lambda F, t, tensor1, value: t * (tensor1 * value), inputs=_three, statics=("value",),
    check=only_kinds("addcmul_cpu_out", "iufc"),
)  # fmt: skip
_addcdiv = diagonal(
    "addcdiv", _add_quotient, lambda F, t: t, lambda F, t, tensor2, value: t * (value / tensor2),
    lambda F, t, tensor1, tensor2, value: t * -(tensor1 / tensor2 / tensor2 * value), inputs=_three, statics=("value",),
)  # fmt: skip


def _check_three(name: str, *found: Any) -> None:
    for i, (label, x) in enumerate(zip(("input", "tensor1", "tensor2"), found, strict=True), 1):
        if not isinstance(x, Tensor):
            raise argument_error(name, label, i, x)


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1, out: Tensor | None = None) -> Tensor:
    """`input + value * tensor1 * tensor2`, elementwise.

    The shapes broadcast, the dtypes promote.

    >>> import wengert
    >>> wengert.addcmul(wengert.tensor([1.0]), wengert.tensor([2.0]), wengert.tensor([3.0]), value=10)
    tensor([61.])
    """
    _check_three("addcmul", input, tensor1, tensor2)
    made = _addcmul(input, tensor1, tensor2, value)
    return made if out is None else into(out, made)


def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1, out: Tensor | None = None) -> Tensor:
    """`input + value * tensor1 / tensor2`, elementwise.

    The shapes broadcast, the dtypes promote.
    Raises RuntimeError where two integers would be divided.

    >>> import wengert
    >>> wengert.addcdiv(wengert.tensor([1.0]), wengert.tensor([6.0]), wengert.tensor([3.0]), value=10)
    tensor([21.])
    """
    _check_three("addcdiv", input, tensor1, tensor2)
    if tensor1.dtype.category < dtypes.FLOAT and tensor2.dtype.category < dtypes.FLOAT:
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true "
            "division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * "
            "torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for "
            "float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), "
            "for all dtypes."
        )
    made = _addcdiv(input, tensor1, tensor2, value)
    return made if out is None else into(out, made)


_all = "copysign ldexp logaddexp logaddexp2 xlogy lerp addcmul addcdiv"
__all__ = expose(
    __name__, functions=_all + " ldexp_ xlogy_", methods=_all, writes="copysign ldexp xlogy lerp addcmul addcdiv"
)
