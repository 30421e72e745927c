"""What is told of a counted run. Owns the sums and shares by op, step, solver, pattern and evaluation; shows nothing.

A share is of the time of the pass that the row was seen in: solvers and evaluations when nothing is counted, ops while
ops are, steps and patterns while instructions are. A kernel's time is its own, so ops and the row `machine` add up to
all of their pass. An instruction's time is inclusive: that of a loop holds the time of its body, and of counting there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.profile.code import ImageCode, Place
from batt.profile.run import Run
from batt.runtime import Status

MACHINE, STAGE = "machine", "(shared steps)"
CLIPPED_NS = 2**32 - 1
"""What native code writes for an evaluation that took that long or longer."""
MAX_EVALUATIONS, MAX_HOLDERS = 1_000, 20


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls, steps and time, and the time's share of the run's; None where it is not known."""

    calls: int | None
    steps: int | None
    time_s: float
    share: float


@dataclass(frozen=True, slots=True)
class OpRow:
    """An op's kernel; or the machine: instructions, loops, function values, scoring, and counting ops."""

    op: str
    family: str
    spent: Spent


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step of the graph, what it and the ops in its bodies took, how many solvers hold it, and some of them."""

    step: str
    ahead: bool
    solvers: int
    held_by: tuple[str, ...]
    spent: Spent


@dataclass(frozen=True, slots=True)
class SolverRow:
    """A solver's evaluations, which are its calls; or the staged values of all."""

    solver: str
    spent: Spent


@dataclass(frozen=True, slots=True)
class PatternRow:
    """Loops of the same op with the same ops in their bodies, and how many steps they are."""

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
    """All that a profile tells; rows by time, the largest first."""

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
        """The same as plain data, what a row has spent beside its names."""
        told = {name: getattr(self, name) for name in self.__slots__}
        return {
            name: [_flat(row) for row in value] if name.startswith("by_") else value for name, value in told.items()
        }


def _flat(row: Any) -> dict[str, Any]:
    found = asdict(row)
    return {**{name: value for name, value in found.items() if name != "spent"}, **found["spent"]}


def figures(run: Run) -> Figures:
    """Add up what a run has counted."""
    return _Sums(run).figures()


