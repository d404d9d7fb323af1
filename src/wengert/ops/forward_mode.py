"""Forward mode: what an operation does to tangents, by the same rules.

A dual tensor carries a tangent for each open level of forward mode (`Extra.tangents`). An operation is first called on its
inputs without the tangents of the highest level (which handles the lower ones), then the tangents of that level are pushed.
If the call was recorded, the node learns the tangents of what it keeps, so that the backward pass is pushed forward too.

Levels have numbers that are never used again. A level that is closed takes its tangents away from whatever carries them.
"""

from __future__ import annotations

import itertools
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from ..autograd.adjust import Adjust
from ..autograd.modes import get_mode, set_mode
from ..autograd.node import Output, rare_of
from ..tensor import Tensor, alias, edge_of, extra_of, wrap
from .namespace import tensors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .declare import Operation


_next_level = itertools.count(1).__next__
_open: dict[int, Level] = {}


class Level:
    """An open level: the one around it (0: none), and what carries its tangents."""

    __slots__ = ("carriers", "outer", "prune_at")

    def __init__(self, outer: int) -> None:
        self.outer = outer
        self.carriers: list[weakref.ref[Any]] = []
        self.prune_at = 64

    def add(self, carrier: Any) -> None:
        """Remember that a tensor or a `Kept` carries a tangent of the level."""
        self.carriers.append(weakref.ref(carrier))
        if len(self.carriers) > self.prune_at:
            self.carriers = [r for r in self.carriers if r() is not None]
            self.prune_at = 2 * len(self.carriers) + 64


class Kept:
    """The tangents of the arrays that a node keeps: by the array's place, those at each level."""

    __slots__ = ("__weakref__", "places")

    def __init__(self) -> None:
        self.places: dict[int, dict[int, Tensor]] = {}

    def give(self, place: int, x: Tensor) -> None:
        """Give `x`, which was kept at that place, its tangents back."""
        for level, tangent in self.places.get(place, {}).items():
            set_tangent(x, level, tangent)


def open_level() -> int:
    """Open a level within those that are open in this context, and return its number."""
    mode = get_mode()
    level = _next_level()
    _open[level] = Level(mode.dual_level)
    set_mode(mode.replace(dual_level=level))
    return level


def close_level() -> None:
    """Close the innermost level."""
    mode = get_mode()
    closed = _open.pop(mode.dual_level)
    for reference in closed.carriers:
        carrier = reference()
        if isinstance(carrier, Kept):
            for tangents in carrier.places.values():
                tangents.pop(mode.dual_level, None)
        elif carrier is not None and carrier._extra is not None and carrier._extra.tangents is not None:
            carrier._extra.tangents.pop(mode.dual_level, None)
    set_mode(mode.replace(dual_level=closed.outer))


def open_levels() -> list[int]:
    """The numbers of the levels that are open in this context, outermost first."""
    found: list[int] = []
    level = get_mode().dual_level
    while level in _open:
        found.append(level)
        level = _open[level].outer
    return found[::-1]


def tangent_of(x: Any, level: int) -> Tensor | None:
    """The tangent of `x` at this level, None if it has none."""
    if not isinstance(x, Tensor) or x._extra is None or x._extra.tangents is None:
        return None
    return x._extra.tangents.get(level)


def set_tangent(x: Tensor, level: int, tangent: Tensor | None) -> None:
    """Give `x` a tangent at this level, or take it away."""
    extra = extra_of(x)
    if tangent is None:
        if extra.tangents is not None:
            extra.tangents.pop(level, None)
        return
    if extra.tangents is None:
        extra.tangents = {}
    if level not in extra.tangents and level in _open:
        _open[level].add(x)
    extra.tangents[level] = tangent


def primal_of(x: Any, level: int) -> Any:
    """`x` without its tangent at this level."""
    if not isinstance(x, Tensor) or tangent_of(x, level) is None:
        return x
    made = alias(x._array, x._cell, edge_of(x))
    assert x._extra is not None
    extra = extra_of(made)
    extra.inference = x._extra.inference
    extra.view = x._extra.view
    for other, tangent in (x._extra.tangents or {}).items():
        if other != level:
            set_tangent(made, other, tangent)
    return made


def highest_level(inputs: Sequence[Any]) -> int:
    """The highest level at which one of the inputs has a tangent, 0 if none has any."""
    found = 0
    for x in inputs:
        if isinstance(x, Tensor) and x._extra is not None and x._extra.tangents:
            found = max(found, *x._extra.tangents)
    return found


def apply_dual(op: Operation, level: int, inputs: Sequence[Any], statics: tuple[Any, ...]) -> Any:
    """Call an operation of which some inputs carry a tangent at this level."""
    primals = [primal_of(x, level) for x in inputs]
    result = op.apply(primals, statics)
    several = isinstance(result, tuple)
    outs = result if several else (result,)
    if op.rules:
        tangents = [tangent_of(x, level) for x in inputs]
        pushed = push(op, tangents, primals, outs, statics)
        for place, i in enumerate(op.pulled):
            if pushed[place] is not None and outs[i]._array.dtype.kind not in "biu":
                set_tangent(outs[i], level, fit(pushed[place], outs[i]))
        _keep(op, level, tangents, outs)
    return result


