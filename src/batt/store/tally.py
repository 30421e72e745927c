"""Count what a run has found while its blocks are written, so that a list of runs need not read any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.jobs.samples import Keys
from batt.runtime import Equality, Status
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.outcome import RAN
from batt.store.scratch import scratch_array

TALLY = "tally"
"""The name of a tally in the data of a session."""
AT_ONCE = 1 << 18


@dataclass(frozen=True, slots=True)
class Found:
    """The findings of a run: the evaluations that are done, by status, and the number of solved tasks.

    `solved` is None if it is not known without reading the records.
    """

    done: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    solved: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return this as plain data."""
        return asdict(self)

    @classmethod
    def from_session(cls, session: Mapping[str, Any]) -> Found | None:
        """Return what the data of a session say; None if they do not."""
        plain = session.get(TALLY)
        if not isinstance(plain, dict) or {*plain} != {"done", "counts", "solved"}:
            return None
        return cls(**plain)


class RunTally:
    """Counts evaluations by status, and the tasks that some solver solves.

    A solver solves a task that it fits if it is correct on the test pairs, too. If the test outputs of some tasks are
    not known, fitting is enough for all tasks. The arrays of a large run are in files in `folder`.
    """

    def __init__(self, evaluations: Evaluations, keys: Keys, folder: Path | None) -> None:
        self.evaluations = evaluations
        self.keys = keys
        self._counts = np.zeros(1 << 8, np.int64)
        tasks = len(keys.ids)
        self._train = np.bincount(keys.task_of[keys.is_train], minlength=tasks)
        self._test = np.bincount(keys.task_of[~keys.is_train], minlength=tasks)
        # How many pairs of each task each solver gets right: place solver * tasks + task.
        self._right_train = scratch_array(evaluations.solvers * tasks, np.uint32, folder)
        self._right_test = scratch_array(evaluations.solvers * tasks, np.uint32, folder)
        self._fits_some = np.zeros(evaluations.solvers, bool)
        self._is_fitted = np.zeros(tasks, bool)
        self._is_solved = np.zeros(tasks, bool)
        self._are_known = bool((self._test > 0).all())

    @property
    def found(self) -> Found:
        """Return the counts so far."""
        counts = {each.word: int(self._counts[each]) for each in RAN}
        return Found(sum(counts.values()), counts, len(self.solved))

    @property
    def solved(self) -> Integers:
        """Return the solved tasks, by their positions in `keys.ids`."""
        return np.flatnonzero(self._is_solved if self._are_known else self._is_fitted)

    @property
    def fitted(self) -> Integers:
        """Return the tasks that some solver fits, by their positions in `keys.ids`."""
        return np.flatnonzero(self._is_fitted)

    @property
    def fitting_solvers(self) -> int:
        """Return the number of solvers that fit some task."""
        return int(self._fits_some.sum())

    def add(self, numbers: Integers, records: npt.NDArray[Any]) -> None:
        """Count evaluations that were not counted before."""
        self._counts += np.bincount(records["status"], minlength=len(self._counts))
        equal = records["equal"]
        self._are_known = self._are_known and not bool((equal == Equality.UNKNOWN).any())
        solvers, samples = self.evaluations.pairs(numbers[equal == Equality.YES])
        places, is_train = solvers * len(self.keys.ids) + self.keys.task_of[samples], self.keys.is_train[samples]
        np.add.at(self._right_train, places[is_train], 1)
        np.add.at(self._right_test, places[~is_train], 1)
        places = np.unique(places)
        tasks = places % max(1, len(self.keys.ids))
        fits = (self._right_train[places] == self._train[tasks]) & (self._train[tasks] > 0)
        correct = self._right_test[places] == self._test[tasks]
        self._fits_some[places[fits] // max(1, len(self.keys.ids))] = True
        self._is_fitted[tasks[fits]] = True
        self._is_solved[tasks[fits & correct]] = True

    def add_all(self, records: npt.NDArray[Any]) -> None:
        """Count all evaluations that were run, of the records of a whole run."""
        for start in range(0, len(records), AT_ONCE):
            part = records[start : start + AT_ONCE]
            numbers = np.flatnonzero(part["status"] != Status.NOT_RUN)
            self.add(start + numbers, part[numbers])
