"""Measure how the rate grows with the number of evaluations.

Each size is run by `evaluate`, as users do: compiling, starting and collecting count, reading the deck and tasks does
not.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from batt.bench.frozen import FIRST_132, first_132
from batt.bench.measure import LIMITS, differing
from batt.bench.passes import peak_bytes, reset_peak
from batt.errors import InternalError, UsageError
from batt.front import Deck
from batt.jobs import ENGINES, Results, choose_engine, evaluate, samples_of
from batt.runtime import check_workers
from batt.runtime.native import missing
from batt.tasks import Task, Tasks, load_tasks

TASKS = "arc1-training"
PATIENCE_S = 60.0
"""A forced engine is omitted from a size that would take it longer."""
PASSES, ENOUGH_S = 15, 10.0
"""The most passes of an engine, and the seconds after which it gets no further pass."""
MEASURE = 10_000
"""The number of evaluations whose cost is compared with that of other sizes."""
AUTO = "auto"

Forced: TypeAlias = tuple[str, int | None]
"""An engine and its number of workers."""


def ways() -> dict[str, Forced]:
    """Return `auto`, and every engine that is available, by name."""
    found: dict[str, Forced] = {AUTO: (AUTO, None)}
    if missing() is None:
        found |= {f"cpu:{count}": ("cpu", count) for count in (1, check_workers(None))}
    return found | {each: (each, None) for each in ENGINES if each not in (AUTO, "cpu") and _is_here(each)}


def _is_here(engine: str) -> bool:
    try:
        choose_engine(engine)
    except UsageError:
        return False
    return True


def sized(deck: Deck, tasks: Tasks, wanted: int) -> tuple[Deck, Tasks]:
    """Return parts of the deck and tasks, or the tasks repeated under other ids, for about `wanted` evaluations.

    Solvers and tasks are evenly spread, so that those of a small size resemble those of a large one.
    """
    samples = sum([len(task.pairs) for task in tasks])
    each = samples / len(tasks)
    if wanted < len(deck) * each:
        chosen = tasks[len(tasks) // 2 :][:1]
        count = max(1, round(wanted / len(chosen[0].pairs)))
        return deck.select([deck.names[at] for at in _spread(len(deck), count)]), chosen
    rounds, rest = divmod(round(wanted / len(deck)), samples)
    found: list[Task] = [replace(task, id=f"{task.id}+{number}") for number in range(rounds) for task in tasks]
    found += [tasks[at] for at in _spread(len(tasks), round(rest / each))]
    return deck, Tasks(tuple(found), tasks.source)


def _spread(total: int, count: int) -> list[int]:
    """Return `count` of `total` positions, evenly spread."""
    return [(2 * at + 1) * total // (2 * count) for at in range(count)]


def growth(
    exponent: int = 6, tell: Callable[[str], None] = lambda text: None, gpu_memory: float | None = None
) -> dict[str, Any]:
    """Return the rates for 10 evaluations up to 10 to the power of `exponent`, as plain data."""
    deck, tasks = first_132(), load_tasks(TASKS)
    rates: dict[str, float] = {}
    rows = []
    for power in range(1, exponent + 1):
        solvers, chosen = sized(deck, tasks, 10**power)
        total = len(solvers) * len(samples_of(chosen))
        tell(f"growth: {total:,} evaluations")
        passes, engine, peak = _passes(solvers, chosen, total, rates, gpu_memory)
        times_s = {name: float(np.median(found)) for name, found in passes.items()}
        rates |= {name: total / found for name, found in times_s.items()}
        rows.append({
            "evaluations": total,
            "wall_s": times_s,
            "evaluations_per_s": {name: total / times_s[name] if name in times_s else None for name in ways()},
            "auto_of_best": _auto_of_best(passes),
            "auto_engine": engine,
            "auto_peak_bytes": peak,
        })  # fmt: skip
    return {
        "title": f"{FIRST_132}: evaluations/s by number of evaluations, starting included",
        "engines": list(ways()),
        "rows": _with_costs(rows),
    }


def _auto_of_best(passes: dict[str, list[float]]) -> float | None:
    """Return the rate of `auto` ÷ that of the best forced engine, by the fastest pass of each: others only add time."""
    forced = [min(found) for name, found in passes.items() if name != AUTO]
    return min(forced) / min(passes[AUTO]) if forced else None


def _with_costs(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add to each row the cost of an evaluation by `auto`, relative to that of the size nearest to `MEASURE`."""
    costs = [row["wall_s"][AUTO] / row["evaluations"] for row in rows]
    at = int(np.argmin([abs(np.log(row["evaluations"] / MEASURE)) for row in rows]))
    return [{**row, "auto_cost": cost / costs[at]} for row, cost in zip(rows, costs, strict=True)]


def _passes(
    deck: Deck, tasks: Tasks, total: int, rates: dict[str, float], gpu_memory: float | None
) -> tuple[dict[str, list[float]], str, int]:
    """Return the seconds of all passes by name, and the engine and the memory of the first pass of `auto`.

    Passes take turns, so that all meet the same disturbances. An engine that would take too long is omitted.
    """
    chosen = [name for name in ways() if name == AUTO or total / rates.get(name, total) < PATIENCE_S]
    passes: dict[str, list[float]] = {name: [] for name in chosen}
    first: Results | None = None
    peak = 0
    for number in range(PASSES):
        # The first of a round meets other caches, so all are first in turn, `auto` in the first round.
        turn = number % len(chosen)
        for name in [each for each in chosen[turn:] + chosen[:turn] if sum(passes[each]) < ENOUGH_S]:
            engine, workers = ways()[name]
            reset_peak()
            started_s = time.perf_counter()
            results = evaluate(deck, tasks, engine=engine, workers=workers, limits=LIMITS, gpu_memory=gpu_memory)
            passes[name].append(time.perf_counter() - started_s)
            if results.interrupted:
                raise KeyboardInterrupt
            if first is None:
                first, peak = results, peak_bytes()
            if differing(first.records, results.records).any():
                raise InternalError(f"{name}: outcomes differ from those of {chosen[0]}")
    assert first is not None
    return passes, first.engine, peak
