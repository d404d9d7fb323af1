"""Determinants, and their signs and logarithms.

The derivative of the determinant is the matrix of cofactors, which a singular matrix has too: from the singular value
decomposition A = U S V^H it is cof(A) = cof(U) cof(S) cof(V^H), where cof(U) = det(U) conj(U) and the i-th element of cof(S) is the
product of all singular values but the i-th. With K = U^H H V and P[i, j] the product of all but the i-th and the j-th, the change of
cof(S) with H has P[i, :] . diag(K) on its diagonal and -P[i, j] K[j, i] beside it. The third derivative is written with the inverse.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import return_types
from ...tensor import Tensor
from ..declare import general
from ..dims import into_same
from ..expose import expose
from ..extremum import named
from . import lapack
from .adjoints import adjoint
from .checks import floating, implemented, matrix_argument, square

# ------------------------------------------------------------------------------------------------ declarations


def _det(a: Any) -> Any:
    return np.asarray(lapack.det(a))


def _others(s: Any) -> Any:
    """The products of all elements but one, by how many are zero: exact for singular matrices too."""
    n = s.shape[-1]
    ones = np.ones((*s.shape[:-1], 1), s.dtype)
    before = np.concatenate((ones, np.cumprod(s[..., : n - 1], -1)), -1)
    behind = np.concatenate((np.cumprod(s[..., :0:-1], -1)[..., ::-1], ones), -1)
    return before * behind


def _other_pairs(s: Any) -> Any:
    """P[i, j]: the products of all elements but two; zeros on the diagonal."""
    n = s.shape[-1]
    made = np.zeros((*s.shape, n), s.dtype)
    for i in range(n):
        rest = np.concatenate((s[..., :i], s[..., i + 1 :]), -1)
        if n > 1:
            products = _others(rest)
            made[..., i, :i], made[..., i, i + 1 :] = products[..., :i], products[..., i:]
    return made


def _turned(u: Any, middle: Any, vh: Any) -> Any:
    """cof(U) M cof(V^H)."""
    signs = (lapack.det(u) * lapack.det(vh))[..., None, None]
    return signs * (u.conj() @ middle @ vh.conj())


def _well_conditioned(a: Any, inverse: Any) -> bool:
    """Whether the inverse can be trusted."""
    if not np.isfinite(inverse).all():
        return False
    norms = abs(a).sum(-1).max(-1, initial=0) * abs(inverse).sum(-1).max(-1, initial=0)
    return bool((norms < 1e-3 / np.sqrt(np.finfo(a.dtype).eps)).all())


def _cofactors(a: Any) -> Any:
    if not a.size:
        return np.array(a)
    inverse = lapack.inverse(a)
    if _well_conditioned(a, inverse):
        return lapack.det(a)[..., None, None] * inverse.swapaxes(-1, -2)
    u, s, vh = lapack.svd_full(a)
    return _turned(u, _others(s)[..., None] * np.eye(a.shape[-1], dtype=s.dtype), vh).astype(a.dtype, copy=False)


def _change_of_cofactors(h: Any, a: Any) -> Any:
    if not a.size:
        return np.array(a)
    u, s, vh = lapack.svd_full(a)
    k = u.conj().swapaxes(-1, -2) @ h @ vh.conj().swapaxes(-1, -2)
    pairs = _other_pairs(s)
    middle = -pairs * k.swapaxes(-1, -2)
    np.einsum("...ii->...i", middle)[...] = (pairs @ np.einsum("...ii->...i", k)[..., None])[..., 0]
    return _turned(u, middle, vh).astype(a.dtype, copy=False)


def _trace(F: Any, a: Any) -> Any:
    return F.reshape(F.sum(F.diagonal(a, 0, a.ndim - 2, a.ndim - 1), a.ndim - 2, False), (*a.shape[:-2], 1, 1))


def _third(F: Any, t: Any, self: Any, matrix: Any) -> Any:
    """The gradient of <t, change of the cofactors of A by H> for A: with X = A^-1 t and Y = A^-1 H,
    det A^-T ((tr X tr Y - tr XY) 1 - tr X Y - tr Y X + XY + YX)^T.
    """
    inverse = F.linalg_inv(matrix)
    x, y = F.matmul(inverse, t), F.matmul(inverse, self)
    xy, yx = F.matmul(x, y), F.matmul(y, x)
    scale = F.reshape(F.det(matrix), (*matrix.shape[:-2], 1, 1))
    inner = xy + yx - _trace(F, x) * y - _trace(F, y) * x
    whole = F.matmul(inner, inverse) + (_trace(F, x) * _trace(F, y) - _trace(F, xy)) * inverse
    return scale * whole.mT


determinant = general(
    "det", _det, {"self": lambda F, t, self: F.reshape(t, (*self.shape[:-2], 1, 1)) * F.cofactors(self)},
    node="LinalgDetBackward0",
)  # fmt: skip
general("cofactors", _cofactors, {"self": lambda F, t, self: F.change_of_cofactors(t, self)}, node="LinalgDetBackward0")
general(
    "change_of_cofactors", _change_of_cofactors,
    {"self": lambda F, t, matrix: F.change_of_cofactors(t, matrix), "matrix": _third}, node="LinalgDetBackward0",
)  # fmt: skip


def _slogdet(a: Any) -> tuple[Any, Any]:
    sign, size = lapack.slogdet(a)
    return np.asarray(sign), np.asarray(size)


def _pull_slogdet(F: Any, t: Any, self: Any, sign: Any) -> Any:
    """With z = tr(A^-1 dA), the logarithm changes by the real part of z, and a complex sign by i sign times the imaginary."""
    of_sign, of_log = t
    total = of_log
    if of_sign is not None and _is_complex(self):
        turned = -F.imag(sign * F.conj(of_sign)) * 1j
        total = turned if total is None else total + turned
    if total is None:
        return None
    return F.reshape(total, (*self.shape[:-2], 1, 1)) * adjoint(F, F.linalg_inv(self))


def _is_complex(a: Any) -> bool:
    """Whether the elements are complex."""
    d = a.dtype
    return bool(d.is_complex) if isinstance(a, Tensor) else d.kind == "c"


signed_logarithm = general(
    "slogdet", _slogdet, {"self": _pull_slogdet}, outputs=("sign", "logabsdet"), pulled=(0, 1),
    node="LinalgSlogdetBackward0", holomorphic=False,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ functions


def _checked(name: str, x: Tensor, called: str = "A") -> Tensor:
    matrix_argument("linalg_" + name.rpartition(".")[2], x, called)
    return implemented("lu_cpu", floating(name, square(name, x)))


def linalg_det(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The determinants of square matrices (..., n, n). First and second derivatives hold for singular matrices too.

    Raises RuntimeError for other shapes and dtypes.

    >>> import wengert
    >>> wengert.linalg.det(wengert.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor(8.)
    """
    return into_same(out, determinant(_checked("linalg.det", A)))


