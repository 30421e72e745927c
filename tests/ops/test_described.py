"""Values in plain words."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from batt.dsl import compose, first
from batt.ops.described import KIND_WORDS, describe_value, is_of_kind
from batt.own.inputs import random_value
from batt.types import Kind, OrderedSet

OBJECT = OrderedSet([(1, (0, 0))])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (5, "an int"),
        (True, "an int"),
        (None, "None"),
        (compose(first, first), "a function"),
        ((), "an empty tuple"),
        (OrderedSet(), "an empty set"),
        ((1, 2), "a pair"),
        (((1, 2), (3, 4)), "a grid"),
        ((1, (2, 3)), "a cell"),
        (OBJECT, "an object"),
        (OrderedSet([(0, 0)]), "a set of places"),
        (OrderedSet([OBJECT]), "a set of 1 object"),
        (OrderedSet([OrderedSet([(0, 0)]), OrderedSet([(0, 1)])]), "a set of 2 patches"),
        (((1, 2), (3,)), "a tuple of rows of different lengths"),
        ((1, 2, 3), "a tuple of 3 ints"),
        ((1, (2,), 3), "a tuple of 3 items"),
    ],
)
def test_values_are_described(value: Any, words: str):
    assert describe_value(value) == words


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.FN])
def test_a_random_value_of_a_kind_is_of_that_kind(kind: Kind):
    rng = Random(7)
    assert all(is_of_kind(random_value(kind, rng), kind) for _ in range(50))


def test_every_kind_has_words():
    assert set(KIND_WORDS) == set(Kind)
