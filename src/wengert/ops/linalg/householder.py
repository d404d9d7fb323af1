"""Householder's reflections: QR in LAPACK's compact form, and products of the reflections that it stands for.

Below the diagonal, column i of a compact form has the vector v_i, whose element on the diagonal is 1 and those above it 0;
the reflection is H_i = 1 - tau_i v_i v_i^H. Their product is H_1 ... H_k = 1 - V T V^H with an upper triangle T (Schreiber and
Van Loan, "A storage-efficient WY representation for products of Householder transformations", 1989), of which both the
products and their derivatives are a few matrix products:

    T = (1 + D S)^-1 D        D the diagonal of tau, S the part of V^H V above its diagonal
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import return_types
from ...dtype_names import scalar_name
from ...tensor import Tensor
from ..declare import general
from ..dims import into_same
from ..expose import expose
from ..extremum import named
from ..namespace import arrays
from . import lapack
from .adjoints import adjoint, constant
from .checks import column_major, implemented, matrix_argument

# ------------------------------------------------------------------------------------------------ declarations


def _eye(like: Any, m: int, n: int) -> Any:
    return constant(like, np.eye(m, n, dtype=(like._array if isinstance(like, Tensor) else like).dtype))


def _vectors(F: Any, self: Any, k: int) -> Any:
    """V, the vectors of the first k reflections as columns."""
    return F.tril(self[..., :k], -1) + _eye(self, self.shape[-2], k)


def _inner(F: Any, V: Any, tau: Any) -> tuple[Any, Any, Any]:
    """S, (1 + D S)^-1 and T."""
    k = tau.shape[-1]
    S = F.triu(F.matmul(adjoint(F, V), V), 1)
    root = F.solve_triangle(_eye(tau, k, k) + tau[..., None] * S, F.expand(_eye(tau, k, k), S.shape), True)
    return S, root, root * tau[..., None, :]


def _pull_triangle(F: Any, P: Any, R: Any, V: Any) -> tuple[Any, Any, Any]:
    """The gradient for T where P R^H is that for the product of the reflections, with P^H V and R^H V, which make it."""
    left, right = F.matmul(adjoint(F, P), V), F.matmul(adjoint(F, R), V)
    return -F.matmul(adjoint(F, left), right), left, right


def _pull_vectors(F: Any, P: Any, R: Any, self: Any, tau: Any) -> Any:
    """The gradient for the compact form where P R^H is that for the product of the reflections."""
    k = tau.shape[-1]
    V = _vectors(F, self, k)
    T = _inner(F, V, tau)[2]
    of_T, left, right = _pull_triangle(F, P, R, V)
    of_S = -F.triu(F.matmul(F.matmul(adjoint(F, T), of_T), adjoint(F, T)), 1)
    of_V = (
        F.matmul(V, of_S + adjoint(F, of_S))
        - F.matmul(P, F.matmul(right, adjoint(F, T)))
        - F.matmul(R, F.matmul(left, T))
    )
    made = F.tril(of_V, -1)
    return made if self.shape[-1] == k else F.slice_backward(made, self.shape, self.ndim - 1, 0, k, 1)


def _pull_factors(F: Any, P: Any, R: Any, self: Any, tau: Any) -> Any:
    """The gradient for tau where P R^H is that for the product of the reflections."""
    k = tau.shape[-1]
    V = _vectors(F, self, k)
    S, root, T = _inner(F, V, tau)
    of_T = _pull_triangle(F, P, R, V)[0]
    of_D = F.matmul(F.matmul(adjoint(F, root), of_T), _eye(tau, k, k) - adjoint(F, F.matmul(S, T)))
    return F.diagonal(of_D, 0, -2, -1)


def _first_columns(F: Any, t: Any, self: Any) -> tuple[Any, Any]:
    """P and R, where t is the gradient for the first columns of the product."""
    return t, F.expand(_eye(self, *self.shape[-2:]), self.shape)


_product = general(
    "linalg_householder_product", lambda a, tau: column_major(lapack.product_of_reflectors(a, tau, a.shape[-1])),
    {
        "self": lambda F, t, self, tau: _pull_vectors(F, *_first_columns(F, t, self), self, tau),
        "tau": lambda F, t, self, tau: _pull_factors(F, *_first_columns(F, t, self), self, tau),
    },
    node="LinalgHouseholderProductBackward0", holomorphic=False,
)  # fmt: skip


def _multiply(a: Any, tau: Any, other: Any, left: bool, transpose: bool) -> Any:
    """The product of the reflections, or its adjoint, times `other` from the left or the right."""
    V = _vectors(arrays, a, tau.shape[-1])
    T = _inner(arrays, V, tau)[2]
    T = T.mT.conj() if transpose else T
    if left:
        return column_major(other - np.matmul(V, np.matmul(T, np.matmul(V.mT.conj(), other))))
    return column_major(other - np.matmul(np.matmul(np.matmul(other, V), T), V.mT.conj()))


def _multiplied(F: Any, t: Any, other: Any, left: bool, transpose: bool) -> tuple[Any, Any]:
    """P and R, where t is the gradient for a product with `other`: that for the other matrix is t other^H, or other^H t."""
    P, R = (t, other) if left else (adjoint(F, other), adjoint(F, t))
    return (R, P) if transpose else (P, R)


_ormqr = general(
    "ormqr", _multiply,
    {
        "self": lambda F, t, self, tau, other, left, transpose: _pull_vectors(
            F, *_multiplied(F, t, other, left, transpose), self, tau
        ),
        "tau": lambda F, t, self, tau, other, left, transpose: _pull_factors(
            F, *_multiplied(F, t, other, left, transpose), self, tau
        ),
        "other": lambda F, t, self, tau, left, transpose: F.ormqr(self, tau, t, left, not transpose),
    },
    ("left", "transpose"), holomorphic=False,
)  # fmt: skip


def _compact(a: Any) -> tuple[Any, Any]:
    packed, tau = lapack.reflectors(a)
    return column_major(packed), tau


def _no_derivative(F: Any, t: Any) -> Any:
    raise NotImplementedError(
        "the derivative for 'geqrf' is not implemented. linalg.qr has one: differentiate through its results"
    )


_geqrf = general(
    "geqrf", _compact, {"self": _no_derivative}, outputs=("a", "tau"), pulled=(0, 1), node="GeqrfBackward0"
)

# ------------------------------------------------------------------------------------------------ functions


def geqrf(input: Tensor, *, out: Any = None) -> Any:
    """A QR decomposition in compact form, for `householder_product` and `ormqr`: a named tuple (a, tau).

    a  R in and above the diagonal, Householder's vectors below it
    Raises NotImplementedError where it is differentiated: `linalg.qr` has a derivative.

    >>> import wengert
    >>> wengert.geqrf(wengert.tensor([[3.0], [4.0]]))
    torch.return_types.geqrf(
    a=tensor([[-5.0000],
            [ 0.5000]]),
    tau=tensor([1.6000]))
    """
    matrix_argument("geqrf", input, "input")
    _at_least_a_matrix("torch.geqrf", input)
    implemented("geqrf_cpu", input)
    return named(return_types.geqrf, _geqrf(input), out)


def householder_product(input: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The first n columns of the product of Householder's reflections, of `geqrf`'s (..., m, n) and (..., k).

    Column i of `input` has below the diagonal the vector v of the reflection 1 - tau_i v v^H; v has 1 on the diagonal and 0
    above it.
    Raises RuntimeError for fewer rows than columns, for k > n, and if batches or dtypes differ.

    >>> import wengert
    >>> wengert.linalg.householder_product(wengert.tensor([[-5.0], [0.5]]), wengert.tensor([1.6]))
    tensor([[-0.6000],
            [-0.8000]])
    """
    name = "torch.linalg.householder_product"
    matrix_argument("linalg_householder_product", input, "input")
    matrix_argument("linalg_householder_product", tau, "tau", 2)
    _at_least_a_matrix(name, input)
    m, n = input._array.shape[-2:]
    if m < n:
        raise RuntimeError(
            f"{name}: input.shape[-2] must be greater than or equal to input.shape[-1], but they are {m}, {n}"
        )
    _check_tau(name, input, tau)
    k = tau._array.shape[-1]
    if k > n:
        raise RuntimeError(
            f"{name}: input.shape[-1] must be greater than or equal to tau.shape[-1], but they are {n} and {k}"
        )
    if tau.dtype is not input.dtype:
        raise RuntimeError(
            f"{name}: tau dtype {scalar_name(tau.dtype)} does not match input dtype {scalar_name(input.dtype)}"
        )
    return into_same(out, _product(implemented("orgqr_cpu", input), tau))


