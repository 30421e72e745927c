"""The result of each solver on each task, in one byte, and the solvers that came nearest to a task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.jobs import Results
from batt.jobs.keeping import is_hit
from batt.runtime import Equality, Split, Status
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.records import take

NEAREST = 3
"""The solvers that do not fit a task and are kept for it, those with the fewest differing cells."""
AT_ONCE = 1 << 16


class CellState(IntEnum):
    """The result of a solver on a task, from nothing to all. The page's script knows the numbers."""

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
    """Look at all evaluations once, some solvers at a time."""
    train, test = results.pairs(Split.TRAIN), results.pairs(Split.TEST)
    count = len(results.tasks)
    cells = np.zeros((len(results.deck), count), np.uint8)
    least, nearest = np.full((NEAREST, count), np.inf), np.full((NEAREST, count), -1)
    for first, end, numbers in _parts(results.evaluations):
        solvers, samples = results.evaluations.pairs(numbers)
        places = (solvers - first) * count + train.task_of_sample[samples]
        counts = _Counts(take(results.records, numbers), places, train.in_part[samples], (end - first, count))
        found = cells[first:end] = counts.states(train.wanted, test.wanted)
        has_missed = (found > CellState.FAILED) & (found < CellState.FITS)
        differing = np.where(has_missed, counts.differing, np.inf)
        for solver in range(first, end):
            _insert(least, nearest, differing[solver - first], solver)
    return Matrix(cells, nearest)


def _parts(evaluations: Evaluations) -> Iterator[tuple[int, int, Integers]]:
    """Yield ranges of solvers, each with the numbers of its evaluations: about AT_ONCE of these."""
    each = max(1, AT_ONCE // max(1, evaluations.total // max(1, evaluations.solvers)))
    ranges = [(first, min(first + each, evaluations.solvers)) for first in range(0, evaluations.solvers, each)]
    if evaluations.solver_of is None:
        width = len(evaluations.samples)
        for first, end in ranges:
            yield first, end, np.arange(first * width, end * width)
    else:
        order = np.argsort(evaluations.solver_of, kind="stable")
        bounds = np.searchsorted(evaluations.solver_of[order], [first for first, _ in ranges] + [evaluations.solvers])
        for (first, end), start, stop in zip(ranges, bounds[:-1], bounds[1:], strict=True):
            yield first, end, order[start:stop]


class _Counts:
    """The evaluations of some solvers, counted by solver and task; `shape` has the numbers of both."""

    def __init__(
        self, records: npt.NDArray[Any], places: Integers, is_train: npt.NDArray[np.bool_], shape: tuple[int, int]
    ) -> None:
        """Take the records with the place of each: `solver * tasks + task`."""
        self.shape = shape
        self.places = places
        self.is_train = is_train
        self.records = records
        self.differing = self._shaped(places[is_train], records["differing"][is_train])

    def states(self, train: Integers, test: Integers) -> npt.NDArray[np.uint8]:
        """Return the state of each solver on each task, given how many pairs of both splits each task has."""
        status, equal = self.records["status"], self.records["equal"] == Equality.YES
        right, answered = self._count(equal & self.is_train), self._count(equal & ~self.is_train)
        states = np.zeros(self.shape, np.uint8)
        states[self._count(status != Status.NOT_RUN) > 0] = CellState.FAILED
        states[self._count((status == Status.OK) & self.is_train) > 0] = CellState.WRONG
        states[self._count(is_hit(self.records) & self.is_train) > 0] = CellState.NEAR
        fits = (right == train) & (train > 0)
        states[fits] = CellState.FITS
        states[fits & (answered == test) & (test > 0)] = CellState.CORRECT
        return states

    def _count(self, chosen: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
        return self._shaped(self.places[chosen])

    def _shaped(self, places: Integers, weights: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        solvers, tasks = self.shape
        return np.bincount(places, weights, solvers * tasks).reshape(self.shape)


def _insert(least: npt.NDArray[Any], nearest: Integers, differing: npt.NDArray[Any], solver: int) -> None:
    """Insert a solver where it is nearer than one of those that are kept; the nearest stay on top."""
    chosen = np.flatnonzero(differing < least[-1])
    if not len(chosen):
        return
    least[-1, chosen], nearest[-1, chosen] = differing[chosen], solver
    for row in range(NEAREST - 1, 0, -1):
        swapped = chosen[least[row, chosen] < least[row - 1, chosen]]
        for table in (least, nearest):
            table[row - 1, swapped], table[row, swapped] = table[row, swapped], table[row - 1, swapped]
