"""The backward pass: a loop over the nodes that are reachable, newest first, freeing as it goes."""

from __future__ import annotations

import sys
from _thread import allocate_lock
from contextvars import ContextVar
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtype_names import tensor_name
from ..quiet import hush, unhush
from ..tensor import Tensor, wrap
from .modes import DEFAULT, NO_GRAD, get_mode, set_mode
from .node import FREED, AccumulateGrad, Node, Output
from .saved import FREED_MESSAGE, modified_error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    #: where gradients are wanted: for a node, by the number of the output, the places in the result
    Targets = dict[Node, dict[int, list[int]]]

_newest_first = attrgetter("sequence")
_count_references = sys.getrefcount


def run(
    roots: Sequence[tuple[Any, Any]],
    *,
    retain: bool,
    create: bool,
    tensors: bool,
    targets: Targets | None = None,
    accumulate: bool = True,
) -> dict[int, Any]:
    """Send cotangents from the roots to the leaves.

    roots       (edge, cotangent) pairs; the cotangents are arrays, or tensors if `tensors`
    retain      keep what the nodes keep, for another pass
    create      record what is computed
    tensors     compute with tensors, which recording and forward mode need, rather than with arrays
    targets     if given, only what leads to these outputs is computed, and their gradients are returned, by place
    accumulate  add up in the leaves' `grad` (those among the targets, if there are some)
    """
    previous = get_mode()
    outer = _running.get() if _observed else None
    if previous.plain:
        set_mode(DEFAULT if create else NO_GRAD)
    else:
        set_mode(previous.replace(grad=create, inference=False))
    token = hush()
    try:
        return _walk(roots, retain, tensors, targets, accumulate)
    finally:
        unhush(token)
        set_mode(previous)
        if _observed:
            _running.set(outer)


class Pass:
    """A backward pass that somebody observes, while it runs: which nodes it runs."""

    __slots__ = ("__weakref__", "leaves", "needed", "nodes")

    def __init__(self, order: list[Node], leaves: dict[Node, int], needed: set[Node] | None) -> None:
        self.nodes = set(order)
        self.leaves = leaves
        self.needed = needed

    def runs(self, node: Node) -> bool:
        """Whether the pass computes gradients of the node's outputs."""
        return (node in self.nodes or node in self.leaves) and (self.needed is None or node in self.needed)


_observed = False
_running: ContextVar[Pass | None] = ContextVar("wengert_pass", default=None)
running_pass = _running.get


def observe_passes() -> None:
    """From now on let `running_pass()` give the pass that runs in this context."""
    global _observed
    _observed = True


def _collect(roots: Sequence[tuple[Any, Any]]) -> tuple[list[Node], dict[Node, int], bool]:
    """The nodes that can be reached, newest first; how many edges lead to each leaf; whether a node has several outputs."""
    several = False
    order: list[Node] = []
    leaves: dict[Node, int] = {}
    seen: set[Node] = set()
    for edge, _ in roots:
        if type(edge) is Output:
            several = True
            edge = edge.node
        if type(edge) is AccumulateGrad:
            leaves[edge] = leaves.get(edge, 0) + 1
        elif edge not in seen:
            seen.add(edge)
            order.append(edge)
    for node in order:  # grows as it is walked
        for edge in node.edges:
            if edge is None:
                continue
            kind = type(edge)
            if kind is AccumulateGrad:
                leaves[edge] = leaves.get(edge, 0) + 1
                continue
            if kind is Output:
                several = True
                edge = edge.node
            if edge not in seen:
                seen.add(edge)
                order.append(edge)
    order.sort(key=_newest_first, reverse=True)
    return order, leaves, several


def _needed(order: list[Node], targets: Targets) -> set[Node]:
    """The nodes from which a target can be reached."""
    needed: set[Node] = set(targets)
    for node in reversed(order):
        for edge in node.edges:
            if edge is not None and (edge.node if type(edge) is Output else edge) in needed:
                needed.add(node)
                break
    return needed


