"""Measure `batt solve` on a split of tasks: totals only. No task of an evaluation set is ever named."""

from __future__ import annotations

import json
import random
import resource
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from batt.bench.rearc import verifiers
from batt.errors import UsageError
from batt.front import BUILT_IN, DeckSource, as_deck
from batt.runtime import check_workers
from batt.solving import Layer, Solutions, TaskSolution, solve
from batt.solving.answers.choosing import AnswerEvidence
from batt.solving.library import build_library
from batt.solving.searches.child import SearchRequest
from batt.solving.searches.search import SearchSettings
from batt.solving.searches.tasks import chosen_effort
from batt.solving.searches.workers import SearchWorkers
from batt.tasks import Tasks, load_tasks

DEVELOPMENT = ("arc1-training", "arc2-training")
EVALUATION = ("arc1-evaluation", "arc2-evaluation")
SPLITS = (*DEVELOPMENT, *EVALUATION)
RE_ARC = "re-arc"
SEED = 11
SURE_BOUNDS = (0.95, 0.9, 0.8, 0.6, 0.4, 0.2, 0.0)
"""Answers are counted by how sure they are: at least this."""
WITHIN_S = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
"""Solved tasks are counted by the CPU seconds that they took: at most this."""

Counted = dict[Any, tuple[int, int]]
"""How many first answers there are, and how many are right, by something."""


@dataclass(frozen=True, slots=True)
class SolveTotals:
    """The totals of solving a split. First answers and right ones are counted by layer, certainty and evidence.

    `within_s` counts tasks that ended within some CPU seconds, and those of them that are solved.
    """

    split: str
    tasks: int
    solved: int
    solved_at_first: int
    answered: int
    outputs: int
    outputs_right: int
    by_layer: Counted
    by_sure: Counted
    by_evidence: Counted
    within_s: Counted
    dropped: int
    stopped: int
    failed: int
    work: int
    cpu_s: float
    wall_s: float
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


def named_decks(text: str | None) -> list[DeckSource]:
    """Return the decks of a list such as `built-in,re-arc`; others are paths. None is the default."""
    words = [] if text is None else [word.strip() for word in text.split(",")]
    return [verifiers() if word == RE_ARC else word for word in words]


