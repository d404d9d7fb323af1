"""The node of a call of a user's Function, which is its `ctx` too: what it keeps, and how it is pulled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..tensor import Tensor, alias, edge_of, wrap
from .node import FREED, ManyEdges, Output
from .saved import FREED_MESSAGE, KEPT, SavedTensor

if TYPE_CHECKING:
    from .function import Function
    from .modes import Mode


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

    # What most calls leave as it is stands in the class, so that a call need not set it.
    needs_input_grad: Any = ()  # for each argument, whether it is a tensor that requires grad
    outputs = 0  # what `forward` returned, tensors or not
    to_save: Any = None
    saved_for_forward: Any = None
    dirty_tensors: Any = None
    non_differentiable: Any = None
    materialize_grads = True
    edges = ()
    versions = None
    adjust = None
    sequence = 0
    _kept: Any = ()
    _pushing: Any = None  # the tensors saved for forward mode, while `jvp` runs
    _inputs: tuple[Any, ...] = ()  # for each argument its (shape, dtype), None of what is no tensor
    _outputs: tuple[Any, ...] = ()  # the same for what was returned

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{self.name()} object at {id(self):#x}>"

    # ------------------------------------------------------------------------------------ what is kept

    @property
    def saved(self) -> Any:
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
                number = None
                for k, o in enumerate(outs):
                    if o is x:
                        number = k if self._has_edge(x) else -1
                entry = SavedTensor.of(x, number)
                if mode.saved_hooks:
                    shown = x if number is None else alias(x._array, x._cell, edge_of(x))
                    entry.pack(*mode.saved_hooks[-1], shown)
                kept.append(entry)
            self._kept = tuple(kept)
            if kept:
                self.versions = KEPT

    def learn_tangents(self, level: int, tangents: dict[int, Any], outs: list[Any]) -> None:
        """Give what is kept its tangents at a level: of inputs by the identity of their arrays, of outputs their own."""
        from ..ops.forward_mode import tangent_of

        for entry in self._kept:
            if entry is None:
                continue
            t = tangents.get(id(entry.array)) if entry.index is None else tangent_of(outs[entry.index], level)
            if t is not None:
                entry.tangents = {**entry.tangents, level: t}

    def _has_edge(self, x: Tensor) -> bool:
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
