"""What recording does beside its usual work in anomaly mode and under saved-tensor hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..autograd.node import Node, rare_of

if TYPE_CHECKING:
    from ..autograd.modes import Mode


def record_aside(mode: Mode, node: Node) -> None:
    """Note where the program made the node, and hand what it keeps to the hooks in force."""
    if mode.anomaly:
        import traceback

        rare_of(node).traceback = "".join(traceback.format_stack()[:-4])
    if mode.saved_hooks and node.versions is not None and type(node.saved) is tuple:
        from ..autograd.saved import Packed

        pack, unpack = mode.saved_hooks[-1]
        rare_of(node).packed = Packed(node.saved, node.versions, pack, unpack)
        node.saved = node.versions = None
