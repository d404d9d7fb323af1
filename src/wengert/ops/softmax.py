"""softmax, its logarithm, and softmin."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from .. import dtypes
from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap_dim
from .adding import ONES, add_up, column_sums, row_extremes, row_sums
from .arithmetic import neg
from .declare import F32, general
from .dims import check_keepdim, check_tensor, dtype_argument, into_same, is_float, numpy_names, one_dim, several_dims
from .expose import expose
from .inplace import into

_largest: Any = np.maximum.reduce

# ------------------------------------------------------------------------------------------------ forwards

_NARROW = 32  # up to this many columns, rows are laid side by side
_CHUNK = 32768  # elements that are gone through again and again while they are in the cache


def _over_lines(compute: Any) -> Any:
    """A function of arrays and a dimension, from one that takes lines and where to put the result.

    Lines are (n, length) arrays, to be gone through along the rows, or (n, length, further) arrays, along the middle.
    """

    def forward(*operands: Any) -> Any:
        first, dim = operands[0], operands[-1]
        shape, d = first.shape, first.dtype
        if dim == 1 and len(shape) == 2 and d in ONES and 0 < first.size <= _CHUNK:
            return compute(*operands[:-1], None)
        given = operands[:-1]
        if not shape:
            return compute(*[x.reshape(1, 1) for x in given], None).reshape(())
        if not first.size:
            return first.copy()
        if d.itemsize == 2:
            return forward(*[x.astype(F32) for x in given], dim).astype(d)
        dim %= len(shape)
        if dim == len(shape) - 1:
            lines = [x.reshape(-1, shape[dim]) for x in given]
        else:
            lines = [x.reshape(math.prod(shape[:dim]), shape[dim], -1) for x in given]
        n = lines[0].shape[0]
        if first.size <= _CHUNK or n == 1:
            return compute(*lines, None).reshape(shape)
        made = np.empty(lines[0].shape, d)
        step = max(1, _CHUNK * n // first.size)
        for start in range(0, n, step):
            part = slice(start, start + step)
            compute(*[x[part] for x in lines], made[part])
        return made.reshape(shape)

    return forward


def _sums(a: Any) -> Any:
    """The sums along the lines, to be broadcast."""
    return row_sums(a)[:, None] if a.ndim == 2 else add_up(a, (1,), True)


def _less_largest(a: Any, out: Any) -> Any:
    return np.subtract(a, row_extremes(a)[:, None] if a.ndim == 2 else _largest(a, 1, None, None, True), out)


def _upright(e: Any, out: Any) -> Any:
    """Rows that were laid side by side, as rows."""
    if out is None:
        return e.T.copy()
    out[...] = e.T
    return out


def _softmax_lines(a: Any, out: Any) -> Any:
    if a.ndim == 2 and a.shape[1] <= _NARROW:
        e = a.T.copy()
        e -= _largest(e, 0)
        np.exp(e, e)
        e /= column_sums(e)
        return _upright(e, out)
    e = _less_largest(a, out)
    np.exp(e, e)
    e /= _sums(e)
    return e


def _log_softmax_lines(a: Any, out: Any) -> Any:
    if a.ndim == 2 and a.shape[1] <= _NARROW:
        e = a.T.copy()
        e -= _largest(e, 0)
        total = column_sums(np.exp(e))
        e -= np.log(total, total)
        return _upright(e, out)
    e = _less_largest(a, out)
    e -= np.log(_sums(np.exp(e)))
    return e


def _pull_softmax_lines(t: Any, weights: Any, out: Any) -> Any:
    made = np.multiply(t, weights, out)
    made -= weights * _sums(made)
    return made


def _pull_log_softmax_lines(t: Any, logs: Any, out: Any) -> Any:
    made = np.exp(logs, out)
    made *= _sums(t)
    return np.subtract(t, made, made)


# ------------------------------------------------------------------------------------------------ declarations

# The Jacobian of softmax is symmetric, so the pull is linear in `t` by the same matrix
general(
    "softmax_pull", _over_lines(_pull_softmax_lines),
    {
        "self": lambda F, t, weights, dim: F.softmax_pull(t, weights, dim),
        "weights": lambda F, t, self, weights, dim: t * (self - F.sum(self * weights, (dim,), True))
        - self * F.sum(t * weights, (dim,), True),
    },
    ("dim",), node="SoftmaxBackwardDataBackward0",
)  # fmt: skip
general(
    "log_softmax_pull", _over_lines(_pull_log_softmax_lines),
    {
        "self": lambda F, t, logs, dim: t - F.sum(t * F.exp(logs), (dim,), True),
        "logs": lambda F, t, self, logs, dim: -t * F.exp(logs) * F.sum(self, (dim,), True),
    },
    ("dim",), node="LogSoftmaxBackwardDataBackward0",
)  # fmt: skip
soft = general(
    "softmax", _over_lines(_softmax_lines), {"self": lambda F, t, out, dim: F.softmax_pull(t, out, dim)}, ("dim",),
    node="SoftmaxBackward0",
)  # fmt: skip
log_soft = general(
    "log_softmax", _over_lines(_log_softmax_lines), {"self": lambda F, t, out, dim: F.log_softmax_pull(t, out, dim)}, ("dim",),
    node="LogSoftmaxBackward0",
)  # fmt: skip


def _logsumexp(a: Any, dim: Any, keepdim: bool) -> Any:
    if not a.ndim:
        return np.asarray(_logsumexp(a.reshape(1), (0,), False)) if a.dtype.kind == "c" else np.array(a)
    if a.dtype.itemsize == 2:
        return _logsumexp(a.astype(F32), dim, keepdim).astype(a.dtype)
    sizes = a.real
    axes = tuple(range(a.ndim)) if dim is None else dim
    if sizes.size:
        most = _largest(sizes, axes, keepdims=True)
        most = np.where(np.isinf(most), sizes.dtype.type(0), most)
    else:
        most = np.zeros([1 if i in axes else n for i, n in enumerate(a.shape)], sizes.dtype)
    total = np.log(add_up(np.exp(a - most), axes, True), out=...) + most
    return total if keepdim else total.reshape([n for i, n in enumerate(a.shape) if i not in axes])


_log_sum = general(
    "logsumexp", _logsumexp,
    {
        "self": lambda F, t, self, out, dim, keepdim: F.spread(t, self.shape, dim, keepdim)
        * F.exp(self - F.spread(out, self.shape, dim, keepdim))
    },
    ("dim", "keepdim"), promote="float",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ functions


def _apply(operation: Any, name: str, input: Tensor, dim: Any, dtype: Any, out: Tensor | None) -> Tensor:
    if dtype is out is None and type(dim) is int and isinstance(input, Tensor):
        array = input._array
        if array.dtype.kind == "f":
            return operation(input, wrap_dim(dim, array.ndim))
    check_tensor(name, input)
    if dtype is not None:
        target = dtypes.of(dtype_argument(dtype))  # type: ignore[arg-type]
        if target is not input.dtype:
            input = input.to(target)
    array = input._array
    dim = one_dim(name, dim, array.ndim, 2)
    if not is_float(array):
        kernel = f"{name}_lastdim_kernel_impl" if dim == max(array.ndim - 1, 0) else f"{name}_kernel_impl"
        raise NotImplementedError(
            f"\"{kernel}\" not implemented for '{scalar_name(input.dtype)}'; give dtype=wengert.float32 to convert "
            "first"
        )
    return into_same(out, operation(input, dim))


def softmax(input: Tensor, dim: int, dtype: Any = None, *, out: Tensor | None = None) -> Tensor:
    """The exponentials of the elements, scaled so that they add up to 1 along `dim`.

    dtype  convert to this type first, for instance against overflow
    Raises IndexError for a dimension that is not there, NotImplementedError for integers and complex numbers.

    >>> import wengert
    >>> wengert.softmax(wengert.tensor([0.0, 0.0]), 0)
    tensor([0.5000, 0.5000])
    """
    return _apply(soft, "softmax", input, dim, dtype, out)


def log_softmax(input: Tensor, dim: int, dtype: Any = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of `softmax`, computed without leaving the range of the numbers.

    dtype  convert to this type first
    Raises IndexError for a dimension that is not there, NotImplementedError for integers and complex numbers.

    >>> import wengert
    >>> wengert.log_softmax(wengert.tensor([0.0, 0.0]), 0)
    tensor([-0.6931, -0.6931])
    """
    return _apply(log_soft, "log_softmax", input, dim, dtype, out)


