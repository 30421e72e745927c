"""The summary of a run: its figures as data and as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from batt.jobs import Results, own_task, task_names
from batt.report.misses import misses
from batt.tasks.model import counted

SHOWN_HITS = 12
SHOWN_NEAREST = 5
SHOWN_SOLVERS = 4
SHOWN_CAUSES = 5

_MARKS = {
    "correct": ("✓ correct", "green"),
    "not correct": ("✗ not correct", "red"),
    "not run": ("? not run", "dim"),
    "unknown": ("? unknown", "dim"),
}
_OUTCOMES = {"ok": "ok", "raised": "raised an error", "over_budget": "over budget", "timed_out": "timed out"}


def summary(results: Results) -> dict[str, Any]:
    """Return the figures of a run as plain data.

    `native` counts the evaluations that native code finished, `cached` those whose outcomes came from the cache, and
    `fallbacks` those deferred to the reference engine, by cause. `not_run` counts what an interrupt left, and is in no
    other figure. `crashed` counts the timed-out evaluations that ended their worker process, `out_of_memory` those that
    needed more memory than a worker may use. A hit's `correct` is None if test outputs are unknown, or if some test
    pairs were not run and all others are equal; tasks not known to be correct for the latter reason are
    `tasks_undecided`.
    """
    fits = results.fits
    ran = len(results) - results.not_run
    known = not results.tasks_without_answers
    correct: Any = (fits & results.correct) if known else None
    undecided: Any = (fits & results.undecided) if known else None
    return {
        "deck": results.deck.name,
        "solvers": len(results.deck),
        "tasks": len(results.tasks),
        "tasks_source": results.tasks.source,
        "engine": results.engine,
        "own": not results.evaluations.is_product,
        "interrupted": results.interrupted,
        "evaluations": ran,
        "not_run": results.not_run,
        "native": results.native,
        "cached": results.cached,
        "fallbacks": dict(sorted(results.fallbacks.items(), key=lambda each: (-each[1], each[0]))),
        "statuses": dict(results.counts),
        "errors": dict(results.error_counts),
        "crashed": results.crashed,
        "out_of_memory": results.out_of_memory,
        "limits": {
            "steps": results.limits.steps,
            "items": results.limits.max_items,
            "wall_s": results.limits.wall_s,
            "memory_bytes": results.limits.memory_bytes,
        },
        "steps": results.steps,
        "wall_s": round(results.wall_s, 3),
        "evaluations_per_s": round(ran / results.wall_s, 1) if results.wall_s else None,
        "solvers_that_fit": int(fits.any(axis=1).sum()),
        "tasks_fitted": int(fits.any(axis=0).sum()),
        "tasks_correct": _tasks(correct),
        "tasks_undecided": None if correct is None else _tasks(undecided & ~correct.any(axis=0)),
        "hits": _hits(results, fits, correct, undecided),
        "misses": [miss.as_json() | {"reason": miss.reason} for miss in misses(results, fits)],
    }


def _tasks(found: Any) -> int | None:
    """Return the number of tasks that some solver is marked for."""
    return None if found is None else int(found.any(axis=0).sum())


def _hits(results: Results, fits: Any, correct: Any, undecided: Any) -> list[dict[str, Any]]:
    """Return every solver that fits a task, and whether it is correct there."""
    return [
        {
            "solver": results.deck.names[solver],
            "task": results.tasks.ids[task],
            "correct": None if correct is None or undecided[solver, task] else bool(correct[solver, task]),
        }
        for solver, task in np.argwhere(fits).tolist()
    ]


def summary_table(results: Results, figures: dict[str, Any] | None = None, every: bool = False) -> RenderableType:
    """Return a table for the terminal with the figures, hits and misses: the first of them, or `every` one."""
    figures = summary(results) if figures is None else figures
    table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2))
    table.add_column(style="dim")
    table.add_column()
    for heading, line in _lines(figures):
        # As Text, because rich could read a name as markup.
        table.add_row(heading, Text(line))
    return Group(table, *_hit_lines(results, figures, every), *_miss_lines(figures, every))


def _lines(figures: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the figures in words."""
    yield "deck", f"{figures['deck']}: {counted(figures['solvers'], 'solver')}"
    yield "tasks", f"{figures['tasks']:,} ({figures['tasks_source']})"
    yield "evaluations", f"{figures['evaluations']:,} on the {figures['engine']} engine"
    if figures["cached"]:
        yield "from the cache", f"{figures['cached']:,}"
    if figures["not_run"]:
        yield "not run", f"{figures['not_run']:,}: the run was interrupted"
    if figures["fallbacks"]:
        yield "fallback", _fallback(figures)
    yield "outcomes", ", ".join(f"{count:,} {_OUTCOMES[word]}" for word, count in figures["statuses"].items() if count)
    if figures["errors"]:
        yield "errors", ", ".join(f"{count:,} {kind}" for kind, count in figures["errors"].items())
    if figures["crashed"]:
        yield "crashed", f"{figures['crashed']:,} of those timed out ended their worker process"
    if figures["out_of_memory"]:
        told = f"{figures['out_of_memory']:,} of those timed out needed more memory than a worker may use"
        yield "memory", f"{told}; allow more with --memory, or use fewer workers"
    rate = f", {figures['evaluations_per_s']:,.0f} evaluations/s" if figures["evaluations_per_s"] else ""
    yield "time", f"{figures['wall_s']:,.1f} s{rate}"
    fitted = f"{figures['tasks_fitted']:,} of {counted(figures['tasks'], 'task')}"
    yield "fit", f"{fitted}, by {counted(figures['solvers_that_fit'], 'solver')}: all demonstrations come out equal"
    if figures["tasks_correct"] is None:
        yield "correct", "test outputs unknown"
        return
    undecided = figures["tasks_undecided"]
    more = f"; not known for {undecided:,} more, whose test pairs were not all run" if undecided else ""
    yield "correct", f"{figures['tasks_correct']:,} of the fitted tasks: the test outputs come out equal, too{more}"


