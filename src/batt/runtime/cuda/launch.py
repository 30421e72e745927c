"""Launches of the kernel: what they are told, how evaluations stand in them, and their memory. Owns their sizes.

A launch takes evaluations in groups, each of one slice: its lanes go the same way through the same code. What meets a
limit of the launch is left over, for someone with more time or memory.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.runtime.blocks import Block, Integers
from batt.runtime.cuda.contract import Buffer, DeviceLike, Function, Pinned, Stream
from batt.runtime.cuda.faults import OutOfMemory
from batt.runtime.cuda.memory import Need, NoRoom, Room, allowed_bytes, fraction, local_bytes, room
from batt.runtime.native import RESULT_TYPE, Budget, NativeBatch, NativeProgram
from batt.runtime.thread import Call

GROUP = 256
"""Lanes of a block of the kernel, and evaluations that it takes at a time."""

# Measured on an H200. More lanes on a processor wait for the memory of one another; what meets the other limits are few
# evaluations that take long, for which a CPU is the better place, and others would wait for them.
LANES_PER_PROCESSOR = 512
LANE_BYTES = 64 << 10
VALUE_ROOM = 1024
FRAME_ROOM = 64
MAX_STEPS = 100_000
MAX_TICKS = 30_000_000

MAX_ROWS = 1 << 19
"""Evaluations of one launch at most: it is over in a moment, so that progress is seen and an interrupt heard."""
SLOTS = 2
"""Launches under way on a device: while one computes, another one's data is on the way."""

FRAME_BYTES = 144
"""`Frame` of native/machine/frames.h."""
NO_EVALUATION = 0xFFFFFFFF
LEFT_OVER = 5
"""The status of an evaluation that met a limit of the launch, and not of its budget."""

NEED = Need(LANE_BYTES + FRAME_ROOM * FRAME_BYTES, RESULT_TYPE.itemsize + 8, GROUP)

LAUNCH_TYPE = np.dtype(
    [
        *[(name, "<u8") for name in ("code", "constants", "routines_table", "helper_names", "samples")],
        *[(name, "<u8") for name in ("routines", "numbers", "results", "next", "memory", "lane_bytes")],
        *[(name, "<u8") for name in ("frames", "frame_room", "value_room", "count")],
        *[(name, "<i8") for name in ("steps", "ticks", "budget_steps", "budget_max_items", "budget_work")],
    ]
)
"""`Launch` of native/cuda/evaluate.cu."""

Results: TypeAlias = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Grouping:
    """Where evaluations stand in a launch: the row of each, and the slice that each group of rows runs."""

    rows: Integers
    slices: Integers

    @property
    def count(self) -> int:
        """Rows in all, those without an evaluation included."""
        return GROUP * len(self.slices)


