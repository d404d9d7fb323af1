"""Matrix products with something added: the linear layer's as one operation, and `addmm` and its kin."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import dtypes
from ..dtype_names import scalar_name
from ..tensor import Tensor
from .declare import argument_error, general, multilinear
from .expose import expose
from .inplace import into
from .matmul import batched, check_batches, check_inner, matmul, ndims, outer_product, product, refuse, rows_of
from .namespace import tensors

# ------------------------------------------------------------------------------------------------ the linear layer


def _flat(a: Any, w: Any) -> Any:
    return product(a, w.T)


def _any(a: Any, w: Any) -> Any:
    return product(rows_of(a), w.T).reshape(*a.shape[:-1], w.shape[0])


def _flat_biased(b: Any, a: Any, w: Any) -> Any:
    made = product(a, w.T)
    made += b
    return made


def _any_biased(b: Any, a: Any, w: Any) -> Any:
    made = product(rows_of(a), w.T)
    made += b
    return made.reshape(*a.shape[:-1], w.shape[0])


def _push_biased(F: Any, tangents: Any, self: Any, weight: Any) -> Any:
    of_bias, of_input, of_weight = tangents
    total = None if of_input is None else F.linear(of_input, weight)
    if of_weight is not None:
        part = F.linear(self, of_weight)
        total = part if total is None else total + part
    if of_bias is None:
        return total
    return F.expand(of_bias, (*self.shape[:-1], weight.shape[0])) if total is None else total + of_bias


def _declare(n: int, node: str, node_biased: str) -> tuple[Any, Any]:
    """The operations for inputs of n dimensions, 3 standing for any number, without and with a bias."""
    name = f"linear_{n}"
    rules: dict[str, Any]
    if n == 2:
        rules = {"self": lambda F, t, weight: F.mm(t, weight), "weight": lambda F, t, self: F.mm(t.T, self)}
    elif n == 1:
        rules = {"self": lambda F, t, weight: F.vm(t, weight), "weight": lambda F, t, self: F.outer(t, self)}
    else:
        rules = {"self": lambda F, t, weight: F.fold(t, weight), "weight": lambda F, t, self: F.contract(t, self)}
    # as PyTorch, the edge to the bias before the others
    with_bias = {
        "bias": (lambda F, t: t) if n == 1 else (lambda F, t: F.sum(t, tuple(range(t.ndim - 1)), False)),
        **rules,
    }
    if n == 2:
        with_bias["bias"] = lambda F, t: F.sum(t, 0, False)
    check = refuse("addmm_impl_cpu_")
    return (
        multilinear(name, _flat if n == 2 else _any, rules, node=node, check=check),
        general(
            name + "_biased",
            _flat_biased if n == 2 else _any_biased,
            with_bias,
            node=node_biased,
            check=check,
            push=_push_biased,
        ),
    )


_linears = {
    1: _declare(1, "SqueezeBackward4", "ViewBackward0"),
    2: _declare(2, "MmBackward0", "AddmmBackward0"),
    3: _declare(3, "UnsafeViewBackward0", "ViewBackward0"),
}
_linear2, _biased2 = _linears[2]


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """`input @ weight.T + bias`: what a linear layer computes.

    input (..., in), weight (out, in), bias (out,): the result is (..., out).
    Raises RuntimeError if the shapes do not fit or the dtypes differ.

    >>> import wengert
    >>> wengert.nn.functional.linear(wengert.ones(1, 2), wengert.tensor([[1.0, 2.0]]), wengert.tensor([0.5]))
    tensor([[3.5000]])
    """
    try:
        a, w = input._array.shape, weight._array.shape
        if len(a) == 2 and len(w) == 2 and a[1] == w[1]:
            if bias is None:
                return _linear2(input, weight)
            if bias._array.shape == w[:1]:
                return _biased2(bias, input, weight)
    except AttributeError:
        ndims("linear", input, weight, ("input", "weight"))
        if bias is not None and not isinstance(bias, Tensor):
            raise argument_error("linear", "bias", 3, bias) from None
        raise
    return _any_linear(input, weight, bias, a, w)


def _any_linear(input: Tensor, weight: Tensor, bias: Tensor | None, a: tuple[int, ...], w: tuple[int, ...]) -> Any:
    m, n = len(a), len(w)
    if not m or not n:
        raise RuntimeError(f"both arguments to linear need to be at least 1D, but they are {m}D and {n}D")
    if n == 1 and bias is None:
        return matmul(input, weight)
    if n != 2:
        raise RuntimeError(f"mat2 must be a matrix, got {n}-D tensor")
    rows = math.prod(a[:-1])
    check_inner((rows, a[-1]), w[::-1])
    plain, biased = _linears[min(m, 3)]
    if bias is None:
        return plain(input, weight)
    if bias._array.shape == w[:1]:
        return biased(bias, input, weight)
    check_expands(bias, (rows, w[0]))
    return plain(input, weight) + bias


vars(tensors)["linear"] = linear  # for the rules of forward mode


def check_expands(x: Tensor, target: tuple[int, ...]) -> None:
    """Raise, in PyTorch's words, unless the tensor can be expanded to a shape."""
    own = x._array.shape
    if len(own) > len(target):
        raise RuntimeError(
            f"expand(torch.{scalar_name(x.dtype)}Tensor{{{list(own)}}}, size={list(target)}): the number of sizes provided "
            f"({len(target)}) must be greater or equal to the number of dimensions in the tensor ({len(own)})"
        )
    offset = len(target) - len(own)
    for i in reversed(range(len(own))):
        if own[i] not in (1, target[i + offset]):
            raise RuntimeError(
                f"The expanded size of the tensor ({target[i + offset]}) must match the existing size ({own[i]}) at "
                f"non-singleton dimension {i + offset}.  Target sizes: {list(target)}.  Tensor sizes: {list(own)}"
            )


