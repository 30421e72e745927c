"""How the rate grows with the number of workers on GPUs. Owns which of them run together, and what they run.

Threads do only what GPUs leave over, so that a ratio is that of the GPUs. Cards are opened and filled within the time
that counts, as in every run; compiling the deck and packing the samples is not.
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
class _Row:
    """What the workers on `devices` did in the passes so far."""

    devices: Numbers
    wall_s: list[float] = field(default_factory=list)
    by_worker: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    left_out: int = 0


def scaling(
    devices: Numbers,
    deck: Deck,
    tasks: Tasks,
    evaluations: int = EVALUATIONS,
    repeat: int = 3,
    tell: Callable[[str], None] | None = None,
    gpu_memory: float = FRACTION,
) -> dict[str, Any]:
    """Rates with the first worker named, the first two, and so on, as plain data; all outcomes are the cpu engine's."""
    choose_engine("cuda", devices)
    say = tell or (lambda line: None)
    named = devices or tuple(range(count()))
    solvers, chosen = sized(deck, tasks, evaluations)
    samples = samples_of(chosen)
    options = Options(engine="cuda", limits=LIMITS, compiled=True, share=False, gpu_memory=gpu_memory)
    job = prepare(solvers.programs, options, tell=tell).on(Evaluations(samples, len(solvers)))
    say(f"devices: {job.evaluations.total:,} evaluations on the cpu engine, to compare with")
    expected, _, _ = _timed(job, replace(options, engine="cpu"))
    rows = [_Row(named[:workers]) for workers in range(1, len(named) + 1)]
    # The first round compiles the kernel and wakes the cards; the others go round, so that all meet the same.
    for number in range(repeat + 1):
        for row in rows:
            say(f"devices: {_shown(row.devices)}: {f'pass {number} of {repeat}' if number else 'once to warm up'}")
            _pass(job, replace(options, devices=row.devices), row, expected, measured=number > 0)
    return {
        "title": f"{deck.name}: evaluations/s by workers on GPUs, threads only for what GPUs leave over",
        "evaluations": job.evaluations.total,
        "rows": _told(rows, job.evaluations.total),
    }


def _pass(job: Job, options: Options, row: _Row, expected: npt.NDArray[Any], measured: bool) -> None:
    records, wall_s, ladder = _timed(job, options)
    if differing(expected, records).any():
        raise InternalError(f"devices {_shown(row.devices)}: outcomes differ from those of the cpu engine")
    if measured:
        row.wall_s.append(wall_s)
        row.by_worker = dict(ladder.counts.by_worker)
        row.notes += ladder.notes
        row.left_out += len(ladder.without)


def _timed(job: Job, options: Options) -> tuple[npt.NDArray[Any], float, Ladder]:
    """Run a job; return its records, its seconds, and the ladder that ran it."""
    collected = Collected(job.evaluations.total)
    started_s = time.perf_counter()
    ladder = Ladder(job, options, observer=collected, beside=False)
    ladder.run()
    return collected.records, time.perf_counter() - started_s, ladder


def _told(rows: list[_Row], total: int) -> list[dict[str, Any]]:
    """The rows as plain data; without a rate where somebody was left out, since it is not that of all these workers."""
    told: list[dict[str, Any]] = []
    for row in rows:
        rate = None if row.left_out else total / float(np.median(row.wall_s))
        first = told[0]["evaluations_per_s"] if told else rate
        told.append({
            "workers": len(row.devices),
            "devices": _shown(row.devices),
            "wall_s": row.wall_s,
            "evaluations_per_s": rate,
            "ratio": rate / first if rate and first else None,
            "on_gpus": sum(row.by_worker.values()) / total,
            "by_worker": row.by_worker,
            "notes": list(dict.fromkeys(row.notes)),
        })  # fmt: skip
    return told


def _shown(devices: Numbers) -> str:
    return ",".join(map(str, devices))
