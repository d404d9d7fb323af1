"""The specialised path of operations that give a view of their one tensor's memory, for every dtype."""

from __future__ import annotations

import weakref
from typing import Any

from ..autograd.modes import DEFAULT, get_mode
from ..autograd.node import next_sequence
from ..tensor import Extra, Tensor, View, edge_of, forget_the_gone
from .operation import Operation, parameters_of
from .specialise import Aside, named

_new: Any = object.__new__


def specialise_view(op: Operation) -> Any:
    """The path of a view operation; it is called with the tensor and then the further arguments."""
    apply, forward, node_type = op.apply, op.forward, op.node_type
    wants_shape = "self_shape" in parameters_of(op.rules[0])

    def call(input: Any, *statics: Any) -> Any:
        mode = get_mode()
        try:
            # a holomorphic operation on complex values needs its gradients conjugated: no view operation is declared as one
            if mode is not DEFAULT:
                raise Aside
            a = input._array
            edge = input._edge
            whence = input._extra
            if whence is not None and (whence.view is None or whence.inference):
                raise Aside
            r = forward(a, *statics)
            if r.dtype is not a.dtype:
                raise Aside
        except Exception:
            return apply((input,), statics)
        result = _new(Tensor)
        result._array = r
        result._cell = cell = input._cell
        result._extra = extra = Extra()
        extra.view = view = _new(View)
        view.lost = None
        if whence is None:
            view.base = input
            view.chain = ((op, statics),)
            view.made = None
        else:
            earlier = whence.view
            view.base = earlier.base
            view.chain = (*earlier.chain, (op, statics))
            view.made = earlier.made
        if edge is None:
            result._edge = None
        else:
            result._edge = node = _new(node_type)
            node.edge = edge
            node.sequence = next_sequence()
            node.adjust = node.versions = None
            node.saved = (None, None, a.shape if wants_shape else None, *statics)
        cell.append(weakref.ref(result))
        if len(cell) & 63 == 0:
            forget_the_gone(cell)
        return result

    return named(call, op)


def view_in_steps(x: Any, steps: list[tuple[Operation, tuple[Any, ...]]]) -> Any:
    """The view that several view operations make one after the other: a node for each, a tensor only for the last."""
    whence = x._extra
    if get_mode() is not DEFAULT or (whence is not None and (whence.view is None or whence.inference)):
        for op, statics in steps:
            x = op.apply((x,), statics)
        return x
    edge = edge_of(x)
    array = x._array
    for op, statics in steps:
        shape = array.shape
        array = op.forward(array, *statics)
        if edge is not None:
            node = _new(op.node_type)
            node.edge = edge
            node.sequence = next_sequence()
            node.adjust = node.versions = None
            node.saved = (None, None, shape, *statics)
            edge = node
    result = _new(Tensor)
    result._array = array
    result._cell = cell = x._cell
    result._edge = edge
    result._extra = extra = Extra()
    if whence is None:
        extra.view = View(x, tuple(steps))
    else:
        earlier = whence.view
        extra.view = View(earlier.base, (*earlier.chain, *steps), earlier.made)
    cell.append(weakref.ref(result))
    if len(cell) & 63 == 0:
        forget_the_gone(cell)
    return result
