"""Elements put back to where max pooling found them: `max_unpool1d`, `max_unpool2d`, `max_unpool3d`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..dtype_names import scalar_name
from .bounds import out_of_bounds
from .declare import argument_error, multilinear
from .dims import is_float
from .plane import plane_put
from .pool_arguments import refuse_dtype
from .sizes import sizes

if TYPE_CHECKING:
    from ..tensor import Tensor


def _declared(rank: int) -> Any:
    # an index that is given twice has the last of its elements, and a gradient for each, as in PyTorch
    return multilinear(
        f"max_unpool{rank}d",
        lambda t, indices, shape: plane_put(t, indices, shape, rank, True),
        {"self": lambda F, t, indices: F.plane_take(t, indices, rank, False), "indices": None},
        ("shape",),
        node=f"MaxUnpool{rank}DBackward0",
    )


_UNPOOL = {2: _declared(2), 3: _declared(3)}


def _output_size(shape: Any, kernel: Any, stride: Any, padding: Any, output_size: Any) -> list[Any]:
    """The size of the planes: what pooling of that size would have given the input's, or the one asked for among these."""
    rank = len(kernel)
    usual = [(shape[d - rank] - 1) * stride[d] + kernel[d] - 2 * padding[d] for d in range(rank)]
    if output_size is None:
        return usual
    size = output_size[2:] if len(output_size) == rank + 2 else output_size
    if len(size) != rank:
        raise ValueError(
            f"output_size should be a sequence containing {rank} or {rank + 2} elements, but it has a length of "
            f"'{len(output_size)}'"
        )
    for d in range(rank):
        low, high = usual[d] - stride[d], usual[d] + stride[d]
        if not low < size[d] < high:
            raise ValueError(f'invalid output_size "{size}" (dim {d} must be between {low} and {high})')
    return list(size)


def _unpool(input: Tensor, indices: Any, size: Any, stride: Any = None) -> Any:
    """`max_unpool2d` and `max_unpool3d`, once the size is known."""
    rank = len(size)
    function = f"max_unpool{rank}d"
    array = input._array
    where = getattr(indices, "_array", None)
    if where is None:
        raise argument_error(function, "indices", 2, indices)
    size = sizes(function, (size,), "output_size", position=3)
    if where.dtype != "int64":
        got = f" but got: {scalar_name(indices.dtype)}" if rank == 2 else f", but they are {indices.dtype}"
        raise RuntimeError(f"elements in indices should be type int64{got}")
    shape = array.shape
    if len(shape) not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"Input to max_unpooling{rank}d should be a {rank + 1}d or {rank + 2}d Tensor, but got a tensor with {len(shape)} "
            "dimensions."
        )
    if rank == 3 and min(stride) <= 0:
        raise RuntimeError(f"strides should be greater than zero, but got stride: {list(stride)}")
    if where.shape != shape:
        raise RuntimeError(
            f"Expected shape of indices to be same as that of the input tensor ({list(shape)}) but got indices tensor with shape: "
            f"{list(where.shape)}"
        )
    for i in range(1, len(shape)):
        if not shape[i]:
            raise RuntimeError(
                f"max_unpooling{rank}d_forward_out_cpu(): Expected input to have non-zero size for non-batch dimensions, but got "
                f"{list(shape)} with dimension {i} being empty."
            )
    if not is_float(array):
        raise refuse_dtype(function, input)
    bad = out_of_bounds(where, math.prod(size))
    if bad is not None:
        planes = "x".join(map(str, size))
        raise RuntimeError(f"Found an invalid max index: {bad} (output volumes are of size {planes})")
    return _UNPOOL[rank](input, indices, (*shape[:-rank], *size))


def _each(given: Any, rank: int) -> tuple[Any, ...]:
    return tuple(given) if isinstance(given, (tuple, list)) else (given,) * rank


def _unpooling(rank: int) -> Any:
    function = f"max_unpool{rank}d"
    shape = {1: "(N, C, L) or (C, L)", 2: "(N, C, H, W) or (C, H, W)", 3: "(N, C, D, H, W) or (C, D, H, W)"}[rank]

    def max_unpool(
        input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
    ) -> Any:
        kernel = _each(kernel_size, rank)
        steps = _each(stride, rank) if stride is not None else kernel
        own = tuple(input.size())
        if len(kernel) != rank or len(own) < rank:
            raise IndexError(
                f"tuple index out of range: {function} takes {rank} kernel size(s) for an input of {rank} spatial dimensions, "
                f"but got {len(kernel)} for a tensor of {len(own)}"
            )
        size = _output_size(own, kernel, steps, _each(padding, rank), output_size)
        if rank == 1:
            return _unpool(input.unsqueeze(-1), indices.unsqueeze(-1), [*size, 1]).squeeze(-1)
        return _unpool(input, indices, size, steps)

    max_unpool.__name__ = max_unpool.__qualname__ = function
    max_unpool.__doc__ = f"""Zeros, with the elements of {shape} where max pooling, whose indices these are, had found them.

    kernel_size, stride, padding: those of the pooling. output_size: of the pooling's input, where that is not the smallest one.
    Raises ValueError for an output_size that pooling does not lead from, RuntimeError for indices that are not in it.

    >>> import wengert
    >>> F = wengert.nn.functional
    >>> values, indices = F.max_pool{rank}d(wengert.ones(1{", 4" * rank}), 2, return_indices=True)
    >>> F.{function}(values, indices, 2).shape
    torch.Size([1{", 4" * rank}])
    """
    return max_unpool


max_unpool1d, max_unpool2d, max_unpool3d = map(_unpooling, (1, 2, 3))
