"""`batt run`: run decks on tasks, print a summary, write files."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from batt.cli import options, signals
from batt.cli.cache import add_cache, read_cache
from batt.cli.command import add_command
from batt.cli.output import kept_errors, print_rows, tell_note
from batt.cli.paging import add_page, check_page, run_page
from batt.cli.storing import Deadline, add_store, begin, check_store, resume, selected_tasks
from batt.cli.targets import deck_paths, is_stream
from batt.cli.writing import add_rows, write_files
from batt.differs import BUILT_IN, Differ, Scores, differs_named, score_results
from batt.errors import UsageError
from batt.files import STREAMS
from batt.front import Deck
from batt.front.deck import loaded
from batt.jobs import Results, evaluate, format_of
from batt.page.terminal import run_display
from batt.report import summary, summary_table
from batt.runtime import Limits, cuda
from batt.runtime.cluster.choice import read_cluster
from batt.tasks import Tasks

if TYPE_CHECKING:
    from batt.submit import SubmissionFile

NEXT_STEPS = """
next steps
  batt show 007bbfb7                           draw a task
  batt show --deck -o gallery.html             browse all solvers, with their ideas, tasks and sources
  batt trace solve_a699fb00 a699fb00 train0    draw every step of a solver
  batt run --deck my_solvers.py                run solvers of your own; docs/learn.md teaches the language"""


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "run",
        summary="run decks on tasks",
        description="Run every solver of the decks on every pair of the tasks, print a summary, and write files.",
        examples=(
            "batt run solvers.py --tasks arc1-evaluation",
            "batt run solvers.py others/ --own --out results/",
            "batt run --resume results/ --deadline 11.5h",
        ),
        exit_codes="0 ok or deadline reached, 1 batt failed, 2 bad input or a file not written",
    )
    options.add_source(parser)
    options.add_tasks(parser)
    parser.add_argument("-c", dest="count", type=int, metavar="N", help="run only the first N tasks")
    options.add_ids(parser, "run only these tasks")
    parser.add_argument("--own", action="store_true", help="run each solver only on the task in its name")
    parser.add_argument(
        "--leave-out",
        action="store_true",
        help="on a demonstration, S holds the other demonstrations, so that no solver sees the output it has to make",
    )
    options.add_limits(parser)
    options.add_engine(parser)
    add_cluster(parser)
    add_old_flags(parser)
    add_store(parser)
    add_cache(parser)
    parser.add_argument(
        "--export",
        type=Path,
        metavar="FILE",
        help="write one row per evaluation, sorted: .jsonl (JSON lines), .csv or .parquet; .jsonl.gz and .csv.gz are "
        "compressed, - is standard output",
    )
    add_rows(parser)
    parser.add_argument(
        "--submission", type=Path, metavar="FILE",
        help="write two attempts for every test input in Kaggle's form, chosen by the demonstrations alone; the file "
        "is valid before the first evaluation, and replaced when an attempt changes",
    )  # fmt: skip
    add_differs(parser)
    add_page(parser)
    parser.add_argument("--all", action="store_true", help="print all hits and misses, not only the first few")
    parser.add_argument("--quiet", action="store_true", help="print no progress and no summary")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Run the deck on the tasks, print the summary, then write the files."""
    check_options(args)
    limits, devices = options.read_limits(args), options.read_devices(args)
    engine, cache = read_engine(args), read_cache(args)
    differs = named_differs(args)
    with (
        opened(args, limits, outputs=args.outputs or bool(differs)) as run,
        run_page(args, run.deck, run.tasks) as page,
    ):
        differs = named_differs(args)
        submitted = submission_file(args.submission) if args.submission else None
        with run_display(args.quiet or args.json, page.monitor if page else None) as progress:
            results = run.evaluate(
                engine=engine,
                devices=devices,
                workers=args.workers,
                share=args.share,
                gpu_memory=args.gpu_memory,
                cache=cache,
                cluster=args.cluster,
                progress=progress,
                tell=None if args.quiet else tell_note,
                on_start=submitted and submitted.on_start,
                on_block=submitted and submitted.on_block,
                on_poll=partial(poll, args.deadline, submitted),
            )
        # What a cluster has says nothing about this machine.
        engine = "auto" if args.cluster else engine
        scores = score_results(results, differs, engine, args.workers, args.gpu_memory) if differs else None
        if page is None:
            return report(results, scores, args, submitted)
        page.monitor.end()
        code = report(results, scores, args, submitted)
        page.stay()
        return code


def submission_file(path: Path) -> SubmissionFile:
    """Return the submission that a run keeps."""
    # Few runs need it.
    from batt.submit import SubmissionFile

    return SubmissionFile(path, tell_note)


def poll(deadline: Deadline | None, submitted: SubmissionFile | None) -> None:
    """Do what has to be done regularly during a run."""
    if deadline is not None:
        deadline.check()
    if submitted is not None:
        submitted.on_poll()


def add_differs(parser: argparse.ArgumentParser) -> None:
    """Add the option that names differs."""
    parser.add_argument(
        "--differs",
        metavar="NAME,FILE,…",
        help=f"score every output by these differs: {', '.join(BUILT_IN)}, or .py files with your own",
    )


def named_differs(args: argparse.Namespace) -> tuple[Differ, ...]:
    """Return the differs that the options name; when a run goes on, those that it began with."""
    return tuple(differs_named(args.differs, loaded(args.ops))) if args.differs is not None else ()


