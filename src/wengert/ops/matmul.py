"""Matrix products, and the linear layer's product with its bias as one operation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtype_names import c_name, scalar_name
from ..tensor import Tensor
from .declare import argument_error, check_broadcast, multilinear
from .expose import expose
from .inplace import into
from .namespace import arrays, tensors

# ------------------------------------------------------------------------------------------------ forwards
#
# The shapes have been looked at by the callers. `dot` is quicker than `matmul` by a third on small matrices.


def _wide(a: Any) -> bool:
    """Whether products of this dtype are summed in float32: NumPy would sum halves in halves."""
    return a.itemsize == 2 and a.dtype.kind != "i"


def product(a: Any, b: Any) -> Any:
    if a.itemsize == 2 and _wide(a):
        return a.astype(np.float32).dot(b.astype(np.float32)).astype(a.dtype)
    return a.dot(b)


def batched(a: Any, b: Any) -> Any:
    if _wide(a):
        return np.matmul(a.astype(np.float32), b.astype(np.float32)).astype(a.dtype)
    return np.matmul(a, b)


def rows_of(a: Any) -> Any:
    """The array as a matrix with all but the last dimension in one."""
    k = a.shape[-1]
    return a.reshape(-1, k) if k else a.reshape(math.prod(a.shape[:-1]), 0)


def _folded(a: Any, b: Any) -> Any:
    """The product of the last dimension of `a` with the first of `b`, a matrix or a vector."""
    return product(rows_of(a), b).reshape(a.shape[:-1] + b.shape[1:])


def _contracted(a: Any, b: Any) -> Any:
    """The product over all but the last dimension of `a`; `b` has the same and, unless it is a vector for each, one more."""
    return product(rows_of(a).T, rows_of(b) if b.ndim == a.ndim else b.reshape(-1))


def outer_product(a: Any, b: Any) -> Any:
    return np.multiply(a[..., None], b)


# ------------------------------------------------------------------------------------------------ declarations


def refuse(name: str) -> Any:
    """The check of a product's dtypes: one for all operands, and not bool. `name` is what PyTorch calls the computation."""

    def check(*inputs: Any) -> None:
        found = [x for x in inputs if isinstance(x, Tensor)]
        first = found[0]
        other = next((x for x in found if x._array.dtype != first._array.dtype), None)
        if other is not None:
            raise RuntimeError(f"{_different(name, found, first, other)}; convert one of them with .to({first.dtype})")
        if first._array.dtype.kind == "b":
            raise NotImplementedError(f"\"{name}\" not implemented for 'Bool': convert the tensors to numbers first")

    return check


def _different(name: str, found: list[Tensor], first: Tensor, other: Tensor) -> str:
    """PyTorch's words for operands of different dtypes, which every product has its own of."""
    one, two = scalar_name(first.dtype), scalar_name(other.dtype)
    if name == "dot":
        return f"dot : expected both vectors to have same dtype, but found {one} and {two}"
    if name == "bmm":
        return f"expected scalar type {one} but found {two}"
    if name == "baddbmm":
        kinds = [c_name(x.dtype) for x in found]
        return f"Input dtypes must be the same, got: input {kinds[0]}, batch1: {kinds[1]}, batch2: {kinds[2]}"
    if name == "addmv":
        kinds = [scalar_name(x.dtype) for x in found]
        return f"addmv input tensors must have the same dtype, but got {kinds[0]}, {kinds[1]}, and {kinds[2]}"
    if len(found) == 3:
        return f"self and mat2 must have the same dtype, but got {one} and {two}"
    return f"expected m1 and m2 to have the same dtype, but got: {c_name(first.dtype)} != {c_name(other.dtype)}"


_mm = multilinear(
    "mm", product, {"self": lambda F, t, mat2: F.mm(t, mat2.T), "mat2": lambda F, t, self: F.mm(self.T, t)},
    check=refuse("addmm_impl_cpu_"),
)  # fmt: skip
_dot = multilinear(
    "dot",
    product,
    {"self": lambda F, t, tensor: t * tensor, "tensor": lambda F, t, self: t * self},
    check=refuse("dot"),
)
_mv = multilinear(
    "mv", product, {"self": lambda F, t, vec: F.outer(t, vec), "vec": lambda F, t, self: F.mv(self.T, t)},
    check=refuse("addmv_impl_cpu"),
)  # fmt: skip
_vm = multilinear(
    "vm", product, {"self": lambda F, t, mat: F.mv(mat, t), "mat": lambda F, t, self: F.outer(self, t)},
    node="SqueezeBackward4", check=refuse("addmm_impl_cpu_"),
)  # fmt: skip
outer_of_vectors = multilinear(
    "outer", outer_product, {"self": lambda F, t, vec2: F.mv(t, vec2), "vec2": lambda F, t, self: F.vm(self, t)}, node="MulBackward0",
    promote="common",
)  # fmt: skip
_bmm = multilinear(
    "bmm", batched, {"self": lambda F, t, mat2: F.bmm(t, mat2.mT), "mat2": lambda F, t, self: F.bmm(self.mT, t)},
    check=refuse("bmm"),
)  # fmt: skip
_matmul = multilinear(
    "batched", batched, {"self": lambda F, t, other: F.batched(t, other.mT), "other": lambda F, t, self: F.batched(self.mT, t)},
    node="UnsafeViewBackward0", check=refuse("bmm"),
)  # fmt: skip


def _pull_fold(F: Any, t: Any, other: Any) -> Any:
    return F.fold(t, other.T) if other.ndim == 2 else F.outer_each(t, other)


_fold = multilinear(
    "fold", _folded, {"self": _pull_fold, "other": lambda F, t, self: F.contract(self, t)}, node="UnsafeViewBackward0",
    check=refuse("addmm_impl_cpu_"),
)  # fmt: skip
#: a multiple of the vector for each element of `self`
_outer_each = multilinear(
    "outer_each", outer_product, {"self": lambda F, t, vec: F.fold(t, vec), "vec": lambda F, t, self: F.contract(t, self)},
)  # fmt: skip


def _pull_contract_first(F: Any, t: Any, other: Any) -> Any:
    return F.fold(other, t.T) if t.ndim == 2 else F.outer_each(other, t)


_contract = multilinear(
    "contract", _contracted, {"self": _pull_contract_first, "other": lambda F, t, self: F.fold(self, t)},
    node="MmBackward0",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ products


def ndims(name: str, first: Any, second: Any, names: tuple[str, str] = ("input", "mat2")) -> tuple[int, int]:
    """The numbers of dimensions of two tensors."""
    for i, x in enumerate((first, second)):
        if not isinstance(x, Tensor):
            raise argument_error(name, names[i], i + 1, x)
    return first._array.ndim, second._array.ndim


def check_inner(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    if a[1] != b[0]:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({a[0]}x{a[1]} and {b[0]}x{b[1]})")


def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The matrix product of two tensors, `input @ other`.

    Of two vectors the dot product; of a matrix and a vector the matrix-vector product; of two matrices the matrix
    product. With more dimensions the last two are matrices, and those before them broadcast.
    Raises RuntimeError if the shapes do not fit or the dtypes differ.

    >>> import wengert
    >>> wengert.matmul(wengert.ones(2, 3), wengert.ones(3))
    tensor([3., 3.])
    """
    try:
        a, b = input._array.shape, other._array.shape
        m, n = len(a), len(b)
        if m == 2 and n == 2 and out is None and a[1] == b[0]:
            return _mm(input, other)
    except AttributeError:
        ndims("matmul", input, other, ("input", "other"))
        raise
    result = _any_product(input, other, a, b)
    return result if out is None else into(out, result)


def _any_product(x: Tensor, y: Tensor, a: tuple[int, ...], b: tuple[int, ...]) -> Any:
    """The product by the numbers of dimensions."""
    m, n = len(a), len(b)
    if not m or not n:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {m}D and {n}D; multiply by a number with *"
        )
    if n == 1:
        if m == 1:
            return dot(x, y)
        if a[-1] != b[0]:
            rows = math.prod(a[:-1])
            raise RuntimeError(f"size mismatch, got input ({rows}), mat ({rows}x{a[-1]}), vec ({b[0]})")
        return _mv(x, y) if m == 2 else _fold(x, y)
    if m == 1:
        if n == 2:
            check_inner((1, *a), b)
            return _vm(x, y)
        if a[0] != b[-2]:
            rows = math.prod(b) // max(b[-2], 1)
            raise RuntimeError(f"size mismatch, got input ({rows}), mat ({rows}x{b[-2]}), vec ({a[0]})")
        return _fold(y.mT, x)
    if n == 2:
        check_inner((math.prod(a[:-1]), a[-1]), b)
        return _mm(x, y) if m == 2 else _fold(x, y)
    batch = a[:-2]
    if a[:-2] != b[:-2]:
        batch = _broadcast_batch(a[:-2], b[:-2])
    if a[-1] != b[-2]:
        k = math.prod(batch)
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{k}, {a[-1]}] but got: [{k}, {b[-2]}]."
        )
    if a[:-2] != batch:
        x = x.expand(*batch, *a[-2:])
    if b[:-2] != batch:
        y = y.expand(*batch, *b[-2:])
    return _matmul(x, y)


def _broadcast_batch(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    check_broadcast((a, b))
    return np.broadcast_shapes(a, b)


def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices: (n, k) and (k, m) give (n, m).

    Raises RuntimeError if they are no matrices, if the shapes do not fit, or if the dtypes differ.

    >>> import wengert
    >>> wengert.mm(wengert.ones(1, 2), wengert.ones(2, 2))
    tensor([[2., 2.]])
    """
    try:
        (_, k), (j, _) = input._array.shape, mat2._array.shape
    except (AttributeError, ValueError):
        m, n = ndims("mm", input, mat2)
        which = f"self must be a matrix: it has {m}" if m != 2 else f"mat2 must be a matrix: it has {n}"
        raise RuntimeError(f"{which} dimensions; matmul takes any number") from None
    if j != k:
        check_inner(input._array.shape, mat2._array.shape)
    result = _mm(input, mat2)
    return result if out is None else into(out, result)


def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The products of the matrices of two batches: (b, n, k) and (b, k, m) give (b, n, m).

    Raises RuntimeError if the shapes do not fit or the dtypes differ.

    >>> import wengert
    >>> wengert.bmm(wengert.ones(1, 1, 2), wengert.ones(1, 2, 2))
    tensor([[[2., 2.]]])
    """
    try:
        (b, _, k), (c, j, _) = input._array.shape, mat2._array.shape
        if b == c and k == j and out is None:
            return _bmm(input, mat2)
    except (AttributeError, ValueError):
        pass
    m, n = ndims("bmm", input, mat2)
    if m != 3:
        raise RuntimeError(f"batch1 must be a 3D tensor: it has {m} dimensions; matmul takes any number")
    if n != 3:
        raise RuntimeError(f"batch2 must be a 3D tensor: it has {n} dimensions; matmul takes any number")
    check_batches(input._array.shape, mat2._array.shape)
    result = _bmm(input, mat2)
    return result if out is None else into(out, result)


def check_batches(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    if a[0] != b[0] or a[2] != b[1]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{a[0]}, {a[2]}] but got: [{b[0]}, {b[1]}]."
        )


def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of a matrix and a vector: (n, k) and (k,) give (n,).

    Raises RuntimeError if the shapes do not fit or the dtypes differ.

    >>> import wengert
    >>> wengert.mv(wengert.ones(2, 3), wengert.ones(3))
    tensor([3., 3.])
    """
    try:
        (_, k), (j,) = input._array.shape, vec._array.shape
        if k == j and out is None:
            return _mv(input, vec)
    except (AttributeError, ValueError):
        pass
    m, n = ndims("mv", input, vec, ("input", "vec"))
    if m != 2 or n != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {m}, {n}")
    a, b = input._array.shape, vec._array.shape
    if a[1] != b[0]:
        raise RuntimeError(f"size mismatch, got input ({a[0]}), mat ({a[0]}x{a[1]}), vec ({b[0]})")
    result = _mv(input, vec)
    return result if out is None else into(out, result)


def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of the elements of two vectors; complex numbers are not conjugated.

    Raises RuntimeError if they are no vectors of one length, or if the dtypes differ.

    >>> import wengert
    >>> wengert.dot(wengert.tensor([1.0, 2.0]), wengert.tensor([3.0, 4.0]))
    tensor(11.)
    """
    try:
        (k,), (j,) = input._array.shape, tensor._array.shape
        if k == j and out is None:
            return _dot(input, tensor)
    except (AttributeError, ValueError):
        pass
    m, n = ndims("dot", input, tensor, ("input", "tensor"))
    check_vectors(input, tensor, m, n)
    result = _dot(input, tensor)
    return result if out is None else into(out, result)


def check_vectors(input: Tensor, tensor: Tensor, m: int, n: int) -> None:
    if m != 1 or n != 1:
        raise RuntimeError(f"1D tensors expected, but got {m}D and {n}D tensors")
    if input._array.dtype != tensor._array.dtype:
        raise RuntimeError(
            f"dot : expected both vectors to have same dtype, but found {scalar_name(input.dtype)} and "
            f"{scalar_name(tensor.dtype)}; convert one of them with .to({input.dtype})"
        )
    a, b = input._array.size, tensor._array.size
    if a != b:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{a}] and src [{b}] to have the same number of elements, but got {a} and "
            f"{b} elements respectively"
        )


def _matmul_operator(self: Tensor, other: Any) -> Any:
    try:
        a, b = self._array.shape, other._array.shape
    except AttributeError:
        if not isinstance(other, np.ndarray):
            return NotImplemented
        from ..creation import as_tensor

        return matmul(self, as_tensor(other))
    if len(a) == 2 and len(b) == 2 and a[1] == b[0]:
        return _mm(self, other)
    return _any_product(self, other, a, b)


def _reflected_matmul(self: Tensor, other: Any) -> Any:
    if not isinstance(other, (Tensor, np.ndarray)):
        return NotImplemented
    if isinstance(other, np.ndarray):
        from ..creation import as_tensor

        other = as_tensor(other)
    return matmul(other, self)


Tensor.__matmul__ = _matmul_operator  # type: ignore[method-assign]
Tensor.__rmatmul__ = _reflected_matmul  # type: ignore[attr-defined]

# for rules: products of any number of dimensions
vars(arrays)["matmul"], vars(tensors)["matmul"] = np.matmul, matmul

_all = "matmul mm bmm mv dot"
__all__ = expose(__name__, functions=_all, methods=_all)
