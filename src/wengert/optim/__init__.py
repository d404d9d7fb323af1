"""Optimizers: `torch.optim`."""

from __future__ import annotations

from typing import Any

from .adagrad import Adagrad
from .adam import Adam
from .adamw import AdamW
from .optimizer import Optimizer
from .rmsprop import RMSprop
from .sgd import SGD


def __getattr__(name: str) -> Any:
    if name == "lr_scheduler":  # imported at first use
        import importlib

        return importlib.import_module(".lr_scheduler", __name__)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
