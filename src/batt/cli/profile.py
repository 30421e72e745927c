"""`batt profile`: show where run time goes, by op, step, solver, pattern and evaluation."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from batt import __version__
from batt.check.deck import drawn
from batt.cli import options
from batt.cli.command import add_command
from batt.cli.output import print_rows
from batt.errors import UsageError
from batt.files import write_text
from batt.front import Deck
from batt.jobs.matching import match_all, match_own
from batt.jobs.progress import progress_display
from batt.profile.figures import MACHINE, Figures, figures
from batt.profile.run import profile
from batt.profile.table import SHOWN, STANDARD, VIEWS, profile_tables
from batt.profile.treemap import Leaf, LeafGroup, treemap_svg
from batt.runtime import check_workers
from batt.runtime.evaluations import Evaluations
from batt.tasks import Tasks


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "profile",
        summary="show where run time goes",
        description="Show where run time goes on the cpu engine: by op, step, solver, pattern (a loop and the ops in "
        "its body) and evaluation.",
        examples=(
            "batt profile --deck solvers.py --sample 20000",
            "batt profile --own --by step --top 30 --svg ops.svg",
        ),
    )
    options.add_deck(parser)
    options.add_tasks(parser)
    options.add_sample(parser, "profile")
    parser.add_argument(
        "--by", action="append", choices=list(VIEWS), metavar="VIEW",
        help=f"one of {', '.join(VIEWS)}; may be repeated (default: {', '.join(STANDARD)})",
    )  # fmt: skip
    parser.add_argument(
        "--top", type=int, default=SHOWN, metavar="N", help=f"rows to show in each table (default: {SHOWN})"
    )
    parser.add_argument(
        "--share", action="store_true",
        help="compute steps that several solvers share once per sample; their time is a row of its own",
    )  # fmt: skip
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="number of threads (default: 1)")
    options.add_limits(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures as JSON to FILE")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the time of each op as a treemap in FILE")
    parser.add_argument("--quiet", action="store_true", help="do not show progress")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Run the evaluations, count what they do, and print the tables."""
    check(args)
    limits, workers = options.read_limits(args), check_workers(args.workers)
    deck, tasks = options.read_deck(args), options.read_tasks(args)
    options.prepare_own(deck)
    plan = planned(args, deck, tasks)
    with progress_display(args.quiet) as progress:
        run = profile(deck, plan, limits=limits, workers=workers, share=args.share, progress=progress)
    told = figures(run)
    print_rows(profile_tables(told, args.by or STANDARD, args.top))
    if args.json:
        write_text(args.json, json.dumps({"batt": __version__, **told.as_json()}, indent=1) + "\n")
    if args.svg:
        write_text(args.svg, treemap(told))
    return 0


def check(args: argparse.Namespace) -> None:
    """Refuse options that cannot work before anything is run."""
    options.check_sample(args)
    if args.top < 1:
        raise UsageError(f"--top must be at least 1, got {args.top}")


def planned(args: argparse.Namespace, deck: Deck, tasks: Tasks) -> Evaluations:
    """Return the evaluations that the options ask for."""
    if args.sample is not None:
        return drawn(deck, tasks, args.sample, args.seed)
    return match_own(deck, tasks) if args.own else match_all(deck, tasks)


def treemap(told: Figures) -> str:
    """Draw ops by their share, within their families."""
    leaves: dict[str, list[Leaf]] = {}
    for row in told.by_op:
        calls = "" if row.spent.calls is None else f", {row.spent.calls:,} calls"
        title = f"{row.op} ({row.family}): {row.spent.share:.1%}, {row.spent.time_s:.3f} s{calls}"
        leaves.setdefault(row.family, []).append(Leaf(row.op, row.spent.time_s, title))
    title = f"{told.deck}: {told.timed:,} evaluations, {told.ops_s:.2f} s while ops are counted"
    return treemap_svg(title, [LeafGroup(family, each, plain=family == MACHINE) for family, each in leaves.items()])
