"""How the rate grows with the number of evaluations. Owns the sizes, and the tasks and solvers that make them up.

Each size is run as a person runs it, by `evaluate`: compiling, starting and collecting are in its time, reading the
deck and the tasks is not.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from batt.bench.measure import differing
from batt.errors import InternalError
from batt.front import Deck, load_deck
from batt.jobs import ENGINES, Results, evaluate, samples_of
from batt.runtime import Limits, check_workers
from batt.runtime.native import missing
from batt.tasks import Task, Tasks, load_tasks

TASKS = "arc1-training"
PATIENCE_S = 60.0
"""A forced engine is left out of a size that would take it longer."""
QUICK = 10_000
"""Evaluations up to which a size is run five times."""


@dataclass(frozen=True, slots=True)
class Way:
    """How a size is run."""

    name: str
    engine: str
    workers: int | None = None


def ways() -> tuple[Way, ...]:
    """`auto`, and beside it every engine that is here, forced."""
    cores = check_workers(None)
    found = [Way("auto", "auto")]
    if missing() is None:
        found.append(Way("cpu:1", "cpu", 1))
        found += [Way(f"cpu:{cores}", "cpu", cores)] if cores > 1 else []
    forced = [each for each in ENGINES if each not in ("auto", "cpu")]
    return (*found, *[Way(each, each) for each in forced])


def sized(deck: Deck, tasks: Tasks, wanted: int) -> tuple[Deck, Tasks]:
    """Parts of the deck and tasks, or the tasks several times under other ids, for about that many evaluations."""
    samples = np.cumsum([len(task.pairs) for task in tasks])
    if wanted <= len(deck) * int(samples[0]):
        return deck[: max(1, round(wanted / int(samples[0])))], tasks[:1]
    rounds, rest = divmod(round(wanted / len(deck)), int(samples[-1]))
    chosen: list[Task] = [replace(task, id=f"{task.id}+{number}") for number in range(rounds) for task in tasks]
    chosen += tasks[: int(np.searchsorted(samples, rest, side="right"))]
    return deck, Tasks(tuple(chosen), tasks.source)


def growth(exponent: int = 6, tell: Callable[[str], None] | None = None) -> dict[str, Any]:
    """Rates for ten evaluations up to ten to that power, as plain data."""
    deck, tasks = load_deck(), load_tasks(TASKS)
    rates: dict[str, float] = {}
    rows = []
    for power in range(1, exponent + 1):
        solvers, chosen = sized(deck, tasks, 10**power)
        total = len(solvers) * len(samples_of(chosen))
        if tell:
            tell(f"growth: {total:,} evaluations")
        times_s = _times_s(solvers, chosen, total, rates)
        rates |= {name: total / found for name, found in times_s.items()}
        forced = [found for name, found in times_s.items() if name != "auto"]
        rows.append({
            "evaluations": total,
            "wall_s": times_s,
            "evaluations_per_s": {way.name: total / times_s[way.name] if way.name in times_s else None
                                  for way in ways()},
            "auto_of_best": min(forced) / times_s["auto"] if forced else None,
        })  # fmt: skip
    return {
        "title": "built-in deck: evaluations/s by number of evaluations, starting included",
        "engines": [way.name for way in ways()],
        "rows": rows,
    }


def _times_s(deck: Deck, tasks: Tasks, total: int, rates: dict[str, float]) -> dict[str, float]:
    """Seconds by way, the median of passes that go round; ways that would take too long are left out."""
    chosen = [way for way in ways() if way.engine == "auto" or total / rates.get(way.name, total) < PATIENCE_S]
    passes: dict[str, list[float]] = {way.name: [] for way in chosen}
    first: Results | None = None
    for _ in range(5 if total <= QUICK else 1):
        for way in chosen:
            started_s = time.perf_counter()
            results = evaluate(deck, tasks, engine=way.engine, workers=way.workers, limits=Limits(wall_s=120.0))
            passes[way.name].append(time.perf_counter() - started_s)
            if results.interrupted:
                raise KeyboardInterrupt
            first = first or results
            if differing(first.records, results.records).any():
                raise InternalError(f"{way.name}: outcomes differ from those of {chosen[0].name}")
    return {name: float(np.median(found)) for name, found in passes.items()}
