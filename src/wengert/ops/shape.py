"""Views of another shape, and the copies that stand in where no view is possible."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..autograd.adjust import sum_to
from ..size import Size
from ..tensor import Tensor, wrap_dim
from .declare import check_broadcast, linear
from .dims import check_tensor, dim_number
from .expose import alias, expose
from .namespace import provide

# ------------------------------------------------------------------------------------------------ declarations
#
# All are real-linear and permute or repeat elements, so that the transpose is the adjoint for complex values too.


def _view(a: Any, shape: tuple[int, ...]) -> Any:
    return np.reshape(a, shape, copy=False)


def _squeeze_array(a: Any, dims: tuple[int, ...]) -> Any:
    return a.squeeze(dims)


view_as_shape = linear(
    "view", _view, lambda F, t, self_shape: F.reshape(t, self_shape), ("shape",), view=True, holomorphic=False
)
_reshape_copy = linear(
    "reshape_copy", lambda a, shape: a.reshape(shape).copy(), lambda F, t, self_shape: F.reshape(t, self_shape), ("shape",),
    node="UnsafeViewBackward0", holomorphic=False,
)  # fmt: skip
_expand = linear(
    "expand", lambda a, shape: np.broadcast_to(a, shape), lambda F, t, self_shape: F.sum_to(t, self_shape), ("shape",),
    view=True, holomorphic=False,
)  # fmt: skip
_permute = linear(
    "permute", lambda a, dims: a.transpose(dims), lambda F, t, dims: F.permute(t, _inverse(dims)), ("dims",), view=True,
    holomorphic=False,
)  # fmt: skip
_transpose = linear(
    "transpose", lambda a, dim0, dim1: a.swapaxes(dim0, dim1), lambda F, t, dim0, dim1: F.transpose(t, dim0, dim1),
    ("dim0", "dim1"), view=True, holomorphic=False,
)  # fmt: skip
_t = linear("t", lambda a: a.T, lambda F, t: F.t(t), node="TBackward0", view=True, holomorphic=False)
_squeeze = linear(
    "squeeze", _squeeze_array, lambda F, t, self_shape: F.reshape(t, self_shape), ("dims",), view=True, holomorphic=False
)
_squeeze_dim = linear(
    "squeeze_dim", _squeeze_array, lambda F, t, self_shape: F.reshape(t, self_shape), ("dims",), view=True, holomorphic=False,
    node="SqueezeBackward1",
)  # fmt: skip
_squeeze_dims = linear(
    "squeeze_dims", _squeeze_array, lambda F, t, self_shape: F.reshape(t, self_shape), ("dims",), view=True,
    holomorphic=False, node="SqueezeBackward2",
)  # fmt: skip
_unsqueeze = linear(
    "unsqueeze", np.expand_dims, lambda F, t, self_shape: F.reshape(t, self_shape), ("dim",), view=True, holomorphic=False
)


def _diagonal_array(a: Any, offset: int, dim1: int, dim2: int) -> Any:
    found = a.diagonal(offset, dim1, dim2)
    found.flags.writeable = a.flags.writeable
    return found


def _diagonal_put(a: Any, shape: tuple[int, ...], offset: int, dim1: int, dim2: int) -> Any:
    made = np.zeros(shape, a.dtype)
    _diagonal_array(made, offset, dim1, dim2)[...] = a
    return made


_diagonal = linear(
    "diagonal_view", _diagonal_array,
    lambda F, t, self_shape, offset, dim1, dim2: F.diagonal_put(t, self_shape, offset, dim1, dim2),
    ("offset", "dim1", "dim2"), view=True, holomorphic=False, node="DiagonalBackward0",
)  # fmt: skip
_put_diagonal = linear(
    "diagonal_put", _diagonal_put, lambda F, t, offset, dim1, dim2: F.diagonal_view(t, offset, dim1, dim2),
    ("shape", "offset", "dim1", "dim2"), holomorphic=False, node="DiagonalBackward0",
)  # fmt: skip


def _windows(a: Any, dim: int, size: int, step: int) -> Any:
    if a.ndim == 0:
        return a.reshape(1)[:size]
    found = np.lib.stride_tricks.sliding_window_view(a, size, dim, writeable=a.flags.writeable)
    return found[(slice(None),) * dim + (slice(None, None, step),)]


def _add_windows(a: Any, shape: tuple[int, ...], dim: int, size: int, step: int) -> Any:
    made = np.zeros(shape, a.dtype)
    if not shape:
        return made + np.sum(a, dtype=a.dtype)
    count = a.shape[dim]
    for k in range(size):  # of the window; all windows at once
        made[(slice(None),) * dim + (slice(k, k + (count - 1) * step + 1, step),)] += a[..., k]
    return made


_unfold = linear(
    "unfold_windows", _windows, lambda F, t, self_shape, dim, size, step: F.add_windows(t, self_shape, dim, size, step),
    ("dim", "size", "step"), view=True, holomorphic=False, node="UnfoldBackward0",
)  # fmt: skip
_fold_windows = linear(
    "add_windows", _add_windows, lambda F, t, dim, size, step: F.unfold_windows(t, dim, size, step),
    ("shape", "dim", "size", "step"), holomorphic=False, node="UnfoldBackwardBackward0",
)  # fmt: skip


_sum_to_shape = linear(
    "sum_to", sum_to, lambda F, t, self_shape: F.expand(t, self_shape), ("shape",), node="SumBackward1", holomorphic=False
)


def _as_strided_array(a: Any, size: Any, stride: Any, offset: int) -> Any:
    base = a
    while isinstance(base.base, np.ndarray):
        base = base.base
    item = a.itemsize
    flat = np.lib.stride_tricks.as_strided(base, (base.size,), (item,)) if base.flags.forc else base.reshape(-1, copy=False)
    return np.lib.stride_tricks.as_strided(
        flat[offset:], size, tuple(s * item for s in stride), writeable=a.flags.writeable
    )


def _as_strided_put(a: Any, shape: tuple[int, ...], size: Any, stride: Any, offset: int) -> Any:
    """The transpose of `_as_strided_array` for an input that is contiguous and starts at its memory's beginning."""
    made = np.zeros(math.prod(shape), a.dtype)
    places = np.asarray(offset + sum(
        (np.arange(n) * s).reshape((-1,) + (1,) * (len(size) - i - 1)) for i, (n, s) in enumerate(zip(size, stride, strict=True))
    ))  # fmt: skip
    np.add.at(made, np.broadcast_to(places, size).reshape(-1), a.reshape(-1))
    return made.reshape(shape)


