"""Least squares."""

import numpy as np

from . import S, T


def _solution(f, a, b, **options):
    return f(a, b, **options).solution


def _value(a, b, **_):
    return np.linalg.pinv(a) @ b


SAMPLES = [
    S("linalg.lstsq", T(4, 2), T(4, 3), via=_solution, value=_value),
    S("linalg.lstsq", T(2, 2, 4), T(2, 2, 1), via=_solution, value=_value),
    S("linalg.lstsq", T(3, 3), T(3), via=_solution, value=_value),
    S("linalg.lstsq", T(3, 2, complex=True), T(3, 1, complex=True), via=_solution, value=_value, exact=False),
    S("linalg.lstsq", T(4, 2), T(4, 3), via=lambda f, a, b: f(a, b, driver="gelsd").residuals,
      value=lambda a, b: np.linalg.lstsq(a, b)[1]),
]  # fmt: skip
