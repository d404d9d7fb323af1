"""Elements picked by tensors of indices: along a dimension, from the whole tensor, and where a mask is True."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap, wrap_dim
from .bounds import check_bounds, index_array, long_array, out_of_bounds, vector_index
from .declare import check_broadcast, flat, multilinear
from .dims import check_tensor, dim_number
from .expose import expose
from .inplace import into
from .placing import rows_operation
from .shape import _expand

# ------------------------------------------------------------------------------------------------ declarations


def line_places(shape: tuple[int, ...], index: Any, dim: int) -> Any:
    """Where the elements that `index` names along a dimension lie in a flat array of this shape.

    index: of all dimensions, in none but `dim` longer than the shape.
    """
    steps = [1] * len(shape)
    for i in range(len(shape) - 1, 0, -1):
        steps[i - 1] = steps[i] * shape[i]
    found = index * steps[dim] if steps[dim] != 1 else index
    for i, n in enumerate(index.shape):
        if i != dim and n > 1:
            found = found + _ramp(n, steps[i], len(shape) - i - 1)
    return found


_ramps: dict[Any, Any] = {}


def _ramp(count: int, step: int, after: int) -> Any:
    """0, step, 2 * step ... along a dimension with so many after it; short ones are remembered."""
    key = count, step, after
    found = _ramps.get(key)
    if found is None:
        found = (
            np.arange(0, count * step, step).reshape((-1,) + (1,) * after)
            if step
            else np.zeros((count,) + (1,) * after, int)
        )
        if count <= 1024:
            if len(_ramps) > 256:
                _ramps.clear()
            _ramps[key] = found
    return found


def _gather_array(a: Any, index: Any, dim: int) -> Any:
    if not index.ndim or not a.ndim:
        return a.reshape(-1).take(index.reshape(-1)).reshape(index.shape)
    return a.reshape(-1).take(line_places(a.shape, index, dim))


def _gather_put(t: Any, index: Any, shape: tuple[int, ...], dim: int) -> Any:
    made = np.zeros(shape, t.dtype)
    places = line_places(shape, index, dim) if shape and index.ndim else index
    np.add.at(made.reshape(-1), places.reshape(-1), t.reshape(-1))
    return made


_gather = multilinear(
    "gather", _gather_array,
    {"self": lambda F, t, index, self_shape, dim: F.gather_backward(t, index, self_shape, dim), "index": None}, ("dim",),
    holomorphic=False,
)  # fmt: skip
_gather_backward = multilinear(
    "gather_backward", _gather_put, {"self": lambda F, t, index, dim: F.gather(t, index, dim), "index": None}, ("shape", "dim"),
    node="ScatterAddBackward0", holomorphic=False,
)  # fmt: skip
_index_select = rows_operation("index_select", "IndexSelectBackward0")
_masked_select = rows_operation("masked_select", "MaskedSelectBackward0")


def _take_flat(a: Any, index: Any) -> Any:
    return a.reshape(-1).take(index)


def _put_flat(t: Any, index: Any, shape: tuple[int, ...]) -> Any:
    made = np.zeros(shape, t.dtype)
    np.add.at(made.reshape(-1), index.reshape(-1), t.reshape(-1))
    return made


_take = multilinear(
    "take", _take_flat, {"self": lambda F, t, index, self_shape: F.take_backward(t, index, self_shape), "index": None},
    holomorphic=False,
)  # fmt: skip
_take_backward = multilinear(
    "take_backward",
    _put_flat,
    {"self": lambda F, t, index: F.take(t, index), "index": None},
    ("shape",),
    holomorphic=False,
)
_nonzero = flat("nonzero_rows", np.argwhere, promote=None)

# ------------------------------------------------------------------------------------------------ along a dimension


def _into(out: Any, made: Any) -> Any:
    return made if out is None else into(out, made)


def check_shape(input: Tensor, index: Any, dim: int, among: str) -> None:
    """Raise unless an index of as many dimensions as the tensor is nowhere longer than it but in `dim`."""
    own, theirs = index.shape or (1,), input._array.shape or (1,)
    if index.size == 0:
        return
    if len(own) != len(theirs):
        raise RuntimeError(
            f"Index tensor must have the same number of dimensions as {among} tensor: it has {len(own)}, not {len(theirs)}"
        )
    for i, (n, m) in enumerate(zip(own, theirs, strict=True)):
        if n > m and i != dim:
            raise RuntimeError(
                f"Size does not match at dimension {i} expected index {list(index.shape)} to be no larger than self "
                f"{list(input._array.shape)} apart from dimension {dim}"
            )


def gather(input: Tensor, dim: Any, index: Tensor, *, sparse_grad: bool = False, out: Tensor | None = None) -> Any:
    """The elements that `index` names along a dimension: `out[i][j] = input[index[i][j]][j]` for dim 0.

    index: int64, with as many dimensions as `input`, nowhere longer but in `dim`.
    Raises RuntimeError for indices out of range.

    >>> import wengert
    >>> wengert.gather(wengert.tensor([[1, 2], [3, 4]]), 1, wengert.tensor([[0], [1]]))
    tensor([[1],
            [4]])
    """
    array = check_tensor("gather", input)._array
    if out is not None and out.dtype is not input.dtype:
        raise RuntimeError(
            f"Expected out tensor to have dtype {input.dtype.name}, but got {out.dtype.name} instead: gather converts nothing"
        )
    d = wrap_dim(dim_number("gather", dim, position=2), array.ndim)
    where = index_array("gather", index)
    if where.ndim != array.ndim or where.shape != array.shape:
        check_shape(input, where, d, "input")
    check_bounds(where, d, array.shape[d] if array.ndim else 1)
    return _into(out, _gather(input, index if where is index._array else wrap(where), d))


def index_select(input: Tensor, dim: Any, index: Tensor, *, out: Tensor | None = None) -> Any:
    """The slices of a dimension that a vector of indices names.

    Raises IndexError for an index out of range.

    >>> import wengert
    >>> wengert.index_select(wengert.tensor([[1, 2], [3, 4]]), 1, wengert.tensor([1]))
    tensor([[2],
            [4]])
    """
    array = check_tensor("index_select", input)._array
    given = check_tensor("index_select", index, "index", 3)
    if given._array.dtype.kind != "i" and given._array.size:
        raise RuntimeError(
            f"index_select(): Expected dtype int32 or int64 for index, got {index.dtype}: convert it with .long()"
        )
    found, d = vector_index("index_select", input, dim, index_array("index_select", index))
    if out_of_bounds(found, array.shape[d] if array.ndim else 1) is not None:
        raise IndexError(
            f"index out of range in self: {out_of_bounds(found, array.shape[d] if array.ndim else 1)} in a dimension of "
            f"{array.shape[d] if array.ndim else 1}"
        )
    where = index if found is given._array else wrap(found)
    if not array.ndim:
        made = _index_select(input.reshape(1), where, 0)
        return _into(out, made.reshape(()) if found.size == 1 else made)
    return _into(out, _index_select(input, where, d))


def take_along_dim(input: Tensor, indices: Tensor, dim: Any = None, *, out: Tensor | None = None) -> Any:
    """The elements that `indices` name along a dimension, the other dimensions broadcast; without `dim`, of all elements.

    >>> import wengert
    >>> x = wengert.tensor([[3, 1], [2, 4]])
    >>> wengert.take_along_dim(x, wengert.argsort(x, 1), 1)
    tensor([[1, 3],
            [2, 4]])
    """
    check_tensor("take_along_dim", input)
    where = check_tensor("take_along_dim", indices, "indices", 2)._array
    if where.dtype != np.int64:
        raise RuntimeError(
            f"torch.take_along_dim(): dtype of indices should be Long but got {scalar_name(indices.dtype)}: convert it with .long()"
        )
    if dim is None:
        return _into(out, gather(input.reshape(-1), 0, indices.reshape(-1)))
    own, theirs = list(input._array.shape), list(where.shape)
    if len(own) != len(theirs):
        raise RuntimeError(
            f"torch.take_along_dim(): input and indices should have the same number of dimensions, but got {len(own)} dimensions "
            f"for input, and {len(theirs)} dimensions for indices"
        )
    d = wrap_dim(dim_number("take_along_dim", dim, position=3), len(own))
    if own:
        rest = [[*own[:d], 1, *own[d + 1 :]], [*theirs[:d], 1, *theirs[d + 1 :]]]
        check_broadcast([tuple(s) for s in rest])
        common = list(np.broadcast_shapes(*map(tuple, rest)))
        common[d] = own[d]
        input = _expand(input, tuple(common))
        common[d] = theirs[d]
        indices = wrap(np.broadcast_to(where % max(own[d], 1), common))
    return _into(out, gather(input, d, indices))


# ------------------------------------------------------------------------------------------------ from the whole tensor


def take(input: Tensor, index: Tensor, *, out: Tensor | None = None) -> Any:
    """The elements at places of the flattened tensor.

    >>> import wengert
    >>> wengert.take(wengert.tensor([[1, 2], [3, 4]]), wengert.tensor([3, -4]))
    tensor([4, 1])
    """
    count = check_tensor("take", input)._array.size
    array = long_array("take", index, 2)
    check_flat(array, count)
    return _into(out, _take(input, index))


def check_flat(index: Any, count: int) -> None:
    """Raise IndexError unless every index is one of a flattened tensor's `count` elements, from the front or the end."""
    bad = out_of_bounds(index, count, -count or -1) if count else (int(index.flat[0]) if index.size else None)
    if bad is not None:
        raise IndexError(f"out of range: tried to access index {bad} on a tensor of {count} elements.")


