"""Integrals and derivatives of functions of which values at points are known, along dimensions."""

from __future__ import annotations

from typing import Any

from .. import dtypes
from ..tensor import Tensor, wrap_dim
from .dims import check_tensor, combination_error
from .expose import expose
from .joining import cat
from .sizes import sizes

# ------------------------------------------------------------------------------------------------ the trapezoidal rule


def _steps(function: str, y: Any, x: Any, dx: Any, dim: int) -> tuple[Any, Any, Any, int]:
    """The values at the left and at the right of each interval, the lengths of the intervals, and the dimension."""
    check_tensor(function, y, "y")
    if x is not None and (dx is not None or not isinstance(x, Tensor)):
        given = "Tensor, Tensor, dx=" + type(dx).__name__ if dx is not None else f"Tensor, {type(x).__name__}"
        raise combination_error(
            function,
            f"({given})",
            ("(Tensor y, Tensor x, *, int dim = -1)", "(Tensor y, *, Number dx = 1, int dim = -1)"),
        )
    if not y.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    for name, value in (("y", y), ("x", x)):
        if value is not None and value.dtype is dtypes.bool:
            raise RuntimeError(f"{function}: received a bool input for `{name}`, but bool is not supported")
    if isinstance(dx, complex):
        raise RuntimeError(f"{function}: Currently, we only support dx as a real number.")
    d = wrap_dim(dim, y.ndim)
    n = y.shape[d]
    left, right = y.narrow(d, 0, max(n - 1, 0)), y.narrow(d, min(n, 1), max(n - 1, 0))
    if x is None:
        return left, right, 1.0 if dx is None else dx, d
    if x.ndim == 1:
        if x.shape[0] != n:
            raise RuntimeError(f"{function}: There must be one `x` value for each sample point")
        x = x.reshape(-1, *(1,) * (y.ndim - 1 - d))
    elif x.ndim == y.ndim and x.shape[d] != n:
        raise RuntimeError(f"{function}: There must be one `x` value for each sample point")
    axis = x.ndim - (y.ndim - d)
    return left, right, x.narrow(axis, min(n, 1), max(n - 1, 0)) - x.narrow(axis, 0, max(n - 1, 0)), d


def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: Any = None, dim: int = -1) -> Tensor:
    """The integral along a dimension by the trapezoidal rule.

    y   values of the function
    x   where they are taken: one for each along the dimension, or broadcast with y
    dx  in place of x: how far they are apart, by default 1

    Raises RuntimeError for points that are not as many as values, and for bool.

    >>> import wengert
    >>> wengert.trapezoid(wengert.tensor([1.0, 2.0, 4.0]))
    tensor(4.5000)
    """
    left, right, step, d = _steps("trapezoid", y, x, dx, dim)
    if isinstance(step, Tensor):
        found: Tensor = ((left + right) * step).sum(d) / 2.0
        return found
    made: Tensor = (left + right).sum(d) * (step / 2.0)
    return made


def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, *, dx: Any = None, dim: int = -1) -> Tensor:
    """The integrals up to each point but the first, along a dimension, by the trapezoidal rule; arguments as of `trapezoid`.

    >>> import wengert
    >>> wengert.cumulative_trapezoid(wengert.tensor([1.0, 2.0, 4.0]))
    tensor([1.5000, 4.5000])
    """
    left, right, step, d = _steps("cumulative_trapezoid", y, x, dx, dim)
    if isinstance(step, Tensor):
        found: Tensor = ((left + right) * step).cumsum(d) / 2.0
        return found
    made: Tensor = ((left + right) * (step / 2.0)).cumsum(d)
    return made


def trapz(y: Tensor, x: Tensor | None = None, *, dx: Any = None, dim: int = -1) -> Tensor:
    """`trapezoid`."""
    return trapezoid(y, x, dx=dx, dim=dim)


# ------------------------------------------------------------------------------------------------ derivatives


