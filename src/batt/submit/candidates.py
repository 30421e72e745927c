"""Rank the outputs of a run for each test input, by the demonstrations alone.

Of the records of test inputs, only what an output is counts, never how it compares with the expected one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.ir import Program
from batt.jobs.samples import keys_of
from batt.runtime import Equality, Sample, Status
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.outcome import shape_of
from batt.runtime.records import take
from batt.tasks.read import SIDE_LIMIT

MOST_ANSWERS = 16
"""Of the different outputs of solvers that fit, at most this many are compared: those with the most votes."""
MOST_NEAR = 8
"""The near misses that are tried for a test input."""


@dataclass(frozen=True, slots=True)
class RankedOutput:
    """An output for a test input: the evaluation that gives it, and its rank; the least is best.

    `votes` counts the different programs that fit the task and give this output; 0 for a near miss.
    """

    number: int
    votes: int
    rank: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class TaskEvaluations:
    """The evaluations of one task: number, solver, position in the task, and record of each."""

    numbers: Integers
    solvers: Integers
    places: Integers
    records: npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class DemonstrationScores:
    """The scores of each solver on the demonstrations of a task: pairs that are equal, and the share of cells right."""

    equal_pairs: Integers
    share: npt.NDArray[np.float64]
    fits: npt.NDArray[np.bool_]


class Candidates:
    """Ranks outputs, task by task. Tasks are numbered as they come in the samples of the run."""

    def __init__(self, programs: Sequence[Program], evaluations: Evaluations) -> None:
        self.evaluations = evaluations
        self.keys = keys_of(evaluations.samples)
        self.starts = np.searchsorted(self.keys.task_of, np.arange(len(self.keys.ids) + 1))
        self.steps = np.array([len(program.steps) for program in programs], np.int64)
        self._programs = programs
        self._program_numbers: dict[Program, int] = {}
        # Where only some solvers run on a task: all evaluations, task by task.
        self._order = self._bounds = np.zeros(0, np.int64)
        if evaluations.sample_of is not None:
            tasks = self.keys.task_of[evaluations.sample_of]
            self._order = np.argsort(tasks, kind="stable")
            self._bounds = np.searchsorted(tasks[self._order], np.arange(len(self.keys.ids) + 1))

    def samples(self, task: int) -> Sequence[Sample]:
        """Return the samples of a task: its demonstrations, then its tests."""
        return self.evaluations.samples[self.starts[task] : self.starts[task + 1]]

    def of_task(self, task: int, records: npt.NDArray[Any]) -> list[list[RankedOutput]]:
        """Return the candidates for each test input of a task, best first, from the records of the run."""
        samples = self.samples(task)
        train = int(self.keys.is_train[self.starts[task] : self.starts[task + 1]].sum())
        found = self._evaluations(task, records)
        scores = self._scores(found, samples[:train])
        return [self._ranked(found, scores, train + test) for test in range(len(samples) - train)]

    def _evaluations(self, task: int, records: npt.NDArray[Any]) -> TaskEvaluations:
        first, last = int(self.starts[task]), int(self.starts[task + 1])
        if self.evaluations.sample_of is None:
            solvers, positions = np.divmod(np.arange(self.evaluations.solvers * (last - first)), last - first)
            numbers = solvers * len(self.evaluations.samples) + first + positions
            return TaskEvaluations(numbers, solvers, positions, take(records, numbers))
        numbers = self._order[self._bounds[task] : self._bounds[task + 1]]
        solvers, positions = self.evaluations.pairs(numbers)
        return TaskEvaluations(numbers, solvers, positions - first, take(records, numbers))

    def _scores(self, found: TaskEvaluations, demonstrations: Sequence[Sample]) -> DemonstrationScores:
        chosen = np.flatnonzero(found.places < len(demonstrations))
        solvers, records = found.solvers[chosen], take(found.records, chosen)
        shapes = np.array([shape_of(each.expected) for each in demonstrations], np.int64).reshape(-1, 2)
        wanted = shapes[found.places[chosen]]
        height, width = records["height"].astype(np.int64), records["width"].astype(np.int64)
        # The cells that one of the two grids has, or both.
        overlap = np.minimum(height, wanted[:, 0]) * np.minimum(width, wanted[:, 1])
        cells = height * width + wanted[:, 0] * wanted[:, 1] - overlap
        is_grid = (records["status"] == Status.OK) & (height > 0)
        right = np.where(is_grid, np.maximum(cells - records["differing"].astype(np.int64), 0), 0)
        is_equal = records["equal"] == Equality.YES
        count = len(self.steps)
        equal_pairs = np.bincount(solvers[is_equal], minlength=count)
        share = np.bincount(solvers, right, count) / np.maximum(np.bincount(solvers, cells, count), 1)
        return DemonstrationScores(equal_pairs, share, (equal_pairs == len(demonstrations)) & (len(demonstrations) > 0))

    def _ranked(self, found: TaskEvaluations, scores: DemonstrationScores, place: int) -> list[RankedOutput]:
        """Rank the outputs for the input at `place`: by votes where solvers fit, then near misses."""
        records = found.records
        sides = np.minimum(records["height"], records["width"]), np.maximum(records["height"], records["width"])
        is_legal = (records["status"] == Status.OK) & (sides[0] > 0) & (sides[1] <= SIDE_LIMIT)
        here = np.flatnonzero((found.places == place) & is_legal)
        fits = scores.fits[found.solvers[here]]
        return [*self._voted(found, here[fits]), *self._near(found, scores, here[~fits])]

    def _voted(self, found: TaskEvaluations, here: Integers) -> list[RankedOutput]:
        """Return an entry for each different output of solvers that fit."""
        groups: dict[int, list[int]] = {}
        for at in here.tolist():
            groups.setdefault(int(found.records["hash"][at]), []).append(at)
        made = []
        for members in groups.values():
            votes = len({self._program_number(int(found.solvers[at])) for at in members})
            simplest = min(members, key=lambda at: (self.steps[found.solvers[at]], found.solvers[at]))
            solver = int(found.solvers[simplest])
            made.append(RankedOutput(int(found.numbers[simplest]), votes, (-votes, int(self.steps[solver]), solver)))
        return sorted(made, key=lambda each: each.rank)[:MOST_ANSWERS]

    def _near(self, found: TaskEvaluations, scores: DemonstrationScores, here: Integers) -> list[RankedOutput]:
        """Return the outputs of the solvers that come nearest to the demonstrations."""
        here = here[scores.share[found.solvers[here]] > 0]
        solvers = found.solvers[here]
        keys = (-scores.equal_pairs[solvers], -scores.share[solvers], self.steps[solvers], solvers)
        best = np.lexsort(keys[::-1])[:MOST_NEAR]
        ranks = np.column_stack([key[best] for key in keys]).tolist()
        return [
            RankedOutput(int(found.numbers[here[at]]), 0, tuple(rank)) for at, rank in zip(best, ranks, strict=True)
        ]

    def _program_number(self, solver: int) -> int:
        """Return a number that solvers share if their programs differ in names only."""
        return self._program_numbers.setdefault(self._programs[solver], len(self._program_numbers))
