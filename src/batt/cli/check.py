"""`batt check`: compare engines on a deck and tasks, or on random programs."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path
from typing import Any

from batt.check.batches import ENGINES as FUZZ_ENGINES
from batt.check.batches import RandomBatch, WordsBatch
from batt.check.compare import EngineComparison
from batt.check.deck import DeckCheck, check_deck
from batt.check.engines import counting, engines_named
from batt.check.fuzz import SHARING_EXPLAIN_S, SHARING_WALL_S, Fuzzed, Request, fuzz
from batt.check.sharing import SOLVERS, SharingBatch, sharing_engines
from batt.cli import options, signals
from batt.cli.command import add_command
from batt.cli.output import console, tell, tell_note
from batt.errors import UsageError
from batt.jobs.progress import LINE_EVERY_S, progress_display
from batt.ops import EVERY_OP, NEW_WORDS
from batt.runtime import check_workers
from batt.runtime.cuda.memory import fraction
from batt.runtime.cuda.selection import device_numbers
from batt.runtime.native import missing

OK, DIFFERENT = 0, 1
MAX_LISTED = 200
DEFAULT_COUNT = 10_000
DEFAULT_ENGINES, SHARING_ENGINES = "cpu,reference", "cpu"


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "check",
        summary="compare engines on a deck, or on random programs",
        description="Compare engines: run the same evaluations on each and report every difference in outcome, value, "
        "score or steps. This tests batt, not your deck; to check a deck, use `batt lint`.",
        examples=(
            "batt check --deck solvers.py --sample 10000",
            "batt check --own --engines cpu,cpu-noshare,cpu-direct,reference",
            "batt check --fuzz --minutes 10",
        ),
        exit_codes="0 no difference, 1 a difference, 2 bad input",
    )
    options.add_deck(parser)
    options.add_tasks(parser)
    parser.add_argument(
        "--engines", metavar="A,B",
        help="two or more of cuda, cpu, cpu-noshare, cpu-direct, reference; the others are compared with the last "
        f"(default: {DEFAULT_ENGINES}; with --fuzz: {','.join([each.name for each in FUZZ_ENGINES])}); "
        f"with --sharing: cpu, cuda or both (default: {SHARING_ENGINES})",
    )  # fmt: skip
    options.add_devices(parser)
    options.add_sample(parser, "compare")
    options.add_limits(parser)
    parser.add_argument("--workers", type=int, metavar="N", help="number of worker processes (default: one per core)")
    parser.add_argument("--quiet", action="store_true", help="do not show progress")
    group = parser.add_argument_group("random programs")
    group.add_argument("--fuzz", action="store_true", help="compare on random programs instead of a deck")
    group.add_argument(
        "--sharing", action="store_true",
        help="compare runs with and without sharing, on random decks whose solvers share steps, with random memory",
    )  # fmt: skip
    group.add_argument("--words", action="store_true", help="compare on random programs that call the new words")
    group.add_argument("--count", type=int, metavar="N", help=f"stop after N programs (default: {DEFAULT_COUNT:,})")
    group.add_argument("--minutes", type=float, metavar="M", help="stop after M minutes")
    group.add_argument(
        "--save", type=Path, default=Path("fuzz-failures"), metavar="DIR",
        help="folder for examples of differences and the log of seeds (default: fuzz-failures)",
    )  # fmt: skip
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Compare the engines and report every difference."""
    return _fuzz(args) if args.fuzz else _check(args)


def _check(args: argparse.Namespace) -> int:
    if args.count is not None or args.minutes is not None or args.sharing or args.words:
        raise UsageError("--count, --minutes, --sharing and --words go with --fuzz")
    options.check_sample(args)
    engines = engines_named(
        args.engines or DEFAULT_ENGINES, device_numbers(options.read_devices(args)), fraction(args.gpu_memory)
    )
    limits, workers = options.read_limits(args), check_workers(args.workers)
    _need_library(any(each.name != "reference" for each in engines))
    deck, tasks = options.read_deck(args), options.read_tasks(args)
    options.prepare_own(deck)
    with progress_display(args.quiet) as progress:
        comparison, checked = check_deck(
            deck,
            tasks,
            engines,
            own=args.own,
            sample=args.sample,
            seed=args.seed,
            limits=limits,
            workers=workers,
            progress=progress,
        )
    _print_check(comparison, checked)
    if checked.interrupted:
        tell_note(f"{signals.word()}: {checked.tally.evaluations:,} of {checked.total:,} evaluations done")
        return signals.exit_code()
    return DIFFERENT if checked.tally.found else OK


