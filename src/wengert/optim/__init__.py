"""Optimizers: `torch.optim`."""

from .adam import Adam, AdamW
from .optimizer import Optimizer
from .sgd import SGD
