"""Launches of the kernel: what they are told, how evaluations stand in them, and their memory. Owns their sizes.

There are two ways to run evaluations. In lanes, each has a thread of its own. Together, 32 threads run one, for those
that take long, and work out ahead what evaluations of a sample share. What meets a limit of a launch is left over, for
someone with more time or memory.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import FRAME_BYTES, LAUNCH
from batt.runtime.cuda.contract import Buffer, DeviceLike, Function, Pinned, Stream
from batt.runtime.cuda.faults import OutOfMemory
from batt.runtime.cuda.grouping import GROUP, Grouping, Standing, by_sample, in_order
from batt.runtime.cuda.memory import Need, NoRoom, Room, allowed_bytes, local_bytes, room
from batt.runtime.cuda.stages import Staging
from batt.runtime.evaluations import Block, Integers
from batt.runtime.native import RESULT_TYPE, Budget, NativeBatch, NativeProgram
from batt.runtime.options import Options
from batt.runtime.outcome import Status
from batt.runtime.outputs import PackedOutputs
from batt.runtime.thread import Call, picked

NO_EVALUATION = 0xFFFFFFFF
SLOTS = 2
"""Launches of each way that are under way on a device: while one computes, another one's data is on the way."""
OUTPUT_BYTES = 512
"""Room for the output of an evaluation, as they need it on average: a grid of 20 x 20 takes 505."""


@dataclass(frozen=True, slots=True)
class Way:
    """How the kernel runs evaluations, and what a launch gives each of them.

    `group` is how many of one slice stand side by side, `block` how many a block of the kernel has under way.
    """

    options: tuple[str, ...]
    threads: int
    group: int
    block: int
    per_processor: int
    lane_bytes: int
    value_room: int
    frame_room: int
    steps: int
    ticks: int

    @property
    def need(self) -> Need:
        """What a launch without outputs takes."""
        memory = self.lane_bytes + self.frame_room * FRAME_BYTES
        return Need(memory, RESULT_TYPE.itemsize + 8, self.block)


# Measured on an H200. More evaluations on a processor push one another's data and code out of its caches. What a thread
# of a GPU has not done after some time, 32 of them together do better.
LANES = Way((), 1, GROUP, 256, 256, 256 << 10, 1024, 64, steps=100_000, ticks=50_000_000)
TOGETHER = Way(("-DBATT_WARPS",), 32, 1, 16, 16, 16 << 20, 1 << 16, 1024, steps=2**62, ticks=450_000_000)
MAX_ROWS = 1 << 18
"""Evaluations of one launch at most: it is over in a moment, so that progress is seen and an interrupt heard."""
MANY_FOR_EACH = 4
"""Evaluations for each place of a launch with lanes together: with more, those that take long are found too late."""

LAUNCH_TYPE = LAUNCH.dtype

Results: TypeAlias = npt.NDArray[Any]


