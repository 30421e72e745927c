"""The cpu engine as a column: the engine that all runs use, which here keeps the time and steps of evaluations."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from batt.bench.cases import Case
from batt.bench.columns import Column
from batt.bench.runner import Pass, peak_bytes, reset_peak
from batt.jobs.prepare import prepare
from batt.runtime import Options
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.tier import Part


class NativeRunner:
    """A case on a native engine, compiled once."""

    def __init__(self, case: Case, column: Column, options: Options) -> None:
        self.case = case
        self.column = column
        self.options = replace(
            options,
            engine=column.kind.value,
            compiled=True,
            share=column.share,
            outputs=column.outputs,
            workers=column.threads,
        )
        self.job = prepare(case.deck.programs, self.options)

    def run(self, numbers: Integers | None) -> Pass:
        """Run these evaluations of the case, or all."""
        reset_peak()
        started_s = time.perf_counter()
        job = self._job(numbers)
        total = job.evaluations.total
        seen = Timed(total, started_s)
        ladder = Ladder(job, self.options, observer=seen)
        prepared_s = time.perf_counter() - started_s
        ladder.run()
        return Pass(
            seen.records,
            seen.times_ns,
            np.zeros(total, bool),
            seen.times_ns < 0,
            time.perf_counter() - started_s,
            prepared_s,
            seen.first_s,
            peak_bytes(),
            seen.steps,
            ladder.counts.deferred_to_reference,
        )

    def _job(self, numbers: Integers | None) -> Job:
        """The job of these evaluations of the case, or of all."""
        # Made anew: putting them in order is part of what is measured.
        evaluations = Evaluations(self.case.samples, len(self.case.deck), *self.case.pairs)
        return self.job.on(evaluations if numbers is None else evaluations.part(numbers))


class Timed(Collected):
    """Keeps when the first evaluations were finished, too."""

    def __init__(self, total: int, started_s: float) -> None:
        super().__init__(total)
        self.started_s = started_s
        self.first_s = 0.0

    def on_part(self, part: Part) -> None:
        """Keep what a tier finished."""
        self.first_s = self.first_s or time.perf_counter() - self.started_s
        super().on_part(part)
