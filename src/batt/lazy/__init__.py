"""`batch_NAME` for every op: record calls for all samples at once, and run them when a value is read.

>>> from batt.dsl import T, F, size
>>> grids = [((0, 1), (1, 1)), ((2, 0), (0, 2))]
>>> largest = batch_argmax(batch_objects(grids, T, F, T), size)
>>> [len(each) for each in largest]
[3, 1]

The engine runs when a value is read: an index, a loop, a truth value, an array. It runs once, for all columns that are
still referenced. A sample without a value has a `Failed` in its place; other samples are not affected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from batt.jobs.values import Failed
from batt.lazy.columns import Batch, Column, columns
from batt.lazy.words import (
    WORDS,
    BatchFunction,
    Word,
    batch_after,
    batch_call,
    batch_each,
    batch_function,
    batch_tuple,
)

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
        """Return a word: every `batch_NAME` is made at run time from the table of ops."""
