"""`batt kaggle pack`: write what a notebook without network needs."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

from batt.cli import options
from batt.cli.command import add_command
from batt.cli.output import tell_note
from batt.errors import UsageError
from batt.kaggle import Pack, make_pack
from batt.kaggle.notebook import ANYONE
from batt.kaggle.packing import COMPETITION, CUDA, PackRequest
from batt.kaggle.wheels import read_pythons

PYTHONS = "3.11,3.12,3.13"
_SLUG = re.compile(r"[A-Za-z0-9-]+")


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "kaggle",
        summary="pack what an offline notebook needs",
        description="Write what a Kaggle notebook without network needs.",
        examples=("batt kaggle pack offline/", "batt kaggle pack offline/ --python 3.11,3.12,3.13"),
    )
    parts = parser.add_subparsers(dest="what", metavar="pack", required=True)
    packed = add_command(
        parts,
        "pack",
        summary="write wheels, kernels, a deck and a notebook to a folder",
        description="Write a folder for a notebook without network: wheels of batt and all that it needs, compiled GPU "
        "kernels, a deck, an example notebook and a README that says what to upload. Wheels come from pip's package "
        "index.",
        examples=(
            "batt kaggle pack offline/ --python 3.12 --cuda none",
            "batt kaggle pack offline/ --deck built-in --deck solvers.py --user me",
        ),
    )
    packed.add_argument("folder", type=Path, metavar="DIR", help="the folder to write, new or empty")
    packed.add_argument(
        "--python", default=PYTHONS, metavar="LIST", help=f"versions of Python to pack wheels for (default: {PYTHONS})"
    )
    packed.add_argument(
        "--cuda", choices=CUDA, default="12",
        help="version of CUDA to pack CuPy, its compiler and compiled kernels for; none leaves them out (default: 12, "
        "which runs on all cards since compute capability 6.0)",
    )  # fmt: skip
    packed.add_argument(
        "--deck", action="append", metavar="PATH",
        help="the deck that the notebook runs: Python file, folder of Python files or JSON lines; may be repeated "
        "(default: built-in)",
    )  # fmt: skip
    packed.add_argument("--keep-going", action="store_true", help="leave out solvers with mistakes")
    packed.add_argument(
        "--wheel", metavar="FILE", help="pack this wheel of batt (default: one made from the installed batt)"
    )
    packed.add_argument(
        "--user", default=ANYONE, metavar="NAME", help="your name on Kaggle, for the metadata (default: a placeholder)"
    )
    packed.add_argument(
        "--competition", default=COMPETITION, metavar="NAME",
        help=f"the competition, as in its address on Kaggle (default: {COMPETITION})",
    )  # fmt: skip
    packed.add_argument("--json", action="store_true", help="print what was packed as JSON")
    packed.set_defaults(execute=execute, ops=None)


def execute(args: argparse.Namespace) -> int:
    """Make the pack, and print what is in it."""
    for option, name in (("--user", args.user), ("--competition", args.competition)):
        if not _SLUG.fullmatch(name):
            raise UsageError(f"{option} {name}: names on Kaggle consist of letters, digits and hyphens")
    pythons = read_pythons(args.python)
    deck = options.read_deck(args) if args.deck else None
    wheel = Path(args.wheel) if args.wheel else None
    request = PackRequest(pythons, args.cuda, deck, wheel, args.user, args.competition)
    made = make_pack(args.folder, request, tell_note)
    if args.json:
        print(json.dumps(made.plain, indent=2))
    else:
        show(made)
    return 0


def show(made: Pack) -> None:
    """Print what was packed."""
    compiled = [each.capability for each in made.kernels if each.files]
    rows = [
        ("packed", f"{made.folder}, {made.total_bytes / 1e6:,.0f} MB"),
        ("batt", made.wheel),
        ("glibc", f"batt needs {made.glibc} or newer (auditwheel), all wheels together {made.all_glibc}"),
        ("wheels", ", ".join([f"{count} for Python {python}" for python, count in made.wheels.items()])),
        ("kernels", f"NVRTC {made.compiler}: {', '.join(compiled)}" if compiled else "none"),
        *[("not compiled", f"{each.capability}: {each.reason}") for each in made.kernels if each.reason],
        ("deck", "built-in" if made.solvers is None else f"{made.solvers:,} solvers"),
        ("next", f"see {made.folder / 'README.md'}"),
    ]
    for name, text in rows:
        print(f"{name:<14}{text}")
