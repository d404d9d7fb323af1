"""Schedules that go round, or once up and down."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .base import LRScheduler, check_optimizer, set_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..optimizer import Optimizer


def _one_a_group(name: str, value: Any, optimizer: Optimizer) -> list[Any]:
    """A value for each group, from one for all or a list of them."""
    groups = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * groups
    if len(value) != groups:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} values, param_groups has {groups}."
        )
    return list(value)


def _uses_betas(optimizer: Optimizer) -> bool:
    """Whether the optimizer's momentum is the first of its betas.

    Raises ValueError where it has none.
    """
    if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
        raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
    return "betas" in optimizer.defaults


def _set_momentum(group: dict[str, Any], value: float, use_beta1: bool) -> None:
    if use_beta1:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value


class CosineAnnealingWarmRestarts(LRScheduler):
    """From the initial rate to `eta_min` along half a cosine, again and again.

    T_0     epochs of the first descent
    T_mult  how many times longer each descent is than the one before

    Loshchilov and Hutter, SGDR (2017). Raises ValueError for options out of range.
    """

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:  # fmt: skip
        if not isinstance(T_0, int) or T_0 <= 0:
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if not isinstance(T_mult, int) or T_mult < 1:
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: Any = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        low = self.eta_min
        return [low + (base - low) * (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2 for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Go on to the next epoch, or to the one given, which may be a fraction of an epoch further."""
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            if epoch < 0:
                raise ValueError(f"Expected non-negative epoch, but got {epoch}")
            self.T_i, self.T_cur = self.T_0, epoch
            if epoch >= self.T_0 and self.T_mult == 1:
                self.T_cur = epoch % self.T_0
            elif epoch >= self.T_0:
                n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
                self.T_cur = epoch - self.T_0 * (self.T_mult**n - 1) / (self.T_mult - 1)
                self.T_i = self.T_0 * self.T_mult**n
        self.last_epoch = math.floor(epoch)
        self._get_lr_called_within_step = True
        try:
            rates = self.get_lr()
        finally:
            self._get_lr_called_within_step = False
        for group, rate in zip(self.optimizer.param_groups, rates):
            set_value(group, "lr", rate)
        self._last_lr = self._rates()

    def _go_to(self, epoch: Any = None) -> None:
        self.step(epoch)


