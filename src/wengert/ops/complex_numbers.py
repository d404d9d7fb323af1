"""Absolute values, signs and angles, real and complex; the parts of complex numbers, and their making."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..tensor import Tensor
from .declare import argument_error, diagonal, flat, linear
from .expose import alias, expose
from .inplace import inplace, scalar_name

# ------------------------------------------------------------------------------------------------ what rules need


def is_complex(x: Any) -> bool:
    """Whether a tensor, an array or a NumPy number is complex: in rules, which meet all three."""
    return (x._array if isinstance(x, Tensor) else x).dtype.kind == "c"  # type: ignore[no-any-return]


null = flat("null", np.zeros_like, doc="Zeros of the shape and dtype of the input: the gradient where a function is flat.")

# ------------------------------------------------------------------------------------------------ absolute value and sign


def _no_bool_magnitude(input: Any) -> None:
    if isinstance(input, Tensor) and input._array.dtype.kind == "b":
        raise NotImplementedError("\"abs_cpu\" not implemented for 'Bool': convert the tensor to numbers first")


def _signs(a: Any) -> Any:
    if a.dtype.kind == "b":
        return a.copy()
    return np.subtract(a > 0, a < 0, out=..., dtype=a.dtype)  # not np.sign, by which nan has the sign nan


def _directions(a: Any) -> Any:
    return np.sign(a, out=...) if a.dtype.kind == "c" else _signs(a)


def _pull_sgn(F: Any, t: Any, self: Any, out: Any) -> Any:
    if not is_complex(self):
        return F.null(t)
    # across the direction only: what goes along it changes the length, and the sign has none
    return F.where(self == 0, F.null(t), (t - out * F.real(F.conj(out) * t)) / F.abs(self))


def _no_complex_sign(input: Any) -> None:
    if isinstance(input, Tensor) and input._array.dtype.kind == "c":
        raise NotImplementedError(
            "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead."
        )


abs = diagonal(
    "abs", np.absolute, lambda F, t, self: t * F.sgn(self), holomorphic=False, check=_no_bool_magnitude,
    doc="""The absolute value of each element; of complex numbers a real tensor.

    At 0 the gradient is 0.
    Raises NotImplementedError for bool.

    >>> import wengert
    >>> wengert.abs(wengert.tensor([-1.0, 3 + 4j]))
    tensor([1., 5.])
    """,
)  # fmt: skip
sign = diagonal(
    "sign", _signs, lambda F, t: F.null(t), check=_no_complex_sign,
    doc="""-1, 0 or 1: the sign of each element.

    Raises NotImplementedError for complex numbers, for which there is `sgn`.

    >>> import wengert
    >>> wengert.sign(wengert.tensor([-2.0, 0.0, 5.0]))
    tensor([-1.,  0.,  1.])
    """,
)  # fmt: skip
sgn = diagonal(
    "sgn", _directions, _pull_sgn, holomorphic=False,
    doc="""The sign of each element; of a complex number the number of absolute value 1 in its direction (of 0: 0).

    >>> import wengert
    >>> wengert.sgn(wengert.tensor([3 + 4j, 0j]))
    tensor([0.6000+0.8000j, 0.0000+0.0000j])
    """,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ conjugates and parts

_conj = linear("conj", lambda a: np.conjugate(a, out=...), lambda F, t: F.conj(t), holomorphic=False)
_conj_physical = linear(
    "conj_physical", lambda a: np.conjugate(a, out=...), lambda F, t: F.conj(t), holomorphic=False
)
# `Adjust` makes a real gradient complex where the input is
_real = linear("real", lambda a: a.real, lambda F, t: t, holomorphic=False, view=True)
_imag = linear("imag", lambda a: a.imag, lambda F, t: F.imaginary(t), holomorphic=False, view=True)


def _imaginary(a: Any) -> Any:
    made = np.zeros(np.shape(a), np.result_type(a.dtype, np.complex64))
    made.imag = a
    return made


linear("imaginary", _imaginary, lambda F, t: F.imag(t), holomorphic=False)


def _tensor(function: str, input: Any) -> Any:
    if not isinstance(input, Tensor):
        raise argument_error(function, "input", 1, input)
    return input._array.dtype.kind == "c"


def conj(input: Tensor) -> Tensor:
    """The complex conjugate of each element; a real tensor itself.

    >>> import wengert
    >>> wengert.conj(wengert.tensor([1 + 2j]))
    tensor([1.-2.j])
    """
    return _conj(input) if _tensor("conj", input) else input  # type: ignore[no-any-return]


def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate of each element; a real tensor itself."""
    made = _conj_physical(input) if _tensor("conj_physical", input) else input
    if out is None:
        return made  # type: ignore[no-any-return]
    from .inplace import into

    return into(out, made)  # type: ignore[no-any-return]


def resolve_conj(input: Tensor) -> Tensor:
    """The tensor itself: conjugation is never pending."""
    _tensor("resolve_conj", input)
    return input


def resolve_neg(input: Tensor) -> Tensor:
    """The tensor itself: negation is never pending."""
    _tensor("resolve_neg", input)
    return input


def real(input: Tensor) -> Tensor:
    """The real part of each element: a view of a complex tensor, a real tensor itself.

    >>> import wengert
    >>> wengert.real(wengert.tensor([1 + 2j]))
    tensor([1.])
    """
    return _real(input) if _tensor("real", input) else input  # type: ignore[no-any-return]


def imag(input: Tensor) -> Tensor:
    """The imaginary part of each element: a view.

    Raises RuntimeError for a real tensor.

    >>> import wengert
    >>> wengert.imag(wengert.tensor([1 + 2j]))
    tensor([2.])
    """
    if not _tensor("imag", input):
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return _imag(input)  # type: ignore[no-any-return]


Tensor.real = property(real, lambda self, value: real(self).copy_(value), doc=real.__doc__)  # type: ignore[attr-defined]
Tensor.imag = property(imag, lambda self, value: imag(self).copy_(value), doc=imag.__doc__)  # type: ignore[attr-defined]

__all__ = expose(
    __name__,
    functions="abs abs_ sign sgn conj conj_physical conj_physical_ resolve_conj resolve_neg real imag",
    methods="abs sign sgn conj conj_physical resolve_conj resolve_neg",
    writes="abs sign sgn conj_physical",
)
Tensor.__abs__ = abs  # type: ignore[attr-defined]
__all__ += alias(__name__, "absolute=abs")
