"""Evaluations that take a thread long, put aside. Owns which they are, and who takes how many of them.

Threads find out which they are by running every evaluation with few steps first. GPUs run many of them at once, each
with 32 lanes together; threads take them one by one when they have nothing else to do.
"""

from __future__ import annotations

import math
from collections import deque
from queue import SimpleQueue

import numpy as np

from batt.runtime.blocks import Block, part_of

HEAVY_STEPS = 300_000
"""After so many a thread puts an evaluation aside: it has spent a millisecond, and 32 lanes together are worth it."""
GPU_SHARE = 0.75
"""The share that GPUs take of what is left, where threads have nothing else to do."""
GPU_FROM = 512
"""How many are worth a launch, which takes as long as threads need for so many."""


class Heavy(Block):
    """Evaluations that are known to take long."""

    __slots__ = ()


class Aside:
    """Heavy evaluations that wait. `put` is for threads; the rest for the one that hands out."""

    def __init__(self) -> None:
        self._found: SimpleQueue[Block] = SimpleQueue()
        self._waiting: deque[Block] = deque()

    def put(self, block: Block) -> None:
        """Put evaluations aside."""
        self._found.put(Heavy(block.numbers, block.solvers, block.samples))

    def __len__(self) -> int:
        while not self._found.empty():
            self._waiting.append(self._found.get())
        return sum(map(len, self._waiting))

    def for_gpu(self, most: int, is_last: bool) -> Block | None:
        """What a launch takes, where there is no other work a share of it; None where it is not worth one."""
        waiting = len(self)
        if waiting < GPU_FROM:
            return None
        wanted = min(most, math.ceil(waiting * (GPU_SHARE if is_last else 1)))
        parts: list[Block] = []
        while wanted:
            parts.append(part_of(self._waiting, wanted))
            wanted -= len(parts[-1])
        names = ("numbers", "solvers", "samples")
        return Heavy(*[np.concatenate([getattr(part, name) for part in parts]) for name in names])

    def for_threads(self, threads: int) -> Block | None:
        """What a thread takes: a few, so that all threads get some."""
        waiting = len(self)
        return part_of(self._waiting, max(1, min(4, waiting // (4 * threads)))) if waiting else None