def ormqr(
    input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Q C for the product Q (m, m) of all reflections of `geqrf`'s result, or C Q, Q^H C, C Q^H; Q itself is not formed.

    left       multiply from the left, otherwise from the right
    transpose  multiply by the adjoint of Q
    Raises RuntimeError if shapes, batches or dtypes do not fit.

    >>> import wengert
    >>> a, tau = wengert.geqrf(wengert.tensor([[3.0], [4.0]]))
    >>> wengert.ormqr(a, tau, wengert.tensor([[5.0], [0.0]]))
    tensor([[-3.],
            [-4.]])
    """
    name = "torch.ormqr"
    for i, (called, x) in enumerate((("input", input), ("tau", tau), ("other", other)), 1):
        matrix_argument("ormqr", x, called, i)
    _at_least_a_matrix(name, input)
    _at_least_a_matrix(name, other, "other")
    place = -2 if left else -1
    a, c, k = input._array.shape, other._array.shape, tau._array.shape[-1] if tau._array.ndim else 0
    if c[place] < k:
        raise RuntimeError(f"{name}: other.shape[{place}] must be greater than or equal to tau.shape[-1]")
    if k != min(c[place], a[-1]):
        raise RuntimeError(f"{name}: tau.shape[-1] must be equal to min(other.shape[{place}], input.shape[-1])")
    if c[place] != a[-2]:
        raise RuntimeError(
            f"{name}: other.shape[{place}] must be equal to input.shape[-2], but they are {c[place]} and {a[-2]}"
        )
    _check_tau(name, input, tau)
    if len(c) != len(a):
        raise RuntimeError(
            f"{name}: Expected other to have the same number of dimensions as input, but got other.ndim equal to {len(c)} and "
            f"input.ndim is equal to {len(a)}"
        )
    if c[:-2] != a[:-2]:
        raise RuntimeError(
            f"{name}: Expected batch dimensions of other to be equal to input.shape[:-2], but got {list(c[:-2])}"
        )
    for called, x in (("tau", tau), ("other", other)):
        if x.dtype is not input.dtype:
            raise RuntimeError(
                f"{name}: Expected input and {called} to have the same dtype, but input has dtype"
                f"{scalar_name(input.dtype)} and {called} has dtype {scalar_name(x.dtype)}"
            )
    implemented("ormqr_cpu", input)
    return into_same(out, _ormqr(input, tau, other, bool(left), bool(transpose)))


def _at_least_a_matrix(name: str, x: Tensor, called: str = "input") -> None:
    if x._array.ndim < 2:
        raise RuntimeError(f"{name}: {called} must have at least 2 dimensions. Its shape is {tuple(x._array.shape)}")


def _check_tau(name: str, input: Tensor, tau: Tensor) -> None:
    a, b = input._array.shape, tau._array.shape
    if len(b) != len(a) - 1:
        raise RuntimeError(
            f"{name}: Expected tau to have one dimension less than input, but got tau.ndim equal to {len(b)} and input.ndim is "
            f"equal to {len(a)}"
        )
    if b[:-1] != a[:-2]:
        raise RuntimeError(
            f"{name}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got {list(b[:-1])}"
        )


orgqr = householder_product
__all__ = expose(__name__, functions="geqrf orgqr ormqr", methods="geqrf orgqr ormqr")
