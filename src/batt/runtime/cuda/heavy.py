"""Evaluations that lanes together run better than threads. Owns which they are, and who takes how many of them.

Launches in lanes leave what takes more than a few steps; threads put aside what takes them long, which they find out by
running every evaluation with few steps first. GPUs run many of them at once, each with 32 lanes together; threads take
them when they have nothing else to do.
"""

from __future__ import annotations

import math
from collections import deque
from queue import SimpleQueue

import numpy as np

from batt.runtime.blocks import Block, part_of

HEAVY_STEPS = 100_000
"""After so many a thread puts an evaluation aside: it has spent a third of a millisecond."""
GPU_SHARE = 0.75
"""The share that GPUs take of what is left, where threads have nothing else to do."""
GPU_FROM = 512
"""How many are worth a launch, which takes as long as threads need for so many."""
MANY_FOR_EACH = 4
"""How many for each place of a launch are worth one while the GPU has evaluations for launches in lanes."""
HEAVY_PART, THREAD_PART = 4, 64
"""What a thread takes at most of what is heavy, and of what lanes left."""


class Heavy(Block):
    """Evaluations that are known to take long."""

    __slots__ = ()


class Left(Block):
    """Evaluations that a launch in lanes left."""

    __slots__ = ()


class Aside:
    """Evaluations that wait. `put` is for threads; the rest for the one that hands out."""

    def __init__(self) -> None:
        self._found: SimpleQueue[Block] = SimpleQueue()
        self._heavy: deque[Block] = deque()
        self._left: deque[Block] = deque()

    def put(self, block: Block) -> None:
        """Put aside what takes a thread long."""
        self._found.put(Heavy(block.numbers, block.solvers, block.samples))

    def leave(self, block: Block) -> None:
        """Put aside what a launch in lanes left."""
        self._left.append(Left(block.numbers, block.solvers, block.samples))

    def __len__(self) -> int:
        while not self._found.empty():
            self._heavy.append(self._found.get())
        return sum(map(len, self._heavy)) + sum(map(len, self._left))

    def for_gpu(self, most: int, least: int, share: float) -> Block | None:
        """What a launch takes: a share of what waits; None where fewer wait than are worth one.

        What takes longest comes first, and of that one program after the other.
        """
        waiting = len(self)
        if waiting < least:
            return None
        wanted = min(most, math.ceil(waiting * share))
        parts: list[Block] = []
        for blocks in (self._heavy, self._left):
            taken: list[Block] = []
            while wanted and blocks:
                taken.append(part_of(blocks, wanted))
                wanted -= len(taken[-1])
            if taken:
                joined = _joined(taken)
                parts.append(joined[np.argsort(joined.solvers, kind="stable")])
        return _joined(parts)

    def for_threads(self, threads: int) -> Block | None:
        """What a thread takes: what takes longest first, and little of it, so that all threads get some."""
        if not len(self):
            return None
        blocks, most = (self._heavy, HEAVY_PART) if self._heavy else (self._left, THREAD_PART)
        return part_of(blocks, max(1, min(most, sum(map(len, blocks)) // (4 * threads))))


def _joined(blocks: list[Block]) -> Block:
    names = ("numbers", "solvers", "samples")
    return Heavy(*[np.concatenate([getattr(each, name) for each in blocks]) for name in names])
