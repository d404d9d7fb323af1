"""What is recorded: nodes of the graph, the accumulators at its leaves, and the outputs of nodes that have several."""

from __future__ import annotations

import itertools
import operator
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from .adjust import Adjust

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..tensor import Tensor

    Array = np.ndarray[Any, np.dtype[Any]]

next_sequence = itertools.count(1).__next__


class Freed:
    """Takes the place of a node's kept arrays once a backward pass has used them up."""

    def __repr__(self) -> str:
        return "FREED"


FREED: Any = Freed()


class Node:
    """One recorded operation.

    edges     for each input: the node that made it, a leaf's AccumulateGrad, an Output of a node with several, or None
    saved     what the pull needs, laid out as `ops.declare` says; FREED after a backward pass that did not retain it
    versions  (cell, version expected, cell, version expected, ...) of the arrays in `saved`; None where nothing is kept that a
              backward pass frees
    adjust    None, or what is to be done around the pull: how to bring the gradients to the shapes and dtypes of the inputs, and
              what few nodes have (`rare`)
    sequence  when it was made: an edge always leads to a node with a smaller number

    A subclass for each operation gives the node its name and its `pull`. A node never holds the tensor that it made.
    Nodes with one or two edges hold them without a tuple, which `edges` then makes: the fewer and the smaller the objects, the less
    the garbage collector has to go through.
    """

    __slots__ = ("adjust", "saved", "sequence")

    edges: tuple[Any, ...]
    saved: Any
    versions: tuple[Any, ...] | None
    adjust: Any
    sequence: int

    outputs = 1  # how many outputs the operation has: a class attribute of its node type
    is_leaf = False

    def pull(self, t: Any) -> tuple[Any, ...]:
        """The gradients for each edge, as arrays, from the gradient `t` of the output (a tuple of them where several)."""
        raise NotImplementedError

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        """The same with tensors and recorded operations, for gradients that are differentiated again."""
        raise NotImplementedError

    def pull_some(self, t: Any, edges: tuple[Any, ...], tensors: bool) -> tuple[Any, ...]:
        """`pull` or `pull_tensors` where only some gradients are wanted: those whose place in `edges` is not None."""
        return self.pull_tensors(t) if tensors else self.pull(t)

    def name(self) -> str:
        """The name of the operation's backward, as PyTorch names it."""
        return type(self).__name__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("_saved_", "_raw_saved_")):
            from .saved import saved_attribute

            return saved_attribute(self, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """For each input the node that made it (None where none is needed) and which of that node's outputs it is."""
        return tuple((None, 0) if e is None else (e.node, e.index) if type(e) is Output else (e, 0) for e in self.edges)

    @property
    def rare(self) -> Rare | None:
        """None, or hooks and other things that few nodes have."""
        return None if self.adjust is None else self.adjust.rare

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dictionary of the user's own."""
        rare = rare_of(self)
        if rare.metadata is None:
            rare.metadata = {}
        return rare.metadata

    def _sequence_nr(self) -> int:
        return self.sequence

    def register_hook(self, fn: Callable[..., Any]) -> Any:
        """Call `fn(grad_inputs, grad_outputs)` when the node has been run; what it returns replaces `grad_inputs`."""
        from .hooks import Handle

        rare = rare_of(self)
        return Handle(rare.post_hooks, fn)

    def register_prehook(self, fn: Callable[..., Any]) -> Any:
        """Call `fn(grad_outputs)` before the node is run; what it returns replaces `grad_outputs`."""
        from .hooks import Handle

        rare = rare_of(self)
        return Handle(rare.pre_hooks, fn)


class OneEdge(Node):
    """A node with one edge."""

    __slots__ = ("edge", "versions")

    @property
    def edges(self) -> tuple[Any, ...]:
        return (self.edge,)

    @edges.setter
    def edges(self, edges: tuple[Any, ...]) -> None:
        (self.edge,) = edges


class TwoEdges(Node):
    """A node with two edges."""

    __slots__ = ("first", "second", "versions")

    def _set(self, edges: tuple[Any, ...]) -> None:
        self.first, self.second = edges

    edges = property(operator.attrgetter("first", "second"), _set)


class BesideNumber(Node):
    """A node with two edges, the second of them None, that keeps nothing but a number: `versions` stands in the class."""

    __slots__ = ("edge",)

    edges = property(lambda self: (self.edge, None))


class ManyEdges(Node):
    """A node with any other number of edges."""

    __slots__ = ("edges", "versions")


class Rare:
    """What few nodes have: hooks, retained gradients, the user's metadata, tangents of what they keep."""

    __slots__ = ("metadata", "post_hooks", "pre_hooks", "retained", "tangents", "tensor_hooks")

    def __init__(self) -> None:
        self.tensor_hooks: dict[int, dict[int, Callable[..., Any]]] = {}  # by output, of `Tensor.register_hook`
        self.retained: dict[int, Retained] = {}  # by output
        self.pre_hooks: dict[int, Callable[..., Any]] = {}
        self.post_hooks: dict[int, Callable[..., Any]] = {}
        self.metadata: dict[Any, Any] | None = None
        self.tangents: Any = None  # in forward mode, those of the arrays kept: see `ops.forward_mode.Kept`


class Retained:
    """Where `retain_grad` puts a gradient: shared by the tensor and its node, so that neither holds the other."""

    __slots__ = ("grad",)

    def __init__(self) -> None:
        self.grad: Tensor | None = None


def short_name(node: Any) -> str:
    """The node's name as PyTorch's messages about tensors have it: `Mul` for `MulBackward0`."""
    name: str = type(node).__name__
    head, found, number = name.rpartition("Backward")
    return head if found and head and (not number or number.isdigit()) else name


def rare_of(node: Any) -> Rare:
    """The node's `Rare`, made if it has none yet."""
    adjust = node.adjust
    if adjust is None:
        adjust = node.adjust = Adjust()
    if adjust.rare is None:
        adjust.rare = Rare()
    rare: Rare = adjust.rare
    return rare


class AccumulateGrad(Node):
    """The end of an edge to a leaf: holds the leaf's gradient, and refers to the leaf itself weakly.

    The leaf's `_edge` is its accumulator, so whatever was computed from the leaf keeps the gradient alive. The array and the
    version cell are held too: `variable` makes the leaf anew if its last tensor is gone.
    """

    __slots__ = ("array", "cell", "grad", "post_accumulate", "tensor", "versions")

    is_leaf = True
    edges = ()

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def __init__(self, leaf: Tensor) -> None:
        self.saved = None
        self.versions = None
        self.adjust = None
        self.sequence = next_sequence()
        self.grad: Tensor | None = None
        self.array = leaf._array
        self.cell = leaf._cell
        self.post_accumulate: dict[int, Callable[..., Any]] | None = None
        self.tensor = weakref.ref(leaf)

    def freeze(self) -> None:
        """Take no more gradients: the leaf does not require grad any more."""
        self.grad = None
        self.__class__ = FrozenGrad

    def thaw(self, array: Array) -> None:
        """Take gradients again, for the leaf with this array."""
        self.array = array
        self.__class__ = AccumulateGrad

    @property
    def variable(self) -> Tensor:
        """The leaf."""
        leaf = self.tensor()
        if leaf is None:
            from ..tensor import alias

            leaf = alias(self.array, self.cell, self)
            self.tensor = weakref.ref(leaf)
        return leaf


class FrozenGrad(AccumulateGrad):
    """The accumulator of a leaf that does not require grad any more: a node that gradients end at."""

    __slots__ = ()

    def pull(self, t: Any) -> tuple[Any, ...]:
        return ()

    pull_tensors = pull


FrozenGrad.__name__ = "AccumulateGrad"


class Output:
    """The edge of a tensor that is one of several outputs of its node."""

    __slots__ = ("index", "node")

    def __init__(self, node: Node, index: int) -> None:
        self.node = node
        self.index = index
