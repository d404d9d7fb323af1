"""Jacobians and Hessians of functions, row by row in reverse mode or column by column in forward mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..ops.joining import stack
from ..tensor import Tensor, wrap
from .forward import jvp
from .reverse import chosen_places, vjp, with_chosen
from .tree import build, flatten

if TYPE_CHECKING:
    from collections.abc import Callable


def _units(like: list[Tensor], chosen: int, place: int) -> list[Tensor]:
    """Zeros of the shapes of the tensors, but for a one at a place of one of them."""
    made = [np.zeros(x._array.shape, x._array.dtype) for x in like]
    made[chosen].reshape(-1)[place] = 1
    return [wrap(a) for a in made]


def jacrev(
    func: Callable[..., Any],
    argnums: Any = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[..., Any]:
    """The function that gives the Jacobian of `func` by the arguments `argnums`, a row at a time, in reverse mode.

    For each output and argument a tensor of the output's shape followed by the argument's, in the structure of the outputs, and
    within that, of the arguments.
    has_aux     whether `func` returns (value, something else): the result is then (Jacobian, something else)
    chunk_size  how many rows to compute at once in PyTorch; here it has no effect

    >>> import wengert
    >>> wengert.func.jacrev(lambda x: x**2)(wengert.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    def inner(*args: Any, **kwargs: Any) -> Any:
        places = chosen_places(argnums, args)
        chosen = tuple([args[i] for i in places])
        xs, structure = flatten(chosen)
        made = vjp(lambda *new: func(*with_chosen(args, places, new), **kwargs), *chosen, has_aux=has_aux)
        outs, shape = flatten(made[0])
        blocks = []
        for k, out in enumerate(outs):
            rows = [flatten(made[1](build(shape, _units(outs, k, place))))[0] for place in range(out.numel())]
            parts = [
                (stack([row[i] for row in rows]) if rows else _nothing(0, x)).reshape((*out.shape, *x.shape))
                for i, x in enumerate(xs)
            ]
            found = build(structure, parts)
            blocks.append(found if isinstance(argnums, tuple) else found[0])
        result = build(shape, blocks)
        return (result, made[2]) if has_aux else result

    return inner


def _nothing(length: int, x: Tensor) -> Tensor:
    return wrap(np.zeros((length, *x._array.shape), x._array.dtype))


def jacfwd(
    func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable[..., Any]:
    """The function that gives the Jacobian of `func` by the arguments `argnums`, a column at a time, in forward mode.

    The result is that of `jacrev`; this is better where the outputs have more elements than the arguments. `func` is called once
    for each column.
    randomness: without effect.

    >>> import wengert
    >>> wengert.func.jacfwd(lambda x: x**2)(wengert.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """

    def inner(*args: Any, **kwargs: Any) -> Any:
        places = chosen_places(argnums, args)
        chosen = tuple([args[i] for i in places])
        xs, structure = flatten(chosen)

        def partial(*new: Any) -> Any:
            return func(*with_chosen(args, places, new), **kwargs)

        made: Any = None
        columns: list[list[list[Tensor]]] = []  # by input, by place in it, by output
        for k, x in enumerate(xs):
            own = []
            for place in range(x.numel()):
                made = jvp(partial, chosen, build(structure, _units(xs, k, place)), has_aux=has_aux)
                own.append(flatten(made[1])[0])
            columns.append(own)
        if made is None:
            made = jvp(partial, chosen, build(structure, [wrap(np.zeros_like(x._array)) for x in xs]), has_aux=has_aux)
        outs, shape = flatten(made[0])
        blocks = []
        for number, out in enumerate(outs):
            parts = []
            for own, x in zip(columns, xs, strict=True):
                side_by_side = (
                    stack([c[number] for c in own], -1) if own else wrap(np.zeros((*out.shape, 0), out._array.dtype))
                )
                parts.append(side_by_side.reshape((*out.shape, *x.shape)))
            found = build(structure, parts)
            blocks.append(found if isinstance(argnums, tuple) else found[0])
        result = build(shape, blocks)
        return (result, made[2]) if has_aux else result

    return inner


def hessian(func: Callable[..., Any], argnums: Any = 0) -> Callable[..., Any]:
    """The function that gives the Hessian of `func` by the arguments `argnums`: forward mode over reverse mode.

    >>> import wengert
    >>> wengert.func.hessian(lambda x: (x**3).sum())(wengert.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)
