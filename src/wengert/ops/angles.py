"""Angles, and lengths in the plane: `atan2`, `hypot`, degrees and radians; `sinc`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .declare import diagonal
from .expose import alias, expose
from .refusal import in_single, of_tensors, only_kinds, refuse_complex

_PER_DEGREE = math.pi / 180


def _turned(F: Any, t: Any, self: Any, other: Any) -> Any:
    """t * other / (self**2 + other**2), 0 at the origin; without squares, which may leave the range of the numbers."""
    r = F.hypot(self, other)
    return F.masked(t * (other / r / r), r != 0)


atan2 = of_tensors(
    diagonal(
        "atan2", np.arctan2, _turned, lambda F, t, self, other: -_turned(F, t, other, self), promote="float",
        check=only_kinds("atan2_cpu", "fiub"),
        doc="""The angle from the positive x axis to the point (other, input), in radians from -pi to pi.

    input, other: tensors; their shapes broadcast. At the origin the gradient is 0.
    Raises NotImplementedError for complex numbers.

    >>> import wengert
    >>> wengert.atan2(wengert.tensor([1.0, -1.0]), wengert.tensor([1.0, -1.0]))
    tensor([ 0.7854, -2.3562])
        """,
    )
)  # fmt: skip
hypot = of_tensors(
    diagonal(
        "hypot", np.hypot, lambda F, t, self, out: F.masked(t * (self / out), out != 0),
        lambda F, t, other, out: F.masked(t * (other / out), out != 0), check=only_kinds("hypot_cpu", "f"),
        doc="""The length of the hypotenuse, `sqrt(input**2 + other**2)`, in range wherever the result is.

    input, other: floating-point tensors; their shapes broadcast. At the origin the gradient is 0.

    >>> import wengert
    >>> wengert.hypot(wengert.tensor([3.0]), wengert.tensor([4.0]))
    tensor([5.])
        """,
    )
)  # fmt: skip
deg2rad = diagonal(
    "deg2rad", lambda a: np.multiply(a, _PER_DEGREE, out=...), lambda F, t: t * _PER_DEGREE, promote="float",
    node="Deg2RadBackward0", check=refuse_complex("deg2rad is not supported for complex tensors."),
    doc="Degrees as radians.",
)  # fmt: skip
rad2deg = diagonal(
    "rad2deg", lambda a: np.multiply(a, 1 / _PER_DEGREE, out=...), lambda F, t: t * (1 / _PER_DEGREE), promote="float",
    node="Rad2DegBackward0", check=refuse_complex("rad2deg is not supported for complex tensors."),
    doc="Radians as degrees.",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ sinc
#
# sinc(x) is the spherical Bessel function of order 0 at pi x. Those of all orders are the smooth family that its
# derivatives are made of, (2n + 1) j_n' = n j_(n-1) - (n + 1) j_(n+1), with no division by x: so derivatives of every
# order are right at 0.


def _spherical_bessel(a: Any, n: int) -> Any:
    """The spherical Bessel function of order n at pi * a."""
    if n == 0:
        z = a * a.dtype.type(np.pi)
        zero = z == 0
        return np.where(zero, a.dtype.type(1), np.sin(z) / np.where(zero, a.dtype.type(1), z))
    z = a * np.pi
    near = np.abs(z) < n + 1
    safe = np.where(near, 1, z)
    before, made = np.sin(safe) / safe, (np.sin(safe) / safe - np.cos(safe)) / safe
    for k in range(1, n):
        before, made = made, (2 * k + 1) / safe * made - before
    return np.where(near, _bessel_series(np.where(near, z, 0), n), made).astype(a.dtype)


def _bessel_series(z: Any, n: int) -> Any:
    term = z**n / math.prod(range(1, 2 * n + 2, 2))
    total = np.zeros_like(term)
    k = 0
    while np.any(np.abs(term) > 1e-18 * np.abs(total)) and k < 100:
        total = total + term
        k += 1
        term = term * (z * z / -(2 * k * (2 * n + 2 * k + 1)))
    return total


def _pull_bessel(F: Any, t: Any, self: Any, n: int) -> Any:
    slope = F.spherical_bessel(self, n + 1) * (-(n + 1) * math.pi / (2 * n + 1))
    if n:
        slope = slope + F.spherical_bessel(self, n - 1) * (n * math.pi / (2 * n + 1))
    return t * slope


diagonal("spherical_bessel", _spherical_bessel, _pull_bessel, statics=("n",), promote=None, node="SincBackward0")
sinc = diagonal(
    "sinc", in_single(lambda a: _spherical_bessel(a, 0)), lambda F, t, self: t * (F.spherical_bessel(self, 1) * -math.pi),
    promote="float",
    doc="""sin(pi x) / (pi x) of each element x; 1 at 0.

    >>> import wengert
    >>> wengert.sinc(wengert.tensor([0.0, 0.5]))
    tensor([1.0000, 0.6366])
    """,
)  # fmt: skip

_all = "atan2 hypot deg2rad rad2deg sinc"
__all__ = expose(__name__, functions=_all + " deg2rad_ rad2deg_ sinc_", methods=_all, writes=_all)
__all__ += alias(__name__, "arctan2=atan2")
