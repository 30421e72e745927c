"""Facts of the search family, which is compared with its definition word by word."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from batt.dsl import height, hperiod, normalize, occurrences, shape, shift, vperiod, width
from batt.ops import OverBudget
from batt.types import OrderedSet, ascending

EMPTY: OrderedSet[Any] = OrderedSet()
WIDE: OrderedSet[Any] = OrderedSet([(1, (0, 0)), (1, (0, 10**9))])


def random_object(chance: random.Random, colours: int, side: int, cells: int) -> OrderedSet[Any]:
    origin = chance.randrange(-3, 4)
    spots = range(origin, origin + side)
    return OrderedSet([(chance.randrange(colours), (chance.choice(spots), chance.choice(spots))) for _ in range(cells)])


def occurrences_by_definition(grid: tuple[tuple[int, ...], ...], obj: OrderedSet[Any]) -> set[tuple[int, int]]:
    rows, columns = len(grid) - shape(obj)[0] + 1, len(grid[0]) - shape(obj)[1] + 1
    shown = {(value, (i, j)) for i, row in enumerate(grid) for j, value in enumerate(row)}
    pattern = normalize(obj)
    return {(i, j) for i in range(rows) for j in range(columns) if shift(pattern, (i, j)) <= shown}


def period_by_definition(obj: OrderedSet[Any], axis: int, measure: Callable[[Any], int]) -> int:
    pattern = normalize(obj)
    for p in range(1, measure(pattern)):
        moved = shift(pattern, (-p, 0) if axis == 0 else (0, -p))
        if {cell for cell in moved if cell[1][axis] >= 0} <= pattern:
            return p
    return measure(pattern)


def test_occurrences_are_those_of_the_definition() -> None:
    chance = random.Random(4)
    found = 0
    for _ in range(300):
        colours = chance.choice([1, 2, 2, 3])
        size = chance.randrange(1, 7), chance.randrange(1, 7)
        grid = tuple([tuple([chance.randrange(colours) for _ in range(size[1])]) for _ in range(size[0])])
        obj = random_object(chance, colours, chance.randrange(1, 4), chance.randrange(1, 6))
        expected = occurrences_by_definition(grid, obj)
        assert occurrences(grid, obj) == occurrences(grid, frozenset(obj)) == expected
        assert occurrences(grid, obj).order == ascending(expected)
        found += len(expected)
    assert found > 300


def test_periods_are_those_of_the_definition() -> None:
    chance = random.Random(5)
    seen = set()
    for _ in range(500):
        obj = random_object(chance, chance.choice([1, 1, 2]), chance.randrange(1, 7), chance.randrange(1, 25))
        assert hperiod(obj) == period_by_definition(obj, 1, width)
        assert vperiod(obj) == period_by_definition(obj, 0, height)
        seen.add((hperiod(obj) < width(obj), vperiod(obj) < height(obj)))
    assert len(seen) == 4


def test_nothing_occurs_everywhere_even_one_beyond_the_edge() -> None:
    assert len(occurrences(((1, 2), (3, 4)), EMPTY)) == 9


def test_two_colours_at_one_place_never_occur() -> None:
    assert occurrences(((1, 2),), OrderedSet([(1, (0, 0)), (2, (0, 0))])) == EMPTY


def test_a_pattern_does_not_wrap_from_one_row_to_the_next() -> None:
    assert occurrences(((0, 1), (1, 0)), OrderedSet([(1, (0, 0)), (1, (0, 1))])) == EMPTY


def test_places_are_refused_only_where_they_would_fit() -> None:
    places = OrderedSet([(0, 0), (2, 2)])
    assert occurrences(((1, 2), (3, 4)), places) == EMPTY
    with pytest.raises(TypeError):
        occurrences(((0,) * 3,) * 3, places)


def test_a_tuple_of_cells_occurs_within_the_shape_of_a_grid_of_its_cells() -> None:
    grid = ((1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1))
    assert occurrences(grid, ((1, (0, 0)),)) == {(i, j) for i in range(3) for j in range(3)}
    assert occurrences(grid, ((1, (0, 0)), (1, (0, 3)))) == {(0, 0), (1, 0)}


def test_holes_make_small_periods_easy() -> None:
    ring = OrderedSet([(1, (i, j)) for i in range(3) for j in range(3) if (i, j) != (1, 1)])
    assert hperiod(ring) == 2
    assert hperiod(OrderedSet([(1, (0, 0)), (1, (0, 1)), (1, (0, 2)), (1, (1, 0))])) == 1


def test_places_have_a_period_only_where_it_is_one_without_looking() -> None:
    column = OrderedSet([(0, 0), (1, 0)])
    assert hperiod(column) == 1
    with pytest.raises(TypeError):
        vperiod(column)


def test_a_wide_object_of_two_cells_is_searched_by_cells() -> None:
    assert hperiod(WIDE) == 10**9


@pytest.mark.usefixtures("small_budget")
def test_a_wide_object_of_two_cells_is_charged_by_its_width() -> None:
    with pytest.raises(OverBudget):
        hperiod(WIDE)
