"""A deck and tasks that run in a moment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import batt
from batt.bench.frozen import first_132
from batt.front import Deck
from batt.jobs import Results, export, run_id
from batt.store import writer
from batt.tasks import Tasks

SOLVERS, TASKS = 30, 12


@pytest.fixture(scope="session")
def deck() -> Deck:
    return first_132()[:SOLVERS]


@pytest.fixture(scope="session")
def tasks() -> Tasks:
    """Those that some of the solvers are for, so that there are hits."""
    loaded = batt.load_tasks("arc1-training")
    own = [name.removeprefix("solve_") for name in first_132().names[:SOLVERS]]
    return loaded.select([name for name in own if name in loaded][:TASKS])


@pytest.fixture
def many_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write every part at once, as a block of its own."""
    monkeypatch.setattr(writer, "FLUSH_EVALUATIONS", 1)


@pytest.fixture
def rows(tmp_path: Path) -> Callable[..., bytes]:
    """The export of results, with the id of the run in each row."""

    def of(results: Results, outputs: bool = False) -> bytes:
        export(results, tmp_path / "rows.jsonl", outputs=outputs, run=run_id(results))
        return (tmp_path / "rows.jsonl").read_bytes()

    return of
