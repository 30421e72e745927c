"""What an argument can be, and how it is written."""

from __future__ import annotations

from typing import Any

import pytest

from batt.errors import UsageError
from batt.ops import CONSTANTS, OPS
from batt.statistics.producers import LITERALS, Producer, ProducerKind, producer_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "bool True"),
        (1, "int 1"),
        (-2, "int -2"),
        ((0, 1), "pair (0, 1)"),
        ((0, 1, 2), "constant (0, 1, 2)"),
        (None, "constant None"),
        (OPS["size"], "function size"),
    ],
)
def test_a_literal_is_a_producer_with_its_kind_and_value(value: Any, text: str):
    producer = producer_of(value)
    assert str(producer) == text
    assert Producer.parse(text) == producer
    assert producer.without_value == Producer(producer.kind)


@pytest.mark.parametrize("text", ["step objects", "input I", "int"])
def test_a_producer_reads_back(text: str):
    assert str(Producer.parse(text)) == text
    assert Producer.parse(text).without_value == Producer.parse(text)


def test_a_text_of_no_kind_is_refused():
    with pytest.raises(UsageError, match="'objects' is no producer; write step, input, function, "):
        Producer.parse("objects")


def test_every_constant_and_primitive_is_a_known_literal():
    for value in (*CONSTANTS.values(), *OPS.values()):
        producer = producer_of(value)
        assert producer.name in LITERALS[producer.kind]
    assert set(LITERALS) == {kind for kind in ProducerKind if kind.is_literal}
