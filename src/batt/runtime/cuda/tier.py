"""The common part of the two tiers of a GPU: slots for launches, and how a device that fails leaves a run."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from batt.runtime.cuda.faults import DeviceError, DeviceFailed, ending
from batt.runtime.cuda.launch import LaunchSlot, Prepared
from batt.runtime.cuda.memory import NoRoom
from batt.runtime.evaluations import Block
from batt.runtime.job import Job
from batt.runtime.tier import CUDA_THREADS, Leaving, MakePart, Tier
from batt.runtime.waiting import Waiting

LOST = (DeviceError, NoRoom, MemoryError, SystemExit)
"""Errors that end a worker on a GPU but not the run: the device fails, memory runs out, its thread is ended."""


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

    @abstractmethod
    def is_done(self, waiting: Waiting, on_cpu: Sequence[Block]) -> bool:
        """Tell whether it gets no block any more, while only the CPU runs some."""

    def close(self) -> None:
        """Do nothing: `Cards` closes devices when all their launches have ended."""

    def _run(self, slot: LaunchSlot, block: Block) -> MakePart:
        ran = slot.run(block, self.job.slice_of[block.solvers])
        self.free.append(slot)
        return ran