@dataclass(frozen=True, slots=True)
class OpenedRun:
    """A run that is about to begin: its deck, its tasks, and what runs the evaluations."""

    deck: Deck
    tasks: Tasks
    evaluate: Callable[..., Results]


@contextmanager
def opened(args: argparse.Namespace, limits: Limits, outputs: bool) -> Iterator[OpenedRun]:
    """Yield the run that the options name. If it is stored, no other process can write to it meanwhile."""
    if args.resume:
        with resume(args, outputs) as session:
            yield OpenedRun(session.deck, session.tasks, session.evaluate)
        return
    deck, tasks = options.read_source(args), selected_tasks(args)
    if args.out:
        with begin(args, deck, tasks, limits, outputs) as session:
            yield OpenedRun(deck, tasks, session.evaluate)
        return
    run = partial(evaluate, deck, tasks, own=args.own, leave_out=args.leave_out, limits=limits, outputs=outputs)
    yield OpenedRun(deck, tasks, run)


def report(results: Results, scores: Scores | None, args: argparse.Namespace, submitted: SubmissionFile | None) -> int:
    """Print the summary, then write the files. Return the exit code."""
    figures = summary(results) | ({"differs": scores.summary} if scores else {})
    # Print first: if the disk is full, the summary is not lost. A failed print does not lose the files either.
    with kept_errors() as unprinted:
        print_summary(results, figures, scores, args)
    write_files(results, args, figures, {"scores": scores.texts()} if scores else {}, submitted)
    is_late = args.deadline is not None and args.deadline.is_reached
    if results.interrupted:
        word = "deadline reached" if is_late else signals.word()
        more = f"; go on with: batt run --resume {args.out}" if args.out else ""
        tell_note(f"{word}: {len(results) - results.not_run:,} of {len(results):,} evaluations done{more}")
    if unprinted:
        raise unprinted[0]
    return signals.exit_code() if results.interrupted and not is_late else 0


def print_summary(results: Results, figures: dict[str, Any], scores: Scores | None, args: argparse.Namespace) -> None:
    """Print the summary as the options ask for it."""
    if args.json:
        print(json.dumps(figures, indent=2), flush=True)
    elif not args.quiet:
        print_rows(summary_table(results, figures, every=args.all))
        if scores:
            print_rows("", scores_table(scores))
        if not (args.resume or deck_paths(args)):
            print_rows(Text(NEXT_STEPS))


def scores_table(scores: Scores) -> Table:
    """Return a table with the figures of each differ."""
    table = Table("differ", "scored", "zero", "mean", "without a score", box=None, pad_edge=False, padding=(0, 2))
    for name, figures in scores.summary.items():
        mean = "" if figures["mean"] is None else f"{figures['mean']:,.2f}"
        without = sum(figures["without"].values())
        # As Text, because rich could read a name as markup.
        table.add_row(Text(name), f"{figures['scored']:,}", f"{figures['zero']:,}", mean, f"{without:,}")
    return table


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a cluster."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="run on the workers of the Dask scheduler at ADDRESS (tcp://host:8786, or its scheduler file), or on N "
        "workers that local:N starts here; --engine, --devices and --workers are then those of each worker",
    )


def add_old_flags(parser: argparse.ArgumentParser) -> None:
    """Add options of scripts that are older than batt."""
    parser.add_argument("--use-gpu", action="store_true", help="use --engine cuda if there is a GPU")
    parser.add_argument(
        "--mega-batch", action="store_true", help="accepted for old scripts, no effect: all samples always run at once"
    )
    parser.add_argument(
        "--batch-size",
        type=int,
        metavar="N",
        help="accepted for old scripts, no effect: batch sizes follow from measured time and free memory",
    )


def read_engine(args: argparse.Namespace) -> str:
    """Return the engine that the options name. With --use-gpu a missing GPU is only a note."""
    if args.batch_size is not None and args.batch_size < 1:
        raise UsageError(f"the batch size must be at least 1, got {args.batch_size}")
    engine = str(args.engine)
    if not args.use_gpu or engine == "cuda":
        return engine
    if engine != "auto":
        raise UsageError(f"--use-gpu asks for a GPU, but --engine {engine} uses none; leave out one of them")
    why = None if args.cluster else cuda.missing()
    if why and not args.quiet:
        tell_note(f"no GPU is used: {why}")
    return engine if why else "cuda"


def check_options(args: argparse.Namespace) -> None:
    """Refuse options that do not go together. With --resume, the files go to the folder of the run."""
    check_store(args)
    check_page(args)
    if args.cluster is not None:
        read_cluster(args.cluster)
    for option, given in (("--outputs", args.outputs), ("--with-engine", args.with_engine)):
        if given and not (args.export or args.out):
            raise UsageError(f"{option} needs --export FILE or --out DIR")
    if args.submission and is_stream(args.submission):
        raise UsageError("--submission names a file, which is replaced while the run goes on; it cannot be a stream")
    if args.format and not args.export:
        raise UsageError("--format needs --export FILE; --out always writes JSON lines")
    if args.export:
        format_of(args.export, args.format)
        if args.json and str(args.export) in STREAMS:
            raise UsageError("--json and --export - both write to standard output; leave one out")
