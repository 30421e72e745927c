"""Tables of `batt bench solve`: the totals of a split in words, and many runs as rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.table import Table

from batt.bench.solving import Counted, SolveTotals
from batt.solving import Layer

Measured = Callable[[frozenset[Layer]], SolveTotals]


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
    if told.failed:
        table.add_row("failed", f"{told.failed:,} tasks, whose processes ended")
    return table


def _shares(counts: Counted) -> str:
    return ", ".join([f"{name} {right:,} of {given:,}" for name, (given, right) in counts.items()])


def layer_rows(measured: Measured, layers: Sequence[Layer]) -> Iterator[tuple[str, SolveTotals]]:
    """Yield the totals with all layers, with each alone, and with each left out."""
    yield "all", measured(frozenset(layers))
    for layer in layers:
        yield f"{layer.name.lower()} alone", measured(frozenset({layer}))
    for layer in layers:
        yield f"without {layer.name.lower()}", measured(frozenset(layers) - {layer})


def rows_table(rows: Mapping[str, SolveTotals]) -> Table:
    """Return runs as rows: what they solved, and what they took."""
    table = Table("layers", box=None, pad_edge=False, padding=(0, 2))
    for heading in ("solved", "in one", "answered", "first right", "CPU s a task"):
        table.add_column(heading, justify="right")
    for name, told in rows.items():
        given, right = [sum(column) for column in zip(*told.by_layer.values(), strict=True)] or [0, 0]
        table.add_row(
            name, f"{told.solved:,}", f"{told.solved_at_first:,}", f"{told.answered:,}", f"{right:,} of {given:,}",
            f"{told.cpu_s / max(told.tasks, 1):.2f}",
        )  # fmt: skip
    return table
