"""Linear algebra: `torch.linalg`, as far as it goes today."""

from .ops.cross import linalg_cross as cross
from .ops.dims import into_same
from .ops.linalg.checks import LinAlgError, floating, same_dtype
from .ops.linalg.cholesky import cholesky, cholesky_ex
from .ops.linalg.determinant import linalg_det as det
from .ops.linalg.determinant import linalg_slogdet as slogdet
from .ops.linalg.eig import eig, eigvals
from .ops.linalg.eigh import eigh, eigvalsh
from .ops.linalg.householder import householder_product
from .ops.linalg.ldl import ldl_factor, ldl_factor_ex, ldl_solve
from .ops.linalg.lstsq import lstsq
from .ops.linalg.lu import lu, lu_factor, lu_factor_ex, lu_solve
from .ops.linalg.matrix_norm import cond, matrix_norm, norm
from .ops.linalg.power import linalg_vander as vander
from .ops.linalg.power import matrix_exp, matrix_power
from .ops.linalg.qr import qr
from .ops.linalg.rank import matrix_rank, pinv
from .ops.linalg.solve import inv, inv_ex, solve, solve_ex, solve_triangular, tensorinv, tensorsolve
from .ops.linalg.svd import svd, svdvals
from .ops.matmul import matmul
from .ops.norms import vector_norm
from .ops.products import multi_dot
from .tensor import Tensor

__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "householder_product",
    "inv",
    "inv_ex",
    "ldl_factor",
    "ldl_factor_ex",
    "ldl_solve",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensorinv",
    "tensorsolve",
    "vander",
    "vecdot",
    "vector_norm",
]


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """`torch.diagonal` of the last two dimensions.

    >>> import wengert
    >>> wengert.linalg.diagonal(wengert.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    made: Tensor = A.diagonal(offset, dim1, dim2)
    return made


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    """The sums of the products of vectors along a dimension, of which the first are conjugated.

    Raises RuntimeError for integers and for different dtypes.

    >>> import wengert
    >>> wengert.linalg.vecdot(wengert.tensor([1.0, 2.0]), wengert.tensor([3.0, 4.0]))
    tensor(11.)
    """
    floating("linalg.vecdot", x)
    same_dtype(
        "linalg.vecdot: Expected x and y to have the same dtype, but found x of type {} and y of type {} instead", x, y
    )
    return into_same(out, ((x.conj() if x.is_complex() else x) * y).sum(dim))
