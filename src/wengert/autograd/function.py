"""Function: operations whose forward and derivative are the user's own.

A call of `apply` makes a node of the type `<name of the Function>Backward`, which is also the `ctx` that `forward` and `backward`
are given: what they leave there is found at `grad_fn`.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tensor import Tensor, alias, edge_of, wrap
from .function_node import BackwardCFunction, FunctionCtx
from .modes import NO_GRAD, get_mode, set_mode
from .node import ManyEdges, Output, next_sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .modes import Mode

__all__ = ["BackwardCFunction", "Function", "FunctionCtx", "FunctionMeta", "InplaceFunction", "once_differentiable"]


class FunctionMeta(type):
    """Makes for each `Function` the type of its nodes."""

    def __init__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> None:
        super().__init__(name, bases, space)
        body = {"_forward_cls": cls, "__module__": __name__}
        cls._backward_cls: type[BackwardCFunction] = type(name + "Backward", (BackwardCFunction,), body)


class Function(metaclass=FunctionMeta):
    """Base of operations with a forward and a derivative of one's own.

    A subclass has the static methods `forward(ctx, *args)` and `backward(ctx, *grads)`, or, instead of the first, `forward(*args)`
    and `setup_context(ctx, inputs, output)`; for forward mode also `jvp(ctx, *tangents)`. It is called by `apply`. See `FunctionCtx`
    for what `ctx` can do.

    >>> import wengert
    >>> class Cube(wengert.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x**3
    ...
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return 3 * x**2 * grad
    >>> x = wengert.tensor(2.0, requires_grad=True)
    >>> Cube.apply(x).backward()
    >>> x.grad
    tensor(12.)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        import warnings

        warnings.warn(
            f"{self.__class__} should not be instantiated. Methods on autograd functions are all static, so you should invoke "
            "them on the class itself. Instantiating an autograd function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function with "
            "static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """The operation itself: `forward(ctx, *args)`, or `forward(*args)` beside `setup_context`. It is not recorded."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Leave in `ctx` what the derivative needs, where `forward` does not take `ctx`."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The gradients of the arguments, one for each, from those of the outputs. `vjp` is another name for it."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode "
            "AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """The tangents of the outputs, one for each, from those of the arguments."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @classmethod
    def _derivative(cls) -> Callable[..., Any]:
        if cls.vjp is not Function.vjp:
            if cls.backward is not Function.backward:
                raise RuntimeError(
                    "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement one "
                    "of them."
                )
            return cls.vjp
        return cls.backward

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call the operation and record it as one node.

        Arguments and results may be anything, but derivatives pass only through tensors that are arguments or results (alone or in
        a tuple) themselves, not through those in a list or dictionary.
        """
        separate = cls.setup_context is not Function.setup_context
        if kwargs or separate:
            args = _bound(cls.forward, args, kwargs, separate)
        edges = [edge_of(x) if isinstance(x, Tensor) else None for x in args]
        ctx = cls._backward_cls()
        ctx.needs_input_grad = tuple([e is not None for e in edges])
        result = _call(cls, ctx, args, edges, separate)
        left = ctx.__dict__
        for name in ("to_save", "dirty_tensors", "non_differentiable", "saved_for_forward"):
            left.pop(name, None)
        return result


def _bound(
    forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], separate: bool
) -> tuple[Any, ...]:
    """All the arguments of a call by position, with their defaults."""
    import inspect

    given = inspect.signature(forward).bind(*(() if separate else (None,)), *args, **kwargs)
    given.apply_defaults()
    return given.args[0 if separate else 1 :]


def _call(cls: type[Function], ctx: BackwardCFunction, args: tuple[Any, ...], edges: list[Any], separate: bool) -> Any:
    """The results of `forward` at their node; in forward mode, with their tangents."""
    mode = get_mode()
    if mode.dual_level:
        from ..ops.forward_mode import highest_level

        level = highest_level(args)
        if level:
            return _call_dual(cls, ctx, args, edges, separate, level)
    set_mode(NO_GRAD if mode.plain else mode.replace(grad=False, dual_level=0))
    try:
        if separate:
            result = cls.forward(*args)
            cls.setup_context(ctx, args, result)
        else:
            result = cls.forward(ctx, *args)
    finally:
        set_mode(mode)
    recorded = mode.grad and not mode.inference and any(e is not None for e in edges)
    outs = list(result) if isinstance(result, tuple) else [result]
    outs = _finish(ctx, args, edges, outs, recorded, mode)
    return tuple(outs) if isinstance(result, tuple) else outs[0]


def _finish(
    ctx: BackwardCFunction, args: tuple[Any, ...], edges: list[Any], outs: list[Any], recorded: bool, mode: Mode
) -> list[Any]:
    """Put the outputs at the node, and let it keep what it needs."""
    if recorded and len(outs) == 1 and ctx.dirty_tensors is None and ctx.non_differentiable is None:
        (o,) = outs
        if isinstance(o, Tensor) and o._extra is None and o._array.dtype.kind == "f" and not any(o is x for x in args):
            _place(ctx, args, edges, outs, mode, {}, {}, set())
            return outs
    dirty = _marked("mark_dirty can only accept variables, but argument", ctx.dirty_tensors)
    flat = _marked("mark_non_differentiable only accepts variable arguments, but got", ctx.non_differentiable)
    given = {id(x) for x in args if isinstance(x, Tensor)}
    for x in dirty.values():
        if type(x._cell) is list:  # tensors of inference mode have no version
            x._cell[0] += 1
    _check_dirty(dirty, given, args, outs, recorded)
    if recorded:
        _place(ctx, args, edges, outs, mode, dirty, flat, given)
    else:
        for i, o in enumerate(outs):
            if isinstance(o, Tensor) and id(o) not in dirty:
                outs[i] = _flat(o, given)
    return outs


def _place(
    ctx: BackwardCFunction,
    args: tuple[Any, ...],
    edges: list[Any],
    outs: list[Any],
    mode: Mode,
    dirty: dict[int, Tensor],
    flat: dict[int, Tensor],
    given: set[int],
) -> None:
    """Make the context the node of the outputs."""
    ctx._inputs = tuple([(x._array.shape, x._array.dtype) if isinstance(x, Tensor) else None for x in args])
    ctx._outputs = tuple([(o._array.shape, o._array.dtype) if isinstance(o, Tensor) else None for o in outs])
    ctx.outputs = count = len(outs)
    ctx.edges = tuple([e for e, like in zip(edges, ctx._inputs, strict=True) if like is not None])
    ctx.sequence = next_sequence()
    for i, o in enumerate(outs):
        if not isinstance(o, Tensor):
            continue
        written = id(o) in dirty
        if id(o) in flat or o._array.dtype.kind in "biu":
            if not written:
                outs[i] = _flat(o, given)
            continue
        edge = Output(ctx, i) if count > 1 else ctx
        if written:
            from ..ops.inplace import rebase

            rebase(o, edge)
            continue
        if id(o) in given:
            outs[i] = o = _seen_again(o)
        o._edge = edge
        if o._is_view():
            o._extra.view.made = "several" if count > 1 else "function"  # type: ignore[union-attr]
    ctx._keep(outs, mode)
    if mode.anomaly:
        from .anomaly import note

        note(ctx)


def _flat(o: Tensor, given: set[int]) -> Tensor:
    """An output without a derivative."""
    if edge_of(o) is not None:
        return alias(o._array, o._cell, None)
    return _seen_again(o) if id(o) in given else o


def _marked(complaint: str, tensors: Iterable[Any] | None) -> dict[int, Tensor]:
    """The tensors given to one of the `mark_` methods, by identity."""
    found = {}
    for i, x in enumerate(tensors or ()):
        if not isinstance(x, Tensor):
            raise RuntimeError(f"{complaint} {i} of type {type(x).__name__}")
        found[id(x)] = x
    return found


def _check_dirty(
    dirty: dict[int, Tensor], given: set[int], args: tuple[Any, ...], outs: list[Any], recorded: bool
) -> None:
    from ..ops.inplace import check_history

    for key, x in dirty.items():
        if not any(x is o for o in outs):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as output. The inputs that are "
                "modified inplace must all be outputs of the Function."
            )
        if key not in given:
            import warnings

            warnings.warn(
                "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be "
                "passed to ctx.mark_dirty().",
                UserWarning,
                stacklevel=5,
            )
        if not recorded:
            continue
        if x.is_leaf and x.requires_grad:
            raise RuntimeError(
                "a leaf Variable that requires grad has been used in an in-place operation. The Function marks it as dirty"
            )
        check_history(x)
        if len(outs) > 1 and x._is_view():
            raise RuntimeError(
                "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more "
                "than one Tensor. This is not supported by the current autograd engine. You should either make sure the input is "
                "not a view (using .clone() for example) or make your Function only return one Tensor (potentially splitting it "
                "into two Functions: one doing the inplace that returns a single Tensor and a second one that does the other "
                "operations)."
            )


def _seen_again(x: Tensor) -> Tensor:
    """An input that is returned as it is: a view of it, so that it can stand elsewhere in the graph."""
    mode = get_mode()
    set_mode(mode.replace(grad=False, dual_level=0))
    try:
        made: Tensor = x.view_as(x)
    finally:
        set_mode(mode)
    return made


# ------------------------------------------------------------------------------------------------ forward mode


def _call_dual(
    cls: type[Function], ctx: BackwardCFunction, args: tuple[Any, ...], edges: list[Any], separate: bool, level: int
) -> Any:
    """Call a Function of which some arguments carry a tangent at this level: without these first, then `jvp`."""
    from ..ops.forward_mode import fit, primal_of, set_tangent, tangent_of

    tangents = [tangent_of(x, level) for x in args]
    primals = tuple([primal_of(x, level) for x in args])
    result = _call(cls, ctx, primals, edges, separate)
    outs = list(result) if isinstance(result, tuple) else [result]
    saved = ctx.saved_for_forward or ()
    # what was saved is known by the innermost call's primals: here they are those that carry the tangents of lower levels
    same = {id(p._array): p for p in (*primals, *outs) if isinstance(p, Tensor)}
    ctx._pushing = tuple([x if x is None else same.get(id(x._array), x) for x in saved])
    if ctx.materialize_grads:
        tangents = [
            wrap(np.zeros(x._array.shape, x._array.dtype)) if t is None and isinstance(x, Tensor) and _real(x) else t
            for x, t in zip(args, tangents, strict=True)
        ]
    try:
        pushed = cls.jvp(ctx, *tangents)
    finally:
        ctx._pushing = None
    pushed = pushed if isinstance(pushed, tuple) else (pushed,)
    if len(pushed) != len(outs):
        raise RuntimeError(
            f"Function's jvp returned an invalid number of forward gradients (expected {len(outs)} but got {len(pushed)})"
        )
    flat = {id(x) for x in ctx.non_differentiable or ()}
    for i, (o, t) in enumerate(zip(outs, pushed, strict=True)):
        if not isinstance(o, Tensor):
            continue
        for p, x in zip(primals, args, strict=True):
            if o is p and o is not x:  # a dirty input: what was returned stands for it
                x._edge = edge_of(o)
                outs[i] = o = x
        if id(o) in flat or not _real(o):
            if t is not None:
                raise RuntimeError(
                    f"Function's jvp returned a gradient at position {i}, but  the corresponding forward output is not a "
                    "differentiable Tensor.You should return None at that position instead."
                )
            continue
        if t is not None and not isinstance(t, Tensor):
            raise RuntimeError(f"expected Variable or None (got {type(t).__name__}) for grad output {i}.")
        if t is not None and t._array.shape != o._array.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
                f"supported. Tensor is of size {list(o._array.shape)} while the given forward gradient is of size "
                f"{list(t._array.shape)}."
            )
        set_tangent(o, level, None if t is None else fit(t, o))
    ctx.learn_tangents(
        level, dict(zip(map(id, [getattr(x, "_array", None) for x in args]), tangents, strict=True)), outs
    )
    return tuple(outs) if isinstance(result, tuple) else outs[0]


def _real(x: Tensor) -> bool:
    """Whether the tensor's dtype has derivatives."""
    return x._array.dtype.kind not in "biu"


# ------------------------------------------------------------------------------------------------ once, and in place


class Error(ManyEdges):
    """Stands where a derivative ends that must not be differentiated again."""

    __slots__ = ("message",)

    message: str

    def __init__(self, edges: tuple[Any, ...], message: str) -> None:
        self.edges = edges
        self.message = message
        self.saved = self.versions = self.adjust = None
        self.sequence = next_sequence()

    def name(self) -> str:
        return "torch::autograd::Error"

    def pull(self, t: Any) -> tuple[Any, ...]:
        raise RuntimeError(self.message)

    pull_tensors = pull


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of a `backward` that is not to be differentiated itself: doing so raises RuntimeError.

    >>> import wengert
    >>> class Double(wengert.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...
    ...     @staticmethod
    ...     @wengert.autograd.function.once_differentiable
    ...     def backward(ctx, grad):
    ...         return wengert.from_numpy(2 * grad.numpy())
    >>> x = wengert.ones(2, requires_grad=True)
    >>> Double.apply(x).sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        mode = get_mode()
        set_mode(mode.replace(grad=False))
        try:
            result = fn(ctx, *args)
        finally:
            set_mode(mode)
        edges = tuple([edge_of(a) for a in args if isinstance(a, Tensor)])
        if not mode.grad or not any(e is not None for e in edges):
            return result
        error = Error(edges, "trying to differentiate twice a function that was marked with @once_differentiable")
        outs = result if isinstance(result, tuple) else (result,)
        outs = tuple([alias(o._array, o._cell, error) if isinstance(o, Tensor) else o for o in outs])
        return outs if isinstance(result, tuple) else outs[0]

    return wrapper


class InplaceFunction(Function):
    """Base of Functions that know whether to write their argument in place. Kept for code that uses it."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace
