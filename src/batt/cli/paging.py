"""Options of the live page: whether there is one, and at which address."""

from __future__ import annotations

import argparse
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from batt.cli.output import tell_note
from batt.errors import UsageError
from batt.front import Deck
from batt.page.monitor import RunMonitor
from batt.tasks import Tasks

if TYPE_CHECKING:
    from batt.page.server import PageServer
    from batt.page.sources import PageSource

LOOPBACK = "127.0.0.1"


def add_page(parser: argparse.ArgumentParser) -> None:
    """Add options for a run with a live page."""
    parser.add_argument("--page", action="store_true", help="serve a live page of the run, and print its address")
    add_at(parser)


def add_at(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the address of the live page."""
    parser.add_argument(
        "--at",
        metavar="HOST:PORT",
        help=f"the address of the live page (default: {LOOPBACK}, which only this machine reaches, and any free port)",
    )


def read_at(text: str | None) -> tuple[str, int]:
    """Return the host and the port of an address; the port may be left out."""
    found = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[^:\[\]]+)(?::(\d+))?", text or LOOPBACK)
    if found is None or int(found[2] or 0) >= 1 << 16:
        raise UsageError(f"--at takes an address such as {LOOPBACK}:8000, not {text!r}")
    return found[1].strip("[]"), int(found[2] or 0)


def check_page(args: argparse.Namespace) -> None:
    """Refuse a page that cannot be served, before anything runs."""
    read_at(args.at)
    if args.at and not args.page:
        raise UsageError("--at names the address of the live page; add --page")
    if args.page:
        from batt.page.server import check_installed

        check_installed()


class RunPage:
    """The live page of a run of this process."""

    def __init__(self, monitor: RunMonitor, server: PageServer) -> None:
        self.monitor = monitor
        self.server = server

    def stay(self) -> None:
        """Serve on until an interrupt, if a person is there to send one."""
        stay(self.server)


def stay(server: PageServer) -> None:
    """Serve on until an interrupt, if a person is there to send one."""
    if sys.stderr.isatty():
        tell_note(f"the page stays at {server.address} until Ctrl-C")
        wait_for_interrupt()


@contextmanager
def run_page(args: argparse.Namespace, deck: Deck, tasks: Tasks) -> Iterator[RunPage | None]:
    """Serve the live page of a run, if the options ask for one."""
    if not args.page:
        yield None
        return
    from batt.page.sources import MonitorSource

    monitor = RunMonitor()
    with served(args, MonitorSource(monitor, deck, tasks)) as server:
        yield RunPage(monitor, server)


@contextmanager
def served(args: argparse.Namespace, source: PageSource) -> Iterator[PageServer]:
    """Serve a live page at the address that the options name, and say where."""
    # Importing a web server takes a while, and only a page needs it.
    from batt.page.server import PageServer

    server = PageServer(source, *read_at(args.at)).start()
    try:
        tell_note(f"the live page is at {server.address}")
        yield server
    finally:
        server.close()


def wait_for_interrupt() -> None:
    """Wait until Ctrl-C or a signal."""
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        return