def _fallback(figures: dict[str, Any]) -> str:
    """Return how many evaluations were deferred to the reference engine, and why."""
    causes = figures["fallbacks"]
    shown = [f"{cause} {count:,}" for cause, count in list(causes.items())[:SHOWN_CAUSES]]
    if len(causes) > SHOWN_CAUSES:
        shown.append(f"{len(causes) - SHOWN_CAUSES:,} other causes")
    verb = "were left to" if figures["not_run"] else "ran on"
    total = figures["evaluations"] + figures["not_run"]
    return f"{sum(causes.values()):,} of {total:,} evaluations {verb} the reference engine: {', '.join(shown)}"


def _hit_lines(results: Results, figures: dict[str, Any], every: bool) -> list[RenderableType]:
    """Return the hits of interest: beyond a solver's own task, or on it and not known to be correct."""
    ids = {name for task in results.tasks.ids for name in task_names(task)}
    own: list[Text] = []
    foreign: dict[str, list[Text]] = {}
    for hit in figures["hits"]:
        verdict = _verdict(hit, figures)
        if own_task(hit["solver"], ids) not in task_names(hit["task"]):
            note = "" if hit["correct"] else f" ({verdict})"
            foreign.setdefault(hit["task"], []).append(Text.assemble(hit["solver"], (note, _MARKS[verdict][1])))
        elif not hit["correct"] and figures["tasks_correct"] is not None:
            own.append(Text.assemble("  ", hit["solver"], " fits ", hit["task"], "  ", _MARKS[verdict]))
    tasks = [_fitting(task, solvers, every) for task, solvers in sorted(foreign.items())]
    heading = "tasks fitted by solvers of other tasks, correct unless noted"
    return [
        *_listed("fits of a solver's own task, but not known to be correct", own, SHOWN_HITS, every),
        *_listed(heading, tasks, SHOWN_HITS, every),
    ]


def _fitting(task: str, solvers: list[Text], every: bool) -> Text:
    """Return a task with the solvers that fit it, or the first of them."""
    shown = solvers if every else solvers[:SHOWN_SOLVERS]
    more = f" and {len(solvers) - len(shown):,} more" if len(shown) < len(solvers) else ""
    return Text.assemble("  ", task, "  ", Text(", ").join(shown), (more, "dim"))


def _verdict(hit: dict[str, Any], figures: dict[str, Any]) -> str:
    if hit["correct"] is None:
        return "unknown" if figures["tasks_correct"] is None else "not run"
    return "correct" if hit["correct"] else "not correct"


def _miss_lines(figures: dict[str, Any], every: bool) -> list[RenderableType]:
    """Return solvers that do not fit their own task, or the nearest solver of each task that none fits."""
    missed = figures["misses"]
    if figures["own"]:
        # A solver's name gives its task, unless that is a transform or has a namesake.
        lines = [
            Text(f"  {miss['solver']}" + f" on {miss['task']}" * (not own_task(miss["solver"], {miss["task"]})))
            + Text(f": {miss['reason']}")
            for miss in missed
        ]
        return _listed("did not fit", lines, SHOWN_HITS, every)
    lines = [Text(f"  {miss['task']}: {miss['solver']}: {miss['reason']}") for miss in missed]
    return _listed("tasks that no solver fits, with the nearest solver", lines, SHOWN_NEAREST, every)


def _listed(heading: str, lines: list[Text], most: int, every: bool) -> list[RenderableType]:
    """Return `lines` below a heading that counts them; at most `most` of them unless `every` is set."""
    if not lines:
        return []
    shown: list[RenderableType] = [Text(f"\n{heading}: {len(lines):,}", style="bold")]
    shown += lines if every else lines[:most]
    if len(lines) > most and not every:
        shown.append(Text(f"  … and {len(lines) - most:,} more (--all)", style="dim"))
    return shown
