"""The evaluations of a run that wait for a tier: new ones, and those that a tier deferred or gave back.

Tiers take blocks here. GPUs take large blocks from the end of the order, threads of the CPU small ones from its front,
until they meet: neither waits for the other. If both share the evaluations of a run, that is the order of weights,
since a GPU gains most with light evaluations: its threads take those, and then its warps the others. Records do not
depend on the order.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from batt.bytecode.abi import Cause
from batt.runtime.evaluations import Block, Evaluations, Integers
from batt.runtime.pieces import after_begun, by_program, joined, part_of, rounded, some
from batt.runtime.tier import CPU, CUDA_WARPS, REFERENCE, Part, TierName
from batt.runtime.weights import Weighed, pays_to_weigh

FEWEST = 128
"""Evaluations that are worth another thread, if they are not known to take long."""
HEAVY_PART, LIMIT_PART = (1, 4), (16, 128)
"""The fewest and the most evaluations that an idle CPU thread takes: of heavy ones, and of those that met the limit of
a GPU thread. Few, so that all threads get some."""
TRIED_BLOCKS = 4
"""Blocks for each thread of the CPU with the evaluations that are tried first: a heavy one holds up only its block."""
OUTLIERS, PIECES, OUTLIER_S = 64, 16, 0.000_7
"""The most outliers of a block of the CPU, the least blocks for each thread, and how long one of them takes, about."""
ENOUGH_S = 0.15
"""Seconds for which the CPU should have evaluations when a GPU takes much at once: its launch may take as long."""
GIVE_UP_AFTER = 5
"""Consecutive time-outs of a program after which its other evaluations are not tried."""
TO_THE_END = frozenset({Cause.HEAVY, Cause.FAILED_TWICE})
"""Causes for which the CPU runs evaluations to their end, and never defers them to a GPU."""


class Waiting:
    """The waiting evaluations, and what tiers need to know to share them.

    `under_way` counts the blocks that each tier runs, `workers` the tiers that are open or being opened and the workers
    of a cluster. With `beside`, the CPU takes new evaluations even if there are GPUs; without, only what they defer.
    `threads` are those of the CPU. `patience` counts the consecutive time-outs of each program on each tier. `cpu_pace`
    is the number of evaluations that all threads of the CPU run while one runs a block.
    """

    def __init__(self, evaluations: Evaluations, beside: bool = True, threads: int = 1) -> None:
        self.evaluations = evaluations
        self.beside = beside
        self.threads = threads
        self.under_way: Counter[TierName] = Counter()
        self.workers: Counter[TierName] = Counter()
        self.patience: Counter[tuple[TierName, int]] = Counter()
        self.cpu_pace = 0
        self.at = 0
        self.end = evaluations.total
        self._weighed: Weighed | None = None
        self._untried_blocks = 0
        self._is_divided = False
        self._tried: deque[Block] = deque()
        self._unlaunched: deque[Block] = deque()
        self._returned: deque[Block] = deque()
        self._deferred: dict[TierName, dict[Cause, deque[Block]]] = {tier: {} for tier in TierName}

    @property
    def new(self) -> int:
        """Count the evaluations that any tier may take."""
        return self.end - self.at + sum(map(len, self._unlaunched))

    @property
    def is_weighed(self) -> bool:
        """Tell whether evaluations run in the order of weights."""
        return self._weighed is not None

    @property
    def for_gpu_threads(self) -> int:
        """Count the new evaluations that threads of a GPU may take: those that warps take are not among them."""
        return self.end - self._light_from + sum(map(len, self._unlaunched)) if self._gpus_may_begin else 0

    @property
    def new_for_warps(self) -> int:
        """Count the new evaluations that warps may take: heavy ones, when threads of GPUs have taken all others."""
        if self._weighed is None or not self._gpus_may_begin or self.for_gpu_threads:
            return 0
        return max(0, self.end - max(self.at, self._weighed.warps_from))

    @property
    def cpu_s(self) -> float:
        """Return about how long the CPU takes for the evaluations that are left of the order of weights."""
        if self._weighed is None:
            return 0.0
        outliers = sum(map(len, self._deferred[CUDA_WARPS].get(Cause.THREAD_LIMIT, ())))
        return (self._weighed.left_s(self.at, self.end) + OUTLIER_S * outliers) / self.threads

    @property
    def heavy_s(self) -> float:
        """Return about how long the CPU takes for those of them that threads of GPUs do not take."""
        if self._weighed is None or not self._gpus_may_begin:
            return 0.0
        return self._weighed.left_s(self.at, self._light_from) / self.threads

    @property
    def is_any_new(self) -> bool:
        """Tell whether there are such evaluations; any thread may ask."""
        return self.at < self.end or bool(self._unlaunched)

    def by_solver(self, sizes: Integers, with_gpus: bool = False) -> None:
        """Run evaluations solver by solver, on samples of ascending `sizes`.

        If GPUs share them with the CPU, and there are enough of each solver, the heaviest run first. The CPU first
        tries a few of each solver, and runs all that it takes to their ends: GPUs have lighter ones.
        """
        self.evaluations = self.evaluations.by_solver(sizes)
        if with_gpus and self.beside and pays_to_weigh(self.evaluations):
            self._weighed = Weighed(self.evaluations)
            self.end = len(self._weighed)
            self._tried.extend(
                [block.because(Cause.HEAVY) for block in self._weighed.tried(TRIED_BLOCKS * self.threads)]
            )

    def learn(self, part: Part) -> None:
        """Learn from a part of the CPU how heavy solvers are."""
        if self._weighed is not None and part.tier is CPU:
            self._weighed.learn(part.block, part.steps, part.times_ns)
            for block in part.deferred.values():
                self._weighed.learn(block, None)

    def deferred(self, tier: TierName) -> int:
        """Count the evaluations that are deferred to `tier`, or given back by it."""
        returned = sum(map(len, self._returned)) if tier >= CPU else 0
        return returned + sum(len(block) for blocks in self._deferred[tier].values() for block in blocks)

    def may_come_to_warps(self, on_cpu: Sequence[Block]) -> int:
        """Count the evaluations that wait for warps, and those that the CPU may defer to them, of `on_cpu` too."""
        queues = [on_cpu, self._returned, self._tried, *self._deferred[CPU].values()]
        others = [len(block) for blocks in queues for block in blocks if block.cause not in TO_THE_END]
        return self.deferred(CUDA_WARPS) + sum(others)

    def given_up_on(self, tier: TierName, times: int) -> list[int]:
        """Return the programs with at least `times` consecutive time-outs on `tier`."""
        return [solver for (name, solver), count in self.patience.items() if name is tier and count >= times]

    def defer(self, tier: TierName, cause: Cause, block: Block) -> None:
        """Let a block wait for `tier`, to which another tier deferred it for `cause`.

        Evaluations that warps ran stay heavy: otherwise the CPU would run them for a few steps and defer them again.
        """
        if tier is CUDA_WARPS and cause is not Cause.HEAVY:
            # Warps make no difference between the causes for which a launch of threads defers.
            cause = Cause.THREAD_LIMIT
        elif tier is CPU and block.cause is Cause.HEAVY:
            cause = Cause.HEAVY
        kept = cause if tier is not CPU or cause in TO_THE_END else None
        self._is_divided &= tier is not CUDA_WARPS
        self._deferred[tier].setdefault(cause, deque()).append(block.because(kept))

    def give_back(self, tier: TierName, block: Block, pieces: int = 1) -> None:
        """Take back what `tier` did not run. The CPU and the reference take it again at once, in `pieces`."""
        if tier is CUDA_WARPS:
            self.defer(CUDA_WARPS, Cause.HEAVY, block)
        elif tier.is_gpu:
            self._unlaunched.append(block)
        else:
            bounds = np.linspace(0, len(block), min(len(block), pieces) + 1).astype(int).tolist()
            parts = [block[start:stop] for start, stop in pairwise(bounds)]
            self._returned.extendleft(reversed(parts))

    def returned(self) -> Block | None:
        """Take a block that was given back."""
        return self._returned.popleft() if self._returned else None

    def first(self, size: int, workers: int, least: int = FEWEST) -> Block | None:
        """Take about `size` new evaluations from the front, fewer towards the end, so that `workers` end together."""
        if self._tried:
            return self._tried.popleft()
        left = self.end - self.at
        if not left:
            return part_of(self._unlaunched, min(size, fair(self.new, workers, least))) if self._unlaunched else None
        count = min(size, fair(left, workers, least), left)
        if self._weighed is not None:
            self._weighed.sort(self.at, self.end)
            self._untried_blocks += 1
            count = min(count, self._weighed.most(self.at, self.cpu_s))
        block = self._block(self.at, self.at + count)
        if self.evaluations.is_by_sample:
            block = rounded(block, whole=left)
        self.at += len(block)
        return block if self._weighed is None else block.because(Cause.HEAVY)

    def last(self, count: int) -> Block | None:
        """Take at most `count` new evaluations from the end, with those that launches had no room for.

        Weights must be known, and heavy ones are left if there are warps.
        """
        light_from = self._light_from if self._gpus_may_begin else self.end
        if self._unlaunched:
            block = part_of(self._unlaunched, count)
            if len(block) == count or light_from == self.end or self.evaluations.is_by_sample:
                return block
            start = max(light_from, self.end - count + len(block))
            others, self.end = self._block(start, self.end), start
            return joined([block, others])
        if light_from == self.end:
            return None
        start = max(light_from, self.end - count)
        block = self._block(start, self.end)
        if self.evaluations.is_by_sample and start > self.at:
            block = after_begun(block, int(self.evaluations.block(start - 1, start).samples[0]))
        self.end -= len(block)
        return block

    @property
    def _gpus_may_begin(self) -> bool:
        """Tell whether the weights of most evaluations are known, or the CPU has gone on without some of them."""
        if self._weighed is None or self._untried_blocks >= TRIED_BLOCKS * self.threads:
            return True
        return self._weighed.is_known

    @property
    def _light_from(self) -> int:
        """Return the place in the order from which on threads of GPUs take new evaluations."""
        if self._weighed is None:
            return self.at
        self._weighed.sort(self.at, self.end)
        if not self.workers[CUDA_WARPS]:
            return self.at
        return min(max(self.at, self._weighed.light_from), self.end)

    def _block(self, start: int, stop: int) -> Block:
        order = self.evaluations if self._weighed is None else self._weighed
        return order.block(start, stop)

    def put_first(self, block: Block) -> None:
        """Put back what a launch has no room for: the next launch takes it."""
        self._unlaunched.appendleft(block)

    def new_heavy(self, count: int) -> Block:
        """Take at most `count` of the new evaluations for warps, from the end of the order."""
        start = self.end - min(count, self.new_for_warps)
        block, self.end = self._block(start, self.end), start
        return block.because(Cause.HEAVY)

    def for_warps(self, most: int, least: int, fraction: float) -> Block | None:
        """Take a fraction of what waits for warps, at most `most`; None if fewer than `least` wait.

        What launches deferred comes before what the CPU found heavy. In both, the programs with the most evaluations
        come first.
        """
        queues = self._deferred[CUDA_WARPS]
        waiting = self.deferred(CUDA_WARPS)
        if waiting < max(1, least):
            return None
        wanted = min(most, math.ceil(waiting * fraction))
        self._is_divided = False
        parts: list[Block] = []
        for cause in (Cause.THREAD_LIMIT, Cause.HEAVY):
            if wanted and queues.get(cause):
                queues[cause] = deque([by_program(joined(queues[cause])).because(cause)])
                parts.append(part_of(queues[cause], wanted))
                wanted -= len(parts[-1])
        return joined(parts).because(Cause.HEAVY)

    def from_warps(self, threads: int) -> Block | None:
        """Take a few of the evaluations that warps deferred: only the CPU can run them, and they take long."""
        found = self._deferred[CPU].get(Cause.HEAVY)
        return some(found, threads, *HEAVY_PART) if found else None

    def for_cpu(self, size: int, workers: int) -> Block | None:
        """Take what GPUs deferred to the CPU."""
        found = next((blocks for blocks in self._deferred[CPU].values() if blocks), None)
        # Each of them may take long: even a few are worth several threads.
        return part_of(found, min(size, fair(sum(map(len, found)), workers, 1))) if found else None

    def outliers(self, threads: int) -> Block | None:
        """Take a few of those that were thought to be light and are not: some take longer than all others.

        Warps run them when enough for a launch wait, and when no other heavy evaluations are left.
        """
        found = self._deferred[CUDA_WARPS].get(Cause.THREAD_LIMIT)
        if not found or not self.is_weighed:
            return None
        if not self._is_divided:
            # Those of a program, which are neighbours, may all take long: each thread gets some of them.
            whole = joined(found)
            pieces = min(len(whole), max(PIECES * threads, -(-len(whole) // OUTLIERS)))
            found.clear()
            found.extend([whole[each::pieces].because(Cause.THREAD_LIMIT) for each in range(pieces)])
            self._is_divided = True
        return found.popleft()

    def for_idle_cpu(self, threads: int) -> Block | None:
        """Take a few of the evaluations that wait for warps, the heavy ones first."""
        queues = self._deferred[CUDA_WARPS]
        for cause, sizes in ((Cause.HEAVY, HEAVY_PART), (Cause.THREAD_LIMIT, LIMIT_PART)):
            if queues.get(cause):
                return some(queues[cause], threads, *sizes)
        return None

    def for_reference(self, size: int, workers: int, least: int = 1) -> Block | None:
        """Take what was deferred to the reference tier, in ascending order of numbers."""
        queues = self._deferred[REFERENCE]
        if not queues:
            return None
        if len(queues) > 1 or len(next(iter(queues.values()))) > 1:
            whole = joined([block for blocks in queues.values() for block in blocks])
            queues.clear()
            queues[Cause.NO_CAUSE] = deque([whole[np.argsort(whole.numbers, kind="stable")]])
        (blocks,) = queues.values()
        block = part_of(blocks, min(size, fair(len(blocks[0]), workers, least)))
        if not blocks:
            queues.clear()
        return block


@dataclass(slots=True)
class Pace:
    """The number of evaluations with which a block takes `block_s`: long for a call, short enough for progress."""

    size: int
    least: int
    most: int
    block_s: float

    def learn(self, count: int, wall_s: float) -> None:
        """Learn from a block of `count` evaluations that took `wall_s`."""
        wanted = count * self.block_s / max(wall_s, 1e-5)
        # A few fast evaluations say little: grow at most to four times the size.
        wanted = min(wanted, 4.0 * self.size)
        self.size = max(self.least, min(self.most, int((self.size + wanted) / 2)))


def fair(left: int, workers: int, least: int = FEWEST) -> int:
    """Return the largest block that lets all `workers` end together."""
    return max(-(-left // (2 * workers)), least)
