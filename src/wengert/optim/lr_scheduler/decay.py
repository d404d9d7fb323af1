"""Schedules that multiply the rate from epoch to epoch.

Each has the rates of an epoch from those of the epoch before, so that schedules can be chained, and the closed form.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Any

from .base import LRScheduler

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..optimizer import Optimizer


class _ByFunction(LRScheduler):
    """A schedule by a function of the epoch, or one for each group."""

    lr_lambdas: list[Any]

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        self.optimizer = optimizer
        groups = len(optimizer.param_groups)
        if isinstance(lr_lambda, (list, tuple)):
            if len(lr_lambda) != groups:
                raise ValueError(f"Expected {groups} lr_lambdas, but got {len(lr_lambda)}")
            self.lr_lambdas = list(lr_lambda)
        else:
            self.lr_lambdas = [lr_lambda] * groups
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer; of functions that are objects their attributes, of others None."""
        state = super().state_dict()
        del state["lr_lambdas"]
        state["lr_lambdas"] = [None if hasattr(f, "__code__") else f.__dict__.copy() for f in self.lr_lambdas]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave."""
        attributes = state_dict["lr_lambdas"]
        super().load_state_dict({k: v for k, v in state_dict.items() if k != "lr_lambdas"})
        for function, found in zip(self.lr_lambdas, attributes):
            if found is not None:
                function.__dict__.update(found)


class LambdaLR(_ByFunction):
    """The initial rate times a function of the epoch.

    >>> import wengert
    >>> optimizer = wengert.optim.SGD([wengert.nn.Parameter(wengert.ones(1))], lr=1.0)
    >>> scheduler = wengert.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.5**epoch)
    >>> optimizer.step()
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        return [base * f(self.last_epoch) for f, base in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(_ByFunction):
    """The rate times a function of the epoch, at each epoch."""

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        if self._is_initial:
            return self._rates()
        return [rate * f(self.last_epoch) for f, rate in zip(self.lr_lambdas, self._rates())]


class StepLR(LRScheduler):
    """The rate times gamma every `step_size` epochs.

    >>> import wengert
    >>> optimizer = wengert.optim.SGD([wengert.nn.Parameter(wengert.ones(1))], lr=1.0)
    >>> scheduler = wengert.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [1.0, 1.0, 0.5, 0.5]
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        rates = self._rates()
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return rates
        return [rate * self.gamma for rate in rates]

    def _get_closed_form_lr(self) -> list[Any]:
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """The rate times gamma at each of the epochs given."""

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        rates = self._rates()
        if self.last_epoch not in self.milestones:
            return rates
        return [rate * self.gamma ** self.milestones[self.last_epoch] for rate in rates]

    def _get_closed_form_lr(self) -> list[Any]:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """The initial rate times a factor for the first `total_iters` epochs.

    Raises ValueError unless the factor is between 0 and 1.
    """

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if not 0 <= factor <= 1.0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        rates = self._rates()
        if self.last_epoch == 0:
            return [rate * self.factor for rate in rates]
        if self.last_epoch != self.total_iters:
            return rates
        return [rate * (1.0 / self.factor) for rate in rates]

    def _get_closed_form_lr(self) -> list[Any]:
        factor = self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)
        return [base * factor for base in self.base_lrs]


class LinearLR(LRScheduler):
    """The initial rate times a factor that goes linearly from one number to another in `total_iters` epochs.

    Raises ValueError for factors that are not between 0 and 1.
    """

    def __init__(
        self, optimizer: Optimizer, start_factor: float = 1.0 / 3, end_factor: float = 1.0, total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:  # fmt: skip
        if not 0 < start_factor <= 1.0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if not 0 <= end_factor <= 1.0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        rates = self._rates()
        if self.last_epoch == 0:
            return [rate * self.start_factor for rate in rates]
        if self._is_initial or self.last_epoch > self.total_iters:
            return rates
        rise = self.end_factor - self.start_factor
        factor = 1.0 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise)
        return [rate * factor for rate in rates]

    def _get_closed_form_lr(self) -> list[Any]:
        rise = self.end_factor - self.start_factor
        passed = min(self.total_iters, self.last_epoch)
        return [base * (self.start_factor + rise * passed / self.total_iters) for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """The rate times gamma at each epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        rates = self._rates()
        return rates if self._is_initial else [rate * self.gamma for rate in rates]

    def _get_closed_form_lr(self) -> list[Any]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """The initial rate times `(1 - epoch / total_iters) ** power`, and 0 from `total_iters` on."""

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        rates = self._rates()
        if self._is_initial or self.last_epoch > self.total_iters:
            return rates
        left, before = (1.0 - t / self.total_iters for t in (self.last_epoch, self.last_epoch - 1))
        return [rate * (left / before) ** self.power for rate in rates]

    def _get_closed_form_lr(self) -> list[Any]:
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * left**self.power for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """From the initial rate to `eta_min` along half a cosine in `T_max` epochs, and back.

    Loshchilov and Hutter, SGDR (2017), without restarts.
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        rates = self._rates()
        if self._is_initial:
            return rates
        low, t, half = self.eta_min, self.last_epoch, self.T_max
        if self._step_count == 1 and t > 0:
            return self._get_closed_form_lr()
        if (t - 1 - half) % (2 * half) == 0:  # out of the minimum, where the ratio below has no value
            return [
                rate + (base - low) * (1 - math.cos(math.pi / half)) / 2 for base, rate in zip(self.base_lrs, rates)
            ]
        here, before = (1 + math.cos(math.pi * e / half) for e in (t, t - 1))
        return [here / before * (rate - low) + low for rate in rates]

    def _get_closed_form_lr(self) -> list[Any]:
        low = self.eta_min
        return [
            low + (base - low) * (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2 for base in self.base_lrs
        ]
