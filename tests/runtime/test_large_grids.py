"""Grids with a side beyond 32,768, of which native code names no cell by a key: it gives what the reference gives."""

from __future__ import annotations

import pytest

from batt.front import Deck
from batt.jobs import evaluate
from batt.runtime import Limits, Status
from batt.tasks import tasks_from_dict
from handmade import source
from native_library import needs_library

pytestmark = needs_library

TASKS = tasks_from_dict({"one": {"train": [{"input": [[1]], "output": [[1]]}], "test": [{"input": [[1]]}]}})
SIDES = ((2, 32_769), (32_769, 2), (1, 65_600), (65_600, 1))
ASKED = (
    *[f"objects(g, {flags})" for flags in ("T, F, T", "F, T, T", "T, T, F")],
    *["mostcolor(g)", "leastcolor(g)", "palette(g)", "numcolors(g)"],
    # Rows of bytes that differ in length are no grid, but have colours.
    *["mostcolor((first(g), (7, 7, 7), (7,)))", "objects(((7,), first(g)), T, F, F)"],
)


def lines_of(height: int, width: int) -> tuple[str, ...]:
    """A grid of background 0 with dots of 5 in its first row and column, a line of 9, and one cell of 255."""
    return (
        f"d = apply(double, interval(0, {max(height, width) // 2}, 1))",
        f"g = canvas(0, ({height}, {width}))",
        "g = fill(g, 5, product(initset(0), d))",
        "g = fill(g, 5, product(d, initset(0)))",
        f"g = fill(g, 9, connect(({height - 1}, {width - 1}), ({height // 2}, {width // 2})))",
        f"g = fill(g, 255, initset(({height - 1}, 0)))",
    )


@pytest.mark.parametrize("sides", SIDES, ids=lambda sides: f"{sides[0]}x{sides[1]}")
def test_objects_and_colours_are_those_of_the_reference(sides: tuple[int, int]):
    whole = source("solve_whole", *lines_of(*sides), f"x = ({', '.join(ASKED)})")
    deck = Deck.from_sources({"solve_whole": whole})
    limits = Limits(steps=50_000_000, wall_s=600)
    native, reference = [
        evaluate(deck, TASKS, engine=engine, limits=limits, workers=2) for engine in ("cpu", "reference")
    ]
    assert native.fallbacks == {}
    assert (native.records["status"] == Status.OK).all()
    assert native.records.tolist() == reference.records.tolist()
    assert native.steps == reference.steps
