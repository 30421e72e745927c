"""Facts of the colours family that its vectors do not make obvious."""

from __future__ import annotations

import pytest

from batt.dsl import color, colorcount, leastcolor, mostcolor, numcolors, palette, recolor, switch, toindices
from batt.types import OrderedSet

INDICES = OrderedSet([(2, 0), (2, 1), (5, 0)])


def test_ties_go_to_the_lowest_colour_for_most_and_for_least():
    assert mostcolor(((9, 4), (4, 9))) == 4
    assert leastcolor(((9, 4), (4, 9))) == 4


def test_none_loses_a_tie_because_it_comes_last():
    assert mostcolor(((None, 4),)) == 4
    assert leastcolor(((None, 4),)) == 4


@pytest.mark.parametrize("nothing", [(), ((),), OrderedSet()])
def test_there_is_no_most_frequent_colour_of_nothing(nothing):
    with pytest.raises(ValueError, match="empty"):
        mostcolor(nothing)


def test_indices_are_read_as_if_their_rows_were_colours():
    assert mostcolor(INDICES) == 2
    assert palette(INDICES) == {2, 5}
    assert numcolors(INDICES) == 2
    assert colorcount(INDICES, 2) == 2
    assert color(INDICES) == 2


def test_the_colour_of_an_object_is_its_lowest_wherever_it_lies():
    assert color(OrderedSet([(8, (0, 0)), (3, (9, 9))])) == 3
    with pytest.raises(StopIteration):
        color(OrderedSet())


def test_two_items_of_wrong_sizes_raise_what_the_first_of_them_raises():
    with pytest.raises(ValueError, match="unpack"):
        palette(OrderedSet([(0, 1, 2), None]))
    with pytest.raises(TypeError):
        palette(OrderedSet([(0, 1, 2), 7]))


def test_places_that_occur_twice_collapse_when_recoloured():
    assert recolor(4, OrderedSet([(1, (0, 0)), (2, (0, 0))])) == {(4, (0, 0))}
    assert recolor(None, ((0, 0), (0, 0))) == {(None, (0, 0))}


def test_recolouring_ascends_like_the_places():
    object_ = recolor(4, OrderedSet([(1, (5, 0)), (2, (0, 0))]))
    assert list(object_) == sorted(object_)
    assert list(toindices(object_)) == [(0, 0), (5, 0)]


def test_switching_a_value_with_itself_changes_nothing():
    assert switch(((1, 2),), 1, 1) == ((1, 2),)
