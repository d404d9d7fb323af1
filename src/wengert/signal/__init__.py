"""Signal processing: `torch.signal`, which holds the window functions."""

from . import windows

__all__ = ["windows"]
