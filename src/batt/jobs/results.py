"""The results of a run: which solvers fit which tasks, and are correct. Nothing here chooses by test outputs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from batt.errors import UsageError
from batt.front import Deck
from batt.ir import Program
from batt.jobs.keeping import Keep
from batt.jobs.samples import keys_of, samples_of
from batt.jobs.values import Failed, values_of
from batt.runtime import ERROR_KINDS, Equality, Limits, Sample, Split, Status
from batt.runtime.counts import Counts
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.outcome import RAN
from batt.runtime.outputs import OutputStore
from batt.runtime.records import AT_ONCE, chunks, join, take
from batt.tasks import Tasks

if TYPE_CHECKING:
    import pandas

    from batt.draw import Picture
    from batt.jobs.tracing import Trace


@dataclass(frozen=True, slots=True)
class PairsOfPart:
    """The evaluations on one split of the tasks. `wanted` counts the pairs of each task, by its position."""

    results: Results
    task_of_sample: Integers
    in_part: npt.NDArray[np.bool_]
    wanted: Integers

    def of_solver(self, solver: int) -> tuple[npt.NDArray[Any], Integers]:
        """Return the records of a solver's evaluations on these pairs, in order, and the position of each task."""
        numbers, samples = self.results.evaluations.of_solver(solver)
        chosen = self.in_part[samples]
        return take(self.results.records, numbers[chosen]), self.task_of_sample[samples[chosen]]


