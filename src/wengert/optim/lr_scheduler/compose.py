"""Schedules made of schedules."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from .base import LRScheduler, set_value
from .plateau import ReduceLROnPlateau

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..optimizer import Optimizer


def _check(name: str, empty: str, schedulers: Sequence[Any], optimizer: Any) -> Any:
    """The one optimizer of the schedulers.

    Raises ValueError or TypeError where there is no scheduler, or one that cannot be part of another.
    """
    if not schedulers:
        raise ValueError(f"{name} expects at least one scheduler{empty}, but got no scheduler.")
    optimizer = optimizer or getattr(schedulers[0], "optimizer", None)
    for i, scheduler in enumerate(schedulers):
        if not hasattr(scheduler, "optimizer"):
            raise TypeError(f"{name} at index {i} should have `optimizer` as its attribute.")
        if isinstance(scheduler, ReduceLROnPlateau):
            raise ValueError(
                f"{name} does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to be specified when "
                f"calling `step`, but got one at index {i} in the given schedulers sequence."
            )
        if optimizer is not scheduler.optimizer:
            raise ValueError(
                f"{name} expects all schedulers to belong to the same optimizer, but got scheduler {type(scheduler).__name__} at "
                f"index {i} has {scheduler.optimizer}, which is different from {type(optimizer).__name__}."
            )
    return optimizer


def _set_initial(optimizer: Any) -> None:
    for group in optimizer.param_groups:
        set_value(group, "lr", group["initial_lr"])


class _Composed(LRScheduler):
    _schedulers: list[Any]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer, with the states of the schedulers."""
        state = {k: v for k, v in self.__dict__.items() if k not in ("optimizer", "_schedulers")}
        state["_schedulers"] = [s.state_dict() for s in self._schedulers]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave."""
        states = state_dict["_schedulers"]
        self.__dict__.update({k: v for k, v in state_dict.items() if k != "_schedulers"})
        for scheduler, state in zip(self._schedulers, states):
            scheduler.load_state_dict(state)


class SequentialLR(_Composed):
    """Schedules one after the other; each after the first starts at one of the milestones.

    Raises ValueError or TypeError where the schedulers do not fit together.
    """

    def __init__(
        self, optimizer: Optimizer, schedulers: list[LRScheduler], milestones: list[int], last_epoch: int = -1
    ) -> None:
        _check("SequentialLR", "", schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone points, but "
                f"got number of schedulers {len(schedulers)} and the number of milestones to be equal to {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        _set_initial(optimizer)
        for scheduler in schedulers:
            scheduler._take_back()
        self._begin()

    def _begin(self) -> None:
        self._schedulers[0]._initial_step()
        self._last_lr = self._schedulers[0].get_last_lr()

    def _initial_step(self) -> None:
        self.last_epoch += 1
        self._begin()

    def _take_back(self) -> None:
        self.last_epoch -= 1
        self._schedulers[0]._take_back()

    def _restart(self) -> None:
        self.last_epoch = 0
        self._schedulers[0]._restart()
        self._last_lr = self._schedulers[0].get_last_lr()

    def step(self, epoch: int | None = None) -> None:
        """Go on to the next epoch, and set the optimizer's rates; an epoch cannot be chosen."""
        self.last_epoch += 1
        i = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[i]
        if i > 0 and self._milestones[i - 1] == self.last_epoch:
            scheduler._restart()
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_Composed):
    """Several schedules at once: the rate is changed by each in turn.

    Raises ValueError or TypeError where the schedulers do not fit together.
    """

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None) -> None:
        self.optimizer = _check("ChainedScheduler", " to be chained", schedulers, optimizer)
        self._schedulers = list(schedulers)
        self._last_lr = self._rates()

    def _initial_step(self) -> None:
        for scheduler in self._schedulers:
            scheduler._initial_step()
        self._last_lr = self._rates()

    def _take_back(self) -> None:
        for scheduler in self._schedulers:
            scheduler._take_back()

    def _restart(self) -> None:
        _set_initial(self.optimizer)
        for scheduler in self._schedulers:
            scheduler.last_epoch = -1
        self._initial_step()

    def step(self) -> None:  # type: ignore[override]
        """Go on to the next epoch, and set the optimizer's rates."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = self._rates()
