"""The largest and the smallest elements, and where they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import return_types
from ..dtype_names import scalar_name
from ..tensor import Tensor, wrap_dim
from . import along
from .adding import ONES, row_extremes
from .declare import flat, general
from .dims import (
    check_keepdim,
    check_tensor,
    combination_error,
    dim_number,
    into_same,
    kept_shape,
    numpy_names,
    one_dim,
    several_dims,
)
from .expose import expose
from .inplace import into
from .larger import maximum, minimum

# ------------------------------------------------------------------------------------------------ checks


def _refuse_complex(name: str, kernel: str, x: Tensor) -> None:
    if x._array.dtype.kind == "c":
        raise NotImplementedError(
            f"\"{kernel}\" not implemented for '{scalar_name(x.dtype)}': complex numbers have no order. Take abs() or "
            "real first"
        )


def _ordered(name: str, kernel: str) -> Any:
    return lambda x: _refuse_complex(name, kernel, x)


def check_lengths(name: str, x: Tensor, dims: Any, whole: str) -> None:
    """Raise if there is a dimension without elements among those to be reduced: it has no extreme element."""
    shape = x._array.shape
    if dims is None:
        if not x._array.size:
            raise RuntimeError(whole)
        return
    for d in dims:
        if shape and shape[d] == 0:
            raise IndexError(f"{name} Expected reduction dim {d} to have non-zero size.")


def _unspecified(name: str) -> str:
    return (
        f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the "
        "'dim' "
        "argument."
    )


# ------------------------------------------------------------------------------------------------ declarations


def _extreme(ufunc: Any) -> Any:
    def forward(a: Any, dim: Any = None, keepdim: bool = False) -> Any:
        shape = a.shape
        if not shape:
            return np.array(a)
        if type(dim) is tuple and len(dim) == 1 and dim[0] == len(shape) - 1 and a.size and a.dtype in ONES:
            made = row_extremes(a if len(shape) == 2 else a.reshape(-1, shape[-1]), ufunc)
            return made.reshape((*shape[:-1], 1) if keepdim else shape[:-1])
        if dim is None and not a.size:
            raise RuntimeError(_unspecified("max" if ufunc is np.maximum else "min"))
        return np.asarray(ufunc.reduce(a, dim, keepdims=keepdim))

    return forward


def _tie_weights(a: Any, out: Any, dim: Any, keepdim: bool, among_nan: bool) -> Any:
    """1 divided by how many elements equal the extreme one, where they do, and 0 elsewhere.

    among_nan  let nan equal nan; otherwise an extreme that is nan makes all the weights nan
    """
    out = out.reshape(kept_shape(a.shape, dim))
    equal = a == out
    if among_nan:
        equal |= np.isnan(a) & np.isnan(out)
    count = np.add.reduce(equal, dim, keepdims=True)
    return np.divide(equal, count, out=..., dtype=a.dtype)


flat("tie_weights", _tie_weights, ("self", "out"), promote=None, statics=("dim", "keepdim", "among_nan"))


def _pull_shared(F: Any, t: Any, self: Any, out: Any, dim: Any, keepdim: bool) -> Any:
    return F.spread(t, self.shape, dim, keepdim) * F.tie_weights(self, out, dim, keepdim, False)


def pull_whole(F: Any, t: Any, self: Any, out: Any) -> Any:
    return F.spread(t, self.shape, None, False) * F.tie_weights(self, out, None, False, True)


def _pull_both(F: Any, t: Any, self: Any, min: Any, max: Any, dim: Any, keepdim: bool) -> Any:
    parts = [
        _pull_shared(F, part, self, out, dim, keepdim)
        for part, out in zip(t, (min, max), strict=True)
        if part is not None
    ]
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


_amax = general("amax", _extreme(np.maximum), {"self": _pull_shared}, ("dim", "keepdim"), node="AmaxBackward0")
_amin = general("amin", _extreme(np.minimum), {"self": _pull_shared}, ("dim", "keepdim"), node="AminBackward0")
_max_all = general(
    "max_all", _extreme(np.maximum), {"self": pull_whole}, node="MaxBackward1", check=_ordered("max", "max_all")
)
_min_all = general(
    "min_all", _extreme(np.minimum), {"self": pull_whole}, node="MinBackward1", check=_ordered("min", "min_all")
)
_aminmax = general(
    "aminmax",
    lambda a, dim, keepdim: (_extreme(np.minimum)(a, dim, keepdim), _extreme(np.maximum)(a, dim, keepdim)),
    {"self": _pull_both},
    ("dim", "keepdim"),
    outputs=("min", "max"),
    pulled=(0, 1),
    node="AminmaxBackward0",
)


def pull_chosen(F: Any, t: Any, indices: Any, self_shape: Any, dim: int, keepdim: bool) -> Any:
    """The rule of what chooses one element along a dimension: its cotangent, put back."""
    return F.put_along(t, indices, self_shape, dim, keepdim, True)


def push_chosen(F: Any, t: Any, indices: Any, dim: int, keepdim: bool) -> Any:
    """The push of the same: the tangent of the element chosen."""
    return F.take_along(t, indices, dim, keepdim, True)


def choosing(name: str, forward: Any, node: str, statics: tuple[str, ...] = ("dim", "keepdim")) -> Any:
    """Declare an operation that gives an element along a dimension, and its index."""
    return general(
        name, forward, {"self": pull_chosen}, statics, outputs=("values", "indices"), push=push_chosen, node=node
    )


_max_along = choosing("max_along", along.chosen_by(np.argmax), "MaxBackward0")
_min_along = choosing("min_along", along.chosen_by(np.argmin), "MinBackward0")

# ------------------------------------------------------------------------------------------------ functions


def _over_dims(
    name: str, operation: Any, kernel: str, x: Tensor, dim: Any, keepdim: bool, out: Any, numpy: Any
) -> Tensor:
    check_tensor(name, x)
    if numpy:
        dim, keepdim = numpy_names(name, None if dim == () else dim, keepdim, numpy)
    check_keepdim(name, keepdim)
    dims = several_dims(name, dim, x._array.ndim) or None
    check_lengths(f"{name}():", x, dims, _unspecified(name))
    _refuse_complex(name, kernel, x)
    if out is not None and out._array.dtype is not x._array.dtype:
        raise RuntimeError(
            f"Expected the dtype for input and out to match, but got {scalar_name(x.dtype)} for input's dtype and "
            f"{scalar_name(out.dtype)} for out's dtype."
        )
    result = operation(x, dims, keepdim)
    return result if out is None else into(out, result)


def amax(input: Tensor, dim: Any = (), keepdim: bool = False, *, out: Tensor | None = None, **numpy: Any) -> Tensor:
    """The largest element of all, or over one or several dimensions; elements that tie share the gradient.

    Raises IndexError or RuntimeError for dimensions that are not there, are named twice or have no elements.

    >>> import wengert
    >>> wengert.amax(wengert.tensor([[1.0, 5.0], [3.0, 2.0]]), 1)
    tensor([5., 3.])
    """
    return _over_dims("amax", _amax, "max_values_cpu", input, dim, keepdim, out, numpy)


def amin(input: Tensor, dim: Any = (), keepdim: bool = False, *, out: Tensor | None = None, **numpy: Any) -> Tensor:
    """The smallest element of all, or over one or several dimensions; elements that tie share the gradient.

    Raises IndexError or RuntimeError for dimensions that are not there, are named twice or have no elements.

    >>> import wengert
    >>> wengert.amin(wengert.tensor([[1.0, 5.0], [3.0, 2.0]]), 1)
    tensor([1., 2.])
    """
    return _over_dims("amin", _amin, "min_values_cpu", input, dim, keepdim, out, numpy)


def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False, out: Any = None) -> Any:
    """The smallest and the largest element, of all or along a dimension: a named tuple (min, max).

    >>> import wengert
    >>> low, high = wengert.aminmax(wengert.tensor([3.0, 1.0, 2.0]))
    >>> low, high
    (tensor(1.), tensor(3.))
    """
    check_tensor("aminmax", input)
    dims = None if dim is None else (one_dim("aminmax", dim, input._array.ndim),) if input._array.ndim else None
    check_lengths(
        "aminmax:",
        input,
        dims,
        "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.",
    )
    _refuse_complex("aminmax", "aminmax_cpu", input)
    return named(return_types.aminmax, _aminmax(input, dims, keepdim), out)


def named(kind: Any, results: Any, out: Any = None) -> Any:
    """Results as a named tuple, written into the tensors of `out` if that is given."""
    if out is None:
        return kind(results)
    return kind([into_same(have, want) for have, want in zip(out, results, strict=True)])


def _extremum(name: str, whole: Any, along_dim: Any, elementwise: Any, kind: Any) -> Any:
    overloads = (
        "(Tensor input, *, Tensor out = None)",
        "(Tensor input, Tensor other, *, Tensor out = None)",
        "(Tensor input, int dim, bool keepdim = False, *, tuple of Tensors out = None)",
    )

    def extremum(
        input: Tensor, dim: Any = None, keepdim: bool = False, *, out: Any = None, **named_arguments: Any
    ) -> Any:
        if dim is None and out is None and keepdim is False and not named_arguments and isinstance(input, Tensor):
            return whole(input)
        check_tensor(name, input)
        other = named_arguments.pop("other", dim if isinstance(dim, Tensor) else None)
        if other is not None:
            return elementwise(input, other, out=out)
        if named_arguments:
            dim, keepdim = numpy_names(name, dim, keepdim, named_arguments)
        if dim is None:
            if keepdim is not False:
                raise combination_error(name, f"(Tensor, keepdim={type(keepdim).__name__})", overloads)
            return into(out, whole(input))
        if isinstance(dim, (bool, float)) or not hasattr(dim, "__index__"):
            raise combination_error(name, f"(Tensor, {type(dim).__name__})", overloads)
        check_keepdim(name, keepdim)
        d = wrap_dim(dim_number(name, dim), input._array.ndim)
        check_lengths(f"{name}():", input, (d,), "")
        if input._array.dtype.kind == "c":
            raise RuntimeError(
                f"{name}(): does not support complex input, which has no order; take abs() or real first"
            )
        return named(kind, along_dim(input, d, keepdim), out)

    extremum.__name__ = extremum.__qualname__ = name
    largest = "largest" if name == "max" else "smallest"
    value, index = ("5.", "1") if name == "max" else ("1.", "0")
    extremum.__doc__ = f"""The {largest} element: of all, along a dimension, or of each pair of elements.

    {name}(input)                       the {largest} element; elements that tie share the gradient
    {name}(input, dim, keepdim=False)   along a dimension: a named tuple (values, indices)
    {name}(input, other)                of each pair of elements, broadcast
    Raises RuntimeError or IndexError where there is no element, and for complex numbers.

    >>> import wengert
    >>> wengert.{name}(wengert.tensor([[1.0, 5.0]]), 1)
    torch.return_types.{name}(
    values=tensor([{value}]),
    indices=tensor([{index}]))
    """
    return extremum


max = _extremum("max", _max_all, _max_along, maximum, return_types.max)
min = _extremum("min", _min_all, _min_along, minimum, return_types.min)


def _argument(name: str, find: Any) -> Any:
    def forward(a: Any, dim: Any, keepdim: bool) -> Any:
        if dim is None or not a.ndim:
            index = np.array(find(a), np.int64)
            return index.reshape((1,) * a.ndim) if keepdim else index
        return np.asarray(find(a, dim, keepdims=keepdim))

    operation = flat(name, forward, promote=None, statics=("dim", "keepdim"))

    def argument(
        input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Tensor | None = None, **numpy: Any
    ) -> Tensor:
        check_tensor(name, input)
        if numpy:
            dim, keepdim = numpy_names(name, dim, keepdim, numpy)
        d = None if dim is None else one_dim(name, dim, input._array.ndim)
        check_keepdim(name, keepdim)
        kind = input._array.dtype.kind
        if kind in "cb":
            raise RuntimeError(f"{name}(): does not support {'complex' if kind == 'c' else 'bool'} input")
        if d is None and not input._array.size:
            raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
        check_lengths(f"{name}():", input, None if d is None else (d,), "")
        return into_same(out, operation(input, d, keepdim))

    argument.__name__ = argument.__qualname__ = name
    largest = "largest" if name == "argmax" else "smallest"
    argument.__doc__ = f"""The index of the {largest} element: of all, flattened, or along a dimension.

    Of several equal ones it is the first.
    Raises IndexError where there is no element, RuntimeError for complex numbers and bool.

    >>> import wengert
    >>> wengert.{name}(wengert.tensor([1.0, 5.0, 5.0]))
    tensor({1 if name == "argmax" else 0})
    """
    return argument


argmax = _argument("argmax", np.argmax)
argmin = _argument("argmin", np.argmin)

__all__ = expose(
    __name__,
    functions="amax amin aminmax max min argmax argmin",
    methods="amax amin aminmax max min argmax argmin",
)
