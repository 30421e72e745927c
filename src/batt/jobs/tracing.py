"""One evaluation step by step. Owns the pairing of a solver's lines with their values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from batt.draw import Arrow, Caption, Mark, Panel, Picture, Row, Scene, pair_row
from batt.front import Solver
from batt.ir import Step
from batt.jobs.plan import samples_of
from batt.runtime import Limits, Outcome, Sample, Status, trace
from batt.tasks import Task, Tasks


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps of one evaluation with their values, up to the first that failed."""

    solver: Solver
    sample: Sample
    values: tuple[Any, ...]
    outcome: Outcome

    def __iter__(self) -> Iterator[tuple[Step, Any]]:
        return iter(zip(self.solver.program.steps, self.values, strict=False))

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return (
            f"<Trace {self.solver.name} on {self.sample.task} {self.sample.part.value} {self.sample.index}"
            f" | {len(self)} of {len(self.solver.program.steps)} steps | {self.outcome.status.word}>"
        )

    @property
    def picture(self) -> Picture:
        """The input and then every step with its value."""
        program = self.solver.program
        rows = [Row((Panel("I", self.sample.input),), f"def {self.solver.definition}({', '.join(program.params)})")]
        rows += [Row((Panel("", value),), program.describe(step)) for step, value in self]
        if len(self.values) < len(program.steps) and self.outcome.status is not Status.TIMED_OUT:
            failed = program.describe(program.steps[len(self.values)])
            rows.append(Row((), failed))
        rows.append(Row((), f"return {program.slot_name(program.result)}", self.verdict))
        return Picture(Scene(f"{self.solver.name} on {self.sample.task}", tuple(rows)))

    @property
    def verdict(self) -> Caption:
        """What came of it, in words and a mark."""
        if self.outcome.status is not Status.OK:
            return Caption(f"{self.outcome.status.word} {self.outcome.error}".strip(), Mark.ERROR)
        if self.sample.expected is None:
            return Caption("expected output unknown")
        equal = self.outcome.value == self.sample.expected
        return Caption("equal", Mark.EQUAL) if equal else Caption("different", Mark.DIFFERENT)

    def _repr_html_(self) -> str:
        return self.picture._repr_html_()


def trace_sample(solver: Solver, sample: Sample, limits: Limits) -> Trace:
    """Run a solver on a sample and keep every step's value."""
    values, outcome = trace(solver.program, sample, limits)
    return Trace(solver, sample, tuple(values), outcome)


def show_result(solver: Solver, task: Task, limits: Limits) -> Picture:
    """A picture of what a solver gives for each pair of a task, beside what is expected where that differs."""
    traces = [trace_sample(solver, sample, limits) for sample in samples_of(Tasks((task,), ""))]
    return Picture(Scene(f"{solver.name} on {task.id}", tuple([_result_row(each) for each in traces])))


def _result_row(traced: Trace) -> Row:
    sample, verdict, value = traced.sample, traced.verdict, traced.outcome.value
    title = f"{sample.part.value} {sample.index}"
    source, expected = Panel("input", sample.input), Panel("expected", sample.expected)
    if traced.outcome.status is not Status.OK:
        return Row((source, Arrow(), expected) if sample.expected else (source,), title, verdict)
    if verdict.mark is not Mark.DIFFERENT:
        return pair_row(sample.input, value, title, verdict)
    return Row((source, Arrow(), Panel("output", value), expected), title, verdict)
