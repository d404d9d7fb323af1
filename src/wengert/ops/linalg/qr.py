"""The QR decomposition: an orthogonal (or unitary) matrix times an upper triangle."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import return_types
from ...tensor import Tensor
from ..declare import general
from ..extremum import named
from . import lapack
from .adjoints import adjoint, lower_half
from .checks import column_major, floating, implemented, matrices, matrix_argument
from .triangles import triangle

# ------------------------------------------------------------------------------------------------ declaration


def _qr(a: Any, mode: str) -> tuple[Any, Any]:
    m, n = a.shape[-2:]
    k = min(m, n)
    packed, tau = lapack.reflectors(a)
    if mode == "r":
        q = np.empty(0, a.dtype)
    else:
        # of a wide matrix, the columns behind the square part are no reflectors
        q = column_major(lapack.product_of_reflectors(packed[..., :k], tau, m if mode == "complete" else k))
    return q, column_major(triangle(packed if mode == "complete" else packed[..., :k, :], True))


def _pull_square(F: Any, of_q: Any, of_r: Any, Q: Any, R: Any) -> Any:
    """The gradient for a matrix of at least as many rows as columns.

    With C = Q^H dA R^-1, the part of C below the diagonal is that of the skew Q^H dQ, and what is left of C is dR R^-1, an
    upper triangle with a real diagonal: Walter and Lehmann, "Algorithmic differentiation of linear algebra functions with
    application in optimum experimental design" (2010); for complex numbers the diagonal's imaginary part belongs to Q^H dQ.
    """
    along = None if of_q is None else F.matmul(adjoint(F, Q), of_q)
    if of_r is not None:
        moved = F.matmul(of_r, adjoint(F, R))
        along = -moved if along is None else along - moved
    total = F.matmul(Q, lower_half(F, along - adjoint(F, along)) - along)
    if of_q is not None:
        total = of_q + total
    return adjoint(F, F.solve_triangle(R, adjoint(F, total), True))


def _pull_qr(F: Any, t: Any, Q: Any, R: Any, self_shape: Any, mode: str) -> Any:
    m, n = self_shape[-2:]
    if mode == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, "
            "mode='reduced') if you are going to differentiate through linalg.qr."
        )
    if mode == "complete" and m > n:
        raise RuntimeError(
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols. The further columns of Q are "
            "any that complete the others: use mode='reduced'"
        )
    of_q, of_r = t
    if m >= n:
        return _pull_square(F, of_q, of_r, Q, R)
    if of_r is None:
        square = _pull_square(F, of_q, None, Q, R[..., :m])
        return F.slice_backward(square, self_shape, len(self_shape) - 1, 0, m, 1)
    # A = (A1 A2), where Q R1 = A1 and R2 = Q^H A2
    of_rest = of_r[..., m:]
    through = F.matmul(F.matmul(Q, R[..., m:]), adjoint(F, of_rest))
    square = _pull_square(F, through if of_q is None else of_q + through, of_r[..., :m], Q, R[..., :m])
    return F.cat((square, F.matmul(Q, of_rest)), -1)


_decompose = general(
    "linalg_qr", _qr, {"self": _pull_qr}, ("mode",), outputs=("Q", "R"), pulled=(0, 1), node="LinalgQrBackward0",
    holomorphic=False,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ function


def qr(A: Tensor, mode: str = "reduced", *, out: Any = None) -> Any:
    """Q R = A with Q^H Q = 1 and an upper triangle R, of matrices (..., m, n): a named tuple (Q, R).

    mode  "reduced": with k = min(m, n), Q is (m, k) and R (k, n); "complete": Q is (m, m) and R (m, n); "r": R as for
          "reduced", and Q empty
    The signs of the rows of R are LAPACK's. The derivative needs the first k columns to be independent.
    Raises RuntimeError on the way back for mode="r", and for "complete" if m > n.

    >>> import wengert
    >>> Q, R = wengert.linalg.qr(wengert.tensor([[3.0, 1.0], [4.0, 2.0]]))
    >>> R
    tensor([[-5.0000, -2.2000],
            [ 0.0000,  0.4000]])
    """
    matrix_argument("linalg_qr", A)
    floating("linalg.qr", matrices("linalg.qr", A))
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    implemented("geqrf_cpu", A)
    return named(return_types.linalg_qr, _decompose(A, mode), out)
