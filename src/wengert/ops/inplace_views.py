"""In-place forms of the operations that only change the shape: the tensor becomes a view of what it was."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor, View, alias, edge_of, extra_of, rebind, register_view
from . import axes, shape, strided
from .inplace import check_writable, written


class Reshaped(View):
    """Of a tensor that had views when it was reshaped: to the graph it is a view of what it was, to the user still none."""

    __slots__ = ()


def _in_place(name: str, make: Any) -> None:
    def call(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        check_writable(self, memory=False)
        before = _root(self)
        made = make(before if before is not None else self, *args, **kwargs)
        edge = made._edge
        written(self)
        if edge is not None:
            edge.__class__ = _renamed(type(edge))
            self._array = made._array
            self._edge = edge
        else:  # there is no history, or none is recorded now: then it stays as it was
            rebind(self, made._array)
        whence = self._extra.view if self._extra is not None else None
        if before is not None or whence is not None:
            view = made._extra.view
            extra_of(self).view = view if before is None else Reshaped(view.base, view.chain, view.made)
            if before is not None:
                register_view(self)
        if made._extra is not None and made._extra.tangents:
            from .forward_mode import set_tangent

            for level, tangent in made._extra.tangents.items():
                set_tangent(self, level, tangent)
        return self

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`{name[:-1]}`, in place."
    setattr(Tensor, name, call)


def _root(x: Tensor) -> Tensor | None:
    """For a tensor that has views, one that takes its place as their base, of the shape that they know it in."""
    if x._extra is not None and x._extra.view is not None:
        return None
    views = [
        v for v in (r() for r in x._cell[1:]) if v is not None and v._extra is not None and v._extra.view is not None
    ]
    views = [v for v in views if v._extra.view.base is x]
    if not views:
        return None
    root = alias(x._array, x._cell, edge_of(x))
    for v in views:
        view = v._extra.view
        v._extra.view = View(root, view.chain, view.made)
    return root


_renamed_types: dict[Any, Any] = {}

# which number PyTorch gives the in-place form: `TBackward1` for `t_`
_NUMBERS = {
    "TBackward0": "TBackward1", "TransposeBackward0": "TransposeBackward1", "UnsqueezeBackward0": "UnsqueezeBackward1",
    "SqueezeBackward0": "SqueezeBackward3", "SqueezeBackward1": "SqueezeBackward4", "SqueezeBackward2": "SqueezeBackward5",
    "AsStridedBackward0": "AsStridedBackward1",
}  # fmt: skip


def _renamed(kind: Any) -> Any:
    """The node type under the name of the in-place form."""
    name = _NUMBERS.get(kind.__name__)
    if name is None:
        return kind
    made = _renamed_types.get(kind)
    if made is None:
        made = _renamed_types[kind] = type(name, (kind,), {"__slots__": (), "__module__": kind.__module__})
    return made


for _form in (shape.squeeze, shape.unsqueeze, axes.transpose, axes.t, strided.as_strided):
    _in_place(_form.__name__ + "_", _form)
Tensor.swapaxes_ = Tensor.swapdims_ = Tensor.transpose_  # type: ignore[attr-defined]
