"""Merged sets whose tasks are made on demand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from batt.tasks.merge import Merging
from batt.tasks.model import Task
from batt.tasks.rows import Integers, Store, StoredRows, cell_count, columns_of


def merged_rows(merging: Merging, numbers: Mapping[str, int]) -> StoredRows:
    """Return the tasks `numbers` under their names, each made on demand."""
    return StoredRows(_Merged(merging, numbers))


class _Merged(Store):
    """The tasks of several sets."""

    def __init__(self, merging: Merging, numbers: Mapping[str, int]) -> None:
        self.name = "+".join([each.name for each in merging.sets])
        self.ids = list(numbers)
        self._merging = merging
        self._numbers = np.fromiter(numbers.values(), np.int64, len(numbers))
        columns = [columns_of(each) for each in merging.sets]
        cells = np.concatenate([cells for _, cells in columns])
        for number in merging.joined:
            cells[number] = cell_count(merging.task(number))
        self._cells = cells[self._numbers]
        self._pair_counts = np.concatenate([counts for counts, _ in columns])[self._numbers]

    @property
    def pair_counts(self) -> Integers:
        """int64[task, 2]: the number of train and test pairs of each task."""
        return self._pair_counts

    @property
    def cells(self) -> Integers:
        """int64[task]: the number of cells in all grids of each task."""
        return self._cells

    def task(self, position: int) -> Task:
        """Make the task at `position`."""
        return replace(self._merging.task(int(self._numbers[position])), id=self.ids[position])
