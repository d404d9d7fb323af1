"""The handle by which a hook is taken away again."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

_next_id = itertools.count().__next__


class Handle:
    """Returned where a hook is registered; `remove()` takes the hook away. Also a context manager that does so at its end."""

    __slots__ = ("hooks", "id")

    def __init__(self, hooks: MutableMapping[int, Callable[..., Any]], hook: Callable[..., Any]) -> None:
        self.hooks = hooks
        self.id = _next_id()
        hooks[self.id] = hook

    def remove(self) -> None:
        """Take the hook away; doing so twice does no harm."""
        self.hooks.pop(self.id, None)

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()
