"""The main job: a deck on tasks, on an engine. Owns the choice of engine and the gathering of results."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from batt.errors import UsageError
from batt.front import Deck
from batt.jobs.native import encoded, job_of, pays_to_compile
from batt.jobs.plan import Plan, plan_all, plan_own
from batt.jobs.results import Results
from batt.runtime import Limits, Pool, Work, check_workers, cuda
from batt.runtime.blocks import Order
from batt.runtime.cpu import CpuEngine, Done
from batt.runtime.cuda.engine import CudaEngine
from batt.runtime.native import missing
from batt.runtime.records import RECORD_TYPE, put, unfilled
from batt.tasks import Tasks

ENGINES = ("auto", "cuda", "cpu", "reference")

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of evaluations done and their total."""
Tell: TypeAlias = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Choice:
    """The engine to use, and why it is not a faster one where that was left open."""

    engine: str
    note: str = ""


def evaluate(
    deck: Deck,
    tasks: Tasks,
    *,
    own: bool = False,
    engine: str = "auto",
    limits: Limits | None = None,
    workers: int | None = None,
    outputs: bool = False,
    share: bool = True,
    compiled: bool | None = None,
    progress: Progress | None = None,
    tell: Tell | None = None,
) -> Results:
    """Run every solver of a deck on every sample of the tasks, or with `own` on the task in its name.

    Without `share`, nothing that solvers share is worked out ahead of them. With `compiled` the native engines compile
    the deck, or run it as it stands; by default whichever takes less time. No outcome depends on either. An interrupt
    ends the run, and the results tell so and hold what was done by then. `tell` is told what `Results.notes` keeps.
    """
    choice = choose_engine(engine)
    size = check_workers(workers)
    plan = plan_own(deck, tasks) if own else plan_all(deck, tasks)
    if choice.note and tell:
        tell(choice.note)
    if compiled is None:
        compiled = pays_to_compile(plan.total, len(deck), size)
    run = _Run(deck, plan, limits or Limits(), size, outputs, compiled, share and not own)
    started_s = time.monotonic()
    interrupted = run.gather(choice.engine, progress, tell)
    notes = run.engine.notes if isinstance(run.engine, CudaEngine) else []
    return Results(
        deck,
        tasks,
        plan,
        run.records,
        engine=choice.engine,
        limits=run.limits,
        outputs=run.written,
        wall_s=time.monotonic() - started_s,
        steps=run.steps,
        crashed=run.engine.crashed if run.engine else 0,
        native=run.engine.native if run.engine else 0,
        fallbacks=run.engine.fallbacks if run.engine else {},
        interrupted=interrupted,
        notes=(*([choice.note] if choice.note else []), *notes),
    )


def choose_engine(name: str) -> Choice:
    """The engine to use; a named one that is not there is an error, while `auto` takes the next and says why."""
    if name not in ENGINES:
        raise UsageError(f"engine {name!r} is not available; this version has: {', '.join(ENGINES)} (see batt doctor)")
    if name == "reference":
        return Choice(name)
    why = missing() or (cuda.missing() if name == "cuda" else None)
    if name == "auto":
        note = f"the cpu engine is not available, using the reference engine: {why}" if why else ""
        return Choice("reference" if why else "cpu", note)
    if why:
        raise UsageError(f"engine {name!r} is not available: {why}")
    return Choice(name)


class _ReferenceEngine:
    """The pool of the reference engine, with the face of the cpu engine."""

    native = 0

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.fallbacks: dict[str, int] = {}
        self.remains: list[Done] = []

    @property
    def crashed(self) -> int:
        """Evaluations that ended their process."""
        return self.pool.crashed

    def run(self) -> Generator[Done, None, None]:
        """Evaluate everything."""
        with closing(self.pool.run()) as blocks:
            for each in blocks:
                numbers = np.arange(each.start, each.start + each.count)
                records = np.frombuffer(each.records, RECORD_TYPE)
                yield Done(numbers, records, each.outputs if self.pool.setup.outputs else None, each.steps)


class _Run:
    """The records of a run as they come in."""

    def __init__(
        self, deck: Deck, plan: Plan, limits: Limits, workers: int, outputs: bool, compiled: bool, share: bool
    ) -> None:
        self.deck = deck
        self.plan = plan
        self.limits = limits
        self.workers = workers
        self.compiled = compiled
        self.share = share
        self.records = unfilled(plan.total)
        self.written = ["null"] * plan.total if outputs else None
        self.steps = self.done = 0
        self.engine: CpuEngine | _ReferenceEngine | None = None
        self._current: Done | None = None

    def gather(self, name: str, progress: Progress | None, tell: Tell | None) -> bool:
        """Run it all; whether it was interrupted."""
        try:
            if progress:
                progress(0, self.plan.total)
            self.engine = self._reference() if name == "reference" else self._native(name, tell)
            with closing(self.engine.run()) as blocks:
                for block in blocks:
                    self._current = block
                    self._keep(block)
                    if progress:
                        progress(self.done, self.plan.total)
        except KeyboardInterrupt:
            if self._current is not None:
                self._keep(self._current)
            for block in self.engine.remains if self.engine else ():
                self._keep(block)
            return True
        return False

    def _keep(self, block: Done) -> None:
        put(self.records, block.numbers, block.records)
        if self.written is not None and block.outputs is not None:
            for number, text in zip(block.numbers.tolist(), block.outputs, strict=True):
                self.written[number] = text
        self.done += len(block.numbers)
        self.steps += block.steps
        # From here on an interrupt finds nothing half kept.
        self._current = None

    def _reference(self) -> _ReferenceEngine:
        programs = [solver.program for solver in self.deck]
        work = Work(programs, self.plan.samples, self.plan.total, self.plan.pair)
        return _ReferenceEngine(Pool(work, self.limits, self.written is not None, self.workers))

    def _native(self, name: str, tell: Tell | None) -> CpuEngine:
        outputs = self.written is not None
        # GPUs run what needs nothing worked out ahead, and no outputs.
        share = self.share and (name == "cpu" or outputs)
        image = encoded(self.deck, self.compiled, share)
        order = Order(len(self.deck), len(self.plan.samples), self.plan.solver_of, self.plan.sample_of)
        job = job_of(self.deck, image, self.plan.samples, order)
        if name == "cpu":
            return CpuEngine(job, self.limits, outputs, self.workers)
        return CudaEngine(job, self.limits, outputs, self.workers, tell=tell)
