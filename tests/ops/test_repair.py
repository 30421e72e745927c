"""Masked cells are filled by periods, symmetries and similar places: what is tried first, and what stays."""

from __future__ import annotations

from typing import Any

import pytest

from batt.dsl import dmirror, hmirror, rot180, rot270, vmirror
from batt.ops import METER
from batt.words import inpaint, mend, retile

BOTH, DOWN, RIGHT, TURN = (1, 1), (1, 0), (0, 1), (0, 0)
TILE = ((1, 2, 3), (4, 5, 6))
WALL = tuple([tuple([TILE[i % 2][j % 3] for j in range(8)]) for i in range(6)])
SYMMETRIC = ((1, 2, 3, 2, 1, 5), (4, 6, 7, 6, 4, 8), (1, 1, 3, 1, 1, 2))


def masked(grid: Any, *places: tuple[int, int]) -> Any:
    return tuple([tuple([9 if (i, j) in places else v for j, v in enumerate(row)]) for i, row in enumerate(grid)])


def test_a_tile_is_found_behind_a_masked_block():
    assert retile(masked(WALL, *[(i, j) for i in range(2, 5) for j in range(1, 7)]), 9, BOTH) == WALL


def test_the_least_period_wins_and_one_axis_leaves_the_other_alone():
    assert retile(((1, 9, 1, 9), (9, 9, 9, 9)), 9, RIGHT) == ((1, 1, 1, 1), (9, 9, 9, 9))
    assert retile(((1, 9, 1, 9), (9, 9, 9, 9)), 9, DOWN) == ((1, 9, 1, 9), (1, 9, 1, 9))
    assert retile(((1, 9),), 9, TURN) == ((1, 9),)


def test_where_the_periods_of_lines_disagree_the_first_cell_decides():
    assert retile(((1, 9, 9), (9, 2, 9)), 9, BOTH) == ((1, 1, 1), (1, 2, 1))


def test_a_wholly_masked_grid_stays():
    for made in (retile(((9, 9),), 9, BOTH), mend(((9, 9),), 9, DOWN), inpaint(((9, 9),), 9)):
        assert made == ((9, 9),)


def test_an_axis_off_the_middle_is_found_and_the_rest_stays():
    broken = masked(SYMMETRIC, (0, 0), (1, 1), (2, 4), (1, 5))
    assert mend(broken, 9, DOWN) == masked(SYMMETRIC, (1, 5))


@pytest.mark.parametrize(("turn", "axis"), [(dmirror, RIGHT), (rot270, RIGHT), (vmirror, DOWN), (hmirror, DOWN)])
def test_a_turned_grid_is_mended_about_the_turned_axis(turn: Any, axis: Any):
    broken = masked(SYMMETRIC, (0, 0), (1, 1), (2, 4))
    assert mend(turn(broken), 9, axis) == turn(SYMMETRIC)


def test_diagonals_and_a_half_turn():
    square = ((1, 2, 3), (2, 4, 5), (3, 5, 6))
    assert mend(masked(square, (1, 0), (2, 1)), 9, (1, 1)) == square
    assert mend(vmirror(masked(square, (1, 0), (2, 1))), 9, (1, -1)) == vmirror(square)
    pinwheel = ((1, 2, 3, 4), (5, 6, 7, 8))
    half = pinwheel + rot180(pinwheel)
    assert mend(masked(half, (0, 1), (3, 3)), 9, TURN) == half
    assert mend(masked(((0,) * 4, *half), (1, 1), (4, 3)), 9, TURN) == ((0,) * 4, *half)


def test_an_axis_that_leaves_most_cells_without_an_image_is_not_tried():
    assert mend(((1, 9, 2, 3, 4, 5),), 9, DOWN) == ((1, 9, 2, 3, 4, 5),)


def test_of_two_axes_with_as_many_images_the_first_is_taken():
    # The middle is refused by 1 and 3; the axes one half to its left and right both hold.
    assert mend(((1, 1, 9, 3), (9, 9, 9, 9)), 9, DOWN)[0] == (1, 1, 1, 3)


@pytest.mark.parametrize("axis", [(0, 2), (-2, 1)])
def test_an_axis_of_longer_steps_is_a_value_error(axis: Any):
    with pytest.raises(ValueError, match="an axis is a pair"):
        mend(((1,),), 9, axis)


def test_the_cell_with_most_known_neighbours_is_filled_first():
    assert inpaint(masked(WALL, *[(i, j) for i in range(2, 4) for j in range(5, 8)]), 9) == WALL


def test_the_most_frequent_vote_wins_then_the_lowest_colour():
    assert inpaint(((1, 3, 0, 1, 2, 0, 1, 9),), 9) == ((1, 3, 0, 1, 2, 0, 1, 2),)
    assert inpaint(((1, 3, 0, 1, 2, 0, 1, 3, 0, 1, 9),), 9) == ((1, 3, 0, 1, 2, 0, 1, 3, 0, 1, 3),)


def test_a_cell_without_a_similar_place_stays_and_helps_no_other():
    assert inpaint(((1, 2, 3, 9, 9),), 9) == ((1, 2, 3, 9, 9),)


@pytest.mark.parametrize(("word", "axis"), [(retile, (BOTH,)), (mend, (DOWN,)), (inpaint, ())])
def test_grid_and_mask_are_checked(word: Any, axis: Any):
    for grid, mask in (((), 0), (((1, 2), (3,)), 0), (((1,),), -1), (((1,),), None)):
        with pytest.raises(TypeError, match="expected a"):
            word(grid, mask, *axis)


@pytest.mark.parametrize(
    ("word", "axis", "steps"),
    [(retile, (BOTH,), 1 + 6 * 6), (mend, (DOWN,), 1 + 6 * 6), (mend, (TURN,), 1 + 6 * 7), (inpaint, (), 1 + 6 * 3)],
)
def test_steps_are_charged_before_the_work(word: Any, axis: Any, steps: int):
    METER.reset(1_000)
    word(((1, 9, 2), (2, 1, 9)), 9, *axis)
    assert METER.steps_left == 1_000 - steps
    METER.reset()
