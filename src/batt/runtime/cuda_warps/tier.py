"""The cuda_warps tier: a GPU that runs one evaluation in each of its warps, for those that take long."""

from __future__ import annotations

from collections.abc import Sequence

from batt.runtime.cuda.tier import CudaTier
from batt.runtime.evaluations import Block
from batt.runtime.tier import CPU, CUDA_THREADS, CUDA_WARPS
from batt.runtime.waiting import ENOUGH_S, Waiting

GPU_FRACTION = 0.75
"""The fraction of the remaining evaluations that warps take when the CPU has nothing else to do, or soon."""
CPU_BLOCKS = 5
"""Blocks that a thread of the CPU runs during a launch of warps, about."""
GPU_FROM, GPU_FROM_EACH = 512, 128
"""Evaluations that are worth a launch of warps, and how many for each thread of the CPU if weights are known: it runs
fewer in the time of a launch."""


class CudaWarpsTier(CudaTier):
    """Launches with one evaluation in each warp, for those that take long.

    They come from launches of threads that met a limit, and from the CPU, which first runs every evaluation for a few
    steps. If weights are known, heavy evaluations come to warps at once, when threads have taken all light ones; what
    was thought to be light then is left to the CPU. Idle threads of the CPU take some of them too.
    """

    name = CUDA_WARPS

    def take(self, waiting: Waiting) -> Block | None:
        """Take a full launch of what waits for warps; less towards the end."""
        if not self.free:
            return None
        room, is_alone = self.free[-1].room, not waiting.workers[CPU]
        new = self._new(waiting)
        if new:
            return waiting.new_heavy(min(new, room.evaluations))
        few = 1 if is_alone else self._few(waiting)
        least = room.evaluations if waiting.new or waiting.under_way[CUDA_THREADS] else few
        keeps_busy = waiting.new > CPU_BLOCKS * waiting.cpu_pace or waiting.deferred(CPU)
        leaves_none = is_alone or keeps_busy
        return waiting.for_warps(room.evaluations, least, 1.0 if leaves_none else GPU_FRACTION)

    def is_done(self, waiting: Waiting, on_cpu: Sequence[Block]) -> bool:
        """Tell whether too few evaluations for a launch are left, even if the CPU defers all that it can."""
        return not waiting.new and waiting.may_come_to_warps(on_cpu) < self._few(waiting)

    def _new(self, waiting: Waiting) -> int:
        """Return how many new evaluations to take: fewer towards the end, so that the CPU ends at the same time."""
        left = waiting.new_for_warps
        if not left or waiting.cpu_s <= ENOUGH_S:
            return 0
        return max(self._few(waiting), left // (2 * waiting.workers[CUDA_WARPS]))

    def _few(self, waiting: Waiting) -> int:
        return max(GPU_FROM, GPU_FROM_EACH * waiting.threads) if waiting.is_weighed else GPU_FROM
