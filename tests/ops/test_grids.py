"""Facts of the grids family that its vectors do not make obvious."""

from __future__ import annotations

from typing import Any

import pytest

from batt.dsl import asindices, asobject, canvas, height, index, ofcolor, square, toobject, width
from batt.ops import OverBudget
from batt.types import OrderedSet

EMPTY = OrderedSet()


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize("dimensions", [(10**9, 10**9), (10**9, 0), (10**9, -1), (2, 10**30)])
def test_a_vast_canvas_is_refused_before_it_is_made(dimensions):
    with pytest.raises(OverBudget):
        canvas(0, dimensions)


def test_canvas_without_rows_does_not_read_the_columns():
    assert canvas(0, (0,)) == ()
    assert canvas(0, (-3, None)) == ()
    with pytest.raises(IndexError):
        canvas(0, (1,))


def test_index_outside_the_grid_is_none_and_not_counted_from_the_end():
    assert index(((1, 2),), (0, -1)) is None
    assert index(((1, 2),), (1, 0)) is None


def test_square_of_a_patch_counts_items_so_that_two_colours_at_a_place_are_two():
    assert square(OrderedSet([(1, (0, 0))]))
    assert not square(OrderedSet([(1, (0, 0)), (2, (0, 0))]))
    assert square(EMPTY)


def test_a_tuple_of_cells_is_measured_as_a_grid():
    cells = ((1, (0, 0)), (1, (5, 5)), (1, (9, 9)))
    assert (height(cells), width(cells)) == (3, 2)


def test_toobject_asks_for_a_first_row_even_for_an_empty_patch():
    with pytest.raises(IndexError):
        toobject(EMPTY, ())


def test_the_kind_of_a_mixed_patch_is_that_of_its_canonical_first_item():
    with pytest.raises(TypeError):
        toobject(OrderedSet([(0, (0, 0)), (1, 1)]), ((5, 6), (7, 8)))


def test_scans_of_a_grid_ascend():
    grid = ((2, 1), (1, 2))
    for found in (asindices(grid), asobject(grid), ofcolor(grid, 1)):
        assert list(found) == sorted(found)


@pytest.mark.parametrize("container", [frozenset, OrderedSet])
def test_toobject_errs_by_the_canonical_first_bad_place_of_a_ragged_grid(container: Any):
    ragged = ((0, 0, 0), (0,), (0, 0, 0))
    with pytest.raises(TypeError):
        toobject(container([(1, 2), (1, 1), (0, (2, 3))]), ragged)
    with pytest.raises(IndexError):
        toobject(container([(1, 2), (1, 1), (2, (2, 3))]), ragged)
