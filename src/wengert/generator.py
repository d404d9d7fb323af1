"""Generator: a stream of random numbers that a user holds, and the one that is used where none is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._mersenne import Mersenne
from .device import CPU, check_device
from .tensor import Tensor, wrap

if TYPE_CHECKING:
    from .device import device


class Generator:
    """A source of random numbers of its own, for the `generator` argument of the functions that draw.

    >>> import wengert
    >>> g = wengert.Generator().manual_seed(0)
    >>> wengert.rand(2, generator=g)
    tensor([0.4963, 0.7682])
    """

    __slots__ = ("__weakref__", "_stream")

    _stream: Mersenne

    def __init__(self, device: Any = "cpu") -> None:
        check_device(device)
        self._stream = Mersenne()

    @property
    def device(self) -> device:
        """Where the numbers are made: always the CPU."""
        return CPU

    def manual_seed(self, seed: int) -> Generator:
        """Start again with this seed, an integer from -2**63 to 2**64 - 1; gives the generator itself.

        Raises RuntimeError for what is no integer and ValueError for one out of range.
        """
        if isinstance(seed, (bool, Tensor)) or not hasattr(seed, "__index__"):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        self._stream.seed(_seed(seed.__index__()))
        return self

    def seed(self) -> int:
        """Start again with a seed that cannot be foreseen; gives the seed."""
        import os

        seed = int.from_bytes(os.urandom(8), "little")
        self._stream.seed(seed)
        return seed

    def initial_seed(self) -> int:
        """The seed with which the generator started."""
        return self._stream.initial_seed

    def get_state(self) -> Tensor:
        """The state as PyTorch lays it out: 5056 bytes, from which PyTorch's generators go on as this one does."""
        return wrap(self._stream.state())

    def set_state(self, new_state: Tensor) -> Generator:
        """Go on from a state that `get_state` gave, here or in PyTorch; gives the generator itself.

        Raises TypeError if it is no tensor of uint8 and RuntimeError if it is no state.
        """
        if not isinstance(new_state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
        array = new_state._array
        if array.dtype != np.uint8:
            raise TypeError(f"RNG state must be a torch.ByteTensor, not a tensor of {new_state.dtype}")
        if not array.flags.c_contiguous:
            raise RuntimeError("RNG state must be contiguous; call contiguous() first")
        self._stream.load(array)
        return self

    def clone_state(self) -> Generator:
        """A generator that goes on as this one does."""
        made = Generator()
        made._stream.load(self._stream.state())
        return made

    def get_offset(self) -> int:
        """Raises RuntimeError: the generators of the CPU have no offset."""
        raise RuntimeError("CPU Generator does not use offset")

    def set_offset(self, offset: int) -> Generator:
        """Raises RuntimeError: the generators of the CPU have no offset."""
        raise RuntimeError("CPU Generator does not use offset")

    def graphsafe_get_state(self) -> Generator:
        """Raises NotImplementedError, as in PyTorch on the CPU."""
        raise NotImplementedError("graphsafe_get_state is not supported in this Generator; use clone_state()")

    def graphsafe_set_state(self, state: Generator) -> Generator:
        """Raises NotImplementedError, as in PyTorch on the CPU."""
        raise NotImplementedError("graphsafe_set_state is not supported in this Generator; use set_state(...)")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._stream.state().tobytes(),)


def _restored(state: bytes) -> Generator:
    """The generator that was pickled or copied."""
    made = Generator()
    made._stream.load(np.frombuffer(state, np.uint8))
    return made


def _seed(seed: int) -> int:
    """A seed as 64 bits; negative ones are counted from the top."""
    if not -(2**63) <= seed < 2**64:
        raise ValueError(f"Overflow when unpacking long long: the seed {seed} is not from -2**63 to 2**64 - 1")
    return seed % 2**64


default_generator = Generator()


def stream_of(generator: Any, function: str) -> Mersenne:
    """The stream of a `generator` argument; that of the default generator for None.

    Raises TypeError, in the name of the function, for what is no generator.
    """
    if generator is None:
        return default_generator._stream
    if not isinstance(generator, Generator):
        raise TypeError(f"{function}(): argument 'generator' must be torch.Generator, not {type(generator).__name__}")
    return generator._stream
