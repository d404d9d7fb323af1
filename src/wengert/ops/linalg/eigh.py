"""Eigenvalues and eigenvectors of Hermitian matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import return_types
from ...tensor import Tensor
from ..complex_numbers import is_complex
from ..declare import flat, general
from ..dims import into_same
from ..extremum import named
from . import lapack
from .adjoints import adjoint, differentiated, on_diagonal, raw
from .checks import LinAlgError, all_finite, column_major, first_failure, implemented, matrix_argument, square
from .coinciding import between_vectors, over_gaps
from .triangles import triangle

# ------------------------------------------------------------------------------------------------ declaration


def _eigh(a: Any, upper: bool) -> tuple[Any, Any]:
    values, vectors = (lapack.eigh_upper if upper else lapack.eigh_lower)(a)
    if not all_finite(a) or not all_finite(values):
        vectors[_lose(a, upper, values)] = np.nan
    return values, column_major(vectors)


def _eigvalsh(a: Any, upper: bool) -> Any:
    values = (lapack.eigvalsh_upper if upper else lapack.eigvalsh_lower)(a)
    if not all_finite(a) or not all_finite(values):
        _lose(a, upper, values)
    return values


def _lose(a: Any, upper: bool, values: Any) -> Any:
    """Give matrices that are not finite eigenvalues that are nan, whatever was found; tells which these are."""
    lost = ~np.isfinite(triangle(a, upper)).all((-2, -1))
    failure = first_failure((np.isnan(values).any(-1) & ~lost).astype(int))
    if failure is not None:
        raise LinAlgError(
            f"linalg.eigh: {failure[0]}The algorithm failed to converge because the input matrix is ill-conditioned or has too "
            "many repeated eigenvalues"
        )
    values[lost] = np.nan
    return lost


def check_phases(
    name: str, diagonal: Any, message: str = "The specified loss function depends on this quantity, so it is"
) -> None:
    """Raise if a loss depends on the phases of complex vectors, which are arbitrary; `diagonal` is then not real."""
    if diagonal.size and np.absolute(diagonal.imag).max() > 1e-2:
        vectors = "singular vectors" if name == "svd_backward" else "eigenvectors"
        raise RuntimeError(
            f"{name}: The {vectors} in the complex case are specified up to multiplication by e^{{i phi}}. {message} "
            "ill-defined. Differentiate what does not depend on it, such as absolute values or projections"
        )


def _pull_eigh(F: Any, t: Any, L: Any, V: Any) -> Any:
    of_values, of_vectors = t
    if of_vectors is None:
        return F.matmul(V * of_values[..., None, :], adjoint(F, V))
    turned = F.matmul(adjoint(F, V), of_vectors)
    if is_complex(V):
        check_phases("linalg_eigh_backward", np.diagonal(raw(turned), 0, -2, -1))
    made = over_gaps(
        F, turned, lambda: (turned + adjoint(F, turned)) * 0.5, L, None if of_values is None else raw(of_values),
        np.linalg.norm(raw(of_vectors), axis=-2),
    )  # fmt: skip
    if of_values is not None:
        made = made + on_diagonal(F, of_values)
    return F.matmul(F.matmul(V, made), adjoint(F, V))


def _push_eigh(F: Any, t: Any, L: Any, V: Any) -> Any:
    turned = F.matmul(F.matmul(adjoint(F, V), t), V)
    of_vectors = F.matmul(V, between_vectors(F, turned, L[..., None, :] - L[..., :, None]))
    of_values = F.diagonal(turned, 0, -2, -1)
    return F.real(of_values) if is_complex(of_values) else of_values, of_vectors


_decompose = general(
    "linalg_eigh", _eigh, {"self": _pull_eigh}, ("upper",), outputs=("L", "V"), pulled=(0, 1), push=_push_eigh,
    node="LinalgEighBackward0", holomorphic=False,
)  # fmt: skip

_values = flat("linalg_eigvalsh", _eigvalsh, promote=None, statics=("upper",))

# ------------------------------------------------------------------------------------------------ functions


def _arguments(name: str, x: Tensor, uplo: Any) -> bool:
    """Whether the upper triangle is the one to read."""
    matrix_argument(name, x, "input")
    square("linalg.eigh", x)
    if not isinstance(uplo, str):
        raise TypeError(f"{name}(): argument 'UPLO' (position 2) must be str, not {type(uplo).__name__}")
    if uplo.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {uplo}")
    implemented("linalg_eigh_cpu", x)
    return uplo.upper() == "U"


def eigh(input: Tensor, UPLO: str = "L", *, out: Any = None) -> Any:
    """The eigenvalues, in ascending order, and orthonormal eigenvectors (the columns) of Hermitian matrices (..., n, n).

    UPLO  "L" or "U": which triangle of the matrix is read
    The result is a named tuple (eigenvalues, eigenvectors). Eigenvectors are defined up to a phase, those of equal eigenvalues
    up to a rotation: the gradient exists for functions that do not depend on it. Where eigenvalues are equal, it is right for
    functions of the form tr(W f(A)), for those of the eigenvalues alone and for those that do not use these vectors.
    Of a matrix that is not finite, all results are nan. Raises RuntimeError on the way back for a function that depends on the
    phases, LinAlgError if the algorithm fails.

    >>> import wengert
    >>> wengert.linalg.eigh(wengert.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    tensor([1., 2.])
    """
    upper = _arguments("linalg_eigh", input, UPLO)
    return named(return_types.linalg_eigh, _decompose(input, upper), out)


def eigvalsh(input: Tensor, UPLO: str = "L", *, out: Tensor | None = None) -> Tensor:
    """The eigenvalues of Hermitian matrices (..., n, n) in ascending order, as by `eigh`.

    >>> import wengert
    >>> wengert.linalg.eigvalsh(wengert.tensor([[2.0, 0.0], [0.0, 1.0]]))
    tensor([1., 2.])
    """
    upper = _arguments("linalg_eigvalsh", input, UPLO)
    return into_same(out, _decompose(input, upper)[0] if differentiated(input) else _values(input, upper))
