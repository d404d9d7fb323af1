from .version import __version__
from . import ops
from .creation import *
from .dtypes import *
from .ops.arithmetic import *
from .ops.functions import *
from .tensor import Tensor
from .autograd.modes import *
from . import random
from .generator import Generator, default_generator
from .ops.sampling import *
from .random import (
    get_rng_state, initial_seed, manual_seed, rand, rand_like, randint, randint_like, randn, randn_like, randperm, seed,
    set_rng_state,
)  # fmt: skip
