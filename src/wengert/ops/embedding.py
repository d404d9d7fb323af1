"""Rows of a table looked up by number, alone (`embedding`) or summed, averaged or compared in bags (`embedding_bag`)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..dtype_names import tensor_name
from ..tensor import Tensor, wrap
from .declare import argument_error, general, multilinear
from .dims import check_tensor
from .expose import expose
from .inplace import written
from .placing import add_at

# ------------------------------------------------------------------------------------------------ declarations


def _shares(index: Any, padding: int, by_frequency: bool, d: Any) -> Any:
    """What each occurrence of a row counts in the gradient: nothing for the padding, else 1, or 1 over how often it occurs."""
    made = np.ones(index.shape, d)
    if by_frequency and index.size:
        _, inverse, counts = np.unique(index, return_inverse=True, return_counts=True)
        made /= counts[inverse].reshape(index.shape)
    if padding >= 0:
        made[index == padding] = 0
    return made[..., None]


def _add_rows(t: Any, index: Any, shape: tuple[int, ...], padding: int, by_frequency: bool) -> Any:
    if padding >= 0 or by_frequency:
        t = t * _shares(index, padding, by_frequency, t.dtype)
    made = np.zeros(shape, t.dtype)
    add_at(made, (index,), t)
    return made


def _shared_rows(a: Any, index: Any, padding: int, by_frequency: bool) -> Any:
    made = a.take(index, 0)
    return made * _shares(index, padding, by_frequency, a.dtype) if padding >= 0 or by_frequency else made


def _push_rows(F: Any, tangents: Any, index: Any) -> Any:
    return F.take_rows(tangents[0], index, 0)


# What the gradient leaves out (the padding) or divides, the values do not: the rule is not the transpose of the forward then,
# but of `embedding_shared`.
_embedding = general(
    "embedding", lambda a, index, padding, by_frequency: a.take(index, 0),
    {
        "self": lambda F, t, index, self_shape, padding, by_frequency: F.embedding_pull(
            t, index, self_shape, padding, by_frequency
        ),
        "index": None,
    },
    ("padding", "by_frequency"), push=_push_rows,
)  # fmt: skip
multilinear(
    "embedding_pull", _add_rows,
    {
        "self": lambda F, t, index, padding, by_frequency: F.embedding_shared(t, index, padding, by_frequency),
        "index": None,
    },
    ("shape", "padding", "by_frequency"), node="EmbeddingDenseBackwardBackward0",
)  # fmt: skip
multilinear(
    "embedding_shared", _shared_rows,
    {
        "self": lambda F, t, index, self_shape, padding, by_frequency: F.embedding_pull(
            t, index, self_shape, padding, by_frequency
        ),
        "index": None,
    },
    ("padding", "by_frequency"), node="EmbeddingBackward0",
)  # fmt: skip


def _bag_starts(bags: Any) -> Any:
    """Where each bag begins that is not empty: entries of one bag are neighbours."""
    return np.flatnonzero(np.diff(bags, prepend=-1))


def _sum_bags(a: Any, samples: Any, index: Any, bags: Any, share: Any, n: int, by_frequency: bool) -> Any:
    made = np.zeros((n, a.shape[1]), a.dtype)
    if bags.size:
        rows = a.take(index, 0) * (share if samples is None else share * samples[:, None])
        starts = _bag_starts(bags)
        made[bags[starts]] = np.add.reduceat(rows, starts, 0)
    return made


def _in_bags(F: Any, t: Any, samples: Any, bags: Any, share: Any) -> Any:
    """For each entry the cotangent of its bag, times what the entry counts there."""
    made = F.take_rows(t, bags, 0) * share
    return made if samples is None else made * F.reshape(samples, (-1, 1))


_bag_sum = general(
    "embedding_bag", _sum_bags,
    {
        "self": lambda F, t, samples, index, bags, share, self_shape, by_frequency: F.embedding_pull(
            _in_bags(F, t, samples, bags, share), index, self_shape, -1, by_frequency
        ),
        "samples": lambda F, t, self, index, bags, share: F.sum(
            F.take_rows(t, bags, 0) * share * F.take_rows(self, index, 0), 1, False
        ),
        "index": None,
        "bags": None,
        "share": None,
    },
    ("n", "by_frequency"), node="EmbeddingBagBackward0",
)  # fmt: skip


def _largest_in_bags(a: Any, index: Any, bags: Any, filled: Any, n: int) -> tuple[Any, Any]:
    """The largest of each bag, the first of equals, and in which row of the table it stands; 0 and row 0 for an empty bag."""
    made, place = np.zeros((n, a.shape[1]), a.dtype), np.zeros((n, a.shape[1]), np.int64)
    if bags.size:
        rows = a.take(index, 0)
        starts = _bag_starts(bags)
        made[bags[starts]] = np.maximum.reduceat(rows, starts, 0)
        entry = np.where(rows == made[bags], np.arange(len(index))[:, None], len(index) - 1)
        place[bags[starts]] = index[np.minimum.reduceat(entry, starts, 0)]
    return made, place


_bag_max = general(
    "embedding_bag_max", _largest_in_bags,
    {
        "self": lambda F, t, place, filled, self_shape: F.put_along(t * filled, place, self_shape, 0, True, False),
        "index": None,
        "bags": None,
        "filled": None,
    },
    ("n",), outputs=("out", "place"), node="EmbeddingBagBackward0",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ functions


def _check_indices(function: str, x: Any) -> None:
    if x._array.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{tensor_name(x.dtype)} instead (while checking arguments for {function}): convert it with .long()"
        )


def _renormalize(weight: Tensor, index: Any, max_norm: float, norm_type: float) -> None:
    """Scale down, in place and unrecorded, the rows named whose norm is above the limit."""
    rows = np.unique(index)
    found = weight._array[rows]
    norms = np.linalg.norm(found, norm_type, 1)
    above = norms > max_norm
    scale = max_norm / (norms[above] + 1e-7)
    weight._array[rows[above]] = found[above] * scale[:, None].astype(found.dtype)
    written(weight)


def _padding_row(padding_idx: int | None, rows: int) -> int:
    """The row that is padding, -1 if none is."""
    if padding_idx is None:
        return -1
    if not -rows <= padding_idx < rows:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return padding_idx % rows if rows else -1


def _refuse_sparse(sparse: bool) -> None:
    if sparse:
        raise NotImplementedError(
            "sparse gradients are not supported: leave out sparse=True for the same gradient, dense"
        )


def _look_up(input: Any, weight: Any, padding: int, by_frequency: bool) -> Tensor:
    check_tensor("embedding", weight, "weight")
    check_tensor("embedding", input, "indices", 2)
    _check_indices("embedding", input)
    if weight.ndim != 2:
        raise RuntimeError(f"'weight' must be 2-D: its shape is {list(weight.shape)}")
    index = input._array
    if index.size and (index.min() < 0 or index.max() >= weight.shape[0]):
        raise IndexError(
            f"index out of range in self: the table has {weight.shape[0]} rows, found {index.min()} to {index.max()}"
        )
    made: Tensor = _embedding(weight, input, padding, by_frequency)
    return made


def functional_embedding(
    input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None, norm_type: float = 2.0,
    scale_grad_by_freq: bool = False, sparse: bool = False,
) -> Tensor:  # fmt: skip
    """The rows of a table that `input` names.

    input               integers, of any shape
    weight              the table: one row each
    padding_idx         a row that gets no gradient
    max_norm            first scale down, in place, the rows named whose norm (`norm_type`) is larger
    scale_grad_by_freq  divide each row's gradient by how often it is named

    Returns the shape of the input with the length of a row behind it.
    Raises IndexError for a row that is not there, RuntimeError for a table that is none and for other dtypes.

    >>> import wengert
    >>> wengert.nn.functional.embedding(wengert.tensor([1, 0]), wengert.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[3., 4.],
            [1., 2.]])
    """
    _refuse_sparse(sparse)
    padding = (
        -1 if padding_idx is None else _padding_row(padding_idx, check_tensor("embedding", weight, "weight").size(0))
    )
    if max_norm is not None:
        _renormalize(weight, check_tensor("embedding", input, "indices", 2)._array, max_norm, norm_type)
    return _look_up(input, weight, padding, scale_grad_by_freq)


def embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    """`nn.functional.embedding`, with its arguments in another order."""
    _refuse_sparse(sparse)
    return _look_up(indices, weight, padding_idx, scale_grad_by_freq)


_MODES = ("sum", "mean", "max")


def _bag_arguments(input: Any, weight: Any, offsets: Any, samples: Any, last: bool) -> tuple[Any, Any, Any, Any]:
    """Indices of one dimension, where the bags begin, and the weights of the samples; as PyTorch checks them."""
    if samples is not None and input.shape != samples.shape:
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({samples.shape}) is not None, then it must have the same shape as the input "
            f"({input.shape})"
        )
    if input.ndim == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length sequences. "
                f"However, found offsets of type {type(offsets)}"
            )
        n, length = input.shape
        starts = np.arange(n) * length
        return input.reshape(-1), starts, None if samples is None else samples.reshape(-1), n
    if input.ndim != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.ndim}")
    if not isinstance(offsets, Tensor):
        raise ValueError(f"offsets has to be a 1D Tensor but got {offsets}")
    if offsets.ndim != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    starts = offsets._array
    if last and not starts.size:
        raise RuntimeError("include_last_offset: number of offset should be at least 1")
    if starts.size and starts[0] != 0:
        raise RuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got "
            f"{starts[0]}"
        )
    if starts.size and starts[-1] > input.shape[0]:
        raise RuntimeError(
            f"offsets[-1] can not be greater than input's length {input.shape[0]} but got offsets[-1] of {starts[-1]}"
        )
    if (np.diff(starts) < 0).any():
        raise RuntimeError(f"offsets must not decrease: {starts.tolist()}")
    return input, starts, samples, starts.size - last


def _check_bag(input: Any, weight: Any, mode: str, samples: Any, by_frequency: bool, padding_idx: int | None) -> None:
    _check_indices("embedding_bag", input)
    if weight._array.dtype.kind != "f" and not weight.dtype.is_floating_point:
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, Float, Double; "
            f"but got {tensor_name(weight.dtype)} instead (while checking arguments for embedding_bag)"
        )
    if mode not in _MODES:
        raise ValueError(f"mode has to be one of sum, mean or max: found {mode!r}")
    if mode == "max" and by_frequency:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if samples is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got "
            f"mode='{mode}'). Please open a feature request on GitHub."
        )
    if samples is not None and samples.dtype is not weight.dtype:
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 'per_sample_weights'; but "
            f"type {tensor_name(weight.dtype)} does not equal {tensor_name(samples.dtype)} (while checking arguments for "
            "embedding_bag)"
        )
    rows = weight.shape[0]
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise RuntimeError(
            f"padding_idx must be within the number of embeddings, {-rows} through {rows - 1}, but got {padding_idx}"
        )


def functional_embedding_bag(
    input: Tensor, weight: Tensor, offsets: Tensor | None = None, max_norm: float | None = None, norm_type: float = 2,
    scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False, padding_idx: int | None = None,
) -> Tensor:  # fmt: skip
    """The rows of a table that `input` names, summed, averaged or compared bag by bag.

    input                integers: of two dimensions, a bag in each row; of one, bag after bag, beginning at `offsets`
    weight               the table
    mode                 "sum", "mean" or "max"
    per_sample_weights   what each row is multiplied by, for "sum"
    include_last_offset  the last offset is the end of the last bag
    padding_idx          a row that does not count
    max_norm, norm_type, scale_grad_by_freq  as in `embedding`

    Returns a row for each bag, of zeros for one that is empty.
    Raises ValueError, RuntimeError or NotImplementedError for arguments that do not fit each other.

    >>> import wengert
    >>> table = wengert.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> wengert.nn.functional.embedding_bag(wengert.tensor([[0, 1], [1, 1]]), table)
    tensor([[2., 3.],
            [3., 4.]])
    """
    for position, (name, x) in enumerate((("input", input), ("weight", weight)), 1):
        if not isinstance(x, Tensor):
            raise argument_error("embedding_bag", name, position, x)
    if weight.dtype.name in ("int64", "int32") and input.dtype.is_floating_point and input.ndim == 2:
        warnings.warn(
            "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is deprecated, and "
            "should now be `embedding_bag(input, weight, ...)`.",
            stacklevel=2,
        )
        input, weight = weight, input
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    _refuse_sparse(sparse)
    flat, starts, samples, n = _bag_arguments(input, weight, offsets, per_sample_weights, include_last_offset)
    _check_bag(flat, weight, mode, samples, scale_grad_by_freq, padding_idx)
    index = flat._array
    wrong = np.flatnonzero((index < 0) | (index >= weight.shape[0]))
    if wrong.size:
        raise RuntimeError(
            f"Index {wrong[0]} of input takes value {index[wrong[0]]} which is not in the valid range [0, {weight.shape[0]})"
        )
    if max_norm is not None:
        _renormalize(weight, index, max_norm, norm_type)
    ends = starts[1:] if include_last_offset else np.append(starts[1:], index.size)
    bags = np.repeat(np.arange(n), ends - starts[:n])
    index = index[: len(bags)]
    counts = np.ones(len(bags), bool) if padding_idx is None else index != padding_idx % weight.shape[0]
    many = np.bincount(bags[counts], minlength=n)
    d = weight._array.dtype
    if mode == "max":
        filled = wrap((many > 0)[:, None].astype(d))
        made: Tensor = _bag_max(weight, wrap(index[counts]), wrap(bags[counts]), filled, n)[0]
        return made
    share = counts.astype(d)
    if mode == "mean":
        share /= np.maximum(many, 1)[bags].astype(d)
    if samples is not None and len(bags) < samples.shape[0]:
        samples = samples[: len(bags)]
    summed: Tensor = _bag_sum(weight, samples, wrap(index), wrap(bags), wrap(share[:, None]), n, scale_grad_by_freq)
    return summed


__all__ = expose(__name__, functions="embedding")
