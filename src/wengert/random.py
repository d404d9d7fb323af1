"""Random tensors, and where their numbers come from: the generators of PyTorch's random numbers on the CPU.

After `manual_seed(s)` the functions here and the samplers of `ops.sampling` give the numbers that PyTorch gives. This
module is also what PyTorch calls `torch.random`.
"""

from __future__ import annotations

import contextlib
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _distributions, dtypes
from ._integer_range import check_range, int64, largest
from .creation import _like as like
from .creation import finish, numpy_dtype, size_of
from .device import check_device
from .dtype_names import scalar_name
from .generator import Generator, default_generator, stream_of
from .ops.inplace import into
from .tensor import Tensor, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ._mersenne import Mersenne

    Array = np.ndarray[Any, np.dtype[Any]]
    Draw = Callable[[Mersenne, int, bool], Array]
    Plan = Callable[[np.dtype[Any]], Draw]

# ------------------------------------------------------------------------------------------------ the default generator


def manual_seed(seed: Any) -> Generator:
    """Start the default generator again with this seed, an integer from -2**63 to 2**64 - 1; gives the generator.

    Raises ValueError for a seed out of range.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.randn(3)
    tensor([ 1.5410, -0.2934, -2.1788])
    """
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Start the default generator again with a seed that cannot be foreseen; gives the seed."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed with which the default generator started.

    >>> import wengert
    >>> _ = wengert.manual_seed(5)
    >>> wengert.initial_seed()
    5
    """
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default generator, as a tensor of 5056 bytes.

    >>> import wengert
    >>> state = wengert.get_rng_state()
    >>> first = wengert.rand(3)
    >>> wengert.set_rng_state(state)
    >>> bool((wengert.rand(3) == first).all())
    True
    """
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Let the default generator go on from a state that `get_rng_state` gave, here or in PyTorch.

    Raises TypeError if it is no tensor of uint8 and RuntimeError if it is no state.
    """
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(
    devices: Any = None,
    enabled: bool = True,
    _caller: str = "fork_rng",
    _devices_kw: str = "devices",
    device_type: Any = None,
) -> Iterator[None]:
    """Context manager and decorator: afterwards the default generator goes on as if nothing had been drawn inside.

    devices: further devices whose generators are to be kept; there are none.
    enabled: False makes it do nothing.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> with wengert.random.fork_rng():
    ...     _ = wengert.rand(100)
    >>> wengert.rand(1)
    tensor([0.4963])
    """
    if not enabled:
        yield
        return
    if devices is not None:
        for place in tuple(devices):
            check_device(f"cuda:{place}" if isinstance(place, int) else place)
    state = default_generator._stream.state()
    try:
        yield
    finally:
        default_generator._stream.load(state)


# ------------------------------------------------------------------------------------------------ what to draw

# A plan checks a dtype, and gives the function that draws so many elements of it from a stream. That is told whether
# the elements will lie in memory without gaps.


def refuse(kernel: str, dtype: np.dtype[Any], kinds: str) -> None:
    """Raise PyTorch's NotImplementedError, in the name of its inner function, if NumPy's kind of the dtype is given."""
    if dtype.kind in kinds:
        found = dtypes.of(dtype)
        raise NotImplementedError(
            f"\"{kernel}\" not implemented for '{scalar_name(found)}'; convert with .to(...) first"
        )


def _uniform(dtype: np.dtype[Any]) -> Draw:
    refuse("check_uniform_bounds", dtype, "biu")
    return lambda stream, count, dense: _distributions.uniform(stream, count, dtype)


def plan_normal(mean: float = 0.0, std: float = 1.0) -> Plan:
    """Normal numbers."""

    def plan(dtype: np.dtype[Any]) -> Draw:
        refuse("normal_kernel_cpu", dtype, "biu")
        return lambda stream, count, dense: _distributions.normal(stream, count, dtype, mean, std, dense)

    return plan


def _integers(low: int, high: int) -> Plan:
    def plan(dtype: np.dtype[Any]) -> Draw:
        start, end = check_range(low, high, dtypes.of(dtype))
        return lambda stream, count, dense: _distributions.integers(stream, count, dtype, start, end)

    return plan


def _permutation(dtype: np.dtype[Any]) -> Draw:
    refuse("randperm", dtype, "bc")

    def draw(stream: Mersenne, count: int, dense: bool) -> Array:
        return _distributions.from_int64(_distributions.permutation(stream, count), dtype)

    return draw


# ------------------------------------------------------------------------------------------------ by size


def of_size(function: str, plan: Plan, args: tuple[Any, ...], size: Any = None, **options: Any) -> Tensor:
    """A new tensor of the size given by `args` or `size`; the options are those of PyTorch's functions.

    Raises TypeError for what is no size, and RuntimeError for a negative length.
    """
    if size is not None:
        if args or isinstance(size, int):
            raise TypeError(f"{function}(): argument 'size' must be tuple of ints, not {type(size).__name__}")
        args = (size,)
    elif not args:
        raise TypeError(
            f"{function}() received an invalid combination of arguments - got (): give a size, as {function}(2, 3)"
        )
    return _made(function, plan, size_of(args, function), **options)


def _made(
    function: str, plan: Plan, shape: tuple[int, ...], *, generator: Any = None, out: Any = None, dtype: Any = None,
    device: Any = None, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of this shape. Everything is checked before anything is drawn."""
    check_device(device)
    stream = stream_of(generator, function)
    count = math.prod(shape)
    if out is not None:
        if not isinstance(out, Tensor):
            raise TypeError(f"{function}(): argument 'out' must be Tensor, not {type(out).__name__}")
        target = out._array.dtype
        if dtype is not None and numpy_dtype(dtype) != target:
            raise RuntimeError(
                f"dtype {scalar_name(dtypes.of(numpy_dtype(dtype)))} does not match dtype of out parameter "
                f"({scalar_name(out.dtype)})"
            )
        return into(out, wrap(plan(target)(stream, count, True).reshape(shape)))
    target = numpy_dtype(dtype)
    draw = plan(target)
    _check_grad(target, requires_grad)
    return finish(draw(stream, count, True).reshape(shape), requires_grad)


