"""Keep the finished evaluations of a run: by default, in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime import Equality, Status
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.outputs import OutputStore
from batt.runtime.records import put, unfilled
from batt.runtime.scores import score_type
from batt.runtime.tier import Part, TierName


class Sink:
    """Keeps the records of a run, its outputs if `outputs` is True, and its scores if `scores` is, in memory.

    A subclass keeps them elsewhere, too, and may hold results of earlier sessions. All numbers are those of the whole
    run.
    """

    records: npt.NDArray[Any]
    outputs: OutputStore | None
    scores: npt.NDArray[Any] | None = None

    def __init__(self, total: int, outputs: bool, scores: bool = False) -> None:
        self.records = unfilled(total)
        if scores:
            self.scores = np.zeros(total, score_type())
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
        if self.scores is not None and part.scores is not None:
            self.scores[part.numbers] = part.scores
        self._steps += int(part.steps.sum())
        return True

    def skip(self, numbers: Integers) -> None:
        """Mark evaluations as skipped."""
        made = unfilled(len(numbers))
        made["status"], made["equal"] = Status.SKIPPED, Equality.UNKNOWN
        put(self.records, numbers, made)

    def on_deferred(self, tier: TierName, why: str, numbers: Integers) -> None:
        """Receive evaluations that `tier` deferred to another tier, and the cause in words."""

    def check(self) -> None:
        """Raise the error that ended another thread of this sink, if there is one."""
