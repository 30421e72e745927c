"""The canonical order, and the set that iterates in it and is a frozenset in all else."""

from __future__ import annotations

import operator
import pickle
from collections.abc import Callable, Iterable
from functools import cmp_to_key
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.dsl import compose, first, last
from batt.types import OrderedSet, ascending, canonical_key, form, ordered, unordered
from strategies import cells, few_values, functions, ints, nested, pairs, rebuilt, sets_of, small_ints, values

ONE_OF_EACH = (-5, True, 7, (), (0,), (0, 0), ((),), OrderedSet(), OrderedSet([0]), None, compose(first, last), first)
"""Values of every kind, ascending."""

bits = st.integers(0, 1)
pools = st.one_of(
    st.lists(values, max_size=6),
    st.lists(few_values, max_size=6),
    st.lists(nested(small_ints), max_size=8),
    st.lists(ints, max_size=8),
    st.lists(pairs | cells, max_size=8),
    st.lists(st.tuples(small_ints, small_ints | pairs | cells), max_size=8),
    st.lists(st.tuples(bits, st.tuples(bits, bits | st.tuples(bits)) | st.tuples(bits)), max_size=6),
    st.lists(sets_of(cells, max_size=3) | sets_of(pairs, max_size=3), max_size=6),
    st.lists(st.lists(st.lists(small_ints, max_size=2).map(tuple), max_size=2).map(tuple), max_size=8),
    st.lists(functions, max_size=5),
)
"""Items of every kind and mixture, among them those that are sorted without a key."""

few_sets = sets_of(few_values, max_size=4)


def compare(a: Any, b: Any) -> int:
    """-1, 0 or 1 by the order as the specification words it."""
    if rank(a) != rank(b):
        return sign(rank(a), rank(b))
    if isinstance(a, tuple):
        return compare_items(a, b)
    if isinstance(a, frozenset):
        return compare_items(by_definition(a), by_definition(b))
    if isinstance(a, int):
        return sign(a, b)
    return 0 if a is None else sign(form(a, limit=10**9), form(b, limit=10**9))


def compare_items(a: tuple[Any, ...], b: tuple[Any, ...]) -> int:
    differences = [compare(x, y) for x, y in zip(a, b, strict=False)]
    return next((each for each in differences if each), sign(len(a), len(b)))


