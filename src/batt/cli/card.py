"""`batt card`: write many solvers into one Python file with one function, in which every shared step exists once."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from itertools import starmap
from pathlib import Path
from typing import Any

from batt import __version__
from batt.card.dealing import deal
from batt.card.figures import docstring
from batt.card.steps import merge_steps
from batt.card.target import check_target
from batt.card.writing import check_text, write_batt
from batt.cli import options
from batt.cli.command import add_command
from batt.cli.graph import figures
from batt.cli.output import tell_note
from batt.cli.targets import deck_paths
from batt.compiler import compile_deck
from batt.differs import differs_named
from batt.files import write_text
from batt.front import Deck
from batt.runtime import Limits
from batt.tasks.model import counted
from batt.variants import infer_variants

NO_DIFFERS = "none"


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "card",
        summary="write many solvers into one file",
        description="Write many solvers into one Python file with one function that runs every shared step once.",
        examples=("batt card -c 10 -f my_batt.py", "batt card --deck solvers.py --batch -f batt_batch.py"),
    )
    parser.add_argument("-c", dest="count", type=int, metavar="N", help="take the solvers of N tasks (default: all)")
    options.add_ids(parser, "take only these tasks, or solvers by name")
    parser.add_argument("--seed", type=int, metavar="N", help="choose the N tasks at random with this seed")
    options.add_source(parser)
    parser.add_argument("-f", "-o", dest="output", type=Path, metavar="FILE", help="write to FILE (default: print)")
    parser.add_argument(
        "--batch", "--vectorized", "--gpu", dest="batch", action="store_true",
        help="write batt_batch(task_ids, Ss, Is, Cs, log_paths), which takes many samples at once",
    )  # fmt: skip
    parser.add_argument(
        "--infer", action="store_true", help="add variants that infer a constant from the demonstrations"
    )
    parser.add_argument(
        "--differs", default="equal", metavar="LIST",
        help=f"score outputs by these differs: built-in names, .py files, or {NO_DIFFERS} (default: equal)",
    )  # fmt: skip
    options.add_tasks(parser)
    limits = Limits()
    parser.set_defaults(
        execute=execute, wall_s=limits.wall_s, steps=limits.steps, memory_gib=limits.memory_bytes / options.GIB
    )


def execute(args: argparse.Namespace) -> int:
    """Choose solvers, write the text, read it back, and only then write the file."""
    if args.output is not None:
        check_target(args.output)
    differs = () if args.differs == NO_DIFFERS else differs_named(args.differs)
    whole = options.read_source(args)
    deck = deal(whole, args.count, options.read_ids(args, whole.names), args.seed)
    if args.infer:
        found = infer_variants(deck, options.read_tasks(args))
        deck = found.beside
        beside = counted(len(found.originals), "solver")
        tell_note(f"{counted(len(found.variants), 'inferred variant')} beside {beside}")
    steps = merge_steps(deck)
    head = docstring(steps, measured(deck, args), command(args), __version__, args.batch)
    text = write_batt(steps, head, differs, args.batch)
    check_text(text, steps, str(args.output or "batt"))
    if args.output is None:
        print(text, end="")
    else:
        write_text(args.output, text)
        counts = (len(steps.dealt), "solver"), (len(steps.steps), "step"), (text.count("\n"), "line")
        tell_note(f"{args.output}: {', '.join(starmap(counted, counts))}")
    return 0


def measured(deck: Deck, args: argparse.Namespace) -> Mapping[str, float]:
    """Return each op's share of the steps on a few samples of the tasks."""
    return figures(compile_deck(deck), args).measured_steps


def command(args: argparse.Namespace) -> str:
    """Return the command that writes the same file again."""
    words = ["batt", "card"]
    for option, given in (("-c", args.count), ("--seed", args.seed), ("-b", args.batt)):
        words += [] if given is None else [option, str(given)]
    if args.batt is None:
        words += [word for path in deck_paths(args) for word in ("--deck", path)]
    words += ["--ids", *args.ids] if args.ids else []
    words += ["--batch"] * args.batch + ["--infer"] * args.infer
    words += ["--differs", args.differs] if args.differs != "equal" else []
    words += ["-f", args.output.name] if args.output is not None else []
    return shlex.join(words)
