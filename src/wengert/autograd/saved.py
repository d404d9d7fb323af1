"""What a node keeps while saved-tensor hooks are in force: whatever the hooks made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..tensor import wrap

if TYPE_CHECKING:
    from collections.abc import Callable


class Packed:
    """A node's kept values with its arrays packed by a hook, and the hook that unpacks them."""

    __slots__ = ("cells", "places", "unpack", "values")

    def __init__(self, values: tuple[Any, ...], versions: tuple[Any, ...], pack: Callable[..., Any], unpack: Any) -> None:
        self.unpack = unpack
        self.values = list(values)
        self.places = [i for i, v in enumerate(values) if isinstance(v, np.ndarray)][: len(versions) // 2]
        self.cells = versions[::2]
        for i, cell in zip(self.places, self.cells, strict=True):
            x = wrap(values[i])
            x._cell = cell
            self.values[i] = pack(x)

    def unpacked(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The kept values, and a version for each array that cannot be out of date."""
        values = list(self.values)
        versions: list[Any] = []
        for i in self.places:
            values[i] = self.unpack(values[i])._array
            versions += ([0], 0)
        return tuple(values), tuple(versions)
