"""Show a profile as tables in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from batt.profile.figures import Figures, Spent

SHOWN, SHOWN_NAMES = 12, 2
STANDARD = ("op", "solver", "pattern", "evaluation")
"""The views that are shown by default."""


def _named(row: Any) -> tuple[str, ...]:
    names = ", ".join(row.held_by[:SHOWN_NAMES])
    more = f" and {row.solvers - SHOWN_NAMES:,} more" if row.solvers > SHOWN_NAMES else ""
    return row.step + (" (shared)" if row.ahead else ""), names + more


VIEWS: dict[str, tuple[tuple[str, ...], str, Callable[[Any], tuple[str, ...]]]] = {
    "op": (("op", "family"), "calls", lambda row: (row.op, row.family)),
    "step": (("step", "solvers"), "calls", _named),
    "solver": (("solver",), "evaluations", lambda row: (row.solver,)),
    "pattern": (("loop",), "calls", lambda row: (row.pattern,)),
    "evaluation": (("evaluation",), "", lambda row: (f"{row.solver} on {row.task} {row.part}{row.index}",)),
}
"""For every view: the heads of its name columns, the head of its calls, and a function for the names of a row."""

INCLUSIVE = "inclusive: a loop's time includes that of its body, and of counting there"
NOTES = {
    "op": "a kernel's own time; machine: instructions, loops, function values, scoring, and counting",
    "step": INCLUSIVE,
    "pattern": INCLUSIVE,
}


def profile_tables(told: Figures, views: Sequence[str] = STANDARD, shown: int = SHOWN) -> RenderableType:
    """Return the head of a profile, then one table for each view."""
    parts: list[RenderableType] = [Text(line, style="bold" if not at else "dim") for at, line in enumerate(_head(told))]
    for view in views:
        parts += [Text(), _table(told, view, shown)]
    return Group(*parts)


def _head(told: Figures) -> list[str]:
    threads = "1 thread" if told.workers == 1 else f"{told.workers} threads"
    rate = told.timed / told.time_s if told.time_s else 0.0
    lines = [f"{told.deck}: {told.timed:,} evaluations, {_time(told.time_s)} in native code, {rate:,.0f}/s"]
    ahead = f", {_time(told.ahead_s)} of it for shared steps" if told.share else ""
    lines.append(f"{told.steps:,} steps; {_time(told.wall_s)} by the clock on {threads}{ahead}")
    if told.time_s:
        ops, instructions = told.ops_s / told.time_s, told.instructions_s / told.time_s
        lines.append(f"counted in passes of their own: ops, {ops:.2f} × as long; instructions, {instructions:.2f} ×")
    return [*lines, *told.notes]


def _table(told: Figures, view: str, shown: int) -> RenderableType:
    heads, calls, names = VIEWS[view]
    rows = getattr(told, f"by_{view}")
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    for at, head in enumerate(heads):
        table.add_column(f"by {head}" if not at else head, overflow="fold")
    for head in (*([calls] if calls else []), "steps", "time", "share"):
        table.add_column(head, justify="right", no_wrap=True)
    for row in rows[:shown]:
        # As texts: a name may look like markup.
        table.add_row(*map(Text, names(row)), *_cells(row.spent, bool(calls)))
    lines = [NOTES[view]] if view in NOTES else []
    lines += [f"{len(rows) - shown:,} more"] if len(rows) > shown and view != "evaluation" else []
    return Group(table, *[Text(line, style="dim") for line in ("; ".join(lines),) if line])


def _cells(spent: Spent, with_calls: bool) -> list[str]:
    cells = [_count(spent.calls)] if with_calls else []
    return [*cells, _count(spent.steps), _time(spent.time_s), f"{spent.share:.1%}"]


def _count(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _time(time_s: float) -> str:
    """Return a time in a suitable unit."""
    for unit, least in (("s", 1.0), ("ms", 1e-3)):
        if time_s >= least:
            return f"{time_s / least:,.2f} {unit}"
    return f"{time_s * 1e6:,.1f} µs"
