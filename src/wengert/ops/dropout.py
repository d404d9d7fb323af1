"""Dropout: elements, or whole channels, set to zero (or to the saturation of SELU) at random, and the rest scaled to the mean."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from .._distributions import dropout_mask
from ..dtype_names import scalar_name
from ..generator import stream_of
from ..tensor import Tensor, wrap
from .declare import argument_error
from .expose import expose

_SATURATION = 1.7580993408473766  # of SELU for large negative values, with the sign changed


def _checked(function: str, input: Any, p: Any) -> None:
    if not isinstance(input, Tensor):
        raise argument_error(function, "input", 1, input)
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")


def _mask(function: str, input: Tensor, p: float, by_feature: bool) -> Any:
    """The random factors, an array; `by_feature`: one for each index of the first two dimensions."""
    array = input._array
    kind = array.dtype.kind
    if kind == "c":
        raise NotImplementedError(f"\"bernoulli_scalar_cpu_\" not implemented for '{scalar_name(input.dtype)}'")
    if not input.is_floating_point():
        raise RuntimeError(
            f"result type Float can't be cast to the desired output type {scalar_name(input.dtype)}: dropout needs floating-point "
            "numbers, which input.float() makes"
        )
    if by_feature:
        if array.ndim < 2:
            raise RuntimeError(f"Feature dropout requires at least 2 dimensions in the input, but it has {array.ndim}")
        array = np.empty(array.shape[:2] + (1,) * (array.ndim - 2), array.dtype)
    return dropout_mask(stream_of(None, function), array, p)


def _drop(function: str, input: Tensor, p: float, train: bool, inplace: bool, by_feature: bool, alpha: bool) -> Any:
    _checked(function, input, p)
    array = input._array
    if not train or p == 0 or not array.size:
        return input
    shift: Any = None
    if p == 1:
        mask = np.zeros((), array.dtype)
    else:
        mask = _mask(function, input, p, by_feature)
        if alpha:
            scale = 1.0 / math.sqrt((_SATURATION * _SATURATION * p + 1) * (1 - p))
            mask = np.not_equal(mask, 0, out=...).astype(array.dtype)
            shift = wrap(
                (mask - 1) * np.asarray(_SATURATION * scale, array.dtype)
                + np.asarray(_SATURATION * scale * p, array.dtype)
            )
            mask = np.multiply(mask, np.asarray(scale, array.dtype), out=...)
    factors = wrap(mask)
    if inplace:
        input.mul_(factors)
        return input if shift is None else input.add_(shift)
    return input * factors if shift is None else input * factors + shift


def dropout(input: Tensor, p: float, train: bool) -> Any:
    """In training, each element set to zero with probability p and the others divided by 1 - p; else the input.

    Raises RuntimeError unless p is between 0 and 1.

    >>> import wengert
    >>> wengert.dropout(wengert.ones(2), 0.5, train=False)
    tensor([1., 1.])
    """
    return _drop("dropout", input, p, train, False, False, False)


def alpha_dropout(input: Tensor, p: float, train: bool) -> Any:
    """Dropout to the saturation of SELU, after which mean and variance are as before.

    Raises RuntimeError unless p is between 0 and 1.
    """
    return _drop("alpha_dropout", input, p, train, False, False, True)


def feature_dropout(input: Tensor, p: float, train: bool) -> Any:
    """Dropout of whole channels: what the first two indices have in common.

    Raises RuntimeError unless p is between 0 and 1, and for fewer than two dimensions.
    """
    return _drop("feature_dropout", input, p, train, False, True, False)


def feature_alpha_dropout(input: Tensor, p: float, train: bool) -> Any:
    """Alpha dropout of whole channels: what the first two indices have in common.

    Raises RuntimeError unless p is between 0 and 1, and for fewer than two dimensions.
    """
    return _drop("feature_alpha_dropout", input, p, train, False, True, True)


def _in_place(name: str, by_feature: bool, alpha: bool) -> Any:
    def call(input: Tensor, p: float, train: bool) -> Any:
        return _drop(name, input, p, train, True, by_feature, alpha)

    call.__name__ = call.__qualname__ = name + "_"
    call.__doc__ = f"`{name}`, in place."
    return call


dropout_ = _in_place("dropout", False, False)
alpha_dropout_ = _in_place("alpha_dropout", False, True)
feature_dropout_ = _in_place("feature_dropout", True, False)
feature_alpha_dropout_ = _in_place("feature_alpha_dropout", True, True)

# ------------------------------------------------------------------------------------------------ torch.nn.functional's


def _probability(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def functional_dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """In training, each element set to zero with probability p and the others divided by 1 - p; else the input.

    Raises ValueError unless p is between 0 and 1.

    >>> import wengert
    >>> wengert.nn.functional.dropout(wengert.ones(2), 0.5, training=False)
    tensor([1., 1.])
    """
    _probability(p)
    return _drop("dropout", input, p, training, inplace, False, False)


def functional_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """Dropout to the saturation of SELU, after which mean and variance are as before.

    Raises ValueError unless p is between 0 and 1.
    """
    _probability(p)
    return _drop("alpha_dropout", input, p, training, inplace, False, True)


def functional_feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Any:
    """Alpha dropout of whole channels: what the first two indices have in common.

    Raises ValueError unless p is between 0 and 1, RuntimeError for fewer than two dimensions.
    """
    _probability(p)
    return _drop("feature_alpha_dropout", input, p, training, inplace, True, True)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Dropout of whole channels of (N, C, L) or (C, L).

    Raises ValueError unless p is between 0 and 1, RuntimeError for other numbers of dimensions.
    """
    _probability(p)
    ndim = input.dim()
    if ndim not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {ndim}D input. Note that dropout1d exists to provide channel-wise "
            "dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
        )
    return _drop_channels("dropout1d", input, p, training, inplace, ndim == 3)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Dropout of whole channels of (N, C, H, W).

    Raises ValueError unless p is between 0 and 1, RuntimeError for fewer than two dimensions.
    """
    _probability(p)
    ndim = input.dim()
    if ndim not in (3, 4):
        _warn_of_dimensions("dropout2d", ndim, 2)
    elif ndim == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - input is "
            "interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future release to interpret "
            "the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, "
            "please switch to using dropout1d instead.",
            UserWarning,
            stacklevel=2,
        )
    return _drop_channels("dropout2d", input, p, training, inplace, True)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Dropout of whole channels of (N, C, D, H, W) or (C, D, H, W).

    Raises ValueError unless p is between 0 and 1.
    """
    _probability(p)
    ndim = input.dim()
    if ndim not in (4, 5):
        _warn_of_dimensions("dropout3d", ndim, 3)
    return _drop_channels("dropout3d", input, p, training, inplace, ndim == 5)


