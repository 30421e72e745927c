"""The cuda engine as a column: what GPUs finish, what they leave to the threads and why, and the cards' memory."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace

import numpy as np

from batt.bench.native import NativeRunner, Timed
from batt.bench.runner import CardMemory, OnGpu, Pass, peak_bytes, reset_peak
from batt.runtime import cuda
from batt.runtime.cuda.device import count
from batt.runtime.evaluations import Integers
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.tallies import Counting
from batt.runtime.tier import CPU, Part

LOOK_EVERY_S = 0.01
"""How often the memory of the cards is looked at: a launch takes longer, and holds its memory till the end."""


class CudaRunner(NativeRunner):
    """A case on the cuda engine, compiled once. What is seen of single evaluations is seen in a pass over all."""

    def run(self, numbers: Integers | None) -> Pass:
        """Run these evaluations of the case, or all."""
        reset_peak()
        job = self._job(numbers)
        total = job.evaluations.total
        with ExitStack() as stack:
            devices = [stack.enter_context(each) for each in _usable()]
            started_s = time.perf_counter()
            watch = _Watch(devices, total, started_s)
            ladder = Ladder(job, self.options, observer=watch, beside=not self.column.alone)
            prepared_s = time.perf_counter() - started_s
            ladder.run()
            wall_s = time.perf_counter() - started_s
            cards = watch.cards()
        past, counts = watch.past_gpus, ladder.counts
        by_op = self._by_op(job, np.flatnonzero(past)) if numbers is None else {}
        notes = tuple(dict.fromkeys(ladder.notes))
        left_by = dict(counts.deferred_by_gpus)
        on_gpu = OnGpu(counts.on_gpus, past, left_by, by_op, cards, self.options.gpu_memory, notes)
        return Pass(
            watch.records,
            np.full(total, -1, np.int64),
            np.zeros(total, bool),
            watch.times_ns < 0,
            wall_s,
            prepared_s,
            watch.first_s,
            peak_bytes(),
            watch.steps,
            counts.deferred_to_reference,
            on_gpu,
        )

    def _by_op(self, job: Job, numbers: Integers) -> Mapping[str, float]:
        """What evaluations take on the CPU by op, in seconds of all threads, the costliest first."""
        if not len(numbers):
            return {}
        job = job.on(job.evaluations.part(numbers))
        ladder = Ladder(job, replace(self.options, outputs=False), (CPU,), counting=Counting.OPS)
        ladder.run()
        counted = ladder.counted
        if counted is None:
            return {}
        ticks = counted.tallies.by_op["ticks"].tolist()
        taken = {op.name: each * counted.tick_s for op, each in zip(job.image.table.ops, ticks, strict=True)}
        return dict(sorted(((name, each) for name, each in taken.items() if each), key=lambda pair: -pair[1]))


class _Watch(Timed):
    """Looks at the memory of cards while an engine runs, too."""

    def __init__(self, devices: list[cuda.Device], total: int, started_s: float) -> None:
        super().__init__(total, started_s)
        self.devices = devices
        self.last = [0] * len(devices)
        self.before = self._in_use()
        self.most = list(self.before)
        self.looked_s = 0.0

    def on_part(self, part: Part) -> None:
        """Keep what a tier finished, and look at the memory."""
        now_s = time.monotonic()
        if now_s - self.looked_s > LOOK_EVERY_S:
            self.looked_s = now_s
            self.most = list(map(max, self.most, self._in_use()))
        super().on_part(part)

    def cards(self) -> tuple[CardMemory, ...]:
        """What was in use; the engine has ended."""
        columns = self.devices, self.before, self.most, self._in_use()
        return tuple([CardMemory(str(device.info), device.info.total_bytes, *used)
                      for device, *used in zip(*columns, strict=True)])  # fmt: skip

    def _in_use(self) -> list[int]:
        for at, device in enumerate(self.devices):
            # A card that fails is the engine's to tell of; what was seen last stands.
            with suppress(cuda.DeviceError):
                self.last[at] = device.info.total_bytes - device.free_bytes
        return list(self.last)


def _usable() -> Iterator[cuda.Device]:
    for number in range(count()):
        with suppress(cuda.NoGpu, cuda.DeviceError):
            yield cuda.Device(number)
