"""Absolute values, signs and angles, real and complex; the parts of complex numbers, and their making."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor
from .declare import argument_error, diagonal, flat, linear
from .expose import alias, expose
from .inplace import into

# ------------------------------------------------------------------------------------------------ what rules need


def is_complex(x: Any) -> bool:
    """Whether a tensor, an array or a NumPy number is complex: in rules, which meet all three."""
    return (x._array if isinstance(x, Tensor) else x).dtype.kind == "c"


null = flat(
    "null", np.zeros_like, doc="Zeros of the shape and dtype of the input: the gradient where a function is flat."
)

# ---------------------------------------------------------------------------------------------- absolute value and sign


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
    "conj_physical",
    lambda a: np.conjugate(a, out=...),
    lambda F, t: F.conj(t),
    node="ConjPhysicalBackward0",
    holomorphic=False,
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
    return _conj(input) if _tensor("conj", input) else input


def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate of each element; a real tensor itself."""
    made = _conj_physical(input) if _tensor("conj_physical", input) else input
    return made if out is None else into(out, made)


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
    return _real(input) if _tensor("real", input) else input


def imag(input: Tensor) -> Tensor:
    """The imaginary part of each element: a view.

    Raises RuntimeError for a real tensor.

    >>> import wengert
    >>> wengert.imag(wengert.tensor([1 + 2j]))
    tensor([2.])
    """
    if not _tensor("imag", input):
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return _imag(input)


Tensor.real = property(real, lambda self, value: real(self).copy_(value), doc=real.__doc__)  # type: ignore[attr-defined]
Tensor.imag = property(imag, lambda self, value: imag(self).copy_(value), doc=imag.__doc__)  # type: ignore[attr-defined]

# ------------------------------------------------------------------------------------------------ angles


def _angle_forward(a: Any) -> Any:
    if a.dtype.kind == "c":
        return np.arctan2(a.imag, a.real, out=...)
    return np.where(np.isnan(a), a, np.where(a < 0, a.dtype.type(np.pi), a.dtype.type(0)))


def _pull_angle(F: Any, t: Any, self: Any) -> Any:
    if not is_complex(self):
        return F.null(t)
    return F.masked(t * (F.sgn(self) * 1j / F.abs(self)), self != 0)


_angle = diagonal("angle", _angle_forward, _pull_angle, promote="float", holomorphic=False)


