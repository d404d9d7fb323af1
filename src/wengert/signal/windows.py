"""Window functions, as `torch.signal.windows` has them. Options that all share:

    M      the number of samples, 0 or more
    sym    symmetric; if False, a period of the window, without its last sample, as it should be for a transform
    dtype  float32 or float64

Raises ValueError for a negative M and for any other dtype.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..creation import finish, numpy_dtype
from ..device import check_device, strided
from ..dtypes import of
from ..ops.window_functions import BLACKMAN, cosines, kaiser_values, triangle

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..tensor import Tensor

__all__ = [
    "bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming", "hann",
    "kaiser", "nuttall",
]  # fmt: skip


def _check(function: str, M: Any, dtype: Any, layout: Any, device: Any) -> Any:
    """The NumPy dtype of a window."""
    if isinstance(M, bool) or not hasattr(M, "__index__"):
        raise TypeError(f"{function}(): argument 'M' (position 1) must be int, not {type(M).__name__}")
    check_device(device)
    target = numpy_dtype(dtype)
    if M < 0:
        raise ValueError(f"{function} requires non-negative window length, got M={M}")
    if layout is not None and layout is not strided:
        raise ValueError(f"{function} is implemented for strided tensors only, got: {layout}")
    if target not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise ValueError(f"{function} expects float32 or float64 dtypes, got: {of(target)}")
    return target


def _finish(values: Callable[[int, int], Any], M: int, sym: bool, target: Any, requires_grad: bool) -> Tensor:
    count = int(M)
    made = np.ones(count) if count < 2 else values(count, count - 1 if sym else count)
    return finish(made.astype(target), requires_grad)


def exponential(
    M: int, *, center: float | None = None, tau: float = 1.0, sym: bool = True, dtype: Any = None, layout: Any = strided,
    device: Any = None, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """exp(-|n - center| / tau); the center is the middle if it is left out, as it must be if the window is symmetric.

    >>> import wengert
    >>> wengert.signal.windows.exponential(3)
    tensor([0.3679, 1.0000, 0.3679])
    """
    target = _check("exponential", M, dtype, layout, device)
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    return _finish(
        lambda n, span: np.exp(-np.abs(np.arange(n) - (span / 2 if center is None else center)) / tau), M, sym, target,
        requires_grad,
    )  # fmt: skip


def cosine(
    M: int,
    *,
    sym: bool = True,
    dtype: Any = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Half a sine, sampled between its zeros.

    >>> import wengert
    >>> wengert.signal.windows.cosine(3)
    tensor([0.5000, 1.0000, 0.5000])
    """
    target = _check("cosine", M, dtype, layout, device)
    return _finish(
        lambda n, span: np.sin(np.pi / (span + 1) * (np.arange(n) + 0.5)), M, sym, target, requires_grad
    )  # fmt: skip


def gaussian(
    M: int, *, std: float = 1.0, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """exp(-u**2 / 2) where u is the distance from the middle in units of `std`.

    >>> import wengert
    >>> wengert.signal.windows.gaussian(3)
    tensor([0.6065, 1.0000, 0.6065])
    """
    target = _check("gaussian", M, dtype, layout, device)
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    return _finish(
        lambda n, span: np.exp(-(((np.arange(n) - span / 2) / std) ** 2) / 2), M, sym, target, requires_grad
    )  # fmt: skip


def kaiser(
    M: int, *, beta: float = 12.0, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """I0(beta sqrt(1 - u**2)) / I0(beta) for u from -1 to 1.

    >>> import wengert
    >>> wengert.signal.windows.kaiser(3, beta=3.0)
    tensor([0.2049, 1.0000, 0.2049])
    """
    target = _check("kaiser", M, dtype, layout, device)
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    return _finish(lambda n, span: kaiser_values(n, span, beta), M, sym, target, requires_grad)


def general_cosine(
    M: int, *, a: Any, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """A sum of cosines with the coefficients `a` and alternating signs.

    >>> import wengert
    >>> wengert.signal.windows.general_cosine(3, a=[0.5, 0.4, 0.1])
    tensor([0.2000, 1.0000, 0.2000])
    """
    target = _check("general_cosine", M, dtype, layout, device)
    if not isinstance(a, (list, tuple)):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")
    return _finish(lambda n, span: cosines(n, span, a), M, sym, target, requires_grad)


def general_hamming(
    M: int, *, alpha: float = 0.54, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """alpha - (1 - alpha) cos.

    >>> import wengert
    >>> wengert.signal.windows.general_hamming(3, alpha=0.6)
    tensor([0.2000, 1.0000, 0.2000])
    """
    return general_cosine(
        M, a=[alpha, 1.0 - alpha], sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad
    )


def hamming(
    M: int,
    *,
    sym: bool = True,
    dtype: Any = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Hamming's window, 0.54 - 0.46 cos."""
    return general_hamming(M, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


def hann(
    M: int,
    *,
    sym: bool = True,
    dtype: Any = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Hann's window, (1 - cos) / 2.

    >>> import wengert
    >>> wengert.signal.windows.hann(5)
    tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
    return general_hamming(
        M, alpha=0.5, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad
    )


def blackman(
    M: int,
    *,
    sym: bool = True,
    dtype: Any = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Blackman's window, of three cosines."""
    _check("blackman", M, dtype, layout, device)
    return general_cosine(
        M, a=BLACKMAN, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad
    )


def nuttall(
    M: int,
    *,
    sym: bool = True,
    dtype: Any = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Nuttall's window of four cosines, whose side lobes are low: Nuttall, "Some windows with very good sidelobe behavior" (1981).

    >>> import wengert
    >>> wengert.signal.windows.nuttall(3)
    tensor([3.6280e-04, 1.0000e+00, 3.6280e-04])
    """
    return general_cosine(
        M, a=(0.3635819, 0.4891775, 0.1365995, 0.0106411), sym=sym, dtype=dtype, layout=layout, device=device,
        requires_grad=requires_grad,
    )  # fmt: skip


def bartlett(
    M: int,
    *,
    sym: bool = True,
    dtype: Any = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Bartlett's window, a triangle.

    >>> import wengert
    >>> wengert.signal.windows.bartlett(5)
    tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
    return _finish(triangle, M, sym, _check("bartlett", M, dtype, layout, device), requires_grad)
