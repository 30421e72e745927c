"""Outcomes of earlier runs, by the content of program and sample, so that a run computes only what is new."""

from batt.cache.database import CacheFigures, Unusable, cache_file
from batt.cache.reuse import ResultCache, Reuse

__all__ = ["CacheFigures", "ResultCache", "Reuse", "Unusable", "cache_file"]
