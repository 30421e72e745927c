"""`batt bench`: engines side by side on the same evaluations in one run, with their outcomes checked for equality."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from batt import __version__
from batt.bench.cases import STANDARD, Spec, listing, specs_named, why_skipped
from batt.bench.columns import COLUMNS, columns_named, standard_columns
from batt.bench.devices import EVALUATIONS, scaling
from batt.bench.figures import COSTLIEST, figures, machine
from batt.bench.growth import growth
from batt.bench.measure import Settings, measure
from batt.bench.plain import GUARD_S
from batt.bench.plot import growth_svg, plot
from batt.bench.table import case_table, growth_table, list_table, scaling_table
from batt.cli.options import DEFAULT_TASKS, add_devices, add_ops, prepare_own, read_devices
from batt.cli.output import console, tell
from batt.errors import UsageError
from batt.files import write_text
from batt.front import BUILT_IN, load_deck
from batt.runtime.cuda.selection import device_numbers
from batt.tasks import load_tasks

OK, DIFFERENT = 0, 1
MAX_EXPONENT = 8


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = commands.add_parser("bench", help="measure engines side by side", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"cases (default: {', '.join(STANDARD)}); see --list")
    parser.add_argument("--list", action="store_true", help="list the cases with their hashes")
    parser.add_argument(
        "--engines", metavar="LIST",
        help=f"{COLUMNS}, separated by commas; ratios refer to the first",
    )  # fmt: skip
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="measured passes (default: 3)")
    parser.add_argument(
        "--limit", type=int, metavar="N", help="only about N evaluations of each case: all of some samples"
    )
    parser.add_argument("--costliest", type=int, default=COSTLIEST, metavar="N",
                        help=f"solvers to list, and to leave out of one ratio (default: {COSTLIEST})")  # fmt: skip
    parser.add_argument("--guard", type=float, default=GUARD_S, metavar="SECONDS",
                        help=f"guard of an evaluation in plain Python (default: {GUARD_S:g})")  # fmt: skip
    parser.add_argument("--deck", metavar="PATH", help="measure this deck instead")
    add_ops(parser)
    parser.add_argument("--tasks", metavar="NAME|PATH", help=f"and these tasks (default: {DEFAULT_TASKS})")
    parser.add_argument(
        "--growth", type=int, nargs="?", const=6, metavar="POWER",
        help="instead: evaluations/s of the built-in deck for 10 … 10^POWER evaluations, auto beside forced engines "
        "(default: 6)",
    )  # fmt: skip
    add_devices(
        parser,
        "instead: evaluations/s of the built-in deck, or of --deck, for 1, 2, … workers on these GPUs: all, 0,1,2,3, "
        f"or 0,0 for two on one (--limit evaluations, default: {EVALUATIONS:,})",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the rates as .svg")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Measure, print, write; 1 where outcomes differ."""
    check(args)
    if args.list:
        console().print(list_table(list(listing())))
        return OK
    if args.growth is not None:
        return run_growth(args)
    if args.devices is not None:
        return run_devices(args)
    told: list[dict[str, Any]] = []
    skipped: list[str] = []
    settings = Settings(args.repeat, args.guard)
    here = machine()
    if here["load"] > 0.5:
        tell(f"batt: others use this machine: load {here['load']:.1f} on {here['usable_cores']} cores")
    for spec in chosen(args):
        why = why_skipped(spec)
        if why:
            tell(f"batt: {why}")
            skipped.append(why)
            continue
        told.append(run_case(spec, args, settings))
        console().print(case_table(told[-1], args.costliest))
        console().print()
    write(args, {"cases": told, "skipped": skipped}, plot(told) if args.plot and told else "")
    return OK if all(each["equal"] for each in told) else DIFFERENT


def check(args: argparse.Namespace) -> None:
    """Refuse options that do not go together before anything is measured."""
    for option, given in (("--tasks", args.tasks), ("--ops", args.ops)):
        if given and not args.deck:
            raise UsageError(f"{option} needs --deck PATH")
    if args.deck and args.cases:
        raise UsageError("a case has its own deck: name cases, or give --deck")
    if args.growth is not None and not 1 <= args.growth <= MAX_EXPONENT:
        raise UsageError(f"--growth goes from 1 to {MAX_EXPONENT}, got {args.growth}")
    read_devices(args)
    if args.devices is not None and (args.cases or args.growth is not None or args.plot):
        raise UsageError("--devices measures workers on one deck: name no cases, no --growth, no --plot")
    for option, least, given in (("--limit", 1, args.limit), ("--costliest", 0, args.costliest)):
        if given is not None and given < least:
            raise UsageError(f"{option} must be at least {least}, got {given}")


def chosen(args: argparse.Namespace) -> list[Spec]:
    """The cases to measure."""
    if args.deck:
        prepare_own(load_deck(args.deck, ops=args.ops))
        return [Spec("deck", deck=args.deck, tasks=args.tasks or DEFAULT_TASKS, limit=args.limit, ops=args.ops)]
    return specs_named(args.cases or STANDARD, args.limit)


def run_case(spec: Spec, args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    """Measure one case; its figures."""
    columns = columns_named(args.engines) if args.engines else standard_columns(size(spec))
    return figures(measure(spec, columns, settings, tell=lambda text: tell(f"batt: {text}")), args.costliest)


def size(spec: Spec) -> int:
    """How many evaluations a case has at most; that of a deck is known only when it is read."""
    whole = {name: count for name, _, count, _ in listing()}.get(spec.name)
    bounds = [count for count in (whole, spec.limit) if count is not None]
    return min(bounds, default=0)


def run_growth(args: argparse.Namespace) -> int:
    """Measure how the rate grows with the number of evaluations."""
    told = growth(args.growth, lambda text: tell(f"batt: {text}"))
    console().print(growth_table(told))
    write(args, {"growth": told}, growth_svg(told) if args.plot else "")
    return OK


def run_devices(args: argparse.Namespace) -> int:
    """Measure how the rate grows with the workers on GPUs."""
    Settings(args.repeat)
    devices = device_numbers(args.devices) or ()
    deck, tasks = load_deck(args.deck or BUILT_IN, ops=args.ops), load_tasks(args.tasks or DEFAULT_TASKS)
    evaluations = args.limit or EVALUATIONS
    told = scaling(devices, deck, tasks, evaluations, args.repeat, lambda text: tell(f"batt: {text}"))
    console().print(scaling_table(told))
    write(args, {"devices": told}, "")
    return OK


def write(args: argparse.Namespace, told: dict[str, Any], picture: str) -> None:
    """Write the files that the options ask for."""
    if args.json:
        text = json.dumps({"batt": __version__, "machine": machine(), **told}, indent=2)
        write_text(args.json, text + "\n")
    if picture:
        write_text(args.plot, picture)
