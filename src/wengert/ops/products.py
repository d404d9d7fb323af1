"""Products over chosen dimensions, and chains of matrix products in the cheapest order."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtype_names import c_name
from ..tensor import Tensor, wrap_dim
from .declare import argument_error, general
from .einsum import contract, multiply
from .expose import alias, expose
from .inplace import into
from .matmul import check_vectors, dot, matmul, ndims, outer_of_vectors, refuse

if TYPE_CHECKING:
    from collections.abc import Sequence


def _letters(start: int, n: int) -> str:
    return "".join(chr(0x100 + start + i) for i in range(n))


def _one_dtype(input: Tensor, other: Tensor) -> None:
    if input._array.dtype != other._array.dtype:
        raise RuntimeError(
            f"both inputs should have same dtype: they are {input.dtype} and {other.dtype}; convert one with .to({input.dtype})"
        )


_vdot = general(
    "vdot", lambda a, b: np.conjugate(a).dot(b),
    {"self": lambda F, t, other: F.conj(t) * other, "other": lambda F, t, self: t * self},
    push=lambda F, tangents, self, other: _push_vdot(tangents, self, other), holomorphic=False, check=refuse("vdot"),
)  # fmt: skip


def _push_vdot(tangents: Any, self: Any, other: Any) -> Any:
    parts = [_vdot(a, b) for a, b in ((tangents[0], other), (self, tangents[1])) if a is not None and b is not None]
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


def vdot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of the elements of two vectors, those of the first conjugated.

    Raises RuntimeError if they are no vectors of one length, or if the dtypes differ.

    >>> import wengert
    >>> wengert.vdot(wengert.tensor([1j, 2]), wengert.tensor([1j, 3]))
    tensor(7.+0.j)
    """
    m, n = ndims("vdot", input, other, ("input", "other"))
    check_vectors(input, other, m, n)
    if input._array.dtype.kind != "c":
        return dot(input, other, out=out)
    result = _vdot(input, other)
    return result if out is None else into(out, result)


def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of each element of one vector with each of another: (n,) and (m,) give (n, m).

    Raises RuntimeError if they are no vectors.

    >>> import wengert
    >>> wengert.outer(wengert.tensor([1, 2]), wengert.tensor([3, 4]))
    tensor([[3, 4],
            [6, 8]])
    """
    m, n = ndims("outer", input, vec2, ("input", "vec2"))
    for name, k in (("self", m), ("vec2", n)):
        if k != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {k}-D")
    result = outer_of_vectors(input, vec2)
    return result if out is None else into(out, result)


def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """The sum of products over chosen dimensions of two tensors; the result has the other dimensions of both.

    dims: a number n, for the last n dimensions of `a` with the first n of `b`; or a pair of lists, of the dimensions of
    each.
    Raises RuntimeError if the dimensions do not fit or the dtypes differ.

    >>> import wengert
    >>> wengert.tensordot(wengert.ones(2, 3), wengert.ones(3, 2), dims=1)
    tensor([[3., 3.],
            [3., 3.]])
    """
    for name, position, x in (("a", 1, a), ("b", 2, b)):
        if not isinstance(x, Tensor):
            raise argument_error("tensordot", name, position, x)
    over_a, over_b = _dims_of(a, b, dims)
    _one_dtype(a, b)
    if len(over_a) != len(over_b):
        raise RuntimeError("both dimension lists should have same length")
    over_a, over_b = _from_front(over_a, a.ndim), _from_front(over_b, b.ndim)
    for i, j in zip(over_a, over_b, strict=True):
        p, q = a._array.shape[i], b._array.shape[j]
        if p == q:
            continue
        if p == 1:
            b = b.sum(j, keepdim=True, dtype=b.dtype)
        elif q == 1:
            a = a.sum(i, keepdim=True, dtype=a.dtype)
        else:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {p} in dim {i} and second has size {q} in dim {j}"
            )
    first = list(_letters(0, a.ndim))
    second = list(_letters(a.ndim, b.ndim))
    for i, j in zip(over_a, over_b, strict=True):
        second[j] = first[i]
    shared = {first[i] for i in over_a}
    result = "".join(s for s in first + second if s not in shared)
    made = (contract if shared else multiply)(a, b, "".join(first), "".join(second), result)
    return made if out is None else into(out, made)


def _dims_of(a: Tensor, b: Tensor, dims: Any) -> tuple[list[int], list[int]]:
    if isinstance(dims, Tensor):
        dims = dims.tolist()
    if isinstance(dims, (tuple, list)):
        if len(dims) == 1 and isinstance(dims[0], int):
            dims = dims[0]
        else:
            pair = list(dims)
            for position, (name, part) in enumerate(zip(("dims_self", "dims_other"), pair, strict=False), 3):
                if not isinstance(part, (tuple, list)):
                    raise TypeError(
                        f"tensordot(): argument '{name}' (position {position}) must be tuple of ints, not {type(part).__name__}"
                    )
            return list(pair[0]), list(pair[1])
    if dims < 0:
        raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
    if dims > min(a.ndim, b.ndim):
        raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
    return list(range(a.ndim - dims, a.ndim)), list(range(dims))


def _from_front(dims: Sequence[int], ndim: int) -> list[int]:
    found = [wrap_dim(d, ndim) for d in dims]
    for i, d in enumerate(found):
        if d in found[:i]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return found


def inner(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sum of products over the last dimensions of two tensors; with a 0-d tensor the product.

    Raises RuntimeError if the last dimensions or the dtypes differ.

    >>> import wengert
    >>> wengert.inner(wengert.tensor([1.0, 2.0]), wengert.tensor([3.0, 4.0]))
    tensor(11.)
    """
    for name, position, x in (("input", 1, input), ("other", 2, other)):
        if not isinstance(x, Tensor):
            raise argument_error("inner", name, position, x)
    a, b = input._array.shape, other._array.shape
    if a and b:
        _one_dtype(input, other)
    if not a or not b:
        made = input * other
    elif a[-1] != b[-1]:
        raise RuntimeError(
            f"inner() the last dimension must match on both input tensors but got shapes {list(a)} and {list(b)}"
        )
    else:
        first, second = _letters(0, len(a)), _letters(len(a), len(b))
        made = contract(input, other, first, second[:-1] + first[-1], first[:-1] + second[:-1])
    return made if out is None else into(out, made)


