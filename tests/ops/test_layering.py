"""Grids and objects over one another."""

from __future__ import annotations

import pytest

from batt.ops import METER
from batt.types import OrderedSet
from batt.words import choosecells, paintorder

A, B = ((1, 1), (1, 1)), ((2, 2), (2, 2))


def test_places_outside_the_grids_choose_nothing():
    assert choosecells(OrderedSet([(-1, 0), (0, 2), (5, 5), (1, 1)]), A, B) == ((2, 2), (2, 1))
    assert choosecells(frozenset(), A, B) == B


def test_grids_of_different_sizes_are_a_value_error():
    for args in ((frozenset(), A, ((2, 2),)), (((1,),), A, B)):
        with pytest.raises(ValueError, match="differ in size"):
            choosecells(*args)


def test_the_order_of_a_tuple_decides_what_shows():
    low, high = OrderedSet([(3, (0, 0))]), OrderedSet([(7, (0, 0)), (9, (4, 4))])
    assert paintorder(A, (high, low))[0] == (3, 1)
    assert paintorder(A, (low, high))[0] == (7, 1)
    assert paintorder(A, OrderedSet([high, low]))[0] == (7, 1)
    assert paintorder(A, (OrderedSet([(4, (0, 0)), (6, (0, 0))]),))[0] == (6, 1)
    assert paintorder(A, ()) == A


def test_every_cell_of_every_object_is_charged():
    METER.reset(100)
    paintorder(A, (OrderedSet([(3, (0, 0)), (3, (0, 1))]),) * 3)
    assert METER.steps_left == 100 - (1 + 4 + 3 + 6)
    METER.reset()
