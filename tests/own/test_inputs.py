"""Random values of every kind, and values smaller than a given one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from batt.own.inputs import random_arguments, random_value, smaller_values
from batt.types import Kind, OrderedSet
from batt.types.plain import weight

KINDS = [kind for kind in Kind if kind is not Kind.FN]


def is_of(kind: Kind, value: Any) -> bool:
    match kind:
        case Kind.GRID:
            return isinstance(value, tuple) and len({len(row) for row in value}) == 1
        case Kind.INDICES:
            return all(isinstance(i, int) and isinstance(j, int) for i, j in value)
        case Kind.OBJECT:
            return all(isinstance(colour, int) and len(place) == 2 for colour, place in value)
        case Kind.OBJECTS:
            return all(is_of(Kind.OBJECT, each) for each in value)
        case Kind.INT | Kind.BOOL:
            return isinstance(value, int)
        case Kind.PAIR:
            return len(value) == 2
    return True


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_values_are_of_their_kind(kind: Kind):
    rng = Random(1)
    values = [random_value(kind, rng) for _ in range(100)]
    assert all(is_of(kind, value) for value in values)
    assert len(set(values)) > 1


def test_arguments_are_the_same_for_a_seed_the_lightest_first_and_some_of_another_kind():
    found = random_arguments((Kind.GRID, Kind.INT), 3, 300)
    assert found == random_arguments((Kind.GRID, Kind.INT), 3, 300)
    assert found != random_arguments((Kind.GRID, Kind.INT), 4, 300)
    assert [weight(args) for args in found] == sorted(map(weight, found))
    odd = [args for args in found if not isinstance(args[0], tuple) or not isinstance(args[1], int)]
    assert 10 < len(odd) < 100


@pytest.mark.parametrize("value", [9, ((1, 2), (3, 4)), OrderedSet([(1, (2, 3)), (4, (5, 6))]), (5, (6, 7))])
def test_smaller_values_end_in_the_smallest_one(value: Any):
    for _ in range(1000):
        smaller = [each for each in smaller_values(value) if weight(each) < weight(value) or each == 0]
        if not smaller:
            break
        value = smaller[0]
    assert value in (0, 1, (), OrderedSet())
