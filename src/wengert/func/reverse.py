"""Reverse mode as a transformation of functions.

A function is called with new leaves in the place of its arguments. Where an argument is part of a graph already (of an outer
transformation, or of the user's), the new tensor is connected to it, and what comes out can be differentiated further; otherwise
it is given without a history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..autograd.api import grad as gradients
from ..autograd.modes import enable_grad, is_grad_enabled
from ..autograd.node import AccumulateGrad, Output
from ..ops.forward_mode import set_tangent
from ..tensor import Tensor, alias, edge_of, wrap
from .tree import build, change, describe, flatten

if TYPE_CHECKING:
    from collections.abc import Callable


def _entered(x: Any, function: str) -> Tensor:
    """A new tensor to differentiate by in the place of `x`."""
    if not isinstance(x, Tensor):
        raise RuntimeError(f"{function}: Expected to differentiate by Tensors only, got {type(x)}")
    if x.requires_grad or (x._extra is not None and x._extra.tangents):
        made: Tensor = x.view_as(x)
        return made if made.requires_grad else made.requires_grad_()
    return x.detach().requires_grad_()


class _Inside:
    """The leaves that one transformation made: what depends on no others has no history for anybody else."""

    def __init__(self, xs: list[Tensor]) -> None:
        self.leaves = {e for x in xs if type(e := edge_of(x)) is AccumulateGrad}

    def left(self, x: Tensor) -> bool:
        """Whether `x` depends on a leaf outside."""
        edge = edge_of(x)
        if edge is None:
            return False
        stack = [edge.node if type(edge) is Output else edge]
        seen = set(stack)
        for node in stack:  # grows as it is walked
            if type(node) is AccumulateGrad:
                if node not in self.leaves:
                    return True
                continue
            for edge in node.edges:
                if edge is None:
                    continue
                before = edge.node if type(edge) is Output else edge
                if before not in seen:
                    seen.add(before)
                    stack.append(before)
        return False

    def given(self, x: Tensor) -> Tensor:
        """`x` as it leaves the transformation: with a history only if it depends on something outside."""
        if is_grad_enabled() and self.left(x):
            return x
        if edge_of(x) is None and not (x._extra is not None and x._extra.tangents):
            return x
        made = alias(x._array, x._cell, None)
        if x._extra is not None and x._extra.tangents:
            for level, tangent in x._extra.tangents.items():
                set_tangent(made, level, self.given(tangent))
        return made


def _called(func: Callable[..., Any], args: Any, kwargs: Any, has_aux: bool, function: str) -> tuple[Any, Any]:
    """What the function returns, recorded, and the rest if it returns a pair."""
    with enable_grad():
        result = func(*args, **kwargs)
    if not has_aux:
        return result, None
    if not (isinstance(result, tuple) and len(result) == 2):
        raise RuntimeError(f"{function}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return result


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value of a function, and the function that takes a cotangent of it to the gradients of the arguments.

    The cotangent has the structure and shapes of the value; the gradients come as a tuple, one for each argument.
    has_aux: whether `func` returns (value, something else), which is then returned third.

    >>> import wengert
    >>> value, pull = wengert.func.vjp(lambda x: x**2, wengert.tensor([1.0, 2.0]))
    >>> pull(wengert.ones(2))
    (tensor([2., 4.]),)
    """
    name = "vjp(f, *primals)"
    flat, structure = flatten(primals)
    with enable_grad():
        xs = [_entered(x, name) for x in flat]
    inside = _Inside(xs)
    result, aux = _called(func, build(structure, xs), {}, has_aux, name)
    outs, shape = flatten(result)
    for o in outs:
        if not isinstance(o, Tensor):
            raise RuntimeError(f"{name}: expected f(*primals) to return only tensors, got unsupported type {type(o)}")

    def pull(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        given, other = flatten(cotangents)
        if other != shape:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. "
                f"cotangents: {describe(other)}, primal output: {describe(shape)}"
            )
        return build(structure, _pulled(inside, outs, xs, given, retain_graph, create_graph))

    value = build(shape, [inside.given(o) for o in outs])
    return (value, pull, change(inside.given, aux)) if has_aux else (value, pull)


