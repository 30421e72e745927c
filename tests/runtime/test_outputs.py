"""Outputs as wire bytes: how they are written, packed and kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.bytecode.wire import DEEPER, HELPER, LARGER, OP, Unencodable, write_value
from batt.dsl import compose, first, lbind
from batt.ir import Helper
from batt.runtime.outputs import FUNCTION_PARTS, NO_FUNCTIONS, Functions, OutputStore, OutputWriter, PackedOutputs
from batt.types import OrderedSet, form
from batt.types.digest import FUNCTION
from batt.types.plain import MAX_DEPTH, MAX_NODES
from handmade import MIRROR, SAME, program
from strategies import grids, values

HELPERS = Helper("one", program(*MIRROR)), Helper("two", program(*SAME))


def written(value: Any) -> bytes:
    writer = OutputWriter()
    writer.add(value)
    return bytes(writer.data)


@given(values | grids())
def test_an_output_has_the_bytes_that_samples_and_programs_have(value: Any):
    try:
        expected = write_value(value)
    except Unencodable:
        return
    assert written(value) == expected


def nested(depth: int, inner: Any = ()) -> Any:
    for _ in range(depth - 1):
        inner = (inner,)
    return inner


@pytest.mark.parametrize(
    ("value", "wire"),
    [
        ((1,) * MAX_NODES, bytes([LARGER])),
        (nested(MAX_DEPTH + 1), bytes([DEEPER])),
        ((nested(MAX_DEPTH + 1), (1,) * MAX_NODES), bytes([LARGER])),
        (nested(MAX_DEPTH + 2, compose(first, first)), bytes([DEEPER])),
    ],
    ids=["large", "deep", "both", "deep with a function"],
)
def test_what_is_too_large_or_too_deep_is_one_tag(value: Any, wire: bytes):
    assert written(value) == wire


def printed(function: Any) -> bytes:
    """A function as its printed form."""
    text = form(function).encode()
    return bytes([FUNCTION]) + len(text).to_bytes(4, "little") + text


@pytest.mark.parametrize("parts", [FUNCTION_PARTS, FUNCTION_PARTS + 1])
def test_a_function_of_too_many_parts_is_its_printed_form(parts: int):
    function = lbind(first, (1,) * (parts - 2))
    assert written(function) == (write_value(function) if parts == FUNCTION_PARTS else printed(function))


def test_functions_of_an_output_have_no_more_parts_than_a_value_may():
    function = lbind(first, (1,) * (FUNCTION_PARTS - 2))
    count = MAX_NODES // FUNCTION_PARTS
    assert written((function,) * (count + 1))[5:] == write_value(function) * count + printed(function)


@pytest.mark.parametrize(("depth", "is_whole"), [(MAX_DEPTH - 1, True), (MAX_DEPTH, False)])
def test_a_function_of_something_too_deep_is_its_printed_form(depth: int, is_whole: bool):
    function = lbind(first, nested(depth))
    assert written(function) == (write_value(function) if is_whole else printed(function))


def test_helpers_are_numbered_as_they_come():
    writer = OutputWriter()
    for value in (HELPERS[1], (HELPERS[0], HELPERS[1], first), 3):
        writer.add(value)
    writer.skip()
    assert writer.helpers == [HELPERS[1], HELPERS[0]]
    packed = PackedOutputs.of(np.frombuffer(bytes(writer.data), np.uint8), np.array(writer.ends, np.uint64))
    assert [list(wire) for wire in (packed.wires[0], packed.wires[2], packed.wires[3])] == [
        [HELPER, 0, 0, 0, 0],
        [3],
        [],
    ]
    assert [packed.wires[1][at] for at in (5, 6, 10, 11, 15)] == [HELPER, 1, HELPER, 0, OP]


def packed(*wires: bytes, functions: Functions = NO_FUNCTIONS) -> PackedOutputs:
    ends = np.cumsum([len(wire) for wire in wires], dtype=np.uint64)
    return PackedOutputs.of(np.frombuffer(b"".join(wires), np.uint8), ends, functions)


def test_outputs_are_chosen_without_being_copied():
    whole = packed(b"ab", b"", b"c")
    part = whole.only(np.array([False, True, True]))
    assert (len(whole), whole.wires, part.wires) == (3, [b"ab", b"", b"c"], [b"", b"c"])
    assert part.data is whole.data
    assert whole.only(np.array([2, 0, 2])).wires == [b"c", b"ab", b"c"]
    assert PackedOutputs.none(2).wires == [b"", b""]
    assert repr(whole) == "<PackedOutputs | 3 outputs>"


@given(st.lists(st.binary(max_size=5), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_a_store_gives_outputs_by_number_however_they_came(wires: list[bytes], random: Any):
    numbers = list(range(len(wires)))
    random.shuffle(numbers)
    store, functions = OutputStore(len(wires) + 2), dict.fromkeys(range(len(wires) + 2), NO_FUNCTIONS)
    while numbers:
        taken = [numbers.pop() for _ in range(min(len(numbers), random.randint(1, 7)))]
        block = packed(*[wires[number] for number in taken], functions=Functions())
        functions |= dict.fromkeys(taken, block.functions)
        store.put(np.array(taken), block)
    asked = [random.randrange(len(store)) for _ in range(40)]
    found, own = store.take(np.array(asked))
    assert found == [[*wires, b"", b""][number] for number in asked]
    assert own == [functions[number] for number in asked]
    assert store.take(np.zeros(0, np.int64)) == ([], [])


def test_sets_of_any_kind_are_written_in_order():
    assert written(frozenset([3, 1, 2])) == written(OrderedSet([2, 3, 1])) == bytes([243, 3, 0, 0, 0, 1, 2, 3])
