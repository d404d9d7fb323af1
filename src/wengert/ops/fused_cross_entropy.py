"""The cross-entropy of a few classes in one piece: what most training loops end with.

PyTorch's graph has two nodes for it, NllLossBackward0 over LogSoftmaxBackward0, and so has this one for whoever looks.
But as long as nobody does, there is one node: its backward pass is the softmax less 1 at the targets, in a third of the
array operations. `next_functions` and hooks on the node make it the two nodes that it stands for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.modes import DEFAULT, get_mode
from ..autograd.node import FREED, OneEdge, next_sequence
from ..tensor import Tensor, wrap
from .adding import F32, F64, ONES
from .namespace import tensors as tensors_namespace

_new: Any = object.__new__
_largest: Any = np.maximum.reduce
_INT64 = np.dtype(np.int64)
_UINT64 = np.dtype(np.uint64)
_CLASSES = 32  # beyond, NumPy goes through a row at its best speed, and nothing is gained
_ROWS = 4096
_numbers = np.arange(_ROWS)


class NllLossBackward0(OneEdge):
    """The node of the loss.

    saved  what the node of `nll_loss` keeps; then, until the node is parted in two, the scores less their row's largest,
           their exponentials, the sums of these (all with the classes first), and the places of the targets
    """

    __slots__ = ("inner",)
    __module__ = "torch.autograd.graph"
    operation: Any  # that of `nll_loss`, set where it is declared
    soft: Any  # that of `log_softmax`
    inner: Any

    def pull(self, t: Any) -> tuple[Any, ...]:
        saved = self.saved
        if self.inner is not None:
            return (self.operation.pull_values(_arrays(), t, (self.edge,), saved)[0],)
        _, e, total, places = saved[7:]
        g = e / total
        g.put(places, g.take(places) - 1)
        g *= t / g.shape[1] if saved[5] == "mean" else t
        return (g.T.copy(),)

    def pull_tensors(self, t: Any) -> tuple[Any, ...]:
        if self.inner is not None:
            return self.operation.pull_values(tensors_namespace, t, (self.edge,), self.operation.rewrap(self))
        below = self._below()
        first = self.operation.pull_values(tensors_namespace, t, (below,), self.operation.rewrap(self))
        return self.soft.pull_values(tensors_namespace, first[0], (self.edge,), self.soft.rewrap(below))

    def pull_some(self, t: Any, edges: tuple[Any, ...], tensors: bool) -> tuple[Any, ...]:
        return (None,) if edges[0] is None else self.pull_tensors(t) if tensors else self.pull(t)

    def _below(self) -> Any:
        """The node of the `log_softmax` that this one stands for."""
        node = _new(self.soft.node_type)
        node.edge = self.edge
        node.sequence = self.sequence - 1
        node.adjust = node.versions = None
        if self.saved is FREED:
            node.saved = FREED
            return node
        shifted, _, total, _ = self.saved[7:]
        out = (shifted - np.log(total)).T.copy()
        node.saved = (None, out, None, 1)
        node.versions = ([0], 0)
        return node

    def part(self) -> None:
        """Become the upper of the two nodes."""
        if self.inner is None:
            self.edge = self.inner = self._below()
            if self.saved is not FREED:
                self.saved = self.saved[:7]

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        self.part()
        return ((self.edge, 0),)

    def register_hook(self, fn: Any) -> Any:
        self.part()
        return super().register_hook(fn)


def _arrays() -> Any:
    from .namespace import arrays

    return arrays


def fused_cross_entropy(input: Tensor, target: Tensor, reduction: str, ignore_index: int) -> Tensor | None:
    """The loss of an (N, C) tensor of scores and N target classes; None where this is not the way to compute it."""
    a, classes = input._array, target._array
    mode = get_mode()
    d = a.dtype
    if (d is not F32 and d is not F64) or not mode.plain or classes.dtype is not _INT64 or ignore_index >= 0:
        return None
    n, c = a.shape
    if not 1 < n <= _ROWS or not 0 < c <= _CLASSES or classes.shape != (n,):
        return None
    unsigned = classes.view(_UINT64)  # whose greatest is out of bounds if any target is negative too
    if unsigned.item(unsigned.argmax()) >= c:
        return None
    places = classes * n
    places += _numbers[:n]
    ones = ONES[d]
    try:
        shifted = a.T.copy()
        shifted -= _largest(shifted, 0)
        e = np.exp(shifted)
        total = ones[c].dot(e)
        each = np.log(total)
        each -= shifted.take(places)
        loss = each.dot(ones[n]) if n in ones else np.add.reduce(each)
    except RuntimeWarning:  # made an error by the program's filters; the operations compute where NumPy is silent
        return None
    result = wrap(np.array(loss / n if reduction == "mean" else loss))
    edge = input._edge
    if edge is None or mode is not DEFAULT:
        return result
    result._edge = node = _new(NllLossBackward0)
    node.edge = edge
    next_sequence()  # that of the node below
    node.sequence = next_sequence()
    node.adjust = node.inner = None
    cell = target._cell
    node.versions = (cell, cell[0])
    node.saved = (None, classes, None, a.shape, None, reduction, ignore_index, shifted, e, total, places)
    return result
