"""Print text to a terminal or a file. Names and values are never read as markup."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO

from rich.console import Console, RenderableType

from batt.source import visible

COLUMNS = 80
"""The width of pictures and text if nothing else is known."""
ROW_COLUMNS = 10_000
"""The width of rows outside a terminal, where each is one line."""


def console() -> Console:
    """Return standard output as it is when the command runs."""
    # rich would take COLUMNS=0 for the width of a terminal that shows nothing.
    width = COLUMNS if os.environ.get("COLUMNS", "").strip("0") == "" and "COLUMNS" in os.environ else None
    return Console(highlight=False, markup=False, emoji=False, width=width)


def print_rows(*renderables: RenderableType) -> None:
    """Print tables and lines. Outside a terminal each row is one line, however long, so that it can be searched."""
    out = console()
    if out.is_terminal:
        out.print(*renderables, sep="\n")
    else:
        print(rows_text(*renderables), end="", flush=True)


def rows_text(*renderables: RenderableType) -> str:
    """Return tables and lines as text, each row as one line."""
    wide = Console(file=StringIO(), highlight=False, markup=False, emoji=False, width=ROW_COLUMNS, color_system=None)
    with wide.capture() as captured:
        wide.print(*renderables, sep="\n")
    return "".join([f"{line.rstrip()}\n" for line in captured.get().splitlines()])


def tell(message: str) -> None:
    """Print a message on standard error, with control characters escaped."""
    # If standard error is closed, there is nowhere to print.
    with suppress(OSError):
        print("\n".join(map(visible, message.split("\n"))), file=sys.stderr, flush=True)


def tell_note(note: str) -> None:
    """Print a note on standard error, as batt's own."""
    tell(f"batt: {note}")


@contextmanager
def kept_errors() -> Iterator[list[OSError]]:
    """Keep an error of writing to standard output, to be raised after everything else."""
    kept: list[OSError] = []
    try:
        yield kept
    except OSError as error:
        kept.append(error)
