"""The specialised paths of operations with further arguments, and of those on several tensors that are not elementwise.

They do what `specialise` does for the elementwise operations on one and two tensors. The paths for two and for three tensors are
the one for any number with its loops written out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.adjust import Adjust
from ..autograd.modes import DEFAULT, get_mode
from ..autograd.node import next_sequence
from ..tensor import Tensor, wrap
from .operation import Operation, parameters_of
from .specialise import F32, F64, Aside, named

_new: Any = object.__new__
_ndarray = np.ndarray


def specialise(op: Operation) -> Any:
    """The path of an operation with further arguments, or with other than one or two tensors, for float32 and float64.

    It is called with the inputs and then the further arguments, all by position.
    """
    count, differentiable = len(op.inputs), len(op.differentiable)
    several = op.view or len(op.outputs) > 1  # views need their chain, several outputs their edges
    if not several and count == 1 and op.rules:
        return specialise_with_arguments(op)
    if count == 1 and op.rules and op.pulled == (0,) and len(op.outputs) == 2 and not op.view:
        return specialise_chosen(op)
    if not several and count > 1 and op.differentiable == (0,) and op.promote is None and op.kind != "diagonal":
        return specialise_indexed(op) if count == 2 else specialise_first(op)
    if not several and count == differentiable == 2:
        return specialise_pair(op)
    if not several and count == 3 and (differentiable == 3 or op.differentiable == (1, 2)):
        return specialise_triple(op)
    if not several and count == differentiable and op.kind != "diagonal":
        return specialise_any(op)
    apply = op.apply

    def call(*args: Any) -> Any:
        return apply(args[:count], args[count:])

    return named(call, op)


def _wants_shapes(op: Operation) -> bool:
    return any(f"{i}_shape" in parameters_of(rule) for i in op.inputs for rule in op.rules)


def specialise_pair(op: Operation) -> Any:
    """The path of an operation on two tensors and any further arguments, for float32 and float64."""
    apply, forward, node_type = op.apply, op.forward, op.node_type
    elementwise = op.kind == "diagonal"
    keeps_x, keeps_y = op.keeps
    keeps_both = tuple(p or q for p, q in zip(keeps_x, keeps_y, strict=True))
    wants_shapes = _wants_shapes(op)
    plain = not wants_shapes and not op.statics

    def pair(input: Any, other: Any, *statics: Any) -> Any:
        mode = get_mode()
        try:
            a = input._array
            b = other._array
            d = a.dtype
            if d is not b.dtype or (d is not F32 and d is not F64) or not mode.plain:
                raise Aside
            edge_a = input._edge
            edge_b = other._edge
            r = forward(a, b, *statics)
            if type(r) is not _ndarray:
                r = np.asarray(r)
        except Exception:
            return apply((input, other), statics)
        if r.dtype is not d:
            return op.record(mode, (input, other), [a, b], statics, r)
        result: Tensor = _new(Tensor)
        result._array = r
        result._extra = None
        result._cell = cell = [0]
        if (edge_a is None and edge_b is None) or mode is not DEFAULT:
            result._edge = None
            return result
        result._edge = node = _new(node_type)
        node.first = edge_a
        node.second = edge_b
        node.sequence = next_sequence()
        node.adjust = Adjust((a.shape, b.shape)) if elementwise and a.shape != b.shape else None
        keep_a, keep_b, keep_out = keeps_x if edge_b is None else keeps_y if edge_a is None else keeps_both
        if plain:
            node.saved = (a if keep_a else None, b if keep_b else None, r if keep_out else None)
        else:
            shapes = (a.shape, b.shape) if wants_shapes else (None, None)
            node.saved = (a if keep_a else None, b if keep_b else None, r if keep_out else None, *shapes, *statics)
        versions: tuple[Any, ...] | None
        if keep_a:
            cell_a = input._cell
            if keep_b:
                cell_b = other._cell
                versions = (cell_a, cell_a[0], cell_b, cell_b[0])
            else:
                versions = (cell_a, cell_a[0])
        elif keep_b:
            cell_b = other._cell
            versions = (cell_b, cell_b[0])
        else:
            versions = None
        if keep_out:
            versions = (cell, 0) if versions is None else (*versions, cell, 0)
        node.versions = versions
        return result

    return named(pair, op)


def specialise_triple(op: Operation) -> Any:
    """The path of an operation on three tensors and any further arguments, for float32 and float64.

    The first may be a mask, of another dtype and without an edge.
    """
    apply, forward, node_type = op.apply, op.forward, op.node_type
    elementwise, masked = op.kind == "diagonal", len(op.differentiable) == 2
    nothing = (False,) * 4
    keeps_x, keeps_y, keeps_z = (nothing, *op.keeps) if masked else op.keeps
    wants_shapes = _wants_shapes(op)
    plain = not wants_shapes and not op.statics

    def triple(first: Any, second: Any, third: Any, *statics: Any) -> Any:
        mode = get_mode()
        try:
            a = first._array
            b = second._array
            c = third._array
            d = c.dtype
            if (d is not F32 and d is not F64) or b.dtype is not d or not mode.plain:
                raise Aside
            if masked:
                edge_a = None
            elif a.dtype is d:
                edge_a = first._edge
            else:
                raise Aside
            edge_b = second._edge
            edge_c = third._edge
            r = forward(a, b, c, *statics)
            if type(r) is not _ndarray:
                r = np.asarray(r)
        except Exception:
            return apply((first, second, third), statics)
        if r.dtype is not d:
            return op.record(mode, (first, second, third), [a, b, c], statics, r)
        result: Tensor = _new(Tensor)
        result._array = r
        result._extra = None
        result._cell = cell = [0]
        if (edge_a is None and edge_b is None and edge_c is None) or mode is not DEFAULT:
            result._edge = None
            return result
        result._edge = node = _new(node_type)
        if masked:
            node.first = edge_b
            node.second = edge_c
        else:
            node.edges = (edge_a, edge_b, edge_c)
        node.sequence = next_sequence()
        node.adjust = None
        if elementwise:
            shape = r.shape
            if b.shape != shape or c.shape != shape or (a.shape != shape and not masked):
                node.adjust = Adjust((b.shape, c.shape) if masked else (a.shape, b.shape, c.shape))
        keep_a, keep_b, keep_c, keep_out = nothing if edge_a is None else keeps_x
        if edge_b is not None:
            p, q, s, u = keeps_y
            keep_a, keep_b, keep_c, keep_out = keep_a or p, keep_b or q, keep_c or s, keep_out or u
        if edge_c is not None:
            p, q, s, u = keeps_z
            keep_a, keep_b, keep_c, keep_out = keep_a or p, keep_b or q, keep_c or s, keep_out or u
        versions: tuple[Any, ...] = ()
        if keep_a:
            cell_a = first._cell
            versions = (cell_a, cell_a[0])
        if keep_b:
            cell_b = second._cell
            versions = (*versions, cell_b, cell_b[0])
        if keep_c:
            cell_c = third._cell
            versions = (*versions, cell_c, cell_c[0])
        if keep_out:
            versions = (*versions, cell, 0)
        node.versions = versions or None
        kept = (a if keep_a else None, b if keep_b else None, c if keep_c else None, r if keep_out else None)
        if plain:
            node.saved = kept
        else:
            shapes = (a.shape, b.shape, c.shape) if wants_shapes else (None, None, None)
            node.saved = (*kept, *shapes, *statics)
        return result

    return named(triple, op)


def specialise_any(op: Operation) -> Any:
    """The path of an operation, not elementwise, on any number of tensors and any further arguments, for float32 and float64."""
    apply, forward, node_type, count = op.apply, op.forward, op.node_type, len(op.inputs)
    keeps_out = [k[count] for k in op.keeps]
    keeps = [k[:count] for k in op.keeps]
    wants_shapes = _wants_shapes(op)

    def call(*args: Any) -> Any:
        mode = get_mode()
        inputs = args[:count]
        try:
            if not mode.plain:
                raise Aside
            arrays = [x._array for x in inputs]
            edges = tuple([x._edge for x in inputs])
            d = arrays[0].dtype
            if d is not F32 and d is not F64:
                raise Aside
            for a in arrays:
                if a.dtype is not d:
                    raise Aside
            r = forward(*arrays, *args[count:])
            if type(r) is not np.ndarray:
                r = np.asarray(r)
        except Exception:
            return apply(inputs, args[count:])
        if r.dtype is not d:
            return op.record(mode, inputs, arrays, args[count:], r)
        result: Tensor = _new(Tensor)
        result._array = r
        result._extra = None
        result._cell = cell = [0]
        if mode is not DEFAULT:
            result._edge = None
            return result
        kept: list[Any] = [None] * (count + 1)
        recorded = False
        for edge, wanted, out in zip(edges, keeps, keeps_out):
            if edge is not None:
                recorded = True
                if out:
                    kept[count] = r
                for i in range(count):
                    if wanted[i]:
                        kept[i] = arrays[i]
        if not recorded:
            result._edge = None
            return result
        result._edge = node = _new(node_type)
        node.edges = edges
        node.sequence = next_sequence()
        node.adjust = None
        versions: list[Any] = []
        for i in range(count):
            if kept[i] is not None:
                c = inputs[i]._cell
                versions.append(c)
                versions.append(c[0])
        if kept[count] is not None:
            versions.append(cell)
            versions.append(0)
        node.versions = tuple(versions) if versions else None
        shapes = [a.shape for a in arrays] if wants_shapes else [None] * count
        node.saved = (*kept, *shapes, *args[count:])
        return result

    return named(call, op)


def specialise_with_arguments(op: Operation) -> Any:
    """The path of an operation on one tensor with further arguments, for float32 and float64."""
    apply, forward, node_type = op.apply, op.forward, op.node_type
    ((keep_self, keep_out),) = op.keeps
    wants_shape = "self_shape" in parameters_of(op.rules[0])

    def call(input: Any, *statics: Any) -> Any:
        mode = get_mode()
        try:
            a = input._array
            edge = input._edge
            d = a.dtype
            if (d is not F32 and d is not F64) or not mode.plain:
                raise Aside
            r = forward(a, *statics)
            if type(r) is not np.ndarray:
                r = np.asarray(r)
        except Exception:
            return apply((input,), statics)
        if r.dtype is not d:
            return op.record(mode, (input,), [a], statics, r)
        result: Tensor = _new(Tensor)
        result._array = r
        result._extra = None
        result._cell = cell = [0]
        if edge is None or mode is not DEFAULT:
            result._edge = None
            return result
        result._edge = node = _new(node_type)
        node.edge = edge
        node.sequence = next_sequence()
        node.adjust = None
        if keep_self:
            cell_a = input._cell
            node.saved = (a, r if keep_out else None, a.shape if wants_shape else None, *statics)
            node.versions = (cell_a, cell_a[0], cell, 0) if keep_out else (cell_a, cell_a[0])
        else:
            node.saved = (None, r if keep_out else None, a.shape if wants_shape else None, *statics)
            node.versions = (cell, 0) if keep_out else None
        return result

    return named(call, op)


def specialise_chosen(op: Operation) -> Any:
    """The path of an operation on one tensor that gives elements and their indices, for float32 and float64."""
    apply, forward, node_type = op.apply, op.forward, op.node_type
    ((keep_self, keep_out, keep_index),) = op.keeps
    wants_shape = "self_shape" in parameters_of(op.rules[0])

    def chosen(input: Any, *statics: Any) -> Any:
        mode = get_mode()
        try:
            a = input._array
            edge = input._edge
            d = a.dtype
            if (d is not F32 and d is not F64) or not mode.plain:
                raise Aside
            r, index = forward(a, *statics)
            if type(r) is not _ndarray or type(index) is not _ndarray or r.dtype is not d:
                raise Aside
        except Exception:
            return apply((input,), statics)
        indices = wrap(index)
        result = wrap(r)
        if edge is None or mode is not DEFAULT:
            return result, indices
        result._edge = node = _new(node_type)
        node.edge = edge
        node.sequence = next_sequence()
        node.adjust = None
        versions: tuple[Any, ...] = ()
        if keep_self:
            cell = input._cell
            versions = (cell, cell[0])
        if keep_out:
            versions += (result._cell, 0)
        if keep_index:
            versions += (indices._cell, 0)
        node.versions = versions or None
        node.saved = (
            a if keep_self else None, r if keep_out else None, index if keep_index else None, a.shape if wants_shape else None,
            *statics,
        )  # fmt: skip
        return result, indices

    return named(chosen, op)


def specialise_indexed(op: Operation) -> Any:
    """The path of an operation that has a gradient in its first tensor only, with a second one (an index, a mask) beside it."""
    apply, forward, node_type = op.apply, op.forward, op.node_type
    ((keep_first, keep_second, keep_out),) = op.keeps
    wants_shapes = _wants_shapes(op)

    def indexed(input: Any, index: Any, *statics: Any) -> Any:
        mode = get_mode()
        try:
            a = input._array
            b = index._array
            edge = input._edge
            d = a.dtype
            if (d is not F32 and d is not F64) or not mode.plain:
                raise Aside
            r = forward(a, b, *statics)
            if type(r) is not _ndarray:
                r = np.asarray(r)
        except Exception:
            return apply((input, index), statics)
        if r.dtype is not d:
            return op.record(mode, (input, index), [a, b], statics, r)
        result: Tensor = _new(Tensor)
        result._array = r
        result._extra = None
        result._cell = cell = [0]
        if edge is None or mode is not DEFAULT:
            result._edge = None
            return result
        result._edge = node = _new(node_type)
        node.edge = edge
        node.sequence = next_sequence()
        node.adjust = None
        shapes = (a.shape, b.shape) if wants_shapes else (None, None)
        node.saved = (a if keep_first else None, b if keep_second else None, r if keep_out else None, *shapes, *statics)
        versions: Any = None
        if keep_second:
            cell_b = index._cell
            versions = (cell_b, cell_b[0])
        if keep_first:
            cell_a = input._cell
            versions = (cell_a, cell_a[0]) if versions is None else (cell_a, cell_a[0], *versions)
        if keep_out:
            versions = (cell, 0) if versions is None else (*versions, cell, 0)
        node.versions = versions
        return result

    return named(indexed, op)


def specialise_first(op: Operation) -> Any:
    """The path of an operation that has a gradient in its first tensor only, and further tensors (or None) beside it."""
    apply, forward, node_type, count = op.apply, op.forward, op.node_type, len(op.inputs)
    (keeps,) = op.keeps
    keep_out = keeps[count]
    keep_others = [i for i in range(1, count) if keeps[i]]
    wanted = [f"{i}_shape" in parameters_of(op.rules[0]) for i in op.inputs]

    def call(input: Any, *others: Any) -> Any:
        mode = get_mode()
        inputs = (input, *others[: count - 1])
        statics = others[count - 1 :]
        try:
            a = input._array
            edge = input._edge
            d = a.dtype
            if (d is not F32 and d is not F64) or not mode.plain:
                raise Aside
            arrays = [None if x is None else x._array for x in inputs]
            r = forward(*arrays, *statics)
            if type(r) is not np.ndarray:
                r = np.asarray(r)
        except Exception:
            return apply(inputs, statics)
        if r.dtype is not d:
            return op.record(mode, inputs, arrays, statics, r)
        result: Tensor = _new(Tensor)
        result._array = r
        result._extra = None
        result._cell = cell = [0]
        if edge is None or mode is not DEFAULT:
            result._edge = None
            return result
        result._edge = node = _new(node_type)
        node.edge = edge
        node.sequence = next_sequence()
        node.adjust = None
        kept: list[Any] = [None] * (count + 1)
        versions: list[Any] = []
        if keeps[0]:
            kept[0] = a
            cell_a = input._cell
            versions += (cell_a, cell_a[0])
        for i in keep_others:
            if arrays[i] is not None:
                kept[i] = arrays[i]
                cell_i = inputs[i]._cell
                versions += (cell_i, cell_i[0])
        if keep_out:
            kept[count] = r
            versions += (cell, 0)
        node.versions = tuple(versions) if versions else None
        node.saved = (
            *kept, *[x.shape if w and x is not None else None for x, w in zip(arrays, wanted)], *statics
        )  # fmt: skip
        return result

    return named(call, op)