def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Any:
    """The elements where the mask is True, as a vector; tensor and mask are broadcast.

    >>> import wengert
    >>> wengert.masked_select(wengert.tensor([1, 2, 3]), wengert.tensor([True, False, True]))
    tensor([1, 3])
    """
    array = check_tensor("masked_select", input)._array
    chosen = check_tensor("masked_select", mask, "mask", 2)._array
    if chosen.dtype.kind != "b":
        raise RuntimeError(f"masked_select: expected BoolTensor for mask, got {mask.dtype}: make one with .bool()")
    check_broadcast([chosen.shape, array.shape])
    shape = np.broadcast_shapes(array.shape, chosen.shape)
    source = input if array.shape == shape else _expand(input, shape)
    if chosen.shape != shape:
        mask = wrap(np.array(np.broadcast_to(chosen, shape)))
    return _into(out, _masked_select(source, mask, 0))


def nonzero(input: Tensor, *, out: Tensor | None = None, as_tuple: bool = False) -> Any:
    """The indices of the elements that are not zero, one a row; or a vector of indices for each dimension.

    >>> import wengert
    >>> wengert.nonzero(wengert.tensor([0, 5]))
    tensor([[1]])
    """
    array = check_tensor("nonzero", input)._array
    if as_tuple:
        return tuple([wrap(i) for i in np.nonzero(array if array.ndim else array.reshape(1))])
    return _into(out, _nonzero(input))


