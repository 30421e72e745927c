"""The main job: a deck on tasks, on an engine. Owns the gathering of results."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TypeAlias

from batt.bytecode.table import Table
from batt.front import DeckSource, as_deck
from batt.ir import Program
from batt.jobs.matching import match_all, match_own
from batt.jobs.prepare import prepare, settle
from batt.jobs.results import Results
from batt.jobs.samples import spans
from batt.own.native import native_table
from batt.runtime import Limits, Status
from batt.runtime.counts import Counts
from batt.runtime.cuda.selection import Devices
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.memory import MEMORY, WorkerMemory
from batt.runtime.options import Options, read_options
from batt.runtime.outputs import OutputStore
from batt.runtime.records import put, unfilled
from batt.runtime.tier import Observer, Part
from batt.tasks import TaskSource, load_tasks

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of evaluations done and their total."""
Tell: TypeAlias = Callable[[str], None]
OnBlock: TypeAlias = Callable[[Part], None]
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
    with _reporting(progress) as report:
        run = Gathering(
            deck.programs, evaluations, options, progress=report, tell=tell, on_block=on_block, on_poll=on_poll
        )
        if note:
            run.on_note(note)
        run.gather()
    return Results(
        deck,
        tasks,
        evaluations,
        run.records,
        engine=options.engine,
        limits=options.limits,
        outputs=run.outputs,
        wall_s=run.wall_s,
        steps=run.steps,
        tiers=run.counts,
        interrupted=run.interrupted,
        notes=tuple(run.notes),
    )


def _reporting(progress: Progress | bool | None) -> AbstractContextManager[Progress | None]:
    """What a run reports to: the function given, or a bar where that is True."""
    if not isinstance(progress, bool):
        return nullcontext(progress)
    # Nothing else here needs what draws it.
    from batt.jobs.progress import progress_display

    return progress_display(quiet=not progress)


class Gathering(Observer):
    """The records of a run as they come in, span after span. A job of the programs is taken, where one is given.

    Nothing is left open in the options: they name the engine and the form of the programs. `progress`, `tell`,
    `on_block` and `on_poll` are those of `evaluate`.
    """

    def __init__(
        self,
        programs: Mapping[str, Program],
        evaluations: Evaluations,
        options: Options,
        job: Job | None = None,
        *,
        progress: Progress | None = None,
        tell: Tell | None = None,
        on_block: OnBlock | None = None,
        on_poll: OnPoll | None = None,
    ) -> None:
        self.programs = programs
        self.evaluations = evaluations
        self.options = options
        self.job = job
        self.progress = progress
        self.tell = tell
        self.on_block = on_block
        self.poll = on_poll
        self.started_s = time.monotonic()
        self.wall_s = 0.0
        self.records = unfilled(evaluations.total)
        self.outputs = OutputStore(evaluations.total) if options.outputs else None
        self.steps = self.done = 0
        self.counts = Counts()
        self.notes: list[str] = []
        self.interrupted = False
        self._span: Evaluations = evaluations

    def gather(self) -> Gathering:
        """Run it all, or until it is interrupted."""
        try:
            table = None
            if self.options.engine != "reference" and self.job is None:
                # Compiling own ops can take a minute, once; the run's time and rate are those of evaluating.
                table = native_table(self.programs.values(), self.options, self.on_note)
            self.started_s = time.monotonic()
            if self.progress:
                self.progress(0, self.evaluations.total)
            for span in spans(self.evaluations):
                self._run(span, table)
                # Its samples are gone before those of the next are made.
                del span
        except KeyboardInterrupt:
            self.interrupted = True
        self.wall_s = time.monotonic() - self.started_s
        return self

    def _run(self, span: Evaluations, table: Table | None) -> None:
        self._span = span
        if self.job is None:
            is_native = self.options.engine != "reference"
            self.job = prepare(self.programs, self.options, table=table) if is_native else Job.plain(self.programs)
        ladder = Ladder(self.job.on(span), self.options, observer=self)
        try:
            ladder.run()
        finally:
            self.counts.add(ladder.counts)

    def on_part(self, part: Part) -> None:
        """Keep a part of the span by the numbers of the whole."""
        numbers = self._span.in_whole(part.numbers)
        if self.records["status"][numbers[0]] != Status.NOT_RUN:
            return
        put(self.records, numbers, part.records)
        if self.outputs is not None and part.outputs is not None:
            self.outputs.put(numbers, part.outputs)
        self.done += len(numbers)
        self.steps += int(part.steps.sum())
        if self.on_block:
            self.on_block(part.but(block=replace(part.block, numbers=numbers)))
        if self.progress:
            self.progress(self.done, self.evaluations.total)

    def on_poll(self) -> None:
        """Call what the caller wants to be called now and then."""
        if self.poll:
            self.poll()

    def on_note(self, line: str) -> None:
        """Keep a line and tell it; every span may have the same to say."""
        if line not in self.notes:
            self.notes.append(line)
            if self.tell:
                self.tell(line)
