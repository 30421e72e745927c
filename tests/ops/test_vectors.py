"""Every recorded call of every op, checked to the letter: values, kinds of truth, order of sets, classes of errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from batt.ops import METER, NEW_WORDS, OPS, RAISABLE, find_op
from batt.types import Function, OrderedSet, ordered
from vectors import recorded


def read(written: Any, make_set: Callable[[list[Any]], Any]) -> Any:
    """The value that a vector writes."""
    match written:
        case {"t": items}:
            return tuple([read(item, make_set) for item in items])
        case {"s": items}:
            return make_set([read(item, make_set) for item in items])
        case {"f": str(name)}:
            return OPS[name]
        case {"f": [name, *args]}:
            return OPS[name](*[read(arg, make_set) for arg in args])
        case None | bool() | int():
            return written
    raise AssertionError(f"no value: {written}")


def write(value: Any) -> Any:
    """The value as a vector writes it, sets in the order in which they iterate."""
    if isinstance(value, tuple):
        return {"t": [write(item) for item in value]}
    if isinstance(value, frozenset):
        return {"s": [write(item) for item in ordered(value)]}
    if isinstance(value, Function):
        return {"f": [value.name, *map(write, value.args)] if value.args else value.name}
    return value


def settled(written: Any) -> Any:
    """What a vector writes, with functions as they print: `power(outbox, 1)` is outbox."""
    match written:
        case {"t": items}:
            return {"t": [settled(item) for item in items]}
        case {"s": items}:
            return {"s": [settled(item) for item in items]}
        case {"f": _}:
            return write(read(written, OrderedSet))
    return written


def outcome(vector: dict[str, Any], make_set: Callable[[list[Any]], Any]) -> Any:
    """What the vector's call gives, as a vector writes it."""
    METER.reset()
    try:
        result: Any = find_op(vector["fn"])
        for args in ("args", "call", "then"):
            if args in vector:
                result = result(*[read(arg, make_set) for arg in vector[args]])
    except RAISABLE as raised:
        return {"error": type(raised).__name__}
    return write(result)


def test_every_op_of_the_language_is_there() -> None:
    assert recorded().keys() == OPS.keys() | NEW_WORDS.keys()
    assert len(recorded()) == 160 + len(NEW_WORDS)


@pytest.mark.parametrize("name", sorted(recorded()))
def test_an_op_gives_what_was_recorded(name: str) -> None:
    for vector in recorded()[name]:
        # JSON text, because true and 1 are equal in Python.
        expected = json.dumps(settled(vector["out"]))
        for make_set in (OrderedSet, frozenset):
            got = json.dumps(outcome(vector, make_set))
            assert got == expected, f"vector {vector['id']} with {make_set.__name__}"
