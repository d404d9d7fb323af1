"""Linear algebra: `torch.linalg`, as far as it goes today."""

from .ops.matmul import matmul
from .ops.norms import vector_norm
from .ops.products import multi_dot

__all__ = ["matmul", "multi_dot", "vector_norm"]