# ------------------------------------------------------------------------------------------------ addmm and its kin


def _scaled(made: Any, c: Any, beta: Any, alpha: Any) -> Any:
    """alpha * made + beta * c; where beta is 0, whatever c holds is left out."""
    if alpha != 1:
        made = np.multiply(made, alpha, out=..., dtype=made.dtype, casting="unsafe")
    if beta == 0:
        return made
    if beta != 1:
        c = np.multiply(c, beta, out=..., dtype=c.dtype, casting="unsafe")
    return np.add(made, c, out=..., dtype=made.dtype)


def _pull_added(F: Any, t: Any, self_shape: Any, beta: Any) -> Any:
    if tuple(t.shape) != tuple(self_shape):
        t = F.sum_to(t, self_shape)
    return t if beta == 1 else t * beta


def _times(t: Any, alpha: Any) -> Any:
    return t if alpha == 1 else t * alpha


def _push_added(F: Any, tangents: Any, operation: Any, self: Any, first: Any, second: Any, shape: Any, by: Any) -> Any:
    beta, alpha = by
    parts = []
    if tangents[0] is not None:
        parts.append(F.expand(tangents[0] if beta == 1 else tangents[0] * beta, tuple(shape)))
    if tangents[1] is not None:
        parts.append(operation(self, tangents[1], second, 0, alpha))
    if tangents[2] is not None:
        parts.append(operation(self, first, tangents[2], 0, alpha))
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _declare_added(name: str, forward: Any, first: Any, second: Any, **more: Any) -> Any:
    """`beta * self + alpha * (a product of two)`, from the product's forward and its pulls."""

    def push(F: Any, tangents: Any, self: Any, first: Any, second: Any, out: Any, beta: Any, alpha: Any) -> Any:
        return _push_added(F, tangents, getattr(F, name), self, first, second, out.shape, (beta, alpha))

    return general(
        name, lambda c, a, b, beta, alpha: _scaled(forward(a, b), c, beta, alpha),
        {"self": _pull_added, "first": lambda F, t, second, alpha: first(F, _times(t, alpha), second),
         "second": lambda F, t, first, alpha: second(F, _times(t, alpha), first)},
        ("beta", "alpha"), push=push, **more,
    )  # fmt: skip


