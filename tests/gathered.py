"""The records of a run gathered by number, and held against others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime import Status
from batt.runtime.collected import Collected
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.options import Options
from batt.runtime.tier import Part


class Once(Collected):
    """Keeps what a run gives, the parts as they came, and the lines that it tells; no evaluation may come twice."""

    def __init__(self, total: int, tell: Callable[[str], None] | None = None) -> None:
        super().__init__(total)
        self.parts: list[Part] = []
        self.tell = tell

    def on_part(self, part: Part) -> None:
        assert (self.records["status"][part.numbers] == Status.NOT_RUN).all(), "an evaluation came twice"
        super().on_part(part)
        self.parts.append(part)

    def on_note(self, line: str) -> None:
        if self.tell:
            self.tell(line)


def gather(ladder: Ladder) -> npt.NDArray[Any]:
    """Run to the end; the records by number."""
    collected = ladder.observer
    assert isinstance(collected, Once)
    ladder.run()
    return collected.records


def assert_same(found: npt.NDArray[Any], expected: npt.NDArray[Any]) -> None:
    differing = np.flatnonzero(found != expected)
    assert [(at, found[at], expected[at]) for at in differing[:5]] == []


def ladder_on(job: Job, engine: str, kind: type[Once] = Once, *, beside: bool = False, **options: Any) -> Ladder:
    """A run on an engine that reports to a `kind` of observer; beside GPUs, the CPU does only what they defer."""
    return Ladder(job, Options(engine=engine, **options), observer=kind(job.evaluations.total), beside=beside)
