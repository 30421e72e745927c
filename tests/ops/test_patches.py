"""Facts of the patches family that its vectors do not make obvious."""

from __future__ import annotations

import pytest

from batt.dsl import (
    backdrop,
    bordering,
    center,
    centerofmass,
    corners,
    delta,
    neighbors,
    normalize,
    shift,
    toindices,
    ulcorner,
    uppermost,
    urcorner,
)
from batt.ops import OverBudget
from batt.types import OrderedSet

EMPTY = OrderedSet()
FAR_APART = OrderedSet([(0, 0), (10**6, 10**6)])


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize("op", [backdrop, delta])
def test_the_box_around_two_far_cells_is_refused_before_it_is_made(op):
    with pytest.raises(OverBudget):
        op(FAR_APART)


@pytest.mark.parametrize("hopeless", [None, 5, EMPTY, (), ((1,),), OrderedSet([1]), OrderedSet([(0, 1, 2)]), uppermost])
def test_the_cost_of_a_box_is_defined_for_anything(hopeless):
    assert backdrop.cost(hopeless) >= 1


def test_corners_of_an_empty_patch_are_one_empty_tuple():
    assert ulcorner(EMPTY) == ()
    assert corners(EMPTY) == {()}


def test_three_components_have_an_upper_left_but_no_upper_right():
    solid = OrderedSet([(0, 5, 9), (1, 4, 2)])
    assert ulcorner(solid) == (0, 4, 2)
    with pytest.raises(KeyError):
        urcorner(solid)


def test_centerofmass_divides_by_items_and_sums_places():
    assert centerofmass(OrderedSet([(1, (4, 4)), (2, (4, 4))])) == (2, 2)


def test_the_center_of_a_tuple_patch_takes_the_tuple_for_a_grid():
    cells = ((1, (0, 0)), (1, (8, 8)))
    assert center(OrderedSet(cells)) == (4, 4)
    assert center(cells) == (1, 1)


def test_which_item_is_blamed_follows_canonical_order():
    with pytest.raises(ValueError, match="unpack"):
        uppermost(OrderedSet([(0, 0), (1, 2, 3), (None, 0)]))
    with pytest.raises(TypeError):
        uppermost(OrderedSet([(0, 0), (None, 0), (None, 0, 0)]))


def test_an_empty_patch_is_shifted_without_a_look_at_the_directions():
    assert shift(EMPTY, None) == EMPTY
    assert shift((), None) == ()


def test_shifting_by_tuples_does_not_join_them():
    with pytest.raises(TypeError):
        shift(OrderedSet([((1,), 0)]), ((2,), 0))


def test_shift_and_normalize_keep_the_order_they_know():
    patch = OrderedSet([(3, (2, 2)), (1, (7, 5)), (1, (2, 9))])
    for known in (False, True):
        if known:
            assert patch.order
        assert list(shift(patch, (-2, 3))) == [(1, (0, 12)), (1, (5, 8)), (3, (0, 5))]
        assert list(normalize(patch)) == [(1, (0, 7)), (1, (5, 3)), (3, (0, 0))]


def test_a_patch_mixing_cells_and_pairs_is_what_its_first_item_is():
    assert toindices(OrderedSet([(1, 1), (1, (0, 0))])) == {(1, 1), (1, (0, 0))}


def test_bordering_reads_the_grid_only_when_it_has_to():
    assert bordering(OrderedSet([(0, 3)]), None)
    with pytest.raises(IndexError):
        bordering(OrderedSet([(3, 3)]), ())


def test_delta_refuses_a_tuple_of_places_but_not_one_of_cells():
    with pytest.raises(TypeError):
        delta(((0, 0), (1, 1)))
    assert delta(((1, (0, 0)), (1, (1, 1)))) == {(0, 1), (1, 0)}


def test_neighbours_are_not_clipped_and_ignore_surplus_items():
    assert (-1, -1) in neighbors((0, 0, 7))
