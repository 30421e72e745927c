"""A run is read without its deck and tasks, also if it is large."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import batt
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import evaluate
from batt.store import Session, open_run, scratch
from batt.store.manifest import Choices, tasks_hash
from batt.tasks import Tasks
from batt.tasks.packing import pack_tasks
from handmade import plain_tasks, source
from native_library import needs_library
from stored_runs import cut, resumed, stored

Rows = Callable[..., bytes]

FUNCTION = """
def turned(x):
    return vmirror(x)


def solve_f(I):
    return compose(turned, first)
"""
HUGE = ("x = multiply(9000000000000000000, 9000000000000000000)",)


def test_a_run_is_opened_in_another_folder_without_its_inputs(tmp_path: Path):
    deck_file, tasks_file = tmp_path / "deck.py", tmp_path / "tasks.json"
    deck_file.write_text(source("solve_a", "x = vmirror(I)"))
    tasks_file.write_text('{"t": {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]]}]}}')
    before = stored(tmp_path / "run", batt.load_deck(deck_file), batt.load_tasks(tasks_file))
    deck_file.unlink()
    tasks_file.unlink()
    shutil.move(tmp_path / "run", tmp_path / "moved")
    results = open_run(tmp_path / "moved")
    assert results.tasks["t"] == before.tasks["t"]
    assert results.deck["solve_a"].program == before.deck["solve_a"].program
    assert results.fits.tolist() == [[True]]
    assert results.output("solve_a", "t") == ((4, 3),)


def test_tasks_too_many_to_be_stored_are_read_again(
    deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many_blocks: None
):
    monkeypatch.setattr("batt.store.manifest.EMBEDDED_CELLS", 100)
    monkeypatch.setattr("batt.jobs.samples.SPAN_CELLS", 3000)
    packed = tmp_path / "tasks.batt-tasks"
    pack_tasks(tasks, packed)
    whole = evaluate(deck, packed)
    with Session.begin(tmp_path / "run", deck, str(packed), task_sources=[str(packed)]) as session:
        assert session.evaluate(workers=1, on_block=cut(3)).interrupted
    assert rows(resumed(tmp_path / "run")) == rows(whole) == rows(open_run(tmp_path / "run"))
    pack_tasks(tasks[:-1], packed)
    with pytest.raises(UsageError, match=r"unknown task|the run began with other tasks"):
        open_run(tmp_path / "run")
    packed.unlink()
    with pytest.raises(UsageError, match="no such file, folder or set of tasks"):
        Session.resume(tmp_path / "run")
    assert rows(open_run(tmp_path / "run", tasks=_repacked(tasks, packed))) == rows(whole)


def _repacked(tasks: Tasks, path: Path) -> Path:
    pack_tasks(tasks, path)
    return path


def test_records_in_files_give_what_records_in_memory_give(
    deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many_blocks: None
):
    whole = evaluate(deck, tasks, outputs=True)
    monkeypatch.setattr(scratch, "IN_MEMORY_BYTES", 100)
    monkeypatch.setattr("batt.runtime.records.AT_ONCE", 37)
    choices = Choices(outputs=True)
    assert stored(tmp_path / "run", deck, tasks, choices, on_block=cut(2)).interrupted
    again = resumed(tmp_path / "run")
    assert isinstance(again.records, np.memmap)
    assert rows(again, True) == rows(whole, True)
    assert (again.counts, again.error_counts, again.not_run) == (whole.counts, whole.error_counts, 0)
    assert again.winners().names == whole.winners().names


def test_functions_among_outputs_are_stored_as_their_printed_forms(rows: Rows, tmp_path: Path):
    deck, tasks = batt.as_deck(FUNCTION), batt.load_tasks(plain_tasks())
    whole = evaluate(deck, tasks, outputs=True)
    kept = stored(tmp_path / "run", deck, tasks, Choices(outputs=True))
    assert b"compose(turned, first)" in rows(whole, True)
    assert rows(kept, True) == rows(whole, True) == rows(open_run(tmp_path / "run"), True)


@needs_library
def test_what_native_code_defers_is_counted_by_cause_over_all_sessions(tmp_path: Path, many_blocks: None):
    deck = Deck.from_sources({"solve_huge": source("solve_huge", *HUGE), "solve_a": source("solve_a", "x = I")})
    tasks = batt.load_tasks(plain_tasks())
    whole = evaluate(deck, tasks)
    assert sum(whole.fallbacks.values()) == 7
    first = stored(tmp_path / "run", deck, tasks, on_block=cut(2))
    assert first.not_run
    again = resumed(tmp_path / "run")
    assert again.fallbacks == whole.fallbacks == open_run(tmp_path / "run").fallbacks
    assert again.tiers.finished == whole.tiers.finished


def test_the_hash_of_tasks_depends_on_every_cell_and_on_the_order():
    plain = plain_tasks()
    before = tasks_hash(batt.load_tasks(plain))
    assert tasks_hash(batt.load_tasks(plain_tasks())) == before
    assert tasks_hash(batt.load_tasks(plain).select(["trap", "mirror"])) != before
    plain["mirror"]["test"][0]["input"] = [[6, 8]]
    assert tasks_hash(batt.load_tasks(plain)) != before


def test_a_folder_without_a_run_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="no such file; batt run --out DIR makes one"):
        open_run(tmp_path)
