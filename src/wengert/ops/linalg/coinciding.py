"""Quotients by the differences of eigenvalues or singular values, also where these coincide.

A rule for eigenvectors divides by l_j - l_i. Of equal values, the vectors may be rotated into each other: a function of the
matrix does not depend on that, and the part of the numerator that is divided is then 0 (but for rounding). What 0 / 0 stands
for is the limit as the values meet, and the rule must find it in the cotangents:

    a function that does not depend on these vectors           0
    one of the form tr(W f(A)), f applied to the values        the symmetric part of the numerator times a ratio r, which is
                                                               that of the values' own gradients to its diagonal

f need not be known: with M = V^H W V the cotangent of the vectors gives 2 f(l) M, that of the values f'(l) M_ii, and the limit is
f'(l) M. A term that depends on the values alone adds the same constant to all of their gradients. What does not fit (f(l) = 0, a
function of another form, or one that is not differentiable there) is nan, which is what PyTorch gives in all of these cases.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .adjoints import constant, raw


def over_gaps(F: Any, numerator: Any, symmetric: Any, values: Any, of_values: Any, sizes: Any) -> Any:
    """numerator_ij / (values_j - values_i) beside the diagonal, and 0 on it.

    symmetric  gives the Hermitian matrix of which a multiple takes the place of the quotient where values coincide
    of_values  the cotangent of the values, or None
    sizes      of each column, the size of the cotangent that the numerator was computed of: the scale of its rounding errors
    """
    gap = values[..., None, :] - values[..., :, None]
    n = values.shape[-1]
    never = np.eye(n, dtype=bool)
    met = _meeting(raw(gap), raw(values)) & ~never if n > 1 else never
    made = None
    if n > 1 and met.any():
        parts = symmetric()
        met, factor = _limits(met, raw(gap), raw(numerator), raw(parts), of_values, sizes)
        made = parts * constant(parts, factor)
        if raw(parts) is not parts and factor.any():
            # the factor depends on the values in a way that nobody knows here: the next derivative is nan
            made = made + F.sqrt(F.masked(gap * 0, constant(gap, met)))
        never = never | met
    quotient = F.masked(numerator, constant(numerator, ~never)) / (
        F.masked(gap, constant(gap, ~never)) + constant(gap, never.astype(raw(gap).dtype))
    )
    return quotient if made is None else quotient + made


def between_vectors(F: Any, turned: Any, gap: Any, of_values: Any = None) -> Any:
    """turned_ij / gap_ij beside the diagonal, and 0 on it; 0 / 0 is 0, or nan if `of_values`, cotangents, are not 0 there.

    It says how vectors turn into each other. Of equal values, those that nothing turns stay; otherwise they jump, and the
    quotient is infinite.
    """
    n = raw(gap).shape[-1]
    still = (raw(gap) == 0) & (raw(turned) == 0)
    diagonal = np.eye(n, dtype=bool)
    fixed = still | diagonal
    made = F.masked(turned, constant(turned, ~fixed)) / (gap + constant(gap, fixed.astype(raw(gap).dtype)))
    if of_values is not None and (still & ~diagonal).any():
        g = raw(of_values) != 0
        lost = still & (g[..., None, :] | g[..., :, None]) & ~diagonal
        made = made + constant(made, np.where(lost, np.nan, 0).astype(raw(gap).dtype))
    return made


def over_values(F: Any, numerator: Any, values: Any, of_values: Any) -> Any:
    """numerator / values, broadcast; where both are 0, 0, or nan if the values there have a gradient."""
    below = np.broadcast_to(raw(values) == 0, raw(numerator).shape)
    nothing = below & (raw(numerator) == 0)
    if not nothing.any():
        return numerator / values
    made = F.masked(numerator, constant(numerator, ~nothing)) / (
        values + constant(values, nothing.astype(raw(values).dtype))
    )
    if of_values is None:
        return made
    lost = nothing & (np.broadcast_to(of_values, nothing.shape) != 0)
    return made + constant(made, np.where(lost, np.nan, 0).astype(raw(values).dtype)) if lost.any() else made


def _rounding(n: int, d: Any) -> float:
    """How far apart results of matrices of n rows may be that would be equal but for rounding, relative to their scale."""
    return 4 * (1 + float(np.sqrt(n))) * float(np.finfo(d).eps)


def _meeting(gap: Any, values: Any) -> Any:
    """Which values are equal as far as their rounding errors tell."""
    return np.absolute(gap) <= _rounding(gap.shape[-1], gap.dtype) * np.absolute(values).max(-1)[..., None, None]


def _limits(met: Any, gap: Any, numerator: Any, symmetric: Any, of_values: Any, sizes: Any) -> tuple[Any, Any]:
    """Of the pairs that meet, those that have a limit, and the factors of `symmetric` (0 elsewhere) that give it.

    Where none is found, the factor is nan for values that are equal; for those that are nearly so, the quotient is left.
    """
    d = sizes.dtype
    rounding = 4 * _rounding(met.shape[-1], d)
    loose = np.sqrt(np.finfo(d).eps)
    noise = rounding * (sizes[..., None, :] + sizes[..., :, None])
    met = met & (np.absolute(numerator - numerator.mT.conj()) * 0.5 <= noise)
    x = np.diagonal(symmetric, 0, -2, -1).real
    x = np.where(np.absolute(x) <= rounding * sizes, 0, x)
    g = np.zeros_like(x) if of_values is None else of_values
    group = (met | np.eye(met.shape[-1], dtype=bool)).astype(d)
    count = group.sum(-1)
    sx, sg, sxx, sxg, sgg = [np.matmul(group, v[..., None])[..., 0] for v in (x, g, x * x, x * g, g * g)]
    with np.errstate(all="ignore"):
        through_zero = sxg / sxx
        fits = sgg - through_zero * sxg <= loose * sgg
        # a straight line instead: a constant was added
        vx, vg, c = count * sxx - sx * sx, count * sgg - sg * sg, count * sxg - sx * sg
        slope = c / vx
        line = (vx > loose * count * sxx) & (vg * vx - c * c <= loose * count * sgg * vx)
    # without a trace of the vectors, f(l) may be 0, and f'(l) all that counts: only if that is 0 too, they are not used
    without = np.where(sgg == 0, 0, np.nan)
    ratio = np.where(sxx == 0, without, np.where(fits, through_zero, np.where(line, slope, np.nan)))
    factor = np.where(met, ratio[..., :, None], 0)
    factor = np.where(met & (sxx == 0)[..., :, None] & (np.absolute(symmetric) > noise), np.nan, factor)
    unknown = np.isnan(factor) & (gap != 0)
    return met & ~unknown, np.where(unknown, 0, factor).astype(d)
