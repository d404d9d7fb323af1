"""Stochastic gradient descent."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.node import AccumulateGrad
from ..tensor import Tensor, wrap
from .arrays import F32, F64, constants, gradient_of, in_parts
from .optimizer import Optimizer
from .options import check_at_least_zero, check_kinds, check_rate, number

_add, _subtract, _multiply, _negative = np.add, np.subtract, np.multiply, np.negative


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

    _later = {"nesterov": False, "maximize": False, "foreach": None, "differentiable": False, "fused": False}  # noqa: RUF012

    def __init__(
        self, params: Any, lr: Any = 1e-3, momentum: float = 0, dampening: float = 0, weight_decay: Any = 0,
        nesterov: bool = False, *, maximize: bool = False, foreach: bool | None = None, differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:  # fmt: skip
        check_rate(lr)
        check_at_least_zero("momentum value", momentum)
        check_at_least_zero("weight_decay value", weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        check_kinds(foreach, fused, differentiable)
        defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov,
            "maximize": maximize, "foreach": foreach, "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any]) -> None:
        momentum, decay, lr = number(group["momentum"]), number(group["weight_decay"]), number(group["lr"])
        keep, nesterov, maximize = 1 - group["dampening"], group["nesterov"], group["maximize"]
        if not (momentum or decay or maximize):
            _descend(group["params"], lr)
            return
        known: dict[Any, Any] = {}
        for p in group["params"]:
            g = gradient_of(p)
            if g is None:
                continue
            a = p._array
            d = a.dtype
            options = known.get(d)
            if options is None:
                options = known[d] = constants(d, lr, momentum, keep, decay)
            v: Any = None
            first = False
            if momentum != 0:
                state = self.state[p]
                held: Any = state.get("momentum_buffer")
                first = held is None
                if first:
                    held = state["momentum_buffer"] = wrap(np.empty_like(a))
                v = held._array
                held._cell[0] += 1
            if d is F32 or d is F64:
                _step(a, v, g, *options, first, nesterov, maximize)  # type: ignore[call-arg]
            else:
                in_parts(_step, (a, v), g, *options, first, nesterov, maximize)
            p._cell[0] += 1

    def _update_recorded(self, group: dict[str, Any]) -> None:
        momentum, lr = group["momentum"], group["lr"]
        for p in group["params"]:
            g = p.grad
            if g is None:
                continue
            if group["maximize"]:
                g = -g
            if group["weight_decay"] != 0:
                g = g.add(p * group["weight_decay"])
            if momentum != 0:
                state = self.state[p]
                v = state.get("momentum_buffer")
                if v is None:
                    v = state["momentum_buffer"] = g.detach().clone()
                else:
                    v.mul_(momentum).add_(g, alpha=1 - group["dampening"])
                g = g.add(v, alpha=momentum) if group["nesterov"] else v
            if isinstance(lr, Tensor):
                p.addcmul_(g, lr, value=-1)
            else:
                p.add_(g, alpha=-lr)


def _descend(params: list[Any], lr: Any) -> None:
    """The step without momentum, weight decay and the like."""
    rate32, rate64 = np.array(lr, F32), np.array(lr, F64)
    for p in params:
        edge = p._edge
        grad = edge.grad if type(edge) is AccumulateGrad else p.grad
        if grad is None:
            continue
        a = p._array
        d = a.dtype
        if d is F32:
            _subtract(a, _multiply(grad._array, rate32, out=...), out=a)
        elif d is F64:
            _subtract(a, _multiply(grad._array, rate64, out=...), out=a)
        else:
            in_parts(_step, (a, None), grad._array, lr, 0, 1, 0, False, False, False)
        p._cell[0] += 1


def _step(
    a: Any, v: Any, g: Any, lr: Any, momentum: Any, keep: Any, decay: Any, first: bool, nesterov: bool, maximize: bool
) -> None:
    """Step the array `a` with the gradient `g`; `v` is the velocity, which `first` sets; None without momentum."""
    own = None  # an array to write to
    if maximize:
        g = own = _negative(g, out=...)
    if decay:
        own = _multiply(a, decay, out=...)
        g = _add(g, own, out=own)
    if v is not None:
        if first:
            v[...] = g
        else:
            _multiply(v, momentum, out=v)
            _add(v, g if keep == 1 else _multiply(g, keep, out=...), out=v)
        if nesterov:
            step = _multiply(v, momentum, out=...)
            g = own = _add(g, step, out=step)
        else:
            g, own = v, None
    step = _multiply(g, lr, out=... if own is None else own)
    _subtract(a, step, out=a)
