"""Looking at the graph, and deciding what becomes of the tensors that it keeps: `torch.autograd.graph`."""

from __future__ import annotations

import weakref
from collections import namedtuple
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tensor import Tensor, edge_of, wrap
from . import engine
from .hooks import Handle
from .modes import get_mode, set_mode
from .node import Node, Output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .modes import Mode

__all__ = [
    "GradientEdge", "Node", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "get_gradient_edge",
    "increment_version", "register_multi_grad_hook", "save_on_cpu", "saved_tensors_hooks",
]  # fmt: skip

# ------------------------------------------------------------------------------------------------ places in the graph


class GradientEdge(namedtuple("GradientEdge", ["node", "output_nr", "ownership_token"], defaults=[None])):
    """A place in the graph: a node and which of its outputs. `autograd.grad` and `backward` take it as they take a tensor."""

    __slots__ = ()


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Where the tensor stands in the graph: enough to differentiate by it when the tensor itself is gone.

    Raises RuntimeError if it does not require grad.

    >>> import wengert
    >>> x = wengert.tensor(3.0, requires_grad=True)
    >>> y = x.exp()
    >>> edge = wengert.autograd.graph.get_gradient_edge(y)
    >>> wengert.autograd.grad(y * 5, edge)
    (tensor(5.),)
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"get_gradient_edge(): argument 'tensor' must be Tensor, not {type(tensor).__name__}")
    edge = edge_of(tensor)
    if edge is None:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(edge.node, edge.index) if type(edge) is Output else GradientEdge(edge, 0)


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Count a write to the memory of a tensor, or of each of several, that was made in some other way.

    >>> import wengert
    >>> x = wengert.zeros(2)
    >>> x.numpy()[0] = 1
    >>> wengert.autograd.graph.increment_version(x)
    >>> x._version
    1
    """
    tensors = [tensor] if isinstance(tensor, Tensor) else tensor
    found: list[Any]
    try:
        found = list(tensors)
    except TypeError:
        found = [None]
    for x in found:
        if not isinstance(x, Tensor):
            raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
        x._cell[0] += 1


# ------------------------------------------------------------------------------------------------ what nodes keep


#: the message of `disable_saved_tensors_hooks`, while one is in force
_disabled: ContextVar[str | None] = ContextVar("wengert_saved_hooks_disabled", default=None)


class saved_tensors_hooks:
    """Context manager: what nodes made inside keep goes through `pack_hook`, and comes back through `unpack_hook`.

    pack_hook    takes a tensor and returns anything: another tensor, the name of a file...
    unpack_hook  takes that and returns a tensor of the same content

    Only the innermost hooks are called. Neither may write to the tensor that it is given.

    >>> import wengert
    >>> x = wengert.tensor(3.0, requires_grad=True)
    >>> with wengert.autograd.graph.saved_tensors_hooks(lambda x: x.item(), lambda number: wengert.tensor(number)):
    ...     y = x * x
    >>> y.backward()
    >>> x.grad
    tensor(6.)
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> Any:
        message = _disabled.get()
        if message is not None:
            raise RuntimeError(message)
        for name in ("pack_hook", "unpack_hook"):
            if not callable(getattr(self, name)):
                raise TypeError(
                    f"saved_tensors_hooks(): incompatible function arguments: {name} must be callable, not "
                    f"{type(getattr(self, name)).__name__}"
                )
        mode = get_mode()
        set_mode(mode.replace(saved_hooks=(*mode.saved_hooks, (self.pack_hook, self.unpack_hook))))

    def __exit__(self, *_: object) -> None:
        mode = get_mode()
        set_mode(mode.replace(saved_hooks=mode.saved_hooks[:-1]))


