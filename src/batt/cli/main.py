"""The command line: the parser, the choice of the subcommand, and exit codes."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from importlib import import_module

from batt import __version__
from batt.cli import signals
from batt.cli.command import EXIT_CODES
from batt.cli.output import tell_note
from batt.cli.targets import check_targets, targets_of
from batt.errors import BattError, InternalError
from batt.files import STREAMS, stream_apart

COMMANDS = (
    "run",
    "runs",
    "report",
    "submit",
    "cache",
    "kaggle",
    "lint",
    "card",
    "show",
    "trace",
    "ops",
    "stats",
    "tasks",
    "infer",
    "solve",
    "check",
    "bench",
    "profile",
    "doctor",
)
"""The subcommands; each is a module of this package."""

PARTS_OF_RUNS = ("list", "diff", "merge", "export")

OK, FAILED, BAD_INPUT = 0, 1, 2


def parser(named: str = "") -> argparse.ArgumentParser:
    """Return the parser of the whole command line, or with the command `named` alone: loading all is slow."""
    made = argparse.ArgumentParser(
        prog="batt",
        description="Run decks of arc-dsl solvers over ARC-AGI tasks.",
        epilog=f"`batt COMMAND --help` shows options and examples.\n\nexit codes: {EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"batt {__version__}")
    commands = made.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in [named] if named in COMMANDS else COMMANDS:
        import_module(f"batt.cli.{command}").register(commands)
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    signals.open_missing_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Characters that the terminal cannot show become question marks.
        sys.stdout.reconfigure(errors="replace")
    args = parse(sys.argv[1:] if argv is None else argv)
    try:
        with signals.interrupting():
            return run(args)
    except InternalError as error:
        tell_note(f"internal error: {error}\nThis is a bug of batt; please report it.")
        return FAILED
    except BattError as error:
        tell_note(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        tell_note(signals.word())
        return signals.exit_code()
    except BrokenPipeError:
        # The reader is gone, as in `batt ops | head`.
        drop_output()
        return OK
    except OSError as error:
        tell_note(str(error))
        drop_output()
        return BAD_INPUT


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse the command line; decks may come before, between and after options."""
    words = with_implied(words)
    made = parser(words[0] if words else "")
    args, rest = made.parse_known_args(words)
    if rest and (not hasattr(args, "decks") or any(word.startswith("-") for word in rest)):
        made.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        args.decks = [*args.decks, *rest]
    return args


def with_implied(words: Sequence[str]) -> Sequence[str]:
    """Return the command line with the subcommand that `batt runs DIR` leaves out."""
    if words[:1] != ["runs"] or not words[1:] or words[1] in (*PARTS_OF_RUNS, "-h", "--help"):
        return words
    return ["runs", PARTS_OF_RUNS[0], *words[1:]]


def run(args: argparse.Namespace) -> int:
    """Run the parsed command after checking its files."""
    check_targets(args)
    to_stream = any(str(target.path) in STREAMS for target in targets_of(args))
    with stream_apart() if to_stream else nullcontext():
        code = int(args.execute(args))
        sys.stdout.flush()
        return code


def drop_output() -> None:
    """Discard unwritten output, so that the interpreter does not try again at exit."""
    with open(os.devnull, "wb") as nowhere, suppress(io.UnsupportedOperation):
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
