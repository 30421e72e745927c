"""Flood from several sources, outside and inside, and holes of patches."""

from __future__ import annotations

from typing import Any

import pytest

from batt.dsl import dneighbors, neighbors
from batt.ops import METER, OverBudget
from batt.types import OrderedSet
from batt.words import holes, inside, outside, spread

NO_WALL = -1
SIDES, ALL = dneighbors((0, 0)), neighbors((0, 0))
RING = OrderedSet([(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)])


def test_the_lowest_colour_takes_a_cell_that_several_reach_in_the_same_step():
    assert spread(((2, 0, 1), (0, 0, 0)), 0, NO_WALL, SIDES) == ((2, 1, 1), (2, 1, 1))


def test_a_colour_goes_on_from_the_cells_that_it_took():
    assert spread(((2, 0, 1, 0, 0, 0, 3),), 0, NO_WALL, SIDES) == ((2, 1, 1, 1, 1, 3, 3),)


def test_corners_are_passed_only_in_diagonal_directions():
    grid = ((1, 5), (5, 0))
    assert spread(grid, 0, 5, SIDES) == grid
    assert spread(grid, 0, 5, ALL) == ((1, 5), (5, 1))


def test_spreading_down_and_sideways_is_water():
    grid = ((0, 1, 0), (5, 0, 5), (0, 0, 0))
    assert spread(grid, 0, 5, ((1, 0), (0, 1), (0, -1))) == ((1, 1, 1), (5, 1, 5), (1, 1, 1))
    assert spread(((0, 0), (1, 5)), 0, 5, ((1, 0), (0, 1), (0, -1))) == ((0, 0), (1, 5))


def test_without_ground_or_sources_nothing_spreads():
    assert spread(((0, 0),), 0, NO_WALL, SIDES) == ((0, 0),)
    assert spread(((1, 2),), 0, NO_WALL, SIDES) == ((1, 2),)
    assert spread(((0, 5),), 0, 5, SIDES) == ((0, 5),)


def test_inside_and_outside_are_the_places_of_the_colour():
    grid = ((0, 1, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0))
    assert outside(grid, 0, False) == {(0, 0), (1, 0), (2, 0), (2, 3)}
    assert inside(grid, 0, False) == {(1, 2)}
    assert outside(grid, 0, True) == {(0, 0), (1, 0), (2, 0), (2, 3), (1, 2)}
    assert inside(grid, 0, True) == inside(grid, 7, False) == outside(grid, 7, True) == OrderedSet()


def test_every_cell_of_a_line_is_on_the_border():
    assert inside(((1, 0, 1),), 0, False) == OrderedSet()
    assert outside(((1,), (0,), (1,)), 0, False) == {(1, 0)}


def test_holes_are_those_of_places_and_of_cells():
    assert holes(RING, False) == holes(RING, True) == {(1, 1)}
    assert holes(OrderedSet([(2, (i - 9, j + 4)) for i, j in RING]), False) == {(-8, 5)}


def test_an_open_or_empty_patch_has_no_holes():
    assert holes(OrderedSet(), False) == OrderedSet()
    assert holes(RING - {(0, 1)}, False) == OrderedSet()


def test_two_cells_may_share_a_place():
    cells = [(1, place) for place in RING] + [(2, (0, 0))]
    assert holes(OrderedSet(cells), False) == {(1, 1)}


@pytest.mark.parametrize(
    "patch",
    [(), ((0, 1),), 3, OrderedSet([1]), OrderedSet([(0, 1), (2, (0, 1))]), OrderedSet([(300, (0, 0))])],
)
def test_what_is_no_plain_patch_is_a_type_error(patch: Any):
    with pytest.raises(TypeError, match="expected a"):
        holes(patch, False)


def test_a_flag_is_an_int():
    with pytest.raises(TypeError, match="expected an int"):
        inside(((0,),), 0, None)
    assert outside(((0,),), 0, 2) == {(0, 0)}


def test_holes_charge_the_bounding_box_before_anything_is_made():
    METER.reset(1_000)
    holes(RING, False)
    assert METER.steps_left == 1_000 - (1 + 8 + 9)
    with pytest.raises(OverBudget):
        holes(OrderedSet([(0, 0), (10**9, 10**9)]), False)
    METER.reset()