def _warn_of_dimensions(name: str, ndim: int, spatial: int) -> None:
    warnings.warn(
        f"{name}: Received a {ndim}-D input to {name}, which is deprecated and will result in an error in a future release. To retain "
        f"the behavior and silence this warning, please use dropout instead. Note that {name} exists to provide channel-wise dropout "
        f"on inputs with {spatial} spatial dimensions, a channel dimension, and an optional batch dimension (i.e. "
        f"{spatial + 1}D or {spatial + 2}D inputs).",
        UserWarning,
        stacklevel=3,
    )


def _drop_channels(name: str, input: Tensor, p: float, training: bool, inplace: bool, batched: bool) -> Any:
    if batched:
        return _drop(name, input, p, training, inplace, True, False)
    if inplace:
        _drop(name, input.unsqueeze(0), p, training, True, True, False)
        return input
    return _drop(name, input.unsqueeze(0), p, training, False, True, False).squeeze(0)


for _function in (functional_dropout, functional_alpha_dropout, functional_feature_alpha_dropout):
    _function.__name__ = _function.__qualname__ = _function.__name__.removeprefix("functional_")

__all__ = expose(
    __name__,
    functions="dropout dropout_ alpha_dropout alpha_dropout_ feature_dropout feature_dropout_ feature_alpha_dropout "
    "feature_alpha_dropout_",
)
