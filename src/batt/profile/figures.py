"""Add up a profiled run by op, step, solver, pattern and evaluation.

Each row has its share of the time of one pass: solvers and evaluations of the pass that counts nothing, ops of the pass
that counts ops, steps and patterns of the pass that counts instructions. A kernel's time is its own, so ops and the row
`machine` add up to their whole pass. An instruction's time is inclusive: a loop's time includes that of its body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.profile.code import CodePlace, ImageCode
from batt.profile.run import Run
from batt.runtime import Status

MACHINE, STAGE = "machine", "(shared steps)"
CLIPPED_NS = 2**32 - 1
"""The time that native code writes for an evaluation that took this long or longer."""
MAX_EVALUATIONS, MAX_HOLDERS = 1_000, 20


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls, steps, time, and the share of the time of the pass; None if calls or steps are not known."""

    calls: int | None
    steps: int | None
    time_s: float
    share: float


@dataclass(frozen=True, slots=True)
class OpRow:
    """The kernel of an op; or the machine: instructions, loops, function values, scoring, and counting ops."""

    op: str
    family: str
    spent: Spent


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step of the graph with the ops in its bodies, how many solvers have it, and some of those."""

    step: str
    ahead: bool
    solvers: int
    held_by: tuple[str, ...]
    spent: Spent


@dataclass(frozen=True, slots=True)
class SolverRow:
    """The evaluations of a solver, which are its calls; or the staged values of all solvers."""

    solver: str
    spent: Spent


@dataclass(frozen=True, slots=True)
class PatternRow:
    """Loops of the same op with the same ops in their bodies, and how many steps of the graph they are."""

    pattern: str
    loops: int
    spent: Spent


@dataclass(frozen=True, slots=True)
class EvaluationRow:
    """One evaluation."""

    solver: str
    task: str
    part: str
    index: int
    spent: Spent


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of a profile; rows by time, the largest first."""

    deck: str
    solvers: int
    samples: int
    evaluations: int
    timed: int
    workers: int
    share: bool
    wall_s: float
    time_s: float
    ops_s: float
    instructions_s: float
    ahead_s: float
    steps: int
    notes: tuple[str, ...]
    by_op: tuple[OpRow, ...]
    by_step: tuple[StepRow, ...]
    by_solver: tuple[SolverRow, ...]
    by_pattern: tuple[PatternRow, ...]
    by_evaluation: tuple[EvaluationRow, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the figures as plain data; a row has its names and what it spent in one dict."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {
            name: [_flat(row) for row in value] if name.startswith("by_") else value for name, value in fields.items()
        }


def _flat(row: Any) -> dict[str, Any]:
    found = asdict(row)
    return {**{name: value for name, value in found.items() if name != "spent"}, **found["spent"]}


def figures(run: Run) -> Figures:
    """Add up a profiled run."""
    return _Sums(run).figures()


