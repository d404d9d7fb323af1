"""Samples of every operation, as data: what to call, with which inputs.

A family of operations has a module here with a list `SAMPLES`; `tests/test_operations.py` runs the same checks over all of them.

    S("mul", T(3, 2), T(2), value=np.multiply)        wengert.mul of a 3x2 and a 2 tensor; values compared with NumPy's
    S("log", T(5, low=0.1, high=3))                    the domain of the elements
    S("nn.functional.relu", T(4, away=(0.0,)))         not near a corner, where a finite difference would mean nothing
    S("gather", T(3, 4), 1, I(3, 2, high=4))           a number, and an integer tensor
    S("sum", T(2, 3), dim=1, keepdim=True)
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import numpy as np


class T:
    """A tensor of random floating-point numbers that requires grad (unless grad=False)."""

    def __init__(
        self, *shape: int, low: float = -2.0, high: float = 2.0, away: tuple[float, ...] = (), grad: bool = True,
        transposed: bool = False, complex: bool = False,
    ) -> None:  # fmt: skip
        self.shape, self.low, self.high, self.away, self.grad = shape, low, high, away, grad
        self.transposed, self.complex = transposed, complex

    def draw(self, rng: np.random.Generator) -> np.ndarray[Any, Any]:
        """A float64 (or complex128) array; with `transposed` its memory is in the other order."""
        shape = self.shape[::-1] if self.transposed else self.shape
        a = np.asarray(rng.uniform(self.low, self.high, shape))
        for point in self.away:
            a = np.where(abs(a - point) < 0.05, point + 0.1, a)
        if self.complex:
            a = a + 1j * rng.uniform(self.low, self.high, shape)
        return np.asarray(a).T if self.transposed else np.asarray(a)

    def __repr__(self) -> str:
        return "x".join(map(str, self.shape)) or "0d"


class I:  # noqa: E742
    """A tensor of random integers from low up to, but without, high."""

    def __init__(self, *shape: int, high: int, low: int = 0) -> None:
        self.shape, self.low, self.high = shape, low, high

    def draw(self, rng: np.random.Generator) -> np.ndarray[Any, Any]:
        return np.asarray(rng.integers(self.low, self.high, self.shape))

    def __repr__(self) -> str:
        return "i" + ("x".join(map(str, self.shape)) or "0d")


class B:
    """A tensor of random truth values."""

    def __init__(self, *shape: int) -> None:
        self.shape = shape

    def draw(self, rng: np.random.Generator) -> np.ndarray[Any, Any]:
        return np.asarray(rng.integers(0, 2, self.shape), bool)

    def __repr__(self) -> str:
        return "b" + ("x".join(map(str, self.shape)) or "0d")


class S:
    """One call: the dotted name of the function, its arguments, and a NumPy function for its value."""

    def __init__(
        self, name: str, *args: Any, value: Any = None, checks: str = "all", exact: bool = True, via: Any = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        self.name, self.args, self.value, self.kwargs = name, args, value, kwargs
        self.exact = exact  # whether the specialised path gives the reference's results to the last bit
        self.via = via  # calls the function, given first, where what it takes must be made of the tensors drawn
        self.checks = checks  # "all", or "value" for operations that have no derivative

    def __repr__(self) -> str:
        parts = [repr(a) for a in self.args] + [f"{k}={v!r}" for k, v in self.kwargs.items()]
        return f"{self.name}-{'-'.join(parts)}"


def every() -> list[S]:
    """The samples of all families."""
    found: list[S] = []
    for module in pkgutil.iter_modules(__path__):
        found += importlib.import_module(f"{__name__}.{module.name}").SAMPLES
    return found