def _walk(
    roots: Sequence[tuple[Any, Any]], retain: bool, tensors: bool, targets: Targets | None, accumulate: bool
) -> dict[int, Any]:
    order, leaves, several = _collect(roots)
    anomaly = get_mode().anomaly
    needed = None if targets is None else _needed(order, targets)
    if _observed:
        _running.set(Pass(order, leaves, needed))
    if targets is None and not tensors and not several and len(roots) == 1 and order and not anomaly:
        _walk_arrays(order, leaves, roots[0][1], retain)
        return {}
    found: dict[int, Any] = {}
    pending: dict[Node, Any] = {}  # of a node with several outputs, a list of cotangents
    owned: set[Node] = set()  # nodes whose pending array was made here, by adding

    def send(edge: Any, g: Any) -> None:
        """Add `g` to what is pending for the edge: the way that is taken aside from the loop below."""
        if type(edge) is Output:
            node = edge.node
            parts = pending.get(node)
            if parts is None:
                parts = pending[node] = [None] * node.outputs
            old = parts[edge.index]
            parts[edge.index] = g if old is None else old + g
        else:
            old = pending.get(edge)
            pending[edge] = g if old is None else old + g

    def arrive(leaf: AccumulateGrad, g: Any) -> None:
        """The last contribution to a leaf is there."""
        if targets is not None and leaf not in targets:
            return
        if targets is None or accumulate:
            _arrive(leaf, g, tensors)
            return
        if leaf.rare is not None:
            g = _tensor_hooks(leaf, g, tensors)
        for place in targets[leaf][0]:
            found[place] = g

    def step(node: Node) -> None:
        """Run one node: from what is pending for it to what is pending for the nodes before."""
        t = pending.pop(node, None)
        if several and type(t) is list:
            t = tuple(t)
        edges = every = node.edges
        if needed is not None:
            edges = tuple(
                e if e is not None and (e.node if type(e) is Output else e) in needed else None for e in edges
            )
        grads: tuple[Any, ...]
        if t is None:
            grads = (None,) * len(edges)
        else:
            rare = node.rare
            if rare is not None:
                t = _tensor_hooks(node, t, tensors)
            if targets is not None and node in targets:
                for index, places in targets[node].items():
                    g = t[index] if type(t) is tuple else t
                    for place in places:
                        found[place] = g
                if not any(e is not None for e in edges):
                    return
            if rare is not None:
                t = _pre_hooks(node, t, tensors)
            if node.saved is FREED:
                raise RuntimeError(FREED_MESSAGE)
            versions = node.versions
            if versions is not None and (
                versions[0][0] != versions[1] or versions[-2][0] != versions[-1] or len(versions) > 4
            ):
                _check_versions(node, versions)
            grads = _pull(node, t, edges if edges != every else None, tensors)
            if rare is not None:
                grads = _post_hooks(node, t, grads, tensors)
            if anomaly:
                look_for_nan(node, grads, edges)
            if not retain and versions is not None:
                node.saved = FREED
            t = None  # a leaf may take the array over if nobody else holds it
        for edge, g in zip(edges, grads, strict=True):
            if edge is None:
                continue
            if g is not None:
                if several and type(edge) is Output:
                    send(edge, g)
                    continue
                old = pending.get(edge)
                if old is None:
                    if type(edge) is AccumulateGrad and leaves[edge] == 1:
                        leaves[edge] = 0
                        arrive(edge, g)
                        continue
                    pending[edge] = g
                elif tensors or not old.ndim:
                    pending[edge] = old + g
                elif edge in owned:
                    np.add(old, g, out=old)
                else:
                    pending[edge] = old + g
                    owned.add(edge)
            if type(edge) is AccumulateGrad:
                count = leaves[edge] = leaves[edge] - 1
                if not count:
                    old = g = None
                    g = pending.pop(edge, None)
                    if g is not None:
                        arrive(edge, g)

    for edge, g in roots:
        send(edge, g)
    for edge, _ in roots:
        if type(edge) is AccumulateGrad:
            leaves[edge] -= 1
            if not leaves[edge]:
                arrive(edge, pending.pop(edge))
    if anomaly:
        from .anomaly import look_for_nan, watched

        run_node = watched(step)
    else:
        run_node = step
    for node in order:
        if needed is None or node in needed:
            run_node(node)
    return found


def _pull(node: Node, t: Any, wanted: tuple[Any, ...] | None, tensors: bool) -> tuple[Any, ...]:
    """The gradients for a node's edges, for those in `wanted` only if it is given."""
    pull: Callable[[Any], tuple[Any, ...]] = node.pull_tensors if tensors else node.pull
    if wanted is not None:

        def pull(g: Any) -> tuple[Any, ...]:
            return node.pull_some(g, wanted, tensors)

    adjust = node.adjust
    if adjust is None:
        return pull(t)
    found: tuple[Any, ...] = adjust.tensors(pull, t) if tensors else adjust.arrays(pull, t)
    return found


