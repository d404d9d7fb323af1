"""Operation: what is declared of one operation, and how it is called, recorded and differentiated in full generality."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..autograd.adjust import Adjust, cast
from ..autograd.modes import get_mode
from ..autograd.node import BesideNumber, ManyEdges, Node, OneEdge, Output, TwoEdges, next_sequence
from ..quiet import hush, unhush
from ..tensor import Extra, Tensor, View, edge_of, mark_inference, register_view, wrap
from .namespace import arrays as arrays_namespace
from .namespace import tensors as tensors_namespace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..autograd.modes import Mode

    Array = np.ndarray[Any, np.dtype[Any]]
    Rule = Callable[..., Any]

_new: Any = object.__new__


class Operation:
    """What is declared of one operation, and how it is called in full generality."""

    __slots__ = (
        "_kept_with",
        "adapters",
        "beside_number",
        "check",
        "differentiable",
        "forward",
        "holomorphic",
        "inputs",
        "keeps",
        "keeps_shapes",
        "kind",
        "layout",
        "name",
        "node_type",
        "number_type",
        "outputs",
        "places",
        "promote",
        "pulled",
        "push_rule",
        "rules",
        "statics",
        "view",
    )

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any],
        rules: dict[str, Rule | None],
        *,
        kind: str,
        statics: tuple[str, ...] = (),
        outputs: tuple[str, ...] = ("out",),
        pulled: tuple[int, ...] = (0,),
        node: str | None = None,
        number_node: str | None = None,
        promote: str | None = None,
        holomorphic: bool = True,
        push: Rule | None = None,
        view: bool = False,
        check: Callable[..., None] | None = None,
    ) -> None:
        self.name = name
        self.check = check  # raises for inputs that the operation refuses; the specialised paths need no such look
        self.forward = forward
        self.kind = kind
        self.inputs = tuple(rules)
        self.statics = statics
        self.outputs = outputs
        self.pulled = pulled  # the outputs that have a gradient, by number
        self.promote = promote
        self.holomorphic = holomorphic
        self.push_rule = push
        self.view = view
        self.rules = tuple(rule for rule in rules.values() if rule is not None)
        # the inputs that have a gradient, by number; a node has one edge for each
        self.differentiable = tuple(i for i, rule in enumerate(rules.values()) if rule is not None)
        shapes = tuple(f"{i}_shape" for i in self.inputs)
        self.layout = (*self.inputs, *outputs, *shapes, *statics)
        wanted = [parameters_of(rule) for rule in self.rules]
        self.places = [[self.layout.index(n) for n in names] for names in wanted]
        self.adapters = tuple(_adapter(rule, where) for rule, where in zip(self.rules, self.places, strict=True))
        #: for each edge, which arrays (inputs and outputs) its rule needs
        arrays = self.layout[: len(self.inputs) + len(outputs)]
        self.keeps = tuple(tuple(n in w for n in arrays) for w in wanted)
        self.keeps_shapes = any(name in shapes for names in wanted for name in names)
        self._kept_with: dict[tuple[bool, ...], tuple[int, ...]] = {}
        node_name = node or "".join([part[:1].upper() + part[1:] for part in name.split("_")]) + "Backward0"
        self.node_type = _node_type(node_name, self)
        self.beside_number = _beside_number(number_node or node_name, self)
        #: the node of a call with a number in place of a tensor, where PyTorch has another name for it
        self.number_type = None if number_node is None else _node_type(number_node, self)

    def __repr__(self) -> str:
        return f"<operation {self.name}>"

    # -------------------------------------------------------------------------------------------- the call

    def apply(self, inputs: Sequence[Any], statics: tuple[Any, ...] = ()) -> Any:
        """Call the operation on tensors, numbers and (for optional inputs) None; returns a tensor or a tuple of them."""
        mode = get_mode()
        if mode.dual_level:
            from .forward_mode import apply_dual, highest_level

            level = highest_level(inputs)
            if level:
                return apply_dual(self, level, inputs, statics)
        token = hush()
        try:
            arrays = self.prepare(inputs)
            result = self.call_forward(arrays, statics)
        finally:
            unhush(token)
        return self.record(mode, inputs, arrays, statics, result)

    def call_forward(self, arrays: Sequence[Any], statics: tuple[Any, ...]) -> Any:
        """The forward on arrays, with NumPy's complaint about shapes in PyTorch's words."""
        try:
            return self.forward(*arrays, *statics)
        except ValueError:
            if self.kind in ("diagonal", "flat"):
                check_broadcast([np.shape(a) for a in arrays if a is not None])
            raise

    def prepare(self, inputs: Sequence[Any]) -> list[Any]:
        """The inputs' arrays, brought to one dtype where the operation promotes."""
        if self.check is not None:
            self.check(*inputs)
        promote = self.promote
        try:
            found = [x._array for x in inputs]
        except AttributeError:  # numbers, None, or what is refused
            found = []
            for name, x in zip(self.inputs, inputs, strict=True):
                array = getattr(x, "_array", None)
                if array is None and x is not None and not isinstance(x, NUMBERS):
                    raise argument_error(self.name, name, len(found) + 1, x) from None
                found.append(x if array is None else array)
        if promote is None:
            return found
        # beside inputs with a derivative, those without are masks and indices, which are no part of the arithmetic
        places = self.differentiable if self.rules else range(len(found))
        common = dtypes.common_type([inputs[i] for i in places if inputs[i] is not None])
        if promote == "float" and common.category < dtypes.FLOAT:
            common = dtypes.get_default_dtype()
        elif promote == "number" and common is dtypes.bool:
            common = dtypes.int64
        target = common.numpy
        for i in places:
            a = found[i]
            if isinstance(a, np.ndarray):
                if a.dtype is not target:
                    found[i] = a.astype(target)
            elif a is not None:
                found[i] = number_array(a, target)
        return found

    def record(
        self, mode: Mode, inputs: Sequence[Any], arrays: Sequence[Any], statics: tuple[Any, ...], result: Any
    ) -> Any:
        """Wrap what the forward gave, as the outputs of a new node where the operation is to be recorded."""
        several = len(self.outputs) > 1
        results = result if several else (result,)
        tensors = [wrap(r if isinstance(r, np.ndarray) else np.asarray(r)) for r in results]
        if self.view:
            for made in tensors:
                mark_view(mode, self, inputs[0], made, statics)
        if mode.inference:
            for made in tensors:
                if not self.view or inputs[0].is_inference():
                    mark_inference(made)
        elif mode.grad and self.rules:
            edges = tuple([edge_of(inputs[i]) if isinstance(inputs[i], Tensor) else None for i in self.differentiable])
            for e in edges:
                if e is not None:
                    self.make_node(mode, inputs, arrays, edges, statics, tensors)
                    break
        return tuple(tensors) if several else tensors[0]

    def make_node(
        self,
        mode: Mode,
        inputs: Sequence[Any],
        arrays: Sequence[Any],
        edges: tuple[Any, ...],
        statics: tuple[Any, ...],
        outs: Sequence[Tensor],
    ) -> Any:
        """The node of one call, as the edge of its outputs; None if they are all integers."""
        for i in self.pulled:
            if outs[i]._array.dtype.kind not in "biu":
                break
        else:
            return None
        node_type = self.node_type
        if self.number_type is not None and not all(isinstance(x, Tensor) for x in inputs):
            node_type = self.number_type
        node: Any = _new(node_type)
        node.sequence = next_sequence()
        node.edges = edges
        count = len(arrays)
        kept: list[Any] = [None] * (count + len(outs))
        versions: list[Any] = []
        for place in self.kept_with(edges):
            if place < count:
                array, owner = arrays[place], inputs[place]
            else:
                owner = outs[place - count]
                array = owner._array
            kept[place] = array
            if isinstance(array, np.ndarray):
                own = isinstance(owner, Tensor) and owner._array is array  # not a copy that promotion made
                cell = owner._cell if own else UNCHANGING
                versions += (cell, cell[0])
        if self.keeps_shapes:
            kept += [None if a is None else np.shape(a) for a in arrays]
        elif statics:
            kept += [None] * count
        node.saved = (*kept, *statics)
        node.versions = tuple(versions) or None
        node.adjust = self.adjustment(inputs, outs)
        many = len(self.pulled) > 1
        for place, i in enumerate(self.pulled):
            if outs[i]._array.dtype.kind not in "biu":
                outs[i]._edge = Output(node, place) if many else node
        if not mode.plain:
            from .rare_modes import record_aside

            record_aside(mode, node, [*inputs, *outs])
        return node

    def kept_with(self, edges: tuple[Any, ...]) -> tuple[int, ...]:
        """The places of the arrays, inputs and then outputs, that the rules of these edges need."""
        wanted = tuple([e is not None for e in edges])
        found = self._kept_with.get(wanted)
        if found is None:
            keeps = [k for k, w in zip(self.keeps, wanted, strict=True) if w]
            found = tuple([i for i, needed in enumerate(zip(*keeps, strict=True)) if any(needed)])
            self._kept_with[wanted] = found
        return found

    def adjustment(self, inputs: Sequence[Any], outs: Sequence[Tensor]) -> Adjust | None:
        """What the gradients need on their way to the inputs, None if nothing."""
        out = outs[self.pulled[0]]._array
        shape = out.shape if self.kind == "diagonal" else None
        if out.dtype.kind != "c":
            for i in self.differentiable:
                x = inputs[i]
                if isinstance(x, Tensor) and (
                    x._array.dtype is not out.dtype or (shape is not None and x._array.shape != shape)
                ):
                    break
            else:
                return None
        shapes: list[Any] = []
        kinds: list[Any] = []
        any_complex = out.dtype.kind == "c"
        for i in self.differentiable:
            x = inputs[i]
            if not isinstance(x, Tensor):
                shapes.append(None)
                kinds.append(None)
                continue
            own = x._array
            any_complex = any_complex or own.dtype.kind == "c"
            shapes.append(own.shape if self.kind == "diagonal" and own.shape != out.shape else None)
            kinds.append(own.dtype if own.dtype is not out.dtype else None)
        conjugate = any_complex and self.holomorphic
        broadcast = any(s is not None for s in shapes)
        cast = any(k is not None for k in kinds)
        if not (conjugate or broadcast or cast):
            return None
        return Adjust(tuple(shapes) if broadcast else None, tuple(kinds) if cast else None, conjugate)

    def replay(self, base: Tensor, arguments: tuple[Any, ...]) -> Tensor:
        """The view of `base` that this operation makes; for a part of a node's several views, arguments end in its number."""
        made: Tensor = self.apply((base,), arguments)
        return made

    # -------------------------------------------------------------------------------------------- derivatives

    def pull_values(self, F: Any, t: Any, edges: Sequence[Any], values: Sequence[Any]) -> tuple[Any, ...]:
        """The gradient for each edge that is not None, from values in the order of `layout`."""
        return tuple(None if e is None else rule(F, t, values) for e, rule in zip(edges, self.adapters, strict=True))

    def rewrap(self, node: Node, saved: Any = None, versions: Any = None) -> list[Any]:
        """What a node kept, its arrays as tensors at the edges they came by; what it kept may be given, if unpacked elsewhere."""
        values = list((node.saved if saved is None else saved) or ())  # which ends where nothing more is kept
        versions = (node.versions if saved is None else versions) or ()
        cells = iter(versions[::2])
        kept = node.rare.tangents if node.rare is not None else None
        first_out = len(self.inputs)
        many = len(self.pulled) > 1
        for i in range(min(len(values), first_out + len(self.outputs))):
            if not isinstance(values[i], np.ndarray):
                continue
            made = wrap(values[i])
            made._cell = next(cells)
            if kept is not None:
                kept.give(i, made)
            if i >= first_out:
                if i - first_out in self.pulled:
                    made._edge = Output(node, self.pulled.index(i - first_out)) if many else node
            elif i in self.differentiable:
                place = self.differentiable.index(i)
                made._edge = node.edges[place]
                kind = node.adjust.dtypes[place] if node.adjust is not None and node.adjust.dtypes is not None else None
                if kind is not None and kind is not made._array.dtype and made._edge is not None:
                    # promotion had made a copy: the edge is that of a tensor of the dtype before
                    promoted = made.dtype
                    made._array = cast(made._array, kind)
                    made = made.to(promoted)
            values[i] = made
        return values


