"""What every test runs under."""

from __future__ import annotations

from hypothesis import settings

# A shared machine has no deadline that means anything, and a test run has to give the same result twice.
settings.register_profile("wengert", deadline=None, derandomize=True, database=None)
settings.load_profile("wengert")
