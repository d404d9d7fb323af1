"""The rank of matrices, and their pseudoinverses: what depends on which singular values count as zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...dtype_names import scalar_name
from ...tensor import Tensor, wrap
from ..declare import general
from ..dims import combination_error
from ..expose import expose
from ..inplace import into
from ..operation import check_broadcast
from . import lapack
from .adjoints import adjoint
from .checks import matrices, matrix_argument, square
from .eigh import eigvalsh
from .svd import check_finite, singular_values

# ------------------------------------------------------------------------------------------------ tolerances


def _tolerance(name: str, called: str, value: Any, d: Any) -> Any:
    """One of the tolerances as an array of the matrix's real dtype."""
    if isinstance(value, Tensor):
        if value._array.dtype.kind == "c":
            raise RuntimeError(
                f"torch.linalg.{name}: {called} tensor of complex type is not supported. Got {scalar_name(value.dtype)}; "
                "take its absolute value"
            )
        return value._array.astype(d)
    return np.asarray(value, d)


def _tolerances(name: str, x: Tensor, atol: Any, rtol: Any) -> tuple[Any, Any]:
    """Both tolerances. A relative one that is not given is the rounding error of the matrix, unless there is an absolute one."""
    a = x._array
    d = a.real.dtype
    absolute = _tolerance(name, "atol", 0 if atol is None else atol, d)
    if rtol is not None:
        return absolute, _tolerance(name, "rtol", rtol, d)
    default = d.type(max(a.shape[-2:]) * np.finfo(d).eps)
    return absolute, np.where(absolute > 0, d.type(0), default)


def _least(sizes: Any, absolute: Any, relative: Any) -> Any:
    """The tolerance of each matrix, from the sizes of its singular values or eigenvalues."""
    largest = sizes.max(-1, initial=0)
    check_broadcast((relative.shape, largest.shape))
    relative = relative * largest
    check_broadcast((absolute.shape, relative.shape))
    return np.maximum(absolute, relative)[..., None]


# ------------------------------------------------------------------------------------------------ declaration


def _pinv(a: Any, hermitian: bool, absolute: Any, relative: Any) -> Any:
    if hermitian:
        values, v = lapack.eigh_lower(a)
        sizes, uh = np.absolute(values), v.mT.conj()
    else:
        u, values, vh = lapack.svd_thin(a)
        check_finite(a, values)
        sizes, uh, v = values, u.mT.conj(), vh.mT.conj()
    counts = sizes > _least(sizes, absolute, relative)
    inverse = np.where(counts, 1 / np.where(counts, values, 1), 0).astype(values.dtype)
    return np.matmul(v * inverse[..., None, :], uh)


def _pull_pinv(F: Any, t: Any, self: Any, out: Any) -> Any:
    # Golub and Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares problems whose variables
    # separate" (1973): right as long as the rank stays
    raised, back = adjoint(F, out), adjoint(F, t)
    left = F.matmul(F.matmul(back, out), raised)
    right = F.matmul(raised, F.matmul(out, back))
    beside = left - F.matmul(self, F.matmul(out, left)) + right - F.matmul(F.matmul(right, out), self)
    return beside - F.matmul(F.matmul(raised, t), raised)


