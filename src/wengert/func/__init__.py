"""Derivatives of functions as functions: `torch.func`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..autograd.api import grad as _grad
from ..autograd.forward_ad import dual_level, make_dual
from ..autograd.modes import enable_grad, get_mode
from ..ops.forward_mode import primal_of, tangent_of
from ..tensor import Tensor, wrap

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "vjp"]


def _map(fn: Callable[[Any], Any], value: Any) -> Any:
    """`fn` of each tensor in nested tuples, lists and dictionaries."""
    if isinstance(value, dict):
        return {k: _map(fn, v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        made = [_map(fn, v) for v in value]
        return type(value)(*made) if hasattr(value, "_fields") else type(value)(made)
    return fn(value)


def _leaves(value: Any) -> list[Any]:
    """The tensors in nested tuples, lists and dictionaries."""
    if isinstance(value, dict):
        return [x for v in value.values() for x in _leaves(v)]
    if isinstance(value, (tuple, list)):
        return [x for v in value for x in _leaves(v)]
    return [value]


def _rebuild(value: Any, parts: list[Any]) -> Any:
    """The structure of `value` with other tensors."""
    rest = iter(parts)
    return _map(lambda _: next(rest), value)


def jvp(
    func: Callable[..., Any], primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> Any:
    """The value of a function, and its derivative along a direction, by forward mode.

    primals   a tuple of the arguments
    tangents  a tuple of the same structure, of the arguments' shapes
    has_aux   whether `func` returns (value, something else), which is then returned third

    Raises RuntimeError where the structures differ.

    >>> import wengert
    >>> wengert.func.jvp(lambda x: x**3, (wengert.tensor(2.0),), (wengert.tensor(1.0),))
    (tensor(8.), tensor(12.))
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"jvp(f, primals, tangents): Expected primals to be a tuple. E.g. it should be valid to call f(*primals), got "
            f"{type(primals).__name__}"
        )
    flat, flat_tangents = _leaves(primals), _leaves(tangents)
    if len(flat) != len(flat_tangents) or isinstance(tangents, tuple) is False:
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals and tangents to have the same python structure. For example, if primals "
            f"is a tuple of 3 tensors, tangents also must be. Got {len(flat)} primals and {len(flat_tangents)} tangents"
        )
    if not flat:
        raise RuntimeError("jvp(f, primals, tangents): Expected at least one Tensor in primals")
    with dual_level():
        level = get_mode().dual_level
        duals = [make_dual(x, t) for x, t in zip(flat, flat_tangents, strict=True)]
        result = func(*_rebuild(primals, duals))
        aux = None
        if has_aux:
            result, aux = result
        outs = _leaves(result)
        for x in outs:
            if not isinstance(x, Tensor):
                raise RuntimeError(
                    f"jvp(f, primals, tangents): Expected f to return only tensors, got unsupported type {type(x).__name__}"
                )
        pushed = []
        for x in outs:
            t = tangent_of(x, level)
            if t is None:
                if strict:
                    raise RuntimeError("jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs")
                t = wrap(np.zeros(x._array.shape, x._array.dtype))
            pushed.append(t)
        values = [primal_of(x, level) for x in outs]
        aux = None if aux is None else _map(lambda x: primal_of(x, level), aux)
    found = (_rebuild(result, values), _rebuild(result, pushed))
    return (*found, aux) if has_aux else found


def _connected(x: Tensor) -> Tensor:
    """A tensor to differentiate by, which stays part of the graph and of the dual levels in which `x` stands."""
    if x.requires_grad or (x._extra is not None and x._extra.tangents):
        made: Tensor = x.view_as(x)
        return made if made.requires_grad else made.requires_grad_()
    return x.detach().requires_grad_()


