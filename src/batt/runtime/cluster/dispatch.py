"""Hand out blocks to the workers of a cluster: how much each gets, what is handed out again, what comes back too late.

Knows neither Dask nor a clock, so a simulation can drive it: every method that needs the time gets it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from batt.runtime.evaluations import Block

BLOCK_S, LEAST_S, MOST_S = 1.0, 0.5, 30.0
"""How long a block should take, how long at least, even at the end of a run, and how long at most."""
BLOCKS_PER_S = 50
"""The blocks that all workers together should finish in a second: with many workers, blocks take longer."""
PER_START = 10
"""A block should take this many times as long as the shortest one of its worker: starting one, too, takes time."""
FIRST_BLOCK, MOST_BLOCK = 512, 1 << 20
GROWTH = 4
"""The factor by which blocks of a worker grow at most: a few fast evaluations say little."""
AHEAD = 2
"""The blocks that a worker has at a time: the next one is there when one is done."""
END_BLOCKS = 2
"""When only this many blocks for each worker are left, none is given ahead: who has two of them would end last."""
OVERDUE_S, OVERDUE_TIMES, OVERDUE_FIRST_S = 5.0, 4.0, 60.0
"""A block is overdue after this time and this multiple of the expected time, a worker's first block after the last."""
PAUSE_S = 3.0
"""If nobody has looked for overdue blocks for this time, this process was stopped, which is no worker's fault."""
MOST_HOLDERS = 3
"""The workers that may hold one block when it is overdue with all of them; then it runs here."""
MOST_LOSSES, PIECES = 3, 4
"""A block with which a worker is lost is handed out again in pieces. After this many losses, a piece runs here."""
MOST_FAILURES = 3
"""The blocks in a row that may fail on a worker until it is used no more."""


@dataclass(slots=True, eq=False)
class HandedBlock:
    """A block that is done once, whoever returns it first. `holders` have it, `losses` counts workers lost with it."""

    block: Block
    losses: int = 0
    holders: set[str] = field(default_factory=set)
    is_done: bool = False


@dataclass(slots=True, eq=False)
class Hand:
    """A worker: its measured speed in evaluations per second, 0 if not known, and the blocks that it has, in order.

    The first of `running` has run since `since_s`. A worker is late if that block is overdue. The results of the other
    blocks are here, and wait until somebody takes them.
    """

    name: str
    queue: deque[HandedBlock] = field(default_factory=deque)
    running: deque[HandedBlock] = field(default_factory=deque)
    rate: float = 0.0
    shortest_s: float = math.inf
    largest: int = 0
    since_s: float = 0.0
    is_late: bool = False
    failures: int = 0

    @property
    def has_room(self) -> bool:
        """Tell whether it takes another block; it gets no second block before the first one shows its speed."""
        return not self.is_late and len(self.queue) < (AHEAD if self.rate else 1)

    def learn(self, count: int, wall_s: float) -> None:
        """Learn from a block of `count` evaluations that took `wall_s`."""
        rate = count / max(wall_s, 1e-5)
        self.rate = (self.rate + rate) / 2 if self.rate else rate
        self.shortest_s = min(self.shortest_s, wall_s)
        self.largest = max(self.largest, count)
        self.failures = 0

    def is_overdue(self, now_s: float, longest_s: float = 0.0) -> bool:
        """Tell whether its first block should have been back long ago, if one evaluation may take `longest_s`."""
        if self.is_late or not self.running:
            return False
        limit_s = OVERDUE_FIRST_S
        if self.rate:
            limit_s = OVERDUE_S + OVERDUE_TIMES * len(self.running[0].block) / self.rate
        return now_s - self.since_s > limit_s + longest_s


