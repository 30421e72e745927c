"""Cut blocks of evaluations into pieces, and join them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np

from batt.runtime.evaluations import Block


def part_of(blocks: deque[Block], count: int) -> Block:
    """Take at most `count` evaluations of the first of `blocks`."""
    block = blocks.popleft()
    if len(block) > count:
        blocks.appendleft(block[count:])
    return block[:count]


def parted(block: Block, count: int) -> tuple[Block, Block]:
    """Split off the evaluations of the first solvers: at most `count`, unless one has more. Return (taken, rest)."""
    last = np.partition(block.solvers, count)[count]
    first = block.solvers < last if (block.solvers < last).any() else block.solvers == last
    return block[first], block[~first]


def joined(blocks: Iterable[Block]) -> Block:
    """Join blocks to one, which has no cause."""
    parts = list(blocks)
    return Block(
        np.concatenate([each.numbers for each in parts]),
        np.concatenate([each.solvers for each in parts]),
        np.concatenate([each.samples for each in parts]),
    )


def some(blocks: deque[Block], threads: int, least: int, most: int) -> Block:
    """Take a few evaluations, at least `least` and at most `most`, so that each of the `threads` gets some."""
    return part_of(blocks, max(least, min(most, sum(map(len, blocks)) // (4 * threads))))


def by_program(block: Block) -> Block:
    """Sort a block by program, those with the most evaluations first."""
    counts = np.bincount(block.solvers)
    return block[np.lexsort((block.solvers, -counts[block.solvers]))]


def rounded(block: Block, whole: int) -> Block:
    """Cut off an incomplete sample at the end of a block, if at least half of the block remains."""
    if len(block) < whole:
        ends = np.flatnonzero(np.diff(block.samples))
        if len(ends) and ends[-1] + 1 >= len(block) / 2:
            return block[: ends[-1] + 1]
    return block


def after_begun(block: Block, before: int) -> Block:
    """Cut off the sample that began before the block, if at least half of the block remains."""
    begun = int(np.argmax(block.samples != before)) if block.samples[-1] != before else len(block)
    return block[begun:] if begun <= len(block) / 2 else block
