"""Facts of the containers family that its vectors do not make obvious."""

from __future__ import annotations

from typing import Any

import pytest

from batt.dsl import (
    combine,
    compose,
    dedupe,
    difference,
    first,
    initset,
    intersection,
    interval,
    last,
    merge,
    other,
    product,
    remove,
    repeat,
    totuple,
)
from batt.ops import METER, OverBudget
from batt.types import OrderedSet

EMPTY: OrderedSet[Any] = OrderedSet()


@pytest.mark.parametrize("make", [OrderedSet, frozenset])
def test_sets_come_back_ordered_whatever_set_was_given(make: Any) -> None:
    given = make((3, 1, 2))
    for result in (combine(given, given), difference(given, ()), remove(7, given), merge(make((given,)))):
        assert type(result) is OrderedSet
        assert tuple(result) == (1, 2, 3)
    assert totuple(given) == (1, 2, 3)


def test_the_difference_from_nothing_looks_at_nothing() -> None:
    assert difference((), None) == ()
    assert difference(EMPTY, 5) == EMPTY
    with pytest.raises(TypeError):
        difference(0, ())


def test_product_looks_at_b_first() -> None:
    assert product(None, ()) == EMPTY
    with pytest.raises(TypeError):
        product((), None)


def test_product_of_sets_is_ascending_across_kinds() -> None:
    made = product(OrderedSet((None, 1, (0,))), frozenset(((2,), 1)))
    assert made.order == OrderedSet(tuple(made)).order
    assert made.order[0] == (1, 1)


def test_functions_are_items_like_any_other() -> None:
    function = compose(first, last)
    assert dedupe((function, first, compose(first, last))) == (function, first)
    assert remove(compose(first, last), initset(function)) == EMPTY


def test_removing_by_equality_takes_true_for_one() -> None:
    assert remove(1, (True, 2, 1)) == (2,)
    with pytest.raises(StopIteration):
        other((True, 1), 1)


def test_intersection_of_ints_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        intersection(6, 3)


@pytest.mark.usefixtures("small_budget")
def test_what_could_not_be_held_is_refused_before_it_is_made() -> None:
    many = repeat(0, 900)
    for make, args in [
        (repeat, (0, 10**12)),
        (interval, (0, 10**30, 1)),
        (interval, (0, -(10**30), -7)),
        (product, (many, many)),
    ]:
        METER.reset(1000, 1000)
        with pytest.raises(OverBudget):
            make(*args)


@pytest.mark.usefixtures("small_budget")
def test_merging_one_large_set_many_times_is_refused_before_it_is_made() -> None:
    METER.reset(10**9, 10**6)
    large = OrderedSet(range(10**5))
    with pytest.raises(OverBudget):
        merge(repeat(large, 10**5))


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize(
    ("start", "stop", "step"), [(0, 5, 2), (5, 0, -2), (5, 5, 1), (0, 5, -1), (True, 7, 3), (-3, 10**12, 10**11)]
)
def test_an_interval_costs_one_step_and_one_for_each_int(start: int, stop: int, step: int) -> None:
    made = interval(start, stop, step)
    assert METER.steps_left == 1000 - 1 - len(made)


@pytest.mark.parametrize("args", [(None, 1, 0), (0, (), 1), (0, 1, first)])
def test_an_interval_of_anything_but_ints_is_a_type_error(args: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError):
        interval(*args)
