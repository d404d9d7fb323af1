"""Random tensors, and where their numbers come from: the generators of PyTorch's random numbers on the CPU.

After `manual_seed(s)` the functions here and the samplers of `ops.sampling` give the numbers that PyTorch gives. This module is
also what PyTorch calls `torch.random`.
"""

from __future__ import annotations

import contextlib
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _distributions, dtypes
from ._integer_range import check_range, int64
from .creation import _like as like
from .creation import finish, numpy_dtype, size_of
from .device import check_device
from .device import device as _device
from .generator import Generator, default_generator, stream_of
from .ops.inplace import into, scalar_name
from .tensor import Tensor, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ._mersenne import Mersenne

    Array = np.ndarray[Any, np.dtype[Any]]

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
            _device(f"cuda:{place}" if isinstance(place, int) else place)
    state = default_generator._stream.state()
    try:
        yield
    finally:
        default_generator._stream.load(state)


# ------------------------------------------------------------------------------------------------ by size


def refuse(kernel: str, dtype: np.dtype[Any], kinds: str) -> None:
    """Raise PyTorch's NotImplementedError, in the name of its inner function, if the dtype is of one of NumPy's kinds."""
    if dtype.kind in kinds:
        found = dtypes.of(dtype)
        raise NotImplementedError(
            f"\"{kernel}\" not implemented for '{scalar_name(found)}'; convert with .to(...) first"
        )


def _checked_uniform(dtype: np.dtype[Any]) -> None:
    refuse("check_uniform_bounds", dtype, "biu")


def _checked_normal(dtype: np.dtype[Any]) -> None:
    refuse("normal_kernel_cpu", dtype, "biu")


def of_size(
    function: str, draw: Callable[..., Array], check: Callable[..., None], args: tuple[Any, ...], size: Any, generator: Any,
    out: Any, dtype: Any, place: Any, requires_grad: bool,
) -> Tensor:  # fmt: skip
    """A tensor of the size given by `args` or `size`, of what `draw(stream, count, dtype)` gives."""
    if size is not None:
        if args or isinstance(size, int):
            raise TypeError(f"{function}(): argument 'size' must be tuple of ints, not {type(size).__name__}")
        args = (size,)
    elif not args:
        raise TypeError(
            f"{function}() received an invalid combination of arguments - got (): give a size, as {function}(2, 3)"
        )
    shape = size_of(args, function)
    return _made(
        function, lambda s, d: draw(s, math.prod(shape), d), check, shape, generator, out, dtype, place, requires_grad
    )


def _made(
    function: str, draw: Callable[[Mersenne, np.dtype[Any]], Array], check: Callable[..., None], shape: tuple[int, ...],
    generator: Any, out: Any, dtype: Any, place: Any, requires_grad: bool,
) -> Tensor:  # fmt: skip
    """A tensor of what `draw(stream, dtype)` gives, in this shape; everything is checked before anything is drawn."""
    check_device(place)
    stream = stream_of(generator, function)
    if out is not None:
        if not isinstance(out, Tensor):
            raise TypeError(f"{function}(): argument 'out' must be Tensor, not {type(out).__name__}")
        target = out._array.dtype
        if dtype is not None and numpy_dtype(dtype) != target:
            raise RuntimeError(
                f"dtype {scalar_name(dtypes.of(numpy_dtype(dtype)))} does not match dtype of out parameter "
                f"({scalar_name(out.dtype)})"
            )
    else:
        target = numpy_dtype(dtype)
    check(target)
    if out is not None:
        return into(out, wrap(draw(stream, target).reshape(shape)))  # type: ignore[no-any-return]
    if requires_grad and target.kind in "biu":
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    return finish(draw(stream, target).reshape(shape), requires_grad)


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
        "rand", _distributions.uniform, _checked_uniform, args, size, generator, out, dtype, device, requires_grad
    )


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
        "randn", _distributions.normal, _checked_normal, args, size, generator, out, dtype, device, requires_grad
    )


