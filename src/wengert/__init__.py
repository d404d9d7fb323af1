from . import ops
from .creation import *
from .dtypes import *
from .ops.arithmetic import *
from .ops.functions import *
from .tensor import Tensor
from .autograd.modes import *
