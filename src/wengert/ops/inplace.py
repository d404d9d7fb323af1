"""In-place operations: writing into a tensor's memory, with its version, its history and its views kept right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..autograd.modes import DEFAULT, get_mode, set_mode
from ..autograd.node import AccumulateGrad, OneEdge, Output, TwoEdges, next_sequence, rare_of, short_name
from ..autograd.saved import KEPT
from ..dtype_names import scalar_name
from ..quiet import hush, unhush
from ..tensor import Tensor, alias, edge_of, extra_of, wrap
from .forward_mode import set_tangent, tangent_of

if TYPE_CHECKING:
    from collections.abc import Callable

_new = object.__new__


def check_writable(x: Tensor, memory: bool = True) -> None:
    """Raise, in PyTorch's words, if `x` must not be written in place; without `memory`, if it must not become another view."""
    mode = get_mode()
    extra = x._extra
    if extra is not None and extra.inference and not mode.inference:
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
            "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
        )
    if mode.saved_hooks:
        from ..autograd.graph import before_write

        before_write(mode, x)
    if mode.grad:
        check_history(x)
    if not memory:
        return
    array = x._array
    if (
        0 in array.strides
        and array.size
        and any(s == 0 and n > 1 for s, n in zip(array.strides, array.shape, strict=True))
    ):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please "
            "clone() the tensor before performing the operation."
        )
    if not array.flags.writeable:
        raise RuntimeError(
            "the tensor's memory is a NumPy array that is not writeable; clone() the tensor before performing the operation"
        )


def check_history(x: Tensor) -> None:
    """Raise, in PyTorch's words, if the history of `x` does not allow an in-place write that is recorded."""
    view = x._extra.view if x._extra is not None else None
    if view is not None:
        base_edge = edge_of(view.base)
        if view.made is not None and (base_edge is not None or x._edge is not None):
            raise view_error(view.made, getattr(x, "_edge", view.lost), "is being modified inplace")
        if type(base_edge) is AccumulateGrad:
            raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
    if type(edge_of(x)) is AccumulateGrad:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")


def view_error(made: str, edge: Any, happened: str) -> RuntimeError:
    """PyTorch's error for a view that has lost its place in the graph, or would; `made` says how it was made."""
    if made in ("no_grad", "inference"):
        mode = "no_grad" if made == "no_grad" else "inference"
        block = "no_grad" if made == "no_grad" else "inference_mode"
        now = "with grad mode enabled" if made == "no_grad" or "base" in happened else "in normal mode"
        return RuntimeError(
            f"A view was created in {mode} mode and {happened} {now}. Given that this use case is ambiguous and error-prone, it is "
            f"forbidden. You can clarify your code by moving both the view and the inplace either both inside the {block} block "
            "(if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."
        )
    node, index = (edge.node, edge.index) if type(edge) is Output else (edge, 0)
    what = f"Output {index} of {short_name(node)} is a view and {happened}."
    if node is None:
        what = f"A view was created in no_grad mode and {happened} with grad mode enabled."
    if made == "several":
        return RuntimeError(
            f"{what} This view is the output of a function that returns multiple views. Such functions do not allow the output "
            "views to be modified inplace. You should replace the inplace operation by an out-of-place one."
        )
    return RuntimeError(
        f"{what} This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to "
        "handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect "
        "gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function."
    )


def written(x: Tensor) -> None:
    """Count a write to the tensor's memory."""
    cell = x._cell
    if type(cell) is list:  # tensors of inference mode have no version
        cell[0] += 1
        if len(cell) > 1:
            _forget_recorded(cell)


def _forget_recorded(cell: list[Any]) -> None:
    """After a write, let the views of this memory that have a history be looked up from their base."""
    for reference in cell[1:]:
        view = reference()
        if view is None or view._extra is None or view._extra.view is None:
            continue
        edge = getattr(view, "_edge", None)
        if edge is not None and type(edge) is not AccumulateGrad:
            del view._edge
            if view._extra.view.made is not None:
                view._extra.view.lost = edge
            if view.retains_grad:
                _retain_no_more(edge)


