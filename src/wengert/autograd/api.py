"""`backward` and `grad`: the arguments of a backward pass, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..tensor import Tensor, edge_of, wrap
from . import engine
from .node import AccumulateGrad, Output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .engine import Targets


def _tuple(value: Any) -> tuple[Any, ...]:
    return (value,) if isinstance(value, Tensor) or value is None else tuple(value)


def _roots(tensors: Sequence[Tensor], cotangents: Sequence[Any], create: bool) -> list[tuple[Any, Any]]:
    """The edges from which a pass starts, with the cotangents to start with."""
    if len(tensors) != len(cotangents):
        raise RuntimeError(
            f"Mismatch in number of outputs and grad_outputs: got {len(tensors)} tensors and {len(cotangents)} gradients"
        )
    roots = []
    for i, (x, t) in enumerate(zip(tensors, cotangents, strict=True)):
        edge = edge_of(x)
        if edge is None:
            raise RuntimeError(
                f"element {i} of tensors does not require grad and does not have a grad_fn: make its leaves with "
                "requires_grad=True, and compute it outside no_grad"
            )
        array = x._array
        if t is None:
            if array.size != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            if array.dtype.kind == "c":
                raise RuntimeError(
                    f"grad can be implicitly created only for real scalar outputs but got {x.dtype}: take a real part, or "
                    "pass the gradient"
                )
            if create or array.ndim:
                ones = np.ones(array.shape, array.dtype)
                roots.append((edge, wrap(ones) if create else ones))
            else:
                roots.append((edge, array.dtype.type(1)))
            continue
        if not isinstance(t, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(t).__name__}")
        if t._array.shape != array.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{i}] has a shape of {t.shape} and output[{i}] has a shape of {x.shape}."
            )
        if (t._array.dtype.kind == "c") != (array.dtype.kind == "c"):
            raise RuntimeError(
                "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
                f"grad_output[{i}] has a dtype of {t.dtype} and output[{i}] has a dtype of {x.dtype}."
            )
        if t._array.dtype is not array.dtype:
            t = t.to(x.dtype)
        roots.append((edge, t if create else t._array))
    return roots


def _targets(inputs: Sequence[Tensor]) -> Targets:
    targets: Targets = {}
    for place, x in enumerate(inputs):
        edge = edge_of(x)
        node, index = (edge.node, edge.index) if type(edge) is Output else (edge, 0)
        targets.setdefault(node, {}).setdefault(index, []).append(place)
    return targets


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Accumulate in the leaves' `grad` the gradients of the tensors, weighted by `grad_tensors`.

    tensors       a tensor or a sequence of them
    grad_tensors  the cotangent of each, of its shape; None where it has one element
    retain_graph  keep what the graph needs for another pass (default: `create_graph`)
    create_graph  record the gradients' computation too
    inputs        accumulate in these tensors only

    Raises RuntimeError where a tensor does not require grad, or has several elements and no cotangent.

    >>> import wengert
    >>> x = wengert.tensor([1.0, 2.0], requires_grad=True)
    >>> wengert.autograd.backward([x.sum(), (x * x).sum()])
    >>> x.grad
    tensor([3., 5.])
    """
    if grad_variables is not None:
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use "
                "`grad_tensors`."
            )
        grad_tensors = grad_variables
    tensors = _tuple(tensors)
    cotangents = (None,) * len(tensors) if grad_tensors is None else _tuple(grad_tensors)
    if retain_graph is None:
        retain_graph = create_graph
    targets = None
    if inputs is not None:
        inputs = _tuple(inputs)
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
        for i, x in enumerate(inputs):
            if edge_of(x) is None:
                raise RuntimeError(f"One of the differentiated Tensors does not require grad: element {i} of `inputs`")
            if type(edge_of(x)) is not AccumulateGrad:
                x.retain_grad()
        targets = _targets(inputs)
    engine.run(
        _roots(tensors, cotangents, create_graph), retain=retain_graph, create=create_graph, targets=targets
    )


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """The gradients of the outputs, weighted by `grad_outputs`, by each of the inputs; no `grad` is touched.

    outputs, inputs    a tensor or a sequence of them
    grad_outputs       the cotangent of each output, of its shape; None where it has one element
    retain_graph       keep what the graph needs for another pass (default: `create_graph`)
    create_graph       record the gradients' computation too, so that they can be differentiated
    allow_unused       give None for an input that the outputs do not depend on, instead of raising
    is_grads_batched   the cotangents have a further first dimension, over which the pass is repeated
    materialize_grads  give zeros where `allow_unused` would give None

    Returns a tuple with one gradient for each input, of its shape and dtype.
    Raises RuntimeError where an input does not require grad or (without `allow_unused`) is unused.

    >>> import wengert
    >>> x = wengert.tensor(2.0, requires_grad=True)
    >>> (first,) = wengert.autograd.grad(x**3, x, create_graph=True)
    >>> wengert.autograd.grad(first, x)
    (tensor(12.),)
    """
    if materialize_grads and allow_unused is False:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False.")
    if allow_unused is None:
        allow_unused = materialize_grads
    outputs = _tuple(outputs)
    inputs = _tuple(inputs)
    cotangents = (None,) * len(outputs) if grad_outputs is None else _tuple(grad_outputs)
    if retain_graph is None:
        retain_graph = create_graph
    if is_grads_batched:
        return _batched(outputs, inputs, cotangents, retain_graph, create_graph, allow_unused, materialize_grads)
    for x in inputs:
        if edge_of(x) is None:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    roots = _roots(outputs, cotangents, create_graph)
    found = engine.run(roots, retain=retain_graph, create=create_graph, targets=_targets(inputs), accumulate=False)
    results: list[Any] = []
    given: set[int] = set()
    for place, x in enumerate(inputs):
        g = found.get(place)
        if g is None:
            if not allow_unused:
                raise RuntimeError(
                    "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if "
                    "this is the desired behavior."
                )
            results.append(x.new_zeros(x.shape) if materialize_grads else None)
        elif create_graph:
            results.append(g)
        else:
            if type(g) is not np.ndarray or not g.flags.writeable or g.dtype is not x._array.dtype:
                g = np.array(g, x._array.dtype)
            elif g.base is not None or id(g) in given or any(g is t._array for t in cotangents if t is not None):
                g = g.copy()
            given.add(id(g))
            results.append(wrap(g))
    return tuple(results)


def _batched(
    outputs: Any, inputs: Any, cotangents: Any, retain: bool, create: bool, unused: bool, materialize: bool
) -> tuple[Any, ...]:
    """One pass for each index of the cotangents' first dimension, stacked."""
    from ..ops.joining import stack

    sizes = {len(t) for t in cotangents if t is not None}
    if len(sizes) != 1:
        raise RuntimeError(f"is_grads_batched=True needs gradients with one common first dimension, got {sorted(sizes)}")
    (count,) = sizes
    rows = [
        grad(
            outputs,
            inputs,
            [None if t is None else t[i] for t in cotangents],
            retain_graph=retain or i + 1 < count,
            create_graph=create,
            allow_unused=unused,
            materialize_grads=materialize,
        )
        for i in range(count)
    ]
    return tuple(None if column[0] is None else stack(column) for column in zip(*rows, strict=True))
