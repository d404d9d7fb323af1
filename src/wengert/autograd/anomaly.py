"""Anomaly mode: where in the program the operation was called whose derivative failed or is nan."""

from __future__ import annotations

import warnings
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np

from .modes import get_mode, set_mode

if TYPE_CHECKING:
    from collections.abc import Callable

_HOME = __name__.partition(".")[0]
#: the node whose derivative is computed now
_running: ContextVar[Any] = ContextVar("wengert_running", default=None)


class set_detect_anomaly:
    """Switch anomaly mode on or off, at once; as a context manager, until the end of the block.

    mode       whether it is to be on
    check_nan  whether nan in a gradient is an error

    >>> import wengert
    >>> with wengert.autograd.set_detect_anomaly(True):
    ...     wengert.is_anomaly_enabled()
    True
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._before = get_mode().anomaly
        set_mode(get_mode().replace(anomaly=(2 if check_nan else 1) if mode else 0))

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        set_mode(get_mode().replace(anomaly=self._before))


class detect_anomaly(set_detect_anomaly):
    """Context manager: an error in a backward pass shows the forward call that it comes from, and nan is such an error.

    check_nan: whether nan in a gradient is an error.

    >>> import warnings
    >>> import wengert
    >>> warnings.simplefilter("ignore")
    >>> x = wengert.tensor(-1.0, requires_grad=True)
    >>> with wengert.autograd.detect_anomaly():
    ...     x.sqrt().backward()
    Traceback (most recent call last):
    RuntimeError: Function 'SqrtBackward0' returned nan values in its 0th output.
    """

    def __init__(self, check_nan: bool = True) -> None:
        self._before = get_mode().anomaly
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging.",
            UserWarning,
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self._before = get_mode().anomaly
        set_mode(get_mode().replace(anomaly=2 if self.check_nan else 1))


def note(node: Any) -> None:
    """Note in a new node's metadata where the program made it, and which node's derivative it is part of."""
    import sys
    import traceback

    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _HOME:
        frame = frame.f_back
    node.metadata["traceback_"] = traceback.format_stack(frame)
    parent = _running.get()
    if parent is not None:
        node.metadata["parent_"] = parent


def watched(step: Callable[[Any], None]) -> Callable[[Any], None]:
    """The step of a backward pass with its errors explained."""

    def watch(node: Any) -> None:
        token = _running.set(node)
        try:
            step(node)
        except Exception:
            explain(node)
            raise
        finally:
            _running.reset(token)

    return watch


def explain(node: Any) -> None:
    """Warn with the place in the program that made the node, and those that made the nodes it is a derivative of."""
    lines = node.metadata.get("traceback_")
    name = node.name()
    if lines is None:
        _warn(
            f"Error detected in {name}. No forward pass information available. Enable detect anomaly during forward pass for more "
            "information."
        )
        return
    _warn(f"Error detected in {name}. Traceback of forward call that caused the error:\n{''.join(lines)}")
    parent = node.metadata.get("parent_")
    while parent is not None:
        name, lines = parent.name(), parent.metadata.get("traceback_")
        if lines is None:
            _warn(
                f"\n\nPrevious calculation was induced by {name}. No forward pass information available. Enable detect anomaly "
                "during forward pass for more information."
            )
            return
        _warn(
            f"\n\nPrevious calculation was induced by {name}. Traceback of forward call that induced the previous calculation:\n"
            f"{''.join(lines)}"
        )
        parent = parent.metadata.get("parent_")


def _warn(text: str) -> None:
    """A warning that a filter which makes errors of warnings cannot put in the place of the error that is to be explained."""
    import sys

    frame, depth = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _HOME:
        frame, depth = frame.f_back, depth + 1
    try:
        warnings.warn(text, UserWarning, stacklevel=depth)
    except UserWarning:
        print(text, file=sys.stderr)


def look_for_nan(node: Any, grads: tuple[Any, ...], edges: tuple[Any, ...]) -> None:
    """Raise RuntimeError if a gradient that the node gives is nan somewhere, and goes on from there."""
    if get_mode().anomaly != 2:
        return
    for i, (g, edge) in enumerate(zip(grads, edges, strict=True)):
        if g is not None and edge is not None and np.isnan(getattr(g, "_array", g)).any():
            raise RuntimeError(f"Function '{node.name()}' returned nan values in its {i}th output.")
