"""A tensor that a node keeps: the version expected of it, the hooks that pack it, and how it comes back at its edge.

The nodes of operations keep plain arrays, which is all that most programs need. `Packed` takes the place of these where
saved-tensor hooks are in force, or where somebody asks for one (`grad_fn._raw_saved_self`). A `Function` keeps `SavedTensor`s.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtype_names import tensor_name
from ..tensor import Tensor, alias, edge_of
from .adjust import cast
from .modes import get_mode, set_mode
from .node import FREED, AccumulateGrad, BesideNumber, Output, short_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .node import Node

    Array = np.ndarray[Any, np.dtype[Any]]

FREED_MESSAGE = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
    "freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after "
    "calling backward."
)
NO_TANGENTS: dict[int, Tensor] = {}  # never written to
KEPT = ([0], 0)  # a version that never changes: by it the engine sees that a node keeps something, and frees it


def modified_error(array: Array | None, maker: Any, number: int, found: int, expected: int) -> RuntimeError:
    """PyTorch's error for an array that was written to after a node kept it; `maker` is the node of which it is an output."""
    from .. import dtypes

    described, whose = "a tensor", ""
    if array is not None:
        kind = dtypes.of(array.dtype)
        described = f"[{tensor_name(kind)} [{', '.join(map(str, array.shape))}]]"
    if maker is not None and not maker.is_leaf:
        whose = f", which is output {number} of {short_name(maker)},"
    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. The variable in question was "
        "changed in there or anywhere later. Good luck!"
        if get_mode().anomaly
        else "enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    return RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"{described}{whose} is at version {found}; expected version {expected} instead. Hint: {hint}"
    )


