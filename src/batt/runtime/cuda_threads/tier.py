"""The cuda_threads tier: a GPU that runs one evaluation in each of its threads, for the many that are short."""

from __future__ import annotations

from collections.abc import Sequence

from batt.runtime.cuda.grouping import GROUP
from batt.runtime.cuda.launch import SLOTS
from batt.runtime.cuda.memory import Room
from batt.runtime.cuda.tier import CudaTier
from batt.runtime.evaluations import Block
from batt.runtime.pieces import parted
from batt.runtime.tier import CUDA_THREADS
from batt.runtime.waiting import ENOUGH_S, Waiting

MANY = 1 << 16
"""Evaluations for each GPU that are worth more launches at the same time than `SLOTS`."""
MAX_TILE = 1 << 22
"""Evaluations that the threads of a GPU take from the order at once, though a launch holds fewer."""


class CudaThreadsTier(CudaTier):
    """Launches with one evaluation in each thread, for the many that are short."""

    name = CUDA_THREADS

    def take(self, waiting: Waiting) -> Block | None:
        """Take a large block from the end of the order."""
        if not self.free:
            return None
        # Few evaluations are for all GPUs, also for those that open later.
        under_way = self.usable - len(self.free)
        if under_way >= SLOTS and waiting.for_gpu_threads < MANY * waiting.workers[CUDA_THREADS]:
            return None
        room = self.free[-1].room
        block = waiting.last(self._size(waiting, room))
        if block is not None and len(block) > room.evaluations:
            block, others = parted(block, room.evaluations)
            waiting.put_first(others)
        return block

    def is_done(self, waiting: Waiting, on_cpu: Sequence[Block]) -> bool:
        """Tell whether no new evaluations are left."""
        return not waiting.new

    def _size(self, waiting: Waiting, room: Room) -> int:
        """Return the size of the next block: it shrinks towards the end, so that all workers finish together.

        It need not while the CPU has enough heavy evaluations.
        """
        left, workers = waiting.for_gpu_threads, waiting.workers[CUDA_THREADS]
        fair = left // (workers * len(self.free)) if waiting.heavy_s > ENOUGH_S else left // (2 * workers)
        wanted = min(max(fair, room.arenas), room.evaluations)
        if not waiting.evaluations.is_by_sample:
            return wanted
        # Whole groups of samples fill the rows of all solvers' evaluations on them.
        solvers = self.job.evaluations.solvers
        tile = min(min(GROUP, room.samples) * solvers, MAX_TILE)
        return max(tile, min(wanted, room.samples * solvers) // tile * tile)
