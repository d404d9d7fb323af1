"""Samples from distributions whose parameters are tensors: `bernoulli`, `multinomial`, `normal`, `poisson`.

They do not depend smoothly on the parameters: the derivatives are zero, as PyTorch has them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _distributions as draw
from .. import dtypes
from ..creation import finish
from ..dtype_names import scalar_name
from ..generator import Generator, stream_of
from ..random import of_size, plan_normal, refuse
from ..tensor import Tensor, wrap
from .expose import expose
from .inplace import into
from .operation import check_broadcast
from .random_fills import check_chances, check_std, drawn_operation, real_number, recorded, zeros_and_ones

if TYPE_CHECKING:
    from collections.abc import Callable

    Array = np.ndarray[Any, np.dtype[Any]]

_bernoulli, _poisson = drawn_operation("bernoulli"), drawn_operation("poisson")
_normal = [drawn_operation("normal", 1), drawn_operation("normal", 2), drawn_operation("normal", 3, ("self", "std"))]


def bernoulli(input: Tensor, p: Any = None, *, generator: Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Ones, each with the probability that stands in the input, and zeros; in the input's shape and dtype.

    p: a probability to take instead of the input's elements.
    Raises RuntimeError if a probability is not from 0 to 1.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.bernoulli(wengert.tensor([0.0, 0.5, 0.5, 1.0]))
    tensor([0., 0., 1., 1.])
    """
    _check_input(input, "bernoulli")
    stream = stream_of(generator, "bernoulli")
    array = input._array
    if p is not None:
        flat = zeros_and_ones(stream, array, real_number(p, "bernoulli", "p", 2))
    else:
        refuse("bernoulli_tensor_cpu_self_", array.dtype, "c")
        check_chances(array)
        flat = draw.bernoulli_each(stream, array.ravel()).astype(array.dtype)
    if out is not None:
        flat = flat.astype(out._array.dtype)  # ones and zeros fit everywhere
    result = recorded(_bernoulli, (input,), flat.reshape(array.shape))
    return result if out is None else into(out, result)


def _check_input(x: Any, function: str) -> None:
    if not isinstance(x, Tensor):
        raise TypeError(f"{function}(): argument 'input' (position 1) must be Tensor, not {type(x).__name__}")