class CyclicLR(LRScheduler):
    """The rate goes up and down between two bounds, batch by batch; and the momentum the other way (Smith, 2017).

    base_lr, max_lr                the bounds, or one for each group
    step_size_up, step_size_down   how many steps it takes up, and down
    mode                           "triangular", "triangular2" (half as high each time) or "exp_range" (times gamma ** step)
    scale_fn, scale_mode           instead of a mode, a function of the number of the cycle, or with "iterations" of the step
    cycle_momentum                 whether the momentum goes too, between base_momentum and max_momentum

    Raises ValueError for options that do not fit.
    """

    def __init__(
        self, optimizer: Optimizer, base_lr: Any, max_lr: Any, step_size_up: int = 2000, step_size_down: int | None = None,
        mode: str = "triangular", gamma: float = 1.0, scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle", cycle_momentum: bool = True, base_momentum: Any = 0.8, max_momentum: Any = 0.9,
        last_epoch: int = -1,
    ) -> None:  # fmt: skip
        check_optimizer(optimizer)
        self.optimizer = optimizer
        base_lrs = _one_a_group("base_lr", base_lr, optimizer)
        if last_epoch == -1:
            for rate, group in zip(base_lrs, optimizer.param_groups):
                set_value(group, "lr", rate)
        self.max_lrs = _one_a_group("max_lr", max_lr, optimizer)
        up = float(step_size_up)
        down = float(step_size_down) if step_size_down is not None else up
        self.total_size = up + down
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self.scale_mode = scale_mode if scale_fn is not None or mode != "exp_range" else "iterations"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = _uses_betas(optimizer)
            self.base_momentums = _one_a_group("base_momentum", base_momentum, optimizer)
            self.max_momentums = _one_a_group("max_momentum", max_momentum, optimizer)
            if last_epoch == -1:
                for high, low, group in zip(self.max_momentums, self.base_momentums, optimizer.param_groups):
                    _set_momentum(group, high, self.use_beta1)
                    group["max_momentum"], group["base_momentum"] = high, low
        self._scale_fn_custom = scale_fn
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x: float) -> float:
        """By what the height of a cycle is multiplied."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        return 1 / (2.0 ** (x - 1)) if self.mode == "triangular2" else self.gamma**x

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for low, high, group in zip(self.base_momentums, self.max_momentums, self.optimizer.param_groups):
                _set_momentum(group, high - (high - low) * height * scale, self.use_beta1)
        return [base + (high - base) * height * scale for base, high in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer; of a scale function that is an object its attributes, of others None."""
        state = super().state_dict()
        function = state.pop("_scale_fn_custom")
        plain = function is None or hasattr(function, "__code__")
        state["_scale_fn_custom"] = None if plain else function.__dict__.copy()
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave."""
        state = dict(state_dict)
        attributes = state.pop("_scale_fn_custom")
        super().load_state_dict(state)
        if attributes is not None:
            self._scale_fn_custom.__dict__.update(attributes)


class OneCycleLR(LRScheduler):
    """The rate goes up once and down again, batch by batch; and the momentum the other way (Smith and Topin, 2019).

    max_lr                           the highest rate, or one for each group
    total_steps                      how many steps there are; or epochs and steps_per_epoch
    pct_start                        the share of the steps in which it rises
    anneal_strategy                  "cos" or "linear"
    cycle_momentum                   whether the momentum goes too, between max_momentum and base_momentum
    div_factor, final_div_factor     the highest rate over the first, and the first over the last
    three_phase                      first up, then as far down, then on to the last rate

    Raises ValueError for options out of range, and for more steps than there are.
    """

    def __init__(
        self, optimizer: Optimizer, max_lr: Any, total_steps: int | None = None, epochs: int | None = None,
        steps_per_epoch: int | None = None, pct_start: float = 0.3, anneal_strategy: str = "cos", cycle_momentum: bool = True,
        base_momentum: Any = 0.85, max_momentum: Any = 0.95, div_factor: float = 25.0, final_div_factor: float = 1e4,
        three_phase: bool = False, last_epoch: int = -1,
    ) -> None:  # fmt: skip
        check_optimizer(optimizer)
        self.optimizer = optimizer
        if total_steps is not None:
            _check_positive("total_steps", total_steps)
            self.total_steps = total_steps
        elif epochs is not None and steps_per_epoch is not None:
            _check_positive("epochs", epochs)
            _check_positive("steps_per_epoch", steps_per_epoch)
            self.total_steps = epochs * steps_per_epoch
        else:
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        end, rise = self.total_steps - 1, float(pct_start * self.total_steps) - 1
        if three_phase:
            self._schedule_phases = [
                _phase(rise, "initial_lr", "max_lr", "max_momentum", "base_momentum"),
                _phase(
                    float(2 * pct_start * self.total_steps) - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"
                ),
                _phase(end, "initial_lr", "min_lr", "max_momentum", "max_momentum"),
            ]
        else:
            self._schedule_phases = [
                _phase(rise, "initial_lr", "max_lr", "max_momentum", "base_momentum"),
                _phase(end, "max_lr", "min_lr", "base_momentum", "max_momentum"),
            ]
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_func_type = anneal_strategy
        highest = _one_a_group("max_lr", max_lr, optimizer)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, highest):
                group["initial_lr"] = rate / div_factor
                group["max_lr"] = rate
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = _uses_betas(optimizer)
            high, low = (
                _one_a_group(name, value, optimizer)
                for name, value in (("max_momentum", max_momentum), ("base_momentum", base_momentum))
            )
            if last_epoch == -1:
                for h, b, group in zip(high, low, optimizer.param_groups):
                    _set_momentum(group, h, self.use_beta1)
                    group["max_momentum"], group["base_momentum"] = h, b
        super().__init__(optimizer, last_epoch)

    def _between(self, start: float, end: float, share: float) -> float:
        if self._anneal_func_type == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        phases = self._schedule_phases
        start = 0.0
        for i, phase in enumerate(phases):
            end = phase["end_step"]
            if step <= end or i == len(phases) - 1:
                share = (step - start) / (end - start)
                break
            start = end
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._between(group[phase["start_lr"]], group[phase["end_lr"]], share))
            if self.cycle_momentum:
                value = self._between(group[phase["start_momentum"]], group[phase["end_momentum"]], share)
                _set_momentum(group, value, self.use_beta1)
        return rates


def _check_positive(name: str, value: Any) -> None:
    if value <= 0 or not isinstance(value, int):
        raise ValueError(f"Expected positive integer {name}, but got {value}")


def _phase(end: float, start_lr: str, end_lr: str, start_momentum: str, end_momentum: str) -> dict[str, Any]:
    return {
        "end_step": end, "start_lr": start_lr, "end_lr": end_lr, "start_momentum": start_momentum, "end_momentum": end_momentum,
    }  # fmt: skip
