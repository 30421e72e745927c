"""The summary of a run. Owns which figures are told and how; scores come from the results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from batt.jobs import Results, own_task

SHOWN_HITS = 12
SHOWN_CAUSES = 5


def summary(results: Results) -> dict[str, Any]:
    """The figures of a run as plain data; `correct` is None where test outputs are unknown.

    `native` counts what the native engine finished, `fallbacks` by cause what it left to the reference engine.
    `not_run` is what an interrupt left, and in no other figure. `crashed` counts those of the timed-out evaluations
    that ended their worker process, `out_of_memory` those that needed more memory than a worker may use.
    """
    fits = results.fits
    ran = len(results) - results.not_run
    known = not results.tasks_without_answers
    correct = (fits & results.correct) if known else None
    return {
        "deck": results.deck.name,
        "solvers": len(results.deck),
        "tasks": len(results.tasks),
        "tasks_source": results.tasks.source,
        "engine": results.engine,
        "evaluations": ran,
        "not_run": results.not_run,
        "native": results.native,
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
        "tasks_correct": int(correct.any(axis=0).sum()) if correct is not None else None,
        "hits": _hits(results, fits, correct),
    }


def _hits(results: Results, fits: Any, correct: Any) -> list[dict[str, Any]]:
    """Every solver that fits a task, with whether it is correct there."""
    return [
        {
            "solver": results.deck.names[solver],
            "task": results.tasks.ids[task],
            "correct": None if correct is None else bool(correct[solver, task]),
        }
        for solver, task in np.argwhere(fits).tolist()
    ]


def summary_table(results: Results) -> RenderableType:
    """The figures of a run as a table for the terminal."""
    figures = summary(results)
    table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2))
    table.add_column(style="dim")
    table.add_column()
    for heading, line in _lines(figures):
        # As Text, since a name may hold what rich takes for markup.
        table.add_row(heading, Text(line))
    return Group(table, *_hit_lines(_foreign(results, figures["hits"])))


def _lines(figures: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The figures in words."""
    yield "deck", f"{figures['deck']}: {figures['solvers']:,} solvers"
    yield "tasks", f"{figures['tasks']:,} ({figures['tasks_source']})"
    yield "evaluations", f"{figures['evaluations']:,} on the {figures['engine']} engine"
    if figures["not_run"]:
        yield "not run", f"{figures['not_run']:,}: the run was interrupted"
    if figures["fallbacks"]:
        yield "ladder", _ladder(figures)
    yield "outcomes", ", ".join(f"{count:,} {word}" for word, count in figures["statuses"].items() if count)
    if figures["errors"]:
        yield "errors", ", ".join(f"{count:,} {kind}" for kind, count in figures["errors"].items())
    if figures["crashed"]:
        yield "crashed", f"{figures['crashed']:,} of those timed out ended their worker process"
    if figures["out_of_memory"]:
        told = f"{figures['out_of_memory']:,} of those timed out needed more memory than a worker may use"
        yield "memory", f"{told}; allow more with --memory, or use fewer workers"
    rate = f", {figures['evaluations_per_s']:,.0f} evaluations/s" if figures["evaluations_per_s"] else ""
    yield "time", f"{figures['wall_s']:,.1f} s{rate}"
    yield "fit", f"{figures['tasks_fitted']:,} tasks, by {figures['solvers_that_fit']:,} solvers"
    if figures["tasks_correct"] is None:
        yield "correct", "test outputs unknown"
    else:
        yield "correct", f"{figures['tasks_correct']:,} of the fitted tasks on their test pairs"


def _ladder(figures: dict[str, Any]) -> str:
    """What the native engine left to the reference engine, and why."""
    causes = figures["fallbacks"]
    shown = [f"{cause} {count:,}" for cause, count in list(causes.items())[:SHOWN_CAUSES]]
    if len(causes) > SHOWN_CAUSES:
        shown.append(f"{len(causes) - SHOWN_CAUSES:,} other causes")
    verb = "were left to" if figures["not_run"] else "ran on"
    total = figures["evaluations"] + figures["not_run"]
    return f"{sum(causes.values()):,} of {total:,} evaluations {verb} the reference engine: {', '.join(shown)}"


def _foreign(results: Results, hits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The fits beyond a solver's own task: they are what a person looks for."""
    ids = set(results.tasks.ids)
    return [hit for hit in hits if own_task(hit["solver"], ids) != hit["task"]]


def _hit_lines(foreign: list[dict[str, Any]]) -> list[RenderableType]:
    if not foreign:
        return []
    lines: list[RenderableType] = [Text(f"\nfits beyond a solver's own task: {len(foreign):,}", style="bold")]
    for hit in foreign[:SHOWN_HITS]:
        mark = {True: ("✓ correct", "green"), False: ("✗ not correct", "red"), None: ("? unknown", "dim")}
        word, style = mark[hit["correct"]]
        lines.append(Text.assemble("  ", hit["solver"], " fits ", hit["task"], "  ", (word, style)))
    if len(foreign) > SHOWN_HITS:
        lines.append(Text(f"  … and {len(foreign) - SHOWN_HITS:,} more", style="dim"))
    return lines