NUMBERS = (int, float, complex, np.number, np.bool_)
OPERANDS = (Tensor, *NUMBERS, np.ndarray)
UNCHANGING = [0]  # the version cell of arrays that nobody else can reach
UNCHANGING_VERSION = (UNCHANGING, 0)


def number_array(number: Any, target: np.dtype[Any]) -> Array:
    """A Python number as a 0-d array; an integer that the type is too small for wraps around, as in PyTorch."""
    try:
        return np.asarray(number, target)
    except OverflowError:
        if target.kind in "iu":
            return np.asarray(int(number) & (2 ** (8 * target.itemsize) - 1), np.uint64).astype(target)
        return np.asarray(np.inf if number > 0 else -np.inf, target)


def check_broadcast(shapes: Sequence[tuple[int, ...]]) -> None:
    """Raise, in PyTorch's words, if arrays of these shapes do not broadcast."""
    a = shapes[0]
    for b in shapes[1:]:
        n = max(len(a), len(b))
        x, y = (1,) * (n - len(a)) + tuple(a), (1,) * (n - len(b)) + tuple(b)
        for i in reversed(range(n)):
            if x[i] != y[i] and x[i] != 1 and y[i] != 1:
                raise RuntimeError(
                    f"The size of tensor a ({x[i]}) must match the size of tensor b ({y[i]}) at non-singleton dimension {i}: "
                    f"the shapes are {tuple(a)} and {tuple(b)}"
                )
        a = tuple(q if p == 1 else p for p, q in zip(x, y, strict=True))


