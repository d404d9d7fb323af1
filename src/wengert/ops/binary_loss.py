"""Losses of yes-or-no questions: binary cross-entropy of probabilities and of scores, and the soft margin."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor
from .declare import check_broadcast, general
from .loss import condense, only_floats, reduced, reduction_of, share, stretched
from .smooth import logsigmoid

# ------------------------------------------------------------------------------------------------ of probabilities


def _bce(a: Any, target: Any, weight: Any, reduction: str) -> Any:
    if a.size and not (np.minimum.reduce(a, None) >= 0 and np.maximum.reduce(a, None) <= 1):
        raise RuntimeError("all elements of input should be between 0 and 1")
    # as in PyTorch, no logarithm is less than -100, so that the loss stays finite
    low = a.dtype.type(-100)
    loss = (target - 1) * np.maximum(np.log1p(-a), low) - target * np.maximum(np.log(a), low)
    return condense(loss if weight is None else loss * weight, reduction)


def _pull_bce(F: Any, t: Any, self: Any, target: Any, reduction: str) -> Any:
    return share(t, self.shape, reduction) * (self - target) / F.clamp_min((1 - self) * self, 1e-12)


def _pull_bce_target(F: Any, t: Any, self: Any, reduction: str) -> Any:
    return share(t, self.shape, reduction) * (F.clamp_min(F.log1p(-self), -100.0) - F.clamp_min(F.log(self), -100.0))


_check = only_floats("binary_cross_entropy_out_cpu")
_binary = general(
    "binary_cross_entropy", lambda a, target, reduction: _bce(a, target, None, reduction),
    {"self": _pull_bce, "target": _pull_bce_target}, ("reduction",), node="BinaryCrossEntropyBackward0", check=_check,
)  # fmt: skip
_binary_weighted = general(
    "binary_cross_entropy_weighted", _bce,
    {
        "self": lambda F, t, self, target, weight, reduction: _pull_bce(F, t, self, target, reduction) * weight,
        "target": lambda F, t, self, weight, reduction: _pull_bce_target(F, t, self, reduction) * weight,
        "weight": None,
    },
    ("reduction",), node="BinaryCrossEntropyBackward0", check=_check,
)  # fmt: skip


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """The cross-entropy of the probabilities `input` with the probabilities `target`, element by element.

    weight  multiplies each element's loss; broadcast to the input
    Raises ValueError if the shapes differ, RuntimeError for an input outside of 0 to 1 or a target of another dtype.

    >>> import wengert
    >>> wengert.nn.functional.binary_cross_entropy(wengert.tensor([0.5, 0.5]), wengert.tensor([0.0, 1.0]))
    tensor(0.6931)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    a, b = input._array, target._array
    if a.shape != b.shape:
        from ..size import Size

        raise ValueError(
            f"Using a target size ({Size(b.shape)}) that is different to the input size ({Size(a.shape)}) is "
            "deprecated. Please "
            "ensure they have the same size."
        )
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"Found dtype {scalar_name(target.dtype)} but expected {scalar_name(input.dtype)}: convert the target with "
            f".to({input.dtype})"
        )
    if weight is None:
        return _binary(input, target, reduction)
    return _binary_weighted(input, target, _fitted(weight, a.shape), reduction)


def _fitted(weight: Tensor, shape: tuple[int, ...]) -> Tensor:
    """A weight broadcast to the shape of what it multiplies.

    Raises RuntimeError, in PyTorch's words, if that cannot be.
    """
    own = weight._array.shape
    if own == shape:
        return weight
    from ..size import Size

    for i in range(1, len(own) + 1):
        length = own[-i]
        if length != 1 and (i > len(shape) or length != shape[-i]):
            raise RuntimeError(
                f"Attempting to broadcast a dimension of length {length} at {-i}! Mismatching argument at index 1 had "
                f"{Size(own)}; "
                f"but expected shape should be broadcastable to {list(shape)}"
            )
    return weight.expand(shape)


# ------------------------------------------------------------------------------------------------ of scores


def _bce_logits(a: Any, target: Any, weight: Any, pos_weight: Any, reduction: str) -> Any:
    softplus = np.log1p(np.exp(-np.absolute(a))) + np.maximum(-a, 0)  # -log(sigmoid(a))
    loss = (1 - target) * a + (softplus if pos_weight is None else ((pos_weight - 1) * target + 1) * softplus)
    return condense(loss if weight is None else loss * weight, reduction)


def _pull_logits(F: Any, t: Any, self: Any, target: Any, reduction: str) -> Any:
    return share(t, self.shape, reduction) * (F.sigmoid(self) - target)


