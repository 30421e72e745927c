"""The records of an engine gathered by number, and held against others: for tests on GPUs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime import Status
from batt.runtime.cpu import CpuEngine
from batt.runtime.records import put, unfilled


def gather(engine: CpuEngine) -> npt.NDArray[Any]:
    """The records by number; no evaluation may come twice."""
    records = unfilled(engine.job.evaluations.total)
    for done in engine.run():
        assert (records["status"][done.numbers] == Status.NOT_RUN).all(), "an evaluation came twice"
        put(records, done.numbers, done.records)
    return records


def assert_same(found: npt.NDArray[Any], expected: npt.NDArray[Any]) -> None:
    differing = np.flatnonzero(found != expected)
    assert [(at, found[at], expected[at]) for at in differing[:5]] == []
