"""Rays and joins of all colours at once: what blocks them, which one shows, and the directions they take."""

from __future__ import annotations

from typing import Any

import pytest

from batt.dsl import dneighbors, ineighbors, neighbors
from batt.ops import METER
from batt.types import OrderedSet
from batt.words import joins, rays

DOWN, RIGHT, LEFT = (1, 0), (0, 1), (0, -1)
NO_WALL = -1


def test_rays_from_two_sides_meet_in_the_middle_and_the_lowest_colour_takes_a_tie():
    assert rays(((3, 0, 0, 0, 1),), 0, NO_WALL, (LEFT, RIGHT)) == ((3, 3, 1, 1, 1),)
    assert rays(((3, 0, 0, 1),), 0, NO_WALL, OrderedSet([LEFT, RIGHT])) == ((3, 3, 1, 1),)


def test_a_step_along_a_diagonal_counts_as_one():
    assert rays(((2, 0, 0), (0, 0, 0), (1, 0, 0)), 0, NO_WALL, ((1, 1), RIGHT))[2] == (1, 1, 1)
    assert rays(((1, 0, 0), (0, 0, 0), (2, 0, 0)), 0, NO_WALL, ((1, 1), RIGHT))[2] == (2, 2, 1)


def test_a_wall_blocks_and_does_not_shoot_unless_it_is_the_ground():
    assert rays(((1, 0, 5, 0),), 0, 5, RIGHT) == ((1, 1, 5, 0),)
    assert rays(((1, 0, 5, 0),), 0, NO_WALL, RIGHT) == ((1, 1, 5, 5),)
    assert rays(((1, 0, 5, 0),), 0, 0, RIGHT) == ((1, 1, 5, 5),)


@pytest.mark.parametrize(("around", "shown"), [(neighbors, 8), (ineighbors, 4), (dneighbors, 4)])
def test_the_neighbours_of_the_origin_are_directions(around: Any, shown: int):
    made = rays(((0, 0, 0), (0, 3, 0), (0, 0, 0)), 0, NO_WALL, around((0, 0)))
    assert sum(row.count(3) for row in made) == 1 + shown


@pytest.mark.parametrize("nothing", [(), OrderedSet()])
def test_no_direction_changes_nothing(nothing: Any):
    assert rays(((1, 0),), 0, NO_WALL, nothing) == ((1, 0),)
    assert joins(((1, 0, 1),), 0, nothing) == ((1, 0, 1),)


@pytest.mark.parametrize("directions", [(0, 0), (0, 2), OrderedSet([(0, 1), (-2, 0)]), ((0, 1), (0, 0))])
def test_what_is_no_step_is_a_value_error(directions: Any):
    with pytest.raises(ValueError, match="a direction is a pair"):
        rays(((1, 0),), 0, NO_WALL, directions)
    with pytest.raises(ValueError, match="a direction is a pair"):
        joins(((1, 0),), 0, directions)


@pytest.mark.parametrize("directions", [1, None, (0, 1, 1), OrderedSet([1, 2]), ((0, 5), None), (0, (0, 1))])
def test_what_is_no_pair_is_a_type_error_even_beside_a_bad_step(directions: Any):
    with pytest.raises(TypeError, match="expected a"):
        rays(((1, 0),), 0, NO_WALL, directions)


def test_the_colours_of_ground_and_wall_are_checked():
    with pytest.raises(TypeError, match="expected a colour"):
        rays(((1, 0),), 256, NO_WALL, RIGHT)
    with pytest.raises(TypeError, match="expected an int"):
        rays(((1, 0),), 0, None, RIGHT)


def test_joins_skip_pairs_with_another_cell_between_and_neighbours_have_nothing_to_fill():
    assert joins(((1, 0, 2, 0, 1), (3, 3, 0, 0, 3)), 0, RIGHT) == ((1, 0, 2, 0, 1), (3, 3, 3, 3, 3))


def test_a_direction_joins_what_the_opposite_one_joins():
    grid = ((4, 0, 0, 4), (0, 4, 0, 0), (0, 0, 0, 0), (4, 0, 0, 4))
    assert joins(grid, 0, (1, -1)) == joins(grid, 0, (-1, 1))
    assert joins(grid, 0, (1, 1)) == ((4, 0, 0, 4), (0, 4, 0, 0), (0, 0, 4, 0), (4, 0, 0, 4))


def test_the_later_direction_shows_where_joins_cross_and_a_repeated_one_counts_once():
    cross = ((0, 1, 0), (2, 0, 2), (0, 1, 0))
    assert joins(cross, 0, (DOWN, RIGHT))[1][1] == 2
    assert joins(cross, 0, (RIGHT, DOWN))[1][1] == joins(cross, 0, (RIGHT, DOWN, RIGHT))[1][1] == 1
    assert joins(cross, 0, OrderedSet([DOWN, RIGHT]))[1][1] == 1


def test_steps_are_items_in_and_out():
    METER.reset(1_000)
    rays(((1, 0, 0),), 0, NO_WALL, OrderedSet([LEFT, RIGHT]))
    assert METER.steps_left == 1_000 - (1 + 3 + 2 + 3)
    METER.reset()