def overwrite(x: Tensor, array: Any) -> Tensor:
    """Replace the values of `x` by constants, as random fills and the like do: checked, counted, cut off from its past."""
    check_writable(x)
    x._array[...] = array
    written(x)
    if get_mode().grad and entangled(x):
        rebase(x, _overwritten(x, None))
    if get_mode().dual_level and x._extra is not None and x._extra.tangents:
        x._extra.tangents = None
    return x


def entangled(x: Tensor) -> bool:
    """Whether the tensor or its base has a history."""
    view = x._extra.view if x._extra is not None else None
    return edge_of(x if view is None else view.base) is not None


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
    view = x._extra.view if x._extra is not None else None
    if view is not None and view.made is not None and value._edge is not None:
        raise view_error(view.made, value._edge, "is being modified inplace")
    token = hush()
    try:
        target[...] = array
    finally:
        unhush(token)
    written(x)
    mode = get_mode()
    if mode.grad and (value._edge is not None or entangled(x)):
        rebase(x, _overwritten(x, value._edge))
    if mode.dual_level:
        _store_tangents(x, value)


def _store_tangents(x: Tensor, value: Tensor) -> None:
    levels = set(x._extra.tangents if x._extra is not None and x._extra.tangents else {})
    levels |= set(value._extra.tangents if value._extra is not None and value._extra.tangents else {})
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
    base = x if view is None else view.base
    before = base._edge
    base._edge = edge if view is None else CopySlices.make(base, view.chain, edge)
    if base.retains_grad:
        _retain_no_more(before)
        _retain_at(base, base._edge)
    _forget_views(x._cell, base)
    if view is not None and x.retains_grad:
        edge_of(x)  # at which the gradient is retained from now on


def _retain_no_more(edge: Any) -> None:
    node, index = (edge.node, edge.index) if type(edge) is Output else (edge, 0)
    if node is not None and node.rare is not None:
        node.rare.retained.pop(index, None)


def _retain_at(x: Tensor, edge: Any) -> None:
    """Let the gradient that `x` retains be the one that arrives at its new edge."""
    extra = extra_of(x)
    assert extra.retained is not None
    if edge is None:
        extra.grad, extra.retained = extra.retained.grad, None
    else:
        node, index = (edge.node, edge.index) if type(edge) is Output else (edge, 0)
        rare_of(node).retained[index] = extra.retained


class CopyBackwards(TwoEdges):
    """The history of a tensor that was overwritten: its past, which gets zeros, and that of what was written, if it has one."""

    __slots__ = ()

    def pull(self, t: Any) -> tuple[Any, ...]:
        return np.zeros_like(t), t

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        return wrap(np.zeros_like(t._array)), t


def _overwritten(x: Tensor, edge: Any) -> Any:
    """The edge of `x` after a value with this edge was written to it."""
    if edge is not None and type(edge).__name__ != "CopyBackwards":
        return edge  # of an operation on `x` itself
    before = edge_of(x)
    if before is None or x._is_view():  # a view's base keeps the rest of its history
        return edge
    node: CopyBackwards = _new(CopyBackwards)
    node.edges = (before, edge)
    node.saved = node.versions = node.adjust = None
    node.sequence = next_sequence()
    return node


def _forget_views(cell: list[Any], base: Tensor) -> None:
    """Let the edges of the views of `base` be looked up anew, when they are asked for."""
    for reference in cell[1:]:
        other = reference()
        view = other._extra.view if other is not None and other._extra is not None else None
        if view is None or view.base is not base:
            continue
        try:
            edge = other._edge
            del other._edge
        except AttributeError:
            continue
        if view.made is not None:
            view.lost = edge  # for the error
        if other.retains_grad:
            _retain_no_more(edge)


