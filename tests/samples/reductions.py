"""Reductions: sums, products, extremes, moments, norms, truth values; running reductions."""

import numpy as np

from . import B, I, S, T


def _over(name, value, shapes=((3, 4), (2, 3, 2)), low=-2.0, high=2.0, away=(), complex=False):
    """A reduction of everything, over one dimension, over two, and with the dimensions kept."""
    t = {"low": low, "high": high, "away": away}
    samples = [S(name, T(*shape, **t), value=value) for shape in ((), (5,), *shapes)]
    samples += [
        S(name, T(3, 4, **t), dim=1, value=lambda a, dim: value(a, axis=dim)),
        S(
            name,
            T(2, 3, 2, **t),
            dim=(0, -1),
            keepdim=True,
            value=lambda a, dim, keepdim: value(a, axis=dim, keepdims=keepdim),
        ),
        S(name, T(3, 4, transposed=True, **t), dim=0, value=lambda a, dim: value(a, axis=dim)),
        S(name, T(1, 3, **t), dim=-2, keepdim=True, value=lambda a, dim, keepdim: value(a, axis=dim, keepdims=keepdim)),
    ]
    if complex:
        samples.append(S(name, T(3, 2, complex=True), dim=0, value=lambda a, dim: value(a, axis=dim)))
    return samples


def _logsumexp(a, dim, keepdim=False):
    return np.log(np.sum(np.exp(a), axis=dim, keepdims=keepdim))


def _norm(ord):
    if ord == 0:
        return lambda a, *_, dim=None, **__: np.count_nonzero(a, dim)
    if ord in (np.inf, -np.inf):
        return lambda a, *_, dim=None, **__: (np.max if ord > 0 else np.min)(np.abs(a), axis=dim)
    return lambda a, *_, dim=None, **__: np.sum(np.abs(a) ** ord, axis=dim) ** (1 / ord)


_ORDERS = (0, 0.5, 1, 1.5, 2, 3, -1, np.inf, -np.inf)