_pseudoinverse = general(
    "linalg_pinv", _pinv, {"self": _pull_pinv}, ("hermitian", "absolute", "relative"), node="LinalgPinvBackward0",
    holomorphic=False,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ functions


def _signatures(*names: str) -> tuple[str, ...]:
    first, second = names
    return (
        "(Tensor input, *, Tensor atol = None, Tensor rtol = None, bool hermitian = False, Tensor out = None)",
        "(Tensor input, *, float atol = None, float rtol = None, bool hermitian = False, Tensor out = None)",
        f"(Tensor input, Tensor {first}, bool hermitian = False, *, Tensor out = None)",
        f"(Tensor input, float {second}, bool hermitian = False, *, Tensor out = None)",
    )


def matrix_rank(
    input: Tensor,
    tol: Any = None,
    hermitian: bool = False,
    *,
    atol: Any = None,
    rtol: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """How many singular values of each matrix are larger than max(atol, rtol * the largest); an int64 tensor.

    atol, rtol  numbers or tensors, which broadcast with the batch; rtol is max(m, n) times the rounding unit, or 0 if atol is
                positive
    hermitian   take the absolute values of the eigenvalues, which is quicker
    tol         an older name of atol, with which rtol is 0

    >>> import wengert
    >>> wengert.linalg.matrix_rank(wengert.tensor([[1.0, 2.0], [2.0, 4.0]]))
    tensor(1)
    """
    if not isinstance(input, Tensor):
        raise combination_error("linalg_matrix_rank", f"({type(input).__name__})", _signatures("tol", "tol"))
    matrices("torch.linalg.matrix_rank", input, "input")
    if input.dtype.category < dtypes.FLOAT or input._array.real.dtype.itemsize == 2:
        raise RuntimeError(
            f"This function doesn't handle types other than float and double, but it was given {scalar_name(input.dtype)}"
        )
    if tol is not None:
        atol, rtol = tol, 0
    absolute, relative = _tolerances("matrix_rank", input, atol, rtol)
    constant = input.detach()
    sizes = np.absolute((eigvalsh(constant) if hermitian else singular_values(constant))._array)
    ranks = wrap(np.asarray((sizes > _least(sizes, absolute, relative)).sum(-1)))
    if out is not None and not dtypes.can_cast(ranks.dtype, out.dtype):
        raise RuntimeError(
            "torch.linalg.matrix_rank: Expected result to be safely castable from Long dtype, but got result with dtype "
            f"{scalar_name(out.dtype)}"
        )
    return ranks if out is None else into(out, ranks)


def pinv(
    input: Tensor,
    rcond: Any = None,
    hermitian: bool = False,
    *,
    atol: Any = None,
    rtol: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """The pseudoinverse (Moore and Penrose) of matrices (..., m, n), batched: (..., n, m).

    atol, rtol  singular values that are not larger than max(atol, rtol * the largest) count as zero; the defaults are those
                of `matrix_rank`
    hermitian   the matrix is Hermitian: take its eigenvalues, which is quicker
    rcond       an older name of rtol
    The derivative is right where the rank does not change.

    >>> import wengert
    >>> wengert.linalg.pinv(wengert.tensor([[2.0, 0.0], [0.0, 0.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.0000]])
    """
    if not isinstance(input, Tensor):
        raise combination_error("linalg_pinv", f"({type(input).__name__})", _signatures("rcond", "rcond"))
    shape = input._array.shape
    if len(shape) < 2 or input.dtype.category < dtypes.FLOAT or input._array.real.dtype.itemsize == 2:
        shown = ", ".join(map(str, shape))
        raise RuntimeError(
            f"linalg.pinv({scalar_name(input.dtype)}{{[{shown}]}}): expected a tensor with 2 or more dimensions of float, "
            "double, cfloat or cdouble types"
        )
    if hermitian:
        square("linalg.eigh", input)
    absolute, relative = _tolerances("pinv", input, atol, rtol if rcond is None else rcond)
    check_broadcast((absolute.shape, relative.shape))
    wanted = np.broadcast_shapes(absolute.shape, relative.shape)
    check_broadcast((wanted, shape[:-2]))
    batch = np.broadcast_shapes(wanted, shape[:-2])
    if batch != shape[:-2]:
        input = input.expand(*batch, *shape[-2:])
    result = _pseudoinverse(input, bool(hermitian), absolute, relative)
    if out is not None and not dtypes.can_cast(result.dtype, out.dtype):
        raise RuntimeError(
            f"linalg.pinv: Expected result to be safely castable from {scalar_name(result.dtype)} dtype, but got result with "
            f"dtype {scalar_name(out.dtype)}"
        )
    return result if out is None else into(out, result)


def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """The pseudoinverse by its old name, `linalg.pinv(input, rcond)`.

    >>> import wengert
    >>> wengert.pinverse(wengert.tensor([[2.0, 0.0], [0.0, 0.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.0000]])
    """
    return pinv(matrix_argument("pinverse", input, "input"), rcond)


__all__ = expose(__name__, functions="pinverse", methods="pinverse")
