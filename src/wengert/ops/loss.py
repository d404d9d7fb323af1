"""Losses that compare numbers with numbers, and what all losses share."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from .. import dtypes
from ..autograd.modes import no_grad
from ..dtype_names import scalar_name
from ..tensor import Tensor
from .adding import add_squares, add_up
from .comparison import le
from .complex_numbers import abs
from .declare import F32, diagonal, general
from .functions import exp, log
from .reduction import mean, sum
from .selection import choose

# ------------------------------------------------------------------------------------------------ what all losses share


def reduction_of(reduction: Any, size_average: Any = None, reduce: Any = None) -> str:
    """How a loss is reduced, checked: "none", "mean" or "sum"; the two old arguments stand for one of them.

    Raises ValueError for anything else.
    """
    if size_average is not None or reduce is not None:
        average = True if size_average is None else size_average
        chosen = ("mean" if average else "sum") if reduce is None or reduce else "none"
        warnings.warn(
            f"size_average and reduce args will be deprecated, please use reduction='{chosen}' instead.",
            UserWarning,
            stacklevel=3,
        )
        return chosen
    if reduction in ("mean", "sum", "none"):
        return reduction
    if reduction == "elementwise_mean":
        warnings.warn(
            "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.",
            UserWarning,
            stacklevel=3,
        )
        return "mean"
    raise ValueError(f"{reduction} is not a valid value for reduction; it is one of 'none', 'mean' and 'sum'")


def reduced(loss: Tensor, reduction: str) -> Tensor:
    """A loss of each element, reduced."""
    return mean(loss) if reduction == "mean" else sum(loss) if reduction == "sum" else loss


def condense(values: Any, reduction: str) -> Any:
    """An array of the losses of the elements, reduced; half precision is added in single."""
    if reduction == "none":
        return values
    d = values.dtype
    total = add_up(values if d.itemsize > 2 else values.astype(F32))
    return np.asarray(total / values.size if reduction == "mean" else total, d)


def share(t: Any, shape: tuple[int, ...], reduction: str) -> Any:
    """The cotangent of each element's loss, before broadcasting, from that of the reduced loss."""
    return t * (1.0 / max(math.prod(shape), 1)) if reduction == "mean" else t


def only_floats(kernel: str) -> Any:
    """The check of a loss that is computed for real floating-point numbers only."""

    def check(*inputs: Any) -> None:
        common = dtypes.common_type([x for x in inputs if x is not None])
        if not common.is_floating_point:
            raise NotImplementedError(
                f"\"{kernel}\" not implemented for '{scalar_name(common)}'; convert to a floating-point type first"
            )

    return check


def not_a_tensor(x: object) -> AttributeError:
    """PyTorch's error for a target that is a number."""
    return AttributeError(
        f"'{type(x).__name__}' object has no attribute 'size': the target must be a tensor; wengert.tensor makes one"
    )


