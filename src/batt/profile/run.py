"""Profile a run: three passes over its evaluations, and what was measured in each.

Counting takes as much time as a short kernel does, and native code takes no shortcut through a loop whose calls it
counts. So one pass times the evaluations and counts nothing, one counts ops, and one counts instructions. Never compare
a time of one pass with a time of another.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from batt.bytecode.image import Image
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs.display import Progress
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Options
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.native import missing
from batt.runtime.options import read_options
from batt.runtime.tallies import Counted, Counting, Tallies
from batt.runtime.tier import CPU, Part


class ProfilePass(Collected):
    """One pass over all evaluations, on the cpu tier alone.

    A time is -1 if native code did not finish the evaluation: it was deferred, or stopped by the guard.
    """

    def __init__(self, job: Job, options: Options, counting: Counting | None, report: Callable[[int], None]) -> None:
        super().__init__(job.evaluations.total)
        self.ladder = Ladder(job, options, (CPU,), self, counting=counting)
        self.report = report
        self.done = 0
        self.share = options.share
        self.work_s = self.timed_s = 0.0

    @property
    def staged_s(self) -> float:
        """Return how long native code worked outside of evaluations, for staged values; 0 if there are none."""
        return max(0.0, self.work_s - self.timed_s) if self.share else 0.0

    @property
    def time_s(self) -> float:
        """Return how long the pass took in native code, with staged values."""
        return self.timed_s + self.staged_s

    @property
    def counted(self) -> Counted:
        """Return what was counted; nothing if nothing was run."""
        image = self.ladder.job.image
        return self.ladder.counted or Counted(Tallies.none(len(image.table.ops), image.code_words), 0.0)

    def run(self) -> ProfilePass:
        """Run all that native code can."""
        self.ladder.run()
        return self

    def on_part(self, part: Part) -> None:
        """Keep finished evaluations, and add up their time."""
        super().on_part(part)
        if part.times_ns is not None:
            self.timed_s += float(part.times_ns.sum(dtype=np.uint64)) / 1e9
        self.work_s += part.wall_s
        self.done += len(part.numbers)
        self.report(self.done)


@dataclass(frozen=True, slots=True)
class Run:
    """A profiled run: the deck and its evaluations, the image that was run, and the three passes.

    `wall_s` is how long the pass `timed` took by the clock.
    """

    deck: Deck
    evaluations: Evaluations
    image: Image
    limits: Limits
    share: bool
    workers: int
    wall_s: float
    timed: ProfilePass
    ops: ProfilePass
    instructions: ProfilePass


def profile(
    deck: Deck,
    evaluations: Evaluations,
    *,
    limits: Limits | None = None,
    workers: int | None = None,
    share: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Run evaluations on the cpu engine three times: to time them, to count ops, to count instructions.

    With `share`, shared values are staged, and their time belongs to no solver. Evaluations that native code defers to
    the reference tier are not run.
    """
    why = missing()
    if why:
        raise UsageError(f"nothing to profile, engine 'cpu' is not available: {why}")
    options = read_options(engine="cpu", limits=limits, workers=workers, compiled=True, share=share)
    job = prepare(deck.programs, options).on(evaluations)
    report = partial(_report, progress, evaluations.total)
    started_s = time.monotonic()
    timed = ProfilePass(job, options, None, partial(report, 0)).run()
    wall_s = time.monotonic() - started_s
    ops = ProfilePass(job, options, Counting.OPS, partial(report, 1)).run()
    instructions = ProfilePass(job, options, Counting.INSTRUCTIONS, partial(report, 2)).run()
    return Run(deck, evaluations, job.image, options.limits, share, options.workers, wall_s, timed, ops, instructions)


def _report(progress: Progress | None, total: int, passes: int, done: int) -> None:
    """Report `done` evaluations of this pass, which comes after `passes` others; there are three."""
    if progress:
        progress(passes * total + done, 3 * total)