def measure_solving(
    split: str,
    decks: Sequence[DeckSource] = (),
    *,
    sample: int | None = None,
    seconds: float | None = None,
    effort: int | None = None,
    engine: str = "auto",
    workers: int | None = None,
    layers: Collection[Layer] = (),
    on_solution: Callable[[TaskSolution], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> tuple[SolveTotals, Solutions]:
    """Solve the tasks of a split, each without its own solvers. Return the totals, and the solutions."""
    tasks = split_tasks(split, sample)
    before, started_s = _cpu_s(), time.monotonic()
    solutions = solve(
        tasks, decks, seconds=seconds, effort=effort, engine=engine, workers=workers, layers=layers,
        on_solution=on_solution, tell=tell,
    )  # fmt: skip
    return totals_of(split, solutions, _cpu_s() - before, time.monotonic() - started_s), solutions


def measure_rows(
    split: str,
    decks: Sequence[DeckSource],
    rows: Mapping[str, frozenset[Layer]],
    *,
    sample: int | None = None,
    seconds: float | None = None,
    effort: int | None = None,
    workers: int | None = None,
    on_solution: Callable[[TaskSolution], None] | None = None,
) -> Iterator[tuple[str, SolveTotals]]:
    """Solve the tasks of a split once for each row, with its layers. Yield the totals of each row when it is done.

    One library and the same processes serve all rows. The CPU time of a row is that of its searches alone.
    """
    tasks = split_tasks(split, sample)
    units, seconds = chosen_effort(effort, seconds)
    library = build_library([as_deck(deck) for deck in decks or [BUILT_IN]])
    requests = [SearchRequest(task, layers) for layers in rows.values() for task in tasks]
    found: dict[str, dict[str, TaskSolution | None]] = {name: {} for name in rows}
    names = [name for name in rows for _ in tasks]
    settings = SearchSettings(library, units, seconds, frozenset(Layer))
    with SearchWorkers(settings, min(check_workers(workers), len(requests))) as processes:
        for number, answer in processes.search(requests):
            row = found[names[number]]
            row[answer.task] = answer if isinstance(answer, TaskSolution) else None
            if isinstance(answer, TaskSolution) and on_solution:
                on_solution(answer)
            if len(row) == len(tasks):
                done = {name: each for name, each in row.items() if each is not None}
                failed = [name for name, each in row.items() if each is None]
                cpu_s = sum([each.cpu_s for each in done.values()])
                yield names[number], totals_of(split, Solutions(tasks, done, failed), cpu_s)


def _cpu_s() -> float:
    """Return the CPU time of this process and of the children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum([each.ru_utime + each.ru_stime for each in used])


def totals_of(split: str, solutions: Solutions, cpu_s: float, wall_s: float = 0.0) -> SolveTotals:
    """Return the totals of solutions whose test outputs are known."""
    by_layer: Counted = {}
    by_sure: Counted = {}
    by_evidence: Counted = {}
    steps: list[int] = []
    right_firsts: list[bool] = []
    right_tests: list[bool] = []
    for task, solution in zip(solutions.tasks, solutions, strict=True):
        firsts = []
        for test, (pair, answers) in enumerate(zip(task.test, solution.answers, strict=True)):
            right_tests.append(any(answer.grid == pair.output for answer in answers))
            firsts.append(bool(answers) and answers[0].grid == pair.output)
            if answers:
                first = answers[0]
                _count(by_layer, first.layer.name.lower(), firsts[-1])
                _count(by_sure, next(bound for bound in SURE_BOUNDS if first.sure >= bound), firsts[-1])
                found = dict(solution.evidence[test]) if solution.evidence else {}
                if first.grid in found:
                    _count(by_evidence, found[first.grid].votes[0].kind, firsts[-1])
                steps.append(first.source.count(" = "))
        right_firsts.append(all(firsts))
    return SolveTotals(
        split=split,
        tasks=len(solutions),
        solved=solutions.right,
        solved_at_first=sum(right_firsts),
        answered=solutions.answered,
        outputs=len(right_tests),
        outputs_right=sum(right_tests),
        by_layer=dict(sorted(by_layer.items())),
        by_sure=dict(sorted(by_sure.items(), reverse=True)),
        by_evidence=dict(sorted(by_evidence.items())),
        within_s=_within(solutions),
        dropped=sum([each.dropped for each in solutions]),
        stopped=sum([each.was_stopped for each in solutions]),
        failed=len(solutions.failed),
        work=sum([each.work for each in solutions]),
        cpu_s=cpu_s,
        wall_s=wall_s,
        median_steps=sorted(steps)[len(steps) // 2] if steps else 0,
    )


def _within(solutions: Solutions) -> Counted:
    """Count tasks that took at most some CPU seconds, and those of them that are solved."""
    ended = [(each.cpu_s, each.is_right(task)) for task, each in zip(solutions.tasks, solutions, strict=True)]
    made = {}
    for bound in WITHIN_S:
        inside = [is_right for cpu_s, is_right in ended if cpu_s <= bound]
        made[bound] = len(inside), sum(inside)
    return made


def evidence_lines(split: str, solutions: Solutions) -> Iterator[str]:
    """Yield a JSON line for each test input: its outputs, what speaks for each, and whether it is right.

    Only for development, to fit the weights of evidence.
    """
    if split not in DEVELOPMENT:
        raise UsageError(f"records are for development only: {', '.join(DEVELOPMENT)}")
    for task, solution in zip(solutions.tasks, solutions, strict=True):
        for pair, found in zip(task.test, solution.evidence, strict=False):
            yield json.dumps([_record(evidence, grid == pair.output) for grid, evidence in found])


def _record(evidence: AnswerEvidence, is_right: bool) -> dict[str, Any]:
    votes = [[vote.layer.name, vote.size, vote.held_out, vote.missed, vote.steps] for vote in evidence.votes]
    broken = {aspect.value: count for aspect, count in evidence.broken.items() if count}
    return {"right": is_right, "votes": votes, "programs": evidence.programs, "broken": broken}


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