def _check_grad(dtype: np.dtype[Any], requires_grad: bool) -> None:
    if requires_grad and dtype.kind in "biu":
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")


def rand(
    *args: Any, size: Any = None, generator: Generator | None = None, out: Tensor | None = None, dtype: Any = None,
    layout: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of numbers uniform in [0, 1).

    args: the size, as integers or as one tuple.
    dtype: a floating-point or complex type, by default the default one.
    Raises RuntimeError for a negative length and NotImplementedError for an integer type.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.rand(2, 2)
    tensor([[0.4963, 0.7682],
            [0.0885, 0.1320]])
    """
    return of_size(
        "rand", _uniform, args, size, generator=generator, out=out, dtype=dtype, device=device,
        requires_grad=requires_grad,
    )  # fmt: skip


def randn(
    *args: Any, size: Any = None, generator: Generator | None = None, out: Tensor | None = None, dtype: Any = None,
    layout: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of numbers from the normal distribution with mean 0 and variance 1.

    args: the size, as integers or as one tuple.
    dtype: a floating-point or complex type, by default the default one.
    Raises RuntimeError for a negative length and NotImplementedError for an integer type.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.randn(2, 2)
    tensor([[ 1.5410, -0.2934],
            [-2.1788,  0.5684]])
    """
    return of_size(
        "randn", _standard_normal, args, size, generator=generator, out=out, dtype=dtype, device=device,
        requires_grad=requires_grad,
    )  # fmt: skip


_standard_normal = plan_normal()


def randint(
    *args: Any, low: Any = None, high: Any = None, size: Any = None, generator: Generator | None = None,
    out: Tensor | None = None, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of integers from low (by default 0) up to, but without, high.

    Called as `randint(high, size)` or `randint(low, high, size)`.
    dtype: any real type that can hold them, by default int64.
    Raises RuntimeError if low is not below high, or the dtype does not reach them.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.randint(10, (2, 3))
    tensor([[4, 9, 3],
            [0, 3, 9]])
    """
    ends = args
    if size is None:
        if len(args) < 2 - (high is not None):
            raise TypeError(
                f"randint() received an invalid combination of arguments - got {_types(args)}: give high and a size, "
                "as randint(10, (2, 3))"
            )
        *ends, size = args  # type: ignore[assignment]
        if not isinstance(size, (tuple, list)):
            raise TypeError(
                f"randint(): argument 'size' (position {len(args)}) must be tuple of ints, not {type(size).__name__}: "
                f"write ({size},)"
            )
    bottom, top = _ends("randint", ends, low, high, 1)
    return _made(
        "randint", _integers(bottom, top), size_of((tuple(size),), "randint"), generator=generator, out=out,
        dtype=dtypes.int64 if dtype is None and out is None else dtype, device=device, requires_grad=requires_grad,
    )  # fmt: skip


def _ends(function: str, given: Any, low: Any, high: Any, position: int) -> tuple[int, int]:
    """The two ends of a range, given as (high,) or (low, high) or by name."""
    named = low, high
    ends = list(given)
    if high is None and ends:
        high = ends.pop()
    if low is None and ends:
        low = ends.pop()
    if ends or high is None:
        raise TypeError(
            f"{function}() received an invalid combination of arguments - got {_types(given)}, low={named[0]}, "
            f"high={named[1]}: give high, or low and high"
        )
    bottom = 0 if low is None else integer(low, function, "low", position)
    return bottom, integer(high, function, "high", position + (low is not None))


def _types(args: Any) -> str:
    return f"({', '.join(type(a).__name__ for a in args)})"


def integer(value: Any, function: str, name: str, position: int) -> int:
    """An argument that must be an integer of 64 bits; a tensor of one integer will do.

    Raises TypeError for other values and ValueError for a larger number.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(
            f"{function}(): argument '{name}' (position {position}) must be int, not {type(value).__name__}"
        )
    return int64(value.__index__())


def randperm(
    n: Any, *, generator: Generator | None = None, out: Tensor | None = None, dtype: Any = None, layout: Any = None,
    device: Any = None, requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """The integers from 0 to n - 1 in random order.

    dtype: any real type that holds them, by default int64.
    Raises RuntimeError if n is negative or too large for the dtype.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.randperm(5)
    tensor([4, 0, 1, 3, 2])
    """
    count = integer(n, "randperm", "n", 1)
    if count < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {count}: [{count}]")
    if dtype is None and out is None:
        dtype = dtypes.int64
    _check_reach(count, dtypes.of(numpy_dtype(dtype, out.dtype if isinstance(out, Tensor) else None)))
    return _made(
        "randperm", _permutation, (count,), generator=generator, out=out, dtype=dtype, device=device,
        requires_grad=requires_grad,
    )  # fmt: skip


def _check_reach(count: int, dtype: dtypes.dtype) -> None:
    """Raise as PyTorch does if the dtype has fewer than so many whole numbers."""
    if dtype.name in ("float16", "float32", "float64"):
        limit = largest(dtype) + 1
        if count > limit:
            words = limit if limit < 10000 else f"2^{limit.bit_length() - 1}+1"
            raise RuntimeError(f"n cannot be greater than {words} for {scalar_name(dtype)} type.")
    elif dtype.category == dtypes.INTEGER and count - 1 > largest(dtype):
        raise RuntimeError(f"value cannot be converted to type {dtype.name}_t without overflow: {count - 1}")


# ------------------------------------------------------------------------------------------------ like another


def _filled(
    function: str, plan: Plan, input: Any, *, generator: Any, dtype: Any, device: Any, requires_grad: bool,
    memory_format: Any,
) -> Tensor:  # fmt: skip
    if not isinstance(input, Tensor):
        raise TypeError(f"{function}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
    stream = stream_of(generator, function)
    target = numpy_dtype(dtype, input.dtype)
    draw = plan(target)
    _check_grad(target, requires_grad)

    def make(array: Array) -> None:
        array[...] = _distributions.laid_out(draw(stream, array.size, array.flags.c_contiguous), array)

    return like(make, input, dtype, None, device, requires_grad, memory_format)


def rand_like(
    input: Tensor, *, generator: Generator | None = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, memory_format: Any = None, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of the size and dtype of `input` of numbers uniform in [0, 1).

    Raises NotImplementedError if the dtype is an integer type.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.rand_like(wengert.ones(2))
    tensor([0.4963, 0.7682])
    """
    return _filled(
        "rand_like", _uniform, input, generator=generator, dtype=dtype, device=device, requires_grad=requires_grad,
        memory_format=memory_format,
    )  # fmt: skip


def randn_like(
    input: Tensor, *, generator: Generator | None = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, memory_format: Any = None, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of the size and dtype of `input` of numbers from the normal distribution with mean 0 and variance 1.

    Raises NotImplementedError if the dtype is an integer type.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.randn_like(wengert.ones(2))
    tensor([ 1.5410, -0.2934])
    """
    return _filled(
        "randn_like", _standard_normal, input, generator=generator, dtype=dtype, device=device,
        requires_grad=requires_grad, memory_format=memory_format,
    )  # fmt: skip


def randint_like(
    input: Tensor, *args: Any, low: Any = None, high: Any = None, generator: Generator | None = None, dtype: Any = None,
    layout: Any = None, device: Any = None, requires_grad: bool = False, memory_format: Any = None,
    pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of the size and dtype of `input` of integers from low (by default 0) up to, but without, high.

    Called as `randint_like(input, high)` or `randint_like(input, low, high)`.
    Raises RuntimeError if low is not below high, or the dtype does not reach them.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.randint_like(wengert.ones(3), 10)
    tensor([4., 9., 3.])
    """
    return _filled(
        "randint_like", _integers(*_ends("randint_like", args, low, high, 2)), input, generator=generator, dtype=dtype,
        device=device, requires_grad=requires_grad, memory_format=memory_format,
    )  # fmt: skip
