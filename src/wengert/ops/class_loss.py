"""Losses of classification: the negative log-likelihood, and the cross-entropy made of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor
from .adding import add_up
from .declare import F32, diagonal, multilinear
from .fused_cross_entropy import NllLossBackward0, fused_cross_entropy
from .loss import reduction_of
from .reduction import sum, sum_all
from .selection import masked
from .softmax import log_soft, log_softmax

_INT64 = np.dtype(np.int64)
_UINT64 = np.dtype(np.uint64)
_greatest = np.maximum.reduce
_numbers = np.arange(4096)


def _rows(n: int) -> Any:
    return _numbers[:n] if n <= 4096 else np.arange(n)


# ------------------------------------------------------------------------------------------------ declarations


class _Chosen:
    """Where the targets point into an array of scores of the shape (N, C, further)."""

    __slots__ = ("index", "shape", "total", "weights")

    def __init__(self, shape: tuple[int, ...], target: Any, weight: Any, ignore_index: int, d: Any) -> None:
        """`weights` is None where all are 1."""
        n, classes = (1, shape[0]) if len(shape) == 1 else shape[:2]
        self.shape = (n, classes, *shape[2:])
        target = target.reshape(n, *shape[2:])
        if target.dtype is not _INT64:
            target = target.astype(_INT64)
        self.weights = None
        if target.size and not _greatest(target.view(_UINT64), None) < classes:
            valid = target != ignore_index
            wrong = target[valid & ((target < 0) | (target >= classes))]
            if wrong.size:
                raise IndexError(
                    f"Target {wrong[0]} is out of bounds. There are {classes} classes, so targets are from 0 to "
                    f"{classes - 1}"
                )
            target = np.where(valid, target, 0)
            self.weights = valid.astype(d)
        elif 0 <= ignore_index < classes:
            self.weights = (target != ignore_index).astype(d)
        if weight is not None:
            chosen = weight[target]
            self.weights = chosen if self.weights is None else self.weights * chosen
        self.total = n * _further(shape) if self.weights is None else add_up(self.weights)
        if len(shape) <= 2:
            self.index: tuple[Any, ...] = (_rows(n), target)
        else:
            batch, *spots = np.ix_(*[_rows(k) for k in (n, *shape[2:])])
            self.index = (batch, target, *spots)


def _further(shape: tuple[int, ...]) -> int:
    n = 1
    for k in shape[2:]:
        n *= k
    return n


def _places(shape: tuple[int, ...], target: Any, weight: Any, ignore_index: int) -> Any:
    """Where the targets point into an (N, C) array, counted through its rows, in the usual case; otherwise None."""
    if weight is not None or ignore_index >= 0 or len(shape) != 2 or target.dtype is not _INT64 or not target.size:
        return None
    n, classes = shape
    unsigned = target.view(_UINT64)  # whose greatest is out of bounds if any target is negative too
    if unsigned.item(unsigned.argmax()) >= classes:
        return None
    count = n * classes
    return (_numbers[0:count:classes] if count <= 4096 else np.arange(0, count, classes)) + target


def _nll(a: Any, target: Any, weight: Any, reduction: str, ignore_index: int) -> Any:
    d = a.dtype
    places = _places(a.shape, target, weight, ignore_index)
    if places is not None and d.itemsize > 2:
        picked = a.take(places)
        if reduction == "none":
            return np.negative(picked, picked)
        total = sum_all(picked)
        return np.negative(total / a.shape[0] if reduction == "mean" else total, out=...)
    where = _Chosen(a.shape, target, weight, ignore_index, d)
    picked = a.reshape(where.shape)[where.index]
    if where.weights is not None:
        # a weight of nothing also silences what is infinite
        picked = np.where(where.weights == 0, 0, picked * where.weights).astype(d)
    if reduction == "none":
        return np.negative(picked, out=...).reshape(target.shape)
    total = add_up(picked if d.itemsize > 2 else picked.astype(F32))
    if reduction == "mean":
        total = np.true_divide(total, where.total, out=...)
    return np.asarray(np.negative(total), d)


def _spread_nll(t: Any, target: Any, weight: Any, shape: tuple[int, ...], reduction: str, ignore_index: int) -> Any:
    d = t.dtype
    places = _places(shape, target, weight, ignore_index)
    if places is not None:
        g = np.zeros(shape, d)
        g.put(places, -t / shape[0] if reduction == "mean" else -t)
        return g
    where = _Chosen(shape, target, weight, ignore_index, d)
    g = np.zeros(where.shape, d)
    if reduction == "none":
        t = t.reshape(where.index[1].shape)
    elif reduction == "mean":
        t = t / np.asarray(where.total, d)
    g[where.index] = -t if where.weights is None else np.where(where.weights == 0, 0, -t * where.weights)
    return g.reshape(shape)


def _nll_alike(a: Any, target: Any, reduction: str, ignore_index: int) -> Any:
    return _nll(a, target, None, reduction, ignore_index)


def _spread_nll_alike(t: Any, target: Any, shape: tuple[int, ...], reduction: str, ignore_index: int) -> Any:
    return _spread_nll(t, target, None, shape, reduction, ignore_index)


def _declare(name: str, node: str) -> tuple[Any, Any]:
    """The loss and its transpose under one of their names in the graph: with all classes alike, and with weights."""
    back, weighted, back_weighted = f"{name}_spread", f"{name}_weighted", f"{name}_weighted_spread"

    def pull(F: Any, t: Any, target: Any, self_shape: Any, reduction: str, ignore_index: int) -> Any:
        return getattr(F, back)(t, target, self_shape, reduction, ignore_index)

    def push(F: Any, t: Any, target: Any, reduction: str, ignore_index: int) -> Any:
        return getattr(F, name)(t, target, reduction, ignore_index)

    def pull_weighted(
        F: Any, t: Any, target: Any, weight: Any, self_shape: Any, reduction: str, ignore_index: int
    ) -> Any:
        return getattr(F, back_weighted)(t, target, weight, self_shape, reduction, ignore_index)

    def push_weighted(F: Any, t: Any, target: Any, weight: Any, reduction: str, ignore_index: int) -> Any:
        return getattr(F, weighted)(t, target, weight, reduction, ignore_index)

    statics, more = ("reduction", "ignore_index"), ("shape", "reduction", "ignore_index")
    twice = node.replace("Backward0", "BackwardBackward0")
    multilinear(back, _spread_nll_alike, {"self": push, "target": None}, more, node=twice)
    multilinear(back_weighted, _spread_nll, {"self": push_weighted, "target": None, "weight": None}, more, node=twice)
    return (
        multilinear(name, _nll_alike, {"self": pull, "target": None}, statics, node=node),
        multilinear(weighted, _nll, {"self": pull_weighted, "target": None, "weight": None}, statics, node=node),
    )


_nll_of_rows, _nll_of_rows_weighted = _declare("nll_loss", "NllLossBackward0")
_nll_of_planes, _nll_of_planes_weighted = _declare("nll_loss2d", "NllLoss2DBackward0")

_divide = diagonal(
    "divide_by_number", lambda a, number: np.true_divide(a, number, out=..., dtype=a.dtype),
    lambda F, t, number: t / number, statics=("number",), promote=None, node="DivBackward1",
)  # fmt: skip
NllLossBackward0.operation, NllLossBackward0.soft = _nll_of_rows.operation, log_soft.operation

# ------------------------------------------------------------------------------------------------ functions


def nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: Any = None, ignore_index: int = -100,
    reduce: Any = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """The negative of each sample's log-probability of its target class.

    input         log-probabilities, of the shape (C), (N, C) or (N, C, d1, ...)
    target        classes from 0 to C - 1, of the shape (), (N) or (N, d1, ...)
    weight        of each class; the mean is then weighted
    ignore_index  samples with this target do not count
    Raises IndexError for a target that is no class, ValueError or RuntimeError for shapes and dtypes that do not fit.

    >>> import wengert
    >>> wengert.nn.functional.nll_loss(wengert.tensor([[-0.5, -1.0], [-2.0, -0.25]]), wengert.tensor([0, 1]))
    tensor(0.3750)
    """
    if size_average is not None or reduce is not None or reduction not in ("mean", "sum", "none"):
        reduction = reduction_of(reduction, size_average, reduce)
    return _nll_loss(input, target, weight, reduction, ignore_index)


def _nll_loss(input: Tensor, target: Tensor, weight: Tensor | None, reduction: str, ignore_index: int) -> Tensor:
    classes = target._array
    shape, wanted = input._array.shape, classes.shape
    if weight is None and len(shape) == 2 and len(wanted) == 1 and shape[0] == wanted[0] and classes.dtype is _INT64:
        return _nll_of_rows(input, target, reduction, ignore_index)
    _check_nll(input, target, weight)
    planes = len(shape) > 2
    flat = planes and len(shape) != 4
    if flat:
        input, target = input.contiguous().view(*shape[:2], 1, -1), target.contiguous().view(shape[0], 1, -1)
    if weight is None:
        loss = (_nll_of_planes if planes else _nll_of_rows)(input, target, reduction, ignore_index)
    else:
        loss = (_nll_of_planes_weighted if planes else _nll_of_rows_weighted)(
            input, target, weight, reduction, ignore_index
        )
    return loss.view(wanted) if flat and reduction == "none" else loss


def _check_nll(input: Tensor, target: Tensor, weight: Tensor | None) -> None:
    """Raise, in PyTorch's words, for inputs whose shapes or dtypes do not go together."""
    shape, wanted = input._array.shape, target._array.shape
    if not shape:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    if len(shape) == 1:
        if len(wanted) == 1 and wanted[0] != 1:
            raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {wanted[0]}")
    elif wanted and shape[0] != wanted[0]:
        raise ValueError(f"Expected input batch_size ({shape[0]}) to match target batch_size ({wanted[0]}).")
    if len(shape) <= 2 and len(wanted) > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if len(shape) == 2 and not wanted:
        raise RuntimeError(f"size mismatch (got input: {list(shape)}, target: [])")
    if len(shape) == 4 and len(wanted) != 3:
        raise RuntimeError(
            f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {len(wanted)}"
        )
    if len(shape) == 4 and (shape[0], *shape[2:]) != wanted:
        raise RuntimeError(f"size mismatch (got input: {list(shape)} , target: {list(wanted)}")
    if len(shape) > 2 and (shape[0], *shape[2:]) != wanted:
        raise RuntimeError(f"Expected target size {[shape[0], *shape[2:]]}, got {list(wanted)}")
    classes = shape[0] if len(shape) == 1 else shape[1]
    if weight is not None and weight._array.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
            "shape: "
            f"{list(weight._array.shape)}"
        )
    if (
        target._array.dtype.kind not in "iu"
        or target._array.dtype.itemsize not in (8, 1)
        or target._array.dtype.name == "int8"
    ):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {scalar_name(target.dtype)}")
    if weight is not None and weight._array.dtype is not input._array.dtype:
        raise RuntimeError(f"expected scalar type {scalar_name(input.dtype)} but found {scalar_name(weight.dtype)}")


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """The cross-entropy of the softmax of scores with target classes, or with target probabilities.

    input            scores, of the shape (C), (N, C) or (N, C, d1, ...)
    target           classes from 0 to C - 1, of the shape (), (N) or (N, d1, ...); or probabilities, of the shape of
                     the input
    weight           of each class; the mean is then weighted
    ignore_index     samples with this target do not count
    label_smoothing  how much of each target goes to all classes alike, from 0 to 1
    Raises IndexError for a target that is no class, ValueError or RuntimeError for shapes and dtypes that do not fit.

    >>> import wengert
    >>> wengert.nn.functional.cross_entropy(wengert.tensor([[2.0, 0.0], [0.0, 2.0]]), wengert.tensor([0, 1]))
    tensor(0.1269)
    """
    if size_average is not None or reduce is not None or reduction not in ("mean", "sum", "none"):
        reduction = reduction_of(reduction, size_average, reduce)
    shape = input._array.shape
    if label_smoothing == 0.0 and len(shape) == 2 and target._array.ndim == 1 and input._array.dtype.kind == "f":
        if weight is None and reduction != "none":
            loss = fused_cross_entropy(input, target, reduction, ignore_index)
            if loss is not None:
                return loss
        return _nll_loss(log_soft(input, 1), target, weight, reduction, ignore_index)
    if label_smoothing > 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    dim = 0 if len(shape) == 1 else 1
    if shape == target._array.shape:
        return _of_probabilities(input, target, weight, reduction, ignore_index, label_smoothing, dim)
    if label_smoothing > 0.0:
        return _smoothed(input, target, weight, reduction, ignore_index, label_smoothing, dim)
    return _nll_loss(log_softmax(input, dim), target, weight, reduction, ignore_index)


