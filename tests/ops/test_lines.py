"""Facts of the lines family that its vectors do not make obvious."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from batt.dsl import box, connect, hfrontier, inbox, outbox, shoot, vfrontier
from batt.ops import OPS, OverBudget
from batt.types import OrderedSet, ascending

EMPTY: OrderedSet[Any] = OrderedSet()
RING = {(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)} - {(0, 0)}


def rectangle(height: int, width: int) -> OrderedSet[Any]:
    return OrderedSet([(0, 0), (height - 1, width - 1)])


def test_inbox_of_one_cell_is_the_ring_around_it() -> None:
    assert inbox(rectangle(1, 1)) == outbox(rectangle(1, 1)) == RING


def test_inbox_keeps_a_side_of_two_and_widens_a_side_of_one() -> None:
    assert inbox(rectangle(2, 2)) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert inbox(rectangle(1, 4)) == {(i, j) for i in (-1, 0, 1) for j in (1, 2)}
    assert inbox(rectangle(3, 3)) == {(1, 1)}


def test_an_empty_patch_is_its_own_box_and_has_no_other() -> None:
    assert box(()) == ()
    assert box(EMPTY) == EMPTY
    for outline in (inbox, outbox):
        with pytest.raises(ValueError, match="empty"):
            outline(EMPTY)


def test_a_line_of_one_place_connects_a_place_with_itself() -> None:
    assert connect((3, -4), (3, -4)) == {(3, -4)}


def test_connect_is_symmetric_and_reaches_both_ends() -> None:
    for b in [(0, 5), (5, 0), (5, 5), (5, -5), (-5, 5), (-5, -5)]:
        line = connect((0, 0), b)
        assert line == connect(b, (0, 0))
        assert {(0, 0), b} <= line
        assert len(line) == 6


def test_shots_are_42_directions_long_and_not_clipped() -> None:
    assert len(shoot((0, 0), (2, 2))) == 85
    assert shoot((0, 0), (0, 0)) == {(0, 0)}
    assert shoot((0, 0), (1, 2)) == EMPTY
    assert (-42, 0) in shoot((0, 0), (-1, 0))


def test_a_shot_indexes_its_direction_and_unpacks_its_start() -> None:
    assert shoot((0, 0), (0, 1, 7)) == shoot((0, 0), (0, 1))
    with pytest.raises(ValueError, match="unpack"):
        shoot((0, 0, 0), (0, 1))
    with pytest.raises(TypeError):
        shoot(((1,), 0), ((1,), 0))


def test_a_frontier_reads_only_its_own_component() -> None:
    assert len(hfrontier((7,))) == len(vfrontier((None, 7))) == 30


def test_results_are_born_in_canonical_order() -> None:
    chance = random.Random(3)
    for _ in range(30):
        patch = OrderedSet([(chance.randrange(-4, 4), chance.randrange(-4, 4)) for _ in range(chance.randrange(1, 4))])
        a, b = (0, 0), (chance.randrange(-3, 4), chance.randrange(-3, 4))
        for made in (box(patch), inbox(patch), outbox(patch), connect(a, b), hfrontier(a), vfrontier(b)):
            assert made.order == ascending(frozenset(made))


@pytest.mark.usefixtures("small_budget")
def test_places_a_million_apart_are_refused_before_a_line_is_drawn() -> None:
    far = (0, 10**6)
    for draw in (box, inbox, outbox):
        with pytest.raises(OverBudget):
            draw(OrderedSet([(0, 0), far]))
    with pytest.raises(OverBudget):
        connect((0, 0), far)
    with pytest.raises(OverBudget):
        connect((0, 0), OrderedSet([0, 10**6]))
    with pytest.raises(OverBudget):
        shoot((0, 0), far)


def test_a_cost_can_be_named_for_any_argument() -> None:
    odd = [None, 7, (), ((),), (1,), EMPTY, OrderedSet([3]), OrderedSet([(1,), (1, 2), (None, (1, 2, 3))]), connect]
    costs = [(op.cost, op.arity) for op in OPS.values() if op.family in {"lines", "scaling", "search"} and op.cost]
    for cost, arity in costs:
        for values in product(odd, repeat=arity):
            assert cost(*values) >= 1


def test_places_that_are_plain_sets_are_read_ascending():
    assert box.cost(((0, 0), frozenset({-1, 0, 2}))) == box.cost(((0, 0), OrderedSet({-1, 0, 2})))
    assert box(((0, 0), frozenset({-1, 2}))) == box(((0, 0), (-1, 2)))
