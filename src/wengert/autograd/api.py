"""`backward` and `grad`: the arguments of a backward pass, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..size import Size
from ..tensor import Tensor, edge_of, wrap
from . import engine
from .modes import get_mode
from .node import AccumulateGrad, Output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .engine import Targets


def _tuple(value: Any) -> tuple[Any, ...]:
    return (value,) if isinstance(value, Tensor) or value is None or _is_gradient_edge(value) else tuple(value)


def _is_gradient_edge(value: Any) -> bool:
    """Whether `value` is a `graph.GradientEdge`: a node, and which of its outputs."""
    return type(value) is not tuple and isinstance(value, tuple) and hasattr(value, "output_nr")


def _place(value: Any) -> tuple[Any, int]:
    """The node and the number of its output of a tensor (whose node may be None) or a `GradientEdge`."""
    if not isinstance(value, Tensor):
        return value.node, value.output_nr
    edge = edge_of(value)
    return (edge.node, edge.index) if type(edge) is Output else (edge, 0)


def _roots(tensors: Sequence[Any], cotangents: Sequence[Any], as_tensors: bool) -> list[tuple[Any, Any]]:
    """The edges from which a pass starts, with the cotangents to start with."""
    roots = []
    array: Any
    for i, (x, t) in enumerate(zip(tensors, cotangents, strict=True)):
        if isinstance(x, Tensor):
            edge, array = edge_of(x), x._array
        elif _is_gradient_edge(x):
            edge = Output(*_place(x)) if x.node.outputs > 1 else x.node
            array = edge.array if type(edge) is AccumulateGrad else None
        else:
            raise TypeError(
                f"tensors can be either Tensors or GradientEdges, but element {i} is of type {type(x).__name__}"
            )
        if edge is None:
            raise RuntimeError(
                f"element {i} of tensors does not require grad and does not have a grad_fn: make its leaves with "
                "requires_grad=True, and compute it outside no_grad"
            )
        if t is None:
            if array is None or array.size != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            if array.dtype.kind == "c":
                raise RuntimeError(
                    f"grad can be implicitly created only for real scalar outputs but got {dtypes.of(array.dtype)}: take a "
                    "real part, or pass the gradient"
                )
            if as_tensors or array.ndim:
                ones = np.ones(array.shape, array.dtype)
                roots.append((edge, wrap(ones) if as_tensors else ones))
            else:
                roots.append((edge, array.dtype.type(1)))
            continue
        if array is not None:
            if t._array.shape != array.shape:
                raise RuntimeError(
                    f"Mismatch in shape: grad_output[{i}] has a shape of {t.shape} and output[{i}] has a shape of "
                    f"{Size(array.shape)}."
                )
            d = dtypes.of(array.dtype)
            if (t._array.dtype.kind == "c") != (array.dtype.kind == "c"):
                raise RuntimeError(
                    "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
                    f"grad_output[{i}] has a dtype of {t.dtype} and output[{i}] has a dtype of {d}."
                )
            if t._array.dtype is not array.dtype:
                t = t.to(d)
        roots.append((edge, t if as_tensors else t._array))
    return roots


def _targets(inputs: Sequence[Any]) -> Targets:
    targets: Targets = {}
    for place, x in enumerate(inputs):
        node, index = _place(x)
        targets.setdefault(node, {}).setdefault(index, []).append(place)
    return targets


def _check_inputs(inputs: Sequence[Any]) -> None:
    for x in inputs:
        if not isinstance(x, Tensor) and not _is_gradient_edge(x):
            raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(x).__name__}")


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Accumulate in the leaves' `grad` the gradients of the tensors, weighted by `grad_tensors`.

    tensors       a tensor (or `graph.GradientEdge`) or a sequence of them
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
    if grad_tensors is None and inputs is None and grad_variables is None and isinstance(tensors, Tensor):
        # the usual call, straight to the engine
        as_tensors = create_graph or bool(get_mode().dual_level)
        roots = _roots((tensors,), (None,), as_tensors)
        retain = create_graph if retain_graph is None else retain_graph
        engine.run(roots, retain=retain, create=create_graph, tensors=as_tensors)
        return
    if grad_variables is not None:
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use "
                "`grad_tensors`."
            )
        grad_tensors = grad_variables
    tensors = _tuple(tensors)
    cotangents = _cotangents(grad_tensors, len(tensors))
    if retain_graph is None:
        retain_graph = create_graph
    as_tensors = create_graph or bool(get_mode().dual_level)
    roots = _roots(tensors, cotangents, as_tensors)
    targets = None
    if inputs is not None:
        inputs = _tuple(inputs)
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
        _check_inputs(inputs)
        for x in inputs:
            if isinstance(x, Tensor) and not x.is_leaf:
                x.retain_grad()
            elif _place(x)[0] is None:
                raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False: it is one of `inputs`")
        targets = _targets(inputs)
    engine.run(roots, retain=retain_graph, create=create_graph, tensors=as_tensors, targets=targets)


def _cotangents(given: Any, count: int) -> tuple[Any, ...]:
    """A cotangent, or None, for each of so many tensors; more than that are ignored, as in PyTorch."""
    if given is None:
        return (None,) * count
    cotangents = _tuple(given)
    for t in cotangents:
        if t is not None and not isinstance(t, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(t).__name__}")
    if len(cotangents) < count:
        raise RuntimeError(
            f"got {count} tensors and {len(cotangents)} gradients: give one gradient, or None, for each tensor"
        )
    return cotangents[:count]


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """The gradients of the outputs, weighted by `grad_outputs`, by each of the inputs; no `grad` is touched.

    outputs, inputs    a tensor (or `graph.GradientEdge`) or a sequence of them
    grad_outputs       the cotangent of each output, of its shape; None where it has one element
    retain_graph       keep what the graph needs for another pass (default: `create_graph`)
    create_graph       record the gradients' computation too, so that they can be differentiated
    only_inputs        without effect, as in PyTorch: no other gradient is computed
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
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    outputs = _tuple(outputs)
    inputs = _tuple(inputs)
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    _check_inputs(inputs)
    cotangents = _cotangents(grad_outputs, len(outputs))
    if retain_graph is None:
        retain_graph = create_graph
    if is_grads_batched:
        return _batched(outputs, inputs, cotangents, retain_graph, create_graph, allow_unused, materialize_grads)
    as_tensors = create_graph or bool(get_mode().dual_level)
    roots = _roots(outputs, cotangents, as_tensors)
    for x in inputs:
        if _place(x)[0] is None:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    found = engine.run(
        roots,
        retain=retain_graph,
        create=create_graph,
        tensors=as_tensors,
        targets=_targets(inputs),
        accumulate=False,
    )
    results: list[Any] = []
    given: set[int] = set()
    for place, x in enumerate(inputs):
        g = found.get(place)
        if g is None:
            if not allow_unused:
                raise RuntimeError(
                    f"The differentiated Tensor at index {place} appears to not have been used in the graph. Set "
                    "allow_unused=True if this is the desired behavior."
                )
            results.append(_zeros(x) if materialize_grads else None)
        elif as_tensors:
            results.append(g)
        else:
            kind = x._array.dtype if isinstance(x, Tensor) else g.dtype
            if type(g) is not np.ndarray or not g.flags.writeable or g.dtype is not kind:
                g = np.array(g, kind)
            elif g.base is not None or id(g) in given or any(g is t._array for t in cotangents if t is not None):
                g = g.copy()
            given.add(id(g))
            results.append(wrap(g))
    return tuple(results)


