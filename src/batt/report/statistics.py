"""The figures of a compiled deck as a table for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from batt.compiler import Batt, Statistics

SHOWN_OPS = 12


def statistics_table(batt: Batt, figures: Statistics) -> RenderableType:
    """Return a table of how much work a deck shares."""
    table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    table.add_row("solvers", f"{figures.solvers:,} compiled, {len(figures.left_out):,} not compiled")
    table.add_row("steps in the source", f"{figures.source_steps:,}")
    table.add_row("steps, functions compiled away", f"{figures.steps:,}")
    share = figures.steps / figures.shared_steps if figures.shared_steps else 1.0
    table.add_row("distinct steps", f"{figures.shared_steps:,}: each exists once, {share:.2f} × fewer")
    table.add_row("by level", ", ".join(f"{count:,} {level}" for level, count in figures.levels.items()))
    table.add_row("loop and choice bodies", f"{figures.bodies:,} with {figures.body_steps:,} distinct steps")
    for pattern, count in figures.patterns.items():
        table.add_row(pattern, f"{count:,}")
    most = list(figures.ops.items())[:SHOWN_OPS]
    table.add_row("most frequent", ", ".join(f"{op} {count:,}" for op, count in most))
    if figures.measured_steps:
        costly = list(figures.measured_steps.items())[:SHOWN_OPS]
        table.add_row("most steps, measured", ", ".join(f"{op} {share:.1%}" for op, share in costly))
    lines: list[RenderableType] = [Text(f"not compiled: {name}: {why}") for name, why in figures.left_out.items()]
    for each in batt.impossible:
        place = batt.deck[each.slice].place
        lines.append(Text(f"never succeeds: {place.file}:{each.line}: {each.message}"))
    return Group(table, *lines)
