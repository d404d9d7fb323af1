"""Copies with their elements in other places, or repeated: flips, rolls, rotations, repetitions and grids."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..storage import dense
from ..tensor import Tensor, wrap, wrap_dim
from .declare import linear
from .dims import check_tensor, dim_number
from .expose import expose
from .selecting import BEFORE
from .shape import expand, reshape, unsqueeze
from .sizes import sizes

# ------------------------------------------------------------------------------------------------ declarations


def _flip_array(a: Any, dims: tuple[int, ...]) -> Any:
    index: list[Any] = [slice(None)] * a.ndim
    for d in dims:
        index[d] = slice(None, None, -1)
    return dense(a[tuple(index)])


_flip = linear("flip", _flip_array, lambda F, t, dims: F.flip(t, dims), ("dims",), holomorphic=False)


def _roll_array(a: Any, shifts: tuple[int, ...], dims: tuple[int, ...]) -> Any:
    if not dims:
        return _roll_array(a.reshape(-1), shifts, (0,)).reshape(a.shape)
    made = a
    for shift, d in zip(shifts, dims, strict=True):
        n = made.shape[d]
        k = shift % n if n else 0
        before = BEFORE[d]
        made = np.concatenate((made[(*before, slice(n - k, None))], made[(*before, slice(0, n - k))]), d)
    return np.ascontiguousarray(made)


_roll = linear(
    "roll", _roll_array, lambda F, t, shifts, dims: F.roll(t, tuple([-s for s in shifts]), dims), ("shifts", "dims"),
    holomorphic=False,
)  # fmt: skip


def _rot90_array(a: Any, k: int, dims: tuple[int, int]) -> Any:
    first, second = dims
    k %= 4
    if k == 0:
        return np.array(a, order="C")
    flipped = _flip_array(a, (second,) if k == 1 else (first,) if k == 3 else dims)
    return flipped if k == 2 else flipped.swapaxes(first, second)


_rot90 = linear("rot90", _rot90_array, lambda F, t, k, dims: F.rot90(t, -k, dims), ("k", "dims"), holomorphic=False)


def _sum_repeats(a: Any, shape: tuple[int, ...], repeats: tuple[int, ...]) -> Any:
    full = (1,) * (len(repeats) - len(shape)) + tuple(shape)
    split = [n for r, n in zip(repeats, full, strict=True) for n in (r, n)]
    return np.add.reduce(a.reshape(split), tuple(range(0, 2 * len(full), 2))).reshape(shape)


_repeat = linear(
    "repeat", lambda a, repeats: np.ascontiguousarray(np.tile(a, repeats)) if repeats else np.array(a),
    lambda F, t, self_shape, repeats: F.sum_repeats(t, self_shape, repeats), ("repeats",), holomorphic=False,
)  # fmt: skip
_unrepeat = linear(
    "sum_repeats", _sum_repeats, lambda F, t, repeats: F.repeat(t, repeats), ("shape", "repeats"), holomorphic=False
)

# ------------------------------------------------------------------------------------------------ other places


def _flip_dims(input: Tensor, dims: tuple[int, ...]) -> tuple[int, ...]:
    ndim = input._array.ndim
    wrapped = tuple([wrap_dim(d, ndim) for d in dims])
    for i, d in enumerate(wrapped):
        if d in wrapped[:i]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return wrapped if ndim else ()


def flip(input: Tensor, *dims: Any, **named: Any) -> Any:
    """A copy with some dimensions in the other direction.

    >>> import wengert
    >>> wengert.flip(wengert.tensor([1, 2, 3]), (0,))
    tensor([3, 2, 1])
    """
    return _flip(input, _flip_dims(check_tensor("flip", input), sizes("flip", dims, "dims", named)))


def fliplr(input: Tensor) -> Any:
    """A copy with its second dimension in the other direction."""
    if check_tensor("fliplr", input)._array.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return _flip(input, (1,))


def flipud(input: Tensor) -> Any:
    """A copy with its first dimension in the other direction."""
    if check_tensor("flipud", input)._array.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return _flip(input, (0,))


def roll(input: Tensor, shifts: Any, dims: Any = ()) -> Any:
    """A copy with its elements moved along dimensions; those that fall out come in at the other end.

    Without `dims`, moves along all elements in order.

    >>> import wengert
    >>> wengert.roll(wengert.tensor([1, 2, 3]), 1)
    tensor([3, 1, 2])
    """
    shape = check_tensor("roll", input)._array.shape
    many = sizes("roll", (shifts,), "shifts", position=2)
    places = () if dims is None else sizes("roll", (dims,), "dims", position=3)
    if not many:
        raise RuntimeError("`shifts` required")
    if not places and len(many) == 1:
        return _roll(input, many, ())
    if len(many) != len(places):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(many)}, dims:{len(places)}")
    if not input._array.size:
        return _roll(input, many[:1], ())
    for d in places if not shape else ():
        raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
    return _roll(input, many, tuple([wrap_dim(d, len(shape)) for d in places]))


def rot90(input: Tensor, k: int = 1, dims: Any = (0, 1)) -> Any:
    """A copy rotated by k right angles in the plane of two dimensions, from the first towards the second.

    >>> import wengert
    >>> wengert.rot90(wengert.tensor([[1, 2], [3, 4]]))
    tensor([[2, 4],
            [1, 3]])
    """
    ndim = check_tensor("rot90", input)._array.ndim
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {ndim}")
    if dims[0] == dims[1] or abs(dims[0] - dims[1]) == ndim:
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}")
    return _rot90(input, k, (wrap_dim(dims[0], ndim), wrap_dim(dims[1], ndim)))


# ------------------------------------------------------------------------------------------------ repetitions


def repeat(self: Tensor, *repeats: Any, **named: Any) -> Any:
    """A copy repeated along its dimensions, and along new ones in front.

    >>> import wengert
    >>> wengert.tensor([1, 2]).repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    counts = sizes("repeat", repeats, "repeats", named)
    shape = self._array.shape
    if len(counts) < len(shape):
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor: "
            f"{len(counts)} for {len(shape)}"
        )
    wanted = [n * r for n, r in zip((1,) * (len(counts) - len(shape)) + shape, counts, strict=True)]
    if any(n < 0 for n in wanted):
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(wanted)}: {wanted}")
    return _repeat(self, tuple([max(n, 0) for n in counts]))


