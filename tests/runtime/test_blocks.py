"""Blocks read back as they were written; bytes that are not a block are refused."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.runtime import ERROR_KINDS, Equality
from batt.runtime.blocks import (
    EQUAL_AT,
    ERROR_AT,
    Damaged,
    pack_numbers,
    pack_outputs,
    pack_records,
    unpack_numbers,
    unpack_outputs,
    unpack_records,
)
from batt.runtime.outcome import RAN
from batt.runtime.records import RECORD_TYPE

TOTAL = 10**12


def records_of(count: int, seed: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    made = np.zeros(count, RECORD_TYPE)
    made["status"] = draw.choice(RAN, count)
    made["error"] = draw.integers(0, len(ERROR_KINDS), count)
    made["equal"] = draw.choice(list(Equality), count)
    made["hash"] = draw.integers(0, 2**64, count, np.uint64)
    for name, most in (("differing", 2**32), ("height", 2**16), ("width", 2**16)):
        made[name] = draw.integers(0, most, count)
    return made


@given(st.sets(st.integers(0, TOTAL - 1), min_size=1, max_size=50), st.integers(0, 2**32))
def test_records_read_back_as_they_were(numbers: set[int], seed: int):
    given_numbers = np.array(sorted(numbers), np.int64)
    records = records_of(len(numbers), seed)
    kept = np.random.default_rng(seed + 1).random(len(numbers)) < 0.5
    found, read = unpack_records(pack_records(given_numbers, records, kept), TOTAL)
    assert (found == given_numbers).all()
    records["hash"][~kept] = 0
    assert (read == records).all()


def test_every_step_from_number_to_number_has_room():
    for step in (1, 2, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32, 2**39):
        numbers = np.array([3, 7, 7 + step], np.int64)
        found, _ = unpack_records(pack_records(numbers, records_of(3, 0), np.ones(3, bool)), TOTAL)
        assert found.tolist() == numbers.tolist()


def test_a_byte_has_room_for_status_error_and_equality():
    statuses = list(RAN)
    assert max(statuses) < 1 << ERROR_AT
    assert len(ERROR_KINDS) <= 1 << EQUAL_AT - ERROR_AT
    assert max(Equality) < 1 << 8 - EQUAL_AT


def test_no_change_of_bytes_is_more_than_damage():
    data = pack_records(np.arange(40), records_of(40, 1), np.ones(40, bool))
    draw = random.Random(1)
    for _ in range(400):
        changed = bytearray(data)
        for _ in range(draw.randint(1, 4)):
            changed[draw.randrange(len(changed))] = draw.randrange(256)
        changed = changed[: draw.randint(0, len(changed))] if draw.random() < 0.3 else changed
        try:
            numbers, records = unpack_records(bytes(changed), TOTAL)
        except Damaged:
            continue
        assert len(set(numbers.tolist())) == len(numbers) == len(records)
        assert 0 <= numbers.min() <= numbers.max() < TOTAL


@pytest.mark.parametrize("total", [39, 10])
def test_numbers_beyond_the_run_are_damage(total: int):
    with pytest.raises(Damaged):
        unpack_records(pack_records(np.arange(40), records_of(40, 1), np.ones(40, bool)), total)


@pytest.mark.parametrize("most", [0, 255, 256, 2**40])
def test_numbers_read_back_as_they_were(most: int):
    numbers = np.array([0, most, 7 % (most + 1)], np.int64)
    assert unpack_numbers(pack_numbers(numbers), 3).tolist() == numbers.tolist()
    for bad, count in ((b"", 3), (pack_numbers(numbers), 4), (b"\3" + pack_numbers(numbers)[1:], 3)):
        with pytest.raises(Damaged):
            unpack_numbers(bad, count)


def test_outputs_read_back_as_they_were():
    wires = [b"", b"abc", b"", bytes(1000)]
    data = pack_outputs(wires)
    assert unpack_outputs(data, 4).wires == wires
    for bad, count in ((data[:-3], 4), (b"", 4), (data, 5), (data, 3)):
        with pytest.raises(Damaged):
            unpack_outputs(bad, count)
