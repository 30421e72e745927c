"""Facts of the logic family that its vectors do not make obvious."""

from __future__ import annotations

import pytest

from batt.dsl import add, both, branch, compose, either, equality, first, flip, greater, last
from batt.types import OrderedSet


def test_both_and_either_return_an_argument_as_it_is() -> None:
    nothing: OrderedSet[int] = OrderedSet()
    assert both(nothing, 5) is nothing
    assert either(nothing, add) is add


def test_functions_are_true() -> None:
    assert flip(first) is False
    assert branch(compose(first, last), 1, 2) == 1


def test_functions_made_alike_are_equal() -> None:
    assert equality(compose(first, last), compose(first, last)) is True
    assert equality(compose(first, last), compose(last, first)) is False


def test_a_tuple_never_equals_a_set() -> None:
    assert equality((1,), OrderedSet((1,))) is False


def test_functions_have_no_greater() -> None:
    with pytest.raises(TypeError):
        greater(first, last)
    with pytest.raises(TypeError):
        greater((1, first), (1, last))


def test_tuples_compare_only_their_first_difference() -> None:
    assert greater((first, 2, None), (first, 1, 0)) is True


def test_sets_compare_by_inclusion_and_not_in_canonical_order() -> None:
    assert greater(OrderedSet((5,)), OrderedSet((1, 2))) is False
    assert greater(OrderedSet((1, 2)), OrderedSet((5,))) is False
    assert greater(OrderedSet((1, 5)), OrderedSet((5,))) is True
