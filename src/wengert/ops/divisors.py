"""The greatest common divisor and the least common multiple."""

from __future__ import annotations

import numpy as np

from .declare import flat
from .expose import expose
from .refusal import of_tensors, only_kinds

gcd = of_tensors(
    flat(
        "gcd", np.gcd, inputs=("self", "other"), check=only_kinds("gcd_cpu", "iu"),
        doc="""The greatest common divisor, not negative, of the elements of two integer tensors whose shapes broadcast.

    Raises NotImplementedError for other dtypes.

    >>> import wengert
    >>> wengert.gcd(wengert.tensor([4, -6, 0]), wengert.tensor([6]))
    tensor([2, 6, 6])
    """,
    ),
)  # fmt: skip
lcm = of_tensors(
    flat(
        "lcm", np.lcm, inputs=("self", "other"), check=only_kinds("lcm_cpu", "iu"),
        doc="""The least common multiple, not negative, of the elements of two integer tensors whose shapes broadcast.

    Raises NotImplementedError for other dtypes.

    >>> import wengert
    >>> wengert.lcm(wengert.tensor([4, -6, 0]), wengert.tensor([6]))
    tensor([12,  6,  0])
    """,
    ),
)  # fmt: skip

__all__ = expose(__name__, functions="gcd lcm gcd_ lcm_", methods="gcd lcm", writes="gcd lcm")
