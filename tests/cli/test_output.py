"""Text for a terminal or a file, as it is."""

from __future__ import annotations

import pytest
from rich.table import Table
from rich.text import Text

from batt.cli.output import console, print_rows, tell


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


def wide_table() -> Table:
    table = Table(box=None, show_header=False)
    table.add_row("op", "word " * 60)
    table.add_row("other", "short")
    return table


def test_a_row_is_one_line_outside_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "40")
    print_rows(wide_table(), Text("x" * 500))
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.count("word") == 60
    assert second.split() == ["other", "short"]
    assert second == second.rstrip()
    assert third == "x" * 500


def test_rows_are_wrapped_in_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("FORCE_COLOR", "1")
    print_rows(wide_table())
    assert len(capsys.readouterr().out.splitlines()) > 5


@pytest.mark.parametrize("columns", ["0", "00", ""])
def test_a_terminal_of_no_width_has_80_columns(columns: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", columns)
    assert console().width == 80
    monkeypatch.setenv("COLUMNS", "33")
    assert console().width == 33
