"""`batt run`: the main job, with its progress, its summary and its files."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rich.console import Console

from batt.cli.options import add_deck, add_limits, add_tasks, read_deck, read_limits, read_tasks
from batt.cli.progress import progress_display
from batt.errors import UsageError
from batt.files import write_text
from batt.jobs import ENGINES, Results, evaluate, export
from batt.report import summary, summary_table


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = commands.add_parser("run", help="run a deck on tasks", description=__doc__)
    add_deck(parser)
    add_tasks(parser)
    parser.add_argument("-c", dest="count", type=int, metavar="N", help="only the first N tasks")
    parser.add_argument("--ids", nargs="+", metavar="ID", help="only these tasks")
    parser.add_argument("--own", action="store_true", help="run each solver only on the task in its name")
    add_limits(parser)
    parser.add_argument("--engine", default="auto", metavar="NAME", help=f"one of {', '.join(ENGINES)} (default: auto)")
    parser.add_argument("--workers", type=int, metavar="N", help="worker processes (default: one per core)")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write summary.json, results.jsonl and winners.py there"
    )
    parser.add_argument("--export", type=Path, metavar="FILE", help="write one JSON row per evaluation, sorted")
    parser.add_argument("--outputs", action="store_true", help="put the outputs into the exported rows")
    parser.add_argument("--with-engine", action="store_true", help="put the engine's name into the exported rows")
    parser.add_argument("--quiet", action="store_true", help="no progress, no summary")
    parser.add_argument("--json", action="store_true", help="the summary as JSON on standard output")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Run the deck on the tasks and tell what came of it."""
    check_targets(args)
    limits = read_limits(args)
    deck, tasks = read_deck(args), read_tasks(args).select(args.ids, args.count)
    with progress_display(args.quiet or args.json) as progress:
        results = evaluate(
            deck,
            tasks,
            own=args.own,
            engine=args.engine,
            limits=limits,
            workers=args.workers,
            outputs=args.outputs,
            progress=progress,
        )
    write_files(results, args)
    if args.json:
        print(json.dumps(summary(results), indent=2))
    elif not args.quiet:
        Console(highlight=False).print(summary_table(results))
    return 0


def check_targets(args: argparse.Namespace) -> None:
    """Refuse what cannot be written before an hour of work, not after it."""
    if args.outputs and not (args.export or args.out):
        raise UsageError("--outputs needs --export FILE or --out DIR")
    if args.export and not args.export.absolute().parent.is_dir():
        raise UsageError(f"{args.export}: no such folder")
    if args.export and args.export.is_dir():
        raise UsageError(f"{args.export}: is a folder")
    if args.out and args.out.exists() and not args.out.is_dir():
        raise UsageError(f"{args.out}: exists and is not a folder")


def write_files(results: Results, args: argparse.Namespace) -> None:
    """Write the files that the options ask for."""
    if args.export:
        export(results, args.export, outputs=args.outputs, with_engine=args.with_engine)
    if args.out:
        try:
            args.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{args.out}: cannot be made: {error.strerror}") from None
        export(results, args.out / "results.jsonl", outputs=args.outputs, with_engine=args.with_engine)
        write_text(args.out / "summary.json", json.dumps(summary(results), indent=2) + "\n")
        winners = results.winners()
        if len(winners):
            winners.save(args.out / "winners.py")
