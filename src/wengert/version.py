"""The version: the only place where it is written (`torch.version` has the other names)."""

from __future__ import annotations

__version__ = "0.1.0"
debug = False
cuda: str | None = None
hip: str | None = None
xpu: str | None = None