def by_definition(items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(sorted(unordered(items), key=cmp_to_key(compare)))


def rank(value: Any) -> int:
    kinds = (int, tuple, frozenset, type(None), object)
    return next(place for place, kind in enumerate(kinds) if isinstance(value, kind))


def sign(a: Any, b: Any) -> int:
    return (a > b) - (a < b)


@given(pools)
def test_a_set_is_equal_to_the_frozenset_of_its_items_and_hashes_like_it(pool: list[Any]) -> None:
    ours, plain = OrderedSet(pool), frozenset(pool)
    assert ours == plain
    assert plain == ours
    assert hash(ours) == hash(plain)
    assert len(ours) == len(plain)
    assert all(item in ours for item in pool)


@given(pools)
def test_a_set_stands_for_its_frozenset_as_a_key_and_as_an_item(pool: list[Any]) -> None:
    ours, plain = OrderedSet(pool), frozenset(pool)
    assert {ours: 1}[plain] == {plain: 1}[ours] == 1
    assert OrderedSet([ours, plain]) == {plain}
    assert ours in frozenset([plain])
    assert plain in OrderedSet([ours])
    assert (1, ours) == (1, plain)


@pytest.mark.parametrize(
    "operate", [operator.or_, operator.and_, operator.sub, operator.xor, operator.le, operator.lt, operator.ge]
)
@given(few_sets, few_sets)
def test_operators_give_what_they_give_for_frozensets(
    operate: Callable[[Any, Any], Any], a: OrderedSet[Any], b: OrderedSet[Any]
) -> None:
    expected = operate(frozenset(a), frozenset(b))
    assert operate(a, b) == operate(frozenset(a), b) == operate(a, frozenset(b)) == expected


@given(pools)
def test_a_set_iterates_by_the_order_of_the_specification(pool: list[Any]) -> None:
    assert tuple(OrderedSet(pool)) == by_definition(frozenset(pool))


@given(pools)
def test_every_shortcut_of_sorting_agrees_with_the_canonical_key(pool: list[Any]) -> None:
    assert ascending(pool) == tuple(sorted(pool, key=canonical_key))


@pytest.mark.parametrize(
    "expected",
    [
        (1, (0,)),
        ((1, 2), (1, (0,))),
        ((0, 9), (0, (1, 2))),
        ((1, (2, 3)), (1, (2, (0,)))),
        ((1, (2,)), (1, (2, 0)), (1, (2, 0, 0))),
        ((1,), (1, (2, 3)), (1, (2, 3), 0)),
        (((1, 2),), ((1, (0, 0)),)),
        ((1, (2, 3)), (1, None)),
        ((1, (2, 3)), (1, OrderedSet([2, 3]))),
        ((), (0,), ((),)),
        (OrderedSet([1, 2]), OrderedSet([1, (0,)])),
        (OrderedSet([2]), OrderedSet([(0, 0)]), OrderedSet([(0, (0, 0))]), OrderedSet([OrderedSet()])),
    ],
    ids=str,
)
def test_items_almost_alike_are_ordered_by_kind_where_they_differ(expected: tuple[Any, ...]) -> None:
    assert ascending(expected[::-1]) == ascending(expected) == expected
    assert tuple(OrderedSet([rebuilt(item, frozenset) for item in expected[::-1]])) == expected


@given(few_values, few_values)
def test_of_two_values_one_is_less_or_they_are_equal(a: Any, b: Any) -> None:
    less, greater = canonical_key(a) < canonical_key(b), canonical_key(b) < canonical_key(a)
    assert [less, greater, a == b].count(True) == 1


@given(values, values)
def test_the_key_orders_as_the_specification_words_it(a: Any, b: Any) -> None:
    assert sign(canonical_key(a), canonical_key(b)) == compare(a, b)


@given(few_values, few_values, few_values)
def test_the_order_is_transitive(a: Any, b: Any, c: Any) -> None:
    low, middle, high = sorted([a, b, c], key=canonical_key)
    assert not canonical_key(middle) < canonical_key(low)
    assert not canonical_key(high) < canonical_key(middle)
    assert not canonical_key(high) < canonical_key(low)


def test_ints_come_before_tuples_before_sets_before_none_before_functions() -> None:
    assert tuple(OrderedSet(ONE_OF_EACH[::-1])) == ONE_OF_EACH
    assert all(canonical_key(a) < canonical_key(b) for a, b in combinations(ONE_OF_EACH, 2))


def test_cells_come_by_colour_and_then_row_by_row() -> None:
    expected = ((1, (5, 5)), (2, (0, 3)), (2, (1, 0)), (2, (1, 2)), (9, (-1, 0)))
    assert tuple(OrderedSet(expected[::-1])) == expected


def test_the_empty_set_comes_first_among_sets_and_a_prefix_before_what_it_begins() -> None:
    expected = (OrderedSet(), OrderedSet([1]), OrderedSet([1, 2]), OrderedSet([1, 3]), OrderedSet([2]))
    assert tuple(OrderedSet(expected[::-1])) == expected


@given(pools, st.randoms(use_true_random=False))
def test_equal_sets_iterate_equally_whatever_the_order_of_insertion(pool: list[Any], chance: Any) -> None:
    shuffled = [rebuilt(item, frozenset) for item in pool]
    chance.shuffle(shuffled)
    assert tuple(OrderedSet(pool)) == tuple(OrderedSet(shuffled))


@given(pools)
def test_a_set_made_of_ascending_items_is_the_sorted_one(pool: list[Any]) -> None:
    made = OrderedSet(pool)
    again = OrderedSet.from_ascending(iter(made.order))
    assert again == made
    assert tuple(again) == again.order == made.order


@given(few_sets, few_sets)
def test_a_set_can_be_made_of_a_set(a: OrderedSet[Any], b: OrderedSet[Any]) -> None:
    assert tuple(OrderedSet(a)) == tuple(a)
    assert tuple(OrderedSet(a | b)) == ascending(a | b)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@given(sets_of(values, max_size=4))
def test_pickling_gives_an_equal_ordered_set(protocol: int, made: OrderedSet[Any]) -> None:
    again = pickle.loads(pickle.dumps(made, protocol))
    assert type(again) is OrderedSet
    assert again == made
    assert tuple(again) == tuple(made)


@given(few_sets)
def test_walking_a_container_in_any_order_misses_nothing(made: OrderedSet[Any]) -> None:
    assert frozenset(unordered(made)) == made
    assert tuple(ordered(frozenset(made))) == tuple(made)
    assert tuple(ordered(made.order)) == tuple(unordered(made.order)) == made.order


def test_a_set_prints_its_items_in_order_between_braces() -> None:
    assert repr(OrderedSet([(2, 1), 3])) == str(OrderedSet([3, (2, 1)])) == "{3, (2, 1)}"
    assert repr(OrderedSet()) == "{}"
