"""Losses that ask for a margin, between right and wrong scores or near and far pairs; and the distances they take."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap, wrap_dim
from .comparison import eq, ne
from .declare import flat, general
from .dims import check_tensor
from .larger import minimum
from .loss import condense, only_floats, reduced, reduction_of, share, stretched
from .norms import norm_along, vector_norm
from .reduction import sum
from .selection import where

# ------------------------------------------------------------------------------------------------ distances


def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """The norm of the differences of two tensors along their last dimension.

    eps  added to each difference first

    >>> import wengert
    >>> x = wengert.tensor([[0.0, 0.0], [3.0, 4.0]])
    >>> wengert.nn.functional.pairwise_distance(x, wengert.zeros(2, 2), eps=0)
    tensor([0., 5.])
    """
    return norm_along(x1 - x2 + eps, float(p), (-1,) if max(x1._array.ndim, x2._array.ndim) else None, keepdim)


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between the vectors of two tensors along a dimension.

    eps  the least length that a vector is divided by
    Raises RuntimeError if the shapes do not broadcast.

    >>> import wengert
    >>> wengert.nn.functional.cosine_similarity(wengert.tensor([[1.0, 0.0]]), wengert.tensor([[1.0, 1.0]]))
    tensor([0.7071])
    """
    from .. import dtypes

    check_tensor("cosine_similarity", x1, "x1", 1)
    check_tensor("cosine_similarity", x2, "x2", 2)
    common = dtypes.common_type((x1, x2))
    if common.category < dtypes.FLOAT:
        raise RuntimeError("expected common dtype to be floating point, yet common dtype is " + scalar_name(common))
    x1, x2 = stretched(*[x if x.dtype is common else x.to(common) for x in (x1, x2)])
    d = wrap_dim(dim, x1._array.ndim)
    units = []
    for x in (x1, x2):
        length = vector_norm(x, 2, d, True)
        # the gradient is that of the length, also where the bound is taken for it
        short = wrap(np.where(length._array < eps, eps - length._array, 0).astype(length._array.dtype))
        units.append(x / (length + short) if short._array.any() else x / length)
    return sum(units[0] * units[1], d)


