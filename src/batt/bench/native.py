"""The cpu and cuda engines as columns: the ladder that all runs use, and the memory of GPUs while it runs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace

import numpy as np

from batt.bench.cases import BenchCase
from batt.bench.columns import BenchColumn, ColumnKind
from batt.bench.passes import CardMemory, GpuPass, Pass, peak_bytes, reset_peak
from batt.jobs.prepare import prepare
from batt.runtime import Options, cuda
from batt.runtime.collected import Collected
from batt.runtime.cuda.device import count
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.tallies import Counting
from batt.runtime.tier import CPU, Part

LOOK_EVERY_S = 0.01
"""The time between two looks at the memory of GPUs: a launch takes longer, and keeps its memory until it ends."""


class NativeRunner:
    """A case on a native engine, compiled once."""

    def __init__(self, case: BenchCase, column: BenchColumn, options: Options) -> None:
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
        """Run the evaluations `numbers` of the case, or all."""
        # Made for each pass: sorting evaluations is part of what is measured.
        evaluations = Evaluations(self.case.samples, len(self.case.deck), *self.case.pairs)
        job = self.job.on(evaluations if numbers is None else evaluations.part(numbers))
        is_gpu = self.column.kind is ColumnKind.CUDA
        reset_peak()
        with ExitStack() as stack:
            seen = _Observed(job, [stack.enter_context(each) for each in _usable()] if is_gpu else [])
            ladder = Ladder(job, self.options, observer=seen, beside=not self.column.alone)
            prepared_s = seen.passed_s()
            ladder.run()
            wall_s = seen.passed_s()
            cards = seen.cards()
        # Thousands of evaluations share a GPU's time, so that of a single one says nothing.
        times_ns = np.full_like(seen.times_ns, -1) if is_gpu else seen.times_ns
        counts = ladder.counts
        done = Pass(
            seen.records, times_ns, wall_s, prepared_s, seen.first_s, peak_bytes(), counts.deferred_to_reference
        )
        if not is_gpu:
            return done
        op_s = self._by_op(job, np.flatnonzero(seen.past_gpus)) if numbers is None else {}
        notes, allowed = tuple(dict.fromkeys(ladder.notes)), self.options.gpu_memory
        by_cause = dict(counts.deferred_by_gpus)
        return replace(done, on_gpu=GpuPass(counts.on_gpus, seen.past_gpus, by_cause, op_s, cards, allowed, notes))

    def _by_op(self, job: Job, numbers: Integers) -> Mapping[str, float]:
        """Return the time of evaluations on the CPU by op, in seconds of all threads, the costliest op first."""
        if not len(numbers):
            return {}
        job = job.on(job.evaluations.part(numbers))
        ladder = Ladder(job, replace(self.options, outputs=False), (CPU,), counting=Counting.OPS)
        ladder.run()
        counted = ladder.counted
        if counted is None:
            return {}
        ticks = counted.tallies.by_op["ticks"].tolist()
        taken = {op.name: each * counted.tick_s for op, each in zip(job.image.table.ops, ticks, strict=True) if each}
        return dict(sorted(taken.items(), key=lambda pair: -pair[1]))


class _Observed(Collected):
    """Also keeps when the first evaluations were finished, and the memory that GPUs have in use."""

    def __init__(self, job: Job, devices: list[cuda.Device]) -> None:
        super().__init__(job.evaluations.total)
        self.devices = devices
        self.last = [0] * len(devices)
        self.before = self._in_use()
        self.most = list(self.before)
        self.looked_s = -LOOK_EVERY_S
        self.first_s = 0.0
        self.started_s = time.perf_counter()

    def passed_s(self) -> float:
        """Return the seconds since the pass began."""
        return time.perf_counter() - self.started_s

    def on_part(self, part: Part) -> None:
        """Keep what a tier finished, and look at the memory."""
        now_s = self.passed_s()
        self.first_s = self.first_s or now_s
        if self.devices and now_s - self.looked_s >= LOOK_EVERY_S:
            self.looked_s = now_s
            self.most = list(map(max, self.most, self._in_use()))
        super().on_part(part)

    def cards(self) -> tuple[CardMemory, ...]:
        """Return the memory of each GPU, after the run."""
        columns = self.devices, self.before, self.most, self._in_use()
        return tuple([CardMemory(str(device.info), device.info.total_bytes, *used)
                      for device, *used in zip(*columns, strict=True)])  # fmt: skip

    def _in_use(self) -> list[int]:
        for at, device in enumerate(self.devices):
            # The engine reports a GPU that fails; here its last known memory stays.
            with suppress(cuda.DeviceError):
                self.last[at] = device.info.total_bytes - device.free_bytes
        return list(self.last)


def _usable() -> Iterator[cuda.Device]:
    for number in range(count()):
        with suppress(cuda.NoGpu, cuda.DeviceError):
            yield cuda.Device(number)
