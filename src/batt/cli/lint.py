"""`batt lint`: check decks without running them."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from batt import __version__
from batt.cli.command import add_command
from batt.cli.options import add_ops
from batt.cli.output import console
from batt.front.deck import loaded
from batt.linting import Finding, FindingKind, LintReport, Severity, lint
from batt.linting.formats import as_json, github_lines, printable, shown, text_lines
from batt.source import excerpt
from batt.tasks.model import counted

OK, FOUND = 0, 1
FORMATS = ("human", "text", "json", "github")
SHOWN_OF_KIND = {"human": 20, "text": 1000, "json": 1000, "github": 1000}
"""The most findings of one kind that are printed without --all."""
SHOWN_GROUPS = 12

TITLES = {
    FindingKind.MISTAKE: ("mistake", "mistakes"),
    FindingKind.NEVER_SUCCEEDS: ("step that can never succeed", "steps that can never succeed"),
    FindingKind.FAILING_CALL: ("call that fails whenever it is reached", "calls that fail whenever they are reached"),
    FindingKind.DEAD_STEP: ("value that nobody reads", "values that nobody reads"),
    FindingKind.DUPLICATE_SOLVER: ("solver with another's program", "solvers with another's program"),
    FindingKind.UNUSED_HELPER: ("helper that no solver uses", "helpers that no solver uses"),
    FindingKind.UNUSED_CONSTANT: ("constant that no solver uses", "constants that no solver uses"),
    FindingKind.UNUSED_PARAMETER: ("unused parameter", "unused parameters"),
}
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow"}


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "lint",
        summary="check decks without running them",
        description="Check decks without running them: mistakes and steps that can never succeed are errors; values "
        "that nobody reads, solvers with equal programs, and unused helpers, constants and parameters are warnings.",
        examples=("batt lint solvers.py", "batt lint decks/ winners.jsonl --strict --format github"),
        exit_codes="0 no error (with --strict: no finding), 1 findings that count, 2 bad input",
    )
    parser.add_argument(
        "decks",
        nargs="+",
        metavar="DECK",
        help="Python file, folder of Python files, JSON lines of {name, source}, - for standard input, or built-in",
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1 for warnings, too")
    parser.add_argument(
        "--format", choices=FORMATS, default="human",
        help="human: with source lines; text: a line for each finding; json; github: annotations (default: human)",
    )  # fmt: skip
    parser.add_argument(
        "--all", action="store_true",
        help=f"print all findings (default: {SHOWN_OF_KIND['human']} of each kind, {SHOWN_OF_KIND['text']:,} in other "
        "formats)",
    )  # fmt: skip
    add_ops(parser)
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Check the decks and print the findings. Return 1 if some of them count."""
    own = loaded(args.ops)
    reports = [lint(deck, ops=own) for deck in args.decks]
    limit = None if args.all else SHOWN_OF_KIND[args.format]
    findings = [each for report in reports for each in report.findings]
    match args.format:
        case "json":
            decks = [as_json(report, limit) for report in reports]
            print(json.dumps({"batt": __version__, "decks": decks}, indent=2))
        case "human":
            print_report(console(), reports, limit)
        case _:
            write = text_lines if args.format == "text" else github_lines
            chosen = shown(findings, limit)
            for line in write(chosen):
                print(line)
            if len(chosen) < len(findings):
                print(f"{len(findings) - len(chosen):,} more; --all prints them")
    counts = any(args.strict or each.severity is Severity.ERROR for each in findings)
    return FOUND if counts else OK


def print_report(out: Console, reports: Sequence[LintReport], limit: int | None) -> None:
    """Print the findings by kind, each with its line of source, and the counts."""
    for kind in FindingKind:
        found = [each for report in reports for each in report.of_kind(kind)]
        if found:
            print_kind(out, kind, found, limit)
    errors, warnings = [sum([report.count(severity) for report in reports]) for severity in Severity]
    solvers = sum([report.solvers for report in reports])
    imports = sum([report.imports for report in reports])
    if imports:
        print_line(out, f"{counted(imports, 'import')} skipped: imports are never executed", "dim")
    where = f"{counted(len(reports), 'deck')} with {counted(solvers, 'valid solver')}"
    if errors or warnings:
        print_line(out, f"{counted(errors, 'error')} and {counted(warnings, 'warning')} in {where}", "bold")
    else:
        print_line(out, f"no findings in {where}", "green")


def print_kind(out: Console, kind: FindingKind, found: Sequence[Finding], limit: int | None) -> None:
    """Print the findings of one kind under a heading."""
    colour = _COLOURS[kind.severity]
    print_line(out, heading(kind, len(found)), f"bold {colour}")
    groups = Counter([each.group for each in found]).most_common()
    if kind is FindingKind.MISTAKE and len(groups) > 1:
        for group, count in groups[:SHOWN_GROUPS]:
            print_line(out, f"  {count:,} × {printable(group)}")
        if len(groups) > SHOWN_GROUPS:
            print_line(out, f"  … and {len(groups) - SHOWN_GROUPS:,} more kinds")
    for each in shown(found, limit):
        line = Text(printable(f"{each.place}: "))
        line.append(kind.value, colour)
        line.append(printable(f": {each.message}"))
        out.print(line, soft_wrap=True)
        if each.line.strip():
            print_line(out, excerpt(each.line, each.place.column), "dim")
    if limit is not None and len(found) > limit:
        print_line(out, f"… and {len(found) - limit:,} more; --all prints them")
    out.print()


def print_line(out: Console, text: str, style: str = "") -> None:
    """Print a line of text that is never read as markup and never cut."""
    out.print(Text(text, style), soft_wrap=True)


def heading(kind: FindingKind, count: int) -> str:
    """Return the heading over the findings of a kind."""
    one, many = TITLES[kind]
    return f"{count:,} {one if count == 1 else many}"
