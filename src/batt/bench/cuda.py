"""The cuda engine as a column: what GPUs finish, what they leave to the threads and why, and the cards' memory."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from batt.bench.native import NativeRunner, Seen, Timed
from batt.bench.runner import CardMemory, OnGpu, Pass, peak_bytes, reset_peak
from batt.runtime import cuda
from batt.runtime.cpu import CpuEngine
from batt.runtime.cuda.device import count
from batt.runtime.cuda.engine import CudaEngine
from batt.runtime.evaluations import Block, Integers
from batt.runtime.job import Job
from batt.runtime.tallies import Counting
from batt.runtime.thread import Call

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
            watch = _Watch([stack.enter_context(each) for each in _usable()], total if numbers is None else None)
            started_s = time.perf_counter()
            left = np.zeros(total, bool)
            engine = self._engine(job, watch, left)
            ran = Timed(engine, started_s)
            cards = watch.cards()
        by_op = self._by_op(job, np.flatnonzero(left)) if numbers is None else {}
        notes = tuple(dict.fromkeys(engine.notes))
        on_gpu = OnGpu(engine.on_device, left, dict(engine.left_over), by_op, cards, self.options.gpu_memory, notes)
        return Pass(
            ran.records,
            np.full(total, -1, np.int64),
            np.zeros(total, bool),
            np.zeros(total, bool) if watch.seen is None else watch.seen.times_ns < 0,
            ran.wall_s,
            ran.prepared_s,
            ran.first_s,
            peak_bytes(),
            None if watch.seen is None else watch.seen.steps,
            engine.fallbacks,
            on_gpu,
        )

    def _engine(self, job: Job, watch: _Watch, left: npt.NDArray[np.bool_]) -> CudaEngine:
        made = CudaEngine(job, self.options, observe=watch, beside=not self.column.alone)

        def leave(block: Block) -> None:
            left[block.numbers] = True

        made.on_left = leave
        return made

    def _by_op(self, job: Job, numbers: Integers) -> Mapping[str, float]:
        """What evaluations take on the CPU by op, in seconds of all threads, the costliest first."""
        if not len(numbers):
            return {}
        job = job.on(job.evaluations.part(numbers))
        engine = CpuEngine(job, replace(self.options, outputs=False), profile=Counting.OPS)
        for _ in engine.run(natively_only=True):
            pass
        if engine.counted is None:
            return {}
        ticks = engine.counted.tallies.by_op["ticks"].tolist()
        taken = {op.name: each * engine.counted.tick_s for op, each in zip(job.image.table.ops, ticks, strict=True)}
        return dict(sorted(((name, each) for name, each in taken.items() if each), key=lambda pair: -pair[1]))


class _Watch:
    """Looks at the memory of cards while an engine runs, and passes on what it sees."""

    def __init__(self, devices: list[cuda.Device], evaluations: int | None) -> None:
        self.devices = devices
        self.seen = None if evaluations is None else Seen(evaluations)
        self.last = [0] * len(devices)
        self.before = self._in_use()
        self.most = list(self.before)
        self.looked_s = 0.0

    def __call__(self, part: Call) -> None:
        now_s = time.monotonic()
        if now_s - self.looked_s > LOOK_EVERY_S:
            self.looked_s = now_s
            self.most = list(map(max, self.most, self._in_use()))
        if self.seen is not None:
            self.seen(part)

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
