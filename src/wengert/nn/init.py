"""Initial values for parameters: in place, not recorded, and after the same seed the values that PyTorch gives.

Each function changes the tensor that it is given, also if that is a leaf that requires grad, and returns it.
"""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _distributions
from ..autograd.modes import no_grad
from ..generator import stream_of
from ..ops.inplace import check_writable, overwrite
from ..random import randperm, refuse

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..generator import Generator
    from ..tensor import Tensor

_LINEAR = (
    "linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid",
)  # fmt: skip


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which an initialiser's standard deviation is multiplied before this nonlinearity.

    nonlinearity: 'linear', 'conv1d' and so on, 'sigmoid', 'tanh', 'relu', 'leaky_relu' or 'selu'.
    param: the slope of 'leaky_relu' below zero, by default 0.01.
    Raises ValueError for another nonlinearity and for a slope that is no number.

    >>> import wengert
    >>> wengert.nn.init.calculate_gain("leaky_relu", 0.2)
    1.3867504905630728
    """
    if nonlinearity in _LINEAR:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"negative_slope {slope} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(
        f"Unsupported nonlinearity {nonlinearity}: give one of {', '.join(_LINEAR)}, tanh, relu, leaky_relu, selu"
    )


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Fill the tensor with numbers uniform in [a, b).

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.nn.init.uniform_(wengert.empty(2))
    tensor([0.4963, 0.7682])
    """
    with no_grad():
        made: Tensor = tensor.uniform_(a, b, generator=generator)
    return made


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Fill the tensor with numbers from the normal distribution.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.nn.init.normal_(wengert.empty(2), std=0.1)
    tensor([ 0.1541, -0.0293])
    """
    with no_grad():
        made: Tensor = tensor.normal_(mean, std, generator=generator)
    return made


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Generator | None = None,
) -> Tensor:
    """Fill the tensor with numbers from the normal distribution, given that they are from a to b.

    Warns where the mean is more than two standard deviations outside of [a, b], which may take very long.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> float(wengert.nn.init.trunc_normal_(wengert.empty(1000), a=-1.0, b=1.0).max()) <= 1.0
    True
    """
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be "
            "incorrect.",
            stacklevel=2,
        )
    if a > b:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={a:g} > to={b:g}")
    stream = stream_of(generator, "trunc_normal_")
    with no_grad():
        check_writable(tensor)
        array = tensor._array
        refuse("normal_kernel_cpu", array.dtype, "biuc")
        # further draws go into a tensor like this one, but without gaps
        blocks = array.flags.c_contiguous, np.empty_like(array).flags.c_contiguous
        values = _distributions.truncated_normal(stream, array.size, array.dtype, mean, std, a, b, blocks)
        return overwrite(tensor, _distributions.laid_out(values, array))


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill the tensor with one number.

    >>> import wengert
    >>> wengert.nn.init.constant_(wengert.empty(2), 0.3)
    tensor([0.3000, 0.3000])
    """
    with no_grad():
        made: Tensor = tensor.fill_(val)
    return made


