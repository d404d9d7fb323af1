"""PyTorch's automatic differentiation on NumPy: `import wengert as torch`."""

from math import e, inf, nan, pi

from .version import __version__
from . import memory, ops
from .creation import *
from .ranges import *
from .dtypes import *
from .ops.arithmetic import *
from .ops.functions import *
from .ops.reduction import *
from .ops.softmax import *
from .ops.cumulative import *
from .ops.extremum import *
from .ops.norms import *
from .ops.normalization import *
from .ops.padding import *
from .ops.convolution import *
from .ops.product import *
from .ops.truth import *
from .ops.variance import *
from .ops.sorting import *
from .ops.order_statistics import *
from .ops.comparison import *
from .ops.complex_numbers import *
from .ops.selection import *
from .ops.larger import *
from .ops.activation import *
from .ops.shrink import *
from .ops.matmul import *
from .ops.angles import *
from .ops.rounding import *
from .ops.combination import *
from .ops.special import *
from .ops.gamma import *
from .ops.shape import *
from .ops.axes import *
from .ops.diagonals import *
from .ops.rearrange import *
from .ops.strided import *
from .ops.selecting import *
from .ops.gather import *
from .ops.masked_fill import *
from .ops.filling import *
from .ops.conversion import *
from .ops.joining import *
from .ops.indexing import *
from .ops.scatter import *
from .ops.scatter_reduce import *
from .ops.splitting import *
from .ops.view_copies import *
from .ops.affine import *
from .ops.average_pool import *
from .ops.max_pool import *
from .ops.affine_grid import *
from .ops.grid_sample import *
from .ops.shuffle import *
from .ops.einsum import *
from .ops.embedding import *
from .ops.products import *
from .ops.queries import *
from .ops.divisors import *
from .ops.float_parts import *
from .ops.window_functions import *
from .ops.stft import *
from .ops.counting import *
from .ops.covariance import *
from .ops.cross import *
from .ops.differences import *
from .ops.distance import *
from .ops.linalg.cholesky import *
from .ops.linalg.determinant import *
from .ops.linalg.householder import *
from .ops.linalg.lobpcg import *
from .ops.linalg.lowrank import *
from .ops.linalg.lu import *
from .ops.linalg.matrix_norm import *
from .ops.linalg.old_names import *
from .ops.linalg.rank import *
from .ops.linalg.power import *
from .ops.linalg.solve import *
from .device import (
    channels_last, channels_last_3d, contiguous_format, device, layout, memory_format, preserve_format, sparse_coo, strided,
)  # fmt: skip
from .size import Size
from .tensor import Tensor
from .autograd.modes import *
from . import autograd, func, linalg, nn, optim
from .nn.functional import bilinear, cosine_similarity, pairwise_distance
from . import random, special
from .generator import Generator, default_generator
from .ops.sampling import *
from .ops.dropout import *
from .printing import get_printoptions, printoptions, set_printoptions
from .random import (
    get_rng_state, initial_seed, manual_seed, rand, rand_like, randint, randint_like, randn, randn_like, randperm, seed,
    set_rng_state,
)  # fmt: skip

newaxis = None

_RARE = ("fft", "masked", "signal")


def __getattr__(name: str):  # type: ignore[no-untyped-def]
    """Namespaces that few programs use are imported when they are asked for."""
    if name in _RARE:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


memory.keep_freed_memory()
