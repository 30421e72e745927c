"""Values that cross between Python and an engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from batt import dsl
from batt.bytecode.wire import write_value
from batt.dsl import chain, compose, fill, fork, identity, lbind, matcher, multiply, power, rbind, size
from batt.errors import UsageError
from batt.ir import Helper
from batt.jobs import Failed, as_value, read_output
from batt.jobs.values import failure, values_of
from batt.ops import OPS
from batt.runtime import Status
from batt.runtime.outputs import NO_FUNCTIONS, Functions, OutputWriter
from batt.runtime.records import RECORD_TYPE
from batt.types import OrderedSet
from batt.types.plain import MAX_NODES
from handmade import program

HELPER = Helper("turned", program("x = vmirror(I)"))

VALUES = [
    0,
    -7,
    2**70,
    None,
    (),
    ((1, 2), (3, 4)),
    ((1, 2), (3,)),
    ((), (1,)),
    (1, (2, (3,))),
    OrderedSet([(3, (0, 1)), (1, (2, 2))]),
    OrderedSet(),
    (OrderedSet([OrderedSet([1]), OrderedSet([])]), None),
    size,
    compose(size, rbind(fill, ((1, 2), (3, OrderedSet([5]))))),
    chain(identity, lbind(multiply, -3), power(dsl.double, 4)),
    (fork(dsl.combine, matcher(size, None), size), OrderedSet([size, dsl.first])),
    rbind(matcher, OrderedSet()),
]


def read(value: Any) -> Any:
    """The value after it was written and read."""
    writer = OutputWriter()
    writer.add(value)
    return read_output(bytes(writer.data), Functions(writer.helpers))


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_an_output_is_read_as_the_value_that_was_written(value: Any):
    assert read(value) == value
    assert type(read(value)) is type(value)


def test_a_helper_comes_back_as_itself():
    assert read((HELPER, compose(HELPER, size), OrderedSet([HELPER]))) == (
        HELPER,
        compose(HELPER, size),
        OrderedSet([HELPER]),
    )


def deep(levels: int) -> Any:
    return () if not levels else (deep(levels - 1),)


@pytest.mark.parametrize(
    "value",
    [(0,) * (MAX_NODES + 1), deep(250), rbind(fill, tuple(range(2_000))), compose(*[rbind(fill, deep(201))] * 2)],
    ids=["large", "deep", "large function", "deep function"],
)
def test_what_an_output_does_not_hold_whole_is_a_failure_and_no_answer(value: Any):
    assert read(value) == read((value,)) == Failed("too_large")


def test_equal_outputs_are_read_once():
    records = np.zeros(3, RECORD_TYPE)
    records["status"] = [Status.OK, Status.TIMED_OUT, Status.OK]
    wire = write_value(((1, 2), (3, 4)))
    first, second, third = values_of(records, [wire, b"", bytes(wire)], [NO_FUNCTIONS] * 3)
    assert first is third
    assert (first, second) == (((1, 2), (3, 4)), Failed("timed_out"))


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ([[1, 2], [3, 4]], ((1, 2), (3, 4))),
        (np.array([[1, 2]], np.uint8), ((1, 2),)),
        (np.int64(4), 4),
        ({1, 2}, OrderedSet([1, 2])),
        (True, True),
        ([], ()),
        ([(1, [2])], ((1, (2,)),)),
        (OPS["first"], OPS["first"]),
    ],
    ids=repr,
)
def test_lists_arrays_and_sets_become_values(given: Any, value: Any):
    assert as_value(given) == value
    assert type(as_value(given)) is type(value)


@pytest.mark.parametrize(
    "given",
    [1.5, "text", b"", {1: 2}, object(), [[1, 2.5]], np.array([0.5]), len],
    ids=lambda given: type(given).__name__,
)
def test_anything_else_is_refused_with_its_kind(given: Any):
    with pytest.raises(UsageError, match=r"not a value of the language: .* \(\w+\); it has ints"):
        as_value(given)


def test_a_list_that_contains_itself_is_refused():
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(UsageError, match="contains itself"):
        as_value(endless)


def test_a_failure_says_what_it_is_and_equals_no_value():
    assert failure(Status.RAISED, 3) == Failed("IndexError")
    assert failure(Status.OVER_BUDGET, 0) == Failed("over_budget")
    assert (repr(Failed("IndexError")), repr(Failed("TypeError", "add"))) == (
        "<Failed IndexError>",
        "<Failed TypeError in add>",
    )
    assert Failed("IndexError") not in (None, (), 0, "IndexError", Failed("TypeError"))
