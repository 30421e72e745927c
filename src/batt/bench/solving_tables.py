"""Tables of `batt bench solve`: the totals of a split in words, and many runs as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from batt.bench.solving import Counted, SolveTotals
from batt.solving import Layer


def solving_table(told: SolveTotals) -> Table:
    """Return the totals in words."""
    table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    ended = [f"{bound:g} s: {right:,} of {given:,}" for bound, (given, right) in told.within_s.items()]
    sure = [f"from {bound:.0%}: {right:,} of {given:,}" for bound, (given, right) in told.by_sure.items()]
    for heading, line in (
        ("split", f"{told.split}, {told.tasks:,} tasks, {told.outputs:,} test outputs"),
        ("solved", f"{told.solved:,} tasks in two attempts, {told.solved_at_first:,} in one"),
        ("outputs", f"{told.outputs_right:,} test outputs right"),
        ("answered", f"{told.answered:,} tasks have an answer for every test input"),
        ("first answers", _shares(told.by_layer)),
        ("by certainty", ", ".join(sure)),
        ("by evidence", _shares(told.by_evidence)),
        ("within", ", ".join(ended)),
        ("programs", f"{told.median_steps:,} steps in the median, {told.dropped:,} dropped"),
        ("work", f"{told.work / 1e6:,.0f} million units, {told.stopped:,} tasks stopped by the clock"),
        ("CPU time", f"{told.cpu_s:,.1f} s, {told.cpu_s / max(told.tasks, 1):.2f} s a task"),
    ):
        table.add_row(heading, line)
    if told.wall_s:
        table.add_row("wall time", f"{told.wall_s:,.1f} s")
    if told.failed:
        table.add_row("failed", f"{told.failed:,} tasks, whose processes ended")
    return table


def _shares(counts: Counted) -> str:
    return ", ".join([f"{name} {right:,} of {given:,}" for name, (given, right) in counts.items()])


def layer_rows(layers: Sequence[Layer]) -> dict[str, frozenset[Layer]]:
    """Return the rows of a table of layers: all, each alone, and each left out."""
    whole = frozenset(layers)
    rows = {"all": whole}
    rows |= {f"{layer.name.lower()} alone": frozenset({layer}) for layer in layers}
    return rows | {f"without {layer.name.lower()}": whole - {layer} for layer in layers}


def rows_table(rows: Mapping[str, SolveTotals], what: str = "layers") -> Table:
    """Return runs as rows: what they solved, and what they took."""
    table = Table(what, box=None, pad_edge=False, padding=(0, 2))
    has_wall = any(told.wall_s for told in rows.values())
    for heading in ("solved", "in one", "answered", "first right", "CPU s a task", *["wall s"] * has_wall):
        table.add_column(heading, justify="right")
    for name, told in rows.items():
        given, right = [sum(column) for column in zip(*told.by_layer.values(), strict=True)] or [0, 0]
        wall = [f"{told.wall_s:,.1f}"] * has_wall
        table.add_row(
            name, f"{told.solved:,}", f"{told.solved_at_first:,}", f"{told.answered:,}", f"{right:,} of {given:,}",
            f"{told.cpu_s / max(told.tasks, 1):.2f}", *wall,
        )  # fmt: skip
    return table