def _print_check(comparison: EngineComparison, checked: DeckCheck) -> None:
    out, tally = console(), checked.tally
    for each in tally.found[:MAX_LISTED]:
        sample = comparison.samples[each.sample]
        place = f"{comparison.deck[each.solver].name} on {sample.task} {sample.part.value}{sample.index}"
        out.print(f"{place}: {each.engine}: {each.what}", soft_wrap=True)
    if len(tally.found) > MAX_LISTED:
        out.print(f"… and {len(tally.found) - MAX_LISTED:,} more")
    for found, failure in checked.failures:
        out.print(f"\n# smallest example from {comparison.deck[found.solver].name}\n{failure}", soft_wrap=True)
    names = " against ".join([", ".join([each.name for each in comparison.engines[:-1]]), comparison.engines[-1].name])
    out.print(
        f"{names}: {tally.compared:,} compared, {len(tally.found):,} different; {tally.evaluations:,} evaluations: "
        f"{_counts(tally.statuses)}; timed out {tally.timed_out:,}; not run natively: {_counts(tally.unsupported)}",
        soft_wrap=True,
    )


def _fuzz(args: argparse.Namespace) -> int:
    if args.count is not None and args.minutes is not None:
        raise UsageError("--count and --minutes both limit the run; give one of them")
    if args.own or args.sample is not None or args.ops is not None or args.devices is not None:
        raise UsageError("--own, --sample, --devices and --ops go with a deck, not with --fuzz")
    _need_library(True)
    count = DEFAULT_COUNT if args.count is None and args.minutes is None else args.count
    common = args.seed, count, args.minutes, check_workers(args.workers), args.save
    if args.sharing and args.words:
        raise UsageError("--sharing and --words ask for different programs; give one of them")
    if args.sharing:
        engines = sharing_engines(args.engines or SHARING_ENGINES)
        request = Request(*common, engines, SharingBatch, SOLVERS, SHARING_WALL_S, SHARING_EXPLAIN_S)
    else:
        named = engines_named(args.engines, gpu_memory=fraction(args.gpu_memory)) if args.engines else FUZZ_ENGINES
        made = WordsBatch if args.words else RandomBatch
        request = Request(*common, tuple([counting(each) for each in named]), made)
    done = fuzz(request, tell_note, None if args.quiet else _FuzzProgress())
    _print_fuzz(done, request)
    if done.interrupted:
        tell_note(f"{signals.word()}: {done.programs:,} programs done")
        return signals.exit_code()
    return DIFFERENT if done.differences else OK


def _print_fuzz(done: Fuzzed, request: Request) -> None:
    out, tally = console(), done.tally
    for failure in done.failures:
        out.print(f"{failure}\n", soft_wrap=True)
    evaluations = max(tally.evaluations, 1)
    ops, calls = (NEW_WORDS if request.make is WordsBatch else EVERY_OP), tally.executed.total()
    name, least = done.least_of(ops)
    kind = "new word" if request.make is WordsBatch else "op"
    distinct = f"{done.distinct:,} distinct"
    if request.make is WordsBatch and calls:
        distinct += f", {done.distinct_callers:,} of them call a new word before they end"
    rows = [
        f"{done.programs:,} random programs ({distinct}), "
        f"seeds {request.seed:,} to {request.seed + max(done.batches, 1) - 1:,}",
        f"{tally.evaluations:,} evaluations: {tally.statuses['ok'] / evaluations:.1%} end in a value; "
        f"{_counts(tally.statuses)}; timed out {tally.timed_out:,}",
        *([f"{calls:,} calls of ops, each {kind} at least {least:,} times ({name})"] if calls else []),
        f"{tally.compared:,} compared, not run natively: {_counts(tally.unsupported)}",
        f"{done.differences:,} differences in {done.wall_s:,.0f} s"
        + (f"; examples in {request.folder}" if done.failures else ""),
    ]
    out.print("\n".join(rows), soft_wrap=True)


class _FuzzProgress:
    """Prints a line of progress every minute."""

    def __init__(self) -> None:
        self.told_s = time.monotonic()

    def __call__(self, done: Fuzzed) -> None:
        now = time.monotonic()
        if now - self.told_s >= LINE_EVERY_S:
            self.told_s = now
            rate = done.programs / max(done.wall_s, 1e-9)
            tell(f"{done.programs:,} programs, {rate:,.0f}/s, {done.differences:,} differences")


def _need_library(needed: bool) -> None:
    why = missing() if needed else None
    if why:
        raise UsageError(f"nothing to compare: {why}")


def _counts(counts: Counter[str]) -> str:
    """Return counts in words, the largest first."""
    return ", ".join([f"{what} {count:,}" for what, count in counts.most_common()]) or "none"
