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
from batt.jobs import Results
from batt.page.document import page_file
from batt.page.overview import RunInfo
from batt.page.solving import SearchSource, StoredSearchView, found_results, search_info
from batt.solving.searches.storing import is_search
from batt.store import open_run, state_of


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "report",
        summary="show a stored run as a page",
        description="Write or serve the page of a run that `batt run --out` stored, or of the programs that `batt "
        "solve --out` found: figures, the wall of tasks, each task with its candidates and their steps, the matrix of "
        "solvers and tasks, the slowest solvers and ops, and failures by cause.",
        examples=("batt report results/ -o report.html", "batt report results/ --serve"),
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the run, or the search")
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
        text = page_file(*read_folder(args))
        write_text(args.output, text)
        tell_note(f"wrote {args.output}, {len(text.encode()) / 1e6:.1f} MB")
    if args.serve:
        serve(args, host, port)
    return 0


def read_folder(args: argparse.Namespace) -> tuple[Results, RunInfo]:
    """Return what a folder holds: the results of a run, or those of the programs that a search found."""
    if not is_search(args.folder):
        results = open_run(args.folder, ops=args.ops, tell=tell_note)
        return results, RunInfo.of_stored(state_of(args.folder))
    view = StoredSearchView(args.folder).look()
    found = found_results(view.solutions)
    if found is None:
        raise UsageError(f"{args.folder}: no task has an answer yet")
    return found, search_info(view)


def serve(args: argparse.Namespace, host: str, port: int) -> None:
    """Serve the page until an interrupt."""
    # Importing a web server takes a while, and only a live page needs it.
    from batt.page.server import PageServer
    from batt.page.sources import StoredSource

    is_run = not is_search(args.folder)
    source = StoredSource(args.folder, args.ops) if is_run else SearchSource(StoredSearchView(args.folder).look)
    server = PageServer(source, host, port).start()
    try:
        tell_note(f"the live page is at {server.address} until Ctrl-C")
        wait_for_interrupt()
    finally:
        server.close()
