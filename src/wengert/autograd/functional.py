"""Products with Jacobians and Hessians, and the matrices themselves: `torch.autograd.functional`.

Each takes a function and its inputs, a tensor or a tuple of tensors, and gives results of the same structure. With `strict=True` a
derivative that is zero because nothing was recorded is an error; with `create_graph=True` the result can be differentiated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..tensor import Tensor, wrap
from .api import grad
from .modes import enable_grad

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

# ------------------------------------------------------------------------------------------------ arguments and results


def _as_tuple(value: Any, what: str, function: str) -> tuple[bool, tuple[Tensor, ...]]:
    """Whether it is a tuple, and the tensors."""
    several = type(value) is tuple
    parts = value if several else (value,)
    for i, x in enumerate(parts):
        if not isinstance(x, Tensor):
            found = (
                f"the value at index {i} has type {type(x)}." if several else f"the given {what} has type {type(x)}."
            )
            raise TypeError(f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but {found}")
    return several, parts


def _prepared(inputs: Sequence[Tensor], create_graph: bool) -> tuple[Tensor, ...]:
    """New tensors to differentiate by, which are part of the graph of the inputs only if that is wanted."""
    return tuple([x.view_as(x) if create_graph and x.requires_grad else x.detach().requires_grad_() for x in inputs])


def _call(
    func: Callable[..., Any], xs: tuple[Tensor, ...], function: str, strict: bool
) -> tuple[bool, tuple[Tensor, ...]]:
    """Whether the function gives a tuple, and its outputs."""
    several, outs = _as_tuple(func(*xs), "outputs of the user-provided function", function)
    if strict:
        for i, o in enumerate(outs):
            if not o.requires_grad:
                raise RuntimeError(
                    f"Output {i} of the user-provided function does not require gradients. The outputs must be computed in a "
                    "differentiable manner from the input when running in strict mode."
                )
    return several, outs


def _direction(v: Any, like: tuple[Tensor, ...], several: bool, function: str, source: str) -> tuple[Tensor, ...]:
    """The vector of a product, checked against the tensors that it goes with; ones if it may be left out."""
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(f"The vector v can only be None if {source} a single Tensor with a single element.")
        return (like[0].detach().new_ones(like[0].shape),)
    _, parts = _as_tuple(v, "v", function)
    if len(parts) != len(like):
        if several:
            raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(parts)}.")
        raise RuntimeError("The given v should contain a single Tensor.")
    for i, (given, x) in enumerate(zip(parts, like, strict=True)):
        if given.shape != x.shape:
            entry = f"Entry {i} in " if several else ""
            raise RuntimeError(f"{entry}v has invalid size: should be {x.shape} but got {given.shape}.")
    return parts


def _pulled(outs: Sequence[Any], xs: Sequence[Tensor], vs: Sequence[Any], create: bool) -> tuple[Any, ...]:
    """The gradients by `xs` of the outputs that have a history; the graph is kept."""
    pairs = [(o, v) for o, v in zip(outs, vs, strict=True) if o is not None and o.requires_grad]
    if not pairs:
        return (None,) * len(xs)
    chosen, weights = zip(*pairs, strict=True)
    return grad(chosen, xs, weights, retain_graph=True, create_graph=create, allow_unused=True)


def _filled(
    grads: Sequence[Any], like: Sequence[Tensor], strict: bool, create: bool, output: str = "The output"
) -> tuple[Tensor, ...]:
    """The gradients with zeros where there is none, or an error if that is not allowed."""
    made = []
    for i, (g, x) in enumerate(zip(grads, like, strict=True)):
        if g is None:
            if strict:
                raise RuntimeError(
                    f"{output} of the user-provided function is independent of input {i}. This is not allowed in strict mode."
                )
            g = wrap(np.zeros(x._array.shape, x._array.dtype))
        elif strict and create and not g.requires_grad:
            raise RuntimeError(
                f"The jacobian of the user-provided function is independent of input {i}. This is not allowed in strict mode when "
                "create_graph=True."
            )
        made.append(g)
    return tuple(made)


def _check_curved(grads: Sequence[Any], strict: bool) -> None:
    """In strict mode raise if a gradient does not depend on the inputs."""
    for i, g in enumerate(grads):
        if strict and not g.requires_grad:
            raise RuntimeError(
                f"While computing the hessian, found that the jacobian of the user-provided function with respect to input {i} is "
                "independent of the input. This is not allowed in strict mode. You should ensure that your function is twice "
                "differentiable and that the jacobian depends on the inputs (this would be violated by a linear function for "
                "example)."
            )


def _result(parts: Sequence[Any], several: bool, create_graph: bool) -> Any:
    parts = tuple([x if create_graph else x.detach() for x in parts])
    return parts if several else parts[0]


# ------------------------------------------------------------------------------------------------ products


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The outputs of `func`, and the product of `v` with its Jacobian, in the shapes of the inputs.

    v: of the shapes of the outputs; may be left out if there is one output of one element.

    >>> import wengert
    >>> wengert.autograd.functional.vjp(lambda x: x * x, wengert.tensor([1.0, 2.0]), wengert.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", "vjp")
        xs = _prepared(given, create_graph)
        many, outs = _call(func, xs, "vjp", strict)
        vs = _direction(v, outs, many, "vjp", "the user-provided function returns")
        grads = _filled(_pulled(outs, xs, vs, create_graph), xs, strict, create_graph)
    return _result(outs, many, create_graph), _result(grads, several, create_graph)


def jvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The outputs of `func`, and the product of its Jacobian with `v`, in the shapes of the outputs.

    v: of the shapes of the inputs; may be left out if there is one input of one element.

    The product is taken in reverse mode twice, for the pull is linear in its cotangent and the push is its transpose;
    `wengert.func.jvp` takes it in forward mode.

    >>> import wengert
    >>> wengert.autograd.functional.jvp(lambda x: x * x, wengert.tensor([1.0, 2.0]), wengert.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", "jvp")
        xs = _prepared(given, create_graph)
        vs = _direction(v, xs, several, "jvp", "the input to the user-provided function is")
        many, outs = _call(func, xs, "jvp", strict)
        us = tuple([wrap(np.zeros(o._array.shape, o._array.dtype)).requires_grad_() for o in outs])
        grads = _pulled(outs, xs, us, True)
        _filled(grads, xs, strict, False)
        pushed = _filled(_pulled(grads, us, vs, create_graph), outs, strict, create_graph)
    return _result(outs, many, create_graph), _result(pushed, many, create_graph)


def vhp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The value of a function with one element, and the product of `v` with its Hessian, in the shapes of the inputs.

    >>> import wengert
    >>> wengert.autograd.functional.vhp(lambda x: (x**3).sum(), wengert.tensor([1.0, 2.0]), wengert.ones(2))
    (tensor(9.), tensor([ 6., 12.]))
    """
    return _hessian_product("vhp", func, inputs, v, create_graph, strict)


def hvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The value of a function with one element, and the product of its Hessian with `v`, in the shapes of the inputs.

    The Hessian is symmetric: the product is that of `vhp`.

    >>> import wengert
    >>> wengert.autograd.functional.hvp(lambda x: (x**3).sum(), wengert.tensor([1.0, 2.0]), wengert.ones(2))
    (tensor(9.), tensor([ 6., 12.]))
    """
    return _hessian_product("hvp", func, inputs, v, create_graph, strict)


def _hessian_product(name: str, func: Any, inputs: Any, v: Any, create_graph: bool, strict: bool) -> Any:
    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", name)
        xs = _prepared(given, create_graph)
        vs = _direction(v, xs, several, name, "the input to the user-provided function is")
        _, outs = _call(_one_element(func, name), xs, name, strict)
        ones = (wrap(np.ones(outs[0]._array.shape, outs[0]._array.dtype)),)
        first = _filled(_pulled(outs, xs, ones, True), xs, strict, False)
        _check_curved(first, strict)
        found = _filled(_pulled(first, xs, vs, create_graph), xs, strict, create_graph)
    return _result(outs, False, create_graph), _result(found, several, create_graph)


def _one_element(func: Callable[..., Any], function: str) -> Callable[..., Tensor]:
    """The function, checked to give one tensor of one element."""

    def inner(*xs: Any) -> Tensor:
        several, outs = _as_tuple(func(*xs), "outputs of the user-provided function", function)
        if several:
            raise RuntimeError(f"The function given to {function} should return a single Tensor")
        if outs[0].numel() != 1:
            raise RuntimeError(
                f"The Tensor returned by the function given to {function} should contain a single element"
            )
        return outs[0]

    return inner


# ------------------------------------------------------------------------------------------------ matrices


def _check_strategy(strategy: str) -> None:
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs than '
            'inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
        )


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of `func`: for each output and each input a tensor of the output's shape followed by the input's.

    vectorize  accepted for PyTorch's sake: the rows are computed one after the other
    strategy   "reverse-mode" goes row by row, "forward-mode" column by column, which is better with more outputs than inputs

    >>> import wengert
    >>> wengert.autograd.functional.jacobian(lambda x: x * x, wengert.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    _check_strategy(strategy)
    if strategy == "forward-mode":
        return _forward_jacobian(func, inputs, create_graph, strict)
    if vectorize and strict:
        raise RuntimeError(
            "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported together. Please either "
            "set `strict=False` or `vectorize=False`."
        )
    from ..ops.joining import stack

    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", "jacobian")
        xs = _prepared(given, create_graph)
        many, outs = _call(func, xs, "jacobian", strict)
        blocks = []
        for number, out in enumerate(outs):
            rows: list[tuple[Tensor, ...]] = []
            flat = out.reshape(-1)
            one = wrap(np.ones((), out._array.dtype))
            for k in range(out.numel()):
                row = _pulled((flat[k],), xs, (one,), create_graph)
                rows.append(_filled(row, xs, strict, create_graph, f"Output {number}"))
            block = [
                (stack([row[i] for row in rows]) if rows else x.detach().new_zeros((0, *x.shape))).reshape(
                    (*out.shape, *x.shape)
                )
                for i, x in enumerate(xs)
            ]
            blocks.append(_result(block, several, create_graph))
    return tuple(blocks) if many else blocks[0]


def _forward_jacobian(func: Callable[..., Any], inputs: Any, create_graph: bool, strict: bool) -> Any:
    if strict:
        raise RuntimeError(
            'torch.autograd.functional.jacobian: `strict=True` and `strategy="forward-mode"` are not supported together (yet). '
            'Please either set `strict=False` or `strategy="reverse-mode"`.'
        )
    from ..func import jacfwd

    several, given = _as_tuple(inputs, "inputs", "jacobian")
    many = False

    def checked(*xs: Tensor) -> Any:
        nonlocal many
        many, outs = _as_tuple(func(*xs), "outputs of the user-provided function", "jacobian")
        return outs

    with enable_grad():
        xs = tuple([x.view_as(x) for x in given]) if create_graph else tuple([x.detach() for x in given])
        blocks = jacfwd(checked, tuple(range(len(xs))))(*xs)
    made = tuple([_result(block, several, create_graph) for block in blocks])
    return made if many else made[0]


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of a function with one element: for each pair of inputs a tensor of the first's shape and the second's.

    outer_jacobian_strategy: "forward-mode" pushes the gradient forward, "reverse-mode" pulls it back.

    >>> import wengert
    >>> wengert.autograd.functional.hessian(lambda x: (x**3).sum(), wengert.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    _check_strategy(outer_jacobian_strategy)
    several, given = _as_tuple(inputs, "inputs", "hessian")
    value = _one_element(func, "hessian")
    forward = outer_jacobian_strategy == "forward-mode"

    def gradient(*xs: Tensor) -> Any:
        leaves = tuple([x if x.requires_grad else x.view_as(x).requires_grad_() for x in xs])
        _, outs = _call(value, leaves, "hessian", strict)
        ones = (wrap(np.ones(outs[0]._array.shape, outs[0]._array.dtype)),)
        grads = _filled(_pulled(outs, leaves, ones, True), leaves, strict, False)
        _check_curved(grads, strict)
        return grads

    made = jacobian(
        gradient, given, create_graph, strict, strategy=outer_jacobian_strategy if forward else "reverse-mode"
    )
    return made if several else made[0][0]
