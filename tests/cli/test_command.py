"""Every subcommand says what it does in a sentence, gives examples that its own parser reads, and its exit codes."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from batt.cli.command import EXIT_CODES
from batt.cli.main import COMMANDS, parser

VERBS = ["Check", "Compare", "Draw", "List", "Make", "Measure", "Remove", "Run", "Search", "Show", "Write"]
PAGE = Path(__file__).parents[2] / "docs" / "commands.md"


def subcommands(of: argparse.ArgumentParser, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every subcommand, those within subcommands too."""
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield (*words, name)
                yield from subcommands(inner, (*words, name))


ALL = [" ".join(words) for words in subcommands(parser())]


@pytest.fixture
def shown(batt: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    monkeypatch.setenv("COLUMNS", "200")

    def run(command: str) -> str:
        ended = batt(*command.split(), "--help")
        assert ended.code == 0
        return str(ended.out)

    return run


def test_every_command_is_among_those_that_are_looked_at():
    assert {each for each in ALL if " " not in each} == set(COMMANDS)


@pytest.mark.parametrize("command", ALL)
def test_help_begins_with_a_sentence_that_begins_with_a_verb(shown: Callable[[str], str], command: str):
    usage, _, rest = shown(command).partition("\n\n")
    first = rest.partition("\n\n")[0]
    assert usage.startswith(f"usage: batt {command}")
    assert first.split()[0] in VERBS
    assert first.endswith(".")


@pytest.mark.parametrize("command", ALL)
def test_help_has_two_examples_or_more_that_the_parser_reads(shown: Callable[[str], str], command: str):
    _, _, after = shown(command).partition("\nexamples:\n")
    examples = after.partition("\n\n")[0].splitlines()
    assert len(examples) >= 2
    for example in examples:
        program, *words = shlex.split(example)
        assert program == "batt"
        assert " ".join(words).startswith(command)
        assert callable(parser(words[0]).parse_args(words).execute)


@pytest.mark.parametrize("command", ALL)
def test_help_gives_the_exit_codes(shown: Callable[[str], str], command: str):
    _, _, codes = shown(command).partition("\nexit codes: ")
    assert re.match(r"0 .*, 1 .*, 2 bad input.*, 130 interrupted, 143 terminated", codes.replace("\n", " "))


@pytest.mark.parametrize("command", ALL)
def test_every_option_and_argument_says_what_it_does(shown: Callable[[str], str], command: str):
    text = shown(command)
    for idiom in ("so many", "so long", "chance", "ladder", "sooner", "held against", "tell ", "given again"):
        assert idiom not in text
    made = parser(command.split()[0])
    for word in command.split():
        (made,) = [a.choices[word] for a in made._actions if isinstance(a, argparse._SubParsersAction)]
    assert all(action.help for action in made._actions if not isinstance(action, argparse._SubParsersAction))


def test_the_whole_command_and_the_page_agree_on_the_exit_codes(shown: Callable[[str], str]):
    assert f"exit codes: {EXIT_CODES}" in shown("")
    assert f"Exit codes: {EXIT_CODES}." in PAGE.read_text("utf-8")
