"""The operations that give views, in forms that copy; and those that write into the part of a copy that a view would show."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..storage import dense
from ..tensor import Tensor, alias, wrap_dim
from . import axes, diagonals, shape, strided
from .complex_numbers import view_as_complex, view_as_real
from .declare import general, linear
from .dims import check_tensor, dim_number
from .expose import expose
from .namespace import tensors
from .selecting import BEFORE, narrow_bounds, select, view_at, view_between, view_of_all
from .sizes import sizes
from .strided import as_strided

# ------------------------------------------------------------------------------------------------ copies

_copies: dict[Any, Any] = {}


def _copying(op: Any) -> Any:
    """The operation that copies what a view operation shows."""
    made = _copies.get(op)
    if made is None:
        forward = op.forward
        made = _copies[op] = linear(
            op.name + "_copied", lambda a, *statics: np.array(forward(a, *statics), order="C"), op.rules[0], op.statics,
            node=f"{op.node_type.__name__}_copy", holomorphic=False,
        )  # fmt: skip
    return made


def _copy_form(name: str, view: Any) -> Any:
    """The form of a view function that copies: the function tells which operation, and with which arguments."""

    def copy(input: Tensor, *args: Any, **kwargs: Any) -> Any:
        shown = view(alias(check_tensor(name, input)._array, [0], None), *args, **kwargs)
        if shown._extra is None or shown._extra.view is None:
            return input.clone()
        operation, statics = shown._extra.view.chain[-1]
        return _copying(operation)(input, *statics)

    copy.__name__ = copy.__qualname__ = name
    copy.__doc__ = f"`{name.removesuffix('_copy')}`, as a copy."
    return copy


def _slice(input: Tensor, dim: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Any:
    ndim = check_tensor("slice", input)._array.ndim
    if not ndim:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    if step <= 0:
        raise RuntimeError(f"slice step must be positive: {step}")
    return view_between(input, wrap_dim(dim_number("slice", dim, position=2), ndim), start, end, step)


alias_copy = _copy_form("alias_copy", view_of_all)
as_strided_copy = _copy_form("as_strided_copy", as_strided)
diagonal_copy = _copy_form("diagonal_copy", diagonals.diagonal)
expand_copy = _copy_form("expand_copy", shape.expand)
permute_copy = _copy_form("permute_copy", axes.permute)
select_copy = _copy_form("select_copy", select)
slice_copy = _copy_form("slice_copy", _slice)
squeeze_copy = _copy_form("squeeze_copy", shape.squeeze)
t_copy = _copy_form("t_copy", axes.t)
transpose_copy = _copy_form("transpose_copy", axes.transpose)
unfold_copy = _copy_form("unfold_copy", strided.unfold)
unsqueeze_copy = _copy_form("unsqueeze_copy", shape.unsqueeze)
view_copy = _copy_form("view_copy", shape.view)
view_as_real_copy = _copy_form("view_as_real_copy", view_as_real)
view_as_complex_copy = _copy_form("view_as_complex_copy", view_as_complex)


def detach_copy(input: Tensor) -> Tensor:
    """`detach`, as a copy."""
    return input.detach().clone()


_narrow_copy = linear(
    "narrow_copy", lambda a, dim, start, length: np.array(a[(*BEFORE[dim], slice(start, start + length))], order="C"),
    lambda F, t, self_shape, dim, start, length: F.slice_backward(t, self_shape, dim, start, start + length, 1),
    ("dim", "start", "length"), holomorphic=False, node="NarrowCopyBackward0",
)  # fmt: skip


def narrow_copy(input: Tensor, dim: Any, start: Any, length: int) -> Any:
    """`narrow`, as a copy.

    >>> import wengert
    >>> wengert.narrow_copy(wengert.arange(5), 0, 1, 2)
    tensor([1, 2])
    """
    ndim = check_tensor("narrow_copy", input)._array.ndim
    if type(dim) is int and dim >= ndim > 0:
        raise RuntimeError(
            f"Expected dim < static_cast<int64_t>(self_sizes.size()) to be true, but got false: dim is {dim}, of {ndim} dimensions"
        )
    if type(length) is int and length < 0 and ndim:
        _, first, _ = narrow_bounds("narrow_copy", input, dim, start, 0)
        raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({input._array.shape[dim]}).")
    return _narrow_copy(input, *narrow_bounds("narrow_copy", input, dim, start, length))


# ------------------------------------------------------------------------------------------------ writing into a part


def _scattering(name: str, view: Any, node: str) -> Any:
    """An operation (x, src, arguments) that gives `x` with `src` in the place that the view operation shows."""
    forward, shown = view.operation.forward, view.operation.name

    def put(a: Any, src: Any, arguments: tuple[Any, ...]) -> Any:
        made = dense(a)
        forward(made, *arguments)[...] = src
        return made

    linear(
        name + "_clear", lambda a, arguments: put(a, 0, arguments),
        lambda F, t, arguments: getattr(F, name + "_clear")(t, arguments), ("arguments",), holomorphic=False,
    )  # fmt: skip
    return general(
        name, put,
        {
            "self": lambda F, t, arguments: getattr(F, name + "_clear")(t, arguments),
            "src": lambda F, t, arguments: getattr(F, shown)(t, *arguments),
        },
        ("arguments",), node=node, holomorphic=False,
        push=lambda F, t, self, src, arguments: getattr(F, name)(
            F.null(self) if t[0] is None else t[0], F.null(src) if t[1] is None else t[1], arguments
        ),
    )  # fmt: skip


_select_scatter = _scattering("select_scatter", view_at, "SelectScatterBackward0")
_slice_scatter = _scattering("slice_scatter", view_between, "SliceScatterBackward0")
_diagonal_scatter = _scattering("diagonal_scatter", tensors.diagonal, "DiagonalScatterBackward0")
_as_strided_scatter = _scattering("as_strided_scatter", tensors.as_strided, "AsStridedScatterBackward0")


def _into_view(operation: Any, input: Tensor, src: Tensor, view: Any, *arguments: Any) -> Any:
    """`src` written into the part of `input` that the view function shows."""
    name = operation.__name__
    bare = alias(check_tensor(name, input)._array, [0], None)
    check_tensor(name, src, "src", 2)
    shown = view(bare, *arguments)
    if shown._array.shape != src._array.shape:
        raise RuntimeError(
            f"expected src to have a size equal to the slice of self. src size = {list(src._array.shape)}, slice size = "
            f"{list(shown._array.shape)}"
        )
    if src._array.dtype != input._array.dtype:
        src = src.to(input.dtype)
    return operation(input, src, shown._extra.view.chain[-1][1])


def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Any:
    """A copy of `input` with `src` at one index of a dimension.

    >>> import wengert
    >>> wengert.select_scatter(wengert.zeros(2, 2), wengert.ones(2), 0, 1)
    tensor([[0., 0.],
            [1., 1.]])
    """
    return _into_view(_select_scatter, input, src, select, dim, index)


def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    """A copy of `input` with `src` in a slice of a dimension.

    >>> import wengert
    >>> wengert.slice_scatter(wengert.zeros(3), wengert.ones(2), 0, 1)
    tensor([0., 1., 1.])
    """
    return _into_view(_slice_scatter, input, src, _slice, dim, start, end, step)


def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """A copy of `input` with `src` on the diagonal of two dimensions.

    >>> import wengert
    >>> wengert.diagonal_scatter(wengert.zeros(2, 2), wengert.ones(2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    return _into_view(_diagonal_scatter, input, src, diagonals.diagonal, offset, dim1, dim2)


def as_strided_scatter(input: Tensor, src: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """A copy of `input` with `src` in the part that `as_strided` would show.

    >>> import wengert
    >>> wengert.as_strided_scatter(wengert.zeros(2, 2), wengert.ones(2), (2,), (3,))
    tensor([[1., 0.],
            [0., 1.]])
    """
    whole = input.contiguous()
    return _into_view(
        _as_strided_scatter, whole, src, as_strided, sizes("as_strided_scatter", (size,)), stride, storage_offset
    )


_scatters = "select_scatter slice_scatter diagonal_scatter as_strided_scatter"
__all__ = expose(
    __name__,
    functions=_scatters
    + " alias_copy as_strided_copy detach_copy diagonal_copy expand_copy narrow_copy permute_copy select_copy "
    "slice_copy squeeze_copy t_copy transpose_copy unfold_copy unsqueeze_copy view_as_complex_copy view_as_real_copy view_copy",
    methods=_scatters + " narrow_copy",
)
