"""Hand out the evaluations of a run in blocks, and take back what was not done; runs nothing."""

from __future__ import annotations

from collections import deque

import numpy as np

from batt.runtime.evaluations import Block, Evaluations

BLOCK_S = 0.075
"""How long a block should take: long against a call, short enough for progress and for an even end."""
FIRST_BLOCK, MIN_BLOCK, MAX_BLOCK = 128, 32, 1 << 16


class Blocks:
    """Small blocks from the front of the evaluations, of a size that adapts to their time, and large ones from its end.

    What comes back is handed out again: `small` to those who take small blocks alone, `large` to whoever asks first.
    """

    def __init__(self, evaluations: Evaluations, workers: int) -> None:
        self.evaluations = evaluations
        self.workers = workers
        self.size = FIRST_BLOCK
        self.largest = MAX_BLOCK
        self.at = 0
        self.end = evaluations.total
        self.small: deque[Block] = deque()
        self.large: deque[Block] = deque()

    @property
    def left(self) -> int:
        """Evaluations that both may still take."""
        return self.end - self.at + sum(map(len, self.large))

    def next(self, returned_only: bool = False) -> Block | None:
        """The next small block, what came back before all else; None where there is none now."""
        if self.small:
            # Each of them may take long: even a few are worth all threads.
            return part_of(self.small, min(self.size, self._fair(sum(map(len, self.small)), least=1)))
        if returned_only:
            return None
        left = self.end - self.at
        if not left:
            return part_of(self.large, min(self.size, self._fair(self.left))) if self.large else None
        block = self.evaluations.block(self.at, self.at + min(self.size, self._fair(left), left))
        if self.evaluations.is_by_sample:
            block = _rounded(block, whole=left)
        self.at += len(block)
        return block

    def last(self, count: int) -> Block | None:
        """A large block of at most so many evaluations; None where there is none now."""
        if self.large:
            return part_of(self.large, count)
        if self.at == self.end:
            return None
        start = max(self.at, self.end - count)
        block = self.evaluations.block(start, self.end)
        if self.evaluations.is_by_sample and start > self.at:
            block = _after_begun(block, int(self.evaluations.block(start - 1, start).samples[0]))
        self.end -= len(block)
        return block

    def _fair(self, left: int, least: int = FIRST_BLOCK) -> int:
        # Towards the end blocks shrink, so that the workers finish together; a few are not worth another thread.
        return max(-(-left // (2 * self.workers)), least)

    def took(self, count: int, wall_s: float) -> None:
        """Learn from a number of evaluations and the time that they took."""
        wanted = count * BLOCK_S / max(wall_s, 1e-5)
        # A few quick ones say little: never more than four times the size at once.
        wanted = min(wanted, 4.0 * self.size)
        self.size = max(MIN_BLOCK, min(self.largest, int((self.size + wanted) / 2)))


def part_of(blocks: deque[Block], count: int) -> Block:
    """At most so many evaluations of the first of some blocks, taken out of them."""
    block = blocks.popleft()
    if len(block) > count:
        blocks.appendleft(block[count:])
    return block[:count]


def parted(block: Block, count: int) -> tuple[Block, Block]:
    """The evaluations of a block by the first of its solvers, at most so many unless one alone has more; the others."""
    last = np.partition(block.solvers, count)[count]
    first = block.solvers < last if (block.solvers < last).any() else block.solvers == last
    return block[first], block[~first]


def _rounded(block: Block, whole: int) -> Block:
    """The block without a begun sample at its end, where that leaves at least half of it."""
    if len(block) < whole:
        ends = np.flatnonzero(np.diff(block.samples))
        if len(ends) and ends[-1] + 1 >= len(block) / 2:
            return block[: ends[-1] + 1]
    return block


def _after_begun(block: Block, before: int) -> Block:
    """The block without the sample that began before it, where that leaves at least half of it."""
    begun = int(np.argmax(block.samples != before)) if block.samples[-1] != before else len(block)
    return block[begun:] if begun <= len(block) / 2 else block
