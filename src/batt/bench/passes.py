"""One pass of a column over evaluations: its records, its times, and the memory it needed."""

from __future__ import annotations

import resource
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime import Status
from batt.runtime.evaluations import Integers

CLIPPED_NS = 2**32 - 1
"""The time that native code writes for an evaluation that took this long or longer."""


@dataclass(frozen=True, slots=True)
class CardMemory:
    """Memory of a GPU that is in use, other processes included: before a pass, at most during it, and after it."""

    name: str
    total_bytes: int
    before_bytes: int
    peak_bytes: int
    after_bytes: int


@dataclass(frozen=True, slots=True)
class GpuPass:
    """The part of GPUs in a pass: how many evaluations they `finished`, and which they `deferred` to the CPU.

    `by_cause` counts the latter by cause. `op_s` is their time on the CPU by op, if it was measured.
    """

    finished: int
    deferred: npt.NDArray[np.bool_]
    by_cause: Mapping[str, int]
    op_s: Mapping[str, float]
    cards: tuple[CardMemory, ...]
    share_allowed: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """The results of evaluations on a column, in the order in which they were asked for.

    `times_ns` holds the time of each evaluation alone, -1 if it is not known: wall-clock time in native code, of which
    the median of passes omits what other processes took; processor time in Python, which may have one pass only.
    `prepared_s` is the part of `wall_s` until the samples were packed. `deferred` counts by cause the evaluations that
    native code deferred to the reference engine.
    """

    records: npt.NDArray[Any]
    times_ns: Integers
    wall_s: float
    prepared_s: float
    first_s: float
    peak_bytes: int
    deferred: Mapping[str, int] = field(default_factory=dict)
    on_gpu: GpuPass | None = None

    @property
    def left_out(self) -> npt.NDArray[np.bool_]:
        """Return the evaluations that the column cannot run, or that its guard stopped."""
        return np.isin(self.records["status"], (Status.NOT_RUN, Status.TIMED_OUT))

    def part(self, numbers: Integers) -> Pass:
        """Return the pass with the evaluations `numbers` alone."""
        return replace(self, records=self.records[numbers], times_ns=self.times_ns[numbers])


@dataclass(frozen=True, slots=True)
class ReadyColumn:
    """A column that is ready to run: how long that took after reading the deck, its memory, and its evaluations."""

    setup_s: float
    base_bytes: int
    evaluations: int


def joined(parts: Sequence[Pass]) -> Pass:
    """Return passes of a column in Python, one after the other, as one."""
    return replace(
        parts[0],
        records=np.concatenate([each.records for each in parts]),
        times_ns=np.concatenate([each.times_ns for each in parts]),
        wall_s=sum(each.wall_s for each in parts),
        peak_bytes=max(each.peak_bytes for each in parts),
    )


def reset_peak() -> None:
    """Restart the measurement of `peak_bytes`, if the system can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak_bytes() -> int:
    """Return the most memory that this process had since the last `reset_peak`."""
    # Preferred to ru_maxrss, which begins with that of the parent process.
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)
