"""The singular value decomposition."""

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
from .adjoints import adjoint, differentiated, on_diagonal, plus, raw
from .checks import all_finite, column_major, floating, implemented, matrices, matrix_argument, raise_for
from .coinciding import between_vectors, over_gaps, over_values
from .eigh import check_phases

_NOT_FINITE = "The algorithm failed to converge because the input matrix contained non-finite values."
_NOT_CONVERGED = "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated singular values."

# ------------------------------------------------------------------------------------------------ declaration


def check_finite(a: Any, values: Any) -> None:
    """Raise if matrices have no singular values, as they are not finite."""
    if not all_finite(values):
        lost = np.isnan(values).any(-1)
        raise_for("linalg.svd", (lost & ~np.isfinite(a).all((-2, -1))).astype(int), _NOT_FINITE)
        raise_for("linalg.svd", lost.astype(int), _NOT_CONVERGED)


def _svd(a: Any, full: bool) -> tuple[Any, Any, Any]:
    u, s, vh = (lapack.svd_full if full else lapack.svd_thin)(a)
    check_finite(a, s)
    return column_major(u), s, column_major(vh)


def _skew(F: Any, a: Any) -> Any:
    return (a - adjoint(F, a)) * 0.5


def _pull_svd(F: Any, t: Any, U: Any, S: Any, Vh: Any) -> Any:
    # Vectors beside the first k are any that complete these: nothing may depend on them.
    of_u, of_s, of_vh = t
    k, m, n = S.shape[-1], U.shape[-2], Vh.shape[-1]
    u, vh = U[..., :k], Vh[..., :k, :]
    if of_u is None and of_vh is None:
        return F.matmul(u * of_s[..., None, :], vh)
    of_u = None if of_u is None else of_u[..., :k]
    of_v = None if of_vh is None else adjoint(F, of_vh[..., :k, :])
    x = None if of_u is None else F.matmul(adjoint(F, u), of_u)
    y = None if of_v is None else F.matmul(vh, of_v)
    total = F.matmul(F.matmul(u, _pull_within(F, x, y, of_u, of_s, of_v, S)), vh)
    # what turns a vector out of the space of all k changes A by that, times the singular value
    found = None if of_s is None else raw(of_s)[..., None, :]
    if of_u is not None and m > k:
        beside = over_values(F, of_u - F.matmul(u, x), S[..., None, :], found)
        total = total + F.matmul(beside, vh)
    if of_v is not None and n > k:
        beside = over_values(F, of_v - F.matmul(adjoint(F, vh), y), S[..., None, :], found)
        total = total + F.matmul(u, adjoint(F, beside))
    return total


def _pull_within(F: Any, x: Any, y: Any, of_u: Any, of_s: Any, of_v: Any, S: Any) -> Any:
    """The gradient in the coordinates of the singular vectors, x = U^H of_u and y = V^H of_v, of which one may be None.

    The antisymmetric part of what changes there turns U and V alike by the differences of the singular values, or against each
    other by their sums; the diagonal changes these values.
    """
    both = plus(x, y)
    alike = _skew(F, both)
    if is_complex(both):
        check_phases(
            "svd_backward", 2 * np.diagonal(raw(alike), 0, -2, -1),
            "The specified loss function depends on this phase term, making it",
        )  # fmt: skip
    against = _skew(F, x if y is None else -y if x is None else x - y)
    sizes = sum(np.linalg.norm(raw(g), axis=-2) for g in (of_u, of_v) if g is not None)
    found = None if of_s is None else raw(of_s)
    made = over_gaps(F, alike, lambda: (both + adjoint(F, both)) * 0.5, S, found, sizes)
    made = made + over_values(F, against, S[..., None, :] + S[..., :, None], None)
    return made if of_s is None else made + on_diagonal(F, of_s)


