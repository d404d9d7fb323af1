"""The dimensions in another order: always views."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor, wrap_dim
from .declare import linear
from .dims import check_tensor, dim_number
from .expose import alias, expose
from .selecting import view_of_all
from .sizes import sizes

# ------------------------------------------------------------------------------------------------ declarations


def _inverse(dims: tuple[int, ...]) -> tuple[int, ...]:
    made = [0] * len(dims)
    for i, d in enumerate(dims):
        made[d] = i
    return tuple(made)


_permute = linear(
    "permute", lambda a, dims: a.transpose(dims), lambda F, t, dims: F.permute(t, _inverse(dims)), ("dims",), view=True,
    holomorphic=False,
)  # fmt: skip
_transpose = linear(
    "transpose", lambda a, dim0, dim1: a.swapaxes(dim0, dim1) if a.ndim else a[...],
    lambda F, t, dim0, dim1: F.transpose(t, dim0, dim1), ("dim0", "dim1"), view=True, holomorphic=False,
)  # fmt: skip
_t = linear("t", lambda a: a.T, lambda F, t: F.t(t), node="TBackward0", view=True, holomorphic=False)

# ------------------------------------------------------------------------------------------------ functions


def transpose(input: Tensor, dim0: Any, dim1: Any) -> Any:
    """A view with two dimensions exchanged.

    >>> import wengert
    >>> wengert.transpose(wengert.ones(2, 3), 0, 1).shape
    torch.Size([3, 2])
    """
    ndim = check_tensor("transpose", input)._array.ndim
    if type(dim0) is not int:
        dim0 = dim_number("transpose", dim0, "dim0", 2)
    if type(dim1) is not int:
        dim1 = dim_number("transpose", dim1, "dim1", 3)
    return _transpose(input, wrap_dim(dim0, ndim), wrap_dim(dim1, ndim))


def t(input: Tensor) -> Any:
    """A view of a matrix with its dimensions exchanged; of fewer dimensions the tensor's own view.

    Raises RuntimeError for more than two dimensions.

    >>> import wengert
    >>> wengert.t(wengert.ones(2, 3)).shape
    torch.Size([3, 2])
    """
    if check_tensor("t", input)._array.ndim > 2:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D: give the dimensions to transpose()"
        )
    return _t(input)


def permute(input: Tensor, *dims: Any, **named: Any) -> Any:
    """A view with the dimensions in another order.

    >>> import wengert
    >>> wengert.permute(wengert.ones(2, 3, 4), (2, 0, 1)).shape
    torch.Size([4, 2, 3])
    """
    wanted = sizes("permute", dims, "dims", named)
    try:
        return _permute(input, wanted)
    except (ValueError, AttributeError):
        ndim = check_tensor("permute", input)._array.ndim
    if len(wanted) != ndim:
        raise RuntimeError(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of "
            f"dimensions i.e. input.dim() = {ndim} is not equal to len(dims) = {len(wanted)}"
        )
    wrapped = tuple([wrap_dim(d, ndim) for d in wanted])
    if len(set(wrapped)) != ndim:
        raise RuntimeError(f"permute(): duplicate dims are not allowed: {list(wanted)}")
    return _permute(input, wrapped)


def movedim(input: Tensor, source: Any, destination: Any) -> Any:
    """A view with some dimensions moved to other places.

    >>> import wengert
    >>> wengert.movedim(wengert.ones(2, 3, 4), 0, -1).shape
    torch.Size([3, 4, 2])
    """
    ndim = check_tensor("movedim", input)._array.ndim
    sources = (source,) if isinstance(source, int) else tuple(source)
    targets = (destination,) if isinstance(destination, int) else tuple(destination)
    if len(sources) != len(targets):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(sources)} dims) should contain the same number of dims "
            f"as destination ({list(targets)} dims)"
        )
    a = [wrap_dim(d, ndim) for d in sources]
    b = [wrap_dim(d, ndim) for d in targets]
    for which, dims in (("source", a), ("destination", b)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(
                f"movedim: repeated dim in `{which}` ({list(sources if which == 'source' else targets)})"
            )
    if not ndim:
        return view_of_all(input)
    rest = iter([d for d in range(ndim) if d not in a])
    place = dict(zip(b, a, strict=True))
    return _permute(input, tuple([place[i] if i in place else next(rest) for i in range(ndim)]))


def _deprecated(message: str) -> None:
    import warnings

    warnings.warn(message, UserWarning, stacklevel=3)


def _matrix_transpose(self: Tensor) -> Any:
    """A view with the last two dimensions exchanged."""
    ndim = self._array.ndim
    if ndim < 2:
        if ndim == 0:
            _deprecated("Tensor.mT is deprecated on 0-D tensors. This function is the identity in these cases.")
            return self
        raise RuntimeError(f"tensor.mT is only supported on matrices or batches of matrices. Got {ndim}-D tensor.")
    return _transpose(self, -2, -1)


def _full_transpose(self: Tensor) -> Any:
    """A view with the dimensions in reverse order."""
    ndim = self._array.ndim
    if ndim == 2:
        return _permute(self, (1, 0))
    if ndim > 2:
        _deprecated(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error "
            "in a future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, "
            "-1))` to reverse the dimensions of a tensor."
        )
    elif ndim == 0:
        _deprecated("Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases.")
    return _permute(self, tuple(range(ndim))[::-1])


def _adjoint(self: Tensor, name: str) -> Any:
    ndim = self._array.ndim
    if ndim < 2:
        if ndim == 1:
            raise RuntimeError(
                f"tensor.{name} is only supported on matrices or batches of matrices. Got {ndim}-D tensor."
            )
        if name != "adjoint()":
            _deprecated(f"Tensor.{name} is deprecated on 0-D tensors. Consider using x.conj().")
        made = self
    else:
        made = _transpose(self, -2, -1)
    return made.conj() if self._array.dtype.kind == "c" else made


def adjoint(input: Tensor) -> Any:
    """The conjugate of matrices with the last two dimensions exchanged.

    >>> import wengert
    >>> wengert.adjoint(wengert.tensor([[1j, 2.0]]))
    tensor([[0.-1.j],
            [2.-0.j]])
    """
    return _adjoint(check_tensor("adjoint", input), "adjoint()")


def _hermitian(self: Tensor) -> Any:
    """The conjugate of a matrix with its dimensions exchanged."""
    ndim = self._array.ndim
    if ndim not in (0, 2):
        hint = " For batches of matrices, consider using tensor.mH" if ndim > 2 else ""
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {ndim}-D tensor.{hint}")
    return _adjoint(self, "H")


def _adjoint_of_matrices(self: Tensor) -> Any:
    """The conjugate of matrices with the last two dimensions exchanged."""
    return _adjoint(self, "mH")


for _name, _getter in {
    "T": _full_transpose,
    "mT": _matrix_transpose,
    "mH": _adjoint_of_matrices,
    "H": _hermitian,
}.items():
    setattr(Tensor, _name, property(_getter))

_both = "transpose t permute movedim adjoint"
__all__ = expose(__name__, functions=_both, methods=_both)
__all__ += alias(__name__, "swapaxes=transpose swapdims=transpose moveaxis=movedim")
