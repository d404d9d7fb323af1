"""A schedule that looks at how the training goes."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

from .base import EPOCH_WARNING, LRScheduler, check_optimizer, set_value

if TYPE_CHECKING:
    from ..optimizer import Optimizer


class ReduceLROnPlateau(LRScheduler):
    """The rate times a factor whenever a measure has not improved for more than `patience` epochs.

    mode            "min" or "max": which way the measure improves
    threshold       by how much it has to: relatively, or with threshold_mode="abs" absolutely
    cooldown        epochs after a reduction in which nothing is counted
    min_lr          the lowest rate, or one for each group
    eps             a change of the rate below this is not made

    Raises ValueError for options out of range.

    >>> import wengert
    >>> optimizer = wengert.optim.SGD([wengert.nn.Parameter(wengert.ones(1))], lr=1.0)
    >>> scheduler = wengert.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
    >>> for loss in (2.0, 1.0, 1.0):
    ...     scheduler.step(loss)
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def __init__(
        self, optimizer: Optimizer, mode: str = "min", factor: float = 0.1, patience: int = 10, threshold: float = 1e-4,
        threshold_mode: str = "rel", cooldown: int = 0, min_lr: Any = 0, eps: float = 1e-8,
    ) -> None:  # fmt: skip
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        check_optimizer(optimizer)
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        groups = len(optimizer.param_groups)
        several = isinstance(min_lr, (list, tuple))
        if several and len(min_lr) != groups:
            raise ValueError(f"expected {groups} min_lrs, got {len(min_lr)}")
        self.factor = factor
        self.optimizer = optimizer
        self.default_min_lr = None if several else min_lr
        self.min_lrs = list(min_lr) if several else [min_lr] * groups
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = self._rates()
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self._reset()

    def _reset(self) -> None:
        """Forget what was measured."""
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    @property
    def in_cooldown(self) -> bool:
        """Whether the last reduction was so recent that nothing is counted."""
        return self.cooldown_counter > 0

    def _is_better(self, a: float, best: float) -> bool:
        if self.threshold_mode == "rel":
            sign = -1.0 if self.mode == "min" else 1.0
            goal = best * (1.0 + sign * self.threshold)
        else:
            goal = best - self.threshold if self.mode == "min" else best + self.threshold
        return a < goal if self.mode == "min" else a > goal

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Go on to the next epoch with what was measured in the last, and set the optimizer's rates."""
        current = float(metrics)
        if epoch is None:
            epoch = self.last_epoch + 1
        else:
            warnings.warn(EPOCH_WARNING, UserWarning, stacklevel=2)
        self.last_epoch = epoch
        if self._is_better(current, self.best):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = self._rates()

    def _reduce_lr(self) -> None:
        for group, lowest in zip(self.optimizer.param_groups, self.min_lrs):
            old = float(group["lr"])
            new = max(old * self.factor, lowest)
            if old - new > self.eps:
                set_value(group, "lr", new)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave."""
        self.__dict__.update(state_dict)
