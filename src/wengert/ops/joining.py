"""Joining tensors into one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..autograd.adjust import cast, cast_tensor
from ..autograd.modes import DEFAULT, get_mode
from ..autograd.node import ManyEdges, next_sequence
from ..tensor import Tensor, edge_of, mark_inference, wrap, wrap_dim
from .dims import check_tensor, dim_number
from .expose import alias, expose
from .inplace import into
from .namespace import tensors as F
from .selecting import BEFORE
from .shape import atleast_1d, atleast_2d, atleast_3d

if TYPE_CHECKING:
    from collections.abc import Callable

_new: Any = object.__new__

# ------------------------------------------------------------------------------------------------ nodes
#
# A join has any number of inputs, so that it records by itself; its transpose takes slices, which are declared operations.


class _Join(ManyEdges):
    """A node of tensors joined. `saved` is (dim, what each took of it, dtypes)."""

    __slots__ = ()

    def pull(self, t: Any) -> tuple[Any, ...]:
        dim, places, kinds = self.saved
        grads: list[Any] = []
        for edge, place, kind in zip(self.edges, places, kinds, strict=True):
            if edge is None:
                grads.append(None)
                continue
            index = slice(*place) if type(place) is tuple else place
            part = t[(*BEFORE[dim], index, ...)]
            grads.append(part if part.dtype == kind else cast(part, kind))
        return tuple(grads)

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        dim, places, kinds = self.saved
        grads: list[Any] = []
        for edge, place, kind in zip(self.edges, places, kinds, strict=True):
            if edge is None:
                grads.append(None)
                continue
            part = F.slice(t, dim, *place, 1) if type(place) is tuple else F.select(t, dim, place)
            grads.append(cast_tensor(part, kind))
        return tuple(grads)


class CatBackward0(_Join):
    """The node of `cat`."""

    __slots__ = ()


class StackBackward0(_Join):
    """The node of `stack`."""

    __slots__ = ()


for _kind in (CatBackward0, StackBackward0):
    _kind.__module__ = "torch.autograd.graph"


def _record(node_type: Any, joined: Tensor, parts: Any, edges: Any, dim: int, places: Any) -> None:
    joined._edge = node = _new(node_type)
    node.edges = edges
    node.saved = (dim, places, [x._array.dtype for x in parts])
    node.versions = node.adjust = None
    node.sequence = next_sequence()
    mode = get_mode()
    if not mode.plain:
        from .rare_modes import record_aside

        record_aside(mode, node)


def _joined(node_type: Any, parts: list[Tensor], dim: int, common: Any) -> Any:
    """The join of tensors, checked, in whatever modes are on."""
    mode = get_mode()
    if mode.dual_level:
        from .forward_mode import highest_level

        level = highest_level(parts)
        if level:
            return _join_duals(node_type, parts, dim, common, level)
    arrays = [x._array for x in parts]
    if node_type is StackBackward0:
        arrays = [a[(*BEFORE[dim], None)] for a in arrays]
    found = wrap(_concatenated(arrays, dim, common.numpy))
    if mode.inference:
        mark_inference(found)
        return found
    if not mode.grad or common.category < dtypes.FLOAT:
        return found
    edges = tuple([edge_of(x) if x.dtype.category >= dtypes.FLOAT else None for x in parts])
    if any(e is not None for e in edges):
        places = range(len(parts)) if node_type is StackBackward0 else _bounds(arrays, dim)
        _record(node_type, found, parts, edges, dim, places)
    return found


def _bounds(arrays: list[Any], dim: int) -> list[tuple[int, int]]:
    found = []
    start = 0
    for a in arrays:
        end = start + a.shape[dim]
        found.append((start, end))
        start = end
    return found


def _concatenated(arrays: list[Any], dim: int, target: Any) -> Any:
    made = np.concatenate(arrays, dim, dtype=target)
    return made if made.flags.c_contiguous else np.ascontiguousarray(made)


def _join_duals(node_type: Any, parts: list[Tensor], dim: int, common: Any, level: int) -> Any:
    """The join of dual tensors: the join of the primals, with the join of the tangents."""
    from .forward_mode import primal_of, set_tangent, tangent_of

    made = _joined(node_type, [primal_of(x, level) for x in parts], dim, common)
    given = [tangent_of(x, level) for x in parts]
    full = [t if t is not None else x.detach().new_zeros(x.shape) for t, x in zip(given, parts, strict=True)]
    set_tangent(made, level, _joined(node_type, [t.to(common) for t in full], dim, common))
    return made


def _tensors(function: str, given: Any) -> list[Tensor]:
    """The argument of a join as a list of tensors.

    Raises TypeError for what is none.
    """
    if isinstance(given, Tensor) or not isinstance(given, (list, tuple)):
        raise TypeError(
            f"{function}(): argument 'tensors' (position 1) must be tuple of Tensors, not {type(given).__name__}"
        )
    for i, x in enumerate(given):
        if not isinstance(x, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(x).__name__}")
    return list(given)


def _common(parts: list[Tensor]) -> Any:
    common = parts[0].dtype
    for x in parts[1:]:
        if x._array.dtype is not common.numpy:
            common = dtypes.promote_types(common, x.dtype)
    return common


# ------------------------------------------------------------------------------------------------ cat and stack


def cat(tensors: Any, dim: Any = 0, *, out: Tensor | None = None, axis: Any = None) -> Any:
    """The tensors one after the other along a dimension; their other dimensions are of equal length, their dtypes promote.

    Raises RuntimeError where the lengths do not fit.

    >>> import wengert
    >>> wengert.cat([wengert.ones(1, 2), wengert.zeros(1, 2)])
    tensor([[1., 1.],
            [0., 0.]])
    """
    if get_mode() is DEFAULT and out is None and type(dim) is int and axis is None:
        made = _joined_plainly(tensors, dim)
        if made is not None:
            return made
    parts = _tensors("cat", tensors)
    if not parts:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    dim = dim_number("cat", dim if axis is None else axis, position=2)
    for i, x in enumerate(parts):
        if x._array.ndim == 0:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated: use stack()")
    # PyTorch passes over empty vectors, whatever the shape of the others
    real = [x for x in parts if x._array.shape != (0,)] or parts[:1]
    first = real[0]._array.shape
    ndim = len(first)
    d = wrap_dim(dim, ndim)
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
    made = _joined(CatBackward0, real, d, _common(parts))
    if len(real) < len(parts) and type(made._edge) is CatBackward0:
        _add_empty(made._edge, parts, real)
    return made if out is None else into(out, made)


def _add_empty(node: Any, parts: list[Tensor], real: list[Tensor]) -> None:
    """Let the node of a join have an edge for each tensor, also for the empty vectors, to which no gradient goes."""
    dim, places, _ = node.saved
    rest = iter(zip(node.edges, places, strict=True))
    given = [next(rest) if any(x is y for y in real) else (None, None) for x in parts]
    node.edges = tuple([edge for edge, _ in given])
    node.saved = (dim, [place for _, place in given], [x._array.dtype for x in parts])


def _joined_plainly(parts: Any, dim: int) -> Any:
    """`cat` of floating-point tensors of one dtype and number of dimensions, None for anything else."""
    if type(parts) is not list and type(parts) is not tuple:
        return None
    try:
        arrays = [x._array for x in parts]
        edges = [x._edge for x in parts]
        kind = arrays[0].dtype
        ndim = arrays[0].ndim
        for a in arrays:
            if a.dtype is not kind or a.ndim != ndim:
                return None
        made = np.concatenate(arrays, dim)
    except (AttributeError, TypeError, ValueError, IndexError):
        return None
    if not made.flags.c_contiguous or kind.kind not in "fiub":
        return None
    found = wrap(made)
    for e in edges:
        if e is not None:
            d = dim + ndim if dim < 0 else dim
            _record(CatBackward0, found, parts, edges, d, _bounds(arrays, d))
            break
    return found


def stack(tensors: Any, dim: Any = 0, *, out: Tensor | None = None) -> Any:
    """Tensors of one shape, side by side along a new dimension.

    Raises RuntimeError if their shapes differ.

    >>> import wengert
    >>> wengert.stack([wengert.tensor([1, 2]), wengert.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    parts = _tensors("stack", tensors)
    if not parts:
        raise RuntimeError("stack expects a non-empty TensorList")
    first = parts[0]._array.shape
    d = wrap_dim(dim if type(dim) is int else dim_number("stack", dim, position=2), len(first) + 1)
    for i, x in enumerate(parts):
        if x._array.shape != first:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and {list(x._array.shape)} at "
                f"entry {i}"
            )
    made = _joined(StackBackward0, parts, d, _common(parts))
    return made if out is None else into(out, made)


# ------------------------------------------------------------------------------------------------ joins of other shapes


def _at_least(function: str, given: Any, form: Callable[..., Any]) -> list[Any]:
    parts = _tensors(function, given)
    if not parts:
        raise RuntimeError(f"{function} expects a non-empty TensorList")
    return [form(x) for x in parts]


def hstack(tensors: Any, *, out: Tensor | None = None) -> Any:
    """Tensors side by side: vectors along their only dimension, others along the second.

    >>> import wengert
    >>> wengert.hstack([wengert.tensor([1]), wengert.tensor([2, 3])])
    tensor([1, 2, 3])
    """
    parts = _at_least("hstack", tensors, atleast_1d)
    return cat(parts, 0 if parts[0]._array.ndim == 1 else 1, out=out)


def vstack(tensors: Any, *, out: Tensor | None = None) -> Any:
    """Tensors one below the other.

    >>> import wengert
    >>> wengert.vstack([wengert.tensor([1, 2]), wengert.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    return cat(_at_least("vstack", tensors, atleast_2d), 0, out=out)


def dstack(tensors: Any, *, out: Tensor | None = None) -> Any:
    """Tensors one behind the other, along the third dimension.

    >>> import wengert
    >>> wengert.dstack([wengert.tensor([1, 2]), wengert.tensor([3, 4])])
    tensor([[[1, 3],
             [2, 4]]])
    """
    return cat(_at_least("dstack", tensors, atleast_3d), 2, out=out)


def column_stack(tensors: Any, *, out: Tensor | None = None) -> Any:
    """Vectors as the columns of a matrix, matrices side by side.

    >>> import wengert
    >>> wengert.column_stack([wengert.tensor([1, 2]), wengert.tensor([3, 4])])
    tensor([[1, 3],
            [2, 4]])
    """
    parts = _at_least("column_stack", tensors, lambda x: x if x._array.ndim > 1 else x.reshape(x._array.size, 1))
    return cat(parts, 1, out=out)


class BlockDiagBackward0(ManyEdges):
    """The node of `block_diag`. `saved` is (rows, columns, shape, dtype) of each block."""

    __slots__ = ()

    def pull(self, t: Any) -> tuple[Any, ...]:
        return tuple(
            [
                None if e is None else cast(t[a:b, c:d].reshape(shape), kind)
                for e, ((a, b), (c, d), shape, kind) in zip(self.edges, self.saved, strict=True)
            ]
        )

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        grads: list[Any] = []
        for e, (rows, columns, shape, kind) in zip(self.edges, self.saved, strict=True):
            part = None
            if e is not None:
                part = F.reshape(F.slice(F.slice(t, 0, *rows, 1), 1, *columns, 1), shape)
                part = cast_tensor(part, kind)
            grads.append(part)
        return tuple(grads)


BlockDiagBackward0.__module__ = "torch.autograd.graph"


def block_diag(*tensors: Any) -> Any:
    """A matrix with the given ones along its diagonal and zeros elsewhere.

    >>> import wengert
    >>> wengert.block_diag(wengert.ones(1, 2), wengert.tensor(3.0))
    tensor([[1., 1., 0.],
            [0., 0., 3.]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    parts = [check_tensor("block_diag", x, "tensors") for x in tensors]
    for i, x in enumerate(parts):
        if x._array.ndim > 2:
            raise RuntimeError(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {x._array.ndim} dimensions"
            )
    if not parts:
        from ..creation import zeros

        return zeros(1, 0)
    return _blocks(parts, _common(parts))


def _blocks(parts: list[Tensor], common: Any) -> Any:
    mode = get_mode()
    if mode.dual_level:
        from .forward_mode import highest_level, primal_of, set_tangent, tangent_of

        level = highest_level(parts)
        if level:
            made = _blocks([primal_of(x, level) for x in parts], common)
            given = [tangent_of(x, level) for x in parts]
            full = [t if t is not None else x.detach().new_zeros(x.shape) for t, x in zip(given, parts, strict=True)]
            set_tangent(made, level, _blocks([t.to(common) for t in full], common))
            return made
    arrays = [x._array if x._array.ndim == 2 else x._array.reshape(1, -1) for x in parts]
    made = np.zeros((sum(len(a) for a in arrays), sum(a.shape[1] for a in arrays)), common.numpy)
    places: list[Any] = []
    row = column = 0
    for a, x in zip(arrays, parts, strict=True):
        below, right = row + a.shape[0], column + a.shape[1]
        made[row:below, column:right] = a
        places.append(((row, below), (column, right), x._array.shape, x._array.dtype))
        row, column = below, right
    found = wrap(made)
    if mode.inference:
        mark_inference(found)
    elif mode.grad and common.category >= dtypes.FLOAT:
        edges = tuple([edge_of(x) for x in parts])
        if any(e is not None for e in edges):
            _record(BlockDiagBackward0, found, (), edges, 0, ())
            found._edge.saved = places
    return found


def cartesian_prod(*tensors: Any) -> Any:
    """All combinations of the vectors' elements, one a row.

    >>> import wengert
    >>> wengert.cartesian_prod(wengert.tensor([1, 2]), wengert.tensor([3]))
    tensor([[1, 3],
            [2, 3]])
    """
    from .rearrange import meshgrid

    for x in tensors:
        if check_tensor("cartesian_prod", x, "tensors")._array.ndim != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(x._array.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    return stack([g.reshape(-1) for g in meshgrid(*tensors, indexing="ij")], 1)


def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Any:
    """All combinations of r elements of a vector, one a row.

    >>> import wengert
    >>> wengert.combinations(wengert.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    import itertools

    if check_tensor("combinations", input)._array.ndim != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(input._array.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if r == 0:
        return input.new_empty(0)
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.array(list(choose(range(input._array.size), r)), np.int64).reshape(-1, r)
    from .gather import index_select

    return stack([index_select(input, 0, wrap(np.ascontiguousarray(column))) for column in rows.T], 1)


__all__ = expose(
    __name__, functions="cat stack hstack vstack dstack column_stack block_diag cartesian_prod combinations"
)
__all__ += alias(__name__, "concat=cat concatenate=cat row_stack=vstack")
