"""Launches of the kernel: their arguments, their rows, and their memory.

There are two modes: one evaluation for each thread, or for each warp. Warps run what takes long, and compute staged
values. A launch of threads ends with a kernel of warps, for evaluations of more than a few steps. What meets a limit of
a launch is deferred to a tier with more time or memory.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import FRAME_BYTES, LAUNCH, Cause, Ended
from batt.runtime.cuda.device import Device
from batt.runtime.cuda.faults import OutOfMemory
from batt.runtime.cuda.grouping import Placement, by_sample, in_order
from batt.runtime.cuda.memory import Need, NoRoom, Room, allowed_bytes, room
from batt.runtime.cuda.modes import FIRST_STEPS, LIGHT_WARPS, THREADS, WARPS, Mode
from batt.runtime.cuda.resources import Buffer, Kernel
from batt.runtime.cuda.slot_memory import SlotMemory
from batt.runtime.cuda.staging import Staging
from batt.runtime.evaluations import Block, Integers
from batt.runtime.native import RESULT_TYPE, Budget, NativeBatch, NativeProgram
from batt.runtime.options import Options
from batt.runtime.outcome import Status
from batt.runtime.outputs import PackedOutputs
from batt.runtime.sorting import sort_results
from batt.runtime.tier import MakePart, Part

NO_EVALUATION = 0xFFFFFFFF
SLOTS = 2
"""Launches of each mode that run on a device at the same time: while one computes, data of the other is copied."""
THREAD_SLOTS = 4
"""Launches of threads at the same time if there is room. Light evaluations take the device less time than the host,
which places rows, sorts results and hands out the next block."""
OUTPUT_BYTES = 512
"""Memory for the output of an evaluation, on average: a grid of 20 x 20 takes 505."""
MAX_ROWS = 1 << 19
"""The most evaluations of a launch: it ends soon, so that progress is shown and an interrupt is handled."""
MANY_FOR_EACH = 4
"""Evaluations for each warp of a launch: with more, those that take long are found too late."""
LEAST_AGAIN = 64
"""Evaluations for which a launch of threads ends with a kernel of warps. Fewer are deferred."""

LAUNCH_TYPE = LAUNCH.dtype
Results: TypeAlias = npt.NDArray[Any]


class Prepared:
    """A device with the kernel, a program and samples on it. If `options` ask for outputs, launches fetch them.

    With `staging`, launches first compute staged values.
    """

    def __init__(
        self,
        device: Device,
        kernel: Kernel,
        program: NativeProgram,
        batch: NativeBatch,
        budget: Budget,
        options: Options,
        staging: Staging | None = None,
    ) -> None:
        self.device = device
        self.library = program.library
        self.kernel = kernel
        self.outputs = options.outputs
        self.scores = options.scores
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
            "program_code": frozen.addresses["code"],
            "program_constants": frozen.addresses["constants"],
            "program_routines": frozen.addresses["routines"],
            "helper_names": frozen.addresses["names"],
            "samples": self._buffers[1].address,
            "budget_steps": budget.steps,
            "budget_max_items": budget.max_items,
            "budget_work": budget.work,
            "budget_scores": budget.scores,
            "stage_rows": frozen.addresses["stage"],
            "stage_entries": 0 if staging is None else staging.entries,
            "stage_bytes": 0 if staging is None else staging.sample_bytes,
        }

    def slots(self, rows: int) -> list[LaunchSlot]:
        """Make slots for launches of threads with at most `rows` rows, in half of the memory that may be used.

        Raise NoRoom if not one fits.
        """
        kernels = [self.kernel, *([self.staging.kernel] if self.staging else [])]
        arenas = self._arenas(THREADS)
        wanted = self._need(THREADS), arenas, min(rows, MAX_ROWS), self._samples(rows)
        fewest = {THREAD_SLOTS: arenas, SLOTS: 1} if rows > MAX_ROWS else {SLOTS: 1}
        return self._slots(THREADS, self.kernel, self._allowed(*kernels) // 2, wanted, fewest)

    def warp_slots(self, kernel: Kernel, beside: Sequence[LaunchSlot]) -> list[LaunchSlot]:
        """Make slots for launches of warps, in the memory that the slots `beside` leave; NoRoom if not one fits."""
        # Slots allocate their memory with their first launch: until then it looks free.
        allowed = max(0, self._allowed(kernel) - sum(slot.room.bytes for slot in beside))
        arenas = self._arenas(WARPS)
        wanted = self._need(WARPS), arenas, MANY_FOR_EACH * arenas, self._samples(arenas)
        return self._slots(WARPS, kernel, allowed, wanted, {SLOTS: arenas})

    def _slots(
        self, mode: Mode, kernel: Kernel, allowed: int, wanted: tuple[Need, int, int, int], fewest: Mapping[int, int]
    ) -> list[LaunchSlot]:
        """Make slots in `allowed` bytes, as many as the first number whose slots have the `fewest` arenas, else one."""
        for count, least in fewest.items():
            with suppress(NoRoom):
                shared = room(allowed // count, *wanted)
                if shared.arenas >= least:
                    return [LaunchSlot(self, mode, kernel, shared) for _ in range(count)]
        return [LaunchSlot(self, mode, kernel, room(allowed, *wanted))]

    def record(self, mode: Mode, **fields: int) -> np.void:
        """Return the argument of a launch, with its own `fields`."""
        told = self._fields | {"steps": mode.steps, "ticks": mode.ticks, "lane_bytes": mode.arena_bytes}
        told |= {"frame_room": mode.frame_room, "value_room": mode.value_room} | fields
        made: np.void = np.array([tuple([told[name] for name in LAUNCH_TYPE.names or ()])], LAUNCH_TYPE)[0]
        return made

    def _allowed(self, *kernels: Kernel) -> int:
        info = self.device.info
        # The driver allocates the local memory of all threads that can run at the same time.
        reserved = max(kernel.local_bytes for kernel in kernels) * info.sms * info.threads_per_sm
        return allowed_bytes(self.device.free_bytes, info.total_bytes, self.gpu_memory, reserved)

    def _arenas(self, mode: Mode) -> int:
        return mode.per_sm * self.device.info.sms

    def _need(self, mode: Mode) -> Need:
        staged = 0 if self.staging is None else self.staging.sample_bytes + 4
        more = 8 + OUTPUT_BYTES if self.outputs else 0
        return replace(mode.need, evaluation_bytes=mode.need.evaluation_bytes + more, sample_bytes=staged)

    def _samples(self, rows: int) -> int:
        """Return the most samples for which a launch of `rows` rows stages values."""
        return 0 if self.staging is None else min(len(self.staging.sizes), rows)

    def _place(self, size: int) -> int:
        self._buffers.append(self.device.alloc(size))
        return self._buffers[-1].address


class LaunchSlot:
    """Memory for one launch at a time. It is allocated with the first launch and kept for the next ones.

    `second` is the kernel for warps, if a launch of threads ends with it.
    """

    def __init__(self, prepared: Prepared, mode: Mode, kernel: Kernel, room: Room) -> None:
        self.prepared = prepared
        self.mode = mode
        self.kernel = kernel
        self.second: Kernel | None = None
        self.room = room
        self._memory: SlotMemory | None = None

    def prepare(self, rows: int) -> None:
        """Allocate the memory before the first launch, for at most `rows` rows: beside launches it takes long."""
        with suppress(OutOfMemory):
            self._memory = self._memory or self._allocate()
            self._memory.rows_for(self.prepared.device, min(rows, self.room.evaluations))

    def run(self, block: Block, slices: Integers) -> MakePart:
        """Run as much of a block as one launch holds. If the device is out of memory, retry with half of it."""
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

    def _launch(self, block: Block, slices: Integers) -> MakePart:
        started_s = time.monotonic()
        device, mode = self.prepared.device, self.mode
        memory = self._memory = self._memory or self._allocate()
        placement = self._place(block, slices)
        starts = dict(zip(_PARTS, memory.offsets, strict=True))
        # Kept until the stream is waited for.
        samples = placement.samples.astype(np.uint32)
        if self.prepared.staging is not None:
            device.upload(memory.buffer, samples, memory.stream, starts["stage_samples"])
        host = memory.rows_for(device, placement.count)
        numbers, routines = host.numbers.array[: placement.count], host.routines.array[: placement.count]
        numbers[:] = NO_EVALUATION
        numbers[placement.rows] = placement.numbers
        routines.reshape(-1, mode.group)[:] = self.prepared.routine_of[placement.slices][:, None]
        # Outputs are fetched, and staged values kept, for the rows of one kernel.
        is_one = self.prepared.outputs or self.prepared.staging is not None or mode.steps <= FIRST_STEPS
        second = None if is_one else self.second
        steps = mode.steps if second is None else FIRST_STEPS
        results = host.results.array[: placement.count]
        self._run(memory, mode, self.kernel, results, steps, len(samples))
        if second is not None:
            self._run_again(memory, second, placement, results)
        outputs = self._outputs(memory, starts, results, placement) if self.prepared.outputs else None
        rows, scores = placement.rows, self.prepared.scores
        return partial(
            Part.of_sorted,
            mode.tier,
            sort_results(self.prepared.library, placement.ran, results, rows=rows, is_scored=scores),
            outputs,
            {int(Ended.LAUNCH_LIMIT): mode.limit},
            rest=placement.rest if len(placement.rest) else None,
            wall_s=time.monotonic() - started_s,
            worker=str(device.info),
        )

    def _run(
        self, memory: SlotMemory, mode: Mode, kernel: Kernel, results: Results, steps: int, samples: int = 0
    ) -> None:
        """Run a kernel for the first numbers and routines of the memory; before, stage values of `samples`.

        Write its results to `results`, one for each.
        """
        device, starts, count = self.prepared.device, dict(zip(_PARTS, memory.offsets, strict=True)), len(results)
        host = memory.rows_for(device, count)
        device.upload(memory.buffer, host.numbers.array[:count], memory.stream, starts["numbers"])
        device.upload(memory.buffer, host.routines.array[:count], memory.stream, starts["routines"])
        device.clear(memory.counts, memory.stream)
        addresses = self._addresses(memory, starts)
        if self.prepared.staging is not None:
            self._stage(self.prepared.staging.kernel, memory, addresses, samples)
        told = self.prepared.record(mode, **addresses, count=count, steps=steps)
        device.launch(kernel, self._blocks(mode, count), mode.block * mode.threads, told, memory.stream)
        device.download(results, memory.buffer, memory.stream, starts["results"])
        device.synchronize(memory.stream)

    def _run_again(self, memory: SlotMemory, kernel: Kernel, placement: Placement, results: Results) -> None:
        """Run the evaluations in warps that met a limit of their threads; replace their results."""
        # Few are unfinished, so causes are looked at for those alone.
        unfinished = np.flatnonzero(results["status"][placement.rows] >= Ended.UNSUPPORTED)
        found = results[placement.rows[unfinished]]
        is_full = np.isin(found["cause"], [Cause.ARENA_FULL, Cause.STACK_FULL])
        again = unfinished[(found["status"] == Ended.LAUNCH_LIMIT) | is_full]
        if len(again) < LEAST_AGAIN:
            return
        host = memory.rows_for(self.prepared.device, len(again))
        host.numbers.array[: len(again)] = placement.numbers[again]
        rows = placement.rows[again]
        host.routines.array[: len(again)] = self.prepared.routine_of[placement.slices[rows // placement.size]]
        mode = self._with_own_limits(LIGHT_WARPS)
        # Not in the memory of the launch, which holds the results of all others.
        ran_again = np.empty(len(again), RESULT_TYPE)
        self._run(memory, mode, kernel, ran_again, mode.steps)
        results[rows] = ran_again

    def _with_own_limits(self, warps: Mode) -> Mode:
        """Return a mode of warps with the limits of this slot. Several of its arenas are one arena of a warp."""
        own = self.mode
        arenas = own.per_sm // warps.per_sm
        return replace(
            warps,
            arena_bytes=arenas * own.arena_bytes,
            value_room=arenas * own.value_room,
            frame_room=arenas * own.frame_room,
            steps=own.steps,
            ticks=own.ticks,
        )

    def _place(self, block: Block, slices: Integers) -> Placement:
        rows, staging = self.room.evaluations, self.prepared.staging
        if staging is None:
            return in_order(block, slices, rows, self.mode.group)
        return by_sample(block, slices, rows, self.mode.group, self.room.samples, staging.sizes)

    def _stage(self, kernel: Kernel, memory: SlotMemory, addresses: dict[str, int], samples: int) -> None:
        """Queue the launch that computes staged values: before the evaluations, in the memory of their arenas."""
        mode = self._with_own_limits(WARPS)
        told = self.prepared.record(mode, **addresses | {"next": memory.counts.address + 16}, count=samples)
        self.prepared.device.launch(kernel, self._blocks(mode, samples), mode.block * mode.threads, told, memory.stream)

    def _blocks(self, mode: Mode, count: int) -> int:
        """Return the blocks of a kernel for `count` rows."""
        return min(self.room.arenas // (self.mode.per_sm // mode.per_sm * mode.block), -(-count // mode.block))

    def _addresses(self, memory: SlotMemory, starts: dict[str, int]) -> dict[str, int]:
        """Return the addresses of the parts of a launch's memory."""
        base = memory.buffer.address
        told = {name: base + at for name, at in starts.items()} | {"next": memory.counts.address}
        if not self.prepared.outputs:
            return told | dict.fromkeys(("outputs", "output_room", "output_used", "output_ends"), 0)
        return told | {"output_room": OUTPUT_BYTES * self.room.evaluations, "output_used": memory.counts.address + 8}

    def _outputs(
        self, memory: SlotMemory, starts: dict[str, int], results: Results, placement: Placement
    ) -> PackedOutputs:
        """Download the outputs of the evaluations."""
        device = self.prepared.device
        counts, ends = np.zeros(2, np.uint64), np.zeros(placement.count, np.uint64)
        device.download(counts, memory.counts, memory.stream)
        device.download(ends, memory.buffer, memory.stream, starts["output_ends"])
        device.synchronize(memory.stream)
        # The count includes outputs for which there was no memory.
        wires = np.zeros(min(int(counts[1]), OUTPUT_BYTES * self.room.evaluations), np.uint8)
        if len(wires):
            device.download(wires, memory.buffer, memory.stream, starts["outputs"])
            device.synchronize(memory.stream)
        told = np.where(results["status"][placement.rows] == Status.OK, ends[placement.rows], np.uint64(0))
        return PackedOutputs(wires, told >> np.uint64(24), (told >> np.uint64(24)) + (told & np.uint64(0xFFFFFF)))

    def _allocate(self) -> SlotMemory:
        device, rows, mode = self.prepared.device, self.room.evaluations, self.mode
        staged = self.prepared.staging.sample_bytes if self.prepared.staging else 0
        sizes = [self.room.arenas * each for each in (mode.arena_bytes, mode.frame_room * FRAME_BYTES)]
        sizes.append(self.room.samples * staged)
        sizes += [rows * RESULT_TYPE.itemsize, rows * 4, rows * 4]
        sizes += [rows * 8, rows * OUTPUT_BYTES] if self.prepared.outputs else [0, 0]
        # If one of them fails, those before it are given back with the last reference to them.
        return SlotMemory(
            device.stream(),
            device.alloc(self.room.bytes),
            tuple(accumulate(sizes, initial=0)),
            device.alloc(24),
        )


_PARTS = ("memory", "frames", "stages", "results", "numbers", "routines", "output_ends", "outputs", "stage_samples")
"""The parts of a launch's memory, in their order."""
