"""Which objects are values of the language."""

from __future__ import annotations

from collections import namedtuple
from enum import IntEnum
from typing import Any

import pytest

from batt.ops import OPS
from batt.own.declaring import NotAValue, language_value
from batt.types import OrderedSet

Point = namedtuple("Point", "i j")
Colour = IntEnum("Colour", ["RED", "BLUE"])


@pytest.mark.parametrize("value", [0, -5, True, None, (), (1, 2), ((1, 0), (0, 1)), 2**70])
def test_values_stay_what_they_are(value: Any):
    assert language_value(value) == value
    assert type(language_value(value)) is type(value)


@pytest.mark.parametrize(
    ("made", "value"),
    [
        ({(1, 2), (0, 5)}, OrderedSet([(0, 5), (1, 2)])),
        (frozenset([frozenset([3, 1])]), OrderedSet([OrderedSet([1, 3])])),
        ((frozenset([2, 1]), 5), (OrderedSet([1, 2]), 5)),
        (Point(1, 2), (1, 2)),
        (Colour.BLUE, 2),
    ],
)
def test_what_python_has_for_a_value_becomes_one(made: Any, value: Any):
    found = language_value(made)
    assert found == value
    assert repr(found) == repr(value)


@pytest.mark.parametrize(
    ("made", "what"),
    [
        ([1, 2], "a list"),
        ((1, (2, "x")), "a str"),
        (1.5, "a float"),
        (object(), "an object"),
        (OPS["add"], "a function"),
        (frozenset([len]), "a function"),
    ],
)
def test_anything_else_is_told_by_its_kind(made: Any, what: str):
    with pytest.raises(NotAValue, match=f"^{what}$"):
        language_value(made)