def logsumexp(input: Tensor, dim: Any, keepdim: bool = False, *, out: Tensor | None = None, **numpy: Any) -> Tensor:
    """The logarithm of the sum of the exponentials over one or several dimensions.

    It is computed without leaving the range of the numbers.
    Raises IndexError for a dimension that is not there, RuntimeError for one that is named twice.

    >>> import wengert
    >>> wengert.logsumexp(wengert.tensor([1000.0, 1000.0]), 0)
    tensor(1000.6932)
    """
    check_tensor("logsumexp", input)
    if numpy:
        dim, keepdim = numpy_names("logsumexp", dim, keepdim, numpy)
    check_keepdim("logsumexp", keepdim)
    dims = several_dims("logsumexp", dim, input._array.ndim)
    if not dims and input._array.ndim and not keepdim:
        raise RuntimeError(
            f"output with shape [] doesn't match the broadcast shape {[1] * input._array.ndim}: name the dimensions "
            "to be summed over"
        )
    result = _log_sum(input, dims or None, keepdim)
    return result if out is None else into(out, result)


# ------------------------------------------------------------------------------------------------ of nn.functional


def _implicit_dim(name: str, ndim: int, stacklevel: int) -> int:
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        UserWarning,
        stacklevel=stacklevel,
    )
    return 0 if ndim in (0, 1, 3) else 1


def functional_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """`softmax`; without `dim`, which is deprecated, along dimension 0 of 0, 1 or 3 and dimension 1 of others.

    >>> import wengert
    >>> wengert.nn.functional.softmax(wengert.tensor([0.0, 0.0]), dim=0)
    tensor([0.5000, 0.5000])
    """
    if dim is None:
        dim = _implicit_dim("softmax", input.ndim, _stacklevel)
    return _apply(soft, "softmax", input, dim, dtype, None)


def functional_log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """`log_softmax`; without `dim`, which is deprecated, along dimension 0 of 0, 1 or 3 and dimension 1 of others.

    >>> import wengert
    >>> wengert.nn.functional.log_softmax(wengert.tensor([0.0, 0.0]), dim=0)
    tensor([-0.6931, -0.6931])
    """
    if dim is None:
        dim = _implicit_dim("log_softmax", input.ndim, _stacklevel)
    return _apply(log_soft, "log_softmax", input, dim, dtype, None)


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """`softmax` of the negative.

    >>> import wengert
    >>> wengert.nn.functional.softmin(wengert.tensor([0.0, 0.0]), dim=0)
    tensor([0.5000, 0.5000])
    """
    if dim is None:
        dim = _implicit_dim("softmin", input.ndim, _stacklevel)
    return _apply(soft, "softmax", neg(input), dim, dtype, None)


__all__ = expose(__name__, functions="softmax log_softmax logsumexp", methods="softmax log_softmax logsumexp")
