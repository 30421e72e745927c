"""Options that several subcommands share."""

from __future__ import annotations

import argparse
import os
from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batt.cli.output import console, tell, tell_note
from batt.cli.targets import DEFAULT_TASKS, deck_paths, task_sources
from batt.errors import DeckError, SourceError, UsageError
from batt.front import BUILT_IN, Deck, load_deck, merge_decks
from batt.front.texts import batt_path
from batt.jobs import ENGINES
from batt.own.native import native_table
from batt.runtime import Limits
from batt.runtime.cuda.memory import FRACTION, fraction
from batt.runtime.cuda.memory import VARIABLE as MEMORY_VARIABLE
from batt.runtime.cuda.selection import device_numbers
from batt.tasks import Tasks, load_tasks
from batt.tasks.model import counted

if TYPE_CHECKING:
    from batt.draw import Picture

MODULES_TOLD = 5
"""The most modules that the note about imports names."""
GIB, MAX_GIB = 1 << 30, 1 << 20
NAMING = "GPUs to use, by number: all, 2 or 0,1; 0,0 is two workers on one GPU (default: all)"


def add_deck(parser: argparse.ArgumentParser, positional: bool = True, bare: bool = False) -> None:
    """Add options that name decks; with `positional` also plain arguments. With `bare`, --deck needs no path."""
    if positional:
        parser.add_argument("decks", nargs="*", metavar="DECK", help="decks to use, as with --deck")
    parser.add_argument(
        "--deck",
        action="append",
        metavar="PATH",
        nargs="?" if bare else None,
        const=BUILT_IN if bare else None,
        help="Python file, folder of Python files, JSON lines of {name, source}, or - for standard input; may be "
        "repeated (default: the built-in deck)",
    )
    parser.add_argument("--keep-going", action="store_true", help="leave out solvers and tasks with mistakes")
    add_ops(parser)


