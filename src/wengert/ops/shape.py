"""Another shape of the same elements: a view where the memory allows it, as PyTorch decides, else a copy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..autograd.adjust import sum_to
from ..size import Size
from ..storage import strided
from ..tensor import Tensor, wrap_dim
from .declare import check_broadcast, linear
from .dims import check_tensor, dim_number
from .expose import expose
from .namespace import provide
from .sizes import infer_size, sizes

# ------------------------------------------------------------------------------------------------ declarations
#
# All are real-linear and permute or repeat elements, so that the transpose is the adjoint for complex values too.


def _view_array(a: Any, shape: tuple[int, ...]) -> Any:
    return a.reshape(shape) if a.flags.c_contiguous else a.reshape(shape, copy=False)


def _unview(F: Any, t: Any, self_shape: Any) -> Any:
    return F.reshape(t, self_shape)


_view = linear("view", _view_array, _unview, ("shape",), view=True, holomorphic=False)
_reshape_alias = linear("reshape_alias", _view_array, _unview, ("shape",), view=True, holomorphic=False)
_unsafe_view = linear("unsafe_view", lambda a, shape: a.reshape(shape), _unview, ("shape",), holomorphic=False)


def _expanded(a: Any, shape: tuple[int, ...]) -> Any:
    if type(a) is not np.ndarray:  # the gradient of a tensor of no dimensions
        a = np.asarray(a)
    have, steps = a.shape, a.strides
    extra = len(shape) - len(have)
    if extra:
        # a dimension of length 1 that is not there yet has the stride that it would have in a contiguous tensor
        last = have[0] * steps[0] if have else a.itemsize
        made = [0 if n != 1 else last for n in shape[:extra]]
    else:
        made = []
    for n, m, step in zip(shape[extra:], have, steps, strict=True):
        made.append(step if n == m else 0)
    return strided(a, shape, tuple(made))


_expand = linear(
    "expand", _expanded, lambda F, t, self_shape: F.sum_to(t, self_shape), ("shape",), view=True, holomorphic=False
)
_sum_to = linear(
    "sum_to",
    sum_to,
    lambda F, t, self_shape: F.expand(t, self_shape),
    ("shape",),
    node="SumBackward1",
    holomorphic=False,
)


def _squeeze_array(a: Any, dim: Any) -> Any:
    return a.squeeze(dim)


def _squeeze_named(name: str, node: str) -> Any:
    return linear(name, _squeeze_array, _unview, ("dim",), view=True, holomorphic=False, node=node)


_squeeze = _squeeze_named("squeeze", "SqueezeBackward0")
_squeeze_dim = _squeeze_named("squeeze_dim", "SqueezeBackward1")
_squeeze_dims = _squeeze_named("squeeze_dims", "SqueezeBackward2")


def _unsqueeze_array(a: Any, dim: int) -> Any:
    shape = a.shape
    return a.reshape((1, *shape) if dim == 0 else (*shape[:dim], 1, *shape[dim:]))


unsqueeze_at = _unsqueeze = linear(
    "unsqueeze", _unsqueeze_array, lambda F, t, dim: F.squeeze_dim(t, dim), ("dim",), view=True, holomorphic=False
)

# ------------------------------------------------------------------------------------------------ view and reshape


def view(self: Tensor, *shape: Any, **named: Any) -> Any:
    """The same memory seen in another shape; or, given a dtype, as elements of another type.

    Raises RuntimeError if no view of that shape is possible: `reshape` then copies.

    >>> import wengert
    >>> wengert.arange(6).view(2, -1)
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    wanted: Any = shape
    if len(shape) == 1 and type(shape[0]) is not int:
        wanted = shape[0]
        if type(wanted) is not tuple:
            wanted = _view_argument(self, wanted)
            if isinstance(wanted, Tensor):
                return wanted
    if not named and wanted:
        try:
            made = _view(self, wanted)
        except (ValueError, TypeError):
            pass
        else:
            if made._array.shape == wanted or min(wanted) >= -1:  # NumPy takes any negative number for -1
                return made
    if not named and "dtype" not in named and not shape:
        raise TypeError(
            "view() received an invalid combination of arguments - got (), but expected one of:\n * (torch.dtype dtype)\n"
            " * (tuple of ints size)\n"
        )
    if "dtype" in named:
        return _view_argument(self, named["dtype"])
    wanted = infer_size(sizes("view", shape, "size", named), self._array.size)
    try:
        return _view(self, wanted)
    except ValueError:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous "
            "subspaces). Use .reshape(...) instead."
        ) from None