def same_size(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Input and target of one shape: broadcast, with PyTorch's warning, where they differ.

    Raises RuntimeError if they do not broadcast.
    """
    if not isinstance(target, Tensor):
        raise not_a_tensor(target)
    if input._array.shape == target._array.shape:
        return input, target
    from ..size import Size

    warnings.warn(
        f"Using a target size ({Size(target._array.shape)}) that is different to the input size "
        f"({Size(input._array.shape)}). This "
        "will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
        UserWarning,
        stacklevel=3,
    )
    return stretched(input, target)


def stretched(*tensors: Tensor) -> tuple[Any, ...]:
    """Tensors broadcast to one shape.

    Raises RuntimeError if their shapes do not broadcast.
    """
    from .declare import check_broadcast

    shapes = [x._array.shape for x in tensors]
    check_broadcast(shapes)
    shape = np.broadcast_shapes(*shapes)
    return tuple(x if x._array.shape == shape else x.expand(shape) for x in tensors)


# ------------------------------------------------------------------------------------------------ declarations


def _squared(a: Any, b: Any, reduction: str) -> Any:
    d = np.subtract(a, b, out=...)
    if reduction != "none" and d.dtype.itemsize > 2:
        row = d.reshape(-1)
        total = row.dot(row) if d.size <= 4096 else add_squares(row)
        return np.asarray(total / (d.size or math.nan) if reduction == "mean" else total, d.dtype)
    return condense(np.square(d, out=...), reduction)


_mse = general(
    "mse_loss", _squared,
    {
        "self": lambda F, t, self, target, reduction: share(2 * t, self.shape, reduction) * (self - target),
        "target": lambda F, t, self, target, reduction: share(2 * t, self.shape, reduction) * (target - self),
    },
    ("reduction",), promote="common", check=only_floats("mse_cpu"), node="MseLossBackward0",
)  # fmt: skip


def _x_log_y(a: Any, b: Any) -> Any:
    return np.where((a == 0) & ~np.isnan(b), np.zeros((), a.dtype), a * np.log(b))


#: self * log(other), and 0 where self is 0 whatever the logarithm
_xlogy = diagonal(
    "x_log_y",
    _x_log_y,
    lambda F, t, self, other: F.masked(t * F.log(F.where(self == 0, other * 0 + 1, other)), self != 0),
    lambda F, t, self, other: t * self / F.where(self == 0, other * 0 + 1, other),
    promote="float",
    node="XlogyBackward0",
)


def _bent(curve: Any) -> Any:
    """The forward of a loss that is a function of the difference and a number."""

    def forward(a: Any, b: Any, reduction: str, bend: float) -> Any:
        return condense(curve(np.absolute(np.subtract(a, b, out=...)), bend), reduction)

    return forward


def _smooth(size: Any, beta: float) -> Any:
    return choose(size < beta, np.square(size) * (0.5 / beta), size - 0.5 * beta)


def _huber(size: Any, delta: float) -> Any:
    return choose(size <= delta, np.square(size) * 0.5, delta * (size - 0.5 * delta))


_smooth_l1 = general(
    "smooth_l1_loss", _bent(_smooth),
    {
        "self": lambda F, t, self, target, reduction, beta: share(t, self.shape, reduction)
        * F.clamp((self - target) / beta, -1.0, 1.0),
        "target": lambda F, t, self, target, reduction, beta: share(t, self.shape, reduction)
        * F.clamp((target - self) / beta, -1.0, 1.0),
    },
    ("reduction", "beta"), promote="common", check=only_floats("smooth_l1_cpu"), node="SmoothL1LossBackward0",
)  # fmt: skip
_huber_loss = general(
    "huber_loss",
    _bent(_huber),
    {
        "self": lambda F, t, self, target, reduction, delta: (
            share(t, self.shape, reduction) * F.clamp(self - target, -delta, delta)
        ),
        "target": lambda F, t, self, target, reduction, delta: (
            share(t, self.shape, reduction) * F.clamp(target - self, -delta, delta)
        ),
    },
    ("reduction", "delta"),
    promote="common",
    check=only_floats("huber_cpu"),
    node="HuberLossBackward0",
)


# ------------------------------------------------------------------------------------------------ functions


def mse_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The squared difference of each element of `input` and `target`, averaged, added up, or (with "none") as it is.

    weight  multiplies each element's loss; a mean is then weighted
    Raises ValueError for an unknown reduction, RuntimeError if the shapes do not broadcast, NotImplementedError for
    integers.

    >>> import wengert
    >>> wengert.nn.functional.mse_loss(wengert.tensor([1.0, 2.0]), wengert.tensor([1.0, 4.0]))
    tensor(2.)
    """
    if size_average is not None or reduce is not None or reduction not in _REDUCTIONS:
        reduction = reduction_of(reduction, size_average, reduce)
    if not isinstance(target, Tensor):
        raise not_a_tensor(target)
    if input._array.shape != target._array.shape:
        input, target = same_size(input, target)
    if weight is None:
        return _mse(input, target, reduction)
    return _weighted(_mse(input, target, "none"), weight, reduction)


def _weighted(loss: Tensor, weight: Tensor, reduction: str) -> Tensor:
    if weight._array.shape != loss._array.shape:
        raise ValueError(
            f"Weights and input must have the same size: they have {tuple(weight._array.shape)} and "
            f"{tuple(loss._array.shape)}"
        )
    loss = loss * weight
    if reduction == "none":
        return loss
    return sum(loss) / sum(weight) if reduction == "mean" else sum(loss)


def l1_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The absolute difference of each element of `input` and `target`, averaged, added up, or (with "none") as it is.

    weight  multiplies each element's loss; a mean is then weighted
    Raises ValueError for an unknown reduction, RuntimeError if the shapes do not broadcast.

    >>> import wengert
    >>> wengert.nn.functional.l1_loss(wengert.tensor([1.0, 2.0]), wengert.tensor([1.0, 4.0]))
    tensor(1.)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    input, target = same_size(input, target)
    loss = abs(input - target)
    return reduced(loss, reduction) if weight is None else _weighted(loss, weight, reduction)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Like `l1_loss`, but a square where the difference is below `beta`.

    Raises RuntimeError for a negative `beta`, or if the shapes do not broadcast; ValueError for an unknown reduction.

    >>> import wengert
    >>> wengert.nn.functional.smooth_l1_loss(wengert.tensor([1.0, 2.0]), wengert.tensor([1.0, 4.0]))
    tensor(0.7500)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    input, target = same_size(input, target)
    if beta == 0:
        return reduced(abs(input - target), reduction)
    if beta < 0:
        raise RuntimeError(f"smooth_l1_loss does not support negative values for beta. Got {beta}")
    return _smooth_l1(input, target, reduction, float(beta))


def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Tensor:
    """Half the squared difference of each element where it is up to `delta`, beyond that a straight line.

    weight  multiplies each element's loss; a mean is then weighted
    Raises RuntimeError for a `delta` that is not positive, or if the shapes do not broadcast; ValueError for an
    unknown reduction.

    >>> import wengert
    >>> wengert.nn.functional.huber_loss(wengert.tensor([1.0, 2.0]), wengert.tensor([1.0, 4.0]))
    tensor(0.7500)
    """
    reduction = reduction_of(reduction)
    input, target = same_size(input, target)
    if delta <= 0:
        raise RuntimeError(f"huber_loss does not support non-positive values for delta. Got {delta}")
    if weight is None:
        return _huber_loss(input, target, reduction, float(delta))
    if weight._array.shape != input._array.shape:
        raise ValueError("Weights and input must have the same size.")
    return reduced(_huber_loss(input, target, "none", float(delta)) * weight, reduction)


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """The Kullback-Leibler divergence of the probabilities `target` from those with the logarithms `input`, by element.

    reduction   "batchmean" divides the sum by the length of the first dimension, as the definition would have it;
                "mean" divides it by the number of elements
    log_target  `target` are logarithms too

    >>> import wengert
    >>> p = wengert.tensor([[0.5, 0.5]])
    >>> wengert.nn.functional.kl_div(wengert.tensor([[0.25, 0.75]]).log(), p, reduction="batchmean")
    tensor(0.1438)
    """
    if size_average is not None or reduce is not None:
        reduction = reduction_of(reduction, size_average, reduce)
    elif reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides "
            "only by the "
            "batch size, and aligns with the KL div math definition.'mean' will be changed to behave the same as "
            "'batchmean' in the "
            "next major release.",
            UserWarning,
            stacklevel=2,
        )
    elif reduction != "batchmean":
        reduction = reduction_of(reduction)
    loss = exp(target) * (target - input) if log_target else _xlogy(target, target) - target * input
    if reduction == "batchmean":
        return sum(loss) / (input._array.shape[0] if input._array.ndim else 1)
    return reduced(loss, reduction)


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: Any = None,
    eps: float = 1e-8,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The negative log-likelihood of the counts `target` under Poisson distributions.

    log_input  `input` are the logarithms of the distributions' means, otherwise the means
    full       add Stirling's approximation of the logarithm of the factorial of the target
    eps        added to the means before their logarithm is taken

    >>> import wengert
    >>> wengert.nn.functional.poisson_nll_loss(wengert.tensor([0.0, 0.0]), wengert.tensor([1.0, 2.0]))
    tensor(1.)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    loss = exp(input) - target * input if log_input else input - target * log(input + eps)
    if full:
        stirling = target * log(target) - target + 0.5 * log(2 * math.pi * target)
        loss = loss + stirling.masked_fill(le(target, 1), 0)
    return reduced(loss, reduction)


