"""Values as bytes and as 64 bits."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from batt.dsl import compose, first, last
from batt.types import OrderedSet, encode, fingerprint, form
from batt.types.digest import NONE, PRIME, SET, SMALL, TUPLE
from batt.types.functions import FORM_LIMIT
from strategies import few_values, grids, ints, rebuilt, values

rows = st.lists(st.lists(st.integers(0, 300) | ints | st.none(), max_size=4).map(tuple), max_size=4).map(tuple)
"""Tuples of rows, not all of which can be written row by row."""


def head(tag: int, count: int) -> bytes:
    return bytes([tag]) + count.to_bytes(4, "little")


def by_horner(data: bytes) -> int:
    """The fingerprint in 64-bit steps, as a native engine computes it."""
    state = 0
    for byte in data:
        state = state * 256 + byte
        while state >= 2**64:
            state = state % 2**64 + 59 * (state // 2**64)
    return state - PRIME if state >= PRIME else state


def test_the_modulus_is_the_largest_prime_below_two_to_the_64() -> None:
    def is_prime(number: int) -> bool:
        return all(_passes(number, base) for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37))

    assert PRIME < 2**64
    assert is_prime(PRIME)
    assert not any(is_prime(number) for number in range(PRIME + 1, 2**64))


def _passes(number: int, base: int) -> bool:
    """The test of Miller and Rabin; these bases decide it for 64 bits."""
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    power = pow(base, odd, number)
    if power in (1, number - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0, "00"),
        (239, "ef"),
        (240, "f0 f000000000000000"),
        (-1, "f0 ffffffffffffffff"),
        (2**63 - 1, "f0 ffffffffffffff7f"),
        (2**63, "f1 09000000 000000000000008000"),
        (-(2**63) - 1, "f1 09000000 ffffffffffffff7fff"),
        (2**71 - 1, "f1 09000000 ffffffffffffffff7f"),
        ((), "f2 00000000"),
        ((1, (2,)), "f2 02000000 01 f2 01000000 02"),
        (OrderedSet([(3,), 7]), "f3 02000000 07 f2 01000000 03"),
        (None, "f4"),
        (first, "f5 05000000 6669727374"),
        (compose(first, last), "f5 14000000 636f6d706f73652866697273742c206c61737429"),
    ],
    ids=str,
)
def test_the_bytes_are_those_that_every_engine_writes(value: Any, written: str) -> None:
    assert encode(value) == bytes.fromhex(written)


def test_a_fingerprint_does_not_change_from_one_version_to_the_next() -> None:
    assert fingerprint(()) == 0xF2_00000000
    assert fingerprint(((1, 2), (3, 4))) == int("f202000000f2020000000102f2020000000304", 16) % (2**64 - 59)


@given(values)
def test_equal_values_have_one_fingerprint_whatever_represents_them(value: Any) -> None:
    plain, ordered = rebuilt(value, frozenset), rebuilt(value)
    assert encode(plain) == encode(ordered) == encode(value)
    assert fingerprint(plain) == fingerprint(ordered) == fingerprint(value)


def test_true_is_written_as_one() -> None:
    assert encode(True) == encode(1)
    assert encode((0, False)) == encode((False, 0))
    assert encode(OrderedSet([True, 2])) == encode(frozenset([2, 1]))
    assert encode(((True,),)) == encode(((1,),))


@given(few_values | values, few_values | values)
@example((1,), ((1,),))
@example((), OrderedSet())
@example(((),), ())
@example(SMALL, (SMALL,))
def test_bytes_are_equal_exactly_when_values_are(a: Any, b: Any) -> None:
    assert (encode(a) == encode(b)) is (a == b)


@given(few_values | values, few_values | values)
def test_no_value_begins_with_the_bytes_of_another(a: Any, b: Any) -> None:
    assert a == b or not encode(a).startswith(encode(b))


@given(ints | st.integers(), ints | st.integers())
def test_ints_of_every_width_differ_and_none_begins_another(a: int, b: int) -> None:
    assert (encode(a) == encode(b)) is (a == b)
    assert a == b or not encode(a).startswith(encode(b))


@given(grids() | rows)
@example(((239, 240),))
@example(((255, 256), ()))
@example(((), ()))
@example(((True, 0), (-1, 2)))
def test_rows_are_written_as_any_other_tuple_is(rows: Any) -> None:
    expected = head(TUPLE, len(rows))
    for row in rows:
        expected += head(TUPLE, len(row)) + b"".join([encode(value) for value in row])
    assert encode(rows) == expected


@given(grids() | rows)
def test_a_value_is_written_alike_inside_another(rows: Any) -> None:
    assert encode((rows, None)) == head(TUPLE, 2) + encode(rows) + bytes([NONE])
    assert encode(OrderedSet([rows])) == head(SET, 1) + encode(rows)


@given(values | grids())
def test_the_fingerprint_is_what_horners_rule_gives(value: Any) -> None:
    assert fingerprint(value) == by_horner(encode(value))
    assert 0 <= fingerprint(value) < PRIME


@given(st.binary(max_size=60))
@example(b"\xff" * 32)
def test_horners_rule_is_the_remainder_of_the_big_endian_number(data: bytes) -> None:
    assert by_horner(data) == int.from_bytes(data, "big") % PRIME


def test_of_a_functions_form_the_first_two_thousand_characters_count() -> None:
    long = first
    while len(form(long, 10**9)) < FORM_LIMIT:
        long = compose(long, first)
    other = compose(long, last)
    assert encode(compose(long, first)) == encode(other)
    assert len(encode(other)) < 2 * FORM_LIMIT


def test_a_deeply_nested_value_is_written() -> None:
    value: Any = ()
    for _ in range(20_000):
        value = (value,)
    assert len(encode(value)) == 5 * 20_001


@pytest.mark.parametrize("thing", ["text", 1.5, [1], {1}, b"", (1, "text"), frozenset(["text"])])
def test_what_is_no_value_of_the_language_is_a_type_error(thing: Any) -> None:
    with pytest.raises((TypeError, AttributeError)):
        encode(thing)
