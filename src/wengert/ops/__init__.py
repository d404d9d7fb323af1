"""Every operation, forward and derivative side by side. `declare` says how they are declared."""

from . import arithmetic, functions, sampling