def _view_argument(x: Tensor, wanted: Any) -> Any:
    """The view of `x` if a dtype is wanted, else the shape as a tuple."""
    from ..dtypes import dtype

    if isinstance(wanted, dtype):
        from .conversion import reinterpret

        return reinterpret(x, wanted)
    return tuple(wanted) if isinstance(wanted, (tuple, list)) else None


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
    try:
        wanted = shape if len(shape) != 1 or type(shape[0]) is int else tuple(shape[0])
        if not named and shape and input._array.flags.c_contiguous:
            made = _view(input, wanted)
            if made._array.shape == wanted or min(wanted) >= -1:  # NumPy takes any negative number for -1
                return made
    except (AttributeError, ValueError, TypeError):
        pass
    array = check_tensor("reshape", input)._array
    wanted = infer_size(sizes("reshape", shape, "shape", named), array.size)
    if array.flags.c_contiguous:
        return _view(input, wanted)
    try:
        return _reshape_alias(input, wanted)
    except ValueError:
        from .conversion import contiguous

        return _unsafe_view(contiguous(input), wanted)


def view_as(self: Tensor, other: Tensor) -> Any:
    """A view in the shape of `other`."""
    return view(self, check_tensor("view_as", other, "other")._array.shape)


def reshape_as(self: Tensor, other: Tensor) -> Any:
    """The elements in the shape of `other`."""
    return reshape(self, check_tensor("reshape_as", other, "other")._array.shape)


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Any:
    """The dimensions from start_dim to end_dim as one: a view where that is possible.

    >>> import wengert
    >>> wengert.flatten(wengert.ones(2, 3, 4), 1).shape
    torch.Size([2, 12])
    """
    shape = check_tensor("flatten", input)._array.shape
    ndim = len(shape)
    if end_dim == -1 and type(start_dim) is int and 0 <= start_dim < ndim - 1 and input._array.size:
        return reshape(input, (*shape[:start_dim], -1))
    first = wrap_dim(dim_number("flatten", start_dim, "start_dim", 2), ndim)
    last = wrap_dim(dim_number("flatten", end_dim, "end_dim", 3), ndim)
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not ndim:
        return reshape(input, 1)
    if first == last:
        return input
    return reshape(input, (*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :]))


def unflatten(input: Tensor, dim: int, sizes: Any) -> Any:
    """One dimension as several.

    >>> import wengert
    >>> wengert.unflatten(wengert.ones(2, 6), 1, (2, 3)).shape
    torch.Size([2, 2, 3])
    """
    shape = check_tensor("unflatten", input)._array.shape
    d = wrap_dim(dim_number("unflatten", dim, position=1), len(shape))
    if not isinstance(sizes, (tuple, list)):
        raise TypeError(f"unflatten(): argument 'sizes' (position 2) must be tuple of ints, not {type(sizes).__name__}")
    parts = tuple(sizes)
    if not parts:
        raise RuntimeError("unflatten: sizes must be non-empty")
    length = shape[d] if shape else 1
    if sum(n == -1 for n in parts) > 1 or not shape:
        raise RuntimeError(
            f"unflatten got an unexpected error:\n"
            f"{'only one dimension can be inferred' if shape else 'a tensor of no dimensions cannot be unflattened'}"
        )
    try:
        parts = infer_size(parts, length)
    except RuntimeError:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(parts)} don't multiply up to the size of dim {d} ({length}) in the input tensor"
        ) from None
    return view(input, (*shape[:d], *parts, *shape[d + 1 :]))


def ravel(input: Tensor) -> Any:
    """All elements in one dimension: a view of a contiguous tensor, else a copy.

    >>> import wengert
    >>> wengert.ravel(wengert.ones(2, 3)).shape
    torch.Size([6])
    """
    from .conversion import contiguous

    check_tensor("ravel", input)
    return view(contiguous(input), input._array.size)


# ------------------------------------------------------------------------------------------------ lengths of one


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
    ndim = input._array.ndim if isinstance(input, Tensor) else check_tensor("unsqueeze", input).ndim
    if type(dim) is int and 0 <= dim <= ndim:
        return _unsqueeze(input, dim)
    return _unsqueeze(input, wrap_dim(dim_number("unsqueeze", dim), ndim + 1))


