"""One pass of a column over evaluations: what is asked for and what is seen. Owns memory's measure; runs nothing."""

from __future__ import annotations

import resource
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from batt.runtime.evaluations import Integers

CLIPPED_NS = 2**32 - 1
"""What the native engine writes for an evaluation that took that long or longer."""


@dataclass(frozen=True, slots=True)
class CardMemory:
    """Memory of a GPU that is in use, by whomever: before a pass, at most while it ran, and after it."""

    name: str
    total_bytes: int
    before_bytes: int
    peak_bytes: int
    after_bytes: int


@dataclass(frozen=True, slots=True)
class OnGpu:
    """What GPUs did of a pass: how many evaluations they finished, and `left`, those that they left to the threads.

    `left_by` counts the latter by cause. `left_op_s` is what those take on the CPU by op, where that was measured.
    """

    finished: int
    left: npt.NDArray[np.bool_]
    left_by: Mapping[str, int]
    left_op_s: Mapping[str, float]
    cards: tuple[CardMemory, ...]
    share_allowed: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """What a column made of evaluations, in the order in which they were asked for.

    `times_ns` are of each evaluation alone: by the clock in native code, where the median of passes leaves out what
    other processes took; the thread's own processor time in Python, where there may be one pass only. `left_out` are
    those that the column could not run or that its guard stopped, `handed_down` those that native code left to the
    reference engine, whose time is not known.
    """

    records: npt.NDArray[Any]
    times_ns: Integers
    left_out: npt.NDArray[np.bool_]
    handed_down: npt.NDArray[np.bool_]
    wall_s: float
    prepared_s: float
    """Of that, until the samples were packed."""
    first_s: float
    peak_bytes: int
    steps: Integers | None = None
    fallbacks: Mapping[str, int] = field(default_factory=dict)
    on_gpu: OnGpu | None = None


@dataclass(frozen=True, slots=True)
class Ready:
    """A column that is ready to run: how long that took, reading the deck not counted, the memory it has, and how many
    evaluations the case has.
    """

    setup_s: float
    base_bytes: int
    evaluations: int


def joined(parts: Sequence[Pass]) -> Pass:
    """Passes over evaluations one after the other, as one."""
    columns = [[each.records, each.times_ns, each.left_out, each.handed_down] for each in parts]
    records, times_ns, left_out, handed_down = (np.concatenate(column) for column in zip(*columns, strict=True))
    fallbacks = sum([Counter(each.fallbacks) for each in parts], Counter[str]())
    wall_s, peak = sum(each.wall_s for each in parts), max(each.peak_bytes for each in parts)
    first_s = parts[0].first_s
    return Pass(records, times_ns, left_out, handed_down, wall_s, 0.0, first_s, peak, None, fallbacks)


class Runner(Protocol):
    """A case on a column."""

    def run(self, numbers: Integers | None) -> Pass:
        """Run these evaluations of the case, or all."""
        ...


def reset_peak() -> None:
    """Begin to measure the most memory anew, where the system can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak_bytes() -> int:
    """The most memory that this process had since the measure was begun."""
    # Not ru_maxrss where it can be helped: a new process begins with that of the one that started it.
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)
