"""Measure `batt solve` on a split of tasks: totals only. No task of an evaluation set is ever named."""

from __future__ import annotations

import random
import resource
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from batt.errors import UsageError
from batt.front import DeckSource
from batt.solving import Layer, Solutions, TaskSolution, solve
from batt.tasks import Tasks, load_tasks

DEVELOPMENT = ("arc1-training", "arc2-training")
EVALUATION = ("arc1-evaluation", "arc2-evaluation")
SPLITS = (*DEVELOPMENT, *EVALUATION)
SEED = 11
SURE_BOUNDS = (0.9, 0.7, 0.4, 0.0)
"""Answers are counted by how sure they are: at least this."""


@dataclass(frozen=True, slots=True)
class SolveTotals:
    """What solving a split came to. `by_layer` counts first answers and right ones by layer, `by_sure` by certainty."""

    split: str
    tasks: int
    solved: int
    solved_at_first: int
    answered: int
    outputs: int
    outputs_right: int
    by_layer: dict[str, tuple[int, int]]
    by_sure: dict[float, tuple[int, int]]
    dropped: int
    stopped: int
    work: int
    cpu_s: float
    median_steps: float


def split_tasks(split: str, sample: int | None = None) -> Tasks:
    """Return the tasks of a split; those of ARC-1 evaluation are left out of ARC-2 training.

    With `sample`, return that number of tasks, drawn with a fixed seed.
    """
    if split not in SPLITS:
        raise UsageError(f"unknown split {split!a}; the splits are {', '.join(SPLITS)}")
    tasks = load_tasks(split)
    if split in DEVELOPMENT:
        hidden = {name for other in EVALUATION for name in load_tasks(other).ids}
        tasks = tasks.select([name for name in tasks.ids if name not in hidden])
    if sample is not None and sample < len(tasks):
        if sample < 1:
            raise UsageError(f"the sample must have at least 1 task, got {sample}")
        tasks = tasks.select(sorted(random.Random(SEED).sample(list(tasks.ids), sample)))
    return tasks


def measure_solving(
    split: str,
    decks: Sequence[DeckSource] = (),
    *,
    sample: int | None = None,
    seconds: float | None = None,
    effort: int | None = None,
    workers: int | None = None,
    layers: Collection[Layer] = (),
    on_solution: Callable[[TaskSolution], None] | None = None,
) -> SolveTotals:
    """Solve the tasks of a split, each without its own solvers, and return the totals."""
    tasks = split_tasks(split, sample)
    before = _cpu_s()
    solutions = solve(
        tasks, decks, seconds=seconds, effort=effort, workers=workers, layers=layers, on_solution=on_solution
    )
    return totals_of(split, solutions, _cpu_s() - before)


def _cpu_s() -> float:
    """Return the CPU time of this process and of the children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum([each.ru_utime + each.ru_stime for each in used])


def totals_of(split: str, solutions: Solutions, cpu_s: float) -> SolveTotals:
    """Return the totals of solutions whose test outputs are known."""
    by_layer: dict[str, tuple[int, int]] = {}
    by_sure: dict[float, tuple[int, int]] = {}
    steps: list[int] = []
    solved = first = answered = outputs = right_outputs = 0
    for task, solution in zip(solutions.tasks, solutions, strict=True):
        solved += solution.is_right(task)
        answered += all(solution.answers)
        is_first = True
        for pair, answers in zip(task.test, solution.answers, strict=True):
            outputs += 1
            right_outputs += any(answer.grid == pair.output for answer in answers)
            is_first = is_first and bool(answers) and answers[0].grid == pair.output
            if answers:
                is_right = answers[0].grid == pair.output
                _count(by_layer, answers[0].layer.name.lower(), is_right)
                _count(by_sure, next(bound for bound in SURE_BOUNDS if answers[0].sure >= bound), is_right)
                steps.append(answers[0].source.count(" = "))
        first += is_first
    return SolveTotals(
        split,
        len(solutions),
        solved,
        first,
        answered,
        outputs,
        right_outputs,
        dict(sorted(by_layer.items())),
        dict(sorted(by_sure.items(), reverse=True)),
        sum([each.dropped for each in solutions]),
        sum([each.was_stopped for each in solutions]),
        sum([each.work for each in solutions]),
        cpu_s,
        sorted(steps)[len(steps) // 2] if steps else 0,
    )


def _count(counts: dict[Any, tuple[int, int]], key: Any, is_right: bool) -> None:
    given, right = counts.get(key, (0, 0))
    counts[key] = given + 1, right + is_right


def layers_named(text: str | None) -> frozenset[Layer]:
    """Return the layers of a list such as `tree,deck`; with `-tree`, all but that one."""
    if text is None:
        return frozenset(Layer)
    words = [word.strip().upper() for word in text.split(",")]
    unknown = [word for word in words if word.removeprefix("-") not in Layer.__members__]
    if unknown:
        known = ", ".join([name.lower() for name in Layer.__members__])
        raise UsageError(f"unknown layer {unknown[0].lower()!a}; the layers are {known}")
    kept = {Layer[word] for word in words if not word.startswith("-")}
    return frozenset(kept or Layer) - {Layer[word[1:]] for word in words if word.startswith("-")}


def solving_table(told: SolveTotals) -> Table:
    """Return the totals in words."""
    table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2))
    table.add_column(style="dim")
    shares = [f"{name} {right:,} of {given:,}" for name, (given, right) in told.by_layer.items()]
    sure = [f"from {bound:.0%}: {right:,} of {given:,}" for bound, (given, right) in told.by_sure.items()]
    for heading, line in (
        ("split", f"{told.split}, {told.tasks:,} tasks, {told.outputs:,} test outputs"),
        ("solved", f"{told.solved:,} tasks in two attempts, {told.solved_at_first:,} in one"),
        ("outputs", f"{told.outputs_right:,} test outputs right"),
        ("answered", f"{told.answered:,} tasks have an answer for every test input"),
        ("first answers", ", ".join(shares)),
        ("by certainty", ", ".join(sure)),
        ("programs", f"{told.median_steps:,} steps in the median, {told.dropped:,} dropped"),
        ("work", f"{told.work / 1e6:,.0f} million units, {told.stopped:,} tasks stopped by the clock"),
        ("CPU time", f"{told.cpu_s:,.1f} s, {told.cpu_s / max(told.tasks, 1):.2f} s a task"),
    ):
        table.add_row(heading, line)
    return table
