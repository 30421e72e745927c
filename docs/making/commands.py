"""The page of the commands, from the parsers of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from batt.cli.command import EXIT_CODES
from batt.cli.main import COMMANDS, parser
from making.markdown import cell, code

HEAD = f"""# Commands

<!-- Generated from the parsers by `make docs`; a test compares. -->

`batt COMMAND --help` shows the same in the terminal. No command overwrites a file that it reads.

Exit codes: {EXIT_CODES}. Where a command has others, its section says so.
"""

PAGES = {
    "run": ("results.md", "What a run gives"),
    "runs": ("runs.md", "Stored runs"),
    "report": ("report.md", "The page of a run"),
    "submit": ("submissions.md", "Submissions"),
    "cache": ("cache.md", "The cache"),
    "kaggle": ("kaggle.md", "Offline notebooks"),
    "lint": ("decks.md#checking-a-deck", "Checking a deck"),
    "card": ("card.md", "Cards"),
    "show": ("pictures.md", "Pictures"),
    "trace": ("pictures.md", "Pictures"),
    "ops": ("primitives.md", "The primitives"),
    "stats": ("statistics.md", "Statistics for a search"),
    "tasks": ("tasks.md", "Tasks"),
    "infer": ("infer.md", "Inferring"),
    "solve": ("solve.md", "Solving new tasks"),
    "check": ("check.md", "Comparing engines"),
    "bench": ("speed.md", "How fast"),
    "profile": ("profile.md", "Reading a profile"),
    "doctor": ("gpu.md#testing-a-machine", "Testing a machine"),
}
"""The page that explains a command, and its title."""


def commands_page() -> str:
    """Return the page: a table of all commands, then each with its options and examples."""
    whole = parser()
    (choices,) = [action for action in whole._actions if isinstance(action, argparse._SubParsersAction)]
    summaries = {action.dest: action.help or "" for action in choices._choices_actions}
    lines = [HEAD, "| command | what it does | page |", "|---|---|---|"]
    for name in COMMANDS:
        page, title = PAGES.get(name, ("", ""))
        link = f"[{title}]({page})" if page else ""
        lines.append(f"| [`batt {name}`](#batt-{name}) | {cell(summaries[name])} | {link} |")
    for name in COMMANDS:
        lines += _section(choices.choices[name], 2)
    return "\n".join(lines) + "\n"


def _section(made: argparse.ArgumentParser, level: int) -> Iterator[str]:
    """Yield the section of a command, and those of its subcommands."""
    yield f"\n{'#' * level} {made.prog}\n"
    yield " ".join((made.description or "").split())
    inner = [action for action in made._actions if isinstance(action, argparse._SubParsersAction)]
    shown = [action for action in made._actions if action not in inner and action.help != argparse.SUPPRESS]
    shown = [action for action in shown if not isinstance(action, argparse._HelpAction)]
    if shown:
        yield "\n| option | what it does |\n|---|---|"
        for action in shown:
            yield f"| {_written(action)} | {cell(_help(made, action))} |"
    examples, _, codes = (made.epilog or "").partition("\n\n")
    if examples:
        yield "\n```text"
        yield from [line.strip() for line in examples.splitlines()[1:]]
        yield "```"
    codes = " ".join(codes.split())
    if codes and codes != f"exit codes: {EXIT_CODES}":
        yield f"\n{codes[0].upper()}{codes[1:]}."
    for action in inner:
        for each in action.choices.values():
            yield from _section(each, level + 1)


def _written(action: argparse.Action) -> str:
    """Return an option with its value, or a positional argument, as the command line takes it."""
    value = _value(action)
    return ", ".join([code(f"{name} {value}".strip()) for name in action.option_strings or [""]])


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    name = str(action.metavar or "{" + ",".join(map(str, action.choices or ())) + "}")
    many = {"*": f"[{name} …]", "+": f"{name} [{name} …]", "?": f"[{name}]"}
    return many.get(str(action.nargs), name)


def _help(made: argparse.ArgumentParser, action: argparse.Action) -> str:
    return made._get_formatter()._expand_help(action)
