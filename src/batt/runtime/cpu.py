"""The cpu engine: native workers on threads of this process. Owns blocks under way, the guard, and what is handed down.

The consuming thread makes blocks, hands them to the threads and collects what they did; a thread does nothing but run
one block in one worker, with the interpreter lock released. What native code cannot do, and all that was refused
before, is run on the reference engine at the end, and counted by cause.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from itertools import pairwise
from queue import SimpleQueue
from threading import Lock
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Cause, Ended
from batt.runtime.batch import Batch, batch_of
from batt.runtime.blocks import Blocks
from batt.runtime.evaluations import Block, Integers
from batt.runtime.job import Job
from batt.runtime.native import Budget, NativeBatch, NativeProgram, library
from batt.runtime.options import Options
from batt.runtime.outcome import Status
from batt.runtime.outputs import Functions, PackedOutputs
from batt.runtime.pool import GIVE_UP_AFTER, Pool
from batt.runtime.records import RECORD_TYPE, Done, records_of, steps_of, valueless
from batt.runtime.tallies import Counted, Counting, Tallies, TickClock
from batt.runtime.thread import Call, ThreadWorker
from batt.types import Function

POLL_S = 0.05
WORK = 2_000_000_000
"""Comparisons and copies, which steps do not count, after which an evaluation is left to the reference engine."""
MOST = 2**62
"""The largest budget that native code is given; none that is larger can be used up."""

SLOW_STAGE = "shared steps take too long"


Observer: TypeAlias = Callable[[Call], None]
"""Called with what a thread did of a block, the evaluations that native code leaves included."""


class CpuEngine:
    """The evaluations of one job; closing it leaves no thread and no process behind.

    `native` counts what native code finished, `fallbacks` by cause what it left, `crashed` what ended its process,
    `out_of_memory` what needed more than a worker process may use.
    `remains` is what was done but not handed out when the run was closed before its end. `observe` is told of every
    block as it comes in. With `profile`, native code counts, and `counted` is there after the run. `on_poll` is called
    again and again while the run goes on; what it raises ends it.
    """

    on_poll: Callable[[], None] | None = None

    def __init__(
        self,
        job: Job,
        options: Options,
        *,
        observe: Observer | None = None,
        profile: Counting | None = None,
    ) -> None:
        self.job = job
        self.options = options
        self.observe = observe
        self.profile = profile
        self.counted: Counted | None = None
        self.fallbacks: Counter[str] = Counter()
        self.native = self.crashed = self.out_of_memory = 0
        self.remains: list[Done] = []
        self._batch: Batch
        self._refused_samples: npt.NDArray[np.bool_]
        self._blocks: Blocks
        self._handed_down: list[Integers] = []
        self._in_a_row: Counter[int] = Counter()
        self._slow_stages: Counter[int] = Counter()
        self._lock = Lock()
        self._loaded: tuple[NativeProgram | NativeBatch, ...] = ()
        self._budget = Budget(min(options.limits.steps, MOST), min(options.limits.max_items, MOST), WORK)
        self._workers: list[ThreadWorker] = []
        self._most = max(1, min(options.workers, job.evaluations.total))
        self._new_worker: Callable[[], ThreadWorker]
        self._clock: TickClock | None = None
        self._idle: SimpleQueue[ThreadWorker] = SimpleQueue()
        self._threads: ThreadPoolExecutor | None = None
        self._running: set[Future[Call]] = set()

    def run(self, natively_only: bool = False) -> Generator[Done, None, None]:
        """Evaluate everything; each evaluation comes exactly once, in no particular order.

        With `natively_only`, what native code leaves is counted and not run.
        """
        if not self.job.evaluations.total:
            return
        try:
            self._start()
            yield from self._run_native()
        finally:
            self.close()
        if not natively_only:
            yield from self._run_reference()

    def close(self) -> None:
        """Stop all threads, wait for them, and free their memory; what they had done is in `remains`."""
        with self._lock:
            for worker in self._workers:
                worker.close()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
            self._threads = None
        whole = [each for each in self._running if not each.cancelled() and each.exception() is None]
        self._running.clear()
        self.remains += [self._finished(part) for part in map(Future.result, whole) if len(part.ran)]
        if self._clock is not None:
            self.counted = Counted(self._no_tallies(), self._clock.tick_s())
            self._clock = None
            self.counted.tallies.add(filter(None, [worker.native.tallies for worker in self._workers]))
        for owner in (*[worker.native for worker in self._workers], *self._loaded):
            owner.close()
        self._workers.clear()

    def _start(self) -> tuple[NativeProgram, NativeBatch]:
        """Load the program and the samples, and let threads begin."""
        job = self.job
        self._batch = batch_of(job.evaluations.samples)
        self._refused_samples = np.isin(np.arange(len(job.evaluations.samples)), list(self._batch.refused))
        # With nothing kept for a sample, a program that runs again and again is predicted better.
        evaluations = job.evaluations
        if not job.image.stage_entries:
            evaluations = evaluations.by_solver(self._batch.input_bytes)
        self._blocks = Blocks(evaluations, self.options.workers)
        found = library(job.image.table)
        program = NativeProgram(found, job.image.words, job.image.pool)
        batch = NativeBatch(found, self._batch.data, self._batch.ends, self._batch.rows)
        self._loaded = program, batch
        functions = Functions(_by_routine(job.image.helpers), job.image.table) if self.options.outputs else None
        if self.profile is not None:
            self._clock = TickClock(lambda: int(found.call("batt_ticks")))
        self._new_worker = lambda: ThreadWorker(program, batch, self._budget, self.options.memory, functions)
        self._threads = ThreadPoolExecutor(self._most, thread_name_prefix="batt")
        return program, batch

    def _add_worker(self) -> None:
        worker = self._new_worker()
        if self.profile is not None:
            worker.native.count(self._no_tallies())
        self._workers.append(worker)
        self._idle.put(worker)

    def _no_tallies(self) -> Tallies:
        if self.profile is Counting.OPS:
            return Tallies.none(len(self.job.image.table.ops), 0)
        return Tallies.none(0, self.job.image.code_words)

    def _run_native(self) -> Generator[Done, None, None]:
        yield from self._hand_out()
        while under_way := self._under_way():
            ended, _ = wait(under_way, POLL_S, FIRST_COMPLETED)
            self._guard()
            for future in ended:
                yield from self._ended(future)
            yield from self._hand_out()

    def _under_way(self) -> set[Future[Any]]:
        """All that is waited for; where it is nothing, the run is at its end."""
        return set(self._running)

    def _hand_out(self) -> Generator[Done, None, None]:
        """Give the threads as much as keeps them busy."""
        while len(self._running) < 2 * self._most and (block := self._next()) is not None:
            yield from self._submit(block)

    def _next(self) -> Block | None:
        return self._blocks.next()

    def _ended(self, future: Future[Any]) -> Generator[Done, None, None]:
        part = future.result()
        # Only now is it forgotten: an interrupt before this line leaves it to `close`.
        self._running.discard(future)
        yield from self._collect(part)

    def _submit(self, block: Block) -> Generator[Done, None, None]:
        """Hand a block to the threads, less what is refused, and less what is hopeless, which is timed out."""
        block = self._without_refused(block)
        if self._in_a_row:
            given_up = [program for program, count in self._in_a_row.items() if count >= GIVE_UP_AFTER]
            hopeless = np.isin(block.solvers, given_up)
            if hopeless.any():
                yield self._timed_out(block[hopeless])
                block = block[~hopeless]
        if len(block) and self._threads is not None:
            # A thread begins with its first block: few evaluations need no second one.
            if len(self._workers) < min(len(self._running) + 1, self._most):
                self._add_worker()
            slices = self.job.slice_of[block.solvers]
            self._running.add(self._threads.submit(self._run_block, block, slices.astype(np.uint32)))

    def _run_block(self, block: Block, slices: npt.NDArray[np.uint32], budget: Budget | None = None) -> Call:
        """What a thread does."""
        worker = self._idle.get()
        try:
            return worker.run(block, slices, self._lock, budget)
        finally:
            self._idle.put(worker)

    def _guard(self) -> None:
        """Stop workers whose evaluation under way has run longer than it may."""
        if self.on_poll:
            self.on_poll()
        with self._lock:
            for worker in self._workers:
                worker.watch(time.monotonic(), self.options.limits.wall_s)

    def _collect(self, part: Call) -> Generator[Done, None, None]:
        """What a thread did goes out, what it left goes back; patience is kept with its programs."""
        self._blocks.took(len(part.ran), part.wall_s)
        for program in set(self._in_a_row) & set(part.ran.solvers.tolist()) if self._in_a_row else ():
            del self._in_a_row[program]
        if len(part.ran):
            yield self._finished(part)
        rest = part.rest
        if part.timed_out:
            self._in_a_row[int(rest.solvers[0])] += 1
            yield self._timed_out(rest[:1])
            rest = self._without_slow_stage(rest, at_once=not len(part.ran))
        for piece in self._pieces(rest):
            yield from self._submit(piece)

    def _pieces(self, rest: Block) -> list[Block]:
        """The rest of a block, in as many pieces as there are threads without work."""
        count = min(len(rest), max(1, self._most - len(self._running)))
        bounds = np.linspace(0, len(rest), count + 1).astype(int).tolist()
        return [rest[start:stop] for start, stop in pairwise(bounds)]

    def _without_slow_stage(self, rest: Block, at_once: bool) -> Block:
        """The rest of a block after a time-out; its sample is handed down where the first to run timed out twice.

        What is worked out ahead is worked out when a sample's first evaluation begins, and again after each time-out.
        """
        sample, rest = int(rest.samples[0]), rest[1:]
        self._slow_stages[sample] += at_once
        if self._slow_stages[sample] < 2 or not self.job.image.stage_entries:
            return rest
        same = rest.samples == sample
        self._hand_down(rest.numbers[same], SLOW_STAGE)
        return rest[~same]

    def _without_refused(self, block: Block) -> Block:
        """The block less what native code was not given, which is handed down."""
        by_program, by_sample = self.job.slice_of[block.solvers] < 0, self._refused_samples[block.samples]
        refused = by_program | by_sample
        if not refused.any():
            return block
        for program, count in Counter(block.solvers[by_program].tolist()).items():
            self.fallbacks[self.job.refused[program]] += count
        for sample, count in Counter(block.samples[by_sample & ~by_program].tolist()).items():
            self.fallbacks[self._batch.refused[sample]] += count
        self._handed_down.append(block.numbers[refused])
        return block[~refused]

    def _hand_down(self, numbers: Integers, cause: str) -> None:
        if len(numbers):
            self.fallbacks[cause] += len(numbers)
            self._handed_down.append(numbers)

    def _finished(self, part: Call) -> Done:
        """The evaluations that native code has finished; the unsupported ones are handed down."""
        if self.observe is not None:
            self.observe(part)
        results = part.results
        kept = results["status"] != Ended.UNSUPPORTED
        if not kept.all():
            for cause in np.unique(results["cause"][~kept]).tolist():
                self._hand_down(part.ran.numbers[~kept & (results["cause"] == cause)], Cause(cause).text)
            part = part.only(kept)
        self.native += len(part.results)
        return Done(part.ran.numbers, records_of(part.results), part.outputs, *steps_of(part.results))

    def _timed_out(self, block: Block) -> Done:
        records = valueless(Status.TIMED_OUT, self._batch.equal[block.samples], self._batch.areas[block.samples])
        self.native += len(block)
        return Done(block.numbers, records, PackedOutputs.none(len(block)) if self.options.outputs else None, 0)

    def _run_reference(self) -> Generator[Done, None, None]:
        """Everything that was handed down, in the order of its numbers."""
        if not self._handed_down:
            return
        part = self.job.evaluations.part(np.sort(np.concatenate(self._handed_down)))
        pool = Pool(self.job.programs, part, self.options, self.on_poll)
        with closing(pool.run()) as blocks:
            for each in blocks:
                records = np.frombuffer(each.records, RECORD_TYPE)
                chosen = part.in_whole(np.arange(each.start, each.start + each.count))
                self.crashed, self.out_of_memory = pool.crashed, pool.out_of_memory
                yield Done(chosen, records, each.outputs, each.steps)
        self.crashed, self.out_of_memory = pool.crashed, pool.out_of_memory


def _by_routine(helpers: Mapping[int, Function]) -> Sequence[Function]:
    """Helpers in a row, so that the number of a routine finds its own; between them stands any."""
    some = next(iter(helpers.values()), None)
    return [] if some is None else [helpers.get(number, some) for number in range(max(helpers) + 1)]
