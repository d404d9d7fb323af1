"""Schedulers of learning rates: `torch.optim.lr_scheduler`."""

from .base import LRScheduler
from .compose import ChainedScheduler, SequentialLR
from .cycle import CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR
from .decay import (
    ConstantLR,
    CosineAnnealingLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)  # fmt: skip
from .plateau import ReduceLROnPlateau


class _LRScheduler(LRScheduler):
    """The base's name in older programs."""