def argument_error(function: str, name: str, position: int, value: object) -> TypeError:
    """PyTorch's error for an argument that should have been a tensor."""
    shown = "input" if name == "self" else name
    kind = type(value)
    shown_type = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    return TypeError(
        f"{function}(): argument '{shown}' (position {position}) must be Tensor, not {shown_type}; "
        "wengert.as_tensor makes a tensor of it"
    )


def not_a_tensor(name: str, value: object) -> TypeError:
    """The error for one of Tensor's operators called on something else."""
    return TypeError(
        f"descriptor '__{name}__' for 'torch._C.TensorBase' objects doesn't apply to a '{type(value).__name__}' object"
    )


def mark_view(mode: Mode, operation: Operation, source: Tensor, made: Tensor, arguments: tuple[Any, ...]) -> None:
    """Make `made` a view of `source`: one memory, one version, and the way to it from the base."""
    made._cell = source._cell
    made._extra = extra = Extra()
    whence = source._extra.view if source._extra is not None else None
    step = (operation, arguments)
    how = None if mode.grad else "inference" if mode.inference else "no_grad"
    if whence is None:
        extra.view = View(source, (step,), how)
    else:
        extra.view = View(whence.base, (*whence.chain, step), whence.made or how)
    if source._extra is not None and source._extra.inference:
        extra.inference = True
    register_view(made)