# ------------------------------------------------------------------------------------------------ of pairs and triplets


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """A distance where the target is 1; what it lacks of the margin where the target is -1.

    >>> import wengert
    >>> x = wengert.tensor([0.5, 0.25])
    >>> wengert.nn.functional.hinge_embedding_loss(x, wengert.tensor([1.0, -1.0]))
    tensor(0.6250)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    apart = where(ne(target, 1), (margin - input).clamp_min(0), 0)
    near = where(ne(target, -1), input, 0)
    return reduced(apart + near, reduction)


def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """What `input1` lacks of being larger (target 1) or smaller (target -1) than `input2` by the margin.

    Raises RuntimeError if the tensors have different numbers of dimensions.

    >>> import wengert
    >>> one = wengert.ones(1)
    >>> wengert.nn.functional.margin_ranking_loss(one, 2 * one, one)
    tensor(1.)
    """
    from ..size import Size

    reduction = reduction_of(reduction, size_average, reduce)
    if not input1._array.ndim == input2._array.ndim == target._array.ndim:
        sizes = [Size(x._array.shape) for x in (input1, input2, target)]
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {sizes[0]}, input2: {sizes[1]}, target: {sizes[2]} "
        )
    return reduced((-target * (input1 - input2) + margin).clamp_min(0), reduction)


def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """1 less the cosine between two vectors where the target is 1; the cosine above the margin where it is -1.

    input1, input2  of the shape (N, D) or (D)
    target          of the shape (N) or ()
    Raises RuntimeError for other shapes.

    >>> import wengert
    >>> x = wengert.tensor([[1.0, 0.0]])
    >>> wengert.nn.functional.cosine_embedding_loss(x, x, wengert.tensor([1.0]))
    tensor(0.)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    dims = target._array.ndim
    if dims > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    for x in (input1, input2):
        if x._array.ndim != dims + 1:
            shown = f"{list(input1._array.shape)} and {list(input2._array.shape)}"
            if dims:
                raise RuntimeError(f"1D target tensor expects 2D input tensors, but found inputs with sizes {shown}.")
            raise RuntimeError(f"0D target tensor expects 1D input tensors, but found inputs with sizes {shown}.")
    dot = sum(input1 * input2, dims)
    length1, length2 = (sum(x * x, dims) + 1e-12 for x in (input1, input2))
    cosine = dot / (length1 * length2).sqrt()
    loss = where(eq(target, 1), 1 - cosine, 0) + where(eq(target, -1), (cosine - margin).clamp_min(0), 0)
    return reduced(loss, reduction)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """What the negative lacks of being farther from the anchor than the positive by the margin.

    swap  take for the negative's distance that from the positive, where it is smaller
    Raises ValueError for a margin that is not positive, RuntimeError for different numbers of dimensions.

    >>> import wengert
    >>> x = wengert.zeros(1, 2)
    >>> wengert.nn.functional.triplet_margin_loss(x, x, x)
    tensor(1.)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return _triplet(lambda a, b: pairwise_distance(a, b, p, eps), anchor, positive, negative, margin, swap, reduction)


def _triplet(
    distance: Any, anchor: Tensor, positive: Tensor, negative: Tensor, margin: float, swap: bool, reduction: str
) -> Tensor:
    dims = [x._array.ndim for x in (anchor, positive, negative)]
    if len(set(dims)) > 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            "anchor "
            f"{dims[0]}D, positive {dims[1]}D, and negative {dims[2]}D inputs"
        )
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    return reduced((margin + near - far).clamp_min(0), reduction)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Any = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """`triplet_margin_loss` by a distance of one's own (default: `pairwise_distance`).

    >>> import wengert
    >>> x = wengert.zeros(1, 2)
    >>> wengert.nn.functional.triplet_margin_with_distance_loss(x, x, x)
    tensor(1.)
    """
    reduction = reduction_of(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return _triplet(distance_function or pairwise_distance, anchor, positive, negative, margin, swap, reduction)


# ------------------------------------------------------------------------------------------------ of classes


def _rows(a: Any) -> Any:
    return a.reshape(-1, a.shape[-1]) if a.ndim else a.reshape(1, 1)


def _lacks(a: Any, target: Any, margin: float) -> Any:
    """What each wrong class of each row lacks of being below the right one by the margin, and 0 for the right one."""
    numbers = np.arange(a.shape[0])
    lack = np.maximum(a - a[numbers, target][:, None] + margin, 0)
    lack[numbers, target] = 0
    return lack


def _multi_margin(a: Any, target: Any, weight: Any, p: int, margin: float, reduction: str) -> Any:
    rows, target = _rows(a), target.reshape(-1)
    lack = _lacks(rows, target, margin)
    if p == 2:
        lack = np.square(lack)
    if weight is not None:
        lack = lack * weight[target][:, None]
    each = np.add.reduce(lack, 1) / rows.dtype.type(rows.shape[1])
    return condense(each.reshape(a.shape[:-1]) if reduction == "none" else each, reduction)


def _pull_multi_margin(
    F: Any, t: Any, self: Any, target: Any, weight: Any, p: int, margin: float, reduction: str
) -> Any:
    shape = self.shape
    classes = shape[-1] if shape else 1
    n = shape[0] if len(shape) > 1 else 1
    rows = F.reshape(self, (n, classes))
    right, scale, away = _constants(F, target, weight, n, classes)
    t = F.reshape(_of_rows(F, t / classes, shape, reduction), (n, classes)) * scale
    lack = F.masked(F.clamp_min(rows - F.take_along(rows, right, 1, True, True) + margin, 0.0), away)
    slope = t * (2 * lack) if p == 2 else F.masked(t, lack > 0)
    return F.reshape(slope - F.put_along(F.sum(slope, (1,), True), right, (n, classes), 1, True, True), shape)


def _constants(F: Any, target: Any, weight: Any, n: int, classes: int) -> tuple[Any, ...]:
    """The right class of each row, the weight of each row, and where the wrong classes are; for either namespace."""
    recorded = isinstance(target, Tensor)
    chosen = (target._array if recorded else np.asarray(target)).reshape(n)
    away = np.arange(classes) != chosen[:, None]
    if weight is None:
        scale: Any = 1
    else:
        scale = (weight._array if recorded else weight)[chosen][:, None]
    if not recorded:
        return chosen[:, None], scale, away
    return wrap(chosen[:, None]), scale if weight is None else wrap(scale), wrap(away)


_multi = general(
    "multi_margin_loss",
    _multi_margin,
    {"self": _pull_multi_margin, "target": None, "weight": None},
    ("p", "margin", "reduction"),
    node="MultiMarginLossBackward0",
)


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """What each wrong class lacks of being below the right one by the margin, to the power p, averaged over classes.

    input   scores, of the shape (N, C) or (C)
    target  the right classes, of the shape (N) or ()
    weight  of each class
    Raises ValueError for p other than 1 and 2, RuntimeError for shapes that do not fit.

    >>> import wengert
    >>> wengert.nn.functional.multi_margin_loss(wengert.tensor([[0.0, 1.0]]), wengert.tensor([1]))
    tensor(0.)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    shape, wanted = input._array.shape, target._array.shape
    if len(shape) > 2 or (shape and not shape[-1]):
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(shape)}"
        )
    n = shape[0] if len(shape) == 2 else 1
    if len(wanted) > 1 or (wanted[0] if wanted else 1) != n:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch "
            "size). Expected "
            f"target size [{n}], but got {list(wanted)}. Input has shape {list(shape)}."
        )
    classes = shape[-1] if shape else 1
    if weight is not None and weight._array.ndim != 1:
        raise ValueError(f"weight must be one-dimensional: a number for each of the {classes} classes")
    if target._array.dtype.name != "int64":
        raise RuntimeError(f"expected scalar type Long but found {scalar_name(target.dtype)}")
    if weight is not None and weight._array.shape != (classes,):
        raise RuntimeError(f"inconsistent weight size, expected {classes} but got {list(weight._array.shape)}")
    if target._array.size and not (target._array.min() >= 0 and target._array.max() < classes):
        raise RuntimeError(f"target out of range: the classes are from 0 to {classes - 1}")
    only_floats("multi_margin_loss")(input)
    return _multi(input, target, weight, p, float(margin), reduction)


