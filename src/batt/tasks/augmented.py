"""Sets whose tasks are transforms of the tasks of another set, each made on demand."""

from __future__ import annotations

import numpy as np

from batt.errors import DataError, UsageError
from batt.tasks.augment import Augmentation, original
from batt.tasks.model import ID_LIMIT, Task, Tasks
from batt.tasks.rows import Store, StoredRows, columns_of

MOST_TASKS = 10_000_000
"""The most tasks of one set: the ids of all are in memory."""


def augment(tasks: Tasks, asked: Augmentation) -> Tasks:
    """Return a set with all transforms of each task, the task itself first."""
    count = len(tasks) * len(asked)
    if count > MOST_TASKS:
        raise UsageError(f"{tasks.name}{asked} would have {count:,} tasks; at most {MOST_TASKS:,}")
    rows = StoredRows(_Augmented(tasks, asked))
    return Tasks(rows, f"{tasks.source} {asked}", f"{tasks.name}{asked}", tasks.notes)


class _Augmented(Store):
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
