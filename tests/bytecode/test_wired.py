"""Bytes that are no value are told from those that are."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.bytecode.opcodes import OP_NUMBERS, OPS_BY_NUMBER
from batt.bytecode.wire import HELPER, MADE, OP, write_value
from batt.bytecode.wired import scan
from batt.dsl import compose, first, fork, lbind, power
from batt.types import OrderedSet
from batt.types.digest import FUNCTION, HUGE, SET, TUPLE, WIDE


def number(value: int) -> bytes:
    return value.to_bytes(4, "little")


def made(name: str, *parts: bytes) -> bytes:
    return bytes([MADE]) + number(OP_NUMBERS[name]) + b"".join(parts)


FIRST = bytes([OP]) + number(OP_NUMBERS["first"])

BAD = {
    "no bytes": (b"", "end early"),
    "an int without its bytes": (bytes([WIDE, 1, 2]), "end early"),
    "a tuple without its length": (bytes([TUPLE, 1, 0]), "end early"),
    "a tuple with a part missing": (bytes([TUPLE]) + number(2) + b"\1", "end early"),
    "a set of more parts than bytes": (bytes([SET]) + number(2**32 - 1) + b"\1", "end early"),
    "a huge int": (bytes([HUGE]) + bytes(12), "no tag 241"),
    "a printed function": (bytes([FUNCTION]) + bytes(12), "no tag 245"),
    "an unknown tag": (bytes([255]) + bytes(12), "no tag 255"),
    "an unknown op": (bytes([OP]) + number(len(OPS_BY_NUMBER)), "no op"),
    "an unknown maker": (bytes([MADE]) + number(len(OPS_BY_NUMBER)) + b"\1\1", "no op"),
    "a maker that makes no function": (made("canvas", b"\1", b"\1"), "canvas makes no function"),
    "a made function with a part missing": (made("compose", FIRST), "end early"),
    "an argument bound of no function": (made("lbind", b"\1", b"\1"), "lbind binds"),
    "a power of once": (made("power", FIRST, b"\1"), "from 2 to 900"),
    "a power of too often": (made("power", FIRST, bytes([WIDE]) + (901).to_bytes(8, "little")), "from 2 to 900"),
    "a power of no int": (made("power", FIRST, FIRST), "from 2 to 900"),
}


@pytest.mark.parametrize(("data", "message"), BAD.values(), ids=BAD)
def test_what_is_no_value_is_refused(data: bytes, message: str):
    with pytest.raises(ValueError, match=message):
        scan(data, 0)


def test_a_value_is_followed_by_what_is_not_its_own():
    assert scan(b"\1\2\3", 1).end == 2
    assert scan(bytes([HELPER]) + number(7) + b"\1", 0).helpers == {7}


@given(st.binary(max_size=40), st.integers(0, 40), st.integers(0, 255))
def test_random_bytes_are_a_value_or_a_value_error(data: bytes, at: int, byte: int):
    value = (1, OrderedSet([2]), fork(first, compose(first, first), lbind(first, 300)), power(first, 5), None)
    good = bytearray(write_value(value))
    good[at % len(good)] = byte
    for each in (data, bytes(good)):
        with contextlib.suppress(ValueError):
            assert scan(each, 0).end <= len(each)
