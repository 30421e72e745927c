"""Tasks that are easy to solve, and a small deck to solve them with."""

from __future__ import annotations

import random

import pytest

from batt.front import Deck
from batt.solving.library import FunctionLibrary, build_library
from batt.tasks import Tasks, tasks_from_dict

SOURCES = {
    "solve_turn": "def solve_turn(I):\n    x1 = rot90(I)\n    return x1",
    "solve_mirror": "def solve_mirror(I):\n    x1 = vmirror(I)\n    x2 = hconcat(I, x1)\n    return x2",
    "solve_hole": "def solve_hole(I):\n    x1 = objects(I, T, F, F)\n    x2 = colorfilter(x1, ZERO)\n"
    "    x3 = compose(flip, rbind(bordering, I))\n    x4 = mfilter(x2, x3)\n    x5 = fill(I, FOUR, x4)\n    return x5",
}


@pytest.fixture(scope="session")
def small_deck() -> Deck:
    return Deck.from_sources(SOURCES)


@pytest.fixture(scope="session")
def small_library(small_deck: Deck) -> FunctionLibrary:
    return build_library([small_deck])


def random_grid(seed: int, side: int = 5) -> list[list[int]]:
    rnd = random.Random(seed)
    return [[rnd.choice((0, 0, 1, 2)) for _ in range(side)] for _ in range(side)]


def task_of(function, seeds=range(4)):
    pairs = [{"input": random_grid(seed), "output": function(random_grid(seed))} for seed in seeds]
    return {"train": pairs[:-1], "test": pairs[-1:]}


def quarter_turn(grid):
    return [list(row) for row in zip(*grid[::-1], strict=True)]


def green_where_the_mirror_is_red(grid):
    """A rule that no solver of the deck has."""
    return [[3 if row[-1 - at] == 2 and cell != 2 else cell for at, cell in enumerate(row)] for row in grid]


@pytest.fixture(scope="session")
def easy_tasks() -> Tasks:
    return tasks_from_dict(
        {"turned": task_of(quarter_turn), "greened": task_of(green_where_the_mirror_is_red, range(6))}
    )
