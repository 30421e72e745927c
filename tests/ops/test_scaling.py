"""Facts of the scaling family that its vectors do not make obvious."""

from __future__ import annotations

from typing import Any

import pytest

from batt.dsl import (
    cellwise,
    compress,
    crop,
    downscale,
    hconcat,
    hsplit,
    hupscale,
    lefthalf,
    subgrid,
    upscale,
    vconcat,
    vsplit,
    vupscale,
)
from batt.ops import METER, OverBudget
from batt.types import OrderedSet

EMPTY: OrderedSet[Any] = OrderedSet()
GRID = ((1, 2, 3), (4, 5, 6), (7, 8, 9))


def test_crop_from_a_negative_start_stops_before_it_counts_from_the_end() -> None:
    assert crop(GRID, (-1, 0), (1, 3)) == ()
    assert crop(GRID, (-5, 0), (7, 1)) == ((1,), (4,))
    assert crop(GRID, (-2, 0), (1, 1)) == ((4,),)


def test_crop_beyond_the_end_is_cut_off_and_no_columns_leave_empty_rows() -> None:
    assert crop(GRID, (2, 2), (9, 9)) == ((9,),)
    assert crop(GRID, (0, 3), (2, 2)) == ((), ())


def test_crop_reads_columns_only_where_rows_are_left() -> None:
    assert crop((), (0,), (1,)) == ()
    with pytest.raises(IndexError):
        crop(GRID, (0,), (1,))


def test_a_tuple_of_cells_is_measured_like_a_grid_by_subgrid() -> None:
    assert subgrid(((0, 0), (2, 2), (1, 1)), GRID) == ((1, 2), (4, 5), (7, 8))


def test_an_upscaled_object_keeps_its_corner() -> None:
    assert upscale(OrderedSet([(5, (-1, 2))]), 2) == {(5, (-1, 2)), (5, (-1, 3)), (5, (0, 2)), (5, (0, 3))}


def test_a_factor_is_never_looked_at_where_nothing_is_scaled() -> None:
    assert hupscale((), None) == vupscale((), None) == upscale((), None) == ()
    assert hupscale(((),), None) == ((),)
    assert upscale(EMPTY, None) == EMPTY


def test_downscale_by_a_negative_factor_is_downscale_by_its_size() -> None:
    assert downscale(GRID, -2) == downscale(GRID, 2) == ((1, 3), (7, 9))


def test_hsplit_into_more_pieces_than_columns_gives_empty_rows() -> None:
    assert hsplit(GRID, 4) == (((), (), ()),) * 4
    assert vsplit(GRID, 4) == ((),) * 4


def test_a_piece_behind_a_separator_may_be_cut_off() -> None:
    assert hsplit(((1, 2, 3, 4, 5, 6, 7, 8),), 3) == (((1, 2),), ((4, 5),), ((7, 8),))
    assert hsplit(((1, 2, 3, 4, 5),), 3) == (((1,),), ((3,),), ((5,),))
    assert hsplit(((1, 2, 3, 4, 5, 6, 7),), 4) == (((1,),), ((3,),), ((5,),), ((7,),))
    assert hsplit(((1, 2, 3, 4, 5),), 4) == (((1,),), ((3,),), ((5,),), ((),))


def test_joining_does_not_compare_sizes() -> None:
    assert hconcat(GRID, ((0,),)) == ((1, 2, 3, 0),)
    assert vconcat(((1, 2),), ((3,),)) == ((1, 2), (3,))


def test_a_half_without_columns_has_no_rows() -> None:
    assert lefthalf(((1,), (2,))) == ()


def test_cellwise_never_looks_at_b_where_a_has_no_columns() -> None:
    assert cellwise(((), ()), None, 0) == ((), ())


def test_compress_decides_on_rows_and_columns_of_the_original() -> None:
    assert compress(((1, 1, 1), (1, 2, 1))) == ((2,),)
    assert compress(((0, 0, 0), (0, 1, 2), (0, 3, 4))) == ((1, 2), (3, 4))


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize("factor", [10**9, 10**40])
@pytest.mark.parametrize("grid", [((1,),), ((),)])
def test_a_huge_factor_is_refused_before_anything_is_made(grid: Any, factor: int) -> None:
    with pytest.raises(OverBudget):
        upscale(grid, factor)
    with pytest.raises(OverBudget):
        vupscale(grid, factor)


@pytest.mark.usefixtures("small_budget")
def test_a_huge_number_of_pieces_is_refused() -> None:
    with pytest.raises(OverBudget):
        hsplit(((1,),), 10**9)
    with pytest.raises(OverBudget):
        vsplit(((1,),), 10**9)


@pytest.mark.usefixtures("small_budget")
def test_scaling_costs_one_step_and_the_rows_and_values_in_and_out() -> None:
    upscale(GRID, 3)
    assert METER.steps_left == 1_000 - (1 + (3 + 9) * (1 + 9))


@pytest.mark.usefixtures("small_budget")
def test_doubling_a_long_second_row_is_refused_although_the_first_is_empty() -> None:
    def doubled(ragged: Any, times: int) -> Any:
        return doubled(hconcat(ragged, ragged), times - 1) if times else ragged

    with pytest.raises(OverBudget):
        doubled(((), (1,)), 24)
