"""Large arrays reuse the memory of those that were freed before.

The C library hands the memory of a large array back to the system when it is freed, and the next one is given fresh pages, each
of which costs a fault at its first touch: more than the arithmetic (three elementwise operations on a million float32 take 3.3 ms so,
and 1.3 ms on memory that is kept). glibc raises its thresholds by itself when a large block is freed, to that block's size and twice
that: one block of just under its limit of 32 MB, allocated and freed untouched, makes it keep up to 64 MB for reuse. Where the C
library is another one, this does nothing.
"""

from __future__ import annotations

import numpy as np

_LIMIT = 32 * 1024 * 1024


def keep_freed_memory() -> None:
    """Have the C library keep the memory of freed arrays; costs a few microseconds and no memory."""
    np.empty(_LIMIT - 65536, np.uint8)
