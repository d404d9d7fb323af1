"""Subtracting the mean and dividing by the deviation: what layer, batch, group and instance normalisation have in common.

Each looks at its input in a shape of its own, and standardises over some axes of it. A `form` says how: (the shape, the axes, the
shape in which weight and bias stand beside it). Over n elements with mean m, deviation s = sqrt(variance + eps) and x̂ = (x - m) / s

    dx̂ = S(dx)        S(u) = (u - mean(u) - x̂ mean(u x̂)) / s        its own transpose
    d(1/s) = -(x̂ · dx) / (n s²)
    <t, S(u)> = n (c - a b) / s        a = mean(t x̂)        b = mean(u x̂)        c = mean(t u) - mean(t) mean(u)

and so, with S varied too, the gradient of <t, S(u)> is -(c - a b) x̂ / s² - (b S(t) + a S(u)) / s.

An operation that is given `mean` and `scale` (1/s) takes them as found before, from the same input: its rule for the input is the
whole derivative, and the two have none.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .adding import add_squares, add_up
from .declare import F32, general
from .dims import count_over, kept_shape

Form = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]

# ------------------------------------------------------------------------------------------------ forwards

_BLOCK = 32768  # elements that are gone through again and again while they are in the cache


def wide(a: Any) -> Any:
    """A half as float32, in which it is computed; anything else as it is."""
    return a.astype(F32) if a.dtype.itemsize == 2 else a


def _mean(a: Any, axes: tuple[int, ...]) -> Any:
    made = add_up(a, axes, True)
    made /= count_over(a.shape, axes) or math.nan
    return made


def _mean_product(a: Any, b: Any, axes: tuple[int, ...]) -> Any:
    """The mean of a * b, without room for the product where each line lies in one piece."""
    if axes == (1,) and a.ndim == 2:
        made = np.vecdot(a, b)[:, None]
        made /= a.shape[1] or math.nan
        return made
    return _mean(a * b, axes)


def _blocks(form: Form) -> Any:
    """Indices that cut arrays in the shape of the form, and those kept beside, along an axis that is not averaged over."""
    shape, axes, _ = form
    size = math.prod(shape)
    if size <= _BLOCK:
        return ((),)
    axis = next(i for i in range(len(shape)) if i not in axes)
    n = shape[axis]
    step = max(1, _BLOCK * n // size)
    before = (slice(None),) * axis
    return [(*before, slice(k, k + step)) for k in range(0, n, step)]


def _part(beside: Any, block: tuple[Any, ...]) -> Any:
    """The part of a weight that stands beside a block."""
    return beside if not block or beside.shape[len(block) - 1] == 1 else beside[block]


def _statistics(a: Any, away: Any, axes: tuple[int, ...], eps: float) -> tuple[Any, Any]:
    """Mean and 1/s of an array in the shape of its form; its deviations from the mean are put into `away`."""
    mean = _mean(a, axes)
    np.subtract(a, mean, away)
    scale = add_squares(away, axes, True)
    scale /= count_over(a.shape, axes) or math.nan
    scale += eps
    np.sqrt(scale, scale)
    return mean, np.divide(1, scale, scale)


def _standardized(x: Any, form: Form, eps: float, weight: Any = None, bias: Any = None) -> tuple[Any, Any, Any]:
    """x̂, times weight, plus bias; the means and 1/s."""
    shape, axes, beside = form
    a = wide(x).reshape(shape)
    made = np.empty(shape, a.dtype)
    kept = kept_shape(shape, axes)
    mean, scale = np.empty(kept, a.dtype), np.empty(kept, a.dtype)
    weight = None if weight is None else weight.reshape(beside)
    bias = None if bias is None else bias.reshape(beside)
    for block in _blocks(form):
        part = made[block]
        mean[block], scale[block] = _statistics(a[block], part, axes, eps)
        part *= scale[block]
        if weight is not None:
            part *= _part(weight, block)
        if bias is not None:
            part += _part(bias, block)
    return made.astype(x.dtype, copy=False), mean, scale


def _normalized(x: Any, weight: Any, bias: Any, form: Form, eps: float) -> tuple[Any, Any, Any]:
    made, mean, scale = _standardized(x, form, eps, weight, bias)
    return made.reshape(x.shape), mean, scale


def _pulled(t: Any, x: Any, form: Form, mean: Any, scale: Any, weight: Any = None) -> Any:
    """S(t * weight)."""
    shape, axes, beside = form
    a, u = wide(x).reshape(shape), wide(t).reshape(shape)
    weight = None if weight is None else weight.reshape(beside)
    made = np.empty(shape, a.dtype)
    for block in _blocks(form):
        part, s = made[block], scale[block]
        v = u[block] if weight is None else u[block] * _part(weight, block)
        np.subtract(a[block], mean[block], part)
        part *= _mean_product(v, part, axes) * (s * s)  # x̂ is s times the deviation, twice
        part += _mean(v, axes)
        np.subtract(v, part, part)
        part *= s
    return made.astype(x.dtype, copy=False)


def _pull_input(t: Any, x: Any, weight: Any, mean: Any, scale: Any, form: Form, eps: float) -> Any:
    return _pulled(t, x, form, mean, scale, weight).reshape(x.shape)


def _pull_weight(t: Any, x: Any, mean: Any, scale: Any, form: Form, eps: float) -> Any:
    shape, _, beside = form
    a, u = wide(x).reshape(shape), wide(t).reshape(shape)
    over = tuple([i for i, n in enumerate(beside) if n == 1])
    made = np.zeros(beside, a.dtype)
    for block in _blocks(form):
        part = a[block] - mean[block]
        part *= u[block]
        into = _part(made, block)
        if over == (0,) and part.ndim == 2:
            into += scale[block].T @ part
        else:
            part *= scale[block]
            into += add_up(part, over, True)
    return made.astype(x.dtype, copy=False)


def _standard_pull(u: Any, x: Any, form: Form, eps: float) -> Any:
    _, mean, scale = _standardized(x, form, eps)
    return _pulled(u, x, form, mean, scale)


# ------------------------------------------------------------------------------------------------ declarations


def _means(F: Any, a: Any, form: Form) -> Any:
    return F.sum(a, form[1], True) / (count_over(form[0], form[1]) or math.nan)


def _vary(F: Any, t: Any, self: Any, primal: Any, form: Form, eps: float) -> Any:
    """The gradient of <t, S(self)> for the primal, in its own shape: the last formula above."""
    standard, scale = F.standardize(primal, form, eps), F.inverse_deviation(primal, form, eps)
    a, b = _means(F, t * standard, form), _means(F, self * standard, form)
    c = _means(F, t * self, form) - _means(F, t, form) * _means(F, self, form)
    turned = b * F.standardize_pull(t, primal, form, eps) + a * F.standardize_pull(self, primal, form, eps)
    return F.reshape(-scale * (scale * (c - a * b) * standard + turned), primal.shape)


general(
    "inverse_deviation", lambda x, form, eps: _standardized(x, form, eps)[2].astype(x.dtype, copy=False),
    {
        "self": lambda F, t, self, out, form, eps: F.reshape(
            -t * out * F.standardize(self, form, eps) * out / (count_over(form[0], form[1]) or math.nan), self.shape
        )
    },
    ("form", "eps"), node="RsqrtBackward0",
)  # fmt: skip
general(
    "standardize", lambda x, form, eps: _standardized(x, form, eps)[0],
    {"self": lambda F, t, self, form, eps: F.reshape(F.standardize_pull(t, self, form, eps), self.shape)},
    ("form", "eps"), node="NativeLayerNormBackward0",
)  # fmt: skip
general(
    "standardize_pull", _standard_pull,
    {
        "self": lambda F, t, primal, form, eps: F.standardize_pull(t, primal, form, eps),
        "primal": _vary,
    },
    ("form", "eps"), node="NativeLayerNormBackwardBackward0",
)  # fmt: skip


def _weighted(F: Any, t: Any, weight: Any, form: Form) -> Any:
    """A cotangent of the output, in the shape of the form, times the weight."""
    t = F.reshape(t, form[0])
    return t if weight is None else t * F.reshape(weight, form[2])


general(
    "normalize_pull", _pull_input,
    {
        "self": lambda F, t, self, primal, weight, form, eps: F.reshape(
            _weighted(F, F.standardize_pull(F.reshape(t, form[0]), primal, form, eps), weight, form), self.shape
        ),
        "primal": lambda F, t, self, primal, weight, form, eps: _vary(
            F, F.reshape(t, form[0]), _weighted(F, self, weight, form), primal, form, eps
        ),
        "weight": lambda F, t, self, primal, weight_shape, form, eps: F.reshape(
            F.sum_to(F.reshape(self, form[0]) * F.standardize_pull(F.reshape(t, form[0]), primal, form, eps), form[2]),
            weight_shape,
        ),
        "mean": None,
        "scale": None,
    },
    ("form", "eps"), node="NativeLayerNormBackwardBackward0",
)  # fmt: skip
general(
    "normalize_pull_weight", _pull_weight,
    {
        "self": lambda F, t, self_shape, primal, form, eps: F.reshape(
            t * F.standardize(primal, form, eps), self_shape
        ),
        "primal": lambda F, t, self, primal, form, eps: F.reshape(
            F.standardize_pull(t * F.reshape(self, form[0]), primal, form, eps), primal.shape
        ),
        "mean": None,
        "scale": None,
    },
    ("form", "eps"), node="NativeLayerNormBackwardBackward0",
)  # fmt: skip


def declare_normalization(name: str, node: str) -> Any:
    """An operation (input, weight or None, bias or None, form, eps) that gives the normalised input, the means, and 1/s."""
    return general(
        name, _normalized,
        {
            "self": lambda F, t, self, weight, mean, scale, form, eps: F.normalize_pull(
                t, self, weight, mean, scale, form, eps
            ),
            "weight": lambda F, t, self, mean, scale, weight_shape, form, eps: F.reshape(
                F.normalize_pull_weight(t, self, mean, scale, form, eps), weight_shape
            ),
            "bias": lambda F, t, bias_shape, form: F.reshape(F.sum_to(F.reshape(t, form[0]), form[2]), bias_shape),
        },
        ("form", "eps"), outputs=("out", "mean", "scale"), node=node,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ with given statistics


def _fixed(x: Any, weight: Any, bias: Any, mean: Any, variance: Any, beside: tuple[int, ...], eps: float) -> Any:
    factor = 1 / np.sqrt(wide(variance) + variance.dtype.type(eps))
    if weight is not None:
        factor = factor * weight
    made = wide(x) - mean.reshape(beside)
    made *= factor.reshape(beside)
    if bias is not None:
        made += bias.reshape(beside)
    return made.astype(x.dtype, copy=False)


def _factor(F: Any, variance: Any, eps: float) -> Any:
    return F.rsqrt(variance + eps)


normalize_by = general(
    "normalize_by", _fixed,
    {
        "self": lambda F, t, weight, variance, beside, eps: t
        * F.reshape(_factor(F, variance, eps) if weight is None else _factor(F, variance, eps) * weight, beside),
        "weight": lambda F, t, self, mean, variance, weight_shape, beside, eps: F.reshape(
            F.sum_to(t * (self - F.reshape(mean, beside)), beside), weight_shape
        )
        * _factor(F, variance, eps),
        "bias": lambda F, t, bias_shape, beside: F.reshape(F.sum_to(t, beside), bias_shape),
        "mean": None,
        "variance": None,
    },
    ("beside", "eps"), node="NativeBatchNormBackward0",
)  # fmt: skip
