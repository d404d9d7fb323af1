"""What recording does beside its usual work in anomaly mode and under saved-tensor hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..autograd.node import FREED, Node, rare_of
from ..tensor import Tensor, wrap

if TYPE_CHECKING:
    from ..autograd.modes import Mode


def record_aside(mode: Mode, node: Node) -> None:
    """Note where the program made the node, and hand what it keeps to the hooks in force."""
    if mode.anomaly:
        import traceback

        rare_of(node).traceback = "".join(traceback.format_stack()[:-4])
    if mode.saved_hooks and node.versions is not None:
        pack, unpack = mode.saved_hooks[-1]
        pack_node(node, pack, unpack)


def pack_node(node: Node, pack: object, unpack: object) -> None:
    """Replace the arrays that the node keeps by what `pack` makes of them; `unpack` gives them back when they are needed."""
    from ..autograd.saved import Packed

    node.saved = Packed.of(node, pack, unpack)
    node.versions = None


__all__ = ["FREED", "Tensor", "np", "pack_node", "record_aside", "wrap"]
