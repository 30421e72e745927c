"""`batt infer`: make variants of solvers that infer colours, mirrors and rotations from S, and run them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from batt.card.target import check_target
from batt.cli import options
from batt.cli.command import add_command
from batt.cli.output import print_rows, tell_note
from batt.errors import UsageError
from batt.jobs.progress import progress_display
from batt.variants import VariantFigures, infer_variants, report

SHOWN_HITS = 12


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "infer",
        summary="make variants of solvers, and run them",
        description="Make variants of solvers that infer a colour, a mirror or a rotation from the demonstrations, run "
        "them, and report which tasks they solve.",
        examples=(
            "batt infer --deck solvers.py --tasks arc1-evaluation",
            "batt infer --deck solvers.py -f variants.py",
        ),
    )
    options.add_deck(parser)
    options.add_tasks(parser)
    options.add_limits(parser)
    options.add_engine(parser)
    parser.add_argument(
        "-f", dest="file", type=Path, metavar="FILE", help="write the variants to FILE as a deck, and do not run them"
    )
    parser.add_argument("--quiet", action="store_true", help="do not show progress")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Make the variants, and write them or report what they solve."""
    if args.file and args.file.suffix != ".jsonl":
        check_target(args.file)
    limits, devices = options.read_limits(args), options.read_devices(args)
    deck, tasks = options.read_deck(args), options.read_tasks(args)
    variants = infer_variants(deck, tasks)
    if args.file:
        if not variants.variants:
            raise UsageError(f"{deck.name}: no solver has a variant; nothing to write to {args.file}")
        variants.deck.save(args.file)
        tell_note(f"{len(variants.variants):,} variants of {deck.name} are in {args.file}")
        return 0
    with progress_display(args.quiet or args.json) as progress:
        figures = report(
            variants, tasks, limits=limits, progress=progress, engine=args.engine, devices=devices,
            workers=args.workers, share=args.share, gpu_memory=args.gpu_memory,
        )  # fmt: skip
    if args.json:
        print(json.dumps(figures.as_json(), indent=2))
    else:
        print_rows(figures_table(figures), *[Text(line) for line in hit_lines(figures)])
    return 0


def figures_table(figures: VariantFigures) -> Table:
    """Return the figures in words."""
    sources = ", ".join(f"{count:,} {source}" for source, count in figures.by_source.items())
    table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2))
    table.add_column(style="dim")
    for heading, line in (
        ("variants", f"{figures.variants:,} of {figures.with_variants:,} solvers, out of {figures.solvers:,}"),
        ("from", sources),
        ("own task", f"{figures.same_on_own_task:,} infer just the constants of the solver"),
        ("", f"{figures.correct_on_own_task:,} are right, {figures.correct_though_not_same:,} of them with others"),
        ("another task", f"{figures.fit_another_task:,} are right on one: all demonstrations, all tests"),
        ("new tasks", f"{len(figures.new):,} that no solver of the deck gets right"),
    ):
        table.add_row(heading, Text(line))
    return table


def hit_lines(figures: VariantFigures) -> list[str]:
    """Return lines about variants that solve tasks that the deck does not."""
    found = [f"  {name} solves {task}" for name, task in figures.hits if task in figures.new]
    more = len(found) - SHOWN_HITS
    return [*found[:SHOWN_HITS], *([f"  … and {more:,} more"] if more > 0 else [])]