# ------------------------------------------------------------------------------------------------ node types


def _adapter(rule: Rule, places: list[int]) -> Callable[[Any, Any, Any], Any]:
    """The rule as a function of (F, t, values in the order of the layout)."""
    match places:
        case []:
            return lambda F, t, s: rule(F, t)
        case [i]:
            return lambda F, t, s: rule(F, t, s[i])
        case [i, j]:
            return lambda F, t, s: rule(F, t, s[i], s[j])
        case [i, j, k]:
            return lambda F, t, s: rule(F, t, s[i], s[j], s[k])
        case _:
            return lambda F, t, s: rule(F, t, *[s[i] for i in places])


def _scalars(saved: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a node kept with its 0-d arrays as NumPy scalars: between scalars, arithmetic is ten times as quick."""
    if len(saved) == 2:
        a, b = saved
        return a[()] if type(a) is np.ndarray else a, b[()] if type(b) is np.ndarray else b
    return tuple([v[()] if type(v) is np.ndarray else v for v in saved])


def _pull_one(rule: Rule, places: list[int], adapter: Any) -> Any:
    """The pull of a node with one edge; with one value kept it calls the rule without the adapter between."""
    if len(places) == 1:
        (i,) = places

        def pull(self: Any, t: Any) -> tuple[Any, ...]:
            v = self.saved[i]
            if type(t) is not np.ndarray and type(v) is np.ndarray:
                v = v[()]
            return (rule(arrays_namespace, t, v),)

    else:

        def pull(self: Any, t: Any) -> tuple[Any, ...]:
            s = self.saved
            return (adapter(arrays_namespace, t, s if type(t) is np.ndarray or s is None else _scalars(s)),)

    return pull


def _pull_two(rules: Sequence[Rule], places: Sequence[list[int]], adapters: Sequence[Any]) -> Any:
    """The pull of a node with two edges; where nothing or one value is kept for each, without the adapters between."""
    first_rule, second_rule = rules
    first, second = adapters
    if not places[0] and not places[1]:

        def pull(self: Any, t: Any) -> tuple[Any, ...]:
            return (
                None if self.first is None else first_rule(arrays_namespace, t),
                None if self.second is None else second_rule(arrays_namespace, t),
            )

    elif len(places[0]) == 1 and len(places[1]) == 1:
        i, j = places[0][0], places[1][0]

        def pull(self: Any, t: Any) -> tuple[Any, ...]:
            s = self.saved
            if type(t) is not np.ndarray:
                s = _scalars(s)
            return (
                None if self.first is None else first_rule(arrays_namespace, t, s[i]),
                None if self.second is None else second_rule(arrays_namespace, t, s[j]),
            )

    else:

        def pull(self: Any, t: Any) -> tuple[Any, ...]:
            s = self.saved
            if type(t) is not np.ndarray and s is not None:
                s = _scalars(s)
            return (
                None if self.first is None else first(arrays_namespace, t, s),
                None if self.second is None else second(arrays_namespace, t, s),
            )

    return pull


def _node_type(name: str, operation: Operation) -> type[Node]:
    """The node of one operation."""
    adapters = operation.adapters
    places = operation.places
    base: type[Node]
    if len(adapters) == 1:
        base = OneEdge
        pull = _pull_one(operation.rules[0], places[0], adapters[0])
    elif len(adapters) == 2:
        base = TwoEdges
        pull = _pull_two(operation.rules, places, adapters)
    elif len(adapters) == 3:
        first, second, third = adapters
        base = ManyEdges

        def pull(self: Any, t: Any) -> tuple[Any, ...]:
            a, b, c = self.edges
            s = self.saved
            if type(t) is not np.ndarray and s is not None:
                s = _scalars(s)
            return (
                None if a is None else first(arrays_namespace, t, s),
                None if b is None else second(arrays_namespace, t, s),
                None if c is None else third(arrays_namespace, t, s),
            )

    else:
        base = ManyEdges

        def pull(self: Any, t: Any) -> tuple[Any, ...]:
            return operation.pull_values(arrays_namespace, t, self.edges, self.saved)

    return _node_type_of(name, base, pull, operation)


def _beside_number(name: str, operation: Operation) -> type[Node] | None:
    """The node of an operation on a tensor and a number; None if it would have to keep more than the number."""
    if len(operation.inputs) != 2 or len(operation.rules) != 2:
        return None
    rule, (places, _) = operation.rules[0], operation.places
    if places not in ([], [1]):
        return None

    def pull(self: Any, t: Any) -> tuple[Any, ...]:
        if not places:
            return rule(arrays_namespace, t), None
        number = self.saved[1]
        return rule(arrays_namespace, t, number if type(t) is np.ndarray else number[()]), None

    return _node_type_of(name, BesideNumber, pull, operation, versions=UNCHANGING_VERSION if places else None)


def _node_type_of(name: str, base: type[Node], pull: Any, operation: Operation, **more: Any) -> type[Node]:
    """A node type: its name, and how it pulls arrays; tensors are pulled by the rules."""

    def pull_tensors(self: Node, t: Any) -> tuple[Any, ...]:
        return operation.pull_values(tensors_namespace, t, self.edges, operation.rewrap(self))

    def pull_some(self: Node, t: Any, edges: tuple[Any, ...], tensors: bool) -> tuple[Any, ...]:
        if tensors:
            return operation.pull_values(tensors_namespace, t, edges, operation.rewrap(self))
        return operation.pull_values(arrays_namespace, t, edges, self.saved)

    body = {
        "__slots__": (),
        "__module__": "torch.autograd.graph",
        "pull": pull,
        "pull_tensors": pull_tensors,
        "pull_some": pull_some,
        "operation": operation,
        "outputs": len(operation.pulled),
        **more,
    }
    return type(name, (base,), body)


def parameters_of(rule: Rule) -> tuple[str, ...]:
    """The names that a rule keeps: its parameters after `F` and `t`."""
    return rule.__code__.co_varnames[2 : rule.__code__.co_argcount]
