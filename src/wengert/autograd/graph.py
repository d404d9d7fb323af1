"""Looking at the graph and changing what it keeps: `torch.autograd.graph`."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from ..tensor import Tensor, edge_of
from .hooks import Handle
from .modes import get_mode, set_mode
from .node import Node, Output

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "GradientEdge", "Node", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "get_gradient_edge",
    "increment_version", "register_multi_grad_hook", "save_on_cpu", "saved_tensors_hooks",
]  # fmt: skip


class GradientEdge(NamedTuple):
    """A place in the graph: a node and the number of one of its outputs."""

    node: Any
    output_nr: int


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Where the tensor stands in the graph.

    Raises RuntimeError if it does not require grad.
    """
    edge = edge_of(tensor)
    if edge is None:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(edge.node, edge.index) if type(edge) is Output else GradientEdge(edge, 0)


def increment_version(tensor: Any) -> None:
    """Count a write to the tensor (or to each of several) that was made behind wengert's back."""
    for x in (tensor,) if isinstance(tensor, Tensor) else tensor:
        x._cell[0] += 1


class saved_tensors_hooks:  # noqa: N801
    """Context manager: what nodes made inside keep goes through `pack_hook`, and through `unpack_hook` when it is needed.

    >>> import wengert
    >>> x = wengert.tensor(3.0, requires_grad=True)
    >>> with wengert.autograd.graph.saved_tensors_hooks(lambda t: t.item(), lambda v: wengert.tensor(v)):
    ...     y = x * x
    >>> y.backward()
    >>> x.grad
    tensor(6.)
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        mode = get_mode()
        message = _disabled.message
        if message is not None:
            raise RuntimeError(message)
        set_mode(mode.replace(saved_hooks=(*mode.saved_hooks, (self.pack_hook, self.unpack_hook))))

    def __exit__(self, *_: object) -> None:
        mode = get_mode()
        set_mode(mode.replace(saved_hooks=mode.saved_hooks[:-1]))


class save_on_cpu(saved_tensors_hooks):  # noqa: N801
    """Context manager that keeps copies in main memory, which is where everything lies."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda x: x.detach().clone(), lambda x: x)


class allow_mutation_on_saved_tensors(saved_tensors_hooks):  # noqa: N801
    """Context manager in which tensors that nodes keep may be written in place: the nodes keep copies."""

    def __init__(self) -> None:
        super().__init__(lambda x: x.detach().clone(), lambda x: x)


class _Disabled(threading.local):
    message: str | None = None


_disabled = _Disabled()


class disable_saved_tensors_hooks:  # noqa: N801
    """Context manager in which entering `saved_tensors_hooks` raises RuntimeError with this message."""

    def __init__(self, error_message: str) -> None:
        self.error_message = error_message

    def __enter__(self) -> None:
        self._previous = _disabled.message
        _disabled.message = self.error_message

    def __exit__(self, *_: object) -> None:
        _disabled.message = self._previous


class _Handles:
    """The handles of hooks on several tensors, removed together."""

    def __init__(self, handles: Sequence[Handle]) -> None:
        self.handles = handles

    def remove(self) -> None:
        """Take all the hooks away."""
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable[..., Any], *, mode: str = "all") -> _Handles:
    """Call `fn` with the gradients of all the tensors when all have been computed ("all"), or with the first ("any").

    Raises ValueError for another mode.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    found: list[Any] = [None] * len(tensors)
    state = {"count": 0, "called": False}
    lock = threading.Lock()

    def hook(place: int) -> Callable[[Tensor], None]:
        def inner(grad: Tensor) -> None:
            with lock:
                if mode == "any":
                    if state["called"]:
                        return
                    state["called"] = True
                else:
                    found[place] = grad
                    state["count"] += 1
                    if state["count"] < len(tensors):
                        return
                    state["count"] = 0
            fn(grad if mode == "any" else list(found))

        return inner

    return _Handles([x.register_hook(hook(i)) for i, x in enumerate(tensors)])