_as_strided = linear(
    "as_strided_view", _as_strided_array, lambda F, t, self_shape, size, stride, offset: F.as_strided_put(
        t, self_shape, size, stride, offset), ("size", "stride", "offset"), view=True, holomorphic=False,
    node="AsStridedBackward0",
)  # fmt: skip
_put_strided = linear(
    "as_strided_put", _as_strided_put, lambda F, t, size, stride, offset: F.as_strided_view(t, size, stride, offset),
    ("shape", "size", "stride", "offset"), holomorphic=False,
)  # fmt: skip
_flip = linear(
    "flip", lambda a, dims: np.flip(a, dims).copy(), lambda F, t, dims: F.flip(t, dims), ("dims",), holomorphic=False
)
_roll = linear(
    "roll", lambda a, shifts, dims: np.roll(a, shifts, dims),
    lambda F, t, shifts, dims: F.roll(t, tuple([-s for s in shifts]), dims), ("shifts", "dims"), holomorphic=False,
)  # fmt: skip
_tril = linear("tril", np.tril, lambda F, t, diagonal: F.tril(t, diagonal), ("diagonal",), holomorphic=False)
_triu = linear("triu", np.triu, lambda F, t, diagonal: F.triu(t, diagonal), ("diagonal",), holomorphic=False)


def _repeat_array(a: Any, repeats: tuple[int, ...]) -> Any:
    return np.tile(a, repeats)


def _sum_repeats(a: Any, shape: tuple[int, ...], repeats: tuple[int, ...]) -> Any:
    full = (1,) * (len(repeats) - len(shape)) + tuple(shape)
    split = [n for r, n in zip(repeats, full, strict=True) for n in (r, n)]
    return np.add.reduce(a.reshape(split), tuple(range(0, 2 * len(full), 2))).reshape(shape)


