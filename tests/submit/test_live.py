"""The file of a submission while a run goes on: valid from the start, and in the end that of an unbroken run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import batt
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import Results, evaluate
from batt.jobs.keeping import Keep
from batt.runtime.cpu import tier
from batt.runtime.tier import Part
from batt.store import Session, open_run
from batt.store.manifest import Choices
from batt.submit import SubmissionFile, check_submission, live
from batt.tasks import Tasks
from native_library import needs_library
from stored_runs import cut


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run small blocks, and choose at every poll."""
    monkeypatch.setattr(tier, "FIRST_BLOCK", 64)
    monkeypatch.setattr(tier, "MAX_BLOCK", 64)
    monkeypatch.setattr(live, "EVERY_S", 0.0)
    monkeypatch.setattr(live, "SHARE", 1e9)


def hooks(made: SubmissionFile) -> dict[str, Any]:
    """What a run calls."""
    return {"on_start": made.on_start, "on_block": made.on_block, "on_poll": made.on_poll}


def test_a_valid_file_is_there_before_the_first_evaluation(some_deck: Deck, some_tasks: Tasks, tmp_path: Path):
    made = SubmissionFile(tmp_path / "s.json")
    seen: list[dict[str, Any]] = []

    def look(part: Part) -> None:
        seen.append(json.loads(made.path.read_text()))
        raise KeyboardInterrupt

    results = evaluate(some_deck, some_tasks, workers=1, on_start=made.on_start, on_block=look)
    assert results.interrupted
    assert list(seen[0]) == list(some_tasks.ids)
    for task in some_tasks:
        inputs = [[list(row) for row in pair.input] for pair in task.test]
        assert [[each["attempt_1"], each["attempt_2"]] for each in seen[0][task.id]] == [[grid] * 2 for grid in inputs]


@needs_library
@pytest.mark.usefixtures("at_once")
def test_the_file_is_replaced_while_the_run_goes_on_and_always_valid(
    some_deck: Deck, some_tasks: Tasks, some_results: Results, tmp_path: Path
):
    made = SubmissionFile(tmp_path / "s.json")
    texts: list[str] = []

    def poll() -> None:
        made.on_poll()
        if made.path.read_text() not in texts[-1:]:
            texts.append(made.path.read_text())
            assert check_submission(made.path, some_tasks).findings == ()

    results = evaluate(some_deck, some_tasks, workers=1, engine="cpu", **hooks(made) | {"on_poll": poll})
    assert len(texts) > 3
    made.finish(results)
    assert made.path.read_text() == live.attempts_of(some_results).text
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["s.json"]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("keep", Keep)
def test_a_run_that_goes_on_ends_with_the_file_of_an_unbroken_one(
    keep: Keep,
    some_deck: Deck,
    some_tasks: Tasks,
    some_results: Results,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    expected = live.attempts_of(some_results).text
    made = SubmissionFile(tmp_path / "s.json")
    with Session.begin(tmp_path / "run", some_deck, some_tasks, Choices(keep=keep)) as session:
        results = session.evaluate(workers=1, **hooks(made) | {"on_block": cut(5)})
    made.finish(results)
    assert check_submission(made.path, some_tasks).findings == ()
    again = SubmissionFile(tmp_path / "s.json")
    with Session.resume(tmp_path / "run") as session:
        results = session.evaluate(workers=1, **hooks(again))
    again.finish(results)
    assert made.path.read_text() == expected
    assert json.loads(expected) == batt.submission(open_run(tmp_path / "run"))


def test_a_run_begins_with_what_earlier_sessions_found(
    some_deck: Deck, some_tasks: Tasks, some_results: Results, tmp_path: Path
):
    with Session.begin(tmp_path / "run", some_deck, some_tasks) as session:
        session.evaluate(workers=1)
    made = SubmissionFile(tmp_path / "s.json")
    with Session.resume(tmp_path / "run") as session:
        session.evaluate(workers=1, on_start=made.on_start)
    assert made.path.read_text() == live.attempts_of(some_results).text


@pytest.mark.usefixtures("at_once")
def test_a_file_that_cannot_be_replaced_is_told_once_and_the_run_goes_on(
    some_deck: Deck, some_tasks: Tasks, tmp_path: Path
):
    told: list[str] = []
    folder = tmp_path / "there"
    folder.mkdir()
    made = SubmissionFile(folder / "s.json", told.append)

    def block(part: Part) -> None:
        if folder.exists():
            made.path.unlink()
            folder.rmdir()
        made.on_block(part)

    results = evaluate(some_deck, some_tasks, workers=1, **hooks(made) | {"on_block": block})
    assert not results.interrupted
    made._next_s = 0.0
    made._touched[:] = True
    made.on_poll()
    made._touched[:] = True
    made.on_poll()
    assert told == [f"{made.path}: cannot be written: No such file or directory; the run goes on"]
    with pytest.raises(UsageError, match="cannot be written"):
        made.finish(results)


def test_a_file_that_cannot_be_written_at_the_start_ends_the_run(some_deck: Deck, some_tasks: Tasks, tmp_path: Path):
    made = SubmissionFile(tmp_path / "no" / "s.json")
    with pytest.raises(UsageError, match="cannot be written"):
        evaluate(some_deck, some_tasks, workers=1, on_start=made.on_start)


def test_choosing_takes_a_small_share_of_the_time(
    some_deck: Deck, some_tasks: Tasks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    now = [100.0]
    monkeypatch.setattr(live.time, "monotonic", lambda: now[0])
    made = SubmissionFile(tmp_path / "s.json")
    evaluate(some_deck[:2], some_tasks[:2], workers=1, on_start=made.on_start, on_block=made.on_block)
    asked: list[list[int]] = []

    def choose(tasks: list[int], records: object) -> bool:
        asked.append(tasks)
        now[0] += 2.0
        return False

    monkeypatch.setattr(made._attempts, "choose", choose)
    made.on_poll()
    assert asked == []  # it is not time yet
    for later_s, count in ((live.EVERY_S, 1), (2.0 / live.SHARE - 1, 1), (1, 2)):
        now[0] += later_s
        made._touched[:] = True
        made.on_poll()
        assert len(asked) == count
