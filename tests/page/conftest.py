"""A small run: a solver that is correct, one that falls for the trap, one that fails, and one with a hostile name."""

from __future__ import annotations

from pathlib import Path

import pytest

import batt
from batt.front import Deck
from batt.jobs import Results
from batt.jobs.matrix import Matrix, matrix_of
from batt.tasks import Tasks
from handmade import MIRROR, RAISES, SAME, plain_tasks, source
from stored_runs import stored

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="session")
def deck() -> Deck:
    solvers = {"solve_mirror": MIRROR, "solve_same": SAME, "solve_fails": RAISES, HOSTILE: MIRROR}
    return Deck.from_sources({name: source("solve", *lines) for name, lines in solvers.items()})


@pytest.fixture(scope="session")
def tasks() -> Tasks:
    return batt.tasks_from_dict(plain_tasks())


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, deck: Deck, tasks: Tasks) -> Path:
    """A stored run of the deck on the tasks."""
    made = tmp_path_factory.mktemp("page") / "run"
    stored(made, deck, tasks, engine="reference")
    return made


@pytest.fixture(scope="session")
def results(folder: Path) -> Results:
    return batt.open_run(folder)


@pytest.fixture(scope="session")
def matrix(results: Results) -> Matrix:
    return matrix_of(results)