def _walk_arrays(order: list[Node], leaves: dict[Node, int], cotangent: Any, retain: bool) -> None:
    """The walk in the usual case: from one root to all leaves, on arrays, each node with one output.

    Does what `_walk` does, without asking at each node for what is not there.
    """
    pending: dict[Node, Any] = {order[0]: cotangent}
    take, waiting, add = pending.pop, pending.get, np.add
    owned: set[Node] = set()
    for node in order:
        t = take(node, None)
        if t is None:
            grads: tuple[Any, ...] = (None,) * len(node.edges)
        else:
            adjust = node.adjust
            rare = None if adjust is None else adjust.rare
            if rare is not None:
                t = _pre_hooks(node, _tensor_hooks(node, t, False), False)
            if node.saved is FREED:
                raise RuntimeError(FREED_MESSAGE)
            versions = node.versions
            if versions is not None:
                if len(versions) == 2:
                    cell, expected = versions
                    if cell[0] != expected:
                        _check_versions(node, versions)
                elif versions[0][0] != versions[1] or versions[2][0] != versions[3] or len(versions) > 4:
                    _check_versions(node, versions)
            grads = node.pull(t) if adjust is None else adjust.arrays(node.pull, t)
            if versions is not None and not retain:
                node.saved = FREED
            if rare is not None:
                grads = _post_hooks(node, t, grads, False)
            t = None  # a leaf may take the array over if nobody else holds it
        for edge, g in zip(node.edges, grads):
            if edge is None:
                continue
            if edge in leaves:
                count = leaves[edge] = leaves[edge] - 1
                if g is None:
                    if not count and edge in pending:
                        g = take(edge)
                        _arrive(edge, g)
                elif edge in pending:
                    old = take(edge)
                    if edge in owned and old.ndim:
                        add(old, g, out=old)
                        g = old
                    else:
                        g = old + g
                        owned.add(edge)
                    old = None
                    if count:
                        pending[edge] = g
                    else:
                        _arrive(edge, g)
                elif count:
                    pending[edge] = g
                else:
                    _arrive(edge, g)
            elif g is not None:
                old = waiting(edge)
                if old is None:
                    pending[edge] = g
                elif edge in owned and old.ndim:
                    add(old, g, out=old)
                    old = None
                else:
                    pending[edge] = old + g
                    owned.add(edge)
                    old = None


def _arrive(leaf: Any, g: Any, tensors: bool = False) -> None:
    """The last contribution to a leaf is there: add it up, between the hooks."""
    if leaf.adjust is None:
        _accumulate(leaf, g, tensors)
        return
    g = _pre_hooks(leaf, _tensor_hooks(leaf, g, tensors), tensors)
    _accumulate(leaf, g, tensors)
    _post_hooks(leaf, g, (), tensors)


