"""The main job: a deck on tasks, on an engine. Owns the gathering of results."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from batt.bytecode.table import Table
from batt.front import DeckSource, as_deck
from batt.ir import Program
from batt.jobs.matching import match_all, match_own
from batt.jobs.prepare import prepare, settle
from batt.jobs.results import Results
from batt.jobs.samples import spans
from batt.own.native import native_table
from batt.runtime import Limits, Pool
from batt.runtime.cpu import CpuEngine
from batt.runtime.cuda.engine import CudaEngine
from batt.runtime.cuda.selection import Devices
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.memory import MEMORY, WorkerMemory
from batt.runtime.options import Options, read_options
from batt.runtime.outputs import OutputStore
from batt.runtime.records import RECORD_TYPE, Done, put, unfilled
from batt.tasks import TaskSource, load_tasks

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of evaluations done and their total."""
Tell: TypeAlias = Callable[[str], None]
OnBlock: TypeAlias = Callable[[Done], None]
OnPoll: TypeAlias = Callable[[], None]


def evaluate(
    deck: DeckSource,
    tasks: TaskSource,
    *,
    own: bool = False,
    engine: str = "auto",
    devices: Devices = None,
    limits: Limits | None = None,
    workers: int | None = None,
    outputs: bool = False,
    share: bool | None = None,
    compiled: bool | None = None,
    gpu_memory: float | None = None,
    memory: WorkerMemory = MEMORY,
    progress: Progress | bool | None = None,
    tell: Tell | None = None,
    on_block: OnBlock | None = None,
    on_poll: OnPoll | None = None,
) -> Results:
    """Run every solver of a deck on every sample of the tasks, or with `own` on the task in its name.

    `deck` is what `as_deck` takes, such as a path, `tasks` what `load_tasks` takes. `progress` is called with the
    evaluations done and their total; True shows a bar.

    The native engines compile the deck where `compiled`, and then compute what solvers `share` once per sample; by
    default where that takes less time. `devices` names GPUs, such as `[0, 1]` or `"all"`, and `gpu_memory` the fraction
    of their memory that may be in use, by default BATT_GPU_MEMORY, else 0.8; `memory` sets how threads use it. No
    outcome depends on any of these. An interrupt ends the run, and the results say so and hold what was done by then.
    `tell` is told what `Results.notes` keeps. `on_block` is handed every block of evaluations as it is done, `on_poll`
    is called now and then between them; what either raises ends the run.
    """
    deck, tasks = as_deck(deck), load_tasks(tasks)
    options = read_options(
        engine=engine, devices=devices, limits=limits, workers=workers, outputs=outputs, share=share,
        compiled=compiled, gpu_memory=gpu_memory, memory=memory,
    )  # fmt: skip
    evaluations = match_own(deck, tasks) if own else match_all(deck, tasks)
    options, note = settle(deck.programs, evaluations, options)
    run = Gathering(deck.programs, evaluations, options)
    if note:
        run.note(note, tell)
    with _reporting(progress) as report:
        interrupted = run.gather(report, tell, on_block, on_poll)
    return Results(
        deck,
        tasks,
        evaluations,
        run.records,
        engine=options.engine,
        limits=options.limits,
        outputs=run.outputs,
        wall_s=time.monotonic() - run.started_s,
        steps=run.steps,
        crashed=run.crashed,
        out_of_memory=run.out_of_memory,
        native=run.native,
        fallbacks=run.fallbacks,
        interrupted=interrupted,
        notes=tuple(run.notes),
    )


def _reporting(progress: Progress | bool | None) -> AbstractContextManager[Progress | None]:
    """What a run reports to: the function given, or a bar where that is True."""
    if not isinstance(progress, bool):
        return nullcontext(progress)
    # Nothing else here needs what draws it.
    from batt.jobs.progress import progress_display

    return progress_display(quiet=not progress)


