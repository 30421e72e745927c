"""The outcomes of a run of an open engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from batt.errors import UsageError
from batt.jobs.values import values_of
from batt.runtime.evaluations import Integers
from batt.runtime.outputs import OutputStore
from batt.runtime.records import put, unfilled
from batt.runtime.tier import Observer, Part


class EngineRun(Observer):
    """The record and the steps of each evaluation, by number, and its value if the engine keeps outputs.

    Evaluation k is that of `programs[k]` on `samples[k]`, both by position in what the run was given.
    """

    def __init__(self, programs: Integers, samples: Integers, outputs: bool) -> None:
        self.programs = programs
        self.samples = samples
        self.records = unfilled(len(programs))
        self.steps = np.zeros(len(programs), np.int64)
        self._outputs = OutputStore(len(programs)) if outputs else None

    def __len__(self) -> int:
        return len(self.programs)

    def on_part(self, part: Part) -> None:
        """Keep the evaluations that a tier finished."""
        self.keep(part, part.numbers)

    def keep(self, part: Part, numbers: Integers) -> None:
        """Keep the evaluations of a part under these numbers."""
        put(self.records, numbers, part.records)
        self.steps[numbers] = part.steps
        if self._outputs is not None and part.outputs is not None:
            self._outputs.put(numbers, part.outputs)

    @property
    def hashes(self) -> npt.NDArray[np.uint64]:
        """Return the hash of each value; 0 without one."""
        found: npt.NDArray[np.uint64] = self.records["hash"]
        return found

    @property
    def values(self) -> list[Any]:
        """Return each value, or a Failed. The engine must have been opened with `outputs=True`."""
        if self._outputs is None:
            raise UsageError("the engine keeps no outputs; open it with outputs=True")
        return values_of(self.records, *self._outputs.take(np.arange(len(self))))

    def __repr__(self) -> str:
        return f"<EngineRun | {len(self):,} evaluations>"


class PartialRun(Observer):
    """Hands the evaluations of a part of a run on to the whole, under their numbers there."""

    def __init__(self, whole: EngineRun, numbers: Integers) -> None:
        self.whole = whole
        self.numbers = numbers

    def on_part(self, part: Part) -> None:
        """Keep the evaluations that a tier finished."""
        self.whole.keep(part, self.numbers[part.numbers])
