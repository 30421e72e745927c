"""The cpu engine as a column: the engine that all runs use, which here keeps the time and steps of evaluations."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from batt.bench.cases import Case
from batt.bench.columns import Column
from batt.bench.runner import Pass, peak_bytes, reset_peak
from batt.bytecode.abi import Ended
from batt.jobs.prepare import prepare
from batt.runtime import Options
from batt.runtime.cpu import CpuEngine
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.job import Job
from batt.runtime.records import put, unfilled
from batt.runtime.thread import Call


class NativeRunner:
    """A case on the cpu engine, compiled once."""

    def __init__(self, case: Case, column: Column, options: Options) -> None:
        self.case = case
        self.column = column
        self.options = replace(
            options, engine="cpu", compiled=True, share=column.share, outputs=column.outputs, workers=column.threads
        )
        self.job = prepare(case.deck.programs, self.options)

    def run(self, numbers: Integers | None) -> Pass:
        """Run these evaluations of the case, or all."""
        reset_peak()
        started_s = time.perf_counter()
        job = self._job(numbers)
        total = job.evaluations.total
        seen = Seen(total)
        engine = CpuEngine(job, self.options, observe=seen)
        ran = Timed(engine, started_s)
        return Pass(
            ran.records,
            seen.times_ns,
            np.zeros(total, bool),
            seen.times_ns < 0,
            ran.wall_s,
            ran.prepared_s,
            ran.first_s,
            peak_bytes(),
            seen.steps,
            engine.fallbacks,
        )

    def _job(self, numbers: Integers | None) -> Job:
        """The job of these evaluations of the case, or of all."""
        # Made anew: putting them in order is part of what is measured.
        evaluations = Evaluations(self.case.samples, len(self.case.deck), *self.case.pairs)
        return self.job.on(evaluations if numbers is None else evaluations.part(numbers))


class Timed:
    """A run of an engine to its end: its records, and the seconds since it was begun to be made."""

    def __init__(self, engine: CpuEngine, started_s: float) -> None:
        self.records = unfilled(engine.job.evaluations.total)
        self.prepared_s = time.perf_counter() - started_s
        self.first_s = 0.0
        for done in engine.run():
            self.first_s = self.first_s or time.perf_counter() - started_s
            put(self.records, done.numbers, done.records)
        self.wall_s = time.perf_counter() - started_s


class Seen:
    """What native code tells of each evaluation beside its outcome; those that it left are not known."""

    def __init__(self, total: int) -> None:
        self.times_ns = np.full(total, -1, np.int64)
        self.steps = np.zeros(total, np.int64)

    def __call__(self, part: Call) -> None:
        """Take note of what a thread or a GPU did of a block."""
        kept = part.results["status"] != Ended.UNSUPPORTED
        numbers, results = part.ran.numbers[kept], part.results[kept]
        self.times_ns[numbers] = results["time_ns"]
        self.steps[numbers] = results["steps"]
