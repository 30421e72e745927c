"""Make the solution of a task: choose answers, and keep those whose programs reproduce them."""

from __future__ import annotations

from collections.abc import Sequence

from batt.solving.answers.choosing import ANSWERS, RankedAnswer, choose
from batt.solving.answers.invariants import Invariants
from batt.solving.answers.solutions import Answer, TaskSolution
from batt.solving.answers.verifying import is_reproduced, written
from batt.solving.candidates import SearchCandidate
from batt.tasks import Task

MOST_TRIED = 6
"""The outputs of a test input whose programs are checked."""
PROGRAMS_TRIED = 3
"""The programs of an output that are checked until one reproduces it."""


def answered(
    task: Task, candidates: Sequence[SearchCandidate], invariants: Invariants, work: int, was_stopped: bool
) -> TaskSolution:
    """Return at most two answers for each test input of a task."""
    checked: dict[int, str | None] = {}
    dropped = 0
    answers: list[tuple[Answer, ...]] = []
    ranked = [choose(candidates, test, invariants) for test in range(len(task.test))]
    for choices in ranked:
        kept: list[Answer] = []
        for choice in choices[:MOST_TRIED]:
            if len(kept) == ANSWERS:
                break
            source, tried = _checked_source(choice, task, checked)
            dropped += tried
            if source is not None:
                kept.append(_answer(choice, source, len(candidates)))
        answers.append(tuple(kept))
    evidence = tuple([tuple([(each.grid, each.evidence) for each in choices]) for choices in ranked])
    return TaskSolution(task.id, tuple(answers), work, dropped, was_stopped, evidence=evidence)


def _checked_source(choice: RankedAnswer, task: Task, checked: dict[int, str | None]) -> tuple[str | None, int]:
    """Return the text of the first program of a choice that is reproduced, and how many are not."""
    dropped = 0
    for candidate in choice.candidates[:PROGRAMS_TRIED]:
        if id(candidate) not in checked:
            source = written(candidate, task.id)
            is_right = source is not None and is_reproduced(source, candidate, task)
            checked[id(candidate)] = source if is_right else None
            dropped += not is_right
        source = checked[id(candidate)]
        if source is not None:
            return source, dropped
    return None, dropped


def _answer(choice: RankedAnswer, source: str, count: int) -> Answer:
    return Answer(choice.grid, source, choice.candidates[0].layer, round(choice.sure, 3), _why(choice, count))


def _why(choice: RankedAnswer, count: int) -> str:
    """Return in words what speaks for an answer."""
    best = choice.candidates[0]
    fits = f"fits all but {best.missed}" if best.missed else "fits all demonstrations"
    parts = [f"{fits} as {best.layer.value}", f"description length {best.size}"]
    if best.held_out:
        parts.append("found again without each demonstration in turn")
    elif best.held_out is False:
        parts.append("not found again without each demonstration in turn")
    families = len(choice.evidence.families)
    if families > 1:
        parts.append(f"{families} families agree")
    broken = [aspect.value for aspect, count in choice.evidence.broken.items() if count]
    if broken:
        parts.append(f"breaks what holds in all demonstrations for: {', '.join(broken)}")
    parts.append(f"{len(choice.candidates)} of {count} candidates")
    return "; ".join(parts)
