"""Linear recurrences along a dimension, and shifts by one: what the derivatives of running products are made of.

    rise(b, a)_i = b_i + a_i * rise(b, a)_{i-1}          fall(b, a)_i = b_i + a_{i+1} * fall(b, a)_{i+1}

Each is the transpose of the other in `b`, and the derivative in `a` is a product with the shifted result. So the
family is closed: derivatives of every order come of it, without a division, and a zero among the factors does no harm.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .declare import flat, general, linear


def _rise(b: Any, a: Any, dim: int) -> Any:
    y = np.array(b, order="C")
    if y.ndim:
        lines, factors = np.moveaxis(y, dim, 0), np.moveaxis(a, dim, 0)
        for i in range(1, lines.shape[0]):
            lines[i] += factors[i] * lines[i - 1]
    return y


def _fall(b: Any, a: Any, dim: int) -> Any:
    y = np.array(b, order="C")
    if y.ndim:
        lines, factors = np.moveaxis(y, dim, 0), np.moveaxis(a, dim, 0)
        for i in range(lines.shape[0] - 2, -1, -1):
            lines[i] += factors[i + 1] * lines[i + 1]
    return y


def _at(dim: int, part: slice) -> tuple[slice, ...]:
    return (*(slice(None),) * dim, part)


_FIRST, _REST, _LAST, _FRONT = slice(0, 1), slice(1, None), slice(-1, None), slice(0, -1)


def _before(a: Any, dim: int) -> Any:
    made = np.zeros_like(a)
    if a.ndim:
        made[_at(dim, _REST)] = a[_at(dim, _FRONT)]
    return made


def _after(a: Any, dim: int) -> Any:
    made = np.zeros_like(a)
    if a.ndim:
        made[_at(dim, _FRONT)] = a[_at(dim, _REST)]
    return made


def _rises(a: Any, dim: int) -> Any:
    made = np.zeros_like(a)
    if a.ndim:
        np.subtract(a[_at(dim, _REST)], a[_at(dim, _FRONT)], out=made[_at(dim, _REST)])
    return made


def _fallen(t: Any, dim: int) -> Any:
    made = np.array(t, order="C")
    if made.ndim:
        made[_at(dim, _FIRST)] = 0
        made[_at(dim, _FRONT)] -= t[_at(dim, _REST)]
    else:
        made[...] = 0
    return made


def _first_one(a: Any, dim: int) -> Any:
    made = np.zeros_like(a)
    made[_at(dim, _FIRST) if a.ndim else ()] = 1
    return made


general(
    "rise", _rise,
    {
        "self": lambda F, t, factors, dim: F.fall(t, factors, dim),
        "factors": lambda F, t, factors, out, dim: F.fall(t, factors, dim) * F.before(out, dim),
    },
    ("dim",),
)  # fmt: skip
general(
    "fall", _fall,
    {
        "self": lambda F, t, factors, dim: F.rise(t, factors, dim),
        "factors": lambda F, t, factors, out, dim: F.before(F.rise(t, factors, dim), dim) * out,
    },
    ("dim",),
)  # fmt: skip
#: the elements moved on by one, after a zero; and back by one, before a zero
linear("before", _before, lambda F, t, dim: F.after(t, dim), ("dim",))
linear("after", _after, lambda F, t, dim: F.before(t, dim), ("dim",))
#: how much each element is above the one before it, and 0 for the first; and its transpose
linear("rises", _rises, lambda F, t, dim: F.fallen(t, dim), ("dim",))
linear("fallen", _fallen, lambda F, t, dim: F.rises(t, dim), ("dim",))
#: 1 for the first elements, 0 for all others
flat("first_one", _first_one, promote=None, statics=("dim",))