_repeat = linear(
    "repeat", _repeat_array, lambda F, t, self_shape, repeats: F.sum_repeats(t, self_shape, repeats), ("repeats",),
    holomorphic=False,
)  # fmt: skip
_unrepeat = linear(
    "sum_repeats", _sum_repeats, lambda F, t, repeats: F.repeat(t, repeats), ("shape", "repeats"), holomorphic=False
)


def _inverse(dims: tuple[int, ...]) -> tuple[int, ...]:
    made = [0] * len(dims)
    for i, d in enumerate(dims):
        made[d] = i
    return tuple(made)


# ------------------------------------------------------------------------------------------------ arguments


def sizes(
    function: str, args: tuple[Any, ...], name: str = "size", named: dict[str, Any] | None = None
) -> tuple[int, ...]:
    """Integers given one by one, as one sequence, or by name."""
    if named:
        if args or name not in named or len(named) > 1:
            raise TypeError(f"{function}() got an unexpected keyword argument '{next(n for n in named if args or n != name)}'")
        args = (named[name],)
    if len(args) == 1 and isinstance(args[0], (tuple, list)):
        args = tuple(args[0])
    for i, n in enumerate(args):
        if type(n) is not int and (isinstance(n, bool) or not hasattr(n, "__index__")):
            raise TypeError(
                f"{function}(): argument '{name}' (position 1) must be tuple of ints, but found element of type "
                f"{type(n).__name__} at pos {i}"
            )
    return tuple([n if type(n) is int else n.__index__() for n in args])


