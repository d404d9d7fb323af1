"""Parts of numbers and divisors of integers."""

import numpy as np

from . import I, S, T

SAMPLES = [
    S("gcd", I(3, 4, low=-9, high=9), I(4, low=-9, high=9), value=np.gcd, checks="value"),
    S("lcm", I(3, 4, low=-9, high=9), I(high=9), value=np.lcm, checks="value"),
    S("nextafter", T(3, 2), T(2), value=np.nextafter),
    S("frexp", T(3, 2, away=(0.0, 0.25, -0.25, 0.5, -0.5, 1.0, -1.0))),
    S("nonzero_static", I(3, 3, high=2), size=4, fill_value=7, checks="value"),
]
