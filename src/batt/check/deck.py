"""Engines on a deck and tasks. Owns which evaluations are compared, and the blocks in which they are.

Each worker is a thread that talks to a process of its own, which may crash or be killed.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

import numpy as np

from batt.check.child import Child, Closed
from batt.check.compare import Bench, Found, Tally
from batt.check.engines import Engine, Gpus
from batt.check.failures import Failure, explain
from batt.check.prober import compare_safely
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import own_task, samples_of
from batt.jobs.matching import match_all, match_own
from batt.runtime import Limits
from batt.runtime.evaluations import Evaluations, Integers
from batt.tasks import Tasks

BLOCK = 128
GPU_BLOCK = 4096
"""Of a comparison with GPUs, which take many at once, and which one process has to itself."""
POLL_S = 0.2
GIVE_UP_AFTER = 3
"""Time-outs of one solver after which its other evaluations are not tried."""
MAX_EXPLAINED = 20
"""Solvers whose differences are made small; a wrong op shows in many, and a few are enough to see it."""


@dataclass(slots=True)
class Checked:
    """What a comparison came to: its counts, the differences, and small examples of them, at most one a solver."""

    total: int
    tally: Tally = field(default_factory=Tally)
    failures: list[tuple[Found, Failure]] = field(default_factory=list)
    wall_s: float = 0.0
    interrupted: bool = False


def check_deck(
    deck: Deck,
    tasks: Tasks,
    engines: tuple[Engine, ...],
    *,
    own: bool = False,
    sample: int | None = None,
    seed: int = 0,
    limits: Limits | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Bench, Checked]:
    """Hold engines against the last of them, on every solver and sample, on own tasks, or on a part drawn by chance."""
    evaluations = match_own(deck, tasks) if own else match_all(deck, tasks)
    if sample is not None:
        evaluations = drawn(deck, tasks, sample, seed)
    bench = Bench(deck, tuple(evaluations.samples), (limits or Limits(),) * len(evaluations.samples), engines)
    return bench, _Run(bench, evaluations, workers).run(progress)


def drawn(deck: Deck, tasks: Tasks, count: int, seed: int) -> Evaluations:
    """So many evaluations of solvers on tasks that are not their own, evenly over the solvers."""
    if count < 1:
        raise UsageError(f"--sample must be at least 1, got {count}")
    rng = np.random.default_rng(seed)
    samples = samples_of(tasks)
    columns: list[tuple[Integers, Integers]] = []
    for number, name in enumerate(deck.names):
        own = own_task(name, tasks.ids)
        foreign = np.array([at for at, each in enumerate(samples) if each.task != own], np.int64)
        wanted = count // len(deck) + (number < count % len(deck))
        chosen = rng.choice(foreign, min(wanted, len(foreign)), replace=False)
        columns.append((np.full(len(chosen), number, np.int64), chosen))
    solvers, positions = (np.concatenate(column) for column in zip(*columns, strict=True))
    return Evaluations(samples, len(deck), solvers, positions)


class _Run:
    """Blocks under way and what came of those before."""

    def __init__(self, bench: Bench, evaluations: Evaluations, workers: int) -> None:
        self.bench = bench
        self.evaluations = evaluations
        self.checked = Checked(self.evaluations.total)
        with_gpus = any(isinstance(each, Gpus) for each in bench.engines)
        self._block = GPU_BLOCK if with_gpus else BLOCK
        count = 1 if with_gpus else max(1, min(workers, self.evaluations.total // 16))
        self._children = [Child(bench.limits[0].wall_s) for _ in range(count)]
        self._idle = list(self._children)
        self._opened: set[Child] = set()
        self._lost: Counter[int] = Counter()
        self._lock = threading.Lock()

    def run(self, progress: Callable[[int, int], None] | None) -> Checked:
        """Feed all workers until everything is compared, then make small what differs."""
        started_s = time.monotonic()
        try:
            with ThreadPoolExecutor(len(self._children), thread_name_prefix="check") as threads:
                try:
                    self._compare_all(threads, progress)
                    self._explain()
                except KeyboardInterrupt:
                    self.checked.interrupted = True
                finally:
                    for child in self._children:
                        child.close()
        finally:
            for child in self._children:
                child.stop()
        self.checked.wall_s = time.monotonic() - started_s
        return self.checked

    def _compare_all(self, threads: ThreadPoolExecutor, progress: Callable[[int, int], None] | None) -> None:
        at, running = 0, set[Future[Tally]]()
        while at < self.evaluations.total or running:
            while at < self.evaluations.total and len(running) < len(self._children):
                stop = min(at + self._block, self.evaluations.total)
                block = self.evaluations.block(at, stop)
                pairs = list(zip(block.solvers.tolist(), block.samples.tolist(), strict=True))
                running.add(threads.submit(self._compare, pairs))
                at = stop
            ended, running = wait(running, POLL_S, FIRST_COMPLETED)
            for future in ended:
                self.checked.tally.add(future.result())
            if progress:
                progress(self.checked.tally.evaluations, self.evaluations.total)

    def _compare(self, pairs: list[tuple[int, int]]) -> Tally:
        """What a thread does."""
        with self._lock:
            child = self._idle.pop()
            hopeless = {solver for solver, count in self._lost.items() if count >= GIVE_UP_AFTER}
        try:
            if child not in self._opened:
                child.open(self.bench)
                self._opened.add(child)
            tried = [pair for pair in pairs if pair[0] not in hopeless]
            tally = compare_safely(child, self.bench, self.bench.engines, tried)
            tally.evaluations += len(pairs) - len(tried)
            tally.timed_out += len(pairs) - len(tried)
        except Closed:
            return Tally()
        finally:
            with self._lock:
                self._idle.append(child)
        with self._lock:
            self._lost.update(tally.lost)
        return tally

    def _explain(self) -> None:
        """One small example for each solver and engine, as far as they are few."""
        self._opened.clear()
        found = self.checked.tally.found
        firsts = {(each.solver, each.engine): each for each in reversed(found)}
        chosen = sorted(firsts.values(), key=lambda each: (each.solver, each.engine))[:MAX_EXPLAINED]
        for each in chosen:
            self.checked.failures.append((each, explain(self.bench, each, self._children[0])))
