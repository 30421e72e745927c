"""Records as NumPy reads them."""

from __future__ import annotations

import numpy as np
import pytest

from batt.runtime import Status
from batt.runtime.outcome import RECORD
from batt.runtime.records import MANY, RECORD_TYPE, put, unfilled
from native_library import needs_library


def test_records_are_read_as_they_are_packed():
    assert RECORD_TYPE.itemsize == RECORD.size
    fields = (1, 2, 1, 2**64 - 1, 2**32 - 1, 2**16 - 1, 7)
    (read,) = np.frombuffer(RECORD.pack(*fields), RECORD_TYPE)
    assert read.tolist() == fields


def test_records_are_put_to_their_numbers_and_no_other():
    records, made = unfilled(4), np.zeros(2, RECORD_TYPE)
    made["hash"], made["width"] = [2**64 - 1, 5], [7, 8]
    put(records, np.array([3, 1]), made)
    assert records[[3, 1]].tolist() == made.tolist()
    assert records[[0, 2]].tolist() == unfilled(2).tolist()


def test_unfilled_records_are_not_run():
    assert unfilled(2).tolist() == [(Status.NOT_RUN, 0, 0, 0, 0, 0, 0)] * 2


@needs_library
def test_many_records_are_put_as_few_are():
    generator = np.random.default_rng(3)
    total = 3 * MANY
    numbers, made = generator.permutation(total)[: MANY + 5], np.zeros(MANY + 5, RECORD_TYPE)
    made["hash"], made["width"] = np.arange(len(made)), 7
    records, expected = unfilled(total), unfilled(total)
    put(records, numbers, made)
    expected[numbers] = made
    assert records.tolist() == expected.tolist()
    # Another type of numbers, and records that do not lie one after the other.
    again, apart = unfilled(total), np.zeros((total, 2), RECORD_TYPE)[:, 0]
    put(again, numbers.astype(np.int32), made[::1])
    put(apart, numbers, made)
    assert again.tolist() == expected.tolist()
    assert apart[numbers].tolist() == made.tolist()


@needs_library
@pytest.mark.parametrize("wrong", [-3 * MANY - 1, 3 * MANY])
def test_a_number_that_no_record_has_is_an_error(wrong: int):
    numbers = np.arange(MANY)
    numbers[5] = wrong
    records = unfilled(3 * MANY)
    with pytest.raises(IndexError):
        put(records, numbers, np.zeros(MANY, RECORD_TYPE))
    assert (records["status"] == Status.NOT_RUN).all()
