"""The printed form of tensors, and the options that govern it."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from . import dtypes
from .autograd.modes import get_mode
from .ops.forward_mode import tangent_of
from .tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PROFILES: dict[str, dict[str, Any]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}
_options: dict[str, Any] = {**_PROFILES["default"], "sci_mode": None}


# ------------------------------------------------------------------------------------------------ options


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors print; what is not given stays as it is, but for `sci_mode`, which goes back to None.

    precision: digits after the point (4). threshold: a tensor of more elements than this (1000) is summarised.
    edgeitems: how many items a summary shows at each end of a dimension (3). linewidth: characters in a line (80).
    profile: "default", "short" or "full", values for all of these, which the other arguments override.
    sci_mode: whether floating-point numbers print in scientific notation; None lets each tensor's values decide.

    >>> import wengert
    >>> wengert.set_printoptions(precision=2)
    >>> wengert.tensor([1.23456])
    tensor([1.23])
    >>> wengert.set_printoptions(profile="default")
    """
    if profile is not None:
        _options.update(_PROFILES.get(profile, ()))
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    _options.update((name, value) for name, value in given.items() if value is not None)
    _options["sci_mode"] = sci_mode


def get_printoptions() -> dict[str, Any]:
    """The options in force, as a dictionary that `set_printoptions(**options)` takes back.

    >>> import wengert
    >>> wengert.get_printoptions()["linewidth"]
    80
    """
    return dict(_options)


@contextmanager
def printoptions(**options: Any) -> Iterator[None]:
    """Set print options, as `set_printoptions` does, for the duration of a `with` block.

    >>> import wengert
    >>> with wengert.printoptions(precision=1):
    ...     print(wengert.tensor([0.25]))
    tensor([0.2])
    >>> wengert.tensor([0.25])
    tensor([0.2500])
    """
    before = get_printoptions()
    try:
        set_printoptions(**options)
        yield
    finally:
        set_printoptions(**before)


# ------------------------------------------------------------------------------------------------ numbers


def _scientific(magnitudes: Sequence[float]) -> bool:
    """Whether the nonzero finite values span or reach too much for fixed notation."""
    if _options["sci_mode"] is not None:
        return bool(_options["sci_mode"])
    high, low = max(magnitudes), min(magnitudes)
    return high / low > 1000.0 or high > 1.0e8 or low < 1.0e-4


def _floats(values: Sequence[float]) -> tuple[list[str], int]:
    """Each number as text, and the width to pad them to, which zeros, infinities and NaN do not count towards."""
    shown = [v for v in values if v and v - v == 0.0]
    whole = all(map(float.is_integer, shown))
    if shown and _scientific(list(map(abs, shown))):
        spec, whole = f".{_options['precision']}e", False
    else:
        spec = ".0f" if whole else f".{_options['precision']}f"
    texts = [format(v, spec) for v in values]
    if whole:
        texts = [f"{s}." if v - v == 0.0 else s for s, v in zip(texts, values, strict=True)]
    if len(shown) == len(values):
        return texts, max(map(len, texts))
    return texts, max((len(s) for s, v in zip(texts, values, strict=True) if v and v - v == 0.0), default=1)


def _complexes(values: Sequence[complex]) -> tuple[list[str], int]:
    """Each number as text, its real part padded, and the width to count for one."""
    real, width = _floats([v.real for v in values])
    imaginary, width_imaginary = _floats([v.imag for v in values])
    return [
        f"{re.rjust(width)}{im}j" if im.startswith("-") else f"{re.rjust(width)}+{im}j"
        for re, im in zip(real, imaginary, strict=True)
    ], width + width_imaginary + 1


def _written(array: np.ndarray[Any, Any], kind: dtypes.dtype) -> tuple[list[str], int]:
    """The elements as text, in order, and the width of one that line lengths are counted by."""
    if kind is dtypes.bfloat16:
        array = array.astype(np.float64)
    values = array.ravel().tolist()
    if not values:
        return [], 1
    if kind.is_complex:
        return _complexes(values)
    if kind.is_floating_point:
        texts, width = _floats(values)
    else:
        texts = list(map(str, values))
        width = max(map(len, texts))
    return [s.rjust(width) for s in texts], width


# ------------------------------------------------------------------------------------------------ layout


