"""Eigenvalues and eigenvectors of square matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import return_types
from ...dtype_names import scalar_name
from ...dtypes import FLOAT
from ...tensor import Tensor
from ..declare import flat, general
from ..dims import into_same
from ..extremum import named
from . import lapack
from .adjoints import adjoint, differentiated, on_diagonal, raw
from .checks import LinAlgError, all_finite, column_major, first_failure, implemented, matrix_argument, square
from .coinciding import between_vectors
from .eigh import check_phases

# ------------------------------------------------------------------------------------------------ declaration


def _check(a: Any) -> None:
    if not all_finite(a):
        raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")


def _eig(a: Any) -> tuple[Any, Any]:
    _check(a)
    values, vectors = lapack.eig(a)
    failure = first_failure(np.isnan(values).any(-1).astype(int))
    if failure is not None:
        raise LinAlgError(
            f"linalg.eig: {failure[0]}The algorithm failed to converge because the input matrix is ill-conditioned."
        )
    return values, column_major(vectors)


def _pull_eig(F: Any, t: Any, L: Any, V: Any) -> Any:
    of_values, of_vectors = t
    raised = adjoint(F, V)
    if of_vectors is None:
        return F.solve_square(raised, of_values[..., :, None] * raised)
    turned = F.matmul(raised, of_vectors)
    length = F.diagonal(turned, 0, -2, -1)  # what would change the length of the vectors, which is 1
    check_phases("linalg_eig_backward", raw(length))
    inner = turned - F.matmul(raised, V) * F.real(length)[..., None, :]
    values = F.conj(L)
    made = between_vectors(F, inner, values[..., None, :] - values[..., :, None], of_values)
    if of_values is not None:
        made = made + on_diagonal(F, of_values)
    return F.solve_square(raised, F.matmul(made, raised))


def _push_eig(F: Any, t: Any, L: Any, V: Any) -> Any:
    turned = F.solve_square(V, F.matmul(t.to(V.dtype), V))
    moved = F.matmul(V, between_vectors(F, turned, L[..., None, :] - L[..., :, None]))
    along = F.real(F.diagonal(F.matmul(adjoint(F, V), moved), 0, -2, -1))
    return F.diagonal(turned, 0, -2, -1), moved - V * along[..., None, :]


_decompose = general(
    "linalg_eig", _eig, {"self": _pull_eig}, outputs=("L", "V"), pulled=(0, 1), push=_push_eig,
    node="LinalgEigBackward0", holomorphic=False,
)  # fmt: skip


def _eigvals(a: Any) -> Any:
    _check(a)
    return lapack.eigvals(a)


_values = flat("linalg_eigvals", _eigvals, promote=None)

# ------------------------------------------------------------------------------------------------ functions


def _matrix(name: str, x: Tensor) -> None:
    matrix_argument(f"linalg_{name}", x, "input")
    square(f"linalg.{name}", x)
    if x.dtype.category < FLOAT:
        raise RuntimeError(
            f"Unknown Complex ScalarType for {scalar_name(x.dtype)}: convert the matrix, e.g. with .to(torch.float64)"
        )
    implemented("linalg_eig_out_cpu", x)


def eig(input: Tensor, *, out: Any = None) -> Any:
    """Eigenvalues, in no order, and eigenvectors (the columns, of length 1) of square matrices (..., n, n).

    The result is a named tuple (eigenvalues, eigenvectors), complex also for real matrices. Eigenvectors are defined up to a
    phase: the gradient exists for functions that do not depend on it. Hermitian matrices: `eigh` is quicker and more exact.
    Raises RuntimeError for elements that are not finite, and on the way back for a function that depends on the phases.

    >>> import wengert
    >>> wengert.linalg.eig(wengert.tensor([[0.0, 1.0], [-1.0, 0.0]])).eigenvalues
    tensor([0.+1.j, 0.-1.j])
    """
    _matrix("eig", input)
    return named(return_types.linalg_eig, _decompose(input), out)


def eigvals(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The eigenvalues of square matrices (..., n, n), as by `eig`.

    >>> import wengert
    >>> wengert.linalg.eigvals(wengert.tensor([[2.0, 0.0], [0.0, 1.0]]))
    tensor([2.+0.j, 1.+0.j])
    """
    _matrix("eigvals", input)
    return into_same(out, _decompose(input)[0] if differentiated(input) else _values(input))
