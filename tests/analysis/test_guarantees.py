"""What declarations prove of an op's result, its size and its failing, held against the ops themselves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batt.analysis.domain import ALWAYS, VARIABLES, guarantee, guarantees
from batt.analysis.values import (
    BOOL,
    DEMONSTRATIONS,
    FUNCTION,
    GRID,
    INT,
    RECT,
    SET,
    TUPLE,
    TWO_GRIDS,
    UNKNOWN,
    certain_constant,
)
from batt.ops import EVERY_OP, METER, OPS, RAISABLE, OverBudget, items
from batt.types import Function, Kind
from strategies import anything, colours, grids, ints, of_kind, sets_of, small_grids

rows = st.lists(st.integers(-2, 3), max_size=4).map(tuple)
ways = [anything, rows, st.lists(rows, max_size=4).map(tuple), sets_of(rows, max_size=3)]
values = st.sampled_from(ways).flatmap(lambda way: way)
"""Anything, and as often what almost is a pair, a grid or a patch: rows of any length, tuples and sets of them."""

rects = grids(st.integers(1, 4), st.integers(1, 4), values=colours | st.none() | st.tuples(colours))
pairs = st.tuples(small_grids, small_grids)

DRAWN = {
    UNKNOWN: values,
    FUNCTION: st.sampled_from([OPS[name] for name in ("first", "identity", "size", "initset", "astuple")]),
    INT: ints,
    BOOL: st.booleans(),
    SET: sets_of(values, max_size=4),
    TUPLE: st.lists(values, max_size=4).map(tuple) | small_grids,
    RECT: rects,
    GRID: small_grids,
    TWO_GRIDS: pairs,
    DEMONSTRATIONS: st.lists(pairs, max_size=3).map(tuple),
}


def fits(value, wanted):
    if wanted == TWO_GRIDS:
        return len(value) == 2 and all(certain_constant(each).is_a(GRID) for each in value)
    return certain_constant(value).is_a(wanted)


def result(name, args):
    """What an op gives, in a tuple, within a small budget; nothing where it raises or goes over."""
    METER.reset(20_000, 20_000)
    try:
        return (EVERY_OP[name](*args),)
    except (*RAISABLE, OverBudget):
        return ()


def says_it_of_all(each):
    return set(each.params) == {"x"} and not each.safe and not each.size


LINES = [(op.name, each) for op in EVERY_OP.values() for each in guarantees(op)]
MAKING = [(name, each) for name, each in LINES if each.result == FUNCTION]
PROVED = [(name, each) for name, each in LINES if each.result != FUNCTION and not says_it_of_all(each)]
SAID = [(name, each.result) for name, each in LINES if each.result != FUNCTION and says_it_of_all(each)]
CERTAIN = [(name, found) for name, found in ALWAYS.items() if found.kind in (Kind.INT, Kind.SET, Kind.TUPLE, Kind.PAIR)]


@pytest.mark.parametrize(("name", "each"), PROVED, ids=[f"{name}({each.params})" for name, each in PROVED])
@settings(max_examples=40)
@given(data=st.data())
def test_a_guarantee_holds(name, each, data):
    args = [data.draw(DRAWN[VARIABLES[letter]]) for letter in each.params]
    found = result(name, args)
    assert found or not each.safe
    for value in found:
        assert fits(value, each.result or VARIABLES[each.size])
        if each.size.isalpha():
            assert items(value) == items(args[each.params.index(each.size)])
        elif each.size:
            assert items(value) == int(each.size)


@pytest.mark.parametrize(("name", "wanted"), SAID + CERTAIN, ids=[name for name, _ in SAID + CERTAIN])
@settings(max_examples=40)
@given(data=st.data())
def test_what_an_op_always_gives(name, wanted, data):
    signature = data.draw(st.sampled_from(EVERY_OP[name].signatures))
    odd = data.draw(st.integers(0, 2 * EVERY_OP[name].arity), "the argument that is of another kind")
    args = [data.draw(values if at == odd else of_kind(kind)) for at, kind in enumerate(signature.params)]
    assert all(fits(value, wanted) for value in result(name, args))


@pytest.mark.parametrize(("name", "each"), MAKING, ids=[f"{name}({each.params})" for name, each in MAKING])
@settings(max_examples=40)
@given(data=st.data())
def test_an_op_that_is_proved_to_make_a_function_makes_one(name, each, data):
    found = result(name, [data.draw(DRAWN[VARIABLES[letter]]) for letter in each.params])
    assert found or not each.safe
    assert all(isinstance(value, Function) for value in found)


def test_what_stands_for_the_rest_applies_to_any_operands():
    lbind = EVERY_OP["lbind"]
    for given_second in (UNKNOWN, FUNCTION):
        found = guarantee(lbind, (FUNCTION, given_second))
        assert found
        assert found.safe
    found = guarantee(lbind, (UNKNOWN, UNKNOWN))
    assert found
    assert not found.safe


def test_of_several_lines_that_apply_the_first_counts():
    replace = EVERY_OP["replace"]
    assert guarantee(replace, (GRID, INT, INT)) == guarantees(replace)[0]
    assert guarantee(replace, (RECT, INT, INT)) == guarantees(replace)[1]
    assert guarantee(replace, (TUPLE, INT, INT)) is None


def test_no_declaration_says_twice_what_an_op_always_gives():
    assert SAID
    assert [name for name, wanted in SAID if ALWAYS[name].is_a(wanted)] == []