def _outer(values: list[Any]) -> bool:
    """Whether somebody further out differentiates by these too, in reverse mode."""
    return any(isinstance(x, Tensor) and x.requires_grad for x in values)


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value of a function, and the function that takes a cotangent of it to those of the arguments.

    >>> import wengert
    >>> value, pull = wengert.func.vjp(lambda x: x**2, wengert.tensor([1.0, 2.0]))
    >>> pull(wengert.ones(2))
    (tensor([2., 4.]),)
    """
    outer = _outer(_leaves(primals))
    with enable_grad():
        xs = [_connected(x) for x in _leaves(primals)]
        result = func(*_rebuild(primals, xs))
    aux = None
    if has_aux:
        result, aux = result
    outs = _leaves(result)

    def pull(*cotangents: Any) -> Any:
        given = _leaves(cotangents)
        pairs = [(o, t) for o, t in zip(outs, given, strict=True) if o.requires_grad]
        found: Any = [None] * len(xs)
        if pairs:
            live = outer or _outer(given)
            found = _grad(
                [o for o, _ in pairs], xs, [t for _, t in pairs], allow_unused=True, retain_graph=True, create_graph=live
            )
        grads = [x.detach().new_zeros(x.shape) if g is None else g for x, g in zip(xs, found, strict=True)]
        return _rebuild(primals, grads)

    value = _rebuild(result, [o if outer else o.detach() for o in outs])
    return (value, pull, aux) if has_aux else (value, pull)


def grad_and_value(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The function that gives the gradient of `func`, whose value has one element, and that value.

    >>> import wengert
    >>> wengert.func.grad_and_value(lambda x: x**2)(wengert.tensor(3.0))
    (tensor(6.), tensor(9.))
    """

    def inner(*args: Any, **kwargs: Any) -> Any:
        places = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        chosen = tuple(args[i] for i in places)
        outer = _outer(_leaves(args))
        with enable_grad():
            xs = [_connected(x) for x in _leaves(chosen)]
            new = list(args)
            for i, x in zip(places, _rebuild(chosen, xs), strict=True):
                new[i] = x
            result = func(*new, **kwargs)
            aux = None
            if has_aux:
                result, aux = result
            if not isinstance(result, Tensor):
                raise RuntimeError(f"grad_and_value(f)(*args): Expected f(*args) to return a single tensor, got {type(result).__name__}")
            if result._array.ndim:
                raise RuntimeError(
                    "grad_and_value(f)(*args): Expected f(*args) to return a scalar tensor, got tensor with "
                    f"{result._array.ndim} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            found: Any = [None] * len(xs)
            if result.requires_grad:
                found = _grad(result, xs, allow_unused=True, create_graph=outer)
        grads = [x.detach().new_zeros(x.shape) if g is None else g for x, g in zip(xs, found, strict=True)]
        shaped = _rebuild(chosen, grads)
        value = result if outer else result.detach()
        first = shaped[0] if isinstance(argnums, int) else shaped
        return (first, (value, aux)) if has_aux else (first, value)

    return inner


def grad(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The function that gives the gradient of `func`, whose value has one element, by the arguments `argnums`.

    >>> import wengert
    >>> wengert.func.grad(lambda x: x**2)(wengert.tensor(3.0))
    tensor(6.)
    """

    def inner(*args: Any, **kwargs: Any) -> Any:
        found, value = grad_and_value(func, argnums, has_aux)(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return inner


def _jacobian(func: Callable[..., Any], argnums: Any, has_aux: bool, by_columns: bool) -> Callable[..., Any]:
    def inner(*args: Any, **kwargs: Any) -> Any:
        from ..ops.joining import stack

        places = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        chosen = tuple(args[i] for i in places)

        def partial(*xs: Any) -> Any:
            new = list(args)
            for i, x in zip(places, xs, strict=True):
                new[i] = x
            return func(*new, **kwargs)

        aux = None
        if by_columns:
            flat = _leaves(chosen)
            columns: list[list[list[Any]]] = []
            shape_of: Any = None
            for k, x in enumerate(flat):
                mine: list[list[Any]] = []
                for place in range(x.numel()):
                    unit = np.zeros(x._array.size, x._array.dtype)
                    unit[place] = 1
                    direction = [
                        wrap(unit.reshape(y._array.shape)) if j == k else wrap(np.zeros(y._array.shape, y._array.dtype))
                        for j, y in enumerate(flat)
                    ]
                    made = jvp(partial, chosen, _rebuild(chosen, direction), has_aux=has_aux)
                    if has_aux:
                        aux = made[2]
                    shape_of = made[0]
                    mine.append(_leaves(made[1]))
                columns.append(mine)
            if shape_of is None:
                shape_of = partial(*chosen)
            outs = _leaves(shape_of)
            blocks = [
                [
                    (stack([c[o] for c in mine], -1) if mine else out.new_zeros((*out.shape, 0))).reshape((*out.shape, *x.shape))
                    for mine, x in zip(columns, flat, strict=True)
                ]
                for o, out in enumerate(outs)
            ]
        else:
            made = vjp(partial, *chosen, has_aux=has_aux)
            shape_of, pull = made[0], made[1]
            aux = made[2] if has_aux else None
            outs = _leaves(shape_of)
            flat = _leaves(chosen)
            blocks = []
            for k, out in enumerate(outs):
                rows: list[list[Any]] = []
                for place in range(out.numel()):
                    unit = np.zeros(out._array.size, out._array.dtype)
                    unit[place] = 1
                    given = [
                        wrap(unit.reshape(y._array.shape)) if j == k else wrap(np.zeros(y._array.shape, y._array.dtype))
                        for j, y in enumerate(outs)
                    ]
                    rows.append(_leaves(pull(*(_rebuild(shape_of, given),))))
                blocks.append(
                    [
                        (stack([r[i] for r in rows]) if rows else x.new_zeros((0, *x.shape))).reshape((*out.shape, *x.shape))
                        for i, x in enumerate(flat)
                    ]
                )
        shaped = [_rebuild(chosen, block) for block in blocks]
        per_out = [b[0] if isinstance(argnums, int) else b for b in shaped]
        rest = iter(per_out)
        result = _map(lambda _: next(rest), shape_of)
        return (result, aux) if has_aux else result

    return inner


def jacrev(func: Callable[..., Any], argnums: Any = 0, *, has_aux: bool = False, **_: Any) -> Callable[..., Any]:
    """The function that gives the Jacobian of `func` by the arguments `argnums`, row by row in reverse mode.

    >>> import wengert
    >>> wengert.func.jacrev(lambda x: x**2)(wengert.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    return _jacobian(func, argnums, has_aux, False)


def jacfwd(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, **_: Any) -> Callable[..., Any]:
    """The function that gives the Jacobian of `func` by the arguments `argnums`, column by column in forward mode.

    >>> import wengert
    >>> wengert.func.jacfwd(lambda x: x**2)(wengert.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    return _jacobian(func, argnums, has_aux, True)


def hessian(func: Callable[..., Any], argnums: Any = 0) -> Callable[..., Any]:
    """The function that gives the Hessian of `func`: forward mode over reverse mode.

    >>> import wengert
    >>> wengert.func.hessian(lambda x: (x**3).sum())(wengert.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)
