"""LRScheduler: what all schedulers of learning rates share."""

from __future__ import annotations

import warnings
from typing import Any

from ...tensor import Tensor
from ..optimizer import Optimizer

EPOCH_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed form is used "
    "instead of the new chainable form, where available. Please open an issue if you are unable to replicate your use case: "
    "https://github.com/pytorch/pytorch/issues/new/choose."
)
_HOW_TO = "See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"


def copied(value: Any) -> Any:
    """A value that a later change in place of a tensor does not reach."""
    return value.clone() if isinstance(value, Tensor) else value


def set_value(group: dict[str, Any], key: str, value: Any) -> None:
    """Set an option of a group; a tensor is written to."""
    old = group[key]
    if isinstance(old, Tensor):
        old.fill_(value.item() if isinstance(value, Tensor) else value)
    else:
        group[key] = value


class LRScheduler:
    """Base of schedulers. A subclass defines `get_lr`, which gives the rates of the epoch `last_epoch`, one a group.

    optimizer   whose groups' "lr" is set
    last_epoch  the epoch that was the last, where training is taken up again; then the groups have an "initial_lr"

    Raises TypeError for what is no optimizer, KeyError where "initial_lr" is missing.
    """

    _get_lr_called_within_step = False
    _is_initial = False
    base_lrs: list[Any]

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        check_optimizer(optimizer)
        self.optimizer: Any = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", copied(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler with last_epoch >= 0.\nThis "
                    "typically happens when:\n1. You're trying to resume training from a checkpoint but haven't properly loaded the "
                    "optimizer state\n2. You're using last_epoch >= 0 for a fresh training run (not recommended)"
                )
        self.base_lrs = [copied(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._own_step = vars(optimizer).get("step")  # set by the user in place of the class's, if any
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        self._get_lr_called_within_step = False
        try:
            self.step()
        finally:
            self._is_initial = False

    def _take_back(self) -> None:
        """Undo the first step, which making the scheduler has done, in all but the rates."""
        self.last_epoch -= 1

    def _restart(self) -> None:
        """Start again, from the initial rates."""
        self._go_to(0)

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer."""
        return {k: v for k, v in self.__dict__.items() if k not in ("optimizer", "_own_step")}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave."""
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[Any]:
        """The rates that were set last, one a group."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """The rates of the epoch `last_epoch`, one a group: defined by subclasses, and called by `step`."""
        raise NotImplementedError(f"{type(self).__name__} defines no get_lr()")

    def _rates(self) -> list[Any]:
        """The groups' present rates."""
        return [copied(group["lr"]) for group in self.optimizer.param_groups]

    def _warn_outside_step(self) -> None:
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                UserWarning,
                stacklevel=3,
            )

    def step(self, epoch: int | None = None) -> None:
        """Go on to the next epoch, and set the optimizer's rates."""
        if self._step_count == 1:
            self._warn_of_order()
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_WARNING, UserWarning, stacklevel=2)
        self._go_to(epoch)

    def _warn_of_order(self) -> None:
        optimizer = self.optimizer
        if vars(optimizer).get("step") is not self._own_step:
            warnings.warn(
                "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. Please, make sure to "
                f"call `optimizer.step()` before `lr_scheduler.step()`. {_HOW_TO}",
                UserWarning,
                stacklevel=3,
            )
        elif not getattr(optimizer, "_opt_called", False):
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call them "
                "in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in PyTorch "
                f"skipping the first value of the learning rate schedule. {_HOW_TO}",
                UserWarning,
                stacklevel=3,
            )

    def _go_to(self, epoch: int | None = None) -> None:
        """Set the rates of the next epoch, or of the one given, by its closed form where there is one."""
        self._get_lr_called_within_step = True
        try:
            closed = getattr(self, "_get_closed_form_lr", None)
            if epoch is None:
                self.last_epoch += 1
                rates = self.get_lr()
            else:
                self.last_epoch = epoch
                rates = closed() if closed is not None else self.get_lr()
        finally:
            self._get_lr_called_within_step = False
        for group, rate in zip(self.optimizer.param_groups, rates):
            set_value(group, "lr", rate)
        self._last_lr = self._rates()


def check_optimizer(optimizer: Any) -> None:
    """Raise TypeError for what is no optimizer."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