def ones_(tensor: Tensor) -> Tensor:
    """Fill the tensor with ones.

    >>> import wengert
    >>> wengert.nn.init.ones_(wengert.empty(2))
    tensor([1., 1.])
    """
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill the tensor with zeros.

    >>> import wengert
    >>> wengert.nn.init.zeros_(wengert.empty(2))
    tensor([0., 0.])
    """
    return constant_(tensor, 0.0)


def eye_(tensor: Tensor) -> Tensor:
    """Fill a matrix with the unit matrix.

    Raises ValueError if the tensor is no matrix.

    >>> import wengert
    >>> wengert.nn.init.eye_(wengert.empty(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    if tensor.ndimension() != 2:
        raise ValueError(f"Only tensors with 2 dimensions are supported, not {tensor.ndimension()}")
    with no_grad():
        return overwrite(tensor, np.eye(*tensor._array.shape, dtype=tensor._array.dtype))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Fill the weight of a convolution with the kernels that hand their inputs on, as many channels as there are.

    tensor: of the shape (out, in, *kernel) with one to three dimensions in the kernel.
    groups: how many groups the channels are in.
    Raises ValueError for another shape, or if the groups do not divide the output channels.

    >>> import wengert
    >>> wengert.nn.init.dirac_(wengert.empty(1, 1, 3))
    tensor([[[0., 1., 0.]]])
    """
    if tensor.ndimension() not in (3, 4, 5):
        raise ValueError(f"Only tensors with 3, 4, or 5 dimensions are supported, not {tensor.ndimension()}")
    outputs, inputs, *kernel = tensor._array.shape
    if outputs % groups:
        raise ValueError(f"dim 0 must be divisible by groups: {outputs} by {groups}")
    array = np.zeros_like(tensor._array)
    middle = tuple(n // 2 for n in kernel)
    each = outputs // groups
    for group in range(groups):
        for channel in range(min(each, inputs)):
            array[(group * each + channel, channel, *middle)] = 1
    with no_grad():
        return overwrite(tensor, array)


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """How many inputs go into an output, and how many outputs come of an input, of a layer with this weight."""
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    outputs, inputs, *kernel = tensor._array.shape
    field = math.prod(kernel)
    return inputs * field, outputs * field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    """The one of the two fans that the mode, 'fan_in' or 'fan_out', names."""
    mode = mode.lower()
    valid = ["fan_in", "fan_out"]
    if mode not in valid:
        raise ValueError(f"Mode {mode} not supported, please use one of {valid}")
    return _calculate_fan_in_and_fan_out(tensor)[valid.index(mode)]


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Fill a weight uniformly, with a variance of gain**2 * 2 / (fan_in + fan_out), after Glorot and Bengio (2010).

    Raises ValueError if the tensor has fewer than two dimensions.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.nn.init.xavier_uniform_(wengert.empty(1, 2))
    tensor([[-0.0106,  0.7586]])
    """
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    std = gain * math.sqrt(2.0 / float(fan_in + fan_out))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Fill a weight with normal numbers of the variance gain**2 * 2 / (fan_in + fan_out), after Glorot and Bengio
    (2010).

    Raises ValueError if the tensor has fewer than two dimensions.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.nn.init.xavier_normal_(wengert.empty(1, 2))
    tensor([[ 1.2582, -0.2396]])
    """
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    std = gain * math.sqrt(2.0 / float(fan_in + fan_out))
    return normal_(tensor, 0.0, std, generator)


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float | None:
    """The standard deviation of the two Kaiming initialisers; None, after a warning, for a tensor without elements."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return None
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:  # fmt: skip
    """Fill a weight uniformly, with a variance of gain**2 / fan, after He and others (2015).

    a: the slope below zero of the rectifier that follows, for 'leaky_relu'.
    mode: 'fan_in' keeps the variance forward, 'fan_out' backward.
    Raises ValueError if the tensor has fewer than two dimensions, and for another mode or nonlinearity.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.nn.init.kaiming_uniform_(wengert.empty(1, 2))
    tensor([[-0.0130,  0.9291]])
    """
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    if std is None:
        return tensor
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:  # fmt: skip
    """Fill a weight with normal numbers of the variance gain**2 / fan, after He and others (2015).

    The arguments and errors are those of `kaiming_uniform_`.

    >>> import wengert
    >>> _ = wengert.manual_seed(0)
    >>> wengert.nn.init.kaiming_normal_(wengert.empty(1, 2))
    tensor([[ 1.5410, -0.2934]])
    """
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    return tensor if std is None else normal_(tensor, 0.0, std, generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Generator | None = None) -> Tensor:
    """Fill the tensor, seen as a matrix of its first dimension by all others, with a random (semi-)orthogonal matrix.

    gain: a factor. Drawn as PyTorch draws it, but factorised by NumPy: equal up to rounding.
    Raises ValueError if the tensor has fewer than two dimensions.

    >>> import wengert
    >>> w = wengert.nn.init.orthogonal_(wengert.empty(2, 3))._array
    >>> bool(abs(w @ w.T - [[1, 0], [0, 1]]).max() < 1e-6)
    True
    """
    if tensor.ndimension() < 2:
        raise ValueError(f"Only tensors with 2 or more dimensions are supported, not {tensor.ndimension()}")
    array = tensor._array
    if not array.size:
        return tensor
    stream = stream_of(generator, "orthogonal_")
    with no_grad():
        check_writable(tensor)
        refuse("normal_kernel_cpu", array.dtype, "biu")
        rows = array.shape[0]
        drawn = _distributions.normal(stream, array.size, array.dtype).reshape(rows, -1)
        wide = rows < drawn.shape[1]
        q, r = np.linalg.qr(drawn.T if wide else drawn)
        q *= np.sign(np.diagonal(r))  # makes it uniform among the orthogonal matrices
        q *= array.dtype.type(gain)
        return overwrite(tensor, (q.T if wide else q).reshape(array.shape))


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Generator | None = None) -> Tensor:
    """Fill a matrix with normal numbers, and the fraction `sparsity` of each column with zeros.

    Raises ValueError if the tensor is no matrix.

    >>> import wengert
    >>> w = wengert.nn.init.sparse_(wengert.empty(10, 3), 0.25)
    >>> (w._array == 0).sum(axis=0)
    array([3, 3, 3])
    """
    if tensor.ndimension() != 2:
        raise ValueError(f"Only tensors with 2 dimensions are supported, not {tensor.ndimension()}")
    rows, columns = tensor._array.shape
    zeros = math.ceil(sparsity * rows)
    normal_(tensor, 0.0, std, generator)
    for column in range(columns):
        # which rows is drawn from the default generator, whatever `generator` says, as in PyTorch
        tensor._array[randperm(rows)._array[:zeros], column] = 0
    return tensor


def _deprecated(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function under its former name, without the underscore."""
    name = function.__name__
    former = name[:-1]

    def call(*args: Any, **kwargs: Any) -> Any:
        warnings.warn(
            f"`nn.init.{former}` is now deprecated in favor of `nn.init.{name}`.", FutureWarning, stacklevel=2
        )
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = former
    call.__doc__ = f"The former name of `{name}`."
    return call


uniform = _deprecated(uniform_)
normal = _deprecated(normal_)
constant = _deprecated(constant_)
eye = _deprecated(eye_)
dirac = _deprecated(dirac_)
xavier_uniform = _deprecated(xavier_uniform_)
xavier_normal = _deprecated(xavier_normal_)
kaiming_uniform = _deprecated(kaiming_uniform_)
kaiming_normal = _deprecated(kaiming_normal_)
orthogonal = _deprecated(orthogonal_)
sparse = _deprecated(sparse_)
