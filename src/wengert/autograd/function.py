"""Function: operations whose forward and derivative the user writes."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tensor import Tensor, alias, edge_of, extra_of, wrap
from .engine import FREED_MESSAGE
from .modes import get_mode, set_mode
from .node import FREED, AccumulateGrad, ManyEdges, Output, next_sequence

if TYPE_CHECKING:
    from collections.abc import Callable

_KEPT = ([0], 0)  # a version that never changes: tells the engine that the node keeps something


class FunctionCtx:
    """What `forward` leaves for `backward`: saved tensors, flags, and any attribute that the user sets."""

    needs_input_grad: tuple[bool, ...]

    def __init__(self) -> None:
        self._to_save: tuple[Any, ...] = ()
        self._saved: Any = None
        self._node: Any = None  # set while the node is run
        self._dirty: tuple[Any, ...] = ()
        self._non_differentiable: tuple[Any, ...] = ()
        self._materialize = True
        self.saved_for_forward: tuple[Any, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors (or None) for `backward`, which finds them in `saved_tensors`."""
        for i, x in enumerate(tensors):
            if x is not None and not isinstance(x, Tensor):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {i} is of type {type(x).__name__}: keep it as an "
                    "attribute of ctx"
                )
        self._to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep tensors for `jvp`, which finds them in `saved_tensors`."""
        self.saved_for_forward = tensors

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The tensors that were saved.

        Raises RuntimeError if they were freed, or written to since.
        """
        if self._saved is None:
            return self.saved_for_forward or self._to_save
        return unpack(self._saved, self._node)

    def mark_dirty(self, *args: Any) -> None:
        """Say which inputs `forward` wrote in place; they must be returned too."""
        self._dirty = args

    def mark_non_differentiable(self, *args: Any) -> None:
        """Say which outputs have no derivative."""
        self._non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Whether a gradient that is not there is given to `backward` as zeros (the default) or as None."""
        self._materialize = value


BackwardCFunction = FunctionCtx


def unpack(saved: Any, node: Any) -> tuple[Any, ...]:
    """Saved tensors as `save_for_backward` was given them, outputs at the edge of their node."""
    if saved is FREED:
        raise RuntimeError(FREED_MESSAGE)
    found = []
    for entry in saved:
        if entry is None:
            found.append(None)
            continue
        kind, value, cell, expected, index = entry
        if kind == "packed":
            found.append(value[1](value[0]))
            continue
        if cell[0] != expected:
            x = value if kind == "tensor" else wrap(value)
            raise RuntimeError(
                "one of the variables needed for gradient computation has been modified by an inplace operation: "
                f"[{x.type()} [{', '.join(map(str, x.shape))}]] is at version {cell[0]}; expected version {expected} instead. "
                "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
                "torch.autograd.set_detect_anomaly(True)."
            )
        if kind == "tensor":
            found.append(value)
        else:
            edge = None if index is None else Output(node, index) if node.count > 1 else node
            found.append(alias(value, cell, edge))
    return tuple(found)


class FunctionNode(ManyEdges):
    """The node of a user's Function: a subclass for each, named after it."""

    __slots__ = ("count", "ctx", "given", "inputs")

    function: type[Function]

    count: int  # outputs that have a gradient
    ctx: FunctionCtx
    inputs: tuple[Any, ...]  # for each argument of apply: None, or the (shape, dtype) of a tensor
    given: tuple[Any, ...]  # for each output of forward: None, or (shape, dtype, number among those with a gradient or None)

    @property
    def outputs(self) -> int:  # type: ignore[override]
        return self.count

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What `save_for_backward` was given."""
        return unpack(self.saved, self) if self.saved is not None else ()

    @property
    def needs_input_grad(self) -> tuple[bool, ...]:
        """Which arguments need a gradient."""
        return self.ctx.needs_input_grad

    def pull(self, t: Any) -> tuple[Any, ...]:
        parts = t if type(t) is tuple else (t,)
        made = self._run(tuple(None if p is None else wrap(p if isinstance(p, np.ndarray) else np.asarray(p)) for p in parts))
        return tuple(None if g is None else g._array for g in made)

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        return self._run(t if type(t) is tuple else (t,))

    def _run(self, parts: tuple[Any, ...]) -> tuple[Any, ...]:
        cotangents: list[Any] = []
        for meta in self.given:
            if meta is None:
                cotangents.append(None)
                continue
            shape, kind, number = meta
            part = None if number is None else parts[number]
            if part is None and self.ctx._materialize:
                part = wrap(np.zeros(shape, kind))
            cotangents.append(part)
        ctx = self.ctx
        ctx._saved, ctx._node = self.saved, self
        try:
            result = self.function._backward()(ctx, *cotangents)
        finally:
            ctx._saved = ctx._node = None
        return self._checked(result if isinstance(result, (tuple, list)) else (result,))

    def _checked(self, result: Any) -> tuple[Any, ...]:
        """The gradients for the tensors among the arguments, in the shapes and dtypes of these."""
        expected = len(self.inputs)
        result = list(result)
        if len(result) > expected and all(g is None for g in result[expected:]):
            del result[expected:]
        if len(result) != expected:
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected {expected}, got {len(result)})"
            )
        grads = []
        for i, (g, meta) in enumerate(zip(result, self.inputs, strict=True)):
            if meta is None:
                if g is not None:
                    raise RuntimeError(
                        f"function {self.name()} returned a gradient different from None at position {i + 1}, but the "
                        "corresponding forward input was not a Variable"
                    )
                continue
            if g is None:
                grads.append(None)
                continue
            if not isinstance(g, Tensor):
                raise TypeError(
                    f"expected Variable or None (got {type(g).__name__}): backward of {self.function.__name__} must return tensors"
                )
            grads.append(_fitted(self.name(), i, g, *meta))
        return tuple(grads)


def _fitted(name: str, index: int, g: Tensor, shape: tuple[int, ...], kind: Any) -> Tensor:
    if g._array.shape != shape:
        try:
            fits = np.broadcast_shapes(shape, g._array.shape) == g._array.shape
        except ValueError:
            fits = False
        if not fits:
            raise RuntimeError(
                f"Function {name} returned an invalid gradient at index {index} - got {list(g._array.shape)} but expected shape "
                f"compatible with {list(shape)}"
            )
        g = g.sum_to_size(shape)
    if g._array.dtype != kind:
        from .. import dtypes

        d = dtypes.of(kind)
        g = (g.real if g.is_complex() and not d.is_complex else g).to(d)
    return g


class Function:
    """Base of operations with a forward and a derivative of the user's.

    A subclass defines the static methods `forward(ctx, *args)` and `backward(ctx, *grads)`, or, instead of the first,
    `forward(*args)` and `setup_context(ctx, inputs, output)`; optionally `jvp(ctx, *tangents)`. It is called by `apply`. Forward
    mode works without `jvp` too: `backward` is transposed.

    >>> import wengert
    >>> class Cube(wengert.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x**3
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return 3 * x**2 * grad
    >>> x = wengert.tensor(2.0, requires_grad=True)
    >>> Cube.apply(x).backward()
    >>> x.grad
    tensor(12.)
    """

    _node_type: type[FunctionNode]

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

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._node_type = type(
            cls.__name__ + "Backward", (FunctionNode,), {"__slots__": (), "function": cls, "__module__": cls.__module__}
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """The operation itself: `forward(ctx, *args)`, or `forward(*args)` beside `setup_context`."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Leave in `ctx` what `backward` needs, where `forward` does not take `ctx`."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The gradients of the arguments, one for each, from those of the outputs."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """The tangents of the outputs, from those of the arguments."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @classmethod
    def _backward(cls) -> Callable[..., Any]:
        if cls.vjp is not Function.vjp:
            if cls.backward is not Function.backward:
                raise RuntimeError(
                    "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement one of "
                    "them."
                )
            return cls.vjp
        return cls.backward

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call the operation, recorded as one node."""
        mode = get_mode()
        if mode.dual_level:
            level = max((max(x._extra.tangents, default=0) for x in args
                         if isinstance(x, Tensor) and x._extra is not None and x._extra.tangents), default=0)  # fmt: skip
            if level:
                return _apply_dual(cls, level, args)
        edges = [edge_of(x) if isinstance(x, Tensor) else None for x in args]
        recorded = mode.grad and any(e is not None for e in edges)
        ctx = FunctionCtx()
        ctx.needs_input_grad = tuple([e is not None for e in edges])
        set_mode(mode.replace(grad=False))
        try:
            if cls.setup_context is Function.setup_context:
                output = cls.forward(ctx, *args, **kwargs)
            else:
                output = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, output)
        finally:
            set_mode(mode)
        several = isinstance(output, tuple)
        outs = list(output) if several else [output]
        outs = _finish(cls, ctx, args, edges, outs, recorded)
        return tuple(outs) if several else outs[0]


def _finish(cls: Any, ctx: FunctionCtx, args: tuple[Any, ...], edges: list[Any], outs: list[Any], recorded: bool) -> list[Any]:
    """Give the outputs their node, and the node what it keeps."""
    dirty = {id(x) for x in ctx._dirty}
    for x in ctx._dirty:
        if not any(x is o for o in outs):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as output. The inputs that are modified "
                "inplace must all be outputs of the Function."
            )
        if recorded and type(edge_of(x)) is AccumulateGrad:
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    for i, o in enumerate(outs):
        if isinstance(o, Tensor) and id(o) not in dirty and any(o is x for x in args):
            outs[i] = _as_view(o)
    flat = {id(x) for x in ctx._non_differentiable}
    if not recorded:
        for i, o in enumerate(outs):
            if isinstance(o, Tensor) and edge_of(o) is not None and id(o) not in dirty:
                outs[i] = alias(o._array, o._cell, None)
        return outs
    node: Any = object.__new__(cls._node_type)
    node.ctx = ctx
    node.sequence = next_sequence()
    node.adjust = node.rare = None
    node.inputs = tuple([(x._array.shape, x._array.dtype) if isinstance(x, Tensor) else None for x in args])
    node.edges = tuple([e for e, x in zip(edges, args, strict=True) if isinstance(x, Tensor)])
    given: list[Any] = []
    count = 0
    for o in outs:
        if not isinstance(o, Tensor):
            given.append(None)
        elif id(o) in flat or o._array.dtype.kind in "biu":
            given.append((o._array.shape, o._array.dtype, None))
        else:
            given.append((o._array.shape, o._array.dtype, count))
            count += 1
    node.given = tuple(given)
    node.count = count
    saved = []
    mode = get_mode()
    for x in ctx._to_save:
        if x is None:
            saved.append(None)
            continue
        place = next((i for i, o in enumerate(outs) if o is x), None)
        if place is not None:
            number = given[place][2]
            saved.append(("output", x._array, x._cell, x._cell[0], number))
        elif mode.saved_hooks:
            pack, unpack_hook = mode.saved_hooks[-1]
            saved.append(("packed", (pack(x), unpack_hook), None, None, None))
        else:
            saved.append(("tensor", x, x._cell, x._cell[0], None))
    ctx._to_save = ()
    node.saved = saved or None
    node.versions = _KEPT if saved else None
    for o, meta in zip(outs, given, strict=True):
        if meta is None or meta[2] is None:
            continue
        edge = Output(node, meta[2]) if count > 1 else node
        if id(o) in dirty:
            from ..ops.inplace import rebase

            rebase(o, edge)
        else:
            o._edge = edge
            view = o._extra.view if o._extra is not None else None
            if view is not None:
                view.made = "function"
    if mode.anomaly:
        from ..ops.rare_modes import record_aside

        record_aside(mode.replace(saved_hooks=()), node)
    return outs


def _as_view(x: Tensor) -> Tensor:
    """An input that is returned as it is: a view of it, which has the node's history."""
    previous = get_mode()
    set_mode(previous.replace(grad=False))
    try:
        made: Tensor = x.view_as(x)
    finally:
        set_mode(previous)
    extra = extra_of(made)
    if extra.view is not None:
        extra.view.made = "function"
    return made


def _apply_dual(cls: Any, level: int, args: tuple[Any, ...]) -> Any:
    """Call a Function on dual tensors: `jvp` if it has one, else its backward transposed."""
    from ..ops.forward_mode import primal_of, set_tangent, tangent_of
    from .api import grad

    tangents = [tangent_of(x, level) for x in args]
    primals = [primal_of(x, level) for x in args]
    if cls.jvp is not Function.jvp:
        seen: list[Any] = []
        original = cls.forward

        def forward(*given: Any, **named: Any) -> Any:
            if cls.setup_context is Function.setup_context:
                seen.append(given[0])
            return original(*given, **named)

        setup = cls.setup_context

        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            seen.append(ctx)
            setup(ctx, inputs, output)

        body: dict[str, Any] = {"forward": staticmethod(forward), "backward": staticmethod(cls._backward())}
        if setup is not Function.setup_context:
            body["setup_context"] = staticmethod(setup_context)
        spy = type(cls.__name__, (Function,), body)
        output = spy.apply(*primals)
        pushed = cls.jvp(seen[0], *tangents)
    else:
        mode = get_mode()
        set_mode(mode.replace(grad=True))
        try:
            leaves = [
                x if not isinstance(x, Tensor) or t is None else x if x.requires_grad else x.detach().requires_grad_()
                for x, t in zip(primals, tangents, strict=True)
            ]
            inputs = [x for x, t in zip(leaves, tangents, strict=True) if t is not None]
            output = cls.apply(*leaves)
            outs = [o for o in (output if isinstance(output, tuple) else (output,)) if isinstance(o, Tensor) and o.requires_grad]
            us = [wrap(np.zeros(o._array.shape, o._array.dtype)).requires_grad_() for o in outs]
            grads = grad(outs, inputs, us, create_graph=True, allow_unused=True)
            pairs = [(g, t) for g, t in zip(grads, [t for t in tangents if t is not None], strict=True) if g is not None]
            found = iter(
                grad([g for g, _ in pairs], us, [t for _, t in pairs], create_graph=True, allow_unused=True) if pairs else
                [None] * len(us)
            )
            pushed = tuple(
                next(found) if isinstance(o, Tensor) and o.requires_grad else None
                for o in (output if isinstance(output, tuple) else (output,))
            )
            pushed = pushed if isinstance(output, tuple) else pushed[0]
        finally:
            set_mode(mode)
    for o, t in zip(
        output if isinstance(output, tuple) else (output,), pushed if isinstance(pushed, tuple) else (pushed,), strict=True
    ):
        if isinstance(o, Tensor) and t is not None:
            set_tangent(o, level, t)
    return output


class _DelayedError(ManyEdges):
    """Stands where a derivative ends that may not be differentiated again."""

    __slots__ = ("message",)

    def pull(self, t: Any) -> tuple[Any, ...]:
        raise RuntimeError(self.message)

    pull_tensors = pull


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of a `backward` whose result must not be differentiated: doing so raises RuntimeError."""

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        mode = get_mode()
        set_mode(mode.replace(grad=False))
        try:
            outputs = fn(ctx, *args)
        finally:
            set_mode(mode)
        edges = [edge_of(a) for a in args if isinstance(a, Tensor)]
        if not mode.grad or not any(e is not None for e in edges):
            return outputs
        node: Any = object.__new__(_DelayedError)
        node.message = "trying to differentiate twice a function that was marked with @once_differentiable"
        node.edges = tuple(edges)
        node.saved = node.versions = node.adjust = node.rare = None
        node.sequence = next_sequence()

        def guard(o: Any) -> Any:
            return o if not isinstance(o, Tensor) else alias(o._array, o._cell, node)

        return tuple(map(guard, outputs)) if isinstance(outputs, tuple) else guard(outputs)

    return wrapper


