"""Losses that compare numbers with numbers, and what all losses share."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from .. import dtypes
from ..tensor import Tensor
from .declare import F32, general
from .dims import is_float
from .inplace import scalar_name
from .reduction import add_up, mean, sum

# ------------------------------------------------------------------------------------------------ what all losses share


def reduction_of(reduction: Any, size_average: Any = None, reduce: Any = None) -> str:
    """How a loss is reduced, checked: "none", "mean" or "sum"; the two old arguments stand for one of them.

    Raises ValueError for anything else.
    """
    if size_average is not None or reduce is not None:
        average = True if size_average is None else size_average
        chosen = ("mean" if average else "sum") if reduce is None or reduce else "none"
        warnings.warn(
            f"size_average and reduce args will be deprecated, please use reduction='{chosen}' instead.", UserWarning, stacklevel=3
        )
        return chosen
    if reduction in ("mean", "sum", "none"):
        return reduction  # type: ignore[no-any-return]
    if reduction == "elementwise_mean":
        warnings.warn(
            "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.", UserWarning, stacklevel=3
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
        common = dtypes.result_type([x for x in inputs if x is not None])
        if not common.is_floating_point:
            raise NotImplementedError(
                f"\"{kernel}\" not implemented for '{scalar_name(common)}'; convert to a floating-point type first"
            )

    return check


def same_size(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Input and target of one shape: broadcast, with PyTorch's warning, where they differ.

    Raises RuntimeError if they do not broadcast.
    """
    if input._array.shape == target._array.shape:
        return input, target
    from ..size import Size

    warnings.warn(
        f"Using a target size ({Size(target._array.shape)}) that is different to the input size ({Size(input._array.shape)}). This "
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
    if reduction != "none" and d.size <= 4096 and d.dtype.itemsize > 2:
        d = d.reshape(-1)
        total = d.dot(d)
        return np.array(total / d.size if reduction == "mean" else total)
    return condense(np.square(d, out=...), reduction)


_mse = general(
    "mse_loss", _squared,
    {
        "self": lambda F, t, self, target, reduction: share(2 * t, self.shape, reduction) * (self - target),
        "target": lambda F, t, self, target, reduction: share(2 * t, self.shape, reduction) * (target - self),
    },
    ("reduction",), promote="common", check=only_floats("mse_cpu"),
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ functions


def mse_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The squared difference of each element of `input` and `target`, averaged, added up, or (with "none") as it is.

    weight  multiplies each element's loss; a mean is then weighted
    Raises ValueError for an unknown reduction, RuntimeError if the shapes do not broadcast, NotImplementedError for integers.

    >>> import wengert
    >>> wengert.nn.functional.mse_loss(wengert.tensor([1.0, 2.0]), wengert.tensor([1.0, 4.0]))
    tensor(2.)
    """
    if size_average is not None or reduce is not None or reduction not in _REDUCTIONS:
        reduction = reduction_of(reduction, size_average, reduce)
    if input._array.shape != target._array.shape:
        input, target = same_size(input, target)
    if weight is None:
        return _mse(input, target, reduction)  # type: ignore[no-any-return]
    if weight._array.shape != input._array.shape:
        raise ValueError("Weights and input must have the same size.")
    loss = _mse(input, target, "none") * weight
    if reduction == "none":
        return loss  # type: ignore[no-any-return]
    return sum(loss) / sum(weight) if reduction == "mean" else sum(loss)


_REDUCTIONS = frozenset(("mean", "sum", "none"))

__all__ = ["mse_loss"]
