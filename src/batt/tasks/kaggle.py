"""Kaggle's files: challenges hold the inputs of tests, solutions beside them hold the outputs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from batt.errors import UsageError
from batt.tasks.files import shown, shown_name
from batt.tasks.model import Pair, Task, counted
from batt.tasks.read import Problems, read_grid, repeated, shown_id

CHALLENGES, SOLUTIONS, SUBMISSION = "_challenges.json", "_solutions.json", "sample_submission.json"


def challenges_in(folder: str, files: list[Path]) -> Path | None:
    """Return the one file of challenges in a folder, or None."""
    found = [shown_name(file) for file in files if file.name.endswith(CHALLENGES)]
    others = [shown_name(file) for file in files if not file.name.endswith((CHALLENGES, SOLUTIONS, SUBMISSION))]
    if len(found) > 1:
        raise UsageError(f"folder {folder} holds several sets of tasks, name one of them: {', '.join(found)}")
    if found and others:
        raise UsageError(f"folder {folder} holds both {found[0]} and {others[0]}, name the file that is meant")
    return next((file for file in files if file.name.endswith(CHALLENGES)), None)


def solutions_beside(path: Path) -> Path | None:
    """Return the solutions of a file of challenges, or None if there are none or the file is another."""
    if path.name.endswith(SOLUTIONS):
        raise UsageError(f"{shown_name(path)} holds answers only, name the file that ends in {CHALLENGES}")
    if not path.name.endswith(CHALLENGES):
        return None
    beside = path.with_name(path.name.removesuffix(CHALLENGES) + SOLUTIONS)
    return beside if os.path.lexists(beside) else None


def join(
    tasks: tuple[Task, ...], challenges: str, solutions: dict[str, Any], file: str, problems: Problems
) -> tuple[Task, ...]:
    """Add the outputs of the tests to `tasks`. Each task must have a solution, and each solution a task."""
    for name in repeated(solutions):
        problems.add(file, f"task {shown_id(name)}", "appears twice")
    for name in sorted(solutions.keys() - {task.id for task in tasks}):
        problems.add(file, f"task {shown_id(name)}", f"not in {challenges}")
    return tuple(_solve(task, solutions, (file, f"task {task.id}"), problems) for task in tasks)


def _solve(task: Task, solutions: dict[str, Any], where: tuple[str, ...], problems: Problems) -> Task:
    outputs = solutions.get(task.id)
    if task.id not in solutions:
        problems.add(*where, "missing")
    elif not isinstance(outputs, list):
        problems.add(*where, f"expected a list of grids, got {shown(outputs)}")
    elif len(outputs) != len(task.test):
        problems.add(*where, f"{counted(len(outputs), 'output')} for {counted(len(task.test), 'test pair')}")
    else:
        places = [(*where, f"test pair {at}", "output") for at in range(len(outputs))]
        test = [_answer(*each, problems) for each in zip(task.test, outputs, places, strict=True)]
        return Task(task.id, task.train, tuple(test))
    return task


def _answer(pair: Pair, output: Any, where: tuple[str, ...], problems: Problems) -> Pair:
    grid = read_grid(output, where, problems)
    if grid is not None and pair.output is not None and grid != pair.output:
        problems.add(*where, "differs from the output that the task has already")
    return Pair(pair.input, grid)
