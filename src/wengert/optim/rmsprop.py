"""RMSprop."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import Tensor, wrap
from .adam import tensor_steps
from .arrays import F32, F64, constants, gradient_of, in_parts, next_step, zeros_like
from .optimizer import Optimizer
from .options import check_at_least_zero, check_rate, number

_add, _subtract, _multiply, _divide, _sqrt = np.add, np.subtract, np.multiply, np.divide, np.sqrt


class RMSprop(Optimizer):
    """RMSprop (Hinton): steps by the gradient over the root of the running mean of its square.

    lr            the size of a step
    alpha         how much of the running mean stays at each step
    eps           added to the root
    weight_decay  adds this times the parameter to the gradient
    momentum      how much of the last step stays
    centered      divides by the standard deviation instead, from a running mean of the gradient too
    maximize      goes up rather than down

    Raises ValueError for options out of range.

    >>> import wengert
    >>> w = wengert.nn.Parameter(wengert.tensor([1.0]))
    >>> optimizer = wengert.optim.RMSprop([w], lr=0.01)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    Parameter containing:
    tensor([0.9000], requires_grad=True)
    """

    _later = {  # noqa: RUF012
        "momentum": 0, "centered": False, "foreach": None, "maximize": False, "differentiable": False, "capturable": False,
    }  # fmt: skip

    def __init__(
        self, params: Any, lr: Any = 1e-2, alpha: float = 0.99, eps: float = 1e-8, weight_decay: float = 0,
        momentum: float = 0, centered: bool = False, capturable: bool = False, foreach: bool | None = None,
        maximize: bool = False, differentiable: bool = False,
    ) -> None:  # fmt: skip
        check_rate(lr)
        check_at_least_zero("epsilon value", eps)
        check_at_least_zero("momentum value", momentum)
        check_at_least_zero("weight_decay value", weight_decay)
        check_at_least_zero("alpha value", alpha)
        defaults = {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered, "weight_decay": weight_decay,
            "capturable": capturable, "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        tensor_steps(self.state)

    def _state_of(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        state = self.state[p]
        if not state:
            state["step"] = wrap(np.zeros((), F32))
            state["square_avg"] = zeros_like(p)
            if group["momentum"] > 0:
                state["momentum_buffer"] = zeros_like(p)
            if group["centered"]:
                state["grad_avg"] = zeros_like(p)
        return state

    def _update(self, group: dict[str, Any]) -> None:
        lr, alpha, eps, decay = number(group["lr"]), group["alpha"], group["eps"], group["weight_decay"]
        momentum, centered, maximize = group["momentum"], group["centered"], group["maximize"]
        known: dict[Any, Any] = {}
        for p in group["params"]:
            g = gradient_of(p)
            if g is None:
                continue
            state = self._state_of(p, group)
            next_step(state)
            a = p._array
            d = a.dtype
            options = known.get(d)
            if options is None:
                options = known[d] = constants(d, -lr, alpha, 1 - alpha, eps, decay, momentum)
            held = [
                state["square_avg"],
                state["grad_avg"] if centered else None,
                state["momentum_buffer"] if momentum > 0 else None,
            ]
            writes = (a, *[None if x is None else x._array for x in held])
            if maximize:
                g = np.negative(g, out=...)
            if d is F32 or d is F64:
                _step(*writes, g, *options)  # type: ignore[call-arg]
            else:
                in_parts(_step, writes, g, *options)
            for x in (p, *held):
                if x is not None:
                    x._cell[0] += 1

    def _update_recorded(self, group: dict[str, Any]) -> None:
        lr, alpha, momentum = number(group["lr"]), group["alpha"], group["momentum"]
        for p in group["params"]:
            g = p.grad
            if g is None:
                continue
            state = self._state_of(p, group)
            next_step(state)
            if group["maximize"]:
                g = -g
            if group["weight_decay"] != 0:
                g = g.add(p, alpha=group["weight_decay"])
            # not in place: the step before this keeps them
            state["square_avg"] = square = (state["square_avg"] * alpha).addcmul(g, g, value=1 - alpha)
            if group["centered"]:
                state["grad_avg"] = mean = state["grad_avg"].lerp(g, 1 - alpha)
                square = square.addcmul(mean, mean, value=-1)
            denominator = square.sqrt().add(group["eps"])
            if momentum > 0:
                state["momentum_buffer"] = step = (state["momentum_buffer"] * momentum).addcdiv(g, denominator)
                p.add_(step, alpha=-lr)
            else:
                p.addcdiv_(g, denominator, value=-lr)


def _step(
    a: Any,
    square: Any,
    mean: Any,
    last: Any,
    g: Any,
    size: Any,
    alpha: Any,
    rate: Any,
    eps: Any,
    decay: Any,
    momentum: Any,
) -> None:
    """Step the array `a` with the gradient `g`; `mean` is None unless centered, `last` without momentum."""
    if decay:
        work = _multiply(a, decay, out=...)
        g = _add(g, work, out=work)
    _multiply(square, alpha, out=square)
    work = _multiply(g, rate, out=...)
    _multiply(work, g, out=work)
    _add(square, work, out=square)
    if mean is not None:
        _subtract(g, mean, out=work)
        _multiply(work, rate, out=work)
        _add(mean, work, out=mean)
        _multiply(mean, mean, out=work)
        _subtract(square, work, out=work)
        _sqrt(work, out=work)
    else:
        _sqrt(square, out=work)
    _add(work, eps, out=work)
    if last is not None:
        _multiply(last, momentum, out=last)
        _divide(g, work, out=work)
        _add(last, work, out=last)
        step = _multiply(last, size, out=work)
    else:
        step = _multiply(g, size, out=...)
        _divide(step, work, out=step)
    _add(a, step, out=a)
