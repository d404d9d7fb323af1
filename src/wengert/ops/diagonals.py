"""Diagonals and triangles of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import Tensor, wrap, wrap_dim
from .declare import linear
from .dims import check_tensor, dim_number
from .expose import expose

# ------------------------------------------------------------------------------------------------ declarations


def _diagonal_array(a: Any, offset: int, dim1: int, dim2: int) -> Any:
    found = a.diagonal(offset, dim1, dim2)
    found.flags.writeable = a.flags.writeable
    return found


def _diagonal_put(a: Any, shape: tuple[int, ...], offset: int, dim1: int, dim2: int) -> Any:
    made = np.zeros(shape, a.dtype)
    _diagonal_array(made, offset, dim1, dim2)[...] = a
    return made


_diagonal = linear(
    "diagonal", _diagonal_array,
    lambda F, t, self_shape, offset, dim1, dim2: F.diagonal_backward(t, self_shape, offset, dim1, dim2),
    ("offset", "dim1", "dim2"), view=True, holomorphic=False,
)  # fmt: skip
_diagonal_backward = linear(
    "diagonal_backward", _diagonal_put, lambda F, t, offset, dim1, dim2: F.diagonal(t, offset, dim1, dim2),
    ("shape", "offset", "dim1", "dim2"), holomorphic=False, node="DiagonalBackwardBackward0",
)  # fmt: skip
_diagonal_copy = linear(
    "diagonal_copy", lambda a, offset, dim1, dim2: np.array(a.diagonal(offset, dim1, dim2)),
    lambda F, t, self_shape, offset, dim1, dim2: F.diagonal_backward(t, self_shape, offset, dim1, dim2),
    ("offset", "dim1", "dim2"), holomorphic=False, node="DiagonalBackward0_copy",
)  # fmt: skip


def _embed(a: Any, offset: int, dim1: int, dim2: int) -> Any:
    n = a.shape[-1] + abs(offset)
    rest = iter(a.shape[:-1])
    return _diagonal_put(
        a, tuple([n if i in (dim1, dim2) else next(rest) for i in range(a.ndim + 1)]), offset, dim1, dim2
    )


_diag_embed = linear(
    "diag_embed", _embed, lambda F, t, offset, dim1, dim2: F.diagonal(t, offset, dim1, dim2), ("offset", "dim1", "dim2"),
    holomorphic=False,
)  # fmt: skip


def _trace_array(a: Any) -> Any:
    return np.asarray(np.add.reduce(a.diagonal(), dtype=np.int64 if a.dtype.kind in "iu" else a.dtype))


def _trace_put(a: Any, shape: tuple[int, ...]) -> Any:
    return _diagonal_put(a, shape, 0, 0, 1)


_trace = linear("trace", _trace_array, lambda F, t, self_shape: F.trace_backward(t, self_shape), holomorphic=False)
_trace_backward = linear("trace_backward", _trace_put, lambda F, t: F.trace(t), ("shape",), holomorphic=False)


_masks: dict[Any, Any] = {}


def _mask(rows: int, columns: int, diagonal: int) -> Any:
    """Where the lower triangle of a matrix is; small ones are remembered."""
    key = rows, columns, diagonal
    found = _masks.get(key)
    if found is None:
        found = np.tri(rows, columns, diagonal, bool)
        if found.size <= 4096:
            if len(_masks) > 64:
                _masks.clear()
            _masks[key] = found
    return found


def _lower(a: Any, diagonal: int) -> Any:
    made = np.where(_mask(a.shape[-2], a.shape[-1], diagonal), a, a.dtype.type(0))
    return made if a.ndim == 2 else np.ascontiguousarray(made)


def _upper(a: Any, diagonal: int) -> Any:
    made = np.where(_mask(a.shape[-2], a.shape[-1], diagonal - 1), a.dtype.type(0), a)
    return made if a.ndim == 2 else np.ascontiguousarray(made)


_tril = linear("tril", _lower, lambda F, t, diagonal: F.tril(t, diagonal), ("diagonal",), holomorphic=False)
_triu = linear("triu", _upper, lambda F, t, diagonal: F.triu(t, diagonal), ("diagonal",), holomorphic=False)

# ------------------------------------------------------------------------------------------------ diagonals


def _two_dims(function: str, ndim: int, dim1: int, dim2: int) -> tuple[int, int]:
    a = wrap_dim(dim_number(function, dim1, "dim1", 3), ndim)
    b = wrap_dim(dim_number(function, dim2, "dim2", 4), ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return a, b


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """A view of the diagonal of two dimensions, as the last dimension.

    >>> import wengert
    >>> wengert.diagonal(wengert.arange(4).view(2, 2))
    tensor([0, 3])
    """
    a, b = _two_dims("diagonal", check_tensor("diagonal", input)._array.ndim, dim1, dim2)
    return _diagonal(input, dim_number("diagonal", offset, "offset", 2), a, b)


def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Matrices with the last dimension on their diagonal.

    >>> import wengert
    >>> wengert.diag_embed(wengert.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """
    ndim = check_tensor("diag_embed", input)._array.ndim
    a, b = _two_dims("diag_embed", ndim + 1, dim1, dim2)
    if not ndim:
        wrap_dim(-2, 0)
    return _diag_embed(input, dim_number("diag_embed", offset, "offset", 2), a, b)


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
        made = _diagonal_copy(input, dim_number("diag", diagonal, "diagonal", 2), 0, 1)
    else:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {ndim}D")
    return _into(out, made)


