"""Bessel's and Airy's functions of `torch.special`. PyTorch has no derivatives of these; here they have, of every order."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _bessel, _cylinder
from .declare import diagonal
from .gamma import _pull_bessel
from .refusal import only_kinds


def _check(name: str) -> Any:
    kinds = only_kinds(f"{name}_cpu", "fiub")

    def check(input: Any) -> None:
        kinds(input)
        if input._array.dtype.itemsize == 2 and input.dtype.is_floating_point:
            half = "Half" if input._array.dtype.kind == "f" else "BFloat16"
            raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{half}': convert the tensor with .float()")

    return check


def _function(name: str, forward: Any, rule: Any, what: str, at_one: str) -> Any:
    """Declare one of the functions; `at_one` is its printed value at 1."""
    return diagonal(
        name, forward, rule, promote="float", check=_check(name),
        node="Special" + "".join(part.capitalize() for part in name.split("_")) + "Backward0",
        doc=f"""{what}, of each element.

    Raises NotImplementedError for complex numbers and half precision.

    >>> import wengert
    >>> wengert.special.{name}(wengert.tensor([1.0]))
    tensor([{at_one}])
    """,
    )  # fmt: skip


def _by_self(F: Any, value: Any, self: Any, limit: float) -> Any:
    """value / self, and the limit at 0."""
    zero = self == 0
    return F.where(zero, F.null(self) + limit, value / (self + F.masked(F.null(self) + 1, zero)))


_BESSEL = "Bessel's function of the {} kind of order {}"
bessel_j0 = _function(
    "bessel_j0", lambda a: _cylinder.bessel_j(a, 0), lambda F, t, self: -t * F.bessel_j1(self),
    _BESSEL.format("first", 0), "0.7652",
)  # fmt: skip
bessel_j1 = _function(
    "bessel_j1", lambda a: _cylinder.bessel_j(a, 1),
    lambda F, t, self, out: t * (F.bessel_j0(self) - _by_self(F, out, self, 0.5)), _BESSEL.format("first", 1), "0.4401",
)  # fmt: skip
bessel_y0 = _function(
    "bessel_y0", lambda a: _cylinder.bessel_y(a, 0), lambda F, t, self: -t * F.bessel_y1(self),
    _BESSEL.format("second", 0), "0.0883",
)  # fmt: skip
bessel_y1 = _function(
    "bessel_y1", lambda a: _cylinder.bessel_y(a, 1), lambda F, t, self, out: t * (F.bessel_y0(self) - out / self),
    _BESSEL.format("second", 1), "-0.7812",
)  # fmt: skip

_MODIFIED = "The modified Bessel function of the {} kind of order {}"
modified_bessel_i0 = _function(
    "modified_bessel_i0", lambda a: _bessel.bessel_i(a, 0), lambda F, t, self: _pull_bessel(F, t, self, 0),
    _MODIFIED.format("first", 0), "1.2661",
)  # fmt: skip
modified_bessel_i1 = _function(
    "modified_bessel_i1", lambda a: _bessel.bessel_i(a, 1), lambda F, t, self: _pull_bessel(F, t, self, 1),
    _MODIFIED.format("first", 1), "0.5652",
)  # fmt: skip
modified_bessel_k0 = _function(
    "modified_bessel_k0", lambda a: _cylinder.bessel_k(a, 0), lambda F, t, self: -t * F.modified_bessel_k1(self),
    _MODIFIED.format("second", 0), "0.4210",
)  # fmt: skip
modified_bessel_k1 = _function(
    "modified_bessel_k1", lambda a: _cylinder.bessel_k(a, 1),
    lambda F, t, self, out: -t * (F.modified_bessel_k0(self) + out / self), _MODIFIED.format("second", 1), "0.6019",
)  # fmt: skip
scaled_modified_bessel_k0 = _function(
    "scaled_modified_bessel_k0", lambda a: _cylinder.bessel_k(a, 0, True),
    lambda F, t, self, out: t * (out - F.scaled_modified_bessel_k1(self)), _MODIFIED.format("second", 0) + ", times exp(x)",
    "1.1445",
)  # fmt: skip
scaled_modified_bessel_k1 = _function(
    "scaled_modified_bessel_k1", lambda a: _cylinder.bessel_k(a, 1, True),
    lambda F, t, self, out: t * (out - F.scaled_modified_bessel_k0(self) - out / self),
    _MODIFIED.format("second", 1) + ", times exp(x)", "1.6362",
)  # fmt: skip


# ------------------------------------------------------------------------------------------------ spherical, Airy


def _spherical(a: Any) -> Any:
    x = np.where(a == 0, 1, a)
    return np.where(a == 0, 1, np.where(np.isinf(a), 0, np.sin(x) / x)).astype(a.dtype)


def _spherical_slope(a: Any) -> Any:
    """(cos x - sin x / x) / x; by its power series where these cancel."""
    x = a.astype(np.float64)
    near = np.abs(x) < 1
    q = np.where(near, x * x, 0)
    small = x * (-1 / 3 + q * (1 / 30 + q * (-1 / 840 + q * (1 / 45360 + q * (-1 / 3991680 + q / 518918400)))))
    far = np.where(near, 1, x)
    large = (np.cos(far) - np.sin(far) / far) / far
    return np.where(near, small, np.where(np.isinf(x), 0, large)).astype(a.dtype)


spherical_bessel_j0 = _function(
    "spherical_bessel_j0", _spherical, lambda F, t, self: t * F.spherical_bessel_j0_slope(self),
    "The spherical Bessel function of the first kind of order 0, sin(x) / x", "0.8415",
)  # fmt: skip
diagonal(
    # j0'' = -j0 - 2 j0' / x
    "spherical_bessel_j0_slope", _spherical_slope,
    lambda F, t, self, out: -t * (F.spherical_bessel_j0(self) + 2 * _by_self(F, out, self, -1 / 3)), promote=None,
)  # fmt: skip
airy_ai = _function(
    "airy_ai", _cylinder.airy, lambda F, t, self: t * F.airy_ai_slope(self), "Airy's function Ai", "0.1353"
)
diagonal(
    "airy_ai_slope", lambda a: _cylinder.airy(a, True), lambda F, t, self: t * (self * F.airy_ai(self)), promote=None
)  # fmt: skip