def _push_svd(F: Any, t: Any, U: Any, S: Any, Vh: Any) -> Any:
    k, m, n = S.shape[-1], U.shape[-2], Vh.shape[-1]
    u, vh = U[..., :k], Vh[..., :k, :]
    v = adjoint(F, vh)
    moved = F.matmul(t, v)
    turned = F.matmul(adjoint(F, u), moved)
    of_s = F.diagonal(turned, 0, -2, -1)
    gap = S[..., None, :] - S[..., :, None]
    alike = between_vectors(F, (turned + adjoint(F, turned)) * 0.5, gap)
    against = over_values(F, _skew(F, turned), S[..., None, :] + S[..., :, None], None)
    of_u, of_v = F.matmul(u, alike + against), F.matmul(v, alike - against)
    if m > k:
        of_u = of_u + over_values(F, moved - F.matmul(u, turned), S[..., None, :], None)
    if n > k:
        other = F.matmul(adjoint(F, t), u)
        of_v = of_v + over_values(F, other - F.matmul(v, F.matmul(vh, other)), S[..., None, :], None)
    if U.shape[-1] > k:
        of_u = F.slice_backward(of_u, U.shape, U.ndim - 1, 0, k, 1)
    of_vh = adjoint(F, of_v)
    if Vh.shape[-2] > k:
        of_vh = F.slice_backward(of_vh, Vh.shape, Vh.ndim - 2, 0, k, 1)
    return of_u, F.real(of_s) if is_complex(of_s) else of_s, of_vh


decompose = general(
    "linalg_svd", _svd, {"self": _pull_svd}, ("full",), outputs=("U", "S", "Vh"), pulled=(0, 1, 2), push=_push_svd,
    node="LinalgSvdBackward0", holomorphic=False,
)  # fmt: skip


def _svdvals(a: Any) -> Any:
    values = lapack.svdvals(a)
    check_finite(a, values)
    return values


_values = flat("linalg_svdvals", _svdvals, promote=None)

# ------------------------------------------------------------------------------------------------ functions


def _arguments(name: str, x: Tensor, driver: Any) -> None:
    matrix_argument(name, x)
    floating("linalg.svd", matrices("linalg.svd", x))
    if driver is not None:
        raise RuntimeError(
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend. Leave it out"
        )
    implemented("linalg_svd_cpu", x)


def svd(A: Tensor, full_matrices: bool = True, *, driver: str | None = None, out: Any = None) -> Any:
    """U diag(S) Vh = A, with the singular values S in descending order, of matrices (..., m, n): a named tuple (U, S, Vh).

    full_matrices  U is (m, m) and Vh (n, n); otherwise, with k = min(m, n), they are (m, k) and (k, n)
    Pairs of singular vectors are defined up to a phase, those of equal singular values up to a rotation: the gradient exists
    for functions that do not depend on it, and for the further vectors of full matrices there is none. Where singular values
    are equal, it is right for functions of the form tr(W U f(S) Vh), for those of the singular values alone and for those that
    do not use these vectors.
    Raises RuntimeError on the way back for a function that depends on the phases, LinAlgError for elements that are not finite.

    >>> import wengert
    >>> wengert.linalg.svd(wengert.tensor([[3.0, 0.0], [0.0, 4.0]])).S
    tensor([4., 3.])
    """
    _arguments("linalg_svd", A, driver)
    return named(return_types.linalg_svd, decompose(A, bool(full_matrices)), out)


def svdvals(A: Tensor, *, driver: str | None = None, out: Tensor | None = None) -> Tensor:
    """The singular values of matrices (..., m, n) in descending order, as by `svd`.

    >>> import wengert
    >>> wengert.linalg.svdvals(wengert.tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor([4., 3.])
    """
    _arguments("linalg_svdvals", A, driver)
    return into_same(out, singular_values(A))


def singular_values(x: Tensor) -> Tensor:
    """The singular values of matrices that have been looked at."""
    made: Tensor = decompose(x, False)[1] if differentiated(x) else _values(x)
    return made