def _into(out: Any, made: Any) -> Any:
    if out is None:
        return made
    from .inplace import into

    return into(out, made)


def diagflat(input: Tensor, offset: int = 0) -> Any:
    """A matrix with all elements of the tensor on a diagonal.

    >>> import wengert
    >>> wengert.diagflat(wengert.tensor([[1], [2]]))
    tensor([[1, 0],
            [0, 2]])
    """
    from .conversion import contiguous

    return diag_embed(contiguous(check_tensor("diagflat", input)).view(-1), offset)


def trace(input: Tensor) -> Any:
    """The sum of a matrix's diagonal.

    >>> import wengert
    >>> wengert.trace(wengert.eye(3))
    tensor(3.)
    """
    if check_tensor("trace", input)._array.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input._array.ndim}")
    return _trace(input)


# ------------------------------------------------------------------------------------------------ triangles


def _triangle(function: str, operation: Any) -> Any:
    def triangle(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Any:
        if check_tensor(function, input)._array.ndim < 2:
            raise RuntimeError(f"{function}: input tensor must have at least 2 dimensions")
        return _into(out, operation(input, dim_number(function, diagonal, "diagonal", 2)))

    triangle.__name__ = triangle.__qualname__ = function
    part = "lower" if function == "tril" else "upper"
    triangle.__doc__ = f"The {part} triangles of matrices, zeros elsewhere; `diagonal` moves the border."
    return triangle


tril = _triangle("tril", _tril)
triu = _triangle("triu", _triu)


def _triangle_indices(function: str, find: Any) -> Any:
    def indices(
        row: int, col: int, offset: int = 0, *, dtype: Any = None, layout: Any = None, device: Any = None
    ) -> Tensor:
        from .. import dtypes
        from ..creation import numpy_dtype
        from ..device import check_device

        check_device(device)
        for name, n in (("row", row), ("col", col)):
            if n < 0:
                raise RuntimeError(f"{name} must be non-negative, got {n}")
        kind = numpy_dtype(dtype, dtypes.int64)
        if kind not in (np.int64, np.int32):
            raise RuntimeError(f"\"{function}\" not implemented for '{dtype}': give int32 or int64")
        return wrap(np.stack(find(row, offset, col)).astype(kind))

    indices.__name__ = indices.__qualname__ = function
    part = "lower" if function == "tril_indices" else "upper"
    indices.__doc__ = f"""The indices of the elements of the {part} triangle of a matrix of `row` rows and `col` columns, in two rows.

    >>> import wengert
    >>> wengert.{function}(2, 2)
    tensor([[0, {"1, 1" if part == "lower" else "0, 1"}],
            [0, {"0, 1" if part == "lower" else "1, 1"}]])
    """
    return indices


tril_indices = _triangle_indices("tril_indices", np.tril_indices)
triu_indices = _triangle_indices("triu_indices", np.triu_indices)

_both = "diagonal diag_embed diag diagflat trace tril triu"
__all__ = expose(__name__, functions=_both + " tril_indices triu_indices", methods=_both, writes="tril triu")