def _pulled(
    inside: _Inside,
    outs: list[Tensor],
    xs: list[Tensor],
    cotangents: list[Any],
    retain: bool | None = True,
    create: bool | None = None,
) -> list[Tensor]:
    """The gradients by `xs`, zeros where there is none."""
    pairs = []
    for i, (o, t) in enumerate(zip(outs, cotangents, strict=True)):
        if not isinstance(t, Tensor) or t.shape != o.shape:
            what = f"a shape of {t.shape}" if isinstance(t, Tensor) else f"the type {type(t).__name__}"
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{i}] has {what} and output[{i}] has a shape of {o.shape}."
            )
        if o.requires_grad:
            pairs.append((o, t))
    found: tuple[Any, ...] = (None,) * len(xs)
    if pairs:
        chosen, weights = zip(*pairs, strict=True)
        if create is None:
            create = is_grad_enabled() and any(t.requires_grad or inside.left(o) for o, t in pairs)
        found = gradients(chosen, xs, weights, retain_graph=retain, create_graph=create, allow_unused=True)
    return [
        wrap(np.zeros(x._array.shape, x._array.dtype)) if g is None else inside.given(g)
        for x, g in zip(xs, found, strict=True)
    ]


# ------------------------------------------------------------------------------------------------ chosen arguments


def chosen_places(argnums: Any, args: tuple[Any, ...]) -> list[int]:
    """The numbers of the arguments to differentiate by, counted from the front."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    places = []
    for n in argnums if isinstance(argnums, tuple) else (argnums,):
        if not isinstance(n, int):
            raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(n)} in {argnums}")
        if not -len(args) <= n < len(args):
            raise RuntimeError(f"Got argnum={n}, but only {len(args)} positional inputs")
        places.append(n % len(args))
    if not places:
        raise RuntimeError("argnums must be non-empty")
    if len(set(places)) < len(places):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return places


def with_chosen(args: tuple[Any, ...], places: list[int], new: Any) -> tuple[Any, ...]:
    """The arguments with others at these places."""
    made = list(args)
    for place, x in zip(places, new, strict=True):
        made[place] = x
    return tuple(made)


def grad_and_value(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The function that gives the gradient of `func`, whose value is a tensor without dimensions, and that value.

    argnums   the number of the argument to differentiate by, or a tuple of them
    has_aux   whether `func` returns (value, something else): the result is then (gradient, (value, something else))

    >>> import wengert
    >>> wengert.func.grad_and_value(lambda x: x**2)(wengert.tensor(3.0))
    (tensor(6.), tensor(9.))
    """
    name = "grad_and_value(f)(*args)"

    def inner(*args: Any, **kwargs: Any) -> Any:
        places = chosen_places(argnums, args)
        flat, structure = flatten(tuple([args[i] for i in places]))
        with enable_grad():
            xs = [_entered(x, name) for x in flat]
        inside = _Inside(xs)
        value, aux = _called(func, with_chosen(args, places, build(structure, xs)), kwargs, has_aux, name)
        if not isinstance(value, Tensor):
            raise RuntimeError(f"{name}: Expected f(*args) to return a Tensor, got {type(value)}")
        if value._array.ndim:
            raise RuntimeError(
                f"{name}: Expected f(*args) to return a scalar Tensor, got tensor with {value._array.ndim} dims. Maybe you wanted "
                "to use the vjp or jacrev APIs instead?"
            )
        one = wrap(np.ones((), value._array.dtype))
        grads = build(structure, _pulled(inside, [value], xs, [one], retain=None))
        found = grads if isinstance(argnums, tuple) else grads[0]
        out = inside.given(value)
        return (found, (out, change(inside.given, aux))) if has_aux else (found, out)

    return inner


def grad(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The function that gives the gradient of `func`, whose value is a tensor without dimensions.

    argnums   the number of the argument to differentiate by, or a tuple of them
    has_aux   whether `func` returns (value, something else): the result is then (gradient, something else)

    >>> import wengert
    >>> wengert.func.grad(lambda x: x**2)(wengert.tensor(3.0))
    tensor(6.)
    >>> wengert.func.grad(wengert.func.grad(lambda x: x**3))(wengert.tensor(3.0))
    tensor(18.)
    """
    both = grad_and_value(func, argnums, has_aux)

    def inner(*args: Any, **kwargs: Any) -> Any:
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return inner