def _zeros(x: Any) -> Tensor:
    if not isinstance(x, Tensor):
        raise RuntimeError(
            "materialize_grads=True needs the shape of an unused input: pass the tensor, not its GradientEdge"
        )
    return wrap(np.zeros(x._array.shape, x._array.dtype))


def _batched(
    outputs: Any, inputs: Any, cotangents: Any, retain: bool, create: bool, unused: bool, materialize: bool
) -> tuple[Any, ...]:
    """One pass for each index of the cotangents' first dimension, stacked."""
    from ..ops.joining import stack

    sizes = []
    for i, (x, t) in enumerate(zip(outputs, cotangents, strict=True)):
        if not isinstance(t, Tensor) or not t._array.ndim:
            raise ValueError(
                "is_grads_batched=True: every output needs a gradient with a further first dimension, but grad_outputs"
                f"[{i}] is {'None' if t is None else 'a tensor without dimensions' if isinstance(t, Tensor) else type(t).__name__}"
            )
        if isinstance(x, Tensor) and t._array.shape[1:] != x._array.shape:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. The "
                "sizes of the remaining dimensions are expected to match the shape of corresponding output, but a mismatch was "
                f"detected: grad_output[{i}] has a shape of {t.shape} and output[{i}] has a shape of {x.shape}. If you only want "
                "some tensors in `grad_output` to be considered batched, consider using vmap."
            )
        sizes.append(len(t))
    if len(set(sizes)) != 1:
        raise ValueError(
            f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped dimension"
        )
    count = sizes[0]
    if not count:
        return tuple(wrap(np.zeros((0, *x._array.shape), x._array.dtype)) for x in inputs)
    rows = [
        grad(
            outputs,
            inputs,
            [t[i] for t in cotangents],
            retain_graph=retain or i + 1 < count,
            create_graph=create,
            allow_unused=unused,
            materialize_grads=materialize,
        )
        for i in range(count)
    ]
    return tuple(None if column[0] is None else stack(column) for column in zip(*rows, strict=True))
