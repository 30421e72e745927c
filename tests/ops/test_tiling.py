"""Filling a size with copies of a grid, and scaling a grid to a size."""

from __future__ import annotations

from typing import Any

import pytest

from batt.ops import METER
from batt.words import mirrortile, resize, resizemost, shrink, tile

GRID = ((1, 2), (3, 4))


def test_a_phase_counts_from_any_copy():
    assert tile(GRID, (2, 3), (1, 1), 0) == ((4, 3, 4), (2, 1, 2))
    assert tile(GRID, (2, 3), (-1, -1), 0) == tile(GRID, (2, 3), (1, 1), 0)
    assert tile(GRID, (3, 3), (-3, 4), 1) == tile(GRID, (3, 3), (0, 1), 1) == ((0, 1, 2), (0, 3, 4), (0, 0, 0))


@pytest.mark.parametrize("args", [((0, 2), (0, 0), 0), ((2, -1), (0, 0), 0), ((2, 2), (0, 0), -1)])
def test_a_size_below_one_or_a_gap_below_zero_is_a_value_error(args: Any):
    with pytest.raises(ValueError, match=r"a size has at least|a gap is"):
        tile(GRID, *args)


@pytest.mark.parametrize("grid", [(), ((),), ((1, 2), (3,)), ((None,),), ((256,),), ((-1,),), 5, frozenset(), (1, 2)])
def test_what_is_no_plain_grid_is_a_type_error(grid: Any):
    with pytest.raises(TypeError, match="expected a grid"):
        tile(grid, (2, 2), (0, 0), 0)


def test_the_size_is_charged_before_anything_is_made():
    METER.reset(1_000)
    tile(GRID, (4, 5), (0, 0), 0)
    assert METER.steps_left == 1_000 - (1 + 4 + 20)
    METER.reset()


def test_copies_are_mirrored_in_turn_in_both_directions():
    assert mirrortile(GRID, (4, 4), (0, 0), 0) == ((1, 2, 2, 1), (3, 4, 4, 3), (3, 4, 4, 3), (1, 2, 2, 1))
    assert mirrortile(GRID, (2, 4), (0, 1), 1) == ((0, 1, 2, 0), (0, 3, 4, 0))
    assert mirrortile(GRID, (2, 2), (2, 0), 0) == ((3, 4), (1, 2))


def test_scaling_rounds_down():
    assert resize(((1, 2, 3),), (1, 2)) == ((1, 2),)
    assert resize(((1, 2),), (2, 5)) == ((1, 1, 1, 2, 2),) * 2


def test_the_lowest_of_tied_colours_wins_a_block():
    assert resizemost(((4, 3), (3, 4)), (1, 1), 0) == shrink(((4, 3), (3, 4)), 5) == ((3,),)
    assert resizemost(((1, 2, 2),), (1, 2), 0) == ((1, 2),)
    assert shrink(GRID, 1) == resizemost(GRID, (2, 2), 9) == GRID


def test_noise_counts_only_in_a_block_without_another_colour():
    assert resizemost(((5, 5, 5, 5), (5, 1, 5, 5)), (1, 2), 5) == ((1, 5),)
    assert resizemost(((5, 2), (5, 1)), (1, 1), 5) == ((1,),)
    with pytest.raises(TypeError):
        resizemost(GRID, (1, 1), 256)


@pytest.mark.parametrize("factor", [0, -2])
def test_a_factor_below_one_is_a_value_error(factor: int):
    with pytest.raises(ValueError, match="a factor is"):
        shrink(GRID, factor)


def test_overlapping_blocks_are_charged():
    METER.reset(10_000)
    resizemost(((1,),) * 50, (1, 40), 0)
    assert METER.steps_left == 10_000 - (1 + (50 + 1) * (1 + 40))
    METER.reset()