def _over_batches(a: Any, b: Any) -> Any:
    """The sum of the products of the matrices of two batches, as one product."""
    (n, rows, k), m = a.shape, b.shape[-1]
    return product(a.transpose(1, 0, 2).reshape(rows, n * k), b.reshape(n * k, m))


_addmm = _declare_added(
    "addmm", product, lambda F, t, b: F.mm(t, b.T), lambda F, t, a: F.mm(a.T, t), check=refuse("addmm_impl_cpu_")
)
_addmv = _declare_added(
    "addmv", product, lambda F, t, b: F.outer(t, b), lambda F, t, a: F.mv(a.T, t), check=refuse("addmv")
)
_addbmm = _declare_added(
    "addbmm", _over_batches, lambda F, t, b: F.matmul(t, b.mT), lambda F, t, a: F.matmul(a.mT, t),
    check=refuse("addmm_impl_cpu_"),
)  # fmt: skip
_baddbmm = _declare_added(
    "baddbmm", batched, lambda F, t, b: F.bmm(t, b.mT), lambda F, t, a: F.bmm(a.mT, t), check=refuse("baddbmm")
)
_addr = _declare_added("addr", outer_product, lambda F, t, b: F.mv(t, b), lambda F, t, a: F.vm(a, t), promote="common")


def _matrix(name: str, x: Tensor, ndim: int) -> None:
    if x._array.ndim != ndim:
        raise RuntimeError(f"{name} must be a {'matrix' if ndim == 2 else '3D tensor'}, got {x._array.ndim}-D tensor")


def _three(name: str, names: tuple[str, str], *found: Any) -> None:
    for i, (label, x) in enumerate(zip(("input", *names), found, strict=True)):
        if not isinstance(x, Tensor):
            raise argument_error(name, label, i + 1, x)


def _numbers(beta: Any, alpha: Any, *found: Tensor) -> None:
    """Raise for a factor of a higher category than the tensors."""
    category = max(x.dtype.category for x in found)
    for name, factor in (("beta", beta), ("alpha", alpha)):
        if isinstance(factor, float) and category < dtypes.FLOAT:
            raise RuntimeError(f"For integral input tensors, argument {name} must not be a floating point number.")
        if isinstance(factor, complex) and category < dtypes.COMPLEX:
            raise RuntimeError(f"For non-complex input tensors, argument {name} must not be a complex number.")


def addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Tensor | None = None
) -> Tensor:
    """`beta * input + alpha * (mat1 @ mat2)`.

    mat1 (n, k), mat2 (k, m), input broadcast to (n, m); where beta is 0, input counts as zeros even if it holds nan.
    Raises RuntimeError if the shapes do not fit or the dtypes differ.

    >>> import wengert
    >>> wengert.addmm(wengert.tensor([1.0, 2.0]), wengert.ones(1, 3), wengert.ones(3, 2))
    tensor([[4., 5.]])
    """
    _three("addmm", ("mat1", "mat2"), input, mat1, mat2)
    _matrix("mat1", mat1, 2)
    _matrix("mat2", mat2, 2)
    a, b = mat1._array.shape, mat2._array.shape
    check_inner(a, b)
    check_expands(input, (a[0], b[1]))
    result = _addmm(input, mat1, mat2, beta, alpha)
    return result if out is None else into(out, result)