@dataclass(eq=False, repr=False)
class Results:
    """The outcome of every evaluation of a run, and what follows from them.

    `tiers` counts what each tier of the engine did, and `notes` are lines for people. In an `interrupted` run, some
    evaluations were not run: a solver `fits` a task only if all demonstrations were run, and `undecided` marks where
    `correct` is not known. `keep` says which rows the run keeps, and `leave_out` whether S was without the pair itself.
    `scores` has the scores beyond equality, by number, if the run was asked for them; `batt.runtime.scores` defines its
    fields.
    """

    deck: Deck
    tasks: Tasks
    evaluations: Evaluations
    records: npt.NDArray[Any]
    _: KW_ONLY
    engine: str
    limits: Limits
    outputs: OutputStore | None = None
    scores: npt.NDArray[Any] | None = None
    wall_s: float = 0.0
    steps: int = 0
    tiers: Counts = field(default_factory=Counts)
    interrupted: bool = False
    notes: tuple[str, ...] = ()
    keep: Keep = Keep.ALL
    leave_out: bool = False

    def __len__(self) -> int:
        return self.evaluations.total

    def __repr__(self) -> str:
        return f"<Results | {len(self):,} evaluations | {self.engine}>"

    @property
    def native(self) -> int:
        """Count the evaluations that native code finished."""
        return self.tiers.native

    @property
    def cached(self) -> int:
        """Count the evaluations whose outcomes came from the cache."""
        return self.tiers.cached

    @property
    def fallbacks(self) -> Mapping[str, int]:
        """Count the evaluations that native code deferred to the reference tier, by cause."""
        return dict(self.tiers.deferred_to_reference)

    @property
    def crashed(self) -> int:
        """Count the evaluations that ended their process."""
        return self.tiers.crashed

    @property
    def out_of_memory(self) -> int:
        """Count the evaluations that needed more memory than a process may use."""
        return self.tiers.out_of_memory

    @property
    def counts(self) -> Mapping[str, int]:
        """Count the evaluations that ran, by status."""
        found = self._count("status")
        return {status.word: int(found[status]) for status in RAN}

    @property
    def not_run(self) -> int:
        """Count the evaluations that were not run because of an interrupt."""
        return int(self._count("status")[Status.NOT_RUN])

    @property
    def skipped(self) -> int:
        """Count the evaluations that an early exit skipped."""
        return int(self._count("status")[Status.SKIPPED])

    @property
    def error_counts(self) -> Mapping[str, int]:
        """Count the evaluations that raised, by error kind, the most frequent first."""
        found = self._count("error")
        kinds = sorted(range(1, len(ERROR_KINDS)), key=lambda kind: -found[kind])
        return {ERROR_KINDS[kind]: int(found[kind]) for kind in kinds if found[kind]}

    def _count(self, name: str) -> Integers:
        """Count the evaluations by the value in a column of their records, a byte."""
        found = np.zeros(1 << 8, np.int64)
        for part in chunks(self.records):
            found += np.bincount(part[name], minlength=len(found))
        return found

    @property
    def fits(self) -> npt.NDArray[np.bool_]:
        """Return bool[solver, task]: all demonstrations of the task were run and are equal."""
        return self._compare(Split.TRAIN)[0]

    @property
    def correct(self) -> npt.NDArray[np.bool_]:
        """Return bool[solver, task]: all test pairs were run and are equal; False also where `undecided` is true.

        Raise UsageError if a task has no test output to compare with.
        """
        self._check_answers()
        return self._compare(Split.TEST)[0]

    @property
    def undecided(self) -> npt.NDArray[np.bool_]:
        """Return bool[solver, task]: `correct` is not known; some test pairs were not run, and the others are equal.

        This occurs in an interrupted run only. A solver that the run does not try on a task is not undecided.
        """
        self._check_answers()
        if not self.not_run:
            return np.zeros((len(self.deck), len(self.tasks)), bool)
        return self._compare(Split.TEST)[1]

    def _check_answers(self) -> None:
        unknown = self.tasks_without_answers
        if unknown:
            raise UsageError(
                f"test outputs are unknown for {len(unknown):,} of {len(self.tasks):,} tasks (first: {unknown[0]})"
            )

    @cached_property
    def tasks_without_answers(self) -> tuple[str, ...]:
        """Return the tasks with an unknown test output, or without a test pair."""
        # Computed once: reading the tasks of a packed file takes time.
        return tuple(task.id for task in self.tasks if not task.test or any(p.output is None for p in task.test))

    def _compare(self, part: Split) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Return two arrays bool[solver, task] about one split of each task.

        The first says that all pairs are equal, the second that some pairs were not run, and all others are equal.
        """
        pairs = self.pairs(part)
        solvers, tasks = len(self.deck), len(self.tasks)
        equal, undecided = np.zeros((2, solvers, tasks), bool)
        # A few solvers at once: an array for all evaluations would take more memory than their records.
        at_once = max(1, AT_ONCE // max(1, len(self.evaluations.samples)))
        for first in range(0, solvers, at_once):
            count = min(at_once, solvers - first)
            found = [pairs.of_solver(solver) for solver in range(first, first + count)]
            records = join([each for each, _ in found])
            cells = np.concatenate([tasks * row + task_of for row, (_, task_of) in enumerate(found)])
            shown, missing = [
                np.bincount(cells[chosen], minlength=count * tasks).reshape(count, tasks)
                for chosen in (records["equal"] == Equality.YES, records["status"] == Status.NOT_RUN)
            ]
            equal[first : first + count] = (shown == pairs.wanted) & (pairs.wanted > 0)
            undecided[first : first + count] = (shown + missing == pairs.wanted) & (missing > 0)
        return equal, undecided

    def pairs(self, part: Split) -> PairsOfPart:
        """Return the evaluations on one split of the tasks."""
        keys = keys_of(self.evaluations.samples)
        places = {name: position for position, name in enumerate(self.tasks.ids)}
        task_of = np.array([places[name] for name in keys.ids], np.int64)[keys.task_of]
        in_part = keys.is_train if part is Split.TRAIN else ~keys.is_train
        return PairsOfPart(self, task_of, in_part, np.bincount(task_of[in_part], minlength=len(self.tasks)))

    def winners(self) -> Deck:
        """Return the solvers that fit at least one task; of several with the same program, the first."""
        kept: dict[Program, str] = {}
        for position in np.flatnonzero(self.fits.any(axis=1)):
            solver = self.deck[int(position)]
            kept.setdefault(solver.program, solver.name)
        return self.deck.select(kept.values())

    def sample(self, task: str, part: str, index: int) -> Sample:
        """Return the sample for a pair of a task."""
        found = [each for each in self.samples(task) if (each.part.value, each.index) == (part, index)]
        if not found:
            raise UsageError(f"task {task} has no {part} pair {index}")
        return found[0]

    def samples(self, task: str) -> tuple[Sample, ...]:
        """Return the samples of a task, with the demonstrations that programs saw."""
        return samples_of(self.tasks.select([task]), self.leave_out)

    def output(self, solver: str, task: str, part: str = "test", index: int = 0) -> Any:
        """Return the output of a solver for a pair, run again if it was not kept; raise UsageError if there is none."""
        kept = self._kept(solver, task, part, index)
        if kept is not None and not isinstance(kept, Failed):
            return kept
        traced = self.trace(solver, task, index, part)
        if traced.outcome.status is not Status.OK:
            raise UsageError(f"{solver} gave no value for {task} {part} {index}: {traced.verdict.text}")
        return traced.outcome.value

    def values(self, numbers: npt.NDArray[np.int64] | None = None) -> list[Any]:
        """Return the values of the evaluations with these numbers, or of all; a Failed for one without a value.

        Raise UsageError if outputs were not kept.
        """
        if self.outputs is None:
            raise UsageError("outputs were not kept; evaluate with outputs=True")
        chosen = np.arange(len(self)) if numbers is None else numbers
        return values_of(take(self.records, chosen), *self.outputs.take(chosen))

    def _kept(self, solver: str, task: str, part: str, index: int) -> Any:
        """Return the value of an output that was kept; None or a Failed if there is none."""
        if self.outputs is None or solver not in self.deck.names:
            return None
        keys = keys_of(self.evaluations.samples)
        if task not in keys.ids or part not in (Split.TRAIN.value, Split.TEST.value):
            return None
        chosen = keys.is_train == (part == Split.TRAIN.value)
        chosen &= (keys.index_of == index) & (keys.task_of == keys.ids.index(task))
        numbers, samples = self.evaluations.of_solver(self.deck.names.index(solver))
        found = numbers[chosen[samples]]
        return self.values(found)[0] if len(found) else None

    def to_pandas(self, outputs: bool = False) -> pandas.DataFrame:
        """Return the rows of an export as a table of pandas; with `outputs`, the values as JSON texts.

        Names of solvers and tasks are categories. Raise UsageError if pandas is not installed.
        """
        from batt.jobs.columns import RowColumns
        from batt.jobs.frames import to_pandas

        return to_pandas(RowColumns(self, outputs))

    def trace(self, solver: str, task: str, pair: int = 0, part: str = "train") -> Trace:
        """Run a solver on one pair, and return every step with its value."""
        # A run that draws nothing need not import the drawing package.
        from batt.jobs.tracing import trace_sample

        return trace_sample(self.deck[solver], self.sample(task, part, pair), self.limits)

    def show(self, solver: str, task: str) -> Picture:
        """Draw the outputs of a solver for each pair of a task, with the expected ones, and return the picture.

        In a script this prints it. A notebook or an interactive session shows the returned picture anyway.
        """
        picture = self.picture(solver, task)
        if not hasattr(sys, "ps1"):
            picture.draw()
        return picture

    def picture(self, solver: str, task: str) -> Picture:
        """Return the picture that `show` draws."""
        from batt.jobs.tracing import show_result

        return show_result(self.deck[solver], self.tasks[task], self.limits)

    def _repr_html_(self) -> str:
        from batt.jobs.notebook import results_html

        return results_html(self)
