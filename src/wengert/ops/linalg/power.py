"""Powers of matrices, their exponential, and matrices of powers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...tensor import Tensor, wrap
from ..cumulative import cumprod
from ..declare import F32, general
from ..dims import into_same
from ..expose import expose
from ..joining import cat
from ..matmul import matmul
from .checks import floating, matrix_argument, square
from .solve import inv

# ------------------------------------------------------------------------------------------------ powers


def matrix_power(A: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """The n-th power of square matrices, by repeated squaring: of the inverse for a negative n.

    Raises RuntimeError for matrices that are not square or have no inverse.

    >>> import wengert
    >>> wengert.linalg.matrix_power(wengert.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
    tensor([[1., 3.],
            [0., 1.]])
    """
    matrix_argument("linalg_matrix_power", A)
    if isinstance(n, bool) or not hasattr(n, "__index__"):
        raise TypeError(f"linalg_matrix_power(): argument 'n' (position 2) must be int, not {type(n).__name__}")
    square("linalg.matrix_power", A)
    n = int(n)
    if n == 0:
        eye = np.broadcast_to(np.eye(A.shape[-1], dtype=A._array.dtype), A.shape)
        made: Any = A.clone().copy_(wrap(np.array(eye)))
        return into_same(out, made)
    base = inv(A) if n < 0 else A
    n = abs(n)
    if n == 1:
        return into_same(out, base if base is not A else A.clone())
    made = None
    while n:
        if n & 1:
            made = base if made is None else matmul(made, base)
        n >>= 1
        if n:
            base = matmul(base, base)
    return into_same(out, made)


# ------------------------------------------------------------------------------------------------ the exponential

# Higham, "The scaling and squaring method for the matrix exponential revisited" (2005): Pade approximants of degree m, and up to
# which 1-norm each is as good as double precision (the last is scaled down to it)
_COEFFICIENTS = {
    3: (120.0, 60.0, 12.0, 1.0),
    5: (30240.0, 15120.0, 3360.0, 420.0, 30.0, 1.0),
    7: (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0),
    9: (17643225600.0, 8821612800.0, 2075673600.0, 302702400.0, 30270240.0, 2162160.0, 110880.0, 3960.0, 90.0, 1.0),
    13: (
        64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0, 10559470521600.0,
        670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
    ),
}  # fmt: skip
_REACH = {
    3: 1.495585217958292e-2,
    5: 2.539398330063230e-1,
    7: 9.504178996162932e-1,
    9: 2.097847961257068,
    13: 5.371920351148152,
}


def _pade(a: Any, degree: int) -> Any:
    """The exponential of matrices that are small enough for this degree."""
    c = _COEFFICIENTS[degree]
    eye = np.eye(a.shape[-1], dtype=a.dtype)
    square_ = a @ a
    power = eye
    even, odd = c[0] * eye, c[1] * eye
    for k in range(2, degree, 2):
        power = power @ square_
        even, odd = even + c[k] * power, odd + c[k + 1] * power
    odd = a @ odd
    return np.linalg.solve(even - odd, even + odd)


def _exponential(a: Any) -> Any:
    d = a.dtype
    if d.itemsize == 2:
        return _exponential(a.astype(F32)).astype(d)
    if not a.size:
        return np.array(a)
    wide = a.astype(np.result_type(d, np.float64)).reshape(-1, *a.shape[-2:])
    made = np.empty_like(wide)
    norms = abs(wide).sum(-2).max(-1)
    finite = np.isfinite(norms)
    made[~finite] = np.nan
    left = finite.copy()
    for degree, reach in _REACH.items():
        if degree == 13:
            break
        chosen = left & (norms <= reach)
        if chosen.any():
            made[chosen] = _pade(wide[chosen], degree)
            left &= ~chosen
    if left.any():
        halvings = np.maximum(0, np.ceil(np.log2(norms[left] / _REACH[13]))).astype(int)
        part = _pade(wide[left] / 2.0 ** halvings[:, None, None], 13)
        for k in range(halvings.max(initial=0)):
            again = halvings > k
            part[again] = part[again] @ part[again]
        made[left] = part
    return made.reshape(a.shape).astype(d, copy=False)


def _blocks(a: Any, e: Any) -> Any:
    """((a, e), (0, a)): the upper right block of its exponential is the change of that of `a` with `e`."""
    shape = np.broadcast_shapes(a.shape, e.shape)
    n = shape[-1]
    made = np.zeros((*shape[:-2], 2 * n, 2 * n), np.result_type(a, e))
    made[..., :n, :n] = made[..., n:, n:] = a
    made[..., :n, n:] = e
    return made


def _change(e: Any, a: Any) -> Any:
    n = a.shape[-1]
    return _exponential(_blocks(a, e))[..., :n, n:].astype(a.dtype)


def _pull_change(F: Any, t: Any, self: Any, matrix: Any) -> Any:
    """The gradient of <t, change of exp(A) by E> for A, by the same device on matrices of twice the size.

    With M = ((A, E), (0, A)) the value is <T, exp(M)>, T having t in its upper right block: its gradient for M is the change of
    exp(M^T) with T, of which the blocks in which A stands are added.
    """
    n = matrix.shape[-1]
    zero = matrix * 0
    whole = F.cat((F.cat((matrix, self), -1), F.cat((zero, matrix), -1)), -2)
    seen = F.cat((F.cat((zero, t), -1), F.cat((zero, zero), -1)), -2)
    moved = F.change_of_exponential(seen, whole.mT)
    return moved[..., :n, :n] + moved[..., n:, n:]


_matrix_exp = general(
    "matrix_exp", _exponential, {"self": lambda F, t, self: F.change_of_exponential(t, self.mT)},
    node="LinalgMatrixExpBackward0",
)  # fmt: skip
general(
    "change_of_exponential", _change,
    {"self": lambda F, t, matrix: F.change_of_exponential(t, matrix.mT), "matrix": _pull_change},
    node="LinalgMatrixExpBackward0",
)  # fmt: skip


def matrix_exp(A: Tensor) -> Tensor:
    """The exponential of square matrices: the sum of all A^k / k!.

    Raises RuntimeError for matrices that are not square, and for integers.

    >>> import wengert
    >>> wengert.matrix_exp(wengert.tensor([[0.0, 1.0], [0.0, 0.0]]))
    tensor([[1., 1.],
            [0., 1.]])
    """
    matrix_argument("linalg_matrix_exp", A)
    made: Tensor = _matrix_exp(floating("linalg.matrix_exp", square("linalg.matrix_exp", A)))
    return made


# ------------------------------------------------------------------------------------------------ matrices of powers


def linalg_vander(x: Tensor, *, N: int | None = None) -> Tensor:
    """For each element a row of its powers, from the 0-th to the one before the N-th; by default N is how many elements there are.

    Raises RuntimeError for N below 2.

    >>> import wengert
    >>> wengert.linalg.vander(wengert.tensor([2, 3]), N=3)
    tensor([[1, 2, 4],
            [1, 3, 9]])
    """
    x = x if x.ndim else x.reshape(1)
    n = x.shape[-1] if N is None else N
    if n <= 1:
        raise RuntimeError("N must be greater than 1.")
    if x.dtype is dtypes.bool:
        x = x.to(dtypes.int64)
    powers = cumprod(x.unsqueeze(-1).expand(*x.shape, n - 1), -1)
    made: Tensor = cat([powers.new_ones(*x.shape, 1), powers], -1)
    return made


def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """For each element a row of its N powers, from the highest to the 0-th, or with `increasing` the other way round.

    Raises RuntimeError for other than one dimension.

    >>> import wengert
    >>> wengert.vander(wengert.tensor([2, 3]), 3)
    tensor([[4, 2, 1],
            [9, 3, 1]])
    """
    if x.ndim != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    n = len(x) if N is None else N
    if n < 0:
        raise RuntimeError("N must be non-negative.")
    if x.dtype.category < dtypes.FLOAT:
        x = x.to(dtypes.int64)
    made = x.new_ones(len(x), min(n, 1)) if n < 2 else linalg_vander(x, N=n)
    return made if increasing else made.flip(1)


_all = "matrix_exp matrix_power"
__all__ = expose(__name__, functions=_all + " vander", methods=_all)