class SavedTensor:
    """One tensor that a node keeps.

    Of an output of the node neither the tensor nor its edge is held, for either would hold the node. Of any other tensor but a
    leaf the array and the edge are held, and the tensor weakly: written in place, it would come to hold what is made of it.
    """

    __slots__ = (
        "array",
        "cell",
        "edge",
        "expected",
        "hooks",
        "index",
        "kind",
        "owner",
        "packed",
        "shape",
        "tangents",
    )

    def __init__(
        self, array: Array, cell: list[Any], expected: int, edge: Any, index: int | None, tensor: Tensor | None = None
    ) -> None:
        self.array: Array | None = array
        self.cell = cell
        self.expected = expected
        self.edge = edge
        self.index = index  # None, or the number of the node's output that the tensor is (-1: of one without an edge)
        self.hooks: tuple[Callable[..., Any], Callable[..., Any]] | None = None
        self.tangents: dict[int, Tensor] = NO_TANGENTS  # in forward mode, by level
        self.owner: Callable[[], Tensor | None] | None = None
        if tensor is not None:
            if index is None:
                self.owner = (lambda: tensor) if type(edge) is AccumulateGrad else weakref.ref(tensor)
            extra = tensor._extra
            if extra is not None and extra.tangents:
                self.tangents = dict(extra.tangents)

    @property
    def freed(self) -> bool:
        """Whether the tensor was let go."""
        return self.array is None and self.hooks is None

    @classmethod
    def of(cls, x: Tensor, index: int | None) -> SavedTensor:
        """What a node keeps of `x`, which is its output `index` if that is a number."""
        return cls(x._array, x._cell, x._cell[0], None if index is not None else edge_of(x), index, x)

    def tensor(self, node: Node) -> Tensor:
        """The tensor as it was kept: itself if it is still there, else another of its array, at its edge.

        Raises RuntimeError if it was freed, or written to since.
        """
        if self.freed:
            raise RuntimeError(FREED_MESSAGE)
        if self.hooks is not None:
            return self._alias(self.unpacked(), [0], node)
        assert self.array is not None
        if self.cell[0] != self.expected:
            maker: Any = node if self.index is not None else self.edge
            number = max(self.index or 0, 0)
            if type(maker) is Output:
                maker, number = maker.node, maker.index
            raise modified_error(self.array, maker, number, self.cell[0], self.expected)
        if self.tangents:
            return self._alias(self.array, self.cell, node)
        found = self.owner() if self.owner is not None else None
        if found is None and type(self.edge) is AccumulateGrad:
            found = self.edge.variable
        if found is not None and found._array is self.array and edge_of(found) is self.edge:
            return found
        return self._alias(self.array, self.cell, node)

    def _alias(self, array: Any, cell: list[Any], node: Node) -> Tensor:
        edge = self.edge if self.index is None else None
        if self.index is not None and self.index >= 0:
            edge = Output(node, self.index) if node.outputs > 1 else node
        made = alias(array, cell, edge)
        if self.tangents:
            from ..ops.forward_mode import open_levels, set_tangent

            for level in open_levels():
                set_tangent(made, level, self.tangents.get(level))
        return made

    def register_hooks(self, pack_hook: Callable[..., Any], unpack_hook: Callable[..., Any]) -> None:
        """Keep what `pack_hook` makes of the tensor, and give what `unpack_hook` makes of that.

        Raises RuntimeError if this was done before, or if the tensor was freed.
        """
        if self.freed:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are "
                "freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through "
                "the graph a second time or if you need to access saved variables after calling backward."
            )
        if self.hooks is not None:
            raise RuntimeError("Calling register_hooks on a saved tensor whose hooks have already been set.")
        assert self.array is not None
        if not callable(pack_hook) or not callable(unpack_hook):
            raise TypeError("register_hooks(): pack_hook and unpack_hook must be callable")
        self.pack(pack_hook, unpack_hook, alias(self.array, self.cell, None))

    def pack(self, pack_hook: Callable[..., Any], unpack_hook: Callable[..., Any], shown: Tensor) -> None:
        """Replace the array by what `pack_hook` makes of `shown`, which is the tensor."""
        mode = get_mode()
        set_mode(mode.replace(grad=False))
        before = shown._cell[0]
        try:
            packed = pack_hook(shown)
        finally:
            set_mode(mode)
        if shown._cell[0] != before:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be "
                "modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need "
                "to perform in-place operations on the input to a pack hook."
            )
        if packed is shown and self.index is not None:
            packed = alias(shown._array, shown._cell, None)  # at its edge it would hold the node that holds it
        self.packed = packed
        self.shape, self.kind = shown._array.shape, shown._array.dtype
        self.hooks = pack_hook, unpack_hook
        self.array = self.owner = None

    def unpacked(self) -> Array:
        """The array, from what the hook packed."""
        assert self.hooks is not None
        found = self.hooks[1](self.packed)
        if not isinstance(found, Tensor):
            raise TypeError(
                f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {type(found).__name__}"
            )
        array = found._array
        if array.dtype is not self.kind:
            array = cast(array, self.kind)
        if array.shape != self.shape:
            try:
                array = np.broadcast_to(array, self.shape)
            except ValueError:
                raise RuntimeError(
                    f"Output of saved tensor unpack_hook expected to be a Tensor of the size {list(self.shape)} but got one of the "
                    f"size {list(array.shape)}"
                ) from None
        return array

    def free(self) -> None:
        """Let go of the tensor."""
        self.array = self.owner = self.packed = self.hooks = self.edge = None
        self.tangents = NO_TANGENTS


