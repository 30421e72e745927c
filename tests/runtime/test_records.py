"""Records as NumPy reads them."""

from __future__ import annotations

import numpy as np

from batt.runtime import Status
from batt.runtime.outcome import RECORD
from batt.runtime.records import RECORD_TYPE, put, unfilled


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