def angle(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of each element in the plane of complex numbers, in radians; of real numbers 0, or pi where they are
    negative.

    >>> import wengert
    >>> wengert.angle(wengert.tensor([1 + 1j, -1]))
    tensor([0.7854, 3.1416])
    """
    _tensor("angle", input)
    made = _angle(input)
    return made if out is None else into(out, made)


# ------------------------------------------------------------------------------------------------ complex of real


def _as_pairs(a: Any) -> Any:
    part = a.real.dtype
    return a[..., None].view(part) if a.ndim else a.reshape(1).view(part)


def _as_complex(a: Any) -> Any:
    if a.strides[-1] != a.itemsize:
        a = np.ascontiguousarray(a)  # a cotangent: of what the user gives, the steps have been checked
    return a.view(np.result_type(a.dtype, np.complex64))[..., 0]


_view_as_real = linear(
    "view_as_real",
    _as_pairs,
    lambda F, t: F.view_as_complex(t),
    node="ViewAsRealBackward0",
    holomorphic=False,
    view=True,
)
_view_as_complex = linear(
    "view_as_complex",
    _as_complex,
    lambda F, t: F.view_as_real(t),
    node="ViewAsComplexBackward0",
    holomorphic=False,
    view=True,
)


def view_as_real(input: Tensor) -> Tensor:
    """A complex tensor as a real one with a last dimension more, of real and imaginary part: a view.

    Raises RuntimeError for a real tensor.

    >>> import wengert
    >>> wengert.view_as_real(wengert.tensor([1 + 2j]))
    tensor([[1., 2.]])
    """
    if not _tensor("view_as_real", input):
        raise RuntimeError("view_as_real is only supported for complex tensors")
    return _view_as_real(input)


def view_as_complex(input: Tensor) -> Tensor:
    """A real tensor whose last dimension has the real and the imaginary part, as a complex one without it: a view.

    Raises RuntimeError for other dtypes than float32 and float64, and where no view of the memory will do.

    >>> import wengert
    >>> wengert.view_as_complex(wengert.tensor([[1.0, 2.0]]))
    tensor([1.+2.j])
    """
    _tensor("view_as_complex", input)
    a = input._array
    if a.dtype.kind != "f" or a.itemsize < 4:
        raise RuntimeError(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: "
            f"{scalar_name(input.dtype)}" + ("; complex numbers of halves are not in NumPy" if a.itemsize == 2 else "")
        )
    if not a.ndim:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if a.shape[-1] != 2:
        raise RuntimeError(f"Tensor must have a last dimension of size 2: it has {a.shape[-1]}")
    if a.strides[-1] != a.itemsize:
        raise RuntimeError("Tensor must have a last dimension with stride 1: contiguous() makes one of it")
    if any(s % (2 * a.itemsize) for s, n in zip(a.strides[:-1], a.shape[:-1], strict=True) if n > 1):
        raise RuntimeError(
            "Tensor must have a stride divisible by 2 for all but last dimension: contiguous() makes one of it"
        )
    if input.storage_offset() % 2:
        raise RuntimeError("Tensor must have a storage_offset divisible by 2: contiguous() makes one of it")
    return _view_as_complex(input)


def _join_parts(a: Any, b: Any) -> Any:
    made = np.empty(np.broadcast_shapes(np.shape(a), np.shape(b)), np.result_type(a.dtype, np.complex64))
    made.real = a
    made.imag = b
    return made


def _two_reals(*inputs: Any) -> None:
    first, second = (scalar_name(x.dtype) for x in inputs)
    if any(x._array.dtype.kind != "f" for x in inputs):
        raise RuntimeError(f"Expected both inputs to be Half, Float or Double tensors but got {first} and {second}")
    if first != second:
        raise RuntimeError(f"Expected object of scalar type {first} but got scalar type {second} for second argument")


_complex = diagonal(
    "complex", _join_parts, lambda F, t: F.real(t), lambda F, t: F.imag(t), inputs=("real", "imag"), promote=None,
    holomorphic=False, check=_two_reals,
)  # fmt: skip


def _from_polar(r: Any, angle: Any) -> Any:
    return _join_parts(r * np.cos(angle), r * np.sin(angle))


def _two_long_reals(*inputs: Any) -> None:
    _two_reals(*inputs)
    if inputs[0]._array.itemsize == 2:
        raise NotImplementedError("\"polar_cpu\" not implemented for 'Half': there are no complex numbers of halves")


_polar = diagonal(
    "polar", _from_polar, lambda F, t, angle: F.real(t) * F.cos(angle) + F.imag(t) * F.sin(angle),
    lambda F, t, out: F.imag(t) * F.real(out) - F.real(t) * F.imag(out), inputs=("abs", "angle"), promote=None,
    holomorphic=False, check=_two_long_reals,
)  # fmt: skip


def _of_two(name: str, operation: Any, names: tuple[str, str], values: tuple[Any, Any], out: Any) -> Tensor:
    for i, (label, x) in enumerate(zip(names, values, strict=True), 1):
        if not isinstance(x, Tensor):
            raise argument_error(name, label, i, x)
    made = operation(*values)
    if out is None:
        return made
    if out.dtype is not made.dtype:
        raise RuntimeError(
            f"Expected object of scalar type {scalar_name(made.dtype)} but got scalar type {scalar_name(out.dtype)} for argument "
            "'out'"
        )
    return into(out, made)


def complex(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex tensor with these real and imaginary parts, which broadcast.

    Raises RuntimeError if they are not both of float32 or both of float64.

    >>> import wengert
    >>> wengert.complex(wengert.tensor([1.0]), wengert.tensor([2.0]))
    tensor([1.+2.j])
    """
    return _of_two("complex", _complex, ("real", "imag"), (real, imag), out)


def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex tensor with these absolute values and angles, which broadcast.

    Raises RuntimeError if they are not both of float32 or both of float64.

    >>> import wengert
    >>> wengert.polar(wengert.tensor([2.0]), wengert.tensor([0.0]))
    tensor([2.+0.j])
    """
    return _of_two("polar", _polar, ("abs", "angle"), (abs, angle), out)


_methods = "abs sign sgn conj conj_physical resolve_conj resolve_neg angle"
__all__ = expose(
    __name__,
    functions=_methods + " abs_ conj_physical_ real imag view_as_real view_as_complex complex polar",
    methods=_methods,
    writes="abs sign sgn conj_physical",
)
Tensor.__abs__ = abs  # type: ignore[attr-defined]
__all__ += alias(__name__, "absolute=abs")
