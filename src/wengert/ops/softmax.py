"""softmax, its logarithm, and softmin."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .. import dtypes
from ..tensor import Tensor, wrap_dim
from .arithmetic import neg
from .declare import F32, general
from .dims import check_keepdim, check_tensor, dtype_argument, into_same, is_float, numpy_names, one_dim, several_dims
from .expose import expose
from .inplace import into, scalar_name
from .reduction import add_up, column_sums

_largest: Any = np.maximum.reduce

# ------------------------------------------------------------------------------------------------ declarations


_NARROW = 32


def _by_rows(a: Any, dim: int) -> bool:
    """Whether this is about short rows: with the rows laid side by side, NumPy goes through them in long strides."""
    return a.ndim == 2 and dim in (1, -1) and 0 < a.shape[1] <= _NARROW and a.dtype.itemsize > 2 and a.shape[0] > 1


def _shifted(a: Any, dim: int) -> Any:
    """`a` less its largest element along `dim`, in single precision at least; a new array."""
    if a.dtype.itemsize == 2:
        a = a.astype(F32)
    if not a.size:
        return a.copy()
    if not a.ndim:
        return np.subtract(a, a, out=...)
    return np.subtract(a, _largest(a, dim, None, None, True))


def _softmax(a: Any, dim: int) -> Any:
    if _by_rows(a, dim):
        e = a.T.copy()
        e -= _largest(e, 0)
        np.exp(e, e)
        e /= column_sums(e)
        return e.T.copy()
    e = _shifted(a, dim)
    np.exp(e, e)
    if e.ndim:
        np.true_divide(e, add_up(e, (dim % e.ndim,), True), e)
    return e if e.dtype is a.dtype else e.astype(a.dtype)


def _log_softmax(a: Any, dim: int) -> Any:
    if _by_rows(a, dim):
        e = a.T.copy()
        e -= _largest(e, 0)
        total = column_sums(np.exp(e))
        e -= np.log(total, total)
        return e.T.copy()
    e = _shifted(a, dim)
    if e.ndim:
        total = add_up(np.exp(e), (dim % e.ndim,), True)
        np.subtract(e, np.log(total, total), e)
    return e if e.dtype is a.dtype else e.astype(a.dtype)


def _pull_softmax(F: Any, t: Any, out: Any, dim: int) -> Any:
    weighted = t * out
    return weighted - out * F.sum(weighted, (dim,), True)


def _pull_log_softmax(F: Any, t: Any, out: Any, dim: int) -> Any:
    return t - F.exp(out) * F.sum(t, (dim,), True)


soft = general("softmax", _softmax, {"self": _pull_softmax}, ("dim",), node="SoftmaxBackward0")
log_soft = general("log_softmax", _log_softmax, {"self": _pull_log_softmax}, ("dim",), node="LogSoftmaxBackward0")


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
            return operation(input, wrap_dim(dim, array.ndim))  # type: ignore[no-any-return]
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
    return into_same(out, operation(input, dim))  # type: ignore[no-any-return]


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
    return result if out is None else into(out, result)  # type: ignore[no-any-return]


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
