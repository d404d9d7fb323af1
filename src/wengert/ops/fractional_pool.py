"""The largest elements of windows at random distances: `fractional_max_pool2d`, `fractional_max_pool3d`.

B. Graham, "Fractional max-pooling" (2014): the windows of a plane begin at floor((i + u) a) - floor(u a), with a the mean distance
and a random number u for each axis of each plane.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtype_names import scalar_name
from ..random import rand
from .dims import check_tensor, is_float
from .max_pool import choosing_windows
from .pool_arguments import Phrases, refuse_dtype

if TYPE_CHECKING:
    from ..tensor import Tensor


class _Windows:
    """Windows along one axis: where they start in each plane, an array (batch and channels..., windows)."""

    __slots__ = ("kernel", "start")
    apart = False
    void = None

    def __init__(self, start: Any, kernel: int) -> None:
        self.start, self.kernel = start, kernel


def _starts(sample: Any, length: int, out: int, kernel: int) -> Any:
    """Where the windows of an axis start, for the random number of each plane; the last one ends with the axis."""
    start = np.zeros((*sample.shape, out), np.int64)  # rounded as in PyTorch, in the precision of the input
    if out > 1:
        kind = sample.dtype.type
        distance = kind(length - kernel) / kind(out - 1)
        number = np.arange(out - 1).astype(sample.dtype)
        u = sample[..., None]
        start[..., :-1] = ((number + u) * distance).astype(np.int64) - (u * distance).astype(np.int64)
    start[..., -1:] = length - kernel
    return start


def _select(a: Any, windows: tuple[_Windows, ...]) -> tuple[Any, Any]:
    """The largest element of each box, and its place; of equal elements the first, of several that are nan the last."""
    rank = len(windows)
    lead = a.shape[: a.ndim - rank]
    base: Any = np.zeros((), np.int64)
    step = 1
    steps: list[int] = []
    for i in reversed(range(rank)):
        start = windows[i].start * step
        base = base + start.reshape(*lead, *(1,) * i, start.shape[-1], *(1,) * (rank - 1 - i))
        steps.insert(0, step)
        step *= a.shape[a.ndim - rank + i]
    flat = a.reshape(-1)
    if a.dtype.itemsize == 2:
        flat = flat.astype(np.float32)
    origin = np.arange(0, a.size, step or 1).reshape(*lead, *(1,) * rank)
    best: Any = None
    chosen: Any = None
    for place in product(*[range(w.kernel) for w in windows]):
        shift = sum(p * s for p, s in zip(place, steps, strict=True))
        new = flat.take(base + (origin + shift))
        if best is None:
            best, chosen = new, np.zeros(new.shape, np.int64)
            continue
        above = (new > best) | np.isnan(new)
        np.copyto(best, new, where=above)
        np.copyto(chosen, shift, where=above)
    return np.asarray(best, a.dtype), base + chosen


_POOL = {
    2: choosing_windows("fractional_max_pool2d", "FractionalMaxPool2D", _select),
    3: choosing_windows("fractional_max_pool3d", "FractionalMaxPool3D", _select),
}
_INTS = {2: "a single Int or tuple of Ints", 3: "a single Int or tuple of three Ints"}
_AXES = {2: ("height", "width"), 3: ("time", "height", "width")}


def _check_samples(samples: Tensor, input: Tensor, rank: int) -> None:
    shape, own = samples._array.shape, input._array.shape
    if samples.dtype is not input.dtype:
        raise RuntimeError(
            f"Expect _random_samples to have the same dtype as input, but they have {samples.dtype} and {input.dtype}"
        )
    if len(shape) != 3:
        raise RuntimeError(f"Expect _random_samples to have 3 dimensions, got {len(shape)}")
    batch = own[0] if len(own) == rank + 2 else 1
    if shape[0] < batch:
        raise RuntimeError(
            f"Expect _random_samples.size(0) no less then input batch size. It has {shape[0]}, the batch {batch}"
        )
    if shape[1] != own[-rank - 1]:
        raise RuntimeError(
            f"Expect _random_samples.size(1) equals to input channel size. It is {shape[1]}, and there are {own[-rank - 1]} channels"
        )
    if shape[2] != rank:
        raise RuntimeError(f"Expect _random_samples.size(2) equals to {rank}; got {shape[2]}.")


def _fractional(rank: int) -> Any:
    function = f"fractional_max_pool{rank}d"
    words = Phrases(function, rank, f"{function}: kernel_size must either be {_INTS[rank]}", "", "")
    words.words["output_size"] = f"{function}: output_size must either be {_INTS[rank]}"
    speaker = function if rank == 2 else f"{function}_out"

    def fractional_max_pool(
        input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> Any:  # fmt: skip
        array = check_tensor(function, input)._array
        shape = array.shape
        if output_size is None and output_ratio is None:
            raise ValueError(f"{function} requires specifying either an output_size or an output_ratio")
        if output_size is None:
            ratio = (output_ratio,) * rank if isinstance(output_ratio, (int, float)) else tuple(output_ratio)
            output_size = [int(n * r) for n, r in zip(shape[-rank:], ratio, strict=True)]
        if len(shape) <= rank:
            low = f"[{-len(shape) or -1}, {max(len(shape) - 1, 0)}]"
            raise IndexError(f"Dimension out of range (expected to be in range of {low}, but got {-rank - 1})")
        if _random_samples is None:
            if array.dtype.kind in "iub":
                raise NotImplementedError(f"\"check_uniform_bounds\" not implemented for '{scalar_name(input.dtype)}'")
            if not is_float(array):
                raise refuse_dtype(f"{function}_out_frame", input)
            batch = 1 if len(shape) == rank + 1 else shape[0]
            _random_samples = rand(batch, shape[-rank - 1], rank, dtype=input.dtype)
        kernel = words.several("kernel_size", kernel_size, 2)
        size = words.several("output_size", output_size, 3)
        if len(shape) > rank + 2:
            raise RuntimeError(f"{speaker}(): Expected {rank + 1}D or {rank + 2}D tensor, but got: {list(shape)}")
        for i in range(len(shape) - rank - 1, len(shape)):
            if not shape[i]:
                raise RuntimeError(
                    f"{speaker}(): Expected input to have non-zero size for non-batch dimensions, but got{list(shape)} with "
                    f"dimension {i} being empty."
                )
        for axis, n, k, m in zip(_AXES[rank], shape[-rank:], kernel, size, strict=True):
            if m + k - 1 > n - (rank == 3):  # in three dimensions PyTorch asks for one more
                raise RuntimeError(
                    f"{speaker}(): pool {axis} {k} too large relative to input {axis} {n}, for an output of {m}"
                )
            if k < 1:
                raise RuntimeError(f"{function}: kernel_size must be positive, but got {k}")
            if m < 0:
                raise RuntimeError(f"Trying to create tensor with negative dimension {m}: {[*shape[:-rank], *size]}")
        if not is_float(array):
            raise refuse_dtype(f"{function}_out_frame", input)
        _check_samples(_random_samples, input, rank)
        samples = _random_samples._array[: shape[0]] if len(shape) == rank + 2 else _random_samples._array[0]
        order = (
            (1, 0) if rank == 2 else (0, 1, 2)
        )  # the first random number of a plane is for its width, of a volume for its time
        windows = tuple(
            _Windows(_starts(samples[..., order[i]], n, m, k), k)
            for i, (n, m, k) in enumerate(zip(shape[-rank:], size, kernel, strict=True))
        )
        made = _POOL[rank](input, windows)
        return made if return_indices else made[0]

    fractional_max_pool.__name__ = fractional_max_pool.__qualname__ = function
    fractional_max_pool.__doc__ = f"""The largest elements of windows at random distances over the last {rank} dimensions.

    kernel_size: one number for all dimensions, or one for each. One of output_size and output_ratio says how many windows there
    are. return_indices: give also where each element is in its plane.
    Raises ValueError without either, RuntimeError for shapes and sizes that do not fit.

    >>> import wengert
    >>> x = wengert.rand(1, 1{", 8" * rank})
    >>> wengert.nn.functional.{function}(x, 2, output_size=5).shape
    torch.Size([1, 1{", 5" * rank}])
    """
    return fractional_max_pool


fractional_max_pool2d, fractional_max_pool3d = _fractional(2), _fractional(3)
