"""A tensor taken apart into views: at each index of a dimension, or into consecutive parts."""

from __future__ import annotations

import itertools
import weakref
from typing import Any

import numpy as np

from .. import dtypes
from ..autograd.modes import get_mode
from ..autograd.node import OneEdge, Output, next_sequence
from ..tensor import Extra, Tensor, View, edge_of, forget_the_gone, wrap_dim
from .declare import linear
from .dims import check_tensor, combination_error, dim_number
from .expose import expose
from .forward_mode import highest_level, primal_of, set_tangent, tangent_of
from .namespace import provide, tensors
from .rare_modes import record_aside
from .selecting import BEFORE, view_at, view_between
from .sizes import sizes

_new: Any = object.__new__

# ------------------------------------------------------------------------------------------------ several views, one node


class _ApartNode(OneEdge):
    """A node of several views of one tensor. `saved` is (shape of the tensor, dimension, statics of each view)."""

    __slots__ = ("count",)

    @property
    def outputs(self) -> int:  # type: ignore[override]
        count: int = self.count
        return count

    def pull(self, t: Any) -> tuple[Any, ...]:
        shape, dim, views = self.saved
        parts = t if type(t) is tuple else (t,)
        made = None
        for part, statics in zip(parts, views, strict=True):
            if part is not None:
                if made is None:
                    made = np.zeros(shape, part.dtype)
                index = statics[0] if len(statics) == 1 else slice(*statics)
                made[(*BEFORE[dim], index)] = part
        return (made,)

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        shape, dim, views = self.saved
        total = None
        for part, statics in zip(t if type(t) is tuple else (t,), views, strict=True):
            if part is not None:
                back = tensors.select_backward if len(statics) == 1 else tensors.slice_backward
                put = back(part, shape, dim, *statics)
                total = put if total is None else total + put
        return (total,)


def _node_type(name: str) -> Any:
    return type(name, (_ApartNode,), {"__slots__": (), "__module__": "torch.autograd.graph"})


_Unbind, _Split, _SplitWithSizes = map(_node_type, ("UnbindBackward0", "SplitBackward0", "SplitWithSizesBackward0"))
_UnsafeSplit = _node_type("UnsafeSplitBackward0")


def _apart(node_type: Any, x: Tensor, operation: Any, dim: int, views: list[tuple[Any, ...]]) -> tuple[Tensor, ...]:
    """Several views of a tensor, each by one operation, as the outputs of one node."""
    mode = get_mode()
    level = highest_level((x,)) if mode.dual_level else 0
    if level:
        parts = _apart(node_type, primal_of(x, level), operation, dim, views)
        tangent = tangent_of(x, level)
        assert tangent is not None
        for piece, pushed in zip(parts, _apart(node_type, tangent, operation, dim, views), strict=True):
            set_tangent(piece, level, pushed)
        return parts
    edge = edge_of(x) if mode.grad else None
    array, cell, op = x._array, x._cell, operation.operation
    forward = op.forward
    node = None
    if edge is not None:
        node = _new(node_type)
        node.edge = edge
        node.saved = (array.shape, dim, views)
        node.versions = node.adjust = None
        node.sequence = next_sequence()
        node.count = len(views)
        if not mode.plain:
            record_aside(mode, node)
    whence = x._extra.view if x._extra is not None else None
    base, chain, made_how = (x, (), None) if whence is None else (whence.base, whence.chain, whence.made)
    how = made_how or ("several" if edge is not None else "inference" if mode.inference else "no_grad")
    inference = x.is_inference()
    found = []
    several = len(views) > 1
    for k, statics in enumerate(views):
        arguments = (dim, *statics)
        part: Tensor = _new(Tensor)
        part._array = forward(array, *arguments)
        part._cell = cell
        part._extra = extra = Extra()
        extra.view = View(base, (*chain, (op, arguments)), how)
        if several and node is not None:
            part._edge = edge = _new(Output)
            edge.node = node
            edge.index = k
        else:
            part._edge = node
        extra.inference = inference
        cell.append(weakref.ref(part))
        found.append(part)
    if len(cell) > 64:
        forget_the_gone(cell)
    return tuple(found)


# ------------------------------------------------------------------------------------------------ functions


def unbind(input: Tensor, dim: Any = 0) -> tuple[Tensor, ...]:
    """Views of the tensor at each index of a dimension.

    >>> import wengert
    >>> wengert.unbind(wengert.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2]), tensor([3, 4]))
    """
    shape = check_tensor("unbind", input)._array.shape
    d = dim_number("unbind", dim, position=2)
    d = wrap_dim(d, len(shape))
    if not shape:
        raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
    return _apart(_Unbind, input, view_at, d, [(i,) for i in range(shape[d])])


