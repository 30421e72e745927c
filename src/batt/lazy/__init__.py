"""The words of a batch, lazy: `batch_NAME` for every op records what is to be done for all samples at once.

>>> from batt.dsl import T, F, size
>>> grids = [((0, 1), (1, 1)), ((2, 0), (0, 2))]
>>> largest = batch_argmax(batch_objects(grids, T, F, T), size)
>>> [len(each) for each in largest]
[3, 1]

The engine runs when a value is looked at: an index, a loop, a truth value, an array. Then it runs once, for all columns
that are still referred to. Where a sample's value cannot be made there is a `Failed` in its place, and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from batt.jobs.values import Failed
from batt.lazy.columns import Column, columns
from batt.lazy.functions import BatchFunction, batch_function
from batt.lazy.running import Batch
from batt.lazy.words import WORDS, Word, batch_after, batch_call, batch_each, batch_tuple

__all__ = [
    "WORDS",
    "Batch",
    "BatchFunction",
    "Column",
    "Failed",
    "Word",
    "batch_after",
    "batch_call",
    "batch_each",
    "batch_function",
    "batch_tuple",
    "columns",
]
__all__ += sorted(WORDS)

globals().update(WORDS)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Word:
        """Every `batch_NAME` is a word, made at run time from the table of ops."""
