"""Where the finished evaluations of a run go. By default, that is memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy.typing as npt

from batt.runtime import Status
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.outputs import OutputStore
from batt.runtime.records import put, unfilled
from batt.runtime.tier import Part, TierName


class Sink:
    """Keeps the records of a run, and its outputs if `outputs` is True, in memory.

    A subclass keeps them elsewhere, too, and may hold results of earlier sessions. All numbers are those of the whole
    run.
    """

    records: npt.NDArray[Any]
    outputs: OutputStore | None

    def __init__(self, total: int, outputs: bool) -> None:
        self.records = unfilled(total)
        self.outputs = OutputStore(total) if outputs else None
        self._steps = 0

    @property
    def done(self) -> int:
        """Count the evaluations of earlier sessions."""
        return 0

    @property
    def steps(self) -> int:
        """Return the number of steps of all evaluations together."""
        return self._steps

    def remaining(self, span: Evaluations) -> Iterator[Evaluations]:
        """Yield the evaluations of a span that are still to be run, in one or more parts."""
        yield span

    def put(self, part: Part) -> bool:
        """Keep a part. Return False if it was kept before: a part that an interrupt hit comes again."""
        if self.records["status"][part.numbers[0]] != Status.NOT_RUN:
            return False
        put(self.records, part.numbers, part.records)
        if self.outputs is not None and part.outputs is not None:
            self.outputs.put(part.numbers, part.outputs)
        self._steps += int(part.steps.sum())
        return True

    def on_deferred(self, tier: TierName, why: str, numbers: Integers) -> None:
        """Receive evaluations that `tier` deferred to another tier, and the cause in words."""

    def check(self) -> None:
        """Raise the error that ended another thread of this sink, if there is one."""