def tile(input: Tensor, *dims: Any, **named: Any) -> Any:
    """A copy repeated along its last dimensions.

    >>> import wengert
    >>> wengert.tile(wengert.tensor([1, 2]), (2,))
    tensor([1, 2, 1, 2])
    """
    counts = sizes("tile", dims, "dims", named)
    return repeat(check_tensor("tile", input), (1,) * (input._array.ndim - len(counts)) + counts)


def repeat_interleave(input: Tensor, repeats: Any = None, dim: Any = None, *, output_size: int | None = None) -> Any:
    """A copy with each element of a dimension repeated: all of them as often, or each as often as a tensor says.

    repeats: a number, or an integer tensor; left out, `input` is the number of repetitions and the result the indices.
    dim: without it, the elements of the whole tensor.

    >>> import wengert
    >>> wengert.repeat_interleave(wengert.tensor([1, 2]), 2)
    tensor([1, 1, 2, 2])
    >>> wengert.repeat_interleave(wengert.tensor([5, 6]), wengert.tensor([1, 2]))
    tensor([5, 6, 6])
    """
    check_tensor("repeat_interleave", input)
    if repeats is None:
        counts = _repetitions(input)
        return wrap(np.repeat(np.arange(counts.size), counts))
    if not isinstance(repeats, Tensor):
        if isinstance(repeats, (list, tuple)):
            from ..creation import tensor

            repeats = tensor(repeats)
        else:
            return _interleave_evenly(input, dim_number("repeat_interleave", repeats, "repeats", 2), dim)
    source = reshape(input, -1) if dim is None else input
    shape = source._array.shape
    d = 0 if dim is None else dim_number("repeat_interleave", dim, position=3)
    if not shape:
        raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
    length = shape[wrap_dim(d, len(shape))]
    many = repeats._array
    if many.ndim > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if many.size not in (1, length):
        raise RuntimeError(
            f"repeats must have the same size as input along dim, but got repeats.size(0) = {many.size} and input.size({d}) = "
            f"{length}"
        )
    counts = np.broadcast_to(_repetitions(repeats).reshape(-1), (length,))
    if output_size is not None and int(counts.sum()) != output_size:
        raise RuntimeError(
            f"allocated size does not match required size: output_size is {output_size}, not {int(counts.sum())}"
        )
    from .gather import index_select

    return index_select(source, d, wrap(np.repeat(np.arange(length), counts)))


def _repetitions(repeats: Tensor) -> Any:
    array = repeats._array
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 4:
        raise NotImplementedError(
            f"\"repeat_interleave_cpu\" not implemented for '{scalar_name(repeats.dtype)}': give the repetitions as int64"
        )
    if array.size and array.min() < 0:
        raise RuntimeError(f"repeats can not be negative: {int(array.min())}")
    return array


def _interleave_evenly(input: Tensor, count: int, dim: Any) -> Any:
    if count < 0:
        raise RuntimeError(f"Repeats must be non-negative: {count}")
    source = reshape(input, -1) if dim is None else input
    shape = source._array.shape
    d = 0 if dim is None else wrap_dim(dim_number("repeat_interleave", dim, position=3), len(shape))
    if not shape:
        wrap_dim(1, 0)
    made = expand(unsqueeze(source, d + 1), (*shape[: d + 1], count, *shape[d + 1 :]))
    return made.clone(memory_format=_contiguous()).view((*shape[:d], shape[d] * count, *shape[d + 1 :]))


def _contiguous() -> Any:
    from ..device import contiguous_format

    return contiguous_format


# ------------------------------------------------------------------------------------------------ grids


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Grids of coordinates from vectors of them.

    indexing: "ij" for the first vector along the first dimension, "xy" for it along the second.

    >>> import wengert
    >>> [g.shape for g in wengert.meshgrid(wengert.arange(2), wengert.arange(3), indexing="ij")]
    [torch.Size([2, 3]), torch.Size([2, 3])]
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    if indexing not in ("ij", "xy", None):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    for x in tensors:
        if check_tensor("meshgrid", x, "tensors")._array.ndim > 1:
            raise RuntimeError(
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: one of {x._array.ndim} dimensions"
            )
    if len({x._array.dtype for x in tensors}) > 1:
        raise RuntimeError("torch.meshgrid expects all tensors to have the same dtype")
    if indexing is None:
        import warnings

        warnings.warn(
            "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.",
            UserWarning, stacklevel=2,
        )  # fmt: skip
    swap = indexing == "xy" and len(tensors) >= 2
    given = list(tensors)
    if swap:
        given[0], given[1] = given[1], given[0]
    shape = tuple([x._array.size for x in given])
    ndim = len(given)
    grids = [expand(reshape(x, (1,) * i + (-1,) + (1,) * (ndim - 1 - i)), shape) for i, x in enumerate(given)]
    if swap:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


_both = "flip fliplr flipud roll rot90 tile repeat_interleave"
__all__ = expose(__name__, functions=_both + " meshgrid", methods=_both + " repeat")
