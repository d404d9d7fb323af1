"""Norms of matrices, and their condition."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...tensor import Tensor, wrap, wrap_dim
from ..dims import combination_error, into_same
from ..expose import expose
from ..namespace import tensors
from ..norms import convertible, vector_norm
from .checks import floating, implemented, matrices, matrix_argument, square
from .svd import singular_values

_SIGNATURES = (
    "(Tensor input, Number ord, tuple of ints dim = {-2,-1}, bool keepdim = False, *, torch.dtype dtype = None, "
    "Tensor out = None)",
    '(Tensor input, str ord = "fro", tuple of ints dim = {-2,-1}, bool keepdim = False, *, torch.dtype dtype = None, '
    "Tensor out = None)",
)


def _is_number(x: Any) -> bool:
    return isinstance(x, (int, float, np.number)) and not isinstance(x, bool)


def _two_dims(dim: Any, ndim: int) -> tuple[int, int]:
    if len(dim) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, dim))}")
    first, second = wrap_dim(dim[0], ndim), wrap_dim(dim[1], ndim)
    if first == second:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got ({first}, {second})")
    return first, second


def matrix_norm(
    input: Tensor,
    ord: Any = "fro",
    dim: Any = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """A norm of the matrices that two dimensions make.

    ord    "fro" (Frobenius): the root of the sum of the squares; "nuc" (nuclear): the sum of the singular values; 2 and -2: the
           largest and the smallest of these; 1 and -1: the largest and the smallest sum of a column's absolute values; inf and
           -inf: of a row's
    dtype  convert the elements to this type first
    Raises RuntimeError for other orders and for integers; IndexError for the smallest of nothing.

    >>> import wengert
    >>> a = wengert.tensor([[3.0, 0.0], [0.0, 4.0]])
    >>> wengert.linalg.matrix_norm(a), wengert.linalg.matrix_norm(a, "nuc")
    (tensor(5.), tensor(7.))
    """
    matrix_argument("linalg_matrix_norm", input, "input")
    if not (isinstance(ord, str) or _is_number(ord)) or not isinstance(dim, (tuple, list)):
        got = (
            f"(Tensor, {type(ord).__name__})"
            if isinstance(dim, (tuple, list))
            else f"(Tensor, dim={type(dim).__name__})"
        )
        raise combination_error("linalg_matrix_norm", got, _SIGNATURES)
    floating("linalg.matrix_norm", matrices("linalg.matrix_norm", input))
    dims = _two_dims(dim, input._array.ndim)
    size = math.inf if isinstance(ord, str) else abs(ord)
    if ord not in ("fro", "nuc") and (isinstance(ord, str) or size not in (1, 2, math.inf)):
        raise RuntimeError(
            f"linalg.matrix_norm: Order {ord if isinstance(ord, str) else f'{ord:g}'} not supported. "
            "There are 'fro', 'nuc', inf, -inf, 1, -1, 2, -2"
        )
    x = convertible("linalg.matrix_norm", input, dtype)
    if ord == "fro":
        return vector_norm(x, 2, dims, keepdim, out=out)
    if ord == "nuc" or size == 2:
        floating("linalg.matrix_norm", x, halves=False)
        order = [*(d for d in range(x._array.ndim) if d not in dims), *dims]
        values = singular_values(x.permute(order))
        made = values.sum(-1, keepdim) if ord == "nuc" else _extreme(values, ord, -1, keepdim)
        if keepdim:
            made = made.unsqueeze(-1).permute([order.index(d) for d in range(len(order))])
    else:
        along, over = dims if size == 1 else dims[::-1]
        made = _extreme(vector_norm(x, 1, along, keepdim), ord, over - (along < over and not keepdim), keepdim)
    return into_same(out, made)


def _extreme(x: Tensor, ord: float, dim: int, keepdim: bool) -> Tensor:
    """The largest along a dimension, 0 if there is none; for a negative order the smallest, which there must be."""
    if ord < 0:
        return x.amin(dim, keepdim)
    return x.amax(dim, keepdim) if x._array.shape[dim] else x.detach().sum(dim, keepdim)


def norm(
    input: Tensor,
    ord: Any = None,
    dim: Any = None,
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """The norm of a vector or a matrix.

    ord  None: the Euclidean norm of all elements, of any number of dimensions, or over those of `dim`; a number or a string:
         the order for `vector_norm` (of one dimension) or `matrix_norm` (of two)
    dim  the dimension of vectors, or the two of matrices; without it, and with `ord`, the tensor has one or two
    Raises RuntimeError for other numbers of dimensions, and what those functions raise.

    >>> import wengert
    >>> a = wengert.tensor([[3.0, 0.0], [0.0, 4.0]])
    >>> wengert.linalg.norm(a), wengert.linalg.norm(a, 1), wengert.linalg.norm(a, 1, dim=0)
    (tensor(5.), tensor(4.), tensor([3., 4.]))
    """
    matrix_argument("linalg_norm", input, "input")
    ndim = input._array.ndim
    if dim is not None:
        dim = tuple(dim) if isinstance(dim, (tuple, list)) else (dim,)
        if len(dim) not in (1, 2):
            raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dim)}")
    elif ord is not None and ndim not in (1, 2):
        raise RuntimeError(f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {ndim}D.")
    if isinstance(ord, str) or (ord is not None and (ndim if dim is None else len(dim)) == 2):
        return matrix_norm(input, ord, (-2, -1) if dim is None else dim, keepdim, dtype=dtype, out=out)
    return vector_norm(input, 2 if ord is None else ord, dim, keepdim, dtype=dtype, out=out)


def nuclear_norm(input: Tensor, dim: Any = (-2, -1), keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
    """The sum of the singular values of matrices: `linalg.matrix_norm` of order "nuc".

    >>> import wengert
    >>> wengert.nuclear_norm(wengert.tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor(7.)
    """
    return matrix_norm(input, "nuc", dim, keepdim, out=out)


def cond(input: Tensor, p: Any = None, *, out: Tensor | None = None) -> Tensor:
    """The condition number of matrices: by how much errors of the right side of A x = b may grow in x.

    p  None or 2: the largest singular value divided by the smallest; -2: the reverse; "nuc": the sum of the singular values
       times that of their reciprocals; any other order of `matrix_norm`: the norm of the matrix times that of its inverse, inf
       for a singular matrix. For these and for "nuc" the matrix is square
    Raises RuntimeError for other orders, and for matrices that are not square where they must be.

    >>> import wengert
    >>> wengert.linalg.cond(wengert.tensor([[2.0, 0.0], [0.0, 8.0]]))
    tensor(4.)
    """
    matrix_argument("linalg_cond", input, "input")
    shape = input._array.shape
    if len(shape) < 2:
        raise RuntimeError(
            f"linalg.cond: The input tensor must have at least 2 dimensions. Its shape is {tuple(shape)}"
        )
    if p is None or p in (2, -2):
        floating("linalg.svd", input)
        values = singular_values(implemented("linalg_svd_cpu", input))
        if not input._array.size:
            return into_same(out, wrap(np.zeros(shape[:-2], values._array.dtype)))
        ends = values[..., :1], values[..., -1:]
        return into_same(out, (ends[1] / ends[0] if p == -2 else ends[0] / ends[1]).squeeze(-1))
    shown = p if isinstance(p, str) else f"{p:g}"
    if not isinstance(p, str) and abs(p) not in (1, math.inf):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {shown}")
    if isinstance(p, str):
        square(f"linalg.cond(ord={shown})", input)
        if p not in ("fro", "nuc"):
            raise RuntimeError(f"linalg.cond got an invalid norm type: {p}")
    if not input._array.size:
        return into_same(out, wrap(np.zeros(shape[:-2], input._array.real.dtype)))
    square(f"linalg.cond(ord={shown})", input)
    if p == "nuc":
        floating("linalg.svd", input)
        values = singular_values(implemented("linalg_svd_cpu", input))
        return into_same(out, values.sum(-1) * values.reciprocal().sum(-1))
    floating("linalg.inv", input, halves=False)
    eye = wrap(np.broadcast_to(np.eye(shape[-1], dtype=input._array.dtype), shape))
    grown = matrix_norm(input, p) * matrix_norm(tensors.solve_square(input, eye), p)
    return into_same(out, grown.nan_to_num(math.inf, math.inf, -math.inf))


__all__ = expose(__name__, functions="nuclear_norm")
