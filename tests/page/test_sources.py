from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import batt
from batt.errors import UsageError
from batt.front import Deck
from batt.page import sources
from batt.page.monitor import RunMonitor
from batt.page.sources import MonitorSource, StoredSource
from batt.runtime.tier import Part
from batt.tasks import Tasks
from stored_runs import cut, resumed, stored


@pytest.fixture
def source(deck: Deck, tasks: Tasks) -> Iterator[MonitorSource]:
    made = MonitorSource(RunMonitor(), deck, tasks)
    yield made
    made.close()


def test_there_is_no_overview_before_the_run_begins(source: MonitorSource):
    assert source.overview() is None
    assert source.task(0) is None
    assert source.event()["state"] == "running"


def test_a_page_can_be_read_while_its_run_goes_on(source: MonitorSource, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources, "AGAIN_S", 0.0)
    monkeypatch.setattr(sources, "SHARE", 0)
    seen: list[tuple[str, int, int]] = []

    def look(part: Part) -> None:
        shown = source.overview()
        assert shown is not None
        seen.append((shown["state"], shown["figures"]["done"], source.event()["figures"]["done"]))

    batt.evaluate(source.deck, source.tasks, engine="reference", workers=1, progress=source.monitor, on_block=look)
    source.monitor.end()
    assert {state for state, _, _ in seen} == {"running"}
    assert [done for _, done, _ in seen] == sorted({done for _, done, _ in seen})
    final = source.overview()
    assert final is not None
    assert (final["state"], final["figures"]["done"], final["figures"]["correct"]) == ("finished", 28, 2)
    assert final["slowest"]["solvers"]
    details = source.task(0)
    assert details is not None
    assert details["candidates"][0]["solver"] == "solve_mirror"


def test_an_overview_is_not_made_again_at_once(source: MonitorSource, monkeypatch: pytest.MonkeyPatch):
    batt.evaluate(source.deck, source.tasks, engine="reference", progress=source.monitor)
    first = source.overview()
    source.monitor.done -= 1
    assert source.overview() is first
    monkeypatch.setattr(sources, "AGAIN_S", 0.0)
    monkeypatch.setattr(sources, "SHARE", 0)
    second = source.overview()
    assert second is not first
    # Nothing has changed since.
    assert source.overview() is second


def test_the_last_overview_is_made_once(source: MonitorSource):
    batt.evaluate(source.deck, source.tasks, engine="reference", progress=source.monitor)
    running = source.overview()
    assert source.ops() is None
    source.monitor.end()
    final = source.overview()
    assert final is not running
    assert source.overview() is final
    ops = source.ops()
    assert ops is not None
    assert source.ops() is ops


def test_a_stored_run_is_followed_while_it_is_written(
    tmp_path: Path, deck: Deck, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("batt.store.writer.FLUSH_EVALUATIONS", 1)
    seen: list[dict[str, object]] = []
    opened: list[StoredSource] = []

    def look(part: Part) -> None:
        opened[:] = opened or [StoredSource(tmp_path / "run")]
        seen.append(opened[0].event())

    stored(tmp_path / "run", deck, tasks, engine="reference", on_block=look)
    assert {event["state"] for event in seen} == {"running"}
    assert all(event["load"] for event in seen)
    (source,) = opened
    event = source.event()
    assert event["state"] == "finished"
    assert event["figures"]["done"] == 28
    assert event["figures"]["tiers"] == {"reference": 28}
    assert event["figures"]["correct"] == 2
    source.close()


def test_a_run_that_goes_on_is_followed_again(tmp_path: Path, deck: Deck, tasks: Tasks):
    stored(tmp_path / "run", deck, tasks, engine="reference", on_block=cut(1))
    source = StoredSource(tmp_path / "run")
    first = source.overview()
    assert first is not None
    assert (first["state"], first["figures"]["done"] < 28) == ("unfinished", True)
    resumed(tmp_path / "run", engine="reference")
    second = source.overview()
    assert second is not None
    assert (second["state"], second["figures"]["done"]) == ("finished", 28)
    source.close()


def test_a_folder_without_a_run_has_no_page(tmp_path: Path):
    with pytest.raises(UsageError, match="no such file"):
        StoredSource(tmp_path)
