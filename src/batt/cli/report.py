"""`batt report`: the page of a stored run, as one file or live."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from batt.cli.command import add_command
from batt.cli.options import add_ops
from batt.cli.output import tell_note
from batt.cli.paging import add_at, read_at, wait_for_interrupt
from batt.errors import UsageError
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
        description="Write or serve the page of a run that `batt run --out` stored: figures, the wall of tasks, each "
        "task with its candidates and their steps, the matrix of solvers and tasks, the slowest solvers and ops, and "
        "failures by cause.",
        examples=("batt report results/ -o report.html", "batt report results/ --serve"),
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the run")
    parser.add_argument(
        "-o", dest="output", type=Path, metavar="FILE",
        help="write the page as one file that opens anywhere; - is standard output",
    )  # fmt: skip
    parser.add_argument(
        "--serve", action="store_true", help="serve the page until Ctrl-C; it is live if the run is still running"
    )
    add_at(parser)
    add_ops(parser)
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Write the page, then serve it."""
    if not (args.output or args.serve):
        raise UsageError("nothing to do; -o FILE writes the page, and --serve serves it")
    if args.at and not args.serve:
        raise UsageError("--at names the address of the live page; add --serve")
    host, port = read_at(args.at)
    if args.output:
        results = open_run(args.folder, ops=args.ops, tell=tell_note)
        text = page_file(results, RunInfo.of_stored(state_of(args.folder)))
        write_text(args.output, text)
        tell_note(f"wrote {args.output}, {len(text.encode()) / 1e6:.1f} MB")
    if args.serve:
        serve(args, host, port)
    return 0


def serve(args: argparse.Namespace, host: str, port: int) -> None:
    """Serve the page until an interrupt."""
    # Importing a web server takes a while, and only a live page needs it.
    from batt.page.server import PageServer
    from batt.page.sources import StoredSource

    server = PageServer(StoredSource(args.folder, args.ops), host, port).start()
    try:
        tell_note(f"the live page is at {server.address} until Ctrl-C")
        wait_for_interrupt()
    finally:
        server.close()
