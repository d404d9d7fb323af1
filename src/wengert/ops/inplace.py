"""In-place operations: writing into a tensor's memory, with its version, its history and its views kept right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..autograd.modes import get_mode
from ..autograd.node import AccumulateGrad, Output, TwoEdges, next_sequence
from ..quiet import hush, unhush
from ..tensor import Tensor, alias, edge_of, extra_of, wrap
from .forward_mode import set_tangent, tangent_of

if TYPE_CHECKING:
    from collections.abc import Callable

_new = object.__new__


def check_writable(x: Tensor) -> None:
    """Raise, in PyTorch's words, if `x` must not be written in place."""
    mode = get_mode()
    extra = x._extra
    if extra is not None:
        if extra.inference and not mode.inference:
            raise RuntimeError(
                "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
                "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
            )
    if mode.grad:
        edge = edge_of(x)
        if type(edge) is AccumulateGrad:
            raise RuntimeError(
                "a leaf Variable that requires grad is being used in an in-place operation."
            )
        if extra is not None and extra.view is not None:
            if type(edge_of(extra.view.base)) is AccumulateGrad:
                raise RuntimeError(
                    "a view of a leaf Variable that requires grad is being used in an in-place operation."
                )
            if extra.view.made is not None and (edge is not None):
                _refuse_view(extra.view.made, edge, x)
    array = x._array
    if 0 in array.strides and array.size and any(s == 0 and n > 1 for s, n in zip(array.strides, array.shape, strict=True)):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please "
            "clone() the tensor before performing the operation."
        )
    if not array.flags.writeable:
        raise RuntimeError(
            "the tensor's memory is a NumPy array that is not writeable; clone() the tensor before performing the operation"
        )


def _refuse_view(made: str, edge: Any, x: Tensor) -> None:
    node = edge.node if type(edge) is Output else edge
    index = edge.index if type(edge) is Output else 0
    what = f"Output {index} of {node.name()}"
    if made == "several":
        raise RuntimeError(
            f"{what} is a view and is being modified inplace. This view is the output of a function that returns multiple "
            "views. Such functions do not allow the output views to be modified inplace. You should replace the inplace "
            "operation by an out-of-place one."
        )
    where = "no_grad" if made == "no_grad" else "inference_mode"
    if made in ("no_grad", "inference"):
        raise RuntimeError(
            f"A view was created in {where} mode and its base or another view of its base has been modified inplace with grad "
            "mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code "
            f"by moving both the view and the inplace either both inside the {where} block (if you don't want the inplace to be "
            f"tracked) or both outside (if you want the inplace to be tracked)."
        )
    raise RuntimeError(
        f"{what} is a view and is being modified inplace. This view was created inside a custom Function (or because an input "
        "was returned as-is) and the autograd logic to handle view+inplace would override the custom backward associated with "
        "the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the "
        "output of the custom Function."
    )


def written(x: Tensor) -> None:
    """Count a write to the tensor's memory."""
    x._cell[0] += 1


def overwrite(x: Tensor, array: Any) -> Tensor:
    """Replace the values of `x` by constants, as random fills and the like do: checked, counted, cut off from its past."""
    check_writable(x)
    x._array[...] = array
    written(x)
    if get_mode().grad and _entangled(x):
        rebase(x, None)
    if get_mode().dual_level and x._extra is not None and x._extra.tangents:
        x._extra.tangents = None
    return x


def _entangled(x: Tensor) -> bool:
    """Whether the tensor or its base has a history."""
    if edge_of(x) is not None:
        return True
    view = x._extra.view if x._extra is not None else None
    return view is not None and edge_of(view.base) is not None


def assign(x: Tensor, make: Callable[[Tensor], Tensor], keeps_self: bool = False) -> Tensor:
    """Give `x` the value and the history of `make(x)`, in place.

    make        computes the new value out of place, recorded as usual; its node's first edge is that of `x`
    keeps_self  whether the node may keep the old value of `x`, which is then copied first
    """
    check_writable(x)
    old = x
    if keeps_self and get_mode().grad:
        old = alias(x._array.copy(), [0], edge_of(x))
        if x._extra is not None and x._extra.tangents:
            extra_of(old).tangents = dict(x._extra.tangents)
    value = make(old)
    _store(x, value)
    return x


def _store(x: Tensor, value: Tensor) -> None:
    """Write `value` into `x` and let the history of `x` be that of `value`."""
    target, array = x._array, value._array
    if array.shape != target.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(array.shape)}"
        )
    if array.dtype is not target.dtype:
        have, want = dtypes.of(array.dtype), dtypes.of(target.dtype)
        if not dtypes.can_cast(have, want):
            raise RuntimeError(
                f"result type {scalar_name(have)} can't be cast to the desired output type {scalar_name(want)}"
            )
        if value._edge is not None:
            value = value.to(want)
            array = value._array
    token = hush()
    try:
        target[...] = array
    finally:
        unhush(token)
    written(x)
    mode = get_mode()
    if mode.grad and (value._edge is not None or _entangled(x)):
        rebase(x, value._edge)
    if mode.dual_level:
        _store_tangents(x, value)


