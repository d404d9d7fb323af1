"""Products with Jacobians and Hessians, and the matrices themselves: `torch.autograd.functional`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..tensor import Tensor, wrap
from .api import grad
from .modes import enable_grad

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


def _as_tuple(value: Any, name: str, function: str) -> tuple[bool, tuple[Any, ...]]:
    several = isinstance(value, (tuple, list))
    parts = tuple(value) if several else (value,)
    for i, x in enumerate(parts):
        if not isinstance(x, Tensor):
            where = f"one of the {name} has" if several else f"the {name} has"
            raise TypeError(
                f"The {name} given to {function} must be either a Tensor or a tuple of Tensors but {where} type {type(x)}"
                + (f" at index {i}." if several else ".")
            )
    return several, parts


def _prepared(inputs: tuple[Tensor, ...], create_graph: bool) -> tuple[Tensor, ...]:
    """The inputs as tensors to differentiate by: connected to where they come from only if a graph is wanted."""
    made = []
    for x in inputs:
        if create_graph and x.requires_grad:
            made.append(x.view_as(x))
        else:
            made.append(x.detach().requires_grad_(True))
    return tuple(made)


def _finished(value: Any, create_graph: bool) -> Any:
    if isinstance(value, tuple):
        return tuple(_finished(v, create_graph) for v in value)
    return value if create_graph or value is None else value.detach()


def _zeros_for_none(grads: Any, like: tuple[Tensor, ...], strict: bool, what: str) -> tuple[Tensor, ...]:
    made = []
    for i, (g, x) in enumerate(zip(grads, like, strict=True)):
        if g is None:
            if strict:
                raise RuntimeError(f"{what} {i}. This is not allowed in strict mode.")
            g = x.new_zeros(x.shape)
        made.append(g)
    return tuple(made)


def _cotangent(outputs: tuple[Tensor, ...], v: Any, several: bool, function: str, name: str = "v") -> tuple[Tensor, ...]:
    if v is None:
        if len(outputs) != 1 or outputs[0].numel() != 1:
            raise RuntimeError(
                f"The vector {name} can only be None if the user-provided function returns a single Tensor with a single element."
                if name == "v" and function == "vjp"
                else f"The vector {name} can only be None if the input to the user-provided function is a single Tensor with a "
                "single element."
            )
        return (outputs[0].new_ones(outputs[0].shape),)
    _, parts = _as_tuple(v, name, function)
    if len(parts) != len(outputs):
        raise RuntimeError(
            f"v is a tuple of invalid length: should be {len(outputs)} but got {len(parts)}."
        )
    for i, (a, b) in enumerate(zip(parts, outputs, strict=True)):
        if a.shape != b.shape:
            raise RuntimeError(
                f"Entry {i} in v has invalid size: should be {b.shape} but got {a.shape}."
            )
    return parts


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The outputs of `func`, and the product of `v` with its Jacobian: of the shapes of the inputs.

    >>> import wengert
    >>> wengert.autograd.functional.vjp(lambda x: x * x, wengert.tensor([1.0, 2.0]), wengert.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", "vjp")
        xs = _prepared(given, create_graph)
        out_several, outs = _as_tuple(func(*xs), "outputs of the user-provided function", "vjp")
        cotangents = _cotangent(outs, v, out_several, "vjp")
        grads = _grad(outs, xs, cotangents, create_graph)
    grads = _zeros_for_none(grads, xs, strict, "The outputs of the user-provided function are independent of input")
    out = _finished(outs, create_graph)
    result = _finished(grads, create_graph)
    return (out if out_several else out[0]), (result if several else result[0])


def _grad(outs: tuple[Any, ...], xs: tuple[Any, ...], vs: Any, create: bool, retain: bool = False) -> Any:
    pairs = [(o, v) for o, v in zip(outs, vs, strict=True) if o is not None and o.requires_grad]
    if not pairs:
        return (None,) * len(xs)
    chosen, weights = zip(*pairs, strict=True)
    return grad(chosen, xs, weights, allow_unused=True, create_graph=create, retain_graph=True if retain else None)


def jvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The outputs of `func`, and the product of its Jacobian with `v`: of the shapes of the outputs.

    >>> import wengert
    >>> wengert.autograd.functional.jvp(lambda x: x * x, wengert.tensor([1.0, 2.0]), wengert.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", "jvp")
        xs = _prepared(given, create_graph)
        tangents = _cotangent(xs, v, several, "jvp")
        out_several, outs = _as_tuple(func(*xs), "outputs of the user-provided function", "jvp")
        us = tuple(wrap(np.zeros(o._array.shape, o._array.dtype)).requires_grad_() for o in outs)
        first = _grad(outs, xs, us, True)
        pushed = _grad(first, us, tangents, create_graph)
    pushed = _zeros_for_none(pushed, outs, strict, "The input of the user-provided function is independent of output")
    out = _finished(outs, create_graph)
    result = _finished(pushed, create_graph)
    return (out if out_several else out[0]), (result if out_several else result[0])


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of `func`: for each output and input a tensor of the output's shape followed by the input's.

    strategy: "reverse-mode" or "forward-mode", which is better where the outputs are more than the inputs.

    >>> import wengert
    >>> wengert.autograd.functional.jacobian(lambda x: x * x, wengert.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs than inputs, '
            '"forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        return _forward_jacobian(func, inputs, create_graph, strict)
    from ..ops.joining import stack

    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", "jacobian")
        xs = _prepared(given, create_graph)
        out_several, outs = _as_tuple(func(*xs), "outputs of the user-provided function", "jacobian")
        rows: list[tuple[Any, ...]] = []
        for o in outs:
            columns: list[list[Any]] = [[] for _ in xs]
            flat = o.reshape(-1)
            for k in range(flat.numel()):
                grads = _grad((flat[k],), xs, (flat.new_ones(()),), create_graph, retain=True)
                grads = _zeros_for_none(
                    grads, xs, strict, "Output of the user-provided function is independent of input"
                )
                for column, g in zip(columns, grads, strict=True):
                    column.append(g)
            rows.append(
                tuple(
                    (stack(c) if c else x.new_zeros((0, *x.shape))).reshape((*o.shape, *x.shape))
                    for c, x in zip(columns, xs, strict=True)
                )
            )
    done = tuple(_finished(row, create_graph) for row in rows)
    done = tuple(row if several else row[0] for row in done)
    return done if out_several else done[0]


def _forward_jacobian(func: Callable[..., Any], inputs: Any, create_graph: bool, strict: bool) -> Any:
    if strict:
        raise RuntimeError('torch.autograd.functional.jacobian: `strict=True` and `strategy="forward-mode"` are not supported together')
    from ..func import jacfwd

    several, given = _as_tuple(inputs, "inputs", "jacobian")
    made = jacfwd(func, argnums=tuple(range(len(given))))(*given)
    out_several = isinstance(made[0], tuple)
    rows = made if out_several else (made,)
    done = tuple(_finished(row, create_graph) for row in rows)
    done = tuple(row if several else row[0] for row in done)
    return done if out_several else done[0]


def _scalar(func: Callable[..., Any], function: str) -> Callable[..., Tensor]:
    def inner(*args: Any) -> Tensor:
        out = func(*args)
        several, parts = _as_tuple(out, "outputs of the user-provided function", function)
        if several and len(parts) != 1:
            raise RuntimeError(f"The function given to {function} should return a single Tensor")
        if parts[0].numel() != 1:
            raise RuntimeError(f"The Tensor returned by the function given to {function} should contain a single element")
        return parts[0].reshape(())  # type: ignore[no-any-return, unused-ignore]

    return inner


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of a function with one element: for each pair of inputs a tensor of the first's shape and the second's.

    >>> import wengert
    >>> wengert.autograd.functional.hessian(lambda x: (x**3).sum(), wengert.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    several, given = _as_tuple(inputs, "inputs", "hessian")
    inner = _scalar(func, "hessian")

    def gradient(*xs: Any) -> Any:
        grads = _grad((inner(*xs),), xs, (wrap(np.ones((), xs[0]._array.dtype)),), True)
        return _zeros_for_none(grads, xs, strict, "The output of the user-provided function is independent of input")

    made = jacobian(lambda *xs: gradient(*xs), given, create_graph=create_graph, strict=strict)
    return made if several else made[0][0]


def vhp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The value of a function with one element, and the product of `v` with its Hessian.

    >>> import wengert
    >>> wengert.autograd.functional.vhp(lambda x: (x**3).sum(), wengert.tensor([1.0, 2.0]), wengert.ones(2))
    (tensor(9.), tensor([ 6., 12.]))
    """
    return _hessian_product("vhp", func, inputs, v, create_graph, strict)


def hvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The value of a function with one element, and the product of its Hessian with `v`.

    >>> import wengert
    >>> wengert.autograd.functional.hvp(lambda x: (x**3).sum(), wengert.tensor([1.0, 2.0]), wengert.ones(2))
    (tensor(9.), tensor([ 6., 12.]))
    """
    return _hessian_product("hvp", func, inputs, v, create_graph, strict)


def _hessian_product(name: str, func: Any, inputs: Any, v: Any, create_graph: bool, strict: bool) -> Any:
    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", name)
        xs = _prepared(given, create_graph)
        vs = _cotangent(xs, v, several, name)
        out = _scalar(func, name)(*xs)
        first = _grad((out,), xs, (out.new_ones(()),), True)
        found = _grad(first, xs, vs, create_graph)
    found = _zeros_for_none(found, xs, strict, "The output of the user-provided function is independent of input")
    result = _finished(found, create_graph)
    return _finished(out, create_graph), (result if several else result[0])
