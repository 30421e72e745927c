"""What the command prints. Owns how text reaches a terminal or a file: names and values are never taken for markup."""

from __future__ import annotations

import sys

from rich.console import Console

from batt.source import visible


def console() -> Console:
    """Standard output as it is when the command runs."""
    return Console(highlight=False, markup=False, emoji=False)


def tell(message: str) -> None:
    """Print a message on standard error; what is not printable, such as a terminal's commands, is written out."""
    print("\n".join(map(visible, message.split("\n"))), file=sys.stderr, flush=True)
