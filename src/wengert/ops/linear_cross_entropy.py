"""A linear layer and the cross-entropy of what it gives, in one call."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor
from .affine import linear
from .class_loss import cross_entropy


def linear_cross_entropy(
    input: Tensor, linear_weight: Tensor, target: Tensor, *, linear_bias: Tensor | None = None, weight: Tensor | None = None,
    reduction: str = "mean", ignore_index: int | None = None, label_smoothing: float = 0.0, options: Any = None,
) -> Tensor:  # fmt: skip
    """`cross_entropy(linear(input, linear_weight, linear_bias), target)`.

    input          of the shape (in_features) or (N, in_features)
    linear_weight  of the shape (C, in_features), or (C, d1, ..., in_features) for several predictions of each sample
    linear_bias    of the shape of `linear_weight` without its last dimension
    target         classes, of the shape (), (N) or (N, d1, ...), or probabilities, with C behind N
    weight, reduction, ignore_index, label_smoothing  as of `cross_entropy`
    options        how PyTorch is to save memory; nothing is computed in another way here
    Raises RuntimeError for shapes that do not fit.

    >>> import wengert
    >>> x = wengert.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> wengert.nn.functional.linear_cross_entropy(x, 2 * x, wengert.tensor([0, 1]))
    tensor(0.1269)
    """
    own, shape = input._array.shape, linear_weight._array.shape
    if len(own) not in (1, 2):
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {len(own)}")
    if len(shape) < 2:
        raise RuntimeError(f"expected linear_weight with dimensionality at least 2, got {len(shape)}")
    if own[-1] != shape[-1]:
        raise RuntimeError(
            "expected equal input and linear_weight last dimensions (in_features), got "
            f"{own[-1]} and {shape[-1]}, respectively"
        )
    if linear_bias is not None and linear_bias._array.shape != shape[:-1]:
        raise RuntimeError(f"expected linear_bias shape {shape[:-1]}, got {tuple(linear_bias._array.shape)}")
    several = len(shape) > 2
    if several and len(own) == 1:
        raise RuntimeError(
            f"K-dimensional loss defined by linear_weight shape {tuple(shape)} requires batched input, (N, {own[0]}), got "
            f"unbatched input with shape {tuple(own)}"
        )
    if several:
        bias = None if linear_bias is None else linear_bias.reshape(-1)
        scores = linear(input, linear_weight.reshape(-1, shape[-1]), bias).reshape(own[0], *shape[:-1])
    else:
        scores = linear(input, linear_weight, linear_bias)
    if ignore_index is None:
        ignore_index = -100
    elif target.is_floating_point():
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    return cross_entropy(
        scores, target, weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing
    )


__all__ = ["linear_cross_entropy"]