def _parts(node_type: Any, x: Tensor, dim: int, lengths: list[int]) -> tuple[Tensor, ...]:
    views = []
    start = 0
    for n in lengths:
        views.append((start, start + n, 1))
        start += n
    return _apart(node_type, x, view_between, dim, views)


def _split_sizes(function: str, x: Tensor, size: int, dim: Any) -> tuple[int, list[int]]:
    """The dimension and the lengths of parts of one size."""
    shape = check_tensor(function, x)._array.shape
    d = dim_number(function, dim, position=3)
    if not shape:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    d = wrap_dim(d, len(shape))
    length = shape[d]
    if size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={size}")
    if size == 0:
        if length:
            raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {length}")
        return d, [0]
    return d, [min(size, length - k) for k in range(0, length, size)] or [0]


def _section_sizes(x: Tensor, sections: Any, dim: Any) -> tuple[int, list[int]]:
    """The dimension and the lengths of parts, given one by one."""
    lengths = list(sizes("split_with_sizes", (sections,), "split_sizes", position=2))
    shape = check_tensor("split_with_sizes", x)._array.shape
    d = dim_number("split_with_sizes", dim, position=3)
    if not shape:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    d = wrap_dim(d, len(shape))
    length = shape[d]
    if any(n < 0 for n in lengths):
        raise RuntimeError(
            f"split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={lengths}"
        )
    if sum(lengths) != length:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {length} (input tensor's size at dimension {d}), but got "
            f"split_sizes={lengths}"
        )
    return d, lengths