def _pull_logits_weighted(F: Any, t: Any, self: Any, target: Any, weight: Any, pos_weight: Any, reduction: str) -> Any:
    t = share(t, self.shape, reduction)
    if weight is not None:
        t = t * weight
    if pos_weight is None:
        return t * (F.sigmoid(self) - target)
    return t * ((pos_weight * target + 1 - target) * F.sigmoid(self) - pos_weight * target)


def _pull_logits_target(F: Any, t: Any, self: Any, weight: Any, pos_weight: Any, reduction: str) -> Any:
    t = share(t, self.shape, reduction)
    if weight is not None:
        t = t * weight
    if pos_weight is None:
        return -t * self
    return t * (F.log_sigmoid(-self) - pos_weight * F.log_sigmoid(self))


_check_logits = only_floats("binary_cross_entropy_with_logits_out_cpu")
_logits = general(
    "binary_cross_entropy_with_logits",
    lambda a, target, reduction: _bce_logits(a, target, None, None, reduction),
    {"self": _pull_logits, "target": lambda F, t, self, reduction: -share(t, self.shape, reduction) * self},
    ("reduction",),
    promote="common",
    node="BinaryCrossEntropyWithLogitsBackward0",
    check=_check_logits,
)
_logits_weighted = general(
    "binary_cross_entropy_with_logits_weighted", _bce_logits,
    {"self": _pull_logits_weighted, "target": _pull_logits_target, "weight": None, "pos_weight": None}, ("reduction",),
    promote="common", node="BinaryCrossEntropyWithLogitsBackward0", check=_check_logits,
)  # fmt: skip


def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean", pos_weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """`binary_cross_entropy` of the sigmoid of the scores `input`, computed without leaving the range of the numbers.

    weight      multiplies each element's loss; broadcast to the input
    pos_weight  multiplies the part of the loss that goes with the target
    Raises ValueError if the shapes of input and target differ, RuntimeError if the weights do not broadcast.

    >>> import wengert
    >>> wengert.nn.functional.binary_cross_entropy_with_logits(wengert.tensor([0.0, 0.0]), wengert.tensor([0.0, 1.0]))
    tensor(0.6931)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    a, b = input._array, target._array
    if a.shape != b.shape:
        from ..size import Size

        raise ValueError(f"Target size ({Size(b.shape)}) must be the same as input size ({Size(a.shape)})")
    if b.dtype.kind == "b":
        target = target.to(input.dtype)
    if weight is None and pos_weight is None:
        return _logits(input, target, reduction)
    extras = []
    for extra in (weight, pos_weight):
        if extra is not None and extra._array.shape != a.shape:
            check_broadcast([extra._array.shape, a.shape])
            extra = extra.expand(np.broadcast_shapes(extra._array.shape, a.shape))
        extras.append(extra)
    return _logits_weighted(input, target, *extras, reduction)


# ------------------------------------------------------------------------------------------------ soft margins


def _soft_margin(a: Any, target: Any, reduction: str) -> Any:
    agree = a * target
    return condense(np.log1p(np.exp(-np.absolute(agree))) + np.maximum(-agree, 0), reduction)


_soft = general(
    "soft_margin_loss",
    _soft_margin,
    {
        "self": lambda F, t, self, target, reduction: (
            -share(t, self.shape, reduction) * target * F.sigmoid(-target * self)
        ),
        "target": None,
    },
    ("reduction",),
    node="SoftMarginLossBackward0",
    check=only_floats("soft_margin_loss"),
)


def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Tensor:
    """log(1 + exp(-target * input)) of each element, for targets of 1 and -1.

    Raises RuntimeError if the shapes do not broadcast.

    >>> import wengert
    >>> wengert.nn.functional.soft_margin_loss(wengert.tensor([0.0, 0.0]), wengert.tensor([1.0, -1.0]))
    tensor(0.6931)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    input, target = stretched(input, target)
    if target._array.dtype is not input._array.dtype:
        target = target.to(input.dtype)
    return _soft(input, target, reduction)


def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """The binary cross-entropy of scores with targets of 0 and 1, averaged over the classes of the last dimension.

    weight  of each class

    >>> import wengert
    >>> wengert.nn.functional.multilabel_soft_margin_loss(wengert.tensor([[0.0, 0.0]]), wengert.tensor([[1.0, 0.0]]))
    tensor(0.6931)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    classes = input._array.ndim - 1
    return reduced(loss.sum(classes) / input._array.shape[classes], reduction)


__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "multilabel_soft_margin_loss",
    "soft_margin_loss",
]