SAMPLES = [
    *_over("sum", np.sum, complex=True),
    S("sum", T(0, 3), value=np.sum),
    S("sum", T(0, 3), dim=0, value=lambda a, dim: np.sum(a, dim)),
    S("sum", T(3, 0), dim=1, value=lambda a, dim: np.sum(a, dim)),
    S("sum", T(70, 90), dim=0, value=lambda a, dim: np.sum(a, dim)),
    S("sum", T(90, 70), dim=1, value=lambda a, dim: np.sum(a, dim)),
    S("sum", T(30, 9, 30), dim=(0, 2), value=lambda a, dim: np.sum(a, dim)),
    S("sum", T(2, 3), dim=(), value=lambda a, dim: np.sum(a)),
    S("sum", I(3, 4, high=9), value=np.sum, checks="value"),
    S("sum", B(3, 4), value=np.sum, checks="value"),
    *_over("mean", np.mean, complex=True),
    S("mean", T(70, 90), dim=0, value=lambda a, dim: np.mean(a, dim)),
    *_over("nansum", np.nansum),
    *_over("nanmean", np.nanmean),
    *_over("amax", np.max),
    *_over("amin", np.min),
    S("max", T(3, 4), value=np.max),
    S("max", T(), value=np.max),
    S("min", T(3, 4), value=np.min),
    S("max", T(3, 4), 1),
    S("max", T(), 0),
    S("max", T(3, 4, transposed=True), 0, keepdim=True),
    S("min", T(2, 3, 2), -2),
    S("max", T(3, 4), T(4), value=np.maximum),
    S("min", T(3, 4), T(3, 1), value=np.minimum),
    S("aminmax", T(3, 4)),
    S("aminmax", T(3, 4), dim=1),
    S("aminmax", T(3, 4), dim=0, keepdim=True),
    S("argmax", T(3, 4), value=np.argmax, checks="value"),
    S("argmax", T(3, 4), 1, value=np.argmax, checks="value"),
    S("argmin", T(3, 4), 0, value=np.argmin, checks="value"),
    S("all", B(3, 4), value=np.all, checks="value"),
    S("all", B(3, 4), 1, value=np.all, checks="value"),
    S("any", B(3, 4), (0, 1), value=np.any, checks="value"),
    S("count_nonzero", I(3, 4, high=2), value=np.count_nonzero, checks="value"),
    S("count_nonzero", I(3, 4, high=2), 1, value=np.count_nonzero, checks="value"),
    S("prod", T(), value=np.prod),
    S("prod", T(3, 2, away=(0.0,)), value=np.prod),
    S("prod", T(0, 2), value=np.prod),
    S("prod", T(3, 4, away=(0.0,)), 1, value=np.prod),
    S("prod", T(2, 3, 2, away=(0.0,)), 0, True),
    S("prod", T(3, 2, complex=True), 1, value=np.prod),
    S("var", T(3, 4), value=lambda a: np.var(a, ddof=1)),
    S("var", T(3, 4), dim=1, value=lambda a, dim: np.var(a, dim, ddof=1)),
    S("var", T(3, 4), dim=(0, 1), correction=0, value=lambda a, dim, correction: np.var(a, dim, ddof=correction)),
    S("var", T(3, 4), dim=0, unbiased=False, keepdim=True),
    S("var", T(3, 2, complex=True), dim=0, value=lambda a, dim: np.var(a, dim, ddof=1)),
    S("std", T(3, 4), value=lambda a: np.std(a, ddof=1)),
    S("std", T(3, 4), dim=1, correction=2, keepdim=True),
    S("std", T(3, 4, transposed=True), dim=0, value=lambda a, dim: np.std(a, dim, ddof=1)),
    S("std", T(3, 2, complex=True), dim=0, value=lambda a, dim: np.std(a, dim, ddof=1)),
    S("var_mean", T(3, 4)),
    S("var_mean", T(3, 4), dim=1, keepdim=True),
    S("std_mean", T(3, 4), dim=0),
    S("logsumexp", T(3, 4), dim=1, value=_logsumexp),
    S("logsumexp", T(2, 3, 2), dim=(0, 2), keepdim=True, value=_logsumexp),
    S("logsumexp", T(), dim=0, value=lambda a, dim: a),
    S("logsumexp", T(3, 2, complex=True), dim=0, value=_logsumexp),
    *[S("norm", T(3, 4, away=(0.0,)), p, value=_norm(p)) for p in _ORDERS if p],
    *[S("norm", T(3, 4, away=(0.0,)), p, dim=1, value=_norm(p)) for p in _ORDERS if p],
    S("norm", T(3, 4), 0, value=_norm(0), checks="value"),
    S("norm", T(), 2, value=_norm(2)),
    S("norm", T(2, 3, 2), 3, (0, 2), True),
    S("norm", T(3, 2, complex=True), 2, value=_norm(2)),
    S("norm", T(3, 2, complex=True), 3, dim=1, value=_norm(3)),
    S("dist", T(3, 4), T(4), 2, value=lambda a, b, p: np.sqrt(np.sum((a - b) ** 2))),
    S("renorm", T(3, 4), 2, 0, 1.0),
    S("cumsum", T(3, 4), 1, value=np.cumsum),
    S("cumsum", T(3, 4, transposed=True), 0, value=np.cumsum),
    S("cumsum", T(), 0, value=lambda a, dim: a),
    S("cumsum", T(0, 2), 0, value=np.cumsum),
    S("cumsum", T(3, 2, complex=True), 0, value=np.cumsum),
    S("cumprod", T(3, 4, away=(0.0,)), 1, value=np.cumprod),
    S("cumprod", T(2, 3, 2, away=(0.0,)), -2),
    S("cumprod", T(3, 2, complex=True), 0, value=np.cumprod),
    S("logcumsumexp", T(3, 4), 1, value=np.logaddexp.accumulate),
    S("logcumsumexp", T(3, 4, transposed=True), 0, value=np.logaddexp.accumulate),
    S("logcumsumexp", T(3, 2, complex=True), 0, value=lambda a, dim: np.log(np.cumsum(np.exp(a), dim))),
    S("cummax", T(3, 4), 1),
    S("cummin", T(3, 4), 0),
    S("cummax", T(), 0),
    S("diff", T(3, 4), value=np.diff),
    S("diff", T(3, 4), 2, 0, value=np.diff),
]
