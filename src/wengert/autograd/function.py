"""Function: operations whose forward and derivative are the user's own.

A call of `apply` makes a node of the type `<name of the Function>Backward`, which is also the `ctx` that `forward` and `backward`
are given: what they leave there is found at `grad_fn`.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tensor import Extra, Tensor, alias, edge_of, wrap
from .modes import NO_GRAD, get_mode, set_mode
from .node import FREED, ManyEdges, Output, next_sequence
from .saved import FREED_MESSAGE, KEPT, SavedTensor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .modes import Mode

__all__ = ["BackwardCFunction", "Function", "FunctionCtx", "FunctionMeta", "InplaceFunction", "once_differentiable"]


class FunctionCtx:
    """What `forward` and `setup_context` can do with their `ctx`."""

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors (or None) for `backward`, which finds them in `ctx.saved_tensors`. Call it once.

        In-place writes to them are noticed, and outputs may be kept without keeping the graph alive, which is not so for tensors
        that are set as attributes.
        """
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep tensors (or None) for `jvp`, which finds them in `ctx.saved_tensors`. Call it once."""
        for x in tensors:
            if x is not None and not isinstance(x, Tensor):
                raise AssertionError(
                    "save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes on ctx."
                )
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Say which inputs were written in place. Each must be returned too."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Any) -> None:
        """Say which outputs have no derivative. `backward` is given zeros for them."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Whether `backward` is given zeros (the default) or None where an output has no gradient."""
        if not isinstance(value, bool):
            raise TypeError(f"set_materialize_grads received {type(value).__name__}, but expected (bool)")
        self.materialize_grads = value

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Without effect: tensors that share memory are recognised."""


class BackwardCFunction(FunctionCtx, ManyEdges):
    """The node of a call of a `Function`; its type is a subclass for each."""

    _forward_cls: type[Function]

    needs_input_grad: Any  # for each argument, whether it is a tensor that requires grad
    outputs: int  # what `forward` returned, tensors or not

    def __init__(self, needs_input_grad: tuple[bool, ...]) -> None:
        self.needs_input_grad = needs_input_grad
        self.to_save: Any = None
        self.saved_for_forward: Any = None
        self.dirty_tensors: Any = None
        self.non_differentiable: Any = None
        self.materialize_grads = True
        self.edges = ()
        self.versions = None
        self.adjust = None
        self.rare = None
        self.sequence = 0
        self._kept: Any = ()
        self._pushing: Any = None  # the tensors saved for forward mode, while `jvp` runs
        self._inputs: tuple[Any, ...] = ()  # for each argument its (shape, dtype), None of what is no tensor
        self._outputs: tuple[Any, ...] = ()  # the same for what was returned
        self.outputs = 0

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{self.name()} object at {id(self):#x}>"

    # ------------------------------------------------------------------------------------ what is kept

    @property
    def saved(self) -> Any:  # type: ignore[override]
        """FREED after a pass, for the engine; what is freed is missed only when somebody asks for it."""
        return None

    @saved.setter
    def saved(self, value: Any) -> None:
        if value is FREED and type(self._kept) is tuple:
            for entry in self._kept:
                if entry is not None:
                    entry.free()
            self._kept = FREED

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The tensors given to `save_for_backward`; within `jvp`, those given to `save_for_forward`.

        Raises RuntimeError if a backward pass has freed them, or if one was written to since.
        """
        if self._pushing is not None:
            found: tuple[Any, ...] = self._pushing
            return found
        if self._kept is FREED:
            raise RuntimeError(FREED_MESSAGE)
        return tuple([None if entry is None else entry.tensor(self) for entry in self._kept])

    saved_variables = saved_tensors

    @property
    def _raw_saved_tensors(self) -> tuple[Any, ...]:
        if self._kept is FREED:
            raise RuntimeError(FREED_MESSAGE)
        return tuple(self._kept)

    def maybe_clear_saved_tensors(self) -> None:
        """Free what `save_for_backward` kept."""
        self.saved = FREED

    def _keep(self, outs: list[Any], mode: Mode) -> None:
        """Take over what `save_for_backward` was given."""
        if self.to_save is not None:
            kept: list[SavedTensor | None] = []
            for i, x in enumerate(self.to_save):
                if x is None:
                    kept.append(None)
                    continue
                if not isinstance(x, Tensor):
                    raise TypeError(
                        f"save_for_backward can only save variables, but argument {i} is of type {type(x).__name__}: set it as "
                        "an attribute of ctx"
                    )
                number = max((k for k, o in enumerate(outs) if o is x), default=None)
                if number is not None and not self._has_edge(x, number):
                    number = -1
                entry = SavedTensor.of(x, number)
                if mode.saved_hooks:
                    shown = x if number is None else alias(x._array, x._cell, edge_of(x))
                    entry.pack(*mode.saved_hooks[-1], shown)
                kept.append(entry)
            self._kept = tuple(kept)
            if kept:
                self.versions = KEPT

    def _has_edge(self, x: Tensor, number: int) -> bool:
        edge = edge_of(x)
        return edge is self or (type(edge) is Output and edge.node is self)

    # ------------------------------------------------------------------------------------ the derivative

    def pull(self, t: Any) -> tuple[Any, ...]:
        parts = t if type(t) is tuple else (t,)
        given = [None if p is None else wrap(p if isinstance(p, np.ndarray) else np.asarray(p)) for p in parts]
        return tuple([None if g is None else g._array for g in self._run(given)])

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        return self._run(list(t) if type(t) is tuple else [t])

    def pull_some(self, t: Any, edges: tuple[Any, ...], tensors: bool) -> tuple[Any, ...]:
        found = self.pull_tensors(t) if tensors else self.pull(t)
        return tuple([None if e is None else g for g, e in zip(found, edges, strict=True)])

    def apply(self, *args: Any) -> Any:
        """The gradients of the arguments, from those of the outputs."""
        return self._forward_cls._derivative()(self, *args)

    def _run(self, given: list[Any]) -> tuple[Any, ...]:
        if self.materialize_grads:
            for i, (t, like) in enumerate(zip(given, self._outputs, strict=True)):
                if t is None and like is not None:
                    given[i] = wrap(np.zeros(*like))
        result = self.apply(*given)
        if type(result) is not tuple:
            result = (result,)
        return self._fitted(result)

    def _fitted(self, result: tuple[Any, ...]) -> tuple[Any, ...]:
        """The gradients for the tensors among the arguments, in the shapes and dtypes of these."""
        expected = len(self._inputs)
        if len(result) > expected and all(g is None for g in result[expected:]):
            result = result[:expected]
        if len(result) != expected:
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected {expected}, got {len(result)})"
            )
        grads: list[Any] = []
        for i, (g, like) in enumerate(zip(result, self._inputs, strict=True)):
            if like is None:
                if g is not None:
                    raise RuntimeError(
                        f"function {self.name()} returned a gradient different than None at position {i + 1}, but the "
                        "corresponding forward input was not a Variable"
                    )
                continue
            if g is not None:
                if not isinstance(g, Tensor):
                    raise RuntimeError(
                        f"expected Variable or None (got {type(g).__name__}): backward of {self._forward_cls.__name__} has to "
                        "return tensors"
                    )
                g = self._fit(g, len(grads), *like)
            grads.append(g)
        return tuple(grads)

    def _fit(self, g: Tensor, index: int, shape: tuple[int, ...], kind: np.dtype[Any]) -> Tensor:
        array = g._array
        if array.shape != shape:
            extra = array.ndim - len(shape)
            if extra < 0 or any(n not in (1, m) for n, m in zip(shape, array.shape[extra:], strict=True)):
                raise RuntimeError(
                    f"Function {self.name()} returned an invalid gradient at index {index} - got {list(array.shape)} but expected "
                    f"shape compatible with {list(shape)}"
                )
            g = g.sum_to_size(shape)
        if array.dtype is not kind:
            from .. import dtypes

            d = dtypes.of(kind)
            if g.is_complex() and not d.is_complex:
                raise RuntimeError(
                    f"Function {self.name()} returned an invalid gradient at index {index} - got {g.dtype} for an input of {d}: "
                    "take its real part"
                )
            g = g.to(d)
        return g


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
        ctx = cls._backward_cls(tuple([e is not None for e in edges]))
        result = _call(cls, ctx, args, edges, separate)
        ctx.to_save = ctx.dirty_tensors = ctx.non_differentiable = ctx.saved_for_forward = None
        return result