def addmv(
    input: Tensor, mat: Tensor, vec: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Tensor | None = None
) -> Tensor:
    """`beta * input + alpha * (mat @ vec)`.

    mat (n, k), vec (k,), input broadcast to (n,); where beta is 0, input counts as zeros.
    Raises RuntimeError if the shapes do not fit or the dtypes differ.

    >>> import wengert
    >>> wengert.addmv(wengert.tensor([1.0, 2.0]), wengert.ones(2, 3), wengert.ones(3))
    tensor([4., 5.])
    """
    _three("addmv", ("mat", "vec"), input, mat, vec)
    m, n = mat._array.ndim, vec._array.ndim
    if m != 2 or n != 1 or input._array.ndim > 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {input._array.ndim}, {m}, {n}")
    a, b = mat._array.shape, vec._array.shape
    own = input._array.size
    if a[1] != b[0] or own not in (1, a[0]):
        raise RuntimeError(f"size mismatch, got input ({own}), mat ({a[0]}x{a[1]}), vec ({b[0]})")
    result = _addmv(input, mat, vec, beta, alpha)
    return result if out is None else into(out, result)


def addbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Tensor | None = None
) -> Tensor:
    """`beta * input + alpha *` the sum of the products of the matrices of two batches.

    batch1 (b, n, k), batch2 (b, k, m), input broadcast to (n, m).
    Raises RuntimeError if the shapes do not fit or the dtypes differ.

    >>> import wengert
    >>> wengert.addbmm(wengert.zeros(1, 1), wengert.ones(5, 1, 2), wengert.ones(5, 2, 1))
    tensor([[10.]])
    """
    _three("addbmm", ("batch1", "batch2"), input, batch1, batch2)
    _matrix("batch1", batch1, 3)
    _matrix("batch2", batch2, 3)
    a, b = batch1._array.shape, batch2._array.shape
    if a[0] != b[0]:
        raise RuntimeError(f"batch1 and batch2 must have same number of batches, got {a[0]} and {b[0]}")
    if a[2] != b[1]:
        raise RuntimeError(f"Incompatible matrix sizes for bmm ({a[1]}x{a[2]} and {b[1]}x{b[2]})")
    check_expands(input, (a[1], b[2]))
    result = _addbmm(input, batch1, batch2, beta, alpha)
    return result if out is None else into(out, result)


def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Tensor | None = None
) -> Tensor:
    """`beta * input + alpha *` the products of the matrices of two batches.

    batch1 (b, n, k), batch2 (b, k, m), input broadcast to (b, n, m).
    Raises RuntimeError if the shapes do not fit or the dtypes differ.

    >>> import wengert
    >>> wengert.baddbmm(wengert.zeros(1, 1), wengert.ones(2, 1, 3), wengert.ones(2, 3, 1))
    tensor([[[3.]],
    <BLANKLINE>
            [[3.]]])
    """
    _three("baddbmm", ("batch1", "batch2"), input, batch1, batch2)
    _matrix("batch1", batch1, 3)
    _matrix("batch2", batch2, 3)
    a, b = batch1._array.shape, batch2._array.shape
    check_batches(a, b)
    check_expands(input, (a[0], a[1], b[2]))
    result = _baddbmm(input, batch1, batch2, beta, alpha)
    return result if out is None else into(out, result)


def addr(
    input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Tensor | None = None
) -> Tensor:
    """`beta * input + alpha * outer(vec1, vec2)`.

    vec1 (n,), vec2 (m,), input broadcast to (n, m); the dtypes promote.
    Raises RuntimeError if the shapes do not fit.

    >>> import wengert
    >>> wengert.addr(wengert.zeros(2, 2), wengert.tensor([1.0, 2.0]), wengert.tensor([3.0, 4.0]))
    tensor([[3., 4.],
            [6., 8.]])
    """
    _three("addr", ("vec1", "vec2"), input, vec1, vec2)
    for name, x in (("vec1", vec1), ("vec2", vec2)):
        if x._array.ndim != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {x._array.ndim}-D")
    _numbers(beta, alpha, input, vec1, vec2)
    check_expands(input, (vec1._array.size, vec2._array.size))
    result = _addr(input, vec1, vec2, beta, alpha)
    return result if out is None else into(out, result)


_all = "addmm addmv addbmm baddbmm addr"
__all__ = expose(__name__, functions=_all + " addmv_", methods=_all, writes=_all)
