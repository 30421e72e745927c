"""Options and output of `batt bench solve SPLIT`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from batt.bench.solving import (
    DEVELOPMENT,
    SolveTotals,
    evidence_lines,
    layers_named,
    measure_solving,
    named_decks,
    split_tasks,
)
from batt.bench.solving_tables import layer_rows, rows_table, solving_table
from batt.cli.output import print_rows, tell_note
from batt.cli.solving_display import solving_progress
from batt.errors import UsageError
from batt.files import write_text
from batt.solving import Layer

Write = Callable[[argparse.Namespace, dict[str, Any], str], None]


def add_solving(parser: argparse.ArgumentParser) -> None:
    """Add the options of `batt bench solve SPLIT`."""
    parser.add_argument(
        "--time", type=float, metavar="SECONDS", help="with `solve SPLIT`: CPU seconds for each task, about"
    )
    parser.add_argument("--effort", type=int, metavar="N", help="with `solve SPLIT`: units of work for each task")
    parser.add_argument("--sample", type=int, metavar="N", help="with `solve SPLIT`: only N tasks, drawn by a seed")
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="with `solve SPLIT`: number of processes; with `states` and `columns`: of threads (default: 1; "
        "for `columns` one for each core)",
    )
    parser.add_argument("--layers", metavar="LIST", help="with `solve SPLIT`: layers to use; -NAME leaves one out")
    parser.add_argument(
        "--table", choices=["layers"], help="with `solve SPLIT`: a row for each layer alone, and for each left out"
    )
    parser.add_argument(
        "--records", type=Path, metavar="FILE",
        help="with `solve SPLIT`: write what speaks for each output, and whether it is right, as JSON lines",
    )  # fmt: skip


def run_solving(args: argparse.Namespace, write: Write) -> int:
    """Solve the tasks of a split, and print totals."""
    split = args.cases[1]
    if args.records and (split not in DEVELOPMENT or args.table):
        raise UsageError(f"--records goes with one run of a development split: {', '.join(DEVELOPMENT)}")
    count, decks = len(split_tasks(split, args.sample)), named_decks(args.deck)

    def measured(layers: frozenset[Layer], records: Path | None = None) -> SolveTotals:
        with solving_progress(count, is_quiet=False) as progress:
            told, solutions = measure_solving(
                split, decks, sample=args.sample, seconds=args.time, effort=args.effort,
                workers=args.workers, layers=layers, on_solution=progress,
            )  # fmt: skip
        if solutions.interrupted:
            raise KeyboardInterrupt
        if records:
            write_text(records, "".join([f"{line}\n" for line in evidence_lines(split, solutions)]))
        return told

    layers = layers_named(args.layers)
    if args.table is None:
        told = measured(layers, args.records)
        print_rows(solving_table(told))
        write(args, {"solve": asdict(told)}, "")
        return 0
    rows = {}
    for name, told in layer_rows(measured, [layer for layer in Layer if layer in layers]):
        rows[name] = told
        tell_note(f"{name}: {told.solved:,} of {told.tasks:,} solved")
        write(args, {"solve": {name: asdict(told) for name, told in rows.items()}}, "")
    print_rows(rows_table(rows))
    return 0