class _Sums:
    def __init__(self, run: Run) -> None:
        self.run = run
        self.code = ImageCode(run.image)
        by_word = run.instructions.tallies.by_word
        self.places = [place for place in self.code.places() if by_word["calls"][place.word]]
        self.ahead = [place for place in self.places if place.routine in self.code.staged]
        self.timed = run.times_ns >= 0
        self.over = int((run.records["status"] == Status.OVER_BUDGET).sum())
        self.steps = int(run.steps[self.timed].sum())

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
            time_s=run.time_s,
            ops_s=run.ops_s,
            instructions_s=run.instructions_s,
            ahead_s=run.ahead_s,
            steps=self.steps,
            notes=tuple(self._notes()),
            by_op=self._ops(),
            by_step=self._steps(),
            by_solver=self._solvers(),
            by_pattern=self._patterns(),
            by_evaluation=self._evaluations(),
        )

    def _ops(self) -> tuple[OpRow, ...]:
        run = self.run
        rows = [
            OpRow(op.name, op.family, _spent(calls, self._bounded(calls, steps), ticks * run.ops.tick_s, run.ops_s))
            for op, (calls, steps, ticks) in zip(run.image.table.ops, run.ops.tallies.by_op.tolist(), strict=True)
            if calls
        ]
        kernels_s = sum(row.spent.time_s for row in rows)
        # With a stage, an evaluation's steps are also those of the staged values, computed once for all. One that goes
        # over its budget has all of it as its steps, and its last op what it would have cost.
        left = None if run.share or self.over else self.steps - sum(row.spent.steps or 0 for row in rows)
        rows.append(OpRow(MACHINE, MACHINE, _spent(None, left, max(0.0, run.ops_s - kernels_s), run.ops_s)))
        return tuple(sorted(rows, key=lambda row: (-row.spent.time_s, row.op)))

    def _steps(self) -> tuple[StepRow, ...]:
        by_step: dict[int, list[Place]] = {}
        for place in self.places:
            by_step.setdefault(place.step, []).append(place)
        rows = [self._step(same) for same in by_step.values()]
        return tuple(sorted(rows, key=lambda row: (-row.spent.time_s, row.step)))

    def _step(self, same: Sequence[Place]) -> StepRow:
        holders = dict.fromkeys([name for place in same for name in self.code.holders(place.routine)])
        ahead = same[0].routine in self.code.staged
        return StepRow(self.code.text(same[0]), ahead, len(holders), tuple(holders)[:MAX_HOLDERS], self._sum(same))

    def _patterns(self) -> tuple[PatternRow, ...]:
        by_pattern: dict[str, list[Place]] = {}
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
        times_ns = np.bincount(solvers, run.times_ns[self.timed], count).tolist()
        steps = np.bincount(solvers, run.steps[self.timed], count).tolist()
        rows = [
            SolverRow(name, self._spent(calls[at], int(steps[at]), times_ns[at] / 1e9))
            for at, name in enumerate(run.deck.names)
            if calls[at]
        ]
        if run.share:
            rows.append(SolverRow(STAGE, self._spent(None, self._sum(self.ahead).steps, run.ahead_s)))
        return tuple(sorted(rows, key=lambda row: (-row.spent.time_s, row.solver)))

    def _evaluations(self) -> tuple[EvaluationRow, ...]:
        run = self.run
        costliest = np.argsort(-run.times_ns, kind="stable")[:MAX_EVALUATIONS].tolist()
        return tuple([self._evaluation(number) for number in costliest if self.timed[number]])

    def _evaluation(self, number: int) -> EvaluationRow:
        solver, at = self.run.evaluations.pair(number)
        sample = self.run.evaluations.samples[at]
        spent = self._spent(1, int(self.run.steps[number]), int(self.run.times_ns[number]) / 1e9)
        return EvaluationRow(self.run.deck.names[solver], sample.task, sample.part.value, sample.index, spent)

    def _sum(self, places: Sequence[Place]) -> Spent:
        """What instructions took together."""
        rows: npt.NDArray[Any] = self.run.instructions.tallies.by_word[[place.word for place in places]]
        calls, ticks = int(rows["calls"].sum()), int(rows["ticks"].sum())
        steps = sum([self._bounded(calls, steps) for calls, steps, _ in rows.tolist()])
        return _spent(calls, steps, ticks * self.run.instructions.tick_s, self.run.instructions_s)

    def _bounded(self, calls: int, steps: int) -> int:
        """Steps, of which no call can have done more than its budget; what it would have cost may be far more."""
        return min(steps, calls * self.run.limits.steps)

    def _spent(self, calls: int | None, steps: int | None, time_s: float) -> Spent:
        return _spent(calls, steps, time_s, self.run.time_s)

    def _notes(self) -> list[str]:
        run, status = self.run, self.run.records["status"]
        causes = ", ".join([f"{cause} {count:,}" for cause, count in Counter(run.fallbacks).most_common()])
        stopped = int((status == Status.TIMED_OUT).sum())
        clipped = int((run.times_ns == CLIPPED_NS).sum())
        told = {
            f"evaluations not done by native code ({causes}), which count as far as they went": sum(
                run.fallbacks.values()
            ),
            "evaluations over their budget, whose steps count as all of it, and in the last op as asked for": self.over,
            "evaluations stopped by the guard, in no time by solver or evaluation": stopped,
            "evaluations of 4.3 s or more, whose time counts as that": clipped,
        }
        return [f"{count:,} {what}" for what, count in told.items() if count]


def _spent(calls: int | None, steps: int | None, time_s: float, whole_s: float) -> Spent:
    return Spent(calls, steps, time_s, time_s / whole_s if whole_s else 0.0)