class Packed:
    """What the node of an operation keeps, its arrays as `SavedTensor`s."""

    __slots__ = ("entries",)

    def __init__(self, entries: list[Any]) -> None:
        self.entries = entries

    def __del__(self) -> None:
        for entry in self.entries:
            if isinstance(entry, SavedTensor):
                entry.free()

    def unpacked(self, node: Node) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The values and the versions that the node would keep if its arrays were not packed."""
        values: list[Any] = []
        versions: list[Any] = []
        for e in self.entries:
            if type(e) is SavedTensor:
                x = e.tensor(node)
                values.append(x._array)
                versions += (x._cell, x._cell[0])
            else:
                values.append(e)
                if isinstance(e, np.ndarray):
                    versions += KEPT
        return tuple(values), tuple(versions)


def pack_node(node: Any, owners: Sequence[Any] = (), hooks: tuple[Any, Any] | None = None) -> None:
    """Let the node of an operation keep `SavedTensor`s from now on, packed by the hooks if there are some.

    owners: the inputs and outputs of which it keeps the arrays, if they are still known.
    """
    operation = node.operation
    entries = list(node.saved)
    versions = iter(node.versions)
    many = len(operation.pulled) > 1
    first_output = len(operation.inputs)
    for i, array in enumerate(entries[: first_output + len(operation.outputs)]):
        if not isinstance(array, np.ndarray):
            continue
        cell, expected = next(versions), next(versions)
        edge = index = None
        if i >= first_output:
            number = i - first_output
            index = operation.pulled.index(number) if number in operation.pulled else -1
        elif i in operation.differentiable:
            edge = node.edges[operation.differentiable.index(i)]
        owner = owners[i] if owners else None
        if owners and not isinstance(owner, Tensor):
            continue  # a number, which the rules take as an array
        if not isinstance(owner, Tensor) or owner._array is not array:
            owner = None
        entry = SavedTensor(array, cell, expected, edge, index, owner)
        if hooks is not None:
            if owner is None or index is not None:
                shown_edge = edge if index is None else None if index < 0 else Output(node, index) if many else node
                owner = alias(array, cell, shown_edge)
            entry.pack(*hooks, owner)
        entries[i] = entry
    node.saved = Packed(entries)
    if not isinstance(node, BesideNumber):
        node.versions = KEPT
    node.__class__ = _packed_type(type(node))


_packed_types: dict[type[Node], type[Node]] = {}


def _packed_type(kind: Any) -> type[Node]:
    """The type of nodes of this type that keep a `Packed`."""
    found = _packed_types.get(kind)
    if found is not None:
        return found
    from ..ops.namespace import arrays, tensors

    operation = kind.operation

    def pull(self: Any, t: Any) -> tuple[Any, ...]:
        found: tuple[Any, ...] = operation.pull_values(arrays, t, self.edges, self.saved.unpacked(self)[0])
        return found

    def pull_tensors(self: Any, t: Any) -> tuple[Any, ...]:
        return pull_some(self, t, self.edges, True)

    def pull_some(self: Any, t: Any, edges: tuple[Any, ...], as_tensors: bool) -> tuple[Any, ...]:
        values, versions = self.saved.unpacked(self)
        if as_tensors:
            values = operation.rewrap(self, values, versions)
        found: tuple[Any, ...] = operation.pull_values(tensors if as_tensors else arrays, t, edges, values)
        return found

    body = {
        "__slots__": (),
        "__module__": kind.__module__,
        "pull": pull,
        "pull_tensors": pull_tensors,
        "pull_some": pull_some,
    }
    _packed_types[kind] = made = type(kind.__name__, (kind,), body)
    _packed_types[made] = made
    return made


def saved_attribute(node: Any, name: str) -> Any:
    """`node._saved_<name>` and `node._raw_saved_<name>`: what an operation's node keeps, by PyTorch's names."""
    operation = getattr(type(node), "operation", None)
    raw = name.startswith("_raw_saved_")
    wanted = name.removeprefix("_raw_saved_").removeprefix("_saved_")
    place = -1
    if operation is not None:
        names = ["result" if n == "out" else n for n in operation.layout]
        place = names.index(wanted) if wanted in names else -1
    if place < 0:
        raise AttributeError(f"'{type(node).__name__}' object has no attribute '{name}'")
    saved = node.saved
    if saved is FREED:
        raise RuntimeError(FREED_MESSAGE)
    if isinstance(saved, tuple) and node.versions is not None:
        pack_node(node)
        saved = node.saved
    entries = saved.entries if isinstance(saved, Packed) else saved or ()
    entry = entries[place] if place < len(entries) else None
    if raw or not isinstance(entry, SavedTensor):
        return alias(entry, [0], None) if isinstance(entry, np.ndarray) else entry
    return entry.tensor(node)
