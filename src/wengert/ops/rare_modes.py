"""What recording does beside its usual work in anomaly mode and under saved-tensor hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..autograd.modes import Mode
    from ..autograd.node import Node


def record_aside(mode: Mode, node: Node, owners: Sequence[Any] = ()) -> None:
    """Note where the program made the node, and hand what it keeps to the hooks in force.

    owners: the inputs and outputs of which an operation's node keeps the arrays.
    """
    if mode.anomaly:
        from ..autograd.anomaly import note

        note(node)
    if mode.saved_hooks and node.versions is not None and hasattr(type(node), "operation"):
        from ..autograd.saved import pack_node

        pack_node(node, owners, mode.saved_hooks[-1])