def grouped(slices: Integers, most: int) -> Grouping:
    """The first of these evaluations, by their slices, as many as fit into so many rows.

    Neighbours of the same slice stand side by side, and each slice begins a group: sorted ones need the fewest rows.
    """
    starts = np.flatnonzero(np.diff(slices, prepend=-1))
    lengths = np.diff(starts, append=len(slices))
    groups = -(-lengths // GROUP)
    first_rows = GROUP * (np.cumsum(groups) - groups)
    rows = np.arange(len(slices)) + np.repeat(first_rows - starts, lengths)
    fitting = rows[: np.searchsorted(rows, most // GROUP * GROUP)]
    used = int(fitting[-1]) // GROUP + 1 if len(fitting) else 0
    return Grouping(fitting, np.repeat(slices[starts], groups)[:used])


def picked(results: Results, chosen: npt.NDArray[Any]) -> Results:
    """The results at these places, or where a mask is True."""
    # As plain bytes: field by field NumPy takes several times as long.
    found: Results = results.view(f"V{results.itemsize}")[chosen].view(results.dtype)
    return found


class Prepared:
    """A device with the kernel, a program and samples on it."""

    def __init__(
        self, device: DeviceLike, kernel: Function, program: NativeProgram, batch: NativeBatch, budget: Budget
    ) -> None:
        self.device = device
        self.kernel = kernel
        self._buffers: list[Buffer] = []
        frozen = program.frozen(self._place)
        samples = batch.frozen(self._place)
        stream = device.stream()
        for buffer, data in zip(self._buffers, (frozen.data, samples), strict=True):
            device.upload(buffer, data, stream)
        device.synchronize(stream)
        self.routine_of = frozen.routine_of
        self._fields = {
            "code": frozen.code,
            "constants": frozen.constants,
            "routines_table": frozen.routines,
            "helper_names": frozen.names,
            "samples": self._buffers[1].address,
            "lane_bytes": LANE_BYTES,
            "frame_room": FRAME_ROOM,
            "value_room": VALUE_ROOM,
            "steps": MAX_STEPS,
            "ticks": MAX_TICKS,
            "budget_steps": budget.steps,
            "budget_max_items": budget.max_items,
            "budget_work": budget.work,
        }

    def slots(self, rows: int) -> list[Slot]:
        """Places for launches of at most so many rows, in the memory that may be used; NoRoom where there is none."""
        device = self.device
        reserved = local_bytes(self.kernel.local_bytes, device.processors, device.info.threads_per_processor)
        allowed = allowed_bytes(device.free_bytes, device.info.total_bytes, fraction(), reserved)
        lanes = LANES_PER_PROCESSOR * device.processors
        with suppress(NoRoom):
            shared = room(allowed // SLOTS, NEED, lanes, min(rows, MAX_ROWS))
            return [Slot(self, shared) for _ in range(SLOTS)]
        return [Slot(self, room(allowed, NEED, lanes, min(rows, MAX_ROWS)))]

    def record(self, **fields: int) -> np.void:
        """What a launch is told, with the fields that are its own."""
        told = self._fields | fields
        made: np.void = np.array([tuple([told[name] for name in LAUNCH_TYPE.names or ()])], LAUNCH_TYPE)[0]
        return made

    def _place(self, size: int) -> int:
        self._buffers.append(self.device.alloc(size))
        return self._buffers[-1].address


@dataclass(frozen=True, slots=True)
class _Memory:
    """What a slot has taken: a stream, a device's memory with where its parts begin, and host memory beside it."""

    stream: Stream
    buffer: Buffer
    offsets: tuple[int, ...]
    next: Buffer
    results: Pinned
    numbers: Pinned
    routines: Pinned

    def close(self) -> None:
        for each in (self.stream, self.buffer, self.next, self.results, self.numbers, self.routines):
            each.close()


class Slot:
    """A place for one launch at a time. Memory is taken with the first, and kept for the next ones."""

    def __init__(self, prepared: Prepared, room: Room) -> None:
        self.prepared = prepared
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
        device = self.prepared.device
        memory = self._memory = self._memory or self._taken()
        grouping = grouped(slices, self.room.evaluations)
        count, done = grouping.count, len(grouping.rows)
        numbers, routines = memory.numbers.array[:count], memory.routines.array[:count]
        numbers[:] = NO_EVALUATION
        numbers[grouping.rows] = block.samples[:done]
        routines.reshape(-1, GROUP)[:] = self.prepared.routine_of[grouping.slices][:, None]
        lanes_at, frames_at, results_at, numbers_at, routines_at = memory.offsets
        device.upload(memory.buffer, numbers, memory.stream, numbers_at)
        device.upload(memory.buffer, routines, memory.stream, routines_at)
        device.clear(memory.next, memory.stream)
        base = memory.buffer.address
        told = self.prepared.record(
            memory=base + lanes_at,
            frames=base + frames_at,
            results=base + results_at,
            numbers=base + numbers_at,
            routines=base + routines_at,
            next=memory.next.address,
            count=count,
        )
        device.launch(self.prepared.kernel, min(self.room.blocks, count // GROUP), GROUP, told, memory.stream)
        results = memory.results.array[:count]
        device.download(results, memory.buffer, memory.stream, results_at)
        device.synchronize(memory.stream)
        found = picked(results, grouping.rows)
        return Call(block[:done], found, None, block[done:], False, time.monotonic() - started_s)

    def _taken(self) -> _Memory:
        device, rows = self.prepared.device, self.room.evaluations
        sizes = [self.room.lanes * each for each in (LANE_BYTES, FRAME_ROOM * FRAME_BYTES)]
        sizes += [rows * RESULT_TYPE.itemsize, rows * 4, rows * 4]
        # Where one of them fails, those before it go back with the last reference to them.
        return _Memory(
            device.stream(),
            device.alloc(self.room.bytes),
            tuple(accumulate(sizes, initial=0))[:-1],
            device.alloc(4),
            device.pinned(RESULT_TYPE, rows),
            device.pinned(np.uint32, rows),
            device.pinned(np.uint32, rows),
        )
