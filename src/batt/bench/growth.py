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
import numpy.typing as npt

from batt.bench.measure import LIMITS, differing
from batt.bench.runner import peak_bytes, reset_peak
from batt.errors import InternalError, UsageError
from batt.front import Deck, load_deck
from batt.jobs import ENGINES, choose_engine, evaluate, samples_of
from batt.runtime import check_workers
from batt.runtime.native import missing
from batt.tasks import Task, Tasks, load_tasks

TASKS = "arc1-training"
PATIENCE_S = 60.0
"""A forced engine is left out of a size that would take it longer."""
PASSES, ENOUGH_S = 15, 10.0
"""The most passes of a way, and the seconds after which it gets no further one."""
MEASURE = 10_000
"""The number of evaluations whose cost that of other sizes is held against."""


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
    forced = [each for each in ENGINES if each not in ("auto", "cpu") and _is_here(each)]
    return (*found, *[Way(each, each) for each in forced])


def _is_here(engine: str) -> bool:
    try:
        choose_engine(engine)
    except UsageError:
        return False
    return True


def sized(deck: Deck, tasks: Tasks, wanted: int) -> tuple[Deck, Tasks]:
    """Parts of the deck and tasks, or the tasks several times under other ids, for about that many evaluations.

    Solvers and tasks are evenly spread, so that those of a small size are much like those of a large one.
    """
    samples = sum([len(task.pairs) for task in tasks])
    each = samples / len(tasks)
    if wanted < len(deck) * each:
        chosen = tasks[len(tasks) // 2 :][:1]
        return _spread_deck(deck, max(1, round(wanted / len(chosen[0].pairs)))), chosen
    rounds, rest = divmod(round(wanted / len(deck)), samples)
    found: list[Task] = [replace(task, id=f"{task.id}+{number}") for number in range(rounds) for task in tasks]
    found += [tasks[at] for at in _spread(len(tasks), round(rest / each))]
    return deck, Tasks(tuple(found), tasks.source)


def _spread_deck(deck: Deck, count: int) -> Deck:
    return deck.select([deck.names[at] for at in _spread(len(deck), count)])


def _spread(total: int, count: int) -> list[int]:
    """So many places of a row of that length, evenly spread."""
    return [(2 * at + 1) * total // (2 * count) for at in range(count)]


def growth(
    exponent: int = 6, tell: Callable[[str], None] | None = None, gpu_memory: float | None = None
) -> dict[str, Any]:
    """Rates for ten evaluations up to ten to that power, as plain data."""
    deck, tasks = load_deck(), load_tasks(TASKS)
    rates: dict[str, float] = {}
    rows = []
    for power in range(1, exponent + 1):
        solvers, chosen = sized(deck, tasks, 10**power)
        total = len(solvers) * len(samples_of(chosen))
        if tell:
            tell(f"growth: {total:,} evaluations")
        passes, auto = _passes(solvers, chosen, total, rates, gpu_memory)
        times_s = {name: float(np.median(found)) for name, found in passes.items()}
        rates |= {name: total / found for name, found in times_s.items()}
        rows.append({
            "evaluations": total,
            "wall_s": times_s,
            "evaluations_per_s": {way.name: total / times_s[way.name] if way.name in times_s else None
                                  for way in ways()},
            "auto_of_best": _auto_of_best(passes),
            "auto_engine": auto.engine,
            "auto_peak_bytes": auto.peak_bytes,
        })  # fmt: skip
    return {
        "title": "built-in deck: evaluations/s by number of evaluations, starting included",
        "engines": [way.name for way in ways()],
        "rows": _with_costs(rows),
    }


def _auto_of_best(passes: dict[str, list[float]]) -> float | None:
    """The rate of `auto` as a part of the best forced engine's, by the quickest pass of each: others only add time."""
    forced = [min(found) for name, found in passes.items() if name != "auto"]
    return min(forced) / min(passes["auto"]) if forced else None


def _with_costs(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with what an evaluation costs by `auto`, as a multiple of that of the size nearest to `MEASURE`."""
    costs = [row["wall_s"]["auto"] / row["evaluations"] for row in rows]
    at = int(np.argmin([abs(np.log(row["evaluations"] / MEASURE)) for row in rows]))
    return [{**row, "auto_cost": cost / costs[at]} for row, cost in zip(rows, costs, strict=True)]


@dataclass(frozen=True, slots=True)
class Auto:
    """What the first pass of `auto` was: the engine it chose, and the most memory it had."""

    engine: str
    peak_bytes: int


def _passes(
    deck: Deck, tasks: Tasks, total: int, rates: dict[str, float], gpu_memory: float | None
) -> tuple[dict[str, list[float]], Auto]:
    """Seconds of passes by way, and what `auto` did; what would take too long is left out.

    Passes go round, so that all ways meet the same disturbances.
    """
    chosen = [way for way in ways() if way.engine == "auto" or total / rates.get(way.name, total) < PATIENCE_S]
    passes: dict[str, list[float]] = {way.name: [] for way in chosen}
    first: npt.NDArray[Any] | None = None
    auto = Auto("", 0)
    for number in range(PASSES):
        # Whoever is first meets other caches, so all are first in turn, `auto` in the first round.
        turned = chosen[number % len(chosen) :] + chosen[: number % len(chosen)]
        for way in [each for each in turned if sum(passes[each.name]) < ENOUGH_S]:
            reset_peak()
            started_s = time.perf_counter()
            results = evaluate(
                deck, tasks, engine=way.engine, workers=way.workers, limits=LIMITS, gpu_memory=gpu_memory
            )
            passes[way.name].append(time.perf_counter() - started_s)
            if results.interrupted:
                raise KeyboardInterrupt
            if first is None:
                first, auto = results.records, Auto(results.engine, peak_bytes())
            if differing(first, results.records).any():
                raise InternalError(f"{way.name}: outcomes differ from those of {chosen[0].name}")
    return passes, auto
