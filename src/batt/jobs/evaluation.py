"""The main job: run a deck on tasks, and gather the results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.table import STANDARD, Table
from batt.errors import UsageError
from batt.front import Deck, DeckSource, as_deck
from batt.ir import Program
from batt.jobs.caching import opened
from batt.jobs.display import Display, Progress, reporting
from batt.jobs.early_exit import rounds
from batt.jobs.matching import match_all, match_own
from batt.jobs.prepare import prepare, prepare_some
from batt.jobs.results import Results
from batt.jobs.samples import spans
from batt.jobs.settling import settle
from batt.jobs.sink import Sink
from batt.own.loading import own_ops
from batt.own.native import native_table
from batt.runtime import Limits
from batt.runtime.counts import Counts
from batt.runtime.cuda.selection import Devices
from batt.runtime.evaluations import Block, Evaluations, Integers
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.memory import MEMORY, WorkerMemory
from batt.runtime.opening import cluster_workers
from batt.runtime.options import Options, read_options
from batt.runtime.outputs import OutputStore
from batt.runtime.tier import Observer, Part, TierName
from batt.tasks import Tasks, TaskSource, load_tasks

if TYPE_CHECKING:
    from batt.cache import ResultCache, Reuse
    from batt.runtime.cluster.tier import Workers

Tell: TypeAlias = Callable[[str], None]
OnBlock: TypeAlias = Callable[[Part], None]
OnPoll: TypeAlias = Callable[[], None]
OnStart: TypeAlias = "Callable[[Gathering], None]"


def evaluate(
    deck: DeckSource,
    tasks: TaskSource,
    *,
    own: bool = False,
    leave_out: bool = False,
    engine: str = "auto",
    devices: Devices = None,
    limits: Limits | None = None,
    workers: int | None = None,
    outputs: bool = False,
    scores: bool = False,
    early_exit: bool = False,
    share: bool | None = None,
    compiled: bool | None = None,
    gpu_memory: float | None = None,
    memory: WorkerMemory = MEMORY,
    cluster: str | None = None,
    cache: ResultCache | bool = False,
    progress: Progress | bool | None = None,
    tell: Tell | None = None,
    on_block: OnBlock | None = None,
    on_poll: OnPoll | None = None,
    on_start: OnStart | None = None,
) -> Results:
    """Run every solver of a deck on every sample of the tasks, or with `own` on the task in its name.

    `deck` is what `as_deck` takes, such as a path, and `tasks` what `load_tasks` takes. `progress` is called with the
    number of finished evaluations and their total; True shows a bar. With `leave_out`, S on a demonstration holds the
    other demonstrations: a program that reads S, also by a new word, does not see the output that is wanted. With
    `scores`, values are scored beyond equality: `Results.scores`. With `early_exit`, a solver stops on a task at the
    first demonstration whose output is not equal. Its other evaluations on the task are skipped, and are in no block.

    With `compiled`, native engines compile the deck, and with `share` they also compute shared steps once per sample;
    by default if that saves time. `devices` names GPUs, such as `[0, 1]` or `"all"`. `gpu_memory` is the fraction of
    their memory that may be in use, by default BATT_GPU_MEMORY, else 0.8. `memory` sets how CPU threads use memory.
    `cluster` is the address of a Dask scheduler or `"local:N"`: its workers run the evaluations, each with `workers`
    threads. With `cache`, outcomes of earlier runs come from the user's cache, or from the one that is given, and new
    ones go there. No outcome depends on these.

    An interrupt ends the run; the results say so and hold what was finished. `tell` gets each line of `Results.notes`,
    `on_start` the run before its first evaluation, `on_block` every block of finished evaluations, and `on_poll` is
    called regularly; what any of them raises ends the run.
    """
    deck, tasks = as_deck(deck), load_tasks(tasks)
    _check_scores(scores, cluster, cache)
    options = read_options(
        engine=engine, devices=devices, limits=limits, workers=workers, outputs=outputs, compiled=compiled,
        share=_share(share, early_exit), gpu_memory=gpu_memory, memory=memory, cluster=cluster, scores=scores,
    )  # fmt: skip
    evaluations = (match_own if own else match_all)(deck, tasks, leave_out)
    options, note = settle(deck.programs, evaluations, options)
    with reporting(progress) as report:
        run = Gathering(
            deck.programs, evaluations, options, early_exit=early_exit, cache=cache, progress=report, tell=tell,
            on_block=on_block, on_poll=on_poll, on_start=on_start,
        )  # fmt: skip
        run.on_note(note)
        run.gather()
    return run.results(deck, tasks, leave_out)


def _share(share: bool | None, early_exit: bool) -> bool | None:
    # With an early exit few solvers reach the later rounds, where staging would run the steps of all.
    return False if early_exit and share is None else share


def _check_scores(scores: bool, cluster: str | None, cache: ResultCache | bool) -> None:
    if scores and (cluster is not None or cache):
        raise UsageError("scores need a run without a cluster and without a cache")


class Gathering(Observer):
    """The records of a run, gathered span after span. Without a `job`, the programs are prepared first.

    `options` come from `settle`: they name the engine and the form of the programs. `sink` keeps what is finished, by
    default in memory. `early_exit`, `cache`, `progress`, `tell`, `on_block`, `on_poll` and `on_start` are those of
    `evaluate`.
    """

    def __init__(
        self,
        programs: Mapping[str, Program],
        evaluations: Evaluations,
        options: Options,
        job: Job | None = None,
        *,
        sink: Sink | None = None,
        early_exit: bool = False,
        cache: ResultCache | bool = False,
        progress: Progress | None = None,
        tell: Tell | None = None,
        on_block: OnBlock | None = None,
        on_poll: OnPoll | None = None,
        on_start: OnStart | None = None,
    ) -> None:
        self.programs = programs
        self.evaluations = evaluations
        self.options = options
        self.job = job
        self.progress = progress
        self.tell = tell
        self.on_block = on_block
        self.poll = on_poll
        self.on_start = on_start
        self.started_s = time.monotonic()
        self.wall_s = 0.0
        self.sink = Sink(evaluations.total, options.outputs, options.scores) if sink is None else sink
        self.early_exit = early_exit
        self.done = self.sink.done
        self.counts = Counts()
        self.notes: list[str] = []
        self.interrupted = False
        self.cache = opened(cache)
        self._span: Evaluations = evaluations
        self._reuse: Reuse | None = None
        # The positions of the programs in the job.
        self._prepared: Integers = np.arange(len(programs) if job else 0)

    @property
    def _display(self) -> Display | None:
        return self.progress if isinstance(self.progress, Display) else None

    @property
    def records(self) -> npt.NDArray[Any]:
        """Return the records of all evaluations, by number."""
        return self.sink.records

    @property
    def outputs(self) -> OutputStore | None:
        """Return the outputs of all evaluations, if the run keeps them."""
        return self.sink.outputs

    @property
    def steps(self) -> int:
        """Return the number of steps of all evaluations together."""
        return self.sink.steps

    def results(self, deck: Deck, tasks: Tasks, leave_out: bool = False) -> Results:
        """Return the results of a run of `deck` on `tasks` that was gathered."""
        return Results(
            deck,
            tasks,
            self.evaluations,
            self.records,
            engine=self.options.engine_name,
            limits=self.options.limits,
            outputs=self.outputs,
            scores=self.sink.scores,
            wall_s=self.wall_s,
            steps=self.steps,
            tiers=self.counts,
            interrupted=self.interrupted,
            notes=tuple(self.notes),
            leave_out=leave_out,
        )

    def gather(self) -> Gathering:
        """Run all evaluations that the sink does not have yet, or until an interrupt."""
        try:
            if self.on_start:
                self.on_start(self)
            if self._display:
                self._display.on_start(self)
            table = None
            if self.options.engine != "reference" and self.job is None:
                # Compiling own ops can take a minute, once, and is not part of the run's time.
                table = self._table()
            with cluster_workers(self.options.cluster) as link:
                self.started_s = time.monotonic()
                if self.progress:
                    self.progress(self.done, self.evaluations.total)
                for span in spans(self.evaluations):
                    for part in rounds(span, self.records, self._skip) if self.early_exit else (span,):
                        for remaining in self.sink.remaining(part):
                            for unknown in self._unknown(remaining):
                                self._run(unknown, table, link)
                    # Free its samples before those of the next span are made.
                    del span
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            self._close_cache()
        self.wall_s = time.monotonic() - self.started_s
        return self

    def _skip(self, numbers: Integers) -> None:
        self.sink.skip(numbers)
        self.done += len(numbers)

    def _table(self) -> Table:
        if self.options.cluster is None:
            return native_table(self.programs.values(), self.options, self.on_note)
        if any(op.native for op in own_ops(self.programs.values())):
            self.on_note("workers of a cluster run the Python bodies of own ops, not their C++ bodies")
        return STANDARD

    def _unknown(self, evaluations: Evaluations) -> Iterator[Evaluations]:
        """Take from the cache what it has of the evaluations, and yield the others, in one or more parts."""
        if self.cache is None or self.cache.failure:
            yield evaluations
            return
        options = self.options
        for reuse in self.cache.reuses(list(self.programs.values()), evaluations, options.limits, options.outputs):
            self._span = reuse.evaluations
            for part in reuse.found():
                self.on_part(part)
                self.counts.add_part(part)
            if reuse.left is not None:
                self._reuse = reuse
                yield reuse.left
                self._write_cache()

    def _write_cache(self) -> None:
        """Put what was run into the cache."""
        reuse, self._reuse = self._reuse, None
        if reuse is not None:
            reuse.write()

    def _close_cache(self) -> None:
        if self.cache is None:
            return
        # An interrupt leaves outcomes that are not written yet.
        self._write_cache()
        self.cache.close()
        if self.cache.failure:
            self.on_note(f"the cache is not used: {self.cache.failure}")

    def _run(self, span: Evaluations, table: Table | None, link: Workers | None) -> None:
        # A run whose deadline is over runs nothing more, not even one block.
        self.on_poll()
        self._span = span
        ladder = Ladder(self._job_of(span, table).on(span), self.options, observer=self, cluster=link)
        try:
            ladder.run()
        finally:
            self.counts.add(ladder.counts)

    def _job_of(self, span: Evaluations, table: Table | None) -> Job:
        """Return the job of the programs; with a cache, at least of those that have evaluations in a span."""
        needed = np.arange(span.solvers) if span.solver_of is None else np.unique(span.solver_of)
        if self.job is None or not np.isin(needed, self._prepared).all():
            if self.options.engine == "reference":
                self.job, self._prepared = Job.plain(self.programs), np.arange(len(self.programs))
            elif self.cache is None:
                self.job = prepare(self.programs, self.options, table=table, keep=True)
                self._prepared = np.arange(len(self.programs))
            else:
                self._prepared = np.union1d(needed, self._prepared)
                self.job = prepare_some(self.programs, self._prepared, self.options, table)
        return self.job

    def on_part(self, part: Part) -> None:
        """Keep a part of the span under its numbers in the whole run."""
        if self._reuse is not None:
            self._reuse.add(part)
        whole = part
        if not self._span.is_whole:
            whole = replace(part, block=replace(part.block, numbers=self._span.in_whole(part.numbers)))
        if not self.sink.put(whole):
            return
        self.done += len(whole.block)
        if self.on_block:
            self.on_block(whole)
        if self._display:
            self._display.on_part(whole)
        if self.progress:
            self.progress(self.done, self.evaluations.total)

    def on_deferred(self, tier: TierName, why: str, block: Block) -> None:
        """Pass on which evaluations were deferred, and why."""
        self.sink.on_deferred(tier, why, self._span.in_whole(block.numbers))
        if self._display:
            self._display.on_deferred(tier, why, len(block))

    def on_poll(self) -> None:
        """Call the caller's `on_poll`."""
        self.sink.check()
        if self.poll:
            self.poll()

    def on_workers(self, count: int) -> None:
        """Let the progress show the number of workers."""
        if self._display:
            self._display.workers = count

    def on_note(self, line: str) -> None:
        """Keep a line and tell it, unless it is empty or another span has told the same."""
        if line and line not in self.notes:
            self.notes.append(line)
            if self._display:
                self._display.on_note(line)
            if self.tell:
                self.tell(line)
