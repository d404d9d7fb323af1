"""Rows of numbers: arange, linspace, logspace."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import dtypes
from .creation import finish, numpy_dtype
from .device import check_device
from .dtype_names import c_name, scalar_name
from .dtypes import dtype as _dtype
from .tensor import Tensor, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    Array = np.ndarray[Any, np.dtype[Any]]

__all__ = ["arange", "linspace", "logspace"]


def arange(
    start: Any, end: Any = None, step: Any = 1, *, out: Tensor | None = None, dtype: Any = None, layout: Any = None,
    device: Any = None, requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """The numbers from start (by default 0) up to, but without, end, in steps; of integers int64.

    Raises RuntimeError if the step is 0 or leads away from the end.

    >>> import wengert
    >>> wengert.arange(2, 6, 2)
    tensor([2, 4])
    """
    check_device(device, layout)
    if end is None:
        start, end = 0, start
    start, end, step = (x.item() if isinstance(x, Tensor) else x for x in (start, end, step))
    if isinstance(dtype, _dtype) or out is not None:
        wanted = dtype if out is None else out.dtype
        # as in PyTorch, where the narrower types take numbers with fractions as they come
        if wanted is dtypes.int64 and all(math.isfinite(x) for x in (start, end, step)):
            start, end = int(start), int(end)
            if step and not int(step):
                raise ValueError(f"step must be nonzero: {step} as an integer is 0")
            step = int(step)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    whole = all(isinstance(x, (int, np.integer)) for x in (start, end, step))
    target = numpy_dtype(dtype, (out.dtype if out is not None else None) or (dtypes.int64 if whole else None))
    count = max(0, math.ceil((end - start) / step)) if not whole else max(0, -((start - end) // step))
    if target.kind in "iu":
        values: Any = (int(start) + int(step) * np.arange(count, dtype=np.int64)).astype(target)
    else:
        wide = np.float64 if target.itemsize <= 8 else target
        values = (start + np.arange(count, dtype=wide) * step).astype(target)
    if out is not None:
        from .ops.inplace import into

        return into(out, wrap(values))
    return finish(values, requires_grad)


def linspace(
    start: Any, end: Any, steps: int, *, out: Tensor | None = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """`steps` numbers, evenly spaced, from start to end, both included.

    Raises RuntimeError if `steps` is negative.

    >>> import wengert
    >>> wengert.linspace(0, 1, 3)
    tensor([0.0000, 0.5000, 1.0000])
    """
    check_device(device, layout)
    start, end = _ends("linspace", start, end, steps)
    default = None
    if isinstance(start, complex) or isinstance(end, complex):
        default = dtypes.get_default_dtype().to_complex()
        if dtype is not None and not dtype.is_complex:
            raise RuntimeError(
                f"torch.linspace(): inferred dtype {c_name(default)} can't be safely cast to passed dtype {scalar_name(dtype)}: "
                "take the real part of the ends"
            )
    target = numpy_dtype(dtype, (out.dtype if out is not None else None) or default)
    values = _evenly(start, end, steps, target)
    if out is not None:
        from .ops.inplace import into

        return into(out, wrap(values))
    return finish(values, requires_grad)


def _ends(function: str, start: Any, end: Any, steps: Any) -> Iterator[Any]:
    """The ends of a row of numbers, which may be given as tensors, as numbers; `steps` is checked."""
    if type(steps) is not int and (isinstance(steps, (bool, float)) or not hasattr(steps, "__index__")):
        given = ", ".join("Tensor" if isinstance(x, Tensor) else type(x).__name__ for x in (start, end, steps))
        base = "float base = 10.0, *" if function == "logspace" else "*"

        from .ops.dims import combination_error

        raise combination_error(
            function, f"({given})", [f"(Number start, Number end, int steps, {base}, Tensor out = None)"]
        )
    for name, x in (("start", start), ("end", end)):
        if isinstance(x, Tensor) and x.ndim:
            raise RuntimeError(
                f"{function} only supports 0-dimensional start and end tensors, but got {name} with {x.ndim} dimension(s)."
            )
    if steps < 0:
        raise RuntimeError(f"number of steps must be non-negative: got {steps}")
    return (x.item() if isinstance(x, Tensor) else x for x in (start, end))


def _evenly(start: Any, end: Any, steps: int, target: np.dtype[Any]) -> Array:
    """Evenly spaced numbers, from both ends towards the middle, so that both ends are exact."""
    if steps <= 1:
        return np.full(steps, start).astype(target)
    if target.kind in "iu":
        return np.trunc(_integer_steps(start, end, steps)).astype(target)
    wide = target if target.itemsize >= 4 else np.dtype(np.float32)
    scalar: Any = wide.type
    first, last = scalar(start), scalar(end)
    step = scalar((last - first) / scalar(steps - 1))
    index = np.arange(steps).astype(wide)
    values = np.where(np.arange(steps) < steps // 2, first + step * index, last - step * (scalar(steps - 1) - index))
    return values.astype(target)


def _integer_steps(start: Any, end: Any, steps: int) -> Array:
    """Evenly spaced numbers between ends that are brought to integers first, as for an integer result in PyTorch."""
    start, end = int(start), int(end)
    step = (end - start) / max(steps - 1, 1)
    index = np.arange(steps)
    return np.where(index < max(steps // 2, 1), start + step * index, end - step * (steps - index - 1))


def logspace(
    start: Any, end: Any, steps: int, base: float = 10.0, *, out: Tensor | None = None, dtype: Any = None, layout: Any = None,
    device: Any = None, requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """`base` to the power of each of `steps` evenly spaced numbers.

    >>> import wengert
    >>> wengert.logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """
    check_device(device, layout)
    target = numpy_dtype(dtype, None if out is None else out.dtype)
    start, end = _ends("logspace", start, end, steps)
    with np.errstate(all="ignore"):
        if target.kind in "iu":
            values = np.trunc(np.power(float(base), _integer_steps(start, end, steps))).astype(target)
        else:
            exponents = linspace(start, end, steps, dtype=dtype if out is None else out.dtype)._array
            values = np.power(np.asarray(base, exponents.dtype), exponents)
    if out is not None:
        from .ops.inplace import into

        return into(out, wrap(values))
    return finish(values, requires_grad)
