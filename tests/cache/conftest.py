"""A cache of its own for each test, and a small part of a deck and of tasks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import batt
from batt.cache import ResultCache
from batt.front import Deck
from batt.jobs import Results, export
from batt.tasks import Tasks

SOLVERS, TASKS = 12, 6


@pytest.fixture
def cache(tmp_path: Path) -> ResultCache:
    return ResultCache(tmp_path / "cache" / "results.db")


@pytest.fixture(scope="session")
def deck() -> Deck:
    return batt.load_deck()[:SOLVERS]


@pytest.fixture(scope="session")
def tasks() -> Tasks:
    return batt.load_tasks("arc1-training")[:TASKS]


@pytest.fixture
def rows(tmp_path: Path) -> Callable[[Results], bytes]:
    """The export of results, with outputs if there are any."""

    def of(results: Results) -> bytes:
        export(results, tmp_path / "rows.jsonl", outputs=results.outputs is not None)
        return (tmp_path / "rows.jsonl").read_bytes()

    return of
