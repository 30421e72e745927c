"""The samples of tasks. Those of sets that are larger than memory are made on demand.

A run takes such a set in spans, one at a time. No outcome depends on the spans: evaluations are independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import overload

import numpy as np
import numpy.typing as npt

from batt.runtime import Sample, Split
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.sample import GridPair, TaskSamples
from batt.tasks import Task, Tasks
from batt.tasks.rows import Rows

SPAN_CELLS = 8 << 20
"""The most cells in the grids of a span, unless one task has more. In Python a cell takes about ten bytes."""

_GRIDS = attrgetter("input", "output")


@dataclass(frozen=True, slots=True)
class Keys:
    """The pair of each sample: the position of its task in `ids`, whether it is a train pair, and its index."""

    ids: Sequence[str]
    task_of: Integers
    is_train: npt.NDArray[np.bool_]
    index_of: Integers

    def key(self, position: int) -> tuple[str, Split, int]:
        """Return the task, the split and the index of a sample."""
        part = Split.TRAIN if self.is_train[position] else Split.TEST
        return self.ids[self.task_of[position]], part, int(self.index_of[position])


class MadeSamples(Sequence[Sample]):
    """Samples that are made on demand from `tasks`, of which `counts` has the train and test pairs: int64[task, 2].

    With `leave_out`, they are made as `samples_of` makes them.
    """

    def __init__(self, tasks: Sequence[Task], counts: Integers, leave_out: bool = False) -> None:
        self.tasks = tasks
        self.leave_out = leave_out
        # The first sample of each task, and the end of the last.
        self.starts: Integers = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts.sum(axis=1))])
        self._train = counts[:, 0]

    @property
    def ids(self) -> Sequence[str]:
        """Return the ids of the tasks."""
        return [task.id for task in self.tasks]

    @property
    def keys(self) -> Keys:
        """Return the pair of each sample, without making any."""
        task_of = np.repeat(np.arange(len(self.tasks)), np.diff(self.starts))
        within = np.arange(len(self)) - self.starts[task_of]
        train = self._train[task_of]
        return Keys(self.ids, task_of, within < train, np.where(within < train, within, within - train))

    def __len__(self) -> int:
        return int(self.starts[-1])

    def __iter__(self) -> Iterator[Sample]:
        for task in self.tasks:
            yield from samples_of((task,), self.leave_out)

    @overload
    def __getitem__(self, key: int) -> Sample: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Sample, ...]: ...
    def __getitem__(self, key: int | slice) -> Sample | tuple[Sample, ...]:
        if isinstance(key, slice):
            return self._at(range(len(self))[key])
        return self._at((range(len(self))[key],))[0]

    def _at(self, positions: Sequence[int]) -> tuple[Sample, ...]:
        """Return the samples at these positions; make a task once for neighbours."""
        found: list[Sample] = []
        made: tuple[Sample, ...] = ()
        start = 0
        for position in positions:
            if not start <= position < start + len(made):
                place = int(np.searchsorted(self.starts, position, "right")) - 1
                start, made = int(self.starts[place]), samples_of((self.tasks[place],), self.leave_out)
            found.append(made[position - start])
        return tuple(found)


class LoadedSamples(MadeSamples, TaskSamples):
    """The samples of tasks that are in memory."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        counts = [(len(task.train), len(task.test)) for task in tasks]
        super().__init__(tasks, np.array(counts, np.int64).reshape(-1, 2))

    def pairs(self) -> Iterator[tuple[Sequence[GridPair], int]]:
        """Yield the pairs of each task, and how many of them are train pairs."""
        for task in self.tasks:
            yield tuple(map(_GRIDS, task.pairs)), len(task.train)


class RowSamples(MadeSamples):
    """The samples of tasks that are made on demand themselves."""

    def __init__(self, rows: Rows, leave_out: bool = False) -> None:
        super().__init__(rows, rows.pair_counts, leave_out)
        self.rows = rows

    @property
    def ids(self) -> Sequence[str]:
        """Return the ids of the tasks, without making any."""
        return self.rows.ids


def samples_of(tasks: Iterable[Task], leave_out: bool = False) -> tuple[Sample, ...]:
    """Return the pairs of all tasks as samples: task by task, train before test.

    With `leave_out`, the demonstrations of a train pair are the others: a program that reads S does not see the output
    that is wanted.
    """
    found: list[Sample] = []
    for task in tasks:
        shown = task.demonstrations
        for part, pairs in ((Split.TRAIN, task.train), (Split.TEST, task.test)):
            for i, pair in enumerate(pairs):
                seen = (*shown[:i], *shown[i + 1 :]) if leave_out and part is Split.TRAIN else shown
                found.append(Sample(task.id, part, i, seen, pair.input, pair.output))
    return tuple(found)


def keys_of(samples: Sequence[Sample]) -> Keys:
    """Return the pair of each sample."""
    if isinstance(samples, MadeSamples):
        return samples.keys
    places: dict[str, int] = {}
    task_of = [places.setdefault(sample.task, len(places)) for sample in samples]
    return Keys(
        list(places),
        np.array(task_of, np.int64),
        np.array([sample.part is Split.TRAIN for sample in samples], bool),
        np.array([sample.index for sample in samples], np.int64),
    )


def all_samples(tasks: Tasks, leave_out: bool = False) -> Sequence[Sample]:
    """Return the samples of all tasks as `samples_of` does, made on demand."""
    if isinstance(tasks.tasks, Rows):
        return RowSamples(tasks.tasks, leave_out)
    return _loaded(tasks.tasks, leave_out)


def _loaded(tasks: tuple[Task, ...], leave_out: bool) -> Sequence[Sample]:
    # Then pairs of a task have different demonstrations.
    return samples_of(tasks, leave_out) if leave_out else LoadedSamples(tasks)


def spans(evaluations: Evaluations, span_cells: int | None = None) -> Iterator[Evaluations]:
    """Cut evaluations into parts, and load the samples of each part when it is needed.

    If all samples are in memory already, there is one part.
    """
    samples = evaluations.samples
    if not isinstance(samples, RowSamples):
        yield evaluations
        return
    for first, last in _cuts(samples.rows.cells, SPAN_CELLS if span_cells is None else span_cells):
        made = _loaded(tuple(samples.rows.at(range(first, last))), samples.leave_out)
        yield evaluations.on_samples(made, int(samples.starts[first]))
        del made


def _cuts(cells: Integers, most: int) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each span of tasks: at most `most` cells, but at least one task."""
    ends = np.cumsum(cells)
    first = 0
    while first < len(cells):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + most, "right")))
        yield first, last
        first = last
