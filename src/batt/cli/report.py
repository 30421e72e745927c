"""`batt report`: the page of a stored run, as one file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from batt.cli.command import add_command
from batt.cli.options import add_ops
from batt.cli.output import tell_note
from batt.files import write_text
from batt.page.document import page_file
from batt.page.overview import RunInfo
from batt.store import open_run, state_of


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "report",
        summary="show a stored run as a page",
        description="Write the page of a run that `batt run --out` stored: figures, the wall of tasks, each task "
        "with its candidates and their steps, the matrix of solvers and tasks, the slowest solvers and ops, and "
        "failures by cause.",
        examples=("batt report results/ -o report.html", "batt report results/ -o report.html --ops my_ops.py"),
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the run")
    parser.add_argument(
        "-o", dest="output", type=Path, required=True, metavar="FILE",
        help="write the page as one file that opens anywhere; - is standard output",
    )  # fmt: skip
    add_ops(parser)
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Write the page."""
    results = open_run(args.folder, ops=args.ops, tell=tell_note)
    text = page_file(results, RunInfo.of_stored(state_of(args.folder)))
    write_text(args.output, text)
    tell_note(f"wrote {args.output}, {len(text.encode()) / 1e6:.1f} MB")
    return 0
