"""Adam, and AdamW, whose weight decay stands apart from the gradient."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..tensor import wrap
from .optimizer import Optimizer, check_at_least_zero, gradient_of, number

_add, _subtract, _multiply, _divide, _sqrt = np.add, np.subtract, np.multiply, np.divide, np.sqrt


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

    def __init__(
        self, params: Any, lr: Any = 1e-3, betas: tuple[Any, Any] = (0.9, 0.999), eps: float = 1e-8, weight_decay: float = 0,
        amsgrad: bool = False, *, foreach: bool | None = None, maximize: bool = False, capturable: bool = False,
        differentiable: bool = False, fused: bool | None = None, decoupled_weight_decay: bool = False,
    ) -> None:  # fmt: skip
        check_at_least_zero(number(lr), "learning rate")
        check_at_least_zero(eps, "epsilon value")
        for i, beta in enumerate(betas):
            if not 0.0 <= number(beta) < 1.0:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
        check_at_least_zero(weight_decay, "weight_decay value")
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad, "maximize": maximize,
            "foreach": foreach, "capturable": capturable, "differentiable": differentiable, "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any]) -> None:
        lr, eps, decay = number(group["lr"]), group["eps"], group["weight_decay"]
        beta1, beta2 = (number(b) for b in group["betas"])
        decoupled, amsgrad, maximize = group["decoupled_weight_decay"], group["amsgrad"], group["maximize"]
        for p in group["params"]:
            g = gradient_of(p)
            if g is None:
                continue
            a = p._array
            if a.dtype.kind == "c":
                raise NotImplementedError(
                    "Adam does not step complex parameters in wengert; use view_as_real parameters"
                )
            state = self.state[p]
            if not state:
                state["step"] = wrap(np.zeros((), np.float32))
                state["exp_avg"] = wrap(np.zeros_like(a))
                state["exp_avg_sq"] = wrap(np.zeros_like(a))
                if amsgrad:
                    state["max_exp_avg_sq"] = wrap(np.zeros_like(a))
            count = state["step"]._array
            count += 1
            t = float(count)
            if maximize:
                g = -g
            if decay != 0:
                if decoupled:
                    _multiply(a, 1 - lr * decay, out=a)
                else:
                    d = _multiply(a, decay, out=...)
                    g = _add(d, g, out=d)
            m, v = state["exp_avg"]._array, state["exp_avg_sq"]._array
            work = _subtract(g, m, out=...)  # m += (g - m) * (1 - beta1)
            _multiply(work, 1 - beta1, out=work)
            _add(m, work, out=m)
            _multiply(v, beta2, out=v)
            _multiply(g, g, out=work)
            _multiply(work, 1 - beta2, out=work)
            _add(v, work, out=v)
            size = lr / (1 - beta1**t)
            root2 = math.sqrt(1 - beta2**t)
            top = v
            if amsgrad:
                top = state["max_exp_avg_sq"]._array
                np.maximum(top, v, out=top)
            _sqrt(top, out=work)
            _divide(work, root2, out=work)
            _add(work, eps, out=work)
            _divide(m, work, out=work)
            _multiply(work, size, out=work)
            _subtract(a, work, out=a)
            p._cell[0] += 1


class AdamW(Adam):
    """Adam with decoupled weight decay (Loshchilov and Hutter, 2019): the parameter shrinks by lr times weight_decay.

    Options as of `Adam`.

    >>> import wengert
    >>> w = wengert.nn.Parameter(wengert.tensor([1.0]))
    >>> wengert.optim.AdamW([w], lr=0.1).defaults["weight_decay"]
    0.01
    """

    def __init__(
        self, params: Any, lr: Any = 1e-3, betas: tuple[Any, Any] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 1e-2, amsgrad: bool = False, *, maximize: bool = False, foreach: bool | None = None,
        capturable: bool = False, differentiable: bool = False, fused: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable,
            differentiable=differentiable, fused=fused, decoupled_weight_decay=True,
        )  # fmt: skip
