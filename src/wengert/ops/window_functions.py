"""Window functions: `hann_window` and its kin; their values are also those of `signal.windows`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from .._bessel import bessel_i
from ..creation import finish, numpy_dtype
from ..device import check_device, strided
from ..tensor import Tensor
from .dims import dim_number

__all__ = ["bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window"]

BLACKMAN = (0.42, 0.5, 0.08)

# ------------------------------------------------------------------------------------------------ values
#
# A window of `count` samples, `span` of which (not always whole) make up its width: count - 1 for one that is symmetric, count
# for one of which the last sample is left out, so that it can be repeated.


def cosines(count: int, span: float, coefficients: Any) -> Any:
    """A sum of cosines with alternating signs."""
    angle = np.arange(count) * (2 * np.pi / (span or 1))
    made = np.zeros(count)
    for i, c in enumerate(coefficients):
        made += (-1) ** i * float(c) * np.cos(i * angle)
    return made


def triangle(count: int, span: float) -> Any:
    """From 0 up to 1 and down to 0."""
    return 1 - np.abs(np.arange(count) * (2 / (span or 1)) - 1)


def kaiser_values(count: int, span: float, beta: float) -> Any:
    """Kaiser's window, the best made of a Bessel function for the energy in its main lobe."""
    way = np.arange(count) * (2 / (span or 1)) - 1
    return bessel_i(beta * np.sqrt(np.maximum(1 - way * way, 0)), 0) / bessel_i(np.array(float(beta)), 0)


# ------------------------------------------------------------------------------------------------ functions


def _window(
    function: str, values: Any, length: Any, periodic: Any, dtype: Any, layout: Any, device: Any, requires_grad: bool,
    *parameters: Any,
) -> Tensor:  # fmt: skip
    n = dim_number(function, length, "window_length", 1)
    if not isinstance(periodic, bool):
        raise TypeError(f"{function}(): argument 'periodic' (position 2) must be bool, not {type(periodic).__name__}")
    for position, (name, value) in enumerate(parameters, 3):
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
            raise TypeError(
                f"{function}(): argument '{name}' (position {position}) must be float, not {type(value).__name__}"
            )
    check_device(device)
    target = numpy_dtype(dtype)
    kind = dtypes.of(target)
    if layout is not None and layout is not strided:
        raise RuntimeError(f"{function} is not implemented for sparse types, got: {layout}")
    if kind.is_complex:
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{kind}': ask for a window of real numbers")
    if not kind.is_floating_point:
        raise RuntimeError(f"{function} expects floating point dtypes, got: {kind}")
    if n < 0:
        raise RuntimeError(f"{function} requires non-negative window_length, got window_length={n}")
    numbers = [float(value) for _, value in parameters]
    made = np.ones(n) if n < 2 else values(n, n if periodic else n - 1, *numbers)
    return finish(made.astype(target), requires_grad)


def hann_window(
    window_length: int, periodic: bool = True, *, dtype: Any = None, layout: Any = None, device: Any = None,
    pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Hann's window, one period of (1 - cos) / 2.

    periodic: leave out the last sample, which is like the first, as it should be for `stft`; else the window is symmetric.

    >>> import wengert
    >>> wengert.hann_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    return _window(
        "hann_window", lambda n, span: cosines(n, span, (0.5, 0.5)), window_length, periodic, dtype, layout, device,
        requires_grad,
    )  # fmt: skip


def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype: Any = None,
    layout: Any = None, device: Any = None, pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Hamming's window, one period of alpha - beta cos; `periodic` as in `hann_window`.

    >>> import wengert
    >>> wengert.hamming_window(4)
    tensor([0.0800, 0.5400, 1.0000, 0.5400])
    """
    return _window(
        "hamming_window", lambda n, span, a, b: cosines(n, span, (a, b)), window_length, periodic, dtype, layout, device,
        requires_grad, ("alpha", alpha), ("beta", beta),
    )  # fmt: skip


def blackman_window(
    window_length: int, periodic: bool = True, *, dtype: Any = None, layout: Any = None, device: Any = None,
    pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Blackman's window, of three cosines; `periodic` as in `hann_window`.

    >>> import wengert
    >>> wengert.blackman_window(5, periodic=False)
    tensor([-1.3878e-17,  3.4000e-01,  1.0000e+00,  3.4000e-01, -1.3878e-17])
    """
    return _window(
        "blackman_window", lambda n, span: cosines(n, span, BLACKMAN), window_length, periodic, dtype, layout, device,
        requires_grad,
    )  # fmt: skip


def bartlett_window(
    window_length: int, periodic: bool = True, *, dtype: Any = None, layout: Any = None, device: Any = None,
    pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Bartlett's window, a triangle; `periodic` as in `hann_window`.

    >>> import wengert
    >>> wengert.bartlett_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    return _window(
        "bartlett_window", triangle, window_length, periodic, dtype, layout, device, requires_grad
    )  # fmt: skip


def kaiser_window(
    window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: Any = None, layout: Any = None,
    device: Any = None, pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Kaiser's window I0(beta sqrt(1 - u**2)) / I0(beta) for u from -1 to 1; `periodic` as in `hann_window`.

    >>> import wengert
    >>> wengert.kaiser_window(4, beta=3.0)
    tensor([0.2049, 0.7269, 1.0000, 0.7269])
    """
    return _window(
        "kaiser_window", kaiser_values, window_length, periodic, dtype, layout, device, requires_grad, ("beta", beta)
    )