def nonzero_static(input: Tensor, *, size: int, fill_value: int = -1, out: Tensor | None = None) -> Any:
    """`nonzero`, with so many rows: the first, and rows of `fill_value` where there are fewer.

    Raises RuntimeError for a negative size.

    >>> import wengert
    >>> wengert.nonzero_static(wengert.tensor([0, 5]), size=2)
    tensor([[ 1],
            [-1]])
    """
    rows = np.argwhere(check_tensor("nonzero_static", input)._array)
    count = dim_number("nonzero_static", size, "size", 2)
    if count < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    made = np.full((count, rows.shape[1]), dim_number("nonzero_static", fill_value, "fill_value", 3), np.int64)
    made[: len(rows)] = rows[:count]
    return _into(out, wrap(made))


def argwhere(input: Tensor) -> Any:
    """The indices of the elements that are not zero, one a row.

    >>> import wengert
    >>> wengert.argwhere(wengert.tensor([[0, 5]]))
    tensor([[0, 1]])
    """
    return nonzero(input)


def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """The indices, one tensor for each dimension, of places in a flattened tensor of this shape.

    >>> import wengert
    >>> wengert.unravel_index(wengert.tensor(5), (2, 3))
    (tensor(1), tensor(2))
    """
    array = check_tensor("unravel_index", indices, "indices")._array
    if array.dtype.kind not in "iu":
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    lengths = (shape,) if isinstance(shape, int) else tuple(int(n) for n in shape)
    if any(n < 0 for n in lengths):
        raise ValueError(f"'shape' cannot have negative values, but got {lengths}")
    made = []
    rest = array.astype(np.int64) if array.dtype != np.int64 else array
    for n in reversed(lengths):
        made.append(wrap(np.asarray(rest % n)))
        rest = rest // n
    return tuple(made[::-1])


_both = "gather index_select take_along_dim take masked_select nonzero nonzero_static argwhere"
__all__ = expose(__name__, functions=_both + " unravel_index", methods=_both)