def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """`input1 @ weight[o] @ input2` for each o, plus `bias`: a product of two inputs with weights for each pair of elements.

    input1 (..., in1), input2 (..., in2), weight (out, in1, in2), bias (out,): the result is (..., out).
    Raises RuntimeError if the shapes do not fit or the dtypes differ.

    >>> import wengert
    >>> wengert.nn.functional.bilinear(wengert.ones(1, 2), wengert.ones(1, 3), wengert.ones(1, 2, 3))
    tensor([[6.]])
    """
    given = {"input1": input1, "input2": input2, "weight": weight}
    for position, (name, x) in enumerate(given.items(), 1):
        if not isinstance(x, Tensor):
            raise argument_error("bilinear", name, position, x)
    a, b, w = input1._array.shape, input2._array.shape, weight._array.shape
    if len(a) != len(b):
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {len(a)} and {len(b)}")
    for d, (p, q) in enumerate(zip(a[:-1], b[:-1], strict=True)):
        if p != q:
            raise RuntimeError(f"bilinear(): input batch dimensions do not match at dim {d}: got {p} and {q}")
    for d, (name, shape) in enumerate((("input1", a), ("input2", b)), 1):
        if d >= len(w) or shape[-1] != w[d]:
            expected = w[d] if d < len(w) else "a weight of 3 dimensions"
            raise RuntimeError(
                f"bilinear(): {name} size does not match weight size: got {shape[-1]} but expected {expected}"
            )
    if bias is not None and bias._array.shape != w[:1]:
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias._array.shape[0]} but expected {w[0]}"
        )
    if len({x._array.dtype for x in given.values()}) > 1:
        found = ", ".join(f"{name}: {c_name(x.dtype)}" for name, x in given.items())
        raise RuntimeError(f"All tensors must have the same dtype, got {found}")
    batch = _letters(0, len(a) - 1)
    o, i, j = (chr(0x100 + len(a) + k) for k in range(3))
    half = contract(input1, weight, batch + i, o + i + j, batch + o + j)
    made = contract(half, input2, batch + o + j, batch + j, batch + o)
    return made if bias is None else made + bias


