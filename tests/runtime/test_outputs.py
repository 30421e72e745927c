"""Native outputs as JSON: the text that the reference engine writes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from batt.bytecode.wire import Unencodable, write_value
from batt.dsl import compose, first, lbind
from batt.ir import Helper
from batt.runtime import Outcome, Status
from batt.runtime.outputs import output_text
from batt.runtime.worker import output_json
from batt.types import OrderedSet
from batt.types.plain import MAX_DEPTH, MAX_NODES
from handmade import MIRROR, program
from strategies import grids, values

HELPER = Helper("twice", program(*MIRROR))


def nested(depth: int, inner: Any = ()) -> Any:
    for _ in range(depth - 1):
        inner = (inner,)
    return inner


def assert_alike(value: Any) -> None:
    text = output_text(write_value(value, lambda _: 1), (first, HELPER))
    assert text == output_json(Outcome(Status.OK, value=value))


@given(values)
def test_any_value_is_written_as_the_reference_writes_it(value: Any):
    try:
        assert_alike(value)
    except Unencodable:
        return


@given(grids())
def test_a_grid_is_written_as_the_reference_writes_it(grid: Any):
    assert_alike(grid)


@pytest.mark.parametrize(
    "value",
    [
        *[(), ((),), ((), ()), ((1,), (2, 3)), ((239, 240),), ((1, None),), None, True, 239, 240, -1, HELPER],
        *[(HELPER, compose(HELPER, first)), ((1, 2), (HELPER, 3)), OrderedSet([(1, (2, 3)), (0, (5, 6))])],
        *[((1,) * 446,) * 446, ((1,) * 447,) * 447, (1,) * (MAX_NODES - 1), (1,) * MAX_NODES],
        *[nested(MAX_DEPTH), nested(MAX_DEPTH + 1), (nested(MAX_DEPTH - 1), (1,) * MAX_NODES)],
        *[nested(MAX_DEPTH, OrderedSet([1])), nested(MAX_DEPTH + 1, compose(first, first)), nested(100_000)],
        lbind(first, (1,) * MAX_NODES),
        (lbind(first, nested(MAX_DEPTH - 2)), 7),
    ],
    ids=lambda value: type(value).__name__,
)
def test_large_deep_and_odd_values_are_written_as_the_reference_writes_them(value: Any):
    assert_alike(value)


def test_a_function_of_something_deep_is_left_to_a_process_of_its_own():
    assert output_text(write_value((lbind(first, nested(MAX_DEPTH + 1)), 7)), ()) is None