def randint(
    *args: Any, low: Any = None, high: Any = None, size: Any = None, generator: Generator | None = None,
    out: Tensor | None = None, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of integers from low (by default 0) up to, but without, high: `randint(high, size)`, `randint(low, high, size)`.

    dtype: any real type that can hold them, by default int64.
    Raises RuntimeError if low is not below high, or the dtype does not reach them.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.randint(10, (2, 3))
    tensor([[4, 9, 3],
            [0, 3, 9]])
    """
    ends = list(args)
    if size is None:
        if len(ends) < 2 - (high is not None):
            raise TypeError(
                f"randint() received an invalid combination of arguments - got {_types(args)}: give high and a size, as "
                "randint(10, (2, 3))"
            )
        size = ends.pop()
        if isinstance(size, Tensor) or not isinstance(size, (tuple, list)):
            raise TypeError(
                f"randint(): argument 'size' (position {len(args)}) must be tuple of ints, not {type(size).__name__}: "
                f"write ({size},)"
            )
    if high is None and ends:
        high = ends.pop()
    if low is None and ends:
        low = ends.pop()
    if ends or high is None:
        raise TypeError(
            f"randint() received an invalid combination of arguments - got {_types(args)}: give low, high and size"
        )
    bottom = 0 if low is None else integer(low, "randint", "low", 1)
    top = integer(high, "randint", "high", 1 if low is None else 2)
    shape = size_of((tuple(size),), "randint")
    return _integers("randint", bottom, top, shape, generator, out, dtype or (None if out is not None else dtypes.int64), device,
                     requires_grad)  # fmt: skip


def _integers(
    function: str, low: int, high: int, shape: tuple[int, ...], generator: Any, out: Any, dtype: Any, place: Any,
    requires_grad: bool,
) -> Tensor:  # fmt: skip
    ends = (low, high)

    def check(target: np.dtype[Any]) -> None:
        nonlocal ends
        ends = check_range(low, high, dtypes.of(target))

    def draw(stream: Mersenne, target: np.dtype[Any]) -> Array:
        return _distributions.integers(stream, math.prod(shape), target, *ends)

    return _made(function, draw, check, shape, generator, out, dtype, place, requires_grad)


def integer(value: Any, function: str, name: str, position: int) -> int:
    """An argument that must be an integer of 64 bits; a tensor of one integer will do.

    Raises TypeError for other values and ValueError for a larger number.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(
            f"{function}(): argument '{name}' (position {position}) must be int, not {type(value).__name__}"
        )
    return int64(value.__index__())


def _types(args: tuple[Any, ...]) -> str:
    return f"({', '.join(type(a).__name__ for a in args)})"


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
    tensor([4, 1, 2, 0, 3])
    """
    count = integer(n, "randperm", "n", 1)

    def check(target: np.dtype[Any]) -> None:
        found = dtypes.of(target)
        if count < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {count}: [{count}]")
        refuse("randperm", target, "bc")
        if found.name in _PERMUTATION_LIMITS:
            limit, word = _PERMUTATION_LIMITS[found.name]
            if count > limit:
                raise RuntimeError(f"n cannot be greater than {word} for {scalar_name(found)} type.")
        elif not found.is_floating_point and count - 1 > np.iinfo(target).max:
            raise RuntimeError(f"value cannot be converted to type {found.name}_t without overflow: {count - 1}")

    def draw(stream: Mersenne, target: np.dtype[Any]) -> Array:
        order = _distributions.permutation(stream, count)
        if target.itemsize == 2 and target.kind not in "iu":
            return order.astype(np.float32).astype(target)
        return order.astype(target, copy=False)

    return _made("randperm", draw, check, (count,), generator, out, dtype or (None if out is not None else dtypes.int64), device,
                 requires_grad)  # fmt: skip


_PERMUTATION_LIMITS = {
    "float16": (2**11 + 1, "2049"), "float32": (2**24 + 1, "2^24+1"), "float64": (2**53 + 1, "2^53+1"),
}  # fmt: skip


# ------------------------------------------------------------------------------------------------ like another


def laid_out(flat: Array, target: Array) -> Array:
    """Drawn elements in the shape of `target`, in the order in which its elements lie in memory, as PyTorch visits them."""
    if target.flags.c_contiguous:
        return flat.reshape(target.shape)
    order = sorted(range(target.ndim), key=lambda axis: -target.strides[axis])
    return flat.reshape([target.shape[axis] for axis in order]).transpose(np.argsort(order))


def _filled(
    function: str, draw: Callable[[Mersenne, Array], Array], check: Callable[..., None], input: Any, generator: Any, dtype: Any,
    place: Any, requires_grad: bool, memory_format: Any,
) -> Tensor:  # fmt: skip
    if not isinstance(input, Tensor):
        raise TypeError(f"{function}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
    stream = stream_of(generator, function)
    target = numpy_dtype(dtype, input.dtype)
    check(target)
    if requires_grad and target.kind in "biu":
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")

    def make(array: Array) -> None:
        array[...] = laid_out(draw(stream, array), array)

    return like(make, input, dtype, place, requires_grad, memory_format)


def rand_like(
    input: Tensor, *, generator: Generator | None = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, memory_format: Any = None, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of the size and dtype of `input` of numbers uniform in [0, 1).

    Raises NotImplementedError if the dtype is an integer type.
    """
    return _filled(
        "rand_like", lambda s, a: _distributions.uniform(s, a.size, a.dtype), _checked_uniform, input, generator, dtype, device,
        requires_grad, memory_format,
    )  # fmt: skip


def randn_like(
    input: Tensor, *, generator: Generator | None = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, memory_format: Any = None, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of the size and dtype of `input` of numbers from the normal distribution with mean 0 and variance 1.

    Raises NotImplementedError if the dtype is an integer type.
    """
    return _filled(
        "randn_like", lambda s, a: _distributions.normal(s, a.size, a.dtype, blocks=a.flags.c_contiguous), _checked_normal,
        input, generator, dtype, device, requires_grad, memory_format,
    )  # fmt: skip


def randint_like(
    input: Tensor, *args: Any, low: Any = None, high: Any = None, generator: Generator | None = None, dtype: Any = None,
    layout: Any = None, device: Any = None, requires_grad: bool = False, memory_format: Any = None, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor of the size and dtype of `input` of integers from low (by default 0) up to, but without, high.

    Called as `randint_like(input, high)` or `randint_like(input, low, high)`.
    Raises RuntimeError if low is not below high, or the dtype does not reach them.
    """
    ends = list(args)
    if high is None and ends:
        high = ends.pop()
    if low is None and ends:
        low = ends.pop()
    if ends or high is None:
        raise TypeError(
            f"randint_like() received an invalid combination of arguments - got {_types((input, *args))}: give high, or low and "
            "high"
        )
    bottom = 0 if low is None else integer(low, "randint_like", "low", 2)
    top = integer(high, "randint_like", "high", 2 if low is None else 3)
    found = (bottom, top)

    def check(target: np.dtype[Any]) -> None:
        nonlocal found
        found = check_range(bottom, top, dtypes.of(target))

    return _filled(
        "randint_like", lambda s, a: _distributions.integers(s, a.size, a.dtype, *found), check, input, generator, dtype, device,
        requires_grad, memory_format,
    )  # fmt: skip
