"""What the command prints. Owns how text reaches a terminal or a file: names and values are never taken for markup."""

from __future__ import annotations

import sys

from rich.console import Console


def console() -> Console:
    """Standard output as it is when the command runs."""
    return Console(highlight=False, markup=False, emoji=False)


def tell(message: str) -> None:
    """Print a message on standard error; what is not printable, such as a terminal's commands, is replaced."""
    safe = "".join([char if char.isprintable() or char == "\n" else "�" for char in message])
    print(safe, file=sys.stderr, flush=True)
