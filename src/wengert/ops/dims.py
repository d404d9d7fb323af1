"""Dimensions as arguments: counted from the front, checked, in PyTorch's words; and dtypes as arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..dtype_names import c_name
from ..tensor import Tensor, wrap_dim

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np


def dim_number(function: str, dim: Any, name: str = "dim", position: int = 1) -> int:
    """A `dim` argument as a Python integer.

    Raises TypeError, in PyTorch's words, for what is none.
    """
    if type(dim) is int:
        return dim
    if not isinstance(dim, bool) and hasattr(dim, "__index__"):
        try:
            return int(dim.__index__())
        except TypeError:
            pass
    raise TypeError(
        f"{function}(): argument '{name}' (position {position}) must be int, not {type(dim).__name__}: give the "
        "number of one "
        "dimension"
    )


def one_dim(function: str, dim: Any, ndim: int, position: int = 1) -> int:
    """A `dim` argument that names one dimension, counted from the front."""
    return wrap_dim(dim_number(function, dim, position=position), ndim)


def several_dims(function: str, dim: Any, ndim: int, overloads: Sequence[str] = ()) -> tuple[int, ...] | None:
    """A `dim` argument that may name several dimensions, as a tuple counted from the front; None stays None.

    A tensor of no dimensions may be asked for the first: the answer is then (), for there is none to go over.

    Raises IndexError for a dimension that is not there, RuntimeError for one that is named twice, and TypeError for
    what is no
    dimension (with PyTorch's list of `overloads`).
    """
    if dim is None:
        return None
    if type(dim) is int:
        d = wrap_dim(dim, ndim)
        return (d,) if ndim else ()
    if isinstance(dim, (tuple, list)):
        found = tuple([wrap_dim(_element(function, d, i), ndim) for i, d in enumerate(dim)])
        if len(set(found)) != len(found):
            twice = next(d for i, d in enumerate(found) if d in found[:i])
            raise RuntimeError(f"dim {twice} appears multiple times in the list of dims")
        return found if ndim else ()
    integral = not isinstance(dim, (bool, Tensor)) and hasattr(dim, "__index__")
    if integral or (isinstance(dim, Tensor) and dim.ndim == 0 and dim._array.dtype.kind in "iu"):
        d = wrap_dim(int(dim), ndim)
        return (d,) if ndim else ()
    if overloads:
        raise combination_error(function, f"({type(dim).__name__})", overloads)
    raise TypeError(f"{function}(): argument 'dim' (position 1) must be tuple of ints, not {type(dim).__name__}")


def _element(function: str, dim: Any, place: int) -> int:
    if isinstance(dim, bool) or not hasattr(dim, "__index__"):
        raise TypeError(
            f"{function}(): argument 'dim' must be tuple of ints, but found element of type {type(dim).__name__} at "
            f"pos {place}"
        )
    return int(dim)


def combination_error(function: str, got: str, overloads: Sequence[str]) -> TypeError:
    """PyTorch's error for arguments that fit none of a function's signatures."""
    listed = "\n".join(f" * {line}" for line in overloads)
    return TypeError(
        f"{function}() received an invalid combination of arguments - got {got}, but expected one of:\n{listed}\n"
    )


def check_tensor(function: str, x: Any, name: str = "input", position: int = 1) -> Tensor:
    """`x`, if it is a tensor.

    Raises TypeError otherwise, in PyTorch's words.
    """
    if not isinstance(x, Tensor):
        from .declare import argument_error

        raise argument_error(function, name, position, x)
    return x


def check_keepdim(function: str, keepdim: Any) -> None:
    """Raise TypeError unless `keepdim` is a truth value: an integer there is a dimension too many."""
    if keepdim is not False and keepdim is not True:
        raise TypeError(
            f"{function}(): argument 'keepdim' (position 2) must be bool, not {type(keepdim).__name__}; give several "
            "dimensions "
            "as a tuple"
        )


def numpy_names(function: str, dim: Any, keepdim: Any, names: dict[str, Any]) -> tuple[Any, Any]:
    """`dim` and `keepdim`, given as NumPy's `axis` and `keepdims`.

    Raises TypeError for any other name.
    """
    for name, value in names.items():
        if name == "axis" and dim is None:
            dim = value
        elif name == "keepdims" and keepdim is False:
            keepdim = value
        else:
            raise TypeError(f"{function}() got an unexpected keyword argument '{name}'")
    return dim, keepdim


def into_same(out: Tensor | None, result: Any) -> Any:
    """The result, written into `out` if that is given, which must then be of the result's dtype.

    Raises RuntimeError, in PyTorch's words, if it is not.
    """
    if out is None:
        return result
    have, want = out.dtype, result.dtype
    if have is not want:
        raise RuntimeError(f"Expected out tensor to have dtype {c_name(want)}, but got {c_name(have)} instead")
    from .inplace import into

    return into(out, result)


def dtype_argument(dtype: Any, out: Tensor | None = None) -> np.dtype[Any] | None:
    """A `dtype` argument as NumPy's, or that of `out`; None if neither was given."""
    if dtype is None:
        return None if out is None else out._array.dtype
    from ..creation import numpy_dtype

    return numpy_dtype(dtype)


def kept_shape(shape: tuple[int, ...], dims: Sequence[int] | None) -> tuple[int, ...]:
    """The shape with the reduced dimensions (all of them for None) kept at length 1."""
    if dims is None:
        return (1,) * len(shape)
    return tuple([1 if i in dims else n for i, n in enumerate(shape)])


def count_over(shape: tuple[int, ...], dims: Sequence[int] | None) -> int:
    """How many elements are reduced to one."""
    n = 1
    for i, length in enumerate(shape):
        if dims is None or i in dims:
            n *= length
    return n


def is_float(array: Any) -> bool:
    """Whether an array's elements are real floating-point numbers; bfloat16 is of a kind of its own to NumPy."""
    kind = array.dtype.kind
    return kind == "f" or (kind not in "biuc" and dtypes.of(array.dtype).is_floating_point)
