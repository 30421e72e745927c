"""The reference tier: plain Python in worker processes, each with one evaluation at a time.

A thread sends blocks to each process and watches it. A process whose evaluation does not end in time is killed.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue

from batt.runtime.context import Context
from batt.runtime.evaluations import Block
from batt.runtime.reference.process import Process, shared_limits
from batt.runtime.reference.worker import Setup
from batt.runtime.tier import CLUSTER, REFERENCE, MakePart, Part, Tier
from batt.runtime.waiting import Pace, Waiting

BLOCK_S = 0.3
"""How long a block should take: long compared to a message, short enough for a smooth progress bar."""
FIRST_BLOCK, MIN_BLOCK, MAX_BLOCK = 16, 1, 4096


class ReferenceTier(Tier):
    """Worker processes, each with a thread of this process. They start when blocks need them."""

    name = REFERENCE

    def __init__(self, context: Context) -> None:
        options, evaluations = context.options, context.job.evaluations
        self._most = max(1, min(options.workers, evaluations.total))
        self._pace = Pace(FIRST_BLOCK, MIN_BLOCK, MAX_BLOCK, BLOCK_S)
        self._programs = context.job.programs
        limits = shared_limits(options.limits, self._most)
        self._setup = Setup(tuple(evaluations.samples), limits, options.outputs, options.scores)
        self._processes: list[Process] = []
        self._idle: SimpleQueue[Process] = SimpleQueue()
        self._threads = ThreadPoolExecutor(self._most, thread_name_prefix="batt-reference")

    def take(self, waiting: Waiting) -> Block | None:
        """Take what was given back, then, unless workers of a cluster do, new evaluations and deferred ones."""
        if waiting.under_way[REFERENCE] >= self._most:
            return None
        size = self._pace.size
        block = waiting.returned()
        if block is None and not waiting.workers[CLUSTER]:
            block = waiting.first(size, self._most, 1) or waiting.for_reference(size, self._most)
        if block is not None and len(block) > 1 and waiting.patience[REFERENCE, int(block.solvers[0])]:
            # A program that the guard has stopped runs alone, so that no other evaluations are lost with it.
            waiting.give_back(REFERENCE, block[1:])
            block = block[:1]
        return block

    def submit(self, block: Block) -> Future[MakePart]:
        """Send a block to a process."""
        try:
            process = self._idle.get_nowait()
        except Empty:
            process = Process(self._programs, self._setup)
            self._processes.append(process)
        return self._threads.submit(self._run, process, block)

    def collect(self, part: Part) -> Part:
        """Learn how long evaluations take."""
        if len(part.block):
            self._pace.learn(len(part.block), part.wall_s)
        return part

    def close(self) -> None:
        """Kill every process, and wait for the threads."""
        for process in self._processes:
            process.close()
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.end()
        self._processes.clear()

    def _run(self, process: Process, block: Block) -> MakePart:
        try:
            part = process.run(block)
            return lambda: part
        finally:
            self._idle.put(process)