def _bound(forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], separate: bool) -> tuple[Any, ...]:
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
    dirty = _marked("mark_dirty can only accept variables, but argument", ctx.dirty_tensors)
    flat = _marked("mark_non_differentiable only accepts variable arguments, but got", ctx.non_differentiable)
    given = {id(x) for x in args if isinstance(x, Tensor)}
    _check_dirty(dirty, given, args, outs, recorded)
    ctx._inputs = tuple([(x._array.shape, x._array.dtype) if isinstance(x, Tensor) else None for x in args])
    ctx._outputs = tuple([(o._array.shape, o._array.dtype) if isinstance(o, Tensor) else None for o in outs])
    ctx.outputs = len(outs)
    if recorded:
        ctx.edges = tuple([e for e, x in zip(edges, args, strict=True) if isinstance(x, Tensor)])
        ctx.sequence = next_sequence()
    for i, o in enumerate(outs):
        if not isinstance(o, Tensor):
            continue
        written = id(o) in dirty
        if written and type(o._cell) is list:
            o._cell[0] += 1
        if not recorded or id(o) in flat or o._array.dtype.kind in "biu":
            if edge_of(o) is not None and not written:
                outs[i] = alias(o._array, o._cell, None)
            elif id(o) in given and not written:
                outs[i] = _seen_again(o)
            continue
        edge = Output(ctx, i) if len(outs) > 1 else ctx
        if written:
            from ..ops.inplace import rebase

            rebase(o, edge)
            continue
        if id(o) in given:
            outs[i] = o = _seen_again(o)
        o._edge = edge
        if o._extra is not None and o._extra.view is not None:
            o._extra.view.made = "several" if len(outs) > 1 else "function"
    if recorded:
        ctx._keep(outs, mode)
        if mode.anomaly:
            from .anomaly import note

            note(ctx)
    return outs


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
                "a leaf Variable that requires grad has been used in an in-place operation: the Function marks it as dirty"
            )
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
        self.saved = self.versions = self.adjust = self.rare = None
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
    ...     @staticmethod
    ...     @wengert.autograd.function.once_differentiable
    ...     def backward(ctx, grad):
    ...         return wengert.from_numpy(2 * grad.numpy())
    >>> x = wengert.tensor(1.0, requires_grad=True)
    >>> Double.apply(x).backward()
    >>> x.grad
    tensor(2.)
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
