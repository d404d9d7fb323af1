"""A few extreme eigenvalues of large symmetric matrices by an iteration that needs products with the matrix only."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tensor import Tensor, wrap
from ..declare import general
from .adjoints import adjoint, constant, on_diagonal, raw
from .coinciding import over_gaps
from .lapack import eigh_lower

# ------------------------------------------------------------------------------------------------ the iteration


class LOBPCG:
    """The state of the iteration, as a tracker sees it.

    A. V. Knyazev, "Toward the optimal preconditioned eigensolver: Locally optimal block preconditioned conjugate gradient
    method" (2001). Each step takes the best vectors of the space that the last ones, their residuals and the last step span.
    """

    def __init__(self, A: Any, B: Any, X: Any, iK: Any, k: int, niter: int, tol: float, largest: bool) -> None:
        self._a, self._b, self._inverse = A, B, iK
        self.A, self.B, self.iK = (None if a is None else wrap(a) for a in (A, B, iK))
        m, n = X.shape
        self.iparams = {"m": m, "n": n, "k": k, "niter": niter}
        self.fparams = {"tol": tol}
        self.bparams = {"largest": largest}
        self.ivars = {"istep": 0, "converged_count": 0, "iterations_left": niter}
        self.tvars: dict[str, Tensor] = {}
        scale = np.linalg.norm(X)
        self.fvars = {
            "X_norm": float(scale),
            "A_norm": float(np.linalg.norm(A @ X) / scale),
            "B_norm": float(np.linalg.norm(self._times_b(X)) / scale),
        }
        self._best(self._basis(X))
        self._step = np.empty((m, 0), X.dtype)

    def run(self, tracker: Any = None) -> tuple[Any, Any]:
        """The eigenvalues and the vectors, when they are near enough or the steps are used up."""
        k = self.iparams["k"]
        while True:
            rest = self._a @ self._x - self._times_b(self._x) * self._e
            scale = np.linalg.norm(self._x, axis=0) * (
                self.fvars["A_norm"] + np.absolute(self._e) * self.fvars["B_norm"]
            )
            error = np.linalg.norm(rest, axis=0) / scale
            far = np.flatnonzero(error >= self.fparams["tol"])
            self.ivars["converged_count"] = int(far[0]) if far.size else len(error)
            if self.ivars["istep"]:
                self.R, self.tvars["rerr"] = wrap(rest), wrap(error)
                self._show(tracker)
            if self.ivars["converged_count"] >= k or not self.ivars["iterations_left"]:
                return self._e[:k], self._x[:, :k]
            new = rest if self._inverse is None else self._inverse @ rest
            last = self._x
            self._best(self._basis(np.concatenate((last, new, self._step), 1)))
            self._step = self._x - last @ (last.mT.conj() @ self._times_b(self._x))
            self.ivars["istep"] += 1
            self.ivars["iterations_left"] -= 1

    def _times_b(self, x: Any) -> Any:
        return x if self._b is None else self._b @ x

    def _basis(self, x: Any) -> Any:
        """Columns orthonormal with respect to B that span what those of `x` do, twice for the rounding errors."""
        for _ in range(2):
            x = x / np.maximum(np.linalg.norm(x, axis=0), np.finfo(x.dtype).tiny)
            values, vectors = eigh_lower(x.mT.conj() @ self._times_b(x))
            there = values > len(values) * np.finfo(x.dtype).eps * values[-1]
            x = x @ (vectors[:, there] / np.sqrt(values[there]))
        return x

    def _best(self, basis: Any) -> None:
        """Take the n vectors of a space with the extreme values, in order (Rayleigh and Ritz)."""
        values, vectors = eigh_lower(basis.mT.conj() @ (self._a @ basis))
        order = slice(None, None, -1) if self.bparams["largest"] else slice(None)
        n = self.iparams["n"]
        self._e, self._x = values[order][:n], basis @ vectors[:, order][:, :n]
        self._space = basis

    def _show(self, tracker: Any) -> None:
        if tracker is not None:
            self.X, self.E, self.S = wrap(self._x), wrap(self._e), wrap(self._space)
            tracker(self)


# ------------------------------------------------------------------------------------------------ declaration


def _lobpcg(
    A: Any, B: Any, X: Any, iK: Any, k: int, niter: int, tol: float, largest: bool, tracker: Any
) -> tuple[Any, Any]:
    *batch, m, _ = A.shape
    k = min(k, X.shape[-1])
    values, vectors = np.empty((*batch, k), A.real.dtype), np.empty((*batch, m, k), A.dtype)

    def part(a: Any, at: Any) -> Any:
        return None if a is None else np.broadcast_to(a, (*batch, *a.shape[-2:]))[at]

    for at in np.ndindex(*batch):
        search = LOBPCG(A[at], part(B, at), part(X, at), part(iK, at), k, niter, tol, largest)
        values[at], vectors[at] = search.run(tracker)
    return values, vectors


def _no_derivative(F: Any, t: Any) -> Any:
    raise ValueError("lobpcg.backward does not support backward with B != I yet. linalg.eigh differentiates all of it")


def _pull_lobpcg(F: Any, t: Any, self: Any, B: Any, E: Any, V: Any) -> Any:
    if B is not None:
        raise ValueError(
            "lobpcg.backward does not support backward with B != I yet. linalg.eigh differentiates all of it"
        )
    of_values, of_vectors = t
    raised = adjoint(F, V)
    if of_vectors is None:
        return F.matmul(V * of_values[..., None, :], raised)
    turned = F.matmul(raised, of_vectors)
    made = over_gaps(
        F, turned, lambda: (turned + adjoint(F, turned)) * 0.5, E, None if of_values is None else raw(of_values),
        np.linalg.norm(raw(of_vectors), axis=-2),
    )  # fmt: skip
    if of_values is not None:
        made = made + on_diagonal(F, of_values)
    # A - e, which is singular for each vector alone, is made 1 on the space of all of them: the right side has no part there
    eye = constant(V, np.eye(V.shape[-2], dtype=raw(V).dtype))
    weights = E[..., :, None] - E[..., None, :] + 1
    spanned = F.matmul(V[..., None, :, :] * weights[..., :, None, :], raised[..., None, :, :])
    shifted = self[..., None, :, :] - E[..., :, None, None] * eye + spanned
    outside = of_vectors - F.matmul(V, turned)
    moved = F.solve_square(shifted, outside.mT[..., None])[..., 0].mT
    total = F.matmul(F.matmul(V, made) - moved, raised)
    return (total + adjoint(F, total)) * 0.5


_extreme = general(
    "lobpcg", _lobpcg, {"self": _pull_lobpcg, "B": _no_derivative, "X": None, "iK": None},
    ("k", "niter", "tol", "largest", "tracker"), outputs=("E", "V"), pulled=(0, 1), node="LOBPCGAutogradFunctionBackward",
    holomorphic=False,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ function


def lobpcg(
    A: Tensor, k: int | None = None, B: Tensor | None = None, X: Tensor | None = None, n: int | None = None,
    iK: Tensor | None = None, niter: int | None = None, tol: float | None = None, largest: bool | None = None,
    method: str | None = None, tracker: Any = None, ortho_iparams: Any = None, ortho_fparams: Any = None,
    ortho_bparams: Any = None,
) -> Any:  # fmt: skip
    """The k largest (or smallest) eigenvalues and their vectors of symmetric matrices (..., m, m): a tuple (E, V).

    k        how many, 1 if it is not given, or as many as X has columns
    B        a positive-definite matrix: solve A v = e B v
    X        where to begin, (..., m, n); otherwise it is drawn with the default generator
    n        how many vectors are sought at a time, at least k and at most m / 3
    iK       an approximate inverse of A to apply to the residuals
    niter    the most steps, 1000 if it is not given; -1: until they are near enough
    tol      the relative size of a residual that is near enough, by default the root of the rounding unit
    tracker  is called after each step with the state, a `LOBPCG`
    `method` and the `ortho_` parameters are accepted: there is one method, which needs none.
    Derivatives of the vectors solve with the whole matrix; for B there are none.
    Raises ValueError for m < 3 n, and on the way back with B; AssertionError for shapes that do not fit.

    >>> import wengert
    >>> E, V = wengert.lobpcg(wengert.arange(1.0, 10.0).diag(), k=1)
    >>> E.round()
    tensor([9.])
    """
    m = A.shape[-1]
    if A.shape[-2] != m:
        raise AssertionError(f"A must be square, got shape {A.shape!r}")
    if B is not None and B.shape != A.shape:
        raise AssertionError(f"A and B must have same shape, got {A.shape!r} vs {B.shape!r}")
    k = (1 if X is None else X.shape[-1]) if k is None else k
    n = (k if X is None else X.shape[-1]) if n is None else n
    if m < 3 * n:
        raise ValueError(
            f"LOBPCG algorithm is not applicable when the number of A rows (={m}) is smaller than 3 x the number of requested "
            f"eigenpairs (={n}): take linalg.eigh"
        )
    if X is None:
        from ...random import randn

        X = randn(*A.shape[:-1], n, dtype=A.dtype)
    elif X.shape[-2:] != (m, n):
        raise AssertionError(f"X shape mismatch: got {X.shape!r}, expected {(m, n)}")
    if tol is None:
        tol = float(np.finfo(A._array.dtype).eps) ** 0.5
    return _extreme(A, B, X, iK, k, 1000 if niter is None else niter, tol, largest is None or largest, tracker)


__all__ = ["lobpcg"]
