"""Stochastic gradient descent."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import wrap
from .optimizer import Optimizer, check_at_least_zero, gradient_of, number

_add, _subtract, _multiply = np.add, np.subtract, np.multiply


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum as in PyTorch: `v = momentum * v + (1 - dampening) * g; p -= lr * v`.

    lr            the step for a unit of gradient
    momentum      how much of the last step's velocity stays
    dampening     how much of the gradient is left out of the velocity
    weight_decay  adds this times the parameter to the gradient
    nesterov      looks one step ahead; needs momentum and no dampening
    maximize      goes up rather than down

    Raises ValueError for options out of range.

    >>> import wengert
    >>> w = wengert.nn.Parameter(wengert.tensor([1.0]))
    >>> optimizer = wengert.optim.SGD([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    Parameter containing:
    tensor([0.8000], requires_grad=True)
    """

    def __init__(
        self, params: Any, lr: Any = 1e-3, momentum: float = 0, dampening: float = 0, weight_decay: Any = 0,
        nesterov: bool = False, *, maximize: bool = False, foreach: bool | None = None, differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:  # fmt: skip
        check_at_least_zero(number(lr), "learning rate")
        check_at_least_zero(momentum, "momentum value")
        check_at_least_zero(weight_decay, "weight_decay value")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov,
            "maximize": maximize, "foreach": foreach, "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any]) -> None:
        lr = number(group["lr"])
        momentum, dampening, decay = group["momentum"], group["dampening"], group["weight_decay"]
        nesterov, maximize = group["nesterov"], group["maximize"]
        for p in group["params"]:
            g = gradient_of(p)
            if g is None:
                continue
            a = p._array
            fresh = False  # whether g is an array of our own, which may be written to
            if maximize:
                g, fresh = -g, True
            if decay != 0:
                d = _multiply(a, decay, out=...)
                g, fresh = _add(d, g, out=d), True
            if momentum != 0:
                state = self.state[p]
                held = state.get("momentum_buffer")
                if held is None:
                    v = g.copy()
                    state["momentum_buffer"] = wrap(v)
                else:
                    v = held._array
                    _multiply(v, momentum, out=v)
                    if dampening == 0:
                        _add(v, g, out=v)
                    else:
                        _add(v, g * (1 - dampening), out=v)
                    held._cell[0] += 1
                if nesterov:
                    d = _multiply(v, momentum, out=...)
                    g, fresh = _add(g, d, out=d), True
                else:
                    g, fresh = v, False
            step = _multiply(g, lr, out=g) if fresh else _multiply(g, lr, out=...)
            _subtract(a, step, out=a)
            p._cell[0] += 1