class _Sums:
    def __init__(self, run: Run) -> None:
        self.run = run
        self.code = ImageCode(run.image)
        self.ops = run.ops.counted
        self.instructions = run.instructions.counted
        by_word = self.instructions.tallies.by_word
        self.places = [place for place in self.code.places() if by_word["calls"][place.word]]
        self.staged = [place for place in self.places if place.routine in self.code.staged]
        self.timed = run.timed.times_ns >= 0
        self.over = int((run.timed.records["status"] == Status.OVER_BUDGET).sum())
        self.steps = int(run.timed.steps[self.timed].sum())

    def figures(self) -> Figures:
        run = self.run
        return Figures(
            deck=run.deck.name,
            solvers=len(run.deck),
            samples=len(run.evaluations.samples),
            evaluations=run.evaluations.total,
            timed=int(self.timed.sum()),
            workers=run.workers,
            share=run.share,
            wall_s=run.wall_s,
            time_s=run.timed.time_s,
            ops_s=run.ops.time_s,
            instructions_s=run.instructions.time_s,
            ahead_s=run.timed.staged_s,
            steps=self.steps,
            notes=tuple(self._notes()),
            by_op=self._ops(),
            by_step=self._steps(),
            by_solver=self._solvers(),
            by_pattern=self._patterns(),
            by_evaluation=self._evaluations(),
        )

    def _ops(self) -> tuple[OpRow, ...]:
        run, whole_s = self.run, self.run.ops.time_s
        rows = [
            OpRow(op.name, op.family, _spent(calls, self._bounded(calls, steps), ticks * self.ops.tick_s, whole_s))
            for op, (calls, steps, ticks, *_) in zip(run.image.table.ops, self.ops.tallies.by_op.tolist(), strict=True)
            if calls
        ]
        kernels_s = sum(row.spent.time_s for row in rows)
        # Not known with staged values, whose steps count for every evaluation but run once. Not known over budget
        # either: such an evaluation counts its whole budget, and its last op the steps that it would have taken.
        left = None if run.share or self.over else self.steps - sum(row.spent.steps or 0 for row in rows)
        rows.append(OpRow(MACHINE, MACHINE, _spent(None, left, max(0.0, whole_s - kernels_s), whole_s)))
        return tuple(sorted(rows, key=lambda row: (-row.spent.time_s, row.op)))

    def _steps(self) -> tuple[StepRow, ...]:
        by_step: dict[int, list[CodePlace]] = {}
        for place in self.places:
            by_step.setdefault(place.step, []).append(place)
        rows = [self._step(same) for same in by_step.values()]
        return tuple(sorted(rows, key=lambda row: (-row.spent.time_s, row.step)))

    def _step(self, same: Sequence[CodePlace]) -> StepRow:
        holders = dict.fromkeys([name for place in same for name in self.code.holders(place.routine)])
        ahead = same[0].routine in self.code.staged
        return StepRow(self.code.text(same[0]), ahead, len(holders), tuple(holders)[:MAX_HOLDERS], self._sum(same))

    def _patterns(self) -> tuple[PatternRow, ...]:
        by_pattern: dict[str, list[CodePlace]] = {}
        for place in self.places:
            pattern = self.code.pattern(place.instruction)
            if pattern is not None:
                by_pattern.setdefault(pattern, []).append(place)
        rows = [
            PatternRow(name, len({each.step for each in same}), self._sum(same)) for name, same in by_pattern.items()
        ]
        return tuple(sorted(rows, key=lambda row: (-row.spent.time_s, row.pattern)))

    def _solvers(self) -> tuple[SolverRow, ...]:
        run = self.run
        solvers, count = run.evaluations.columns()[0][self.timed], len(run.deck)
        calls = np.bincount(solvers, minlength=count).tolist()
        times_ns = np.bincount(solvers, run.timed.times_ns[self.timed], count).tolist()
        steps = np.bincount(solvers, run.timed.steps[self.timed], count).tolist()
        rows = [
            SolverRow(name, self._spent(calls[at], int(steps[at]), times_ns[at] / 1e9))
            for at, name in enumerate(run.deck.names)
            if calls[at]
        ]
        if run.share:
            rows.append(SolverRow(STAGE, self._spent(None, self._sum(self.staged).steps, run.timed.staged_s)))
        return tuple(sorted(rows, key=lambda row: (-row.spent.time_s, row.solver)))

    def _evaluations(self) -> tuple[EvaluationRow, ...]:
        costliest = np.argsort(-self.run.timed.times_ns, kind="stable")[:MAX_EVALUATIONS].tolist()
        return tuple([self._evaluation(number) for number in costliest if self.timed[number]])

    def _evaluation(self, number: int) -> EvaluationRow:
        solver, at = self.run.evaluations.pair(number)
        sample = self.run.evaluations.samples[at]
        timed = self.run.timed
        spent = self._spent(1, int(timed.steps[number]), int(timed.times_ns[number]) / 1e9)
        return EvaluationRow(self.run.deck.names[solver], sample.task, sample.part.value, sample.index, spent)

    def _sum(self, places: Sequence[CodePlace]) -> Spent:
        """Add up what instructions took."""
        rows: npt.NDArray[Any] = self.instructions.tallies.by_word[[place.word for place in places]]
        calls, ticks = int(rows["calls"].sum()), int(rows["ticks"].sum())
        steps = sum([self._bounded(calls, steps) for calls, steps, *_ in rows.tolist()])
        return _spent(calls, steps, ticks * self.instructions.tick_s, self.run.instructions.time_s)

    def _bounded(self, calls: int, steps: int) -> int:
        """Return `steps`, but for each call at most its budget: a call that was stopped would have taken far more."""
        return min(steps, calls * self.run.limits.steps)

    def _spent(self, calls: int | None, steps: int | None, time_s: float) -> Spent:
        return _spent(calls, steps, time_s, self.run.timed.time_s)

    def _notes(self) -> list[str]:
        timed = self.run.timed
        deferred = timed.ladder.counts.deferred_to_reference
        causes = ", ".join([f"{cause} {count:,}" for cause, count in deferred.most_common()])
        notes = {
            f"evaluations that native code deferred ({causes}); they count until then": deferred.total(),
            "evaluations over their budget; their steps count as all of it, and in the last op as requested": self.over,
            "evaluations that the guard stopped; solvers and evaluations do not count their time": int(
                (timed.records["status"] == Status.TIMED_OUT).sum()
            ),
            "evaluations of 4.3 s or more; their time counts as 4.3 s": int((timed.times_ns == CLIPPED_NS).sum()),
        }
        return [f"{count:,} {what}" for what, count in notes.items() if count]


def _spent(calls: int | None, steps: int | None, time_s: float, whole_s: float) -> Spent:
    return Spent(calls, steps, time_s, time_s / whole_s if whole_s else 0.0)
