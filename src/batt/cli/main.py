"""The command line's frame: the parser, the choice of the subcommand, and exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from rich.console import Console

from batt import __version__
from batt.cli import doctor, ops, run, show, trace
from batt.errors import BattError, InternalError

COMMANDS = (run, show, trace, ops, doctor)

OK, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    made = argparse.ArgumentParser(
        prog="batt",
        description="Run decks of arc-dsl solvers over ARC-AGI tasks.",
        epilog="Exit codes: 0 all well, 1 a check failed, 2 bad input.",
    )
    made.add_argument("--version", action="version", version=f"batt {__version__}")
    commands = made.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.register(commands)
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    args = parser().parse_args(argv)
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    try:
        return int(args.execute(args))
    except InternalError as error:
        errors.print(f"batt: internal error: {error}\nThis is a bug of batt; please report it.", markup=False)
        return FAILED
    except BattError as error:
        errors.print(f"batt: {error}", markup=False)
        return BAD_INPUT
    except KeyboardInterrupt:
        errors.print("batt: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone, as in `batt ops | head`; the interpreter must not find that out again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK


if __name__ == "__main__":
    sys.exit(main())
