"""Choose two attempts for each test input, and write them in Kaggle's form."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.ir import Program
from batt.jobs.programs import Programs
from batt.runtime import Split
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.native import missing
from batt.runtime.options import Options
from batt.submit.candidates import Candidates, RankedOutput
from batt.tasks import original
from batt.tasks.augment import Transform
from batt.tasks.read import is_grid
from batt.types.kinds import Grid

ATTEMPTS = 2
NEAR_AT_ONCE = 4
"""The near misses that are run at once for a test input: some of them give the same output."""


class Why(Enum):
    """Why an attempt is what it is."""

    FITS = "by solvers that fit"
    NEAR = "near misses"
    INPUT = "the input itself"


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer for a test input."""

    grid: Grid
    why: Why


class SubmittedTask:
    """A task of a submission, with its attempts for each test input: at first the input itself.

    `members` are the tasks of the run that answer it, by number: itself, and transforms of it. With each comes the
    transform that turns it back.
    """

    def __init__(self, name: str, inputs: list[Grid]) -> None:
        self.id = name
        self.inputs = inputs
        self.members: list[tuple[int, Transform]] = []
        self.attempts = [_with_input([], grid) for grid in inputs]
        self.text = self._text()

    def put(self, test: int, attempts: list[Attempt]) -> bool:
        """Take these attempts for a test input, filled up with the input itself. Return whether they are others."""
        made = _with_input(attempts, self.inputs[test])
        if made == self.attempts[test]:
            return False
        self.attempts[test] = made
        self.text = self._text()
        return True

    def _text(self) -> str:
        return f"{json.dumps(self.id)}:{json.dumps(self.plain, separators=(',', ':'))}"

    @property
    def plain(self) -> list[dict[str, Any]]:
        """Return the attempts in Kaggle's form."""
        return [
            {f"attempt_{at}": [list(row) for row in each.grid] for at, each in enumerate(attempts, 1)}
            for attempts in self.attempts
        ]


class Answers:
    """The outputs of evaluations, run again when they are first needed. The run itself need not keep outputs."""

    def __init__(self, programs: Mapping[str, Program], evaluations: Evaluations, options: Options) -> None:
        self._programs = list(programs.values())
        self._evaluations = evaluations
        # They are few, and no outcome depends on the engine.
        engine = "reference" if options.engine == "reference" or missing() else "cpu"
        self._options = replace(options, engine=engine, devices=None, cluster=None, compiled=None, share=None)
        self._known: dict[int, Grid | None] = {}

    def __getitem__(self, number: int) -> Grid | None:
        """Return an output that was found; None if it is not a grid that may be handed in."""
        return self._known[number]

    def is_known(self, number: int) -> bool:
        """Tell whether an output was found."""
        return number in self._known

    def find(self, numbers: Iterable[int]) -> None:
        """Run these evaluations, unless their outputs are known."""
        wanted = np.array(sorted({*numbers} - self._known.keys()), np.int64)
        if not len(wanted):
            return
        solvers, solver_of = np.unique(self._evaluations.pairs(wanted)[0], return_inverse=True)
        positions, sample_of = np.unique(self._evaluations.pairs(wanted)[1], return_inverse=True)
        programs = Programs([self._programs[solver] for solver in solvers.tolist()], self._options)
        samples = [self._evaluations.samples[position] for position in positions.tolist()]
        ran = programs.run(Evaluations(samples, len(solvers), solver_of, sample_of))
        for number, value in zip(wanted.tolist(), ran.values, strict=True):
            self._known[number] = value if is_grid(value) else None