def _marked(target: Any) -> tuple[Any, Any, Any]:
    """Of rows of classes that end at a -1: which entries count, the classes (or 0), and a mask of the right ones."""
    counted = np.logical_and.accumulate(target >= 0, 1)
    classes = np.where(counted, target, 0)
    right = np.zeros(target.shape, bool)
    np.logical_or.at(right, (np.arange(target.shape[0])[:, None], classes), counted)
    return counted, classes, right


def _pair_lacks(rows: Any, target: Any) -> tuple[Any, Any]:
    """What each wrong class (last) lacks of being below each right one (middle) by 1; and the classes of the middle."""
    counted, classes, right = _marked(target)
    chosen = np.take_along_axis(rows, classes, 1)
    lack = np.maximum(1 - chosen[:, :, None] + rows[:, None, :], 0)
    return np.where(counted[:, :, None] & ~right[:, None, :], lack, 0), classes


def _multilabel_margin(a: Any, target: Any, reduction: str) -> Any:
    lack, _ = _pair_lacks(_rows(a), _rows(target))
    each = np.add.reduce(lack, (1, 2)) / a.dtype.type(lack.shape[2])
    return condense(each.reshape(a.shape[:-1]) if reduction == "none" else each, reduction).astype(a.dtype, copy=False)


def _multilabel_slope(a: Any, target: Any) -> Any:
    """How much the loss of a row rises with each of its scores: constant, but for where a lack begins."""
    lack, classes = _pair_lacks(_rows(a), _rows(target))
    lacking = lack > 0
    slope = np.add.reduce(lacking, 1).astype(a.dtype)
    np.subtract.at(slope, (np.arange(slope.shape[0])[:, None], classes), np.add.reduce(lacking, 2).astype(a.dtype))
    return (slope / a.dtype.type(slope.shape[1])).reshape(a.shape)


flat("multilabel_slope", _multilabel_slope, ("self", "target"), promote=None)
_multilabel = general(
    "multilabel_margin_loss",
    _multilabel_margin,
    {
        "self": lambda F, t, self, target, reduction: (
            _of_rows(F, t, self.shape, reduction) * F.multilabel_slope(self, target)
        ),
        "target": None,
    },
    ("reduction",),
    node="MultilabelMarginLossBackward0",
)


def _of_rows(F: Any, t: Any, shape: tuple[int, ...], reduction: str) -> Any:
    """The cotangent of each row's loss, repeated along the row."""
    samples = shape[:-1] if len(shape) > 1 else ()
    t = share(t, samples, reduction)
    if reduction == "none" and samples:
        return F.spread(t, shape, (1,), False)
    return F.spread(t, shape, None, False)


def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Tensor:
    """What each wrong class lacks of being below each right one by 1, averaged over the classes.

    input   scores, of the shape (N, C) or (C)
    target  of the same shape: in each row the right classes, then -1, and what follows is ignored
    Raises RuntimeError if the shapes differ.

    >>> import wengert
    >>> wengert.nn.functional.multilabel_margin_loss(wengert.tensor([[0.5, 0.0]]), wengert.tensor([[0, -1]]))
    tensor(0.2500)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    shape = input._array.shape
    if len(shape) > 2 or (shape and not shape[-1]):
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(shape)}"
        )
    if target._array.shape != shape:
        raise RuntimeError(f"inconsistent target size: {list(target._array.shape)} for input of size: {list(shape)}")
    only_floats("multilabel_margin_loss")(input)
    chosen = _rows(target._array)
    if chosen.size and not (chosen.min() >= -1 and chosen.max() < chosen.shape[1]):
        raise RuntimeError(
            f"argument #2 'target' is out of range: classes are from 0 to {chosen.shape[1] - 1}, and -1 ends them"
        )
    return _multilabel(input, target, reduction)


__all__ = [
    "cosine_embedding_loss", "cosine_similarity", "hinge_embedding_loss", "margin_ranking_loss", "multi_margin_loss",
    "multilabel_margin_loss", "pairwise_distance", "triplet_margin_loss", "triplet_margin_with_distance_loss",
]  # fmt: skip
