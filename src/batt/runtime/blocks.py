"""The evaluations of a run in blocks. Owns their order, the size of blocks, and what comes back; runs nothing.

What samples share is worked out once per sample, so all evaluations of a sample stand side by side, and the samples of
a task too. Devices are handed one program after the other instead. Blocks are made when they are asked for: no list of
all evaluations is ever there.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

BLOCK_S = 0.075
"""How long a block should take: long against a call, short enough for progress and for an even end."""
FIRST_BLOCK, MIN_BLOCK, MAX_BLOCK = 128, 32, 1 << 16

Integers: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Block:
    """Evaluations by number, with the solver and the sample of each."""

    numbers: Integers
    solvers: Integers
    samples: Integers

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, chosen: Any) -> Block:
        """Those that a slice or a mask picks."""
        return type(self)(self.numbers[chosen], self.solvers[chosen], self.samples[chosen])


class Order:
    """All evaluations of every solver on every sample, or of the pairs given, sample by sample.

    An evaluation's number is its place solver by solver, or its place in the columns given. With `sizes` of samples the
    order is solver by solver, and a solver's samples ascend by size.
    """

    def __init__(
        self,
        solvers: int,
        samples: int,
        solver_of: Integers | None = None,
        sample_of: Integers | None = None,
        sizes: Integers | None = None,
    ) -> None:
        self.solvers = solvers
        self.samples = samples
        self.solver_of = solver_of
        self.sample_of = sample_of
        self.is_by_sample = sizes is None
        self._by_size = None if sizes is None else np.argsort(sizes, kind="stable")
        self._places: Integers | None = None
        if solver_of is not None and sample_of is not None:
            if self._by_size is None:
                self._places = np.argsort(sample_of, kind="stable")
            else:
                ranks = np.empty(samples, np.int64)
                ranks[self._by_size] = np.arange(samples)
                self._places = _ascending(solver_of * samples + ranks[sample_of])

    def by_solver(self, sizes: Integers) -> Order:
        """The same evaluations by the same numbers, solver by solver, each one's samples ascending by their size."""
        return Order(self.solvers, self.samples, self.solver_of, self.sample_of, sizes)

    @property
    def total(self) -> int:
        """How many evaluations there are."""
        return self.solvers * self.samples if self.solver_of is None else len(self.solver_of)

    def pair(self, number: int) -> tuple[int, int]:
        """The solver and the sample of an evaluation."""
        if self.solver_of is None or self.sample_of is None:
            return divmod(number, self.samples)
        return int(self.solver_of[number]), int(self.sample_of[number])

    def block(self, start: int, stop: int) -> Block:
        """The evaluations from one place in the order to another."""
        if self._places is not None and self.solver_of is not None and self.sample_of is not None:
            numbers = self._places[start:stop]
            return Block(numbers, self.solver_of[numbers], self.sample_of[numbers])
        places = np.arange(start, stop, dtype=np.int64)
        if self._by_size is None:
            samples, solvers = np.divmod(places, self.solvers)
        else:
            solvers, at = np.divmod(places, self.samples)
            samples = self._by_size[at]
        return Block(solvers * self.samples + samples, solvers, samples)


class Blocks:
    """Small blocks from the front of an order, of a size that adapts to their time, and large ones from its end.

    What comes back is handed out again: `small` to those who take small blocks alone, `large` to whoever asks first.
    """

    def __init__(self, order: Order, workers: int) -> None:
        self.order = order
        self.workers = workers
        self.size = FIRST_BLOCK
        self.largest = MAX_BLOCK
        self.at = 0
        self.end = order.total
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
        block = self.order.block(self.at, self.at + min(self.size, self._fair(left), left))
        if self.order.is_by_sample:
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
        block = self.order.block(start, self.end)
        if self.order.is_by_sample and start > self.at:
            block = _after_begun(block, int(self.order.block(start - 1, start).samples[0]))
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


def _ascending(keys: Integers) -> Integers:
    """The places of keys in their order, equal ones in that of their places."""
    most = int(keys.max(initial=0)) + 1
    if most > 4 * len(keys):
        return np.argsort(keys, kind="stable")
    at = np.full(most, -1, np.int64)
    at[keys] = np.arange(len(keys))
    places = at[at >= 0]
    # Where two are equal, one of them is not there.
    return places if len(places) == len(keys) else np.argsort(keys, kind="stable")


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
