"""The cluster tier: blocks go to the workers of a Dask cluster, and their parts come back in any order.

While there are workers, the tiers of this process run only what no worker can do. If all workers are gone, they run
everything; a worker that joins later takes part again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Protocol, TypeAlias

import numpy as np

from batt.errors import BattError
from batt.runtime.cluster.dispatch import FIRST_BLOCK, MOST_BLOCK, Dispatch, Hand, HandedBlock
from batt.runtime.cluster.messages import UNDONE, BlockReply, Load, Malformed, Order
from batt.runtime.context import Context
from batt.runtime.evaluations import Block
from batt.runtime.options import Options
from batt.runtime.outputs import NO_FUNCTIONS, PackedOutputs
from batt.runtime.records import RECORD_TYPE
from batt.runtime.tier import CLUSTER, REFERENCE, MakePart, Part, Tier
from batt.runtime.waiting import Waiting

MOST_WITH_OUTPUTS = 1 << 16
FIRST_OF_REFERENCE = 16
JOIN_S = 20.0
"""How long a run waits for the first worker, if there is one that is getting ready."""
POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class WorkerFailure:
    """The answer of a worker that could not run a block, in words. `is_ready` tells that it may try the next one."""

    text: str
    is_ready: bool = True


@dataclass(frozen=True, slots=True)
class WorkerJoined:
    """A worker has the deck and the samples, and can run blocks on `threads` threads."""

    worker: str
    threads: int


@dataclass(frozen=True, slots=True)
class WorkerLeft:
    """A worker is gone, or is used no more."""

    worker: str


Answer: TypeAlias = bytes | BattError | WorkerFailure
Event: TypeAlias = WorkerJoined | WorkerLeft


class Workers(Protocol):
    """The connection to the workers of a cluster."""

    def serve(self, load: Load, events: SimpleQueue[Event], tell: SimpleQueue[str]) -> None:
        """Send `load` to all workers, also to those that join later, and report in `events` who is ready or gone."""

    @property
    def getting_ready(self) -> int:
        """Count the workers that may soon be ready."""

    def send(self, worker: str, order: Order, future: Future[Answer]) -> None:
        """Let a worker run a block, and set the answer."""

    def end(self) -> None:
        """Report nothing more, and forget all blocks."""


class ClusterTier(Tier):
    """The workers of a cluster. With `is_reference`, they run their reference tiers only."""

    name = CLUSTER

    def __init__(self, context: Context, workers: Workers, is_reference: bool = False) -> None:
        self.context = context
        self.workers = workers
        self.is_reference = is_reference
        most = MOST_WITH_OUTPUTS if context.options.outputs else MOST_BLOCK
        # In plain Python an evaluation may take up to its time limit; native code ends with its budget before that.
        longest_s = context.options.limits.wall_s if is_reference else 0.0
        self.dispatch = Dispatch(most, FIRST_OF_REFERENCE if is_reference else FIRST_BLOCK, longest_s)
        packed = context.loaded.result().packed if context.loaded.done() else None
        self._load = Load.of(context.job, worker_options(context.options), packed)
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._threads: dict[str, int] = {}
        self._next: tuple[Hand, HandedBlock] | None = None
        self._open: dict[tuple[str, int], _Sent] = {}
        self._here: list[Block] = []
        self._had_workers = False
        workers.serve(self._load, self._events, self._lines)
        self._wait_for_first()

    @property
    def is_native(self) -> bool:
        """Tell whether workers get only what native code accepts."""
        return not self.is_reference

    def take(self, waiting: Waiting) -> Block | None:
        """Take a block for a worker with room: one that is handed out again, or new evaluations."""
        waiting.workers[CLUSTER] = self.dispatch.usable
        if not self.dispatch.usable:
            self._run_here(self.dispatch.drain())
        while self._here:
            waiting.give_back(CLUSTER, self._here.pop())
        left = waiting.new + (waiting.deferred(REFERENCE) if self.is_reference else 0)
        for hand in self.dispatch.free(left):
            found = self.dispatch.again(hand)
            if found is None:
                block = self._new(waiting, self.dispatch.size(hand, left))
                found = None if block is None else HandedBlock(block)
            if found is not None:
                self._next = hand, found
                return found.block
        return None

    def _new(self, waiting: Waiting, size: int) -> Block | None:
        found = waiting.last(size)
        if found is None and self.is_reference:
            return waiting.for_reference(size, 1, least=size)
        return found

    def submit(self, block: Block) -> Future[MakePart]:
        """Send the block that was taken last to its worker."""
        assert self._next is not None
        hand, piece = self._next
        piece.block = block
        now_s = time.monotonic()
        self.dispatch.assign(hand, piece, now_s)
        sent = _Sent(hand.name, piece, Future(), Future())
        self._open[hand.name, id(piece)] = sent
        order = Order.of(self._load, block, self.is_reference, self._threads[hand.name])
        sent.answer.add_done_callback(partial(self._answered, sent))
        self.workers.send(hand.name, order, sent.answer)
        return sent.part

    def guard(self, now_s: float) -> None:
        """Take note of who joined or left, of late answers, and of blocks that are overdue."""
        before = self.dispatch.usable
        while True:
            try:
                event = self._events.get_nowait()
            except Empty:
                break
            match event:
                case WorkerJoined(worker, threads):
                    self._threads[worker] = threads
                    self.dispatch.join(worker)
                case WorkerLeft(worker):
                    self._left(worker)
        for sent in self._open.values():
            if not sent.is_here and sent.answer.done():
                sent.is_here = True
                self.dispatch.arrive(sent.worker, sent.piece, now_s)
        self._settle_late(now_s)
        late, given_up = self.dispatch.find_overdue(now_s)
        for hand in late:
            self.context.tell(f"worker {hand.name} does not answer; its blocks are handed out again")
        self._run_here(given_up)
        self._tell_workers(before)

    def close(self) -> None:
        """Forget all that is under way; workers end their blocks by themselves."""
        self.workers.end()
        self._pass_lines_on()
        for sent in self._open.values():
            sent.part.cancel()

    def _wait_for_first(self) -> None:
        until_s = time.monotonic() + JOIN_S
        while self.workers.getting_ready and self._events.empty() and time.monotonic() < until_s:
            self.context.observer.on_poll()
            time.sleep(POLL_S)
        self.guard(time.monotonic())
        if not self.dispatch.hands:
            self.context.tell("the cluster has no worker yet; running here until one joins")

    def _left(self, worker: str) -> None:
        if worker not in self.dispatch.hands:
            return
        lost = [sent for sent in self._open.values() if sent.worker == worker]
        given_up = self.dispatch.leave(worker)
        for sent in lost:
            self._end(sent)
        if given_up:
            self.context.tell("blocks with which workers were lost several times run here")
        self._run_here(given_up)
        more = "; its blocks are handed out again" if lost else ""
        self.context.tell(f"worker {worker} is gone{more}")

    def _tell_workers(self, before: int) -> None:
        self._pass_lines_on()
        usable = self.dispatch.usable
        if usable == before:
            return
        self.context.observer.on_workers(usable)
        if not usable:
            self.context.tell("no worker of the cluster is left; running here until one joins")
        elif not self._had_workers:
            self._had_workers = True
            threads = sum([self._threads[name] for name in self.dispatch.hands])
            self.context.tell(f"the cluster has {_counted(usable, 'worker')} with {_counted(threads, 'thread')}")

    def _pass_lines_on(self) -> None:
        while not self._lines.empty():
            self.context.tell(self._lines.get())

    def _answered(self, sent: _Sent, answer: Future[Answer]) -> None:
        """Let the ladder know, in the thread of the connection."""
        if not answer.cancelled():
            # It may have been ended meanwhile: then `guard` finds the late answer.
            with suppress(InvalidStateError):
                sent.part.set_result(partial(self._settle, sent))

    def _settle(self, sent: _Sent) -> Part:
        """Make the part of an answer. The ladder may ask twice, if an interrupt hits the first call."""
        if sent.made is None:
            sent.made = self._made(sent)
        return sent.made

    def _made(self, sent: _Sent) -> Part:
        answer, now_s = sent.answer.result(), time.monotonic()
        if isinstance(answer, BattError):
            raise answer
        self._open.pop((sent.worker, id(sent.piece)), None)
        piece, block = sent.piece, sent.piece.block
        if isinstance(answer, bytes):
            try:
                reply = BlockReply.unpacked(answer, len(block))
            except Malformed as error:
                answer = WorkerFailure(f"malformed reply: {error}")
            else:
                is_first = self.dispatch.finish(sent.worker, piece, len(block), reply.wall_s, now_s)
                self._forget(piece)
                return self._part(sent.worker, block, reply) if is_first else self._nothing()
        return self._failed(sent, answer, now_s)

    def _failed(self, sent: _Sent, failure: WorkerFailure, now_s: float) -> Part:
        runs_here = self.dispatch.fail(sent.worker, sent.piece, now_s)
        self.context.tell(f"worker {sent.worker} failed with a block, which is handed out again: {failure.text}")
        if self.dispatch.is_broken(sent.worker):
            self.context.tell(f"worker {sent.worker} failed with every block and is used no more")
            self._left(sent.worker)
        if runs_here:
            self._run_here([sent.piece])
        return self._nothing()

    def _settle_late(self, now_s: float) -> None:
        """Take note of answers to blocks that were done meanwhile: their workers are back."""
        for sent in [each for each in self._open.values() if each.is_ended and each.answer.done()]:
            del self._open[sent.worker, id(sent.piece)]
            self.dispatch.finish(sent.worker, sent.piece, 0, 0.0, now_s)

    def _run_here(self, pieces: Iterable[HandedBlock]) -> None:
        """Leave blocks to the tiers of this process. An answer that comes now is too late: the blocks are done."""
        for piece in pieces:
            self._here.append(piece.block)
            self._forget(piece)

    def _forget(self, piece: HandedBlock) -> None:
        """End the wait for all others that have the block."""
        for sent in [each for each in self._open.values() if each.piece is piece]:
            self._end(sent)

    def _end(self, sent: _Sent) -> None:
        """Let the ladder wait for this no more; an answer that is there already is still looked at."""
        sent.is_ended = True
        with suppress(InvalidStateError):
            sent.part.set_result(self._nothing)
        if sent.worker not in self.dispatch.hands:
            self._open.pop((sent.worker, id(sent.piece)), None)

    def _part(self, worker: str, block: Block, reply: BlockReply) -> Part:
        tier = REFERENCE if reply.is_reference else CLUSTER
        functions = None if reply.is_reference else self.context.loaded.result().functions
        packed = reply.packed_outputs
        undone = reply.states == UNDONE
        done = reply.done
        return Part(
            tier,
            block if done.all() else block[done],
            reply.records,
            reply.steps,
            outputs=None if packed is None else PackedOutputs.of(*packed, functions or NO_FUNCTIONS),
            deferred=reply.deferred(block),
            rest=block[undone] if undone.any() else None,
            wall_s=reply.wall_s,
            worker=worker,
        )

    def _nothing(self) -> Part:
        """Return a part without evaluations."""
        none = np.empty(0, np.int64)
        outputs = PackedOutputs.none(0) if self.context.options.outputs else None
        return Part(CLUSTER, Block(none, none, none), np.empty(0, RECORD_TYPE), none, outputs=outputs)


@dataclass(slots=True, eq=False)
class _Sent:
    """A block that a worker has: the answer of the worker, and the part that the ladder waits for."""

    worker: str
    piece: HandedBlock
    answer: Future[Answer]
    part: Future[MakePart]
    made: Part | None = None
    is_here: bool = False
    is_ended: bool = False


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' * (count != 1)}"


def worker_options(options: Options) -> Options:
    """Return the options for a worker: its engine is its own choice if none is named, its first GPU by default."""
    assert options.cluster is not None
    devices = (0,) if options.cluster.devices is None else options.cluster.devices
    return replace(options, engine=options.cluster.engine, devices=devices, cluster=None)
