"""Covariances and correlations of variables."""

from __future__ import annotations

import warnings
from typing import Any

from .. import dtypes
from ..tensor import Tensor
from .dims import check_tensor
from .expose import expose


def _check(function: str, input: Tensor) -> Tensor:
    check_tensor(function, input)
    if input.ndim > 2:
        raise RuntimeError(
            f"{function}(): expected input to have two or fewer dimensions but got an input with {input.ndim} dimensions"
        )
    if input.dtype is dtypes.bool:
        raise RuntimeError(f"{function}(): bool dtype is not supported for input")
    return input


def _check_weights(name: str, weights: Tensor, kind: str, fits: bool, observations: int) -> None:
    if weights.ndim > 1:
        raise RuntimeError(
            f"cov(): expected {name} to have one or fewer dimensions but got {name} with {weights.ndim} dimensions"
        )
    if not fits:
        from ..dtype_names import scalar_name

        raise RuntimeError(
            f"cov(): expected {name} to have {kind} dtype but got {name} with {scalar_name(weights.dtype)} dtype"
        )
    if weights.numel() != observations:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the input but got {weights.numel()} != "
            f"{observations}"
        )
    if (weights._array < 0).any():
        raise RuntimeError(f"cov(): {name} cannot be negative")


def cov(
    input: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
) -> Tensor:
    """The covariance matrix of variables: of the rows, each of whose elements is an observation.

    correction  is subtracted from the number of observations that the sum is divided by
    fweights    how often each observation counts: integers
    aweights    the weight of each observation: floating-point numbers

    Raises RuntimeError for more than two dimensions, for bool, and for weights that do not fit.

    >>> import wengert
    >>> wengert.cov(wengert.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    x = _check("cov", input)
    x = x.reshape(1, -1) if x.ndim < 2 else x
    observations = x.shape[1]
    weights: Any = None
    if fweights is not None:
        whole = fweights.dtype.category == dtypes.INTEGER
        _check_weights("fweights", fweights, "integral", whole, observations)
        weights = fweights
    if aweights is not None:
        _check_weights("aweights", aweights, "floating point", aweights.dtype.is_floating_point, observations)
        weights = aweights if weights is None else weights * aweights
    if weights is None:
        mean, total = x.sum(1) / max(observations, 1), None
        free: Any = observations - correction
    else:
        total = weights.sum()
        if observations and not float(total._array):
            raise ZeroDivisionError("cov(): weights sum to zero, can't be normalized")
        mean = (x * weights).sum(1) / total
        free = total - correction
        if aweights is not None and correction:
            free = total - correction * (weights * aweights).sum() / total
    if float(free._array if isinstance(free, Tensor) else free) <= 0:
        warnings.warn(
            "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.",
            stacklevel=2,
        )
        free = free.clamp_min(0) if isinstance(free, Tensor) else 0
    away = x - mean.unsqueeze(1)
    other = away.conj() if x.is_complex() else away
    made: Tensor = away.matmul((other if weights is None else other * weights).mT).true_divide(free).squeeze()
    return made


def corrcoef(input: Tensor) -> Tensor:
    """The matrix of Pearson's correlation coefficients of variables: of the rows, each of whose elements is an observation.

    Raises RuntimeError for more than two dimensions.

    >>> import wengert
    >>> wengert.corrcoef(wengert.tensor([[0.0, 1.0, 2.0], [4.0, 2.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    c = cov(_check("corrcoef", input))
    if c.ndim == 0:
        return c / c  # nan where it has no spread
    deviation = c.diagonal().real.sqrt() if c.is_complex() else c.diagonal().sqrt()
    made = c / deviation.unsqueeze(1) / deviation.unsqueeze(0)
    if made.is_complex():
        from .complex_numbers import complex

        return complex(made.real.clamp(-1, 1), made.imag.clamp(-1, 1))
    bounded: Tensor = made.clamp(-1, 1)
    return bounded


__all__ = expose(__name__, functions="cov corrcoef", methods="cov corrcoef")
