from __future__ import annotations

from pathlib import Path

import pytest

import batt
from batt.front import Deck
from batt.jobs.display import Display
from batt.page import monitor as monitor_module
from batt.page.monitor import RunMonitor
from batt.page.terminal import lines_of
from batt.runtime.tier import CPU
from batt.store import Session
from batt.tasks import Tasks
from stored_runs import cut, stored


class Shown(Display):
    """A display that keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[int, int]] = []

    def __call__(self, done: int, total: int) -> None:
        self.told.append((done, total))


@pytest.fixture(scope="module")
def monitor(deck: Deck, tasks: Tasks) -> RunMonitor:
    """A monitor of a run that is over."""
    made = RunMonitor(Shown())
    batt.evaluate(deck, tasks, engine="reference", progress=made)
    made.end()
    return made


def test_a_monitor_counts_what_a_run_does(monitor: RunMonitor):
    figures = monitor.figures()
    assert (figures["done"], figures["total"]) == (28, 28)
    assert figures["statuses"] == {"ok": 21, "raised": 7, "over_budget": 0, "timed_out": 0}
    assert figures["tiers"] == {"reference": 28}
    assert figures["rate"] > 0
    assert monitor.counts().finished.total() == 28


def test_a_monitor_knows_the_tasks_that_are_solved(monitor: RunMonitor):
    figures = monitor.figures()
    assert (figures["correct"], figures["fits"], figures["tasks"], figures["solved"]) == (2, 2, 2, [0, 1])
    assert figures["solvers_that_fit"] == 3
    assert sorted(figures["latest"]) == ["mirror", "trap"]


def test_a_monitor_times_solvers_like_a_stored_run(monitor: RunMonitor):
    session = monitor.session()
    assert sum(row[1] for row in session["slowest"]) == 28
    assert session["history"][0][1] == 0


def test_a_monitor_passes_progress_on(monitor: RunMonitor):
    assert isinstance(monitor.shown, Shown)
    assert monitor.shown.told[0] == (0, 28)
    assert monitor.shown.told[-1] == (28, 28)


def test_the_clock_of_a_run_that_is_over_stands_still(monitor: RunMonitor):
    assert monitor.wall_s == monitor.wall_s
    assert monitor.figures()["rate_now"] is None


def test_what_earlier_sessions_found_counts_but_not_for_the_rate(tmp_path: Path, deck: Deck, tasks: Tasks):
    stored(tmp_path / "run", deck, tasks, engine="reference", on_block=cut(1))
    monitor = RunMonitor()
    with Session.resume(tmp_path / "run") as session:
        before = session.loaded.done
        session.evaluate(engine="reference", workers=1, progress=monitor)
    figures = monitor.figures()
    assert 0 < before == monitor.done_before < 28
    assert (figures["done"], sum(figures["statuses"].values()), figures["correct"]) == (28, 28, 2)
    assert sum(figures["tiers"].values()) == 28 - before


def test_tasks_are_not_counted_where_that_takes_too_much_memory(
    deck: Deck, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(monitor_module, "MOST_PAIRS", 7)
    monitor = RunMonitor()
    batt.evaluate(deck, tasks, engine="reference", progress=monitor)
    figures = monitor.figures()
    assert (figures["done"], figures["tiers"]) == (28, {"reference": 28})
    assert "correct" not in figures
    assert ("solved", "–") in list(lines_of(figures, []))


def test_a_monitor_keeps_notes_and_causes():
    monitor = RunMonitor()
    monitor.on_note("a GPU left")
    monitor.on_deferred(CPU, "an order of sets", 3)
    monitor.on_deferred(CPU, "an int beyond 64 bits", 4)
    monitor.on_deferred(CPU, "an order of sets", 2)
    assert [line for _, line in monitor.lines()] == ["a GPU left"]
    assert monitor.figures()["deferred"] == {"an order of sets": 5, "an int beyond 64 bits": 4}
