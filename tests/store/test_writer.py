"""A thread that fails ends the run with a message; it never leaves the run waiting."""

from __future__ import annotations

from pathlib import Path

import pytest

from batt.errors import InternalError
from batt.front import Deck
from batt.store import state_of, writer
from batt.tasks import Tasks
from stored_runs import resumed, stored


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_in_the_thread_that_stores_ends_the_run(
    deck: Deck, tasks: Tasks, tmp_path: Path, many_blocks: None, monkeypatch: pytest.MonkeyPatch
):
    def broken(*args: object) -> bytes:
        raise ValueError("a bug")

    monkeypatch.setattr(writer, "WAITING_PARTS", 1)
    monkeypatch.setattr(writer, "FLUSH_S", 0.01)
    with monkeypatch.context() as patch:
        patch.setattr(writer, "pack_records", broken)
        with pytest.raises(InternalError, match="the thread that stores results has ended"):
            stored(tmp_path, deck, tasks)
    assert state_of(tmp_path).done == 0
    assert not resumed(tmp_path).interrupted


def test_an_error_of_the_disk_in_a_scratch_file_ends_the_run_cleanly(
    deck: Deck, tasks: Tasks, tmp_path: Path, many_blocks: None, monkeypatch: pytest.MonkeyPatch
):
    def full(*args: object) -> bytes:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(writer, "pack_records", full)
        with pytest.raises(writer.UsageError, match=r"No space left on device; 0 of 1,350 evaluations"):
            stored(tmp_path, deck, tasks)
    assert not resumed(tmp_path).interrupted
