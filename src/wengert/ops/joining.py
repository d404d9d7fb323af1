"""Joining tensors into one, and taking one apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..autograd.modes import get_mode
from ..autograd.node import ManyEdges, OneEdge, Output, next_sequence
from ..tensor import Tensor, View, edge_of, mark_inference, wrap, wrap_dim
from .declare import mark_view
from .dims import check_tensor, dim_number
from .expose import alias, expose
from .inplace import into
from .namespace import provide, tensors
from .rare_modes import record_aside
# A join has any number of inputs and a node several outputs may have, so that these two operations record by themselves; their
# transposes are declared operations, or each other.


class _JoinNode(ManyEdges):
    """A node of any number of tensors joined along a dimension. `saved` is (dim, lengths along it, dtypes)."""

    __slots__ = ()

    def pull(self, t: Any) -> tuple[Any, ...]:
        dim, lengths, kinds = self.saved
        grads = []
        start = 0
        for edge, n, kind in zip(self.edges, lengths, kinds, strict=True):
            if edge is None:
                grads.append(None)
            else:
                part = t[(slice(None),) * dim + (slice(start, start + n),)]
                if part.dtype != kind:
                    part = (part.real if part.dtype.kind == "c" and kind.kind != "c" else part).astype(kind)
                grads.append(part)
            start += n
        return tuple(grads)

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        dim, lengths, kinds = self.saved
        grads = []
        start = 0
        for edge, n, kind in zip(self.edges, lengths, kinds, strict=True):
            grad = None
            if edge is not None:
                grad = tensors.narrow(t, dim, start, n)
                d = dtypes.of(kind)
                if grad.dtype is not d:
                    grad = (grad.real if grad.is_complex() and not d.is_complex else grad).to(d)
            grads.append(grad)
            start += n
        return tuple(grads)


class CatBackward0(_JoinNode):
    """The node of `cat`."""

    __slots__ = ()


CatBackward0.__module__ = "torch.autograd.graph"


def cat(tensors: Any, dim: Any = 0, *, out: Tensor | None = None, axis: Any = None) -> Any:
    """The tensors one after the other along a dimension; their other dimensions are of equal length, their dtypes promote.

    Raises RuntimeError where the lengths do not fit.

    >>> import wengert
    >>> wengert.cat([wengert.ones(1, 2), wengert.zeros(1, 2)])
    tensor([[1., 1.],
            [0., 0.]])
    """
    if isinstance(tensors, Tensor) or not isinstance(tensors, (list, tuple)):
        raise TypeError(
            f"cat(): argument 'tensors' (position 1) must be tuple of Tensors, not {type(tensors).__name__}"
        )
    parts = list(tensors)
    if not parts:
        raise ValueError("expected a non-empty list of Tensors")
    for i, x in enumerate(parts):
        if not isinstance(x, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(x).__name__}")
    dim = dim_number("cat", dim if axis is None else axis, position=2)
    for i, x in enumerate(parts):
        if x._array.ndim == 0:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    # PyTorch passes over empty vectors, whatever the shape of the others
    real = [x for x in parts if x._array.shape != (0,)] or parts[:1]
    ndim = real[0]._array.ndim
    d = wrap_dim(dim, ndim)
    first = real[0]._array.shape
    for x in real[1:]:
        shape = x._array.shape
        if len(shape) != ndim:
            raise RuntimeError(f"Tensors must have same number of dimensions: got {ndim} and {len(shape)}")
        for i, (m, n) in enumerate(zip(first, shape, strict=True)):
            if i != d and m != n:
                where = next(k for k, y in enumerate(parts) if y is x)
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {d}. Expected size {m} but got size {n} for tensor number "
                    f"{where} in the list."
                )
    common = parts[0].dtype
    for x in parts[1:]:
        common = dtypes.promote_types(common, x.dtype)
    made = _join(real, d, common)
    return made if out is None else into(out, made)


def _join(parts: list[Tensor], dim: int, common: Any) -> Any:
    mode = get_mode()
    if mode.dual_level:
        made = _join_duals(parts, dim, common)
        if made is not None:
            return made
    found = wrap(np.concatenate([x._array for x in parts], dim, dtype=common.numpy))
    if mode.inference:
        mark_inference(found)
        return found
    if not mode.grad or common.category < dtypes.FLOAT:
        return found
    edges = tuple([edge_of(x) for x in parts])
    if any(e is not None for e in edges):
        node = object.__new__(CatBackward0)
        node.edges = edges
        node.saved = (dim, [x._array.shape[dim] for x in parts], [x._array.dtype for x in parts])
        node.versions = node.adjust = node.rare = None
        node.sequence = next_sequence()
        found._edge = node
        if not mode.plain:
            from .rare_modes import record_aside

            record_aside(mode, node)
    return found


def _join_duals(parts: list[Tensor], dim: int, common: Any) -> Any:
    """The join of dual tensors: the join of the primals, with the join of the tangents."""
    from .forward_mode import primal_of, set_tangent, tangent_of

    level = max((max(x._extra.tangents, default=0) for x in parts if x._extra is not None and x._extra.tangents), default=0)
    if not level:
        return None
    made = _join([primal_of(x, level) for x in parts], dim, common)
    given = [tangent_of(x, level) for x in parts]
    full = [t if t is not None else x.detach().new_zeros(x.shape) for t, x in zip(given, parts, strict=True)]
    set_tangent(made, level, _join([t.to(common) for t in full], dim, common))
    return made


def stack(tensors: Any, dim: Any = 0, *, out: Tensor | None = None) -> Any:
    """Tensors of one shape, side by side along a new dimension.

    Raises RuntimeError if their shapes differ.

    >>> import wengert
    >>> wengert.stack([wengert.tensor([1, 2]), wengert.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    if isinstance(tensors, Tensor) or not isinstance(tensors, (list, tuple)):
        raise TypeError(f"stack(): argument 'tensors' (position 1) must be tuple of Tensors, not {type(tensors).__name__}")
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    for i, x in enumerate(tensors):
        if not isinstance(x, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(x).__name__}")
    first = tensors[0]._array.shape
    d = wrap_dim(dim_number("stack", dim, position=2), len(first) + 1)
    for i, x in enumerate(tensors):
        if x._array.shape != first:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and {list(x._array.shape)} at "
                f"entry {i}"
            )
    common = tensors[0].dtype
    for x in tensors[1:]:
        common = dtypes.promote_types(common, x.dtype)
    made = _join([x.unsqueeze(d) for x in tensors], d, common)
    if type(made._edge) is CatBackward0:
        made._edge = _as_stack(made._edge, d)
    return made if out is None else into(out, made)


class StackBackward0(ManyEdges):
    """The node of `stack`. `saved` is the join's, of which the new dimension is taken away again."""

    __slots__ = ()

    def pull(self, t: Any) -> tuple[Any, ...]:
        dim, kinds = self.saved
        at = (slice(None),) * dim
        return tuple(
            [None if e is None else _as_kind(t[(*at, i, ...)], k) for i, (e, k) in enumerate(zip(self.edges, kinds, strict=True))]
        )

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        dim, kinds = self.saved
        grads = []
        for i, (edge, kind) in enumerate(zip(self.edges, kinds, strict=True)):
            grad = None
            if edge is not None:
                grad = tensors.select(t, dim, i)
                d = dtypes.of(kind)
                if grad.dtype is not d:
                    grad = (grad.real if grad.is_complex() and not d.is_complex else grad).to(d)
            grads.append(grad)
        return tuple(grads)


StackBackward0.__module__ = "torch.autograd.graph"


def _as_kind(a: Any, kind: Any) -> Any:
    if a.dtype == kind:
        return a
    return (a.real if a.dtype.kind == "c" and kind.kind != "c" else a).astype(kind)


def _as_stack(joined: Any, dim: int) -> Any:
    """The node of a stack from that of the join of unsqueezed tensors, whose own nodes it makes needless."""
    node = object.__new__(StackBackward0)
    edges = []
    for e in joined.edges:
        inner = e
        if isinstance(e, OneEdge) and e.name() == "UnsqueezeBackward0":
            inner = e.edge
        edges.append(inner)
    node.edges = tuple(edges)
    node.saved = (dim, joined.saved[2])
    node.versions = node.adjust = node.rare = None
    node.sequence = joined.sequence
    return node


def hstack(tensors: Any, *, out: Tensor | None = None) -> Any:
    """Tensors side by side: vectors along their only dimension, others along the second.

    >>> import wengert
    >>> wengert.hstack([wengert.tensor([1]), wengert.tensor([2, 3])])
    tensor([1, 2, 3])
    """
    from .shape import atleast_1d

    if not tensors:
        raise RuntimeError("hstack expects a non-empty TensorList")
    parts = [atleast_1d(x) for x in tensors]
    return cat(parts, 0 if parts[0]._array.ndim == 1 else 1, out=out)


def vstack(tensors: Any, *, out: Tensor | None = None) -> Any:
    """Tensors one below the other.

    >>> import wengert
    >>> wengert.vstack([wengert.tensor([1, 2]), wengert.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    from .shape import atleast_2d

    if not tensors:
        raise RuntimeError("vstack expects a non-empty TensorList")
    return cat([atleast_2d(x) for x in tensors], 0, out=out)


def dstack(tensors: Any, *, out: Tensor | None = None) -> Any:
    """Tensors one behind the other, along the third dimension."""
    from .shape import atleast_3d

    if not tensors:
        raise RuntimeError("dstack expects a non-empty TensorList")
    return cat([atleast_3d(x) for x in tensors], 2, out=out)


def column_stack(tensors: Any, *, out: Tensor | None = None) -> Any:
    """Vectors as the columns of a matrix, matrices side by side."""
    if not tensors:
        raise RuntimeError("column_stack expects a non-empty TensorList")
    return cat([x.reshape(-1, 1) if x._array.ndim <= 1 else x for x in tensors], 1, out=out)


# ------------------------------------------------------------------------------------------------ taking apart


class _ApartNode(OneEdge):
    """A node of several views of one tensor. `saved` is (shape of the tensor, index of each view)."""

    __slots__ = ("count",)

    @property
    def outputs(self) -> int:  # type: ignore[override]
        return self.count

    def pull(self, t: Any) -> tuple[Any, ...]:
        shape, indices = self.saved
        parts = t if type(t) is tuple else (t,)
        kind = next(p.dtype for p in parts if p is not None)
        made = np.zeros(shape, kind)
        for part, index in zip(parts, indices, strict=True):
            if part is not None:
                made[index] = part
        return (made,)

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        shape, indices = self.saved
        total = None
        for part, index in zip(t if type(t) is tuple else (t,), indices, strict=True):
            if part is not None:
                put = tensors.embed(part, shape, index)
                total = put if total is None else total + put
        return (total,)


class UnbindBackward0(_ApartNode):
    """The node of `unbind`."""

    __slots__ = ()


class SplitBackward0(_ApartNode):
    """The node of `split` into parts of one size."""

    __slots__ = ()


class SplitWithSizesBackward0(_ApartNode):
    """The node of `split` into parts of given sizes."""

    __slots__ = ()


for _kind in (UnbindBackward0, SplitBackward0, SplitWithSizesBackward0):
    _kind.__module__ = "torch.autograd.graph"


def _views(node_type: Any, x: Tensor, indices: list[Any]) -> tuple[Tensor, ...]:
    """Several views of a tensor as the outputs of one node."""
    from .indexing import basic_operation

    mode = get_mode()
    edge = edge_of(x) if mode.grad and not mode.inference else None
    node = None
    if edge is not None:
        node = object.__new__(node_type)
        node.edge = edge
        node.saved = (x._array.shape, indices)
        node.versions = node.adjust = node.rare = None
        node.sequence = next_sequence()
        node.count = len(indices)
        if not mode.plain:
            record_aside(mode, node)
    made = []
    for k, index in enumerate(indices):
        part = wrap(x._array[index])
        operation = basic_operation(index)
        mark_view(mode, operation.operation, x, part, (index,))
        extra: Any = part._extra
        extra.view = View(extra.view.base, extra.view.chain, extra.view.made or "several")
        if node is not None:
            part._edge = Output(node, k) if len(indices) > 1 else node
        if mode.dual_level and x._extra is not None and x._extra.tangents:
            extra.tangents = {level: operation(t, index) for level, t in x._extra.tangents.items()}
        made.append(part)
    return tuple(made)


def unbind(input: Tensor, dim: Any = 0) -> tuple[Tensor, ...]:
    """Views of the tensor at each index of a dimension.

    >>> import wengert
    >>> wengert.unbind(wengert.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2]), tensor([3, 4]))
    """
    shape = check_tensor("unbind", input)._array.shape
    if not shape:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    d = wrap_dim(dim_number("unbind", dim, position=2), len(shape))
    at = (slice(None),) * d
    return _views(UnbindBackward0, input, [(*at, i, ...) for i in range(shape[d])])


def _parts(node_type: Any, x: Tensor, dim: int, lengths: list[int]) -> tuple[Tensor, ...]:
    at = (slice(None),) * dim
    indices = []
    start = 0
    for n in lengths:
        indices.append((*at, slice(start, start + n), ...))
        start += n
    return _views(node_type, x, indices)


def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of consecutive parts along a dimension, of one size (the last may be smaller) or of given sizes.

    >>> import wengert
    >>> wengert.split(wengert.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    shape = tensor._array.shape
    if not shape:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    d = wrap_dim(dim, len(shape))
    length = shape[d]
    if isinstance(split_size_or_sections, (list, tuple)):
        lengths = [int(n) for n in split_size_or_sections]
        if any(n < 0 for n in lengths):
            raise RuntimeError(
                f"split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={lengths}"
            )
        if sum(lengths) != length:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {length} (input tensor's size at dimension {d}), but "
                f"got split_sizes={lengths}"
            )
        return _parts(SplitWithSizesBackward0, tensor, d, lengths)
    size = int(split_size_or_sections)
    if size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={size}")
    if size == 0:
        if length:
            raise RuntimeError(
                f"split_size can only be 0 if dimension size is 0, but got dimension size of {length}"
            )
        return _parts(SplitBackward0, tensor, d, [0])
    return _parts(SplitBackward0, tensor, d, [min(size, length - k) for k in range(0, length, size)] or [0])


def split_with_sizes(self: Tensor, split_sizes: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of consecutive parts of given sizes along a dimension."""
    return split(self, list(split_sizes), dim)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of at most so many consecutive parts of equal size along a dimension; the last may be smaller.

    >>> import wengert
    >>> wengert.chunk(wengert.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    shape = input._array.shape
    if not shape:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    length = shape[wrap_dim(dim, len(shape))]
    size = -(-length // chunks)
    if size == 0:
        return split(input, [0] * chunks, dim)
    return split(input, size, dim)


def tensor_split(input: Tensor, indices_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of so many parts along a dimension, as equal as possible, or of the parts between given indices.

    >>> import wengert
    >>> wengert.tensor_split(wengert.arange(5), 3)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    from .indexing import slice_view

    shape = input._array.shape
    if not shape:
        raise RuntimeError(f"tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    d = wrap_dim(dim, len(shape))
    length = shape[d]
    if isinstance(indices_or_sections, Tensor):
        if indices_or_sections._array.ndim > 1 or indices_or_sections.dtype is not dtypes.int64:
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor of dtype "
                f"long, but got {indices_or_sections.dtype} with {indices_or_sections._array.ndim} dims"
            )
        indices_or_sections = indices_or_sections.tolist()
    if isinstance(indices_or_sections, int):
        n = indices_or_sections
        if n <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {n}")
        lengths = [length // n + (i < length % n) for i in range(n)]
        bounds = np.cumsum([0, *lengths]).tolist()
    else:
        bounds = [0, *indices_or_sections, length]
    return tuple([slice_view(input, d, a, b, 1) for a, b in zip(bounds[:-1], bounds[1:], strict=True)])


def block_diag(*tensors: Any) -> Any:
    """A matrix with the given ones along its diagonal and zeros elsewhere.

    >>> import wengert
    >>> wengert.block_diag(wengert.ones(1, 2), wengert.tensor(3.0))
    tensor([[1., 1., 0.],
            [0., 0., 3.]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    for i, x in enumerate(tensors):
        if x._array.ndim > 2:
            raise RuntimeError(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {x._array.ndim} dimensions"
            )
    blocks = [x.reshape(1, -1) if x._array.ndim < 2 else x for x in tensors]
    if not blocks:
        from ..creation import zeros

        return zeros(1, 0)
    width = sum(b.shape[1] for b in blocks)
    rows = []
    at = 0
    for b in blocks:
        n = b.shape[1]
        left, right = b.new_zeros((b.shape[0], at)), b.new_zeros((b.shape[0], width - at - n))
        rows.append(cat([left, b, right], 1))
        at += n
    return cat(rows, 0)


def cartesian_prod(*tensors: Any) -> Any:
    """All combinations of the vectors' elements, one a row.

    >>> import wengert
    >>> wengert.cartesian_prod(wengert.tensor([1, 2]), wengert.tensor([3]))
    tensor([[1, 3],
            [2, 3]])
    """
    from .shape import meshgrid

    if len(tensors) == 1:
        return tensors[0]
    return stack([g.reshape(-1) for g in meshgrid(*tensors, indexing="ij")], 1)


provide("unbind", lambda a, dim: tuple(np.moveaxis(a, dim, 0)), unbind)

_apart = "unbind split split_with_sizes chunk tensor_split"
__all__ = expose(
    __name__,
    functions=_apart + " cat stack hstack vstack dstack column_stack block_diag cartesian_prod",
    methods=_apart,
)
__all__ += alias(__name__, "concat=cat concatenate=cat row_stack=vstack")
