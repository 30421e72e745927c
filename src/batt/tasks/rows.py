"""Sets of tasks that are made on demand: a store makes tasks, rows are some or all tasks of a store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, overload

import numpy as np
import numpy.typing as npt

from batt.tasks.merge import Merging
from batt.tasks.model import Rows, Task, Tasks

Integers: TypeAlias = npt.NDArray[np.int64]


class Store(ABC):
    """Makes tasks by position. Its columns, as those of `Rows`, describe all of them without making any."""

    name: str
    ids: Sequence[str]
    pair_counts: Integers
    cells: Integers

    @abstractmethod
    def task(self, position: int) -> Task:
        """Make the task at `position`."""


class StoredRows(Rows):
    """The tasks at `positions` of a store, by default all."""

    def __init__(self, store: Store, positions: Integers | None = None) -> None:
        self._store = store
        self._positions = np.arange(len(store.ids)) if positions is None else positions

    @property
    def ids(self) -> Sequence[str]:
        """The ids."""
        return [self._store.ids[position] for position in self._positions.tolist()]

    @property
    def pair_counts(self) -> Integers:
        """int64[task, 2]: the number of train and test pairs of each task."""
        return self._store.pair_counts[self._positions]

    @property
    def cells(self) -> Integers:
        """int64[task]: the number of cells in all grids of each task."""
        return self._store.cells[self._positions]

    def at(self, positions: Sequence[int]) -> StoredRows:
        """Return the tasks at `positions`, in that order."""
        return StoredRows(self._store, self._positions[np.array(positions, np.int64)])

    def __len__(self) -> int:
        return len(self._positions)

    @overload
    def __getitem__(self, key: int) -> Task: ...
    @overload
    def __getitem__(self, key: slice) -> StoredRows: ...
    def __getitem__(self, key: int | slice) -> Task | StoredRows:
        if isinstance(key, slice):
            return StoredRows(self._store, self._positions[key])
        return self._store.task(int(self._positions[key]))

    def __iter__(self) -> Iterator[Task]:
        return map(self._store.task, self._positions.tolist())

    def __repr__(self) -> str:
        return f"<StoredRows {self._store.name} | {len(self):,} tasks>"


def columns_of(tasks: Tasks) -> tuple[Integers, Integers]:
    """Return the pair counts and the cells of a set, as `Rows` has them."""
    rows = tasks.tasks
    if isinstance(rows, Rows):
        return rows.pair_counts, rows.cells
    counts = [(len(task.train), len(task.test)) for task in rows]
    return np.array(counts, np.int64).reshape(-1, 2), np.array([cell_count(task) for task in rows], np.int64)


def cell_count(task: Task) -> int:
    """Return the number of cells in all grids of a task."""
    grids = [grid for pair in task.pairs for grid in (pair.input, pair.output) if grid]
    return sum([len(grid) * len(grid[0]) for grid in grids])


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
        self.cells = cells[self._numbers]
        self.pair_counts = np.concatenate([counts for counts, _ in columns])[self._numbers]

    def task(self, position: int) -> Task:
        """Make the task at `position`."""
        return replace(self._merging.task(int(self._numbers[position])), id=self.ids[position])
