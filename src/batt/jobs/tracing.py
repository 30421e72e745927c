"""Run one evaluation step by step: the value of every step, why a step failed, and how the output differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from batt.draw import Arrow, Caption, Mark, Panel, PanelRow, Picture, Scene
from batt.draw.scene import one_line
from batt.front import Solver
from batt.ir import Step
from batt.ir.writing import describe
from batt.jobs.samples import samples_of
from batt.ops.described import describe_value
from batt.runtime import Limits, Outcome, Sample, Status, trace
from batt.runtime.outcome import area, shape_of
from batt.tasks import Task, Tasks
from batt.types.plain import Printed


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
        """Draw the input and every step with its value, up to the result or the step that failed."""
        program = self.solver.program
        rows = [
            PanelRow((Panel("I", self.sample.input),), f"def {self.solver.definition}({', '.join(program.params)})")
        ]
        rows += [PanelRow((Panel("", value),), describe(program, step)) for step, value in self]
        if self.outcome.status is Status.TIMED_OUT:
            rows.append(PanelRow((), "", self.verdict))
        elif self.failed_step:
            rows.append(PanelRow((), self.failed_step, self.verdict))
        else:
            rows.append(PanelRow(self._compared(), f"return {program.slot_name(program.result)}", self.verdict))
        return Picture(Scene(f"{self.solver.name} on {self.sample.task} {self._pair}", tuple(rows)))

    @property
    def verdict(self) -> Caption:
        """Return the outcome in words, with a mark."""
        outcome, expected = self.outcome, self.sample.expected
        if outcome.status is not Status.OK:
            what = f"{outcome.status.word.replace('_', ' ')} {outcome.error}".strip()
            return Caption(f"{what}: {outcome.cause}" if outcome.cause else what, Mark.ERROR)
        if expected is None:
            return Caption("expected output unknown")
        if outcome.value == expected:
            return Caption("equal", Mark.EQUAL)
        return Caption(f"different: {difference(outcome.value, expected)}", Mark.DIFFERENT)

    @property
    def result_row(self) -> PanelRow:
        """Return the pair with the output, the expected output if that differs, and the verdict."""
        source, verdict = Panel("input", self.sample.input), self.verdict
        if self.failed_step:
            verdict = Caption(f"{one_line(self.failed_step, 60)}\n{verdict.text}", verdict.mark)
        if self.outcome.status is Status.OK:
            panels = self._compared() or (Panel("output", self.outcome.value),)
        elif self.sample.expected is not None:
            panels = (Panel("expected", self.sample.expected),)
        else:
            return PanelRow((source,), self._pair, verdict)
        return PanelRow((source, Arrow(), *panels), self._pair, verdict)

    @property
    def failed_step(self) -> str:
        """Return the step that failed, as a line; empty if none did or if it is not known which."""
        program, status = self.solver.program, self.outcome.status
        if status in (Status.OK, Status.TIMED_OUT) or len(self.values) == len(program.steps):
            return ""
        return describe(program, program.steps[len(self.values)])

    @property
    def _pair(self) -> str:
        return f"{self.sample.part.value} {self.sample.index}"

    def _compared(self) -> tuple[Panel, ...]:
        """Return the output with its wrong cells marked, and the expected one; nothing if they do not differ."""
        if self.verdict.mark is not Mark.DIFFERENT:
            return ()
        value, expected = self.outcome.value, self.sample.expected
        return Panel("output", value, wrong=wrong_cells(value, expected)), Panel("expected", expected)

    def _repr_html_(self) -> str:
        return self.picture._repr_html_()


def trace_sample(solver: Solver, sample: Sample, limits: Limits) -> Trace:
    """Run a solver on a sample and keep every step's value."""
    values, outcome = trace(solver.program, sample, limits)
    return Trace(solver, sample, tuple(values), outcome)


def show_result(solver: Solver, task: Task, limits: Limits) -> Picture:
    """Draw the output of a solver for each pair of a task, with the expected one if they differ."""
    traces = [trace_sample(solver, sample, limits) for sample in samples_of(Tasks((task,), ""))]
    return Picture(Scene(f"{solver.name} on {task.id}", tuple([each.result_row for each in traces])))


def difference(value: Any, expected: Any) -> str:
    """Say how an output differs from the expected grid: in kind, in shape, or in how many cells."""
    shape, wanted = shape_of(value), shape_of(expected)
    if not area(shape):
        return f"{one_line(value, 60) if isinstance(value, Printed) else describe_value(value)}, not a grid"
    if shape != wanted:
        return f"shape {shape[0]} × {shape[1]}, expected {wanted[0]} × {wanted[1]}"
    return f"{len(wrong_cells(value, expected)):,} of {area(shape):,} cells differ"


def wrong_cells(value: Any, expected: Any) -> frozenset[tuple[int, int]]:
    """Return the places at which two grids of one shape differ; none if their shapes differ."""
    if not area(shape_of(value)) or shape_of(value) != shape_of(expected):
        return frozenset()
    rows = enumerate(zip(value, expected, strict=True))
    return frozenset((i, j) for i, (row, other) in rows for j, cell in enumerate(row) if cell != other[j])