def edge_of_view(x: Tensor) -> Any:
    """The edge of a view whose base got another history: by what it now comes of the base.

    Raises RuntimeError for a view that may not be looked at again after that.
    """
    view = x._extra.view  # type: ignore[union-attr]
    assert view is not None
    if view.made is not None and edge_of(view.base) is not None:
        raise view_error(view.made, view.lost, "its base or another view of its base has been modified inplace")
    mode = get_mode()
    set_mode(DEFAULT)  # the view belongs to the graph, whatever the mode in which it is looked at
    steps: list[Any] = []
    made = view.base
    try:
        for operation, arguments in view.chain:
            made = operation.replay(made, arguments)
            steps.append(made._edge)
    finally:
        set_mode(mode)
    edge = made._edge
    if edge is not None and made is not view.base:
        edge = AsStridedBackward0.make(edge_of(view.base), tuple(reversed(steps)))
    if x.retains_grad:
        _retain_at(x, edge)
    return edge


class AsStridedBackward0(OneEdge):
    """The history of a view whose base was written to. `saved` are the nodes from the view back to the base.

    It has the name that PyTorch gives it, which looks at the memory of the base anew.
    """

    __slots__ = ()

    @classmethod
    def make(cls, edge: Any, steps: tuple[Any, ...]) -> AsStridedBackward0:
        """The node for a view that comes of the base, whose history is `edge`, by these steps."""
        self: AsStridedBackward0 = _new(cls)
        self.edge = edge
        self.saved = steps
        self.versions = self.adjust = None
        self.sequence = next_sequence()
        return self

    def pull(self, t: Any) -> tuple[Any, ...]:
        for step in self.saved:
            (t,) = step.pull(t) if step.adjust is None else step.adjust.arrays(step.pull, t)
        return (t,)

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        for step in self.saved:
            (t,) = step.pull_tensors(t) if step.adjust is None else step.adjust.tensors(step.pull_tensors, t)
        return (t,)


class CopySlices(TwoEdges):
    """The history of a base after one of its views was written: the base as it was, but for the view's part of it.

    The first edge is the base's old history, the second that of the value written. `saved` is the chain to the view, and
    `nesting` the order of the base's dimensions in memory, outermost first, if it is not C order: in another order the steps of
    the chain might not give views.
    """

    __slots__ = ("nesting",)

    nesting: Any

    @classmethod
    def make(cls, base: Tensor, chain: tuple[Any, ...], edge: Any) -> CopySlices:
        """The node for a write that gave the view at the end of `chain` the history `edge`, None for constants."""
        self: CopySlices = _new(cls)
        self.edges = (edge_of(base), edge)
        self.saved = chain
        array = base._array
        self.nesting = None
        if not array.flags.c_contiguous:
            self.nesting = sorted(range(array.ndim), key=lambda i: -array.strides[i])
        self.versions = KEPT
        self.adjust = None
        self.sequence = next_sequence()
        return self

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """As PyTorch shows them: the base's old history, then what the value came of, for the write is one with the node."""
        first, second = self.edges
        shown = (None, 0) if first is None else (first.node, first.index) if type(first) is Output else (first, 0)
        node = second.node if type(second) is Output else second
        return (shown, *node.next_functions[1:]) if node is not None else (shown, (None, 0))

    def pull(self, t: Any) -> tuple[Any, ...]:
        if self.nesting is None:
            rest = np.array(t, order="C")
        else:
            rest = np.array(t.transpose(self.nesting), order="C").transpose(np.argsort(self.nesting))
        part = rest
        for operation, arguments in self.saved:
            part = operation.forward(part, *arguments)
        value = part.copy()
        part[...] = 0
        return rest, value

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        from ..device import contiguous_format

        if self.nesting is not None:
            back = np.argsort(self.nesting).tolist()
            part = t.permute(self.nesting).contiguous().permute(back)
            rest = t.permute(self.nesting).clone(memory_format=contiguous_format).permute(back)
        else:
            part = t.contiguous()
            rest = t.clone(memory_format=contiguous_format)
        hole = rest
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
        raise RuntimeError(
            f"result type {scalar_name(have)} can't be cast to the desired output type {scalar_name(want)}"
        )
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
