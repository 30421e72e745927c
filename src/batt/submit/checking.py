"""Check whether a submission is valid, and score it where test outputs are known."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batt.errors import DataError
from batt.submit.attempts import ATTEMPTS
from batt.tasks import Task, Tasks
from batt.tasks.files import read_object, shown, shown_name
from batt.tasks.model import counted
from batt.tasks.read import SIDE_LIMIT, Problems, read_grid, repeated, shown_id
from batt.types.kinds import Grid

KEYS = tuple([f"attempt_{number}" for number in range(1, ATTEMPTS + 1)])

CELL_BYTES = 64
"""The most bytes of a cell, if every cell has a line of its own."""
HEAD_BYTES = 1 << 20


class Findings(Problems):
    """The mistakes in a submission."""

    SHOWN = 200


@dataclass(frozen=True, slots=True)
class SubmissionScore:
    """Counts of test outputs that are right, of those that are known, and of tasks that have all of them right."""

    outputs_right: int = 0
    outputs: int = 0
    tasks_right: int = 0
    tasks: int = 0

    @property
    def share(self) -> float | None:
        """Return Kaggle's score: the share of test outputs for which an attempt is right; None if none is known."""
        return self.outputs_right / self.outputs if self.outputs else None


@dataclass(frozen=True, slots=True)
class Checked:
    """A submission that was read: what is wrong with it, a line each, and its score if nothing is.

    `is_in_order` tells whether its ids are in the order of the tasks; Kaggle does not ask for that.
    """

    findings: tuple[str, ...]
    is_in_order: bool
    score: SubmissionScore


def check_submission(path: Path, tasks: Tasks) -> Checked:
    """Check a submission for these tasks. Raise DataError for a file that is too large, or not a JSON object."""
    name = shown_name(path)
    _check_size(path, name, tasks)
    _, value = read_object(path)
    found = Findings()
    for twice in repeated(value):
        found.add(name, f"task {shown_id(twice)}", "appears twice")
    known = {*tasks.ids}
    for extra in [each for each in value if each not in known]:
        found.add(name, f"task {shown_id(extra)}", "is not one of the tasks")
    score = SubmissionScore()
    for task in tasks:
        if task.id not in value:
            found.add(name, f"task {task.id}", "missing")
            continue
        answers = _read_answers(value[task.id], task, (name, f"task {task.id}"), found)
        score = _added(score, task, answers)
    in_order = [each for each in value if each in known] == [each for each in tasks.ids if each in value]
    return Checked(found.told(), in_order, SubmissionScore() if found.count else score)


def _check_size(path: Path, name: str, tasks: Tasks) -> None:
    """Refuse a file that is larger than any submission for these tasks, before it is read."""
    limit = HEAD_BYTES + sum([len(task.test) for task in tasks]) * ATTEMPTS * SIDE_LIMIT**2 * CELL_BYTES
    with suppress(OSError):  # told when it is read
        size = path.stat().st_size
        if size > limit:
            raise DataError(f"{name}: {size:,} bytes are too large; a submission for these tasks has at most {limit:,}")


def _read_answers(value: Any, task: Task, where: tuple[str, ...], found: Findings) -> list[list[Grid]]:
    """Return the attempts for each test input."""
    if not isinstance(value, list):
        found.add(*where, f"expected a list with an object for each test input, got {shown(value)}")
        return []
    if len(value) != len(task.test):
        found.add(*where, f"{counted(len(value), 'answer')} for {counted(len(task.test), 'test input')}")
        return []
    return [_read_attempts(each, (*where, f"test input {at}"), found) for at, each in enumerate(value)]


def _read_attempts(value: Any, where: tuple[str, ...], found: Findings) -> list[Grid]:
    if not isinstance(value, dict):
        found.add(*where, f"expected an object with {' and '.join(KEYS)}, got {shown(value)}")
        return []
    for twice in repeated(value):
        found.add(*where, f"key {shown(twice)} appears twice")
    for extra in [each for each in value if each not in KEYS]:
        found.add(*where, f"key {shown(extra)} is unknown")
    grids = []
    for key in KEYS:
        if key not in value:
            found.add(*where, f"{key} is missing")
        else:
            grids.append(read_grid(value[key], (*where, key), found))
    return [grid for grid in grids if grid is not None]


def _added(score: SubmissionScore, task: Task, answers: list[list[Grid]]) -> SubmissionScore:
    """Return the score with a task, as far as its test outputs are known."""
    known = [(pair.output, grids) for pair, grids in zip(task.test, answers, strict=False) if pair.output is not None]
    right = sum([output in grids for output, grids in known])
    is_known = bool(known) and len(known) == len(task.test)
    return SubmissionScore(
        score.outputs_right + right,
        score.outputs + len(known),
        score.tasks_right + (is_known and right == len(known)),
        score.tasks + is_known,
    )
