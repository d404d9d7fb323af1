"""What declarations share: checks of operands in PyTorch's words, and halves computed in float32."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..dtype_names import scalar_name
from ..tensor import Tensor
from .operation import NUMBERS, argument_error


def only_kinds(computation: str, kinds: str) -> Any:
    """A check that the operands' common dtype is of some kinds (as NumPy's letters); else PyTorch names its computation."""
    categories = {
        {"b": dtypes.BOOL, "i": dtypes.INTEGER, "u": dtypes.INTEGER, "f": dtypes.FLOAT}.get(k, 3) for k in kinds
    }

    def check(*inputs: Any) -> None:
        common = dtypes.common_type([x for x in inputs if x is not None])
        if common.category not in categories:
            raise NotImplementedError(
                f"\"{computation}\" not implemented for '{scalar_name(common)}': convert the operands first, e.g. with .to()"
            )

    return check


def refuse_complex(message: str, kind: type[Exception] = RuntimeError) -> Any:
    """A check that no operand is complex."""

    def check(*inputs: Any) -> None:
        for x in inputs:
            if isinstance(x, complex) or (isinstance(x, Tensor) and x._array.dtype.kind == "c"):
                raise kind(message)

    return check


def in_single(forward: Any) -> Any:
    """A forward of several steps that computes halves in float32, as PyTorch does, and rounds once."""

    def wide(a: Any, *further: Any) -> Any:
        if a.dtype.itemsize == 2:
            return forward(a.astype(np.float32), *further).astype(a.dtype)
        return forward(a, *further)

    return wide


def only_tensors(operation: str) -> Any:
    """A check that all operands are tensors."""

    def check(*inputs: Any) -> None:
        for i, x in enumerate(inputs):
            if not isinstance(x, Tensor):
                raise argument_error(operation, "self" if i == 0 else "other", i + 1, x)

    return check


def of_tensors(declared: Any, numbers: str = "") -> Any:
    """The public function of an operation on two operands, of which only those that `numbers` names may be numbers.

    The declared operation takes numbers for both, as its rules need.
    """
    operation = declared.operation.name

    def function(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
        if type(input) is not Tensor or type(other) is not Tensor:
            for i, (name, x) in enumerate((("input", input), ("other", other)), 1):
                if not isinstance(x, Tensor) and not (name in numbers and isinstance(x, NUMBERS)):
                    raise argument_error(operation, name, i, x)
            if not isinstance(input, Tensor) and not isinstance(other, Tensor):
                raise argument_error(operation, "input", 1, input)
        made: Tensor = declared(input, other, out=out)
        return made

    function.__name__ = function.__qualname__ = operation
    function.__doc__ = declared.__doc__
    function.operation = declared.operation  # type: ignore[attr-defined]
    return function


def check_kinds(computation: str, kinds: str = "f", bool_message: str | None = None) -> Any:
    """A check of the dtype: only these kinds, else PyTorch's message that names its computation."""

    def check(input: Any, *_: Any) -> None:
        if not isinstance(input, Tensor):
            return
        kind = input._array.dtype.kind
        if kind == "b" and bool_message is not None:
            raise RuntimeError(bool_message)
        if kind not in kinds and not input.dtype.is_floating_point:
            if computation == "clamp":
                raise NotImplementedError("clamp is not supported for complex types")
            raise NotImplementedError(
                f"\"{computation}\" not implemented for '{scalar_name(input.dtype)}': convert the tensor to floating point"
            )

    return check


def check_call(function: str, input: Any, **numbers: Any) -> None:
    """Raise unless the input is a tensor and the further arguments are numbers."""
    if not isinstance(input, Tensor):
        raise argument_error(function, "input", 1, input)
    for position, (name, value) in enumerate(numbers.items(), 2):
        if not isinstance(value, NUMBERS):
            raise TypeError(
                f"{function}(): argument '{name}' (position {position}) must be Number, not {type(value).__name__}"
            )
