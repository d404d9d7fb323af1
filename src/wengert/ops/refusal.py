"""Checks of dtypes that declarations share: what PyTorch says of a dtype that an operation is not for."""

from __future__ import annotations

from typing import Any

from .. import dtypes
from ..tensor import Tensor
from .inplace import scalar_name


def only_kinds(computation: str, kinds: str) -> Any:
    """A check that the operands' common dtype is of some kinds (as NumPy's letters); else PyTorch names its computation."""
    categories = {{"b": dtypes.BOOL, "i": dtypes.INTEGER, "u": dtypes.INTEGER, "f": dtypes.FLOAT}.get(k, 3) for k in kinds}

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