def _by_class(weight: Tensor, ndim: int, dim: int) -> Tensor:
    """The weights of the classes, to be multiplied with scores."""
    return weight.view([-1 if i == dim else 1 for i in range(ndim)])


def _of_probabilities(
    input: Tensor, target: Tensor, weight: Tensor | None, reduction: str, ignore_index: int, smoothing: float, dim: int
) -> Tensor:
    if not (target.is_floating_point()):
        raise RuntimeError(
            f"Expected floating point type for target with class probabilities, got {scalar_name(target.dtype)}"
        )
    if ignore_index >= 0:
        raise RuntimeError("ignore_index is not supported for floating point target")
    shape = input._array.shape
    if weight is not None and weight._array.shape != (shape[dim],):
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {shape[dim]} classes or no classes but "
            "got weight "
            f"tensor of shape: {list(weight._array.shape)}"
        )
    scores = log_softmax(input, dim)
    if smoothing > 0.0:
        target = target * (1 - smoothing) + smoothing / shape[dim]
    products = scores * target
    if weight is not None:
        products = products * _by_class(weight, len(shape), dim)
    if reduction == "none":
        return -sum(products, dim)
    total = -sum(products)
    if reduction == "sum":
        return total
    samples = input._array.size // max(shape[dim], 1)
    return _divide(total, samples or math.nan)


def _smoothed(
    input: Tensor, target: Tensor, weight: Tensor | None, reduction: str, ignore_index: int, smoothing: float, dim: int
) -> Tensor:
    scores = log_softmax(input, dim)
    exact = _nll_loss(scores, target, weight, reduction, ignore_index)
    classes = input._array.shape[dim]
    weighted = scores if weight is None else scores * _by_class(weight, scores.ndim, dim)
    even = -sum(weighted, dim)
    counted = target._array.reshape(even._array.shape) != ignore_index
    from ..tensor import wrap

    mask = wrap(np.asarray(counted))
    even = masked(even, mask)
    if reduction == "sum":
        even = sum(even)
    elif reduction == "mean":
        if weight is None:
            even = sum(even) / int(counted.sum()) if counted.any() else sum(even) * float("nan")
        else:
            chosen = weight._array[np.where(counted, target._array.reshape(counted.shape), 0)]
            even = sum(even) / wrap(np.asarray(add_up(chosen * counted.astype(chosen.dtype))))
    blend: Tensor = exact * (1 - smoothing) + even * (smoothing / classes)
    return blend


__all__ = ["cross_entropy", "nll_loss"]
