"""Which solver meets which sample. Owns the numbering of a run's evaluations; knows nothing of how they are run."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from batt.errors import UsageError
from batt.front import Deck
from batt.runtime import Part, Sample
from batt.runtime.blocks import Integers
from batt.tasks import Rows, Tasks, original

MAX_ENDS = 16
"""Ends of a solver's name that are tried as the id of a task, so that a long name takes no longer than others."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Which pair each sample is: the place of its task among `ids`, whether it is a train pair, and its index."""

    ids: Sequence[str]
    task_of: Integers
    is_train: npt.NDArray[np.bool_]
    index_of: Integers

    def key(self, position: int) -> tuple[str, Part, int]:
        """The task, the part and the index of a sample."""
        part = Part.TRAIN if self.is_train[position] else Part.TEST
        return self.ids[self.task_of[position]], part, int(self.index_of[position])


class RowSamples(Sequence[Sample]):
    """The samples of tasks that are made when they are asked for, and so are they."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        counts = rows.pair_counts
        # Where the samples of each task begin, and where the last ones end.
        self.starts: Integers = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts.sum(axis=1))])
        self._train = counts[:, 0]

    @property
    def keys(self) -> Keys:
        """Which pair each sample is, without making any."""
        task_of = np.repeat(np.arange(len(self.rows)), np.diff(self.starts))
        within = np.arange(len(self)) - self.starts[task_of]
        train = self._train[task_of]
        return Keys(self.rows.ids, task_of, within < train, np.where(within < train, within, within - train))

    def __len__(self) -> int:
        return int(self.starts[-1])

    def __iter__(self) -> Iterator[Sample]:
        for task in self.rows:
            yield from samples_of(Tasks((task,), ""))

    @overload
    def __getitem__(self, key: int) -> Sample: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Sample, ...]: ...
    def __getitem__(self, key: int | slice) -> Sample | tuple[Sample, ...]:
        if isinstance(key, slice):
            return tuple([self[position] for position in range(len(self))[key]])
        position = range(len(self))[key]
        task = int(np.searchsorted(self.starts, position, "right")) - 1
        return samples_of(Tasks((self.rows[task],), ""))[position - int(self.starts[task])]


@dataclass(frozen=True, slots=True)
class Plan:
    """Every solver on every sample, solver by solver; or, where `solver_of` is given, just those evaluations."""

    samples: Sequence[Sample]
    solvers: int
    solver_of: Integers | None = None
    sample_of: Integers | None = None

    @property
    def total(self) -> int:
        """How many evaluations there are."""
        return self.solvers * len(self.samples) if self.solver_of is None else len(self.solver_of)

    @property
    def chosen(self) -> tuple[Integers, ...]:
        """The solvers and the samples of the evaluations; nothing where every solver meets every sample."""
        return () if self.solver_of is None or self.sample_of is None else (self.solver_of, self.sample_of)

    def pair(self, number: int) -> tuple[int, int]:
        """The positions of an evaluation's solver and sample."""
        if self.solver_of is None or self.sample_of is None:
            return divmod(number, len(self.samples))
        return int(self.solver_of[number]), int(self.sample_of[number])

    def of_solver(self, solver: int) -> tuple[Integers, Integers]:
        """The numbers of a solver's evaluations, and the sample of each."""
        if self.solver_of is None or self.sample_of is None:
            samples = np.arange(len(self.samples))
            return solver * len(self.samples) + samples, samples
        numbers = np.flatnonzero(self.solver_of == solver)
        return numbers, self.sample_of[numbers]

    def columns(self) -> tuple[Integers, Integers]:
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


def keys_of(samples: Sequence[Sample]) -> Keys:
    """Which pair each sample is."""
    if isinstance(samples, RowSamples):
        return samples.keys
    places: dict[str, int] = {}
    task_of = [places.setdefault(sample.task, len(places)) for sample in samples]
    return Keys(
        list(places),
        np.array(task_of, np.int64),
        np.array([sample.part is Part.TRAIN for sample in samples], bool),
        np.array([sample.index for sample in samples], np.int64),
    )


def plan_all(deck: Deck, tasks: Tasks) -> Plan:
    """Every solver on every sample."""
    return Plan(_samples(tasks), len(deck))


def plan_own(deck: Deck, tasks: Tasks) -> Plan:
    """Every solver on the samples of the task in its name; solvers that name none of these tasks are left out.

    Transforms of a task are its own as well, and so are tasks of other sources that were renamed when they were merged.
    """
    samples = _samples(tasks)
    keys = keys_of(samples)
    starts = np.searchsorted(keys.task_of, np.arange(len(keys.ids) + 1)).tolist()
    places: dict[str, list[int]] = {}
    for place, task in enumerate(keys.ids):
        for name in task_names(task):
            places.setdefault(name, []).append(place)
    pairs = [
        (solver, position)
        for solver, name in enumerate(deck.names)
        if (own := own_task(name, places)) is not None
        for place in places[own]
        for position in range(starts[place], starts[place + 1])
    ]
    if not pairs:
        raise UsageError("no solver names one of these tasks (a name such as solve_007bbfb7 does); run without --own")
    table = np.array(pairs, dtype=np.int64)
    return Plan(samples, len(deck), table[:, 0], table[:, 1])


def task_names(task: str) -> tuple[str, ...]:
    """The ids by which a solver can name a task: its own, the original's where it is a transform, without a source."""
    before, _ = original(task)
    return tuple(dict.fromkeys((task, before, before.rpartition("/")[2])))


def own_task(solver: str, ids: Container[str]) -> str | None:
    """The task that a solver's name holds: all of it after one of its first `_`, or one of its words."""
    words = solver.split("_")
    ends = ["_".join(words[at:]) for at in range(len(words))[:MAX_ENDS]]
    return next((word for word in (*ends, *words) if word in ids), None)


def _samples(tasks: Tasks) -> Sequence[Sample]:
    return RowSamples(tasks.tasks) if isinstance(tasks.tasks, Rows) else samples_of(tasks)
