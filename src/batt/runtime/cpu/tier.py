"""The cpu tier: native code on threads of this process, each with one evaluation at a time.

A thread runs one block in one worker, with the interpreter lock released.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from queue import SimpleQueue
from threading import Lock

from batt.bytecode.abi import Cause, Ended
from batt.runtime.context import Context
from batt.runtime.cpu.worker import SHARED_S, SHARED_STAGED_S, ThreadWorker
from batt.runtime.evaluations import Block
from batt.runtime.native import Budget
from batt.runtime.tallies import Counted, Counting, Tallies, TickClock
from batt.runtime.tier import CLUSTER, CPU, CUDA_THREADS, CUDA_WARPS, MakePart, Part, Tier
from batt.runtime.waiting import FEWEST, TO_THE_END, Pace, Waiting

BLOCK_S = 0.075
FIRST_BLOCK, MIN_BLOCK, MAX_BLOCK = 128, 32, 1 << 16
HANDLING_S = 0.000_15
"""About what it takes to hand out a block and to collect it, one after the other: blocks that all threads run in less
time would let threads wait."""
MAX_BESIDE_GPUS = 1 << 13
"""The largest block in a run with GPUs: a GPU cannot take what CPU threads hold."""
HEAVY_STEPS = 200_000
"""Steps after which an evaluation is heavy and is deferred to warps. A CPU thread runs them in two thirds of a
millisecond."""


class CpuTier(Tier):
    """Threads, each with a native worker. Both start when blocks need them."""

    name = CPU

    def __init__(self, context: Context) -> None:
        self.context = context
        self.loaded = context.loaded.result()
        self.workers: list[ThreadWorker] = []
        self._most = max(1, min(context.options.workers, context.job.evaluations.total))
        largest = MAX_BESIDE_GPUS if CUDA_THREADS in context.tiers else MAX_BLOCK
        self._pace = Pace(FIRST_BLOCK, MIN_BLOCK, largest, BLOCK_S)
        self._budget = context.budget
        self._first = Budget(HEAVY_STEPS, self._budget.max_items, self._budget.work, self._budget.scores)
        self._slow_stages: Counter[int] = Counter()
        self._lock = Lock()
        self._idle: SimpleQueue[ThreadWorker] = SimpleQueue()
        self._under_way = 0
        self._threads = ThreadPoolExecutor(self._most, thread_name_prefix="batt")
        self._clock: TickClock | None = None
        if context.counting is not None:
            self._clock = TickClock(lambda: int(self.loaded.program.library.call("batt_ticks")))

    def take(self, waiting: Waiting) -> Block | None:
        """Take what was given back, then what GPUs deferred, then new evaluations, then what waits for warps.

        While there are workers of a cluster, they take the new evaluations.
        """
        self._under_way = waiting.under_way[CPU]
        waiting.cpu_pace = self._pace.size * self._most
        if self._under_way >= 2 * self._most:
            return None
        block = waiting.returned() or waiting.from_warps(self._most) or waiting.for_cpu(self._pace.size, self._most)
        block = block or waiting.outliers(self._most)
        is_needed = not waiting.workers[CLUSTER] and (waiting.beside or not waiting.workers[CUDA_THREADS])
        if block is None and is_needed:
            least = int(self._pace.size * self._most * HANDLING_S / BLOCK_S)
            block = waiting.first(self._pace.size, self._most, max(FEWEST, least))
        block = block or waiting.for_idle_cpu(self._most)
        if block is None and self._under_way < self._most:
            self._share_blocks()
        return block

    def submit(self, block: Block) -> Future[MakePart]:
        """Submit a block to the threads."""
        # A worker starts with a block: few evaluations need no second worker.
        if len(self.workers) < min(self._under_way + 1, self._most):
            self._add_worker()
        return self._threads.submit(self._run, block)

    def collect(self, part: Part) -> Part:
        """Learn how long evaluations take; defer the rest of a sample whose staged values take too long."""
        self._pace.learn(len(part.block), part.wall_s)
        if part.timed_out is None or part.rest is None or not self.context.job.image.stage_entries:
            return part
        # Staged values are computed when a sample's first evaluation begins, and again after each time-out.
        sample = int(part.timed_out.samples[0])
        self._slow_stages[sample] += not len(part.block)
        if self._slow_stages[sample] < 2:
            return part
        same = part.rest.samples == sample
        deferred = {**part.deferred, Cause.SLOW_STAGE: part.rest[same]} if same.any() else part.deferred
        return replace(part, rest=part.rest[~same], deferred=deferred)

    def guard(self, now_s: float) -> None:
        """Stop workers whose current evaluation has run for too long."""
        with self._lock:
            for worker in self.workers:
                worker.watch(now_s, self.context.options.limits.wall_s)

    def close(self) -> None:
        """Stop all threads, wait for them, and free their memory."""
        with self._lock:
            for worker in self.workers:
                worker.close()
        self._threads.shutdown(cancel_futures=True)
        if self._clock is not None:
            counted = Counted(self._no_tallies(), self._clock.tick_s())
            counted.tallies.add(filter(None, [worker.native.tallies for worker in self.workers]))
            self.context.counted, self._clock = counted, None
        for worker in self.workers:
            worker.native.close()
        self.workers.clear()

    def _share_blocks(self) -> None:
        """Let workers give back what idle threads can run meanwhile."""
        now_s, least_s = time.monotonic(), SHARED_STAGED_S if self.context.job.image.stage_entries else SHARED_S
        with self._lock:
            for worker in self.workers:
                worker.share(now_s, least_s)

    def _run(self, block: Block) -> MakePart:
        """Run a block in an idle worker, in a thread."""
        worker = self._idle.get()
        self.context.observer.on_begin(block)
        # If there are warps for heavy evaluations, run each for a few steps to find those.
        finds_heavy = (
            self.context.is_there(CUDA_WARPS)
            and block.cause not in TO_THE_END
            and self._budget.steps > self._first.steps
        )
        budget = self._first if finds_heavy else self._budget
        defers: Mapping[int, Cause] = {Ended.OVER_BUDGET: Cause.HEAVY} if finds_heavy else {}
        try:
            return worker.run(block, self.context.job.slice_of, budget, defers)
        finally:
            self._idle.put(worker)

    def _add_worker(self) -> None:
        loaded, options = self.loaded, self.context.options
        worker = ThreadWorker(loaded, options.memory, self._lock)
        if self.context.counting is not None:
            worker.native.count(self._no_tallies())
        if self.context.observer.counter is not None:
            worker.native.done = self.context.observer.counter
        self.workers.append(worker)
        self._idle.put(worker)

    def _no_tallies(self) -> Tallies:
        image = self.context.job.image
        if self.context.counting is Counting.OPS:
            return Tallies.none(len(image.table.ops), 0)
        return Tallies.none(0, image.code_words)