def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """The negative log-likelihood of `target` under normal distributions with means `input` and variances `var`.

    var   of the input's shape, or with a last dimension of 1 or none; or one number
    full  add the constant term
    eps   the least variance, put in the place of smaller ones without a change to the gradient
    Raises ValueError for a negative variance or one of another size.

    >>> import wengert
    >>> x = wengert.tensor([0.0, 1.0])
    >>> wengert.nn.functional.gaussian_nll_loss(x, wengert.tensor([1.0, 1.0]), wengert.ones(2))
    tensor(0.2500)
    """
    if isinstance(var, (int, float)):
        if var < 0:
            raise ValueError(f"var has negative entry/entries: it is {var}")
        var = input.new_full(input._array.shape, var)
    elif (var._array < 0).any():
        raise ValueError("var has negative entry/entries")
    if var._array.shape != input._array.shape:
        if input._array.shape[:-1] == var._array.shape:
            var = var.unsqueeze(-1)
        elif not (input._array.shape[:-1] == var._array.shape[:-1] and var._array.shape[-1] == 1):
            raise ValueError(
                f"var is of incorrect size: {tuple(var._array.shape)} for an input of {tuple(input._array.shape)}"
            )
    if reduction not in _REDUCTIONS:
        raise ValueError(f"{reduction} is not valid: it is one of 'none', 'mean' and 'sum'")
    var = var.clone()
    with no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (log(var) + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return reduced(loss, reduction)


_REDUCTIONS = frozenset(("mean", "sum", "none"))

__all__ = [
    "gaussian_nll_loss", "huber_loss", "kl_div", "l1_loss", "mse_loss", "poisson_nll_loss", "smooth_l1_loss",
]  # fmt: skip