class Prepared:
    """A device with the kernel, a program and samples on it; where outputs are kept, launches fetch the grids.

    With `staging`, they work out ahead what evaluations of a sample share.
    """

    def __init__(
        self,
        device: DeviceLike,
        kernel: Function,
        program: NativeProgram,
        batch: NativeBatch,
        budget: Budget,
        options: Options,
        staging: Staging | None = None,
    ) -> None:
        self.device = device
        self.kernel = kernel
        self.outputs = options.outputs
        self.gpu_memory = options.gpu_memory
        self.staging = staging
        self._buffers: list[Buffer] = []
        frozen = program.frozen(self._place)
        samples = batch.frozen(self._place)
        stream = device.stream()
        for buffer, data in zip(self._buffers, (frozen.data, samples), strict=True):
            device.upload(buffer, data, stream)
        device.synchronize(stream)
        self.routine_of = frozen.routine_of
        self._fields = {
            "program_code": frozen.code,
            "program_constants": frozen.constants,
            "program_routines": frozen.routines,
            "helper_names": frozen.names,
            "samples": self._buffers[1].address,
            "budget_steps": budget.steps,
            "budget_max_items": budget.max_items,
            "budget_work": budget.work,
            "stage_rows": frozen.stage,
            "stage_entries": 0 if staging is None else staging.entries,
            "stage_bytes": 0 if staging is None else staging.sample_bytes,
        }

    def slots(self, rows: int) -> list[Slot]:
        """Places for launches in lanes of at most so many rows, in half of the memory that may be used.

        NoRoom where there is none.
        """
        kernels = [self.kernel, *([self.staging.function] if self.staging else [])]
        allowed = self._allowed(*kernels) // 2
        lanes = LANES.per_processor * self.device.processors
        wanted = self._need(LANES), lanes, min(rows, MAX_ROWS), self._samples(rows)
        with suppress(NoRoom):
            shared = room(allowed // SLOTS, *wanted)
            return [Slot(self, LANES, self.kernel, shared) for _ in range(SLOTS)]
        return [Slot(self, LANES, self.kernel, room(allowed, *wanted))]

    def together(self, kernel: Function, beside: Sequence[Slot]) -> list[Slot]:
        """Places for launches with lanes together, in the memory that others leave; NoRoom where there is none."""
        # They take theirs with their first launch: until then it looks free.
        allowed = max(0, self._allowed(kernel) - sum(slot.room.bytes for slot in beside))
        lanes = TOGETHER.per_processor * self.device.processors
        wanted = self._need(TOGETHER), lanes, MANY_FOR_EACH * lanes, self._samples(lanes)
        with suppress(NoRoom):
            shared = room(allowed // SLOTS, *wanted)
            if shared.lanes == lanes:
                return [Slot(self, TOGETHER, kernel, shared) for _ in range(SLOTS)]
        return [Slot(self, TOGETHER, kernel, room(allowed, *wanted))]

    def record(self, way: Way, **fields: int) -> np.void:
        """What a launch is told, with the fields that are its own."""
        told = self._fields | {"steps": way.steps, "ticks": way.ticks, "lane_bytes": way.lane_bytes}
        told |= {"frame_room": way.frame_room, "value_room": way.value_room} | fields
        made: np.void = np.array([tuple([told[name] for name in LAUNCH_TYPE.names or ()])], LAUNCH_TYPE)[0]
        return made

    def _allowed(self, *kernels: Function) -> int:
        device, thread_bytes = self.device, max(kernel.local_bytes for kernel in kernels)
        reserved = local_bytes(thread_bytes, device.processors, device.info.threads_per_processor)
        return allowed_bytes(device.free_bytes, device.info.total_bytes, self.gpu_memory, reserved)

    def _need(self, way: Way) -> Need:
        ahead = 0 if self.staging is None else self.staging.sample_bytes + 4
        more = 8 + OUTPUT_BYTES if self.outputs else 0
        return replace(way.need, evaluation_bytes=way.need.evaluation_bytes + more, sample_bytes=ahead)

    def _samples(self, rows: int) -> int:
        """Samples that a launch of so many rows works out ahead at most."""
        return 0 if self.staging is None else min(len(self.staging.sizes), rows)

    def _place(self, size: int) -> int:
        self._buffers.append(self.device.alloc(size))
        return self._buffers[-1].address


@dataclass(frozen=True, slots=True)
class _Memory:
    """What a slot has taken: a stream, a device's memory with where its parts begin, and host memory beside it.

    `counts` are the queue's next evaluation, the bytes of outputs, and the queue's next sample to be worked out ahead.
    """

    stream: Stream
    buffer: Buffer
    offsets: tuple[int, ...]
    counts: Buffer
    results: Pinned
    numbers: Pinned
    routines: Pinned

    def close(self) -> None:
        for each in (self.stream, self.buffer, self.counts, self.results, self.numbers, self.routines):
            each.close()


class Slot:
    """A place for one launch at a time. Memory is taken with the first, and kept for the next ones."""

    def __init__(self, prepared: Prepared, way: Way, kernel: Function, room: Room) -> None:
        self.prepared = prepared
        self.way = way
        self.kernel = kernel
        self.room = room
        self._memory: _Memory | None = None

    def run(self, block: Block, slices: Integers) -> Call:
        """Evaluate as much of a block as one launch holds; where memory is short, with less and less of it."""
        while True:
            try:
                return self._launch(block, slices)
            except OutOfMemory:
                self.close()
                self.room = self.room.halved()

    def close(self) -> None:
        """Give the memory back."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def _launch(self, block: Block, slices: Integers) -> Call:
        started_s = time.monotonic()
        device, way = self.prepared.device, self.way
        memory = self._memory = self._memory or self._taken()
        standing = self._standing(block, slices)
        grouping, count = standing.grouping, standing.grouping.count
        numbers, routines = memory.numbers.array[:count], memory.routines.array[:count]
        numbers[:] = NO_EVALUATION
        numbers[grouping.rows] = standing.numbers
        routines.reshape(-1, way.group)[:] = self.prepared.routine_of[grouping.slices][:, None]
        starts = dict(zip(_PARTS, memory.offsets, strict=True))
        device.upload(memory.buffer, numbers, memory.stream, starts["numbers"])
        device.upload(memory.buffer, routines, memory.stream, starts["routines"])
        device.clear(memory.counts, memory.stream)
        addresses = self._addresses(memory, starts)
        # Kept until the stream is waited for.
        samples = standing.samples.astype(np.uint32)
        if self.prepared.staging is not None:
            device.upload(memory.buffer, samples, memory.stream, starts["stage_samples"])
            self._work_ahead(self.prepared.staging.function, memory, addresses, len(samples))
        told = self.prepared.record(way, **addresses, count=count)
        blocks = min(self.room.blocks, -(-count // way.block))
        device.launch(self.kernel, blocks, way.block * way.threads, told, memory.stream)
        results = memory.results.array[:count]
        device.download(results, memory.buffer, memory.stream, starts["results"])
        device.synchronize(memory.stream)
        found = picked(results, grouping.rows)
        outputs = self._outputs(memory, starts, found, grouping) if self.prepared.outputs else None
        return Call(standing.ran, found, outputs, standing.rest, False, time.monotonic() - started_s)

    def _standing(self, block: Block, slices: Integers) -> Standing:
        rows, staging = self.room.evaluations, self.prepared.staging
        if staging is None:
            return in_order(block, slices, rows, self.way.group)
        return by_sample(block, slices, rows, self.way.group, self.room.samples, staging.sizes)

    def _work_ahead(self, function: Function, memory: _Memory, addresses: dict[str, int], samples: int) -> None:
        """Queue the working out of what evaluations share: before them, in the memory of their lanes."""
        way = self.way
        lanes = way.per_processor // TOGETHER.per_processor
        wide = replace(
            way,
            lane_bytes=lanes * way.lane_bytes,
            value_room=lanes * way.value_room,
            frame_room=lanes * way.frame_room,
        )
        told = self.prepared.record(wide, **addresses | {"next": memory.counts.address + 16}, count=samples)
        blocks = min(self.room.lanes // (lanes * TOGETHER.block), -(-samples // TOGETHER.block))
        threads = TOGETHER.block * TOGETHER.threads
        self.prepared.device.launch(function, blocks, threads, told, memory.stream)

    def _addresses(self, memory: _Memory, starts: dict[str, int]) -> dict[str, int]:
        """Where the parts of a launch's memory lie."""
        base = memory.buffer.address
        told = {name: base + at for name, at in starts.items()} | {"next": memory.counts.address}
        if not self.prepared.outputs:
            return told | dict.fromkeys(("outputs", "output_room", "output_used", "output_ends"), 0)
        return told | {"output_room": OUTPUT_BYTES * self.room.evaluations, "output_used": memory.counts.address + 8}

    def _outputs(self, memory: _Memory, starts: dict[str, int], results: Results, grouping: Grouping) -> PackedOutputs:
        """Download the outputs of the evaluations."""
        device = self.prepared.device
        counts, ends = np.zeros(2, np.uint64), np.zeros(grouping.count, np.uint64)
        device.download(counts, memory.counts, memory.stream)
        device.download(ends, memory.buffer, memory.stream, starts["output_ends"])
        device.synchronize(memory.stream)
        # What found no room is counted too.
        wires = np.zeros(min(int(counts[1]), OUTPUT_BYTES * self.room.evaluations), np.uint8)
        if len(wires):
            device.download(wires, memory.buffer, memory.stream, starts["outputs"])
            device.synchronize(memory.stream)
        told = np.where(results["status"] == Status.OK, ends[grouping.rows], np.uint64(0))
        return PackedOutputs(wires, told >> np.uint64(24), (told >> np.uint64(24)) + (told & np.uint64(0xFFFFFF)))

    def _taken(self) -> _Memory:
        device, rows, way = self.prepared.device, self.room.evaluations, self.way
        ahead = self.prepared.staging.sample_bytes if self.prepared.staging else 0
        sizes = [self.room.lanes * each for each in (way.lane_bytes, way.frame_room * FRAME_BYTES)]
        sizes.append(self.room.samples * ahead)
        sizes += [rows * RESULT_TYPE.itemsize, rows * 4, rows * 4]
        sizes += [rows * 8, rows * OUTPUT_BYTES] if self.prepared.outputs else [0, 0]
        # Where one of them fails, those before it go back with the last reference to them.
        return _Memory(
            device.stream(),
            device.alloc(self.room.bytes),
            tuple(accumulate(sizes, initial=0)),
            device.alloc(24),
            device.pinned(RESULT_TYPE, rows),
            device.pinned(np.uint32, rows),
            device.pinned(np.uint32, rows),
        )


_PARTS = ("memory", "frames", "stages", "results", "numbers", "routines", "output_ends", "outputs", "stage_samples")
"""The parts of a launch's memory, in their order."""