def add_ops(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a file of the user's own ops, the only file that is ever executed."""
    parser.add_argument("--ops", metavar="FILE", help="a Python file with your own ops; unlike a deck, it is executed")


def add_source(parser: argparse.ArgumentParser) -> None:
    """Add options that name a deck or a batt: `--deck` and `-b`."""
    add_deck(parser)
    parser.add_argument(
        "-b",
        dest="batt",
        metavar="FILE",
        help="take the solvers of this batt or solver file, given by path or module name",
    )


def read_source(args: argparse.Namespace) -> Deck:
    """Return the solvers of the deck or batt that the options name."""
    if args.batt is not None:
        if deck_paths(args):
            raise UsageError("-b names a batt and --deck a deck; give only one of them")
        args.deck = [str(batt_path(args.batt))]
    return read_deck(args)


def add_tasks(parser: argparse.ArgumentParser) -> None:
    """Add options that name tasks."""
    parser.add_argument(
        "--tasks",
        action="append",
        metavar="NAME|PATH",
        help="arc1-training, arc1-evaluation, arc2-training, arc2-evaluation, a folder of ARC JSON files, "
        "a Kaggle challenges file, or a packed file; @symmetries or @colours:5 after it adds transforms of its tasks; "
        f"may be repeated (default: {DEFAULT_TASKS})",
    )


class Once(argparse.Action):
    """An option that may be given only once: a first value is never dropped silently."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        """Store the value, or refuse a second one."""
        if getattr(namespace, self.dest) is not None:
            parser.error(f"argument {option}: given twice")
        setattr(namespace, self.dest, values)


def add_ids(parser: argparse.ArgumentParser, help: str) -> None:
    """Add the option that chooses tasks by id."""
    parser.add_argument("--ids", nargs="+", metavar="ID", help=f"{help}, separated by spaces or commas")


def read_ids(args: argparse.Namespace, known: Container[str]) -> list[str] | None:
    """Return the ids that the option names. A word that is not a known id is split at its commas."""
    if args.ids is None:
        return None
    found: list[str] = []
    for word in args.ids:
        for each in [word] if word in known else filter(None, word.split(",")):
            if each not in known and os.path.isfile(each):
                raise UsageError(f"--ids takes {each} for an id; put decks before --ids, or name them by --deck")
            found.append(each)
    return found


def add_sample(parser: argparse.ArgumentParser, verb: str) -> None:
    """Add options that choose a part of all evaluations."""
    parser.add_argument("--own", action="store_true", help="run each solver only on the task in its name")
    parser.add_argument(
        "--sample", type=int, metavar="N",
        help=f"{verb} a random sample of N evaluations on tasks that are not the solver's own",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="random seed (default: 0)")


def check_sample(args: argparse.Namespace) -> None:
    """Refuse options that choose different parts."""
    if args.own and args.sample is not None:
        raise UsageError("--sample takes evaluations on tasks that are not the solver's own; leave out --own")


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add options that limit an evaluation."""
    default = Limits()
    parser.add_argument(
        "-t", dest="wall_s", type=float, metavar="SECONDS",
        help=f"stop an evaluation after SECONDS (default: {default.wall_s:g})",
    )  # fmt: skip
    parser.add_argument(
        "--steps", type=int, metavar="N",
        help=f"stop an evaluation after N steps (default: {default.steps:,})",
    )  # fmt: skip
    parser.add_argument(
        "--memory", dest="memory_gib", type=float, metavar="GIB",
        help="memory limit of a worker process of the reference engine, at most its fair part of the machine's memory "
        f"(default: {default.memory_bytes / GIB:g})",
    )  # fmt: skip


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add options for how evaluations are run; no outcome depends on them."""
    parser.add_argument(
        "--engine", default="auto", metavar="NAME", help=f"engine to run on: {', '.join(ENGINES)} (default: auto)"
    )
    add_devices(parser)
    parser.add_argument(
        "--workers", type=int, metavar="N", help="number of threads or processes (default: one per core)"
    )
    parser.add_argument(
        "--no-share", dest="share", action="store_false", default=None,
        help="do not compute steps that several solvers share only once per sample",
    )  # fmt: skip


def add_devices(parser: argparse.ArgumentParser, help: str = NAMING) -> None:
    """Add options for which GPUs are used, and how much of their memory."""
    parser.add_argument("--devices", metavar="LIST", help=help)
    parser.add_argument(
        "--gpu-memory", type=float, metavar="SHARE",
        help=f"use at most this fraction of a GPU's memory (default: {MEMORY_VARIABLE}, else {FRACTION:g})",
    )  # fmt: skip


def read_devices(args: argparse.Namespace) -> str | None:
    """Return the GPUs that the options name, after checking them and the share of their memory."""
    # Checked even if no GPU is used: a mistake should not wait for one.
    fraction(args.gpu_memory)
    device_numbers(args.devices)
    named: str | None = args.devices
    return named


def read_deck(args: argparse.Namespace) -> Deck:
    """Return the deck that the options name. Print its mistakes, and what became of an old batt's defaults."""
    decks = _load_decks(deck_paths(args) or [BUILT_IN], args)
    deck = merge_decks(decks)
    renamed = sorted(set(deck.names).difference(*[each.names for each in decks]))
    if renamed:
        solvers = counted(len(renamed), "solver")
        tell_note(f"{solvers} renamed, because decks use one name for different programs (first: {renamed[0]})")
    if deck.mistakes:
        tell(str(DeckError(deck.mistakes)))
        found, valid = counted(len(deck.mistakes), "mistake"), counted(len(deck), "valid solver")
        tell_note(f"{found} in {deck.name}; continuing with the {valid}")
    if deck.imports:
        count, names = sum(deck.imports.values()), list(deck.imports)
        more = f" and {len(names) - MODULES_TOLD:,} more" if len(names) > MODULES_TOLD else ""
        said = f"{count:,} import{'s' * (count != 1)} skipped (never executed)"
        tell_note(f"{deck.name}: {said}: {', '.join(names[:MODULES_TOLD])}{more}")
    if deck.defaults:
        lines = counted(deck.defaults, "line")
        tell_note(f"{deck.name}: {lines} gave a default value instead of an error; here the error is raised")
    return deck


def _load_decks(paths: list[str], args: argparse.Namespace) -> list[Deck]:
    """Load the decks. The mistakes of all of them are reported together."""
    decks: list[Deck] = []
    mistakes: list[SourceError] = []
    for path in paths:
        try:
            decks.append(load_deck(path, keep_going=args.keep_going, ops=args.ops))
        except DeckError as error:
            mistakes += error.mistakes
    if mistakes:
        raise DeckError(mistakes)
    return decks


def prepare_own(deck: Deck) -> None:
    """Compile the C++ bodies of a deck's own ops before other processes need them, and print notes about it."""
    native_table([solver.program for solver in deck], tell=tell_note)


def read_tasks(args: argparse.Namespace) -> Tasks:
    """Return the tasks that the options name. Print the notes of loading them."""
    tasks = load_tasks(task_sources(args), keep_going=getattr(args, "keep_going", False))
    for note in tasks.notes:
        tell_note(note)
    return tasks


def read_limits(args: argparse.Namespace) -> Limits:
    """Return the limits that the options give, and the default for the others."""
    return Limits(**given_limits(args))


def given_limits(args: argparse.Namespace) -> dict[str, Any]:
    """Return the limits that the options give, by their names in `Limits`."""
    memory_bytes = None
    if args.memory_gib is not None:
        if not 0 < args.memory_gib < MAX_GIB:
            raise UsageError(f"--memory is a number of GiB greater than zero, got {args.memory_gib:g}")
        memory_bytes = max(1, int(args.memory_gib * GIB))
    limits = {"steps": args.steps, "wall_s": args.wall_s, "memory_bytes": memory_bytes}
    return {name: limit for name, limit in limits.items() if limit is not None}


def add_picture(parser: argparse.ArgumentParser) -> None:
    """Add the option that writes a picture to a file."""
    parser.add_argument("-o", dest="output", type=Path, metavar="FILE", help="write to FILE: .svg, .png, .html or .txt")


def deliver(picture: Picture, args: argparse.Namespace) -> int:
    """Print a picture, or write it to the file given."""
    if args.output is None:
        console().print(picture)
    else:
        picture.save(args.output)
    return 0
