"""Every operation, forward and derivative side by side. `declare` says how they are declared."""

from . import arithmetic, functions, sampling
from . import reduction, softmax, loss, class_loss
from . import cumulative, extremum, norms, product, truth, variance
from . import comparison, complex_numbers, selection, activation, matmul, special, gamma, smooth, angles, combination, rounding
from . import shape, conversion, joining, indexing, scatter
from . import affine, einsum, products
from . import binary_loss, margin_loss
from . import sorting, order_statistics