def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of consecutive parts along a dimension, of one size (the last may be smaller) or of given sizes.

    >>> import wengert
    >>> wengert.split(wengert.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    size = split_size_or_sections
    if type(size) is int or (not isinstance(size, (list, tuple, bool)) and hasattr(size, "__index__")):
        return _parts(_Split, tensor, *_split_sizes("split", tensor, int(size), dim))
    return _parts(_SplitWithSizes, tensor, *_section_sizes(tensor, size, dim))


def _split_method(self: Tensor, split_size: Any, dim: int = 0) -> tuple[Tensor, ...]:
    return split(self, split_size, dim)


_split_method.__name__ = _split_method.__qualname__ = "split"
_split_method.__doc__ = split.__doc__


def split_with_sizes(self: Tensor, split_sizes: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of consecutive parts of given sizes along a dimension."""
    return _parts(_SplitWithSizes, self, *_section_sizes(self, split_sizes, dim))


def _chunk_size(function: str, x: Tensor, chunks: Any, dim: Any) -> int:
    n = dim_number(function, chunks, "chunks", 2)
    shape = check_tensor(function, x)._array.shape
    if not shape:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if n <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {n}")
    length: int = shape[wrap_dim(dim_number(function, dim, position=3), len(shape))]
    return -(-length // n)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of at most so many consecutive parts of equal size along a dimension; the last may be smaller.

    >>> import wengert
    >>> wengert.chunk(wengert.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    size = _chunk_size("chunk", input, chunks, dim)
    return split(input, size, dim) if size else split_with_sizes(input, [0] * chunks, dim)


def tensor_split(
    input: Tensor, indices_or_sections: Any = None, dim: int = 0, *, indices: Any = None, sections: Any = None
) -> tuple[Tensor, ...]:
    """Views of so many parts along a dimension, as equal as possible, or of the parts between given indices.

    >>> import wengert
    >>> wengert.tensor_split(wengert.arange(5), 3)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    given = next((g for g in (indices_or_sections, indices, sections) if g is not None), None)
    if given is None:
        raise TypeError('tensor_split() missing 1 required positional arguments: "indices_or_sections"')
    shape = check_tensor("tensor_split", input)._array.shape
    if not shape:
        raise RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    d = wrap_dim(dim_number("tensor_split", dim, position=3), len(shape))
    length = shape[d]
    if isinstance(given, Tensor):
        if given._array.ndim > 1 or given.dtype is not dtypes.int64:
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor of dtype long, "
                f"but got {given.dtype} with {given._array.ndim} dims"
            )
        given = given.tolist()
    if isinstance(given, int):
        if given <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {given}")
        bounds = [0]
        for i in range(given):
            bounds.append(bounds[-1] + length // given + (i < length % given))
    else:
        bounds = [0, *sizes("tensor_split", (given,), "indices", position=2), length]
    return tuple([view_between(input, d, a, b, 1) for a, b in itertools.pairwise(bounds)])


def _along(name: str, axis: str, least: int, dim_of: Any) -> Any:
    def function(input: Tensor, indices_or_sections: Any = None, *, indices: Any = None, sections: Any = None) -> Any:
        given = next((g for g in (indices_or_sections, indices, sections) if g is not None), None)
        shape = check_tensor(name, input)._array.shape
        if len(shape) < least:
            raise RuntimeError(
                f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor with "
                f"{len(shape)} dimensions!"
            )
        d = dim_of(len(shape))
        if not isinstance(given, (int, list, tuple, Tensor)):
            raise combination_error(
                name,
                f"({type(given).__name__})",
                ("(Tensor input, int sections)", "(Tensor input, tuple of ints indices)"),
            )
        if isinstance(given, int) and (given == 0 or shape[d] % given):
            raise RuntimeError(
                f"torch.{name} attempted to split along dimension {d}, but the size of the dimension {shape[d]} is not divisible by "
                f"the split_size {given}!"
            )
        return tensor_split(input, given, d)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Views of equal parts {axis}, or of the parts between given indices."
    return function


hsplit = _along("hsplit", "side by side", 1, lambda ndim: 1 if ndim > 1 else 0)
vsplit = _along("vsplit", "one below the other", 2, lambda ndim: 0)
dsplit = _along("dsplit", "one behind the other", 3, lambda ndim: 2)

# ------------------------------------------------------------------------------------------------ without views


def _unviewed(x: Tensor, dim: int, lengths: list[int], copy: bool) -> tuple[Tensor, ...]:
    """The parts as tensors that are no views of `x` to the graph; unless copied, they share its memory all the same."""
    part_of = _slice_copy if copy else _unsafe_slice
    made = []
    start = 0
    for n in lengths:
        made.append(part_of(x, dim, start, start + n, 1))
        start += n
    return tuple(made)


def _slice_declared(name: str, copy: bool, node: str) -> Any:
    def forward(a: Any, dim: int, start: int, end: int, step: int) -> Any:
        part = a[(*BEFORE[dim], slice(start, end, step))]
        return np.array(part) if copy else part

    return linear(
        name, forward, lambda F, t, self_shape, dim, start, end, step: F.slice_backward(t, self_shape, dim, start, end, step),
        ("dim", "start", "end", "step"), node=node, holomorphic=False,
    )  # fmt: skip


_unsafe_slice = _slice_declared("unsafe_slice", False, "UnsafeSplitBackward0")
_slice_copy = _slice_declared("split_slice_copy", True, "SplitBackward0_copy")


def unsafe_split(tensor: Tensor, split_size: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """`split`, whose parts the graph does not know as views: they may be written to, if the tensor is not used again."""
    return _unviewed(
        tensor,
        *_split_sizes("unsafe_split", tensor, dim_number("unsafe_split", split_size, "split_size", 2), dim),
        False,
    )


def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """`chunk`, whose parts the graph does not know as views."""
    size = _chunk_size("unsafe_chunk", input, chunks, dim)
    if size:
        return unsafe_split(input, size, dim)
    return _unviewed(input, wrap_dim(dim, input._array.ndim), [0] * chunks, False)


def split_copy(input: Tensor, split_size: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """`split`, whose parts are copies."""
    return _unviewed(
        input, *_split_sizes("split_copy", input, dim_number("split_copy", split_size, "split_size", 2), dim), True
    )


def split_with_sizes_copy(input: Tensor, split_sizes: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """`split_with_sizes`, whose parts are copies."""
    return _unviewed(input, *_section_sizes(input, split_sizes, dim), True)


def unbind_copy(input: Tensor, dim: Any = 0) -> tuple[Tensor, ...]:
    """`unbind`, whose parts are copies."""
    from .view_copies import select_copy

    count = len(unbind(input.detach(), dim))
    return tuple([select_copy(input, dim, i) for i in range(count)])


provide("unbind", lambda a, dim: tuple(np.moveaxis(a, dim, 0)), unbind)
_names = "unbind split split_with_sizes chunk tensor_split hsplit vsplit dsplit unsafe_split unsafe_chunk"
__all__ = expose(__name__, functions=_names + " split_copy split_with_sizes_copy unbind_copy", methods=_names)
Tensor.split = _split_method  # type: ignore[attr-defined]
