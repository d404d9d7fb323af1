"""Adam, and AdamW, whose weight decay stands apart from the gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import Tensor, wrap
from .arrays import F32, F64, constants, gradient_of, in_parts, next_step, zeros_like
from .optimizer import Optimizer
from .options import check_at_least_zero, check_kinds, check_rate, number

_add, _subtract, _multiply, _divide, _sqrt, _maximum = np.add, np.subtract, np.multiply, np.divide, np.sqrt, np.maximum


class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015): steps by the running mean of the gradient over the root of that of its square.

    lr            the size of a step
    betas         how much of the running means stays at each step
    eps           added to the root
    weight_decay  adds this times the parameter to the gradient (or, decoupled, shrinks the parameter)
    amsgrad       divides by the largest root so far
    maximize      goes up rather than down

    Raises ValueError for options out of range.

    >>> import wengert
    >>> w = wengert.nn.Parameter(wengert.tensor([1.0]))
    >>> optimizer = wengert.optim.Adam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    Parameter containing:
    tensor([0.9000], requires_grad=True)
    """

    _later = {  # noqa: RUF012
        "amsgrad": False, "maximize": False, "foreach": None, "capturable": False, "differentiable": False,
        "decoupled_weight_decay": False, "fused": None,
    }  # fmt: skip

    def __init__(
        self, params: Any, lr: Any = 1e-3, betas: tuple[Any, Any] = (0.9, 0.999), eps: float = 1e-8, weight_decay: float = 0,
        amsgrad: bool = False, *, foreach: bool | None = None, maximize: bool = False, capturable: bool = False,
        differentiable: bool = False, fused: bool | None = None, decoupled_weight_decay: bool = False,
    ) -> None:  # fmt: skip
        if isinstance(lr, Tensor) and foreach and not capturable:
            raise ValueError("lr as a Tensor is not supported for capturable=False and foreach=True")
        check_rate(lr)
        check_at_least_zero("epsilon value", eps)
        for i in (0, 1):
            if not 0.0 <= betas[i] < 1.0:
                raise ValueError(f"Invalid beta parameter at index {i}: {betas[i]}")
        check_at_least_zero("weight_decay value", weight_decay)
        check_kinds(foreach, fused, differentiable)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad, "maximize": maximize,
            "foreach": foreach, "capturable": capturable, "differentiable": differentiable, "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }  # fmt: skip
        super().__init__(params, defaults)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        tensor_steps(self.state)

    def _state_of(self, p: Tensor, amsgrad: bool) -> dict[str, Any]:
        state = self.state[p]
        if not state:
            state["step"] = wrap(np.zeros((), F32))
            state["exp_avg"] = zeros_like(p)
            state["exp_avg_sq"] = zeros_like(p)
            if amsgrad:
                state["max_exp_avg_sq"] = zeros_like(p)
        return state

    def _update(self, group: dict[str, Any]) -> None:
        lr, eps, decay = number(group["lr"]), group["eps"], group["weight_decay"]
        beta1, beta2 = (number(b) for b in group["betas"])
        amsgrad, maximize, decoupled = group["amsgrad"], group["maximize"], group["decoupled_weight_decay"]
        known: dict[Any, Any] = {}
        for p in group["params"]:
            g = gradient_of(p)
            if g is None:
                continue
            state = self._state_of(p, amsgrad)
            t = next_step(state)
            a = p._array
            d = a.dtype
            options = known.get((d, t))
            if options is None:
                size, root = -lr / (1 - beta1**t), (1 - beta2**t) ** 0.5
                shrink = 1 - lr * decay if decoupled else decay
                options = known[d, t] = constants(d, 1 - beta1, beta2, 1 - beta2, size, root, eps, shrink)
            mean, square = state["exp_avg"], state["exp_avg_sq"]
            largest = None
            if amsgrad:
                top = state["max_exp_avg_sq"]
                top._cell[0] += 1
                largest = top._array
            if maximize:
                g = np.negative(g, out=...)
            if d is F32 or d is F64:
                _step(a, mean._array, square._array, largest, g, *options, decay != 0, decoupled)  # type: ignore[call-arg]
            else:
                writes = (a, mean._array, square._array, largest)
                in_parts(_step, writes, g, *options, decay != 0, decoupled)
            mean._cell[0] += 1
            square._cell[0] += 1
            p._cell[0] += 1

    def _update_recorded(self, group: dict[str, Any]) -> None:
        lr, decay = group["lr"], group["weight_decay"]
        beta1, beta2 = (number(b) for b in group["betas"])
        for p in group["params"]:
            g = p.grad
            if g is None:
                continue
            state = self._state_of(p, group["amsgrad"])
            t = next_step(state)
            if group["maximize"]:
                g = -g
            if decay != 0:
                if group["decoupled_weight_decay"]:
                    p.mul_(1 - lr * decay)
                else:
                    g = g.add(p, alpha=decay)
            # not in place: the step before this keeps them
            state["exp_avg"] = mean = state["exp_avg"].lerp(g, 1 - beta1)
            state["exp_avg_sq"] = square = (state["exp_avg_sq"] * beta2).addcmul(g, g.conj(), value=1 - beta2)
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = square = state["max_exp_avg_sq"].maximum(square)
            denominator = (square.sqrt() / (1 - beta2**t) ** 0.5).add(group["eps"])
            p.addcdiv_(mean * (-lr / (1 - beta1**t)), denominator)


class AdamW(Adam):
    """Adam with decoupled weight decay (Loshchilov and Hutter, 2019): the parameter shrinks by lr times weight_decay.

    Options as of `Adam`.

    >>> import wengert
    >>> w = wengert.nn.Parameter(wengert.tensor([1.0]))
    >>> wengert.optim.AdamW([w], lr=0.1).defaults["weight_decay"]
    0.01
    """

    _later = {**Adam._later, "decoupled_weight_decay": True}  # noqa: RUF012

    def __init__(
        self, params: Any, lr: Any = 1e-3, betas: tuple[Any, Any] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 1e-2, amsgrad: bool = False, *, maximize: bool = False, foreach: bool | None = None,
        capturable: bool = False, differentiable: bool = False, fused: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable,
            differentiable=differentiable, fused=fused, decoupled_weight_decay=True,
        )  # fmt: skip


def tensor_steps(states: Any) -> None:
    """Make the counts of steps tensors, which in old states are numbers."""
    for state in states.values():
        if isinstance(state, dict) and "step" in state and not isinstance(state["step"], Tensor):
            state["step"] = wrap(np.array(float(state["step"]), F32))


def _step(
    a: Any, mean: Any, square: Any, largest: Any, g: Any, rate1: Any, beta2: Any, rate2: Any, size: Any, root: Any, eps: Any,
    shrink: Any, decays: bool, decoupled: bool,
) -> None:  # fmt: skip
    """Step the array `a` with the gradient `g`, in the order in which PyTorch rounds."""
    if decays:
        if decoupled:
            _multiply(a, shrink, out=a)
        else:
            decay = _multiply(a, shrink, out=...)
            g = _add(g, decay, out=decay)
    work = _subtract(g, mean, out=...)
    _multiply(work, rate1, out=work)
    _add(mean, work, out=mean)
    _multiply(square, beta2, out=square)
    _multiply(g, rate2, out=work)
    _multiply(work, g, out=work)
    _add(square, work, out=square)
    if largest is not None:
        square = _maximum(largest, square, out=largest)
    _sqrt(square, out=work)
    _divide(work, root, out=work)
    _add(work, eps, out=work)
    step = _multiply(mean, size, out=...)
    _divide(step, work, out=step)
    _add(a, step, out=a)
