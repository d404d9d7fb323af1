"""Anomaly mode: where in the program the operation was called whose derivative failed or is nan."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .modes import get_mode, set_mode


class detect_anomaly:  # noqa: N801
    """Context manager: an error in the backward pass shows the forward call that it comes from, and nan is an error.

    check_nan: whether nan in a gradient is an error.

    >>> import wengert
    >>> x = wengert.tensor(-1.0, requires_grad=True)
    >>> with wengert.autograd.detect_anomaly(check_nan=False):
    ...     x.sqrt().backward()
    """

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = check_nan
        self._previous: list[Any] = []
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging.",
            UserWarning,
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self._previous.append(get_mode())
        set_mode(get_mode().replace(anomaly=2 if self.check_nan else 1))

    def __exit__(self, *_: object) -> None:
        set_mode(get_mode().replace(anomaly=self._previous.pop().anomaly))


class set_detect_anomaly:  # noqa: N801
    """Switch anomaly mode on or off, at once; as a context manager, until the end of the block."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._before = get_mode().anomaly
        set_mode(get_mode().replace(anomaly=(2 if check_nan else 1) if mode else 0))

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        set_mode(get_mode().replace(anomaly=self._before))


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on."""
    return bool(get_mode().anomaly)


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly mode is on and looks for nan."""
    return get_mode().anomaly == 2


def explain(node: Any) -> None:
    """Warn with the traceback of the call that made the node."""
    rare = node.rare
    if rare is None or rare.traceback is None:
        text = (
            f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during forward pass "
            "for more information."
        )
    else:
        text = f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n{rare.traceback}"
    warnings.warn(text, UserWarning, stacklevel=2)


def look_for_nan(node: Any, grads: tuple[Any, ...]) -> None:
    """Raise RuntimeError if a gradient that the node gives is nan somewhere."""
    if get_mode().anomaly != 2:
        return
    for i, g in enumerate(grads):
        if g is not None and np.isnan(getattr(g, "_array", g)).any():
            raise RuntimeError(f"Function '{node.name()}' returned nan values in its {i}th output.")
