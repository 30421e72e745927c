from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

import batt
from batt.front import Deck
from batt.jobs.progress import PlainLines
from batt.page.machine import MachineLoad
from batt.page.monitor import RunMonitor
from batt.page.terminal import LINES, TerminalView, run_display, sparkline
from batt.runtime.tier import CPU
from batt.tasks import Tasks

COLOUR = re.compile(r"\x1b\[(?:\d+;)*[39]\d")
"""A colour of the text, of 16 or more: rich keeps the codes of a style as they were first drawn."""


@pytest.fixture(scope="module")
def monitor(deck: Deck, tasks: Tasks) -> RunMonitor:
    made = RunMonitor()
    batt.evaluate(deck, tasks, engine="reference", progress=made)
    made.on_deferred(CPU, "an order of sets", 3)
    made.end()
    return made


def drawn(monitor: RunMonitor, width: int = 80, **options: object) -> list[str]:
    """The lines of the view in a terminal."""
    out = io.StringIO()
    console = Console(file=out, width=width, height=24, force_terminal=True, highlight=False, **options)  # type: ignore[arg-type]
    console.print(TerminalView(monitor))
    return out.getvalue().splitlines()


def test_a_run_takes_ten_lines(monitor: RunMonitor):
    lines = drawn(monitor, no_color=True, color_system=None)
    assert len(lines) == LINES
    labels = [line.split()[0] for line in lines]
    assert labels == [
        "evaluating", "done", "rate", "time", "engines", "deferred", "outcomes", "solved", "latest", "load"
    ]  # fmt: skip
    shown = "\n".join(lines)
    assert "28 of 28 (100%)" in shown
    assert "reference 28" in shown
    assert "3: an order of sets 3" in shown
    assert "2 of 2 tasks, 2 fitted" in shown


def test_no_line_is_wider_than_the_terminal(monitor: RunMonitor):
    lines = drawn(monitor, width=40, no_color=True, color_system=None)
    assert len(lines) == LINES
    assert max(map(len, lines)) <= 40


def test_colours_are_left_out_if_asked(monitor: RunMonitor, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert any(map(COLOUR.search, drawn(monitor, color_system="256")))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not any(map(COLOUR.search, drawn(monitor, color_system="256")))


@pytest.mark.parametrize(
    ("columns", "lines", "is_view"), [("100", "40", True), ("60", "40", True), ("36", "40", False), ("100", "8", False)]
)
def test_a_small_terminal_has_a_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: str, lines: str, is_view: bool
):
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm"), ("COLUMNS", columns), ("LINES", lines)):
        monkeypatch.setenv(name, value)
    with run_display(quiet=False) as progress:
        assert progress is not None
        assert isinstance(progress, RunMonitor) is is_view
        progress(3, 10)
    assert ("outcomes" in capsys.readouterr().err) is is_view


def test_a_pipe_gets_plain_lines():
    with run_display(quiet=False) as progress:
        assert isinstance(progress, PlainLines)


def test_a_given_monitor_hears_all_and_passes_it_on():
    given = RunMonitor()
    with run_display(quiet=False, monitor=given) as progress:
        assert progress is given
        assert isinstance(given.shown, PlainLines)
    with run_display(quiet=True, monitor=given) as progress:
        assert progress is given
        assert given.shown is None


def test_quiet_shows_nothing():
    with run_display(quiet=True) as progress:
        assert progress is None


def test_a_line_of_bars_shows_the_rate():
    assert sparkline([(0, 0), (1, 10), (2, 10), (3, 15)]) == "█▁▅"
    assert sparkline([(0, 0)]) == ""


def test_a_load_that_cannot_be_measured_is_unknown(monitor: RunMonitor, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(MachineLoad, "rows", lambda self: [])
    assert "unknown (psutil is not installed)" in drawn(monitor, no_color=True, color_system=None)[-1]