def _keep(op: Operation, level: int, tangents: Sequence[Tensor | None], outs: Sequence[Tensor]) -> None:
    """Let the node of the call know the tangents of what it keeps."""
    edge = edge_of(outs[op.pulled[0]])
    node = edge.node if type(edge) is Output else edge
    if node is None or getattr(node, "operation", None) is not op or node.versions is None:
        return
    rare = rare_of(node)
    if rare.tangents is None:
        rare.tangents = Kept()
    for place, t in enumerate((*tangents, *(tangent_of(o, level) for o in outs))):
        if t is not None:
            rare.tangents.places.setdefault(place, {})[level] = t
    if level in _open:
        _open[level].add(rare.tangents)


def fit(tangent: Tensor, out: Tensor) -> Tensor:
    """A pushed tangent in the dtype and shape of its output."""
    if tangent._array.dtype is not out._array.dtype:
        if tangent._array.dtype.kind == "c" and out._array.dtype.kind != "c":
            tangent = tangent.real
        tangent = tangent.to(out.dtype)
    if tangent._array.shape != out._array.shape:
        tangent = tangent.expand(out._array.shape)
    return tangent


def push(
    op: Operation,
    tangents: Sequence[Tensor | None],
    primals: Sequence[Any],
    outs: Sequence[Tensor],
    statics: tuple[Any, ...],
) -> tuple[Any, ...]:
    """The tangents of the operation's differentiable outputs."""
    if op.promote is not None:  # a number counts in the precision of the result
        from .operation import NUMBERS, number_array

        d = outs[0]._array.dtype
        primals = [wrap(number_array(x, d)) if isinstance(x, NUMBERS) else x for x in primals]
    shapes = [np.shape(x._array) if isinstance(x, Tensor) else None for x in primals]
    values = [*primals, *outs, *shapes, *statics]
    if op.push_rule is not None:
        code = op.push_rule.__code__
        names = code.co_varnames[2 : code.co_argcount]
        pushed = op.push_rule(tensors, _complete(op, tangents, primals), *[values[op.layout.index(n)] for n in names])
        return pushed if isinstance(pushed, tuple) else (pushed,)
    is_complex = any(isinstance(x, Tensor) and x._array.dtype.kind == "c" for x in (*primals, *outs))
    if op.kind == "diagonal" and (op.holomorphic or not is_complex):
        total = None
        for adapter, i in zip(op.adapters, op.differentiable, strict=True):
            if tangents[i] is not None:
                part = adapter(tensors, tangents[i], values)
                if part is not None:
                    total = part if total is None else total + part
        return (total,)
    if op.kind == "linear":
        made = op.apply([tangents[0]], statics)
        return made if isinstance(made, tuple) else (made,)
    if op.kind == "multilinear":
        total = None
        for i in op.differentiable:
            if tangents[i] is not None:
                part = op.apply([*primals[:i], tangents[i], *primals[i + 1 :]], statics)
                total = part if total is None else total + part
        return (total,)
    return transpose_pull(op, tangents, values, outs)


def _complete(op: Operation, tangents: Sequence[Tensor | None], primals: Sequence[Any]) -> Any:
    """What a declared push is given: the tangent of the only input, or a tuple with None for those that have none."""
    return tangents[0] if len(op.inputs) == 1 else tuple(tangents)


def transpose_pull(
    op: Operation, tangents: Sequence[Tensor | None], values: list[Any], outs: Sequence[Tensor]
) -> tuple[Any, ...]:
    """The push of an operation that declares none: the pull is linear in its cotangent, and the push is its transpose."""
    from ..autograd.api import grad

    previous = get_mode()
    set_mode(previous.replace(grad=True))
    try:
        cotangents = [wrap(np.zeros(outs[i]._array.shape, outs[i]._array.dtype)).requires_grad_() for i in op.pulled]
        edges = tuple(tangents[i] for i in op.differentiable)
        is_complex = any(isinstance(x, Tensor) and x._array.dtype.kind == "c" for x in values)

        def pull(t: Any) -> tuple[Any, ...]:
            return op.pull_values(tensors, t, edges, values)

        t = tuple(cotangents) if len(op.pulled) > 1 else cotangents[0]
        adjust = Adjust(None, None, True) if is_complex and op.holomorphic else None
        pulled = adjust.tensors(pull, t) if adjust is not None else pull(t)
        pairs = [
            (g, v) for g, v in zip(pulled, edges, strict=True) if g is not None and v is not None and g.requires_grad
        ]
        if not pairs:
            return (None,) * len(op.pulled)
        gs, vs = zip(*pairs, strict=True)
        vs = tuple(fit(v, g) for g, v in pairs)
        return grad(gs, cotangents, vs, create_graph=True, allow_unused=True)
    finally:
        set_mode(previous)