class Attempts:
    """The attempts for all test inputs of a run. At first each is the input itself."""

    def __init__(self, programs: Mapping[str, Program], evaluations: Evaluations, options: Options) -> None:
        self.candidates = Candidates(list(programs.values()), evaluations)
        self._answers = Answers(programs, evaluations, options)
        self.tasks: list[SubmittedTask] = []
        self._task_of = np.zeros(len(self.candidates.keys.ids), np.int64)
        places: dict[str, int] = {}
        for number, name in enumerate(self.candidates.keys.ids):
            plain, transform = original(name)
            inputs = self._test_inputs(number, transform)
            place = places.setdefault(plain, len(self.tasks))
            if place < len(self.tasks) and self.tasks[place].inputs != inputs:
                # A task of its own, whose id only looks like that of a transform.
                plain, transform, place = name, Transform(), len(self.tasks)
                inputs = self._test_inputs(number, transform)
            if place == len(self.tasks):
                self.tasks.append(SubmittedTask(plain, inputs))
            self.tasks[place].members.append((number, transform.inverse))
            self._task_of[number] = place

    def _test_inputs(self, number: int, transform: Transform) -> list[Grid]:
        """Return the test inputs of a task of the run, transformed back."""
        tests = [each for each in self.candidates.samples(number) if each.part is Split.TEST]
        return [transform.invert(each.input) for each in tests]

    def tasks_of(self, numbers: Integers) -> Integers:
        """Return the positions in `tasks` of the tasks that these evaluations are about."""
        _, samples = self.candidates.evaluations.pairs(numbers)
        return self._task_of[self.candidates.keys.task_of[samples]]

    def choose_all(self, records: npt.NDArray[Any]) -> bool:
        """Choose for all tasks, by the records of the run. Return whether an attempt changed."""
        return self.choose(range(len(self.tasks)), records)

    def choose(self, tasks: Iterable[int], records: npt.NDArray[Any]) -> bool:
        """Choose again for these tasks, by the records of the run. Return whether an attempt changed."""
        asked = {
            (task, test): found
            for task in tasks
            for test, found in enumerate(self._candidates(self.tasks[task], records))
        }
        wanted = [each.number for found in asked.values() for each, _ in found if each.votes]
        changed = False
        while asked:
            self._answers.find(wanted)
            wanted = []
            for key in list(asked):
                attempts, missing = self._picked(asked[key])
                wanted += missing
                if not missing:
                    task, test = key
                    changed |= self.tasks[task].put(test, attempts)
                    del asked[key]
        return changed

    def _candidates(self, task: SubmittedTask, records: npt.NDArray[Any]) -> list[list[tuple[RankedOutput, Transform]]]:
        """Return the candidates for each test input of a task, over all of its transforms, best first.

        With each comes the transform that turns its output back.
        """
        found = [(self.candidates.of_task(number, records), back) for number, back in task.members]
        tests = range(len(found[0][0]))
        listed = [[(each, back) for made, back in found for each in made[test]] for test in tests]
        return [sorted(each, key=lambda one: (one[0].votes == 0, one[0].rank)) for each in listed]

    def _picked(self, found: list[tuple[RankedOutput, Transform]]) -> tuple[list[Attempt], list[int]]:
        """Return the attempts among candidates as far as their outputs are known, and evaluations to run for more.

        Outputs of solvers that fit are all known: equal ones of several transforms add their votes.
        """
        ranks: dict[Grid, tuple[float, ...]] = {}
        for each, back in found:
            grid = self._answers[each.number] if each.votes else None
            if grid is not None:
                grid = back.grid(grid)
                before = ranks.get(grid, (0, *each.rank[1:]))
                ranks[grid] = (before[0] + each.rank[0], *min(before[1:], each.rank[1:]))
        attempts = [Attempt(grid, Why.FITS) for grid in sorted(ranks, key=lambda one: ranks[one])][:ATTEMPTS]
        missing: list[int] = []
        for each, back in [one for one in found if not one[0].votes]:
            if len(attempts) == ATTEMPTS or len(missing) == NEAR_AT_ONCE:
                break
            if missing or not self._answers.is_known(each.number):
                missing.append(each.number)
                continue
            grid = self._answers[each.number]
            if grid is not None and back.grid(grid) not in [attempt.grid for attempt in attempts]:
                attempts.append(Attempt(back.grid(grid), Why.NEAR))
        return attempts, missing

    @property
    def counts(self) -> Mapping[Why, int]:
        """Count the test inputs by why their first attempt was chosen."""
        return Counter([attempts[0].why for task in self.tasks for attempts in task.attempts])

    @property
    def text(self) -> str:
        """Return the submission as JSON, a line for each task."""
        return "{\n" + ",\n".join([task.text for task in self.tasks]) + "\n}\n"


def _with_input(attempts: list[Attempt], grid: Grid) -> tuple[Attempt, ...]:
    """Return the attempts of an input, filled up with the input itself."""
    return (*attempts, *[Attempt(grid, Why.INPUT)] * (ATTEMPTS - len(attempts)))
