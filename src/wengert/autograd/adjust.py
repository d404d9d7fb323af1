"""Adjust: how gradients are brought to the shapes and dtypes of a node's inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes

if TYPE_CHECKING:
    from collections.abc import Callable


class Adjust:
    """How a node's gradients are brought to the shape and dtype of its inputs: the one place where broadcasting is undone.

    shapes    for each edge the input's shape, or None where no broadcasting took place
    dtypes    for each edge the input's NumPy dtype, or None where the gradient has it already
    conjugate whether the operation is holomorphic and its values complex: the rule is then the transpose, and the gradient
              (by PyTorch's convention the conjugate of the Wirtinger derivative) comes of conjugating before and after
    rare      None, or hooks and other things that few nodes have (`node.Rare`): here, so that most nodes, which need nothing
              done around their pull, have one slot for all of it
    """

    __slots__ = ("conjugate", "dtypes", "rare", "shapes")

    def __init__(
        self, shapes: tuple[Any, ...] | None = None, dtypes: tuple[Any, ...] | None = None, conjugate: bool = False
    ) -> None:
        self.shapes = shapes
        self.dtypes = dtypes
        self.conjugate = conjugate
        self.rare: Any = None

    def arrays(self, pull: Callable[[Any], tuple[Any, ...]], t: Any) -> tuple[Any, ...]:
        """`pull(t)` on arrays, adjusted."""
        if not self.conjugate:
            grads = pull(t)
        else:
            t = tuple(None if g is None else np.conjugate(g) for g in t) if type(t) is tuple else np.conjugate(t)
            grads = tuple(None if g is None else np.conjugate(g) for g in pull(t))
        shapes, dtypes = self.shapes, self.dtypes
        if shapes is not None:
            if len(shapes) == 2:  # nearly always: written out
                a, b = grads
                m, n = shapes
                if a is not None and m is not None and a.shape != m:
                    a = sum_to(a, m)
                if b is not None and n is not None and b.shape != n:
                    b = sum_to(b, n)
                grads = (a, b)
            else:
                grads = tuple(
                    sum_to(g, shape) if shape is not None and g is not None and g.shape != shape else g
                    for g, shape in zip(grads, shapes, strict=True)
                )
        if dtypes is not None:
            grads = tuple(
                cast(g, d) if d is not None and g is not None and g.dtype is not d else g
                for g, d in zip(grads, dtypes, strict=True)
            )
        return grads

    def tensors(self, pull: Callable[[Any], tuple[Any, ...]], t: Any) -> tuple[Any, ...]:
        """`pull(t)` on tensors, adjusted."""
        if not self.conjugate:
            grads = pull(t)
        else:
            t = tuple(None if g is None else g.conj() for g in t) if type(t) is tuple else t.conj()
            grads = tuple(None if g is None else g.conj() for g in pull(t))
        out = list(grads)
        for i, g in enumerate(out):
            if g is None:
                continue
            if self.shapes is not None and self.shapes[i] is not None and g.shape != self.shapes[i]:
                g = g.sum_to_size(self.shapes[i])
            if self.dtypes is not None and self.dtypes[i] is not None:
                g = cast_tensor(g, self.dtypes[i])
            out[i] = g
        return tuple(out)


_F32 = np.dtype(np.float32)
_F64 = np.dtype(np.float64)
_ones: dict[Any, Any] = {}


def sum_to(t: Any, shape: tuple[int, ...]) -> Any:
    """The sum of `t` over the dimensions along which an array of this shape was broadcast."""
    if t.ndim == 2 and shape == t.shape[1:] and len(t) <= 4096 and (t.dtype is _F32 or t.dtype is _F64):
        ones = _ones.get((len(t), t.dtype))
        if ones is None:
            ones = _ones[len(t), t.dtype] = np.ones(len(t), t.dtype)
        return ones.dot(t)  # a bias: in a third of the time of np.add.reduce
    extra = t.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(i + extra for i, n in enumerate(shape) if n == 1 and t.shape[i + extra] != 1)
    if axes:
        t = np.add.reduce(t, axes, np.int64 if t.dtype.kind in "bu" else None, keepdims=True)
    return t.reshape(shape)


def cast(t: Any, d: np.dtype[Any]) -> Any:
    """`t` as an array of the NumPy dtype `d`; of a complex gradient for a real input, the real part."""
    if t.dtype.kind == "c" and d.kind != "c":
        t = t.real
    return t.astype(d)


def cast_tensor(t: Any, d: np.dtype[Any]) -> Any:
    """The same of a tensor, recorded; `t` itself if it is of the dtype."""
    have = t._array.dtype
    if have is d:
        return t
    return (t.real if have.kind == "c" and d.kind != "c" else t).to(dtypes.of(d))
