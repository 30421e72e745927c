"""Sets of tasks that are made on demand, as transforms of other tasks, or from several sets.

A store makes tasks; rows are some or all tasks of a store.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, overload

import numpy as np
import numpy.typing as npt

from batt.errors import DataError, UsageError
from batt.tasks.augment import Augmentation, original
from batt.tasks.merge import Merging
from batt.tasks.model import ID_LIMIT, Task, Tasks

MOST_TASKS = 10_000_000
"""The most tasks of an augmented set: the ids of all are in memory."""

Integers: TypeAlias = npt.NDArray[np.int64]


class Store(ABC):
    """Makes tasks by position. Its columns describe all of them without making any.

    `pair_counts` is int64[task, 2], the train and test pairs of each task; `cells` is int64[task], the cells of its
    grids.
    """

    name: str
    ids: Sequence[str]
    pair_counts: Integers
    cells: Integers

    @abstractmethod
    def task(self, position: int) -> Task:
        """Make the task at `position`."""


class Rows(Sequence[Task]):
    """The tasks at `positions` of a store, by default all, each made on demand."""

    def __init__(self, store: Store, positions: Integers | None = None) -> None:
        self._store = store
        self._positions = np.arange(len(store.ids)) if positions is None else positions

    @property
    def ids(self) -> Sequence[str]:
        """Return the ids of the tasks."""
        return [self._store.ids[position] for position in self._positions.tolist()]

    @property
    def pair_counts(self) -> Integers:
        """Return the number of train and test pairs of each task: int64[task, 2]."""
        return self._store.pair_counts[self._positions]

    @property
    def cells(self) -> Integers:
        """Return the number of cells in all grids of each task: int64[task]."""
        return self._store.cells[self._positions]

    def at(self, positions: Sequence[int]) -> Rows:
        """Return the tasks at `positions`, in that order."""
        return Rows(self._store, self._positions[np.array(positions, np.int64)])

    def __len__(self) -> int:
        return len(self._positions)

    @overload
    def __getitem__(self, key: int) -> Task: ...
    @overload
    def __getitem__(self, key: slice) -> Rows: ...
    def __getitem__(self, key: int | slice) -> Task | Rows:
        if isinstance(key, slice):
            return Rows(self._store, self._positions[key])
        return self._store.task(int(self._positions[key]))

    def __iter__(self) -> Iterator[Task]:
        return map(self._store.task, self._positions.tolist())

    def __repr__(self) -> str:
        return f"<Rows {self._store.name} | {len(self):,} tasks>"


def columns_of(tasks: Tasks) -> tuple[Integers, Integers]:
    """Return the pair counts and the cells of a set, as a store has them."""
    rows = tasks.tasks
    if not isinstance(rows, tuple):
        return rows.pair_counts, rows.cells
    counts = [(len(task.train), len(task.test)) for task in rows]
    return np.array(counts, np.int64).reshape(-1, 2), np.array([cell_count(task) for task in rows], np.int64)


def cell_count(task: Task) -> int:
    """Return the number of cells in all grids of a task."""
    grids = [grid for pair in task.pairs for grid in (pair.input, pair.output) if grid]
    return sum([len(grid) * len(grid[0]) for grid in grids])


def merged_rows(merging: Merging, numbers: Mapping[str, int]) -> Rows:
    """Return the tasks `numbers` under their names, each made on demand."""
    return Rows(MergedTasks(merging, numbers))


class MergedTasks(Store):
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


def augment(tasks: Tasks, asked: Augmentation) -> Tasks:
    """Return a set with all transforms of each task, the task itself first."""
    count = len(tasks) * len(asked)
    if count > MOST_TASKS:
        raise UsageError(f"{tasks.name}{asked} would have {count:,} tasks; at most {MOST_TASKS:,}")
    rows = Rows(AugmentedTasks(tasks, asked))
    return Tasks(rows, f"{tasks.source} {asked}", f"{tasks.name}{asked}", tasks.notes)


class AugmentedTasks(Store):
    """Transforms of tasks. The ids name the transforms; nothing else is stored."""

    def __init__(self, tasks: Tasks, asked: Augmentation) -> None:
        self.name = f"{tasks.name}{asked}"
        self.ids = [f"{name}{transform}" for name in tasks.ids for transform in asked.of(name)]
        long = next((name for name in self.ids if len(name) > ID_LIMIT), None)
        if long is not None:
            raise DataError(f"task {long[:ID_LIMIT]}…: with its transform the id is longer than {ID_LIMIT} characters")
        self._tasks = tasks
        self._each = len(asked)
        self.pair_counts, self.cells = [np.repeat(each, self._each, axis=0) for each in columns_of(tasks)]

    def task(self, position: int) -> Task:
        """Make the task at `position`."""
        task = self._tasks[position // self._each]
        # The id of the task may itself end like that of a transform; only the text after it counts.
        _, transform = original("-" + self.ids[position][len(task.id) :])
        return transform.task(task)
