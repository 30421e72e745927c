"""Where solvers come from, for commands that take a deck or a batt: `--deck` and `-b`."""

from __future__ import annotations

import argparse

from batt.cli.inputs import deck_paths
from batt.cli.options import add_deck, read_deck
from batt.errors import UsageError
from batt.front import Deck
from batt.front.batts import batt_path


def add_source(parser: argparse.ArgumentParser) -> None:
    """Options that name a deck or a batt."""
    add_deck(parser)
    parser.add_argument(
        "-b",
        dest="batt",
        metavar="FILE",
        help="take the solvers of this batt or solver file, given by path or module name",
    )


def read_source(args: argparse.Namespace) -> Deck:
    """The solvers that the options name."""
    if args.batt is not None:
        if deck_paths(args):
            raise UsageError("-b names a batt and --deck a deck; give only one of them")
        args.deck = [str(batt_path(args.batt))]
    return read_deck(args)