def infer_size(shape: tuple[int, ...], count: int) -> tuple[int, ...]:
    """The shape with its -1 worked out, for so many elements.

    Raises RuntimeError, in PyTorch's words, where that is not possible.
    """
    known = 1
    unknown = -1
    for i, n in enumerate(shape):
        if n == -1:
            if unknown >= 0:
                raise RuntimeError("only one dimension can be inferred")
            unknown = i
        elif n < 0:
            raise RuntimeError(f"invalid shape dimension {n} at index {i} of shape {list(shape)}")
        else:
            known *= n
    if unknown < 0:
        if known != count:
            raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
        return shape
    if known == 0 and count == 0:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified dimension size -1 can be any "
            "value and is ambiguous"
        )
    if known == 0 or count % known:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
    return (*shape[:unknown], count // known, *shape[unknown + 1 :])


# ------------------------------------------------------------------------------------------------ functions


def view(self: Tensor, *shape: Any, **named: Any) -> Any:
    """The same memory seen in another shape; or, given a dtype, as elements of another type.

    Raises RuntimeError if no view of that shape is possible: `reshape` then copies.

    >>> import wengert
    >>> wengert.arange(6).view(2, -1)
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    from ..dtypes import dtype as _dtype

    if len(shape) == 1 and isinstance(shape[0], _dtype):
        return _view_as_type(self, shape[0])
    wanted = infer_size(sizes("view", shape, "size", named), self._array.size)
    try:
        return view_as_shape(self, wanted)
    except ValueError:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous "
            "subspaces). Use .reshape(...) instead."
        ) from None


def _view_as_type(x: Tensor, dtype: Any) -> Any:
    from .conversion import _reinterpret

    return _reinterpret(x, dtype)


def reshape(input: Tensor, *shape: Any, **named: Any) -> Any:
    """The elements in another shape: a view of the same memory where that is possible, else a copy.

    shape: integers, or a tuple of them; one may be -1, and is worked out.
    Raises RuntimeError if the shape holds another number of elements.

    >>> import wengert
    >>> wengert.reshape(wengert.arange(6), (3, 2))
    tensor([[0, 1],
            [2, 3],
            [4, 5]])
    """
    wanted = infer_size(sizes("reshape", shape, "shape", named), check_tensor("reshape", input)._array.size)
    try:
        return view_as_shape(input, wanted)
    except ValueError:
        return _reshape_copy(input, wanted)


def view_as(self: Tensor, other: Tensor) -> Any:
    """A view in the shape of `other`."""
    return view(self, other.shape)


def reshape_as(self: Tensor, other: Tensor) -> Any:
    """The elements in the shape of `other`."""
    return reshape(self, other.shape)


def transpose(input: Tensor, dim0: Any, dim1: Any) -> Any:
    """A view with two dimensions exchanged.

    >>> import wengert
    >>> wengert.transpose(wengert.ones(2, 3), 0, 1).shape
    torch.Size([3, 2])
    """
    ndim = check_tensor("transpose", input)._array.ndim
    dim0 = wrap_dim(dim_number("transpose", dim0, "dim0", 2), ndim)
    dim1 = wrap_dim(dim_number("transpose", dim1, "dim1", 3), ndim)
    if not ndim:
        return _alias_of(input)
    return _transpose(input, dim0, dim1)


def t(input: Tensor) -> Any:
    """A view of a matrix with its dimensions exchanged; of fewer dimensions the tensor's own view.

    Raises RuntimeError for more than two dimensions.

    >>> import wengert
    >>> wengert.t(wengert.ones(2, 3)).shape
    torch.Size([3, 2])
    """
    if check_tensor("t", input)._array.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D")
    return _t(input)


def permute(input: Tensor, *dims: Any, **named: Any) -> Any:
    """A view with the dimensions in another order.

    >>> import wengert
    >>> wengert.permute(wengert.ones(2, 3, 4), (2, 0, 1)).shape
    torch.Size([4, 2, 3])
    """
    ndim = check_tensor("permute", input)._array.ndim
    wanted = sizes("permute", dims, "dims", named)
    if len(wanted) != ndim:
        raise RuntimeError(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of "
            f"dimensions i.e. input.dim() = {ndim} is not equal to len(dims) = {len(wanted)}"
        )
    wrapped = tuple([wrap_dim(d, ndim) for d in wanted])
    if len(set(wrapped)) != ndim:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return _permute(input, wrapped)


def movedim(input: Tensor, source: Any, destination: Any) -> Any:
    """A view with some dimensions moved to other places.

    >>> import wengert
    >>> wengert.movedim(wengert.ones(2, 3, 4), 0, -1).shape
    torch.Size([3, 4, 2])
    """
    ndim = check_tensor("movedim", input)._array.ndim
    sources = (source,) if isinstance(source, int) else tuple(source)
    targets = (destination,) if isinstance(destination, int) else tuple(destination)
    if len(sources) != len(targets):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(sources)} dims) should contain the same number of dims "
            f"as destination ({list(targets)} dims)"
        )
    a = [wrap_dim(d, ndim) for d in sources]
    b = [wrap_dim(d, ndim) for d in targets]
    for which, dims in (("source", a), ("destination", b)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{which}` ({list(sources if which == 'source' else targets)})")
    rest = [d for d in range(ndim) if d not in a]
    order = [-1] * ndim
    for d, place in zip(a, b, strict=True):
        order[place] = d
    left = iter(rest)
    return _permute(input, tuple([next(left) if d < 0 else d for d in order]))


def expand(self: Tensor, *size: Any, implicit: bool = False, **named: Any) -> Any:
    """A view with dimensions of length 1 repeated, and new ones in front; -1 leaves a length as it is.

    Raises RuntimeError where a length that is not 1 is to change.

    >>> import wengert
    >>> wengert.tensor([[1], [2]]).expand(-1, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    wanted = sizes("expand", size, "size", named)
    own = self._array.shape
    if len(wanted) < len(own):
        raise RuntimeError(
            f"expand({self.type()}{{{list(own)}}}, size={list(wanted)}): the number of sizes provided ({len(wanted)}) must be "
            f"greater or equal to the number of dimensions in the tensor ({len(own)})"
        )
    extra = len(wanted) - len(own)
    shape = []
    for i, n in enumerate(wanted):
        have = own[i - extra] if i >= extra else None
        if n == -1:
            if have is None:
                raise RuntimeError(
                    f"expand({self.type()}{{{list(own)}}}, size={list(wanted)}): The expanded size of the tensor ({n}) isn't "
                    f"allowed in a leading, non-existing dimension {i}"
                )
            n = have
        elif n < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {list(wanted)}")
        elif have is not None and have not in (n, 1):
            raise RuntimeError(
                f"The expanded size of the tensor ({n}) must match the existing size ({have}) at non-singleton dimension {i}.  "
                f"Target sizes: {list(wanted)}.  Tensor sizes: {list(own)}"
            )
        shape.append(n)
    made = _expand(self, tuple(shape))
    made._array.flags.writeable = True if self._array.flags.writeable else made._array.flags.writeable
    return made


def expand_as(self: Tensor, other: Tensor) -> Any:
    """A view expanded to the shape of `other`."""
    return expand(self, other.shape)


def broadcast_to(input: Tensor, size: Any) -> Any:
    """A view of `input` broadcast to a shape.

    >>> import wengert
    >>> wengert.broadcast_to(wengert.tensor([1, 2]), (2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
    return expand(check_tensor("broadcast_to", input), size)


def broadcast_shapes(*shapes: Any) -> Size:
    """The shape to which arrays of these shapes broadcast.

    >>> import wengert
    >>> wengert.broadcast_shapes((2, 1), (3,))
    torch.Size([2, 3])
    """
    plain = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    if not plain:
        return Size(())
    try:
        return Size(np.broadcast_shapes(*plain))
    except ValueError:
        raise RuntimeError(
            f"Shape mismatch: objects cannot be broadcast to a single shape: {', '.join(str(s) for s in plain)}"
        ) from None


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Views of the tensors, broadcast to one shape.

    >>> import wengert
    >>> [x.shape for x in wengert.broadcast_tensors(wengert.ones(2, 1), wengert.ones(3))]
    [torch.Size([2, 3]), torch.Size([2, 3])]
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    check_broadcast([x._array.shape for x in tensors] or [()])
    shape = np.broadcast_shapes(*[x._array.shape for x in tensors])
    return tuple(expand(x, shape) for x in tensors)


def squeeze(input: Tensor, dim: Any = None) -> Any:
    """A view without the dimensions of length 1, or without those of `dim` (an integer or several) that have length 1.

    >>> import wengert
    >>> wengert.squeeze(wengert.ones(1, 2, 1)).shape
    torch.Size([2])
    """
    shape = check_tensor("squeeze", input)._array.shape
    if dim is None:
        return _squeeze(input, tuple([i for i, n in enumerate(shape) if n == 1]))
    if isinstance(dim, (tuple, list)):
        dims = [wrap_dim(d, len(shape)) for d in dim]
        for i, d in enumerate(dims):
            if d in dims[:i]:
                raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
        return _squeeze_dims(input, tuple([d for d in dims if shape and shape[d] == 1]))
    d = wrap_dim(dim_number("squeeze", dim, position=2), len(shape))
    return _squeeze_dim(input, (d,) if shape and shape[d] == 1 else ())


def unsqueeze(input: Tensor, dim: Any) -> Any:
    """A view with a dimension of length 1 put in at `dim`.

    >>> import wengert
    >>> wengert.unsqueeze(wengert.ones(2), 1).shape
    torch.Size([2, 1])
    """
    return _unsqueeze(input, wrap_dim(dim_number("unsqueeze", dim, position=2), check_tensor("unsqueeze", input)._array.ndim + 1))


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Any:
    """The dimensions from start_dim to end_dim as one: a view where that is possible.

    >>> import wengert
    >>> wengert.flatten(wengert.ones(2, 3, 4), 1).shape
    torch.Size([2, 12])
    """
    shape = check_tensor("flatten", input)._array.shape
    first, last = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not shape:
        return reshape(input, 1)
    if first == last:
        return input
    return reshape(input, *shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :])


def unflatten(input: Tensor, dim: int, sizes: Any) -> Any:
    """One dimension as several.

    >>> import wengert
    >>> wengert.unflatten(wengert.ones(2, 6), 1, (2, 3)).shape
    torch.Size([2, 2, 3])
    """
    shape = input._array.shape
    d = wrap_dim(dim, len(shape))
    parts = tuple(sizes)
    if not parts:
        raise RuntimeError("unflatten: sizes must be non-empty")
    try:
        parts = infer_size(parts, shape[d])
    except RuntimeError:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(parts)} don't multiply up to the size of dim {d} ({shape[d]}) in the input tensor"
        ) from None
    return view(input, *shape[:d], *parts, *shape[d + 1 :])


def ravel(input: Tensor) -> Any:
    """All elements in one dimension: a view where that is possible.

    >>> import wengert
    >>> wengert.ravel(wengert.ones(2, 3)).shape
    torch.Size([6])
    """
    return reshape(input, -1) if input._array.size else reshape(input, 0)


def sum_to_size(self: Tensor, *size: Any) -> Any:
    """The sum over the dimensions along which a tensor of this size would be broadcast to the shape of this one."""
    wanted = sizes("sum_to_size", size)
    own = self._array.shape
    fits = len(wanted) <= len(own) and all(
        w in (1, n) for w, n in zip(wanted[::-1], own[::-1], strict=False)
    )
    if not fits:
        raise RuntimeError(f"size {{{list(wanted)}}} is not expandable to size {{{list(own)}}}.")
    return _sum_to_shape(self, wanted)


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """A view of the diagonal of two dimensions, as the last dimension.

    >>> import wengert
    >>> wengert.diagonal(wengert.arange(4).view(2, 2))
    tensor([0, 3])
    """
    ndim = check_tensor("diagonal", input)._array.ndim
    a, b = wrap_dim(dim1, ndim), wrap_dim(dim2, ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return _diagonal(input, offset, a, b)


def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Matrices with the last dimension on their diagonal.

    >>> import wengert
    >>> wengert.diag_embed(wengert.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """
    shape = check_tensor("diag_embed", input)._array.shape
    if not shape:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got -1)")
    ndim = len(shape) + 1
    a, b = wrap_dim(dim1, ndim), wrap_dim(dim2, ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    n = shape[-1] + abs(offset)
    rest = iter(shape[:-1])
    full = tuple([n if i in (a, b) else next(rest) for i in range(ndim)])
    return _put_diagonal(input, full, offset, a, b)


def diag(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Any:
    """Of a vector the matrix with it on a diagonal, of a matrix a copy of the diagonal.

    >>> import wengert
    >>> wengert.diag(wengert.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """
    ndim = check_tensor("diag", input)._array.ndim
    if ndim == 1:
        made = diag_embed(input, diagonal)
    elif ndim == 2:
        made = _diagonal(input, diagonal, 0, 1).clone()
    else:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {ndim}D")
    if out is None:
        return made
    from .inplace import into

    return into(out, made)


def trace(input: Tensor) -> Any:
    """The sum of a matrix's diagonal.

    >>> import wengert
    >>> wengert.trace(wengert.eye(3))
    tensor(3.)
    """
    if check_tensor("trace", input)._array.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input._array.ndim}")
    return _diagonal(input, 0, 0, 1).sum()


def _flip_dims(function: str, input: Tensor, dims: tuple[int, ...]) -> tuple[int, ...]:
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
    return _flip(input, _flip_dims("flip", check_tensor("flip", input), sizes("flip", dims, "dims", named)))


def fliplr(input: Tensor) -> Any:
    """A copy with its second dimension in the other direction."""
    if input._array.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return _flip(input, (1,))


def flipud(input: Tensor) -> Any:
    """A copy with its first dimension in the other direction."""
    if input._array.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return _flip(input, (0,))


def roll(input: Tensor, shifts: Any, dims: Any = None) -> Any:
    """A copy with its elements moved along dimensions; those that fall out come in at the other end.

    >>> import wengert
    >>> wengert.roll(wengert.tensor([1, 2, 3]), 1)
    tensor([3, 1, 2])
    """
    many = (shifts,) if isinstance(shifts, int) else tuple(shifts)
    if dims is None or (isinstance(dims, (tuple, list)) and not dims):
        if len(many) != 1:
            raise RuntimeError(f"shifts and dimensions must align. shifts: {len(many)}, dims:0")
        return reshape(_roll(reshape(input, -1), many, (0,)), input._array.shape) if input._array.size else input.clone()
    places = (dims,) if isinstance(dims, int) else tuple(dims)
    if len(many) != len(places):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(many)}, dims:{len(places)}")
    return _roll(input, many, tuple([wrap_dim(d, input._array.ndim) for d in places]))


def rot90(input: Tensor, k: int = 1, dims: Any = (0, 1)) -> Any:
    """A copy rotated by k right angles in the plane of two dimensions, from the first towards the second.

    >>> import wengert
    >>> wengert.rot90(wengert.tensor([[1, 2], [3, 4]]))
    tensor([[2, 4],
            [1, 3]])
    """
    ndim = input._array.ndim
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {ndim}")
    if dims[0] == dims[1] or abs(dims[0] - dims[1]) == ndim:
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}")
    for i, d in enumerate(dims):
        if not -ndim <= d < ndim:
            raise RuntimeError(f"Rotation dim{i} out of range, dim{i} = {d}")
    a, b = (d % ndim for d in dims)
    if k % 4 == 1:
        return _transpose(_flip(input, (b,)), a, b).clone()
    if k % 4 == 2:
        return _flip(input, (a, b))
    if k % 4 == 3:
        return _flip(_transpose(input, a, b), (b,))
    return input.clone()


