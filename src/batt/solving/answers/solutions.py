"""Solutions: the answers for tasks, each with its program, how it was found and how sure it is."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from batt.draw import Picture
from batt.errors import UsageError
from batt.files import write_text
from batt.front import Deck
from batt.solving.answers.choosing import AnswerEvidence
from batt.solving.answers.naming import named_sources
from batt.solving.answers.pictures import task_picture, wall_scene
from batt.solving.candidates import Layer
from batt.tasks import Task, Tasks
from batt.types.kinds import Grid

ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class Answer:
    """An output for a test input: the source of its program, the layer that found it, how sure it is, and why."""

    grid: Grid
    source: str
    layer: Layer
    sure: float
    why: str

    def as_json(self) -> dict[str, Any]:
        """Return the answer for JSON."""
        rows = [list(row) for row in self.grid]
        return {"grid": rows, "source": self.source, "layer": self.layer.name, "sure": self.sure, "why": self.why}

    @classmethod
    def from_json(cls, read: dict[str, Any]) -> Answer:
        """Read an answer from JSON."""
        grid = tuple([tuple(row) for row in read["grid"]])
        return cls(grid, read["source"], Layer[read["layer"]], read["sure"], read["why"])


@dataclass(frozen=True, slots=True)
class TaskSolution:
    """At most two answers for each test input of a task, and the work that was done.

    `dropped` counts programs that did not reproduce their answer. `was_stopped` tells whether the clock ended it.
    `cpu_s` is the CPU time, `evidence` has all outputs that were found for each test input, and what speaks for each.
    """

    task: str
    answers: tuple[tuple[Answer, ...], ...]
    work: int = 0
    dropped: int = 0
    was_stopped: bool = False
    cpu_s: float = field(default=0.0, compare=False)
    evidence: tuple[tuple[tuple[Grid, AnswerEvidence], ...], ...] = field(default=(), compare=False, repr=False)

    @property
    def sure(self) -> float:
        """Return how likely all test inputs have a right answer, by how sure the answers are."""
        likely = 1.0 if self.answers else 0.0
        for answers in self.answers:
            likely = min(likely, sum([answer.sure for answer in answers]))
        return likely

    def is_right(self, task: Task) -> bool:
        """Tell whether one of the answers is right for every test input."""
        outputs = [pair.output for pair in task.test]
        pairs = zip(outputs, self.answers, strict=True)
        return all(any(answer.grid == output for answer in answers) for output, answers in pairs)

    def as_json(self) -> dict[str, Any]:
        """Return the solution for JSON."""
        return {
            "task": self.task,
            "answers": [[answer.as_json() for answer in answers] for answers in self.answers],
            "work": self.work,
            "dropped": self.dropped,
            "stopped": self.was_stopped,
        }

    @classmethod
    def from_json(cls, read: dict[str, Any]) -> TaskSolution:
        """Read a solution from JSON."""
        answers = tuple([tuple([Answer.from_json(each) for each in test]) for test in read["answers"]])
        return cls(read["task"], answers, read["work"], read["dropped"], read["stopped"])


class Solutions(Sequence[TaskSolution]):
    """The solutions of tasks, in their order. Tasks that were not reached have no answers.

    `failed` are the tasks whose processes ended, `interrupted` tells whether the search was.
    """

    def __init__(
        self, tasks: Tasks, found: dict[str, TaskSolution], failed: Sequence[str] = (), interrupted: bool = False
    ) -> None:
        self.tasks = tasks
        self.failed = tuple(failed)
        self.interrupted = interrupted
        self.done = len(found)
        self._found = [found.get(task.id) or TaskSolution(task.id, tuple([() for _ in task.test])) for task in tasks]

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, key: Any) -> Any:
        """Return the solution of a task by its id or position."""
        if not isinstance(key, str):
            return self._found[key]
        if key not in self.tasks.ids:
            raise UsageError(f"unknown task {key!a}")
        return self._found[self.tasks.ids.index(key)]

    def __iter__(self) -> Iterator[TaskSolution]:
        return iter(self._found)

    def __repr__(self) -> str:
        answered = sum(any(each.answers) for each in self)
        return f"<Solutions | {len(self):,} tasks | {answered:,} with an answer>"

    @property
    def answered(self) -> int:
        """Count the tasks with an answer for every test input."""
        return sum([bool(each.answers) and all(each.answers) for each in self])

    @property
    def known(self) -> list[tuple[Task, TaskSolution]]:
        """Return the tasks whose test outputs are known, with their solutions."""
        pairs = zip(self.tasks, self, strict=True)
        return [(task, each) for task, each in pairs if task.test and all(pair.output for pair in task.test)]

    @property
    def right(self) -> int:
        """Count the tasks whose test outputs are known and right in two answers each."""
        return sum([each.is_right(task) for task, each in self.known])

    @property
    def sources(self) -> dict[str, str]:
        """Return the texts of all programs by name: `solve_ID`, and `solve_ID_2` for the next one of a task."""
        texts = dict.fromkeys(
            [(each.task, answer.source) for each in self for answers in each.answers for answer in answers]
        )
        return named_sources(texts)

    def deck(self) -> Deck:
        """Return the programs of all answers as a deck; raise UsageError if there is none."""
        if not self.sources:
            raise UsageError("no task has an answer")
        return Deck.from_sources(self.sources)

    @property
    def attempts(self) -> dict[str, list[dict[str, Any]]]:
        """Return two attempts for every test input, in Kaggle's form. The input itself stands for a missing answer."""
        made: dict[str, list[dict[str, Any]]] = {}
        for task, solution in zip(self.tasks, self, strict=True):
            made[task.id] = []
            for pair, answers in zip(task.test, solution.answers, strict=True):
                grids = [*[answer.grid for answer in answers], pair.input, pair.input][:ATTEMPTS]
                rows = [[list(row) for row in grid] for grid in grids]
                made[task.id].append({f"attempt_{number}": grid for number, grid in enumerate(rows, 1)})
        return made

    def save_submission(self, path: str | os.PathLike[str]) -> None:
        """Write the attempts to a file in Kaggle's form."""
        write_text(Path(path), submission_text(self.attempts), is_durable=True)

    def show(self, task: str) -> Picture:
        """Draw a task with its answers, their programs, and the steps of the first one."""
        return task_picture(self.tasks[task], self[task])

    def wall(self) -> Picture | None:
        """Draw the tasks that were solved, each with its answer; None if there are none."""
        scene = wall_scene(self)
        return None if scene is None else Picture(scene)


def submission_text(attempts: dict[str, list[dict[str, Any]]]) -> str:
    """Return attempts as JSON, a line for each task."""
    lines = [f"{json.dumps(task)}:{json.dumps(made, separators=(',', ':'))}" for task, made in attempts.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"
