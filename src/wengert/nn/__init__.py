"""Layers, losses and what holds them: `torch.nn`."""

from . import functional, init
from .activation import *
from .container import ModuleDict, ModuleList, ParameterList, Sequential
from .dropout import Dropout
from .flatten import Flatten, Unflatten
from .linear import Identity, Linear
from .loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
    SoftMarginLoss,
)  # fmt: skip
from .module import Module
from .parameter import Buffer, Parameter