class save_on_cpu(saved_tensors_hooks):
    """Context manager: what nodes made inside keep is kept in main memory. Everything is there already.

    pin_memory: keep copies.
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda x: x.detach().clone() if pin_memory else x.detach(), lambda x: x)


class disable_saved_tensors_hooks:
    """Context manager in which to use `saved_tensors_hooks` raises RuntimeError with the message given.

    >>> import wengert
    >>> graph = wengert.autograd.graph
    >>> with graph.disable_saved_tensors_hooks("not here"), graph.save_on_cpu():
    ...     pass
    Traceback (most recent call last):
    RuntimeError: not here
    """

    def __init__(self, error_message: str) -> None:
        self.error_message = error_message
        self._previous: list[str | None] = []

    def __enter__(self) -> None:
        if get_mode().saved_hooks:
            raise RuntimeError(self.error_message)
        self._previous.append(_disabled.get())
        _disabled.set(self.error_message)

    def __exit__(self, *_: object) -> None:
        _disabled.set(self._previous.pop())


class allow_mutation_on_saved_tensors:
    """Context manager in which tensors that nodes keep may be written in place: the nodes then keep a copy from before.

    The backward pass has to run inside too. Gives an object whose `clear()` lets go of what is kept.

    >>> import wengert
    >>> with wengert.autograd.graph.allow_mutation_on_saved_tensors():
    ...     x = wengert.tensor([2.0, 3.0], requires_grad=True)
    ...     y = x.clone()
    ...     z = (y**2).sum()
    ...     _ = y.zero_()
    ...     z.backward()
    >>> x.grad
    tensor([4., 6.])
    """

    def __enter__(self) -> _Mutable:
        if _contexts(get_mode()):
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        self._context = _Mutable()
        self._hooks = saved_tensors_hooks(self._context.pack, self._context.unpack)
        self._hooks.__enter__()
        return self._context

    def __exit__(self, *_: object) -> None:
        self._hooks.__exit__()
        self._context.clear()
        self._context.open = False


class _Kept:
    """One array that a node keeps."""

    __slots__ = ("__weakref__", "array", "context")

    def __init__(self, array: Any, context: _Mutable) -> None:
        self.array = array
        self.context = context


class _Mutable:
    """What is kept in one `allow_mutation_on_saved_tensors` block, by the version cell of its memory."""

    def __init__(self) -> None:
        self.open = True
        self._kept: dict[int, tuple[list[Any], list[weakref.ref[_Kept]]]] = {}
        self._prune_at = 256

    def pack(self, x: Tensor) -> _Kept:
        if len(self._kept) > self._prune_at:
            self._kept = {k: v for k, v in self._kept.items() if any(r() is not None for r in v[1])}
            self._prune_at = 2 * len(self._kept) + 256
        kept = _Kept(x._array, self)
        self._kept.setdefault(id(x._cell), (x._cell, []))[1].append(weakref.ref(kept))
        return kept

    def unpack(self, kept: _Kept) -> Tensor:
        if not kept.context.open:
            raise AssertionError(
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"
                "in which the graph was originally recorded."
            )
        return wrap(kept.array)

    def save_from(self, x: Tensor) -> None:
        """Copy what is kept of the memory of `x`, which is about to be written."""
        _, references = self._kept.pop(id(x._cell), (None, []))
        for reference in references:
            kept = reference()
            if kept is not None and np.may_share_memory(kept.array, x._array):
                kept.array = kept.array.copy()
            elif kept is not None:
                self._kept.setdefault(id(x._cell), (x._cell, []))[1].append(reference)

    def clear(self) -> None:
        """Let go of everything: backward passes in the block then raise AssertionError."""
        for _, references in self._kept.values():
            for reference in references:
                kept = reference()
                if kept is not None:
                    kept.context = _CLOSED
        self._kept = {}


_CLOSED = _Mutable()
_CLOSED.open = False


def _contexts(mode: Mode) -> list[_Mutable]:
    owners = [getattr(pack, "__self__", None) for pack, _ in mode.saved_hooks]
    return [owner for owner in owners if isinstance(owner, _Mutable)]


def before_write(mode: Mode, x: Tensor) -> None:
    """What an in-place operation does first under saved-tensor hooks: keep from it what nodes may still need."""
    for context in _contexts(mode):
        context.save_from(x)


# ------------------------------------------------------------------------------------------------ hooks on several tensors


class _MultiHandle(Handle):
    """The handle of hooks on several tensors, which are removed together."""

    __slots__ = ("handles",)

    def __init__(self, handles: Sequence[Handle]) -> None:
        self.handles = handles

    def remove(self) -> None:
        """Take all the hooks away."""
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable[..., Any], *, mode: str = "all") -> Handle:
    """Call `fn` once in each backward pass that computes gradients of some of the tensors.

    mode  "all": with a list of the gradients, when all are there that the pass computes; the others are None
          "any": with the first gradient that is there

    Returns a handle whose `remove()` takes the hook away.
    Raises ValueError for another mode, and AssertionError where a tensor does not require grad.

    >>> import wengert
    >>> a, b = wengert.ones(2, requires_grad=True), wengert.ones(2, requires_grad=True)
    >>> handle = wengert.autograd.graph.register_multi_grad_hook((a, b), print)
    >>> (a * 3).sum().backward()
    [tensor([3., 3.]), None]
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    nodes = []
    for x in tensors:
        edge = edge_of(x)
        if edge is None:
            raise AssertionError(
                "Expected gradient function to be set: every tensor has to require grad, or to be computed from one that does"
            )
        nodes.append(edge.node if type(edge) is Output else edge)
    engine.observe_passes()
    found: weakref.WeakKeyDictionary[Any, list[Any]] = weakref.WeakKeyDictionary()  # by pass: [how many, gradients]

    def hook(place: int) -> Callable[[Tensor], None]:
        def one(grad: Tensor) -> None:
            running = engine.running_pass()
            assert running is not None
            state = found.setdefault(running, [0, [None] * len(nodes)])
            state[0] += 1
            if mode == "any":
                if state[0] == 1:
                    fn(grad)
                return
            state[1][place] = grad
            if state[0] == sum(running.runs(n) for n in nodes):
                fn(found.pop(running)[1])

        return one

    return _MultiHandle([x.register_hook(hook(i)) for i, x in enumerate(tensors)])
