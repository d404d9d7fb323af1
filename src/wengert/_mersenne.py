"""The stream of random numbers behind every sampler: PyTorch's Mersenne Twister, its uniforms, its normals and its
state.

A seed's low 32 bits start the generator MT19937 by the recurrence of its authors (M. Matsumoto and T. Nishimura,
"Mersenne Twister", ACM TOMACS 8, 1998). NumPy's bit generator then gives the outputs. All of PyTorch's CPU samplers
read one stream:

word      32 bits, one output
wide      64 bits, two outputs, the first one on top
single    24 bits of a word, over 2**24: float32 in [0, 1)
double    53 bits of a wide word, over 2**53: float64 in [0, 1)
normal    float64, by pairs, from two doubles; the second of a pair waits for whoever asks next
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    Array = np.ndarray[Any, np.dtype[Any]]

DEFAULT_SEED = 67280421310721
STATE_BYTES = 5056

_CHUNK = 1 << 14  # words in flight: they stay in the processor's cache
_LENGTH = 624  # words of the Mersenne Twister's state
_MASK24 = np.uint64(2**24 - 1)
_MASK53 = np.uint64(2**53 - 1)
_THIRTY_TWO = np.uint64(32)
_SHORT = 32  # up to here a loop over Python numbers is quicker than NumPy


class Mersenne:
    """One stream of random numbers."""

    __slots__ = ("_bits", "initial_seed", "waiting")

    initial_seed: int
    waiting: float | None  # the second normal of the last pair

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self._bits: Any = None
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Start again, from an integer of 64 bits."""
        self.initial_seed = seed
        self.waiting = None
        self._bits = None

    def _start(self) -> Any:
        from numpy.random import MT19937, RandomState  # at first use: it takes as long to import as all of wengert

        bits = self._bits = MT19937(0)
        RandomState(bits).seed(self.initial_seed & 0xFFFFFFFF)
        return bits

    # ------------------------------------------------------------------------------------------------ integers

    def words(self, count: int) -> Array:
        """The next outputs, of 32 bits, as uint64."""
        found: Array = (self._bits or self._start()).random_raw(count)
        return found

    def word(self) -> int:
        """The next output."""
        found: int = (self._bits or self._start()).random_raw()
        return found

    def wides(self, count: int) -> Array:
        """The next numbers of 64 bits, as uint64."""
        pairs = self.words(2 * count)
        found: Array = pairs[::2] << _THIRTY_TWO
        found |= pairs[1::2]
        return found

    # ------------------------------------------------------------------------------------------------ uniforms

    def singles(self, count: int) -> Array:
        """float32, uniform in [0, 1)."""
        out = np.empty(count, np.float32)
        for start in range(0, count, _CHUNK):
            part = out[start : start + _CHUNK]
            words = self.words(part.size)
            words &= _MASK24
            np.copyto(part, words.view(np.int64), casting="same_kind")
            part *= np.float32(2.0**-24)
        return out

    def doubles(self, count: int) -> Array:
        """float64, uniform in [0, 1)."""
        out = np.empty(count, np.float64)
        for start in range(0, count, _CHUNK):
            part = out[start : start + _CHUNK]
            wides = self.wides(part.size)
            wides &= _MASK53
            np.copyto(part, wides.view(np.int64), casting="same_kind")
            part *= 2.0**-53
        return out

    def double(self) -> float:
        """One number, uniform in [0, 1)."""
        first, second = self.word(), self.word()
        return ((first << 32 | second) & (2**53 - 1)) * 2.0**-53

    # ------------------------------------------------------------------------------------------------ normals

    def normals(self, count: int, exact: bool = True) -> Array:
        """float64, normal with mean 0 and variance 1, from pairs of doubles by the method of Box and Muller.

        exact: to the last bit, at the price of a call of the C library for each number; else to an ulp or two.
        """
        out = np.empty(count)
        if not count:
            return out
        rest = out
        if self.waiting is not None:
            out[0] = self.waiting
            self.waiting = None
            rest = out[1:]
            if not rest.size:
                return out
        pairs = (rest.size + 1) // 2
        uniforms = self.doubles(2 * pairs)
        turns, lengths = uniforms[::2], uniforms[1::2]
        if exact or pairs <= _SHORT:
            radii = np.sqrt(-2.0 * each(math.log1p, -lengths))
            angles = 2.0 * math.pi * turns
            rest[::2] = radii * each(math.cos, angles)
            sines = radii * each(math.sin, angles)
        else:
            radii = np.sqrt(-2.0 * np.log1p(-lengths))
            angles = 2.0 * math.pi * turns
            rest[::2] = radii * np.cos(angles)
            sines = radii * np.sin(angles)
            if rest.size % 2:
                sines[-1] = radii[-1] * math.sin(angles[-1])
        if rest.size % 2:
            rest[1::2] = sines[:-1]
            self.waiting = float(sines[-1])
        else:
            rest[1::2] = sines
        return out

    # ------------------------------------------------------------------------------------------------ state

    def state(self) -> Array:
        """The state as PyTorch lays it out, in 5056 bytes.

        In words of 64 bits: the seed; how many outputs are left until the next renewal (32 bits) and a 1; the place of
        the next output; 624 words of the Mersenne Twister; three doubles, of which the second is the waiting normal;
        whether it is there; one word for the same in float32, which nothing on the CPU uses.
        """
        inner = (self._bits or self._start()).state["state"]
        key, place = inner["key"], int(inner["pos"])
        if place == _LENGTH and key[0] == self.initial_seed & 0xFFFFFFFF:
            place = 0  # seeded, and nothing drawn yet
        state = np.zeros(STATE_BYTES // 8, np.uint64)
        state[0] = self.initial_seed
        state[1] = (_LENGTH + 1 - place if place else 1) | 1 << 32
        state[2] = place
        state[3 : 3 + _LENGTH] = key
        if self.waiting is not None:
            state[628] = np.float64(self.waiting).view(np.uint64)
            state[630] = 1
        return state.view(np.uint8)

    def load(self, state: Array) -> None:
        """Take over a state given by `state` or by PyTorch.

        Raises RuntimeError, and changes nothing, if the bytes are no state.
        """
        if state.size != STATE_BYTES:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {STATE_BYTES} but found the input RNG state size to be "
                f"{state.size}"
            )
        words = np.ascontiguousarray(state).reshape(-1).view(np.uint64)
        left, seeded = words[1:2].view(np.int32).tolist()
        place = int(words[2]) & 0xFFFFFFFF
        if not seeded or not 0 < left <= _LENGTH or place > _LENGTH:
            raise RuntimeError("Invalid mt19937 state: the bytes must be those that get_state() gave")
        bits = self._bits or self._start()
        bits.state = {
            "bit_generator": "MT19937",
            "state": {"key": words[3 : 3 + _LENGTH].astype(np.uint32), "pos": _LENGTH if left == 1 else place},
        }
        self.initial_seed = int(words[0])
        self.waiting = float(words[628:629].view(np.float64)[0]) if words[630] & 0xFFFFFFFF else None


def each(function: Callable[[float], float], values: Array) -> Array:
    """A function of Python's `math` on every element.

    NumPy's own have other last bits than the C library's, with which PyTorch computes.
    """
    return np.fromiter(map(function, values.tolist()), np.float64, values.size)
