"""Gravity: what stops objects, what moves along, and what a place shared by several cells means."""

from __future__ import annotations

from typing import Any

import pytest

from batt.dsl import objects
from batt.ops import METER
from batt.types import OrderedSet
from batt.words import fall

DOWN, RIGHT = (1, 0), (0, 1)


def dropped(grid: Any, direction: Any = DOWN) -> Any:
    return fall(grid, 0, objects(grid, True, False, True), direction)


def test_objects_stack_and_keep_their_shape():
    grid = ((1, 1, 0), (0, 1, 0), (0, 0, 0), (3, 0, 0), (0, 0, 0))
    assert dropped(grid) == ((0, 0, 0), (0, 0, 0), (0, 0, 0), (1, 1, 0), (3, 1, 0))


def test_objects_that_hold_each_other_fall_together():
    hooked = ((1, 1, 1, 0), (1, 0, 2, 0), (1, 1, 0, 2), (0, 2, 2, 2), (0, 0, 0, 0), (0, 0, 0, 0))
    ones = OrderedSet([(1, (i, j)) for i, row in enumerate(hooked) for j, v in enumerate(row) if v == 1])
    twos = OrderedSet([(2, (i, j)) for i, row in enumerate(hooked) for j, v in enumerate(row) if v == 2])
    assert fall(hooked, 0, (ones, twos), DOWN) == ((0,) * 4, (0,) * 4, *hooked[:4])


def test_a_cell_of_no_object_stops_objects_and_stays():
    objs = OrderedSet([OrderedSet([(1, (0, 0))]), OrderedSet([(2, (0, 1))])])
    assert fall(((1, 2, 0, 5, 0),), 0, objs, RIGHT) == ((0, 1, 2, 5, 0),)


def test_diagonal_directions():
    assert dropped(((1, 0, 0), (0, 0, 0), (0, 0, 0)), (1, 1)) == ((0, 0, 0), (0, 0, 0), (0, 0, 1))
    assert dropped(((1, 0, 0), (0, 0, 0), (0, 0, 0)), (-1, 1)) == ((1, 0, 0), (0, 0, 0), (0, 0, 0))


def test_a_shared_place_belongs_to_the_first_cell_and_cells_outside_are_ignored():
    first, second = OrderedSet([(3, (0, 0)), (4, (0, 0)), (3, (9, 9))]), OrderedSet([(7, (0, 0)), (7, (0, 1))])
    assert fall(((5, 5), (0, 0)), 0, (first, second), DOWN) == ((0, 0), (3, 7))


def test_the_colours_are_those_of_the_objects():
    assert fall(((1,), (0,)), 0, (OrderedSet([(8, (0, 0))]),), DOWN) == ((0,), (8,))


@pytest.mark.parametrize("nothing", [(), OrderedSet(), (OrderedSet(),)])
def test_without_objects_nothing_moves(nothing: Any):
    assert fall(((1,), (0,)), 0, nothing, DOWN) == ((1,), (0,))


@pytest.mark.parametrize("objs", [None, 1, (1,), ((),), OrderedSet([(0, 1)]), (OrderedSet([(0, 1)]),)])
def test_what_are_no_plain_objects_is_a_type_error(objs: Any):
    with pytest.raises(TypeError, match="expected"):
        fall(((1,), (0,)), 0, objs, DOWN)


def test_there_is_one_direction():
    with pytest.raises(TypeError, match="expected a pair"):
        fall(((1,),), 0, (), OrderedSet([DOWN]))
    with pytest.raises(ValueError, match="a direction is a pair"):
        fall(((1,),), 0, (), (0, 0))


def test_objects_and_their_cells_are_charged_before_the_work():
    METER.reset(1_000)
    fall(((1, 2), (0, 0)), 0, (OrderedSet([(1, (0, 0))]), OrderedSet([(2, (0, 1)), (2, (9, 9))])), DOWN)
    assert METER.steps_left == 1_000 - (1 + 4 * 3 + 3)
    METER.reset()
