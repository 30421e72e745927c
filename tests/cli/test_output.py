"""Text for a terminal or a file, as it is."""

from __future__ import annotations

import pytest
from rich.table import Table

from batt.cli.output import console, tell


def test_a_message_cannot_command_the_terminal(capsys: pytest.CaptureFixture[str]):
    tell("a\x1b[2Jb\rc\ud800d\ne")
    assert capsys.readouterr() == ("", "a\\x1b[2Jb\\rc\\ud800d\ne\n")


def test_messages_and_tables_hold_no_markup(capsys: pytest.CaptureFixture[str]):
    table = Table(box=None)
    table.add_row("[red]x[/red] [/] :100:")
    tell("deck.py:100:9: [bold]")
    console().print(table)
    out, err = capsys.readouterr()
    assert out.strip() == "[red]x[/red] [/] :100:"
    assert err == "deck.py:100:9: [bold]\n"
