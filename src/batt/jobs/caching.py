"""Open the cache of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batt.cache import ResultCache


def opened(cache: ResultCache | bool) -> ResultCache | None:
    """Return the cache of a run: the user's, the one that is given, or none."""
    if cache is not True:
        return cache or None
    # Importing SQLite takes a while, and only a cache needs it.
    from batt.cache import ResultCache

    return ResultCache()
