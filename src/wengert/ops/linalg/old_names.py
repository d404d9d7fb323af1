"""Decompositions by the names and signatures that they have in the package itself: `torch.cholesky`, `torch.qr`, ...

They are older than those of `linalg`, and differ from them in their arguments and here and there in their results.
"""

from __future__ import annotations

from typing import Any

from ... import return_types
from ...tensor import Tensor
from ..dims import into_same
from ..expose import expose
from ..extremum import named
from .checks import implemented, matrix_argument, square
from .cholesky import cholesky_of_lower
from .qr import qr as linalg_qr


def cholesky(input: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:
    """The Cholesky factor L, A = L L^H, or with `upper` its adjoint; in either case the lower triangle of A is read.

    Raises LinAlgError for a matrix that is not positive-definite.

    >>> import wengert
    >>> wengert.cholesky(wengert.tensor([[4.0, 2.0], [2.0, 5.0]]), upper=True)
    tensor([[2., 1.],
            [0., 2.]])
    """
    matrix_argument("cholesky", input, "input")
    return into_same(out, cholesky_of_lower(implemented("cholesky_cpu", square("cholesky", input)), bool(upper)))


def qr(input: Tensor, some: bool = True, *, out: Any = None) -> Any:
    """The QR decomposition, `linalg.qr` with mode="reduced", or without `some` with mode="complete".

    >>> import wengert
    >>> wengert.qr(wengert.tensor([[3.0], [4.0]])).R
    tensor([[-5.]])
    """
    matrix_argument("qr", input, "input")
    return named(return_types.qr, linalg_qr(input, "reduced" if some else "complete"), out)


__all__ = expose(__name__, functions="cholesky qr", methods="cholesky qr")