def kron(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Kronecker's product: each element of `input` replaced by its product with all of `other`.

    The shorter shape is extended by ones in front; the lengths of the result are the products of both.

    >>> import wengert
    >>> wengert.kron(wengert.tensor([1, 2]), wengert.tensor([1, 1, 1]))
    tensor([1, 1, 1, 2, 2, 2])
    """
    for name, position, x in (("input", 1, input), ("other", 2, other)):
        if not isinstance(x, Tensor):
            raise argument_error("kron", name, position, x)
    n = max(input.ndim, other.ndim)
    a = (1,) * (n - input.ndim) + input._array.shape
    b = (1,) * (n - other.ndim) + other._array.shape
    spread_a = [k for p in a for k in (p, 1)]
    spread_b = [k for q in b for k in (1, q)]
    made = (input.reshape(spread_a) * other.reshape(spread_b)).reshape([p * q for p, q in zip(a, b, strict=True)])
    return made if out is None else into(out, made)


def multi_dot(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """The product of several matrices, in the order of the products that needs the fewest multiplications.

    tensors: at least two; the first and the last may be vectors, a row and a column.
    Raises RuntimeError if the shapes do not fit or the dtypes differ.

    >>> import wengert
    >>> wengert.linalg.multi_dot([wengert.ones(1, 2), wengert.ones(2, 3), wengert.ones(3)])
    tensor([6.])
    """
    chain = list(tensors)
    n = len(chain)
    if n < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {n}")
    for i, x in enumerate(chain):
        if not isinstance(x, Tensor):
            raise argument_error("linalg_multi_dot", "tensors", 1, x)
        if i in (0, n - 1):
            if x.ndim not in (1, 2):
                which = "first" if i == 0 else "last"
                raise RuntimeError(f"multi_dot(): the {which} tensor must be 1D or 2D but got {x.ndim}D")
        elif x.ndim != 2:
            raise RuntimeError(f"multi_dot(): tensor {i} must be 2D but got {x.ndim}D")
        if x._array.dtype != chain[0]._array.dtype:
            raise RuntimeError(
                "multi_dot(): all tensors must have be the same dtype but tensor 0 is "
                f"{c_name(chain[0].dtype)} and tensor {i} {c_name(x.dtype)}"
            )
    row, column = chain[0].ndim == 1, chain[-1].ndim == 1
    if row:
        chain[0] = chain[0].unsqueeze(0)
    if column:
        chain[-1] = chain[-1].unsqueeze(-1)
    for i in range(n - 1):
        a, b = tensors[i]._array.shape, tensors[i + 1]._array.shape
        if a[-1] != b[0]:
            raise RuntimeError(
                f"multi_dot(): tensors {i} and {i + 1} with shapes {list(a)} and {list(b)} cannot be multiplied"
            )
    lengths = [x._array.shape[0] for x in chain] + [chain[-1]._array.shape[1]]
    made = _product(chain, _splits(lengths), 0, n - 1)
    if row:
        made = made.squeeze(0)
    if column:
        made = made.squeeze(-1)
    return made if out is None else into(out, made)


def _splits(lengths: list[int]) -> dict[tuple[int, int], int]:
    """Where to split the chain from i to j, by the fewest multiplications: the textbook's dynamic program."""
    n = len(lengths) - 1
    cost: dict[tuple[int, int], int] = {(i, i): 0 for i in range(n)}
    split: dict[tuple[int, int], int] = {}
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            cost[i, j], split[i, j] = min(
                (cost[i, k] + cost[k + 1, j] + lengths[i] * lengths[k + 1] * lengths[j + 1], k) for k in range(i, j)
            )
    return split


def _product(chain: list[Any], split: dict[tuple[int, int], int], i: int, j: int) -> Any:
    if i == j:
        return chain[i]
    k = split[i, j]
    return matmul(_product(chain, split, i, k), _product(chain, split, k + 1, j))


def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """The product of several matrices; `linalg.multi_dot` is its successor.

    Raises RuntimeError for what is no matrix, or if the shapes do not fit.
    """
    warnings.warn(
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use torch.linalg.multi_dot instead, "
        "which accepts a list of two or more tensors rather than multiple parameters.",
        UserWarning,
        stacklevel=2,
    )
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    for x in matrices:
        if x.ndim != 2:
            raise RuntimeError(f"Tensor dimension is {x.ndim}, expected 2 instead.")
    if len(matrices) == 1:
        made = matrices[0].clone()
        return made if out is None else into(out, made)
    return multi_dot(matrices, out=out)


__all__ = expose(__name__, functions="vdot outer tensordot inner kron chain_matmul", methods="vdot outer inner kron")
__all__ += alias(__name__, "ger=outer")
