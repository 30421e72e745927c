"""Facts of the relations family that its vectors do not make obvious."""

from __future__ import annotations

import random

import pytest

from batt.dsl import adjacent, center, gravitate, manhattan, position, shift, toindices, vmatching
from batt.ops import OverBudget
from batt.types import OrderedSet

EMPTY = OrderedSet()


def _patch(rng, spread):
    count = rng.randrange(1, 12)
    row, column = rng.randrange(-spread, spread), rng.randrange(-spread, spread)
    places = [(row + rng.randrange(6), column + rng.randrange(6)) for _ in range(count)]
    return OrderedSet([(rng.randrange(3), place) for place in places] if rng.random() < 0.5 else places)


def _distance(a, b):
    return min(abs(i - k) + abs(j - m) for i, j in toindices(a) for k, m in toindices(b))


def _fallen(source, destination):
    """Step by step, as the rule says it."""
    (si, sj), (di, dj) = center(source), center(destination)
    direction = (1 if si < di else -1, 0) if vmatching(source, destination) else (0, 1 if sj < dj else -1)
    steps = 0
    while steps < 42 and _distance(source, destination) != 1:
        source = shift(source, direction)
        steps += 1
    return steps * direction[0], steps * direction[1]


@pytest.mark.parametrize("spread", [2, 8, 45])
def test_gravitate_is_the_step_by_step_fall(spread):
    rng = random.Random(spread)
    for _ in range(60):
        source, destination = _patch(rng, spread), _patch(rng, spread)
        assert gravitate(source, destination) == _fallen(source, destination)


def test_the_fall_can_end_after_passing_through():
    source, destination = OrderedSet([(1, 0), (0, 3)]), OrderedSet([(1, 0), (1, 1)])
    assert gravitate(source, destination) == _fallen(source, destination) != (0, 0)


def test_the_last_step_tried_is_the_forty_first():
    assert gravitate(OrderedSet([(0, 0)]), OrderedSet([(0, 42)])) == (0, 41)
    assert gravitate(OrderedSet([(0, 0)]), OrderedSet([(0, 43)])) == (0, 42)
    assert gravitate(OrderedSet([(0, 0)]), OrderedSet([(0, 99)])) == (0, 42)


@pytest.mark.parametrize("spread", [2, 20])
def test_distance_and_adjacency_are_those_of_the_nearest_places(spread):
    rng = random.Random(spread)
    for _ in range(100):
        a, b = _patch(rng, spread), _patch(rng, spread)
        assert manhattan(a, b) == _distance(a, b)
        assert adjacent(a, b) == (_distance(a, b) == 1)


def test_an_empty_first_patch_keeps_the_second_unread():
    with pytest.raises(ValueError, match="empty"):
        manhattan(EMPTY, None)
    with pytest.raises(TypeError):
        manhattan(None, EMPTY)


def test_a_bad_place_of_the_first_patch_is_blamed_before_an_empty_second():
    with pytest.raises(ValueError, match="unpack"):
        manhattan(OrderedSet([(0, 0), (1, 1, 1)]), EMPTY)
    with pytest.raises(TypeError):
        adjacent(OrderedSet([(0, 0), 5]), EMPTY)


def test_equal_centers_point_left():
    assert position(OrderedSet([(1, 1)]), OrderedSet([(1, 1)])) == (0, -1)


@pytest.mark.usefixtures("small_budget")
def test_comparing_two_large_patches_costs_their_product():
    a, b = OrderedSet([(0, j) for j in range(40)]), OrderedSet([(9, j) for j in range(40)])
    for op in (manhattan, adjacent, gravitate):
        with pytest.raises(OverBudget):
            op(a, b)