def _at_least(ndim: int) -> Any:
    def form(x: Tensor) -> Any:
        have = check_tensor(f"atleast_{ndim}d", x)._array.ndim
        if have >= ndim:
            return x
        if have == 0:
            return reshape(x, (1,) * ndim)
        if ndim == 3:
            return _unsqueeze(_unsqueeze(x, 0), 2) if have == 1 else _unsqueeze(x, 2)
        return _unsqueeze(x, 0)

    def function(*tensors: Any) -> Any:
        if len(tensors) == 1:
            if isinstance(tensors[0], (list, tuple)):
                return tuple([form(x) for x in tensors[0]])
            return form(tensors[0])
        return tuple([form(x) for x in tensors])

    function.__name__ = function.__qualname__ = f"atleast_{ndim}d"
    function.__doc__ = f"Views of the tensors with at least {ndim} dimension{'s' if ndim > 1 else ''}."
    return function


atleast_1d, atleast_2d, atleast_3d = _at_least(1), _at_least(2), _at_least(3)

# ------------------------------------------------------------------------------------------------ broadcasting


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
    extra = len(wanted) - len(own)
    if wanted[extra:] == own and extra >= 0 and (not extra or min(wanted[:extra]) >= 0):
        return _expand(self, wanted)
    if extra < 0:
        raise RuntimeError(
            f"expand({self.type()}{{{list(own)}}}, size={list(wanted)}): the number of sizes provided ({len(wanted)}) must be "
            f"greater or equal to the number of dimensions in the tensor ({len(own)})"
        )
    shape = list(wanted)
    for i in range(len(wanted) - 1, -1, -1):
        n = wanted[i]
        if i < extra:
            if n == -1:
                raise RuntimeError(
                    f"The expanded size of the tensor ({n}) isn't allowed in a leading, non-existing dimension {i}"
                )
        elif n == -1 or n == own[i - extra]:
            shape[i] = own[i - extra]
            continue
        elif own[i - extra] != 1:
            raise RuntimeError(
                f"The expanded size of the tensor ({n}) must match the existing size ({own[i - extra]}) at non-singleton dimension "
                f"{i}.  Target sizes: {list(wanted)}.  Tensor sizes: {list(own)}"
            )
        if n < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {list(wanted)}")
    return _expand(self, tuple(shape))


def expand_as(self: Tensor, other: Tensor) -> Any:
    """A view expanded to the shape of `other`."""
    return expand(self, check_tensor("expand_as", other, "other")._array.shape)


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
    found = [1] * max(map(len, plain))
    for k, shape in enumerate(plain):
        for i in range(-1, -1 - len(shape), -1):
            n = shape[i]
            if n < 0:
                raise RuntimeError(f"Trying to create tensor with negative dimension ({n}): ({n})")
            if n == 1 or n == found[i]:
                continue
            if found[i] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {n} at {i}! Mismatching argument at index {k} had {shape}; but "
                    f"expected shape should be broadcastable to {found}"
                )
            found[i] = n
    return Size(found)


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Views of the tensors, broadcast to one shape; a tensor that has it already is given as it is.

    >>> import wengert
    >>> [x.shape for x in wengert.broadcast_tensors(wengert.ones(2, 1), wengert.ones(3))]
    [torch.Size([2, 3]), torch.Size([2, 3])]
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    shapes = [check_tensor("broadcast_tensors", x, "tensors")._array.shape for x in tensors] or [()]
    check_broadcast(shapes)
    shape = np.broadcast_shapes(*shapes)
    return tuple([x if own == shape else _expand(x, shape) for x, own in zip(tensors, shapes, strict=False)])


def sum_to_size(self: Tensor, *size: Any, **named: Any) -> Any:
    """The sum over the dimensions along which a tensor of this size would be broadcast to the shape of this one.

    >>> import wengert
    >>> wengert.ones(2, 3).sum_to_size(1, 3)
    tensor([[2., 2., 2.]])
    """
    wanted = sizes("sum_to_size", size, "size", named)
    own = self._array.shape
    extra = len(own) - len(wanted)
    if extra < 0 or any(w not in (1, n) for w, n in zip(wanted, own[extra:], strict=True)):
        raise RuntimeError(f"size {{{list(wanted)}}} is not expandable to size {{{list(own)}}}.")
    if wanted == own and wanted:
        return self
    if not wanted:
        return self.sum()
    made = _sum_to(self, (*(1,) * extra, *wanted))
    return view(made, wanted) if extra else made


provide("reshape", np.reshape, reshape)

_both = "reshape broadcast_to squeeze unsqueeze flatten unflatten ravel"
__all__ = expose(
    __name__,
    functions=_both + " broadcast_shapes broadcast_tensors atleast_1d atleast_2d atleast_3d",
    methods=_both + " view view_as reshape_as expand expand_as sum_to_size",
)
