"""Random numbers in the place of a tensor's elements: `uniform_`, `normal_` and the like.

What is drawn does not depend on the values that it replaces: the derivative is zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _distributions as draw
from .._integer_range import check_range, int64, largest
from ..dtype_names import c_name, scalar_name
from ..generator import Generator, stream_of
from ..random import refuse
from ..tensor import Tensor
from .expose import expose
from .inplace import assign, check_writable
from .operation import Operation

if TYPE_CHECKING:
    from .._mersenne import Mersenne

    Array = np.ndarray[Any, np.dtype[Any]]

# ------------------------------------------------------------------------------------------------ recording


def drawn_operation(name: str, number: int = 0, inputs: tuple[str, ...] = ("self",)) -> Operation:
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


def recorded(operation: Operation, inputs: tuple[Any, ...], values: Array) -> Tensor:
    """Drawn values as the output of an operation on the inputs."""
    handed = [values]
    made: Tensor = operation.apply(inputs, (handed,))
    handed.clear()
    return made


def _fill(x: Tensor, operation: Operation, flat: Array) -> Tensor:
    """Give `x` the drawn elements, in the order in which its own lie in memory."""
    values = draw.laid_out(flat, x._array)
    return assign(x, lambda old: recorded(operation, (old,), values))


def _check_filled(x: Any, generator: Any, function: str) -> Mersenne:
    """The stream from which to fill `x`, which must allow to be written in place."""
    if not isinstance(x, Tensor):
        raise TypeError(f"{function}(): argument 'input' (position 1) must be Tensor, not {type(x).__name__}")
    stream = stream_of(generator, function)
    check_writable(x)
    return stream


def real_number(value: Any, function: str, name: str, position: int) -> float:
    """An argument that must be a real number; a tensor of one will do."""
    if isinstance(value, Tensor) and value._array.size == 1:
        value = value._array.item()
    if isinstance(value, (int, float, np.integer, np.floating)):
        return float(value)
    raise TypeError(f"{function}(): argument '{name}' (position {position}) must be float, not {type(value).__name__}")


_operations = {n: drawn_operation(n) for n in ("uniform", "normal", "exponential", "log_normal", "cauchy", "geometric")}
_random = [drawn_operation("random", number) for number in range(3)]
_bernoulli = drawn_operation("bernoulli", 2)
_bernoulli_each = drawn_operation("bernoulli", 1, ("self", "p"))

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
    low = real_number(named.pop("from", from_), "uniform_", "from", 1)
    high = real_number(to, "uniform_", "to", 2)
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
    middle, width = real_number(mean, "normal_", "mean", 1), real_number(std, "normal_", "std", 2)
    stream = _check_filled(self, generator, "normal_")
    check_std(width)
    array = self._array
    refuse("normal_kernel_cpu", array.dtype, "biu")
    flat = draw.normal(stream, array.size, array.dtype, middle, width, blocks=array.flags.c_contiguous)
    return _fill(self, _operations["normal"], flat)


def check_std(std: float) -> None:
    if not std >= 0.0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")


def exponential_(self: Tensor, lambd: Any = 1.0, *, generator: Generator | None = None) -> Tensor:
    """Fill the tensor with numbers from the exponential distribution of the rate lambd.

    Raises RuntimeError if lambd is not positive or the dtype is no real floating-point type.
    """
    rate = real_number(lambd, "exponential_", "lambd", 1)
    stream = _check_filled(self, generator, "exponential_")
    _check_continuous("Exponential", self, scalar_name(self.dtype))
    if not rate > 0.0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
    return _fill(self, _operations["exponential"], draw.exponential(stream, self._array.size, self._array.dtype, rate))


def _check_continuous(title: str, x: Tensor, name: str) -> None:
    if not x.dtype.is_floating_point:
        raise RuntimeError(
            f"{title} distribution is a continuous probability distribution. dtype must be a floating point but you "
            f"specified {name}"
        )


def cauchy_(self: Tensor, median: Any = 0.0, sigma: Any = 1.0, *, generator: Generator | None = None) -> Tensor:
    """Fill the tensor with numbers from the Cauchy distribution.

    Raises RuntimeError if sigma is not positive or the dtype is no real floating-point type.
    """
    middle, width = real_number(median, "cauchy_", "median", 1), real_number(sigma, "cauchy_", "sigma", 2)
    stream = _check_filled(self, generator, "cauchy_")
    _check_continuous("Cauchy", self, c_name(self.dtype))
    if not width > 0.0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={width:g}")
    return _fill(self, _operations["cauchy"], draw.cauchy(stream, self._array.size, self._array.dtype, middle, width))


def log_normal_(self: Tensor, mean: Any = 1.0, std: Any = 2.0, *, generator: Generator | None = None) -> Tensor:
    """Fill the tensor with exponentials of numbers from the normal distribution with this mean and standard deviation.

    Raises RuntimeError if std is not positive and NotImplementedError if the dtype is no real floating-point type.
    """
    middle, width = real_number(mean, "log_normal_", "mean", 1), real_number(std, "log_normal_", "std", 2)
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
    probability = real_number(p, "geometric_", "p", 1)
    stream = _check_filled(self, generator, "geometric_")
    if not 0.0 < probability < 1.0:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={probability:g}")
    refuse("geometric_cpu", self._array.dtype, "bc")
    return _fill(
        self, _operations["geometric"], draw.geometric(stream, self._array.size, self._array.dtype, probability)
    )


def random_(self: Tensor, *args: Any, generator: Generator | None = None, **named: Any) -> Tensor:
    """Fill the tensor with whole numbers: `random_()`, `random_(to)`, `random_(from, to)`.

    They are drawn from those from `from` (by default 0) up to, but without, `to`; without `to`, or where it is None, up
    to and including the largest of an integer type, or the last one up to which a floating-point type has them all.
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
            "random_() received an invalid combination of arguments - got "
            f"({', '.join(type(a).__name__ for a in args)}): give nothing, to, or from and to"
        )
    for end in (low, high):
        if end is not lacking and end is not None and (isinstance(end, bool) or not hasattr(end, "__index__")):
            raise TypeError(
                f"random_() received an invalid combination of arguments - got {type(end).__name__}, expected int"
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
    tensor([0., 0., 1., 0., 0., 0.])
    """
    if not isinstance(p, Tensor):
        if not isinstance(p, (int, float, np.integer, np.floating)):
            raise TypeError(
                f"bernoulli_() received an invalid combination of arguments - got ({type(p).__name__}): p must be a "
                "number or a Tensor"
            )
        stream = _check_filled(self, generator, "bernoulli_")
        return _fill(self, _bernoulli, zeros_and_ones(stream, self._array, float(p)))
    stream = _check_filled(self, generator, "bernoulli_")
    target, chances = self._array, p._array
    refuse("bernoulli_tensor_cpu_self_", target.dtype, "c")
    _check_expands(p, target.shape)
    check_chances(chances)
    in_memory = np.broadcast_to(chances, target.shape).transpose(draw.in_memory(target)).ravel()
    values = draw.laid_out(draw.bernoulli_each(stream, in_memory).astype(target.dtype), target)
    return assign(self, lambda old: recorded(_bernoulli_each, (old, p), values))


def zeros_and_ones(stream: Mersenne, target: Array, p: float) -> Array:
    if not 0.0 <= p <= 1.0:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    refuse("bernoulli_scalar_cpu_", target.dtype, "c")
    return draw.bernoulli(stream, target.size, p).astype(target.dtype)


def check_chances(p: Array) -> None:
    refuse("bernoulli_tensor_cpu_p_", p.dtype, "biuc")
    if not ((p >= 0) & (p <= 1)).all():
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false: each probability must be from 0 to 1"
        )


def _check_expands(p: Tensor, shape: tuple[int, ...]) -> None:
    own = p._array.shape
    if len(own) > len(shape):
        raise RuntimeError(
            f"expand(torch.{scalar_name(p.dtype)}Tensor{{{list(own)}}}, size={list(shape)}): the number of sizes "
            f"provided ({len(shape)}) must be greater or equal to the number of dimensions in the tensor ({len(own)})"
        )
    for i in range(1, len(own) + 1):
        if own[-i] not in (1, shape[-i]):
            raise RuntimeError(
                f"The expanded size of the tensor ({shape[-i]}) must match the existing size ({own[-i]}) at "
                f"non-singleton dimension {len(shape) - i}.  Target sizes: {list(shape)}.  Tensor sizes: {list(own)}"
            )


__all__ = expose(
    __name__,
    methods="uniform_ normal_ exponential_ log_normal_ cauchy_ geometric_ random_ bernoulli_",
)
