"""Values as bytes between Python and native code, both ways."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

import strategies
from batt.bytecode.wire import Unencodable, read_value, write_value
from batt.bytecode.wired import scan
from batt.dsl import compose, first, lbind, power
from batt.errors import InternalError
from batt.ir import Helper, Literal, Program
from batt.types import Function, Made, OrderedSet, form, unordered

HELPERS = [Helper(name, Program(("a",), 1, (), Literal(1))) for name in ("one", "two")]


def is_huge(value: Any) -> bool:
    if isinstance(value, int):
        return not -(2**63) <= value < 2**63
    parts = value.args if isinstance(value, Made) else value if isinstance(value, tuple | frozenset) else ()
    return any(map(is_huge, unordered(parts)))


@given(strategies.anything)
def test_a_value_comes_back_as_it_was_or_is_too_large(value: Any):
    if is_huge(value):
        with pytest.raises(Unencodable, match=r"an int of .* bits"):
            write_value(value)
        return
    wire = write_value(value)
    made = read_value(wire)
    assert made == value
    assert form(made) == form(value)
    assert scan(wire, 0).end == len(wire)


@given(strategies.values)
def test_equal_values_have_equal_bytes(value: Any):
    if not is_huge(value):
        assert write_value(strategies.rebuilt(value)) == write_value(value)


def test_helpers_are_written_as_the_numbers_of_their_routines():
    value = (HELPERS[1], lbind(compose, HELPERS[0]), OrderedSet([first]))

    def number(helper: Function) -> int:
        return [each.name for each in HELPERS].index(helper.name)

    wire = write_value(value, number)
    assert read_value(wire, HELPERS) == value
    assert scan(wire, 0).helpers == {0, 1}


def test_functions_are_written_part_by_part():
    wire = write_value(power(compose(first, first), 3))
    assert len(wire) == 5 + 5 + 2 * 5 + 1
    assert form(read_value(wire)) == "power(compose(first, first), 3)"


def test_values_nest_without_bound():
    value: Any = ()
    for _ in range(5_000):
        value = (value,)
    assert len(write_value(value)) == 5 * 5_001
    assert scan(write_value(value), 0).end == 5 * 5_001


def test_what_is_no_value_of_the_language_is_our_own_mistake():
    with pytest.raises(InternalError, match="str"):
        write_value("text")
