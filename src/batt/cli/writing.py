"""Write the files of a run: the summary and the winners first, the rows last, which are by far the largest."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batt.cli.output import tell_note
from batt.cli.targets import RESULTS, SUMMARY, WINNER_LINES, WINNERS, is_stream
from batt.errors import UsageError
from batt.files import write_text
from batt.front import Deck
from batt.front.solver import NotOneFile
from batt.jobs import Format, Results, export, run_id

if TYPE_CHECKING:
    from batt.submit import SubmissionFile


def add_rows(parser: argparse.ArgumentParser) -> None:
    """Add options for exported rows."""
    parser.add_argument(
        "--format", choices=[each.value for each in Format],
        help="the format of the exported file (default: by the end of its name, else JSON lines)",
    )  # fmt: skip
    parser.add_argument("--outputs", action="store_true", help="add outputs to the exported rows")
    parser.add_argument("--with-engine", action="store_true", help="add the engine's name to the exported rows")


def write_files(
    results: Results,
    args: argparse.Namespace,
    figures: dict[str, Any],
    columns: dict[str, Any],
    submitted: SubmissionFile | None = None,
) -> None:
    """Write the files that the options ask for, and print their names.

    A file that cannot be written does not prevent the others; one error names all that are lost.
    """
    written: list[str] = []
    lost: list[str] = []
    planned = _planned(results, args, figures, columns)
    if submitted is not None:
        planned.insert(0, (submitted.path, lambda: _finish(submitted, results, args.quiet)))
    for path, write in planned:
        try:
            written.append(str(write() or path))
        except UsageError as error:
            lost.append(str(error))
    if lost:
        raise UsageError("\n".join([*lost, f"written: {', '.join(written) or 'nothing'}"]))
    if written and not args.quiet and not (args.export and is_stream(args.export)):
        tell_note(f"wrote {', '.join(written)}")


def _planned(
    results: Results, args: argparse.Namespace, figures: dict[str, Any], columns: dict[str, Any]
) -> list[tuple[Path, Callable[[], Path | None]]]:
    """Each file with what writes it, in the order of writing."""
    rows = partial(export, results, outputs=args.outputs, with_engine=args.with_engine, columns=columns)
    planned: list[tuple[Path, Callable[[], Path | None]]] = []
    if args.out:
        run = run_id(results)
        summary = json.dumps({"run": run, **figures}, indent=2) + "\n"
        planned.append((args.out / SUMMARY, lambda: _write_summary(args.out, summary)))
        planned.append((args.out / WINNERS, lambda: write_winners(results.winners(), args.out, run)))
        planned.append((args.out / RESULTS, lambda: rows(args.out / RESULTS, run=run)))
    if args.export:
        planned.append((args.export, lambda: rows(args.export, format=args.format)))
    return planned


def _finish(submitted: SubmissionFile, results: Results, quiet: bool) -> None:
    """Write the submission, and say what its first attempts are."""
    from batt.submit import Why

    counts = submitted.finish(results).counts
    if not quiet:
        told = ", ".join([f"{counts[why]:,} {why.value}" for why in Why])
        tell_note(f"{submitted.path}: {sum(counts.values()):,} test inputs; first attempts: {told}")


def _write_summary(folder: Path, text: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made: {error.strerror}") from None
    write_text(folder / SUMMARY, text)


def write_winners(winners: Deck, folder: Path, run: str) -> Path:
    """Write the winners as Python, or as JSON lines if they do not fit in one file. Return the path.

    Without winners the file holds no solver and says so: an older file never looks like this run's.
    """
    as_python, as_lines = folder / WINNERS, folder / WINNER_LINES
    path, older = as_python, as_lines
    if not len(winners):
        write_text(as_python, f"# Run {run}: no solver fits a task.\n")
    else:
        try:
            winners.save(as_python, run=run)
        except NotOneFile as error:
            tell_note(str(error))
            path, older = as_lines, as_python
            winners.save(as_lines, run=run)
    older.unlink(missing_ok=True)
    return path
