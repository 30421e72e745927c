"""`batt stats`: show how the solvers of a deck use the language."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.table import Table

from batt.cli import options
from batt.cli.command import add_command
from batt.cli.output import print_rows
from batt.errors import UsageError
from batt.files import write_text
from batt.statistics import DeckStatistics, ProducerKind, count_statistics, json_text
from batt.tasks.model import counted

SHOWN, SHOWN_PRODUCERS, SHOWN_LITERALS = 20, 3, 8


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "stats",
        summary="show how solvers use the language",
        description="Show how solvers use the language: the length and shape of programs, what the arguments of each "
        "op are, and the constants, functions and ops that solvers use. Nothing is run.",
        examples=("batt stats", "batt stats solvers.py --top 40 --json statistics.json"),
    )
    options.add_deck(parser)
    parser.add_argument("--top", type=int, default=SHOWN, metavar="N", help=f"ops to show (default: {SHOWN})")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all counts as JSON to FILE, and print nothing")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Count and print, or write, the statistics of a deck."""
    if args.top < 1:
        raise UsageError(f"--top is a number of ops greater than zero, got {args.top}")
    deck = options.read_deck(args)
    statistics = count_statistics(deck)
    if args.json is not None:
        write_text(args.json, json_text(statistics))
        return 0
    head = f"{deck.name}: {counted(statistics.solvers, 'solver')}, {counted(sum(statistics.reads.values()), 'step')}"
    tables = (
        shape_table(statistics),
        op_table(statistics, args.top),
        literal_table(statistics),
        group_table(statistics),
    )
    print_rows(head, *[each for table in tables for each in ("", table)])
    return 0


def shape_table(statistics: DeckStatistics) -> RenderableType:
    """Return the lengths and shapes of programs: least, median, mean and most."""
    table = _table("", "least", "median", "mean", "most")
    distributions = {
        "steps of a solver": statistics.steps,
        "longest chain of steps": statistics.depths,
        "most steps of one depth": statistics.widths,
        "reads of a step's value": statistics.reads,
    }
    for name, counts in distributions.items():
        values = sorted(Counter(counts).elements())
        if values:
            mean = f"{sum(values) / len(values):.1f}"
            table.add_row(name, f"{values[0]:,}", f"{values[len(values) // 2]:,}", mean, f"{values[-1]:,}")
    return table


def op_table(statistics: DeckStatistics, top: int) -> RenderableType:
    """Return the ops that are called most, and what their arguments are."""
    table = _table("op", "calls", "as a function", "most frequent arguments", left=3)
    for op, calls in statistics.total_calls.most_common(top):
        as_function = statistics.uses_as_function(op).total()
        arguments = [_most_common(each, SHOWN_PRODUCERS) for each in statistics.arguments.get(op, ())]
        for at, text in enumerate(arguments or [""]):
            first = (op, f"{calls:,}", f"{as_function:,}") if not at else ("", "", "")
            table.add_row(*first, f"{at}: {text}" if text else "")
    return table


def literal_table(statistics: DeckStatistics) -> RenderableType:
    """Return the most frequent literals of each kind."""
    table = _table("literals", "count", "most frequent", left=2)
    for kind in ProducerKind:
        if kind.is_literal and (found := statistics.literals(kind)):
            table.add_row(kind.value, f"{found.total():,}", _most_common(found, SHOWN_LITERALS))
    return table


def group_table(statistics: DeckStatistics) -> RenderableType:
    """Return the most frequent ops of each group of solvers."""
    table = _table("group", "calls", "most frequent", left=2)
    for title, calls in statistics.calls.items():
        table.add_row(title, f"{sum(calls.values()):,}", _most_common(calls, SHOWN_LITERALS))
    return table


def _table(*headings: str, left: int | None = None) -> Table:
    """Return a table whose first column and column `left` are text, the others numbers."""
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for at, heading in enumerate(headings):
        table.add_column(heading, justify="left" if at in (0, left) else "right", no_wrap=at != left)
    return table


def _most_common(counts: Mapping[Any, int], shown: int) -> str:
    """Return the most frequent items with their share."""
    total = sum(counts.values())
    return ", ".join([f"{item} {count / total:.0%}" for item, count in Counter(counts).most_common(shown)])
