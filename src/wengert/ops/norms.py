"""Norms of vectors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import dtypes
from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap_dim
from .adding import add_squares, add_up
from .comparison import gt
from .complex_numbers import is_complex
from .declare import F32, general
from .dims import check_tensor, dtype_argument, into_same, several_dims
from .expose import expose
from .inplace import into
from .selection import where

# ------------------------------------------------------------------------------------------------ declarations


def _norm(a: Any, ord: float, dim: Any, keepdim: bool) -> Any:
    """The norm over some dimensions, or all; of complex numbers a real array."""
    d = a.real.dtype
    if a.dtype.itemsize == 2:
        return _norm(a.astype(F32), ord, dim, keepdim).astype(d)
    sizes = np.absolute(a) if ord != 2 or a.dtype.kind == "c" else a
    if ord == 0:
        total = np.asarray(np.count_nonzero(sizes, None if not a.ndim else dim, keepdims=keepdim), d)
    elif abs(ord) == math.inf:
        extreme: Any = np.maximum if ord > 0 else np.minimum
        total = extreme.reduce(sizes, dim, keepdims=keepdim) if a.ndim else sizes
    elif ord == 1:
        total = add_up(sizes, dim, keepdim) if a.ndim else sizes
    elif ord == 2:
        total = np.sqrt(add_squares(sizes, dim, keepdim)) if a.ndim else np.absolute(sizes)
    else:
        total = np.power(add_up(np.power(sizes, ord), dim, keepdim), 1.0 / ord) if a.ndim else sizes
    return np.asarray(total, d)


def _per_length(F: Any, t: Any, out: Any) -> Any:
    """t / out. Where `out` is 0 every subgradient is right, and PyTorch's is 0: so is this.

    Its own derivative is nan there, as the norm has no second one; but where t is 0 too, as for the square of the norm, the
    quotient has a limit: the slope of t.
    """
    there = out != 0
    if (there._array if isinstance(there, Tensor) else there).all():
        return t / out
    undefined = ~there & (t == 0)
    made = t * F.masked(F.reciprocal(F.where(undefined, out * 0 + 1, out)), there)
    if isinstance(t, Tensor) and t.requires_grad and out.requires_grad:
        from ..autograd.api import grad

        (slope,) = grad(t.sum(), out, create_graph=True, allow_unused=True)
        if slope is not None:
            made = made + F.masked(slope, undefined)
    return made


def _pull_norm(F: Any, t: Any, self: Any, out: Any, ord: float, dim: Any, keepdim: bool) -> Any:
    if ord == 0:
        return F.null(self)
    if ord == 2:
        return F.spread(_per_length(F, t, out), self.shape, dim, keepdim) * self
    if ord == 1:
        return F.spread(t, self.shape, dim, keepdim) * F.sgn(self)
    if abs(ord) == math.inf:
        size = F.abs(self)
        if is_complex(self):  # whose absolute values need not come out the same to the last bit each time
            out = (F.amax if ord > 0 else F.amin)(size, dim, keepdim)
        return F.spread(t, self.shape, dim, keepdim) * F.sgn(self) * F.tie_weights(size, out, dim, keepdim, False)
    ratio = F.spread(F.masked(t / F.pow_number(out, ord - 1), out != 0), self.shape, dim, keepdim)
    size = F.abs(self)
    if ord > 2:
        return self * F.pow_number(size, ord - 2) * ratio
    there = size != 0
    return F.sgn(self) * F.masked(F.pow_number(size, ord - 1), there) * F.masked(ratio, there)


def _push_norm(F: Any, t: Any, self: Any, out: Any, ord: float, dim: Any, keepdim: bool) -> Any:
    direction = _pull_norm(F, F.null(out) + 1, self, out, ord, dim, keepdim)
    return F.sum(F.real(F.conj(direction) * t) if is_complex(t) else direction * t, dim, keepdim)


_vector_norm = general(
    "vector_norm",
    _norm,
    {"self": _pull_norm},
    ("ord", "dim", "keepdim"),
    push=_push_norm,
    node="LinalgVectorNormBackward0",
    holomorphic=False,
)
#: the same under the name that it has in the graph of a distance
norm_along = general(
    "norm_along",
    _norm,
    {"self": _pull_norm},
    ("ord", "dim", "keepdim"),
    push=_push_norm,
    node="NormBackward1",
    holomorphic=False,
)

# ------------------------------------------------------------------------------------------------ functions


def vector_norm(
    x: Tensor, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    """The norm of a tensor seen as a vector, of all elements or over some dimensions.

    ord    the number whose power is added up: 2 the Euclidean norm, 1 the sum of the absolute values, inf and -inf the
           largest
           and the smallest of them, 0 how many are not zero
    dtype  convert the elements to this type first
    Where the norm is 0, so is the gradient.
    Raises RuntimeError for integers and bool, and for the norm of no element where there is none; IndexError for a
    dimension that
    is not there.

    >>> import wengert
    >>> wengert.linalg.vector_norm(wengert.tensor([3.0, 4.0]))
    tensor(5.)
    """
    check_tensor("linalg_vector_norm", x)
    if isinstance(ord, (str, bool)) or not isinstance(ord, (int, float, Tensor, np.number)):
        raise TypeError(f"linalg_vector_norm(): argument 'ord' (position 2) must be Number, not {type(ord).__name__}")
    x = convertible("linalg.vector_norm", x, dtype)
    ord = float(ord)
    dims = several_dims("linalg_vector_norm", dim, x._array.ndim) or None
    shape = x._array.shape
    if ord < 0 or ord == math.inf:
        if dims is None and not x._array.size:
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {_shown(ord)} norm on an empty tensor because the operation "
                "does not have "
                "an identity"
            )
        for d in dims or ():
            if shape and not shape[d]:
                raise RuntimeError(
                    f"linalg.vector_norm cannot compute the {_shown(ord)} norm on the dimension {d}because this "
                    "dimension is empty "
                    "and the operation does not have an identity"
                )
    return into_same(out, _vector_norm(x, ord, dims, keepdim))


def _shown(ord: float) -> str:
    return f"{ord:g}"


def convertible(name: str, x: Tensor, dtype: Any) -> Tensor:
    """`x` in the type asked for, which must hold the numbers of its own type; `name` begins the messages."""
    if x.dtype.category < dtypes.FLOAT:
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {scalar_name(x.dtype)}")
    numpy = dtype_argument(dtype)
    if numpy is None:
        return x
    target = dtypes.of(numpy)
    if target.category < dtypes.FLOAT:
        raise RuntimeError(f"{name}: dtype should be floating point or complex, but got {scalar_name(target)}")
    if x.is_complex() != target.is_complex:
        kind = "complex for complex" if x.is_complex() else "real for real"
        raise RuntimeError(f"{name}: dtype should be {kind} inputs, but got {scalar_name(target)}")
    if dtypes.promote_types(x.dtype, target) is not target:
        raise RuntimeError(
            f"{name}: the dtype of the input ({scalar_name(x.dtype)}) should be convertible without narrowing to the specified "
            f"dtype ({scalar_name(target)})"
        )
    return x if target is x.dtype else x.to(target)


def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Tensor | None = None, dtype: Any = None
) -> Tensor:
    """The norm of a tensor seen as a vector (`linalg.vector_norm`), or with p="nuc" the nuclear norm of a matrix.

    p  "fro" for the Euclidean norm, or a number

    >>> import wengert
    >>> wengert.norm(wengert.tensor([3.0, 4.0]))
    tensor(5.)
    """
    check_tensor("norm", input)
    if p is None or p == "fro":
        p = 2.0
    if isinstance(p, str):
        if p != "nuc":
            raise RuntimeError(f"linalg.matrix_norm: Order {p} not supported.")
        from .linalg.matrix_norm import matrix_norm

        dim = tuple(range(input._array.ndim)) if dim is None else dim
        return matrix_norm(input, "nuc", dim, keepdim, dtype=dtype, out=out)
    return vector_norm(input, p, dim, keepdim, dtype=dtype, out=out)


def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    """The norm over all dimensions but one; for dim=-1 over all.

    >>> import wengert
    >>> wengert.norm_except_dim(wengert.tensor([[3.0, 4.0], [0.0, 1.0]]))
    tensor([[5.],
            [1.]])
    """
    if dim == -1:
        return vector_norm(v, pow)
    return vector_norm(v, pow, [i for i in range(v._array.ndim) if i != dim], True)


def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """The norm of the difference of two tensors, broadcast.

    >>> import wengert
    >>> wengert.dist(wengert.tensor([1.0, 2.0]), wengert.tensor([4.0, 6.0]))
    tensor(5.)
    """
    return vector_norm(input - other, p)


def renorm(input: Tensor, p: float, dim: int, maxnorm: float, *, out: Tensor | None = None) -> Tensor:
    """The input with each slice along a dimension scaled down to the norm `maxnorm` where its own is larger.

    Raises RuntimeError for p that is not positive, a negative `maxnorm`, or fewer than two dimensions.

    >>> import wengert
    >>> wengert.renorm(wengert.tensor([[3.0, 4.0], [0.3, 0.4]]), 2, 0, 1.0)
    tensor([[0.6000, 0.8000],
            [0.3000, 0.4000]])
    """
    check_tensor("renorm", input)
    if isinstance(p, complex) or p <= 0:
        raise RuntimeError(
            "renorm: non-positive-norm not supported" if not isinstance(p, complex) else "renorm: p must be real-valued"
        )
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    ndim = input._array.ndim
    if ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {ndim} dimensions")
    d = wrap_dim(dim, ndim)
    size = vector_norm(input, p, [i for i in range(ndim) if i != d], True)
    # a little more than the norm, so that what was scaled is not scaled again
    factor = where(gt(size, maxnorm), maxnorm / (size + 1e-7), 1.0)
    result = input * factor.to(input.dtype)
    return result if out is None else into(out, result)


__all__ = expose(__name__, functions="norm norm_except_dim dist renorm", methods="norm dist renorm", writes="renorm")
