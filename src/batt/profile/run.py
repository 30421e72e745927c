"""A run that is counted. Owns its passes and what is kept of them; adds nothing up.

Counting takes time, as much as a short kernel does, and native code takes no shortcut through a loop whose calls it
counts. So there are three passes: one in which nothing is counted and evaluations are timed, one that counts ops, and
one that counts instructions. Times of one pass are never held against those of another.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.image import Image
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs.evaluation import Progress
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Options
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.native import missing
from batt.runtime.options import read_options
from batt.runtime.records import put, unfilled
from batt.runtime.tallies import Counted, Counting, Tallies
from batt.runtime.tier import CPU, Observer, Part


@dataclass(frozen=True, slots=True)
class Run:
    """A profiled run: the deck and its evaluations, the image that was run, and what was seen.

    `records`, `times_ns` and `steps` are those of native code by evaluation, when nothing was counted. A time is -1
    where native code did not end the evaluation: it was refused, or stopped by the guard. `ahead_s` is how long native
    code was at work before and between evaluations, where something is shared. `time_s`, `ops_s` and `instructions_s`
    are how long each of the passes took in native code, that included.
    """

    deck: Deck
    evaluations: Evaluations
    image: Image
    limits: Limits
    share: bool
    workers: int
    records: npt.NDArray[Any]
    times_ns: Integers
    steps: Integers
    ahead_s: float
    time_s: float
    wall_s: float
    fallbacks: Mapping[str, int]
    ops: Counted
    ops_s: float
    instructions: Counted
    instructions_s: float


def profile(
    deck: Deck,
    evaluations: Evaluations,
    *,
    limits: Limits | None = None,
    workers: int | None = None,
    share: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Run evaluations on the cpu engine: to time them, to count ops, to count instructions.

    With `share`, what solvers share is staged, and its time is nobody's. What native code leaves to
    the reference engine is not run there.
    """
    why = missing()
    if why:
        raise UsageError(f"nothing to profile, engine 'cpu' is not available: {why}")
    options = read_options(engine="cpu", limits=limits, workers=workers, compiled=True, share=share)
    job = prepare(deck.programs, options).on(evaluations)
    tell = partial(_tell, progress, evaluations.total)
    started_s = time.monotonic()
    timed = _Pass(job, options, None, partial(tell, 0)).run()
    wall_s = time.monotonic() - started_s
    ops = _Pass(job, options, Counting.OPS, partial(tell, 1)).run()
    instructions = _Pass(job, options, Counting.INSTRUCTIONS, partial(tell, 2)).run()
    return Run(
        deck,
        evaluations,
        job.image,
        options.limits,
        share,
        options.workers,
        timed.records,
        timed.times_ns,
        timed.steps,
        timed.ahead_s,
        timed.time_s,
        wall_s,
        timed.ladder.counts.deferred_to_reference,
        ops.counted,
        ops.time_s,
        instructions.counted,
        instructions.time_s,
    )


def _tell(progress: Progress | None, total: int, passes: int, done: int) -> None:
    """Report the evaluations done in this pass, after `passes` others; there are three."""
    if progress:
        progress(passes * total + done, 3 * total)


class _Pass(Observer):
    """One pass over all evaluations on the cpu tier alone. Keeps the time and the steps of each."""

    def __init__(self, job: Job, options: Options, counting: Counting | None, tell: Callable[[int], None]) -> None:
        self.ladder = Ladder(job, options, (CPU,), self, counting=counting)
        self.tell = tell
        self.done = 0
        self.records = unfilled(job.evaluations.total)
        self.times_ns = np.full(job.evaluations.total, -1, np.int64)
        self.steps = np.zeros(job.evaluations.total, np.int64)
        self.share = options.share
        self.work_s = self.timed_s = 0.0

    @property
    def ahead_s(self) -> float:
        """How long native code was at work outside of evaluations, where that is more than to begin and to end."""
        return max(0.0, self.work_s - self.timed_s) if self.share else 0.0

    @property
    def time_s(self) -> float:
        """How long it took in native code."""
        return self.timed_s + self.ahead_s

    @property
    def counted(self) -> Counted:
        """What was counted; nothing where nothing was run."""
        image = self.ladder.job.image
        none = Tallies.none(len(image.table.ops), image.code_words)
        return self.ladder.counted or Counted(none, 0.0)

    def run(self) -> _Pass:
        """Run all that native code can."""
        self.ladder.run()
        return self

    def on_part(self, part: Part) -> None:
        """Keep what is known of finished evaluations."""
        numbers = part.numbers
        put(self.records, numbers, part.records)
        self.steps[numbers] = part.steps
        if part.times_ns is not None:
            self.times_ns[numbers] = part.times_ns
            self.timed_s += float(part.times_ns.sum(dtype=np.uint64)) / 1e9
        self.work_s += part.wall_s
        self.done += len(numbers)
        self.tell(self.done)
