"""The specialised paths: what an operation's call costs where nothing rare is going on.

Each function here makes of an `Operation` the function that users and other operations call. It serves float32 and float64 tensors
of one dtype, with no rare mode on, and does what `Operation.apply` does with nothing in between; all else it sends there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..autograd.adjust import Adjust
from ..autograd.modes import DEFAULT, get_mode
from ..autograd.node import next_sequence
from ..tensor import Tensor, wrap
from .namespace import arrays as arrays_namespace
from .namespace import tensors as tensors_namespace
from .operation import OPERANDS, UNCHANGING, Operation, not_a_tensor, number_array, parameters_of

if TYPE_CHECKING:
    from collections.abc import Callable

    Array = np.ndarray[Any, np.dtype[Any]]

F32 = np.dtype(np.float32)
F64 = np.dtype(np.float64)
_new: Any = object.__new__


# Python numbers, by value, as arrays and as what a node keeps of one (the same tuple each time, which the garbage collector then
# has not got to look at once for each node): NumPy takes longer to convert a number than to multiply by it.
_constants32: dict[Any, tuple[Array, tuple[None, Array]]] = {}
_constants64: dict[Any, tuple[Array, tuple[None, Array]]] = {}


def _constant(number: Any, d: np.dtype[Any]) -> tuple[Array, tuple[None, Array]]:
    """The number as a 0-d array, remembered. Not for zero, which has two signs and one hash."""
    store = _constants32 if d is F32 else _constants64
    if len(store) > 4096:
        store.clear()
    array = number_array(number, d)
    found = (array, (None, array))
    if number:
        store[number] = found
    return found


def specialise_unary(op: Operation) -> Any:
    """The path of an operation on one tensor and nothing else, for float32 and float64."""
    forward, node_type, apply = op.forward, op.node_type, op.apply
    is_ufunc = isinstance(forward, np.ufunc)
    keep_self, keep_out = op.keeps[0] if op.keeps else (False, False)
    recorded = bool(op.rules)
    wants_shape = recorded and "self_shape" in parameters_of(op.rules[0])

    def unary(input: Any, *, out: Any = None) -> Any:
        mode = get_mode()
        try:
            a = input._array
            edge = input._edge
            d = a.dtype
            if (d is not F32 and d is not F64) or out is not None or not mode.plain:
                raise Aside
            r = forward(a, out=...) if is_ufunc else forward(a)
        except Exception:
            return aside(apply, (input,), (), out)
        result: Tensor = _new(Tensor)
        result._array = r
        result._extra = None
        if edge is None or mode is not DEFAULT or not recorded:
            result._cell = [0]
            result._edge = None
            return result
        node = _new(node_type)
        node.edge = edge
        node.sequence = next_sequence()
        node.adjust = None
        result._cell = cell = [0]
        result._edge = node
        if keep_out:
            if keep_self:
                node.saved = (a, r)
                node.versions = (input._cell, input._cell[0], cell, 0)
            else:
                node.saved = (None, r)
                node.versions = (cell, 0)
        elif keep_self:
            node.saved = (a, None)
            node.versions = (input._cell, input._cell[0])
        else:
            node.saved = (None, None, a.shape) if wants_shape else None
            node.versions = None
        return result

    return named(unary, op)


def specialise_binary(op: Operation, operator: bool = False) -> Any:
    """The path of an elementwise operation on two tensors, or a tensor and a number, for float32 and float64.

    operator  make the form for Python's operators, which gives NotImplemented for operands that it does not know
    """
    forward, node_type, number_type, apply = op.forward, op.node_type, op.beside_number, op.apply
    # what is kept of (self, other, out) if the first, the second, or both have an edge
    keeps_x: Any = (False, False, False)
    keeps_y: Any = keeps_x
    if op.rules:
        keeps_x, keeps_y = op.keeps
    keeps_both = tuple(p or q for p, q in zip(keeps_x, keeps_y, strict=True))
    recorded = bool(op.rules)
    keeps_nothing = not any(keeps_both)
    keeps_number = number_type is not None and number_type.versions is not None

    def binary(input: Any, other: Any, *, out: Any = None) -> Any:
        mode = get_mode()
        try:
            if out is not None or not mode.plain:
                raise Aside
            kind = type(other)
            if kind is float or kind is int:
                a = input._array
                d = a.dtype
                try:
                    if d is F32:
                        b, kept = _constants32[other]
                    elif d is F64:
                        b, kept = _constants64[other]
                    else:
                        raise Aside
                except KeyError:
                    b, kept = _constant(other, d)
                edge_a = input._edge
                edge_b = None
                r = forward(a, b, out=...)
                adjust = None
            else:
                a = input._array
                b = other._array
                d = a.dtype
                if d is not b.dtype or (d is not F32 and d is not F64):
                    raise Aside
                edge_a = input._edge
                edge_b = other._edge
                r = forward(a, b, out=...)
                adjust = None if a.shape == b.shape else BROADCAST
        except Exception:
            if operator:
                if not isinstance(input, Tensor):
                    raise not_a_tensor(op.name, input) from None
                if not isinstance(other, OPERANDS):
                    return NotImplemented
                if isinstance(other, np.ndarray):
                    other = wrap(other)
            return aside(apply, (input, other), (), out)
        result: Tensor = _new(Tensor)
        result._array = r
        result._extra = None
        result._cell = cell = [0]
        if (edge_a is None and edge_b is None) or mode is not DEFAULT or not recorded:
            result._edge = None
            return result
        if number_type is not None and edge_b is None and (kind is float or kind is int):
            result._edge = node = _new(number_type)
            node.edge = edge_a
            node.sequence = next_sequence()
            node.adjust = None
            node.saved = kept if keeps_number else None
            return result
        result._edge = node = _new(node_type)
        node.first = edge_a
        node.second = edge_b
        node.sequence = next_sequence()
        if adjust is BROADCAST:
            adjust = Adjust((a.shape, b.shape))
        node.adjust = adjust
        if keeps_nothing:
            node.saved = node.versions = None
            return result
        keep_a, keep_b, keep_out = keeps_x if edge_b is None else keeps_y if edge_a is None else keeps_both
        cell_b = UNCHANGING if kind is float or kind is int else other._cell
        if keep_out:
            node.saved = (a if keep_a else None, b if keep_b else None, r)
            if keep_b:
                if keep_a:
                    cell_a = input._cell
                    node.versions = (cell_a, cell_a[0], cell_b, cell_b[0], cell, 0)
                else:
                    node.versions = (cell_b, cell_b[0], cell, 0)
            elif keep_a:
                cell_a = input._cell
                node.versions = (cell_a, cell_a[0], cell, 0)
            else:
                node.versions = (cell, 0)
        elif keep_b:
            if keep_a:
                cell_a = input._cell
                node.saved = (a, b)
                node.versions = (cell_a, cell_a[0], cell_b, cell_b[0])
            else:
                node.saved = (None, b)
                node.versions = (cell_b, cell_b[0])
        elif keep_a:
            cell_a = input._cell
            node.saved = (a, None)
            node.versions = (cell_a, cell_a[0])
        else:
            node.saved = node.versions = None
        return result

    return named(binary, op)


class Aside(Exception):
    """Sends a call from the specialised path to `Operation.apply`; never seen outside."""


BROADCAST: Any = object()


def aside(apply: Callable[..., Any], inputs: tuple[Any, ...], statics: tuple[Any, ...], out: Any) -> Any:
    """`Operation.apply`, into `out` if it is given."""
    result = apply(inputs, statics)
    if out is None:
        return result
    from .inplace import into

    return into(out, result)


def named(function: Any, op: Operation) -> Any:
    """The function of an operation, under its name in both namespaces."""
    function.__name__ = function.__qualname__ = op.name
    function.operation = op
    setattr(tensors_namespace, op.name, function)
    setattr(arrays_namespace, op.name, op.forward)
    return function