def linalg_slogdet(A: Tensor, *, out: Any = None) -> Any:
    """The signs of determinants and the logarithms of their absolute values: a named tuple (sign, logabsdet).

    For a complex matrix the sign is a number of absolute value 1; for a singular one 0, and the logarithm -inf.
    Raises RuntimeError for other shapes and dtypes.

    >>> import wengert
    >>> wengert.linalg.slogdet(wengert.tensor([[0.0, 1.0], [1.0, 0.0]]))
    torch.return_types.linalg_slogdet(
    sign=tensor(-1.),
    logabsdet=tensor(0.))
    """
    return named(return_types.linalg_slogdet, signed_logarithm(_checked("linalg.slogdet", A)), out)


def det(input: Tensor) -> Tensor:
    """`linalg.det`."""
    return linalg_det(input)


def slogdet(input: Tensor, *, out: Any = None) -> Any:
    """`linalg.slogdet`."""
    return named(return_types.slogdet, signed_logarithm(_checked("linalg.slogdet", input)), out)


def logdet(input: Tensor) -> Tensor:
    """The logarithms of the determinants of square matrices: nan where they are negative, -inf where they are 0.

    Raises RuntimeError for other shapes and dtypes.

    >>> import wengert
    >>> wengert.logdet(wengert.eye(3))
    tensor(0.)
    """
    from ..selection import where

    sign, size = signed_logarithm(_checked("linalg.slogdet", input))
    if _is_complex(input):
        return sign.log() + size
    return where(sign == -1.0, np.nan, size)


_all = "det logdet slogdet"
__all__ = expose(__name__, functions=_all, methods=_all)
