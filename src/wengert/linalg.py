"""Linear algebra: `torch.linalg`, as far as it goes today."""

from .ops.linalg.checks import LinAlgError
from .ops.linalg.cholesky import cholesky, cholesky_ex
from .ops.linalg.determinant import linalg_det as det
from .ops.linalg.determinant import linalg_slogdet as slogdet
from .ops.linalg.eig import eig, eigvals
from .ops.linalg.eigh import eigh, eigvalsh
from .ops.linalg.householder import householder_product
from .ops.linalg.ldl import ldl_factor, ldl_factor_ex, ldl_solve
from .ops.linalg.lu import lu, lu_factor, lu_factor_ex, lu_solve
from .ops.linalg.matrix_norm import cond, matrix_norm, norm
from .ops.linalg.qr import qr
from .ops.linalg.rank import matrix_rank, pinv
from .ops.linalg.solve import inv, inv_ex, solve, solve_ex, solve_triangular, tensorinv, tensorsolve
from .ops.linalg.svd import svd, svdvals
from .ops.matmul import matmul
from .ops.norms import vector_norm
from .ops.products import multi_dot

__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cond",
    "det",
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
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matrix_norm",
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
    "vector_norm",
]
