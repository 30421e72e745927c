"""Register a subcommand: its description, examples and exit codes."""

from __future__ import annotations

import argparse
import shutil
import textwrap
from typing import Any

OUTCOMES = "0 ok, 1 a check failed or batt failed, 2 bad input"
"""The exit codes of a command, unless it gives its own."""
SIGNALS = "130 interrupted, 143 terminated"
EXIT_CODES = f"{OUTCOMES}, {SIGNALS}"
MAX_WIDTH = 100


def add_command(
    commands: Any, name: str, *, summary: str, description: str, examples: tuple[str, ...], exit_codes: str = OUTCOMES
) -> argparse.ArgumentParser:
    """Add a subcommand. `summary` appears in the list of commands; `examples` are whole command lines."""
    made: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=_filled(description),
        epilog="\n".join(
            ["examples:", *[f"  {each}" for each in examples], "", _filled(f"exit codes: {exit_codes}, {SIGNALS}")]
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return made


def _filled(text: str) -> str:
    width = min(shutil.get_terminal_size().columns - 2, MAX_WIDTH)
    return textwrap.fill(text, max(width, 20))
