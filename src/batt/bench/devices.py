"""Measure how the rate grows with the number of workers on GPUs.

The CPU runs only what GPUs defer, so that a ratio is that of the GPUs. Opening and filling GPUs counts, as in every
run; compiling the deck and packing the samples does not.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bench.growth import sized
from batt.bench.measure import LIMITS, differing
from batt.errors import InternalError
from batt.front import Deck
from batt.jobs import choose_engine, samples_of
from batt.jobs.prepare import prepare
from batt.runtime import Options
from batt.runtime.collected import Collected
from batt.runtime.cuda.device import count
from batt.runtime.cuda.memory import FRACTION
from batt.runtime.cuda.selection import Numbers
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.tasks import Tasks

EVALUATIONS = 4_000_000


@dataclass(slots=True)
class DeviceRow:
    """The work of the workers on `devices` in the passes so far. If `is_whole` is unset, one of them was left out."""

    devices: Numbers
    wall_s: list[float] = field(default_factory=list)
    by_worker: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    is_whole: bool = True

    @property
    def name(self) -> str:
        """Return the devices as options name them."""
        return ",".join(map(str, self.devices))

    def add(self, wall_s: float, ladder: Ladder) -> None:
        """Add a measured pass."""
        self.wall_s.append(wall_s)
        self.by_worker = dict(ladder.counts.by_worker)
        self.notes += ladder.notes
        self.is_whole &= not ladder.without

    def rate(self, total: int) -> float | None:
        """Return the evaluations per second, or None if a worker was left out: it is not the rate of all of them."""
        return total / float(np.median(self.wall_s)) if self.is_whole else None


def scaling(
    devices: Numbers,
    deck: Deck,
    tasks: Tasks,
    evaluations: int = EVALUATIONS,
    repeat: int = 3,
    tell: Callable[[str], None] = lambda text: None,
    gpu_memory: float = FRACTION,
) -> dict[str, Any]:
    """Return the rates with the first worker of `devices`, the first two, and so on, as plain data.

    Raise InternalError if an outcome is not that of the cpu engine.
    """
    choose_engine("cuda", devices)
    named = devices or tuple(range(count()))
    solvers, chosen = sized(deck, tasks, evaluations)
    options = Options(engine="cuda", limits=LIMITS, compiled=True, share=False, gpu_memory=gpu_memory)
    job = prepare(solvers.programs, options, tell=tell).on(Evaluations(samples_of(chosen), len(solvers)))
    total = job.evaluations.total
    tell(f"devices: {total:,} evaluations on the cpu engine, to compare with")
    expected, _, _ = _timed(job, replace(options, engine="cpu"))
    rows = [DeviceRow(named[:workers]) for workers in range(1, len(named) + 1)]
    # The first round compiles the kernel and starts the GPUs. Passes take turns, so that all meet the same.
    for number in range(repeat + 1):
        for row in rows:
            tell(f"devices: {row.name}: {f'pass {number} of {repeat}' if number else 'once to warm up'}")
            records, wall_s, ladder = _timed(job, replace(options, devices=row.devices))
            if differing(expected, records).any():
                raise InternalError(f"devices {row.name}: outcomes differ from those of the cpu engine")
            if number:
                row.add(wall_s, ladder)
    return {
        "title": f"{deck.name}: evaluations/s by workers on GPUs, the CPU only for what GPUs defer",
        "evaluations": total,
        "rows": [_figures(row, rows[0].rate(total), total) for row in rows],
    }


def _timed(job: Job, options: Options) -> tuple[npt.NDArray[Any], float, Ladder]:
    """Run a job; return its records, its seconds, and the ladder that ran it."""
    collected = Collected(job.evaluations.total)
    started_s = time.perf_counter()
    ladder = Ladder(job, options, observer=collected, beside=False)
    ladder.run()
    return collected.records, time.perf_counter() - started_s, ladder


def _figures(row: DeviceRow, first: float | None, total: int) -> dict[str, Any]:
    """Return a row as plain data; `first` is the rate of the first row."""
    rate = row.rate(total)
    return {
        "workers": len(row.devices),
        "devices": row.name,
        "wall_s": row.wall_s,
        "evaluations_per_s": rate,
        "ratio": rate / first if rate and first else None,
        "on_gpus": sum(row.by_worker.values()) / total,
        "by_worker": row.by_worker,
        "notes": list(dict.fromkeys(row.notes)),
    }
