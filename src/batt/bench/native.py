"""The cpu engine as a column: the engine that all runs use, which here keeps the time and steps of evaluations."""

from __future__ import annotations

import time

import numpy as np

from batt.bench.cases import Case
from batt.bench.columns import Column
from batt.bench.runner import Pass, peak_bytes, reset_peak
from batt.compiler import compile_deck, encode_deck
from batt.passes.plan import Plan, plan
from batt.runtime import Limits
from batt.runtime.blocks import Integers, Order
from batt.runtime.cpu import CpuEngine, Done, Job
from batt.runtime.native import UNSUPPORTED
from batt.runtime.records import unfilled
from batt.runtime.thread import Call


class NativeRunner:
    """A case on the cpu engine, compiled once."""

    def __init__(self, case: Case, column: Column, limits: Limits) -> None:
        batt = compile_deck(case.deck)
        encoded = encode_deck(batt, plan(batt.graph) if column.share else Plan.none())
        names = case.deck.names
        self.case = case
        self.threads = column.threads
        self.limits = limits
        self.programs = [solver.program for solver in case.deck]
        self.image = encoded.image
        self.slice_of = np.array([encoded.slice_of.get(name, -1) for name in names], dtype=np.int64)
        self.refused = {at: encoded.refused[name] for at, name in enumerate(names) if name in encoded.refused}

    def run(self, numbers: Integers | None) -> Pass:
        """Run these evaluations of the case, or all."""
        solvers, samples = self.case.pairs if numbers is None else (each[numbers] for each in self.case.pairs)
        reset_peak()
        started_s = time.perf_counter()
        order = Order(len(self.programs), len(self.case.samples), solvers, samples)
        job = Job(self.programs, self.image, self.slice_of, self.refused, self.case.samples, order)
        engine = _TimingEngine(job, self.limits, self.threads)
        records = unfilled(order.total)
        prepared_s = time.perf_counter() - started_s
        first_s = 0.0
        for done in engine.run():
            first_s = first_s or time.perf_counter() - started_s
            records[done.numbers] = done.records
        wall_s = time.perf_counter() - started_s
        return Pass(
            records,
            engine.times_ns,
            np.zeros(order.total, bool),
            engine.times_ns < 0,
            wall_s,
            prepared_s,
            first_s,
            peak_bytes(),
            engine.steps,
            engine.fallbacks,
        )


class _TimingEngine(CpuEngine):
    """The cpu engine; what native code tells of each evaluation beside its outcome is kept."""

    def __init__(self, job: Job, limits: Limits, threads: int) -> None:
        super().__init__(job, limits, False, threads)
        self.times_ns = np.full(job.order.total, -1, np.int64)
        self.steps = np.zeros(job.order.total, np.int64)

    def _finished(self, part: Call) -> Done:
        kept = part.results["status"] != UNSUPPORTED
        numbers, results = part.ran.numbers[kept], part.results[kept]
        self.times_ns[numbers] = results["time_ns"]
        self.steps[numbers] = results["steps"]
        return super()._finished(part)
