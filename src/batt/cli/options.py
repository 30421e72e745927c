"""Options that several subcommands share."""

from __future__ import annotations

import argparse
from pathlib import Path

from batt.cli.output import console, tell
from batt.draw import Picture
from batt.errors import DeckError
from batt.front import BUILT_IN, Deck, load_deck
from batt.jobs import ENGINES
from batt.runtime import Limits
from batt.tasks import Tasks, load_tasks

DEFAULT_TASKS = "arc1-training"


def add_deck(parser: argparse.ArgumentParser) -> None:
    """Options that name a deck."""
    parser.add_argument(
        "--deck",
        default=BUILT_IN,
        metavar="PATH",
        help="Python file, folder of them, or JSON lines of {name, source} (default: the built-in deck)",
    )
    parser.add_argument("--keep-going", action="store_true", help="run what is good in a deck that has mistakes")


def add_tasks(parser: argparse.ArgumentParser) -> None:
    """Options that name tasks."""
    parser.add_argument(
        "--tasks",
        default=DEFAULT_TASKS,
        metavar="NAME|PATH",
        help="arc1-training, arc1-evaluation, arc2-training, arc2-evaluation, a folder of ARC JSON files, "
        f"or a Kaggle challenges file (default: {DEFAULT_TASKS})",
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Options that bound an evaluation."""
    default = Limits()
    parser.add_argument(
        "-t", dest="wall_s", type=float, default=default.wall_s, metavar="SECONDS",
        help=f"wall-clock guard of one evaluation (default: {default.wall_s:g})",
    )  # fmt: skip
    parser.add_argument(
        "--steps", type=int, default=default.steps, metavar="N",
        help=f"step budget of one evaluation (default: {default.steps:,})",
    )  # fmt: skip


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Options that say how evaluations are run; no outcome depends on them."""
    parser.add_argument("--engine", default="auto", metavar="NAME", help=f"one of {', '.join(ENGINES)} (default: auto)")
    parser.add_argument("--workers", type=int, metavar="N", help="threads or processes (default: one per core)")
    parser.add_argument(
        "--no-share", dest="share", action="store_false", help="work out nothing ahead that several solvers share"
    )


def read_deck(args: argparse.Namespace) -> Deck:
    """The deck that the options name; with --keep-going its mistakes are told, and it goes on."""
    deck = load_deck(args.deck, keep_going=args.keep_going)
    if deck.mistakes:
        tell(str(DeckError(deck.mistakes)))
        tell(f"batt: mistakes in the deck: {len(deck.mistakes):,}; going on with its good solvers: {len(deck):,}")
    return deck


def read_tasks(args: argparse.Namespace) -> Tasks:
    """The tasks that the options name."""
    return load_tasks(args.tasks)


def read_limits(args: argparse.Namespace) -> Limits:
    """The budget that the options give."""
    return Limits(steps=args.steps, wall_s=args.wall_s)


def add_picture(parser: argparse.ArgumentParser) -> None:
    """The option that sends a picture to a file."""
    parser.add_argument("-o", dest="output", type=Path, metavar="FILE", help="write an .svg, .png, .html or .txt file")


def deliver(picture: Picture, args: argparse.Namespace) -> int:
    """Print a picture, or write it to the file asked for."""
    if args.output is None:
        console().print(picture)
    else:
        picture.save(args.output)
    return 0
