"""A run of some built-in solvers."""

from __future__ import annotations

import pytest

import batt
from batt.front import Deck
from batt.jobs import Results, evaluate
from batt.tasks import Tasks


@pytest.fixture(scope="session")
def some_deck() -> Deck:
    return batt.load_deck()[:40]


@pytest.fixture(scope="session")
def some_tasks() -> Tasks:
    """Tasks that some of the solvers are for, and others."""
    loaded = batt.load_tasks("arc1-training")
    own = [name.removeprefix("solve_") for name in batt.load_deck().names[:12]]
    return loaded.select([*own, *loaded.ids[:6]])


@pytest.fixture(scope="session")
def some_results(some_deck: Deck, some_tasks: Tasks) -> Results:
    return evaluate(some_deck, some_tasks, workers=1)
