"""The view of one task: its pairs, and each candidate with its program, its outputs and its steps, run again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Any

from batt.front import Solver
from batt.ir.writing import describe
from batt.jobs import Results
from batt.jobs.matrix import NEAREST, CellState, Matrix
from batt.jobs.tracing import Trace, wrong_cells
from batt.page.views import grid_rows, value_view
from batt.runtime import Limits, Sample, Split, Status, usable_cores
from batt.runtime.reference.process import Tracer

MAX_FITTING = 6
"""The most fitting candidates of a task that are shown."""
STEPPED = 2
"""The fitting candidates of a task whose steps are kept."""
MAX_STEPS = 80
MAX_PAIRS = {Split.TRAIN: 6, Split.TEST: 4}
STEP_BUDGET, WALL_S = 20_000_000, 5.0
"""What a candidate may take when it is run again for the page."""


@dataclass(frozen=True, slots=True)
class ShownSolver:
    """A solver that the view of a task shows, and what became of it there."""

    solver: Solver
    state: CellState
    with_steps: bool


def candidates_of(results: Results, matrix: Matrix, task: int) -> list[ShownSolver]:
    """Return the solvers that fit a task, those that are correct first, then the nearest of the others."""
    fitting = matrix.fitting(task)[:MAX_FITTING]
    nearest = matrix.nearest_to(task)[: 1 if fitting else NEAREST]
    return [
        ShownSolver(
            results.deck[solver], CellState(int(matrix.cells[solver, task])), place < min(STEPPED, len(fitting))
        )
        for place, solver in enumerate([*fitting, *nearest])
    ]


def task_details(results: Results, matrix: Matrix, task: int, tracer: Tracer) -> dict[str, Any]:
    """Return the view of the task at a position, as plain data."""
    name = results.tasks.ids[task]
    samples = _shown(results.samples(name))
    limits = _limits(results.limits)
    candidates = candidates_of(results, matrix, task)
    return {
        "id": name,
        "pairs": [
            {
                "name": f"{each.part.value} {each.index}",
                "input": grid_rows(each.input),
                "expected": grid_rows(each.expected),
            }
            for each in samples
        ],
        "fitting": len(matrix.fitting(task)),
        "candidates": [_candidate(each, samples, limits, tracer) for each in candidates],
    }


def all_details(results: Results, matrix: Matrix, tasks: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield the views of these tasks, in their order; as many at a time as there are cores."""
    tracers: SimpleQueue[Tracer] = SimpleQueue()
    made = [Tracer() for _ in range(usable_cores())]
    for tracer in made:
        tracers.put(tracer)

    def details(task: int) -> dict[str, Any]:
        tracer = tracers.get()
        try:
            return task_details(results, matrix, task, tracer)
        finally:
            tracers.put(tracer)

    with ThreadPoolExecutor(len(made)) as pool:
        try:
            yield from pool.map(details, tasks)
        finally:
            pool.shutdown(cancel_futures=True)
            for tracer in made:
                tracer.close()


def _shown(samples: Iterable[Sample]) -> list[Sample]:
    return [each for each in samples if each.index < MAX_PAIRS[each.part]]


def _limits(limits: Limits) -> Limits:
    return replace(limits, steps=min(limits.steps, STEP_BUDGET), wall_s=min(limits.wall_s, WALL_S))


def _candidate(candidate: ShownSolver, samples: Sequence[Sample], limits: Limits, tracer: Tracer) -> dict[str, Any]:
    solver = candidate.solver
    traces = [_trace(solver, sample, limits, tracer) for sample in samples]
    shown: dict[str, Any] = {
        "solver": solver.name,
        "state": int(candidate.state),
        "source": solver.source,
        "outputs": [_output(each) for each in traces],
    }
    return shown | ({"steps": [_steps(each) for each in traces]} if candidate.with_steps else {})


def _trace(solver: Solver, sample: Sample, limits: Limits, tracer: Tracer) -> Trace:
    values, outcome = tracer.trace(solver.program, sample, limits)
    return Trace(solver, sample, tuple(values), outcome)


def _output(trace: Trace) -> dict[str, Any]:
    """Return the outcome in words, the value if there is one, and the places of the cells that differ."""
    verdict, value = trace.verdict, trace.outcome.value
    shown: dict[str, Any] = {"mark": verdict.mark.name.lower(), "verdict": verdict.text}
    if trace.failed_step:
        shown["failed"] = trace.failed_step
    if trace.outcome.status is Status.OK:
        shown["value"] = value_view(value)
        wrong = wrong_cells(value, trace.sample.expected)
        if wrong:
            shown["wrong"] = sorted([i * len(value[0]) + j for i, j in wrong])
    return shown


def _steps(trace: Trace) -> list[dict[str, Any]]:
    program = trace.solver.program
    shown = list(trace)[:MAX_STEPS]
    return [{"text": describe(program, step), "value": value_view(value)} for step, value in shown]
