"""Evaluations that lanes together run better than threads. Owns which they are, and who takes how many of them.

Launches in lanes leave what takes them long; threads put aside what takes them long, which they find out by running
every evaluation with few steps first. GPUs run many of them at once, each with 32 lanes together; threads take them
when they have nothing else to do, and what takes even those too long before all else.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from queue import SimpleQueue

import numpy as np

from batt.runtime.blocks import part_of
from batt.runtime.evaluations import Block

HEAVY_STEPS = 100_000
"""After so many a thread puts an evaluation aside: it has spent a third of a millisecond."""
GPU_SHARE = 0.75
"""The share that GPUs take of what is left, where threads have nothing else to do."""
GPU_FROM = 512
"""How many are worth a launch, which takes as long as threads need for so many."""
HEAVY_PART, LEFT_PART = (1, 4), (16, 128)
"""What a thread takes at least and at most of what is heavy, and of what lanes left, where all threads get some."""


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
        self._late: deque[Block] = deque()

    def put(self, block: Block) -> None:
        """Put aside what takes a thread long."""
        self._found.put(Heavy(block.numbers, block.solvers, block.samples))

    def leave(self, block: Block) -> None:
        """Put aside what a launch in lanes left."""
        self._left.append(Left(block.numbers, block.solvers, block.samples))

    def give_up(self, block: Heavy) -> None:
        """Put aside what lanes together did not finish; only threads take it."""
        self._late.append(block)

    @property
    def is_any_late(self) -> bool:
        """Whether something waits that only threads take."""
        return bool(self._late)

    def __len__(self) -> int:
        while not self._found.empty():
            self._heavy.append(self._found.get())
        return sum(map(len, self._heavy)) + sum(map(len, self._left))

    def for_gpu(self, most: int, least: int, share: float) -> Block | None:
        """What a launch takes: a share of what waits; None where fewer wait than are worth one.

        What lanes left comes first, program by program: first those of which they left most.
        """
        waiting = len(self)
        if waiting < least:
            return None
        wanted = min(most, math.ceil(waiting * share))
        parts: list[Block] = []
        for blocks in (self._left, self._heavy):
            if wanted and blocks:
                sorted_block = _by_program(_joined(type(blocks[0]), blocks))
                blocks.clear()
                blocks.append(sorted_block)
                parts.append(part_of(blocks, wanted))
                wanted -= len(parts[-1])
        return _joined(Heavy, parts)

    def for_threads(self, threads: int) -> Block | None:
        """What a thread takes: what takes longest first, and little of it, so that all threads get some."""
        if not len(self):
            return None
        return _some(self._heavy, threads, *HEAVY_PART) or _some(self._left, threads, *LEFT_PART)

    def late(self, threads: int) -> Block | None:
        """What a thread takes of what only threads take."""
        return _some(self._late, threads, *HEAVY_PART)


def _some(blocks: deque[Block], threads: int, least: int, most: int) -> Block | None:
    """Some of what waits; None where nothing does."""
    return part_of(blocks, max(least, min(most, sum(map(len, blocks)) // (4 * threads)))) if blocks else None


def _joined(kind: type[Block], blocks: Iterable[Block]) -> Block:
    names = ("numbers", "solvers", "samples")
    return kind(*[np.concatenate([getattr(each, name) for each in blocks]) for name in names])


def _by_program(block: Block) -> Block:
    """The block program by program, those with the most evaluations first."""
    counts = np.bincount(block.solvers)
    return block[np.lexsort((block.solvers, -counts[block.solvers]))]