def scalar_name(d: dtypes.dtype) -> str:
    """PyTorch's internal name of a dtype, as its messages show it."""
    return _SCALAR_NAMES[d.name]


_SCALAR_NAMES = {
    "float32": "Float", "float64": "Double", "float16": "Half", "bfloat16": "BFloat16", "int64": "Long", "int32": "Int",
    "int16": "Short", "int8": "Char", "uint8": "Byte", "bool": "Bool", "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}  # fmt: skip


def _store_tangents(x: Tensor, value: Tensor) -> None:
    levels = set((x._extra.tangents if x._extra is not None and x._extra.tangents else {}))
    levels |= set((value._extra.tangents if value._extra is not None and value._extra.tangents else {}))
    for level in levels:
        old, new = tangent_of(x, level), tangent_of(value, level)
        if old is not None:
            old.copy_(new) if new is not None else old.zero_()
            continue
        assert new is not None
        view = x._extra.view if x._extra is not None else None
        if view is None:
            set_tangent(x, level, new.clone())
            continue
        base = tangent_of(view.base, level)
        if base is None:
            base = wrap(np.zeros_like(view.base._array))
            set_tangent(view.base, level, base)
        part = base
        for operation, arguments in view.chain:
            part = operation.replay(part, arguments)
        part.copy_(new)
        set_tangent(x, level, part)


# ------------------------------------------------------------------------------------------------ history


def rebase(x: Tensor, edge: Any) -> None:
    """Make `edge` the history of `x`, of its base, and of the other views of its memory."""
    view = x._extra.view if x._extra is not None else None
    if view is None:
        x._edge = edge
        _forget_views(x._cell, x)
        return
    base = view.base
    base._edge = CopySlices.make(base, view.chain, edge)
    _forget_views(x._cell, base)


def _forget_views(cell: list[Any], written_to: Tensor) -> None:
    """Unset the edges of the views of this memory, to be looked up from their base."""
    for reference in cell[1:]:
        other = reference()
        if other is None or other is written_to or other._extra is None or other._extra.view is None:
            continue
        if other._extra.view.base is written_to or written_to._extra is None or written_to._extra.view is None:
            try:
                del other._edge
            except AttributeError:
                continue


class CopySlices(TwoEdges):
    """The history of a base after one of its views was written: the base as it was, but for the view's part of it.

    The first edge is the base's old history, the second that of the value written. `saved` is the chain to the view.
    """

    __slots__ = ()

    @classmethod
    def make(cls, base: Tensor, chain: tuple[Any, ...], edge: Any) -> CopySlices:
        """The node for a write that gave the view at the end of `chain` the history `edge`, None for constants."""
        self: CopySlices = _new(cls)
        self.edges = (edge_of(base), edge)
        self.saved = chain
        self.versions = None
        self.adjust = None
        self.sequence = next_sequence()
        self.rare = None
        return self

    def pull(self, t: Any) -> tuple[Any, ...]:
        rest = part = np.array(t)
        for operation, arguments in self.saved:
            part = operation.forward(part, *arguments)
        value = part.copy()
        part[...] = 0
        return rest, value

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        part = t
        rest = hole = t.clone()
        for operation, arguments in self.saved:
            part = operation.replay(part, arguments)
            hole = operation.replay(hole, arguments)
        hole.zero_()
        return rest, part


def inplace(op: Callable[..., Tensor], name: str) -> Callable[..., Tensor]:
    """The in-place form of an operation whose first argument is the tensor that it replaces."""
    operation = getattr(op, "operation", None)
    keeps = operation is None or any(k[0] for k in operation.keeps)

    def call(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return assign(self, lambda x: op(x, *args, **kwargs), keeps)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`{name[:-1]}`, in place."
    return call


def into(out: Any, result: Any) -> Any:
    """Write a result into the tensor given as `out`, which is resized if need be."""
    if isinstance(result, tuple):
        return type(result)(*map(into, out, result)) if hasattr(result, "_fields") else tuple(map(into, out, result))
    if not isinstance(out, Tensor):
        raise TypeError(f"argument 'out' must be Tensor, not {type(out).__name__}")
    if get_mode().grad and (result._edge is not None or edge_of(out) is not None):
        raise RuntimeError(
            "functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad."
        )
    have, want = result.dtype, out.dtype
    if not dtypes.can_cast(have, want):
        raise RuntimeError(f"result type {scalar_name(have)} can't be cast to the desired output type {scalar_name(want)}")
    if out._array.shape != result._array.shape:
        if out._array.size:
            import warnings

            warnings.warn(
                f"An output with one or more elements was resized since it had shape {list(out._array.shape)}, which does not "
                f"match the required output shape {list(result._array.shape)}. This behavior is deprecated, and in a future "
                "PyTorch release outputs will not be resized unless they have zero elements. You can explicitly reuse an out "
                "tensor t by resizing it, inplace, to zero elements with t.resize_(0).",
                UserWarning,
                stacklevel=3,
            )
        out._array = np.empty(result._array.shape, out._array.dtype)
    with np.errstate(all="ignore"):
        out._array[...] = result._array
    written(out)
    return out
