"""Adagrad."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import wrap
from .adam import tensor_steps
from .arrays import F32, F64, constants, gradient_of, in_parts, next_step
from .optimizer import Optimizer
from .options import check_at_least_zero, check_kinds, check_rate, number

_add, _multiply, _divide, _sqrt = np.add, np.multiply, np.divide, np.sqrt


class Adagrad(Optimizer):
    """Adagrad (Duchi, Hazan and Singer, 2011): steps by the gradient over the root of the sum of all its squares.

    lr                         the size of a step
    lr_decay                   how fast it falls with the number of steps
    weight_decay               adds this times the parameter to the gradient
    initial_accumulator_value  what the sum starts with
    eps                        added to the root
    maximize                   goes up rather than down

    Raises ValueError for options out of range.

    >>> import wengert
    >>> w = wengert.nn.Parameter(wengert.tensor([1.0]))
    >>> optimizer = wengert.optim.Adagrad([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    Parameter containing:
    tensor([0.9000], requires_grad=True)
    """

    _later = {"foreach": None, "maximize": False, "differentiable": False, "fused": None}  # noqa: RUF012

    def __init__(
        self, params: Any, lr: Any = 1e-2, lr_decay: float = 0, weight_decay: float = 0, initial_accumulator_value: float = 0,
        eps: float = 1e-10, foreach: bool | None = None, *, maximize: bool = False, differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:  # fmt: skip
        check_rate(lr)
        check_at_least_zero("lr_decay value", lr_decay)
        check_at_least_zero("weight_decay value", weight_decay)
        check_at_least_zero("initial_accumulator_value value", initial_accumulator_value)
        check_at_least_zero("epsilon value", eps)
        check_kinds(foreach, fused, differentiable)
        defaults = {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                state["step"] = wrap(np.zeros((), F32))
                start = initial_accumulator_value
                state["sum"] = wrap(np.full_like(p._array, complex(start, start) if p.is_complex() else start))

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        tensor_steps(self.state)

    def _update(self, group: dict[str, Any]) -> None:
        lr, eps, decay = number(group["lr"]), group["eps"], group["weight_decay"]
        known: dict[Any, Any] = {}
        for p in group["params"]:
            g = gradient_of(p)
            if g is None:
                continue
            state = self.state[p]
            t = next_step(state)
            a, total = p._array, state["sum"]
            d = a.dtype
            options = known.get((d, t))
            if options is None:
                options = known[d, t] = constants(d, -lr / (1 + (t - 1) * group["lr_decay"]), eps, decay)
            if group["maximize"]:
                g = np.negative(g, out=...)
            if d is F32 or d is F64:
                _step(a, total._array, g, *options)
            else:
                in_parts(_step, (a, total._array), g, *options)
            total._cell[0] += 1
            p._cell[0] += 1

    def _update_recorded(self, group: dict[str, Any]) -> None:
        lr = number(group["lr"])
        for p in group["params"]:
            g = p.grad
            if g is None:
                continue
            state = self.state[p]
            t = next_step(state)
            if group["maximize"]:
                g = -g
            if group["weight_decay"] != 0:
                g = g.add(p, alpha=group["weight_decay"])
            state["sum"] = total = state["sum"].addcmul(g, g)  # not in place: the step before this keeps it
            p.addcdiv_(g, total.sqrt().add(group["eps"]), value=-lr / (1 + (t - 1) * group["lr_decay"]))


def _step(a: Any, total: Any, g: Any, size: Any, eps: Any, decay: Any) -> None:
    """Step the array `a` with the gradient `g`; `total` is the sum of the squares."""
    if decay:
        work = _multiply(a, decay, out=...)
        g = _add(g, work, out=work)
    work = _multiply(g, g, out=...)
    _add(total, work, out=total)
    _sqrt(total, out=work)
    _add(work, eps, out=work)
    step = _multiply(g, size, out=...)
    _divide(step, work, out=step)
    _add(a, step, out=a)
