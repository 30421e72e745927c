"""Engines on random programs, batch after batch. Owns the batches under way and what is kept of a failure.

Each worker is a thread that talks to a process of its own, which may crash or be killed. All follows from the seed of
a batch, so that a failure can be had again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import count as count_from
from pathlib import Path

import numpy as np
import numpy.typing as npt

from batt.check.batches import ENGINES, AnyBatch, Batch, by_budget
from batt.check.child import Child, Closed, Lost
from batt.check.compare import Found, Tally
from batt.check.engines import Engine
from batt.check.failures import Failure, explain, save
from batt.check.prober import compare_safely, culprit
from batt.check.shrink import MAX_S
from batt.check.smallest import smallest
from batt.errors import UsageError
from batt.ops import EVERY_OP

BATCH = 200
WALL_S = 5.0
"""The guard of one evaluation; what it stops is counted, and no difference."""
SHARING_WALL_S, SHARING_EXPLAIN_S = 60.0, 15.0
"""The same with large values, which the reference engine takes seconds for; and how long an example is made smaller."""
MAX_EXPLAINED = 3
"""Differences of one batch that are made small; more are mostly the same."""
POLL_S = 0.2

Told = Callable[[str], None]


@dataclass(slots=True)
class Fuzzed:
    """What a fuzz run came to."""

    programs: int = 0
    batches: int = 0
    tally: Tally = field(default_factory=Tally)
    failures: list[Failure] = field(default_factory=list)
    unexplained: int = 0
    wall_s: float = 0.0
    interrupted: bool = False
    digests: list[npt.NDArray[np.uint64]] = field(default_factory=list)

    @property
    def differences(self) -> int:
        """Evaluations in which an engine did something else, crashes included."""
        return len(self.failures) + self.unexplained

    @property
    def distinct(self) -> int:
        """Programs that are not equal to one another."""
        return len(np.unique(np.concatenate(self.digests))) if self.digests else 0

    @property
    def least_executed(self) -> tuple[str, int]:
        """The op that was called least often, and how often."""
        name = min(EVERY_OP, key=lambda each: self.tally.executed[each])
        return name, self.tally.executed[name]

    def add(self, other: Fuzzed) -> None:
        """Take in what a batch came to."""
        self.programs += other.programs
        self.batches += other.batches
        self.tally.add(other.tally)
        self.failures += other.failures
        self.unexplained += other.unexplained
        self.digests += other.digests
        self.interrupted |= other.interrupted


@dataclass(frozen=True, slots=True)
class Request:
    """How long to fuzz, from which seed on, on how many processes, and where to keep failures.

    `make` makes batches of up to `size` programs; `wall_s` is the guard of one evaluation. `explain_s` is how
    long an example is made smaller.
    """

    seed: int = 0
    count: int | None = None
    minutes: float | None = None
    workers: int = 1
    folder: Path = Path("fuzz-failures")
    engines: tuple[Engine, ...] = ENGINES
    make: Callable[[int, int, tuple[Engine, ...]], AnyBatch] = Batch
    size: int = BATCH
    wall_s: float = WALL_S
    explain_s: float = MAX_S

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise UsageError(f"a seed is 0 or more, got {self.seed}")
        for what, given in (("programs", self.count), ("minutes", self.minutes), ("workers", self.workers)):
            if given is not None and not given > 0:
                raise UsageError(f"the number of {what} must be greater than zero, got {given:g}")

    def batches(self, started_s: float) -> Iterator[AnyBatch]:
        """Batches one after the other until there are enough programs, or the time is up."""
        left = self.count
        for seed in count_from(self.seed):
            late = self.minutes is not None and time.monotonic() - started_s > 60 * self.minutes
            if late or left == 0:
                return
            size = self.size if left is None else min(self.size, left)
            left = None if left is None else left - size
            yield self.make(seed, size, self.engines)


def fuzz(request: Request, tell: Told, progress: Callable[[Fuzzed], None] | None = None) -> Fuzzed:
    """Compare engines on random programs; `tell` is told of every batch with differences, and the log of every batch.

    An interrupt ends the run; what was found by then is there.
    """
    request.folder.mkdir(parents=True, exist_ok=True)
    return _Run(request, tell).run(progress)


class _Run:
    """Batches under way and what came of those before."""

    def __init__(self, request: Request, tell: Told) -> None:
        self.request = request
        self.tell = tell
        self.total = Fuzzed()
        self._children = [Child(request.wall_s) for _ in range(request.workers)]
        self._idle = list(self._children)
        self._lock = threading.Lock()

    def run(self, progress: Callable[[Fuzzed], None] | None) -> Fuzzed:
        """Feed all workers until the batches are at an end."""
        started_s = time.monotonic()
        batches = self.request.batches(started_s)
        running: set[Future[tuple[AnyBatch, Fuzzed]]] = set()
        with ThreadPoolExecutor(len(self._children), thread_name_prefix="fuzz") as threads:
            try:
                more = True
                while more or running:
                    while more and len(running) < len(self._children):
                        batch = next(batches, None)
                        more = batch is not None
                        if batch is not None:
                            running.add(threads.submit(self._run_batch, batch))
                    ended, running = wait(running, POLL_S, FIRST_COMPLETED)
                    for future in ended:
                        self._keep(*future.result())
                    if ended and progress:
                        self.total.wall_s = time.monotonic() - started_s
                        progress(self.total)
            except KeyboardInterrupt:
                self.total.interrupted = True
            finally:
                for child in self._children:
                    child.close()
        for child in self._children:
            child.stop()
        self.total.wall_s = time.monotonic() - started_s
        return self.total

    def _keep(self, batch: AnyBatch, done: Fuzzed) -> None:
        found = done.differences
        line = f"seed {batch.seed}: {batch.count} programs, {done.tally.evaluations} evaluations, {found} differences"
        with open(self.request.folder / "seeds.log", "a", encoding="utf-8") as log:
            print(line, file=log)
        if found:
            self.tell("\n\n".join([line, *map(str, done.failures)]))
        self.total.add(done)

    def _run_batch(self, batch: AnyBatch) -> tuple[AnyBatch, Fuzzed]:
        """What a thread does."""
        with self._lock:
            child = self._idle.pop()
        try:
            return batch, self._compare(batch, child)
        except Closed:
            return batch, Fuzzed()
        finally:
            with self._lock:
                self._idle.append(child)

    def _compare(self, batch: AnyBatch, child: Child) -> Fuzzed:
        done = Fuzzed(batch.count, 1)
        try:
            ready = child.open(batch)
        except Lost as lost:
            program = culprit(batch.made(), child)
            self._explain(batch, [Found(program or 0, 0, batch.engines[0].name, lost.why)], child, done)
            return done
        done.digests.append(np.array(ready.digests, np.uint64))
        for pairs in by_budget(batch.pairs(ready.limits, len(ready.digests)), ready.limits):
            done.tally.add(compare_safely(child, batch, batch.engines, pairs))
        found = _one_of_each(done.tally.found)
        done.unexplained = len(done.tally.found) - len(found)
        done.tally.found.clear()
        self._explain(batch, found, child, done)
        return done

    def _explain(self, batch: AnyBatch, found: list[Found], child: Child, done: Fuzzed) -> None:
        for number, each in enumerate(found):
            bench = batch.made()
            failure = explain(bench, each, child, self.request.explain_s)
            # What a single evaluation does not show, a few of them may.
            few = None if failure.is_alone else smallest(bench, each, child, self.request.explain_s)
            origin = f"seed {batch.seed}, program {each.solver}\n# {batch.command(each.engine)}"
            save(failure, self.request.folder / f"{batch.seed}-{number}", origin, few)
            done.failures.append(failure)


def _one_of_each(found: list[Found]) -> list[Found]:
    """A few differences, no two of one program."""
    by_program = {each.solver: each for each in reversed(found)}
    return list(by_program.values())[:MAX_EXPLAINED]
