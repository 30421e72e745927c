"""Tasks whose answers are known, and the attempts that are chosen for them."""

from __future__ import annotations

from dataclasses import replace

import batt
from batt.jobs import evaluate
from batt.tasks import Pair, Tasks, TaskSource, load_tasks
from handmade import deck, pairs

FLIP = {
    "flip": {
        "train": pairs(([[1, 2]], [[2, 1]]), ([[3, 4], [5, 6]], [[4, 3], [6, 5]])),
        "test": pairs(([[7, 8, 9]], [[9, 8, 7]]), ([[1, 0]], None)),
    }
}
"""A task for a mirror. One test output is unknown."""


def chosen(solvers: dict[str, tuple[str, ...]], tasks: TaskSource = FLIP) -> list[list[object]]:
    """The attempts for each test input of the only task."""
    results = evaluate(deck(**solvers), load_tasks(tasks), workers=1)
    (tests,) = batt.submission(results).values()
    return [[each["attempt_1"], each["attempt_2"]] for each in tests]


def with_other_answers(tasks: Tasks) -> Tasks:
    """The same tasks with test outputs that nobody would give, or none."""
    changed = [
        replace(task, test=tuple([Pair(pair.input, ((at % 10,),) if at % 3 else None) for pair in task.test]))
        for at, task in enumerate(tasks)
    ]
    return Tasks(tuple(changed), "changed")