class Dispatch:
    """The workers of a cluster, and the blocks that wait to be handed out again.

    The caller takes new blocks of at most `size` evaluations for those that `free` yields, assigns them, and reports
    what happens. `most` is the largest number of evaluations of a block, `first` that of a worker's first block. One
    evaluation may take `longest_s` without being overdue.
    """

    def __init__(self, most: int = MOST_BLOCK, first: int = FIRST_BLOCK, longest_s: float = 0.0) -> None:
        self.most = most
        self.first = first
        self.longest_s = longest_s
        self.hands: dict[str, Hand] = {}
        # With a thousand workers, only few of them have room at a time.
        self._free: dict[str, Hand] = {}
        self._again: deque[HandedBlock] = deque()
        self._looked_s = 0.0
        self._rate: float | None = None

    @property
    def usable(self) -> int:
        """Count the workers that are not late."""
        return sum([not hand.is_late for hand in self.hands.values()])

    @property
    def rate(self) -> float:
        """Return the evaluations per second of all usable workers."""
        if self._rate is None:
            self._rate = sum([hand.rate for hand in self.hands.values() if not hand.is_late])
        return self._rate

    @property
    def _block_s(self) -> float:
        """Return how long a block should take if its worker starts quickly."""
        return max(BLOCK_S, len(self.hands) / BLOCKS_PER_S)

    def join(self, name: str) -> None:
        """Add a worker."""
        self.hands[name] = Hand(name)
        self._look_at(self.hands[name])

    def free(self, left: int) -> Iterator[Hand]:
        """Yield the workers that take another block while `left` evaluations are new: idle and fast ones first."""
        found = list(self._free.values())
        if left <= END_BLOCKS * self._block_s * self.rate:
            found = [hand for hand in found if not hand.queue]
        yield from sorted(found, key=lambda hand: (len(hand.queue), -hand.rate))

    def again(self, hand: Hand) -> HandedBlock | None:
        """Take a block that waits to be handed out again, and that this worker does not have."""
        for place, piece in enumerate(self._again):
            if hand.name not in piece.holders:
                del self._again[place]
                if not piece.is_done:
                    return piece
                return self.again(hand)
        return None

    def size(self, hand: Hand, left: int) -> int:
        """Return how many of `left` new evaluations a worker should take."""
        if not hand.rate:
            return self.first
        block_s = max(self._block_s, PER_START * hand.shortest_s)
        wanted = min(hand.rate * min(block_s, MOST_S), GROWTH * max(hand.largest, self.first))
        # Towards the end all should end together, but no block takes less than half a second.
        fair = max(left * hand.rate / (2 * max(self.rate, hand.rate)), LEAST_S * hand.rate)
        return max(1, min(self.most, int(min(wanted, fair))))

    def assign(self, hand: Hand, piece: HandedBlock, now_s: float) -> None:
        """Give a block to a worker."""
        if not hand.running:
            hand.since_s = now_s
        hand.queue.append(piece)
        hand.running.append(piece)
        piece.holders.add(hand.name)
        self._look_at(hand)

    def arrive(self, name: str, piece: HandedBlock, now_s: float) -> None:
        """Take note that the result of a block is here: its worker has begun the next one."""
        hand = self.hands.get(name)
        if hand is not None and piece in hand.running:
            hand.running.remove(piece)
            hand.since_s, hand.is_late = now_s, False
            self._look_at(hand)

    def finish(self, name: str, piece: HandedBlock, count: int, wall_s: float, now_s: float) -> bool:
        """Take the result of `count` evaluations from a worker. Return False if it came too late and is not needed."""
        hand = self._ended(name, piece, now_s)
        if hand is not None and count:
            hand.learn(count, wall_s)
            self._look_at(hand)
        is_first, piece.is_done = not piece.is_done, True
        return is_first

    def fail(self, name: str, piece: HandedBlock, now_s: float) -> bool:
        """Take back a block that failed on a worker. Return True if it shall run here; it is then done."""
        hand = self._ended(name, piece, now_s)
        if hand is not None:
            hand.failures += 1
        return self._lose(piece)

    def is_broken(self, name: str) -> bool:
        """Tell whether every block fails on a worker."""
        return name in self.hands and self.hands[name].failures >= MOST_FAILURES

    def leave(self, name: str) -> list[HandedBlock]:
        """Remove a worker. Return those of its blocks that shall run here; they are then done."""
        hand = self.hands.pop(name)
        self._free.pop(name, None)
        self._rate = None
        for piece in hand.queue:
            piece.holders.discard(name)
        # Which of them was running is not known for certain.
        return [piece for piece in hand.queue if self._lose(piece)]

    def find_overdue(self, now_s: float) -> tuple[list[Hand], list[HandedBlock]]:
        """Hand the blocks of workers out again that are overdue. Return these workers, and what shall run here."""
        gap_s, self._looked_s = now_s - self._looked_s, now_s
        if gap_s > PAUSE_S:
            for hand in self.hands.values():
                hand.since_s += gap_s
        late = [hand for hand in self.hands.values() if hand.is_overdue(now_s, self.longest_s)]
        given_up: list[HandedBlock] = []
        for hand in late:
            hand.is_late = True
            self._look_at(hand)
            for piece in hand.running:
                if piece.is_done:
                    continue
                if len(piece.holders) >= MOST_HOLDERS:
                    piece.is_done = True
                    given_up.append(piece)
                else:
                    self._put_again(piece)
        return late, given_up

    def drain(self) -> list[HandedBlock]:
        """Return all blocks that wait to be handed out again, to run here; they are then done."""
        found = [piece for piece in self._again if not piece.is_done]
        self._again.clear()
        for piece in found:
            piece.is_done = True
        return found

    def _ended(self, name: str, piece: HandedBlock, now_s: float) -> Hand | None:
        """Take a block out of the queue of its worker, which has answered and so is not late."""
        self.arrive(name, piece, now_s)
        piece.holders.discard(name)
        hand = self.hands.get(name)
        if hand is None or piece not in hand.queue:
            return None
        hand.queue.remove(piece)
        self._look_at(hand)
        return hand

    def _look_at(self, hand: Hand) -> None:
        """Take note of whether a worker has room, and that its speed may have changed."""
        self._rate = None
        if hand.has_room:
            self._free[hand.name] = hand
        else:
            self._free.pop(hand.name, None)

    def _lose(self, piece: HandedBlock) -> bool:
        """Let a block wait in pieces after a worker was lost with it; return True if that was once too often."""
        if piece.is_done or piece.holders:
            # Another worker has it, too.
            return False
        piece.losses += 1
        piece.is_done = True
        if piece.losses >= MOST_LOSSES:
            return True
        count = len(piece.block)
        bounds = np.linspace(0, count, min(count, PIECES) + 1).astype(int).tolist()
        self._again += [HandedBlock(piece.block[start:stop], piece.losses) for start, stop in pairwise(bounds)]
        return False

    def _put_again(self, piece: HandedBlock) -> None:
        if piece not in self._again:
            self._again.append(piece)
