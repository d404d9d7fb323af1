"""Every operation, forward and derivative side by side. `declare` says how they are declared."""

from . import arithmetic, functions, sampling
from . import reduction, softmax, loss, class_loss
from . import cumulative, extremum, norms, product, truth, variance
from . import comparison, complex_numbers, selection, larger, activation, matmul, special, gamma, shrink, smooth, angles, combination, rounding
from . import shape, axes, rearrange, diagonals, strided, selecting, conversion, filling, joining
from . import splitting, indexing, gather, scatter, scatter_reduce, masked_fill, view_copies, inplace_views
from . import affine, einsum, products
from . import binary_loss, margin_loss, ctc, linear_cross_entropy, dropout
from . import sorting, order_statistics
from . import splitting
from . import scatter_reduce
