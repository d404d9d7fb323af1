"""Least squares: the X of smallest norm among those that bring A X closest to B."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import return_types
from ...dtype_names import scalar_name
from ...tensor import Tensor, wrap
from ..declare import general
from ..extremum import named
from . import lapack
from .adjoints import adjoint
from .checks import column_major, matrix_argument

_DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def _solve(a: Any, b: Any, vector: bool, rcond: Any) -> tuple[Any, Any, Any]:
    """The solutions, by singular values; how many of these count, and the values."""
    u, s, vh = lapack.svd_thin(a)
    counts = s > rcond * s.max(-1, initial=0, keepdims=True)
    inverse = np.where(counts, 1, 0) / np.where(counts, s, 1)
    right = b[..., None] if vector else b
    moved = u.conj().swapaxes(-1, -2) @ right
    x = vh.conj().swapaxes(-1, -2) @ (inverse[..., None] * moved)
    x = x.astype(a.dtype, copy=False)
    return x[..., 0] if vector else column_major(x), counts.sum(-1), s


def _column(F: Any, x: Any, vector: bool) -> Any:
    return F.reshape(x, (*x.shape, 1)) if vector else x


def _pseudoinverse(F: Any, a: Any, rcond: float) -> Any:
    batch = a.shape[:-2]
    d = np.float32 if a.dtype.itemsize in (4,) else np.float64
    return F.linalg_pinv(a, False, np.zeros(batch, d), np.full(batch, rcond, d))


def _pull_a(F: Any, t: Any, self: Any, other: Any, X: Any, vector: bool, rcond: float) -> Any:
    """With P the pseudoinverse and R = B - A X, by the change of P (Golub and Pereyra, 1973):
    R (P P^H t)^H - P^H t X^H + P^H X (t - P A t)^H.
    """
    t, x, b = _column(F, t, vector), _column(F, X, vector), _column(F, other, vector)
    p = _pseudoinverse(F, self, rcond)
    back = F.matmul(adjoint(F, p), t)
    rest = b - F.matmul(self, x)
    through = F.matmul(rest, adjoint(F, F.matmul(p, back))) - F.matmul(back, adjoint(F, x))
    outside = t - F.matmul(adjoint(F, self), back)
    return through + F.matmul(F.matmul(adjoint(F, p), x), adjoint(F, outside))


def _pull_b(F: Any, t: Any, self: Any, vector: bool, rcond: float) -> Any:
    moved = F.matmul(adjoint(F, _pseudoinverse(F, self, rcond)), _column(F, t, vector))
    return F.reshape(moved, moved.shape[:-1]) if vector else moved


_lstsq = general(
    "linalg_lstsq", _solve, {"self": _pull_a, "other": _pull_b}, ("vector", "rcond"), outputs=("X", "rank", "values"),
    node="LinalgLstsqBackward0", holomorphic=False,
)  # fmt: skip


def _check(a: Tensor, b: Tensor, driver: str | None) -> bool:
    """Whether the right sides are vectors."""
    name = "torch.linalg.lstsq"
    if a.ndim < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if b.ndim < 1:
        raise RuntimeError(f"{name}: other must have at least 1 dimension.")
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"{name}: Expected input and other to have the same dtype, but got input's dtype {scalar_name(a.dtype)} and other's "
            f"dtype {scalar_name(b.dtype)}"
        )
    if not 0 <= a.ndim - b.ndim <= 1:
        raise RuntimeError(
            f"{name}: input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1"
        )
    if a.dtype.name not in ("float32", "float64", "complex64", "complex128"):
        raise RuntimeError("This function doesn't handle types other than float and double")
    if driver is not None and driver not in _DRIVERS:
        raise RuntimeError(f"{name}: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")
    vector = a.ndim - 1 == b.ndim and b.shape == a.shape[:-1]
    rows = b.shape[-1] if vector else b.shape[-2] if b.ndim > 1 else -1
    if rows != a.shape[-2]:
        raise RuntimeError(f"{name}: input.size(-2) should match other.size(-2)")
    return vector


def lstsq(A: Tensor, B: Tensor, *, rcond: float | None = None, driver: str | None = None, out: Any = None) -> Any:
    """The X that brings A X closest to B, of several the one of smallest norm: a named tuple.

    A       (..., m, n)
    B       (..., m, k), or a vector for each matrix (..., m)
    rcond   singular values up to this times the largest count as zero; by default max(m, n) times the precision
    driver  by PyTorch's names of LAPACK's routines; what is given beside the solution depends on it: by default "gelsy"

    solution         (..., n, k)
    residuals        the squared distances (..., k), where m > n and all ranks are full, else empty; not by "gelsy"
    rank             of each matrix; empty by "gels"
    singular_values  by "gelsd" and "gelss", else empty

    The derivatives are right where the rank does not change. Raises RuntimeError for what does not fit.

    >>> import wengert
    >>> A = wengert.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    >>> wengert.linalg.lstsq(A, wengert.tensor([[1.0], [3.0], [5.0]])).solution
    tensor([[1.0000],
            [2.0000]])
    """
    matrix_argument("linalg_lstsq", A, "input")
    matrix_argument("linalg_lstsq", B, "b", 2)
    vector = _check(A, B, driver)
    real = A._array.real.dtype
    m, n = A.shape[-2:]
    limit = float(np.finfo(real).eps) * max(m, n) if rcond is None else float(rcond)
    driver = driver or "gelsy"
    batch = tuple(A.shape[:-2])
    if not vector and tuple(B.shape[:-2]) != batch:
        wide = np.broadcast_shapes(batch, tuple(B.shape[:-2]))
        A, B = A.expand(*wide, m, n), B.expand(*wide, *B.shape[-2:])
    x, rank, values = _lstsq(A, B, vector, limit)
    full = bool((rank._array == n).all())
    none = x.reshape(-1)[:0]  # which has a gradient, as PyTorch's
    residuals: Any = none.real if none.is_complex() else none
    if driver != "gelsy" and m > n and full:
        if vector:
            away = (A.matmul(x.unsqueeze(-1)).squeeze(-1) - B).unsqueeze(-1)
        else:
            away = A.matmul(x) - B
        residuals = (away * away.conj()).real.sum(-2) if away.is_complex() else (away * away).sum(-2)
    results = (
        x,
        residuals,
        wrap(np.empty(0, np.int64)) if driver == "gels" else wrap(np.asarray(rank._array, np.int64)),
        wrap(values._array) if driver in ("gelsd", "gelss") else wrap(np.empty(0, real)),
    )
    return named(return_types.linalg_lstsq, results, out)
