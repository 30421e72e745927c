"""Progress: a bar on a terminal, else a line a minute."""

from __future__ import annotations

import pytest

from batt.jobs.progress import PlainLines, progress_display


def test_plain_progress_is_a_line_a_minute(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    progress = PlainLines()
    progress(0, 20_000)
    for now in (1.0, 59.0, 60.0, 61.0, 119.0, 125.0):
        progress(int(now) * 100, 20_000)
    assert capsys.readouterr().err.splitlines() == [
        "6,000 of 20,000 evaluations, 100/s, 140 s left",
        "12,500 of 20,000 evaluations, 100/s, 75 s left",
    ]


def test_there_is_no_estimate_before_the_first_result(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    times = iter([0.0, 1.0, 1.0, 61.0, 61.0])
    monkeypatch.setattr("time.monotonic", lambda: next(times))
    progress = PlainLines()
    progress(0, 60)
    progress(0, 60)
    assert capsys.readouterr().err == "0 of 60 evaluations\n"


def test_the_rate_counts_from_the_first_report(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    times = iter([0.0, 50.0, 50.0, 110.0, 110.0])
    monkeypatch.setattr("time.monotonic", lambda: next(times))
    progress = PlainLines()
    progress(0, 1_200)
    progress(600, 1_200)
    assert capsys.readouterr().err == "600 of 1,200 evaluations, 10/s, 60 s left\n"


def test_quiet_progress_is_none():
    with progress_display(quiet=True) as progress:
        assert progress is None


def test_a_terminal_gets_a_bar_that_goes_away(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with progress_display(quiet=False) as progress:
        assert progress is not None
        progress(3, 10)
        progress(10, 10)
    shown = capsys.readouterr()
    assert "evaluating" in shown.err
    assert "10/10" in shown.err
    assert shown.err.endswith("\x1b[2K")
    assert shown.out == ""


def test_a_narrow_terminal_gets_whole_figures(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "38")
    with progress_display(quiet=False) as progress:
        assert progress is not None
        progress(3_000, 226_776)
        progress(226_776, 226_776)
    shown = capsys.readouterr().err
    assert "226776/226776" in shown
    assert "…" not in shown


def test_progress_on_a_cluster_says_how_many_workers_there_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("time.monotonic", lambda: now)
    now = 0.0
    progress = PlainLines()
    progress(0, 1_200)
    for workers in (3, 1, 0):
        now += 60.0
        progress.workers = workers
        progress(600, 1_200)
    told = [line.split(", ")[1] for line in capsys.readouterr().err.splitlines()]
    assert told == ["10/s on 3 workers", "5/s on 1 worker", "3/s on 0 workers"]