def _along(x: Tensor, spacing: Any, dim: int, edge_order: int) -> Tensor:
    """The derivative along one dimension; `spacing` is a number, or a tensor of the points."""
    n = x.shape[dim]

    def at(start: int, length: int = 1) -> Any:
        return x.narrow(dim, start if start >= 0 else n + start, length)

    if isinstance(spacing, Tensor):
        steps = (spacing[1:] - spacing[:-1]).reshape(-1, *(1,) * (x.ndim - 1 - dim))
        before, behind = steps[:-1], steps[1:]
        m = n - 2
        inner = (
            at(0, m) * (-behind / (before * (before + behind)))
            + at(1, m) * ((behind - before) / (before * behind))
            + at(2, m) * (before / (behind * (before + behind)))
        )
        if edge_order == 1:
            return cat([(at(1) - at(0)) / steps[:1], inner, (at(-1) - at(-2)) / steps[-1:]], dim)
        a, b = steps[:1], steps[1:2]
        first = at(0) * (-(2 * a + b) / (a * (a + b))) + at(1) * ((a + b) / (a * b)) + at(2) * (-a / (b * (a + b)))
        a, b = steps[-2:-1], steps[-1:]
        last = at(-3) * (b / (a * (a + b))) + at(-2) * (-(b + a) / (a * b)) + at(-1) * ((2 * b + a) / (b * (a + b)))
        return cat([first, inner, last], dim)
    inner = (at(2, n - 2) - at(0, n - 2)) / (2 * spacing)
    if edge_order == 1:
        return cat([(at(1) - at(0)) / spacing, inner, (at(-1) - at(-2)) / spacing], dim)
    first = (at(0) * -1.5 + at(1) * 2 - at(2) * 0.5) / spacing
    last = (at(-3) * 0.5 - at(-2) * 2 + at(-1) * 1.5) / spacing
    return cat([first, inner, last], dim)


def gradient(input: Tensor, *, spacing: Any = None, dim: Any = None, edge_order: int = 1) -> tuple[Tensor, ...]:
    """The derivatives along dimensions, by central differences of second order, one for each dimension.

    spacing     how far the values are apart: a number, one for each dimension, or a tensor of points for each
    dim         one dimension or several, by default all
    edge_order  1 or 2: the order of the one-sided differences at the ends

    Raises RuntimeError for dimensions that are too short, and for spacings that are not as many as dimensions.

    >>> import wengert
    >>> wengert.gradient(wengert.tensor([1.0, 2.0, 4.0]))
    (tensor([1.0000, 1.5000, 2.0000]),)
    """
    check_tensor("gradient", input)
    ndim = input.ndim
    if dim is None:
        dims = tuple(range(ndim))
    else:
        dims = tuple([wrap_dim(d, ndim) for d in sizes("gradient", (dim,), "dim")])
    if len(set(dims)) != len(dims):
        twice = next(d for i, d in enumerate(dims) if d in dims[:i])
        raise RuntimeError(f"dim {twice} appears multiple times in the list of dims")
    if input.dtype is dtypes.uint8:
        raise RuntimeError("torch.gradient does not support uint8 input.")
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    several = list(spacing) if isinstance(spacing, (tuple, list)) else [1.0 if spacing is None else spacing] * len(dims)
    if len(several) != len(dims):
        asked = (
            f"list of length equal to 'self.dim() = {ndim}', since dim argument was not given"
            if dim is None
            else f"list of length equal to the number of dimensions, {len(dims)}"
        )
        raise RuntimeError(
            f"torch.gradient expected spacing to be unspecified, a scalar, or a {asked}, but got a list of length {len(several)}"
        )
    for d in dims:
        if input.shape[d] < edge_order + 1:
            raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    return tuple([_along(input, s, d, edge_order) for s, d in zip(several, dims, strict=True)])


__all__ = expose(__name__, functions="trapezoid trapz cumulative_trapezoid gradient")