class _ReferenceEngine:
    """The pool of the reference engine, with the face of the cpu engine."""

    native = 0

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.on_poll: OnPoll | None = None
        self.fallbacks: dict[str, int] = {}
        self.remains: list[Done] = []

    @property
    def crashed(self) -> int:
        """Evaluations that ended their process."""
        return self.pool.crashed

    @property
    def out_of_memory(self) -> int:
        """Evaluations that needed more memory than a worker may use."""
        return self.pool.out_of_memory

    def run(self) -> Generator[Done, None, None]:
        """Evaluate everything."""
        self.pool.on_poll = self.on_poll
        with closing(self.pool.run()) as blocks:
            for each in blocks:
                numbers = np.arange(each.start, each.start + each.count)
                records = np.frombuffer(each.records, RECORD_TYPE)
                yield Done(numbers, records, each.outputs, each.steps)


class Gathering:
    """The records of a run as they come in, span after span. A job of the programs is taken, where one is given.

    Nothing is left open in the options: they name the engine and the form of the programs.
    """

    def __init__(
        self,
        programs: Mapping[str, Program],
        evaluations: Evaluations,
        options: Options,
        job: Job | None = None,
    ) -> None:
        self.programs = programs
        self.evaluations = evaluations
        self.options = options
        self.job = job
        self.table: Table | None = None
        self.started_s = time.monotonic()
        self.records = unfilled(evaluations.total)
        self.outputs = OutputStore(evaluations.total) if options.outputs else None
        self.steps = self.done = self.native = self.crashed = self.out_of_memory = 0
        self.fallbacks: Counter[str] = Counter()
        self.notes: list[str] = []
        self.engine: CpuEngine | _ReferenceEngine | None = None
        self._span: Evaluations | None = None
        self._current: Done | None = None
        self._on_poll: OnPoll | None = None

    def gather(
        self,
        progress: Progress | None,
        tell: Tell | None,
        on_block: OnBlock | None = None,
        on_poll: OnPoll | None = None,
    ) -> bool:
        """Run it all; whether it was interrupted."""
        self._on_poll = on_poll
        try:
            if self.options.engine != "reference" and self.job is None:
                # Compiling own ops can take a minute, once; the run's time and rate are those of evaluating.
                programs = self.programs.values()
                self.table = native_table(programs, self.options, lambda line: self.note(line, tell))
            self.started_s = time.monotonic()
            if progress:
                progress(0, self.evaluations.total)
            for span in spans(self.evaluations):
                self._run(span, progress, tell, on_block)
                # Its samples are gone before those of the next are made.
                del span
        except KeyboardInterrupt:
            if self._current is not None:
                self._keep(self._current)
            for block in self.engine.remains if self.engine else ():
                self._keep(block)
            return True
        return False

    def _run(self, span: Evaluations, progress: Progress | None, tell: Tell | None, on_block: OnBlock | None) -> None:
        self._span, self.engine = span, None
        self.engine = self._opened(span, tell)
        try:
            self.engine.on_poll = self._on_poll
            with closing(self.engine.run()) as blocks:
                for block in blocks:
                    self._current = block
                    kept = self._keep(block)
                    if on_block:
                        on_block(kept)
                    if progress:
                        progress(self.done, self.evaluations.total)
        finally:
            self.native += self.engine.native
            self.crashed += self.engine.crashed
            self.out_of_memory += self.engine.out_of_memory
            self.fallbacks.update(self.engine.fallbacks)
        self._span = self.engine = None

    def _keep(self, block: Done) -> Done:
        """Keep a block of the span, and give it the numbers of the whole."""
        kept = block if self._span is None else replace(block, numbers=self._span.in_whole(block.numbers))
        put(self.records, kept.numbers, kept.records)
        if self.outputs is not None and kept.outputs is not None:
            self.outputs.put(kept.numbers, kept.outputs)
        self.done += len(kept.numbers)
        self.steps += kept.steps
        # From here on an interrupt finds nothing half kept.
        self._current = None
        return kept

    def _opened(self, span: Evaluations, tell: Tell | None) -> CpuEngine | _ReferenceEngine:
        if self.options.engine == "reference":
            return _ReferenceEngine(Pool(list(self.programs.values()), span, self.options))
        if self.job is None:
            self.job = prepare(self.programs, self.options, table=self.table)
        if self.options.engine == "cpu":
            return CpuEngine(self.job.on(span), self.options)
        return CudaEngine(self.job.on(span), self.options, tell=lambda line: self.note(line, tell))

    def note(self, line: str, tell: Tell | None) -> None:
        """Keep a line and tell it; every span may have the same to say."""
        if line not in self.notes:
            self.notes.append(line)
            if tell:
                tell(line)
