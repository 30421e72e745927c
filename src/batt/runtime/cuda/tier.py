"""The two tiers of a GPU: one evaluation in each thread, or in each warp. A device that fails leaves the run."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from batt.runtime.cuda.faults import DeviceError, DeviceFailed, ending
from batt.runtime.cuda.grouping import GROUP
from batt.runtime.cuda.launch import LaunchSlot, Prepared
from batt.runtime.cuda.memory import NoRoom, Room
from batt.runtime.evaluations import Block
from batt.runtime.job import Job
from batt.runtime.tier import CPU, CUDA_THREADS, CUDA_WARPS, Leaving, MakePart, Tier
from batt.runtime.waiting import Waiting, parted

LOST = (DeviceError, NoRoom, MemoryError, SystemExit)
"""Errors that end a worker on a GPU but not the run: the device fails, memory runs out, its thread is ended."""
MAX_TILE = 1 << 22
"""Evaluations that the threads of a GPU take from the order at once, though a launch holds fewer."""
GPU_FRACTION = 0.75
"""The fraction of the remaining evaluations that warps take when the CPU has nothing else to do."""
GPU_FROM = 512
"""Evaluations that are worth a launch of warps, if the CPU could run them in the same time."""


class CudaTier(Tier):
    """The slots of one worker on a GPU, each for one launch at a time. `Cards` closes what it holds."""

    def __init__(
        self, job: Job, prepared: Prepared, slots: Sequence[LaunchSlot], launchers: ThreadPoolExecutor
    ) -> None:
        self.job = job
        self.prepared = prepared
        self.free = list(slots)
        self.usable = len(slots)
        self._launchers = launchers

    def submit(self, block: Block) -> Future[MakePart]:
        """Launch a block."""
        return self._launchers.submit(self._run, self.free.pop(), block)

    def leaving(self, error: BaseException, tiers: Sequence[Tier]) -> Leaving | None:
        """Leave without a slot if it alone had no room, else with the worker, or with all of a failed device."""
        if not isinstance(error, LOST):
            return None
        self.usable -= 1
        at_work = [each for each in tiers if isinstance(each, CudaTier)]
        mates = [each for each in at_work if each.prepared is self.prepared]
        is_broken = isinstance(error, DeviceFailed)
        if not mates:
            return Leaving(is_broken=is_broken)
        if isinstance(error, NoRoom) and any(each.usable for each in mates if each.name is CUDA_THREADS):
            return Leaving(() if self.usable else [self])
        info = self.prepared.device.info
        if is_broken:
            mates = [each for each in at_work if each.prepared.device.info.number == info.number]
        others = len({each.prepared for each in mates}) - 1
        reason = ending(error, str(info))
        more = f" and {others} more on this card" if others else ""
        return Leaving(mates, reason, f"{reason}; continuing without it{more}", is_broken)

    def close(self) -> None:
        """Do nothing: `Cards` closes devices when all their launches have ended."""

    def _run(self, slot: LaunchSlot, block: Block) -> MakePart:
        ran = slot.run(block, self.job.slice_of[block.solvers])
        self.free.append(slot)
        return ran


class CudaThreadsTier(CudaTier):
    """Launches with one evaluation in each thread, for the many that are short."""

    name = CUDA_THREADS

    def take(self, waiting: Waiting) -> Block | None:
        """Take a large block from the end of the order."""
        if not self.free:
            return None
        room = self.free[-1].room
        block = waiting.last(self._size(waiting, room))
        if block is not None and len(block) > room.evaluations:
            block, others = parted(block, room.evaluations)
            waiting.put_first(others)
        return block

    def _size(self, waiting: Waiting, room: Room) -> int:
        """Return the size of the next block: it shrinks towards the end, so that all workers finish together."""
        fair = waiting.new // (2 * waiting.workers[CUDA_THREADS])
        wanted = min(max(fair, room.arenas), room.evaluations)
        if not waiting.evaluations.is_by_sample:
            return wanted
        # Whole groups of samples fill the rows of all solvers' evaluations on them.
        solvers = self.job.evaluations.solvers
        tile = min(min(GROUP, room.samples) * solvers, MAX_TILE)
        return max(tile, min(wanted, room.samples * solvers) // tile * tile)


class CudaWarpsTier(CudaTier):
    """Launches with one evaluation in each warp, for those that take long.

    They come from launches of threads that met a limit, and from the CPU, which first runs every evaluation for a few
    steps. Idle threads of the CPU take some of them too.
    """

    name = CUDA_WARPS

    def take(self, waiting: Waiting) -> Block | None:
        """Take a full launch of what waits for warps; less towards the end."""
        if not self.free:
            return None
        room, is_alone = self.free[-1].room, not waiting.workers[CPU]
        few = 1 if is_alone else GPU_FROM
        least = room.evaluations if waiting.new or waiting.under_way[CUDA_THREADS] else few
        leaves_none = is_alone or waiting.new or waiting.deferred(CPU)
        return waiting.for_warps(room.evaluations, least, 1.0 if leaves_none else GPU_FRACTION)
