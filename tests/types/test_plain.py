"""Values written out whole: their weight, and the JSON that exports hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.dsl import astuple, compose, first, last
from batt.types import OrderedSet, form
from batt.types.plain import MAX_DEPTH, MAX_NODES, as_json, weight
from strategies import grids, rebuilt, values


def doubled(times: int) -> Any:
    """A value that holds itself twice over, so many times."""
    value: Any = 1
    for _ in range(times):
        value = astuple(value, value)
    return value


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = (value,)
    return value


def parts(value: Any) -> int:
    """The weight by its definition."""
    return 1 + sum(map(parts, value)) if isinstance(value, tuple | frozenset) else 1


def read(written: Any) -> Any:
    """The value that JSON stands for, a function as its form."""
    match written:
        case list():
            return tuple([read(item) for item in written])
        case {"set": items}:
            return frozenset([read(item) for item in items])
        case {"int": digits}:
            return int(digits, 0)
        case {"function": text}:
            return text
    return written


def with_forms(value: Any) -> Any:
    """The value with its functions as their forms."""
    if isinstance(value, tuple):
        return tuple([with_forms(item) for item in value])
    if isinstance(value, frozenset):
        return frozenset([with_forms(item) for item in value])
    return value if value is None or isinstance(value, int) else form(value)


@given(values | grids())
def test_the_weight_counts_every_int_tuple_set_and_function(value: Any) -> None:
    assert weight(value) == parts(value)


@given(values | grids(), st.integers(0, 12))
def test_a_weight_beyond_the_limit_is_just_beyond_it(value: Any, limit: int) -> None:
    assert (weight(value, limit) > limit) is (parts(value) > limit)
    assert weight(value, limit) == parts(value) or weight(value, limit) > limit


@pytest.mark.parametrize("times", [40, 400])
def test_a_value_that_holds_itself_twice_many_times_over_is_weighed_up_to_the_limit(times: int) -> None:
    assert weight(doubled(times)) == MAX_NODES + 1
    assert weight(doubled(times), 1_000) == 1_001
    assert weight(OrderedSet([1]), 0) == 1


def test_a_wide_value_weighs_more_than_the_limit() -> None:
    wide = ((0,) * 1_000,) * 1_000
    assert weight(wide) > MAX_NODES
    assert weight((0,) * (MAX_NODES + 1)) == MAX_NODES + 1


@pytest.mark.parametrize("times", [20, 40, 400])
def test_a_value_too_large_to_be_written_is_named_so(times: int) -> None:
    assert as_json(doubled(times)) == {"larger than": MAX_NODES}


def test_a_value_just_small_enough_is_written() -> None:
    assert as_json((0,) * (MAX_NODES - 1)) == [0] * (MAX_NODES - 1)
    assert as_json((0,) * MAX_NODES) == {"larger than": MAX_NODES}


@given(values | grids())
def test_json_tells_the_whole_value(value: Any) -> None:
    assert read(json.loads(json.dumps(as_json(value)))) == with_forms(value)


@given(values)
def test_json_is_one_whatever_represents_the_value(value: Any) -> None:
    assert json.dumps(as_json(rebuilt(value, frozenset))) == json.dumps(as_json(rebuilt(value)))


def test_each_kind_is_written_in_its_own_way() -> None:
    written = as_json((True, None, OrderedSet([(2, 1), 3]), compose(first, last), first, (), 2**70))
    text = "[1, null, {'set': [3, [2, 1]]}, {'function': 'compose(first, last)'}, {'function': 'first'}, [], "
    assert json.dumps(written) == text.replace("'", '"') + '{"int": "1180591620717411303424"}]'


def test_a_deeply_nested_light_value_is_only_named() -> None:
    assert as_json(nested(20_000)) == {"deeper than": MAX_DEPTH}
