"""`batt run`: the main job, with its progress, its summary and its files."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from batt.cli.differs import add_differs, columns_of, read_differs, scores_of, scores_table
from batt.cli.options import add_engine, add_limits, add_tasks, read_devices, read_limits, read_tasks
from batt.cli.output import console, tell
from batt.cli.source import add_source, read_source
from batt.errors import UsageError
from batt.files import write_text
from batt.front import Deck
from batt.jobs import Results, evaluate, export
from batt.jobs.progress import progress_display
from batt.report import summary, summary_table
from batt.runtime import cuda

INTERRUPTED = 130


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = commands.add_parser("run", help="run a deck on tasks", description=__doc__)
    add_source(parser)
    add_tasks(parser)
    parser.add_argument("-c", dest="count", type=int, metavar="N", help="only the first N tasks")
    parser.add_argument("--ids", nargs="+", metavar="ID", help="only these tasks")
    parser.add_argument("--own", action="store_true", help="run each solver only on the task in its name")
    add_limits(parser)
    add_engine(parser)
    add_old_flags(parser)
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write summary.json, results.jsonl and winners.py there"
    )
    parser.add_argument("--export", type=Path, metavar="FILE", help="write one JSON row per evaluation, sorted")
    add_differs(parser)
    parser.add_argument("--outputs", action="store_true", help="put the outputs into the exported rows")
    parser.add_argument("--with-engine", action="store_true", help="put the engine's name into the exported rows")
    parser.add_argument("--quiet", action="store_true", help="no progress, no summary")
    parser.add_argument("--json", action="store_true", help="the summary as JSON on standard output")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Run the deck on the tasks and tell what came of it."""
    check_targets(args)
    limits, devices = read_limits(args), read_devices(args)
    engine, differs = read_engine(args), read_differs(args)
    deck, tasks = read_source(args), read_tasks(args).select(args.ids, args.count)
    with progress_display(args.quiet or args.json) as progress:
        results = evaluate(
            deck,
            tasks,
            own=args.own,
            engine=engine,
            devices=devices,
            limits=limits,
            workers=args.workers,
            outputs=args.outputs or bool(differs),
            share=args.share,
            progress=progress,
            tell=None if args.quiet else lambda note: tell(f"batt: {note}"),
        )
    scores = scores_of(results, differs, engine, args.workers)
    told = summary(results) | ({"differs": scores.summary} if scores else {})
    write_files(results, args, told, columns_of(scores))
    if args.json:
        print(json.dumps(told, indent=2))
    elif not args.quiet:
        console().print(summary_table(results))
        if scores:
            console().print("", scores_table(scores), sep="\n")
    if not results.interrupted:
        return 0
    tell(f"batt: interrupted: {len(results) - results.not_run:,} of {len(results):,} evaluations are done")
    return INTERRUPTED


def add_old_flags(parser: argparse.ArgumentParser) -> None:
    """Options of scripts that are older than batt."""
    parser.add_argument("--use-gpu", action="store_true", help="--engine cuda where there is a GPU, else as without")
    parser.add_argument("--mega-batch", action="store_true", help="accepted: all samples always run at once")
    parser.add_argument(
        "--batch-size", type=int, metavar="N", help="accepted: batches are sized by measured time and free memory"
    )


def read_engine(args: argparse.Namespace) -> str:
    """The engine that the options name; a GPU that is only wished for may be missing, which is told."""
    if args.batch_size is not None and args.batch_size < 1:
        raise UsageError(f"the batch size must be at least 1, got {args.batch_size}")
    engine = str(args.engine)
    if not args.use_gpu or engine == "cuda":
        return engine
    if engine != "auto":
        raise UsageError(f"--use-gpu asks for GPUs, and --engine {engine} for none; leave one of the two out")
    why = cuda.missing()
    if why and not args.quiet:
        tell(f"batt: no GPU is used: {why}")
    return engine if why else "cuda"


def check_targets(args: argparse.Namespace) -> None:
    """Refuse what cannot be written before an hour of work, not after it."""
    for option, given in (("--outputs", args.outputs), ("--with-engine", args.with_engine)):
        if given and not (args.export or args.out):
            raise UsageError(f"{option} needs --export FILE or --out DIR")
    if args.export and args.export.is_dir():
        raise UsageError(f"{args.export}: is a folder")
    if args.export and (args.export.is_file() or not args.export.exists()):
        # A device or a pipe is written to where it is; its folder need not take a new file.
        check_folder(args.export.absolute().parent, args.export)
    if args.out:
        out = args.out.absolute()
        check_folder(next(folder for folder in (out, *out.parents) if folder.exists()), args.out)


def check_folder(folder: Path, target: Path) -> None:
    """Refuse a folder that cannot take the target."""
    if not folder.is_dir():
        raise UsageError(f"{target}: {folder} is not a folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"{target}: {folder} cannot be written to")


def write_files(results: Results, args: argparse.Namespace, told: dict[str, Any], columns: dict[str, Any]) -> None:
    """Write the files that the options ask for: the summary as told, and rows with more columns."""
    if args.export:
        export(results, args.export, outputs=args.outputs, with_engine=args.with_engine, columns=columns)
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        target = args.out / "results.jsonl"
        export(results, target, outputs=args.outputs, with_engine=args.with_engine, columns=columns)
        write_text(args.out / "summary.json", json.dumps(told, indent=2) + "\n")
        write_winners(results.winners(), args.out)


def write_winners(winners: Deck, folder: Path) -> None:
    """Write the winners as Python, or as JSON lines where they cannot stand in one file, over those of a run before."""
    as_python, as_lines = folder / "winners.py", folder / "winners.jsonl"
    for path in (as_python, as_lines):
        path.unlink(missing_ok=True)
    if not len(winners):
        return
    try:
        winners.save(as_python)
    except UsageError as error:
        tell(f"batt: {error}")
        winners.save(as_lines)
