"""NumPy's floating-point warnings, off while wengert computes: inf and nan are results like others.

`np.errstate` does this in 0.7 us, which is as long as an operation takes. What it sets is a context variable of NumPy's; where
that can be reached it is set directly, in 0.1 us, and otherwise by NumPy's public functions.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

# The specialised paths do not switch the warnings off, they compute again where NumPy raises one as an error. This keeps
# NumPy's warnings about arrays that the user never sees from being shown; it concerns no module but wengert's own.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"wengert\.")

try:
    from numpy._core._ufunc_config import _extobj_contextvar as _state  # type: ignore[attr-defined, unused-ignore]

    with np.errstate(all="ignore"):
        _ignore = _state.get()

    def hush() -> Any:
        """Switch the warnings off; gives what `unhush` takes."""
        return _state.set(_ignore)

    unhush = _state.reset
except (ImportError, AttributeError):

    def hush() -> Any:
        """Switch the warnings off; gives what `unhush` takes."""
        return np.seterr(all="ignore")

    def unhush(token: Any) -> None:
        """Set the warnings as they were."""
        np.seterr(**token)
