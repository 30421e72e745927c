"""The evaluations of a run, sample by sample, in blocks. Owns their order and the size of the blocks; runs nothing.

What samples share is worked out once per sample, so all evaluations of a sample stand side by side, and the samples of
a task too. Blocks are made when they are asked for: no list of all evaluations is ever there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

BLOCK_S = 0.075
"""How long a block should take: long against a call, short enough for progress and for an even end."""
FIRST_BLOCK, MIN_BLOCK, MAX_BLOCK = 64, 32, 1 << 16

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
        return Block(self.numbers[chosen], self.solvers[chosen], self.samples[chosen])


class Order:
    """All evaluations of every solver on every sample, or of the pairs given, sample by sample.

    An evaluation's number is its place solver by solver, or its place in the columns given.
    """

    def __init__(
        self, solvers: int, samples: int, solver_of: Integers | None = None, sample_of: Integers | None = None
    ) -> None:
        self.solvers = solvers
        self.samples = samples
        self.solver_of = solver_of
        self.sample_of = sample_of
        self._by_sample = None if sample_of is None else np.argsort(sample_of, kind="stable")

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
        if self._by_sample is None or self.solver_of is None or self.sample_of is None:
            samples, solvers = np.divmod(np.arange(start, stop, dtype=np.int64), self.solvers)
            return Block(solvers * self.samples + samples, solvers, samples)
        numbers = self._by_sample[start:stop]
        return Block(numbers, self.solver_of[numbers], self.sample_of[numbers])


class Blocks:
    """Blocks of an order one after the other, of a size that adapts to how long they take."""

    def __init__(self, order: Order, workers: int) -> None:
        self.order = order
        self.workers = workers
        self.size = FIRST_BLOCK
        self.at = 0

    def next(self) -> Block | None:
        """The next block; None at the end."""
        left = self.order.total - self.at
        if left <= 0:
            return None
        # Towards the end blocks shrink, so that the workers finish together.
        fair = max(-(-left // (2 * self.workers)), MIN_BLOCK)
        block = _rounded(self.order.block(self.at, self.at + min(self.size, fair, left)), whole=left)
        self.at += len(block)
        return block

    def took(self, count: int, wall_s: float) -> None:
        """Learn from a number of evaluations and the time that they took."""
        wanted = count * BLOCK_S / max(wall_s, 1e-5)
        # A few quick ones say little: never more than four times the size at once.
        wanted = min(wanted, 4.0 * self.size)
        self.size = max(MIN_BLOCK, min(MAX_BLOCK, int((self.size + wanted) / 2)))


def _rounded(block: Block, whole: int) -> Block:
    """The block without a begun sample at its end, where that leaves at least half of it."""
    if len(block) < whole:
        ends = np.flatnonzero(np.diff(block.samples))
        if len(ends) and ends[-1] + 1 >= len(block) / 2:
            return block[: ends[-1] + 1]
    return block
