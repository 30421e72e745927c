"""Options and output of `batt bench solve SPLIT`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from batt.bench.solving import (
    DEVELOPMENT,
    SolveTotals,
    evidence_lines,
    layers_named,
    measure_rows,
    measure_solving,
    named_decks,
    split_tasks,
)
from batt.bench.solving_tables import layer_rows, rows_table, solving_table
from batt.cli.output import print_rows, tell_note
from batt.cli.solving_display import solving_progress
from batt.errors import UsageError
from batt.files import write_text
from batt.solving import Layer, Solutions

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
    engines = [each.strip() for each in (args.engines or "auto").split(",")]
    if len(engines) > 1 and (args.records or args.table):
        raise UsageError("several engines are compared in one run: leave out --records and --table")

    def measured(
        layers: frozenset[Layer], records: Path | None = None, engine: str = engines[0]
    ) -> tuple[SolveTotals, Solutions]:
        with solving_progress(count, is_quiet=False) as progress:
            told, solutions = measure_solving(
                split, decks, sample=args.sample, seconds=args.time, effort=args.effort, engine=engine,
                workers=args.workers, layers=layers, on_solution=progress, tell=tell_note,
            )  # fmt: skip
        if solutions.interrupted:
            raise KeyboardInterrupt
        if records:
            write_text(records, "".join([f"{line}\n" for line in evidence_lines(split, solutions)]))
        return told, solutions

    layers = layers_named(args.layers)
    if len(engines) > 1:
        return compare_engines(engines, lambda engine: measured(layers, None, engine), args, write)
    if args.table is None:
        told, _ = measured(layers, args.records)
        print_rows(solving_table(told))
        write(args, {"solve": asdict(told)}, "")
        return 0
    return measure_layers([layer for layer in Layer if layer in layers], split, args, write)


def measure_layers(layers: Sequence[Layer], split: str, args: argparse.Namespace, write: Write) -> int:
    """Print a row for all layers, for each alone and for each left out. The file has the rows that are done."""
    asked = layer_rows(layers)
    rows: dict[str, SolveTotals] = {}
    count = len(asked) * len(split_tasks(split, args.sample))
    with solving_progress(count, is_quiet=False) as progress:
        for name, told in measure_rows(
            split, named_decks(args.deck), asked, sample=args.sample, seconds=args.time, effort=args.effort,
            workers=args.workers, on_solution=progress,
        ):  # fmt: skip
            rows[name] = told
            write(args, {"solve": {each: asdict(rows[each]) for each in asked if each in rows}}, "")
    table = {name: rows[name] for name in asked}
    print_rows(solving_table(table["all"]), "", rows_table(table))
    return 0


def compare_engines(
    engines: Sequence[str],
    measured: Callable[[str], tuple[SolveTotals, Solutions]],
    args: argparse.Namespace,
    write: Write,
) -> int:
    """Measure each engine, and compare all answers with those of the first; return 1 if some differ."""
    rows: dict[str, SolveTotals] = {}
    first: Solutions | None = None
    differing = 0
    for engine in engines:
        rows[engine], solutions = measured(engine)
        first = solutions if first is None else first
        # A task that the clock stopped depends on the machine.
        pairs = [each for each in zip(first, solutions, strict=True) if not any(one.was_stopped for one in each)]
        different = sum([one != other for one, other in pairs])
        differing += different
        tell_note(f"{engine}: {len(pairs) - different:,} of {len(pairs):,} tasks have the answers of {engines[0]}")
        write(args, {"solve": {name: asdict(told) for name, told in rows.items()}, "differing": differing}, "")
    print_rows(rows_table(rows, "engine"))
    return 1 if differing else 0