def _edges(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements that a summary shows."""
    edge = _options["edgeitems"]
    for axis, size in enumerate(array.shape):
        if size > 2 * edge:
            before = (slice(None),) * axis
            array = np.concatenate((array[(*before, slice(edge))], array[(*before, slice(size - edge, None))]), axis)
    return array


def _row(texts: list[str], width: int, indent: int) -> str:
    """The items of the innermost dimension, in lines."""
    per_line = max(1, math.floor((_options["linewidth"] - indent) / (width + 2)))
    if len(texts) <= per_line:
        return f"[{', '.join(texts)}]"
    lines = [", ".join(texts[i : i + per_line]) for i in range(0, len(texts), per_line)]
    between = ",\n" + " " * (indent + 1)
    return f"[{between.join(lines)}]"


def _block(
    texts: list[str], width: int, shape: tuple[int, ...], sizes: tuple[int, ...], summarised: bool, indent: int
) -> str:
    """Brackets around `texts`, the elements of an array of `shape` kept from one of `sizes`."""
    edge = _options["edgeitems"]
    cut = summarised and sizes[0] > 2 * edge
    if len(shape) == 1:
        if cut:
            texts = [*texts[:edge], " ...", *texts[edge:]]
        return _row(texts, width, indent)
    step = math.prod(shape[1:])
    items = [
        _block(texts[i * step : (i + 1) * step], width, shape[1:], sizes[1:], summarised, indent + 1)
        for i in range(shape[0])
    ]
    if cut:
        items.insert(edge, "...")
    between = "," + "\n" * (len(shape) - 1) + " " * (indent + 1)
    return f"[{between.join(items)}]"


def _content(array: np.ndarray[Any, Any], kind: dtypes.dtype, indent: int) -> str:
    if array.ndim == 0:
        return _written(array, kind)[0][0]
    summarised = array.size > _options["threshold"]
    if summarised and _options["edgeitems"] == 0:
        return "[...]"
    shown = _edges(array) if summarised else array
    texts, width = _written(shown, kind)
    return _block(texts, width, shown.shape, array.shape, summarised, indent)


def _with_suffixes(text: str, suffixes: list[str], indent: int) -> str:
    """`text` and what follows it, each on the same line if it fits there."""
    parts = [text]
    length = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if length + len(suffix) + 2 > _options["linewidth"]:
            parts.append(f",\n{' ' * indent}{suffix}")
            length = indent + len(suffix)
        else:
            parts.append(f", {suffix}")
            length += len(suffix) + 2
    parts.append(")")
    return "".join(parts)


def _plain_repr(t: Tensor, name: str, contents: str | None) -> str:
    array = t._array
    kind = dtypes.of(array.dtype)
    default = dtypes.get_default_dtype()
    indent = len(name) + 1
    suffixes: list[str] = []
    if array.size == 0:
        text = "[]" if contents is None else contents
        if array.ndim != 1:
            suffixes.append(f"size={array.shape}")
        usual = kind is default
    else:
        text = _content(array, kind, indent) if contents is None else contents
        if _options["edgeitems"] == 0:
            suffixes.append(f"size={array.shape}")
        usual = kind in (default, dtypes.int64, dtypes.bool) or kind is default.to_complex()
    if not usual:
        suffixes.append(f"dtype={kind!r}")
    try:
        node = t.grad_fn
        made_by = None if node is None else type(node).__name__
    except RuntimeError:  # a view whose memory was written to in a way that its history cannot tell
        made_by = "Invalid"
    if made_by is not None:
        suffixes.append(f"grad_fn=<{made_by}>")
    elif t.requires_grad:
        suffixes.append("requires_grad=True")
    if t._extra is not None:
        tangent = tangent_of(t, get_mode().dual_level)
        if tangent is not None:
            suffixes.append(f"tangent={tangent}")
    return _with_suffixes(f"{name}({text}", suffixes, indent)


def tensor_repr(t: Tensor, contents: str | None = None) -> str:
    """The text of `repr(t)`, with `contents` in the place of the elements if given."""
    kind = type(t)
    if kind is Tensor:
        return _plain_repr(t, "tensor", contents)
    from .nn.parameter import Parameter  # the class, for others may have its name; of a layer above this one

    if kind is Parameter:
        return f"Parameter containing:\n{_plain_repr(t, 'tensor', contents)}"
    text = _plain_repr(t, kind.__name__, contents)
    if isinstance(t, Parameter):
        return f"Parameter containing:\nParameter({text})"
    return f"Parameter({text})" if getattr(t, "_is_param", False) else text


def tensor_format(t: Tensor, spec: str) -> str:
    """The text of `format(t, spec)`: of a 0-d tensor that of its Python number, else `repr(t)`.

    Tensors of a subclass, and those with dimensions, know the empty format alone, and raise TypeError for any other; a
    Python number raises ValueError for one that it does not know.
    """
    array = t._array
    if type(t) is Tensor and array.ndim == 0:
        return format(array.item(), spec)
    return object.__format__(t, spec)


# Attached, like the operations, because importing this module inside the method would take longer than the formatting.
Tensor.__format__ = tensor_format  # type: ignore[assignment, method-assign]
