"""What a value can be: shapes, kinds, truth, and how claims are put together."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from batt.analysis.values import (
    BOOL,
    CELL,
    FUNCTION,
    GRID,
    INT,
    LETTERS,
    NEVER,
    OF_KIND,
    PAIR,
    RECT,
    SET,
    TUPLE,
    TWO_GRIDS,
    UNKNOWN,
    AbstractValue,
    certain_constant,
    certain_tuple,
    item,
    join,
    kind_of,
    lettered,
    likely_constant,
    shapes,
    two,
)
from batt.ops import OPS
from batt.types import Kind, OrderedSet

CONSTANTS = [
    (0, "zero", "i"),
    (True, "one", "i"),
    (-7, "int", "i"),
    (None, "none", "n"),
    ((), "empty", "e"),
    ((1, 2), "pair", "p"),
    (((1, 2), (3, 4)), "grid", "g"),
    (((1, None),), "rect", "g"),
    (((1, 2), (3,)), "rows", "g"),
    (((),), "cell tuple", "t"),
    ((1, (2, 3)), "cell tuple", "t"),
    (OrderedSet(), "no_items", "z"),
    (OrderedSet([1]), "object indices objects set", "s"),
    (OPS["first"], "fn", "f"),
]


@pytest.mark.parametrize(("value", "names", "letter"), CONSTANTS)
def test_what_is_certain_of_a_constant(value: Any, names: str, letter: str):
    found = certain_constant(value)
    assert found == AbstractValue(shapes(names))
    assert found.shapes & ~lettered(letter) == 0
    assert found.truth is bool(value)


def test_letters_part_the_shapes():
    assert {letter for _, _, letter in CONSTANTS} == set(LETTERS)
    assert sum(mask.bit_count() for mask in LETTERS.values()) == lettered("*").bit_count() == UNKNOWN.shapes.bit_count()


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, "int"),
        (True, "int"),
        (None, "any"),
        ((1, 2), "pair"),
        ((1, (2, 3)), "cell"),
        (((1, 2, 3),) * 3, "grid"),
        (OrderedSet([(1, 2)]), "indices"),
        (OrderedSet([(1, (2, 3))]), "object"),
        (OrderedSet([OrderedSet([(1, 2)])]), "set"),
        (OrderedSet([1, (2, 3)]), "set"),
        (OPS["first"], "fn"),
    ],
)
def test_what_is_likely_of_a_constant(value: Any, kind: str):
    assert str(likely_constant(value).kind) == kind


@pytest.mark.parametrize(("a", "b", "gives"), [("i", "i", "p"), ("g", "p", "g"), ("i", "g", "t"), ("ip", "ip", "pgt")])
def test_what_is_certain_of_a_tuple_of_two(a: str, b: str, gives: str):
    assert certain_tuple([AbstractValue(lettered(a)), AbstractValue(lettered(b))]) == AbstractValue(lettered(gives))


def test_the_kind_that_covers_two_is_the_narrowest_and_covers_more_in_any_order():
    for a, b, c in product(Kind, repeat=3):
        both = OF_KIND[a].shapes | OF_KIND[b].shapes
        covering = [kind for kind in Kind if not both & ~OF_KIND[kind].shapes]
        assert all(OF_KIND[kind_of(both)].is_a(OF_KIND[kind]) for kind in covering)
        assert kind_of(OF_KIND[kind_of(both)].shapes | OF_KIND[c].shapes) is kind_of(both | OF_KIND[c].shapes)


def test_a_grid_is_a_rect_and_a_tuple_and_no_set():
    assert GRID.is_a(RECT)
    assert GRID.is_a(TUPLE)
    assert not GRID.is_a(SET)
    assert not RECT.is_a(GRID)
    assert FUNCTION.is_a(UNKNOWN)
    assert not UNKNOWN.is_a(FUNCTION)


def test_what_is_never_made_is_nothing():
    assert not NEVER.is_a(UNKNOWN)
    assert NEVER.kind is Kind.ANY
    assert join(NEVER, GRID) == join(GRID, NEVER) == GRID


def test_parts_that_are_asked_for_must_be_the_same():
    assert TWO_GRIDS.is_a(TUPLE)
    assert TWO_GRIDS.is_a(TWO_GRIDS)
    assert not AbstractValue(TWO_GRIDS.shapes).is_a(TWO_GRIDS)


def test_truth_is_known_where_all_shapes_agree():
    assert GRID.truth is True
    assert BOOL.truth is None
    assert BOOL.if_true() == AbstractValue(shapes("one"))
    assert INT.if_true().truth is True


def test_items_are_known_by_the_kind_or_by_the_parts():
    assert item(PAIR) == INT
    assert str(item(CELL).kind) == "num"
    assert item(two(GRID, GRID)) == GRID
    assert item(SET) == UNKNOWN
