"""Which outputs count as hits."""

from __future__ import annotations

import numpy as np

from batt.jobs.keeping import is_hit
from batt.runtime import Equality, Status
from batt.runtime.records import RECORD_TYPE


def record(equal: Equality, differing: int, height: int, width: int, status: Status = Status.OK) -> np.ndarray:
    return np.array([(status, 0, equal, 1, differing, height, width)], RECORD_TYPE)


def test_equal_outputs_and_those_of_which_a_tenth_differs_are_hits():
    assert is_hit(record(Equality.YES, 0, 3, 3))
    assert is_hit(record(Equality.NO, 1, 2, 5))
    assert is_hit(record(Equality.NO, 90, 30, 30))


def test_others_are_none():
    assert not is_hit(record(Equality.NO, 1, 3, 3))
    assert not is_hit(record(Equality.NO, 0, 0, 0))
    assert not is_hit(record(Equality.UNKNOWN, 0, 3, 3))
    assert not is_hit(record(Equality.NO, 9, 0, 0, Status.RAISED))