def repeat(self: Tensor, *repeats: Any, **named: Any) -> Any:
    """A copy repeated along its dimensions, and along new ones in front.

    >>> import wengert
    >>> wengert.tensor([1, 2]).repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    counts = sizes("repeat", repeats, "repeats", named)
    if len(counts) < self._array.ndim:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor: "
            f"{len(counts)} for {self._array.ndim}"
        )
    for n in counts:
        if n < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {list(counts)}")
    return _repeat(self, counts)


def tile(input: Tensor, *dims: Any, **named: Any) -> Any:
    """A copy repeated along its last dimensions.

    >>> import wengert
    >>> wengert.tile(wengert.tensor([1, 2]), (2,))
    tensor([1, 2, 1, 2])
    """
    counts = sizes("tile", dims, "dims", named)
    return repeat(input, (1,) * (input._array.ndim - len(counts)) + counts)


def _triangle(function: str, operation: Any) -> Any:
    def triangle(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Any:
        if check_tensor(function, input)._array.ndim < 2:
            raise RuntimeError(f"{function}: input tensor must have at least 2 dimensions")
        made = operation(input, diagonal)
        if out is None:
            return made
        from .inplace import into

        return into(out, made)

    triangle.__name__ = triangle.__qualname__ = function
    part = "lower" if function == "tril" else "upper"
    triangle.__doc__ = f"The {part} triangles of matrices, zeros elsewhere; `diagonal` moves the border."
    return triangle


tril = _triangle("tril", _tril)
triu = _triangle("triu", _triu)


def unfold(self: Tensor, dimension: int, size: int, step: int) -> Any:
    """A view of all windows of a size along a dimension, as a new last dimension.

    >>> import wengert
    >>> wengert.arange(4).unfold(0, 2, 1)
    tensor([[0, 1],
            [1, 2],
            [2, 3]])
    """
    ndim = self._array.ndim
    d = wrap_dim(dimension, ndim)
    length = self._array.shape[d] if ndim else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > length:
        raise RuntimeError(f"maximum size for tensor at dimension {d} is {length} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    return _unfold(self, d, size, step)


def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """A view of the tensor's memory with any size, stride and offset (in elements).

    >>> import wengert
    >>> wengert.as_strided(wengert.arange(4), (2, 2), (1, 1))
    tensor([[0, 1],
            [1, 2]])
    """
    if len(size) != len(stride):
        raise RuntimeError(f"mismatch in length of strides and shape: {len(size)} sizes, {len(stride)} strides")
    offset = input.storage_offset() if storage_offset is None else storage_offset
    return _as_strided(input, tuple(size), tuple(stride), offset)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Grids of coordinates from vectors of them.

    >>> import wengert
    >>> [g.shape for g in wengert.meshgrid(wengert.arange(2), wengert.arange(3), indexing="ij")]
    [torch.Size([2, 3]), torch.Size([2, 3])]
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    for x in tensors:
        if x._array.ndim > 1:
            raise RuntimeError(f"Expected scalar or 1D tensor in the tensor list but got: {x.ndim}-D")
    if len({x._array.dtype for x in tensors}) > 1:
        raise RuntimeError("torch.meshgrid expects all tensors to have the same dtype")
    if indexing is None:
        import warnings

        warnings.warn(
            "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.",
            UserWarning, stacklevel=2,
        )  # fmt: skip
        indexing = "ij"
    if indexing not in ("ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    swap = indexing == "xy" and len(tensors) >= 2
    given = list(tensors)
    if swap:
        given[0], given[1] = given[1], given[0]
    shape = tuple([x._array.size for x in given])
    grids = [
        expand(reshape(x, *[-1 if i == k else 1 for k in range(len(given))]), shape) for i, x in enumerate(given)
    ]
    if swap:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


def _alias_of(x: Tensor) -> Any:
    from .indexing import alias_view

    return alias_view(x)


def _at_least(ndim: int) -> Any:
    def form(x: Tensor) -> Any:
        if x._array.ndim >= ndim:
            return x
        if x._array.ndim == 0:
            return reshape(x, (1,) * ndim)
        if ndim == 3:
            return _unsqueeze(_unsqueeze(x, 0), 2) if x._array.ndim == 1 else _unsqueeze(x, 2)
        return _unsqueeze(x, 0)

    def function(*tensors: Any) -> Any:
        if len(tensors) == 1:
            if isinstance(tensors[0], (list, tuple)):
                return tuple(form(x) for x in tensors[0])
            return form(tensors[0])
        return tuple(form(x) for x in tensors)

    function.__name__ = function.__qualname__ = f"atleast_{ndim}d"
    function.__doc__ = f"Views of the tensors with at least {ndim} dimension{'s' if ndim > 1 else ''}."
    return function


atleast_1d, atleast_2d, atleast_3d = _at_least(1), _at_least(2), _at_least(3)


def _matrix_transpose(self: Tensor) -> Any:
    """A view with the last two dimensions exchanged."""
    if self._array.ndim < 2:
        if self._array.ndim == 0:
            return _alias_of(self)
        raise RuntimeError(
            f"tensor.mT is only supported on matrices or batches of matrices. Got {self._array.ndim}-D tensor."
        )
    n = self._array.ndim
    return _transpose(self, n - 2, n - 1)


def _full_transpose(self: Tensor) -> Any:
    """A view with the dimensions in reverse order."""
    n = self._array.ndim
    if n == 2:
        return _permute(self, (1, 0))
    return _permute(self, tuple(range(n))[::-1])


def adjoint(input: Tensor) -> Any:
    """The conjugate of matrices with the last two dimensions exchanged.

    >>> import wengert
    >>> wengert.adjoint(wengert.tensor([[1j, 2.0]]))
    tensor([[0.-1.j],
            [2.-0.j]])
    """
    if input._array.ndim < 2:
        raise RuntimeError(f"tensor.adjoint() is only supported on matrices or batches of matrices. Got {input.ndim}-D tensor.")
    made = _matrix_transpose(input)
    return made.conj() if input._array.dtype.kind == "c" else made


def _hermitian(self: Tensor) -> Any:
    if self._array.ndim not in (0, 2):
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self._array.ndim}-D tensor.")
    return adjoint(self) if self._array.ndim else self.conj()


for _name, _getter in {"T": _full_transpose, "mT": _matrix_transpose, "mH": adjoint, "H": _hermitian}.items():
    setattr(Tensor, _name, property(_getter))

provide("reshape", np.reshape, reshape)

_both = (
    "reshape transpose t permute movedim broadcast_to squeeze unsqueeze flatten unflatten ravel diagonal diag_embed diag trace "
    "flip fliplr flipud roll rot90 tile tril triu as_strided adjoint"
)
__all__ = expose(
    __name__,
    functions=_both + " broadcast_shapes broadcast_tensors meshgrid atleast_1d atleast_2d atleast_3d",
    methods=_both + " view view_as reshape_as expand expand_as sum_to_size repeat unfold",
    writes="tril triu",
)
__all__ += alias(__name__, "swapaxes=transpose swapdims=transpose moveaxis=movedim")


def _inplace_view(name: str, make: Any) -> None:
    """The in-place form of an operation that only changes the shape: the tensor becomes its own view."""

    def call(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        from ..tensor import edge_of
        from .inplace import check_writable, written

        check_writable(self)
        made = make(self, *args, **kwargs)
        edge = edge_of(made)
        self._array = made._array
        self._edge = edge
        if self._extra is not None and self._extra.view is not None:
            self._extra.view = made._extra.view
        written(self)
        return self

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`{name[:-1]}`, in place."
    setattr(Tensor, name, call)


for _form in (squeeze, unsqueeze, transpose, t):
    _inplace_view(_form.__name__ + "_", _form)
Tensor.swapaxes_ = Tensor.swapdims_ = Tensor.transpose_
