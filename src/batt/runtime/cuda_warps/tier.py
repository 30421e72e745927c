"""The cuda_warps tier: a GPU that runs one evaluation in each of its warps, for those that take long."""

from __future__ import annotations

from batt.runtime.cuda.tier import CudaTier
from batt.runtime.evaluations import Block
from batt.runtime.tier import CPU, CUDA_THREADS, CUDA_WARPS
from batt.runtime.waiting import Waiting

GPU_FRACTION = 0.75
"""The fraction of the remaining evaluations that warps take when the CPU has nothing else to do, or soon."""
CPU_BLOCKS = 5
"""Blocks that a thread of the CPU runs during a launch of warps, about."""
GPU_FROM = 512
"""Evaluations that are worth a launch of warps, if the CPU could run them in the same time."""


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
        keeps_busy = waiting.new > CPU_BLOCKS * waiting.cpu_pace or waiting.deferred(CPU)
        leaves_none = is_alone or keeps_busy
        return waiting.for_warps(room.evaluations, least, 1.0 if leaves_none else GPU_FRACTION)