def _check_versions(node: Node, versions: tuple[Any, ...]) -> None:
    """Raise if an array that the node keeps was written to since."""
    kept = [(i, a) for i, a in enumerate(node.saved) if isinstance(a, np.ndarray)] if type(node.saved) is tuple else []
    for k in range(0, len(versions), 2):
        found, expected = versions[k][0], versions[k + 1]
        if found == expected:
            continue
        operation: Any = getattr(node, "operation", None)
        array = maker = None
        number = 0
        if k // 2 < len(kept) and operation is not None:
            i, array = kept[k // 2]
            if i >= len(operation.inputs):
                maker, number = node, i - len(operation.inputs)
            elif i in operation.differentiable:
                maker = node.edges[operation.differentiable.index(i)]
                if type(maker) is Output:
                    maker, number = maker.node, maker.index
        raise modified_error(array, maker, number, found, expected)


# ------------------------------------------------------------------------------------------------ leaves


_accumulating = allocate_lock()


def _accumulate(leaf: AccumulateGrad, g: Any, tensors: bool) -> None:
    """Add a gradient to a leaf's."""
    recorded = tensors and get_mode().grad
    if tensors and not recorded:
        g = g._array
    with _accumulating:  # a leaf may be shared by passes in several threads
        grad = leaf.grad
        if recorded:
            leaf.grad = g.clone() if grad is None else grad + g
        elif grad is None:
            array = leaf.array
            if type(g) is not np.ndarray:
                g = np.array(g, array.dtype)
            elif (
                g.base is not None
                or _count_references(g) > _SOLE
                or g.strides != array.strides
                or g.dtype is not array.dtype
            ):
                copy = np.empty_like(array)
                copy[...] = g
                g = copy
            leaf.grad = wrap(g)
        else:
            np.add(grad._array, g, out=grad._array)
            grad._cell[0] += 1
    if leaf.post_accumulate:
        variable = leaf.variable
        for hook in list(leaf.post_accumulate.values()):
            hook(variable)


def _calibrate() -> int:
    """How many references `_accumulate` counts to an array that only the backward pass holds."""
    counted = []

    def accumulate(g: Any) -> None:
        counted.append(_count_references(g))

    def arrive(g: Any) -> None:
        accumulate(g)

    for _, g in zip((1,), (np.empty(1),), strict=True):
        arrive(g)
    return counted[0]


_SOLE = _calibrate()


# ------------------------------------------------------------------------------------------------ hooks


def _tensor_hooks(node: Node, t: Any, tensors: bool) -> Any:
    """The cotangents of a node's outputs after the hooks on these tensors; `retain_grad` sees what they return."""
    rare = node.rare
    assert rare is not None
    if not rare.tensor_hooks and not rare.retained:
        return t
    several = type(t) is tuple
    parts = list(t) if several else [t]
    for index, hooks in rare.tensor_hooks.items():
        for hook in list(hooks.values()):
            if parts[index] is None:
                continue
            given = _as_tensor(parts[index], tensors)
            result = hook(given)
            if result is not None:
                parts[index] = _checked(hook, result, given, tensors)
    for index, retained in rare.retained.items():
        if parts[index] is not None:
            g = _as_tensor(parts[index], tensors)
            if retained.grad is None:
                retained.grad = g if tensors else wrap(np.array(g._array))
            else:
                retained.grad = retained.grad + g
    return tuple(parts) if several else parts[0]


def _pre_hooks(node: Node, t: Any, tensors: bool) -> Any:
    """The cotangents of a node's outputs after the hooks that the node has for them."""
    rare = node.rare
    assert rare is not None
    if not rare.pre_hooks:
        return t
    several = type(t) is tuple
    parts = t if several else (t,)
    for hook in list(rare.pre_hooks.values()):
        given = tuple(None if p is None else _as_tensor(p, tensors) for p in parts)
        result = hook(given)
        if result is not None:
            parts = _checked_all(hook, result, given, tensors)
    return parts if several else parts[0]


def _post_hooks(node: Node, t: Any, grads: tuple[Any, ...], tensors: bool) -> tuple[Any, ...]:
    """The gradients of a node's inputs after the hooks that the node has for them."""
    rare = node.rare
    assert rare is not None
    if not rare.post_hooks:
        return grads
    outer = tuple(None if g is None else _as_tensor(g, tensors) for g in (t if type(t) is tuple else (t,)))
    for hook in list(rare.post_hooks.values()):
        given = tuple(None if g is None else _as_tensor(g, tensors) for g in grads)
        result = hook(given, outer)
        if result is not None:
            grads = _checked_all(hook, result, given, tensors)
    return grads


def _as_tensor(g: Any, tensors: bool) -> Tensor:
    if tensors:
        return g
    return wrap(g if isinstance(g, np.ndarray) else np.asarray(g))


def _checked_all(hook: Any, results: Any, given: tuple[Any, ...], tensors: bool) -> tuple[Any, ...]:
    """What a node's hook returned, if it can stand for the gradients that the hook was given."""
    if type(results) is not tuple:
        raise TypeError(
            f"expected tuple, but hook returned '{type(results).__name__}': return one gradient for each given"
        )
    if len(results) != len(given):
        raise RuntimeError(
            f"hook '{_name_of(hook)}' has returned an incorrect number of values (got {len(results)}, but expected "
            f"{len(given)})"
        )
    return tuple(
        None if r is None and g is None else _checked(hook, r, g, tensors) for r, g in zip(results, given, strict=True)
    )


def _checked(hook: Any, result: Any, given: Tensor | None, tensors: bool) -> Any:
    """What a hook returned, if it can stand for the gradient that the hook was given."""
    if not isinstance(result, Tensor):
        raise TypeError(
            f"expected Variable, but hook returned '{type(result).__name__}': return a tensor, or None to leave the gradient"
        )
    if given is not None:
        if result._array.shape != given._array.shape:
            raise RuntimeError(
                f"hook '{_name_of(hook)}' has changed the size of value: {list(given._array.shape)} became "
                f"{list(result._array.shape)}"
            )
        if result._array.dtype != given._array.dtype:
            was, got = (tensor_name(x.dtype) for x in (given, result))
            raise RuntimeError(f"hook '{_name_of(hook)}' has changed the type of value (was {was} got {got})")
    return result if tensors else result._array


def _name_of(hook: Any) -> str:
    return getattr(hook, "__name__", "<unknown>")