def poisson(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Numbers from the Poisson distributions whose rates stand in the input, in its shape and dtype.

    Raises RuntimeError for a negative rate and NotImplementedError if the dtype is no real floating-point type.
    """
    _check_input(input, "poisson")
    stream = stream_of(generator, "poisson")
    array = input._array
    refuse("poisson_cpu", array.dtype, "biuc")
    if not (array >= 0).all():
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    return recorded(_poisson, (input,), draw.poisson(stream, array.ravel()).reshape(array.shape))


def multinomial(
    input: Tensor,
    num_samples: int,
    replacement: bool = False,
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Indices into the input, or into each row of a matrix, drawn with probabilities in proportion to its elements.

    replacement: whether the same index may be drawn again.
    Returns a tensor of int64, of `num_samples` indices or of a row of so many for each row.
    Raises RuntimeError for weights that are negative, not finite or all zero in a row, and for too many samples.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.multinomial(wengert.tensor([1.0, 2.0, 7.0]), 2)
    tensor([2, 1])
    """
    _check_input(input, "multinomial")
    if isinstance(num_samples, bool) or not hasattr(num_samples, "__index__"):
        raise TypeError(
            f"multinomial(): argument 'num_samples' (position 2) must be int, not {type(num_samples).__name__}"
        )
    count = num_samples.__index__()
    stream = stream_of(generator, "multinomial")
    weights = input._array
    if out is not None and out._array.dtype != np.int64:
        raise RuntimeError(f"multinomial expects Long tensor out, got: {scalar_name(out.dtype)}")
    if not input.dtype.is_floating_point:
        raise RuntimeError(
            f"multinomial only supports floating-point dtypes for input, got: {scalar_name(input.dtype)}"
        )
    if weights.ndim not in (1, 2):
        raise RuntimeError(f"prob_dist must be 1 or 2 dim, not {weights.ndim}")
    if count <= 0:
        raise RuntimeError(f"cannot sample n_sample <= 0 samples: {count}")
    if not replacement and count > weights.shape[-1]:
        raise RuntimeError(
            f"cannot sample n_sample > prob_dist.size(-1) samples without replacement: {count} > {weights.shape[-1]}"
        )
    if weights.shape[-1] > 2**24:
        raise RuntimeError("number of categories cannot exceed 2^24")
    rows = weights if weights.ndim == 2 else weights[None]
    _check_weights(rows, one_by_one=replacement and count > 1)
    found = draw.multinomial(stream, rows, count, replacement).reshape(*weights.shape[:-1], count)
    return finish(found) if out is None else into(out, wrap(found))


def _check_weights(rows: Array, one_by_one: bool) -> None:
    """Raise as PyTorch does, by one of two algorithms, if weights are no distribution."""
    if one_by_one:
        if not (rows >= 0).all():
            raise RuntimeError("invalid multinomial distribution (encountering probability entry < 0)")
        if not np.isfinite(rows).all():
            raise RuntimeError("invalid multinomial distribution (encountering probability entry = infinity or NaN)")
    elif not ((rows >= 0) & np.isfinite(rows)).all():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if not (rows != 0).any(axis=1).all():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


def normal(
    mean: Any, std: Any = 1.0, size: Any = None, *, generator: Generator | None = None, out: Tensor | None = None,
    dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """Numbers from normal distributions: `normal(mean, std)` with tensors, `normal(mean, std, size)` with numbers.

    Of two tensors the shapes broadcast and the result has the dtype of the mean; one of the two may be a number.
    Raises RuntimeError if a standard deviation is negative and NotImplementedError for integer types.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.normal(wengert.tensor([0.0, 10.0]), 0.1)
    tensor([0.1541, 9.9707])
    >>> wengert.normal(0.0, 1.0, (2,))
    tensor([-2.1788,  0.5684])
    """
    tensors = isinstance(mean, Tensor), isinstance(std, Tensor)
    if size is not None:
        if any(tensors) and not all(not x or v._array.ndim == 0 for x, v in zip(tensors, (mean, std), strict=True)):
            raise TypeError(
                "normal() received an invalid combination of arguments - got a Tensor and a size: leave the size out"
            )
        numbers = real_number(mean, "normal", "mean", 1), real_number(std, "normal", "std", 2)
        return _normal_of_size(*numbers, size, generator, out, dtype, device, requires_grad)
    if not any(tensors):
        raise TypeError(
            f"normal() received an invalid combination of arguments - got ({type(mean).__name__}, "
            f"{type(std).__name__}): give a Tensor, or a size as in normal(0.0, 1.0, (2, 3))"
        )
    stream = stream_of(generator, "normal")
    widths = None
    spread = 1.0
    if isinstance(std, Tensor):
        if std.is_complex():
            raise RuntimeError("normal expects standard deviation to be non-complex")
        widths = std._array
        if not (widths >= 0).all():
            raise RuntimeError("normal expects all elements of std >= 0.0")
    else:
        spread = real_number(std, "normal", "std", 2)
        check_std(spread)
    middle: Any = mean._array if isinstance(mean, Tensor) else real_number(mean, "normal", "mean", 1)
    target = (mean if tensors[0] else std)._array.dtype if out is None else out._array.dtype
    refuse("normal_kernel_cpu", target, "biu")
    shape = _broadcast(np.shape(middle), np.shape(widths if widths is not None else 0.0))
    values = draw.normal(stream, math.prod(shape), target, 0.0, spread).reshape(shape)
    if widths is not None:
        values = _step(np.multiply, values, widths)
    values = _step(np.add, values, middle)
    operation = _normal[2 if all(tensors) else 0 if tensors[0] else 1]
    result = recorded(operation, tuple(x for x in (mean, std) if isinstance(x, Tensor)), values)
    return result if out is None else into(out, result)


def _normal_of_size(
    mean: float, std: float, size: Any, generator: Any, out: Any, dtype: Any, device: Any, requires_grad: bool
) -> Tensor:
    if isinstance(size, int):
        raise TypeError(
            "normal() received an invalid combination of arguments - got (float, float, int): the size must be a "
            f"tuple, as in normal({mean:g}, {std:g}, ({size},))"
        )
    check_std(std)
    return of_size(
        "normal", plan_normal(mean, std), (size,), generator=generator, out=out, dtype=dtype, device=device,
        requires_grad=requires_grad,
    )  # fmt: skip


def _broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    check_broadcast([a, b])
    return np.broadcast_shapes(a, b)


def _step(ufunc: Callable[..., Any], values: Array, operand: Any) -> Array:
    """An in-place operation of tensors: in the common type, or in float32 if that has 16 bits, and rounded back."""
    own = values.dtype
    common = own
    if isinstance(operand, np.ndarray):
        common = dtypes.common_type([wrap(values), wrap(operand)]).numpy
    else:
        operand = np.asarray(operand).astype(own)  # of a number that is added, only so many digits count
    if common.itemsize == 2:
        common = np.dtype(np.float32)
    with np.errstate(all="ignore"):
        found: Array = ufunc(values.astype(common, copy=False), operand.astype(common)).astype(own, copy=False)
    return found


__all__ = expose(__name__, functions="bernoulli poisson multinomial normal", methods="bernoulli multinomial")
