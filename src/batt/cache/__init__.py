"""Outcomes of earlier runs, by the content of program and sample, so that a run computes only what is new."""

from typing import TYPE_CHECKING

from batt.importing import on_first_use

if TYPE_CHECKING:
    from batt.cache.database import CacheFigures, Unusable, cache_file
    from batt.cache.reuse import ResultCache, Reuse

__all__ = ["MOST_BYTES", "CacheFigures", "ResultCache", "Reuse", "Unusable", "cache_file"]

MOST_BYTES = 1 << 30
"""The most bytes of the file, unless it is opened with another size."""

__getattr__ = on_first_use(
    __name__,
    {
        **dict.fromkeys(("CacheFigures", "Unusable", "cache_file"), "batt.cache.database"),
        **dict.fromkeys(("ResultCache", "Reuse"), "batt.cache.reuse"),
    },
)
