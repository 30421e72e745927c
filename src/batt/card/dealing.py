"""Choose the solvers of a batt, and their order."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence

from batt.errors import UsageError
from batt.front import Deck
from batt.front.naming import solver_name
from batt.source import did_you_mean

_PREFIX = re.compile(r"(solve|verify)_")
_TASK_ID = re.compile(r"[0-9a-f]{8}")


def source_task(solver: str) -> str:
    """Return the task that a solver was written for: the first id-like part of its name, else the name."""
    bare = _PREFIX.sub("", solver, count=1)
    return next(filter(_TASK_ID.fullmatch, bare.split("_")), bare)


def source_word(solver: str) -> str:
    """Return how a batt names a solver: by its task if the name says no more than that, else by its whole name."""
    bare = solver.removeprefix("solve_")
    return bare if bare and solver_name(bare) == solver else solver


def deal(deck: Deck, count: int | None = None, ids: Sequence[str] | None = None, seed: int | None = None) -> Deck:
    """Select the solvers of `count` tasks, or of `ids`: in the deck's order, or shuffled by `seed`.

    An id is that of a task or the name of a solver. The same deck and seed always give the same solvers.
    """
    if count is not None and count < 1:
        raise UsageError(f"the number of tasks must be at least 1, got {count}")
    by_task = _by_task(deck.names if ids is None else _named(deck, ids))
    tasks = list(by_task)
    if seed is not None:
        random.Random(seed).shuffle(tasks)
    if count is not None and count > len(tasks):
        raise UsageError(f"cannot take {count:,} tasks: {deck.name} has solvers of {len(tasks):,}")
    return deck.select([name for task in tasks[:count] for name in by_task[task]])


def _by_task(names: Iterable[str]) -> dict[str, list[str]]:
    """Group the names of solvers by their tasks."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(source_task(name), []).append(name)
    return found


def _named(deck: Deck, ids: Sequence[str]) -> list[str]:
    """Return the solvers that `ids` name, in that order."""
    of_task = _by_task(deck.names)
    found: list[str] = []
    for each in ids:
        names = [each] if each in deck.names else of_task.get(each)
        if names is None:
            hint = did_you_mean(each, (*of_task, *deck.names))
            raise UsageError(f"no solver or task {each!r} in {deck.name}{hint}")
        found += names
    return found
