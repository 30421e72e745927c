"""Facts of the drawing family that its vectors do not make obvious."""

from __future__ import annotations

import random
from typing import Any

import pytest

from batt.dsl import cover, fill, move, paint, underfill, underpaint
from batt.types import OrderedSet, ascending

EMPTY: OrderedSet[Any] = OrderedSet()
BLANK = ((0, 0), (0, 0))
TWO_AT_ONE_PLACE = [(5, (0, 0)), (3, (0, 0)), (4, (1, 1))]


def test_the_highest_colour_wins_in_a_set_and_the_last_cell_in_a_tuple() -> None:
    assert paint(BLANK, OrderedSet(TWO_AT_ONE_PLACE)) == ((5, 0), (0, 4))
    assert paint(BLANK, frozenset(TWO_AT_ONE_PLACE)) == ((5, 0), (0, 4))
    assert paint(BLANK, tuple(TWO_AT_ONE_PLACE)) == ((3, 0), (0, 4))


def test_the_lowest_colour_stays_under_others_unless_it_is_the_background() -> None:
    assert underpaint(BLANK, OrderedSet(TWO_AT_ONE_PLACE)) == ((3, 0), (0, 4))
    assert underpaint(BLANK, OrderedSet([(0, (0, 0)), (7, (0, 0)), (9, (0, 0))])) == ((7, 0), (0, 0))
    assert underpaint(BLANK, tuple(TWO_AT_ONE_PLACE)) == ((5, 0), (0, 4))


def test_painting_an_unsorted_set_equals_painting_its_cells_in_canonical_order() -> None:
    chance = random.Random(2)
    grid = tuple([tuple([chance.randrange(3) for _ in range(5)]) for _ in range(4)])
    for _ in range(50):
        cells = [(chance.randrange(5), (chance.randrange(-1, 5), chance.randrange(-1, 6))) for _ in range(8)]
        for draw in (paint, underpaint):
            assert draw(grid, frozenset(cells)) == draw(grid, OrderedSet(cells)) == draw(grid, ascending(set(cells)))


def test_negative_places_do_not_wrap_around() -> None:
    assert fill(BLANK, 7, OrderedSet([(-1, 0), (0, -1), (2, 0), (0, 2)])) == BLANK


def test_any_value_can_be_filled_in() -> None:
    assert fill(((0,),), None, OrderedSet([(0, 0)])) == ((None,),)


def test_background_ties_go_to_the_lowest_colour() -> None:
    assert cover(((2, 1), (1, 2)), OrderedSet([(0, 0)])) == ((1, 1), (1, 2))
    assert underfill(((2, 1), (1, 2)), 9, OrderedSet([(0, 0), (0, 1)])) == ((2, 9), (1, 2))


def test_move_takes_colours_from_the_object_and_the_background_from_the_original_grid() -> None:
    assert move(((5, 5, 5, 0, 0),), OrderedSet([(8, (0, 1)), (8, (0, 2))]), (0, 2)) == ((5, 5, 5, 8, 8),)


def test_move_of_nothing_never_reads_the_offset_but_needs_a_background() -> None:
    assert move(BLANK, EMPTY, None) == BLANK
    with pytest.raises(ValueError, match="empty"):
        move(((),), EMPTY, None)


@pytest.mark.parametrize("draw", [paint, underpaint])
def test_places_cannot_be_painted_and_a_cell_without_a_place_cannot_be_unpacked(draw: Any) -> None:
    with pytest.raises(TypeError):
        draw(BLANK, OrderedSet([(0, 0)]))
    with pytest.raises(ValueError, match="unpack"):
        draw(BLANK, OrderedSet([(1,)]))


@pytest.mark.parametrize("container", [frozenset, OrderedSet])
def test_the_first_bad_item_in_canonical_order_decides_the_error(container: Any) -> None:
    with pytest.raises(TypeError):
        paint(BLANK, container([(1, (0, None)), (2, (0, 0, 0)), (3, (1, 1))]))
    with pytest.raises(ValueError, match="unpack"):
        paint(BLANK, container([(2, (0, None)), (1, (0, 0, 0)), (3, (1, 1))]))


def test_what_lies_in_a_row_outside_is_not_examined_further() -> None:
    assert fill(BLANK, 7, OrderedSet([(9, None)])) == BLANK


@pytest.mark.parametrize("container", [frozenset, OrderedSet])
def test_a_short_row_is_an_error_only_where_no_bad_item_comes_before(container: Any) -> None:
    ragged = ((0, 0, 0), (0,), (0, 0, 0))
    spots = [(0, 1), (1, 2), (1, 1)]
    with pytest.raises(TypeError):
        fill(ragged, 7, container([*spots, (0, (2, 3))]))
    with pytest.raises(IndexError):
        fill(ragged, 7, container([*spots, (2, (2, 3))]))


@pytest.mark.parametrize("container", [frozenset, OrderedSet])
def test_a_set_of_two_ints_is_a_place_that_a_tuple_may_name_too(container: Any) -> None:
    cells = [(colour, (0, 1)) for colour in (1, 3, 5)] + [(colour, OrderedSet([0, 1])) for colour in (2, 4, 6)]
    for first in range(6):
        for second in range(first):
            pair = [cells[first], cells[second]]
            highest = max(colour for colour, _ in pair)
            assert paint(BLANK, container(pair))[0][1] == highest
