"""`batt bench`: measure engines side by side on the same evaluations, and check that their outcomes are equal."""

from __future__ import annotations

import argparse
import json
import os
import platform
from dataclasses import asdict
from pathlib import Path
from typing import Any

from batt import __version__
from batt.bench.cases import STANDARD, Spec, listing, read_manifest, specs_named, why_skipped
from batt.bench.cliffs.measure import measure_cliffs
from batt.bench.cliffs.report import cliffs_svg, cliffs_table, told_cliffs
from batt.bench.cliffs.values import POWERS, SIZES
from batt.bench.columns import COLUMNS, columns_named, standard_columns
from batt.bench.devices import EVALUATIONS, scaling
from batt.bench.figures import COSTLIEST, figures
from batt.bench.frozen import first_132
from batt.bench.growth import growth
from batt.bench.measure import Settings, measure
from batt.bench.op_columns import ROWS as OP_COLUMN_ROWS
from batt.bench.op_columns import measure_op_columns, op_columns_table
from batt.bench.plain import GUARD_S
from batt.bench.plot import growth_svg, plot
from batt.bench.solving import SPLITS
from batt.bench.states import measure_engines
from batt.bench.states_figures import states_table
from batt.bench.states_memory import measure_memory, memory_tables
from batt.bench.table import case_table, growth_table, list_table, scaling_table
from batt.cli import options
from batt.cli.bench_solving import add_solving, run_solving
from batt.cli.command import add_command
from batt.cli.doctor import cpu_name
from batt.cli.output import print_rows, tell_note
from batt.cli.targets import DEFAULT_TASKS
from batt.errors import UsageError
from batt.files import write_text
from batt.front import load_deck
from batt.runtime import check_workers, usable_cores
from batt.runtime.cuda.memory import fraction
from batt.runtime.cuda.selection import device_numbers
from batt.runtime.native import missing
from batt.tasks import load_tasks

