"""`Owned`: something that native code or a device hands out, and that is given back exactly once."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any


class Owned:
    """Something that `give_back` gives back: when it is closed, or when nothing refers to `owner` any more.

    `owner` is by default the object itself.
    """

    def __init__(self, give_back: Callable[[], object], owner: Any = None) -> None:
        self._give_back = weakref.finalize(self if owner is None else owner, give_back)
        # At exit a thread may still use it, and the system or the driver takes everything back anyway.
        self._give_back.atexit = False

    @property
    def closed(self) -> bool:
        """Tell whether it is given back."""
        return not self._give_back.alive

    def close(self) -> None:
        """Give it back; nothing may be using it."""
        self._give_back()
