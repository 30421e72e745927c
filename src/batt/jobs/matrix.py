"""What became of each solver on each task, in one byte, and which solvers came nearest to a task."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.jobs import Results
from batt.jobs.keeping import is_hit
from batt.runtime import Equality, Split, Status
from batt.runtime.evaluations import Integers
from batt.runtime.records import take

NEAREST = 3
"""The solvers that do not fit a task and are kept for it, those with the fewest differing cells."""


class CellState(IntEnum):
    """What became of a solver on a task, from nothing to all. The page's script knows the numbers."""

    NOT_RUN = 0
    FAILED = 1
    """No demonstration gave a value."""
    WRONG = 2
    NEAR = 3
    """Some demonstration is equal, or nearly so."""
    FITS = 4
    """All demonstrations are equal, and the tests are not, or are not known."""
    CORRECT = 5


@dataclass(frozen=True, slots=True)
class Matrix:
    """`cells` is a CellState for each solver and task; `nearest` has solvers for each task, -1 for none."""

    cells: npt.NDArray[np.uint8]
    nearest: Integers

    @property
    def tasks(self) -> npt.NDArray[np.uint8]:
        """Return the best state of each task."""
        best: npt.NDArray[np.uint8] = self.cells.max(axis=0, initial=CellState.NOT_RUN)
        return best

    def fitting(self, task: int) -> list[int]:
        """Return the solvers that fit a task, those that are correct first, else in the order of the deck."""
        column = self.cells[:, task]
        found = np.flatnonzero(column >= CellState.FITS)
        order = np.argsort(-column[found].astype(np.int64), kind="stable")
        return [int(solver) for solver in found[order]]

    def nearest_to(self, task: int) -> list[int]:
        """Return the solvers that came nearest to a task without fitting it, the nearest first."""
        return [solver for solver in self.nearest[:, task].tolist() if solver >= 0]


def matrix_of(results: Results) -> Matrix:
    """Look at all evaluations once, solver by solver."""
    train, test = results.pairs(Split.TRAIN), results.pairs(Split.TEST)
    count = len(results.tasks)
    cells = np.zeros((len(results.deck), count), np.uint8)
    least, nearest = np.full((NEAREST, count), np.inf), np.full((NEAREST, count), -1)
    for solver in range(len(results.deck)):
        numbers, samples = results.evaluations.of_solver(solver)
        records, task_of = take(results.records, numbers), train.task_of_sample[samples]
        counts = _Counts(records, task_of, train.in_part[samples], count)
        cells[solver] = counts.states(train.wanted, test.wanted)
        has_missed = (cells[solver] > CellState.FAILED) & (cells[solver] < CellState.FITS)
        differing = np.where(has_missed, counts.differing, np.inf)
        _insert(least, nearest, differing, solver)
    return Matrix(cells, nearest)


class _Counts:
    """The evaluations of one solver, counted by task."""

    def __init__(
        self, records: npt.NDArray[Any], task_of: Integers, is_train: npt.NDArray[np.bool_], count: int
    ) -> None:
        self.tasks = count
        self.task_of = task_of
        self.is_train = is_train
        self.records = records
        self.differing = np.bincount(task_of[is_train], records["differing"][is_train], count)

    def states(self, train: Integers, test: Integers) -> npt.NDArray[np.uint8]:
        """Return the state of each task, given how many pairs of both splits each has."""
        status, equal = self.records["status"], self.records["equal"] == Equality.YES
        right, answered = self._count(equal & self.is_train), self._count(equal & ~self.is_train)
        states = np.zeros(self.tasks, np.uint8)
        states[self._count(status != Status.NOT_RUN) > 0] = CellState.FAILED
        states[self._count((status == Status.OK) & self.is_train) > 0] = CellState.WRONG
        states[self._count(is_hit(self.records) & self.is_train) > 0] = CellState.NEAR
        fits = (right == train) & (train > 0)
        states[fits] = CellState.FITS
        states[fits & (answered == test) & (test > 0)] = CellState.CORRECT
        return states

    def _count(self, chosen: npt.NDArray[np.bool_]) -> Integers:
        return np.bincount(self.task_of[chosen], minlength=self.tasks)


def _insert(least: npt.NDArray[Any], nearest: Integers, differing: npt.NDArray[Any], solver: int) -> None:
    """Insert a solver where it is nearer than one of those that are kept; the nearest stay on top."""
    chosen = np.flatnonzero(differing < least[-1])
    least[-1, chosen], nearest[-1, chosen] = differing[chosen], solver
    for row in range(NEAREST - 1, 0, -1):
        swapped = chosen[least[row, chosen] < least[row - 1, chosen]]
        for table in (least, nearest):
            table[row - 1, swapped], table[row, swapped] = table[row, swapped], table[row - 1, swapped]