OK, DIFFERENT = 0, 1
SOLVE, STATES, OP_COLUMNS = "solve", "states", "columns"
"""The case that measures `batt solve`; the split comes after it."""
MAX_EXPONENT = 8
DECK_HELP = "measure this deck instead of the cases; with `solve SPLIT`: decks, such as built-in,re-arc"


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "bench",
        summary="measure engines side by side",
        description="Measure how fast engines and plain Python are on the same evaluations, and check that their "
        "outcomes are equal.",
        examples=(
            "batt bench first-132 --limit 20000",
            "batt bench --deck solvers.py --engines cpu,reference --plot rates.svg",
            "batt bench states --limit 1000000",
            "batt bench --cliffs --json cliffs.json --plot cliffs.svg",
        ),
        exit_codes="0 ok, 1 outcomes differ or batt failed, 2 bad input",
    )
    parser.add_argument(
        "cases",
        nargs="*",
        metavar="CASE",
        help=f"cases to measure (default: {', '.join(STANDARD)}; see --list); or `solve SPLIT`, `states`, `columns`",
    )
    parser.add_argument("--list", action="store_true", help="list the cases with their hashes")
    parser.add_argument(
        "--engines", metavar="LIST",
        help=f"comma-separated list of {COLUMNS}; ratios are relative to the first; with `solve SPLIT`: engines of "
        "the search, whose answers are compared",
    )  # fmt: skip
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="number of measured passes (default: 3)")
    parser.add_argument(
        "--limit",
        type=int,
        metavar="N",
        help="measure only about N evaluations of each case: all solvers on some of the samples",
    )
    parser.add_argument("--costliest", type=int, default=COSTLIEST, metavar="N",
                        help=f"list the N costliest solvers; one ratio omits them (default: {COSTLIEST})")  # fmt: skip
    parser.add_argument("--guard", type=float, default=GUARD_S, metavar="SECONDS",
                        help=f"stop an evaluation in plain Python after SECONDS (default: {GUARD_S:g})")  # fmt: skip
    parser.add_argument("--deck", action=options.Once, metavar="PATH", help=DECK_HELP)
    options.add_ops(parser)
    parser.add_argument(
        "--tasks",
        action=options.Once,
        metavar="NAME|PATH",
        help=f"with --deck: the tasks to run it on (default: {DEFAULT_TASKS})",
    )  # fmt: skip
    options.add_devices(
        parser,
        "measure 1, 2, … workers on these GPUs instead: all, 0,1,2,3, or 0,0 for two workers on one GPU (--limit "
        f"evaluations of the deck first-132 or of --deck, default: {EVALUATIONS:,})",
    )
    add_others(parser)
    add_solving(parser)
    add_files(parser)
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Measure, print and write. Return 1 if outcomes differ."""
    check(args)
    if args.list:
        print_rows(list_table(list(listing())))
        return OK
    if args.cases[:1] == [SOLVE]:
        return run_solving(args, write)
    if args.cases == [STATES]:
        return run_states(args)
    if args.cases == [OP_COLUMNS]:
        return run_op_columns(args)
    if args.growth is not None:
        return run_growth(args)
    if args.cliffs is not None:
        return run_cliffs(args)
    if args.devices is not None:
        return run_devices(args)
    told: list[dict[str, Any]] = []
    skipped: list[str] = []
    settings = Settings(args.repeat, args.guard, gpu_memory=fraction(args.gpu_memory))
    here = machine()
    if here["load"] > 0.5:
        load = f"load {here['load']:.1f} on {here['usable_cores']} cores"
        tell_note(f"this machine is busy ({load}); the rates may be too low")
    for spec in chosen(args):
        why = why_skipped(spec)
        if why:
            tell_note(why)
            skipped.append(why)
            continue
        told.append(run_case(spec, args, settings))
        print_rows(case_table(told[-1], args.costliest), "")
    write(args, {"cases": told, "skipped": skipped}, plot(told) if args.plot and told else "")
    return OK if all(each["equal"] for each in told) else DIFFERENT


def add_others(parser: argparse.ArgumentParser) -> None:
    """Add the options --growth, --minutes and --cliffs, which measure something else instead."""
    parser.add_argument(
        "--growth", type=int, nargs="?", const=6, metavar="POWER",
        help="measure the deck first-132 on 10, 100, … 10^POWER evaluations instead, with auto and each engine "
        "(default: 6)",
    )  # fmt: skip
    parser.add_argument(
        "--minutes", type=float, metavar="M",
        help="with `states`: fill sets of states for M minutes instead, and print the memory over time",
    )  # fmt: skip
    parser.add_argument(
        "--together", type=int, default=1, metavar="N",
        help="with `states`: apply each layer to N tasks in one call (default: 1)",
    )  # fmt: skip
    parser.add_argument(
        "--cliffs", type=int, nargs="?", const=6, metavar="POWER",
        help="measure each primitive, loop and kind of function natively instead, on 10 … 10^POWER items in many "
        "shapes and forms, for at most ten minutes; list where a step takes over four times the op's best (default: 6)",
    )  # fmt: skip


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add options that name files to write."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures as JSON to FILE")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the rates as an SVG picture in FILE")


def check(args: argparse.Namespace) -> None:
    """Refuse options that do not go together before anything is measured."""
    if args.cases[:1] == [SOLVE]:
        if len(args.cases) != 2:
            raise UsageError(f"name the split to solve: batt bench solve {SPLITS[0]}; one of {', '.join(SPLITS)}")
        return
    for option in ("time", "effort", "sample", "workers", "layers", "table", "records"):
        if getattr(args, option) is not None and not (option == "workers" and args.cases in ([STATES], [OP_COLUMNS])):
            raise UsageError(f"--{option} needs `solve SPLIT`")
    if args.minutes is not None and (args.cases != [STATES] or not 0 < args.minutes < float("inf")):
        raise UsageError("--minutes needs `states` and a number above 0")
    for option, given in (("--tasks", args.tasks), ("--ops", args.ops)):
        if given and not args.deck:
            raise UsageError(f"{option} needs --deck PATH")
    if args.deck and args.cases:
        raise UsageError("a case has its own deck: name cases, or give --deck")
    if args.cliffs is not None:
        check_cliffs(args)
    if args.growth is not None and not 1 <= args.growth <= MAX_EXPONENT:
        raise UsageError(f"--growth goes from 1 to {MAX_EXPONENT}, got {args.growth}")
    options.read_devices(args)
    if args.devices is not None and (args.cases or args.growth is not None or args.plot):
        raise UsageError("--devices measures workers on one deck: name no cases, no --growth, no --plot")
    if args.together < 1 or (args.together > 1 and args.cases != [STATES]):
        raise UsageError("--together needs `states` and a number of tasks from 1 on")
    for option, least, given in (("--limit", 1, args.limit), ("--costliest", 0, args.costliest)):
        if given is not None and given < least:
            raise UsageError(f"{option} must be at least {least}, got {given}")


def check_cliffs(args: argparse.Namespace) -> None:
    """Refuse options that do not go with --cliffs."""
    if not 1 <= args.cliffs <= POWERS:
        raise UsageError(f"--cliffs goes from 1 to {POWERS}, got {args.cliffs}")
    if args.cases or args.deck or args.growth is not None or args.devices is not None:
        raise UsageError("--cliffs measures single calls: name no cases, no --deck, no --growth, no --devices")
    if why := missing():
        raise UsageError(why)


def chosen(args: argparse.Namespace) -> list[Spec]:
    """Return the cases to measure."""
    if args.deck:
        options.prepare_own(load_deck(args.deck, ops=args.ops))
        return [Spec("deck", deck=args.deck, tasks=args.tasks or DEFAULT_TASKS, limit=args.limit, ops=args.ops)]
    return specs_named(args.cases or STANDARD, args.limit)


def run_case(spec: Spec, args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    """Measure one case and return its figures."""
    columns = columns_named(args.engines) if args.engines else standard_columns(size(spec))
    return figures(measure(spec, columns, settings, tell=tell_note), args.costliest)


def size(spec: Spec) -> int:
    """Return the most evaluations that a case can have; 0 for a deck, which is not read yet."""
    parts = [] if spec.deck else read_manifest(spec.case)["parts"]
    whole = [part["evaluations"] for part in parts if part["name"] == spec.part]
    return min([*whole, *([] if spec.limit is None else [spec.limit])], default=0)


def run_op_columns(args: argparse.Namespace) -> int:
    """Measure columns of single ops on the CPU and on a GPU, and print what was measured."""
    if why := missing():
        raise UsageError(why)
    told = measure_op_columns(args.limit or OP_COLUMN_ROWS, args.workers, args.repeat)
    print_rows(op_columns_table(told))
    write(args, {"columns": asdict(told)}, "")
    return OK if told.equal else DIFFERENT


def run_states(args: argparse.Namespace) -> int:
    """Measure candidates and states a second, and print what was measured."""
    if why := missing():
        raise UsageError(why)
    if args.minutes is not None:
        return run_states_memory(args)
    columns = columns_named(args.engines or f"cpu:{check_workers(args.workers) if args.workers else 1}")
    told = measure_engines(columns, args.limit, args.together, args.repeat if args.engines else 1)
    print_rows(states_table(*told))
    for line in [line for each in told for line in each.notes]:
        tell_note(line)
    write(args, {"states": [{**asdict(each), "per_s": each.per_s, "ratio": each.ratio} for each in told]}, "")
    return DIFFERENT if any(each.differing or each.unequal for each in told) else OK


def run_states_memory(args: argparse.Namespace) -> int:
    """Fill sets of states for some minutes, and print the memory over time."""
    told = measure_memory(args.minutes, check_workers(args.workers) if args.workers else 1, tell=tell_note)
    print_rows(*memory_tables(told))
    write(args, {"memory": asdict(told)}, "")
    return OK if told.is_within else DIFFERENT


def run_growth(args: argparse.Namespace) -> int:
    """Measure how the rate grows with the number of evaluations."""
    told = growth(args.growth, tell_note, args.gpu_memory)
    print_rows(growth_table(told))
    write(args, {"growth": told}, growth_svg(told) if args.plot else "")
    return OK


def run_cliffs(args: argparse.Namespace) -> int:
    """Measure each op on values of many sizes, shapes and forms."""
    told = told_cliffs(measure_cliffs([size for size in SIZES if size <= 10**args.cliffs], tell_note))
    print_rows(cliffs_table(told))
    write(args, {"cliffs": told}, cliffs_svg(told) if args.plot else "")
    return OK


def run_devices(args: argparse.Namespace) -> int:
    """Measure how the rate grows with the workers on GPUs."""
    Settings(args.repeat)
    devices = device_numbers(args.devices) or ()
    deck = load_deck(args.deck, ops=args.ops) if args.deck else first_132()
    tasks = load_tasks(args.tasks or DEFAULT_TASKS)
    evaluations = args.limit or EVALUATIONS
    share = fraction(args.gpu_memory)
    told = scaling(devices, deck, tasks, evaluations, args.repeat, tell_note, share)
    print_rows(scaling_table(told))
    write(args, {"devices": told}, "")
    return OK


def write(args: argparse.Namespace, told: dict[str, Any], picture: str) -> None:
    """Write the files that the options ask for."""
    if args.json:
        text = json.dumps({"batt": __version__, "machine": machine(), **told}, indent=2)
        write_text(args.json, text + "\n")
    if picture:
        write_text(args.plot, picture)


def machine() -> dict[str, Any]:
    """Describe this machine."""
    return {
        "cpu": cpu_name(),
        "usable_cores": usable_cores(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "system": platform.platform(),
    }
