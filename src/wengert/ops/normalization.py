"""Layer, batch, group and instance normalisation, by the mean and the root of the mean square, and across channels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import dtypes
from ..dtype_names import scalar_name
from ..tensor import Tensor
from .declare import argument_error
from .dims import check_tensor
from .expose import expose
from .inplace import check_writable, written
from .namespace import tensors
from .standardize import declare_normalization, normalize_by

_layer = declare_normalization("layer_norm", "NativeLayerNormBackward0")
_batch = declare_normalization("batch_norm", "NativeBatchNormBackward0")
_group = declare_normalization("group_norm", "NativeGroupNormBackward0")

# ------------------------------------------------------------------------------------------------ checks


def _check_kinds(kernel: str, x: Tensor, *others: Tensor | None, all_alike: bool = False) -> bool:
    """Whether the operands are a half and parameters in float32; raises for other mixtures, and for what has no mean."""
    if not x.dtype.is_floating_point:
        raise NotImplementedError(
            f"\"{kernel}\" not implemented for '{scalar_name(x.dtype)}': convert the input to floating point"
        )
    kinds = {o.dtype for o in others if o is not None} - {x.dtype}
    if not kinds:
        return False
    if x._array.dtype.itemsize == 2 and kinds == {dtypes.float32}:
        return True
    if all_alike:
        raise RuntimeError(
            f"mixed dtype (CPU): all inputs must share same datatype. Found {x.dtype} and {', '.join(map(str, kinds))}"
        )
    raise RuntimeError(
        f"mixed dtype (CPU): expect parameter to have scalar type of Float, or that of the input, {x.dtype}; found "
        f"{', '.join(map(str, kinds))}"
    )


def _check_optional(function: str, **tensors: Any) -> None:
    for position, (name, x) in enumerate(tensors.items(), 2):
        if x is not None and not isinstance(x, Tensor):
            raise argument_error(function, name, position, x)


def _check_normalized_shape(function: str, shape: Any, x: Tensor, **parameters: Tensor | None) -> tuple[int, ...]:
    """The dimensions to be normalised over, as PyTorch checks them."""
    if not isinstance(shape, (tuple, list)):
        raise TypeError(
            f"{function}(): argument 'normalized_shape' (position 2) must be tuple of ints, not {type(shape).__name__}"
        )
    wanted = tuple([int(n) for n in shape])
    if not wanted:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            "normalized_shape = []"
        )
    for name, parameter in parameters.items():
        if parameter is not None and parameter.shape != wanted:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{list(parameter.shape)} and normalized_shape = {list(wanted)}"
            )
    if x.shape[max(x.ndim - len(wanted), 0) :] != wanted:
        stars = ", ".join(["*", *map(str, wanted)]) if function == "layer_norm" else "*" + ", ".join(map(str, wanted))
        raise RuntimeError(
            f"Given normalized_shape={list(wanted)}, expected input with shape [{stars}], but got input of size"
            f"{list(x.shape)}"
        )
    return wanted


def _check_length(name: str, x: Tensor | None, channels: int) -> None:
    if x is not None and x.numel() != channels:
        raise RuntimeError(f"{name} should contain {channels} elements not {x.numel()}")


# ------------------------------------------------------------------------------------------------ layer normalisation


def _layer_form(x: Tensor, wanted: tuple[int, ...]) -> Any:
    n = math.prod(wanted)
    rows = math.prod(x.shape[: x.ndim - len(wanted)])
    return (rows, n), (1,), (1, n)


def _over_last(input: Tensor, shape: Any, weight: Tensor | None, bias: Tensor | None, eps: float) -> Any:
    """The input normalised over its last dimensions, the means and 1/s, one for each row."""
    check_tensor("layer_norm", input)
    wanted = _check_normalized_shape("layer_norm", shape, input, weight=weight, bias=bias)
    mixed = _check_kinds("LayerNormKernelImpl", input, weight, bias)
    form = _layer_form(input, wanted)
    if mixed:
        made, mean, scale = _layer(input.to(dtypes.float32), weight, bias, form, eps)
        return made.to(input.dtype), mean, scale
    return _layer(input, weight, bias, form, eps)


def functional_layer_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """The input less its mean, divided by its deviation, over the last dimensions; times weight, plus bias.

    normalized_shape  the lengths of these dimensions
    weight, bias      of this shape
    eps               is added to the variance

    Raises RuntimeError for shapes that do not fit, NotImplementedError for integers and complex numbers.

    >>> import wengert
    >>> wengert.nn.functional.layer_norm(wengert.tensor([[1.0, 3.0]]), (2,))
    tensor([[-1.0000,  1.0000]])
    """
    made: Tensor = _over_last(input, normalized_shape, weight, bias, eps)[0]
    return made


def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Tensor:
    """`nn.functional.layer_norm`."""
    return functional_layer_norm(input, normalized_shape, weight, bias, eps)


def native_layer_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None, bias: Tensor | None, eps: float
) -> Any:
    """`layer_norm`, with the means and one over the deviations that it divided by.

    >>> import wengert
    >>> wengert.native_layer_norm(wengert.tensor([[1.0, 3.0]]), (2,), None, None, 0.0)[1]
    tensor([[2.]])
    """
    made, mean, scale = _over_last(input, normalized_shape, weight, bias, eps)
    kept = input.shape[: input.ndim - len(normalized_shape)] + (1,) * len(normalized_shape)
    if made.dtype is input.dtype and (weight is None or weight.dtype is input.dtype):
        mean, scale = mean.to(input.dtype), scale.to(input.dtype)
    return made, mean.reshape(kept), scale.reshape(kept)


def rms_norm(input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None) -> Tensor:
    """The input divided by the root of its mean square over the last dimensions; times weight.

    normalized_shape  the lengths of these dimensions
    weight            of this shape
    eps               is added to the mean square; by default the difference between 1 and the next number of the dtype

    Raises RuntimeError for shapes that do not fit, NotImplementedError for integers.

    >>> import wengert
    >>> wengert.nn.functional.rms_norm(wengert.tensor([[3.0, -3.0]]), (2,))
    tensor([[ 1., -1.]])
    """
    check_tensor("rms_norm", input)
    wanted = _check_normalized_shape("rms_norm", normalized_shape, input, weight=weight)
    if input.dtype.category < dtypes.FLOAT:
        raise NotImplementedError(
            f"\"rms_norm\" not implemented for '{scalar_name(input.dtype)}': convert the input to floating point"
        )
    x = input.to(dtypes.float32) if input._array.dtype.itemsize == 2 else input
    if eps is None:
        eps = dtypes.finfo(x.dtype).eps
    dims = tuple(range(x.ndim - len(wanted), x.ndim))
    made = x * (x.pow(2).mean(dims, keepdim=True) + eps).rsqrt()
    made = made.to(input.dtype) if x is not input else made
    return made if weight is None else made * weight


# ------------------------------------------------------------------------------------------------ batch normalisation


def _check_no_grad(**running: Tensor | None) -> None:
    for name, x in running.items():
        if x is not None and x.requires_grad:
            raise RuntimeError(
                f"The function 'native_batch_norm' is not differentiable with respect to argument '{name}'. This input cannot have "
                "requires_grad True: detach() it"
            )


def _move_towards(running: Tensor | None, found: Any, momentum: float) -> None:
    """Update a running statistic in place, outside of what is recorded."""
    if running is None:
        return
    check_writable(running)
    array = running._array
    array[...] = (1 - momentum) * array + momentum * found.reshape(array.shape)
    written(running)


def native_batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    training: bool, momentum: float, eps: float,
) -> Any:  # fmt: skip
    """`batch_norm`, with the means and one over the deviations of each channel; both empty unless `training`.

    >>> import wengert
    >>> wengert.native_batch_norm(wengert.tensor([[1.0], [3.0]]), None, None, None, None, True, 0.1, 0.0)[1]
    tensor([2.])
    """
    check_tensor("batch_norm", input)
    _check_optional("batch_norm", weight=weight, bias=bias, running_mean=running_mean, running_var=running_var)
    if not training:
        for name, running in (("running_mean", running_mean), ("running_var", running_var)):
            if running is None:
                raise RuntimeError(f"{name} must be defined in evaluation mode")
    channels = input.shape[1] if input.ndim > 1 else 0
    for name, x in (
        ("running_mean", running_mean), ("running_var", running_var), ("weight", weight), ("bias", bias),
    ):  # fmt: skip
        _check_length(name, x, channels)
    _check_no_grad(running_mean=running_mean, running_var=running_var)
    mixed = _check_kinds("batch_norm", input, weight, bias, running_mean, running_var, all_alike=True)
    x = input.to(dtypes.float32) if mixed else input
    inner = math.prod(x.shape[2:])
    if training:
        if running_mean is not None and running_var is None:
            raise ValueError("running_mean and running_var must either both be None or neither be None")
        form = (x.shape[0], channels, inner), (0, 2), (1, channels, 1)
        made, mean, scale = _batch(x, weight, bias, tuple(form), eps)
        n = x.shape[0] * inner
        if n:
            _move_towards(running_mean, mean._array, momentum)
            if running_var is not None:
                variance = (1 / np.square(scale._array) - eps) * (n / max(n - 1, 1))
                _move_towards(running_var, variance, momentum)
        if not mixed:
            mean, scale = mean.to(input.dtype), scale.to(input.dtype)
        mean, scale = mean.reshape(channels), scale.reshape(channels)
    else:
        beside = (1, channels) + (1,) * (x.ndim - 2) if x.ndim > 1 else (0,)
        made = normalize_by(x, weight, bias, running_mean, running_var, beside, eps)
        mean = scale = input.new_empty(0)
    return made.to(input.dtype) if mixed else made, mean, scale


def batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    training: bool, momentum: float, eps: float, cudnn_enabled: bool = True,
) -> Tensor:  # fmt: skip
    """`nn.functional.batch_norm`, with its arguments in another order."""
    if (running_mean is None) != (running_var is None) and training:
        raise ValueError("running_mean and running_var must either both be None or neither be None")
    made: Tensor = native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]
    return made


def _check_several(size: Any, what: str) -> None:
    """Raise unless each channel has more than one value: its deviation would be zero."""
    if math.prod((size[0], *size[2:])) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {what}")


def functional_batch_norm(
    input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None,
    bias: Tensor | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """Each channel (dimension 1) less its mean, divided by its deviation; times weight, plus bias.

    training  take mean and variance of the batch, and move the running ones, if given, towards them by `momentum`; otherwise
              the running ones are taken
    weight, bias, running_mean, running_var  a value for each channel
    eps       is added to the variance

    Raises ValueError for one value per channel when training, RuntimeError for shapes and dtypes that do not fit.

    >>> import wengert
    >>> wengert.nn.functional.batch_norm(wengert.tensor([[1.0], [3.0]]), None, None, training=True)
    tensor([[-1.0000],
            [ 1.0000]])
    """
    if training:
        check_tensor("batch_norm", input)
        _check_several(input.shape, str(input.shape))
        if eps <= 0:
            raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    return batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)


# ------------------------------------------------------------------------------------------------ instance normalisation


def instance_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    use_input_stats: bool, momentum: float, eps: float, cudnn_enabled: bool = True,
) -> Tensor:  # fmt: skip
    """`nn.functional.instance_norm`, with its arguments in another order."""
    check_tensor("instance_norm", input)
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
    n, channels = input.shape[:2]

    def for_each(x: Tensor | None) -> Any:
        return None if x is None else x.repeat(n)

    means, variances = for_each(running_mean), for_each(running_var)
    flat = input.contiguous().view(1, n * channels, *input.shape[2:])
    made = batch_norm(
        flat, for_each(weight), for_each(bias), means, variances, use_input_stats, momentum, eps
    )  # fmt: skip
    if use_input_stats:
        for running, found in ((running_mean, means), (running_var, variances)):
            if running is not None:
                check_writable(running)
                running._array[...] = found._array.reshape(n, channels).mean(0)
                written(running)
    return made.view(input.shape)


def functional_instance_norm(
    input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None,
    bias: Tensor | None = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """`batch_norm` with each example as a batch of its own.

    use_input_stats  take mean and variance of the example; otherwise the running ones are taken

    Raises ValueError for one spatial element, RuntimeError for shapes and dtypes that do not fit.

    >>> import wengert
    >>> wengert.nn.functional.instance_norm(wengert.tensor([[[1.0, 3.0]]]))
    tensor([[[-1.0000,  1.0000]]])
    """
    if use_input_stats:
        check_tensor("instance_norm", input)
        if math.prod(input.shape[2:]) == 1:
            raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.shape}")
    return instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps)


# ------------------------------------------------------------------------------------------------ group normalisation


def _check_groups(input: Tensor, num_groups: int, **parameters: Tensor | None) -> None:
    if input.ndim < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.ndim}")
    channels = input.shape[1]
    if num_groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {num_groups}")
    if channels % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(input.shape)} and num_groups={num_groups}"
        )
    for name, x in parameters.items():
        if x is not None and (x.ndim != 1 or x.numel() != channels):
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape "
                f"{list(x.shape)} and input of shape {list(input.shape)}"
            )


def _by_groups(input: Tensor, num_groups: int, weight: Tensor | None, bias: Tensor | None, eps: float) -> Any:
    _check_groups(input, num_groups, weight=weight, bias=bias)
    mixed = _check_kinds("GroupNormKernelImpl", input, weight, bias)
    n, channels = input.shape[:2]
    each = channels // num_groups
    form = (n, num_groups, each, math.prod(input.shape[2:])), (2, 3), (1, num_groups, each, 1)
    made, mean, scale = _group(input.to(dtypes.float32) if mixed else input, weight, bias, tuple(form), eps)
    return made.to(input.dtype) if mixed else made, mean, scale


def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Tensor:  # fmt: skip
    """`nn.functional.group_norm`."""
    check_tensor("group_norm", input)
    made: Tensor = _by_groups(input, num_groups, weight, bias, eps)[0]
    return made


def functional_group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Each group of channels of each example less its mean, divided by its deviation; times weight, plus bias.

    num_groups    of which each has the same number of channels (dimension 1)
    weight, bias  a value for each channel
    eps           is added to the variance

    Raises RuntimeError for shapes that do not fit, ValueError for one value per group.

    >>> import wengert
    >>> wengert.nn.functional.group_norm(wengert.tensor([[1.0, 3.0]]), 1)
    tensor([[-1.0000,  1.0000]])
    """
    check_tensor("group_norm", input)
    if input.ndim < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.ndim}")
    size = [input.shape[0] * input.shape[1] // num_groups, num_groups, *input.shape[2:]]
    _check_several(size, str(list(input.shape)))
    return group_norm(input, num_groups, weight, bias, eps)


def native_group_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, N: int, C: int, HxW: int, group: int, eps: float
) -> Any:
    """`group_norm`, with the means and one over the deviations of each group, which have derivatives too.

    >>> import wengert
    >>> wengert.native_group_norm(wengert.tensor([[1.0, 3.0]]), None, None, 1, 2, 1, 1, 0.0)[1]
    tensor([[2.]])
    """
    made = _by_groups(input, group, weight, bias, eps)[0]
    form = ((N, group, C * HxW // group), (2,), (1, group, 1))
    mean = input.reshape(form[0]).mean(2)
    return made, mean, tensors.inverse_deviation(input, form, eps).reshape(N, group)


# ------------------------------------------------------------------------------------------------ across channels


def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """Each element divided by (k + alpha * m) ** beta, where m is the mean square over `size` neighbouring channels.

    Raises ValueError for fewer than 3 dimensions.

    >>> import wengert
    >>> wengert.nn.functional.local_response_norm(wengert.ones(1, 2, 1), 2, alpha=1.0)
    tensor([[[0.7378],
             [0.5946]]])
    """
    check_tensor("local_response_norm", input)
    if input.ndim < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality                          input (got {input.ndim} dimensions)"
        )
    if not input.numel():
        return input
    from .joining import cat

    before = size // 2
    around = (input.shape[0], *input.shape[2:])
    squares = input.mul(input)

    def nothing(n: int) -> Any:
        return squares.new_zeros(around[0], n, *around[1:])

    padded = cat([nothing(before), squares, nothing(size - 1 - before)], 1)
    windows = padded.unfold(1, size, 1)
    whole = input.dtype.category < dtypes.FLOAT
    mean = windows.sum(-1).div(size, rounding_mode="trunc") if whole else windows.mean(-1)
    made: Tensor = input / mean.mul(alpha).add(k).pow(beta)
    return made


__all__ = expose(
    __name__,
    functions="layer_norm native_layer_norm rms_norm batch_norm native_batch_norm instance_norm group_norm native_group_norm",
)
