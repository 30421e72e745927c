"""Every new word by its name: `from batt.words import *`."""

from __future__ import annotations

from typing import Any

from batt.ops import NEW_WORDS

__all__ = sorted(NEW_WORDS)

globals().update(NEW_WORDS)


def __getattr__(name: str) -> Any:
    # Reached only for unknown names. Its presence tells type checkers that names are made at run time.
    raise AttributeError(f"{name!r} is no new word")
