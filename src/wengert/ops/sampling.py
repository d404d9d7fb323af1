"""Random numbers in the place of a tensor's elements, and samples from distributions whose parameters are tensors.

What is drawn does not depend on the values that it replaces, nor smoothly on the parameters: the derivatives are zero.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _distributions as draw
from .. import dtypes
from .._integer_range import c_name, check_range, int64, largest
from ..creation import finish
from ..generator import Generator, stream_of
from ..random import laid_out, of_size, refuse
from ..tensor import Tensor, wrap
from .declare import Operation
from .expose import expose
from .inplace import assign, check_writable, into, scalar_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._mersenne import Mersenne

    Array = np.ndarray[Any, np.dtype[Any]]

# ------------------------------------------------------------------------------------------------ recording


def _operation(name: str, number: int = 0, inputs: tuple[str, ...] = ("self",)) -> Operation:
    """An operation whose values were drawn before it is called: they come in a list, so that no node keeps them."""
    title = "".join(part.capitalize() for part in name.split("_"))
    return Operation(
        name,
        lambda *arrays_and_values: arrays_and_values[-1][0],
        dict.fromkeys(inputs, lambda F, t: t * 0),
        kind="diagonal",
        statics=("values",),
        node=f"{title}Backward{number}",
    )


def _recorded(operation: Operation, inputs: tuple[Any, ...], values: Array) -> Tensor:
    """Drawn values as the output of an operation on the inputs."""
    handed = [values]
    made: Tensor = operation.apply(inputs, (handed,))
    handed.clear()
    return made


def _fill(x: Tensor, operation: Operation, flat: Array) -> Tensor:
    """Give `x` the drawn elements, in the order in which its own lie in memory."""
    values = laid_out(flat, x._array)
    return assign(x, lambda old: _recorded(operation, (old,), values))


def _check_filled(x: Any, generator: Any, function: str) -> Mersenne:
    """The stream from which to fill `x`, which must allow to be written in place."""
    if not isinstance(x, Tensor):
        raise TypeError(f"{function}(): argument 'input' (position 1) must be Tensor, not {type(x).__name__}")
    stream = stream_of(generator, function)
    check_writable(x)
    return stream


def _number(value: Any, function: str, name: str, position: int) -> float:
    """An argument that must be a real number; a tensor of one will do."""
    if isinstance(value, Tensor) and value._array.size == 1:
        value = value._array.item()
    if isinstance(value, (int, float, np.integer, np.floating)):
        return float(value)
    raise TypeError(f"{function}(): argument '{name}' (position {position}) must be float, not {type(value).__name__}")


_random_names = "uniform normal exponential log_normal cauchy geometric".split()
_operations = {name: _operation(name) for name in _random_names}
_bernoulli_out, _bernoulli_in_place = _operation("bernoulli"), _operation("bernoulli", 2)
_bernoulli_each = _operation("bernoulli", 1, ("self", "p"))
_random = [_operation("random", number) for number in range(3)]
_poisson = _operation("poisson")
_normal = [_operation("normal", 1), _operation("normal", 2), _operation("normal", 3, ("self", "std"))]

# ------------------------------------------------------------------------------------------------ in place


def uniform_(
    self: Tensor, from_: Any = 0.0, /, to: Any = 1.0, *, generator: Generator | None = None, **named: Any
) -> Tensor:
    """Fill the tensor with numbers uniform in [from, to).

    `from`, a word of Python's, is given by position or as `**{"from": ...}`.
    Raises RuntimeError if from is above to or the dtype does not reach them; NotImplementedError for integer types.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.empty(2).uniform_(-1, 1)
    tensor([-0.0075,  0.5364])
    """
    low = _number(named.pop("from", from_), "uniform_", "from", 1)
    high = _number(to, "uniform_", "to", 2)
    _no_more("uniform_", named)
    stream = _check_filled(self, generator, "uniform_")
    array = self._array
    refuse("check_uniform_bounds", array.dtype, "biu")
    found = self.dtype.to_real()
    limit = _LIMITS.get(found.name) or float(np.finfo(found.numpy).max)
    for name, value in (("from", low), ("to", high)):
        if not -limit <= value <= limit:
            raise RuntimeError(f"{name} is out of bounds for {c_name(found)}: {value:g} is beyond {limit:g}")
    if low > high:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}")
    if high - low > limit:
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{scalar_name(found)}>::max(), but found to={high:g} and "
            f"from={low:g} which result in to-from to exceed the limit"
        )
    return _fill(self, _operations["uniform"], draw.uniform(stream, array.size, array.dtype, low, high))


_LIMITS = {"bfloat16": (2 - 2.0**-7) * 2.0**127}


def _no_more(function: str, named: dict[str, Any]) -> None:
    for name in named:
        raise TypeError(f"{function}() got an unexpected keyword argument '{name}'")


def normal_(self: Tensor, mean: Any = 0.0, std: Any = 1.0, *, generator: Generator | None = None) -> Tensor:
    """Fill the tensor with numbers from a normal distribution.

    Raises RuntimeError if std is negative and NotImplementedError for integer types.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.empty(2).normal_(10, 0.1)
    tensor([10.1541,  9.9707])
    """
    middle, width = _number(mean, "normal_", "mean", 1), _number(std, "normal_", "std", 2)
    stream = _check_filled(self, generator, "normal_")
    _check_std(width)
    array = self._array
    refuse("normal_kernel_cpu", array.dtype, "biu")
    flat = draw.normal(stream, array.size, array.dtype, middle, width, blocks=array.flags.c_contiguous)
    return _fill(self, _operations["normal"], flat)


def _check_std(std: float) -> None:
    if not std >= 0.0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")


def exponential_(self: Tensor, lambd: Any = 1.0, *, generator: Generator | None = None) -> Tensor:
    """Fill the tensor with numbers from the exponential distribution of the rate lambd.

    Raises RuntimeError if lambd is not positive or the dtype is no real floating-point type.
    """
    rate = _number(lambd, "exponential_", "lambd", 1)
    stream = _check_filled(self, generator, "exponential_")
    _check_continuous("Exponential", self, scalar_name(self.dtype))
    if not rate > 0.0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
    return _fill(self, _operations["exponential"], draw.exponential(stream, self._array.size, self._array.dtype, rate))


def _check_continuous(title: str, x: Tensor, name: str) -> None:
    if not x.dtype.is_floating_point:
        raise RuntimeError(
            f"{title} distribution is a continuous probability distribution. dtype must be a floating point but you specified "
            f"{name}"
        )


def cauchy_(self: Tensor, median: Any = 0.0, sigma: Any = 1.0, *, generator: Generator | None = None) -> Tensor:
    """Fill the tensor with numbers from the Cauchy distribution.

    Raises RuntimeError if sigma is not positive or the dtype is no real floating-point type.
    """
    middle, width = _number(median, "cauchy_", "median", 1), _number(sigma, "cauchy_", "sigma", 2)
    stream = _check_filled(self, generator, "cauchy_")
    _check_continuous("Cauchy", self, c_name(self.dtype))
    if not width > 0.0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={width:g}")
    return _fill(self, _operations["cauchy"], draw.cauchy(stream, self._array.size, self._array.dtype, middle, width))


def log_normal_(self: Tensor, mean: Any = 1.0, std: Any = 2.0, *, generator: Generator | None = None) -> Tensor:
    """Fill the tensor with exponentials of numbers from the normal distribution with this mean and standard deviation.

    Raises RuntimeError if std is not positive and NotImplementedError if the dtype is no real floating-point type.
    """
    middle, width = _number(mean, "log_normal_", "mean", 1), _number(std, "log_normal_", "std", 2)
    stream = _check_filled(self, generator, "log_normal_")
    if not width > 0.0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={width:g}")
    refuse("log_normal_cpu", self._array.dtype, "biuc")
    return _fill(
        self, _operations["log_normal"], draw.log_normal(stream, self._array.size, self._array.dtype, middle, width)
    )


def geometric_(self: Tensor, p: Any, *, generator: Generator | None = None) -> Tensor:
    """Fill the tensor with the numbers of trials, each successful with probability p, up to the first success.

    Raises RuntimeError if p is not between 0 and 1 and NotImplementedError if the dtype is bool or complex.
    """
    probability = _number(p, "geometric_", "p", 1)
    stream = _check_filled(self, generator, "geometric_")
    if not 0.0 < probability < 1.0:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={probability:g}")
    refuse("geometric_cpu", self._array.dtype, "bc")
    return _fill(
        self, _operations["geometric"], draw.geometric(stream, self._array.size, self._array.dtype, probability)
    )


def random_(self: Tensor, *args: Any, generator: Generator | None = None, **named: Any) -> Tensor:
    """Fill the tensor with whole numbers: `random_()`, `random_(to)`, `random_(from, to)`.

    They are drawn from those from `from` (by default 0) up to, but without, `to`; without `to`, or where it is None, up to and
    including the largest of an integer type, or the last one up to which a floating-point type has them all.
    Raises RuntimeError if from is not below to, or the dtype does not reach them.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.empty(4, dtype=wengert.int64).random_(10)
    tensor([4, 9, 3, 0])
    """
    ends = list(args)
    lacking = object()
    high = named.pop("to", lacking)
    low = named.pop("from", lacking)
    _no_more("random_", named)
    if high is lacking and ends:
        high = ends.pop()
    if low is lacking and ends:
        low = ends.pop()
    if ends or (high is lacking and low is not lacking) or (high is None and low is lacking):
        raise TypeError(
            f"random_() received an invalid combination of arguments - got ({', '.join(type(a).__name__ for a in args)}): give "
            "nothing, to, or from and to"
        )
    for end in (low, high):
        if end is not lacking and end is not None and (isinstance(end, bool) or not hasattr(end, "__index__")):
            raise TypeError(
                f"random_() received an invalid combination of arguments - got {type(end).__name__} where an int is expected"
            )
    stream = _check_filled(self, generator, "random_")
    array, found = self._array, self.dtype
    if high is lacking:
        refuse("random_kernel_cpu", array.dtype, "c")
        flat = draw.whole(stream, array.size, array.dtype, largest(found), array.itemsize == 8)
        return _fill(self, _random[2], flat)
    bottom = 0 if low is lacking else int64(low.__index__())
    start, end = check_range(bottom, None if high is None else int64(high.__index__()), found)
    return _fill(self, _random[1 if low is lacking else 0], draw.integers(stream, array.size, array.dtype, start, end))


def bernoulli_(self: Tensor, p: Any = 0.5, *, generator: Generator | None = None) -> Tensor:
    """Fill the tensor with ones, each with probability p, and zeros.

    p: a number, or a floating-point tensor of probabilities that broadcasts to this one.
    Raises RuntimeError if a probability is not from 0 to 1.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.empty(6).bernoulli_(0.5)
    tensor([1., 0., 0., 0., 0., 0.])
    """
    if not isinstance(p, Tensor):
        if not isinstance(p, (int, float, np.integer, np.floating)):
            raise TypeError(
                f"bernoulli_() received an invalid combination of arguments - got ({type(p).__name__}): p must be a number or a "
                "Tensor"
            )
        stream = _check_filled(self, generator, "bernoulli_")
        return _fill(self, _bernoulli_in_place, _zeros_and_ones(stream, self._array, float(p)))
    stream = _check_filled(self, generator, "bernoulli_")
    target, chances = self._array, p._array
    refuse("bernoulli_tensor_cpu_self_", target.dtype, "c")
    _check_expands(p, target.shape)
    _check_chances(chances)
    order = sorted(range(target.ndim), key=lambda axis: -target.strides[axis])
    in_memory = np.broadcast_to(chances, target.shape).transpose(order).ravel()
    values = laid_out(draw.bernoulli_each(stream, in_memory).astype(target.dtype), target)
    return assign(self, lambda old: _recorded(_bernoulli_each, (old, p), values))


def _zeros_and_ones(stream: Mersenne, target: Array, p: float) -> Array:
    if not 0.0 <= p <= 1.0:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    refuse("bernoulli_scalar_cpu_", target.dtype, "c")
    return draw.bernoulli(stream, target.size, p).astype(target.dtype)


def _check_chances(p: Array) -> None:
    refuse("bernoulli_tensor_cpu_p_", p.dtype, "biuc")
    if not ((p >= 0) & (p <= 1)).all():
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false: each probability must be from 0 to 1"
        )


def _check_expands(p: Tensor, shape: tuple[int, ...]) -> None:
    own = p._array.shape
    if len(own) > len(shape):
        raise RuntimeError(
            f"expand(torch.{scalar_name(p.dtype)}Tensor{{{list(own)}}}, size={list(shape)}): the number of sizes provided "
            f"({len(shape)}) must be greater or equal to the number of dimensions in the tensor ({len(own)})"
        )
    for i in range(1, len(own) + 1):
        if own[-i] not in (1, shape[-i]):
            raise RuntimeError(
                f"The expanded size of the tensor ({shape[-i]}) must match the existing size ({own[-i]}) at non-singleton "
                f"dimension {len(shape) - i}.  Target sizes: {list(shape)}.  Tensor sizes: {list(own)}"
            )


# ------------------------------------------------------------------------------------------------ from tensors


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
        flat = _zeros_and_ones(stream, array, _number(p, "bernoulli", "p", 2))
    else:
        refuse("bernoulli_tensor_cpu_self_", array.dtype, "c")
        _check_chances(array)
        flat = draw.bernoulli_each(stream, array.ravel()).astype(array.dtype)
    result = _recorded(_bernoulli_out, (input,), flat.reshape(array.shape))
    return result if out is None else into(out, result)  # type: ignore[no-any-return]


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
    return _recorded(_poisson, (input,), draw.poisson(stream, array.ravel()).reshape(array.shape))


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
    rows = np.ascontiguousarray(weights).reshape(-1, weights.shape[-1])
    _check_weights(rows, one_by_one=replacement and count > 1)
    found = draw.multinomial(stream, rows, count, replacement).reshape(*weights.shape[:-1], count)
    return finish(found) if out is None else into(out, wrap(found))  # type: ignore[no-any-return]


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
        middle, width = _number(mean, "normal", "mean", 1), _number(std, "normal", "std", 2)
        return _normal_of_size(middle, width, size, generator, out, dtype, device, requires_grad)
    if not any(tensors):
        raise TypeError(
            f"normal() received an invalid combination of arguments - got ({type(mean).__name__}, {type(std).__name__}): give a "
            "Tensor, or a size as in normal(0.0, 1.0, (2, 3))"
        )
    stream = stream_of(generator, "normal")
    if isinstance(std, Tensor):
        if std.is_complex():
            raise RuntimeError("normal expects standard deviation to be non-complex")
        if not (std._array >= 0).all():
            raise RuntimeError("normal expects all elements of std >= 0.0")
        width = std._array
    else:
        width = _number(std, "normal", "std", 2)
        _check_std(width)
    middle = mean._array if isinstance(mean, Tensor) else _number(mean, "normal", "mean", 1)
    target = (mean if tensors[0] else std)._array.dtype if out is None else out._array.dtype
    refuse("normal_kernel_cpu", target, "biu")
    shape = _broadcast(np.shape(middle), np.shape(width))
    values = draw.normal(stream, math.prod(shape), target).reshape(shape)
    values = _step(np.add, _step(np.multiply, values, width), middle)
    operation = _normal[2 if all(tensors) else 0 if tensors[0] else 1]
    result = _recorded(operation, tuple(x for x in (mean, std) if isinstance(x, Tensor)), values)
    return result if out is None else into(out, result)  # type: ignore[no-any-return]


def _normal_of_size(
    mean: float, std: float, size: Any, generator: Any, out: Any, dtype: Any, device: Any, requires_grad: bool
) -> Tensor:
    if isinstance(size, int):
        raise TypeError(
            "normal() received an invalid combination of arguments - got (float, float, int): the size must be a tuple, as in "
            f"normal({mean:g}, {std:g}, ({size},))"
        )
    _check_std(std)

    def values(stream: Mersenne, count: int, target: np.dtype[Any]) -> Array:
        return draw.normal(stream, count, target, mean, std)

    return of_size(
        "normal", values, lambda target: refuse("normal_kernel_cpu", target, "biu"), (size,), None, generator, out, dtype, device,
        requires_grad,
    )  # fmt: skip


def _broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    from .declare import check_broadcast

    check_broadcast([a, b])
    return np.broadcast_shapes(a, b)


def _step(ufunc: Callable[..., Any], values: Array, operand: Any) -> Array:
    """An in-place operation of tensors: computed in the common type, by float32 if that has 16 bits, and rounded back."""
    own = values.dtype
    common = own
    if isinstance(operand, np.ndarray):
        common = dtypes.result_type([wrap(values), wrap(operand)]).numpy
    if common.itemsize == 2:
        common = np.dtype(np.float32)
    with np.errstate(all="ignore"):
        operand = operand.astype(common) if isinstance(operand, np.ndarray) else common.type(operand)
        found: Array = ufunc(values.astype(common, copy=False), operand).astype(own, copy=False)
    return found


__all__ = expose(
    __name__,
    functions="bernoulli poisson multinomial normal",
    methods="bernoulli multinomial uniform_ normal_ exponential_ log_normal_ cauchy_ geometric_ random_ bernoulli_",
)
