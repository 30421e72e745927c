"""Which solver meets which sample. Owns the numbering of a run's evaluations; knows nothing of how they are run."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from batt.errors import UsageError
from batt.front import Deck
from batt.runtime import Part, Sample
from batt.tasks import Tasks


@dataclass(frozen=True, slots=True)
class Plan:
    """Every solver on every sample, solver by solver; or, where `solver_of` is given, just those evaluations."""

    samples: tuple[Sample, ...]
    solvers: int
    solver_of: npt.NDArray[np.int64] | None = None
    sample_of: npt.NDArray[np.int64] | None = None

    @property
    def total(self) -> int:
        """How many evaluations there are."""
        return self.solvers * len(self.samples) if self.solver_of is None else len(self.solver_of)

    def pair(self, number: int) -> tuple[int, int]:
        """The positions of an evaluation's solver and sample."""
        if self.solver_of is None or self.sample_of is None:
            return divmod(number, len(self.samples))
        return int(self.solver_of[number]), int(self.sample_of[number])

    def columns(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The solver and the sample of every evaluation."""
        if self.solver_of is None or self.sample_of is None:
            count = len(self.samples)
            return np.repeat(np.arange(self.solvers), count), np.tile(np.arange(count), self.solvers)
        return self.solver_of, self.sample_of


def samples_of(tasks: Tasks) -> tuple[Sample, ...]:
    """The pairs of all tasks as samples: task by task, train before test."""
    found: list[Sample] = []
    for task in tasks:
        shown = task.demonstrations
        for part, pairs in ((Part.TRAIN, task.train), (Part.TEST, task.test)):
            found += [Sample(task.id, part, i, shown, pair.input, pair.output) for i, pair in enumerate(pairs)]
    return tuple(found)


def plan_all(deck: Deck, tasks: Tasks) -> Plan:
    """Every solver on every sample."""
    return Plan(samples_of(tasks), len(deck))


def plan_own(deck: Deck, tasks: Tasks) -> Plan:
    """Every solver on the samples of the task in its name; solvers that name none of these tasks are left out."""
    samples = samples_of(tasks)
    by_task: dict[str, list[int]] = {}
    for position, sample in enumerate(samples):
        by_task.setdefault(sample.task, []).append(position)
    pairs = [
        (solver, position)
        for solver, name in enumerate(deck.names)
        for position in by_task.get(own_task(name, by_task.keys()) or "", ())
    ]
    if not pairs:
        raise UsageError("no solver names one of these tasks (a name such as solve_007bbfb7 does); run without --own")
    table = np.array(pairs, dtype=np.int64)
    return Plan(samples, len(deck), table[:, 0], table[:, 1])


def own_task(solver: str, ids: Container[str]) -> str | None:
    """The task that a solver's name holds: all of it after the first `_`, or one of its words."""
    words = [solver, solver.partition("_")[2], *solver.split("_")]
    return next((word for word in words if word in ids), None)
